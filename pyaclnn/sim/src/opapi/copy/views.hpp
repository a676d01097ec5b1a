// Operators that only move elements: copies between views of their operands.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Refuses `dims` that are no order of the dimensions of `self`.
void check_permutation(const Check& check, const TensorArgument& self,
                       const std::vector<std::int64_t>& dims);
/// The shape of self with its dimensions in that order.
Dims permuted_shape(const Dims& shape, const std::vector<std::int64_t>& dims);
void permute(Plan& plan, const TensorArgument& self, const std::vector<std::int64_t>& dims,
             const TensorArgument& out);

/// Turns the order of elements round along some dimensions, which must be different ones.
void flip(const Check& check, Plan& plan, const TensorArgument& self,
          const std::vector<std::int64_t>& dims, const TensorArgument& out);

/// self[start:end:step] along `dim`, as Python takes it; refuses what does not fit `out`.
struct SliceRange {
  std::size_t dim;
  std::int64_t start;
  std::int64_t step;
};
SliceRange check_slice(const Check& check, const TensorArgument& self, std::int64_t dim,
                       std::int64_t start, std::int64_t end, std::int64_t step,
                       const TensorArgument& out);
void slice(Plan& plan, const TensorArgument& self, const SliceRange& range,
           const TensorArgument& out);

/// The shape of self repeated; refuses fewer repeats than dimensions, and negative ones.
Dims repeated_shape(const Check& check, const TensorArgument& self,
                    const std::vector<std::int64_t>& repeats);
void repeat(Plan& plan, const TensorArgument& self, const std::vector<std::int64_t>& repeats,
            const TensorArgument& out);

}  // namespace pyaclnn::sim
