// Gradients of look-ups, masks, sums over groups and distances between points, without the checks
// that the table has.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Refuses a gradient that has no row for each index, and an output that is not `rows` such.
void check_embedding_dense_gradient(const Check& check, const TensorArgument& grad,
                                    const TensorArgument& indices, std::uint64_t rows,
                                    const TensorArgument& out);
/// The p of a scale: 1 - 1 / scale, or 1 where that is 0.
double dropped_share(double scale);
void check_dropout_mask(const Check& check, const TensorArgument& grad, const TensorArgument& mask);
/// out = bit of mask ? grad / (1 - p) : 0. A p of 0 copies the gradient and one of 1 gives zeros,
/// whatever the mask is. Element i of the flattened gradient has bit i % 8 of byte i / 8.
void dropout_gradient(Plan& plan, const TensorArgument& grad, const TensorArgument& mask, double p,
                      const TensorArgument& out);
/// out = bit of mask ? grad scale : 0, for any scale.
void dropout_v3_gradient(Plan& plan, const TensorArgument& grad, const TensorArgument& mask,
                         double scale, const TensorArgument& out);

/// [..., points of x1, points of x2, coordinates]
Dims pairs_shape(const Check& check, const TensorArgument& x1, const TensorArgument& x2);
/// out[i] = sum over j of grad[i, j] d |d|^(p - 2) / cdist[i, j]^(p - 1) with d = x1[i] - x2[j].
/// For p 1 this is sign(d), for 0 it is 0, and for infinity, also written -1, the gradient goes to
/// the coordinates of the largest difference. Points at distance 0 and coordinates that are equal
/// have no gradient.
void cdist_gradient(Plan& plan, const Dims& pairs, const TensorArgument& grad,
                    const TensorArgument& x1, const TensorArgument& x2, const TensorArgument& cdist,
                    float p, const TensorArgument& out);

void check_exp_segsum_gradient(const Check& check, const TensorArgument& grad,
                               const TensorArgument& value, const TensorArgument& out);
/// out[k] = sum over i >= k, j < k of grad[i, j] value[i, j], where value is the forward operator's
/// result: the part below the diagonal, summed by columns from below and then by rows.
void exp_segsum_gradient(Plan& plan, const TensorArgument& grad, const TensorArgument& value,
                         const TensorArgument& out);

void check_grouped_bias_gradient(const Check& check, const TensorArgument& grad,
                                 const TensorArgument& groups, const TensorArgument& out);
/// out[g] = sum of the rows of grad in group g; `groups` says where each group ends, or how large
/// it is. Without it grad has a dimension for the groups. Ends beyond grad are taken for its end,
/// which CANN does not define.
void grouped_bias_gradient(Plan& plan, const TensorArgument& grad, const TensorArgument& groups,
                           bool are_sizes, const TensorArgument& out);

}  // namespace pyaclnn::sim
