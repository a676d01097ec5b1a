// What is written for the registers of a processor against the plain arithmetic: conversions bit
// for bit, tiles of products and transposition in whole numbers. Prints a line for what fails.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>

#include "objects/half.hpp"
#include "opapi/common/convert_wide.hpp"
#include "opapi/common/cpu.hpp"
#include "opapi/convolution/shifted_tiles.hpp"
#include "opapi/product/matrix.hpp"
#include "opapi/product/packed_product.hpp"
#include "opapi/product/pairs.hpp"

using namespace pyaclnn::sim;

namespace {

bool failed(const char* what) {
  std::printf("%s differs\n", what);
  return true;
}

#if SIM_HAS_AVX2_PATH || SIM_HAS_NEON_CONVERSIONS

constexpr std::uint32_t kAll = 1u << 16;

bool check_loads(const char* what, wide::FromBits load, float (*truth)(std::uint16_t)) {
  std::vector<std::uint16_t> bits(kAll);
  for (std::uint32_t i = 0; i < kAll; ++i) bits[i] = std::uint16_t(i);
  std::vector<float> got(kAll);
  if (load(bits.data(), kAll, got.data()) != kAll) return failed(what);
  for (std::uint32_t i = 0; i < kAll; ++i) {
    if (float_bits(got[i]) != float_bits(truth(bits[i]))) return failed(what);
  }
  return false;
}

/// Values of all signs and exponents, the quiet and the signalling NaNs among them, and with each
/// of the lower halves that decide how it is rounded.
bool check_stores(const char* what, wide::ToBits store, std::uint16_t (*truth)(float)) {
  std::vector<float> values(kAll);
  std::vector<std::uint16_t> got(kAll);
  for (std::uint32_t low :
       {0x0000u, 0x0001u, 0x0FFFu, 0x1000u, 0x1001u, 0x7FFFu, 0x8000u, 0xFFFFu}) {
    for (std::uint32_t i = 0; i < kAll; ++i) values[i] = float_from_bits(i << 16 | low);
    if (store(values.data(), kAll, got.data()) != kAll) return failed(what);
    for (std::uint32_t i = 0; i < kAll; ++i) {
      if (got[i] != truth(values[i])) return failed(what);
    }
  }
  return false;
}

/// Values of all exponents, and those between and at the halves of small numbers.
template <class T>
bool check_integers(const char* what, wide::ToIntegers<T> convert, double (*whole)(double)) {
  if (convert == nullptr) return false;
  using Limits = std::numeric_limits<T>;
  std::vector<float> values(kAll);
  std::vector<T> got(kAll);
  for (bool small : {false, true}) {
    for (std::uint32_t i = 0; i < kAll; ++i)
      values[i] = small ? (float(i) - 0x1p15f) / 64 : float_from_bits(i << 16 | 0x8001u);
    if (convert(values.data(), kAll, got.data()) != kAll) return failed(what);
    for (std::uint32_t i = 0; i < kAll; ++i) {
      const double value = std::isnan(values[i]) ? 0 : whole(double(values[i]));
      const double inside = std::clamp(value, double(Limits::min()), double(Limits::max()));
      if (got[i] != static_cast<T>(inside)) return failed(what);
    }
  }
  return false;
}

/// Those that fit into 32 bits; it ends at the register where one does not.
bool check_int64s(wide::ToIntegers<std::int64_t> convert) {
  if (convert == nullptr) return false;
  const char* what = "float to int64";
  std::vector<float> values(kAll);
  std::vector<std::int64_t> got(kAll);
  for (float by : {0x1p-6f, 0x1p16f}) {
    for (std::uint32_t i = 0; i < kAll; ++i) values[i] = (float(i) - 0x1p15f) * by;
    values[5] = std::numeric_limits<float>::quiet_NaN();
    if (convert(values.data(), kAll, got.data()) != kAll) return failed(what);
    for (std::uint32_t i = 0; i < kAll; ++i) {
      const double whole = std::isnan(values[i]) ? 0 : std::trunc(double(values[i]));
      if (got[i] != static_cast<std::int64_t>(whole)) return failed(what);
    }
    for (float far : {0x1p31f, -0x1.000002p31f, std::numeric_limits<float>::infinity()}) {
      values[100] = far;
      if (convert(values.data(), kAll, got.data()) != 96) return failed(what);
    }
  }
  return false;
}

bool check_conversions() {
  if (SIM_HAS_AVX2_PATH && cpu_isa() != Isa::kAvx2) return false;
  bool any = check_loads("float16 to float", wide::load_halves, half_to_float);
  any |= check_loads("bfloat16 to float", wide::load_bfloat16s, bfloat16_to_float);
  any |= check_stores("float to float16", wide::store_halves, float_to_half);
  any |= check_integers("float to int32", wide::truncate_to_int32s, std::trunc);
  any |= check_integers("float to int8", wide::truncate_to_int8s, std::trunc);
  any |= check_integers("float to uint8", wide::truncate_to_uint8s, std::trunc);
  any |= check_int64s(wide::truncate_to_int64s);
  any |= check_integers("float rounded to int8", wide::round_to_int8s, std::nearbyint);
  any |= check_stores("float to bfloat16", wide::store_bfloat16s, float_to_bfloat16);
  return any;
}

#else

bool check_conversions() { return false; }

#endif

bool check_tiles() {
  const TileProducts& tiles = TileProducts::of_this_cpu();
  const ShiftedProducts* shifted = shifted_products();
  const std::int64_t columns = tiles.columns();
  constexpr std::int64_t kTerms = 200;
  FloatBuffer a(tiles.rows * kDepth);
  FloatBuffer b(kDepth * columns);
  FloatBuffer tile(TileProducts::kMostElements);
  for (std::int64_t i = 0; i < tiles.rows * kDepth; ++i) a.data()[i] = float(i % 7 - 3);
  for (std::int64_t i = 0; i < kDepth * columns; ++i) b.data()[i] = float(i % 5 - 2);
  // Its lines, the last one first.
  std::vector<std::int64_t> offsets;
  for (std::int64_t k = kDepth; k-- > 0;) offsets.push_back(k * columns);

  const auto is_right = [&](std::int64_t rows, std::int64_t width, bool reversed) {
    for (std::int64_t at = 0; at < rows * width; ++at) {
      float sum = 0;
      for (std::int64_t k = 0; k < kTerms; ++k) {
        const std::int64_t line = reversed ? kDepth - 1 - k : k;
        sum += a.data()[at / width * kDepth + k] * b.data()[line * columns + at % width];
      }
      if (tile.data()[at] != sum) return false;
    }
    return true;
  };
  for (std::int64_t i = 0; i < TileProducts::kVectors; ++i) {
    for (const bool half : {false, true}) {
      const std::int64_t rows = half ? tiles.rows / 2 : tiles.rows;
      const std::int64_t width = (i + 1) * tiles.lanes;
      (half ? tiles.half : tiles.whole)[i](a.data(), kDepth, b.data(), columns, kTerms,
                                           tile.data());
      if (!is_right(rows, width, false)) return failed("a tile of a product");
      if (shifted == nullptr) continue;
      (half ? shifted->half : shifted->whole)[i](a.data(), b.data(), offsets.data(), kTerms,
                                                 tile.data());
      if (!is_right(rows, width, true)) return failed("a tile of a shifted product");
    }
  }
  // Small numbers are pairs of a zero and themselves.
  const TileProducts* pairs = pair_products();
  for (std::int64_t i = 0; i < TileProducts::kVectors; ++i) {
    const std::int64_t width = (i + 1) * tiles.lanes;
    if (shifted == nullptr) continue;
    shifted->single[i](a.data(), b.data(), offsets.data(), kTerms, tile.data());
    if (!is_right(1, width, true)) return failed("a row of a shifted product");
    if (pairs == nullptr) continue;
    pairs->whole[i](a.data(), kDepth, b.data(), columns, kTerms, tile.data());
    if (!is_right(pairs->rows, width, false)) return failed("a tile of pairs");
    shifted_pair_products()->whole[i](a.data(), b.data(), offsets.data(), kTerms, tile.data());
    if (!is_right(pairs->rows, width, true)) return failed("a tile of shifted pairs");
  }
  return false;
}

/// Products added to part of a matrix, whose other elements stay, by a left operand as it is and
/// turned.
bool check_sums() {
  const TileProducts& tiles = TileProducts::of_this_cpu();
  constexpr std::int64_t kRows = 13;
  constexpr std::int64_t kColumns = 53;
  constexpr std::int64_t kTerms = 21;
  constexpr std::int64_t kStep = 64;
  FloatBuffer a(kStep * kDepth);
  FloatBuffer turned(kDepth * kStep);
  FloatBuffer b(kDepth * kStep);
  for (std::int64_t i = 0; i < kRows; ++i) {
    for (std::int64_t k = 0; k < kTerms; ++k)
      a.data()[i * kDepth + k] = turned.data()[k * kStep + i] = float((i + 2 * k) % 7 - 3);
  }
  for (std::int64_t i = 0; i < kTerms * kStep; ++i) b.data()[i] = float(i % 5 - 2);
  const auto is_right = [&](const FloatBuffer& sums, float begin) {
    for (std::int64_t i = 0; i < kStep; ++i) {
      for (std::int64_t j = 0; j < kStep; ++j) {
        const bool is_within = i < kRows && j < kColumns;
        float sum = is_within ? begin : 9.0f;
        for (std::int64_t k = 0; is_within && k < kTerms; ++k)
          sum += a.data()[i * kDepth + k] * b.data()[k * kStep + j];
        if (sums.data()[i * kStep + j] != sum) return false;
      }
    }
    return true;
  };
  for (const bool adds : {false, true}) {
    FloatBuffer sums(kStep * kStep);
    std::fill_n(sums.data(), kStep * kStep, 9.0f);
    add_packed_product(tiles, a.data(), b.data(), kStep, kRows, kColumns, kTerms, sums.data(),
                       kStep, adds);
    if (!is_right(sums, adds ? 9.0f : 0.0f)) return failed("sums of a product");
  }
  FloatBuffer sums(kStep * kStep);
  std::fill_n(sums.data(), kStep * kStep, 9.0f);
  if (add_turned_product(tiles, turned.data(), kStep, {b.data(), kStep}, kRows, kColumns, kTerms,
                         sums.data(), kStep) &&
      !is_right(sums, 9.0f))
    return failed("sums of a turned product");
  return false;
}

bool check_transposition() {
  constexpr std::int64_t kMost = 32;
  FloatBuffer from(kMost * kMost);
  FloatBuffer to(kMost * kMost);
  for (std::int64_t i = 0; i < kMost * kMost; ++i) from.data()[i] = float(i);
  for (const std::int64_t lines : {1, 7, 8, 17, 24}) {
    for (const std::int64_t depth : {1, 8, 13, 16}) {
      transpose(from.data(), kMost, lines, depth, to.data(), kMost);
      for (std::int64_t i = 0; i < lines * depth; ++i) {
        const std::int64_t line = i / depth;
        const std::int64_t k = i % depth;
        if (to.data()[k * kMost + line] != from.data()[line * kMost + k])
          return failed("a transposed block");
      }
    }
  }
  return false;
}

}  // namespace

int main() {
  bool any = check_conversions();
  any |= check_tiles();
  any |= check_sums();
  any |= check_transposition();
  return any ? 1 : 0;
}
