// A Chosen cut into parts that have no place of the table in common, each for one thread.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "opapi/indexing/chosen_walk.hpp"
#include "opapi/indexing/table_copy.hpp"

namespace pyaclnn::sim {

/// Parts along an axis that no number moves along, at least as many as there are threads: more of
/// them where they lie apart from one another or, in a `buffer`, are to stay in the cache.
std::vector<Chosen> parts_of(const Chosen& chosen, bool buffer);

/// What makes the table of a part what it is to hold before.
TableCopy copy_of(const Chosen& part);

/// Whether launch_scatter sees to chosen.before as it puts what goes to the table.
bool copies_on_the_way(const Chosen& chosen, Combine combine, bool include_self);

}  // namespace pyaclnn::sim
