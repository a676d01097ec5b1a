// Element-wise formulas over lists of tensors.
// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>

#include "opapi/foreach/lists.hpp"
#include "opapi/pointwise/pointwise.hpp"

namespace pyaclnn::sim {

/// A number of the host for each tensor: the same for all, or one of a list.
class Numbers {
 public:
  explicit Numbers(const ScalarIn& scalar) : same_(scalar), each_(nullptr) {}
  explicit Numbers(double number) : same_(number), each_(nullptr) {}
  explicit Numbers(const ScalarListIn& scalars) : same_(0.0), each_(&scalars) {}

  Number operator[](std::size_t i) const {
    return each_ == nullptr ? same_ : Number(each_->scalars[i]);
  }

 private:
  Number same_;
  const ScalarListIn* each_;
};

/// Plans out[i] = formula(lists[0][i], ..., shared..., numbers[0][i], ...). Of a shared tensor all
/// use the one element, or each its own. Numbers are rounded to `compute`, results to the type of
/// their outputs. Adds what CANN needs as workspace to make views contiguous.
void foreach_pointwise(Plan& plan, const PointwiseFormula& formula, aclDataType compute,
                       const TensorListIn& out, Lists lists,
                       std::initializer_list<const TensorArgument*> shared,
                       std::initializer_list<Numbers> numbers);

/// Plans out[i] = list[i], of one type.
void foreach_copy(Plan& plan, const TensorListIn& list, const TensorListIn& out);

}  // namespace pyaclnn::sim
