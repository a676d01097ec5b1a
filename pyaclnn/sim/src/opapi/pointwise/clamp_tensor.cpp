// SPDX-License-Identifier: MIT
#include "opapi/pointwise/clamp_tensor.hpp"

#include "opapi/common/result_types.hpp"

namespace pyaclnn::sim {

void clamp_to_one(const Check& check, Plan& plan, const PointwiseFormula& formula,
                  const TensorArgument& self, const TensorArgument& bound,
                  const TensorArgument& out) {
  check.rank_at_most(8, bound);
  if (self.is_empty() || bound.is_empty()) return;
  const aclDataType type = common(check, self, bound);
  check_castable(check, type, out);
  check_result_type(check, type,
                    by_chip({ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_INT8, ACL_UINT8, ACL_INT16,
                             ACL_INT32, ACL_INT64},
                            {ACL_BF16}, {}));
  check.shape_is(out, broadcast(check, {&self, &bound}), "the result");
  pointwise(plan, formula, type, type, out, {&self, &bound}, {});
}

}  // namespace pyaclnn::sim
