// Grouped products whose rows become the output as they are.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/plan.hpp"
#include "opapi/common/row_major.hpp"

namespace pyaclnn::sim {

/// Plans the rows of grouped products into a tensor.
template <class Rows>
void write_groups(Plan& plan, const Rows& rows, const TensorArgument& out) {
  const RowMajor to(plan.writes(out));
  plan.launch(rows.weight.before([rows, to](const KernelMemory& memory) {
    const std::int64_t n = rows.columns();
    rows.run(memory, [&](std::int64_t row, std::int64_t count, std::int64_t, const float* values) {
      RowMajorAccess(to, memory).write(row * n, count * n, values);
    });
  }));
}

}  // namespace pyaclnn::sim
