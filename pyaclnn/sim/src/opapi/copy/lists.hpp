// Tensors made of lists of tensors, and taken apart into them.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// The type all tensors of a list have in common; refuses where there is none, or no tensor.
aclDataType listed_type(const Check& check, const TensorListIn& tensors);

/// The shape with a new dimension for the number of the tensor.
Dims stacked_shape(const Check& check, const TensorListIn& tensors, std::int64_t dim);

/// Writes the tensors side by side along this dimension of `shape`.
void stack(Plan& plan, const TensorListIn& tensors, std::int64_t dim, const Dims& shape,
           aclDataType dtype, const TensorArgument& out);

using Parts = std::vector<const TensorArgument*>;

/// The tensors of a list that count: one of shape (0,) joins any others, as with PyTorch. Refuses
/// null.
Parts joined_parts(const Check& check, const TensorListIn& tensors);
void check_joined_types(const Check& check, const DtypeSet& accepted, const Parts& parts);
/// The type all have in common; refuses where there is none, or complex128. CANN's table of common
/// types ends before those of 8 and 4 bits, which are float32 beside any other.
aclDataType joined_type(const Check& check, const Parts& parts);
/// Refuses an output that is of no more general kind than the result.
void check_joined_castable(const Check& check, aclDataType dtype, const TensorArgument& out);
void check_joined_formats(const Check& check, const Parts& parts, const TensorArgument& out);
std::size_t joined_axis(const Check& check, const Parts& parts, std::int64_t dim);
/// The shape of the result, all parts being alike but in `axis`.
Dims joined_shape(const Check& check, const Parts& parts, std::size_t axis);

/// Plans out = the parts, one behind the other along `axis`.
void join(const Check& check, Plan& plan, Parts parts, std::size_t axis, aclDataType dtype,
          const Dims& shape, const TensorArgument& out);

/// Parts of `sections` places each, the last of what is left.
std::vector<std::int64_t> equal_parts(const Check& check, const TensorArgument& self,
                                      std::uint64_t sections, std::size_t axis);
/// Refuses parts that are not all of an axis, in number or in sum.
void check_parts(const Check& check, const TensorArgument& self,
                 const std::vector<std::int64_t>& parts, std::size_t axis, const TensorListIn& out);
/// `is_whole` where CANN copies the only part, which notices a wrong shape by itself.
void split(const Check& check, Plan& plan, const TensorArgument& self,
           const std::vector<std::int64_t>& parts, std::size_t axis, bool is_whole,
           const TensorListIn& out);

/// The shape of tensors that are cut into `chunks` along their first dimension each, whose chunks
/// are rows, one behind the other; refuses 561103 what makes no chunks. Empty tensors do not count.
Dims chunked_shape(const Check& check, const Plan& plan, const TensorListIn& tensors,
                   std::int64_t chunks);
/// What lacks of the last chunks of a tensor is 0.
void chunk_cat(Plan& plan, const TensorListIn& tensors, std::int64_t chunks,
               const TensorArgument& out);

}  // namespace pyaclnn::sim
