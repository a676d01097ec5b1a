// SPDX-License-Identifier: MIT
#include "opapi/pointwise/narrow.hpp"

#include <algorithm>
#include <cstddef>

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlock = 512;

/// kFrom -> float -> kVia -> float, a block at a time.
template <aclDataType kVia, aclDataType kFrom>
void load_via(const std::byte* from, std::int64_t stride, std::int64_t count, void* to) {
  static const LoadFn load = loader<float>(kFrom);
  static const StoreFn round = storer<float>(kVia, Rounding::kNearestEven);
  static const LoadFn unround = loader<float>(kVia);
  alignas(64) std::byte rounded[kBlock * 2];
  load(from, stride, count, to);
  float* values = static_cast<float*>(to);
  for (std::int64_t at = 0; at < count; at += kBlock) {
    const std::int64_t take = std::min(kBlock, count - at);
    round(values + at, take, rounded, 1);
    unround(rounded, 1, take, values + at);
  }
}

/// Null for types whose elements are exact in kVia, or have no loader.
template <aclDataType kVia>
LoadFn loader_via(aclDataType from) {
  switch (from) {
    case ACL_FLOAT:
      return &load_via<kVia, ACL_FLOAT>;
    case ACL_FLOAT16:
      return kVia == ACL_FLOAT16 ? nullptr : &load_via<kVia, ACL_FLOAT16>;
    case ACL_BF16:
      return kVia == ACL_BF16 ? nullptr : &load_via<kVia, ACL_BF16>;
    case ACL_DOUBLE:
      return &load_via<kVia, ACL_DOUBLE>;
    case ACL_INT16:
      return &load_via<kVia, ACL_INT16>;
    case ACL_UINT16:
      return &load_via<kVia, ACL_UINT16>;
    case ACL_INT32:
      return &load_via<kVia, ACL_INT32>;
    case ACL_UINT32:
      return &load_via<kVia, ACL_UINT32>;
    case ACL_INT64:
      return &load_via<kVia, ACL_INT64>;
    case ACL_UINT64:
      return &load_via<kVia, ACL_UINT64>;
    default:
      return nullptr;
  }
}

}  // namespace

LoadFn narrowing_loader(aclDataType from, aclDataType compute) {
  LoadFn result = nullptr;
  if (compute == ACL_FLOAT16) result = loader_via<ACL_FLOAT16>(from);
  if (compute == ACL_BF16) result = loader_via<ACL_BF16>(from);
  return result == nullptr ? loader<float>(from) : result;
}

}  // namespace pyaclnn::sim
