// An aclScalar as an element of 8 or 4 bits.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/arguments.hpp"

namespace pyaclnn::sim {

/// The bits of a number in a narrow float type, as CANN 9.1 makes them where it makes a tensor of
/// an aclScalar. Of complex numbers that is 0. A kernel's cast rounds what is smallest and largest
/// otherwise. The scalar is of no type of 6 bits.
std::uint8_t narrow_bits(const ScalarIn& number, aclDataType dtype);

}  // namespace pyaclnn::sim
