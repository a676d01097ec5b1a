// SPDX-License-Identifier: MIT
#include "opapi/common/reduction_walk.hpp"

#include <cstdlib>

#include "core/checked.hpp"

namespace pyaclnn::sim {

AxisMask axis_mask(const Check& check, const TensorArgument& tensor,
                   const std::vector<std::int64_t>& dims, bool repeated) {
  check.rank_at_most(Dims::kCapacity, tensor);  // there is a bit for each
  AxisMask mask = 0;
  for (std::int64_t dim : dims) {
    const AxisMask bit = AxisMask(1) << check.dim_of(tensor, dim);
    check.that(repeated || (mask & bit) == 0, "dimension %lld is named twice",
               static_cast<long long>(dim));
    mask |= bit;
  }
  return dims.empty() ? ~AxisMask(0) : mask;
}

AxisMask axes_unless_none(const Check& check, const TensorArgument& tensor, const IntArrayIn& dims,
                          bool none, bool repeated) {
  return none && dims.values().empty() ? 0 : axis_mask(check, tensor, dims.values(), repeated);
}

void check_dims(const Check& check, const TensorArgument& tensor,
                const std::vector<std::int64_t>& dims) {
  for (const std::int64_t dim : dims) check.dim_of(tensor, dim);
}

Dims reduced_shape(const Dims& shape, AxisMask axes, bool keep) {
  Dims result;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const bool reduced = ((axes >> i) & 1) != 0;
    if (!reduced || keep) result.push_back(reduced ? 1 : shape[i]);
  }
  return result;
}

void AxisGroup::add(std::int64_t extent, std::int64_t stride) {
  // Extents beside one of 0 may have any product.
  count = (Checked(count) * extent).saturated();
  if (extent == 1) return;
  // An axis that goes on where the next one begins is one with it.
  if (!extents.empty() && strides.back() == stride * extent) {
    extents.back() = (Checked(extents.back()) * extent).saturated();
    strides.back() = stride;
    return;
  }
  extents.push_back(extent);
  strides.push_back(stride);
}

std::int64_t AxisGroup::at(std::int64_t position) const {
  if (extents.empty()) return 0;
  std::int64_t offset = 0;
  // Of the outermost axis it is what is left: a division takes as long as to add a short run.
  for (std::size_t i = extents.size() - 1; i > 0; --i) {
    offset += position % extents[i] * strides[i];
    position /= extents[i];
  }
  return offset + position * strides[0];
}

bool AxisGroup::is_even() const {
  std::int64_t inner = -1;
  std::int64_t step = 0;
  for (std::size_t i = extents.size(); i-- > 0;) {
    if (extents[i] == 1) continue;
    if (inner >= 0 && strides[i] != step * inner) return false;
    inner = extents[i];
    step = strides[i];
  }
  return true;
}

std::int64_t AxisGroup::even_step() const {
  for (std::size_t i = extents.size(); i-- > 0;)
    if (extents[i] != 1) return strides[i];
  return 0;
}

ReductionWalk::ReductionWalk(const View& in, AxisMask axes) {
  const std::size_t rank = in.shape.size();
  const auto is_reduced = [&](std::size_t axis) { return ((axes >> axis) & 1) != 0; };
  std::size_t run = rank;
  for (std::size_t i = 0; i < rank; ++i) {
    if (in.shape[i] == 1) continue;
    if (run == rank || std::llabs(in.strides[i]) <= std::llabs(in.strides[run])) run = i;
  }
  if (run < rank) {
    length = in.shape[run];
    step = in.strides[run];
    run_is_reduced = is_reduced(run);
  }
  // Where the kept axes lie in a row-major result.
  std::vector<std::int64_t> places(rank, 0);
  std::int64_t place = 1;
  for (std::size_t i = rank; i-- > 0;) {
    if (is_reduced(i)) continue;
    places[i] = place;
    place *= in.shape[i];
  }
  if (run < rank && !run_is_reduced) run_place = places[run];
  for (std::size_t i = 0; i < rank; ++i) {
    if (i == run) continue;
    if (is_reduced(i)) {
      reduced.add(in.shape[i], in.strides[i]);
    } else {
      // Both keep the same axes, so that a position is the same in both.
      kept.extents.push_back(in.shape[i]);
      kept.strides.push_back(in.strides[i]);
      kept.count *= in.shape[i];
      kept_in_result.extents.push_back(in.shape[i]);
      kept_in_result.strides.push_back(places[i]);
      kept_in_result.count *= in.shape[i];
    }
  }
}

void ReductionWalk::lengthen_run() {
  auto& [extents, strides, count] = reduced;
  while (run_is_reduced && !extents.empty() && extents.back() != 0 &&
         strides.back() == step * length) {
    length *= extents.back();
    count /= extents.back();
    extents.pop_back();
    strides.pop_back();
  }
}

}  // namespace pyaclnn::sim
