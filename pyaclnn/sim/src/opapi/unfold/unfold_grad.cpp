// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/unfold/unfold.hpp"

namespace pyaclnn::sim {
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

}  // namespace

void unfold_gradient(Plan& plan, const TensorArgument& grad, std::size_t axis, std::int64_t size,
                     std::int64_t step, const TensorArgument& out) {
  const std::int64_t extent = out.shape()[axis];
  Dims windows = out.shape();
  windows.set(axis, size > extent ? 0 : (extent - size) / step + 1);
  windows.push_back(size);
  check_tiling(plan, grad.shape() == windows, "gradOut has shape %s, it must be %s",
               grad.shape().text().c_str(), windows.text().c_str());
  plan.result(grad.dtype(), out.shape()).copy_to(out);

  const std::int64_t inner = out.shape().product(axis + 1);
  const Kernel kernel{RowMajor(plan.reads(grad)),
                      RowMajor(plan.writes(out)),
                      extent,
                      inner,
                      windows[axis],
                      size,
                      step};
  plan.launch([kernel](const KernelMemory& memory) { run(kernel, memory); });
}

}  // namespace pyaclnn::sim
