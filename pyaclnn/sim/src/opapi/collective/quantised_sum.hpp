// Sums over the ranks of floats that travel as int8.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/collective/exchange.hpp"

namespace pyaclnn::sim {

/// out = the sum over all ranks, each of which has a tensor like `in`, without gaps. What a rank
/// sends is divided by `sent`, a number for each column, and the sum comes back in units of `back`,
/// both times rounded to int8. All ranks must have the same numbers.
void quantised_all_reduce(Plan& plan, const Ranks& ranks, const TensorArgument& in,
                          const TensorArgument& sent, const TensorArgument& back,
                          const TensorArgument& out);

/// The same of float32 that ranks send as floats of 8 bits of this `type`, with a scale for each
/// 128 columns of a row, and the sum likewise.
void tiled_all_reduce(Plan& plan, const Ranks& ranks, const TensorArgument& in, aclDataType type,
                      const TensorArgument& out);

}  // namespace pyaclnn::sim
