// Tensors whose elements follow from their places: sequences, the unit matrix, triangles,
// diagonals.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Refuses a step of 0, or away from `end`; the numbers are compared as those of an output of this
/// type.
void check_steps(const Check& check, const ScalarIn& start, const ScalarIn& end,
                 const ScalarIn& step, const TensorArgument& out);
/// out[i] = start + i * step, in double precision or in 64-bit integers.
void arange(Plan& plan, const ScalarIn& start, const ScalarIn& step, const TensorArgument& out);

/// out[i] = start + i * (end - start) / (steps - 1); the last one is `end` itself.
void linspace(Plan& plan, const ScalarIn& start, const ScalarIn& end, const TensorArgument& out);

/// Ones on the diagonal of a matrix, zeros elsewhere.
void eye(Plan& plan, const TensorArgument& out);

/// Copies the elements of each matrix below (`lower`) or above a diagonal; the others become 0.
void triangle(Plan& plan, const TensorArgument& self, std::int64_t diagonal, bool lower,
              const TensorArgument& out);

/// Plans zeros for the diagonal of a matrix without elements.
void diagonal_of_nothing(Plan& plan, const TensorArgument& out);

/// A diagonal of the last two axes, as one axis in their place; `diagonal` counts from the main
/// one upwards.
View diagonal_view(const View& matrices, std::int64_t diagonal);

/// The shape of aclnnDiag's result: a matrix with a vector on its diagonal, or a matrix's diagonal.
Dims diag_shape(const Check& check, const Dims& shape, std::int64_t diagonal);
/// Whether `diagonal` lies just outside of a matrix: then CANN does nothing.
bool is_no_diagonal(const Dims& shape, std::int64_t diagonal);
void diag(Plan& plan, const TensorArgument& self, std::int64_t diagonal, const TensorArgument& out);

/// The shape of a matrix with all elements of a tensor on its diagonal.
Dims diag_flat_shape(const Check& check, const TensorArgument& self, std::int64_t diagonal);
void diag_flat(Plan& plan, const TensorArgument& self, std::int64_t diagonal,
               const TensorArgument& out);

/// Refuses a value that its tensor's type cannot hold, and tensors without a main diagonal.
void check_fill_diagonal(const Check& check, const TensorArgument& self, const ScalarIn& value);
/// Fills the main diagonal; with `wrap` it begins again in the row behind the last of a tall
/// matrix.
void fill_diagonal(Plan& plan, const TensorArgument& self, const ScalarIn& value, bool wrap);

/// Every element becomes that of a tensor of one.
void fill_with(Plan& plan, const TensorArgument& value, const TensorArgument& self);

}  // namespace pyaclnn::sim
