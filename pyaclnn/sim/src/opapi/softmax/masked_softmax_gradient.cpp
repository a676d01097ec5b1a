// SPDX-License-Identifier: MIT
#include "opapi/softmax/masked_softmax_gradient.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/cpu.hpp"
#include "opapi/common/view.hpp"
#include "parameters/ScaledMaskedSoftmaxBackward.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGrain = 32768;  // values worth a hand-over to another thread
constexpr int kLanes = 16;

/// One row: values = mask ? 0 : y * (grad - sum(grad * y)) * scale.
struct Row {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* grad, const float* y, const float* mask,
                                    std::int64_t count, float scale, float* out) {
    double lanes[kLanes] = {};
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      for (int k = 0; k < kLanes; ++k) lanes[k] += double(grad[i + k]) * double(y[i + k]);
    }
    for (; i < count; ++i) lanes[0] += double(grad[i]) * double(y[i]);
    double total = 0;
    for (double lane : lanes) total += lane;
    // The sum in two parts, so that float32 arithmetic keeps its digits.
    const float high = static_cast<float>(total);
    const float low = high - high == 0 ? static_cast<float>(total - double(high)) : 0.0f;
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t k = 0; k < count; ++k) {
      const float value = y[k] * ((grad[k] - high) - low) * scale;
      out[k] = mask[k] != 0 ? 0.0f : value;
    }
  }
};

using RowFn = void (*)(const float*, const float*, const float*, std::int64_t, float, float*);

struct Input {
  LoadFn load = nullptr;
  std::int64_t size = 0;    // of an element, in bytes
  std::int64_t stride = 0;  // along the row, in elements
  View view;
};

/// Everything but addresses; operands in the order out, grad, y, mask.
struct Kernel {
  std::vector<Input> inputs;
  StoreFn store = nullptr;
  View out;
  LoopNest rows;
  std::int64_t length = 0;
  float scale = 1;
  RowFn row = nullptr;

  void run(const KernelMemory& memory, std::int64_t begin, std::int64_t end) const {
    std::vector<float> buffers(std::size_t(length) * 4);
    float* out_values = buffers.data() + 3 * length;
    const auto out_size = static_cast<std::int64_t>(dtype_size(out.dtype));
    std::byte* out_base = memory.operands[out.operand] + out.offset * out_size;
    LoopCursor cursor(rows, begin);
    for (std::int64_t i = begin; i < end; ++i) {
      const float* values[3];
      for (std::size_t k = 0; k < 3; ++k) {
        const Input& input = inputs[k];
        const std::byte* from = memory.operands[input.view.operand] +
                                (input.view.offset + cursor.offset(k + 1)) * input.size;
        float* buffer = buffers.data() + std::int64_t(k) * length;
        const bool direct = input.view.dtype == ACL_FLOAT && input.stride == 1;
        if (!direct) input.load(from, input.stride, length, buffer);
        values[k] = direct ? reinterpret_cast<const float*>(from) : buffer;
      }
      row(values[0], values[1], values[2], length, scale, out_values);
      store(out_values, length, out_base + cursor.offset(0) * out_size, out.strides[3]);
      cursor.advance(1);
    }
  }
};

/// The view without its last dimension.
View rows_of(const View& view) {
  View result = view;
  result.shape = Dims(view.shape.begin(), view.shape.size() - 1);
  result.strides = Dims(view.strides.begin(), view.strides.size() - 1);
  return result;
}

void launch(Plan& plan, const TensorArgument& grad, const TensorArgument& y,
            const TensorArgument& mask, float scale, const TensorArgument& out) {
  auto kernel = std::make_shared<Kernel>();
  kernel->out = plan.writes(out);
  std::vector<View> row_views{rows_of(kernel->out)};
  for (const TensorArgument* tensor : {&grad, &y, &mask}) {
    View view = broadcast_view(plan.reads(*tensor), grad.shape());
    row_views.push_back(rows_of(view));
    kernel->inputs.push_back({loader<float>(view.dtype),
                              static_cast<std::int64_t>(dtype_size(view.dtype)), view.strides[3],
                              std::move(view)});
  }
  kernel->store = storer<float>(out.dtype(), Rounding::kNearestEven);
  kernel->rows = plan_loops(row_views);
  kernel->length = grad.shape()[3];
  kernel->scale = scale;
  kernel->row =
      loop_for_cpu<Row, const float*, const float*, const float*, std::int64_t, float, float*>();
  plan.launch([kernel](const KernelMemory& memory) {
    parallel_for(kernel->rows.count, std::max<std::int64_t>(1, kGrain / kernel->length),
                 [&](std::int64_t begin, std::int64_t end) { kernel->run(memory, begin, end); });
  });
}

}  // namespace

void check_mask_of_rows(const Check& check, const TensorArgument& mask, const Dims& shape) {
  check.that(mask.rank() == 4, "mask has %zu dimensions, it must have 4", mask.rank());
  for (std::size_t i = 0; i < 4; ++i) {
    const bool fits = mask.shape()[i] == shape[i] || (i < 2 && mask.shape()[i] == 1);
    check.that(fits, "mask of shape %s does not broadcast over the first two dimensions of %s",
               mask.shape().text().c_str(), shape.text().c_str());
  }
}

/// Plans out = mask ? 0 : scale y (grad - sum(grad y)), the sum over the last dimension.
void scaled_masked_softmax_gradient(const Check&, Plan& plan,
                                    const ScaledMaskedSoftmaxBackwardParameters& given) {
  plan.stage(given.gradOutput).contiguous();
  plan.stage(given.y).contiguous();
  plan.stage(given.mask).contiguous();
  // Whatever type the output says, CANN sets it to that of the gradient.
  TensorMeta written = given.out.meta();
  written.dtype = given.gradOutput.dtype();
  const TensorArgument result(given.out.name(), given.out.index(), &written);
  plan.result(given.gradOutput.dtype(), given.out.shape()).copy_to(result);
  launch(plan, given.gradOutput, given.y, given.mask, static_cast<float>(given.scale), result);
}

}  // namespace pyaclnn::sim
