// Grouped products of floats of a byte, or half of one, on the 950.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/moe/grouped_matmul.hpp"

namespace pyaclnn::sim {

/// Whether x and the weight are such floats, of one width.
bool multiplies_narrow_floats(const GroupedProducts& products);

/// Refuses what such products do not have, once ranks and depths are known to fit.
void check_narrow_floats(const Check& check, const GroupedProducts& products);

void grouped_narrow_floats(Plan& plan, const GroupedProducts& products);

/// What scales of groups of the depth are of: rows and columns, blocks that share an exponent, or
/// tiles.
enum class DepthScales { kPlain, kBlocks, kTiles };

void grouped_depth_floats(Plan& plan, const GroupedProducts& products, DepthScales kind);

}  // namespace pyaclnn::sim
