// Tensors of words that hold eight numbers of 4 bits each, and of bytes that hold two.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"

namespace pyaclnn::sim {

/// The tensor described as its numbers, which are eight times as many along the axis whose words
/// lie behind one another.
TensorMeta numbers_of_words(const Check& check, const TensorArgument& tensor, aclDataType numbers);

/// A dense matrix of numbers of 4 bits, whose rows are whole bytes, described as these.
TensorMeta bytes_of_numbers(const TensorArgument& matrix);

/// Whether a tensor is one.
bool has_whole_bytes(const TensorArgument& matrix);

}  // namespace pyaclnn::sim
