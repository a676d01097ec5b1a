// What is known of the chip, as texts.
// SPDX-License-Identifier: MIT
#include <cstring>
#include <string>

#include "acl/acl_platform.h"
#include "core/config.hpp"
#include "core/memory.hpp"
#include "core/release.hpp"
#include "core/status.hpp"

namespace sim = pyaclnn::sim;

namespace {

std::string value_of(aclplatformDevInfo info) {
  const sim::Chip& chip = sim::chip();
  switch (info) {
    case ACL_PLATFORM_AICORE_CNT:
    case ACL_PLATFORM_CUBE_CORE_CNT:
      return std::to_string(chip.cube_cores);
    case ACL_PLATFORM_VECTOR_CORE_CNT:
      return std::to_string(chip.vector_cores);
    case ACL_PLATFORM_L2_SIZE:
      return std::to_string(chip.l2_bytes);
    case ACL_PLATFORM_MEMORY_SIZE:
      return std::to_string(sim::config().memory_bytes);
    case ACL_PLATFORM_SOC_VERSION:
      return sim::chip().name;
    case ACL_PLATFORM_NPU_ARCH:
      return std::to_string(chip.architecture);
    default:
      sim::fail(sim::kFeatureUnsupported, "information %d of the chip is not simulated", int(info));
  }
}

void check_room(const char* value, uint32_t length) {
  if (value == nullptr) sim::fail(sim::kInvalidParam, "value is null");
  if (length == 0) sim::fail(sim::kInvalidParam, "maxLen is 0");
}

}  // namespace

aclError aclplatformGetDeviceInfo(aclplatformDevInfo infoType, char* value, uint32_t maxLen) {
  return sim::entry(__func__, [&] {
    sim::require_release("aclplatformGetDeviceInfo");
    if (int(infoType) < 0 || int(infoType) > ACL_PLATFORM_MEMORY_TYPE)
      sim::fail(sim::kInvalidParam, "%d is no information of a chip", int(infoType));
    check_room(value, maxLen);
    const std::string text = value_of(infoType);
    if (text.size() >= maxLen)
      sim::fail(sim::kInvalidParam, "maxLen is %u, the text has %zu characters and a 0", maxLen,
                text.size());
    std::memcpy(value, text.c_str(), text.size() + 1);
    return ACL_SUCCESS;
  });
}

aclError aclplatformGetInstructionInfo(aclplatformCoreType type, const char* instruction,
                                       char* value, uint32_t maxLen) {
  return sim::entry(__func__, [&] {
    sim::require_release("aclplatformGetInstructionInfo");
    if (type != ACL_PLATFORM_CORE_TYPE_AI_CORE && type != ACL_PLATFORM_CORE_TYPE_VECTOR_CORE)
      sim::fail(sim::kInvalidParam, "%d is no type of core", int(type));
    if (instruction == nullptr) sim::fail(sim::kInvalidParam, "instruction is null");
    check_room(value, maxLen);
    sim::fail(sim::kFeatureUnsupported,
              "aclplatformGetInstructionInfo is not simulated: there are no instructions");
    return ACL_SUCCESS;
  });
}
