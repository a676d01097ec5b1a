// Many copies between host and device in one call.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <iterator>

#include "acl/acl_rt.h"
#include "core/config.hpp"
#include "core/context.hpp"
#include "core/copy.hpp"
#include "core/memory.hpp"
#include "runtime/entry.hpp"

namespace sim = pyaclnn::sim;

namespace {

struct Batch {
  void** dsts;
  size_t* dest_maxs;
  void** srcs;
  size_t* sizes;
  size_t count;
  aclrtMemcpyBatchAttr* attrs;
  size_t* attr_indexes;
  size_t attr_count;
  size_t* fail_index;
};

constexpr size_t kMaxSynchronous = 4096;

void check(const Batch& batch, bool asynchronous) {
  sim::require_not_null(batch.dsts, "dsts");
  sim::require_not_null(batch.dest_maxs, "destMaxs");
  sim::require_not_null(batch.srcs, "srcs");
  sim::require_not_null(batch.sizes, "sizes");
  sim::require_not_null(batch.attrs, "attrs");
  sim::require_not_null(batch.attr_indexes, "attrsIndexes");
  sim::require_not_null(batch.fail_index, "failIndex");
  sim::require_positive(batch.count, "numBatches");
  for (size_t i = 0; i < batch.count; ++i) {
    if (batch.dest_maxs[i] < batch.sizes[i])
      sim::fail(sim::kInvalidParam, "sizes[%zu] is %zu, more than destMaxs[%zu], which is %zu", i,
                batch.sizes[i], i, batch.dest_maxs[i]);
  }
  for (size_t i = 0; i < batch.attr_count; ++i) {
    const auto& reserved = batch.attrs[i].rsv;
    if (std::any_of(std::begin(reserved), std::end(reserved), [](uint8_t b) { return b != 0; }))
      sim::fail(sim::kInvalidParam, "rsv of attrs[%zu] must be zero", i);
  }
  *batch.fail_index = SIZE_MAX;
  if (batch.attr_count == 0 || batch.attr_count > batch.count)
    sim::fail(sim::kRtParamInvalid, "numAttrs is %zu, not 1 to %zu", batch.attr_count, batch.count);
  if (!asynchronous && batch.count > kMaxSynchronous)
    sim::fail(sim::kRtParamInvalid, "%zu copies are more than the %zu of one call", batch.count,
              kMaxSynchronous);
  if (batch.attr_indexes[0] != 0)
    sim::fail(sim::kRtParamInvalid, "attrsIndexes[0] is %zu, not 0", batch.attr_indexes[0]);
  for (size_t i = 1; i < batch.attr_count; ++i) {
    if (batch.attr_indexes[i] <= batch.attr_indexes[i - 1] || batch.attr_indexes[i] >= batch.count)
      sim::fail(sim::kRtParamInvalid, "attrsIndexes[%zu] is %zu; they rise, below %zu", i,
                batch.attr_indexes[i], batch.count);
  }
}

/// Checks where one end of a copy is against where the program says it is; true on a device.
bool check_end(const void* pointer, const aclrtMemLocation& said, const char* name) {
  int device = sim::device_of(pointer);
  bool said_device = said.type == ACL_MEM_LOCATION_TYPE_DEVICE;
  bool said_host =
      said.type == ACL_MEM_LOCATION_TYPE_HOST || said.type == ACL_MEM_LOCATION_TYPE_HOST_NUMA;
  if (device < 0 ? !said_host : !said_device || said.id != uint32_t(device))
    sim::fail(sim::kRtParamInvalid, "%s %p is %s memory (%d), its attribute says %d of device %u",
              name, pointer, device < 0 ? "host" : "device", device, int(said.type), said.id);
  return device >= 0;
}

/// Makes the copies one by one; notes which one failed.
template <class Copy>
void for_each(const Batch& batch, Copy&& copy) {
  size_t attr = 0;
  for (size_t i = 0; i < batch.count; ++i) {
    if (attr + 1 < batch.attr_count && i >= batch.attr_indexes[attr + 1]) ++attr;
    try {
      if (batch.sizes[i] == 0 || batch.dsts[i] == nullptr || batch.srcs[i] == nullptr)
        sim::fail(sim::kRtParamInvalid, "copy %zu has a null address or no bytes", i);
      bool to_device = check_end(batch.dsts[i], batch.attrs[attr].dstLoc, "dst");
      bool from_device = check_end(batch.srcs[i], batch.attrs[attr].srcLoc, "src");
      if (to_device == from_device)
        sim::fail(sim::kRtParamInvalid, "copy %zu is not between host and device", i);
      size_t size = batch.sizes[i];
      copy(batch.dsts[i], batch.srcs[i], sim::CopyShape{size, 1, size, size},
           to_device ? ACL_MEMCPY_HOST_TO_DEVICE : ACL_MEMCPY_DEVICE_TO_HOST);
    } catch (...) {
      *batch.fail_index = i;
      throw;
    }
  }
}

void require_chip() {
  if (sim::chip().soc == sim::Soc::kAscend910 || sim::chip().soc == sim::Soc::kAscend310P)
    sim::fail(sim::kRtNotSupported, "%s has no copies in batches", sim::chip().name);
}

}  // namespace

aclError aclrtMemcpyBatch(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                          size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                          size_t numAttrs, size_t* failIndex) {
  return sim::entry_of_release(__func__, [&] {
    Batch batch{dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs, failIndex};
    require_chip();
    check(batch, false);
    sim::current_device();
    for_each(batch, [](void* dst, const void* src, const sim::CopyShape& shape, aclrtMemcpyKind) {
      sim::copy_now(dst, src, shape, "aclrtMemcpyBatch");
    });
    return ACL_SUCCESS;
  });
}

aclError aclrtMemcpyBatchAsync(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                               size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                               size_t numAttrs, size_t* failIndex, aclrtStream stream) {
  return sim::entry_of_release(__func__, [&] {
    Batch batch{dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs, failIndex};
    require_chip();
    check(batch, true);
    auto queue = sim::resolve_stream(stream);
    for_each(batch,
             [&](void* dst, const void* src, const sim::CopyShape& shape, aclrtMemcpyKind kind) {
               sim::copy_in_stream(dst, src, shape, kind, *queue, "aclrtMemcpyBatchAsync");
             });
    return ACL_SUCCESS;
  });
}
