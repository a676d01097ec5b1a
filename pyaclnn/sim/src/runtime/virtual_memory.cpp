// Virtual memory, and sharing it between processes.
// SPDX-License-Identifier: MIT
#include "core/virtual_memory.hpp"

#include <unistd.h>

#include "acl/acl_rt.h"
#include "core/config.hpp"
#include "core/context.hpp"
#include "runtime/entry.hpp"

namespace sim = pyaclnn::sim;

namespace {

constexpr size_t kGiB = size_t(1) << 30;

bool is_for_hosts_only(aclrtMemAttr attribute) {
  return attribute == ACL_DDR_MEM_HUGE || attribute == ACL_DDR_MEM_NORMAL ||
         attribute == ACL_DDR_MEM_P2P_HUGE || attribute == ACL_DDR_MEM_P2P_NORMAL;
}

/// What one step of an allocation is, 0 for a kind of memory that cannot be allocated so.
size_t step(aclrtMemAttr attribute) {
  switch (attribute) {
    case ACL_HBM_MEM_HUGE1G:
    case ACL_MEM_HUGE1G:
    case ACL_MEM_P2P_HUGE1G:
      return kGiB;
    case ACL_HBM_MEM_HUGE:
    case ACL_HBM_MEM_NORMAL:
    case ACL_MEM_NORMAL:
    case ACL_MEM_HUGE:
    case ACL_MEM_P2P_NORMAL:
    case ACL_MEM_P2P_HUGE:
    case ACL_DDR_MEM_HUGE:
    case ACL_DDR_MEM_NORMAL:
    case ACL_DDR_MEM_P2P_HUGE:
    case ACL_DDR_MEM_P2P_NORMAL:
      return sim::kGranularity;
    default:
      return 0;
  }
}

size_t check_properties(const aclrtPhysicalMemProp& prop) {
  bool on_device = prop.location.type == ACL_MEM_LOCATION_TYPE_DEVICE;
  if (on_device && is_for_hosts_only(prop.memAttr))
    sim::fail(sim::kInvalidParam, "memAttr %d is for host memory only", int(prop.memAttr));
  size_t granularity = step(prop.memAttr);
  if (granularity == 0)
    sim::fail(sim::kInvalidParam, "memAttr %d cannot be allocated without an address",
              int(prop.memAttr));
  if (on_device) sim::require_device(int(prop.location.id));
  return granularity;
}

size_t round_up(size_t size, size_t granularity) {
  if (size > ~size_t(0) - granularity)
    sim::fail(sim::kRtOutOfMemory, "%zu bytes are more than any device has", size);
  return (size + granularity - 1) / granularity * granularity;
}

}  // namespace

aclError aclrtReserveMemAddress(void** virPtr, size_t size, size_t alignment, void* expectPtr,
                                uint64_t flags) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(virPtr, "virPtr");
    sim::require_positive(size, "size");
    if (flags > 1)
      sim::fail(sim::kInvalidParam, "flags is %llu, neither 0 nor 1",
                static_cast<unsigned long long>(flags));
    if (alignment != 0)
      sim::fail(sim::kRtParamInvalid, "alignment is reserved and must be 0, not %zu", alignment);
    if (expectPtr != nullptr)
      sim::fail(sim::kRtNotSupported, "an address of the program's choice is not simulated");
    *virPtr = sim::reserve_addresses(size);
    return ACL_SUCCESS;
  });
}

aclError aclrtReleaseMemAddress(void* virPtr) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(virPtr, "virPtr");
    sim::release_addresses(virPtr);
    return ACL_SUCCESS;
  });
}

aclError aclrtMallocPhysical(aclrtDrvMemHandle* handle, size_t size,
                             const aclrtPhysicalMemProp* prop, uint64_t flags) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(handle, "handle");
    sim::require_not_null(prop, "prop");
    sim::require_positive(size, "size");
    if (flags != 0) sim::fail(sim::kInvalidParam, "flags must be 0");
    if (prop->handleType != ACL_MEM_HANDLE_TYPE_NONE)
      sim::fail(sim::kInvalidParam, "handleType must be ACL_MEM_HANDLE_TYPE_NONE");
    if (prop->allocationType != ACL_MEM_ALLOCATION_TYPE_PINNED)
      sim::fail(sim::kInvalidParam, "allocationType must be ACL_MEM_ALLOCATION_TYPE_PINNED");
    if (prop->location.type == ACL_MEM_LOCATION_TYPE_UNREGISTERED)
      sim::fail(sim::kInvalidParam, "memory has to be on a device or a host");
    size_t granularity = check_properties(*prop);
    if (prop->location.type != ACL_MEM_LOCATION_TYPE_DEVICE)
      sim::fail(sim::kRtNotSupported, "host memory without an address is not simulated");
    *handle = sim::allocate_physical(int(prop->location.id), round_up(size, granularity));
    return ACL_SUCCESS;
  });
}

aclError aclrtFreePhysical(aclrtDrvMemHandle handle) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(handle, "handle");
    sim::free_physical(handle);
    return ACL_SUCCESS;
  });
}

aclError aclrtMapMem(void* virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle,
                     uint64_t flags) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(virPtr, "virPtr");
    sim::require_not_null(handle, "handle");
    sim::require_positive(size, "size");
    if (flags != 0) sim::fail(sim::kInvalidParam, "flags must be 0");
    if (offset != 0)
      sim::fail(sim::kRtParamInvalid, "offset is reserved and must be 0, not %zu", offset);
    sim::map_physical(virPtr, size, handle);
    return ACL_SUCCESS;
  });
}

aclError aclrtUnmapMem(void* virPtr) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(virPtr, "virPtr");
    sim::unmap_physical(virPtr);
    return ACL_SUCCESS;
  });
}

aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp* prop,
                                          aclrtMemGranularityOptions option, size_t* granularity) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(prop, "prop");
    sim::require_not_null(granularity, "granularity");
    size_t found = check_properties(*prop);
    if (option != ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM &&
        option != ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED)
      sim::fail(sim::kRtParamInvalid, "%d is neither the minimum nor the recommended granularity",
                int(option));
    *granularity = found;
    return ACL_SUCCESS;
  });
}

aclError aclrtMemExportToShareableHandle(aclrtDrvMemHandle handle, aclrtMemHandleType handleType,
                                         uint64_t flags, uint64_t* shareableHandle) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(handle, "handle");
    if (handleType != ACL_MEM_HANDLE_TYPE_NONE)
      sim::fail(sim::kInvalidParam, "handleType must be ACL_MEM_HANDLE_TYPE_NONE");
    sim::require_not_null(shareableHandle, "shareableHandle");
    if (flags > ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION)
      sim::fail(sim::kRtParamInvalid, "flags is %llu, neither 0 nor 1",
                static_cast<unsigned long long>(flags));
    *shareableHandle =
        sim::export_physical(handle, flags == ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION);
    return ACL_SUCCESS;
  });
}

aclError aclrtMemImportFromShareableHandle(uint64_t shareableHandle, int32_t deviceId,
                                           aclrtDrvMemHandle* handle) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(handle, "handle");
    sim::require_device(deviceId);
    *handle = sim::import_physical(shareableHandle, deviceId);
    return ACL_SUCCESS;
  });
}

aclError aclrtMemSetPidToShareableHandle(uint64_t shareableHandle, int32_t* pid, size_t pidNum) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(pid, "pid");
    sim::require_positive(pidNum, "pidNum");
    for (size_t i = 0; i < pidNum; ++i) sim::allow_process(shareableHandle, pid[i]);
    return ACL_SUCCESS;
  });
}

aclError aclrtDeviceGetBareTgid(int32_t* pid) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(pid, "pid");
    *pid = int32_t(getpid());
    return ACL_SUCCESS;
  });
}
