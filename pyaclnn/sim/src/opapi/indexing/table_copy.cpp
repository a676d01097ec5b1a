// SPDX-License-Identifier: MIT
#include "opapi/indexing/table_copy.hpp"

#include <algorithm>

#include "objects/dtype.hpp"
#include "opapi/common/flat.hpp"

namespace pyaclnn::sim {

TableCopy::TableCopy(const View& to, const View& from)
    : to_(to), from_(from), nest_(plan_loops({to, from})) {}

bool TableCopy::has_rows() const {
  return nest_.inner_stride(0) == 1 && nest_.inner_stride(1) == 1;
}

void TableCopy::run(const KernelMemory& memory) const {
  if (nest_.extents.empty()) return;
  const auto size = std::int64_t(dtype_size(to_.dtype));
  std::byte* to = memory.operands[to_.operand] + to_.offset * size;
  const std::byte* from = memory.operands[from_.operand] + from_.offset * size;
  LoopCursor cursor(nest_, 0);
  for (std::int64_t left = nest_.count; left > 0;) {
    const std::int64_t count = std::min(left, cursor.left_in_row());
    copy_elements(to + cursor.offset(0) * size, nest_.inner_stride(0) * size,
                  from + cursor.offset(1) * size, nest_.inner_stride(1) * size, count, size);
    cursor.advance(count);
    left -= count;
  }
}

}  // namespace pyaclnn::sim
