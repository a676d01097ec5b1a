// What aclGetRecentErrMsg and aclrtGetLastError know.
// SPDX-License-Identifier: MIT
#pragma once

#include "core/export.hpp"

namespace pyaclnn::sim {

/// Messages of this thread's failed calls since the last time, and forgets them; null when there
/// are none. The text stays valid until the next call on the same thread.
SIM_API const char* take_recent_messages() noexcept;

/// One log for all threads instead of one each, as `err_msg_mode` of the aclInit file asks.
SIM_API void share_messages_between_threads(bool shared) noexcept;

/// Code of the calling thread's latest failure, 0 when there was none.
SIM_API int peek_last_error() noexcept;
SIM_API int take_last_error() noexcept;

namespace detail {
/// Appends one formatted message to the log in force.
void log_failure(const char* function, int code, const char* text);
}  // namespace detail

}  // namespace pyaclnn::sim
