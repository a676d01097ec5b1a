// Device memory shared between processes by key.
// SPDX-License-Identifier: MIT
#include "core/ipc_memory.hpp"

#include "acl/acl_rt.h"
#include "core/config.hpp"
#include "core/stream.hpp"
#include "runtime/entry.hpp"

namespace sim = pyaclnn::sim;

namespace {

void require_flag(uint64_t flags) {
  if (flags > 1)
    sim::fail(sim::kRtParamInvalid, "flags is %llu, neither 0 nor 1",
              static_cast<unsigned long long>(flags));
}

}  // namespace

aclError aclrtIpcMemGetExportKey(void* devPtr, size_t size, char* key, size_t len, uint64_t flags) {
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(devPtr, "devPtr");
    sim::require_not_null(key, "key");
    if (size == 0) sim::fail(sim::kRtParamInvalid, "size is 0");
    require_flag(flags);
    sim::current_device();
    if (len < sim::kIpcKeySize)
      sim::fail(sim::kRtParamInvalid, "len is %zu; a key takes %zu characters", len,
                sim::kIpcKeySize);
    sim::export_memory(devPtr, size, key,
                       flags == ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION);
    return ACL_SUCCESS;
  });
}

aclError aclrtIpcMemSetImportPid(const char* key, int32_t* pid, size_t num) {
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(key, "key");
    sim::require_not_null(pid, "pid");
    if (num == 0) sim::fail(sim::kRtParamInvalid, "num is 0");
    sim::current_device();
    sim::allow_importers(key, pid, num);
    return ACL_SUCCESS;
  });
}

/// Peers need no leave here: every device of a process reaches every other.
aclError aclrtIpcMemImportByKey(void** devPtr, const char* key, uint64_t flags) {
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(devPtr, "devPtr");
    sim::require_not_null(key, "key");
    require_flag(flags);
    *devPtr = sim::import_memory(key, sim::current_device());
    return ACL_SUCCESS;
  });
}

aclError aclrtIpcMemClose(const char* key) {
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(key, "key");
    sim::current_device();
    sim::close_memory(key);
    return ACL_SUCCESS;
  });
}
