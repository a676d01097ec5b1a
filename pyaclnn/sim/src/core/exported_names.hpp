// What the simulator's libraries export.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace pyaclnn::sim {

/// The functions of all libraries of the simulator, loaded or not: read from the files beside this
/// one. Empty where they cannot be read.
std::vector<std::string> exported_names();

/// Up to three of `names` that are spelt most like `name`, none of them all too different.
std::vector<std::string> nearest_names(const std::string& name,
                                       const std::vector<std::string>& names);

}  // namespace pyaclnn::sim
