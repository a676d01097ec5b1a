// Formulas that take less time than to convert and copy by way of memory would: the numbers, of
// float16 and bfloat16 too, stay in registers between load and store. Whole registers are loaded,
// never a selection under a mask. With AVX-512, AVX2 and NEON; the bits are those of the plain
// loop.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include "opapi/common/convert_wide.hpp"
#include "opapi/pointwise/pointwise.hpp"

#if SIM_HAS_NEON_CONVERSIONS
#include "opapi/common/neon_registers.hpp"

namespace pyaclnn::sim::neon {

/// Four registers of floats, two of what they become.
template <class Type>
struct NarrowInRegisters {
  using Element = std::uint16_t;
  static constexpr std::int64_t kTile = 16;
  static SIM_ALWAYS_INLINE void load(const std::uint16_t* from, float* values) {
    Type::load(from, values);
    Type::load(from + kTile / 2, values + kTile / 2);
  }
  static SIM_ALWAYS_INLINE void store(const float* results, std::uint16_t* to) {
    Type::store(results, to);
    Type::store(results + kTile / 2, to + kTile / 2);
  }
};

struct Halves {
  static SIM_ALWAYS_INLINE void load(const std::uint16_t* from, float* values) {
    neon::load_halves(from, values);
  }
  static SIM_ALWAYS_INLINE void store(const float* results, std::uint16_t* to) {
    neon::store_halves(results, to);
  }
};

struct Bfloat16s {
  static SIM_ALWAYS_INLINE void load(const std::uint16_t* from, float* values) {
    neon::load_bfloat16s(from, values);
  }
  static SIM_ALWAYS_INLINE void store(const float* results, std::uint16_t* to) {
    neon::store_bfloat16s(results, to);
  }
};

// Of the loop over floats, compilers make one in registers.
template <aclDataType kType>
using TileOf = std::conditional_t<
    kType == ACL_FLOAT, void,
    NarrowInRegisters<std::conditional_t<kType == ACL_FLOAT16, Halves, Bfloat16s>>>;

}  // namespace pyaclnn::sim::neon

#define SIM_LANES neon
#define SIM_LANES_LOOP __attribute__((flatten))
#define SIM_LANES_INLINE SIM_ALWAYS_INLINE
#include "opapi/pointwise/register_loop.hpp"
#undef SIM_LANES
#undef SIM_LANES_LOOP
#undef SIM_LANES_INLINE
#else
#define SIM_LANES_CODE "opapi/pointwise/register_loop.hpp"
#include "opapi/common/each_lanes.hpp"
#undef SIM_LANES_CODE
#endif

namespace pyaclnn::sim::detail {

/// The loop of a formula over float, float16 or bfloat16 in memory; null where this processor has
/// none.
template <class F, aclDataType kType>
PointwiseLoop register_loop() {
#if SIM_HAS_NEON_CONVERSIONS
  return neon::register_loop<F, kType>();
#else
  return SIM_BY_LANES(register_loop<F, kType>());
#endif
}

}  // namespace pyaclnn::sim::detail
