// SPDX-License-Identifier: MIT
#include "opapi/sorting/keys.hpp"

#include <cstring>
#include <limits>

#include "objects/dtype.hpp"
#include "opapi/common/cpu.hpp"

namespace pyaclnn::sim {
namespace {

enum class Kind { kUnsigned, kSigned, kFloat };

/// Bits of a floating point number's mantissa, which only NaN and infinity tell apart.
template <class Bits>
constexpr Bits infinity(int mantissa) {
  constexpr int kWidth = std::numeric_limits<Bits>::digits;
  return Bits(((Bits(1) << (kWidth - 1 - mantissa)) - 1) << mantissa);
}

template <class Bits, Kind kKind, int kMantissa>
SIM_ALWAYS_INLINE Bits key_of(Bits bits) {
  constexpr Bits kSign = Bits(Bits(1) << (std::numeric_limits<Bits>::digits - 1));
  constexpr Bits kMost = std::numeric_limits<Bits>::max();
  if constexpr (kKind == Kind::kSigned) {
    return Bits(bits ^ kSign);
  } else if constexpr (kKind == Kind::kFloat) {
    const Bits size = Bits(bits & Bits(~kSign));
    const Bits key = (bits & kSign) != 0 ? Bits(kSign - size) : Bits(kSign | size);
    return size > infinity<Bits>(kMantissa) ? kMost : key;
  } else {
    return bits;
  }
}

template <class Bits, Kind kKind, int kMantissa>
struct ReadKeys {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const std::byte* from, std::int64_t stride, std::int64_t count,
                                    std::uint64_t* to) {
    const auto* bits = reinterpret_cast<const Bits*>(from);
    if (stride == 1) {
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t i = 0; i < count; ++i) to[i] = key_of<Bits, kKind, kMantissa>(bits[i]);
    } else {
      for (std::int64_t i = 0; i < count; ++i)
        to[i] = key_of<Bits, kKind, kMantissa>(bits[i * stride]);
    }
  }
};

template <class Bits, Kind kKind, int kMantissa = 0>
KeyFn read() {
  return loop_for_cpu<ReadKeys<Bits, kKind, kMantissa>, const std::byte*, std::int64_t,
                      std::int64_t, std::uint64_t*>();
}

}  // namespace

KeyFn key_reader(aclDataType dtype) {
  switch (dtype) {
    case ACL_FLOAT:
      return read<std::uint32_t, Kind::kFloat, 23>();
    case ACL_FLOAT16:
      return read<std::uint16_t, Kind::kFloat, 10>();
    case ACL_BF16:
      return read<std::uint16_t, Kind::kFloat, 7>();
    case ACL_DOUBLE:
      return read<std::uint64_t, Kind::kFloat, 52>();
    case ACL_INT8:
      return read<std::uint8_t, Kind::kSigned>();
    case ACL_INT16:
      return read<std::uint16_t, Kind::kSigned>();
    case ACL_INT32:
      return read<std::uint32_t, Kind::kSigned>();
    case ACL_INT64:
      return read<std::uint64_t, Kind::kSigned>();
    case ACL_UINT8:
    case ACL_BOOL:
      return read<std::uint8_t, Kind::kUnsigned>();
    case ACL_UINT16:
      return read<std::uint16_t, Kind::kUnsigned>();
    case ACL_UINT32:
      return read<std::uint32_t, Kind::kUnsigned>();
    case ACL_UINT64:
      return read<std::uint64_t, Kind::kUnsigned>();
    default:
      return nullptr;
  }
}

int key_bits(aclDataType dtype) { return int(dtype_size(dtype)) * 8; }

void write_whole(aclDataType dtype, std::uint64_t key, std::byte* to) {
  // What makes a key of an integer makes the integer of its key.
  alignas(std::uint64_t) std::byte own[sizeof key];
  std::memcpy(own, &key, sizeof key);
  std::uint64_t bits = 0;
  key_reader(dtype)(own, 1, 1, &bits);
  std::memcpy(to, &bits, dtype_size(dtype));
}

bool is_nan_key(aclDataType dtype, std::uint64_t key) {
  switch (dtype) {
    case ACL_FLOAT:
      return key == std::numeric_limits<std::uint32_t>::max();
    case ACL_FLOAT16:
    case ACL_BF16:
      return key == std::numeric_limits<std::uint16_t>::max();
    case ACL_DOUBLE:
      return key == std::numeric_limits<std::uint64_t>::max();
    default:
      return false;
  }
}

}  // namespace pyaclnn::sim
