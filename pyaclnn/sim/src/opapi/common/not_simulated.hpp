// What libopapi answers for the operators that are declared and not simulated: a program that uses
// one links, and is told by name at run time. `sim/stubs.py` lists all that headers/ declares; a
// stub is weak, so that the linker drops it where there is a kernel.
// SPDX-License-Identifier: MIT
#pragma once

#include "core/export.hpp"

namespace pyaclnn::sim {

/// One declared function: its name, and what the linker chose for it.
struct Declared {
  const char* name;
  int (*function)();
};

/// Notes that CANN has the function and the simulator does not; returns the code CANN gives where
/// the kernel of an operator is not installed.
int not_simulated(const char* function) noexcept;

/// Why an operator cannot be simulated.
struct Reason {
  const char* name;
  const char* text;
};

/// All reasons there are, from the table.
extern const Reason kReasons[];
extern const unsigned kReasonCount;

/// All that is declared, sorted by name.
extern const Declared kDeclared[];
extern const unsigned kDeclaredCount;

}  // namespace pyaclnn::sim

// Never inlined into a caller of this file, and of no use to gather: its address is what counts.
// The parameters are left out, as a C caller removes its own.
#define SIM_STUB(name)                                                                  \
  extern "C" SIM_API __attribute__((weak, noinline, section("sim_stubs"))) int name() { \
    return ::pyaclnn::sim::not_simulated(#name);                                        \
  }
#define SIM_DECLARED(name) {#name, name},
