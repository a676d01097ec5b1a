// Faults that tests inject: see pyaclnnSimSetFault in pyaclnn/sim.h for the syntax.
// SPDX-License-Identifier: MIT
#pragma once

#include "core/export.hpp"

namespace pyaclnn::sim {

/// What an injected fault does to one execution of an operator.
struct ExecutionFault {
  bool spoil_result = false;
  int async_status = 0;
};

/// The fault due for this execution of `operator_name` (counts the execution). Cheap when no plan
/// is installed.
SIM_API ExecutionFault execution_fault(const char* operator_name) noexcept;

/// Replaces the plan in force; false, changing nothing, for a text that is not understood.
SIM_API bool install_fault_plan(const char* plan);

}  // namespace pyaclnn::sim
