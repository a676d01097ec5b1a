// Scales and offsets for results of 8 bits, computed on the host.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "aclnnop/aclnn_trans_quant_param.h"
#include "check.hpp"

namespace {

constexpr uint64_t kScale = uint64_t(1) << 46;

}  // namespace

CASE(one_scale_is_one_number) {
  const float scale = 1.0f;
  uint64_t* params = nullptr;
  uint64_t count = 0;
  EXPECT_OK(aclnnTransQuantParam(&scale, 1, nullptr, 0, &params, &count));
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(params[0], kScale | 0x3F800000u);
  free(params);
}

CASE(offsets_are_integers_of_nine_bits_behind_the_scale) {
  const float scales[] = {2.0f, -0.5f};
  const float offsets[] = {-3.5f, 1000.0f, std::numeric_limits<float>::infinity()};
  uint64_t* params = nullptr;
  uint64_t count = 0;
  EXPECT_OK(aclnnTransQuantParam(scales, 2, offsets, 3, &params, &count));
  EXPECT_EQ(count, 16u);
  EXPECT_EQ(params[0], kScale | uint64_t(512 - 4) << 37 | 0x40000000u);
  EXPECT_EQ(params[1], kScale | uint64_t(255) << 37 | 0xBF000000u);
  EXPECT_EQ(params[2], uint64_t(255) << 37);
  EXPECT_EQ(params[15], 0u);
  free(params);
}

CASE(lengths_and_pointers_are_checked) {
  const float scale = 1.0f;
  uint64_t* params = nullptr;
  uint64_t count = 0;
  EXPECT_EQ(aclnnTransQuantParam(nullptr, 1, nullptr, 0, &params, &count), 161002);
  EXPECT_EQ(aclnnTransQuantParam(&scale, 0, nullptr, 0, &params, &count), 161002);
  EXPECT_EQ(aclnnTransQuantParam(&scale, 1, nullptr, 2, &params, &count), 161002);
  EXPECT_MESSAGE("offsetSize is 2");
  EXPECT_EQ(aclnnTransQuantParam(&scale, 1, &scale, 0, &params, &count), 161002);
  EXPECT_EQ(aclnnTransQuantParam(&scale, 1, nullptr, 0, nullptr, &count), 161001);
  EXPECT_EQ(aclnnTransQuantParam(&scale, 1, nullptr, 0, &params, nullptr), 161001);
}
