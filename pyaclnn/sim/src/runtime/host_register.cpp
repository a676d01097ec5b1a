// Page-locking memory that the program brings.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>

#include "acl/acl_rt.h"
#include "check/races.hpp"
#include "core/context.hpp"
#include "core/memory.hpp"
#include "core/virtual_memory.hpp"
#include "runtime/entry.hpp"

namespace sim = pyaclnn::sim;

namespace {

constexpr std::uintptr_t kPage = 4096;  // of the driver, whatever the kernel's are

/// Gives memory of the program, or of aclrtMallocHost, an address for the current device.
void* map(void* ptr, uint64_t size) {
  const int device = sim::current_device();
  if (reinterpret_cast<std::uintptr_t>(ptr) % kPage != 0)
    sim::fail(sim::kRtParamInvalid, "%p is not aligned to %zu bytes, as mapped memory is", ptr,
              std::size_t(kPage));
  if (sim::mapped_host(ptr) != nullptr)
    sim::fail(sim::kRtHostMemoryRegistered, "%p has an address for devices already", ptr);
  const sim::Allocation pinned = sim::find_allocation(ptr);
  const bool is_ours = pinned && pinned.device < 0 && !pinned.registered;
  if (!is_ours) {
    sim::register_host(ptr, size);
  } else if (size > pinned.base + pinned.real_size - reinterpret_cast<std::uintptr_t>(ptr)) {
    sim::fail(sim::kRtParamInvalid, "%zu bytes from %p on are more than its block of %zu bytes has",
              std::size_t(size), ptr, pinned.size);
  }
  return sim::map_host(device, ptr, size);
}

}  // namespace

aclError aclrtHostRegister(void* ptr, uint64_t size, aclrtHostRegisterType type, void** devPtr) {
  return sim::entry(__func__, [&]() -> aclError {
    sim::require_not_null(ptr, "ptr");
    sim::require_not_null(devPtr, "devPtr");
    sim::require_positive(size, "size");
    if (type == ACL_HOST_REGISTER_IOMEMORY || type == ACL_HOST_REGISTER_READONLY)
      sim::fail(sim::kRtNotSupported, "type %d is not simulated; ACL_HOST_REGISTER_MAPPED is",
                int(type));
    if (type != ACL_HOST_REGISTER_MAPPED)
      sim::fail(sim::kRtParamInvalid, "%d is no type of registered memory", int(type));
    *devPtr = map(ptr, size);
    return ACL_SUCCESS;
  });
}

aclError aclrtHostRegisterV2(void* ptr, uint64_t size, uint32_t flag) {
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(ptr, "ptr");
    sim::require_positive(size, "size");
    constexpr uint32_t kKnown = ACL_HOST_REG_MAPPED | ACL_HOST_REG_PINNED;
    if ((flag & kKnown) == 0 || (flag & ~kKnown) != 0)
      sim::fail(sim::kRtParamInvalid,
                "flag 0x%x is neither ACL_HOST_REG_MAPPED nor ACL_HOST_REG_PINNED", flag);
    sim::current_device();
    if ((flag & ACL_HOST_REG_MAPPED) != 0) {
      map(ptr, size);
    } else {
      sim::register_host(ptr, size);
    }
    return ACL_SUCCESS;
  });
}

aclError aclrtHostUnregister(void* ptr) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(ptr, "ptr");
    sim::current_device();
    void* const mapped = sim::mapped_host(ptr);
    const sim::Allocation pinned = sim::find_allocation(ptr);
    const bool is_registered = pinned && pinned.registered;
    if (sim::races::enabled()) {
      if (mapped != nullptr) sim::races::host_frees("aclrtHostUnregister", mapped);
      if (is_registered) sim::races::host_frees("aclrtHostUnregister", ptr);
    }
    const bool was_mapped = sim::unmap_host(ptr);
    if (is_registered || !was_mapped) sim::unregister_host(ptr, sim::kRtHostMemoryNotRegistered);
    return ACL_SUCCESS;
  });
}

aclError aclrtHostGetDevicePointer(void* pHost, void** pDevice, uint32_t flag) {
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(pHost, "pHost");
    sim::require_not_null(pDevice, "pDevice");
    if (flag != 0) sim::fail(sim::kRtParamInvalid, "flag is %u, and has to be 0", flag);
    void* const mapped = sim::mapped_host(pHost);
    if (mapped == nullptr && !sim::find_allocation(pHost))
      sim::fail(sim::kRtHostMemoryNotRegistered,
                "%p is in no memory that aclrtHostRegisterV2 was given with ACL_HOST_REG_MAPPED",
                pHost);
    // As CANN does, null for page-locked memory that was not mapped.
    *pDevice = mapped;
    return ACL_SUCCESS;
  });
}
