// Slices that are added to or that replace others, where each operator has demands of its own.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// aclnnIndexAdd: source has the shape of self but along `dim`, where it has as many slices as
/// index has numbers.
std::size_t check_index_add(const Check& check, const TensorArgument& self, std::int64_t dim,
                            const TensorArgument& index, const TensorArgument& source,
                            const TensorArgument& out);
/// out = self, the slices at these numbers plus alpha times those of source; alpha may be null.
void index_add(Plan& plan, const TensorArgument& self, std::size_t axis,
               const TensorArgument& index, const TensorArgument& source, const ScalarIn* alpha,
               const TensorArgument& out);
/// 561103 for what the faster way of aclnnIndexAddV2 does not do.
void check_fast_index_add(const Plan& plan, const TensorArgument& self, std::int64_t dim);

/// aclnnInplacePut: elements of self as if it had one dimension, replaced or added to.
void put(Plan& plan, const TensorArgument& self, const TensorArgument& index,
         const TensorArgument& source, bool accumulate);

/// aclnnInplaceScatterUpdate: of each batch a block along `axis` that begins at a number.
void scatter_update(Plan& plan, const TensorArgument& data, const TensorArgument& indices,
                    const TensorArgument& updates, std::int64_t axis);

}  // namespace pyaclnn::sim
