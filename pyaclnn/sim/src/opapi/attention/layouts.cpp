// SPDX-License-Identifier: MIT
#include "opapi/attention/layouts.hpp"

namespace pyaclnn::sim {

std::size_t rank_of_layout(const std::string& layout) {
  if (layout == "BSH" || layout == "SBH" || layout == "TND") return 3;
  return layout == "BSND" || layout == "BNSD" ? 4 : 0;
}

View by_heads(const View& view, const std::string& layout, std::int64_t heads) {
  const Dims& shape = view.shape;
  const Dims& strides = view.strides;
  View result = view;
  if (layout == "BSH" || layout == "SBH") {
    const std::size_t batch = layout == "BSH" ? 0 : 1;
    const std::int64_t depth = shape[2] / heads;
    result.shape = {shape[batch], heads, shape[1 - batch], depth};
    result.strides = {strides[batch], strides[2] * depth, strides[1 - batch], strides[2]};
  } else if (layout == "TND") {
    result.shape = {1, shape[1], shape[0], shape[2]};
    result.strides = {0, strides[1], strides[0], strides[2]};
  } else if (layout == "BSND") {
    result.shape = {shape[0], shape[2], shape[1], shape[3]};
    result.strides = {strides[0], strides[2], strides[1], strides[3]};
  }
  return result;
}

}  // namespace pyaclnn::sim
