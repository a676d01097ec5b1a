// SPDX-License-Identifier: MIT
#include "opapi/common/channel_views.hpp"

namespace pyaclnn::sim {

Dims split_channels(const Dims& shape, const Dims& channels) {
  Dims result;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i != 1) {
      result.push_back(shape[i]);
    } else {
      for (std::int64_t extent : channels) result.push_back(extent);
    }
  }
  return result;
}

View split_view(const View& view, const Dims& channels) {
  View result = view;
  result.shape = split_channels(view.shape, channels);
  result.strides = Dims();
  const Dims steps = contiguous_strides(channels);
  for (std::size_t i = 0; i < view.shape.size(); ++i) {
    if (i != 1) {
      result.strides.push_back(view.strides[i]);
    } else {
      for (std::int64_t step : steps) result.strides.push_back(step * view.strides[1]);
    }
  }
  return result;
}

View channel_view(const View& view, std::size_t rank, const Dims& channels) {
  View result = view;
  result.shape = channels;
  if (view.shape.size() != channels.size()) {
    // One dimension, which the channels divide.
    const std::int64_t step = view.strides.empty() ? 1 : view.strides.back();
    result.strides = contiguous_strides(channels);
    for (std::size_t i = 0; i < channels.size(); ++i)
      result.strides.set(i, result.strides[i] * step);
  }
  for (std::size_t i = 2; i < rank; ++i) {
    result.shape.push_back(1);
    result.strides.push_back(1);
  }
  return result;
}

View single_view(const View& view) {
  View result = view;
  result.shape = Dims();
  result.strides = Dims();
  return result;
}

}  // namespace pyaclnn::sim
