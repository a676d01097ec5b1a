// Gradient of the negative log likelihood: one element of each row of classes.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/elementwise_cast.hpp"
#include "opapi/common/fill.hpp"
#include "opapi/loss/loss.hpp"
#include "parameters/NLLLossBackward.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlock = 256;   // targets read at a time
constexpr std::int64_t kGrain = 4096;  // targets worth a hand-over to another thread

struct Operand {
  View view;
  std::int64_t size = 0;
  LoadFn load = nullptr;

  const std::byte* at(const KernelMemory& memory, std::int64_t offset) const {
    return memory.operands[view.operand] + (view.offset + offset) * size;
  }
};

template <class C>
Operand input(Plan& plan, const TensorArgument& tensor) {
  View view = plan.reads(tensor);
  return {view, static_cast<std::int64_t>(dtype_size(view.dtype)), loader<C>(view.dtype)};
}

struct Kernel {
  LoopNest targets;  // operands in the order out, target, grad
  Operand out;
  Operand target;
  Operand grad;
  Operand weight;
  Operand total_weight;
  StoreFn store = nullptr;
  std::int64_t classes = 0;
  std::int64_t class_stride = 0;
  std::int64_t ignore_index = 0;
  bool mean = false;

  void run(const KernelMemory& memory) const {
    std::vector<float> weights(static_cast<std::size_t>(classes));
    weight.load(weight.at(memory, 0), weight.view.strides[0], classes, weights.data());
    float total = 1.0f;
    if (mean) total_weight.load(total_weight.at(memory, 0), 1, 1, &total);
    parallel_for(targets.count, kGrain, [&](std::int64_t begin, std::int64_t end) {
      LoopCursor cursor(targets, begin);
      for (std::int64_t left = end - begin; left > 0;) {
        const std::int64_t count = std::min({cursor.left_in_row(), left, kBlock});
        block(memory, cursor, count, weights, total);
        cursor.advance(count);
        left -= count;
      }
    });
  }

  void block(const KernelMemory& memory, const LoopCursor& cursor, std::int64_t count,
             const std::vector<float>& weights, float total) const {
    std::int64_t indices[kBlock];
    float grads[kBlock];
    target.load(target.at(memory, cursor.offset(1)), targets.inner_stride(1), count, indices);
    grad.load(grad.at(memory, cursor.offset(2)), targets.inner_stride(2), count, grads);
    std::byte* base = memory.operands[out.view.operand];
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t index = indices[i];
      if (index == ignore_index || index < 0 || index >= classes) continue;
      const float value = -(grads[i] * weights[std::size_t(index)]) / total;
      const std::int64_t element =
          out.view.offset + cursor.offset(0) + i * targets.inner_stride(0) + index * class_stride;
      store(&value, 1, base + element * out.size, 1);
    }
  }
};

/// Plans out[n, c, ...] = c == target[n, ...] ? -weight[c] grad[n, ...] : 0, divided by
/// total_weight for the mean; a reduced loss has one gradient for all n. A target of ignore_index
/// gives a row of zeros, and so does here one that is no class, which CANN does not define. The
/// classes are the dimension `axis` of out.
void plan_gradient(Plan& plan, const NLLLossBackwardParameters& a, std::size_t axis) {
  // Of CANN's kernel, before the cast to the type of out.
  const aclDataType dtype = a.self.dtype();
  const aclDataType result = dtype == ACL_FLOAT16 && !on_950() ? ACL_FLOAT : dtype;
  plan.stage(a.gradOutput).contiguous().cast_to(result);
  plan.stage(a.self).contiguous().cast_to(result);
  plan.stage(a.weight).contiguous().cast_to(result);
  auto classes = plan.stage(a.target).contiguous();
  if (!on_950()) classes.cast_to(ACL_INT32);
  plan.stage(a.totalWeight).contiguous().cast_to(result);
  plan.result(result, a.self.shape()).cast_to(a.out.dtype()).copy_to(a.out);
  launch_zero(plan, a.out);
  auto kernel = std::make_shared<Kernel>();
  kernel->out = input<float>(plan, a.out);
  kernel->target = input<std::int64_t>(plan, a.target);
  kernel->grad = input<float>(plan, a.gradOutput);
  kernel->weight = input<float>(plan, a.weight);
  kernel->total_weight = input<float>(plan, a.totalWeight);
  kernel->store = storer_via(result, a.out.dtype());
  kernel->classes = a.out.shape()[axis];
  kernel->class_stride = kernel->out.view.strides[axis];
  kernel->ignore_index = a.ignoreIndex;
  kernel->mean = a.reduction == kMean;

  View rows = kernel->out.view;
  rows.shape = Dims();
  rows.strides = Dims();
  for (std::size_t i = 0; i < kernel->out.view.shape.size(); ++i) {
    if (i == axis) continue;
    rows.shape.push_back(kernel->out.view.shape[i]);
    rows.strides.push_back(kernel->out.view.strides[i]);
  }
  // A row of classes alone has one target, which may come as the first of several.
  View target = kernel->target.view;
  if (rows.shape.empty()) target.shape = target.strides = Dims();
  View grad = kernel->grad.view;
  if (grad.shape != rows.shape) {
    grad.shape = rows.shape;
    grad.strides = rows.shape;
    for (std::size_t i = 0; i < rows.shape.size(); ++i) grad.strides.set(i, 0);
  }
  kernel->targets = plan_loops({rows, target, grad});
  plan.launch([kernel](const KernelMemory& memory) { kernel->run(memory); });
}

void check_weights(const Check& check, const NLLLossBackwardParameters& a, std::int64_t classes) {
  check.that(a.weight.rank() == 1 && a.weight.shape()[0] == classes,
             "weight has shape %s, it must be [%lld], a value for each class",
             a.weight.shape().text().c_str(), static_cast<long long>(classes));
  check.that(a.totalWeight.elements() == 1, "totalWeight has shape %s, it must have one element",
             a.totalWeight.shape().text().c_str());
}

void check_single_grad(const Check& check, const TensorArgument& grad) {
  check.that(grad.rank() <= 1 && grad.elements() == 1,
             "gradOutput has shape %s, a reduced loss has one gradient",
             grad.shape().text().c_str());
}

}  // namespace

/// Refuses shapes that do not fit: self [N, C] or [C], target [N] or [].
void check_nll_loss_gradient(const Check& check, Plan&, const NLLLossBackwardParameters& a) {
  check.that(a.self.rank() == 1 || a.self.rank() == 2,
             "self has %zu dimensions, it must have 1 or 2", a.self.rank());
  check.that(a.target.rank() <= 1, "target has %zu dimensions, it must have 0 or 1",
             a.target.rank());
  const bool one_row = a.self.rank() == 1 && a.target.rank() == 0;
  check.that(one_row || (a.target.rank() == 1 && a.target.shape()[0] == a.self.shape()[0]),
             "target has shape %s, self has shape %s: the first extents must be equal",
             a.target.shape().text().c_str(), a.self.shape().text().c_str());
  check_weights(check, a, a.self.shape().back());
  if (a.reduction == kNone && a.self.rank() == 2) {
    check.shape_is(a.gradOutput, Dims{a.self.shape()[0]}, "one gradient for each row of self");
  } else {
    check_single_grad(check, a.gradOutput);
  }
}

/// The same of images: self [N, C, H, W], target [N, H, W].
void check_nll_loss2d_gradient(const Check& check, Plan&, const NLLLossBackwardParameters& a) {
  check.that(a.target.rank() == 3, "target has %zu dimensions, it must have 3", a.target.rank());
  check.that(a.self.rank() == 4, "self has %zu dimensions, it must have 4", a.self.rank());
  const Dims& shape = a.self.shape();
  check.shape_is(a.target, Dims{shape[0], shape[2], shape[3]}, "the shape of self but its classes");
  check_weights(check, a, shape[1]);
  if (a.reduction == kNone) {
    check.same_shape(a.target, a.gradOutput);
  } else {
    check_single_grad(check, a.gradOutput);
  }
}

void nll_loss_gradient(const Check&, Plan& plan, const NLLLossBackwardParameters& a) {
  plan_gradient(plan, a, a.self.rank() - 1);
}

void nll_loss2d_gradient(const Check&, Plan& plan, const NLLLossBackwardParameters& a) {
  plan_gradient(plan, a, 1);
}

}  // namespace pyaclnn::sim
