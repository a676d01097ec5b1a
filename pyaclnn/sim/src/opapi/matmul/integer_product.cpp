// SPDX-License-Identifier: MIT
#include "opapi/matmul/integer_product.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/cpu.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/convolution/matrix.hpp"
#include "opapi/matmul/tile_registers.hpp"
#include "opapi/quant/numbers.hpp"

#if SIM_HAS_AVX2_PATH
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kRows = 6;        // of a tile, whose sums stay in registers
constexpr std::int64_t kColumns = 64;    // of a tile and of a packed panel
constexpr std::int64_t kFour = 4;        // products that one instruction sums
constexpr std::int64_t kBlockRows = 96;  // of a piece of work
constexpr std::int64_t kBlockColumns = 256;
// As deep, a panel and the lines of a piece of work stay in the L2 cache.
constexpr std::int64_t kBlockDepth = 2048;

std::int64_t rounded_up(std::int64_t value, std::int64_t step) {
  return (value + step - 1) / step * step;
}

/// Adds kRows lines, `step` bytes apart, times `depth` rows of a panel to sums, whose rows are
/// kBlockColumns apart.
using TileFn = void (*)(const std::int8_t* lines, std::int64_t step, std::int64_t depth,
                        const std::int8_t* panel, std::int32_t* sums);

struct PlainTile {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const std::int8_t* lines, std::int64_t step, std::int64_t depth,
                                    const std::int8_t* panel, std::int32_t* sums) {
    std::uint32_t found[kColumns];
    for (std::int64_t row = 0; row < kRows; ++row) {
      const std::int8_t* const line = lines + row * step;
      std::memcpy(found, sums + row * kBlockColumns, sizeof found);
      for (std::int64_t k = 0; k < depth; k += kFour) {
        const std::int8_t* const four = panel + k * kColumns;
        for (std::int64_t j = 0; j < kColumns; ++j) {
          int sum = 0;
          for (int i = 0; i < kFour; ++i) sum += line[k + i] * four[j * kFour + i];
          found[j] += std::uint32_t(sum);
        }
      }
      std::memcpy(sums + row * kBlockColumns, found, sizeof found);
    }
  }
};

/// to[4 j + i] = line i [j].
struct InterleaveFour {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const std::int8_t* lines, std::int8_t* to) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t j = 0; j < kColumns; ++j) {
      for (std::int64_t i = 0; i < kFour; ++i) to[j * kFour + i] = lines[i * kColumns + j];
    }
  }
};

#if SIM_HAS_AVX2_PATH
bool has_byte_products() {
  static const bool has = [] {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return cpu_has_avx512() && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (c & 1u << 11) != 0;
  }();
  return has;
}

/// The instruction takes one operand without a sign: lines have 128 added, and sums begin with what
/// makes up for it.
__attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni"))) void byte_product_tile(
    const std::int8_t* lines, std::int64_t step, std::int64_t depth, const std::int8_t* panel,
    std::int32_t* sums) {
  constexpr int kVectors = int(kColumns) / 16;
  // Unrolled, so that the compiler keeps the sums in registers and writes them once.
  __m512i found[kRows][kVectors];
#pragma GCC unroll 6
  for (int row = 0; row < int(kRows); ++row) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v)
      found[row][v] = _mm512_loadu_si512(sums + row * kBlockColumns + v * 16);
  }
  for (std::int64_t k = 0; k < depth; k += kFour) {
    __m512i four[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) four[v] = _mm512_loadu_si512(panel + k * kColumns + v * 64);
#pragma GCC unroll 6
    for (int row = 0; row < int(kRows); ++row) {
      int bytes;
      std::memcpy(&bytes, lines + row * step + k, sizeof bytes);
      const __m512i same = _mm512_set1_epi32(bytes);
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v)
        found[row][v] = _mm512_dpbusd_epi32(found[row][v], same, four[v]);
    }
  }
#pragma GCC unroll 6
  for (int row = 0; row < int(kRows); ++row) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v)
      _mm512_storeu_si512(sums + row * kBlockColumns + v * 16, found[row][v]);
  }
}
#endif

/// Operands in the order tiles read them.
class Packed {
 public:
  Packed(const IntegerMatrix& a, const IntegerMatrix& b, std::int64_t rows, std::int64_t columns,
         std::int64_t depth)
      : depth_(rounded_up(depth, kFour)),
        panel_bytes_((depth_ + std::int64_t(sizeof(std::int32_t))) * kColumns),
        lines_(std::size_t(rounded_up(rows, kRows) * depth_)),
        panels_(std::size_t(rounded_up(columns, kColumns) / kColumns * panel_bytes_)) {
    const TileFn plain = loop_for_cpu<PlainTile, const std::int8_t*, std::int64_t, std::int64_t,
                                      const std::int8_t*, std::int32_t*>();
#if SIM_HAS_AVX2_PATH
    shifted_ = tiles_ == nullptr && has_byte_products();
    tile_ = shifted_ ? &byte_product_tile : plain;
#else
    tile_ = plain;
#endif
    pack_lines(a, rows, depth);
    pack_panels(b, columns, depth);
  }

  /// The products of some lines with a panel of columns, whose rows are kBlockColumns apart.
  void multiply(std::int64_t first, std::int64_t last, std::int64_t column,
                std::int32_t* sums) const {
    if (tiles_ == nullptr) {
      for (std::int64_t i = 0; i < kBlockRows; ++i) begin(column, sums + i * kBlockColumns);
    }
    for (std::int64_t k = 0; k < depth_; k += kBlockDepth) {
      const std::int64_t deep = std::min(kBlockDepth, depth_ - k);
      if (tiles_ != nullptr) {
        tiles_({lines_.data() + first * depth_ + k, depth_ / kFour, panel(column) + k * kColumns,
                kColumns, last - first, kColumns, deep / kFour},
               k > 0, sums, kBlockColumns);
        continue;
      }
      for (std::int64_t row = first; row < last; row += kRows)
        add(row, column, k, deep, sums + (row - first) * kBlockColumns);
    }
  }

 private:
  /// What the sums of some columns begin with, a panel from `column` on.
  void begin(std::int64_t column, std::int32_t* sums) const {
    if (shifted_) {
      std::memcpy(sums, panel(column) + depth_ * kColumns, kColumns * sizeof *sums);
    } else {
      std::fill_n(sums, kColumns, 0);
    }
  }

  /// Adds the products of some depth to the tile whose first row and column these are.
  void add(std::int64_t row, std::int64_t column, std::int64_t from, std::int64_t depth,
           std::int32_t* sums) const {
    tile_(lines_.data() + row * depth_ + from, depth_, depth, panel(column) + from * kColumns,
          sums);
  }

  const std::int8_t* panel(std::int64_t column) const {
    return panels_.data() + column / kColumns * panel_bytes_;
  }

  void pack_lines(const IntegerMatrix& a, std::int64_t rows, std::int64_t depth) {
    if (!a.turned) {
      parallel_for(rows, std::max<std::int64_t>(1, 65536 / depth_),
                   [&](std::int64_t begin, std::int64_t end) {
                     for (std::int64_t row = begin; row < end; ++row)
                       a.read(row, 0, depth, lines_.data() + row * depth_);
                   });
    } else {
      std::vector<std::int8_t> line(static_cast<std::size_t>(rows));
      for (std::int64_t k = 0; k < depth; ++k) {
        a.read(k, 0, rows, line.data());
        for (std::int64_t row = 0; row < rows; ++row)
          lines_[std::size_t(row * depth_ + k)] = line[std::size_t(row)];
      }
    }
    if (!shifted_) return;
    for (std::int8_t& byte : lines_) byte = std::int8_t(std::uint8_t(byte) ^ 0x80u);
  }

  void pack_panels(const IntegerMatrix& b, std::int64_t columns, std::int64_t depth) {
    const std::int64_t panels = rounded_up(columns, kColumns) / kColumns;
    parallel_for(panels, 1, [&](std::int64_t begin, std::int64_t end) {
      std::vector<std::int8_t> line(std::size_t(b.turned ? depth_ : kFour * kColumns));
      const auto interleave = loop_for_cpu<InterleaveFour, const std::int8_t*, std::int8_t*>();
      for (std::int64_t panel = begin; panel < end; ++panel) {
        std::int8_t* const to = panels_.data() + panel * panel_bytes_;
        const std::int64_t first = panel * kColumns;
        const std::int64_t count = std::min(kColumns, columns - first);
        if (b.turned && count == kColumns && turn_words(b, first, depth, to)) {
          // It lies as words of four.
        } else if (b.turned) {
          for (std::int64_t j = 0; j < count; ++j) {
            b.read(first + j, 0, depth, line.data());
            std::fill(line.begin() + depth, line.begin() + depth_, std::int8_t(0));
            for (std::int64_t k = 0; k < depth_; k += kFour)
              std::memcpy(to + k * kColumns + j * kFour, line.data() + k, kFour);
          }
        } else {
          std::fill(line.begin(), line.end(), std::int8_t(0));
          for (std::int64_t k = 0; k < depth; k += kFour) {
            const std::int64_t lines = std::min(kFour, depth - k);
            for (std::int64_t i = 0; i < lines; ++i)
              b.read(k + i, first, count, line.data() + i * kColumns);
            std::fill(line.begin() + lines * kColumns, line.end(), std::int8_t(0));
            interleave(line.data(), to + k * kColumns);
          }
        }
        if (shifted_) sum_columns(to);
      }
    });
  }

  /// Packs lines that are columns of a panel; false where they do not lie as words of four.
  static bool turn_words(const IntegerMatrix& b, std::int64_t first, std::int64_t depth,
                         std::int8_t* to) {
    const std::byte* from = b.base + b.first + first * b.line_step;
    const bool are_words = !b.packed && b.step == 1 && depth % kFour == 0 &&
                           b.line_step % kFour == 0 &&
                           reinterpret_cast<std::uintptr_t>(from) % sizeof(float) == 0 &&
                           reinterpret_cast<std::uintptr_t>(to) % sizeof(float) == 0;
    if (!are_words) return false;
    transpose(reinterpret_cast<const float*>(from), b.line_step / kFour, kColumns, depth / kFour,
              reinterpret_cast<float*>(to), kColumns);
    return true;
  }

  /// Writes, behind a panel, -128 times the sum of each column.
  void sum_columns(std::int8_t* panel) const {
    std::int32_t found[kColumns] = {};
    for (std::int64_t k = 0; k < depth_; k += kFour) {
      for (std::int64_t j = 0; j < kColumns; ++j) {
        for (std::int64_t i = 0; i < kFour; ++i) found[j] += panel[k * kColumns + j * kFour + i];
      }
    }
    for (std::int32_t& sum : found) sum = std::int32_t(std::uint32_t(sum) * std::uint32_t(-128));
    std::memcpy(panel + depth_ * kColumns, found, sizeof found);
  }

  std::int64_t depth_;
  std::int64_t panel_bytes_;
  std::vector<std::int8_t> lines_;
  std::vector<std::int8_t> panels_;
  TileFn tile_ = nullptr;
  ByteTiles tiles_ = byte_tiles();  // in place of it
  bool shifted_ = false;
};

}  // namespace

View in_int4(const Plan& plan, const View& view) {
  constexpr std::int64_t kInWord = 8;
  if (view.dtype != ACL_INT32) return view;
  View result = view;
  const std::size_t last = view.shape.size() - 1;
  if (view.shape[last] > 1 && view.strides[last] != 1)
    fail_not_simulated(plan, "int32 with eight int4 each that do not lie behind one another");
  for (std::size_t i = 0; i < last; ++i) result.strides.set(i, view.strides[i] * kInWord);
  result.strides.set(last, 1);
  result.shape.set(last, view.shape[last] * kInWord);
  result.offset *= kInWord;
  result.dtype = ACL_INT4;
  return result;
}

void IntegerMatrix::read(std::int64_t line, std::int64_t from, std::int64_t count,
                         std::int8_t* to) const {
  const std::int64_t place = first + line * line_step + from * step;
  if (packed) {
    for (std::int64_t i = 0; i < count; ++i) to[i] = std::int8_t(int4_at(base, place + i * step));
  } else if (step == 1) {
    std::memcpy(to, base + place, std::size_t(count));
  } else {
    for (std::int64_t i = 0; i < count; ++i) to[i] = std::int8_t(base[place + i * step]);
  }
}

void integer_product(const IntegerMatrix& a, const IntegerMatrix& b, std::int64_t rows,
                     std::int64_t columns, std::int64_t depth, StoreSums store) {
  const Packed operands(a, b, rows, columns, depth);
  const std::int64_t across = (columns + kBlockColumns - 1) / kBlockColumns;
  const std::int64_t down = (rows + kBlockRows - 1) / kBlockRows;
  parallel_for(across * down, 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::int32_t> block(std::size_t(kBlockRows * kBlockColumns));
    for (std::int64_t work = begin; work < end; ++work) {
      const std::int64_t column = work % across * kBlockColumns;
      const std::int64_t wide = std::min(kBlockColumns, columns - column);
      const std::int64_t first = work / across * kBlockRows;
      const std::int64_t last = std::min(rows, first + kBlockRows);
      for (std::int64_t at = 0; at < wide; at += kColumns)
        operands.multiply(first, last, column + at, block.data() + at);
      for (std::int64_t row = first; row < last; ++row)
        store(row, column, wide, block.data() + (row - first) * kBlockColumns);
    }
  });
}

}  // namespace pyaclnn::sim
