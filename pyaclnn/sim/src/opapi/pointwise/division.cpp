// Quotients and remainders.
// SPDX-License-Identifier: MIT
#include "opapi/pointwise/division.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "opapi/pointwise/formula.hpp"
#include "opapi/pointwise/formulas.hpp"

namespace pyaclnn::sim {
namespace {

/// Remainders of floats, a block at a time. In double the quotient is exact enough to be cut off
/// right if it is not huge; blocks with a huge one are given to the standard library.
template <bool kSignOfDivisor, bool kScalar>
struct FloatRemainders {
  static constexpr std::int64_t kBlock = 256;
  static constexpr std::uint32_t kHuge = 0x4D800000u;  // 2^28; infinity and NaN are beyond

  static SIM_ALWAYS_INLINE float of(float a, float b) {
    const float x = vec::abs(a);
    const float y = vec::abs(b);
    const double cut = std::trunc(double(x) / double(y));
    const auto left = static_cast<float>(double(x) - cut * double(y));
    const float under = vec::select(left < 0.0f, left + y, left);
    const float rest = vec::select(under >= y, under - y, under);
    const float whole = vec::select(x < y, x, rest);
    return finish(vec::copy_sign(whole, a), b);
  }

  static SIM_ALWAYS_INLINE float finish(float rest, float b) {
    if (!kSignOfDivisor) return rest;
    return vec::select(rest != 0.0f && (rest < 0.0f) != (b < 0.0f), rest + b, rest);
  }

  static SIM_ALWAYS_INLINE void block(std::int64_t count, const float* a, const float* b,
                                      float* output) {
    const float divisor = b[0];
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) output[i] = of(a[i], kScalar ? divisor : b[i]);
  }

  static SIM_ALWAYS_INLINE bool has_huge(std::int64_t count, const float* a, const float* b) {
    const float divisor = b[0];
    std::uint32_t largest = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      const float quotient = vec::abs(a[i] / (kScalar ? divisor : b[i]));
      const std::uint32_t bits = vec::detail::bits_of(quotient);
      largest = bits > largest ? bits : largest;
    }
    return largest >= kHuge;
  }

  template <Isa>
  static SIM_ALWAYS_INLINE void run(const void* scalars, std::int64_t count,
                                    const void* const* inputs, void* output) {
    const auto* a = static_cast<const float*>(inputs[0]);
    const auto* b = static_cast<const float*>(kScalar ? scalars : inputs[1]);
    auto* out = static_cast<float*>(output);
    // The output may be an operand.
    alignas(64) float results[kBlock];
    for (std::int64_t at = 0; at < count; at += kBlock) {
      const std::int64_t take = count - at < kBlock ? count - at : kBlock;
      const float* divisors = kScalar ? b : b + at;
      block(take, a + at, divisors, results);
      if (has_huge(take, a + at, divisors)) {
        for (std::int64_t i = 0; i < take; ++i) {
          const float divisor = divisors[kScalar ? 0 : i];
          results[i] = finish(std::fmod(a[at + i], divisor), divisor);
        }
      }
      std::memcpy(out + at, results, std::size_t(take) * sizeof(float));
    }
  }
};

/// The formula with another loop for float.
template <class Loop>
PointwiseFormula with_blocks(PointwiseFormula formula, const char* name) {
  formula.name = name;
  formula.loops[static_cast<int>(ComputeType::kFloat)] =
      wide_loop_for_cpu<Loop, const void*, std::int64_t, const void* const*, void*>();
  return formula;
}

}  // namespace

namespace formulas {

FORMULA(floor_div, kReals, SIM_2(a, b), 2, m::floor_div(a, b))
FORMULA(floor_div_scalar, kReals, SIM_2(a, b), 1, m::floor_div(a, b))
FORMULA(each_fmod, kReals, SIM_2(a, b), 2, m::fmod(a, b))
FORMULA(each_fmod_scalar, kReals, SIM_2(a, b), 1, m::fmod(a, b))
FORMULA(each_remainder, kReals, SIM_2(a, b), 2, m::remainder(a, b))
FORMULA(each_remainder_scalar, kReals, SIM_2(a, b), 1, m::remainder(a, b))
const PointwiseFormula fmod = with_blocks<FloatRemainders<false, false>>(each_fmod, "fmod");
const PointwiseFormula fmod_scalar =
    with_blocks<FloatRemainders<false, true>>(each_fmod_scalar, "fmod_scalar");
const PointwiseFormula remainder =
    with_blocks<FloatRemainders<true, false>>(each_remainder, "remainder");
const PointwiseFormula remainder_scalar =
    with_blocks<FloatRemainders<true, true>>(each_remainder_scalar, "remainder_scalar");
FORMULA(remainder_of_scalar, kReals, SIM_2(b, a), 1, m::remainder(a, b))
FORMULA(div_mode, kNumbers, SIM_3(a, b, mode), 2, m::quotient_in_mode(a, b, mode))
FORMULA(div_mode_scalar, kNumbers, SIM_3(a, b, mode), 1, m::quotient_in_mode(a, b, mode))

}  // namespace formulas
}  // namespace pyaclnn::sim
