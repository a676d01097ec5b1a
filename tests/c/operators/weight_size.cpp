// The size of weights that are laid out in blocks.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <vector>

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
  EXPECT_EQ(aclnnCalculateMatmulWeightSize(shape, &size), 161002);
  EXPECT_OK(aclDestroyIntArray(shape));
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
