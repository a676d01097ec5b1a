// SPDX-License-Identifier: MIT
#include "objects/arrays.hpp"

#include "core/handle_table.hpp"

namespace pyaclnn::sim {
namespace {

// Tables are never destroyed: programs release objects from static destructors.
template <class T>
HandleTable<T>& table_of(HandleType type) {
  static HandleTable<T>& table = *new HandleTable<T>(type);
  return table;
}

}  // namespace

HandleTable<IntArray>& int_arrays() { return table_of<IntArray>(HandleType::kIntArray); }
HandleTable<FloatArray>& float_arrays() { return table_of<FloatArray>(HandleType::kFloatArray); }
HandleTable<BoolArray>& bool_arrays() { return table_of<BoolArray>(HandleType::kBoolArray); }
HandleTable<TensorList>& tensor_lists() { return table_of<TensorList>(HandleType::kTensorList); }
HandleTable<ScalarList>& scalar_lists() { return table_of<ScalarList>(HandleType::kScalarList); }

}  // namespace pyaclnn::sim
