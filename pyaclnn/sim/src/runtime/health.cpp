// Errors of hardware, which never happen here, and how much of it is in use.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>

#include "acl/acl_rt.h"
#include "check/pointer.hpp"
#include "core/context.hpp"
#include "core/memory.hpp"
#include "core/stream_impl.hpp"
#include "runtime/entry.hpp"

namespace sim = pyaclnn::sim;

aclError aclrtGetMemUceInfo(int32_t deviceId, aclrtMemUceInfo* memUceInfoArray, size_t arraySize,
                            size_t* retSize) {
  return sim::entry(__func__, [&] {
    static_cast<void>(arraySize);
    sim::require_not_null(memUceInfoArray, "memUceInfoArray");
    sim::require_not_null(retSize, "retSize");
    sim::require_device(deviceId);
    *retSize = 0;
    return ACL_SUCCESS;
  });
}

aclError aclrtMemUceRepair(int32_t deviceId, aclrtMemUceInfo* memUceInfoArray, size_t arraySize) {
  return sim::entry(__func__, [&] {
    constexpr size_t kMost = 20;
    sim::require_not_null(memUceInfoArray, "memUceInfoArray");
    if (arraySize > kMost)
      sim::fail(sim::kInvalidParam, "arraySize is %zu, more than %zu", arraySize, kMost);
    sim::require_device(deviceId);
    if (arraySize != 0)
      sim::fail(sim::kRtParamInvalid, "no memory of device %d is damaged", deviceId);
    return ACL_SUCCESS;
  });
}

aclError aclrtGetErrorVerbose(int32_t deviceId, aclrtErrorInfo* errorInfo) {
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(errorInfo, "errorInfo");
    sim::require_device(deviceId);
    *errorInfo = {};
    errorInfo->errorType = ACL_RT_NO_ERROR;
    return ACL_SUCCESS;
  });
}

aclError aclrtRepairError(int32_t deviceId, const aclrtErrorInfo* errorInfo) {
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(errorInfo, "errorInfo");
    sim::require_device(deviceId);
    if (errorInfo->errorType != ACL_RT_NO_ERROR)
      sim::fail(sim::kRtParamInvalid, "device %d has no error of type %d", deviceId,
                int(errorInfo->errorType));
    return ACL_SUCCESS;
  });
}

aclError aclrtGetMemUsageInfo(int32_t deviceId, aclrtMemUsageInfo* memUsageInfo, size_t inputNum,
                              size_t* outputNum) {
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(memUsageInfo, "memUsageInfo");
    sim::require_not_null(outputNum, "outputNum");
    *outputNum = 0;
    if (inputNum == 0) sim::fail(sim::kRtParamInvalid, "inputNum is 0");
    sim::require_device(deviceId);
    sim::fail(sim::kRtNotSupported, "memory is not counted by module here");
    return ACL_SUCCESS;
  });
}

aclError aclrtDeviceTaskAbort(int32_t deviceId, uint32_t timeout) {
  return sim::entry_of_release(__func__, [&] {
    constexpr uint32_t kLongest = 36U * 60U * 1000U;
    if (timeout > kLongest)
      sim::fail(sim::kRtParamInvalid, "the timeout is %u ms, more than %u", timeout, kLongest);
    sim::require_device(deviceId);
    for (auto& [handle, stream] : sim::streams().snapshot()) {
      if (stream->device() != deviceId) continue;
      if (stream->on_own_thread())
        sim::fail(sim::kRtParamInvalid, "a host function cannot abort its own stream");
      stream->abandon_queue();
    }
    return ACL_SUCCESS;
  });
}

// Host and device see the same bytes here at all times, and nothing is fetched ahead: checking is
// all there is to do.
aclError aclrtCmoAsync(void* src, size_t size, aclrtCmoType cmoType, aclrtStream stream) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(src, "src");
    sim::require_positive(size, "size");
    if (cmoType != ACL_RT_CMO_TYPE_PREFETCH && cmoType != ACL_RT_CMO_TYPE_WRITEBACK &&
        cmoType != ACL_RT_CMO_TYPE_INVALID && cmoType != ACL_RT_CMO_TYPE_FLUSH)
      sim::fail(sim::kRtParamInvalid, "%d is nothing that a cache does", int(cmoType));
    sim::resolve_stream(stream);
    sim::require_device_range(src, size, "src", sim::kRtParamInvalid);
    return ACL_SUCCESS;
  });
}
