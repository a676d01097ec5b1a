// SPDX-License-Identifier: MIT
#include <memory>

#include "aclnnop/aclnn_prelu_backward.h"
#include "opapi/activation/activation.hpp"
#include "opapi/activation/channel_views.hpp"
#include "opapi/common/elementwise_sum.hpp"
#include "opapi/common/elementwise_views.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/common/vecmath.hpp"

using namespace pyaclnn::sim;

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

// gradInput = self > 0 ? gradOutput : gradOutput * weight;
// gradWeight = sum of gradOutput * self where self is not positive, over all or for each channel.
OPERATOR(PreluBackward, (In, gradOutput), (In, self), (In, weight), (Out, gradInput),
         (Out, gradWeight)) {
  check.not_null(gradOutput, self, weight, gradInput, gradWeight);
  check.dtype_in(activation_dtypes(), self);
  check.same_dtype(self, gradOutput, weight, gradInput, gradWeight);
  check.rank_at_most(8, gradOutput, self, weight, gradInput, gradWeight);
  check.same_shape(self, gradInput);
  const bool single = weight.elements() == 1;
  if (single) {
    check.same_shape(weight, gradWeight);
  } else {
    check.that(self.rank() > 0, "self has no channels; weight must have one element");
    const std::int64_t channels = self.rank() > 1 ? self.shape()[1] : 1;
    check.that(weight.elements() == channels,
               "weight has %lld elements, it must have 1 or %lld, the channels of self",
               static_cast<long long>(weight.elements()), static_cast<long long>(channels));
    check.shape_is(gradWeight, Dims{channels}, "the channels of self");
  }
  const Dims shape = check.broadcast(self, gradOutput);
  check.that(shape == self.shape(), "gradOutput of shape %s does not broadcast to self's %s",
             gradOutput.shape().text().c_str(), self.shape().text().c_str());
  if (gradOutput.is_empty() || self.is_empty() || weight.is_empty()) return;

  plan.stage(gradOutput).contiguous();
  plan.stage(self).contiguous();
  plan.stage(weight).contiguous();
  plan.reserve(self.elements(), ACL_FLOAT);  // what CANN adds up for the weight
  plan.result(self.dtype(), self.shape()).copy_to(gradInput);
  plan.result(self.dtype(), gradWeight.shape()).copy_to(gradWeight);

  const Dims channels = single ? Dims{} : weight.shape();
  View grad = broadcast_view(plan.reads(gradOutput), self.shape());
  View x = plan.reads(self);
  View factor = plan.reads(weight);
  View out = plan.writes(gradInput);
  View sums = plan.writes(gradWeight);
  if (single) {
    factor = single_view(factor);
    sums = single_view(sums);
  } else {
    grad = split_view(grad, channels);
    x = split_view(x, channels);
    out = split_view(out, channels);
    factor = channel_view(factor, self.rank(), channels);
    sums = channel_view(sums, self.rank(), channels);
  }
  // Sums first: gradInput may be the memory of an input.
  launch_weight_sum(plan, sums, grad, x);
  elementwise_views<float>(
      plan, out, [](float g, float v, float w) { return vec::select(v > 0.0f, g, g * w); }, grad, x,
      factor);
}
