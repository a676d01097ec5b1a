// As much JSON as the configuration file of aclInit needs.
// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

namespace pyaclnn::sim {

/// The scalars of a JSON object by their path ("defaultDevice.default_device"), as text.
///
/// Arrays are checked and skipped. Failure(100006) for what is not JSON.
std::map<std::string, std::string> read_json_scalars(const std::string& text);

}  // namespace pyaclnn::sim
