// The title, cause and solution lines that go with a status code in aclGetRecentErrMsg.
// SPDX-License-Identifier: MIT
#pragma once

namespace pyaclnn::sim {

struct ErrorHint {
  const char* title;  // with its class in brackets: EZ and EE for callers, EL for resources
  const char* cause;
  const char* solution;
};

/// The hint of a code, or the one of its family.
ErrorHint error_hint(int code) noexcept;

}  // namespace pyaclnn::sim
