// What gradients of normalisations are computed in, element by element; their sums are float64.
// SPDX-License-Identifier: MIT
#pragma once

#include "acl/acl_base.h"
#include "objects/dtype.hpp"

namespace pyaclnn::sim {

/// Whether float32 has digits to spare for elements of this type. Gradients of float32 are small
/// differences of much larger numbers.
inline bool is_computed_in_floats(aclDataType dtype) { return is_16_bit_float(dtype); }

}  // namespace pyaclnn::sim
