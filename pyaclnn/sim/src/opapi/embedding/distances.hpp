// Distances between points, and how much boxes overlap.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Refuses an output that has not one number for each pair of rows.
void check_pairs(const Check& check, const TensorArgument& self, const TensorArgument& out);

/// Plans out = the p-norms of the differences of rows i < j, in their order.
void pair_distances(Plan& plan, const TensorArgument& self, float p, const TensorArgument& out);

/// Refuses what are no boxes, and overlaps of another kind.
void check_boxes(const Check& check, const TensorArgument& boxes, const TensorArgument& others,
                 bool aligned, const TensorArgument& out);

/// Plans out = the part that boxes have in common, of both or of the other. Sides are longer by
/// eps. `aligned` boxes are compared one by one, else each with each.
void overlaps(Plan& plan, const TensorArgument& boxes, const TensorArgument& others, bool of_both,
              float eps, bool aligned, const TensorArgument& out);

}  // namespace pyaclnn::sim
