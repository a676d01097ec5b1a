// Rotary position embedding whose cosines and sines are looked up by position.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Turns the first values of each head of query and key, as many as a row of `cache` has: half of
/// them cosines, half sines. With `section`, positions have a row for time, height, width, ...,
/// whose angles lie in sections behind one another, or, for mode 1, take turns.
void rope_with_sin_cos_cache(const Check& check, Plan& plan, const TensorArgument& positions,
                             const TensorArgument& query, const TensorArgument& key,
                             const TensorArgument& cache, const IntArrayIn& section,
                             std::int64_t head_size, bool is_neox, std::int64_t cache_mode,
                             const TensorArgument& query_out, const TensorArgument& key_out);

}  // namespace pyaclnn::sim
