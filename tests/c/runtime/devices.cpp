// Devices, contexts, peers and system options; started with three devices.
// SPDX-License-Identifier: MIT
#include <thread>

#include "acl/acl_rt.h"
#include "check.hpp"

namespace {

void* current() {
  aclrtContext context = nullptr;
  EXPECT_OK(aclrtGetCurrentContext(&context));
  return context;
}

int32_t device() {
  int32_t id = -1;
  EXPECT_OK(aclrtGetDevice(&id));
  return id;
}

}  // namespace

CASE(devices_are_counted_without_a_context) {
  uint32_t count = 0;
  EXPECT_OK(aclrtGetDeviceCount(&count));
  EXPECT_EQ(count, 3u);
  EXPECT_EQ(aclrtGetDeviceCount(nullptr), 100000);
}

CASE(run_mode_is_host) {
  aclrtRunMode mode = ACL_DEVICE;
  EXPECT_OK(aclrtGetRunMode(&mode));
  EXPECT_EQ(mode, ACL_HOST);
  EXPECT_EQ(aclrtGetRunMode(nullptr), 100000);
}

CASE(set_device_makes_its_primary_context_current) {
  int32_t id = -1;
  EXPECT_EQ(aclrtGetDevice(&id), 107002);
  EXPECT_OK(aclrtSetDevice(2));
  EXPECT_EQ(device(), 2);
  EXPECT_EQ(aclrtGetDevice(nullptr), 100000);
}

CASE(unknown_devices_are_refused) {
  EXPECT_EQ(aclrtSetDevice(3), 107001);
  EXPECT_MESSAGE("there are 3");
  EXPECT_EQ(aclrtSetDevice(-1), 107001);
  EXPECT_EQ(aclrtResetDevice(3), 107001);
  EXPECT_EQ(aclrtResetDeviceForce(3), 107001);
}

CASE(reset_releases_at_the_last_reference) {
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_EQ(device(), 0);
  EXPECT_OK(aclrtResetDevice(0));
  int32_t id = -1;
  EXPECT_EQ(aclrtGetDevice(&id), 107002);
  EXPECT_EQ(aclrtResetDevice(0), 507007);
}

CASE(forced_reset_ignores_references) {
  EXPECT_OK(aclrtSetDevice(1));
  EXPECT_OK(aclrtSetDevice(1));
  EXPECT_OK(aclrtResetDeviceForce(1));
  EXPECT_EQ(aclrtResetDeviceForce(1), 507007);
}

CASE(reset_ends_the_streams_of_the_primary_context) {
  EXPECT_OK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  EXPECT_OK(aclrtCreateStream(&stream));
  EXPECT_EQ(pyaclnnSimCount("stream"), 1u);
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_EQ(pyaclnnSimCount("stream"), 0u);
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_EQ(aclrtSynchronizeStream(stream), 107000);
  EXPECT_MESSAGE("destroyed already");
}

CASE(threads_of_one_device_share_its_context) {
  EXPECT_OK(aclrtSetDevice(0));
  void* mine = current();
  std::thread([mine] {
    aclrtContext context = nullptr;
    EXPECT_EQ(aclrtGetCurrentContext(&context), 107002);
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_EQ(current(), mine);
    EXPECT_OK(aclrtResetDevice(0));
  }).join();
  EXPECT_EQ(current(), mine);
}

CASE(a_thread_follows_its_device_through_a_reset_elsewhere) {
  EXPECT_OK(aclrtSetDevice(0));
  std::thread([] { EXPECT_OK(aclrtResetDevice(0)); }).join();
  int32_t id = -1;
  EXPECT_EQ(aclrtGetDevice(&id), 107002);
  std::thread([] { EXPECT_OK(aclrtSetDevice(0)); }).join();
  EXPECT_EQ(device(), 0);
}

CASE(a_created_context_is_current_until_destroyed) {
  EXPECT_OK(aclrtSetDevice(0));
  void* primary = current();
  aclrtContext context = nullptr;
  EXPECT_OK(aclrtCreateContext(&context, 1));
  EXPECT_EQ(current(), context);
  EXPECT_EQ(device(), 1);
  EXPECT_EQ(pyaclnnSimCount("context"), 1u);
  EXPECT_OK(aclrtDestroyContext(context));
  EXPECT_EQ(current(), primary);
  EXPECT_EQ(pyaclnnSimCount("context"), 0u);
}

CASE(set_device_drops_an_explicit_context) {
  aclrtContext context = nullptr;
  EXPECT_OK(aclrtCreateContext(&context, 1));
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_EQ(device(), 0);
  EXPECT_OK(aclrtSetCurrentContext(context));
  EXPECT_EQ(device(), 1);
  EXPECT_OK(aclrtDestroyContext(context));
}

CASE(contexts_are_checked) {
  aclrtContext context = nullptr;
  EXPECT_EQ(aclrtCreateContext(nullptr, 0), 100000);
  EXPECT_EQ(aclrtCreateContext(&context, 7), 107001);
  EXPECT_EQ(aclrtGetCurrentContext(nullptr), 100000);
  EXPECT_EQ(aclrtSetCurrentContext(nullptr), 100000);
  EXPECT_EQ(aclrtDestroyContext(nullptr), 100000);
  EXPECT_OK(aclrtCreateContext(&context, 0));
  EXPECT_OK(aclrtDestroyContext(context));
  EXPECT_EQ(aclrtSetCurrentContext(context), 107000);
  EXPECT_EQ(aclrtDestroyContext(context), 107002);
}

CASE(the_primary_context_is_not_destroyed) {
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_EQ(aclrtDestroyContext(current()), 107002);
  EXPECT_MESSAGE("aclrtResetDevice");
}

CASE(a_handle_of_another_kind_is_refused_by_name) {
  EXPECT_OK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  EXPECT_OK(aclrtCreateStream(&stream));
  EXPECT_EQ(aclrtSetCurrentContext(stream), 107000);
  EXPECT_MESSAGE("is an aclrtStream, an aclrtContext is needed");
  int local = 0;
  EXPECT_EQ(aclrtSetCurrentContext(&local), 107000);
  EXPECT_MESSAGE("not a handle this library gave out");
  EXPECT_OK(aclrtDestroyStream(stream));
}

CASE(synchronize_device_needs_a_context) {
  EXPECT_EQ(aclrtSynchronizeDevice(), 107002);
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtSynchronizeDevice());
  EXPECT_OK(aclrtSynchronizeDeviceWithTimeout(-1));
  EXPECT_OK(aclrtSynchronizeDeviceWithTimeout(1000));
  EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(0), 107000);
  EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(-2), 107000);
}

CASE(device_status_and_schedulers_are_checked) {
  aclrtDeviceStatus status = ACL_RT_DEVICE_STATUS_ABNORMAL;
  EXPECT_OK(aclrtQueryDeviceStatus(0, &status));
  EXPECT_EQ(status, ACL_RT_DEVICE_STATUS_NORMAL);
  EXPECT_EQ(aclrtQueryDeviceStatus(0, nullptr), 100000);
  EXPECT_EQ(aclrtQueryDeviceStatus(9, &status), 107001);
  EXPECT_OK(aclrtSetTsDevice(ACL_TS_ID_AICORE));
  EXPECT_OK(aclrtSetTsDevice(ACL_TS_ID_AIVECTOR));
  EXPECT_EQ(aclrtSetTsDevice(ACL_TS_ID_RESERVED), 100000);
}

CASE(utilization_is_not_offered) {
  aclrtUtilizationInfo info = {};
  EXPECT_OK(aclrtGetDeviceUtilizationRate(0, &info));
  EXPECT_EQ(info.cubeUtilization, -1);
  EXPECT_EQ(info.memoryUtilization, -1);
  EXPECT_EQ(aclrtGetDeviceUtilizationRate(0, nullptr), 100000);
  EXPECT_EQ(aclrtGetDeviceUtilizationRate(9, &info), 107001);
  info.utilizationExtend = reinterpret_cast<aclrtUtilizationExtendInfo*>(&info);
  EXPECT_EQ(aclrtGetDeviceUtilizationRate(0, &info), 100000);
}

CASE(primary_context_state_follows_set_and_reset) {
  int32_t active = -1;
  uint32_t flags = 9;
  EXPECT_OK(aclrtGetPrimaryCtxState(1, &flags, &active));
  EXPECT_EQ(active, 0);
  EXPECT_EQ(flags, 0u);
  EXPECT_OK(aclrtSetDevice(1));
  EXPECT_OK(aclrtGetPrimaryCtxState(1, nullptr, &active));
  EXPECT_EQ(active, 1);
  EXPECT_EQ(aclrtGetPrimaryCtxState(1, nullptr, nullptr), 100000);
  EXPECT_EQ(aclrtGetPrimaryCtxState(5, nullptr, &active), 107001);
}

CASE(priorities_range_from_seven_to_zero) {
  int32_t least = -1, greatest = -1;
  EXPECT_OK(aclrtDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT_EQ(least, 7);
  EXPECT_EQ(greatest, 0);
}

CASE(peer_access_is_opened_and_closed) {
  int32_t can = 0, status = -1;
  EXPECT_OK(aclrtDeviceCanAccessPeer(&can, 0, 1));
  EXPECT_EQ(can, 1);
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(1, 0), 107002);
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtDevicePeerAccessStatus(0, 1, &status));
  EXPECT_EQ(status, 0);
  EXPECT_EQ(aclrtDeviceDisablePeerAccess(1), 107000);
  EXPECT_OK(aclrtDeviceEnablePeerAccess(1, 0));
  EXPECT_OK(aclrtDevicePeerAccessStatus(0, 1, &status));
  EXPECT_EQ(status, 1);
  EXPECT_OK(aclrtDeviceDisablePeerAccess(1));
}

CASE(peers_are_checked) {
  EXPECT_OK(aclrtSetDevice(0));
  int32_t can = 0, status = 0;
  EXPECT_EQ(aclrtDeviceCanAccessPeer(nullptr, 0, 1), 100000);
  EXPECT_EQ(aclrtDeviceCanAccessPeer(&can, 0, 0), 100000);
  EXPECT_EQ(aclrtDeviceCanAccessPeer(&can, 9, 9), 100000);
  EXPECT_EQ(aclrtDeviceCanAccessPeer(&can, 0, 3), 107001);
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(1, 1), 200006);
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(0, 0), 100000);
  EXPECT_EQ(aclrtDeviceDisablePeerAccess(0), 100000);
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(3, 0), 107001);
  EXPECT_EQ(aclrtDeviceDisablePeerAccess(3), 107001);
  EXPECT_EQ(aclrtDevicePeerAccessStatus(0, 1, nullptr), 100000);
  EXPECT_EQ(aclrtDevicePeerAccessStatus(0, 0, &status), 107000);
}

CASE(copies_between_devices_need_peer_access) {
  void *here = nullptr, *there = nullptr;
  EXPECT_OK(aclrtSetDevice(1));
  EXPECT_OK(aclrtMalloc(&there, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtMalloc(&here, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtMemset(here, 64, 7, 64));
  EXPECT_EQ(aclrtMemcpy(there, 64, here, 64, ACL_MEMCPY_DEVICE_TO_DEVICE), 107000);
  EXPECT_MESSAGE("aclrtDeviceEnablePeerAccess");
  EXPECT_OK(aclrtDeviceEnablePeerAccess(1, 0));
  EXPECT_OK(aclrtMemcpy(there, 64, here, 64, ACL_MEMCPY_DEVICE_TO_DEVICE));
  unsigned char back[64] = {};
  EXPECT_OK(aclrtMemcpy(back, 64, there, 64, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(int(back[63]), 7);
  EXPECT_OK(aclrtFree(here));
  EXPECT_OK(aclrtFree(there));
}

CASE(system_options_are_off_until_set) {
  int64_t value = -1;
  EXPECT_OK(aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));
  EXPECT_EQ(value, 0);
  EXPECT_OK(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1));
  EXPECT_OK(aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));
  EXPECT_EQ(value, 1);
  EXPECT_EQ(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 2), 107000);
  EXPECT_EQ(aclrtSetSysParamOpt(aclSysParamOpt(77), 1), 100000);
  EXPECT_EQ(aclrtCtxSetSysParamOpt(aclSysParamOpt(77), 1), 100000);
  EXPECT_EQ(aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, nullptr), 100000);
}

CASE(system_options_of_contexts_are_separate) {
  int64_t value = -1;
  EXPECT_EQ(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1), 107002);
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1));
  EXPECT_OK(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));
  EXPECT_EQ(value, 1);
  EXPECT_OK(aclrtSetDevice(1));
  EXPECT_EQ(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value), 107021);
  EXPECT_EQ(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, nullptr), 100000);
}

CASE(the_default_stream_has_a_handle) {
  aclrtStream stream = nullptr;
  EXPECT_EQ(aclrtCtxGetCurrentDefaultStream(&stream), 107002);
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_EQ(aclrtCtxGetCurrentDefaultStream(nullptr), 100000);
  EXPECT_OK(aclrtCtxGetCurrentDefaultStream(&stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(aclrtDestroyStream(stream), 107000);
  EXPECT_EQ(pyaclnnSimCount("stream"), 0u);
}
