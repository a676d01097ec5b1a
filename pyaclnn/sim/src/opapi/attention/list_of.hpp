// A tensor where another version of an operator takes a list.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/arguments.hpp"

namespace pyaclnn::sim {

inline TensorListIn list_of(const TensorArgument& tensor) {
  TensorListIn list{Absent()};
  list.is_given = tensor.given();
  list.list_name = tensor.given() ? tensor.name() : "";
  if (tensor.given()) list.tensors.emplace_back(tensor.name(), tensor.index(), &tensor.meta());
  return list;
}

}  // namespace pyaclnn::sim
