// Faults that tests inject: see pyaclnnSimSetFault in pyaclnn/sim.h for the syntax.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/export.hpp"

namespace pyaclnn::sim {

/// What an injected fault does to one execution of an operator.
struct ExecutionFault {
  bool corrupt_result = false;
  int async_status = 0;
};

/// The fault due for this execution of `operator_name` (counts the execution). Cheap when no plan
/// is installed.
SIM_API ExecutionFault execution_fault(const char* operator_name) noexcept;

/// Replaces the plan in force; Failure(100000), changing nothing, for a text that is not understood
/// or names a function that nobody calls.
SIM_API void install_fault_plan(const char* plan);

/// How often the plan in force has acted.
SIM_API std::uint64_t injected_faults() noexcept;

}  // namespace pyaclnn::sim
