// Products with weights of int4, whose scales are those of columns or of groups of the depth.
// SPDX-License-Identifier: MIT
#pragma once

#include "parameters/QuantMatmulV5.hpp"

namespace pyaclnn::sim {

/// Whether x1 is int8, and x2 int4 in words of int32.
bool multiplies_int8_by_words(const QuantMatmulV5Parameters& given);

/// Whether they are int8, and int4 in words or not, with scales that a product takes in blocks.
bool has_int4_for_int8(const QuantMatmulV5Parameters& given);

/// Such a product; an x2 `in_blocks` has scales of columns.
void int8_by_int4(const Check& check, Plan& plan, const QuantMatmulV5Parameters& given,
                  bool in_blocks);

/// Whether both are int4, and x2 has scales and offsets for groups of the depth.
bool has_groups_of_int4(const QuantMatmulV5Parameters& given);

void int4_in_groups(const Check& check, Plan& plan, const QuantMatmulV5Parameters& given);

}  // namespace pyaclnn::sim
