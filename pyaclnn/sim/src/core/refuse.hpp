// Functions that clients link to or look up and that the simulator does not have: each refuses with
// the code its library documents for that, and names itself in the last error.
//
// A table of such functions needs no header: as C callers remove their own arguments, one signature
// stands for all.
// SPDX-License-Identifier: MIT
#pragma once

#include "core/export.hpp"

namespace pyaclnn::sim {

/// Notes that `function` is not simulated, and what does the same where there is something.
SIM_API int refuse(const char* function, int code, const char* advice = nullptr) noexcept;

}  // namespace pyaclnn::sim

#define SIM_REFUSE(code, function) \
  extern "C" SIM_API int function() { return ::pyaclnn::sim::refuse(#function, code); }

/// For functions that return something else than a status: `value` says that there is none.
#define SIM_REFUSE_AS(code, function, type, value) \
  extern "C" SIM_API type function() {             \
    ::pyaclnn::sim::refuse(#function, code);       \
    return value;                                  \
  }
