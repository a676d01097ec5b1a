// Rows added to those of a table of float16 or bfloat16 that one list of numbers chooses: row by
// row of the table, which is converted once and rounded once, all that goes to it in order.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/indexing/chosen_walk.hpp"

namespace pyaclnn::sim {

/// Whether what is chosen are whole rows, in both views.
bool adds_rows(const Chosen& chosen, Combine combine, bool include_self);

/// Adds them, times a factor. `walk` and `table` are of a part of what was chosen.
void add_rows(const KernelMemory& memory, const Walk& walk, const View& table, std::size_t axis,
              float factor, OutOfRange& bad);

}  // namespace pyaclnn::sim
