// Products of groups of the depth of floats of a byte, each a matrix of its own.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <vector>

#include "opapi/common/blocks.hpp"
#include "opapi/common/numbers.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/matmul/scaled_blocks.hpp"
#include "opapi/moe/grouped_floats.hpp"
#include "opapi/product/groups.hpp"
#include "opapi/product/packed_floats.hpp"
#include "opapi/product/tiled_product.hpp"
#include "opapi/quant/rows.hpp"
#include "opapi/quant/stored_scales.hpp"

namespace pyaclnn::sim {
namespace {

using Floats = std::vector<float>;

std::size_t at(std::int64_t place) { return static_cast<std::size_t>(place); }

struct Kernel {
  QuantIn left, right;  // [depth, rows] and [depth, columns]
  StoredScales row_scale, column_scale;
  View numbers;
  RowMajor out;
  DepthScales kind;
  std::int64_t rows, depth, columns, experts, list_type;

  void run(const KernelMemory& memory) const {
    const Floats of_rows = row_scale.values(memory), of_columns = column_scale.values(memory);
    for (const Group& group :
         groups_of(numbers_of<std::int64_t>(memory, numbers), list_type, experts, depth)) {
      const Floats found = product(memory, group, of_rows, of_columns);
      RowMajorAccess(out, memory)
          .write(group.expert * rows * columns, rows * columns, found.data());
    }
  }

 private:
  /// Scales of a group begin behind those of the groups in front, which have one more each.
  const float* scales_of(const Floats& scales, const Group& group, std::int64_t piece,
                         std::int64_t width) const {
    return scales.data() + (group.begin / piece + group.expert) * width;
  }

  Floats product(const KernelMemory& memory, const Group& group, const Floats& of_rows,
                 const Floats& of_columns) const {
    const std::int64_t size = std::max<std::int64_t>(0, group.size());
    Floats a = left.values(memory, group.begin * rows, size * rows);
    Floats b = right.values(memory, group.begin * columns, size * columns);
    if (kind == DepthScales::kTiles)
      return TiledProduct{rows, size, columns, 1, true, false}.of(
          a.data(), b.data(), scales_of(of_rows, group, kTile, rows),
          scales_of(of_columns, group, kTile, pieces(columns, kTile)));
    if (kind == DepthScales::kBlocks) {
      scale_blocks(a.data(), scales_of(of_rows, group, kMxPair, rows * 2), size, rows, true);
      scale_blocks(b.data(), scales_of(of_columns, group, kMxPair, columns * 2), size, columns,
                   true);
    }
    Floats sums = packed_product({a.data(), true}, {b.data()}, rows, size, columns);
    if (kind == DepthScales::kBlocks) return sums;
    const bool each_row = std::int64_t(of_rows.size()) == experts * rows;
    const bool each_column = std::int64_t(of_columns.size()) == experts * columns;
    for (std::int64_t i = 0; i < rows * columns; ++i) {
      const std::int64_t column = group.expert * columns + i % columns;
      sums[at(i)] *= of_columns[at(each_column ? column : group.expert)];
      if (!of_rows.empty())
        sums[at(i)] *= of_rows[at(each_row ? group.expert * rows + i / columns : group.expert)];
    }
    return sums;
  }
};

}  // namespace

void grouped_depth_floats(Plan& plan, const GroupedProducts& g, DepthScales kind) {
  const TensorArgument &x = g.x.tensors[0], &weight = g.weight.tensors[0];
  const TensorArgument &scale = g.scale.tensors[0], &out = g.out.tensors[0];
  if (out.is_empty()) return;
  Kernel kernel;
  kernel.left = QuantIn(plan, exchanged_axes(plan, x, 0), false);
  kernel.right = QuantIn(plan, weight, false);
  kernel.column_scale = StoredScales(plan, scale);
  if (g.token_scale.given() && !g.token_scale.tensors.empty()) {
    const TensorArgument& token = g.token_scale.tensors[0];
    kernel.row_scale =
        StoredScales(plan, kind == DepthScales::kPlain ? same_view(plan, token)
                                                       : exchanged_axes(plan, token, 0));
  }
  plan.stage(*g.numbers).contiguous();
  kernel.numbers = plan.reads(*g.numbers);
  kernel.kind = kind;
  kernel.rows = x.shape()[0], kernel.depth = x.shape()[1], kernel.columns = weight.shape()[1];
  kernel.experts = out.shape()[0], kernel.list_type = g.list_type;
  plan.result(out.dtype(), out.shape()).copy_to(out);
  kernel.out = RowMajor(plan.writes(out));
  plan.launch([kernel = std::move(kernel)](const KernelMemory& memory) { kernel.run(memory); });
}

}  // namespace pyaclnn::sim
