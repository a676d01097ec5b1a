// Halves times gelu of the other, of which there are two kinds.
// SPDX-License-Identifier: MIT
#include "opapi/activation/activation.hpp"
#include "opapi/common/result_types.hpp"
#include "opapi/pointwise/formulas.hpp"
#include "opapi/pointwise/gated.hpp"
#include "parameters/GeGluV3.hpp"
#include "parameters/GeluMul.hpp"

namespace pyaclnn::sim {

void ge_glu(const Check& check, Plan& plan, const GeGluV3Parameters& given) {
  const std::size_t axis = check.dim_of(given.self, given.dim);
  const bool tanh = given.approximate == 1;
  const bool upper = !given.activateLeft;
  gated(plan, tanh ? formulas::gelu_tanh_mul : formulas::gelu_mul, given.self, axis, upper,
        given.out);
  half_through(plan, tanh ? formulas::gelu_tanh : formulas::gelu, given.self, axis, upper,
               given.outGelu);
}

void gelu_mul(const Check&, Plan& plan, const GeluMulParameters& given) {
  const Text& kind = given.approximateOptional;
  const bool tanh = kind.given() && kind.text == "tanh";
  gated(plan, tanh ? formulas::gelu_tanh_mul : formulas::gelu_mul, given.input,
        swi_glu_axis(plan, given.input, -1), false, given.out);
}

aclDataType softplus_type(const Check& check, const TensorArgument& grad,
                          const TensorArgument& self) {
  return grad.dtype() == self.dtype() ? common_single(check, self) : ACL_FLOAT;
}

}  // namespace pyaclnn::sim
