// Choosing between values; the mask is a value, too, of the type that is chosen.
// SPDX-License-Identifier: MIT
#include "opapi/pointwise/formula.hpp"
#include "opapi/pointwise/formulas.hpp"

namespace pyaclnn::sim::formulas {

FORMULA(where, kNumbers, SIM_3(mask, yes, no), 3, m::select<T>(m::nonzero(mask), yes, no))
FORMULA(where_scalar, kNumbers, SIM_3(mask, self, value), 2,
        m::select<T>(m::nonzero(mask), value, self))

}  // namespace pyaclnn::sim::formulas
