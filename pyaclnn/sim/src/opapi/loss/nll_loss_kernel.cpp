// SPDX-License-Identifier: MIT
#include "opapi/loss/nll_loss_kernel.hpp"

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

}  // namespace

void nll_loss_gradient(Plan& plan, const NllLossGrad& a, const TensorArgument& self,
                       std::size_t axis) {
  plan.stage(a.grad).contiguous().cast_to(a.result);
  plan.stage(self).contiguous().cast_to(a.result);
  plan.stage(a.weight).contiguous().cast_to(a.result);
  auto classes = plan.stage(a.target).contiguous();
  if (!on_950()) classes.cast_to(ACL_INT32);
  plan.stage(a.total_weight).contiguous().cast_to(a.result);
  plan.result(a.result, self.shape()).cast_to(a.out.dtype()).copy_to(a.out);
  launch_zero(plan, a.out);
  auto kernel = std::make_shared<Kernel>();
  kernel->out = input<float>(plan, a.out);
  kernel->target = input<std::int64_t>(plan, a.target);
  kernel->grad = input<float>(plan, a.grad);
  kernel->weight = input<float>(plan, a.weight);
  kernel->total_weight = input<float>(plan, a.total_weight);
  kernel->store = storer_via(a.result, a.out.dtype());
  kernel->classes = a.out.shape()[axis];
  kernel->class_stride = kernel->out.view.strides[axis];
  kernel->ignore_index = a.ignore_index;
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

}  // namespace pyaclnn::sim
