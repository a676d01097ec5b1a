// What grouped products have in common that a gate follows.
// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/product/groups.hpp"
#include "opapi/quant/rows.hpp"
#include "parameters/GroupedMatmulSwigluQuantV2.hpp"

namespace pyaclnn::sim {

/// Plans `store` of x sigmoid(x) z, x and z the halves of each row that grouped products have.
template <class Rows>
void gate_rows(Plan& plan, const Rows& rows, RowSink store) {
  plan.launch(rows.weight.before([rows, store = std::move(store)](const KernelMemory& memory) {
    const std::int64_t half = rows.columns() / 2;
    rows.run(memory, [&](std::int64_t row, std::int64_t count, std::int64_t expert,
                         const float* values) {
      parallel_for(count, 1, [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> line(static_cast<std::size_t>(half)), buffer(line.size());
        for (std::int64_t i = begin; i < end; ++i) {
          const float* const x = values + i * 2 * half;
          for (std::int64_t j = 0; j < half; ++j)
            line[static_cast<std::size_t>(j)] = x[j] / (1.0f + std::exp(-x[j])) * x[half + j];
          store(memory, {row + i, expert, half}, line.data(), buffer.data());
        }
      });
    });
  }));
}

/// The second version on the 950, where the numbers are floats of a byte or half of one, or int8.
void gate_on_950(const Check& check, Plan& plan, const GroupedMatmulSwigluQuantV2Parameters& given,
                 bool named_nz);

}  // namespace pyaclnn::sim
