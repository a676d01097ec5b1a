// Page-locking memory that the program brings.
// SPDX-License-Identifier: MIT
#include "acl/acl_rt.h"
#include "check/races.hpp"
#include "core/context.hpp"
#include "core/memory.hpp"
#include "runtime/entry.hpp"

namespace sim = pyaclnn::sim;

namespace {

[[noreturn]] void refuse_mapping() {
  sim::fail(sim::kRtNotSupported,
            "an address at which devices reach host memory is not simulated; "
            "aclrtHostRegisterV2 with ACL_HOST_REG_PINNED makes copies asynchronous");
}

}  // namespace

aclError aclrtHostRegister(void* ptr, uint64_t size, aclrtHostRegisterType type, void** devPtr) {
  return sim::entry(__func__, [&]() -> aclError {
    sim::require_not_null(ptr, "ptr");
    sim::require_not_null(devPtr, "devPtr");
    sim::require_positive(size, "size");
    refuse_mapping();
    return type;
  });
}

aclError aclrtHostRegisterV2(void* ptr, uint64_t size, uint32_t flag) {
  return sim::entry_since_9_0(__func__, [&] {
    sim::require_not_null(ptr, "ptr");
    sim::require_positive(size, "size");
    constexpr uint32_t kKnown = ACL_HOST_REG_MAPPED | ACL_HOST_REG_PINNED;
    if ((flag & kKnown) == 0 || (flag & ~kKnown) != 0)
      sim::fail(sim::kRtParamInvalid,
                "flag 0x%x is neither ACL_HOST_REG_MAPPED nor ACL_HOST_REG_PINNED", flag);
    sim::current_device();
    if ((flag & ACL_HOST_REG_MAPPED) != 0) refuse_mapping();
    sim::register_host(ptr, size);
    return ACL_SUCCESS;
  });
}

aclError aclrtHostUnregister(void* ptr) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(ptr, "ptr");
    sim::current_device();
    if (sim::races::enabled()) sim::races::host_frees("aclrtHostUnregister", ptr);
    sim::unregister_host(ptr, sim::kRtHostMemoryNotRegistered);
    return ACL_SUCCESS;
  });
}
