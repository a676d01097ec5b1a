// In which release of CANN something came, and what releases do differently: the table's facts.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "behaviours.hpp"
#include "core/export.hpp"

namespace pyaclnn::sim {

/// A release whose behaviour is simulated.
struct Release {
  const char* name;  // 9.1
  const char* text;  // 9.1.0, and its parts
  const char* major;
  const char* minor;
  const char* release;
  int number;     // of aclsysGetVersionNum
  int acl_minor;  // of aclrtGetVersion
};

/// The release that the environment asks for, and its place among all.
SIM_API const Release& current_release();
SIM_API int current_place();

std::string release_names();

/// Whether this release does so.
SIM_API bool behaves(Behaviour behaviour);

/// Refuses a function of the runtime that this release does not have.
SIM_API void require_release(const char* function);

/// Why this release lacks an operator, or nothing where it has it.
SIM_API std::string lack_of_operator(std::string_view operator_name);

[[noreturn]] SIM_API void lacks_operator(const char* operator_name);

/// Refuses an operator outside the releases at these places; 561103.
inline void require_operator(const char* operator_name, int since, int until) {
  const int place = current_place();
  if (place < since || place >= until) lacks_operator(operator_name);
}

}  // namespace pyaclnn::sim
