// SPDX-License-Identifier: MIT
#include "opapi/copy/lists.hpp"

#include <algorithm>
#include <limits>

#include "objects/dtype.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/fill.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/narrow_numbers.hpp"
#include "opapi/common/one_element.hpp"
#include "opapi/common/promote.hpp"
#include "opapi/copy/cast.hpp"
#include "opapi/copy/cast_via.hpp"
#include "opapi/copy/halves.hpp"

namespace pyaclnn::sim {
namespace {

/// Tensors that one of CANN's kernels joins; longer lists take several, with results in between.
std::size_t joined_at_once() { return on_950() ? 512 : 32; }

bool is_narrow(aclDataType dtype) { return NarrowFormat::of(dtype) != nullptr; }

/// The kernel writes elements of 4 bits two by two.
void check_pairs(const Plan& plan, const Parts& parts, std::size_t axis, aclDataType dtype) {
  for (const TensorArgument* part : parts)
    check_tiling_inside(plan, !is_float4(dtype) || part->shape().product(axis) % 2 == 0,
                        "%s has shape %s: what lies behind one another must be even in number",
                        part->name(), part->shape().text().c_str());
}

void join_halves(Plan& plan, const Parts& parts, std::size_t axis, const TensorArgument& out) {
  const auto is_alike = [&](const TensorArgument* part) {
    return part->dtype() == out.dtype() && are_dense_halves(*part);
  };
  if (!are_dense_halves(out) || !std::all_of(parts.begin(), parts.end(), is_alike))
    fail_not_simulated(plan, "float4 with gaps, or beside other types");
  View place = bytes_of_halves(plan.writes(out), axis);
  for (const TensorArgument* part : parts) {
    const View from = bytes_of_halves(plan.reads(*part), axis);
    place.shape = from.shape;
    launch_cast(plan, place, from);
    place.offset += from.shape[axis];
  }
}

/// Rows of the first dimension that make a chunk.
std::int64_t rows_of_chunk(const TensorArgument& tensor, std::int64_t chunks) {
  const std::int64_t rows = tensor.shape()[0];
  return rows / chunks + (rows % chunks != 0 ? 1 : 0);
}

/// `rows` of a view from `first` on, and their place in a matrix: those of one chunk lie in a row.
void copy_chunks(Plan& plan, const View& matrix, std::int64_t row, std::int64_t column,
                 const View& tensor, std::int64_t first, std::int64_t chunks, std::int64_t rows) {
  View from = tensor;
  from.offset += first * tensor.strides[0];
  from.shape = {chunks, rows};
  from.strides = {rows * tensor.strides[0], tensor.strides[0]};
  Dims part = {rows};
  for (std::size_t i = 1; i < tensor.shape.size(); ++i) {
    from.shape.push_back(tensor.shape[i]);
    from.strides.push_back(tensor.strides[i]);
    part.push_back(tensor.shape[i]);
  }
  View to = matrix;
  to.offset += row * matrix.strides[0] + column * matrix.strides[1];
  to.shape = from.shape;
  to.strides = {matrix.strides[0]};
  for (std::int64_t step : contiguous_strides(part)) to.strides.push_back(step * matrix.strides[1]);
  launch_cast(plan, to, from);
}

}  // namespace

aclDataType listed_type(const Check& check, const TensorListIn& tensors) {
  check.that(!tensors.tensors.empty(), "tensors is empty");
  aclDataType dtype = tensors.tensors.front().dtype();
  for (const TensorArgument& tensor : tensors.tensors) {
    dtype = promote(tensor.dtype(), dtype);
    check.that(dtype != ACL_DT_UNDEFINED, "%s has no type in common with the tensors before it",
               tensor.name());
  }
  return dtype;
}

Dims stacked_shape(const Check& check, const TensorListIn& tensors, std::int64_t dim) {
  const TensorArgument& first = tensors.tensors.front();
  check.rank_at_most(8, first);
  const auto rank = std::int64_t(first.rank());
  check.that(dim >= -rank - 1 && dim <= rank, "dim is %lld, it must be from %lld to %lld",
             static_cast<long long>(dim), static_cast<long long>(-rank - 1),
             static_cast<long long>(rank));
  for (const TensorArgument& tensor : tensors.tensors) check.same_shape(first, tensor);
  const auto axis = std::size_t(dim < 0 ? dim + rank + 1 : dim);
  Dims shape;
  for (std::size_t i = 0; i <= first.rank(); ++i) {
    if (i == axis) shape.push_back(std::int64_t(tensors.tensors.size()));
    if (i < first.rank()) shape.push_back(first.shape()[i]);
  }
  return shape;
}

void stack(Plan& plan, const TensorListIn& tensors, std::int64_t dim, const Dims& shape,
           aclDataType dtype, const TensorArgument& out) {
  const std::size_t rank = tensors.tensors.front().rank();
  const auto axis = std::size_t(dim < 0 ? dim + std::int64_t(rank) + 1 : dim);
  for (const TensorArgument& tensor : tensors.tensors)
    plan.stage(tensor).contiguous().cast_to(dtype);
  plan.result(dtype, out.shape()).cast_to(out.dtype()).copy_to(out);
  const View whole = shaped(plan.writes(out), shape);
  View part = whole;
  part.shape = part.strides = Dims();
  for (std::size_t i = 0; i <= rank; ++i) {
    if (i == axis) continue;
    part.shape.push_back(whole.shape[i]);
    part.strides.push_back(whole.strides[i]);
  }
  for (const TensorArgument& tensor : tensors.tensors) {
    launch_cast_via(plan, part, plan.reads(tensor), dtype);
    part.offset += whole.strides[axis];
  }
}

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
    const bool beyond = is_narrow(part->dtype()) || is_narrow(dtype);
    dtype = beyond && part->dtype() != dtype ? ACL_FLOAT : promote(part->dtype(), dtype);
    check.that(dtype != ACL_DT_UNDEFINED && dtype != ACL_COMPLEX128,
               "%s is %s, which has no supported type in common with the tensors before it",
               part->name(), dtype_name(part->dtype()));
  }
  return dtype;
}

void check_joined_castable(const Check& check, aclDataType dtype, const TensorArgument& out) {
  const auto as_known = [](aclDataType type) { return is_narrow(type) ? ACL_FLOAT : type; };
  check.that(can_cast(as_known(dtype), as_known(out.dtype())),
             "the result is %s and can't be cast to the desired output type %s of %s",
             dtype_name(dtype), dtype_name(out.dtype()), out.name());
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
    StagedInput only = plan.stage(*parts.front());
    only.contiguous();
    check_pairs(plan, parts, axis, dtype);
    only.cast_to(out.dtype());
    plan.result(out.dtype(), parts.front()->shape()).copy_to(out);
  } else {
    for (const TensorArgument* part : parts) plan.stage(*part).contiguous().cast_to(dtype);
    check_pairs(plan, parts, axis, dtype);
    check.shape_is(out, shape, "the tensors joined");
    for (std::size_t left = parts.size(); left > joined_at_once(); left -= joined_at_once() - 1)
      plan.reserve(out.elements(), dtype);
    plan.result(dtype, shape).cast_to(out.dtype()).copy_to(out);
  }
  if (is_float4(out.dtype()) || std::any_of(parts.begin(), parts.end(), [](const auto* part) {
        return is_float4(part->dtype());
      }))
    return join_halves(plan, parts, axis, out);
  View place = plan.writes(out);
  for (const TensorArgument* part : parts) {
    place.shape = part->shape();
    View from = plan.reads(*part);
    if (part->dtype() == ACL_COMPLEX64 && dtype == ACL_FLOAT) {
      const TensorArgument real = plan.scratch("real parts", ACL_FLOAT, part->shape());
      launch_cast(plan, plan.writes(real), from);
      from = plan.reads(real);
    }
    launch_cast_via(plan, place, from, dtype);
    place.offset += part->shape()[axis] * place.strides[axis];
  }
}

std::vector<std::int64_t> equal_parts(const Check& check, const TensorArgument& self,
                                      std::uint64_t sections, std::size_t axis) {
  const std::int64_t extent = self.shape()[axis];
  check.that((extent == 0) == (sections == 0),
             "splitSections is %llu, the dimension has %lld places",
             static_cast<unsigned long long>(sections), static_cast<long long>(extent));
  std::vector<std::int64_t> parts;
  constexpr std::int64_t kMost = 1 << 20;
  const auto each = std::int64_t(
      std::min<std::uint64_t>(sections, std::uint64_t(std::numeric_limits<std::int64_t>::max())));
  check.that(each == 0 || extent / each < kMost, "splitSections of %lld makes too many parts",
             static_cast<long long>(each));
  for (std::int64_t left = extent; left > 0; left -= each) parts.push_back(std::min(left, each));
  return parts;
}

void check_parts(const Check& check, const TensorArgument& self,
                 const std::vector<std::int64_t>& parts, std::size_t axis,
                 const TensorListIn& out) {
  std::int64_t sum = 0;
  for (std::int64_t part : parts)
    check.that(part >= 0 && !__builtin_add_overflow(sum, part, &sum),
               "splitSize has %lld, which is no number of places", static_cast<long long>(part));
  check.that(sum == self.shape()[axis], "splitSize adds up to %lld, the dimension has %lld places",
             static_cast<long long>(sum), static_cast<long long>(self.shape()[axis]));
  check.that(parts.size() == out.tensors.size(), "splitSize has %zu numbers, out %zu tensors",
             parts.size(), out.tensors.size());
}

void split(const Check& check, Plan& plan, const TensorArgument& self,
           const std::vector<std::int64_t>& parts, std::size_t axis, bool is_whole,
           const TensorListIn& out) {
  check.that(parts.size() <= out.tensors.size(), "there are %zu parts, out has %zu tensors",
             parts.size(), out.tensors.size());
  plan.stage(self).contiguous();
  View from = plan.reads(self);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const TensorArgument& part = out.tensors[i];
    from.shape.set(axis, parts[i]);
    if (!is_whole) check_same_or_one(check, part, from.shape);
    plan.result(self.dtype(), copied_shape(from.shape, part)).cast_to(part.dtype()).copy_to(part);
    if (!part.is_empty()) launch_cast(plan, shaped(plan.writes(part), from.shape), from);
    from.offset += parts[i] * from.strides[axis];
  }
}

Dims chunked_shape(const Check& check, const Plan& plan, const TensorListIn& tensors,
                   std::int64_t chunks) {
  check_tiling_inside(plan, chunks > 0, "numChunks is %lld, it must be above 0",
                      static_cast<long long>(chunks));
  std::int64_t columns = 0;
  for (const TensorArgument& tensor : tensors.tensors) {
    Dims chunk = tensor.shape();
    chunk.set(0, rows_of_chunk(tensor, chunks));
    check.that(!__builtin_add_overflow(columns, chunk.product(), &columns),
               "the chunks together are larger than any memory");
  }
  return {chunks, columns};
}

void chunk_cat(Plan& plan, const TensorListIn& tensors, std::int64_t chunks,
               const TensorArgument& out) {
  constexpr std::size_t kAtOnce = 512;
  bool has_gaps = false;
  std::size_t count = 0;
  for (const TensorArgument& tensor : tensors.tensors) {
    if (tensor.is_empty()) continue;
    plan.stage(tensor).contiguous();
    has_gaps = has_gaps || tensor.shape()[0] % chunks != 0;
    ++count;
  }
  // Of more tensors the parts are joined, and these again.
  if (count > kAtOnce) plan.reserve(out.elements(), out.dtype());
  plan.result(out.dtype(), out.shape()).copy_to(out);
  if (has_gaps) launch_zero(plan, out);
  const View matrix = shaped(plan.writes(out), {chunks, out.elements() / chunks});
  std::int64_t column = 0;
  for (const TensorArgument& tensor : tensors.tensors) {
    if (tensor.is_empty()) continue;
    const View from = plan.reads(tensor);
    const std::int64_t rows = rows_of_chunk(tensor, chunks);
    const std::int64_t whole = tensor.shape()[0] / rows;
    const std::int64_t left = tensor.shape()[0] % rows;
    copy_chunks(plan, matrix, 0, column, from, 0, whole, rows);
    if (left > 0) copy_chunks(plan, matrix, whole, column, from, whole * rows, 1, left);
    column += tensor.elements() / tensor.shape()[0] * rows;
  }
}

}  // namespace pyaclnn::sim
