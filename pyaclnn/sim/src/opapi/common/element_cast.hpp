// One element at a time from a place to another, cast on the way.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstring>

#include "objects/dtype.hpp"
#include "opapi/common/complex.hpp"
#include "opapi/common/convert.hpp"

namespace pyaclnn::sim {

class ElementCast {
 public:
  ElementCast(aclDataType from, aclDataType to) : size_(dtype_size(to)) {
    if (from == to) return;
    const auto is_complex = [](aclDataType dtype) {
      return dtype == ACL_COMPLEX64 || dtype == ACL_COMPLEX128;
    };
    if (is_complex(from) || is_complex(to))
      go_through<Complex<double>>(from, to);
    else if (is_integral(from))
      go_through<std::int64_t>(from, to);
    else
      go_through<double>(from, to);
  }

  /// Whether there is a cast between the types.
  bool given() const { return (load_ == nullptr) == (store_ == nullptr); }
  /// Whether elements are copied as they are.
  bool copies() const { return load_ == nullptr; }

  void operator()(const std::byte* from, std::byte* to) const {
    if (load_ == nullptr) {
      std::memcpy(to, from, size_);
      return;
    }
    alignas(Complex<double>) std::byte value[sizeof(Complex<double>)];  // the largest of them
    load_(from, 1, 1, value);
    store_(value, 1, to, 1);
  }

 private:
  template <class T>
  void go_through(aclDataType from, aclDataType to) {
    load_ = loader<T>(from);
    store_ = storer<T>(to, Rounding::kTruncate);
  }

  std::size_t size_;
  LoadFn load_ = nullptr;
  StoreFn store_ = nullptr;
};

}  // namespace pyaclnn::sim
