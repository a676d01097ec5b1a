// Scalars, arrays and lists: creation, sizes, ownership; right and wrong use.
// SPDX-License-Identifier: MIT
#include "aclnn/acl_meta.h"
#include "check.hpp"

namespace {

constexpr int kNull = 161001;
constexpr int kInvalid = 161002;

aclTensor* tensor() {
  return aclCreateTensor(nullptr, 0, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, nullptr, 0, nullptr);
}

aclScalar* scalar() {
  float one = 1;
  return aclCreateScalar(&one, ACL_FLOAT);
}

}  // namespace

CASE(scalars_exist_of_every_type_with_values) {
  alignas(16) char value[16] = {};
  const aclDataType accepted[] = {ACL_FLOAT,  ACL_FLOAT16,   ACL_BF16,      ACL_INT8,
                                  ACL_INT16,  ACL_INT32,     ACL_INT64,     ACL_UINT8,
                                  ACL_UINT16, ACL_UINT32,    ACL_UINT64,    ACL_BOOL,
                                  ACL_DOUBLE, ACL_COMPLEX64, ACL_COMPLEX128};
  for (aclDataType dtype : accepted) {
    aclScalar* made = aclCreateScalar(value, dtype);
    EXPECT(made != nullptr);
    EXPECT_OK(aclDestroyScalar(made));
  }
}

CASE(scalars_do_not_exist_of_types_without) {
  alignas(16) char value[16] = {};
  for (aclDataType dtype : {ACL_STRING, ACL_INT4, ACL_COMPLEX32, ACL_DT_UNDEFINED}) {
    EXPECT(aclCreateScalar(value, dtype) == nullptr);
    EXPECT_MESSAGE("no scalars");
  }
  EXPECT(aclCreateScalar(nullptr, ACL_FLOAT) == nullptr);
  EXPECT_EQ(pyaclnnSimCount("scalar"), 0u);
}

CASE(a_scalar_destroyed_twice_is_reported) {
  aclScalar* made = scalar();
  EXPECT_OK(aclDestroyScalar(made));
  EXPECT_EQ(aclDestroyScalar(made), kInvalid);
  EXPECT_MESSAGE("destroyed already");
  EXPECT_OK(aclDestroyScalar(nullptr));
}

CASE(arrays_tell_their_size) {
  const int64_t ints[] = {1, 2, 3};
  const float floats[] = {1, 2};
  const bool bools[] = {true};
  uint64_t size = 0;
  aclIntArray* int_array = aclCreateIntArray(ints, 3);
  EXPECT_OK(aclGetIntArraySize(int_array, &size));
  EXPECT_EQ(size, 3u);
  aclFloatArray* float_array = aclCreateFloatArray(floats, 2);
  EXPECT_OK(aclGetFloatArraySize(float_array, &size));
  EXPECT_EQ(size, 2u);
  aclBoolArray* bool_array = aclCreateBoolArray(bools, 1);
  EXPECT_OK(aclGetBoolArraySize(bool_array, &size));
  EXPECT_EQ(size, 1u);
  EXPECT_OK(aclDestroyIntArray(int_array));
  EXPECT_OK(aclDestroyFloatArray(float_array));
  EXPECT_OK(aclDestroyBoolArray(bool_array));
  EXPECT_EQ(pyaclnnSimCount("total"), 0u);
}

CASE(arrays_of_nothing_are_empty_not_null) {
  uint64_t size = 9;
  aclIntArray* ints = aclCreateIntArray(nullptr, 3);
  EXPECT_OK(aclGetIntArraySize(ints, &size));
  EXPECT_EQ(size, 0u);
  aclFloatArray* floats = aclCreateFloatArray(nullptr, 0);
  EXPECT(floats != nullptr);
  aclBoolArray* bools = aclCreateBoolArray(nullptr, 0);
  EXPECT(bools != nullptr);
  EXPECT_OK(aclDestroyIntArray(ints));
  EXPECT_OK(aclDestroyFloatArray(floats));
  EXPECT_OK(aclDestroyBoolArray(bools));
}

CASE(array_functions_refuse_null_and_strangers) {
  uint64_t size = 0;
  EXPECT_EQ(aclGetIntArraySize(nullptr, &size), kNull);
  EXPECT_EQ(aclGetFloatArraySize(nullptr, &size), kNull);
  EXPECT_EQ(aclGetBoolArraySize(nullptr, &size), kNull);
  aclIntArray* ints = aclCreateIntArray(nullptr, 0);
  aclFloatArray* floats = aclCreateFloatArray(nullptr, 0);
  aclBoolArray* bools = aclCreateBoolArray(nullptr, 0);
  EXPECT_EQ(aclGetIntArraySize(ints, nullptr), kNull);
  EXPECT_EQ(aclGetFloatArraySize(floats, nullptr), kNull);
  EXPECT_EQ(aclGetBoolArraySize(bools, nullptr), kNull);
  EXPECT_EQ(aclGetIntArraySize(reinterpret_cast<aclIntArray*>(floats), &size), kInvalid);
  EXPECT_MESSAGE("aclFloatArray");
  EXPECT_OK(aclDestroyIntArray(ints));
  EXPECT_OK(aclDestroyFloatArray(floats));
  EXPECT_OK(aclDestroyBoolArray(bools));
  EXPECT_EQ(aclDestroyIntArray(ints), kInvalid);
  EXPECT_EQ(aclDestroyFloatArray(floats), kInvalid);
  EXPECT_EQ(aclDestroyBoolArray(bools), kInvalid);
  EXPECT_OK(aclDestroyIntArray(nullptr));
  EXPECT_OK(aclDestroyFloatArray(nullptr));
  EXPECT_OK(aclDestroyBoolArray(nullptr));
}

CASE(a_list_destroys_its_elements) {
  const aclTensor* tensors[] = {tensor(), nullptr, tensor()};
  aclTensorList* tensor_list = aclCreateTensorList(tensors, 3);
  const aclScalar* scalars[] = {scalar(), scalar()};
  aclScalarList* scalar_list = aclCreateScalarList(scalars, 2);
  uint64_t size = 0;
  EXPECT_OK(aclGetTensorListSize(tensor_list, &size));
  EXPECT_EQ(size, 3u);
  EXPECT_OK(aclGetScalarListSize(scalar_list, &size));
  EXPECT_EQ(size, 2u);
  EXPECT_EQ(pyaclnnSimCount("total"), 6u);
  EXPECT_OK(aclDestroyTensorList(tensor_list));
  EXPECT_OK(aclDestroyScalarList(scalar_list));
  EXPECT_EQ(pyaclnnSimCount("total"), 0u);
}

CASE(an_element_destroyed_before_its_list_is_reported) {
  const aclTensor* tensors[] = {tensor(), tensor()};
  aclTensorList* list = aclCreateTensorList(tensors, 2);
  EXPECT_OK(aclDestroyTensor(tensors[0]));
  EXPECT_EQ(aclDestroyTensorList(list), kInvalid);
  EXPECT_MESSAGE("a list owns its elements");
  EXPECT_EQ(pyaclnnSimCount("total"), 0u);
}

CASE(lists_of_nothing_are_empty_not_null) {
  uint64_t size = 9;
  aclTensorList* tensors = aclCreateTensorList(nullptr, 4);
  EXPECT_OK(aclGetTensorListSize(tensors, &size));
  EXPECT_EQ(size, 0u);
  aclScalarList* scalars = aclCreateScalarList(nullptr, 0);
  EXPECT_OK(aclGetScalarListSize(scalars, &size));
  EXPECT_EQ(size, 0u);
  EXPECT_OK(aclDestroyTensorList(tensors));
  EXPECT_OK(aclDestroyScalarList(scalars));
}

CASE(list_functions_refuse_null_and_strangers) {
  uint64_t size = 0;
  EXPECT_EQ(aclGetTensorListSize(nullptr, &size), kNull);
  EXPECT_EQ(aclGetScalarListSize(nullptr, &size), kNull);
  aclTensorList* tensors = aclCreateTensorList(nullptr, 0);
  aclScalarList* scalars = aclCreateScalarList(nullptr, 0);
  EXPECT_EQ(aclGetTensorListSize(tensors, nullptr), kNull);
  EXPECT_EQ(aclGetScalarListSize(scalars, nullptr), kNull);
  EXPECT_EQ(aclGetTensorListSize(reinterpret_cast<aclTensorList*>(scalars), &size), kInvalid);
  EXPECT_OK(aclDestroyTensorList(tensors));
  EXPECT_OK(aclDestroyScalarList(scalars));
  EXPECT_EQ(aclDestroyTensorList(tensors), kInvalid);
  EXPECT_EQ(aclDestroyScalarList(scalars), kInvalid);
  EXPECT_OK(aclDestroyTensorList(nullptr));
  EXPECT_OK(aclDestroyScalarList(nullptr));
}

CASE(creation_can_be_told_to_fail) {
  EXPECT_OK(pyaclnnSimSetFault("aclCreateTensor:2:561000,aclCreateIntArray:1:561000"));
  aclTensor* first = tensor();
  EXPECT(first != nullptr);
  EXPECT(tensor() == nullptr);
  EXPECT(aclCreateIntArray(nullptr, 0) == nullptr);
  EXPECT_OK(pyaclnnSimSetFault(nullptr));
  EXPECT_OK(aclDestroyTensor(first));
  EXPECT_EQ(pyaclnnSimCount("total"), 0u);
}
