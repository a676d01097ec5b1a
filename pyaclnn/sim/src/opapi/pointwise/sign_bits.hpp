// Signs of numbers as bits, eight in a byte, the lowest first; and numbers of these signs.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Refuses a list and a matrix of `size` rows that do not hold `elements` between them.
void check_sign_bits(const Check& check, const TensorArgument& self, std::int64_t size,
                     std::int64_t elements, const TensorArgument& out);

/// Bytes for the signs of so many numbers.
inline std::int64_t sign_bytes(std::int64_t numbers) {
  return numbers / 8 + (numbers % 8 == 0 ? 0 : 1);
}

/// Plans the bits: 1 where a number is not negative. Bits behind the last number are 0.
void pack_signs(Plan& plan, const TensorArgument& self, const TensorArgument& out);

/// Plans out = 1 where a bit is 1, else -1.
void unpack_signs(Plan& plan, const TensorArgument& self, const TensorArgument& out);

}  // namespace pyaclnn::sim
