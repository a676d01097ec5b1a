// SPDX-License-Identifier: MIT
#include "opapi/matmul/gemm.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/config.hpp"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/hfloat32.hpp"
#include "opapi/common/round_stored.hpp"
#include "opapi/convolution/matrix.hpp"
#include "opapi/matmul/packed_product.hpp"
#include "opapi/matmul/pairs.hpp"

namespace pyaclnn::sim {
namespace {

// A block of the result and the pieces of the operands it is made of stay in the L2 cache.
constexpr std::int64_t kBlockRows = 256;
constexpr std::int64_t kBlockColumns = 384;

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

  void operator()(float* values, std::int64_t count) const {
    if (hfloat32) {
      for (std::int64_t i = 0; i < count; ++i) values[i] = to_hfloat32(values[i]);
    } else if (through == ACL_FLOAT16) {
      round_as_stored(values, count, ACL_FLOAT16);
    }
  }
};

/// Copies `rows` by `columns` elements to rows `to_step` apart, whichever of the two lies denser.
void pack(const Matrix& matrix, const std::byte* from, std::int64_t row_step,
          std::int64_t column_step, std::int64_t rows, std::int64_t columns,
          const InputRounding& round, float* to, std::int64_t to_step, FloatBuffer& scratch) {
  if (column_step == 1 || row_step != 1) {
    for (std::int64_t i = 0; i < rows; ++i) {
      matrix.load(from + i * row_step * matrix.size, column_step, columns, to + i * to_step);
      round(to + i * to_step, columns);
    }
    return;
  }
  // Columns are dense: read along them, then turn the block.
  for (std::int64_t k = 0; k < columns; ++k) {
    float* line = scratch.data() + k * rows;
    matrix.load(from + k * column_step * matrix.size, 1, rows, line);
    round(line, rows);
  }
  transpose(scratch.data(), rows, columns, rows, to, to_step);
}

bool takes_pairs(const Gemm& gemm) {
  return gemm.a.dtype == ACL_BF16 && gemm.b.dtype == ACL_BF16 && gemm.through == ACL_FLOAT &&
         pair_products() != nullptr;
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
        tiles_(pairs_ ? *pair_products() : TileProducts::of_this_cpu()) {
    if (gemm.addend.has_value()) {
      addend_.emplace(broadcast_view(*gemm.addend, gemm.out.shape), batch);
    }
    // Enough blocks for all threads, where the result is small.
    block_rows_ = std::min(kBlockRows, round_up(std::max<std::int64_t>(rows_ / 2, 1), tiles_.rows));
    block_columns_ = kBlockColumns / tiles_.columns() * tiles_.columns();
    block_columns_ =
        std::min(block_columns_, round_up(std::max<std::int64_t>(columns_, 1), tiles_.columns()));
  }

  std::int64_t blocks() const {
    return batch_.product() * ceil_divide(rows_, block_rows_) *
           ceil_divide(columns_, block_columns_);
  }

  void run(const KernelMemory& memory, std::int64_t begin, std::int64_t end) const {
    FloatBuffer a(block_rows_ * kDepth);
    FloatBuffer b(kDepth * block_columns_);
    FloatBuffer sums(block_rows_ * block_columns_);
    FloatBuffer scratch(kDepth * std::max(block_rows_, block_columns_));
    for (std::int64_t block = begin; block < end; ++block)
      run_block(memory, block, a, b, sums, scratch);
  }

 private:
  void run_block(const KernelMemory& memory, std::int64_t block, FloatBuffer& a, FloatBuffer& b,
                 FloatBuffer& sums, FloatBuffer& scratch) const {
    const std::int64_t across = ceil_divide(columns_, block_columns_);
    const std::int64_t down = ceil_divide(rows_, block_rows_);
    const std::int64_t column = block % across * block_columns_;
    const std::int64_t row = block / across % down * block_rows_;
    std::vector<std::int64_t> index(batch_.size());
    std::int64_t rest = block / across / down;
    for (std::size_t i = batch_.size(); i-- > 0; rest /= batch_[i]) index[i] = rest % batch_[i];
    const std::int64_t rows = std::min(block_rows_, rows_ - row);
    const std::int64_t columns = std::min(block_columns_, columns_ - column);

    std::fill_n(sums.data(), rows * block_columns_, 0.0f);
    const std::byte* a_base = a_.base(memory, index) + row * a_.row_step * a_.size;
    const std::byte* b_base = b_.base(memory, index) + column * b_.column_step * b_.size;
    for (std::int64_t term = 0; term < gemm_.terms; ++term) {
      const std::byte* a_term = a_base + term * gemm_.a_term_step * a_.size;
      const std::byte* b_term = b_base + term * gemm_.b_term_step * b_.size;
      if (pairs_) {
        add_pairs(a_term, b_term, rows, columns, a, b, sums, scratch);
        continue;
      }
      for (std::int64_t k = 0; k < depth_; k += kDepth) {
        const std::int64_t depth = std::min(kDepth, depth_ - k);
        pack(a_, a_term + k * a_.column_step * a_.size, a_.row_step, a_.column_step, rows, depth,
             round_, a.data(), kDepth, scratch);
        pack(b_, b_term + k * b_.row_step * b_.size, b_.row_step, b_.column_step, depth, columns,
             round_, b.data(), block_columns_, scratch);
        multiply(a.data(), b.data(), rows, columns, depth, sums.data());
      }
    }
    finish(memory, index, row, column, rows, columns, sums);
  }

  void add_pairs(const std::byte* a_base, const std::byte* b_base, std::int64_t rows,
                 std::int64_t columns, FloatBuffer& a, FloatBuffer& b, FloatBuffer& sums,
                 FloatBuffer& scratch) const {
    for (std::int64_t k = 0; k < depth_; k += 2 * kDepth) {
      const std::int64_t depth = std::min(2 * kDepth, depth_ - k);
      const PairSource left{a_base + k * a_.column_step * a_.size, a_.row_step, a_.column_step};
      const PairSource right{b_base + k * b_.row_step * b_.size, b_.column_step, b_.row_step};
      pack_lines(left, rows, depth, a.data(), kDepth, scratch);
      pack_pairs(right, columns, depth, b.data(), block_columns_, scratch);
      multiply(a.data(), b.data(), rows, columns, pairs_of(depth), sums.data());
    }
  }

  /// Adds the product of two packed pieces to the block's sums.
  void multiply(const float* a, const float* b, std::int64_t rows, std::int64_t columns,
                std::int64_t depth, float* sums) const {
    add_packed_product(tiles_, a, b, block_columns_, rows, columns, depth, sums, block_columns_);
  }

  void finish(const KernelMemory& memory, const std::vector<std::int64_t>& index, std::int64_t row,
              std::int64_t column, std::int64_t rows, std::int64_t columns,
              FloatBuffer& sums) const {
    const std::byte* base = out_.base(memory, index);
    std::vector<float> added(addend_.has_value() ? std::size_t(columns) : 0);
    for (std::int64_t i = 0; i < rows; ++i) {
      float* line = sums.data() + i * block_columns_;
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
  std::int64_t block_rows_ = 0;
  std::int64_t block_columns_ = 0;
};

}  // namespace

void run_gemm(const Gemm& gemm, const KernelMemory& memory) {
  Dims batch;
  for (std::size_t i = 0; i + 2 < gemm.out.shape.size(); ++i) batch.push_back(gemm.out.shape[i]);
  if (gemm.out.shape.product() == 0) return;
  const GemmRunner runner(gemm, batch);
  parallel_for(runner.blocks(), 1,
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

aclDataType product_type(aclDataType operands, std::int8_t cube_math_type) {
  const bool lower = operands == ACL_FLOAT && cube_math_type == kUseFloat16;
  return lower ? ACL_FLOAT16 : operands;
}

void set_math_type(Gemm& gemm, aclDataType operands, std::int8_t cube_math_type) {
  if (operands != ACL_FLOAT) return;  // 16 bits are multiplied as they are
  const bool lower = cube_math_type == kAllowDownPrecision;
  // A chip without hfloat32, which is one without bfloat16, has float16 for less precision.
  if (cube_math_type == kUseFloat16 || (lower && !config().has_bf16())) gemm.through = ACL_FLOAT16;
  gemm.hfloat32 = gemm.through != ACL_FLOAT16 && (lower || cube_math_type == kUseHfloat32);
}

}  // namespace pyaclnn::sim
