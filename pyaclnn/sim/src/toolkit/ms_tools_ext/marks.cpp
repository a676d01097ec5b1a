// Marks and ranges for tools. Without a tool there is nothing to note: marks go nowhere, ranges and
// domains have the handle 0, and memory cannot be registered.
// SPDX-License-Identifier: MIT
#include <cstdint>

#include "core/export.hpp"

extern "C" {

SIM_API void mstxMarkA(const char*, void*) {}
SIM_API uint64_t mstxRangeStartA(const char*, void*) { return 0; }
SIM_API void mstxRangeEnd(uint64_t) {}

SIM_API void* mstxDomainCreateA(const char*) { return nullptr; }
SIM_API void mstxDomainDestroy(void*) {}
SIM_API void mstxDomainMarkA(void*, const char*, void*) {}
SIM_API uint64_t mstxDomainRangeStartA(void*, const char*, void*) { return 0; }
SIM_API void mstxDomainRangeEnd(void*, uint64_t) {}

SIM_API void* mstxMemHeapRegister(void*, const void*) { return nullptr; }
SIM_API void mstxMemHeapUnregister(void*, void*) {}
SIM_API void mstxMemRegionsRegister(void*, const void*) {}
SIM_API void mstxMemRegionsUnregister(void*, const void*) {}

}  // extern "C"
