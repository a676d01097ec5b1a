// Attributes of streams, limits of cores, and what chips have.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <thread>

#include "acl/acl_rt.h"
#include "check.hpp"

namespace {

aclrtStream new_stream() {
  EXPECT_OK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  EXPECT_OK(aclrtCreateStream(&stream));
  return stream;
}

uint32_t limit_of_thread() {
  uint32_t cores = 0;
  EXPECT_OK(aclrtGetResInCurrentThread(ACL_RT_DEV_RES_VECTOR_CORE, &cores));
  return cores;
}

}  // namespace

CASE(a_stream_keeps_its_attributes) {
  aclrtStream stream = new_stream();
  aclrtStreamAttrValue value = {};
  value.userCustomTag = 42;
  EXPECT_OK(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value));
  value.cacheOpInfoSwitch = 1;
  EXPECT_OK(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_CACHE_OP_INFO, &value));
  value.failureMode = ACL_STOP_ON_FAILURE;
  EXPECT_OK(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_FAILURE_MODE, &value));
  aclrtStreamAttrValue seen = {};
  EXPECT_OK(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &seen));
  EXPECT_EQ(seen.userCustomTag, 42u);
  EXPECT_OK(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_CACHE_OP_INFO, &seen));
  EXPECT_EQ(seen.cacheOpInfoSwitch, 1u);
  EXPECT_OK(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_FAILURE_MODE, &seen));
  EXPECT_EQ(seen.failureMode, uint64_t(ACL_STOP_ON_FAILURE));
  EXPECT_OK(aclrtGetStreamAttribute(nullptr, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &seen));
  EXPECT_EQ(seen.userCustomTag, 0u);
}

CASE(attributes_are_checked) {
  aclrtStream stream = new_stream();
  aclrtStreamAttrValue value = {};
  auto tag = ACL_STREAM_ATTR_USER_CUSTOM_TAG;
  EXPECT_EQ(aclrtSetStreamAttribute(stream, tag, nullptr), 100000);
  EXPECT_EQ(aclrtGetStreamAttribute(stream, tag, nullptr), 100000);
  EXPECT_EQ(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_PRIORITY, &value), 107000);
  EXPECT_EQ(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_PRIORITY, &value), 107000);
  EXPECT_EQ(aclrtSetStreamAttribute(&value, tag, &value), 107000);
  value.failureMode = 7;
  EXPECT_EQ(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_FAILURE_MODE, &value), 107000);
}

CASE(overflow_gives_infinities_and_is_not_watched) {
  aclrtStream stream = new_stream();
  aclrtFloatOverflowMode mode = ACL_RT_OVERFLOW_MODE_UNDEF;
  EXPECT_OK(aclrtGetDeviceSatMode(&mode));
  EXPECT_EQ(mode, ACL_RT_OVERFLOW_MODE_INFNAN);
  EXPECT_OK(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_INFNAN));
  EXPECT_EQ(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_SATURATION), 207000);
  EXPECT_MESSAGE("not simulated");
  EXPECT_EQ(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_UNDEF), 107000);
  EXPECT_EQ(aclrtGetDeviceSatMode(nullptr), 100000);
  uint32_t flag = 9;
  EXPECT_OK(aclrtGetStreamOverflowSwitch(stream, &flag));
  EXPECT_EQ(flag, 0u);
  EXPECT_EQ(aclrtSetStreamOverflowSwitch(stream, 1), 207000);
  EXPECT_EQ(aclrtSetStreamOverflowSwitch(stream, 2), 100000);
  EXPECT_EQ(aclrtGetStreamOverflowSwitch(stream, nullptr), 100000);
  aclrtStreamAttrValue value = {};
  value.overflowSwitch = 1;
  EXPECT_EQ(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, &value), 207000);
}

CASE(limits_of_a_stream_come_before_those_of_its_device) {
  aclrtStream stream = new_stream();
  auto vector = ACL_RT_DEV_RES_VECTOR_CORE;
  uint32_t cores = 0;
  EXPECT_OK(aclrtGetDeviceResLimit(0, vector, &cores));
  EXPECT_EQ(cores, 48u);
  EXPECT_OK(aclrtSetDeviceResLimit(0, vector, 20));
  EXPECT_OK(aclrtGetStreamResLimit(stream, vector, &cores));
  EXPECT_EQ(cores, 20u);
  EXPECT_OK(aclrtSetStreamResLimit(stream, vector, 5));
  EXPECT_EQ(limit_of_thread(), 20u);
  EXPECT_OK(aclrtUseStreamResInCurrentThread(stream));
  EXPECT_EQ(limit_of_thread(), 5u);
  std::thread([] {
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_EQ(limit_of_thread(), 20u);
  }).join();
  EXPECT_OK(aclrtResetStreamResLimit(stream));
  EXPECT_EQ(limit_of_thread(), 20u);
  EXPECT_OK(aclrtUnuseStreamResInCurrentThread(stream));
  EXPECT_OK(aclrtResetDeviceResLimit(0));
  EXPECT_EQ(limit_of_thread(), 48u);
  EXPECT_OK(aclrtGetDeviceResLimit(0, ACL_RT_DEV_RES_CUBE_CORE, &cores));
  EXPECT_EQ(cores, 24u);
}

CASE(limits_are_checked) {
  auto vector = ACL_RT_DEV_RES_VECTOR_CORE;
  uint32_t cores = 0;
  EXPECT_EQ(aclrtGetDeviceResLimit(0, vector, &cores), 507033);
  aclrtStream stream = new_stream();
  EXPECT_EQ(aclrtGetDeviceResLimit(0, vector, nullptr), 100000);
  EXPECT_EQ(aclrtGetDeviceResLimit(99, vector, &cores), 107001);
  EXPECT_EQ(aclrtGetDeviceResLimit(0, aclrtDevResLimitType(7), &cores), 107000);
  EXPECT_EQ(aclrtSetDeviceResLimit(0, vector, 49), 107000);
  EXPECT_MESSAGE("more than the 48");
  EXPECT_EQ(aclrtSetStreamResLimit(stream, vector, 49), 107000);
  EXPECT_EQ(aclrtGetStreamResLimit(stream, vector, nullptr), 100000);
  EXPECT_EQ(aclrtGetResInCurrentThread(vector, nullptr), 100000);
  EXPECT_EQ(aclrtResetDeviceResLimit(99), 107001);
}

CASE(the_chip_is_known) {
  int64_t value = 0;
  EXPECT_OK(aclGetDeviceCapability(0, ACL_DEVICE_INFO_AI_CORE_NUM, &value));
  EXPECT_EQ(value, 24);
  EXPECT_OK(aclGetDeviceCapability(0, ACL_DEVICE_INFO_VECTOR_CORE_NUM, &value));
  EXPECT_EQ(value, 48);
  EXPECT_OK(aclGetDeviceCapability(0, ACL_DEVICE_INFO_L2_SIZE, &value));
  EXPECT_EQ(value, int64_t(192) << 20);
  EXPECT_EQ(aclGetDeviceCapability(99, ACL_DEVICE_INFO_L2_SIZE, &value), 100000);
  EXPECT_EQ(aclGetDeviceCapability(0, ACL_DEVICE_INFO_UNDEFINED, &value), 100000);
  EXPECT_EQ(aclGetDeviceCapability(0, ACL_DEVICE_INFO_L2_SIZE, nullptr), 100000);
  EXPECT_OK(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_NPU_ARCH, &value));
  EXPECT_EQ(value, 2201);
  EXPECT_OK(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_CUBE_CORE_NUM, &value));
  EXPECT_EQ(value, 24);
  EXPECT_EQ(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_SUPER_POD_ID, &value), 207000);
  EXPECT_EQ(aclrtGetDeviceInfo(99, ACL_DEV_ATTR_NPU_ARCH, &value), 107000);
  EXPECT_EQ(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_NPU_ARCH, nullptr), 100000);
}

CASE(features_are_listed) {
  const aclCannAttr* list = nullptr;
  size_t count = 0;
  EXPECT_OK(aclGetCannAttributeList(&list, &count));
  std::set<aclCannAttr> features(list, list + count);
  EXPECT_EQ(features.size(), 3u);
  for (aclCannAttr feature :
       {ACL_CANN_ATTR_INF_NAN, ACL_CANN_ATTR_BF16, ACL_CANN_ATTR_JIT_COMPILE}) {
    int32_t has = 0;
    EXPECT_OK(aclGetCannAttribute(feature, &has));
    EXPECT_EQ(has, 1);
    EXPECT(features.count(feature) == 1);
  }
  int32_t has = 0;
  EXPECT_EQ(aclGetCannAttribute(ACL_CANN_ATTR_UNDEFINED, &has), 100000);
  EXPECT_EQ(aclGetCannAttribute(ACL_CANN_ATTR_BF16, nullptr), 100000);
  EXPECT_EQ(aclGetCannAttributeList(nullptr, &count), 100000);
  EXPECT_EQ(aclGetCannAttributeList(&list, nullptr), 100000);
}

CASE(devices_have_names_and_numbers) {
  aclrtUuid first = {}, again = {};
  EXPECT_OK(aclrtDeviceGetUuid(0, &first));
  EXPECT_OK(aclrtDeviceGetUuid(0, &again));
  EXPECT_EQ(std::memcmp(&first, &again, sizeof first), 0);
  EXPECT_EQ(aclrtDeviceGetUuid(99, &first), 107001);
  EXPECT_EQ(aclrtDeviceGetUuid(0, nullptr), 100000);
  int32_t logical = -1;
  EXPECT_OK(aclrtGetLogicDevIdByUserDevId(0, &logical));
  EXPECT_EQ(logical, 0);
  EXPECT_EQ(aclrtGetLogicDevIdByUserDevId(99, &logical), 107001);
  EXPECT_EQ(aclrtGetLogicDevIdByUserDevId(0, nullptr), 100000);
}

CASE(hardware_is_sound) {
  EXPECT_OK(aclrtSetDevice(0));
  aclrtMemUceInfo damage[2] = {};
  size_t count = 9;
  EXPECT_OK(aclrtGetMemUceInfo(0, damage, 2, &count));
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(aclrtGetMemUceInfo(0, nullptr, 2, &count), 100000);
  EXPECT_EQ(aclrtGetMemUceInfo(0, damage, 2, nullptr), 100000);
  EXPECT_OK(aclrtMemUceRepair(0, damage, 0));
  EXPECT_EQ(aclrtMemUceRepair(0, damage, 1), 107000);
  EXPECT_EQ(aclrtMemUceRepair(0, damage, 21), 100000);
  aclrtErrorInfo error = {};
  error.errorType = ACL_RT_ERROR_L2;
  EXPECT_OK(aclrtGetErrorVerbose(0, &error));
  EXPECT_EQ(error.errorType, ACL_RT_NO_ERROR);
  EXPECT_OK(aclrtRepairError(0, &error));
  error.errorType = ACL_RT_ERROR_L2;
  EXPECT_EQ(aclrtRepairError(0, &error), 107000);
  EXPECT_EQ(aclrtGetErrorVerbose(0, nullptr), 100000);
  aclrtMemUsageInfo usage = {};
  EXPECT_EQ(aclrtGetMemUsageInfo(0, &usage, 1, &count), 207000);
  EXPECT_EQ(aclrtGetMemUsageInfo(0, &usage, 0, &count), 107000);
  EXPECT_EQ(aclrtGetMemUsageInfo(0, nullptr, 1, &count), 100000);
}

CASE(kernels_have_the_time_they_are_given) {
  uint64_t actual = 0;
  EXPECT_EQ(aclrtSetOpExecuteTimeOutV2(1000, &actual), 107002);
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtSetOpExecuteTimeOutV2(1000, &actual));
  EXPECT_EQ(actual, 1000u);
  EXPECT_EQ(aclrtSetOpExecuteTimeOutV2(1000, nullptr), 100000);
}

CASE(messages_reach_the_log) { aclAppLog(ACL_ERROR, "here", "attributes.cpp", 1, "%d", 1); }
