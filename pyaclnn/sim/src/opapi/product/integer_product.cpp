// SPDX-License-Identifier: MIT
#include "opapi/product/integer_product.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <numeric>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/cpu.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/narrow_numbers.hpp"
#include "opapi/product/matrix.hpp"
#include "opapi/product/tile_registers.hpp"

#if SIM_HAS_AVX2_PATH
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kRows = 6;            // of a tile, whose sums stay in registers
constexpr std::int64_t kColumns = 64;        // of a tile and of a packed panel
constexpr std::int64_t kFour = 4;            // products that one instruction sums
constexpr std::int64_t kBlockColumns = 256;  // of a piece of work
constexpr std::int64_t kFewestRows = 96;  // of one, and most: they are for each panel that is read
constexpr std::int64_t kMostRows = 384;
constexpr std::int64_t kManyPieces = 32;
// As deep, a panel stays in the L1 cache, and the lines and sums of a piece of work in L2. The
// registers of AMX are filled less often.
constexpr std::int64_t kBlockDepth = 512, kBlockDepthOfTiles = 2048;

std::int64_t rounded_up(std::int64_t value, std::int64_t step) {
  return (value + step - 1) / step * step;
}

/// Adds kRows lines, `step` bytes apart, times `depth` rows of a panel to sums, whose rows are
/// kBlockColumns apart, or to one value for each row where `begins` has them.
using TileFn = void (*)(const std::int8_t* lines, std::int64_t step, std::int64_t depth,
                        const std::int8_t* panel, const std::int32_t* begins, std::int32_t* sums);

struct PlainTile {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const std::int8_t* lines, std::int64_t step, std::int64_t depth,
                                    const std::int8_t* panel, const std::int32_t* begins,
                                    std::int32_t* sums) {
    std::uint32_t found[kColumns];
    for (std::int64_t row = 0; row < kRows; ++row) {
      const std::int8_t* const line = lines + row * step;
      if (begins == nullptr)
        std::memcpy(found, sums + row * kBlockColumns, sizeof found);
      else
        std::fill_n(found, kColumns, std::uint32_t(begins[row]));
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

/// to[4 j + i] = line i [j], with the bits of `flip` turned over.
struct InterleaveFour {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const std::int8_t* lines, std::int64_t step, std::int8_t flip,
                                    std::int8_t* to) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t j = 0; j < kColumns; ++j) {
      for (std::int64_t i = 0; i < kFour; ++i)
        to[j * kFour + i] = std::int8_t(lines[i * step + j] ^ flip);
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

/// The instruction takes one operand without a sign: panels have 128 added, and sums begin with
/// what makes up for it.
__attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni"))) void byte_product_tile(
    const std::int8_t* lines, std::int64_t step, std::int64_t depth, const std::int8_t* panel,
    const std::int32_t* begins, std::int32_t* sums) {
  constexpr int kVectors = int(kColumns) / 16;
  // Unrolled, so that the compiler keeps the sums in registers and writes them once.
  __m512i found[kRows][kVectors];
#pragma GCC unroll 6
  for (int row = 0; row < int(kRows); ++row) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v)
      found[row][v] = begins == nullptr ? _mm512_loadu_si512(sums + row * kBlockColumns + v * 16)
                                        : _mm512_set1_epi32(begins[row]);
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
        found[row][v] = _mm512_dpbusd_epi32(found[row][v], four[v], same);
    }
  }
#pragma GCC unroll 6
  for (int row = 0; row < int(kRows); ++row) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v)
      _mm512_storeu_si512(sums + row * kBlockColumns + v * 16, found[row][v]);
  }
}

__attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni"))) std::uint32_t sum_of_bytes(
    const std::int8_t* line, std::int64_t count) {
  const __m512i ones = _mm512_set1_epi8(1);
  __m512i sums = _mm512_setzero_si512();
  for (std::int64_t k = 0; k < count; k += 64) {
    const std::int64_t left = std::min<std::int64_t>(64, count - k);
    const __m512i bytes = _mm512_maskz_loadu_epi8(~__mmask64{0} >> (64 - left), line + k);
    sums = _mm512_dpbusd_epi32(sums, ones, bytes);
  }
  alignas(64) std::uint32_t lanes[16];
  _mm512_store_si512(lanes, sums);
  return std::accumulate(lanes, lanes + 16, 0u);
}
#endif

/// Bytes on a border of cache lines, which vectors do not cross then; not set to anything.
class Bytes {
 public:
  Bytes() = default;
  explicit Bytes(std::int64_t count)
      : bytes_(static_cast<std::int8_t*>(::operator new(std::size_t(count), kLine))) {}

  std::int8_t* data() const { return bytes_.get(); }

 private:
  static constexpr std::align_val_t kLine{64};
  struct Free {
    void operator()(std::int8_t* bytes) const { ::operator delete(bytes, kLine); }
  };

  std::unique_ptr<std::int8_t, Free> bytes_;
};

/// Operands in the order tiles read them.
class Packed {
 public:
  Packed(const IntegerMatrix& a, const IntegerMatrix& b, std::int64_t rows, std::int64_t columns,
         std::int64_t depth)
      : depth_(rounded_up(depth, kFour)),
        panels_(rounded_up(columns, kColumns) * depth_),
        lines_(reinterpret_cast<const std::int8_t*>(a.base) + a.first),
        line_step_(a.line_step),
        begins_(std::size_t(rounded_up(rows, kRows))) {
    const TileFn plain = loop_for_cpu<PlainTile, const std::int8_t*, std::int64_t, std::int64_t,
                                      const std::int8_t*, const std::int32_t*, std::int32_t*>();
#if SIM_HAS_AVX2_PATH
    shifted_ = tiles_ == nullptr && has_byte_products();
    tile_ = shifted_ ? &byte_product_tile : plain;
#else
    tile_ = plain;
#endif
    const bool in_place =
        tiles_ == nullptr && !a.turned && !a.packed && a.step == 1 && depth == depth_;
    whole_lines_ = in_place ? rows / kRows * kRows : 0;
    copy_lines(a, rows, depth);
    if (shifted_) sum_lines(rows);
    pack_panels(b, columns, depth);
  }

  /// The products of some lines with some columns, from a panel's first one on.
  void multiply(std::int64_t first, std::int64_t last, std::int64_t column, std::int64_t wide,
                std::int32_t* sums) const {
    if (depth_ == 0) std::fill_n(sums, (last - first) * kBlockColumns, 0);
    const std::int64_t most = tiles_ == nullptr ? kBlockDepth : kBlockDepthOfTiles;
    for (std::int64_t k = 0; k < depth_; k += most) {
      const std::int64_t deep = std::min(most, depth_ - k);
      for (std::int64_t at = 0; at < wide; at += kColumns)
        multiply_panel(first, last, k, deep, panels_.data() + (column + at) * depth_ + k * kColumns,
                       sums + at);
    }
  }

 private:
  const std::int8_t* line(std::int64_t row) const {
    return row < whole_lines_ ? lines_ + row * line_step_
                              : copies_.data() + (row - whole_lines_) * depth_;
  }

  void multiply_panel(std::int64_t first, std::int64_t last, std::int64_t k, std::int64_t deep,
                      const std::int8_t* panel, std::int32_t* sums) const {
    if (tiles_ != nullptr)
      return tiles_(
          {line(first) + k, depth_ / kFour, panel, kColumns, last - first, kColumns, deep / kFour},
          k > 0, sums, kBlockColumns);
    for (std::int64_t row = first; row < last; row += kRows)
      tile_(line(row) + k, row < whole_lines_ ? line_step_ : depth_, deep, panel,
            k == 0 ? begins_.data() + row : nullptr, sums + (row - first) * kBlockColumns);
  }

  /// All lines that are not read where they lie: as tiles read as many lines as they have, also
  /// those of the last one.
  void copy_lines(const IntegerMatrix& a, std::int64_t rows, std::int64_t depth) {
    const std::int64_t count = rounded_up(rows - whole_lines_, kRows);
    if (count == 0) return;
    copies_ = Bytes(count * depth_);
    if (a.turned || depth != depth_ || count != rows - whole_lines_)
      std::memset(copies_.data(), 0, std::size_t(count * depth_));
    if (!a.turned) {
      parallel_for(rows - whole_lines_, std::max<std::int64_t>(1, 65536 / depth_),
                   [&](std::int64_t begin, std::int64_t end) {
                     for (std::int64_t row = begin; row < end; ++row)
                       a.read(whole_lines_ + row, 0, depth, copies_.data() + row * depth_);
                   });
      return;
    }
    std::vector<std::int8_t> line(static_cast<std::size_t>(rows));
    for (std::int64_t k = 0; k < depth; ++k) {
      a.read(k, 0, rows, line.data());
      for (std::int64_t row = 0; row < rows; ++row)
        copies_.data()[row * depth_ + k] = line[std::size_t(row)];
    }
  }

  /// What sums begin with where panels have 128 added: -128 times the sum of each line.
  void sum_lines(std::int64_t rows) {
#if SIM_HAS_AVX2_PATH
    parallel_for(rows, std::max<std::int64_t>(1, 262144 / depth_),
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t row = begin; row < end; ++row)
                     begins_[std::size_t(row)] =
                         std::int32_t(sum_of_bytes(line(row), depth_) * std::uint32_t(-128));
                 });
#endif
  }

  void pack_panels(const IntegerMatrix& b, std::int64_t columns, std::int64_t depth) {
    parallel_for((columns - 1) / kBlockColumns + 1, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t block = begin; block < end; ++block) {
        const std::int64_t first = block * kBlockColumns;
        const std::int64_t last = std::min(columns, first + kBlockColumns);
        if (!b.turned) {
          pack_lines(b, first, last, depth);
          continue;
        }
        for (std::int64_t at = first; at < last; at += kColumns)
          pack_columns(b, at, std::min(kColumns, last - at), depth);
      }
    });
  }

  /// Packs some columns of lines of the depth, which are read once.
  void pack_lines(const IntegerMatrix& b, std::int64_t first, std::int64_t last,
                  std::int64_t depth) {
    const auto interleave =
        loop_for_cpu<InterleaveFour, const std::int8_t*, std::int64_t, std::int8_t, std::int8_t*>();
    const auto flip = static_cast<std::int8_t>(shifted_ ? 0x80 : 0);
    std::int8_t line[kFour * kColumns];
    const auto* const base = reinterpret_cast<const std::int8_t*>(b.base) + b.first;
    for (std::int64_t k = 0; k < depth; k += kFour) {
      const std::int64_t lines = std::min(kFour, depth - k);
      for (std::int64_t at = first; at < last; at += kColumns) {
        std::int8_t* const to = panels_.data() + at * depth_ + k * kColumns;
        const std::int64_t count = std::min(kColumns, last - at);
        if (lines == kFour && count == kColumns && b.step == 1 && !b.packed) {
          interleave(base + k * b.line_step + at, b.line_step, flip, to);
          continue;
        }
        std::memset(line, 0, sizeof line);
        for (std::int64_t i = 0; i < lines; ++i) b.read(k + i, at, count, line + i * kColumns);
        interleave(line, kColumns, flip, to);
      }
    }
  }

  /// Packs a panel of lines that are its columns.
  void pack_columns(const IntegerMatrix& b, std::int64_t first, std::int64_t count,
                    std::int64_t depth) {
    std::int8_t* const to = panels_.data() + first * depth_;
    if (count < kColumns || !turn_words(b, first, depth, to)) {
      std::vector<std::int8_t> line(static_cast<std::size_t>(depth_));
      std::memset(to, 0, std::size_t(kColumns * depth_));
      for (std::int64_t j = 0; j < count; ++j) {
        b.read(first + j, 0, depth, line.data());
        for (std::int64_t k = 0; k < depth_; k += kFour)
          std::memcpy(to + k * kColumns + j * kFour, line.data() + k, kFour);
      }
    }
    for (std::int64_t i = 0; i < kColumns * depth_ && shifted_; ++i)
      to[i] = std::int8_t(to[i] ^ 0x80);
  }

  /// Packs lines that are columns of a panel; false where they do not lie as words of four.
  static bool turn_words(const IntegerMatrix& b, std::int64_t first, std::int64_t depth,
                         std::int8_t* to) {
    const std::byte* from = b.base + b.first + first * b.line_step;
    const bool are_words = !b.packed && b.step == 1 && depth % kFour == 0 &&
                           b.line_step % kFour == 0 &&
                           reinterpret_cast<std::uintptr_t>(from) % sizeof(float) == 0;
    if (!are_words) return false;
    transpose(reinterpret_cast<const float*>(from), b.line_step / kFour, kColumns, depth / kFour,
              reinterpret_cast<float*>(to), kColumns);
    return true;
  }

  std::int64_t depth_;
  Bytes panels_;
  const std::int8_t* lines_;  // where they lie
  std::int64_t line_step_;
  std::int64_t whole_lines_ = 0;      // so many are read there
  Bytes copies_;                      // of the others, depth_ apart
  std::vector<std::int32_t> begins_;  // of the sums of each row
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
  if (packed && step == 1) {
    read_int4(base, place, count, to);
  } else if (packed) {
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
  const std::int64_t tall =
      rounded_up(std::clamp(rows * across / kManyPieces, kFewestRows, kMostRows), kRows);
  const std::int64_t down = (rows + tall - 1) / tall;
  parallel_for(across * down, 1, [&](std::int64_t begin, std::int64_t end) {
    const Bytes room(tall * kBlockColumns * std::int64_t(sizeof(std::int32_t)));
    auto* const block = reinterpret_cast<std::int32_t*>(room.data());
    for (std::int64_t work = begin; work < end; ++work) {
      const std::int64_t column = work % across * kBlockColumns;
      const std::int64_t wide = std::min(kBlockColumns, columns - column);
      const std::int64_t first = work / across * tall;
      const std::int64_t last = std::min(rows, first + tall);
      operands.multiply(first, last, column, wide, block);
      for (std::int64_t row = first; row < last; ++row)
        store(row, column, wide, block + (row - first) * kBlockColumns);
    }
  });
}

}  // namespace pyaclnn::sim
