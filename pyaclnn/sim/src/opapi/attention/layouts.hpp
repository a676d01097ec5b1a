// Tensors of attention in the layouts that CANN names, as [batch, heads, rows, depth].
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "opapi/common/view.hpp"

namespace pyaclnn::sim {

/// How many dimensions a layout has; 0 for one that is unknown.
std::size_t rank_of_layout(const std::string& layout);

/// A tensor of that rank in BSH, SBH, BSND, BNSD or TND, of which H holds `heads` heads. Sequences
/// of TND are in one batch.
View by_heads(const View& view, const std::string& layout, std::int64_t heads);

}  // namespace pyaclnn::sim
