// Scales and offsets as the matrix unit takes them when it rounds its results to 8 bits.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_trans_quant_param.h"
#include "core/status.hpp"

namespace sim = pyaclnn::sim;

namespace {

constexpr std::uint64_t kAlign = 16;
constexpr std::uint64_t kIsScale = std::uint64_t(1) << 46;
constexpr std::uint64_t kWithoutOffset = 0x4000FFFFFFFF;
constexpr int kOffsetAt = 37;
constexpr std::uint64_t kNineBits = 0x1FF;

std::uint64_t bits_of(float scale) {
  std::uint32_t bits;
  std::memcpy(&bits, &scale, sizeof bits);
  return bits | kIsScale;
}

/// The nearest integer of nine bits.
std::uint64_t bits_of_offset(float offset) {
  const double nearest = std::isnan(offset) ? -256.0 : std::round(double(offset));
  return std::uint64_t(std::int64_t(std::clamp(nearest, -256.0, 255.0))) & kNineBits;
}

}  // namespace

aclnnStatus aclnnTransQuantParam(const float* scaleArray, uint64_t scaleSize,
                                 const float* offsetArray, uint64_t offsetSize,
                                 uint64_t** quantParam, uint64_t* quantParamSize) {
  return sim::entry(__func__, [&] {
    // CANN answers for all of these alike.
    if (scaleArray == nullptr || scaleSize == 0)
      sim::fail(ACLNN_ERR_PARAM_INVALID, "there are no scales");
    if ((offsetArray == nullptr) != (offsetSize == 0))
      sim::fail(ACLNN_ERR_PARAM_INVALID, "offsetSize is %llu, offsetArray is %s",
                static_cast<unsigned long long>(offsetSize),
                offsetArray == nullptr ? "null" : "given");
    if (quantParam == nullptr) sim::fail(ACLNN_ERR_PARAM_NULLPTR, "quantParam is null");
    if (quantParamSize == nullptr) sim::fail(ACLNN_ERR_PARAM_NULLPTR, "quantParamSize is null");
    const std::uint64_t given = std::max(scaleSize, offsetSize);
    const std::uint64_t count = given == 1 ? 1 : (given + kAlign - 1) / kAlign * kAlign;
    // The caller gives it to free().
    auto* params = static_cast<std::uint64_t*>(
        count < given ? nullptr : std::calloc(count, sizeof(std::uint64_t)));
    if (params == nullptr) {
      *quantParamSize = 0;
      sim::fail(ACLNN_ERR_INNER_NULLPTR, "there is no memory for %llu numbers",
                static_cast<unsigned long long>(count));
    }
    for (std::uint64_t i = 0; i < scaleSize; ++i) params[i] = bits_of(scaleArray[i]);
    for (std::uint64_t i = 0; i < offsetSize; ++i)
      params[i] = (params[i] & kWithoutOffset) | bits_of_offset(offsetArray[i]) << kOffsetAt;
    *quantParam = params;
    *quantParamSize = count;
    return ACLNN_SUCCESS;
  });
}
