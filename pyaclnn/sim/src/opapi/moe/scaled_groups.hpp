// Rows of narrow numbers times the matrices of their groups, with scales of blocks that share an
// exponent, or of rows and columns.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "core/function_ref.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/product/groups.hpp"
#include "opapi/quant/rows.hpp"
#include "opapi/quant/stored_scales.hpp"

namespace pyaclnn::sim {

/// What becomes of `count` rows of an expert, from a row on.
using UseRows = FunctionRef<void(std::int64_t row, std::int64_t count, std::int64_t expert,
                                 const float* values)>;

/// The scales of blocks of a matrix, whose axes are exchanged where they were after they were
/// stored; `axis` is the first of the two.
bool has_turned_blocks(const TensorArgument& scales, std::size_t axis);

/// The products. Of int8 sums are exact. Scales are of columns or groups, and then of rows or
/// groups, where there are.
struct ScaledGroups {
  PlainOperand weight;  // [experts, depth, columns], in whatever order of the last two axes
  bool turned;
  View x, matrices, numbers;
  QuantIn left, right;
  std::int64_t list_type;
  bool in_blocks = false, in_tiles = false;
  StoredScales row_scale, column_scale;
  bool row_scale_of_groups = false;
  StoredScales bias;  // [experts, columns], added behind

  ScaledGroups(Plan& plan, const TensorArgument& rows, const TensorArgument& weights,
               bool weights_in_blocks, const TensorArgument& groups, std::int64_t type);

  /// Takes scales of blocks: [rows, pairs, 2] and [experts, pairs, columns, 2].
  void scale_by_blocks(Plan& plan, const TensorArgument& of_rows, const TensorArgument& of_columns);

  /// Takes scales of tiles: [rows, parts] and [experts, parts, tiles of columns].
  void scale_by_tiles(Plan& plan, const TensorArgument& of_rows, const TensorArgument& of_columns);

  std::int64_t rows() const { return x.shape[0]; }
  std::int64_t depth() const { return x.shape[1]; }
  std::int64_t experts() const { return matrices.shape[0]; }
  std::int64_t columns() const { return matrices.shape[turned ? 1 : 2]; }

  void run(const KernelMemory& memory, UseRows use) const;

 private:
  std::vector<float> matrix(const KernelMemory& memory, std::int64_t expert,
                            const std::vector<float>& scales) const;
  std::vector<float> product(const KernelMemory& memory, const Group& rows,
                             const std::vector<float>& matrix, const std::vector<float>& scales,
                             const std::vector<float>& of_columns) const;
  std::vector<float> whole_product(const KernelMemory& memory, const Group& rows) const;
};

}  // namespace pyaclnn::sim
