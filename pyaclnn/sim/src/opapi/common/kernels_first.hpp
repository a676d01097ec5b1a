// Operators whose first phase CANN generates from their kernels, which it looks for at once.
// SPDX-License-Identifier: MIT
#pragma once

namespace pyaclnn::sim {

/// All that some chip lacks, from the table, sorted by name.
extern const char* const kKernelsFirst[];
extern const unsigned kKernelsFirstCount;

}  // namespace pyaclnn::sim
