// Operators that give the elements of their operand another shape, or to several outputs.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// The shape `self` is expanded to; refuses extents that neither fit nor are 1 in self.
Dims expanded_shape(const Check& check, const TensorArgument& self,
                    const std::vector<std::int64_t>& size);
void expand(Plan& plan, const TensorArgument& self, const TensorArgument& out);

/// Two dimensions: the product of those before `axis`, and of the others.
Dims flattened_shape(const Check& check, const TensorArgument& self, std::int64_t axis);
void flatten(Plan& plan, const TensorArgument& self, const TensorArgument& out);

/// Turns round the order of group and place of the channels, which are dimension 1.
void channel_shuffle(Plan& plan, const TensorArgument& self, std::int64_t groups,
                     const TensorArgument& out);

/// self[starts:ends:steps] along several dimensions.
struct SliceRanges {
  std::vector<std::size_t> axes;
  std::vector<std::int64_t> starts;
  std::vector<std::int64_t> steps;
};
SliceRanges check_slices(const Check& check, const TensorArgument& self,
                         const std::vector<std::int64_t>& starts,
                         const std::vector<std::int64_t>& ends,
                         const std::vector<std::int64_t>& axes,
                         const std::vector<std::int64_t>& steps, const TensorArgument& out);
void slice(Plan& plan, const TensorArgument& self, const SliceRanges& ranges,
           const TensorArgument& out);

/// Every element so many times in a row, along an axis, or of all elements as one.
Dims interleaved_shape(const Check& check, const TensorArgument& self, std::int64_t repeats,
                       std::size_t axis);
Dims interleaved_shape(const Check& check, const TensorArgument& self, std::int64_t repeats);
void repeat_interleave(Plan& plan, const TensorArgument& self, std::int64_t repeats,
                       std::size_t axis, const TensorArgument& out);
void repeat_interleave(Plan& plan, const TensorArgument& self, std::int64_t repeats,
                       const TensorArgument& out);

/// Real and imaginary parts put together, and the real part taken.
void make_complex(Plan& plan, const TensorArgument& real, const TensorArgument& imaginary,
                  const TensorArgument& out);
void real_part(Plan& plan, const TensorArgument& self, const TensorArgument& out);
/// Magnitudes of complex32, in float32 as the 950 has them; what float16 does not hold is its most.
void magnitudes(Plan& plan, const TensorArgument& self, const TensorArgument& out);

/// Whether a complex type has parts of a real one.
bool are_parts(aclDataType real, aclDataType complex);

}  // namespace pyaclnn::sim
