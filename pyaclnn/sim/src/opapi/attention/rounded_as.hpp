// Numbers on their way through a type that holds fewer of them.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "opapi/common/convert.hpp"

namespace pyaclnn::sim {

/// Numbers as another type holds them.
class RoundedAs {
 public:
  explicit RoundedAs(aclDataType dtype)
      : dtype_(dtype),
        store_(storer<float>(dtype, Rounding::kNearestEven)),
        load_(loader<float>(dtype)) {}

  aclDataType dtype() const { return dtype_; }

  void round(float* values, std::int64_t count) const {
    constexpr std::int64_t kTogether = 512;
    std::byte narrow[kTogether * sizeof(float)];
    for (std::int64_t i = 0; i < count; i += kTogether) {
      const std::int64_t some = std::min(kTogether, count - i);
      store_(values + i, some, narrow, 1);
      load_(narrow, 1, some, values + i);
    }
  }
  float round(float value) const {
    round(&value, 1);
    return value;
  }

 private:
  aclDataType dtype_;
  StoreFn store_;
  LoadFn load_;
};

}  // namespace pyaclnn::sim
