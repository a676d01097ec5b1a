// SPDX-License-Identifier: MIT
#include "opapi/common/elementwise_cast.hpp"

#include <algorithm>

#include "objects/dtype.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlock = 512;

/// float -> kVia -> float -> kTo, a block at a time.
template <aclDataType kVia, aclDataType kTo>
void store_via(const void* from, std::int64_t count, std::byte* to, std::int64_t stride) {
  static const StoreFn round = storer<float>(kVia, Rounding::kNearestEven);
  static const LoadFn unround = loader<float>(kVia);
  static const StoreFn store = storer<float>(kTo, Rounding::kTruncate);
  static const auto size = static_cast<std::int64_t>(dtype_size(kTo));
  alignas(64) std::byte rounded[kBlock * 2];
  alignas(64) float values[kBlock];
  const float* source = static_cast<const float*>(from);
  for (std::int64_t at = 0; at < count; at += kBlock) {
    const std::int64_t take = std::min(kBlock, count - at);
    round(source + at, take, rounded, 1);
    unround(rounded, 1, take, values);
    store(values, take, to + at * stride * size, stride);
  }
}

template <aclDataType kVia>
StoreFn storer_from(aclDataType to) {
  switch (to) {
    case ACL_FLOAT:
      return &store_via<kVia, ACL_FLOAT>;
    case ACL_FLOAT16:
      return &store_via<kVia, ACL_FLOAT16>;
    case ACL_BF16:
      return &store_via<kVia, ACL_BF16>;
    case ACL_DOUBLE:
      return &store_via<kVia, ACL_DOUBLE>;
    case ACL_COMPLEX64:
      return &store_via<kVia, ACL_COMPLEX64>;
    case ACL_COMPLEX128:
      return &store_via<kVia, ACL_COMPLEX128>;
    default:
      return nullptr;
  }
}

}  // namespace

StoreFn storer_via(aclDataType via, aclDataType to) {
  if (via != to && via == ACL_FLOAT16) return storer_from<ACL_FLOAT16>(to);
  if (via != to && via == ACL_BF16) return storer_from<ACL_BF16>(to);
  return storer<float>(to, Rounding::kTruncate);
}

}  // namespace pyaclnn::sim
