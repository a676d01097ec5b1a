// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_cat.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "objects/dtype.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/common/promote.hpp"
#include "opapi/copy/cast_via.hpp"

using namespace pyaclnn::sim;

namespace {

/// Tensors that one of CANN's kernels joins; longer lists take several, with results in between.
std::size_t joined_at_once() { return on_950() ? 512 : 32; }

using Parts = std::vector<const TensorArgument*>;

/// The shape of the result, all parts being alike but in `dim`.
Dims joined_shape(const Check& check, const Parts& parts, std::size_t dim) {
  Dims shape = parts.front()->shape();
  std::int64_t extent = 0;
  for (const TensorArgument* part : parts) {
    check.that(part->rank() == shape.size(), "%s has %zu dimensions, %s has %zu", part->name(),
               part->rank(), parts.front()->name(), shape.size());
    for (std::size_t i = 0; i < shape.size(); ++i)
      check.that(i == dim || part->shape()[i] == shape[i],
                 "%s has shape %s, which differs from that of %s, %s, in dimension %zu",
                 part->name(), part->shape().text().c_str(), parts.front()->name(),
                 parts.front()->shape().text().c_str(), i);
    if (__builtin_add_overflow(extent, part->shape()[dim], &extent))
      extent = std::numeric_limits<std::int64_t>::max();
  }
  shape.set(dim, extent);
  return shape;
}

}  // namespace

// out = the tensors, one behind the other in dimension dim.
OPERATOR(Cat, (TensorListIn, tensors), (Int, dim), (Out, out)) {
  check.not_null(tensors);
  // A tensor of shape (0,) joins any others; so it is with PyTorch.
  Parts parts;
  for (const TensorArgument& tensor : tensors.tensors) {
    check.not_null(tensor);
    if (tensor.rank() != 1 || tensor.shape()[0] != 0) parts.push_back(&tensor);
  }
  if (parts.empty()) return;
  check.not_null(out);
  const DtypeSet accepted = DtypeSet{ACL_FLOAT, ACL_INT32, ACL_INT64,  ACL_FLOAT16,   ACL_INT16,
                                     ACL_INT8,  ACL_UINT8, ACL_DOUBLE, ACL_COMPLEX64, ACL_BOOL}
                                .with_bf16();
  for (const TensorArgument* part : parts) check.dtype_in(accepted, *part);
  check.dtype_in(accepted, out);
  aclDataType dtype = parts.front()->dtype();
  for (const TensorArgument* part : parts) {
    dtype = promote(part->dtype(), dtype);
    check.that(dtype != ACL_DT_UNDEFINED && dtype != ACL_COMPLEX128,
               "%s is %s, which has no supported type in common with the tensors before it",
               part->name(), dtype_name(part->dtype()));
  }
  check_castable(check, dtype, out);
  for (const TensorArgument* part : parts) check_formats(check, *parts.front(), *part);
  check_formats(check, *parts.front(), out);
  check.rank_at_most(8, *parts.front());
  check.that(parts.front()->rank() > 0, "%s is a scalar, which has no dimension to join",
             parts.front()->name());
  const std::size_t axis = check.dim_of(*parts.front(), dim);
  const Dims shape = joined_shape(check, parts, axis);
  parts.erase(std::remove_if(parts.begin(), parts.end(),
                             [](const TensorArgument* part) { return part->is_empty(); }),
              parts.end());
  if (parts.empty()) return;
  if (parts.size() == 1) {
    plan.stage(*parts.front()).contiguous().cast_to(out.dtype());
    plan.result(out.dtype(), parts.front()->shape()).copy_to(out);
  } else {
    for (const TensorArgument* part : parts) plan.stage(*part).contiguous().cast_to(dtype);
    check.shape_is(out, shape, "the tensors joined");
    for (std::size_t left = parts.size(); left > joined_at_once(); left -= joined_at_once() - 1)
      plan.reserve(out.elements(), dtype);
    plan.result(dtype, shape).cast_to(out.dtype()).copy_to(out);
  }
  View place = plan.writes(out);
  for (const TensorArgument* part : parts) {
    place.shape = part->shape();
    launch_cast_via(plan, place, plan.reads(*part), dtype);
    place.offset += part->shape()[axis] * place.strides[axis];
  }
}
