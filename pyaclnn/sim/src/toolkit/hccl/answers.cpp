// What can be answered without communicating.
// SPDX-License-Identifier: MIT
#include <atomic>

#include "core/status.hpp"
#include "hccl/hccl.h"

namespace sim = pyaclnn::sim;

namespace {

std::atomic<int32_t> deterministic{0};

void require_option(HcclConfig option) {
  if (option != HCCL_DETERMINISTIC)
    sim::fail(HCCL_E_PARA, "%d is not an option of collective communication", int(option));
}

}  // namespace

// What is computed here is the same every time, whichever way the option stands.
HcclResult HcclSetConfig(HcclConfig config, HcclConfigValue configValue) {
  return HcclResult(sim::entry(__func__, [&] {
    require_option(config);
    if (configValue.value < 0 || configValue.value > 2)
      sim::fail(HCCL_E_PARA, "%d is not 0, 1 or 2", configValue.value);
    deterministic.store(configValue.value);
    return HCCL_SUCCESS;
  }));
}

HcclResult HcclGetConfig(HcclConfig config, HcclConfigValue* configValue) {
  return HcclResult(sim::entry(__func__, [&] {
    if (configValue == nullptr) sim::fail(HCCL_E_PTR, "configValue is null");
    require_option(config);
    configValue->value = deterministic.load();
    return HCCL_SUCCESS;
  }));
}

const char* HcclGetErrorString(HcclResult code) {
#define NAMED(name) \
  case name:        \
    return #name;
  switch (code) {
    NAMED(HCCL_SUCCESS)
    NAMED(HCCL_E_PARA)
    NAMED(HCCL_E_PTR)
    NAMED(HCCL_E_MEMORY)
    NAMED(HCCL_E_INTERNAL)
    NAMED(HCCL_E_NOT_SUPPORT)
    NAMED(HCCL_E_NOT_FOUND)
    NAMED(HCCL_E_UNAVAIL)
    NAMED(HCCL_E_SYSCALL)
    NAMED(HCCL_E_TIMEOUT)
    NAMED(HCCL_E_OPEN_FILE_FAILURE)
    NAMED(HCCL_E_TCP_CONNECT)
    NAMED(HCCL_E_ROCE_CONNECT)
    NAMED(HCCL_E_TCP_TRANSFER)
    NAMED(HCCL_E_ROCE_TRANSFER)
    NAMED(HCCL_E_RUNTIME)
    NAMED(HCCL_E_DRV)
    NAMED(HCCL_E_PROFILING)
    NAMED(HCCL_E_CCE)
    NAMED(HCCL_E_NETWORK)
    NAMED(HCCL_E_AGAIN)
    NAMED(HCCL_E_REMOTE)
    NAMED(HCCL_E_SUSPENDING)
    NAMED(HCCL_E_RESERVED)
  }
#undef NAMED
  return "unknown error";
}

uint32_t HcclGetCommConfigCapability() { return HCCL_COMM_CONFIG_RESERVED; }
