// What operators on recurrent networks demand of their lists of tensors.
// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>

#include "opapi/common/check.hpp"
#include "opapi/recurrent/network.hpp"

namespace pyaclnn::sim {

using Lists = std::initializer_list<const TensorListIn*>;

/// More layers than anybody has: products of extents with it fit 64 bits.
constexpr std::int64_t kMostLayers = 1 << 20;

inline void check_each_given(const Check& check, const Lists& lists) {
  for (const TensorListIn* list : lists)
    if (list->given())
      for (const TensorArgument& tensor : list->tensors) check.not_null(tensor);
}

inline void check_each_is(const Check& check, const TensorListIn& list, aclDataType dtype,
                          const Dims& shape) {
  for (const TensorArgument& tensor : list.tensors) {
    check.that(tensor.dtype() == dtype, "%s is of another type than input", tensor.name());
    check.shape_is(tensor, shape, "the network");
  }
}

inline void check_is(const Check& check, const TensorArgument& tensor, aclDataType dtype,
                     const Dims& shape) {
  if (!tensor.given()) return;
  check.that(tensor.dtype() == dtype, "%s is of another type than input", tensor.name());
  check.shape_is(tensor, shape, "the network");
}

/// Weights and biases of each layer and direction have the extents of the network.
inline void check_parameters(const Check& check, const TensorListIn& list, const Network& n,
                             aclDataType dtype) {
  const std::int64_t gates = n.cell->gates * n.hidden;
  const std::int64_t count = n.layers * n.directions * n.group();
  check.that(std::int64_t(list.tensors.size()) == count, "%s has %zu tensors, it must have %lld",
             list.name(), list.tensors.size(), static_cast<long long>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t width = i < n.directions * n.group() ? n.input : n.directions * n.hidden;
    const Dims shapes[] = {Dims{gates, width}, Dims{gates, n.hidden}, Dims{gates}, Dims{gates}};
    check_is(check, list.tensors[std::size_t(i)], dtype, shapes[i % n.group()]);
  }
}

inline std::vector<PackedOperand> read_each(Plan& plan, const TensorListIn& list) {
  std::vector<PackedOperand> result;
  for (const TensorArgument& tensor : list.tensors) result.push_back(reads_packed(plan, tensor));
  return result;
}

inline std::vector<PackedOperand> write_each(Plan& plan, const TensorListIn& list) {
  std::vector<PackedOperand> result;
  for (const TensorArgument& tensor : list.tensors) result.push_back(writes_packed(plan, tensor));
  return result;
}

}  // namespace pyaclnn::sim
