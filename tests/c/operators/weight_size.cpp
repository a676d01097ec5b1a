// The size of weights that are laid out in blocks.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <vector>

#include "aclnnop/aclnn_npu_format_cast.h"
#include "aclnnop/aclnn_trans_matmul_weight.h"
#include "check.hpp"

namespace {

uint64_t size_of(const std::vector<int64_t>& dims, aclDataType dtype) {
  aclIntArray* shape = aclCreateIntArray(dims.data(), dims.size());
  uint64_t size = 0;
  EXPECT_OK(aclnnCalculateMatmulWeightSizeV2(shape, dtype, &size));
  EXPECT_OK(aclDestroyIntArray(shape));
  return size;
}

int refusal(const std::vector<int64_t>& dims) {
  aclIntArray* shape = aclCreateIntArray(dims.data(), dims.size());
  uint64_t size = 0;
  int code = aclnnCalculateMatmulWeightSizeV2(shape, ACL_INT8, &size);
  EXPECT_OK(aclDestroyIntArray(shape));
  return code;
}

}  // namespace

CASE(the_last_two_dimensions_are_filled_up) {
  EXPECT_EQ(size_of({16, 16}, ACL_FLOAT16), 256u);
  EXPECT_EQ(size_of({17, 1}, ACL_BF16), 32u * 16u);
  EXPECT_EQ(size_of({17, 33}, ACL_INT8), 32u * 64u);
  EXPECT_EQ(size_of({3, 5, 17, 1}, ACL_FLOAT16), 15u * 32u * 16u);
}

CASE(half_precision_has_a_function_of_its_own) {
  int64_t dims[] = {2, 20, 20, 20};
  uint64_t size = 0;
  aclIntArray* shape = aclCreateIntArray(dims, 3);
  EXPECT_OK(aclnnCalculateMatmulWeightSize(shape, &size));
  EXPECT_EQ(size, 2u * 32u * 32u);
  EXPECT_OK(aclDestroyIntArray(shape));
  shape = aclCreateIntArray(dims, 4);
  EXPECT_OK(aclnnCalculateMatmulWeightSize(shape, &size));
  EXPECT_EQ(size, 40u * 32u * 32u);
  EXPECT_OK(aclDestroyIntArray(shape));
  int64_t many[] = {1, 1, 1, 1, 1, 1, 1};
  shape = aclCreateIntArray(many, 7);
  EXPECT_EQ(aclnnCalculateMatmulWeightSize(shape, &size), 161002);
  EXPECT_OK(aclDestroyIntArray(shape));
}

CASE(a_cast_tells_the_shape_of_its_result) {
  int64_t dims[] = {3, 40, 70};
  aclTensor* tensor =
      aclCreateTensor(dims, 3, ACL_INT8, nullptr, 0, ACL_FORMAT_ND, dims, 3, nullptr);
  int64_t* shape = nullptr;
  uint64_t rank = 0;
  int format = 0;
  EXPECT_OK(aclnnNpuFormatCastCalculateSizeAndFormat(tensor, ACL_FORMAT_FRACTAL_NZ, -1, &shape,
                                                     &rank, &format));
  EXPECT_EQ(rank, 5u);
  EXPECT_EQ(format, int(ACL_FORMAT_FRACTAL_NZ));
  const int64_t expected[] = {3, 3, 3, 16, 32};
  for (uint64_t i = 0; i < rank && i < 5; ++i) EXPECT_EQ(shape[i], expected[i]);
  delete[] shape;
  EXPECT_EQ(aclnnNpuFormatCastCalculateSizeAndFormat(tensor, ACL_FORMAT_NC1HWC0, -1, &shape, &rank,
                                                     &format),
            361001);
  EXPECT_EQ(
      aclnnNpuFormatCastCalculateSizeAndFormat(nullptr, ACL_FORMAT_ND, -1, &shape, &rank, &format),
      161002);
  EXPECT_OK(aclDestroyTensor(tensor));
}

CASE(shapes_are_checked) {
  uint64_t size = 0;
  EXPECT_EQ(refusal({4}), 161002);
  EXPECT_EQ(refusal({1, 1, 1, 1, 1, 1, 1}), 161002);
  EXPECT_EQ(refusal({4, 0}), 161002);
  EXPECT_MESSAGE("is 0");
  EXPECT_EQ(aclnnCalculateMatmulWeightSizeV2(nullptr, ACL_INT8, &size), 161001);
  aclIntArray* shape = aclCreateIntArray(nullptr, 0);
  EXPECT_EQ(aclnnCalculateMatmulWeightSizeV2(shape, ACL_INT8, nullptr), 161001);
  EXPECT_EQ(aclnnCalculateMatmulWeightSize(nullptr, &size), 161001);
  EXPECT_OK(aclDestroyIntArray(shape));
}
