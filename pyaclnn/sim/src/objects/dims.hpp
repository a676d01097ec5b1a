// A short list of extents or strides, stored in place.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>

namespace pyaclnn::sim {

/// Extents or strides of a tensor, outermost first.
///
/// Holds 25 values as aclTensor does: a longer list keeps its length and loses the values behind.
class Dims {
 public:
  static constexpr std::size_t kCapacity = 25;

  Dims() = default;
  Dims(const std::int64_t* values, std::uint64_t count) : count_(count) {
    std::copy_n(values, std::min<std::uint64_t>(count, kCapacity), values_.begin());
  }
  Dims(std::initializer_list<std::int64_t> values) : Dims(values.begin(), values.size()) {}

  std::size_t size() const { return std::size_t(count_); }
  bool empty() const { return count_ == 0; }
  std::int64_t operator[](std::size_t i) const { return i < kCapacity ? values_[i] : 0; }
  std::int64_t back() const { return (*this)[size() - 1]; }

  /// Changes the value at `i`; nothing where none is stored.
  void set(std::size_t i, std::int64_t value) {
    if (i < kCapacity) values_[i] = value;
  }
  void push_back(std::int64_t value) {
    if (count_ < kCapacity) values_[count_] = value;
    ++count_;
  }

  bool operator==(const Dims& other) const {
    return count_ == other.count_ && std::equal(begin(), end(), other.begin());
  }
  bool operator!=(const Dims& other) const { return !(*this == other); }

  const std::int64_t* begin() const { return values_.data(); }
  const std::int64_t* end() const { return begin() + std::min<std::size_t>(size(), kCapacity); }

  /// Product of the values from one place up to another; the largest int64_t when it does not fit.
  std::int64_t product(std::size_t from = 0, std::size_t to = kCapacity) const {
    std::int64_t result = 1;
    bool fits = true;
    const std::size_t end = std::min({to, size(), kCapacity});
    for (std::size_t i = from; i < end; ++i) {
      if (values_[i] == 0) return 0;
      fits = fits && !__builtin_mul_overflow(result, values_[i], &result);
    }
    return fits ? result : std::numeric_limits<std::int64_t>::max();
  }

  /// "[2, 3]"
  std::string text() const {
    std::string result = "[";
    for (std::size_t i = 0; i < size(); ++i) {
      if (i != 0) result += ", ";
      result += i < kCapacity ? std::to_string(values_[i]) : "...";
      if (i >= kCapacity) break;
    }
    return result + "]";
  }

 private:
  std::array<std::int64_t, kCapacity> values_{};
  std::uint64_t count_ = 0;
};

/// Row-major strides of a shape.
inline Dims contiguous_strides(const Dims& shape) {
  Dims strides = shape;
  std::int64_t step = 1;
  for (std::size_t i = std::min(shape.size(), Dims::kCapacity); i-- > 0;) {
    strides.set(i, step);
    if (__builtin_mul_overflow(step, shape[i], &step)) step = 0;
  }
  return strides;
}

}  // namespace pyaclnn::sim
