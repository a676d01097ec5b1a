// SPDX-License-Identifier: MIT
#include "opapi/product/tile_registers.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include "opapi/common/cpu.hpp"
#include "opapi/product/matrix.hpp"

#if SIM_HAS_AVX2_PATH && (defined(__clang__) || __GNUC__ >= 11)
#define SIM_HAS_TILES 1
#include <immintrin.h>
#else
#define SIM_HAS_TILES 0
#endif

namespace pyaclnn::sim {

#if SIM_HAS_TILES
namespace {

#define SIM_AMX __attribute__((target("avx512f,amx-tile,amx-bf16,amx-int8")))
#define SIM_AMX_INLINE inline __attribute__((always_inline)) SIM_AMX

constexpr std::int64_t kLines = 16;   // of a register
constexpr std::int64_t kLength = 16;  // elements of a line
constexpr std::int64_t kElement = 4;  // bytes

/// Lines and their bytes of all registers: sums in 0 to 3, rows in 4 and 5, columns in 6 and 7.
struct alignas(64) Shapes {
  /// For up to 32 rows.
  explicit Shapes(std::int64_t rows) {
    const auto first = static_cast<std::uint8_t>(std::min(rows, kLines));
    const auto second = static_cast<std::uint8_t>(std::max<std::int64_t>(rows - kLines, 1));
    const std::uint8_t all[] = {first, first, second, second, first, second, kLines, kLines};
    for (int i = 0; i < 8; ++i) {
      lines[i] = all[i];
      bytes[i] = kLength * kElement;
    }
  }

  std::uint8_t palette = 1;
  std::uint8_t start = 0;
  std::uint8_t reserved[14] = {};
  std::uint16_t bytes[16] = {};
  std::uint8_t lines[16] = {};
};
static_assert(sizeof(Shapes) == 64);

// The intrinsics of GCC take no number of a register that is a template's.
template <int to>
SIM_AMX_INLINE void load(const void* from, std::int64_t step) {
  __asm__ volatile("tileloadd (%1,%2,1), %%tmm%c0" ::"i"(to), "r"(from), "r"(step) : "memory");
}

template <int from>
SIM_AMX_INLINE void put(void* to, std::int64_t step) {
  __asm__ volatile("tilestored %%tmm%c0, (%1,%2,1)" ::"i"(from), "r"(to), "r"(step) : "memory");
}

template <int to>
SIM_AMX_INLINE void clear() {
  __asm__ volatile("tilezero %%tmm%c0" ::"i"(to));
}

struct Pairs {
  using Sum = float;
  template <int to, int a, int b>
  SIM_AMX_INLINE static void multiply() {
    __asm__ volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(to), "i"(a), "i"(b));
  }
  SIM_AMX_INLINE static __m512i add(__m512i a, __m512i b) {
    return _mm512_castps_si512(_mm512_add_ps(_mm512_castsi512_ps(a), _mm512_castsi512_ps(b)));
  }
};

struct Fours {
  using Sum = std::int32_t;
  template <int to, int a, int b>
  SIM_AMX_INLINE static void multiply() {
    __asm__ volatile("tdpbssd %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(to), "i"(a), "i"(b));
  }
  SIM_AMX_INLINE static __m512i add(__m512i a, __m512i b) { return _mm512_add_epi32(a, b); }
};

/// Elements of 4 bytes, some apart.
struct Source {
  const std::byte* data;
  std::int64_t step;  // in bytes

  Source at(std::int64_t line, std::int64_t element) const {
    return {data + line * step + element * kElement, step};
  }
};

/// Operands in whole registers.
struct Whole {
  Source a[2];
  int terms;  // of them
  Source b;

  /// `k` counts elements of the depth.
  Whole at(std::int64_t row, std::int64_t k, std::int64_t column) const {
    return {{a[0].at(row, k), a[1].at(row, k)}, terms, b.at(k, column)};
  }
};

/// The same over some depth, and a last one filled up with zeros where the depth ends in it.
struct Depth {
  Whole operands;
  std::int64_t whole;
  Whole rest;
  bool has_rest;
};

/// Adds the products of what lies at the same depth: one or two registers of rows and of columns.
template <class Kind, bool two_rows, bool two_columns>
SIM_AMX_INLINE void multiply_step(const Whole& from) {
  load<6>(from.b.data, from.b.step);
  if (two_columns) load<7>(from.b.data + kLength * kElement, from.b.step);
  for (int term = 0; term < from.terms; ++term) {
    const Source& a = from.a[term];
    load<4>(a.data, a.step);
    Kind::template multiply<0, 4, 6>();
    if (two_columns) Kind::template multiply<1, 4, 7>();
    if (!two_rows) continue;
    load<5>(a.data + kLines * a.step, a.step);
    Kind::template multiply<2, 5, 6>();
    if (two_columns) Kind::template multiply<3, 5, 7>();
  }
}

/// Where the sums of a register go.
template <class Sum>
struct Target {
  Sum* sums;
  std::int64_t step;
  std::int64_t rows;
  std::int64_t columns;
  bool adds;
};

template <class Kind, int number, class Sum>
SIM_AMX_INLINE void store(const Target<Sum>& to, std::int64_t row, std::int64_t column) {
  const std::int64_t rows = std::min(kLines, to.rows - row);
  const std::int64_t columns = std::min(kLength, to.columns - column);
  Sum* sums = to.sums + row * to.step + column;
  if (!to.adds && columns == kLength) {
    put<number>(sums, to.step * kElement);
    return;
  }
  alignas(64) Sum tile[kLines * kLength];
  put<number>(tile, kLength * kElement);
  const auto mask = static_cast<__mmask16>((1u << columns) - 1);
  for (std::int64_t i = 0; i < rows; ++i, sums += to.step) {
    __m512i line = _mm512_load_si512(tile + i * kLength);
    if (to.adds) line = Kind::add(_mm512_maskz_loadu_epi32(mask, sums), line);
    _mm512_mask_storeu_epi32(sums, mask, line);
  }
}

template <class Kind, bool two_rows, bool two_columns, class Sum>
SIM_AMX void multiply_block(const Depth& depth, std::int64_t row, std::int64_t column,
                            const Target<Sum>& to) {
  clear<0>();
  if (two_columns) clear<1>();
  if (two_rows) clear<2>();
  if (two_rows && two_columns) clear<3>();
  for (std::int64_t k = 0; k < depth.whole; ++k)
    multiply_step<Kind, two_rows, two_columns>(depth.operands.at(row, k * kLength, column));
  if (depth.has_rest) multiply_step<Kind, two_rows, two_columns>(depth.rest.at(row, 0, column));
  store<Kind, 0>(to, row, column);
  if (two_columns) store<Kind, 1>(to, row, column + kLength);
  if (two_rows) store<Kind, 2>(to, row + kLines, column);
  if (two_rows && two_columns) store<Kind, 3>(to, row + kLines, column + kLength);
}

/// Memory that a thread keeps, on a border of cache lines.
std::byte* room_for(std::int64_t elements) {
  thread_local std::unique_ptr<FloatBuffer> room;
  thread_local std::int64_t size = 0;
  if (size < elements) {
    room = std::make_unique<FloatBuffer>(elements);
    size = elements;
  }
  return reinterpret_cast<std::byte*>(room->data());
}

Depth cut(const TileOperands& o) {
  const std::int64_t a_step = o.a_step * kElement;
  const int terms = o.a_more == nullptr ? 1 : 2;
  Depth depth{{{{static_cast<const std::byte*>(o.a), a_step},
                {static_cast<const std::byte*>(o.a_more), a_step}},
               terms,
               {static_cast<const std::byte*>(o.b), o.b_step * kElement}},
              o.depth / kLength,
              {},
              o.depth % kLength != 0};
  if (!depth.has_rest) return depth;
  const std::int64_t wide = round_up(o.columns, kLength);
  const std::int64_t rest = o.depth % kLength;
  const std::int64_t from = o.depth - rest;
  const std::int64_t elements = kLength * (terms * o.rows + wide);
  constexpr std::int64_t kStep = kLength * kElement;
  std::byte* to = room_for(elements);
  std::memset(to, 0, std::size_t(elements * kElement));
  depth.rest = {{}, terms, {to + terms * o.rows * kStep, wide * kElement}};
  for (int term = 0; term < terms; ++term) {
    const Source& a = depth.operands.a[term];
    depth.rest.a[term] = {to, kStep};
    for (std::int64_t i = 0; i < o.rows; ++i, to += kStep)
      std::memcpy(to, a.at(i, from).data, std::size_t(rest * kElement));
  }
  for (std::int64_t k = 0; k < rest; ++k, to += wide * kElement)
    std::memcpy(to, depth.operands.b.at(from + k, 0).data, std::size_t(wide * kElement));
  return depth;
}

template <class Kind, bool two_rows, class Sum>
SIM_AMX void multiply_rows(const Depth& depth, std::int64_t row, const Target<Sum>& to) {
  for (std::int64_t column = 0; column < to.columns; column += 2 * kLength) {
    if (to.columns - column > kLength)
      multiply_block<Kind, two_rows, true>(depth, row, column, to);
    else
      multiply_block<Kind, two_rows, false>(depth, row, column, to);
  }
}

template <class Kind>
SIM_AMX void multiply(const TileOperands& o, bool adds, typename Kind::Sum* sums,
                      std::int64_t sums_step) {
  constexpr std::int64_t kTogether = 2 * kLines;
  const Depth depth = cut(o);
  const Target<typename Kind::Sum> to{sums, sums_step, o.rows, o.columns, adds};
  const std::int64_t whole = o.rows / kTogether * kTogether;
  if (whole > 0) {
    const Shapes shapes(kTogether);
    _tile_loadconfig(&shapes);
  }
  for (std::int64_t row = 0; row < whole; row += kTogether)
    multiply_rows<Kind, true>(depth, row, to);
  if (whole < o.rows) {
    const Shapes shapes(o.rows - whole);
    _tile_loadconfig(&shapes);
    if (o.rows - whole > kLines)
      multiply_rows<Kind, true>(depth, whole, to);
    else
      multiply_rows<Kind, false>(depth, whole, to);
  }
  _tile_release();
}

}  // namespace

PairTiles pair_tiles() { return cpu_has_amx() ? &multiply<Pairs> : nullptr; }
ByteTiles byte_tiles() { return cpu_has_amx() ? &multiply<Fours> : nullptr; }

#else

PairTiles pair_tiles() { return nullptr; }
ByteTiles byte_tiles() { return nullptr; }

#endif

}  // namespace pyaclnn::sim
