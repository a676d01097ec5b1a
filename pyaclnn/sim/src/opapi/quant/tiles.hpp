// Tiles of a matrix on their way into narrow numbers that share a scale: parts of rows, of columns,
// or rectangles.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "opapi/quant/rows.hpp"

namespace pyaclnn::sim {

/// What is stored of a tile's scale, and what its values are multiplied with, or divided by.
struct TileScale {
  float stored, factor;
};

/// The scale of a tile, from its largest magnitude, which is NaN where one of its values is.
using TileScaler = std::function<TileScale(float size)>;

/// Where scales go: a row of them for each row of values or for each band of tiles.
struct TileScales {
  RowMajor to;
  bool of_rows = false;     // a row of scales for each row
  bool of_columns = false;  // a scale for each column, not for each tile
  std::int64_t length = 0;  // of a row of scales
  float rest = 0;           // what is behind the last tile's
};

/// What becomes of all tiles of one size.
struct TileStore {
  std::int64_t height = 1, width = 1;
  TileScaler scale;
  bool divides = false;
  Round round = Round::kRint;
  QuantOut out;
  std::vector<TileScales> scales;
};

/// Matrices that lie behind one another. Bands of tiles begin anew with each group of rows, whose
/// scales leave room for as many bands as the groups before it can have.
struct TilesCall {
  std::int64_t matrices = 1, rows = 1, width = 1;
  std::int64_t height = 1;      // of a band; tiles of all stores have this height, or 1
  bool pairs = false;           // scales are there for an even number of bands
  std::int64_t scale_rows = 0;  // for the bands of a matrix
  RowSource source;
  std::vector<TileStore> stores;
  RowGroups groups;
};

/// Plans the tiles of all bands.
void quantise_tiles(Plan& plan, TilesCall call);

/// How the power of two is found that the numbers of a block share.
struct MxScale {
  aclDataType dtype;
  std::int64_t algorithm;  // 0: rounded down; 1 and 2: up, so that no number is too large
  float largest = 0;       // number, by algorithm 2; 0 for the type's
  float least = 0;         // magnitude, by algorithm 1
  /// Of what magnitudes become bfloat16 first, by algorithm 2: float16 is rounded, of float32 the
  /// upper half is left.
  aclDataType shortens = ACL_DT_UNDEFINED;
};
TileScaler mx_scaler(const MxScale& scale);

/// float8_e8m0's zero, which is what scales that no block has are.
extern const float kNoMxScale;

/// Scales of the blocks of rows, which follow one another in pairs.
TileScales row_scales(Plan& plan, const TensorArgument& scales, std::int64_t width,
                      std::int64_t block);

/// Scales of blocks along an axis that is not the last: those of `width` columns, and the two of a
/// pair beside one another.
TileScales column_scales(Plan& plan, const TensorArgument& scales, std::size_t axis,
                         std::int64_t width);

/// Blocks of a row, or of columns, with such scales; how they are found is left to say.
TileStore mx_of_rows(Plan& plan, const TensorArgument& y, const TensorArgument& scales,
                     std::int64_t width, std::int64_t block);
TileStore mx_of_columns(Plan& plan, const TensorArgument& y, const TensorArgument& scales,
                        std::size_t axis, std::int64_t width, std::int64_t block);

}  // namespace pyaclnn::sim
