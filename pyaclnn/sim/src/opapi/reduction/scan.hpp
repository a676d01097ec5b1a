// Running sums, products and extrema along an axis.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

enum class Scan { kSum, kProduct };

struct ScanOptions {
  bool exclusive = false;  // without the element itself
  bool reverse = false;    // from the end
};

/// Plans out = running sums or products of in along `axis`, computed in the type of out: float32
/// and narrower ones in double precision, integers modulo 2^64.
void launch_scan(Plan& plan, Scan kind, const View& out, const View& in, std::size_t axis,
                 ScanOptions options);

/// The same with what CANN needs as workspace: self is cast to the type of out before.
void scan(Plan& plan, Scan kind, const TensorArgument& self, std::size_t axis,
          const TensorArgument& out, ScanOptions options = {});

/// The axis that an aclScalar names; refuses one that the tensor does not have.
std::size_t axis_of(const Check& check, const TensorArgument& self, const ScalarIn& dim);

/// Running extrema and where they were last found. NaN beats every number from its place on.
void running_extremum(Plan& plan, bool largest, const TensorArgument& self, std::size_t axis,
                      const TensorArgument& values, const TensorArgument& indices);

}  // namespace pyaclnn::sim
