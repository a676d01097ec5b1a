// SPDX-License-Identifier: MIT
#include "opapi/activation/activation.hpp"

#include "objects/dtype.hpp"
#include "opapi/common/promote.hpp"

namespace pyaclnn::sim {

void check_real(const Check& check, const ScalarIn& scalar) {
  check.that(can_cast(scalar->dtype(), ACL_FLOAT), "%s is %s, it must be a real number",
             scalar.name(), dtype_name(scalar->dtype()));
}

void stage_pair(Plan& plan, const TensorArgument& first, const TensorArgument& second,
                const TensorArgument& out) {
  plan.stage(first).contiguous();
  plan.stage(second).contiguous();
  plan.result(first.dtype(), first.shape()).copy_to(out);
}

}  // namespace pyaclnn::sim
