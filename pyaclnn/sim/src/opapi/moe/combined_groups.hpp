// What grouped products have in common whose rows are added up over the tokens that they are of.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/numbers.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/common/row_major.hpp"
#include "parameters/GroupedMatmulFinalizeRoutingV3.hpp"

namespace pyaclnn::sim {

/// Plans out[token] = the sum of its rows, times what they weigh, and of the shared experts' rows.
template <class Rows>
void combine_groups(Plan& plan, const Rows& rows,
                    const GroupedMatmulFinalizeRoutingV3Parameters& c) {
  const auto floats = [&](const TensorArgument& tensor) {
    if (!tensor.given()) return RowMajor();
    plan.stage(tensor).contiguous();
    return RowMajor(plan.reads(tensor));
  };
  const RowMajor logits = floats(c.logitOptional), shared = floats(c.sharedInputOptional);
  plan.stage(c.rowIndexOptional).contiguous();
  const View places = plan.reads(c.rowIndexOptional);
  plan.result(ACL_FLOAT, c.out.shape()).copy_to(c.out);
  const RowMajor to(plan.writes(c.out));
  const std::int64_t tokens = c.out.shape()[0];
  plan.launch(rows.weight.before([=, weight = c.sharedInputWeight,
                                  first = c.sharedInputOffset](const KernelMemory& memory) {
    const auto at = [](std::int64_t place) { return static_cast<std::size_t>(place); };
    const std::int64_t n = rows.columns();
    std::vector<float> sums(at(tokens * n), 0.0f);
    if (shared.given()) {
      const std::vector<float> values = RowMajorAccess(shared, memory).values();
      for (std::size_t i = 0; i < values.size(); ++i) sums[at(first * n) + i] = weight * values[i];
    }
    const auto index = numbers_of<std::int64_t>(memory, places);
    const std::vector<float> weights = RowMajorAccess(logits, memory).values();
    rows.run(memory, [&](std::int64_t row, std::int64_t count, std::int64_t, const float* values) {
      parallel_for(n, 256, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = 0; i < count; ++i) {
          const std::int64_t token = index[at(row + i)];
          if (token < 0 || token >= tokens) continue;
          const float own = weights[at(row + i)];
          for (std::int64_t j = begin; j < end; ++j)
            sums[at(token * n + j)] += own * values[i * n + j];
        }
      });
    });
    RowMajorAccess(to, memory).write(0, tokens * n, sums.data());
  }));
}

/// The same on the 950, where the numbers are floats of a byte or half of one, or int8.
void combine_on_950(const Check& check, Plan& plan,
                    const GroupedMatmulFinalizeRoutingV3Parameters& given);

}  // namespace pyaclnn::sim
