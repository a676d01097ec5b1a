// SPDX-License-Identifier: MIT
#include "opapi/copy/joined.hpp"

#include <algorithm>
#include <limits>

#include "objects/dtype.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/promote.hpp"
#include "opapi/copy/cast_via.hpp"

namespace pyaclnn::sim {
namespace {

/// Tensors that one of CANN's kernels joins; longer lists take several, with results in between.
std::size_t joined_at_once() { return on_950() ? 512 : 32; }

}  // namespace

Parts joined_parts(const Check& check, const TensorListIn& tensors) {
  Parts parts;
  for (const TensorArgument& tensor : tensors.tensors) {
    check.not_null(tensor);
    if (tensor.rank() != 1 || tensor.shape()[0] != 0) parts.push_back(&tensor);
  }
  return parts;
}

void check_joined_types(const Check& check, const DtypeSet& accepted, const Parts& parts) {
  for (const TensorArgument* part : parts) check.dtype_in(accepted, *part);
}

aclDataType joined_type(const Check& check, const Parts& parts) {
  aclDataType dtype = parts.front()->dtype();
  for (const TensorArgument* part : parts) {
    dtype = promote(part->dtype(), dtype);
    check.that(dtype != ACL_DT_UNDEFINED && dtype != ACL_COMPLEX128,
               "%s is %s, which has no supported type in common with the tensors before it",
               part->name(), dtype_name(part->dtype()));
  }
  return dtype;
}

void check_joined_formats(const Check& check, const Parts& parts, const TensorArgument& out) {
  for (const TensorArgument* part : parts) check_formats(check, *parts.front(), *part);
  check_formats(check, *parts.front(), out);
}

std::size_t joined_axis(const Check& check, const Parts& parts, std::int64_t dim) {
  check.rank_at_most(8, *parts.front());
  check.that(parts.front()->rank() > 0, "%s is a scalar, which has no dimension to join",
             parts.front()->name());
  return check.dim_of(*parts.front(), dim);
}

Dims joined_shape(const Check& check, const Parts& parts, std::size_t axis) {
  Dims shape = parts.front()->shape();
  std::int64_t extent = 0;
  for (const TensorArgument* part : parts) {
    check.that(part->rank() == shape.size(), "%s has %zu dimensions, %s has %zu", part->name(),
               part->rank(), parts.front()->name(), shape.size());
    for (std::size_t i = 0; i < shape.size(); ++i)
      check.that(i == axis || part->shape()[i] == shape[i],
                 "%s has shape %s, which differs from that of %s, %s, in dimension %zu",
                 part->name(), part->shape().text().c_str(), parts.front()->name(),
                 parts.front()->shape().text().c_str(), i);
    if (__builtin_add_overflow(extent, part->shape()[axis], &extent))
      extent = std::numeric_limits<std::int64_t>::max();
  }
  shape.set(axis, extent);
  return shape;
}

void join(const Check& check, Plan& plan, Parts parts, std::size_t axis, aclDataType dtype,
          const Dims& shape, const TensorArgument& out) {
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

}  // namespace pyaclnn::sim
