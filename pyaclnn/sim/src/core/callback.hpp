// Host functions in streams: report threads, and functions the stream calls itself.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/export.hpp"
#include "core/stream_impl.hpp"

namespace pyaclnn::sim {

using HostFunction = void (*)(void*);

/// Lets the thread `thread` (a pthread_t as a number) process what the stream's callbacks report.
SIM_API void subscribe(std::uint64_t thread, Stream& stream);
SIM_API void unsubscribe(std::uint64_t thread, Stream& stream);
/// Forgets a stream that ends.
SIM_API void unsubscribe_stream(Stream& stream);

/// Queues a call that the subscribed thread makes; `block` holds the stream until it has.
SIM_API void launch_callback(HostFunction function, void* data, bool block, Stream& stream);

/// Makes one reported call on the calling thread, waiting for it.
SIM_API void process_report(Clock::time_point deadline);

/// Queues a call that the stream makes itself and waits for.
SIM_API void launch_host_function(HostFunction function, void* data, Stream& stream);

}  // namespace pyaclnn::sim
