// As much JSON as configuration files need.
// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

#include "core/export.hpp"

namespace pyaclnn::sim {

/// The scalars of a JSON object by their path ("defaultDevice.default_device"), as text.
///
/// Elements of arrays have their number in it ("device[0].rank_id"). Failure(100006) for what is
/// not JSON.
SIM_API std::map<std::string, std::string> read_json_scalars(const std::string& text);

}  // namespace pyaclnn::sim
