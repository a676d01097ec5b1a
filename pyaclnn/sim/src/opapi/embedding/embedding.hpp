// What the kernels here have in common: index tensors, and chips that have no such kernel.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// All elements of a view in row-major order.
std::vector<std::int64_t> read_integers(const View& view, const KernelMemory& memory);

/// Fails 561003 unless the chip is an A2 or A3, where the kernel would be looked for.
void require_a2_or_a3(const Plan& plan);

}  // namespace pyaclnn::sim
