// SPDX-License-Identifier: MIT
#include "opapi/copy/contiguous.hpp"

#include "opapi/copy/cast.hpp"

namespace pyaclnn::sim {

View contiguous_view(Plan& plan, const TensorArgument& tensor) {
  plan.stage(tensor).contiguous();
  const View view = plan.reads(tensor);
  if (tensor.meta().is_contiguous() || tensor.is_empty()) return view;
  const View copy = plan.writes(plan.scratch(tensor.name(), view.dtype, view.shape));
  launch_cast(plan, copy, view);
  return copy;
}

}  // namespace pyaclnn::sim
