// Devices and access between them.
// SPDX-License-Identifier: MIT
#include "acl/acl_rt.h"
#include "core/config.hpp"
#include "core/context.hpp"
#include "core/copy.hpp"
#include "core/memory.hpp"
#include "core/visible.hpp"
#include "runtime/entry.hpp"

namespace sim = pyaclnn::sim;

namespace {

// Peers are other devices of this machine.
void require_pair(int32_t device, int32_t peer) {
  sim::require_device(device);
  sim::require_device(peer);
}

void require_other(int32_t device, int32_t peer, int code) {
  if (device == peer) sim::fail(code, "device %d is not its own peer", device);
}

}  // namespace

aclError aclrtSetDevice(int32_t deviceId) {
  return sim::entry(__func__, [&] {
    sim::set_device(deviceId);
    return ACL_SUCCESS;
  });
}

aclError aclrtResetDevice(int32_t deviceId) {
  return sim::entry(__func__, [&] {
    sim::reset_device(deviceId, false);
    return ACL_SUCCESS;
  });
}

aclError aclrtResetDeviceForce(int32_t deviceId) {
  return sim::entry(__func__, [&] {
    sim::reset_device(deviceId, true);
    return ACL_SUCCESS;
  });
}

aclError aclrtGetDevice(int32_t* deviceId) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(deviceId, "deviceId");
    *deviceId = sim::current_device();
    return ACL_SUCCESS;
  });
}

aclError aclrtGetDeviceCount(uint32_t* count) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(count, "count");
    *count = uint32_t(sim::device_count());
    return ACL_SUCCESS;
  });
}

aclError aclrtGetRunMode(aclrtRunMode* runMode) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(runMode, "runMode");
    *runMode = ACL_HOST;
    return ACL_SUCCESS;
  });
}

const char* aclrtGetSocName() {
  return sim::entry_or_null(__func__, [&] { return sim::chip().name; });
}

aclError aclrtSynchronizeDevice() {
  return sim::entry(__func__, [&] {
    sim::synchronize_device(sim::deadline_after(-1));
    return ACL_SUCCESS;
  });
}

aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout) {
  return sim::entry(__func__, [&] {
    sim::require_timeout(timeout, sim::kRtParamInvalid);
    sim::synchronize_device(sim::deadline_after(timeout));
    return ACL_SUCCESS;
  });
}

aclError aclrtQueryDeviceStatus(int32_t deviceId, aclrtDeviceStatus* deviceStatus) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(deviceStatus, "deviceStatus");
    sim::require_device(deviceId);
    *deviceStatus = ACL_RT_DEVICE_STATUS_NORMAL;
    return ACL_SUCCESS;
  });
}

aclError aclrtSetTsDevice(aclrtTsId tsId) {
  return sim::entry(__func__, [&] {
    if (tsId != ACL_TS_ID_AICORE && tsId != ACL_TS_ID_AIVECTOR)
      sim::fail(sim::kInvalidParam, "%d is not a task scheduler", int(tsId));
    return ACL_SUCCESS;
  });
}

aclError aclrtGetDeviceUtilizationRate(int32_t deviceId, aclrtUtilizationInfo* utilizationInfo) {
  return sim::entry(__func__, [&] {
    constexpr int32_t kNotOffered = -1;
    sim::require_not_null(utilizationInfo, "utilizationInfo");
    if (utilizationInfo->utilizationExtend != nullptr)
      sim::fail(sim::kInvalidParam, "utilizationExtend is reserved and must be null");
    sim::require_device(deviceId);
    utilizationInfo->cubeUtilization = kNotOffered;
    utilizationInfo->vectorUtilization = kNotOffered;
    utilizationInfo->aicpuUtilization = kNotOffered;
    utilizationInfo->memoryUtilization = kNotOffered;
    return ACL_SUCCESS;
  });
}

aclError aclrtGetPrimaryCtxState(int32_t deviceId, uint32_t* flags, int32_t* active) {
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(active, "active");
    sim::require_device(deviceId);
    if (flags != nullptr) *flags = 0;
    *active = sim::has_primary_context(deviceId) ? 1 : 0;
    return ACL_SUCCESS;
  });
}

aclError aclrtDeviceGetStreamPriorityRange(int32_t* leastPriority, int32_t* greatestPriority) {
  return sim::entry_of_release(__func__, [&] {
    constexpr int32_t kLeast = 7;
    if (leastPriority != nullptr) *leastPriority = kLeast;
    if (greatestPriority != nullptr) *greatestPriority = 0;
    return ACL_SUCCESS;
  });
}

aclError aclrtDeviceCanAccessPeer(int32_t* canAccessPeer, int32_t deviceId, int32_t peerDeviceId) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(canAccessPeer, "canAccessPeer");
    require_other(deviceId, peerDeviceId, sim::kInvalidParam);
    require_pair(deviceId, peerDeviceId);
    *canAccessPeer = 1;
    return ACL_SUCCESS;
  });
}

aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags) {
  return sim::entry(__func__, [&] {
    if (flags != 0)
      sim::fail(sim::kFeatureUnsupported, "flags is reserved and must be 0, not %u", flags);
    int device = sim::current_device();
    require_other(device, peerDeviceId, sim::kInvalidParam);
    require_pair(device, peerDeviceId);
    sim::set_peer_access(device, peerDeviceId, true);
    return ACL_SUCCESS;
  });
}

aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId) {
  return sim::entry(__func__, [&] {
    int device = sim::current_device();
    require_other(device, peerDeviceId, sim::kInvalidParam);
    require_pair(device, peerDeviceId);
    if (!sim::peer_access(device, peerDeviceId))
      sim::fail(sim::kRtParamInvalid, "access from device %d to %d is not enabled", device,
                peerDeviceId);
    sim::set_peer_access(device, peerDeviceId, false);
    return ACL_SUCCESS;
  });
}

aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId, int32_t* status) {
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(status, "status");
    require_pair(deviceId, peerDeviceId);
    require_other(deviceId, peerDeviceId, sim::kRtParamInvalid);
    *status = sim::peer_access(deviceId, peerDeviceId) ? 1 : 0;
    return ACL_SUCCESS;
  });
}
