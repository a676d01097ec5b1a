// Places of numbers in sorted ones, and whether a number is among others.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// aclnnSearchSorted: sequence is one, or has the leading extents of self.
void check_search(const Check& check, const TensorArgument& sequence, const TensorArgument& self,
                  const TensorArgument& out, const TensorArgument& sorter);

/// Before which element of the last axis of sequence each number of self is to be inserted: the
/// first that is not smaller, or, if `right`, the first that is larger. Both are compared as
/// `type`; NaN is larger than every number. sorter, which need not be given, says the order of
/// sequence.
void search(Plan& plan, aclDataType type, const TensorArgument& sequence,
            const TensorArgument& self, bool right, const TensorArgument* sorter,
            const TensorArgument& out);
/// The same of one number, which is cast to the type of sequence, into the first place of out.
void search_number(Plan& plan, const TensorArgument& sequence, const ScalarIn& number, bool right,
                   const TensorArgument& sorter, const TensorArgument& out);

/// aclnnBucketize: the type in which a tensor and boundaries are compared.
aclDataType bucket_type(const Check& check, const TensorArgument& self,
                        const TensorArgument& boundaries);
/// 561000 on every chip but the 950.
void check_buckets_exist(const Check& check);

/// aclnnIsInScalarTensor and aclnnIsInTensorScalar: what is compared as.
aclDataType scalar_among_type(const Check& check, const ScalarIn& number,
                              const TensorArgument& tensor);
aclDataType among_scalar_type(const Check& check, const TensorArgument& tensor,
                              const ScalarIn& number);
/// out = for each element whether it is the number, or, as a scalar, whether any is; or the
/// opposite.
void is_in(Plan& plan, aclDataType type, const TensorArgument& tensor, const ScalarIn& number,
           bool invert, const TensorArgument& out, bool any);

}  // namespace pyaclnn::sim
