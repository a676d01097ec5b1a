// Formulas that take less time than to convert and copy by way of memory would: the numbers, of
// float16 and bfloat16 too, stay in registers between load and store. Whole registers are loaded,
// never a selection under a mask. With AVX-512 and NEON; the bits are those of the plain loop.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "opapi/common/convert_wide.hpp"
#include "opapi/common/cpu_wide.hpp"
#include "opapi/pointwise/pointwise.hpp"

#if SIM_HAS_AVX2_PATH
#include "opapi/common/wide_forms.hpp"
#define SIM_REGISTERS_INLINE SIM_AVX512_INLINE
#define SIM_REGISTERS_LOOP SIM_TARGET_WIDE
#elif SIM_HAS_NEON_CONVERSIONS
#include "opapi/common/neon_registers.hpp"
#define SIM_REGISTERS_INLINE SIM_ALWAYS_INLINE
#define SIM_REGISTERS_LOOP __attribute__((flatten))
#endif

namespace pyaclnn::sim::detail {

#if SIM_HAS_AVX2_PATH

/// Two registers of floats.
template <class Form>
struct TwoRegisters {
  using Element = typename Form::Bits;
  // Two registers: compilers unroll a loop over one before they turn it into vectors.
  static constexpr std::int64_t kTile = 32;
  static SIM_AVX512_INLINE void load(const Element* from, float* values) {
    _mm512_store_ps(values, Form::at(from));
    _mm512_store_ps(values + kTile / 2, Form::at(from + kTile / 2));
  }
  static SIM_AVX512_INLINE void store(const float* results, Element* to) {
    Form::template put<false>(to, _mm512_load_ps(results), _mm512_load_ps(results + kTile / 2));
  }
};

template <aclDataType kType>
using InRegisters = TwoRegisters<
    std::conditional_t<kType == ACL_FLOAT, wide::Floats,
                       std::conditional_t<kType == ACL_FLOAT16, wide::Halves, wide::Bfloat16s>>>;

inline bool has_register_loops() { return cpu_has_avx512(); }

#elif SIM_HAS_NEON_CONVERSIONS

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
using InRegisters = std::conditional_t<
    kType == ACL_FLOAT, void,
    NarrowInRegisters<std::conditional_t<kType == ACL_FLOAT16, Halves, Bfloat16s>>>;

inline bool has_register_loops() { return true; }

#endif

#ifdef SIM_REGISTERS_LOOP

template <class F, class Type, class Operands, class Scalars>
struct RegisterLoop;

template <class F, class Type, std::size_t... kOperand, std::size_t... kScalar>
struct RegisterLoop<F, Type, std::index_sequence<kOperand...>, std::index_sequence<kScalar...>> {
  using Element = typename Type::Element;
  static constexpr std::int64_t kTile = Type::kTile;
  static constexpr std::size_t kOperands = sizeof...(kOperand);
  using Numbers = std::array<float, sizeof...(kScalar) + 1>;

  static SIM_REGISTERS_INLINE void tile([[maybe_unused]] const Numbers& s,
                                        const Element* const* from, std::int64_t at, Element* to) {
    alignas(64) float values[kOperands][kTile];
    alignas(64) float results[kTile];
    for (std::size_t k = 0; k < kOperands; ++k) Type::load(from[k] + at, values[k]);
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < kTile; ++i)
      results[i] = F::template of<float>(values[kOperand][i]..., s[kScalar]...);
    Type::store(results, to + at);
  }

  static SIM_REGISTERS_LOOP void run([[maybe_unused]] const void* scalars, std::int64_t count,
                                     const void* const* inputs, void* output) {
    const Numbers s{static_cast<const float*>(scalars)[kScalar]..., 0.0f};
    const Element* const from[] = {static_cast<const Element*>(inputs[kOperand])...};
    auto* to = static_cast<Element*>(output);
    std::int64_t at = 0;
    for (; at + kTile <= count; at += kTile) tile(s, from, at, to);
    if (at == count) return;
    // What is left, in a tile of its own.
    const auto bytes = std::size_t(count - at) * sizeof(Element);
    Element last[kOperands][kTile] = {};
    Element result[kTile];
    for (std::size_t k = 0; k < kOperands; ++k) std::memcpy(last[k], from[k] + at, bytes);
    const Element* const rest[] = {last[kOperand]...};
    tile(s, rest, 0, result);
    std::memcpy(to + at, result, bytes);
  }
};

#endif

/// The loop of a formula over float, float16 or bfloat16 in memory; null where this processor has
/// none.
template <class F, aclDataType kType>
PointwiseLoop register_loop() {
#ifdef SIM_REGISTERS_LOOP
  using Type = InRegisters<kType>;
  if constexpr (!std::is_void_v<Type>) {
    using Loop = RegisterLoop<F, Type, std::make_index_sequence<F::kOperands>,
                              std::make_index_sequence<F::kParameters - F::kOperands>>;
    if (has_register_loops()) return &Loop::run;
  }
#endif
  return nullptr;
}

}  // namespace pyaclnn::sim::detail
