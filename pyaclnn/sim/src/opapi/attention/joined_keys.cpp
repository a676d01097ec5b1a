// SPDX-License-Identifier: MIT
#include "opapi/attention/joined_keys.hpp"

#include <algorithm>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/attention/rows.hpp"

namespace pyaclnn::sim {
namespace {

/// A type of whole bytes that has all numbers of another.
aclDataType in_bytes(aclDataType dtype) {
  if (!is_half_byte(dtype)) return dtype;
  return is_float4(dtype) ? ACL_FLOAT8_E4M3FN : ACL_INT8;
}

}  // namespace

std::int64_t KeyParts::rows() const {
  std::int64_t most = 0;
  for (const View& sample : samples) most = std::max(most, sample.shape[2]);
  return prefix.shape[2] + most;
}

View launch_joined(Plan& plan, const char* name, const KeyParts& parts) {
  const Dims& shape = parts.samples.front().shape;
  const TensorArgument room = plan.scratch(name, in_bytes(parts.samples.front().dtype),
                                           {parts.batch, shape[1], parts.rows(), shape[3]});
  plan.launch(
      [parts, to = RowView(plan.writes(room)), heads = shape[1]](const KernelMemory& memory) {
        std::vector<RowView> samples;
        for (const View& sample : parts.samples) samples.emplace_back(sample);
        const RowView prefix(parts.prefix);
        const bool is_list = samples.size() > 1;
        const std::int64_t shared = parts.prefix.shape[2];
        parallel_for(parts.batch * heads, 1, [&](std::int64_t begin, std::int64_t end) {
          std::vector<float> row(static_cast<std::size_t>(to.length()));
          for (std::int64_t i = begin; i < end; ++i) {
            const std::int64_t batch = i / heads;
            const std::int64_t head = i % heads;
            const std::size_t own = is_list ? std::size_t(batch) : 0;
            for (std::int64_t r = 0; r < shared + parts.samples[own].shape[2]; ++r) {
              if (r < shared)
                prefix.load(memory, batch, head, r, 0, to.length(), row.data());
              else
                samples[own].load(memory, is_list ? 0 : batch, head, r - shared, 0, to.length(),
                                  row.data());
              to.store(memory, batch, head, r, row.data(), to.length());
            }
          }
        });
      });
  return plan.reads(room);
}

}  // namespace pyaclnn::sim
