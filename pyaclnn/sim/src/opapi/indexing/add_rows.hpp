// Rows added to those of a table of float, float16 or bfloat16 that one list of numbers chooses:
// row by row of the table, which is read once and rounded once, all that goes to it in order.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/indexing/chosen_walk.hpp"

namespace pyaclnn::sim {

/// Whether what is chosen are whole rows, in all views.
bool adds_rows(const Chosen& chosen, Combine combine, bool include_self);

/// Adds them, each times chosen.factor.
Launch add_rows_kernel(const char* api, const Chosen& chosen);

}  // namespace pyaclnn::sim
