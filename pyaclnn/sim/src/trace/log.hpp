// PYACLNN_LOG: calls on stderr, as they return.
#ifndef PYACLNN_TRACE_LOG_HPP_
#define PYACLNN_TRACE_LOG_HPP_

#include <cstdint>

#include "trace/functions.hpp"

namespace pyaclnn::trace {

/// calls, errors, or slow:5ms (s, ms, us); anything else is said to be unknown.
void read_log_wish(const char* wish);
bool logging();
void log_call(const Frame& frame, const Signature& known, std::uint64_t end);

}  // namespace pyaclnn::trace

#endif  // PYACLNN_TRACE_LOG_HPP_
