// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/cpu.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/embedding/gradients.hpp"

namespace pyaclnn::sim {
namespace {

constexpr int kLanes = 8;
constexpr std::int64_t kGrain = 32768;  // elements worth a hand-over to another thread

/// sums[j] += grad[j] * value[j]; *total = sum of sums.
struct Accumulate {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* grad, const float* value, std::int64_t count,
                                    double* sums, double* total) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t j = 0; j < count; ++j) sums[j] += double(grad[j]) * double(value[j]);
    double lanes[kLanes] = {};
    std::int64_t j = 0;
    for (; j + kLanes <= count; j += kLanes) {
      for (int k = 0; k < kLanes; ++k) lanes[k] += sums[j + k];
    }
    for (; j < count; ++j) lanes[0] += sums[j];
    *total = 0;
    for (double lane : lanes) *total += lane;
  }
};

struct Kernel {
  RowMajor grad;
  RowMajor value;
  RowMajor out;
  std::int64_t length = 0;  // of a row, and rows of a matrix

  void run(const KernelMemory& memory) const {
    static const auto accumulate =
        loop_for_cpu<Accumulate, const float*, const float*, std::int64_t, double*, double*>();
    const RowMajorAccess grads(grad, memory);
    const RowMajorAccess values(value, memory);
    const RowMajorAccess results(out, memory);
    const std::int64_t matrices = out.count() / length;
    parallel_for(matrices, std::max<std::int64_t>(1, kGrain / (length * length)),
                 [&](std::int64_t begin, std::int64_t end) {
                   std::vector<double> sums(static_cast<std::size_t>(length));
                   std::vector<float> buffers(static_cast<std::size_t>(3 * length));
                   float* result = buffers.data() + 2 * length;
                   for (std::int64_t matrix = begin; matrix < end; ++matrix) {
                     std::fill(sums.begin(), sums.end(), 0.0);
                     // From the last row up: each adds its part left of the diagonal to the
                     // columns' sums.
                     for (std::int64_t row = length - 1; row >= 0; --row) {
                       const std::int64_t at = (matrix * length + row) * length;
                       double total = 0;
                       accumulate(grads.read(at, row, buffers.data()),
                                  values.read(at, row, buffers.data() + length), row, sums.data(),
                                  &total);
                       result[row] = static_cast<float>(total);
                     }
                     float* to = results.target(matrix * length, result);
                     if (to != result) std::copy(result, result + length, to);
                     results.write(matrix * length, length, to);
                   }
                 });
  }
};

}  // namespace

void check_exp_segsum_gradient(const Check& check, const TensorArgument& grad,
                               const TensorArgument& value, const TensorArgument& out) {
  const std::size_t rank = grad.rank();
  check.that(rank == 4 || rank == 5, "gradOutput has %zu dimensions, it must have 4 or 5", rank);
  check.that(value.rank() == rank,
             "gradSelf has %zu dimensions, it must have %zu as gradOutput has", value.rank(), rank);
  check.that(out.rank() + 1 == rank, "gradInput has %zu dimensions, it must have %zu", out.rank(),
             rank - 1);
  check.that(grad.shape()[rank - 1] == grad.shape()[rank - 2],
             "gradOutput has shape %s, its last two extents must be equal",
             grad.shape().text().c_str());
  check.same_shape(grad, value);
  check.shape_is(out, Dims(grad.shape().begin(), rank - 1), "gradOutput's without the last extent");
}

void exp_segsum_gradient(Plan& plan, const TensorArgument& grad, const TensorArgument& value,
                         const TensorArgument& out) {
  plan.stage(grad).contiguous();
  plan.stage(value).contiguous();
  plan.result(grad.dtype(), out.shape()).copy_to(out);
  auto kernel = std::make_shared<Kernel>();
  kernel->grad = RowMajor(plan.reads(grad));
  kernel->value = RowMajor(plan.reads(value));
  kernel->out = RowMajor(plan.writes(out));
  kernel->length = out.shape().back();
  plan.launch([kernel](const KernelMemory& memory) { kernel->run(memory); });
}

}  // namespace pyaclnn::sim
