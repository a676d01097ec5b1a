// Views of a tensor and of a weight for each of its channels, dimension 1.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/view.hpp"

namespace pyaclnn::sim {

/// The weight's extents in the place of dimension 1, so that a weight of any shape and strides is
/// aligned with the channels it belongs to.
Dims split_channels(const Dims& shape, const Dims& channels);
View split_view(const View& view, const Dims& channels);

/// One value for each channel, as a view that broadcasts to `split_channels(shape, channels)`.
View channel_view(const View& view, std::size_t rank, const Dims& channels);

/// The first element, for all.
View single_view(const View& view);

}  // namespace pyaclnn::sim
