// SPDX-License-Identifier: MIT
#include "opapi/activation/activation.hpp"

namespace pyaclnn::sim {

void stage_pair(Plan& plan, const TensorArgument& first, const TensorArgument& second,
                const TensorArgument& out) {
  plan.stage(first).contiguous();
  plan.stage(second).contiguous();
  plan.result(first.dtype(), first.shape()).copy_to(out);
}

}  // namespace pyaclnn::sim
