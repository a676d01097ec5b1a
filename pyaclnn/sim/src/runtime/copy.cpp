// Copies and fills.
// SPDX-License-Identifier: MIT
#include "core/copy.hpp"

#include "acl/acl_rt.h"
#include "core/config.hpp"
#include "core/context.hpp"
#include "runtime/entry.hpp"

namespace sim = pyaclnn::sim;

namespace {

/// Nothing to do is success before any other check, except in CANN 8.1.
bool is_nothing(size_t count) {
  if (count != 0) return false;
  if (!sim::behaves(sim::Behaviour::kCopiesNothing))
    sim::fail(sim::kRtParamInvalid, "count is 0, which CANN 8.1 refuses");
  return true;
}

void check_copy(const void* dst, size_t dest_max, const void* src, size_t count,
                aclrtMemcpyKind kind) {
  sim::require_not_null(dst, "dst");
  sim::require_not_null(src, "src");
  if (kind < ACL_MEMCPY_HOST_TO_HOST || kind > ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE)
    sim::fail(sim::kInvalidParam, "%d is not a kind of copy that is accepted here", int(kind));
  sim::current_device();
  if (dest_max == 0 || count > dest_max)
    sim::fail(sim::kRtParamInvalid, "count %zu is more than destMax %zu", count, dest_max);
}

bool check_copy_2d(const void* dst, const void* src, const sim::CopyShape& shape,
                   aclrtMemcpyKind kind, bool device_to_device) {
  if (shape.width == 0 || shape.height == 0) return false;
  sim::require_not_null(dst, "dst");
  sim::require_not_null(src, "src");
  if (shape.width > shape.dst_pitch || shape.width > shape.src_pitch)
    sim::fail(sim::kInvalidParam, "width %zu is more than dpitch %zu or spitch %zu", shape.width,
              shape.dst_pitch, shape.src_pitch);
  bool accepted = kind == ACL_MEMCPY_HOST_TO_DEVICE || kind == ACL_MEMCPY_DEVICE_TO_HOST ||
                  kind == ACL_MEMCPY_DEFAULT ||
                  (device_to_device && kind == ACL_MEMCPY_DEVICE_TO_DEVICE);
  if (!accepted)
    sim::fail(sim::kInvalidParam, "%d is not a kind of copy that is accepted here", int(kind));
  sim::current_device();
  return true;
}

void check_fill(const void* pointer, size_t max_count, size_t count) {
  sim::require_not_null(pointer, "devPtr");
  sim::current_device();
  if (count > max_count)
    sim::fail(sim::kRtParamInvalid, "count %zu is more than maxCount %zu", count, max_count);
}

void copy_async(void* dst, size_t dest_max, const void* src, size_t count, aclrtMemcpyKind kind,
                aclrtStream stream, const char* function) {
  if (is_nothing(count)) return;
  check_copy(dst, dest_max, src, count, kind);
  sim::copy_in_stream(dst, src, {count, 1, count, count}, kind, *sim::resolve_stream(stream),
                      function);
}

}  // namespace

aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count,
                     aclrtMemcpyKind kind) {
  return sim::entry(__func__, [&] {
    if (is_nothing(count)) return ACL_SUCCESS;
    check_copy(dst, destMax, src, count, kind);
    if (dst != src) sim::copy_now(dst, src, {count, 1, count, count}, "aclrtMemcpy");
    return ACL_SUCCESS;
  });
}

aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src, size_t count,
                          aclrtMemcpyKind kind, aclrtStream stream) {
  return sim::entry(__func__, [&] {
    copy_async(dst, destMax, src, count, kind, stream, "aclrtMemcpyAsync");
    return ACL_SUCCESS;
  });
}

aclError aclrtMemcpyAsyncWithCondition(void* dst, size_t destMax, const void* src, size_t count,
                                       aclrtMemcpyKind kind, aclrtStream stream) {
  return sim::entry(__func__, [&] {
    copy_async(dst, destMax, src, count, kind, stream, "aclrtMemcpyAsyncWithCondition");
    return ACL_SUCCESS;
  });
}

aclError aclrtMemcpy2d(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                       size_t height, aclrtMemcpyKind kind) {
  return sim::entry(__func__, [&] {
    sim::CopyShape shape{width, height, dpitch, spitch};
    if (check_copy_2d(dst, src, shape, kind, false))
      sim::copy_now(dst, src, shape, "aclrtMemcpy2d");
    return ACL_SUCCESS;
  });
}

aclError aclrtMemcpy2dAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                            size_t height, aclrtMemcpyKind kind, aclrtStream stream) {
  return sim::entry(__func__, [&] {
    sim::CopyShape shape{width, height, dpitch, spitch};
    bool device_to_device = sim::behaves(sim::Behaviour::kCopies2dOnDevice);
    if (check_copy_2d(dst, src, shape, kind, device_to_device))
      sim::copy_in_stream(dst, src, shape, kind, *sim::resolve_stream(stream),
                          "aclrtMemcpy2dAsync");
    return ACL_SUCCESS;
  });
}

aclError aclrtMemset(void* devPtr, size_t maxCount, int32_t value, size_t count) {
  return sim::entry(__func__, [&] {
    if (is_nothing(count)) return ACL_SUCCESS;
    check_fill(devPtr, maxCount, count);
    sim::fill_now(devPtr, value, count, "aclrtMemset");
    return ACL_SUCCESS;
  });
}

aclError aclrtMemsetAsync(void* devPtr, size_t maxCount, int32_t value, size_t count,
                          aclrtStream stream) {
  return sim::entry(__func__, [&] {
    if (is_nothing(count)) return ACL_SUCCESS;
    check_fill(devPtr, maxCount, count);
    sim::fill_in_stream(devPtr, value, count, *sim::resolve_stream(stream), "aclrtMemsetAsync");
    return ACL_SUCCESS;
  });
}
