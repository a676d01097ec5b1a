// Formulas over float16 and bfloat16 that take less time than to convert by way of memory would:
// the numbers stay in registers between load and store. With AVX-512 only; the bits are those of
// the loop over floats.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "opapi/common/cpu_wide.hpp"
#include "opapi/pointwise/pointwise.hpp"

#if SIM_HAS_AVX2_PATH
#include "opapi/common/wide_registers.hpp"
#endif

namespace pyaclnn::sim::detail {

#if SIM_HAS_AVX2_PATH

struct HalvesInRegisters {
  static SIM_AVX512_INLINE __m512 load(const std::uint16_t* from) { return wide::halves_at(from); }
  static SIM_AVX512_INLINE __m512i narrowed(__m512 first, __m512 second) {
    return wide::to_halves(first, second);
  }
};

struct Bfloat16sInRegisters {
  static SIM_AVX512_INLINE __m512 load(const std::uint16_t* from) {
    return wide::bfloat16s_at(from);
  }
  static SIM_AVX512_INLINE __m512i narrowed(__m512 first, __m512 second) {
    return wide::to_bfloat16s(first, second);
  }
};

template <class F, class Type, class Operands, class Scalars>
struct NarrowLoop;

template <class F, class Type, std::size_t... kOperand, std::size_t... kScalar>
struct NarrowLoop<F, Type, std::index_sequence<kOperand...>, std::index_sequence<kScalar...>> {
  static constexpr std::int64_t kTile = 32;  // two registers of floats, one of what they become
  static constexpr std::size_t kOperands = sizeof...(kOperand);
  using Numbers = std::array<float, sizeof...(kScalar) + 1>;

  static SIM_AVX512_INLINE void tile([[maybe_unused]] const Numbers& s,
                                     const std::uint16_t* const* from, std::int64_t at,
                                     std::uint16_t* to) {
    alignas(64) float values[kOperands][kTile];
    alignas(64) float results[kTile];
    for (std::size_t k = 0; k < kOperands; ++k) {
      _mm512_store_ps(values[k], Type::load(from[k] + at));
      _mm512_store_ps(values[k] + kTile / 2, Type::load(from[k] + at + kTile / 2));
    }
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < kTile; ++i)
      results[i] = F::template of<float>(values[kOperand][i]..., s[kScalar]...);
    _mm512_storeu_si512(
        to + at, Type::narrowed(_mm512_load_ps(results), _mm512_load_ps(results + kTile / 2)));
  }

  static SIM_TARGET_WIDE void run([[maybe_unused]] const void* scalars, std::int64_t count,
                                  const void* const* inputs, void* output) {
    const Numbers s{static_cast<const float*>(scalars)[kScalar]..., 0.0f};
    const std::uint16_t* const from[] = {static_cast<const std::uint16_t*>(inputs[kOperand])...};
    auto* to = static_cast<std::uint16_t*>(output);
    std::int64_t at = 0;
    for (; at + kTile <= count; at += kTile) tile(s, from, at, to);
    if (at == count) return;
    // What is left, in a tile of its own.
    const auto bytes = std::size_t(count - at) * sizeof(std::uint16_t);
    std::uint16_t last[kOperands][kTile] = {};
    std::uint16_t result[kTile];
    for (std::size_t k = 0; k < kOperands; ++k) std::memcpy(last[k], from[k] + at, bytes);
    const std::uint16_t* const rest[] = {last[kOperand]...};
    tile(s, rest, 0, result);
    std::memcpy(to + at, result, bytes);
  }
};

#endif

enum class NarrowType { kHalf, kBfloat16 };

/// The loop of a formula over numbers of 16 bits; null where there is none for this processor.
template <class F, NarrowType kType>
PointwiseLoop narrow_loop() {
#if SIM_HAS_AVX2_PATH
  using Type =
      std::conditional_t<kType == NarrowType::kHalf, HalvesInRegisters, Bfloat16sInRegisters>;
  using Loop = NarrowLoop<F, Type, std::make_index_sequence<F::kOperands>,
                          std::make_index_sequence<F::kParameters - F::kOperands>>;
  if (cpu_has_avx512()) return &Loop::run;
#endif
  return nullptr;
}

}  // namespace pyaclnn::sim::detail
