// SPDX-License-Identifier: MIT
#include "opapi/attention/block_cache.hpp"

#include "objects/dtype.hpp"
#include "opapi/common/kernel_checks.hpp"

namespace pyaclnn::sim {

std::int64_t fractal_lane(aclDataType dtype) {
  constexpr std::int64_t kBytes = 32;
  const auto size = static_cast<std::int64_t>(dtype_size(dtype));
  return size == 0 ? 2 * kBytes : kBytes / size;  // of four bits
}

bool has_gaps_in_blocks(const View& cache) {
  const Dims dense = contiguous_strides(cache.shape);
  for (std::size_t axis = 1; axis < cache.shape.size(); ++axis)
    if (cache.shape[axis] != 1 && cache.strides[axis] != dense[axis]) return true;
  return false;
}

View block_rows(const Plan& plan, const View& cache, BlockLayout layout, std::int64_t tokens,
                std::int64_t heads, std::int64_t depth) {
  View view = cache;
  const Dims& strides = cache.strides;
  if (layout == BlockLayout::kFractals) {
    const std::int64_t lane = fractal_lane(cache.dtype);
    view.shape = {cache.shape[0], tokens, heads, depth / lane, lane};
    const std::size_t rank = cache.shape.size();
    // [blocks, heads, depth / lane, tokens, lane], or the middle axes as one. Caches of another
    // shape have fractals for contents, one behind the other.
    if (cache.shape[rank - 1] != lane || cache.shape[rank - 2] != tokens) {
      check_tiling(plan, !has_gaps_in_blocks(cache),
                   "a cache has gaps beyond its first axis, and fractals for contents");
      view.strides = {strides[0], lane, depth * tokens, tokens * lane, 1};
      return view;
    }
    const std::int64_t column = strides[rank - 3];
    const std::int64_t head = rank == 5 ? strides[1] : depth / lane * column;
    view.strides = {strides[0], strides[rank - 2], head, column, strides[rank - 1]};
    return view;
  }
  const bool tokens_first = layout == BlockLayout::kTokens;
  view.shape = {cache.shape[0], tokens, heads, 1, depth};
  view.strides = {strides[0], strides[tokens_first ? 1 : 2], strides[tokens_first ? 2 : 1], 0,
                  strides[3]};
  return view;
}

}  // namespace pyaclnn::sim
