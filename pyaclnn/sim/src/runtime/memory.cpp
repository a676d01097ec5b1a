// Device and pinned host memory.
// SPDX-License-Identifier: MIT
#include "core/memory.hpp"

#include "acl/acl_rt.h"
#include "check/pointer.hpp"
#include "core/checked.hpp"
#include "core/config.hpp"
#include "core/context.hpp"
#include "core/virtual_memory.hpp"
#include "runtime/entry.hpp"

namespace sim = pyaclnn::sim;

namespace {

constexpr size_t kAlignment = 32;
constexpr size_t kPadding = 32;

/// What CANN sets aside for a request: kernels may read up to a block past the end, except on chips
/// that do not need it and in 1 GiB pages.
size_t real_size(size_t size, aclrtMemMallocPolicy policy, bool padded) {
  bool huge_1g = policy == ACL_MEM_MALLOC_HUGE1G_ONLY || policy == ACL_MEM_MALLOC_HUGE1G_ONLY_P2P;
  size_t padding =
      padded && !huge_1g && sim::chip().soc != sim::Soc::kAscend950 ? kPadding : size_t(0);
  const auto rounded = sim::Checked(size).rounded_up(kAlignment) + padding;
  if (!rounded.fits()) sim::fail(sim::kInvalidParam, "size %zu cannot be rounded up", size);
  return rounded.saturated();
}

void allocate(void** pointer, size_t size, aclrtMemMallocPolicy policy, bool padded) {
  sim::require_not_null(pointer, "devPtr");
  sim::require_positive(size, "size");
  size_t rounded = real_size(size, policy, padded);
  *pointer = sim::allocate_device(sim::current_device(), size, rounded);
}

void check_config(const aclrtMallocConfig* config) {
  if (config != nullptr && config->numAttrs != 0 && config->attrs == nullptr)
    sim::fail(sim::kInvalidParam, "cfg has %zu attributes and a null list of them",
              config->numAttrs);
}

void allocate_pinned(void** pointer, size_t size) {
  sim::require_not_null(pointer, "hostPtr");
  sim::require_positive(size, "size");
  sim::current_device();
  *pointer = sim::allocate_host(size);
}

void free_pinned(void* pointer, const char* function) {
  sim::require_not_null(pointer, "hostPtr");
  sim::current_device();
  sim::free_host(pointer, function);
  sim::unmap_host(pointer);
}

bool has_memory(aclrtMemAttr attribute) {
  switch (attribute) {
    case ACL_DDR_MEM:
    case ACL_DDR_MEM_HUGE:
    case ACL_DDR_MEM_NORMAL:
      return sim::chip().soc == sim::Soc::kAscend310P;
    // Chips without HBM answer for their DDR.
    case ACL_HBM_MEM:
    case ACL_HBM_MEM_HUGE:
    case ACL_HBM_MEM_NORMAL:
    case ACL_MEM_NORMAL:
    case ACL_MEM_HUGE:
      return true;
    default:
      return false;
  }
}

void check_cache_range(void* pointer, size_t size) {
  sim::require_not_null(pointer, "devPtr");
  sim::require_positive(size, "size");
  sim::current_device();
  sim::require_device_range(pointer, size, "devPtr", sim::kRtParamInvalid);
}

}  // namespace

aclError aclrtMalloc(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  return sim::entry(__func__, [&] {
    allocate(devPtr, size, policy, true);
    return ACL_SUCCESS;
  });
}

aclError aclrtMallocAlign32(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  return sim::entry(__func__, [&] {
    allocate(devPtr, size, policy, false);
    return ACL_SUCCESS;
  });
}

aclError aclrtMallocCached(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  return sim::entry(__func__, [&] {
    allocate(devPtr, size, policy, true);
    return ACL_SUCCESS;
  });
}

aclError aclrtMallocWithCfg(void** devPtr, size_t size, aclrtMemMallocPolicy policy,
                            aclrtMallocConfig* cfg) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(devPtr, "devPtr");
    check_config(cfg);
    allocate(devPtr, size, policy, true);
    return ACL_SUCCESS;
  });
}

aclError aclrtFree(void* devPtr) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(devPtr, "devPtr");
    sim::free_device(devPtr, "aclrtFree");
    return ACL_SUCCESS;
  });
}

aclError aclrtFreeWithDevSync(void* devPtr) {
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(devPtr, "devPtr");
    sim::synchronize_device(sim::deadline_after(-1));
    sim::free_device(devPtr, "aclrtFreeWithDevSync");
    return ACL_SUCCESS;
  });
}

aclError aclrtMallocHost(void** hostPtr, size_t size) {
  return sim::entry(__func__, [&] {
    allocate_pinned(hostPtr, size);
    return ACL_SUCCESS;
  });
}

aclError aclrtMallocHostWithCfg(void** ptr, uint64_t size, aclrtMallocConfig* cfg) {
  return sim::entry(__func__, [&] {
    check_config(cfg);
    allocate_pinned(ptr, size);
    return ACL_SUCCESS;
  });
}

aclError aclrtFreeHost(void* hostPtr) {
  return sim::entry(__func__, [&] {
    free_pinned(hostPtr, "aclrtFreeHost");
    return ACL_SUCCESS;
  });
}

aclError aclrtFreeHostWithDevSync(void* hostPtr) {
  return sim::entry_of_release(__func__, [&] {
    sim::require_not_null(hostPtr, "hostPtr");
    sim::synchronize_device(sim::deadline_after(-1));
    free_pinned(hostPtr, "aclrtFreeHostWithDevSync");
    return ACL_SUCCESS;
  });
}

aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t* free, size_t* total) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(free, "free");
    sim::require_not_null(total, "total");
    int device = sim::current_device();
    if (attr < ACL_DDR_MEM || attr > ACL_MEM_P2P_HUGE1G)
      sim::fail(sim::kRtParamInvalid, "%d is not a kind of memory", int(attr));
    sim::MemoryFigures figures;
    if (has_memory(attr)) figures = sim::memory_figures(device);
    *free = figures.free;
    *total = figures.total;
    return ACL_SUCCESS;
  });
}

aclError aclrtPointerGetAttributes(const void* ptr, aclrtPtrAttributes* attributes) {
  return sim::entry(__func__, [&] {
    constexpr uint32_t kPageSize = 4096;
    sim::require_not_null(ptr, "ptr");
    sim::require_not_null(attributes, "attributes");
    sim::current_device();
    *attributes = {};
    attributes->pageSize = kPageSize;
    switch (sim::classify_pointer(ptr)) {
      case sim::PointerKind::kDevice:
        attributes->location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
        attributes->location.id = uint32_t(sim::device_of(ptr));
        break;
      case sim::PointerKind::kPinnedHost:
        attributes->location.type = ACL_MEM_LOCATION_TYPE_HOST;
        break;
      case sim::PointerKind::kPageableHost:
        attributes->location.type = ACL_MEM_LOCATION_TYPE_UNREGISTERED;
        break;
    }
    return ACL_SUCCESS;
  });
}

// Host and device see the same bytes here at all times: checking is all there is to do.
aclError aclrtMemFlush(void* devPtr, size_t size) {
  return sim::entry(__func__, [&] {
    check_cache_range(devPtr, size);
    return ACL_SUCCESS;
  });
}

aclError aclrtMemInvalidate(void* devPtr, size_t size) {
  return sim::entry(__func__, [&] {
    check_cache_range(devPtr, size);
    return ACL_SUCCESS;
  });
}
