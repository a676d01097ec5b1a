// Elements cast to another type and read as its keys: what is searched for is compared so.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "objects/scalar.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/flat.hpp"
#include "opapi/sorting/keys.hpp"

namespace pyaclnn::sim {

class KeysAs {
 public:
  KeysAs() = default;
  KeysAs(aclDataType from, aclDataType to);

  /// Elements of a view in row-major order, from one position to another.
  void read(const KernelMemory& memory, const FlatView& view, std::int64_t begin, std::int64_t end,
            std::uint64_t* to) const;

 private:
  static constexpr std::int64_t kBlock = 256;
  void block(const std::byte* from, std::int64_t stride, std::int64_t count,
             std::uint64_t* to) const;

  LoadFn load_ = nullptr;  // null where nothing is cast
  StoreFn store_ = nullptr;
  KeyFn read_ = nullptr;
};

/// The key of a number as a type.
std::uint64_t key_of(const Scalar& number, aclDataType dtype);

}  // namespace pyaclnn::sim
