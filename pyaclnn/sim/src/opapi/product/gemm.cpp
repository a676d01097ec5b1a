// SPDX-License-Identifier: MIT
#include "opapi/product/gemm.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/config.hpp"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/hfloat32.hpp"
#include "opapi/common/prefetch.hpp"
#include "opapi/common/round_stored.hpp"
#include "opapi/product/add_lines.hpp"
#include "opapi/product/dots.hpp"
#include "opapi/product/matrix.hpp"
#include "opapi/product/packed_product.hpp"
#include "opapi/product/pairs.hpp"
#include "opapi/product/tile_registers.hpp"

namespace pyaclnn::sim {
namespace {

// A block of the result and the pieces of the operands it is made of stay in the L2 cache.
constexpr std::int64_t kBlockRows = 256;
constexpr std::int64_t kBlockColumns = 384;
// So many rows do not pay for a copy of the other matrix.
constexpr std::int64_t kFewRows = 32;
constexpr std::int64_t kStreamColumns = 512;
// So few are dot products with the columns of the matrix.
constexpr std::int64_t kThin = kDotRows;
// Of a column, with which the rows are converted together.
constexpr std::int64_t kDotPieces = 16;
constexpr std::int64_t kThinSums = 4096;
// So few are the right operand, if the lines of the matrix lie along the depth: then it is read
// where it lies.
constexpr std::int64_t kFewTurned = 64;
// A matrix of so many columns does not pay for a copy of the left one.
constexpr std::int64_t kFewColumns = 96;
// Products of numbers worth a hand-over to another thread.
constexpr std::int64_t kGrain = std::int64_t(1) << 17;

/// One operand: matrices in a batch, elements anywhere.
struct Matrix {
  explicit Matrix(const View& view, const Dims& batch)
      : operand(view.operand),
        offset(view.offset),
        size(std::int64_t(dtype_size(view.dtype))),
        load(loader<float>(view.dtype)),
        is_float(view.dtype == ACL_FLOAT) {
    const std::size_t rank = view.shape.size();
    row_step = view.strides[rank - 2];
    column_step = view.strides[rank - 1];
    // Axes that broadcast stand still.
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const std::size_t missing = batch.size() - (rank - 2);
      const bool stands = i < missing || view.shape[i - missing] == 1;
      batch_steps.push_back(stands ? 0 : view.strides[i - missing]);
    }
  }

  const std::byte* base(const KernelMemory& memory, const std::vector<std::int64_t>& index) const {
    std::int64_t at = offset;
    for (std::size_t i = 0; i < index.size(); ++i) at += index[i] * batch_steps[i];
    return memory.operands[operand] + at * size;
  }

  std::size_t operand;
  std::int64_t offset;
  std::int64_t size;
  std::int64_t row_step = 0;
  std::int64_t column_step = 0;
  std::vector<std::int64_t> batch_steps;
  LoadFn load;
  bool is_float;
};

/// Rounds operands on their way in.
struct InputRounding {
  aclDataType through;
  bool hfloat32;

  bool is_given() const { return hfloat32 || through == ACL_FLOAT16; }

  void operator()(float* values, std::int64_t count) const {
    if (hfloat32) {
      for (std::int64_t i = 0; i < count; ++i) values[i] = to_hfloat32(values[i]);
    } else if (through == ACL_FLOAT16) {
      round_as_stored(values, count, ACL_FLOAT16);
    }
  }
};

/// Copies `rows` by `columns` elements to rows `to_step` apart, whichever of the two lies denser.
void pack(const Matrix& matrix, const std::byte* from, std::int64_t rows, std::int64_t columns,
          const InputRounding& round, float* to, std::int64_t to_step, float* scratch) {
  const std::int64_t row_step = matrix.row_step;
  const std::int64_t column_step = matrix.column_step;
  if (column_step == 1 && row_step == columns && to_step == columns) {
    matrix.load(from, 1, rows * columns, to);
    round(to, rows * columns);
    return;
  }
  if (column_step == 1 || row_step != 1) {
    for (std::int64_t i = 0; i < rows; ++i) {
      matrix.load(from + i * row_step * matrix.size, column_step, columns, to + i * to_step);
      round(to + i * to_step, columns);
    }
    return;
  }
  // Columns are dense: read along them, then turn the block.
  if (matrix.is_float && !round.is_given()) {
    transpose(reinterpret_cast<const float*>(from), column_step, columns, rows, to, to_step);
    return;
  }
  for (std::int64_t k = 0; k < columns; ++k) {
    float* line = scratch + k * rows;
    matrix.load(from + k * column_step * matrix.size, 1, rows, line);
    round(line, rows);
  }
  transpose(scratch, rows, columns, rows, to, to_step);
}

/// By the shape alone: views of the same values give the same bits.
bool takes_pairs(const Gemm& gemm) {
  const std::int64_t rows = gemm.out.shape[gemm.out.shape.size() - 2];
  return std::min(rows, gemm.out.shape.back()) > kThin && gemm.a.dtype == ACL_BF16 &&
         gemm.b.dtype == ACL_BF16 && gemm.through == ACL_FLOAT && pair_products() != nullptr;
}

/// Memory that a thread keeps: a small product takes less time than new pages.
float* room_for(std::int64_t count) {
  thread_local std::unique_ptr<FloatBuffer> room;
  thread_local std::int64_t size = 0;
  if (size < count) {
    room.reset();
    size = 0;
    room = std::make_unique<FloatBuffer>(count);
    size = count;
  }
  return room->data();
}

class GemmRunner {
 public:
  GemmRunner(const Gemm& gemm, const Dims& batch)
      : gemm_(gemm),
        batch_(batch),
        a_(gemm.a, batch),
        b_(gemm.b, batch),
        out_(gemm.out, batch),
        rows_(gemm.out.shape[gemm.out.shape.size() - 2]),
        columns_(gemm.out.shape.back()),
        depth_(gemm.a.shape.back()),
        round_{gemm.through, gemm.hfloat32},
        stored_as_product_(gemm.out.dtype == gemm.product && gemm.alpha == 1.0f &&
                           !gemm.addend.has_value()),
        store_(storer<float>(gemm.out.dtype, Rounding::kTruncate)),
        pairs_(takes_pairs(gemm)),
        tiles_(pairs_ ? *pair_products() : TileProducts::of_this_cpu()),
        pair_tiles_(pairs_ ? pair_tiles() : nullptr),
        piece_depth_(std::min(pairs_ ? pairs_of(depth_) : depth_, kDepth)) {
    if (gemm.addend.has_value()) {
      addend_.emplace(broadcast_view(*gemm.addend, gemm.out.shape), batch);
    }
    const bool few = rows_ <= kFewRows;
    const bool takes_floats = !pairs_ && !round_.is_given();
    // The copy of a transposed matrix, if few rows use it, stays in the L1 cache.
    const bool turned = b_.column_step != 1 && b_.row_step == 1;
    const std::int64_t widest = few && turned ? 2 * tiles_.columns() : kBlockColumns;
    streams_ = few && !pairs_ && b_.column_step == 1 && columns_ >= 2 * tiles_.columns();
    // Lines that lie as close as those of a copy are not copied.
    a_in_place_ = takes_floats && a_.is_float && a_.column_step == 1 &&
                  (streams_ || columns_ <= kFewColumns || a_.row_step <= kDepth);
    b_in_place_ = takes_floats && b_.is_float && b_.column_step == 1 &&
                  (few || b_.row_step <= kDepth) && (streams_ || columns_ % tiles_.lanes == 0);
    if (pairs_) {
      // Tiles in registers read each line for every panel of the other operand.
      const bool is_read_seldom = columns_ <= kFewColumns || a_.row_step <= 2 * kDepth;
      a_in_place_ = a_.column_step == 1 && a_.row_step % 2 == 0 && depth_ % 2 == 0 &&
                    (pair_tiles_ != nullptr || is_read_seldom);
    }
    block_rows_ = kBlockRows;
    // Enough blocks for all threads, where the result is small.
    if (batch.product() < kManyBlocks && !few)
      block_rows_ = std::min(kBlockRows, round_up(std::max<std::int64_t>(rows_ / 2, 1), 8));
    block_rows_ = std::min(block_rows_, rows_);
    block_columns_ = streams_ ? kStreamColumns : widest / tiles_.columns() * tiles_.columns();
    block_columns_ = std::min(block_columns_, columns_);
    b_step_ = round_up(block_columns_, tiles_.lanes);
    if (rows_ <= kThin) {
      set_thin();
      return;
    }
    a_room_ = round_up(block_rows_, tiles_.rows) * piece_depth_;
    b_room_ = std::max<std::int64_t>(piece_depth_, kLinesTogether) * b_step_;
    sums_room_ = block_rows_ * b_step_;
    // Of pairs there are as many floats; two lines of the depth may be on the way to one.
    scratch_room_ = 2 * piece_depth_ * std::max(round_up(block_rows_, tiles_.rows), b_step_) +
                    block_rows_ * b_step_;
  }

  std::int64_t blocks() const {
    return batch_.product() * ceil_divide(rows_, block_rows_) *
           ceil_divide(columns_, block_columns_);
  }

  /// Blocks worth a hand-over to another thread.
  std::int64_t grain() const {
    const std::int64_t each = block_rows_ * block_columns_ * std::max<std::int64_t>(depth_, 1);
    return std::max<std::int64_t>(1, kGrain / each);
  }

  void run(const KernelMemory& memory, std::int64_t begin, std::int64_t end) const {
    // On borders of cache lines.
    const auto lines = [](std::int64_t count) { return round_up(count, 16); };
    Room room;
    room.a = room_for(lines(a_room_) + lines(b_room_) + lines(sums_room_) + scratch_room_);
    room.b = room.a + lines(a_room_);
    room.sums = room.b + lines(b_room_);
    room.scratch = room.sums + lines(sums_room_);
    std::vector<std::int64_t> index(batch_.size());
    for (std::int64_t block = begin; block < end; ++block) run_block(memory, block, index, room);
  }

 private:
  static constexpr std::int64_t kManyBlocks = 32;

  struct Room {
    float* a;
    float* b;
    float* sums;  // rows as far apart as the block is wide
    float* scratch;
  };

  /// Few rows: nothing is copied but what must be converted.
  void set_thin() {
    thin_ = true;
    const bool as_they_are = !round_.is_given();
    a_in_place_ = as_they_are && a_.is_float && a_.column_step == 1;
    b_in_place_ = as_they_are && b_.is_float && b_.column_step == 1;
    turned_ = b_.row_step == 1 && b_.column_step != 1;
    dots_ = as_they_are ? dots_of(gemm_.b.dtype) : nullptr;
    if (dots_ == nullptr) converted_dots_ = dots_of(ACL_FLOAT);
    // Long stretches of lines, which lie on pages of their own, but blocks for all threads.
    const std::int64_t share = ceil_divide(columns_, 2 * std::int64_t(config().threads));
    block_columns_ = std::min({columns_, std::max(share, kStreamColumns), kThinSums / rows_});
    thin_depth_ = std::min(depth_, turned_ ? kDotPieces * kDotDepth : kDotDepth);
    a_room_ = rows_ * thin_depth_;
    b_room_ = std::max(kLinesTogether * block_columns_, thin_depth_);
    sums_room_ = rows_ * block_columns_;
    scratch_room_ = std::max(kDotLanes * sums_room_, rows_ * thin_depth_);
  }

  void add_thin(const std::byte* a_term, const std::byte* b_term, std::int64_t columns,
                const Room& room) const {
    for (std::int64_t k = 0; k < depth_; k += thin_depth_) {
      const std::int64_t depth = std::min(thin_depth_, depth_ - k);
      const Piece a = left(a_term + k * a_.column_step * a_.size, rows_, depth, room);
      const std::byte* from = b_term + k * b_.row_step * b_.size;
      if (turned_) {
        add_dots(a, from, columns, depth, room);
      } else {
        add_spaced_lines(a, from, columns, depth, room);
      }
    }
  }

  /// Columns of the matrix lie densely.
  void add_dots(const Piece& a, const std::byte* from, std::int64_t columns, std::int64_t depth,
                const Room& room) const {
    DotProducts products{a.data, a.step, rows_, from, b_.column_step, columns, depth};
    if (dots_ != nullptr) {
      dots_(products, room.sums, columns);
      return;
    }
    products.columns = room.b;
    products.column_count = 1;
    for (std::int64_t j = 0; j < columns; ++j) {
      b_.load(from + j * b_.column_step * b_.size, 1, depth, room.b);
      round_(room.b, depth);
      converted_dots_(products, room.sums + j, columns);
    }
  }

  /// Lines of it are read one after the other, each for the lane of its products.
  void add_spaced_lines(const Piece& a, const std::byte* from, std::int64_t columns,
                        std::int64_t depth, const Room& room) const {
    constexpr std::int64_t kTogether = kLinesTogether * kDotLanes;
    const std::int64_t each = rows_ * columns;
    const std::int64_t line_bytes = b_.row_step * b_.size;
    std::fill_n(room.scratch, kDotLanes * each, 0.0f);
    for (std::int64_t k = 0; k < depth; k += kTogether) {
      const std::int64_t lanes = std::min(kDotLanes, depth - k);
      for (std::int64_t lane = k; lane < k + lanes; ++lane) {
        const std::int64_t left_of_it = std::min(kTogether, depth - k) - (lane - k);
        const std::int64_t count = ceil_divide(left_of_it, kDotLanes);
        const Piece lines = lines_from(from + lane * line_bytes, count, columns, room);
        for (std::int64_t i = 0; i < rows_; ++i) {
          float factors[kLinesTogether];
          for (std::int64_t m = 0; m < count; ++m)
            factors[m] = a.data[i * a.step + lane + m * kDotLanes];
          add_lines_(factors, lines.data, lines.step, count, columns,
                     room.scratch + (lane - k) * each + i * columns);
        }
      }
    }
    for (std::int64_t half = kDotLanes / 2; half > 0; half /= 2)
      add_values_(room.scratch + half * each, half * each, room.scratch);
    add_values_(room.scratch, each, room.sums);
  }

  /// Lines kDotLanes apart, as floats.
  Piece lines_from(const std::byte* from, std::int64_t count, std::int64_t columns,
                   const Room& room) const {
    const std::int64_t step = kDotLanes * b_.row_step;
    for (std::int64_t m = 0; m < count && b_.column_step == 1 && !b_in_place_; ++m)
      prefetch(from + (m * step + b_.row_step) * b_.size, columns * b_.size);
    if (b_in_place_) return {reinterpret_cast<const float*>(from), step};
    for (std::int64_t m = 0; m < count; ++m) {
      float* to = room.b + m * columns;
      b_.load(from + m * step * b_.size, b_.column_step, columns, to);
      round_(to, columns);
    }
    return {room.b, columns};
  }

  void run_block(const KernelMemory& memory, std::int64_t block, std::vector<std::int64_t>& index,
                 const Room& room) const {
    const std::int64_t across = ceil_divide(columns_, block_columns_);
    const std::int64_t down = ceil_divide(rows_, block_rows_);
    const std::int64_t column = block % across * block_columns_;
    const std::int64_t row = block / across % down * block_rows_;
    std::int64_t rest = block / across / down;
    for (std::size_t i = batch_.size(); i-- > 0; rest /= batch_[i]) index[i] = rest % batch_[i];
    const std::int64_t rows = std::min(block_rows_, rows_ - row);
    const std::int64_t columns = std::min(block_columns_, columns_ - column);

    const bool is_begun = pair_tiles_ != nullptr && depth_ > 0 && gemm_.terms > 0;
    if (!is_begun) std::fill_n(room.sums, rows * columns, 0.0f);
    const std::byte* a_base = a_.base(memory, index) + row * a_.row_step * a_.size;
    const std::byte* b_base = b_.base(memory, index) + column * b_.column_step * b_.size;
    for (std::int64_t term = 0; term < gemm_.terms; ++term) {
      const std::byte* a_term = a_base + term * gemm_.a_term_step * a_.size;
      const std::byte* b_term = b_base + term * gemm_.b_term_step * b_.size;
      if (thin_) {
        add_thin(a_term, b_term, columns, room);
        continue;
      }
      if (pairs_) {
        add_pairs(a_term, b_term, rows, columns, term > 0, room);
        continue;
      }
      for (std::int64_t k = 0; k < depth_; k += kDepth) {
        const std::int64_t depth = std::min(kDepth, depth_ - k);
        const Piece a = left(a_term + k * a_.column_step * a_.size, rows, depth, room);
        const std::byte* from = b_term + k * b_.row_step * b_.size;
        if (streams_) {
          stream(a, from, rows, columns, depth, room);
        } else {
          add_product(tiles_, a, a_in_place_, right(from, columns, depth, room), rows, columns,
                      depth, room.sums, columns);
        }
      }
    }
    finish(memory, index, row, column, rows, columns, room.sums);
  }

  Piece left(const std::byte* from, std::int64_t rows, std::int64_t depth, const Room& room) const {
    if (a_in_place_) return {reinterpret_cast<const float*>(from), a_.row_step};
    pack(a_, from, rows, depth, round_, room.a, depth, room.scratch);
    return {room.a, depth};
  }

  Piece right(const std::byte* from, std::int64_t columns, std::int64_t depth,
              const Room& room) const {
    if (b_in_place_) return {reinterpret_cast<const float*>(from), b_.row_step};
    const std::int64_t step = round_up(columns, tiles_.lanes);
    pack(b_, from, depth, columns, round_, room.b, step, room.scratch);
    return {room.b, step};
  }

  void add_pairs(const std::byte* a_base, const std::byte* b_base, std::int64_t rows,
                 std::int64_t columns, bool adds, const Room& room) const {
    const std::int64_t step = round_up(columns, tiles_.lanes);
    for (std::int64_t k = 0; k < depth_; k += 2 * kDepth) {
      const std::int64_t depth = std::min(2 * kDepth, depth_ - k);
      const PairSource from_a{a_base + k * a_.column_step * a_.size, a_.row_step, a_.column_step};
      const PairSource from_b{b_base + k * b_.row_step * b_.size, b_.column_step, b_.row_step};
      const std::int64_t pairs = pairs_of(depth);
      // A pair may begin in the middle of a float.
      const bool in_place =
          a_in_place_ && reinterpret_cast<std::uintptr_t>(from_a.data) % sizeof(float) == 0;
      const Piece a = in_place ? Piece{reinterpret_cast<const float*>(from_a.data), a_.row_step / 2}
                               : Piece{room.a, pairs};
      if (!in_place) pack_lines(from_a, rows, depth, room.a, pairs, room.scratch);
      pack_pairs(from_b, columns, depth, room.b, step, room.scratch);
      if (pair_tiles_ != nullptr)
        pair_tiles_({a.data, a.step, room.b, step, rows, columns, pairs}, adds || k > 0, room.sums,
                    columns);
      else
        add_product(tiles_, a, in_place, {room.b, step}, rows, columns, pairs, room.sums, columns);
    }
  }

  /// Adds the product of few rows and lines of the matrix, in the order in which these lie.
  void stream(const Piece& a, const std::byte* from, std::int64_t rows, std::int64_t columns,
              std::int64_t depth, const Room& room) const {
    float* partial = room.scratch;
    std::fill_n(partial, rows * columns, 0.0f);
    for (std::int64_t k = 0; k < depth; k += kLinesTogether) {
      const std::int64_t count = std::min(kLinesTogether, depth - k);
      const std::byte* line = from + k * b_.row_step * b_.size;
      Piece lines{reinterpret_cast<const float*>(line), b_.row_step};
      if (!b_in_place_) {
        for (std::int64_t i = 0; i < count; ++i) {
          b_.load(line + i * b_.row_step * b_.size, 1, columns, room.b + i * columns);
          round_(room.b + i * columns, columns);
        }
        lines = {room.b, columns};
      }
      for (std::int64_t i = 0; i < rows; ++i)
        add_lines_(a.data + i * a.step + k, lines.data, lines.step, count, columns,
                   partial + i * columns);
    }
    add_values_(partial, rows * columns, room.sums);
  }

  void finish(const KernelMemory& memory, const std::vector<std::int64_t>& index, std::int64_t row,
              std::int64_t column, std::int64_t rows, std::int64_t columns, float* sums) const {
    const std::byte* base = out_.base(memory, index);
    if (stored_as_product_ && columns == columns_ && out_.column_step == 1 &&
        out_.row_step == columns) {
      store_(sums, rows * columns, const_cast<std::byte*>(base) + row * columns * out_.size, 1);
      return;
    }
    std::vector<float> added(addend_.has_value() ? std::size_t(columns) : 0);
    for (std::int64_t i = 0; i < rows; ++i) {
      float* line = sums + i * columns;
      if (stored_as_product_) {
        // Storing it rounds it.
      } else {
        round_as_stored(line, columns, gemm_.product);
      }
      if (gemm_.alpha != 1.0f) {
        for (std::int64_t j = 0; j < columns; ++j) line[j] *= gemm_.alpha;
      }
      if (addend_.has_value()) {
        const Matrix& addend = *addend_;
        const std::byte* from =
            addend.base(memory, index) +
            ((row + i) * addend.row_step + column * addend.column_step) * addend.size;
        addend.load(from, addend.column_step, columns, added.data());
        for (std::int64_t j = 0; j < columns; ++j)
          line[j] = gemm_.beta * added[std::size_t(j)] + line[j];
      }
      const std::int64_t at = (row + i) * out_.row_step + column * out_.column_step;
      store_(line, columns, const_cast<std::byte*>(base) + at * out_.size, out_.column_step);
    }
  }

  const Gemm& gemm_;
  const Dims& batch_;
  Matrix a_;
  Matrix b_;
  Matrix out_;
  std::optional<Matrix> addend_;
  std::int64_t rows_;
  std::int64_t columns_;
  std::int64_t depth_;
  InputRounding round_;
  bool stored_as_product_;
  StoreFn store_;
  bool pairs_;  // packed bfloat16, of which two count as one float of the depth
  const TileProducts& tiles_;
  PairTiles pair_tiles_;  // in place of them
  AddLines add_lines_ = lines_adder();
  AddValues add_values_ = values_adder();
  std::int64_t piece_depth_;  // in floats
  Dots dots_ = nullptr;       // that read the matrix as it is
  Dots converted_dots_ = nullptr;
  bool thin_ = false;
  bool turned_ = false;
  std::int64_t thin_depth_ = 0;
  bool streams_ = false;
  bool a_in_place_ = false;
  bool b_in_place_ = false;
  std::int64_t block_rows_ = 0;
  std::int64_t block_columns_ = 0;
  std::int64_t b_step_ = 0;
  std::int64_t a_room_ = 0;
  std::int64_t b_room_ = 0;
  std::int64_t sums_room_ = 0;
  std::int64_t scratch_room_ = 0;
};

/// The same product as a row: (a b)^T = b^T a^T.
Gemm turned(Gemm gemm) {
  const auto turn = [](View& view) {
    const std::size_t rank = view.shape.size();
    const std::int64_t extent = view.shape[rank - 1];
    const std::int64_t stride = view.strides[rank - 1];
    view.shape.set(rank - 1, view.shape[rank - 2]);
    view.shape.set(rank - 2, extent);
    view.strides.set(rank - 1, view.strides[rank - 2]);
    view.strides.set(rank - 2, stride);
  };
  if (gemm.addend.has_value()) {
    gemm.addend = broadcast_view(*gemm.addend, gemm.out.shape);
    turn(*gemm.addend);
  }
  turn(gemm.out);
  turn(gemm.a);
  turn(gemm.b);
  std::swap(gemm.a, gemm.b);
  std::swap(gemm.a_term_step, gemm.b_term_step);
  return gemm;
}

/// Whether few rows are multiplied by a matrix whose pairs can be read where it lies.
bool reads_pairs_turned(const Gemm& gemm) {
  if (pair_tiles() == nullptr || !takes_pairs(gemm)) return false;
  const std::size_t rank = gemm.b.shape.size();
  const std::int64_t rows = gemm.out.shape[gemm.out.shape.size() - 2];
  const std::int64_t along = gemm.b.strides[rank - 2];
  const std::int64_t across = gemm.b.strides[rank - 1];
  return rows <= kFewTurned && 4 * rows <= gemm.out.shape.back() && along == 1 && across != 1 &&
         across % 2 == 0 && gemm.b.shape[rank - 2] % 2 == 0;
}

}  // namespace

void run_gemm(const Gemm& gemm, const KernelMemory& memory) {
  Dims batch;
  for (std::size_t i = 0; i + 2 < gemm.out.shape.size(); ++i) batch.push_back(gemm.out.shape[i]);
  if (gemm.out.shape.product() == 0) return;
  const std::int64_t columns = gemm.out.shape.back();
  const bool is_thin = columns <= kThin && gemm.out.shape[gemm.out.shape.size() - 2] > columns;
  if (is_thin || reads_pairs_turned(gemm)) return run_gemm(turned(gemm), memory);
  const GemmRunner runner(gemm, batch);
  parallel_for(runner.blocks(), runner.grain(),
               [&](std::int64_t begin, std::int64_t end) { runner.run(memory, begin, end); });
}

Launch gemm_kernel(const Plan& plan, Gemm gemm) {
  const auto loads = [](const View& view) { return loader<float>(view.dtype) != nullptr; };
  if (!loads(gemm.a) || !loads(gemm.b) ||
      storer<float>(gemm.out.dtype, Rounding::kTruncate) == nullptr)
    fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "%s: there is no kernel for these element types",
         plan.api());
  return [gemm = std::move(gemm)](const KernelMemory& memory) { run_gemm(gemm, memory); };
}

void launch_gemm(Plan& plan, Gemm gemm) {
  if (gemm.out.shape.product() == 0) return;
  plan.launch(gemm_kernel(plan, std::move(gemm)));
}

void launch_gemm(Plan& plan, Gemm gemm, const PlainOperand& b) {
  if (gemm.out.shape.product() == 0) return;
  plan.launch(b.before(gemm_kernel(plan, std::move(gemm))));
}

aclDataType product_type(aclDataType operands, std::int8_t cube_math_type) {
  const bool lower = operands == ACL_FLOAT && cube_math_type == kUseFloat16;
  return lower ? ACL_FLOAT16 : operands;
}

void set_math_type(Gemm& gemm, aclDataType operands, std::int8_t cube_math_type) {
  if (operands != ACL_FLOAT) return;  // 16 bits are multiplied as they are
  const bool lower = cube_math_type == kAllowDownPrecision;
  // A chip without hfloat32, which is one without bfloat16, has float16 for less precision.
  if (cube_math_type == kUseFloat16 || (lower && !chip().has_bf16())) gemm.through = ACL_FLOAT16;
  gemm.hfloat32 = gemm.through != ACL_FLOAT16 && (lower || cube_math_type == kUseHfloat32);
}

}  // namespace pyaclnn::sim
