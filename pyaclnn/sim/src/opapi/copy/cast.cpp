// SPDX-License-Identifier: MIT
#include "opapi/copy/cast.hpp"

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/check.hpp"
#include "opapi/common/complex.hpp"
#include "opapi/common/elementwise.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/copy/halves.hpp"
#include "opapi/copy/rows.hpp"
#include "opapi/copy/transpose.hpp"

namespace pyaclnn::sim {
namespace {

/// An element type that has the size of another: bits are copied as what they are.
aclDataType bits_of(aclDataType dtype) {
  switch (dtype_size(dtype)) {
    case 1:
      return ACL_INT8;
    case 2:
      return ACL_INT16;
    case 4:
      return ACL_INT32;
    case 8:
      return ACL_INT64;
    case 16:
      return ACL_COMPLEX128;
    default:
      return ACL_DT_UNDEFINED;
  }
}

/// Whether float32 has every value of an integer type, or CANN's kernel rounds to it on the way.
bool goes_through_float(aclDataType from, aclDataType to) {
  switch (to) {
    case ACL_FLOAT:
    case ACL_FLOAT16:
    case ACL_BF16:
      return is_integral(from);
    default:
      return false;
  }
}

bool is_complex(aclDataType dtype) { return dtype == ACL_COMPLEX64 || dtype == ACL_COMPLEX128; }

/// Loads and stores by way of values of type T.
template <class T>
void through(ElementwiseKernel& kernel) {
  kernel.store = storer<T>(kernel.views[0].dtype, Rounding::kTruncate);
  kernel.loads = {loader<T>(kernel.views[1].dtype)};
  kernel.compute_size = sizeof(T);
  kernel.compute_dtype = dtype_of<T>();
}

/// By way of integers as wide as an element of the output.
void through_bits(ElementwiseKernel& kernel) {
  aclDataType& dtype = kernel.views[0].dtype;
  dtype = bits_of(dtype);
  switch (dtype) {
    case ACL_INT8:
      return through<std::int8_t>(kernel);
    case ACL_INT16:
      return through<std::int16_t>(kernel);
    case ACL_INT32:
      return through<std::int32_t>(kernel);
    case ACL_INT64:
      return through<std::int64_t>(kernel);
    default:
      return through<Complex<double>>(kernel);
  }
}

void choose_values(ElementwiseKernel& kernel) {
  View& to = kernel.views[0];
  View& from = kernel.views[1];
  if (to.dtype == from.dtype) {
    from.dtype = bits_of(from.dtype);
    return through_bits(kernel);
  }
  if (const LoadFn load = integer_cast(from.dtype, to.dtype)) {
    through_bits(kernel);
    kernel.loads = {load};
    return;
  }
  if (is_complex(to.dtype) || is_complex(from.dtype)) return through<Complex<double>>(kernel);
  if (goes_through_float(from.dtype, to.dtype)) return through<float>(kernel);
  if (is_integral(from.dtype)) return through<std::int64_t>(kernel);
  if (from.dtype == ACL_DOUBLE) return through<double>(kernel);
  return through<float>(kernel);
}

}  // namespace

void launch_cast(Plan& plan, const View& out, const View& in) {
  ElementwiseKernel kernel;
  kernel.views = {out, broadcast_view(in, out.shape)};
  if (out.dtype == in.dtype &&
      (launch_transposed_copy(plan, out, kernel.views[1], dtype_size(out.dtype)) ||
       launch_row_copy(plan, out, kernel.views[1])))
    return;
  kernel.copies = true;
  choose_values(kernel);
  launch_elementwise(plan, std::move(kernel));
}

void cast(Plan& plan, const TensorArgument& in, aclDataType dtype, const TensorArgument& out) {
  if (is_half_byte(in.dtype()) || is_half_byte(dtype)) return cast_halves(plan, in, dtype, out);
  plan.stage(in).contiguous();
  // The cast is the kernel itself: what it gives goes to `out`, with nothing in between.
  plan.result(dtype, in.shape()).copy_to(out);
  launch_cast(plan, plan.writes(out), plan.reads(in));
}

void copy(Plan& plan, const TensorArgument& in, const TensorArgument& out) {
  plan.stage(in).contiguous().cast_to(out.dtype()).broadcast_to(out.shape());
  plan.result(out.dtype(), out.shape()).copy_to(out);
  launch_cast(plan, plan.writes(out), plan.reads(in));
}

}  // namespace pyaclnn::sim
