// What a chip and an installation have.
// SPDX-License-Identifier: MIT
#include <array>
#include <cstdio>
#include <cstring>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_rt.h"
#include "core/config.hpp"
#include "core/context.hpp"
#include "core/visible.hpp"
#include "runtime/entry.hpp"

namespace sim = pyaclnn::sim;

namespace {

const std::vector<aclCannAttr>& features() {
  static const auto& features = *new std::vector<aclCannAttr>([] {
    std::vector<aclCannAttr> found;
    if (sim::chip().keeps_infinities) found.push_back(ACL_CANN_ATTR_INF_NAN);
    if (sim::chip().has_bf16()) found.push_back(ACL_CANN_ATTR_BF16);
    found.push_back(ACL_CANN_ATTR_JIT_COMPILE);
    return found;
  }());
  return features;
}

int64_t device_info(uint32_t device, aclrtDevAttr attribute) {
  const sim::Chip& chip = sim::chip();
  switch (attribute) {
    case ACL_DEV_ATTR_AICPU_CORE_NUM:
      return chip.cpu_cores;
    case ACL_DEV_ATTR_AICORE_CORE_NUM:
    case ACL_DEV_ATTR_CUBE_CORE_NUM:
      return chip.cube_cores;
    case ACL_DEV_ATTR_VECTOR_CORE_NUM:
      return chip.vector_cores;
    case ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE:
      return int64_t(sim::config().memory_bytes);
    case ACL_DEV_ATTR_L2_CACHE_SIZE:
      return chip.l2_bytes;
    case ACL_DEV_ATTR_PHY_CHIP_ID:
      return sim::visible_devices()[device];
    case ACL_DEV_ATTR_IS_VIRTUAL:
      return 0;
    case ACL_DEV_ATTR_NPU_ARCH:
      return chip.architecture;
    default:
      sim::fail(sim::kRtNotSupported, "attribute %d of a device is not simulated", int(attribute));
  }
}

}  // namespace

aclError aclGetCannAttributeList(const aclCannAttr** cannAttrList, size_t* num) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(cannAttrList, "cannAttrList");
    sim::require_not_null(num, "num");
    *cannAttrList = features().data();
    *num = features().size();
    return ACL_SUCCESS;
  });
}

aclError aclGetCannAttribute(aclCannAttr cannAttr, int32_t* value) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(value, "value");
    if (cannAttr < ACL_CANN_ATTR_INF_NAN || cannAttr > ACL_CANN_ATTR_JIT_COMPILE)
      sim::fail(sim::kInvalidParam, "%d is not a feature", int(cannAttr));
    *value = 0;
    for (aclCannAttr feature : features()) {
      if (feature == cannAttr) *value = 1;
    }
    return ACL_SUCCESS;
  });
}

aclError aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo deviceInfo, int64_t* value) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(value, "value");
    if (deviceId >= uint32_t(sim::device_count()))
      sim::fail(sim::kInvalidParam, "device %u: there are %d", deviceId, sim::device_count());
    const sim::Chip& chip = sim::chip();
    switch (deviceInfo) {
      case ACL_DEVICE_INFO_AI_CORE_NUM:
        *value = chip.cube_cores;
        break;
      case ACL_DEVICE_INFO_VECTOR_CORE_NUM:
        *value = chip.vector_cores;
        break;
      case ACL_DEVICE_INFO_L2_SIZE:
        *value = chip.l2_bytes;
        break;
      default:
        sim::fail(sim::kInvalidParam, "%d is not a property of a device", int(deviceInfo));
    }
    return ACL_SUCCESS;
  });
}

aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr, int64_t* value) {
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(value, "value");
    if (deviceId >= uint32_t(sim::device_count()))
      sim::fail(sim::kRtParamInvalid, "device %u: there are %d", deviceId, sim::device_count());
    *value = device_info(deviceId, attr);
    return ACL_SUCCESS;
  });
}

aclError aclrtDeviceGetUuid(int32_t deviceId, aclrtUuid* uuid) {
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(uuid, "uuid");
    sim::require_device(deviceId);
    // The same for every process of the machine, and another for each device.
    char text[sizeof uuid->bytes + 1];
    std::snprintf(text, sizeof text, "pyaclnn-sim-%04d", sim::visible_devices()[size_t(deviceId)]);
    std::memcpy(uuid->bytes, text, sizeof uuid->bytes);
    return ACL_SUCCESS;
  });
}

aclError aclrtGetLogicDevIdByUserDevId(const int32_t userDevid, int32_t* const logicDevId) {
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(logicDevId, "logicDevId");
    sim::require_device(userDevid);
    *logicDevId = sim::visible_devices()[size_t(userDevid)];
    return ACL_SUCCESS;
  });
}
