// SPDX-License-Identifier: MIT
#include <memory>
#include <vector>

#include "nnopbase/arguments.hpp"
#include "objects/arrays.hpp"

namespace pyaclnn::sim {
namespace {

/// Null values or no values make an empty array, not an error.
template <class Stored, class Given>
void* make(HandleTable<Array<Stored>>& table, const Given* values, uint64_t size) {
  auto array = std::make_shared<Array<Stored>>();
  if (values != nullptr && size != 0) array->values.assign(values, values + size);
  return table.insert(std::move(array));
}

template <class T>
aclnnStatus get_size(const char* function, HandleTable<T>& table, const void* array,
                     uint64_t* size) {
  return entry(function, [&] {
    require(array != nullptr, "array");
    require(size != nullptr, "size");
    *size = table.get(array, ACLNN_ERR_PARAM_INVALID)->values.size();
    return ACLNN_SUCCESS;
  });
}

}  // namespace
}  // namespace pyaclnn::sim

using namespace pyaclnn::sim;

extern "C" {

aclIntArray* aclCreateIntArray(const int64_t* value, uint64_t size) {
  return entry_or_null("aclCreateIntArray",
                       [&] { return static_cast<aclIntArray*>(make(int_arrays(), value, size)); });
}

aclFloatArray* aclCreateFloatArray(const float* value, uint64_t size) {
  return entry_or_null("aclCreateFloatArray", [&] {
    return static_cast<aclFloatArray*>(make(float_arrays(), value, size));
  });
}

aclBoolArray* aclCreateBoolArray(const bool* value, uint64_t size) {
  return entry_or_null("aclCreateBoolArray", [&] {
    return static_cast<aclBoolArray*>(make(bool_arrays(), value, size));
  });
}

aclnnStatus aclDestroyIntArray(const aclIntArray* array) {
  return destroy("aclDestroyIntArray", int_arrays(), array);
}

aclnnStatus aclDestroyFloatArray(const aclFloatArray* array) {
  return destroy("aclDestroyFloatArray", float_arrays(), array);
}

aclnnStatus aclDestroyBoolArray(const aclBoolArray* array) {
  return destroy("aclDestroyBoolArray", bool_arrays(), array);
}

aclnnStatus aclGetIntArraySize(const aclIntArray* array, uint64_t* size) {
  return get_size("aclGetIntArraySize", int_arrays(), array, size);
}

aclnnStatus aclGetFloatArraySize(const aclFloatArray* array, uint64_t* size) {
  return get_size("aclGetFloatArraySize", float_arrays(), array, size);
}

aclnnStatus aclGetBoolArraySize(const aclBoolArray* array, uint64_t* size) {
  return get_size("aclGetBoolArraySize", bool_arrays(), array, size);
}

}  // extern "C"
