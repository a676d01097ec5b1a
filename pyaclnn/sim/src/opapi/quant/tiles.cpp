// SPDX-License-Identifier: MIT
#include "opapi/quant/tiles.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include "core/thread_pool.hpp"
#include "opapi/common/cpu.hpp"
#include "opapi/common/round_stored.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGrain = 16384;  // elements worth a hand-over to another thread
constexpr int kBias = 127;
constexpr int kSpecial = 255;  // the exponent of what is no number
constexpr std::uint32_t kMagnitude = 0x7FFFFFFF;

/// Rows that have scales together, and which row of scales these are. One without rows has scales
/// that no block has.
struct Band {
  std::int64_t row, rows, group, scale_row;
};

/// The largest magnitude of each tile, as bits: those of NaN are the largest of all.
struct LargestLoop {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const std::uint32_t* bits, std::int64_t rows,
                                    std::int64_t width, std::int64_t tile, std::uint32_t* found) {
    for (std::int64_t row = 0; row < rows; ++row, bits += width) {
      if (tile == 1) {
        SIM_INDEPENDENT_ITERATIONS
        for (std::int64_t i = 0; i < width; ++i)
          found[i] = std::max(found[i], bits[i] & kMagnitude);
        continue;
      }
      for (std::int64_t at = 0, t = 0; at < width; at += tile, ++t) {
        const std::int64_t end = std::min(width, at + tile);
        std::uint32_t most = found[t];
        for (std::int64_t i = at; i < end; ++i) most = std::max(most, bits[i] & kMagnitude);
        found[t] = most;
      }
    }
  }
};

void find_largest(const float* values, std::int64_t rows, std::int64_t width, std::int64_t tile,
                  float* found, std::int64_t tiles) {
  std::fill_n(found, tiles, 0.0f);
  loop_for_cpu<LargestLoop, const std::uint32_t*, std::int64_t, std::int64_t, std::int64_t,
               std::uint32_t*>()(reinterpret_cast<const std::uint32_t*>(values), rows, width, tile,
                                 reinterpret_cast<std::uint32_t*>(found));
}

/// The buffers of one thread.
struct Room {
  std::vector<float> made, values, found, stored, row;
};

void store_tiles(const TileStore& store, const KernelMemory& memory, const Band& band,
                 std::int64_t width, float* values, Room& room) {
  const std::int64_t tiles = (width + store.width - 1) / store.width;
  room.found.resize(std::size_t(tiles));
  room.stored.resize(std::size_t(tiles));
  for (std::int64_t first = 0; first == 0 || first < band.rows; first += store.height) {
    const std::int64_t rows = std::min(store.height, band.rows - first);
    float* const from = values + first * width;
    find_largest(from, rows, width, store.width, room.found.data(), tiles);
    for (std::int64_t t = 0; t < tiles; ++t) {
      const TileScale scale = store.scale(room.found[std::size_t(t)]);
      room.stored[std::size_t(t)] = scale.stored;
      room.found[std::size_t(t)] = scale.factor;
    }
    for (std::int64_t row = 0; row < rows; ++row) {
      float* const to = from + row * width;
      for (std::int64_t at = 0, t = 0; at < width; at += store.width, ++t) {
        const float factor = room.found[std::size_t(t)];
        const std::int64_t end = std::min(width, at + store.width);
        for (std::int64_t i = at; i < end; ++i)
          to[i] = store.divides ? to[i] / factor : to[i] * factor;
      }
    }
    if (rows > 0)
      store.out.write(memory, (band.row + first) * width, rows * width, from, store.round);
    for (const TileScales& scales : store.scales) {
      room.row.assign(std::size_t(scales.length), scales.rest);
      for (std::int64_t i = 0; i < std::min(scales.length, scales.of_columns ? width : tiles); ++i)
        room.row[std::size_t(i)] =
            room.stored[std::size_t(scales.of_columns ? i / store.width : i)];
      const RowMajorAccess access(scales.to, memory);
      const std::int64_t begin = scales.of_rows ? band.row + first : band.scale_row;
      for (std::int64_t i = 0; i < (scales.of_rows ? rows : 1); ++i)
        access.write((begin + i) * scales.length, scales.length, room.row.data());
    }
  }
}

std::vector<Band> bands_of(const TilesCall& call, const KernelMemory& memory) {
  std::vector<std::int64_t> ends{call.rows};
  if (call.groups.given()) ends = call.groups.ends(memory, call.rows);
  const std::int64_t unit = call.pairs ? 2 : 1;
  std::vector<Band> bands;
  for (std::int64_t matrix = 0; matrix < call.matrices; ++matrix) {
    std::int64_t start = 0;
    for (std::size_t group = 0; group < ends.size(); ++group) {
      const std::int64_t rows = ends[group] - start;
      const std::int64_t own = (rows + call.height - 1) / call.height;
      const std::int64_t scales =
          matrix * call.scale_rows + unit * (start / (unit * call.height) + std::int64_t(group));
      for (std::int64_t i = 0; i < (own + unit - 1) / unit * unit; ++i) {
        const std::int64_t at = std::min(i * call.height, rows);
        bands.push_back({matrix * call.rows + start + at, std::min(call.height, rows - at),
                         std::int64_t(group), scales + i});
      }
      start = ends[group];
    }
  }
  return bands;
}

std::uint32_t bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

constexpr std::uint32_t kFraction = 0x7FFFFF;
int exponent_of(float value) { return int(bits_of(value) >> 23 & 0xFF); }

int largest_exponent(aclDataType dtype) {
  return dtype == ACL_FLOAT8_E4M3FN ? 8
         : dtype == ACL_FLOAT8_E5M2 ? 15
         : dtype == ACL_FLOAT4_E2M1 ? 2
                                    : 0;
}

/// The exponent of size / largest, with its bias, rounded up.
int rounded_up(float size, float inverse_largest, bool small_too) {
  constexpr std::uint32_t kHalf = 0x400000;
  const float scale = size * inverse_largest;
  const int exponent = exponent_of(scale);
  const std::uint32_t fraction = bits_of(scale) & kFraction;
  const bool up = exponent == 0 ? small_too && fraction > kHalf : exponent < 254 && fraction > 0;
  return exponent + up;
}

TileScale power(int exponent) {
  return {std::ldexp(1.0f, exponent - kBias), std::ldexp(1.0f, kBias - exponent)};
}

/// The exponent by algorithm 2 where the largest number is 6 or 7: one more than that of the size,
/// less the type's, where the size is beyond a power of two times 1.5 or 1.75.
int past_midpoint(std::uint32_t size, bool seven) {
  constexpr std::uint32_t kSix = 0x3FFFFF, kSeven = 0x1FFFFF;
  return int((size + (seven ? kSeven : kSix)) >> 23) - 2;
}

/// The view of scales in pairs with the two of a pair before the axes behind theirs.
View blocks_in_rows(View view, std::size_t axis) {
  std::vector<std::int64_t> shape(view.shape.begin(), view.shape.end());
  std::vector<std::int64_t> strides(view.strides.begin(), view.strides.end());
  for (std::vector<std::int64_t>* of : {&shape, &strides})
    std::rotate(of->begin() + std::ptrdiff_t(axis) + 1, of->end() - 1, of->end());
  view.shape = Dims(shape.data(), shape.size());
  view.strides = Dims(strides.data(), strides.size());
  return view;
}

}  // namespace

const float kNoMxScale = std::ldexp(1.0f, -kBias);

void quantise_tiles(Plan& plan, TilesCall call) {
  const auto shared = std::make_shared<const TilesCall>(std::move(call));
  plan.launch([shared](const KernelMemory& memory) {
    const TilesCall& c = *shared;
    const std::vector<Band> bands = bands_of(c, memory);
    const std::int64_t in_band = std::max<std::int64_t>(1, c.height * c.width);
    parallel_for(std::int64_t(bands.size()), std::max<std::int64_t>(1, kGrain / in_band),
                 [&](std::int64_t begin, std::int64_t end) {
                   Room room;
                   room.made.resize(std::size_t(in_band));
                   for (std::int64_t b = begin; b < end; ++b) {
                     const Band& band = bands[std::size_t(b)];
                     for (std::int64_t row = 0; row < band.rows; ++row)
                       c.source(memory, {band.row + row, band.group, c.width},
                                room.made.data() + row * c.width);
                     for (std::size_t k = 0; k < c.stores.size(); ++k) {
                       const bool keeps = k + 1 < c.stores.size();
                       if (keeps) room.values = room.made;
                       store_tiles(c.stores[k], memory, band, c.width,
                                   keeps ? room.values.data() : room.made.data(), room);
                     }
                   }
                 });
  });
}

TileScaler mx_scaler(const MxScale& given) {
  const MxScale how = given;
  const float largest = how.algorithm == 1 ? largest_quantised(how.dtype)
                        : how.largest == 0 ? 6
                                           : how.largest;
  const float inverse = 1 / largest;
  const bool midpoint = how.algorithm == 2 && (largest == 6 || largest == 7);
  const std::uint32_t kept = how.shortens == ACL_FLOAT ? 0xFFFF0000 : ~0U;
  return [how, largest, inverse, midpoint, kept](float size) -> TileScale {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    if (how.algorithm == 1 && how.least > 0 && size < how.least) size = how.least;
    if (midpoint && how.shortens == ACL_FLOAT16) round_as_stored(&size, 1, ACL_BF16);
    if (!std::isfinite(size)) return {kNan, kNan};
    // What is below the smallest that a kernel tells from 0 becomes that.
    if (midpoint) {
      const int exponent =
          exponent_of(size) < 2 ? 0 : past_midpoint(bits_of(size) & kept, largest == 7);
      return exponent == 0 ? TileScale{kNoMxScale, 0} : power(exponent);
    }
    if (how.algorithm == 2)
      return size == 0 ? TileScale{kNoMxScale, 0} : power(rounded_up(size, inverse, false));
    if (exponent_of(size) == 0) return {kNoMxScale, 0};
    if (how.algorithm == 1) return power(rounded_up(size, inverse, true));
    return power(std::max(0, exponent_of(size) - largest_exponent(how.dtype)));
  };
}

TileStore mx_of_rows(Plan& plan, const TensorArgument& y, const TensorArgument& scales,
                     std::int64_t width, std::int64_t block) {
  TileStore store;
  store.width = block;
  store.out = QuantOut(plan, y);
  store.scales.push_back(row_scales(plan, scales, width, block));
  return store;
}

TileStore mx_of_columns(Plan& plan, const TensorArgument& y, const TensorArgument& scales,
                        std::size_t axis, std::int64_t width, std::int64_t block) {
  TileStore store;
  store.height = block;
  store.out = QuantOut(plan, y);
  store.scales.push_back(column_scales(plan, scales, axis, width));
  return store;
}

TileScales column_scales(Plan& plan, const TensorArgument& scales, std::size_t axis,
                         std::int64_t width) {
  return {RowMajor(blocks_in_rows(plan.writes(scales), axis)), false, true, width, kNoMxScale};
}

TileScales row_scales(Plan& plan, const TensorArgument& scales, std::int64_t width,
                      std::int64_t block) {
  const std::int64_t pairs = width / (2 * block) + (width % (2 * block) != 0);
  return {RowMajor(plan.writes(scales)), true, false, 2 * pairs, kNoMxScale};
}

}  // namespace pyaclnn::sim
