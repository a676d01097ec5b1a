// SPDX-License-Identifier: MIT
#include "opapi/attention/block_cache.hpp"

#include "objects/dtype.hpp"

namespace pyaclnn::sim {

std::int64_t fractal_lane(aclDataType dtype) {
  constexpr std::int64_t kBytes = 32;
  return kBytes / static_cast<std::int64_t>(dtype_size(dtype));
}

View block_rows(const View& cache, BlockLayout layout, std::int64_t tokens, std::int64_t heads,
                std::int64_t depth) {
  View view = cache;
  const Dims& strides = cache.strides;
  if (layout == BlockLayout::kFractals) {
    const std::int64_t lane = fractal_lane(cache.dtype);
    view.shape = {cache.shape[0], tokens, heads, depth / lane, lane};
    // [blocks, heads, depth / lane, tokens, lane], or the middle axes as one.
    const bool is_deep = cache.shape.size() == 5;
    const std::size_t column = is_deep ? 2 : 1;
    const std::int64_t head = is_deep ? strides[1] : depth / lane * strides[column];
    view.strides = {strides[0], strides[column + 1], head, strides[column], strides[column + 2]};
    return view;
  }
  const bool tokens_first = layout == BlockLayout::kTokens;
  view.shape = {cache.shape[0], tokens, heads, 1, depth};
  view.strides = {strides[0], strides[tokens_first ? 1 : 2], strides[tokens_first ? 2 : 1], 0,
                  strides[3]};
  return view;
}

}  // namespace pyaclnn::sim
