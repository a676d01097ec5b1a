// SPDX-License-Identifier: MIT
#include "opapi/moe/scaled_groups.hpp"

#include <algorithm>
#include <utility>

#include "core/checked.hpp"
#include "opapi/matmul/scaled_blocks.hpp"
#include "opapi/product/integer_product.hpp"
#include "opapi/product/packed_floats.hpp"
#include "opapi/product/tiled_product.hpp"

namespace pyaclnn::sim {
namespace {

using Floats = std::vector<float>;
using Size = Checked<std::int64_t>;

constexpr std::int64_t kBlockRows = 512;  // that are computed at once

std::size_t at(std::int64_t place) { return static_cast<std::size_t>(place); }

/// A matrix of int8 from a line on.
IntegerMatrix lines_of(const KernelMemory& memory, const View& view, std::int64_t first) {
  IntegerMatrix result;
  result.base = memory.operands[view.operand];
  result.first = view.offset + first;
  result.line_step = view.strides.end()[-2];
  result.step = view.strides.end()[-1];
  return result;
}

}  // namespace

bool has_turned_blocks(const TensorArgument& scales, std::size_t axis) {
  const Dims &shape = scales.shape(), &strides = scales.meta().strides;
  return (shape[axis] != 1 || shape[axis + 1] != 1) && strides[axis + 2] == 1 &&
         strides[axis] == shape[axis + 2] &&
         Size(strides[axis + 1]) == Size(shape[axis + 2]) * Size(shape[axis]);
}

ScaledGroups::ScaledGroups(Plan& plan, const TensorArgument& given_rows,
                           const TensorArgument& weights, bool weights_in_blocks,
                           const TensorArgument& groups, std::int64_t type)
    : weight(plan, weights, weights_in_blocks),
      turned(is_turned(weights)),
      matrices(turned ? exchanged(weight.view(), 1, 2) : weight.view()),
      left(plan, given_rows, false),
      list_type(type) {
  x = plan.reads(given_rows);
  if (x.dtype != ACL_INT8) right = QuantIn(plan, matrices);
  plan.stage(groups).contiguous();
  numbers = plan.reads(groups);
}

void ScaledGroups::scale_by_blocks(Plan& plan, const TensorArgument& of_rows,
                                   const TensorArgument& of_columns) {
  in_blocks = true;
  row_scale = StoredScales(plan, of_rows);
  column_scale = StoredScales(
      plan, turned ? exchanged_axes(plan, of_columns, 1) : same_view(plan, of_columns));
}

void ScaledGroups::scale_by_tiles(Plan& plan, const TensorArgument& of_rows,
                                  const TensorArgument& of_columns) {
  scale_by_blocks(plan, of_rows, of_columns);
  in_blocks = false;
  in_tiles = true;
}

Floats ScaledGroups::matrix(const KernelMemory& memory, std::int64_t expert,
                            const Floats& scales) const {
  if (x.dtype == ACL_INT8) return {};
  const std::int64_t count = depth() * columns();
  Floats result = right.values(memory, expert * count, count);
  if (in_blocks)
    scale_blocks(result.data(), scales.data() + expert * mx_pairs(depth()) * columns() * 2,
                 matrices.shape[1], matrices.shape[2], !turned);
  return result;
}

Floats ScaledGroups::whole_product(const KernelMemory& memory, const Group& rows) const {
  const std::int64_t n = columns();
  Floats result(at(rows.size() * n));
  const View plain = turned ? exchanged(matrices, 1, 2) : matrices;
  integer_product(
      lines_of(memory, x, rows.begin * x.strides[0]),
      lines_of(memory, plain, rows.expert * plain.strides[0]), rows.size(), n, depth(),
      [&](std::int64_t row, std::int64_t column, std::int64_t count, const std::int32_t* sums) {
        std::copy_n(sums, count, result.data() + row * n + column);
      });
  return result;
}

Floats ScaledGroups::product(const KernelMemory& memory, const Group& rows, const Floats& matrix,
                             const Floats& scales, const Floats& of_columns) const {
  if (x.dtype == ACL_INT8) return whole_product(memory, rows);
  Floats values = left.values(memory, rows.begin * depth(), rows.size() * depth());
  if (in_blocks)
    scale_blocks(values.data(), scales.data() + rows.begin * mx_pairs(depth()) * 2, rows.size(),
                 depth(), false);
  if (in_tiles) {
    const std::int64_t parts = pieces(depth(), kTile), wide = pieces(columns(), kTile);
    const TiledProduct tiles{rows.size(), depth(), columns(), 1, false, turned};
    return tiles.of(values.data(), matrix.data(), scales.data() + rows.begin * parts,
                    of_columns.data() + rows.expert * parts * wide);
  }
  return packed_product({values.data()}, {matrix.data(), turned}, rows.size(), depth(), columns());
}

void ScaledGroups::run(const KernelMemory& memory, UseRows use) const {
  const Floats of_rows = row_scale.values(memory), of_columns = column_scale.values(memory);
  const Floats added = bias.values(memory);
  const std::int64_t n = columns();
  const bool each = std::int64_t(of_columns.size()) == experts() * n;
  for (const Group& group :
       groups_of(numbers_of<std::int64_t>(memory, numbers), list_type, experts(), rows())) {
    if (group.size() <= 0) continue;
    const Floats own = matrix(memory, group.expert, of_columns);
    for (std::int64_t row = group.begin; row < group.end; row += kBlockRows) {
      const Group part{group.expert, row, std::min(group.end, row + kBlockRows)};
      Floats sums = product(memory, part, own, of_rows, of_columns);
      for (std::int64_t i = 0; i < part.size() * n && !in_blocks && !in_tiles; ++i) {
        if (!of_columns.empty())
          sums[at(i)] *= of_columns[at(each ? group.expert * n + i % n : group.expert)];
        if (!of_rows.empty())
          sums[at(i)] *= of_rows[at(row_scale_of_groups ? group.expert : row + i / n)];
      }
      for (std::int64_t i = 0; i < part.size() * n && !added.empty(); ++i)
        sums[at(i)] += added[at(group.expert * n + i % n)];
      use(row, part.size(), group.expert, sums.data());
    }
  }
}

}  // namespace pyaclnn::sim
