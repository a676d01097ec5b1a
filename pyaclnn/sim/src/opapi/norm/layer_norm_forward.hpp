// Layer normalisation as CANN's three operators of it have it.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

struct LayerNormTensors {
  const TensorArgument& input;
  const TensorArgument& weight;  // the others are optional, but out
  const TensorArgument& bias;
  const TensorArgument& out;
  const TensorArgument& mean;
  const TensorArgument& rstd;
};

/// Element types, then shapes: the last extents of input are `shape`.
void check_layer_norm(const Check& check, const LayerNormTensors& tensors,
                      const std::vector<std::int64_t>& shape, const DtypeSet& dtypes);

/// Refuses statistics of another shape than a value for each row, unless they are empty: the 950
/// does so at once, where other chips notice it when they copy.
void check_statistics(const Check& check, const LayerNormTensors& tensors, std::size_t normalized);

/// Refuses modes of computation that are none, and float16 alone for other types.
void check_impl_mode(const Check& check, const LayerNormTensors& tensors, std::int32_t mode);

/// `is_fast`: CANN does not cast the result to another type of out.
void layer_norm(Plan& plan, const LayerNormTensors& tensors, std::size_t normalized, double eps,
                bool is_fast);

/// The gradient's comparison, which starts and ends elsewhere: of input's extents from the second
/// `axis` on, and of none where as many axes are left as are normalised.
void check_normalized_loosely(const Check& check, const TensorArgument& input, const Dims& shape);

/// Whether there is a kernel for these. CANN does not look whether one was found.
bool has_layer_norm_kernel(const TensorArgument& input, const Dims& shape);

}  // namespace pyaclnn::sim
