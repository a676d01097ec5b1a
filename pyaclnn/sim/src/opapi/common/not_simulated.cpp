// SPDX-License-Identifier: MIT
#include "opapi/common/not_simulated.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "aclnn/opdev/op_errno.h"
#include "core/release.hpp"
#include "core/status.hpp"
#include "pyaclnn/sim.h"

// Where the linker put the stubs; it makes these names of the section's.
extern "C" {
__attribute__((visibility("hidden"))) extern const char __start_sim_stubs[];
__attribute__((visibility("hidden"))) extern const char __stop_sim_stubs[];
}

namespace pyaclnn::sim {
namespace {

std::string_view operator_of(std::string_view function) {
  return function.substr(0, function.rfind("GetWorkspaceSize"));
}

/// Why an operator cannot be simulated, or nothing.
const char* reason_of(std::string_view function) {
  const std::string_view name = operator_of(function);
  for (const Reason* reason = kReasons; reason != kReasons + kReasonCount; ++reason)
    if (name == reason->name) return reason->text;
  return "";
}

}  // namespace

int not_simulated(const char* function) noexcept {
  return entry(function, [&]() -> int {
    const std::string name(operator_of(function));
    if (!lack_of_operator(name).empty()) lacks_operator(name.c_str());
    const char* reason = reason_of(function);
    const bool known = *reason != '\0';
    fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR,
         "declared, not simulated: the simulator's libopapi.so has no kernel for it%s%s. A machine "
         "with CANN has it in libopapi.so, from CANN 8.5 on in libopapi_math, _nn, _cv or "
         "_transformer. `python -m pyaclnn.info --operators` lists what is simulated",
         known ? ": " : "", reason);
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

extern "C" SIM_API const char* pyaclnnSimReason(const char* function) {
  return function == nullptr ? "" : pyaclnn::sim::reason_of(function);
}
