// SPDX-License-Identifier: MIT
#include "opapi/common/not_simulated.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "pyaclnn/sim.h"

// Where the linker put the stubs; it makes these names of the section's.
extern "C" {
__attribute__((visibility("hidden"))) extern const char __start_sim_stubs[];
__attribute__((visibility("hidden"))) extern const char __stop_sim_stubs[];
}

namespace pyaclnn::sim {

int not_simulated(const char* function) noexcept {
  return entry(function, [&]() -> int {
    fail(
        ACLNN_ERR_INNER_FIND_KERNEL_ERROR,
        "declared, not simulated: the simulator's libopapi.so has no kernel for it. A machine with "
        "CANN has it in libopapi.so, from CANN 8.5 on in libopapi_math, _nn, _cv or _transformer. "
        "`python -m pyaclnn.info --operators` lists what is simulated");
  });
}

}  // namespace pyaclnn::sim

extern "C" SIM_API int32_t pyaclnnSimIsStub(const char* function) {
  using namespace pyaclnn::sim;
  if (function == nullptr) return 0;
  const Declared* const end = kDeclared + kDeclaredCount;
  const Declared* const found = std::lower_bound(
      kDeclared, end, function,
      [](const Declared& one, const char* name) { return std::strcmp(one.name, name) < 0; });
  if (found == end || std::strcmp(found->name, function) != 0) return 0;
  const auto address = reinterpret_cast<std::uintptr_t>(found->function);
  return address >= reinterpret_cast<std::uintptr_t>(__start_sim_stubs) &&
         address < reinterpret_cast<std::uintptr_t>(__stop_sim_stubs);
}
