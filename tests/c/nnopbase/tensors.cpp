// aclTensor: creation, every getter, re-initialisation, addresses; right and wrong use.
// SPDX-License-Identifier: MIT
#include "aclnn/acl_meta.h"
#include "check.hpp"

namespace {

constexpr int kNull = 161001;
constexpr int kInvalid = 161002;

char storage[256];  // never read: only its address is kept

aclTensor* matrix() {
  const int64_t shape[] = {2, 3};
  return aclCreateTensor(shape, 2, ACL_FLOAT, nullptr, 5, ACL_FORMAT_NCHW, shape, 2, storage);
}

/// The dimensions a getter gives, as text.
template <class Getter>
std::string dims(Getter getter, const aclTensor* tensor) {
  int64_t* values = nullptr;
  uint64_t count = 0;
  EXPECT_OK(getter(tensor, &values, &count));
  EXPECT(values != nullptr);
  std::string text;
  for (uint64_t i = 0; i < count; ++i) text += std::to_string(values[i]) + " ";
  delete[] values;
  return text;
}

}  // namespace

CASE(a_tensor_tells_what_it_was_made_of) {
  const int64_t shape[] = {2, 3};
  const int64_t strides[] = {8, 2};
  const int64_t stored[] = {40};
  aclTensor* tensor =
      aclCreateTensor(shape, 2, ACL_BF16, strides, 4, ACL_FORMAT_NHWC, stored, 1, storage);
  EXPECT(tensor != nullptr);
  EXPECT_EQ(dims(aclGetViewShape, tensor), "2 3 ");
  EXPECT_EQ(dims(aclGetViewStrides, tensor), "8 2 ");
  EXPECT_EQ(dims(aclGetStorageShape, tensor), "40 ");
  int64_t offset = 0;
  EXPECT_OK(aclGetViewOffset(tensor, &offset));
  EXPECT_EQ(offset, 4);
  aclDataType dtype = ACL_FLOAT;
  EXPECT_OK(aclGetDataType(tensor, &dtype));
  EXPECT_EQ(dtype, ACL_BF16);
  aclFormat format = ACL_FORMAT_ND;
  EXPECT_OK(aclGetFormat(tensor, &format));
  EXPECT_EQ(format, ACL_FORMAT_NHWC);
  void* address = nullptr;
  EXPECT_OK(aclGetRawTensorAddr(tensor, &address));
  EXPECT(address == storage);
  EXPECT_OK(aclDestroyTensor(tensor));
  EXPECT_EQ(pyaclnnSimCount("tensor"), 0u);
}

CASE(without_strides_a_tensor_is_row_major) {
  aclTensor* tensor = matrix();
  EXPECT_EQ(dims(aclGetViewStrides, tensor), "3 1 ");
  EXPECT_OK(aclDestroyTensor(tensor));
}

CASE(a_tensor_without_dimensions_is_legal) {
  aclTensor* tensor =
      aclCreateTensor(nullptr, 0, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, nullptr, 0, nullptr);
  EXPECT(tensor != nullptr);
  EXPECT_EQ(dims(aclGetViewShape, tensor), "");
  EXPECT_OK(aclDestroyTensor(tensor));
}

CASE(values_are_not_judged_at_creation) {
  const int64_t shape[] = {-4, 0};
  const int64_t strides[] = {-1, 0};
  aclTensor* tensor = aclCreateTensor(shape, 2, static_cast<aclDataType>(63), strides, -9,
                                      ACL_FORMAT_ND, shape, 2, nullptr);
  EXPECT(tensor != nullptr);
  EXPECT_EQ(dims(aclGetViewShape, tensor), "-4 0 ");
  EXPECT_OK(aclDestroyTensor(tensor));
}

CASE(dimensions_behind_the_twenty_fifth_are_lost) {
  int64_t shape[30];
  for (int64_t& extent : shape) extent = 2;
  aclTensor* tensor =
      aclCreateTensor(shape, 30, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 1, storage);
  int64_t* values = nullptr;
  uint64_t count = 0;
  EXPECT_OK(aclGetViewShape(tensor, &values, &count));
  EXPECT_EQ(count, 30u);
  EXPECT_EQ(values[24], 2);
  delete[] values;
  EXPECT_OK(aclDestroyTensor(tensor));
}

CASE(missing_dimensions_make_no_tensor) {
  const int64_t shape[] = {2};
  EXPECT(aclCreateTensor(nullptr, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 1, storage) ==
         nullptr);
  EXPECT_MESSAGE("viewDims is null");
  EXPECT(aclCreateTensor(shape, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, nullptr, 1, storage) ==
         nullptr);
  EXPECT_MESSAGE("storageDims is null");
  EXPECT_EQ(pyaclnnSimCount("tensor"), 0u);
}

CASE(getters_refuse_null) {
  aclTensor* tensor = matrix();
  int64_t* values = nullptr;
  uint64_t count = 0;
  EXPECT_EQ(aclGetViewShape(nullptr, &values, &count), kNull);
  EXPECT_EQ(aclGetViewShape(tensor, nullptr, &count), kNull);
  EXPECT_EQ(aclGetViewShape(tensor, &values, nullptr), kNull);
  EXPECT_EQ(aclGetViewStrides(nullptr, &values, &count), kNull);
  EXPECT_EQ(aclGetViewStrides(tensor, nullptr, &count), kNull);
  EXPECT_EQ(aclGetViewStrides(tensor, &values, nullptr), kNull);
  EXPECT_EQ(aclGetStorageShape(nullptr, &values, &count), kNull);
  EXPECT_EQ(aclGetStorageShape(tensor, nullptr, &count), kNull);
  EXPECT_EQ(aclGetStorageShape(tensor, &values, nullptr), kNull);
  int64_t offset = 0;
  EXPECT_EQ(aclGetViewOffset(nullptr, &offset), kNull);
  EXPECT_EQ(aclGetViewOffset(tensor, nullptr), kNull);
  aclFormat format = ACL_FORMAT_ND;
  EXPECT_EQ(aclGetFormat(nullptr, &format), kNull);
  EXPECT_EQ(aclGetFormat(tensor, nullptr), kNull);
  aclDataType dtype = ACL_FLOAT;
  EXPECT_EQ(aclGetDataType(nullptr, &dtype), kNull);
  EXPECT_EQ(aclGetDataType(tensor, nullptr), kNull);
  void* address = nullptr;
  EXPECT_EQ(aclGetRawTensorAddr(nullptr, &address), kNull);
  EXPECT_EQ(aclGetRawTensorAddr(tensor, nullptr), kNull);
  EXPECT_EQ(aclSetRawTensorAddr(nullptr, storage), kNull);
  EXPECT_OK(aclDestroyTensor(tensor));
}

CASE(initialising_again_replaces_what_is_given) {
  aclTensor* tensor = matrix();
  const int64_t shape[] = {6};
  EXPECT_OK(
      aclInitTensor(tensor, shape, 1, ACL_INT8, nullptr, 7, ACL_FORMAT_ND, shape, 1, storage + 32));
  EXPECT_EQ(dims(aclGetViewShape, tensor), "6 ");
  EXPECT_EQ(dims(aclGetViewStrides, tensor), "1 ");
  EXPECT_EQ(dims(aclGetStorageShape, tensor), "6 ");
  void* address = nullptr;
  EXPECT_OK(aclGetRawTensorAddr(tensor, &address));
  EXPECT(address == storage + 32);
  EXPECT_OK(aclDestroyTensor(tensor));
}

CASE(initialising_with_nulls_keeps_dimensions_and_address) {
  aclTensor* tensor = matrix();
  EXPECT_OK(
      aclInitTensor(tensor, nullptr, 0, ACL_INT32, nullptr, 1, ACL_FORMAT_ND, nullptr, 0, nullptr));
  EXPECT_EQ(dims(aclGetViewShape, tensor), "2 3 ");
  EXPECT_EQ(dims(aclGetStorageShape, tensor), "2 3 ");
  void* address = nullptr;
  EXPECT_OK(aclGetRawTensorAddr(tensor, &address));
  EXPECT(address == storage);
  aclDataType dtype = ACL_FLOAT;
  EXPECT_OK(aclGetDataType(tensor, &dtype));
  EXPECT_EQ(dtype, ACL_INT32);
  EXPECT_EQ(
      aclInitTensor(nullptr, nullptr, 0, ACL_INT32, nullptr, 1, ACL_FORMAT_ND, nullptr, 0, nullptr),
      kNull);
  EXPECT_OK(aclDestroyTensor(tensor));
}

CASE(the_address_can_be_changed) {
  aclTensor* tensor = matrix();
  EXPECT_OK(aclSetRawTensorAddr(tensor, storage + 64));
  void* address = nullptr;
  EXPECT_OK(aclGetRawTensorAddr(tensor, &address));
  EXPECT(address == storage + 64);
  EXPECT_OK(aclDestroyTensor(tensor));
}

CASE(destroying_null_is_no_work) { EXPECT_OK(aclDestroyTensor(nullptr)); }

CASE(destroying_twice_is_reported) {
  aclTensor* tensor = matrix();
  EXPECT_OK(aclDestroyTensor(tensor));
  EXPECT_EQ(aclDestroyTensor(tensor), kInvalid);
  EXPECT_MESSAGE("destroyed already");
  int64_t offset = 0;
  EXPECT_EQ(aclGetViewOffset(tensor, &offset), kInvalid);
}

CASE(a_handle_of_another_kind_is_reported) {
  float one = 1;
  aclScalar* scalar = aclCreateScalar(&one, ACL_FLOAT);
  EXPECT_EQ(aclDestroyTensor(reinterpret_cast<aclTensor*>(scalar)), kInvalid);
  EXPECT_MESSAGE("aclScalar");
  EXPECT_OK(aclDestroyScalar(scalar));
}

CASE(a_made_up_handle_is_reported) {
  int64_t offset = 0;
  EXPECT_EQ(aclGetViewOffset(reinterpret_cast<aclTensor*>(storage), &offset), kInvalid);
  EXPECT_MESSAGE("not a handle");
}

CASE(ten_thousand_tensors_leave_nothing_behind) {
  const uint64_t before = pyaclnnSimCount("total");
  for (int i = 0; i < 10000; ++i) EXPECT_OK(aclDestroyTensor(matrix()));
  EXPECT_EQ(pyaclnnSimCount("total"), before);
}
