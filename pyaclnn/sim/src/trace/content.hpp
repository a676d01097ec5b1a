// What tensors hold before and after the calls that use them.
#ifndef PYACLNN_TRACE_CONTENT_HPP_
#define PYACLNN_TRACE_CONTENT_HPP_

#include <cstdint>

namespace pyaclnn::trace {

/// The address of a real function by its name, or null.
void* real_function(const char* name);

/// Keep what the tensors of a first phase are for its executor: its record, and its number.
void note_executor(std::uint64_t executor, const char* record, std::uint16_t function);

/// Write what the tensors of an executor hold, once the work of a stream is done: those read
/// (`after` false) or those written.
void write_contents(std::uint64_t executor, std::uint64_t stream, bool after);

/// While a stream is captured, nothing may wait: a capture begins (1) or ends (-1).
void note_capture(int change);

}  // namespace pyaclnn::trace

#endif  // PYACLNN_TRACE_CONTENT_HPP_
