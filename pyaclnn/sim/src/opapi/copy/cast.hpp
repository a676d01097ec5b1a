// Copies between views of any element types.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Plans out = in for views of one shape, in broadcast. Floating point becomes integer by cutting
/// off, saturates, NaN is 0; anything but zero is true; of a complex number the real part is taken.
/// Fails 561003 for types without whole bytes.
void launch_cast(Plan& plan, const View& out, const View& in);

/// The same for arguments; CANN's `Cast` writes `dtype`, which then is copied to `out`.
void cast(Plan& plan, const TensorArgument& in, aclDataType dtype, const TensorArgument& out);

/// CANN's copy: made contiguous, cast, broadcast, written to the view.
void copy(Plan& plan, const TensorArgument& in, const TensorArgument& out);

/// Refuses (561103) a cast that there is no kernel for: types of one byte have those to float32,
/// float16 and bfloat16, those from float32, and hifloat8 from the half ones, too.
void check_has_cast(const Plan& plan, aclDataType from, aclDataType to);

}  // namespace pyaclnn::sim
