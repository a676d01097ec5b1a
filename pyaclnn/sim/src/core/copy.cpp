// SPDX-License-Identifier: MIT
#include "core/copy.hpp"

#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "check/pointer.hpp"
#include "check/races.hpp"
#include "check/undefined.hpp"
#include "core/bulk_copy.hpp"
#include "core/capture.hpp"
#include "core/checked.hpp"
#include "core/config.hpp"
#include "core/memory.hpp"
#include "core/release.hpp"
#include "core/status.hpp"
#include "core/thread_pool.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::size_t kMaxDevices = 64;
// What one thread copies at a time; less is not worth the hand-over.
constexpr std::int64_t kParallelCopy = std::int64_t(2) << 20;

std::atomic<bool>& peer_flag(int device, int peer) {
  static auto& flags = *new std::array<std::atomic<bool>, kMaxDevices * kMaxDevices>{};
  return flags[std::size_t(device) * kMaxDevices + std::size_t(peer)];
}

/// A checked end of a copy: where this process can reach it, and what keeps it valid.
struct End {
  unsigned char* address = nullptr;
  MemoryUse use;
  int device = -1;  // -1: host
  bool pinned = false;
};

End check_end(const void* pointer, std::size_t bytes, const char* name) {
  Allocation block = require_range(pointer, bytes, name, kRtParamInvalid);
  if (is_mapped_host(pointer))
    fail(kRtParamInvalid,
         "%s %p is where devices reach registered memory of the host, for kernels alone; copy by "
         "the host's own address",
         name, pointer);
  End end;
  end.device = block.device;
  end.pinned = block && block.device < 0;
  end.use = {pointer, bytes, block.id};
  void* address = block.device >= 0 ? kernel_address(pointer) : const_cast<void*>(pointer);
  end.address = static_cast<unsigned char*>(address);
  return end;
}

std::size_t extent(std::size_t width, std::size_t height, std::size_t pitch) {
  if (height == 1) return width;
  const auto bytes = Checked(height - 1) * pitch + width;
  if (!bytes.fits())
    fail(kRtParamInvalid, "%zu rows, %zu bytes apart, are more than memory has", height, pitch);
  return bytes.saturated();
}

void check_peers(const End& dst, const End& src) {
  if (dst.device < 0 || src.device < 0 || peer_access(src.device, dst.device)) return;
  fail(kRtParamInvalid,
       "copy from device %d to device %d without access between them; call "
       "aclrtDeviceEnablePeerAccess first",
       src.device, dst.device);
}

void copy_row(unsigned char* dst, const unsigned char* src, std::size_t bytes) {
  bool apart = dst + bytes <= src || src + bytes <= dst;
  if (!apart) {
    std::memmove(dst, src, bytes);
    return;
  }
  if (bytes < kBulkBytes) {
    std::memcpy(dst, src, bytes);
    return;
  }
  parallel_for(std::int64_t(bytes), kParallelCopy, [=](std::int64_t begin, std::int64_t end) {
    bulk_copy(dst + begin, src + begin, std::size_t(end - begin));
    bulk_copy_done();
  });
}

void copy_rows(unsigned char* dst, const unsigned char* src, const CopyShape& shape) {
  for (std::size_t row = 0; row < shape.height; ++row)
    copy_row(dst + row * shape.dst_pitch, src + row * shape.src_pitch, shape.width);
}

/// Like copy_row a function of its own: ThreadSanitizer's suppressions name it.
void fill_row(unsigned char* address, int value, std::size_t bytes) {
  std::memset(address, value & 0xFF, bytes);
}

void check_direction(const End& dst, const End& src, aclrtMemcpyKind kind) {
  if (dst.device < 0 && src.device < 0)
    fail(kRtNotSupported, "both addresses are host memory; streams copy to or from a device");
  bool to_device = kind == ACL_MEMCPY_HOST_TO_DEVICE || kind == ACL_MEMCPY_DEVICE_TO_DEVICE ||
                   kind == ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE;
  bool from_device = kind == ACL_MEMCPY_DEVICE_TO_HOST || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
  if (to_device && dst.device < 0)
    fail(kRtParamInvalid, "dst %p is host memory, kind %d needs device memory", dst.use.pointer,
         int(kind));
  if (from_device && src.device < 0)
    fail(kRtParamInvalid, "src %p is host memory, kind %d needs device memory", src.use.pointer,
         int(kind));
}

/// What rows of a copy touch.
BytePattern rows(const CopyShape& shape, std::size_t pitch) {
  return {{{std::int64_t(pitch), std::int64_t(shape.height)}}, std::int64_t(shape.width)};
}

races::NamedAccess writes(const End& dst, const CopyShape& shape) {
  return {AccessMode::kWrite, "dst", dst.use.pointer, dst.use.allocation,
          rows(shape, shape.dst_pitch)};
}

races::NamedAccess reads(const End& src, const CopyShape& shape) {
  return {AccessMode::kRead, "src", src.use.pointer, src.use.allocation,
          rows(shape, shape.src_pitch)};
}

races::NamedAccess fills(const End& end) {
  return {AccessMode::kWrite, "devPtr", end.use.pointer, end.use.allocation, end.use.bytes};
}

/// For work of a stream.
std::shared_ptr<const AccessList> shared(AccessList accesses) {
  return std::make_shared<const AccessList>(std::move(accesses));
}

/// As a kernel that reads: before it happens, and after all that it waits for.
void look_for_unwritten(const End& to, const End& from, const CopyShape& shape,
                        const char* function) {
  if (!undefined::enabled() || to.device >= 0 || from.device < 0) return;
  const auto* const first = reinterpret_cast<const std::byte*>(from.address);
  const std::int64_t height(shape.height), width(shape.width), pitch(shape.src_pitch);
  if (undefined::is_unwritten(first, {height, width}, {pitch, 1}, 1))
    undefined::tell(std::string(function) + " copies " + std::to_string(height * width) +
                    " bytes to the host, where nothing was written since their memory was "
                    "allocated: CANN leaves them undefined");
}

bool is_pageable(const End& end) { return end.device < 0 && !end.pinned; }

}  // namespace

bool peer_access(int device, int peer) { return device == peer || peer_flag(device, peer).load(); }

void set_peer_access(int device, int peer, bool enabled) { peer_flag(device, peer).store(enabled); }

void copy_now(void* dst, const void* src, const CopyShape& shape, const char* function) {
  require_unsafe_call();
  End to = check_end(dst, extent(shape.width, shape.height, shape.dst_pitch), "dst");
  End from = check_end(src, extent(shape.width, shape.height, shape.src_pitch), "src");
  check_peers(to, from);
  if (to.address == from.address) return;
  look_for_unwritten(to, from, shape, function);
  if (races::enabled())
    races::host_work(races::access_list(function, {writes(to, shape), reads(from, shape)}));
  copy_rows(to.address, from.address, shape);
}

void copy_in_stream(void* dst, const void* src, const CopyShape& shape, aclrtMemcpyKind kind,
                    Stream& stream, const char* function) {
  std::size_t src_extent = extent(shape.width, shape.height, shape.src_pitch);
  End to = check_end(dst, extent(shape.width, shape.height, shape.dst_pitch), "dst");
  End from = check_end(src, src_extent, "src");
  check_direction(to, from, kind);
  check_peers(to, from);
  bool snapshot = kind == ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE && from.device < 0;
  if (is_pageable(to) || (is_pageable(from) && !snapshot)) {
    stream.synchronize(Clock::time_point::max());
    require_unsafe_call(behaves(Behaviour::kNamesBlockingCopies) ? kRtCaptureModeBlockAsync
                                                                 : kRtCaptureModeNotSupport);
    look_for_unwritten(to, from, shape, function);
    if (races::enabled())
      races::host_work(races::access_list(function, {writes(to, shape), reads(from, shape)}));
    copy_rows(to.address, from.address, shape);
    return;
  }
  Task task;
  task.name = function;
  task.uses.push_back(to.use);
  std::shared_ptr<std::vector<unsigned char>> kept;
  if (snapshot) {
    if (races::enabled()) races::host_work(races::access_list(function, {reads(from, shape)}));
    kept = std::make_shared<std::vector<unsigned char>>(from.address, from.address + src_extent);
    from.address = kept->data();
  } else {
    task.uses.push_back(from.use);
  }
  task.run = [target = to.address, source = from.address, shape, kept] {
    copy_rows(target, source, shape);
    return 0;
  };
  if (undefined::enabled()) {
    task.run = [to, from, shape, kept, function] {
      look_for_unwritten(to, from, shape, function);
      copy_rows(to.address, from.address, shape);
      return 0;
    };
  }
  if (races::enabled()) {
    if (snapshot) from.use.allocation = 0;
    task.accesses = shared(races::access_list(function, {writes(to, shape), reads(from, shape)}));
  }
  stream.submit(std::move(task));
}

void fill_now(void* pointer, int value, std::size_t bytes, const char* function) {
  require_unsafe_call();
  End end = check_end(pointer, bytes, "devPtr");
  if (races::enabled()) races::host_work(races::access_list(function, {fills(end)}));
  fill_row(end.address, value, bytes);
}

void fill_in_stream(void* pointer, int value, std::size_t bytes, Stream& stream,
                    const char* function) {
  require_device_range(pointer, bytes, "devPtr", kRtParamInvalid);
  End end = check_end(pointer, bytes, "devPtr");
  Task task;
  task.name = function;
  task.uses.push_back(end.use);
  task.run = [address = end.address, value, bytes] {
    fill_row(address, value, bytes);
    return 0;
  };
  if (races::enabled()) task.accesses = shared(races::access_list(function, {fills(end)}));
  stream.submit(std::move(task));
}

}  // namespace pyaclnn::sim
