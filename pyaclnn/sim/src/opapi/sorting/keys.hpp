// Numbers as unsigned integers of the same order: whatever the element type, sorting and searching
// compare nothing else.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "acl/acl_base.h"

namespace pyaclnn::sim {

/// Reads the keys of `count` elements, `stride` elements apart. Of two elements the larger one has
/// the larger key; both zeros have the same, and NaN has the largest of all.
using KeyFn = void (*)(const std::byte* from, std::int64_t stride, std::int64_t count,
                       std::uint64_t* to);

/// Null for types without an order.
KeyFn key_reader(aclDataType dtype);

/// How many low bits of a key an element type uses.
int key_bits(aclDataType dtype);

/// Writes the integer of that key.
void write_whole(aclDataType dtype, std::uint64_t key, std::byte* to);

/// Whether a key is that of NaN.
bool is_nan_key(aclDataType dtype, std::uint64_t key);

}  // namespace pyaclnn::sim
