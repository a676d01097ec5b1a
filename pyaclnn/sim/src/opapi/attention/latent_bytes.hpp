// Rows of 8 bits on the way to attention to latent vectors: products of int8, and what becomes
// int8 or a float of 8 bits.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/blocks.hpp"
#include "opapi/common/packed_operand.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Rounds to the nearest number of a type of 8 bits, of int8 ties to even and NaN to 0.
void to_numbers(float* row, std::int64_t count, aclDataType dtype);

/// Writes a row in tiles: their numbers of 8 bits, what is turned in bfloat16, and a scale of
/// float32 for each tile. Of int8, only the part `alpha` of a tile's largest magnitude counts, and
/// further ones are cut.
struct LatentTiles {
  static constexpr std::int64_t kTile = 128;
  std::int64_t latent;
  std::int64_t turned;
  aclDataType dtype;
  float alpha;

  std::int64_t bytes() const {
    return latent + 2 * turned + latent / kTile * std::int64_t(sizeof(float));
  }
  void write(const float* row, const float* key, std::int8_t* to) const;
};

/// Plans x times a weight, both of int8. Sums are multiplied with a factor of their row, and then
/// with one of their column.
void launch_byte_product(Plan& plan, const View& x, const PlainOperand& weight,
                         const View& row_factors, const View& column_factors, const View& out);

/// How rows are normalised before they become numbers of 8 bits.
struct NormToBytes {
  View gamma;
  PackedOperand smooth;  // perhaps none
  double epsilon;
  double factor;
};

/// Plans rows that are normalised and become numbers of 8 bits, and what one stands for in each: or
/// in each of its blocks, where that is a float8_e8m0.
void launch_norm_to_bytes(Plan& plan, const View& x, const NormToBytes& norm, const View& out,
                          const View& scale);

/// Plans rows as numbers of 8 bits, int8 by way of float16, and what one stands for in each.
void launch_bytes(Plan& plan, const View& x, const View& out, const View& scale);

/// Plans rows times a number, divided by the scale of each.
void launch_rescaled(Plan& plan, const View& x, const View& number, const View& scale,
                     const View& out);

/// Plans rows as they are, in another type.
void launch_stored(Plan& plan, const View& x, const View& out);

}  // namespace pyaclnn::sim
