// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_unfold_grad.h"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/common/row_major.hpp"

using namespace pyaclnn::sim;

namespace {

constexpr std::int64_t kGrain = 32768;  // values worth a hand-over to another thread
constexpr std::int64_t kBlock = 512;    // elements behind dim that are summed together

/// gradIn is [outer, extent, inner], gradOut [outer, windows, inner, size].
struct Kernel {
  RowMajor windows_in;
  RowMajor out;
  std::int64_t extent;
  std::int64_t inner;
  std::int64_t windows;
  std::int64_t size;
  std::int64_t step;
};

void run(const Kernel& kernel, const KernelMemory& memory) {
  const RowMajorAccess in(kernel.windows_in, memory);
  const RowMajorAccess out(kernel.out, memory);
  const std::int64_t block = std::min(kernel.inner, kBlock);
  const std::int64_t blocks = (kernel.inner + block - 1) / block;
  const std::int64_t outer = kernel.out.count() / (kernel.extent * kernel.inner);
  const std::int64_t work = block * std::max(kernel.extent, kernel.windows * kernel.size);
  parallel_for(outer * blocks, std::max<std::int64_t>(1, kGrain / work),
               [&](std::int64_t begin, std::int64_t end) {
                 std::vector<float> values(static_cast<std::size_t>(block * kernel.size));
                 std::vector<float> sums(static_cast<std::size_t>(block * kernel.extent));
                 for (std::int64_t task = begin; task < end; ++task) {
                   const std::int64_t first = task % blocks * block;
                   const std::int64_t count = std::min(block, kernel.inner - first);
                   std::fill(sums.begin(), sums.end(), 0.0f);
                   for (std::int64_t i = 0; i < kernel.windows; ++i) {
                     const std::int64_t row = task / blocks * kernel.windows + i;
                     const float* from = in.read((row * kernel.inner + first) * kernel.size,
                                                 count * kernel.size, values.data());
                     float* to = sums.data() + i * kernel.step * count;
                     for (std::int64_t k = 0; k < count; ++k) {
                       for (std::int64_t j = 0; j < kernel.size; ++j)
                         to[j * count + k] += from[k * kernel.size + j];
                     }
                   }
                   for (std::int64_t place = 0; place < kernel.extent; ++place) {
                     const std::int64_t row = task / blocks * kernel.extent + place;
                     const std::int64_t position = row * kernel.inner + first;
                     const std::int64_t length = blocks == 1 ? count * kernel.extent : count;
                     const float* source = sums.data() + place * count;
                     float* target = out.target(position, sums.data() + place * count);
                     if (target != source) std::copy_n(source, length, target);
                     out.write(position, length, target);
                     if (blocks == 1) break;
                   }
                 }
               });
}

template <class Argument>
void check_given(const Plan& plan, const Argument& argument) {
  if (!argument.given())
    fail(ACLNN_ERR_INNER_NULLPTR, "%s: %s is null", plan.api(), argument.name());
}

}  // namespace

// gradIn[i * step + j] += gradOut[i, j] for every window i and its element j.
OPERATOR(UnfoldGrad, (In, gradOut), (IntArrayIn, inputSizes), (Int, dim), (Int, size), (Int, step),
         (ConstOut, gradIn)) {
  check.since_cann_9_0();
  check_given(plan, gradOut);
  check_given(plan, inputSizes);
  check_given(plan, gradIn);
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16}, gradOut, gradIn);
  check.rank_at_most(8, gradOut, gradIn);
  check.that(gradOut.rank() >= 1 && gradIn.rank() >= 1,
             "gradOut has shape %s, gradIn %s: they must have one dimension or more",
             gradOut.shape().text().c_str(), gradIn.shape().text().c_str());
  check.that(inputSizes.values().size() + 1 == gradOut.rank(),
             "inputSizes has %zu values, it must have one less than gradOut has dimensions, %zu",
             inputSizes.values().size(), gradOut.rank());
  check.shape_is(gradIn, Dims(inputSizes.values().data(), inputSizes.values().size()),
                 "inputSizes");
  check.that(dim >= 0 && dim < std::int64_t(gradOut.rank()) - 1,
             "dim is %lld, it must be from 0 to %zu", static_cast<long long>(dim),
             gradOut.rank() - 2);
  check.that(size > 0, "size is %lld, it must be positive", static_cast<long long>(size));
  check.that(step > 0, "step is %lld, it must be positive", static_cast<long long>(step));
  if (gradOut.is_empty() || gradIn.is_empty()) return;

  plan.stage(gradOut).contiguous();
  check_kernel_exists(plan, on_a2_or_a3());
  const auto axis = static_cast<std::size_t>(dim.value);
  const std::int64_t extent = gradIn.shape()[axis];
  Dims windows = gradIn.shape();
  windows.set(axis, size > extent ? 0 : (extent - size) / step + 1);
  windows.push_back(size);
  check_tiling(plan, gradOut.shape() == windows, "gradOut has shape %s, it must be %s",
               gradOut.shape().text().c_str(), windows.text().c_str());
  plan.result(gradOut.dtype(), gradIn.shape()).copy_to(gradIn);

  std::int64_t inner = 1;
  for (std::size_t i = axis + 1; i < gradIn.rank(); ++i) inner *= gradIn.shape()[i];
  const Kernel kernel{RowMajor(plan.reads(gradOut)),
                      RowMajor(plan.writes(gradIn)),
                      extent,
                      inner,
                      windows[axis],
                      size,
                      step};
  plan.launch([kernel](const KernelMemory& memory) { run(kernel, memory); });
}
