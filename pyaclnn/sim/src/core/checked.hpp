// Arithmetic on sizes and extents that callers give, which may be anything.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

namespace pyaclnn::sim {

/// An integer that notices when sums, differences and products of it no longer fit its type. From
/// then on it is the bound that was passed, and equal to nothing.
template <class T>
class Checked {
  static_assert(std::is_integral_v<T>);

 public:
  constexpr Checked(T value) : value_(value) {}

  constexpr bool fits() const { return fits_; }
  /// The value, or the bound that was passed.
  constexpr T saturated() const { return value_; }

  friend constexpr Checked operator+(Checked a, Checked b) {
    return a.then(b, __builtin_add_overflow(a.value_, b.value_, &a.value_), b.value_ < 0);
  }
  friend constexpr Checked operator-(Checked a, Checked b) {
    const bool below = std::is_unsigned_v<T> || b.value_ > 0;
    return a.then(b, __builtin_sub_overflow(a.value_, b.value_, &a.value_), below);
  }
  friend constexpr Checked operator*(Checked a, Checked b) {
    const bool below = (a.value_ < 0) != (b.value_ < 0);
    return a.then(b, __builtin_mul_overflow(a.value_, b.value_, &a.value_), below);
  }
  friend constexpr bool operator==(Checked a, Checked b) {
    return a.fits_ && b.fits_ && a.value_ == b.value_;
  }
  friend constexpr bool operator!=(Checked a, Checked b) { return !(a == b); }

  /// The next multiple of `unit`.
  constexpr Checked rounded_up(T unit) const {
    const T rest = value_ % unit;
    return rest == 0 ? *this : *this + Checked(unit - rest);
  }

 private:
  constexpr Checked then(Checked other, bool overflows, bool below) const {
    Checked result = *this;
    result.fits_ = fits_ && other.fits_ && !overflows;
    if (overflows)
      result.value_ = below ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
    return result;
  }

  T value_;
  bool fits_ = true;
};

/// The integer part of any floating point number: those out of range become the nearest bound, NaN
/// becomes 0.
constexpr std::int64_t saturated_int(double value) {
  constexpr double kAbove = 9223372036854775808.0;  // 2^63
  if (value >= kAbove) return std::numeric_limits<std::int64_t>::max();
  if (value < -kAbove) return std::numeric_limits<std::int64_t>::min();
  return value == value ? static_cast<std::int64_t>(value) : 0;
}

}  // namespace pyaclnn::sim
