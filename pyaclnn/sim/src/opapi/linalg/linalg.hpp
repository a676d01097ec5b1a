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

/// a = q r; `q` is not written where the second is false. Both have the shapes that are wanted.
void factor_qr(Plan& plan, const TensorArgument& a, const TensorArgument& q, bool wants_q,
               const TensorArgument& r);

/// Refuses q and r of other shapes than a = q r has; `complete`: q is square.
void check_qr(const Check& check, const TensorArgument& a, bool complete, bool wants_q,
              const TensorArgument& q, const TensorArgument& r);

/// The triangle out whose product with its transpose is a.
void factor_cholesky(Plan& plan, const TensorArgument& a, bool upper, const TensorArgument& out);

/// a = u diag(values) v^H.
void factor_svd(Plan& plan, const TensorArgument& a, bool full, bool wants_vectors,
                const TensorArgument& values, const TensorArgument& u, const TensorArgument& v);

void check_svd(const Check& check, const TensorArgument& a, bool full, bool wants_vectors,
               const TensorArgument& values, const TensorArgument& u, const TensorArgument& v);

}  // namespace pyaclnn::sim
