// SPDX-License-Identifier: MIT
#include "opapi/collective/product.hpp"

#include <vector>

#include "objects/formats.hpp"
#include "opapi/matmul/matmul.hpp"
#include "opapi/matmul/quant_floats.hpp"
#include "opapi/pointwise/formulas.hpp"
#include "opapi/pointwise/pointwise.hpp"
#include "opapi/product/gemm.hpp"
#include "parameters/QuantMatmulV5.hpp"

namespace pyaclnn::sim {

void product(Plan& plan, const TensorArgument& a, const TensorArgument& b,
             const TensorArgument& bias, const TensorArgument& out) {
  if (!bias.given()) return matmul(plan, a, b, out, kKeepDtype);
  const Number one(std::int64_t(1));
  addmm(plan, bias, a, b, one, one, out, kKeepDtype);
}

void add_to(Plan& plan, const TensorArgument& other, const TensorArgument& out) {
  const View result = plan.writes(out);
  const std::vector<View> inputs{result, plan.reads(other)};
  launch_pointwise(plan, formulas::add, out.dtype(), out.dtype(), result, inputs,
                   {Number(std::int64_t(1))});
}

void quant_product(const Check& check, Plan& plan, const TensorArgument& x1,
                   const TensorArgument& x2, const TensorArgument& x1_scale,
                   const TensorArgument& x2_scale, const TensorArgument& bias,
                   const TensorArgument& out) {
  const TensorArgument none{Absent()};
  const TensorArgument scale =
      reshaped(plan, without_gaps(plan, x2_scale), Dims{x2_scale.elements()});
  quant_matmul(check, plan,
               {x1, x2, x1_scale, scale, none, none, none, none, bias, false, false, 0, out});
}

void float_product(const Check& check, Plan& plan, const TensorArgument& x1,
                   const TensorArgument& x2, const TensorArgument& x1_scale,
                   const TensorArgument& x2_scale, const TensorArgument& bias,
                   std::int64_t group_size, const TensorArgument& out) {
  const TensorArgument none{Absent()};
  quant_matmul_floats(
      check, plan,
      {x1, x2, x1_scale, x2_scale, none, none, none, none, bias, false, false, group_size, out},
      false, BiasPlace::kFirst);
}

void check_no_blocks(const Check& check, const TensorArgument& matrix) {
  check.that(!kPrivateFormats.contains(matrix.meta().format), "%s has a private format, %d",
             matrix.name(), int(matrix.meta().format));
}

}  // namespace pyaclnn::sim
