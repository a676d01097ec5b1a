// Tensors of words that hold eight numbers of 4 bits each.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"

namespace pyaclnn::sim {

/// The tensor described as its numbers, which are eight times as many along the axis whose words
/// lie behind one another.
TensorMeta numbers_of_words(const Check& check, const TensorArgument& tensor, aclDataType numbers);

}  // namespace pyaclnn::sim
