// SPDX-License-Identifier: MIT
#include "opapi/foreach/foreach.hpp"

#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "opapi/copy/cast.hpp"
#include "opapi/pointwise/list.hpp"

namespace pyaclnn::sim {
namespace {

/// One element of a view, the i-th in row-major order, without dimensions.
View element_of(View view, std::int64_t i) {
  for (std::size_t k = view.shape.size(); k-- > 0;) {
    const std::int64_t extent = view.shape[k];
    view.offset += i % extent * view.strides[k];
    i /= extent;
  }
  view.shape = Dims{};
  view.strides = Dims{};
  return view;
}

void launch(Plan& plan, const PointwiseFormula& formula, aclDataType compute, const View& out,
            const std::vector<View>& inputs, const std::vector<Number>& numbers) {
  switch (numbers.size()) {
    case 0:
      return launch_pointwise(plan, formula, compute, out.dtype, out, inputs, {});
    case 1:
      return launch_pointwise(plan, formula, compute, out.dtype, out, inputs, {numbers[0]});
    case 2:
      return launch_pointwise(plan, formula, compute, out.dtype, out, inputs,
                              {numbers[0], numbers[1]});
    default:
      fail(ACLNN_ERR_INNER, "%s: %s has too many numbers", plan.api(), formula.name);
  }
}

}  // namespace

void foreach_pointwise(Plan& plan, const PointwiseFormula& formula, aclDataType compute,
                       const TensorListIn& out, Lists lists,
                       std::initializer_list<const TensorArgument*> shared,
                       std::initializer_list<Numbers> numbers) {
  for (const TensorArgument* tensor : shared) plan.stage(*tensor).contiguous();
  std::vector<View> inputs;
  std::vector<Number> values;
  PointwiseList small(formula, compute);
  const TensorListIn& first = lists.size() > 0 ? **lists.begin() : out;
  for (std::size_t i = 0; i < first.tensors.size(); ++i) {
    const TensorArgument& result = out.tensors[i];
    inputs.clear();
    values.clear();
    for (const TensorListIn* list : lists) {
      plan.stage(list->tensors[i]).contiguous();
      inputs.push_back(plan.reads(list->tensors[i]));
    }
    plan.result(result.dtype(), result.shape()).copy_to(result);
    const View written = plan.writes(result);
    if (result.is_empty()) continue;
    for (const TensorArgument* tensor : shared)
      inputs.push_back(
          element_of(plan.reads(*tensor), tensor->elements() == 1 ? 0 : std::int64_t(i)));
    for (const Numbers& each : numbers) values.push_back(each[i]);
    if (!small.add(plan, written, inputs, values))
      launch(plan, formula, compute, written, inputs, values);
  }
  small.launch(plan);
}

void foreach_copy(Plan& plan, const TensorListIn& list, const TensorListIn& out) {
  for (std::size_t i = 0; i < out.tensors.size(); ++i) {
    plan.stage(list.tensors[i]).contiguous();
    plan.result(out.tensors[i].dtype(), out.tensors[i].shape()).copy_to(out.tensors[i]);
    const View from = plan.reads(list.tensors[i]);
    const View to = plan.writes(out.tensors[i]);
    if (!out.tensors[i].is_empty()) launch_cast(plan, to, from);
  }
}

}  // namespace pyaclnn::sim
