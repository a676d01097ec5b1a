// Copies between views of any element types.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Plans out = in for views of one shape, in broadcast. Floating point becomes integer by cutting
/// off, saturates, NaN is 0; anything but zero is true; of a complex number the real part is taken.
/// Fails 561003 for types without whole bytes.
void launch_cast(Plan& plan, const View& out, const View& in);

/// The same for arguments; CANN's `Cast` writes `dtype`, which then is copied to `out`.
void cast(Plan& plan, const TensorArgument& in, aclDataType dtype, const TensorArgument& out);

/// Refuses strided tensors beside an `out` of int4, and rows that end within a byte of it.
void check_int4(const Check& check, const Plan& plan, const TensorArgument& self,
                const TensorArgument& out);

/// CANN's copy: made contiguous, cast, broadcast, written to the view.
void copy(Plan& plan, const TensorArgument& in, const TensorArgument& out);

}  // namespace pyaclnn::sim
