// The loop of a formula over a tile of registers at a time. Compiled by formula_registers.hpp, for
// AVX-512 and AVX2 or for NEON.
// SPDX-License-Identifier: MIT
// No `#pragma once`: compiled for each.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "opapi/common/cpu.hpp"

namespace pyaclnn::sim::SIM_LANES {

#if SIM_HAS_AVX2_PATH

/// Two registers of floats: compilers unroll a loop over one before they turn it into vectors.
template <class Form>
struct TwoRegisters {
  using Element = typename Form::Bits;
  static constexpr std::int64_t kTile = 32;
  static SIM_LANES_INLINE void load(const Element* from, float* values) {
    Form::at(from).store(values);
    Form::at(from + kTile / 2).store(values + kTile / 2);
  }
  static SIM_LANES_INLINE void store(const float* results, Element* to) {
    Form::template put<false>(to, Floats::at(results), Floats::at(results + kTile / 2));
  }
};

template <aclDataType kType>
using TileOf = TwoRegisters<std::conditional_t<
    kType == ACL_FLOAT, OfFloats, std::conditional_t<kType == ACL_FLOAT16, OfHalves, OfBfloat16s>>>;

#endif

template <class F, class Tile, class Operands, class Scalars>
struct RegisterLoop;

template <class F, class Tile, std::size_t... kOperand, std::size_t... kScalar>
struct RegisterLoop<F, Tile, std::index_sequence<kOperand...>, std::index_sequence<kScalar...>> {
  using Element = typename Tile::Element;
  static constexpr std::int64_t kTile = Tile::kTile;
  static constexpr std::size_t kOperands = sizeof...(kOperand);
  using Numbers = std::array<float, sizeof...(kScalar) + 1>;

  static SIM_LANES_INLINE void tile([[maybe_unused]] const Numbers& s, const Element* const* from,
                                    std::int64_t at, Element* to) {
    alignas(64) float values[kOperands][kTile];
    alignas(64) float results[kTile];
    for (std::size_t k = 0; k < kOperands; ++k) Tile::load(from[k] + at, values[k]);
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < kTile; ++i)
      results[i] = F::template of<float>(values[kOperand][i]..., s[kScalar]...);
    Tile::store(results, to + at);
  }

  static SIM_LANES_LOOP void run([[maybe_unused]] const void* scalars, std::int64_t count,
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

/// The loop over a type in memory; null where compilers make it of that over floats.
template <class F, aclDataType kType>
PointwiseLoop register_loop() {
  using Tile = TileOf<kType>;
  if constexpr (!std::is_void_v<Tile>) {
    return &RegisterLoop<F, Tile, std::make_index_sequence<F::kOperands>,
                         std::make_index_sequence<F::kParameters - F::kOperands>>::run;
  } else {
    return nullptr;
  }
}

}  // namespace pyaclnn::sim::SIM_LANES
