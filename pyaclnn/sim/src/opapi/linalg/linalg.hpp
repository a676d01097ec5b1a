// Linear algebra operators: what their rows call after the checks. All are computed in double
// precision and rounded once.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

struct Triangle {
  bool upper = true;
  bool transpose = false;
  bool unit = false;
};

/// Refuses right sides `b`, solutions `x` and copies of `a` whose shapes do not go together.
void check_equations(const Check& check, const TensorArgument& b, const TensorArgument& a,
                     const TensorArgument& x, const TensorArgument& copy);

/// a x = b, or its transpose; `a` as broadcast goes to `copy`, if that is given.
void triangular_solve(Plan& plan, const TensorArgument& b, const TensorArgument& a,
                      Triangle triangle, const TensorArgument& x, const TensorArgument& copy);

/// out a = a out = 1.
void invert(Plan& plan, const TensorArgument& a, const TensorArgument& out);

}  // namespace pyaclnn::sim
