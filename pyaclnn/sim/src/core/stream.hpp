// Streams: one worker thread each, a FIFO of tasks.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "acl/acl_base.h"
#include "check/access.hpp"
#include "core/export.hpp"
#include "core/inline_vector.hpp"
#include "core/job.hpp"

namespace pyaclnn::sim {

class Stream;  // defined in core/stream_impl.hpp, private to the core

/// A stretch of device memory that a task will touch, pinned to the allocation it was in when the
/// task was submitted.
struct MemoryUse {
  const void* pointer = nullptr;
  std::size_t bytes = 0;
  std::uint64_t allocation = 0;
};

using MemoryUses = InlineVector<MemoryUse, 12>;

/// Work for a stream. `run` is called on the stream's thread, and returns a status.
struct Task {
  const char* name = "";  // static storage: the API that submitted it
  MemoryUses uses;        // re-checked before `run`: freed in between is error 507015
  Job run;
  std::function<void()> abandoned = {};  // called instead of `run` when the task is dropped
  // What `run` needs and no program can see: it goes when the queue has another use for the place,
  // in a thread that submits. References to a plan are so counted on one processor only, which
  // spares a call 0.05 us of 1.7.
  std::shared_ptr<const void> keeps = {};
  // What `run` does to memory, where missing synchronisation is looked for.
  std::shared_ptr<const AccessList> accesses = {};
};

/// The stream behind a handle, null being the default stream of the current context.
/// Fails 107002 without a context, 107000 for a bad handle, 107003 for another context's stream.
SIM_API std::shared_ptr<Stream> resolve_stream(aclrtStream handle);

/// As resolve_stream(), without a reference of the caller's own: good until the calling thread
/// borrows another stream, also if that is destroyed meanwhile.
SIM_API Stream& borrow_stream(aclrtStream handle);

/// Device a stream belongs to.
SIM_API int stream_device(const Stream& stream);

/// Appends a task. Fails where the stream takes no more work (destroyed, stopped on failure).
SIM_API void submit(Stream& stream, Task&& task);

/// Device of the calling thread's current context; fails 107002 without one.
SIM_API int current_device();

}  // namespace pyaclnn::sim
