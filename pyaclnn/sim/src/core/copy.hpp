// Copies and fills, on the spot and in streams, between host and device memory.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "acl/acl_rt.h"
#include "core/export.hpp"
#include "core/stream_impl.hpp"

namespace pyaclnn::sim {

/// `height` rows of `width` bytes; a plain copy is one row.
struct CopyShape {
  std::size_t width = 0;
  std::size_t height = 1;
  std::size_t dst_pitch = 0;
  std::size_t src_pitch = 0;
};

/// Copies before it returns. The pointers decide the direction.
SIM_API void copy_now(void* dst, const void* src, const CopyShape& shape, const char* function);

/// Queues a copy; with pageable host memory it waits for the stream and copies at once.
SIM_API void copy_in_stream(void* dst, const void* src, const CopyShape& shape,
                            aclrtMemcpyKind kind, Stream& stream, const char* function);

SIM_API void fill_now(void* pointer, int value, std::size_t bytes, const char* function);
SIM_API void fill_in_stream(void* pointer, int value, std::size_t bytes, Stream& stream,
                            const char* function);

/// Whether copies from `device` may reach `peer`; a device always reaches itself.
SIM_API bool peer_access(int device, int peer);
SIM_API void set_peer_access(int device, int peer, bool enabled);

}  // namespace pyaclnn::sim
