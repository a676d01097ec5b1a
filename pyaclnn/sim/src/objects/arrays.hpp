// aclIntArray, aclFloatArray, aclBoolArray, aclTensorList, aclScalarList.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/export.hpp"

namespace pyaclnn::sim {

template <class T>
class HandleTable;

/// Values of one type, copied at creation.
template <class T>
struct Array {
  std::vector<T> values;
};

using IntArray = Array<std::int64_t>;
using FloatArray = Array<float>;
using BoolArray = Array<std::uint8_t>;

/// Handles of tensors or scalars; entries may be null. Destroying the list destroys them.
struct HandleList {
  std::vector<const void*> handles;
};

struct TensorList : HandleList {};
struct ScalarList : HandleList {};

SIM_API HandleTable<IntArray>& int_arrays();
SIM_API HandleTable<FloatArray>& float_arrays();
SIM_API HandleTable<BoolArray>& bool_arrays();
SIM_API HandleTable<TensorList>& tensor_lists();
SIM_API HandleTable<ScalarList>& scalar_lists();

}  // namespace pyaclnn::sim
