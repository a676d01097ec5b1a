// Operators that take elements or slices by their numbers.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// aclnnGather: out has the shape of index, which nowhere but along `dim` exceeds self.
std::size_t check_gather(const Check& check, const TensorArgument& self, std::int64_t dim,
                         const TensorArgument& index, const TensorArgument& out);
void gather(Plan& plan, const TensorArgument& self, std::size_t axis, const TensorArgument& index,
            const TensorArgument& out);

/// Refuses an output whose first extents are not those of the indices.
void check_embedded(const Check& check, const TensorArgument& indices, const TensorArgument& out);

/// aclnnGatherV2 and its like: the shape of self with that of index in the place of an axis.
Dims taken_shape(const TensorArgument& self, std::size_t axis, const TensorArgument& index);
/// Numbers below 0 count from the end where `wraps`.
void take_slices(Plan& plan, const TensorArgument& self, std::size_t axis,
                 const TensorArgument& index, const TensorArgument& out, bool wraps);

/// aclnnIndexSelect refuses a dimension, an index of more than one dimension and an output that do
/// not fit.
std::size_t check_index_select(const Check& check, const TensorArgument& self, std::int64_t dim,
                               const TensorArgument& index, const TensorArgument& out);

/// aclnnGatherV3: the axes of index behind those of its batches in the place of an axis. Only the
/// 950 has batches; the others take slices of the first axis, in mode 1. Returns how many batch
/// axes there are.
std::size_t check_batches(const Check& check, const TensorArgument& self, std::size_t axis,
                          std::int64_t dim, const TensorArgument& index, std::int64_t batch_dims,
                          std::int64_t mode, const TensorArgument& out);
void take_batches(Plan& plan, const TensorArgument& self, std::size_t axis,
                  const TensorArgument& index, std::size_t batch, const TensorArgument& out);

/// aclnnTake: elements of self as if it had one dimension.
void take(Plan& plan, const TensorArgument& self, const TensorArgument& index,
          const TensorArgument& out);

}  // namespace pyaclnn::sim
