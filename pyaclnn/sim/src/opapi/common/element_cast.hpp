// One element at a time from a place to another, cast on the way.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstring>

#include "objects/dtype.hpp"
#include "opapi/common/convert.hpp"

namespace pyaclnn::sim {

class ElementCast {
 public:
  ElementCast(aclDataType from, aclDataType to) : size_(dtype_size(to)) {
    if (from == to) return;
    const bool whole = is_integral(from);
    load_ = whole ? loader<std::int64_t>(from) : loader<double>(from);
    store_ = whole ? storer<std::int64_t>(to, Rounding::kTruncate)
                   : storer<double>(to, Rounding::kTruncate);
  }

  /// Whether elements are copied as they are.
  bool copies() const { return load_ == nullptr; }

  void operator()(const std::byte* from, std::byte* to) const {
    if (load_ == nullptr) {
      std::memcpy(to, from, size_);
      return;
    }
    std::int64_t value = 0;  // or the bytes of a double
    load_(from, 1, 1, &value);
    store_(&value, 1, to, 1);
  }

 private:
  std::size_t size_;
  LoadFn load_ = nullptr;
  StoreFn store_ = nullptr;
};

}  // namespace pyaclnn::sim
