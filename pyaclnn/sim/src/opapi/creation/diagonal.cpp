// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "objects/dtype.hpp"
#include "opapi/common/fill.hpp"
#include "opapi/common/one_element.hpp"
#include "opapi/copy/cast.hpp"
#include "opapi/creation/creation.hpp"
#include "opapi/pointwise/formulas.hpp"

namespace pyaclnn::sim {
namespace {

/// Rows skipped above a diagonal, and columns left of it.
std::int64_t rows_above(std::int64_t diagonal) { return diagonal < 0 ? -diagonal : 0; }
std::int64_t columns_left(std::int64_t diagonal) { return std::max<std::int64_t>(diagonal, 0); }

std::int64_t diagonal_length(std::int64_t rows, std::int64_t columns, std::int64_t diagonal) {
  return std::min(rows - rows_above(diagonal), columns - columns_left(diagonal));
}

void check_diagonal(const Check& check, std::int64_t diagonal) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  check.that(diagonal >= -kMost && diagonal <= kMost, "diagonal is %lld, which no matrix has",
             static_cast<long long>(diagonal));
}

/// A square matrix with so many elements on a diagonal.
Dims square_shape(const Check& check, std::int64_t length, std::int64_t diagonal) {
  check_diagonal(check, diagonal);
  check.that(length <= std::numeric_limits<std::int32_t>::max(),
             "%lld elements make a matrix that is larger than any memory",
             static_cast<long long>(length));
  const std::int64_t side = length + std::llabs(diagonal);
  return {side, side};
}

template <class T>
bool holds(double value) {
  return value >= double(std::numeric_limits<T>::min()) &&
         value <= double(std::numeric_limits<T>::max());
}

/// Whether a number has a place in a type; infinities and NaN do among floating point numbers.
bool fits(const ScalarIn& number, aclDataType dtype) {
  const double value = number->to_double();
  const auto within = [&](double most) {
    return !std::isfinite(value) || std::fabs(value) <= most;
  };
  switch (dtype) {
    case ACL_FLOAT:
      return within(std::numeric_limits<float>::max());
    case ACL_FLOAT16:
      return within(65504);
    case ACL_INT8:
      return holds<std::int8_t>(value);
    case ACL_INT16:
      return holds<std::int16_t>(value);
    case ACL_INT32:
      return holds<std::int32_t>(value);
    case ACL_UINT8:
      return holds<std::uint8_t>(value);
    case ACL_INT64:
      return value >= -0x1p63 && value < 0x1p63;
    default:
      return true;
  }
}

}  // namespace

View diagonal_view(const View& matrices, std::int64_t diagonal) {
  const std::size_t rank = matrices.shape.size();
  View view = matrices;
  view.shape = view.strides = Dims();
  for (std::size_t i = 0; i + 2 < rank; ++i) {
    view.shape.push_back(matrices.shape[i]);
    view.strides.push_back(matrices.strides[i]);
  }
  const std::int64_t length =
      diagonal_length(matrices.shape[rank - 2], matrices.shape[rank - 1], diagonal);
  view.shape.push_back(std::max<std::int64_t>(length, 0));
  view.strides.push_back(matrices.strides[rank - 2] + matrices.strides[rank - 1]);
  if (length > 0)
    view.offset += rows_above(diagonal) * matrices.strides[rank - 2] +
                   columns_left(diagonal) * matrices.strides[rank - 1];
  return view;
}

Dims diag_shape(const Check& check, const Dims& shape, std::int64_t diagonal) {
  if (shape.size() < 2) return square_shape(check, shape.product(), diagonal);
  check_diagonal(check, diagonal);
  const std::int64_t length = diagonal_length(shape[0], shape[1], diagonal);
  check.that(length >= 0, "diagonal is %lld, a matrix of shape %s has none there",
             static_cast<long long>(diagonal), shape.text().c_str());
  return {length};
}

void diagonal_of_nothing(Plan& plan, const TensorArgument& out) {
  plan.result(out.dtype(), out.shape()).copy_to(out);
  launch_zero(plan, out);
}

bool is_no_diagonal(const Dims& shape, std::int64_t diagonal) {
  return shape.size() == 2 &&
         ((diagonal > 0 && shape[1] == diagonal) || (diagonal < 0 && diagonal == -shape[0]));
}

void diag(Plan& plan, const TensorArgument& self, std::int64_t diagonal,
          const TensorArgument& out) {
  if (self.rank() < 2) return diag_flat(plan, self, diagonal, out);
  plan.stage(self).contiguous();
  plan.result(self.dtype(), out.shape()).copy_to(out);
  const View from = diagonal_view(plan.reads(self), diagonal);
  launch_cast(plan, shaped(plan.writes(out), from.shape), from);
}

Dims diag_flat_shape(const Check& check, const TensorArgument& self, std::int64_t diagonal) {
  return square_shape(check, self.elements(), diagonal);
}

void diag_flat(Plan& plan, const TensorArgument& self, std::int64_t diagonal,
               const TensorArgument& out) {
  plan.stage(self).contiguous();
  plan.result(self.dtype(), out.shape()).cast_to(out.dtype()).copy_to(out);
  launch_zero(plan, out);
  // The diagonal, with as many axes as self.
  View to = diagonal_view(shaped(plan.writes(out), {1, 1}), diagonal);
  const std::int64_t step = to.strides.back();
  to.shape = self.shape();
  to.strides = contiguous_strides(self.shape());
  for (std::size_t i = 0; i < to.strides.size(); ++i) to.strides.set(i, to.strides[i] * step);
  launch_cast(plan, to, plan.reads(self));
}

void check_fill_diagonal(const Check& check, const TensorArgument& self, const ScalarIn& value) {
  check.that(self.rank() >= 2, "selfRef has %zu dimensions, it must have two or more", self.rank());
  for (std::size_t i = 1; i < self.rank() && self.rank() > 2; ++i)
    check.that(self.shape()[i] == self.shape()[0],
               "selfRef has shape %s: with more than two dimensions all must have one extent",
               self.shape().text().c_str());
  check.that(value->imaginary() == 0 && value->dtype() != ACL_COMPLEX64 &&
                 value->dtype() != ACL_COMPLEX128,
             "fillValue is complex");
  check.that(fits(value, self.dtype()), "fillValue is %g, which %s cannot hold", value->to_double(),
             dtype_name(self.dtype()));
}

void fill_diagonal(Plan& plan, const TensorArgument& self, const ScalarIn& value, bool wrap) {
  plan.stage(self).contiguous();
  plan.result(self.dtype(), self.shape()).copy_to(self);
  View view = plan.writes(self);
  const Dims shape = view.shape;
  const Dims strides = view.strides;
  std::int64_t step = 0;
  for (std::int64_t stride : strides) step += stride;
  const auto fill = [&](std::int64_t begin, const Dims& extents, const Dims& steps) {
    View part = view;
    part.offset += begin;
    part.shape = extents;
    part.strides = steps;
    if (extents.product() > 0)
      launch_pointwise(plan, formulas::fill, self.dtype(), self.dtype(), part, {}, {Number(value)});
  };
  const std::int64_t columns = shape[1];
  if (!wrap || shape.size() > 2 || shape[0] <= columns) {
    fill(0, {*std::min_element(shape.begin(), shape.end())}, {step});
    return;
  }
  // A row is left out behind each full diagonal.
  const std::int64_t whole = shape[0] / (columns + 1);
  const std::int64_t behind = whole * (columns + 1);
  fill(0, {whole, columns}, {(columns + 1) * strides[0], step});
  fill(behind * strides[0], {std::min(shape[0] - behind, columns)}, {step});
}

}  // namespace pyaclnn::sim
