// SPDX-License-Identifier: MIT
#include "opapi/attention/tree_mask.hpp"

#include <algorithm>

namespace pyaclnn::sim {

View launch_tree_mask(Plan& plan, const TreeMask& mask,
                      const std::vector<AttentionSequence>& sequences, std::int64_t rows,
                      std::int64_t columns) {
  const auto batch = std::int64_t(sequences.size());
  const TensorArgument whole = plan.scratch("mask", ACL_UINT8, {batch, 1, rows, columns});
  const View to = plan.writes(whole);
  plan.launch([=](const KernelMemory& memory) {
    const std::byte* from = memory.operands[mask.pairs.operand] + mask.pairs.offset;
    std::byte* out = memory.operands[to.operand] + to.offset;
    std::fill_n(out, batch * rows * columns, std::byte{0});
    std::int64_t behind = 0;
    for (std::int64_t i = 0; i < batch; ++i) {
      const AttentionSequence& sequence = sequences[std::size_t(i)];
      const std::int64_t count = sequence.rows;
      const std::byte* own = from + (mask.batch > 0 ? i * mask.batch : behind);
      behind += count * count;
      if (sequence.columns < count) continue;
      for (std::int64_t r = 0; r < count; ++r)
        std::copy_n(own + r * (mask.line > 0 ? mask.line : count), count,
                    out + (i * rows + r) * columns + sequence.columns - count);
    }
  });
  return plan.reads(whole);
}

}  // namespace pyaclnn::sim
