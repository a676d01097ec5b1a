// SPDX-License-Identifier: MIT
#include <memory>

#include "opapi/activation/activation.hpp"
#include "opapi/common/channel_views.hpp"
#include "opapi/common/elementwise_sum.hpp"
#include "opapi/common/elementwise_views.hpp"
#include "opapi/common/vecmath.hpp"
#include "parameters/PreluBackward.hpp"

namespace pyaclnn::sim {
namespace {

/// out = sum of grad * x where x is not positive.
void launch_weight_sum(Plan& plan, const View& out, const View& grad, const View& x) {
  const auto function = [](float g, float v) { return vec::select(v > 0.0f, 0.0f, g * v); };
  ElementwiseKernel kernel;
  kernel.views = {out, grad, x};
  kernel.store = storer<float>(out.dtype, Rounding::kNearestEven);
  kernel.loads = {loader<float>(grad.dtype), loader<float>(x.dtype)};
  kernel.compute_size = sizeof(float);
  kernel.compute_dtype = ACL_FLOAT;
  kernel.block = detail::block_fn<float, decltype(function)>(std::make_index_sequence<2>());
  kernel.function = std::make_shared<const decltype(function)>(function);
  launch_elementwise_sum(plan, std::move(kernel), x.shape);
}

}  // namespace

void check_prelu_weight(const Check& check, const TensorArgument& self,
                        const TensorArgument& weight, const TensorArgument& grad_weight) {
  if (weight.elements() == 1) return check.same_shape(weight, grad_weight);
  check.that(self.rank() > 0, "self has no channels; weight must have one element");
  const std::int64_t channels = self.rank() > 1 ? self.shape()[1] : 1;
  check.that(weight.elements() == channels,
             "weight has %lld elements, it must have 1 or %lld, the channels of self",
             static_cast<long long>(weight.elements()), static_cast<long long>(channels));
  check.shape_is(grad_weight, Dims{channels}, "the channels of self");
}

/// grad_input = self > 0 ? grad : grad * weight;
/// grad_weight = sum of grad * self where self is not positive, over all or for each channel.
void prelu_gradient(const Check&, Plan& plan, const PreluBackwardParameters& given) {
  plan.stage(given.gradOutput).contiguous();
  plan.stage(given.self).contiguous();
  plan.stage(given.weight).contiguous();
  plan.reserve(given.self.elements(), ACL_FLOAT);  // what CANN adds up for the weight
  plan.result(given.self.dtype(), given.self.shape()).copy_to(given.gradInput);
  plan.result(given.self.dtype(), given.gradWeight.shape()).copy_to(given.gradWeight);

  const bool single = given.weight.elements() == 1;
  const Dims channels = single ? Dims{} : given.weight.shape();
  View grad = broadcast_view(plan.reads(given.gradOutput), given.self.shape());
  View x = plan.reads(given.self);
  View factor = plan.reads(given.weight);
  View out = plan.writes(given.gradInput);
  View sums = plan.writes(given.gradWeight);
  if (single) {
    factor = single_view(factor);
    sums = single_view(sums);
  } else {
    grad = split_view(grad, channels);
    x = split_view(x, channels);
    out = split_view(out, channels);
    factor = channel_view(factor, given.self.rank(), channels);
    sums = channel_view(sums, given.self.rank(), channels);
  }
  // Sums first: grad_input may be the memory of an input.
  launch_weight_sum(plan, sums, grad, x);
  elementwise_views<float>(
      plan, out, [](float g, float v, float w) { return vec::select(v > 0.0f, g, g * w); }, grad, x,
      factor);
}

}  // namespace pyaclnn::sim
