// SPDX-License-Identifier: MIT
#include "opapi/matmul/quantised_result.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/quant/stored_scales.hpp"

namespace pyaclnn::sim {

void quantise_result(Plan& plan, const TensorArgument& product, const TensorArgument& words,
                     const TensorArgument& out) {
  constexpr std::int64_t kGrain = 16384;
  const RowMajor sums(plan.reads(product)), to(plan.writes(out));
  const View of_columns = plan.reads(words);
  const std::int64_t columns = out.shape().back(), rows = out.elements() / columns;
  plan.launch([=](const KernelMemory& memory) {
    const WordParameters parameters(memory, of_columns);
    const std::vector<float>& scales = parameters.scales;
    parallel_for(rows, std::max<std::int64_t>(1, kGrain / columns),
                 [&](std::int64_t begin, std::int64_t end) {
                   std::vector<float> line(static_cast<std::size_t>(columns)), buffer(line.size());
                   for (std::int64_t row = begin; row < end; ++row) {
                     const float* const from =
                         RowMajorAccess(sums, memory).read(row * columns, columns, buffer.data());
                     for (std::size_t i = 0; i < line.size(); ++i)
                       line[i] = from[i] * scales[i % scales.size()];
                     add_offsets(line, parameters.offsets);
                     RowMajorAccess(to, memory).write(row * columns, columns, line.data());
                   }
                 });
  });
}

}  // namespace pyaclnn::sim
