// Data buffers, element sizes and half-precision conversion.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <limits>

#include "acl/acl_rt.h"
#include "check.hpp"

CASE(a_buffer_remembers_address_and_size) {
  int data[4] = {};
  aclDataBuffer* buffer = aclCreateDataBuffer(data, sizeof data);
  EXPECT_EQ(aclGetDataBufferAddr(buffer), static_cast<void*>(data));
  EXPECT_EQ(aclGetDataBufferSizeV2(buffer), sizeof data);
  EXPECT_OK(aclUpdateDataBuffer(buffer, data + 1, 4));
  EXPECT_EQ(aclGetDataBufferAddr(buffer), static_cast<void*>(data + 1));
  EXPECT_EQ(aclGetDataBufferSizeV2(buffer), 4u);
  EXPECT_EQ(pyaclnnSimCount("data_buffer"), 1u);
  EXPECT_OK(aclDestroyDataBuffer(buffer));
  EXPECT_EQ(pyaclnnSimCount("data_buffer"), 0u);
}

CASE(buffers_are_checked) {
  EXPECT_EQ(aclDestroyDataBuffer(nullptr), 100000);
  EXPECT_EQ(aclUpdateDataBuffer(nullptr, nullptr, 0), 100000);
  EXPECT(aclGetDataBufferAddr(nullptr) == nullptr);
  EXPECT_EQ(aclGetDataBufferSizeV2(nullptr), 0u);
  aclDataBuffer* buffer = aclCreateDataBuffer(nullptr, 7);
  EXPECT_OK(aclDestroyDataBuffer(buffer));
  EXPECT_EQ(aclDestroyDataBuffer(buffer), 100000);
  EXPECT_MESSAGE("aclDataBuffer that was destroyed already");
  EXPECT_EQ(aclGetDataBufferSizeV2(buffer), 0u);
}

CASE(the_deprecated_size_has_32_bits) {
  aclDataBuffer* buffer = aclCreateDataBuffer(nullptr, size_t(5) << 32 | 3);
  EXPECT_EQ(aclGetDataBufferSize(buffer), 3u);
  EXPECT_EQ(aclGetDataBufferSize(nullptr), 0u);
  EXPECT_OK(aclDestroyDataBuffer(buffer));
}

CASE(element_sizes_are_those_of_the_types) {
  EXPECT_EQ(aclDataTypeSize(ACL_DT_UNDEFINED), 0u);
  EXPECT_EQ(aclDataTypeSize(ACL_STRING), 0u);
  for (aclDataType type : {ACL_BOOL, ACL_INT8, ACL_UINT8, ACL_INT4, ACL_UINT1, ACL_HIFLOAT8,
                           ACL_FLOAT8_E5M2, ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E8M0})
    EXPECT_EQ(aclDataTypeSize(type), 1u);
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16, ACL_INT16, ACL_UINT16})
    EXPECT_EQ(aclDataTypeSize(type), 2u);
  for (aclDataType type : {ACL_FLOAT, ACL_INT32, ACL_UINT32, ACL_COMPLEX32})
    EXPECT_EQ(aclDataTypeSize(type), 4u);
  for (aclDataType type : {ACL_DOUBLE, ACL_INT64, ACL_UINT64, ACL_COMPLEX64})
    EXPECT_EQ(aclDataTypeSize(type), 8u);
  EXPECT_EQ(aclDataTypeSize(ACL_COMPLEX128), 16u);
}

CASE(halves_convert_exactly_and_back) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    auto half = aclFloat16(bits);
    float value = aclFloat16ToFloat(half);
    if (std::isnan(value)) {
      EXPECT(std::isnan(aclFloat16ToFloat(aclFloatToFloat16(value))));
      continue;
    }
    EXPECT_EQ(int(aclFloatToFloat16(value)), int(half));
  }
  EXPECT_EQ(aclFloat16ToFloat(0x3C00), 1.0f);
  EXPECT_EQ(aclFloat16ToFloat(0x0001), std::ldexp(1.0f, -24));
  EXPECT_EQ(aclFloat16ToFloat(0x7BFF), 65504.0f);
}

CASE(floats_round_to_the_nearest_half) {
  // Between each two neighbours: below the middle down, above it up, at it to the even one.
  for (uint32_t bits = 0; bits < 0x7BFF; ++bits) {
    float low = aclFloat16ToFloat(aclFloat16(bits));
    float high = aclFloat16ToFloat(aclFloat16(bits + 1));
    float middle = low + (high - low) / 2;
    EXPECT_EQ(int(aclFloatToFloat16(std::nextafter(middle, low))), int(bits));
    EXPECT_EQ(int(aclFloatToFloat16(std::nextafter(middle, high))), int(bits + 1));
    EXPECT_EQ(int(aclFloatToFloat16(middle)), int(bits + (bits & 1)));
    EXPECT_EQ(int(aclFloatToFloat16(-middle)), int((bits + (bits & 1)) | 0x8000));
  }
  EXPECT_EQ(int(aclFloatToFloat16(65519.9f)), 0x7BFF);
  EXPECT_EQ(int(aclFloatToFloat16(65520.0f)), 0x7C00);
  EXPECT_EQ(int(aclFloatToFloat16(-std::numeric_limits<float>::infinity())), 0xFC00);
}
