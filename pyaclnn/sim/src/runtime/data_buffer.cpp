// Data buffers and element types.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>

#include "acl/acl_base.h"
#include "core/handle_table.hpp"
#include "runtime/entry.hpp"

namespace sim = pyaclnn::sim;

namespace {

struct DataBuffer {
  std::mutex mutex;
  void* data = nullptr;
  size_t size = 0;
};

sim::HandleTable<DataBuffer>& buffers() {
  static auto& table = *new sim::HandleTable<DataBuffer>(sim::HandleType::kDataBuffer);
  return table;
}

/// What a getter reads of a buffer; zero where it has no status to answer.
struct View {
  void* data = nullptr;
  size_t size = 0;
};

View view(const char* function, const aclDataBuffer* handle) {
  View seen;
  if (handle == nullptr) return seen;
  sim::entry(function, [&] {
    auto buffer = buffers().get(handle, sim::kInvalidParam);
    std::lock_guard<std::mutex> guard(buffer->mutex);
    seen = {buffer->data, buffer->size};
    return ACL_SUCCESS;
  });
  return seen;
}

}  // namespace

aclDataBuffer* aclCreateDataBuffer(void* data, size_t size) {
  return sim::entry_or_null(__func__, [&] {
    auto buffer = std::make_shared<DataBuffer>();
    buffer->data = data;
    buffer->size = size;
    return static_cast<aclDataBuffer*>(buffers().insert(std::move(buffer)));
  });
}

aclError aclDestroyDataBuffer(const aclDataBuffer* dataBuffer) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(dataBuffer, "dataBuffer");
    buffers().remove(dataBuffer, sim::kInvalidParam);
    return ACL_SUCCESS;
  });
}

aclError aclUpdateDataBuffer(aclDataBuffer* dataBuffer, void* data, size_t size) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(dataBuffer, "dataBuffer");
    auto buffer = buffers().get(dataBuffer, sim::kInvalidParam);
    std::lock_guard<std::mutex> guard(buffer->mutex);
    buffer->data = data;
    buffer->size = size;
    return ACL_SUCCESS;
  });
}

void* aclGetDataBufferAddr(const aclDataBuffer* dataBuffer) {
  return view(__func__, dataBuffer).data;
}

uint32_t aclGetDataBufferSize(const aclDataBuffer* dataBuffer) {
  return uint32_t(view(__func__, dataBuffer).size);
}

size_t aclGetDataBufferSizeV2(const aclDataBuffer* dataBuffer) {
  return view(__func__, dataBuffer).size;
}

size_t aclDataTypeSize(aclDataType dataType) {
  switch (dataType) {
    case ACL_STRING:
    case ACL_DT_UNDEFINED:
      return 0;
    case ACL_BOOL:
    case ACL_INT8:
    case ACL_UINT8:
    case ACL_INT4:
    case ACL_UINT1:
    case ACL_HIFLOAT8:
    case ACL_FLOAT8_E5M2:
    case ACL_FLOAT8_E4M3FN:
    case ACL_FLOAT8_E8M0:
      return 1;
    case ACL_FLOAT16:
    case ACL_BF16:
    case ACL_INT16:
    case ACL_UINT16:
      return 2;
    case ACL_FLOAT:
    case ACL_INT32:
    case ACL_UINT32:
    case ACL_COMPLEX32:
      return 4;
    case ACL_COMPLEX128:
      return 16;
    default:
      // CANN answers 8 for every other type, the sub-byte floats and unknown numbers included.
      return 8;
  }
}

float aclFloat16ToFloat(aclFloat16 value) {
  uint32_t sign = uint32_t(value & 0x8000u) << 16;
  uint32_t exponent = (value >> 10) & 0x1Fu;
  uint32_t fraction = value & 0x3FFu;
  uint32_t bits = 0;
  if (exponent == 0x1F) {
    bits = sign | 0x7F800000u | fraction << 13;
  } else if (exponent != 0) {
    bits = sign | (exponent + 112) << 23 | fraction << 13;
  } else {
    // Subnormal: fraction units of 2^-24, exact in float.
    float magnitude = float(fraction) * 0x1p-24f;
    std::memcpy(&bits, &magnitude, sizeof bits);
    bits |= sign;
  }
  float result = 0;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}

aclFloat16 aclFloatToFloat16(float value) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  uint32_t sign = bits >> 16 & 0x8000u;
  uint32_t magnitude = bits & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u) return aclFloat16(sign | 0x7E00u);   // NaN
  if (magnitude >= 0x477FF000u) return aclFloat16(sign | 0x7C00u);  // rounds to infinity
  if (magnitude < 0x38800000u) {
    // Adding 0.5 leaves the fraction in units of 2^-24, rounded to nearest even by the addition.
    float shifted = 0;
    std::memcpy(&shifted, &magnitude, sizeof shifted);
    shifted += 0.5f;
    uint32_t sum = 0;
    std::memcpy(&sum, &shifted, sizeof sum);
    return aclFloat16(sign | (sum - 0x3F000000u));
  }
  uint32_t odd = magnitude >> 13 & 1u;
  return aclFloat16(sign | (magnitude - 0x38000000u + 0xFFFu + odd) >> 13);
}
