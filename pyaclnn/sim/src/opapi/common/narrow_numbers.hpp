// How numbers become narrow ones: rounding, saturation, floats of a byte or half of one, and the
// 64-bit parameters of matrix products.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "acl/acl_base.h"

namespace pyaclnn::sim {

/// CANN's modes: to the nearest, ties to even or away from zero, down, up, and towards zero.
enum class Round { kRint, kRound, kFloor, kCeil, kTrunc };

/// The whole number next to a value. NaN stays NaN.
float rounded(float value, Round mode);

/// Rounds values in place.
void round_values(float* values, std::int64_t count, Round mode);

/// A float of 8 or 4 bits: float8_e4m3fn, float8_e5m2, float8_e8m0, hifloat8, float4_e2m1 and
/// float4_e1m2.
class NarrowFormat {
 public:
  /// Null for all other element types.
  static const NarrowFormat* of(aclDataType dtype);

  float value(unsigned code) const { return values_[code]; }
  /// The largest finite value.
  float max() const { return magnitudes_[count_ - 1]; }
  int bits() const { return bits_; }

  /// What is beyond the largest value becomes that; NaN is NaN where the format has it, else 0.
  std::uint8_t code(float value, Round mode) const;

 private:
  explicit NarrowFormat(aclDataType dtype);
  void add(unsigned code, float value);

  int bits_ = 8;
  unsigned sign_ = 0;  // the bit of negative numbers; 0 where there are none
  unsigned nan_ = 0;   // the code of NaN
  int count_ = 0;      // of the finite magnitudes, which ascend
  float values_[256];
  float magnitudes_[256];
  std::uint8_t codes_[256];
};

/// The largest number of an element type that results are scaled to: 127, 7, 448, 57344, 32768.
float largest_quantised(aclDataType dtype);

/// The span of one, by which asymmetric results are scaled: 255, 15, and twice the largest float.
float span_quantised(aclDataType dtype);

/// Whether a result of this type is int4: by itself or, eight in a word, as int32.
bool holds_int4(aclDataType dtype);

/// The bits of element `index` of packed numbers of 4 bits; the even ones are the low bits.
inline unsigned half_at(const std::byte* packed, std::int64_t index) {
  return unsigned(packed[index >> 1]) >> (index & 1 ? 4 : 0) & 0xF;
}

/// The number that they are as int4.
inline int int4_at(const std::byte* packed, std::int64_t index) {
  return int(half_at(packed, index) ^ 8U) - 8;
}

/// `count` of them, from one on.
void read_int4(const std::byte* packed, std::int64_t first, std::int64_t count, float* to);
void read_int4(const std::byte* packed, std::int64_t first, std::int64_t count, std::int8_t* to);

/// `count` numbers of int4 or of a float of 4 bits, from one on, `step` apart.
void read_halves(aclDataType dtype, const std::byte* packed, std::int64_t first, std::int64_t step,
                 std::int64_t count, float* to);

/// The scale of a matrix product as a 64-bit word has it: float32 without its 13 lowest bits.
float scale_of_parameter(std::uint64_t parameter);

/// The offset that such a word has: 9 bits with a sign.
float offset_of_parameter(std::uint64_t parameter);

/// A scale and an offset as a 64-bit word: the scale's bits, as they are or rounded to 19, a mark
/// above them, and 9 bits of the offset from bit 37 on.
std::uint64_t quant_parameter(float scale, bool rounds);
std::uint64_t quant_parameter_with(std::uint64_t parameter, float offset);

}  // namespace pyaclnn::sim
