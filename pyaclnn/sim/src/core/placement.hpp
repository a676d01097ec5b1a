// On which processor a thread runs.
// SPDX-License-Identifier: MIT
#pragma once

#include <sched.h>

namespace pyaclnn::sim {

inline int current_processor() { return ::sched_getcpu(); }

/// Has the calling thread run on another processor than this one, if it may. Kernels wake a thread
/// where the one runs that wakes it, if processors share no cache, as in virtual machines; it waits
/// there for 4 ms while another processor has nothing to do.
inline void leave_processor(int processor) {
  if (processor < 0 || current_processor() != processor) return;
  cpu_set_t allowed;
  if (processor >= CPU_SETSIZE || ::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  cpu_set_t others = allowed;
  CPU_CLR(processor, &others);
  if (CPU_COUNT(&others) == 0) return;
  // It stays where it is put when it may run anywhere again.
  if (::sched_setaffinity(0, sizeof others, &others) == 0)
    ::sched_setaffinity(0, sizeof allowed, &allowed);
}

}  // namespace pyaclnn::sim
