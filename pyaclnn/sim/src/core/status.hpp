// Failures inside the simulator, and the one place where they become CANN status codes.
// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include "core/export.hpp"

namespace pyaclnn::sim {

/// CANN's names of the codes the simulator itself decides on.
enum Status : int {
  kSuccess = 0,
  kInvalidParam = 100000,
  kRepeatInitialize = 100002,
  kInvalidFile = 100003,
  kParseFile = 100006,
  kRepeatFinalize = 100037,
  kRtParamInvalid = 107000,
  kRtInvalidDevice = 107001,
  kRtNoContext = 107002,
  kRtForeignStream = 107003,
  kRtForeignGraph = 107004,
  kRtTimestampInvalid = 107006,
  kRtStreamSubscribe = 107011,
  kRtThreadSubscribe = 107012,
  kRtStreamNotRegistered = 107015,
  kRtWaitTimeout = 107019,
  kRtSysParamNotSet = 107021,
  kRtStreamAbort = 107023,
  kRtCaptureDependency = 107024,
  kRtStreamUnjoined = 107025,
  kRtModelCaptured = 107026,
  kRtStreamCaptured = 107027,
  kRtEventCaptured = 107028,
  kRtStreamNotCaptured = 107029,
  kRtCaptureModeNotSupport = 107030,
  kRtStreamCaptureImplicit = 107031,
  kRtStreamCaptureConflict = 107032,
  kRtStreamCaptureUnmatched = 107036,
  kRtStreamCaptureWrongThread = 107038,
  kRtCaptureModeBlockAsync = 107041,
  kBadAlloc = 200000,
  kFeatureUnsupported = 200006,
  kRtNotSupported = 207000,
  kRtOutOfMemory = 207001,
  kRtNoStreamResource = 207008,
  kInternalError = 500000,
  kRtInternalError = 507000,
  kRtStreamNotComplete = 507004,
  kRtContextReleased = 507007,
  kRtReportTimeout = 507012,
  kRtAicoreTimeout = 507014,
  kRtAicoreException = 507015,
  kRtAicpuException = 507018,
  kRtDeviceSetup = 507033,
  kRtStreamSyncTimeout = 507046,
  kRtEventSyncTimeout = 507047,
  kRtDriverInternalError = 507899,
  kRtStreamCaptureInvalidated = 507903,
  kRtHostMemoryRegistered = 507910,
  kRtHostMemoryNotRegistered = 507911,
};

/// A refused call: the code it returns and the text aclGetRecentErrMsg gives.
class SIM_API Failure : public std::exception {
 public:
  Failure(int code, std::string text) : code_(code), text_(std::move(text)) {}
  Failure(const Failure&) = default;
  Failure& operator=(const Failure&) = default;
  // Defined in the core, so that the class has one type_info for all libraries: some C++ runtimes
  // compare exceptions by its address.
  ~Failure() override;
  int code() const { return code_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  int code_;
  std::string text_;
};

/// Throws Failure with a printf-style text.
[[noreturn]] SIM_API void fail(int code, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

namespace detail {
/// True until the first call, when a fault plan is installed, and in a forked child: the slow path
/// of entry().
SIM_API extern std::atomic<bool> interposed;
/// The code an entry point must answer without running, or 0.
SIM_API int interposed_status(const char* function) noexcept;
/// Notes a failed call: message for aclGetRecentErrMsg, last error for aclrtGetLastError.
SIM_API int record_failure(const char* function, int code, const char* text) noexcept;
}  // namespace detail

/// Runs the body of a C entry point: injected faults first, then `body`, whose exceptions end here.
///
/// `body` returns the status, or throws Failure.
template <class Body>
int entry(const char* function, Body&& body) noexcept {
  if (__builtin_expect(detail::interposed.load(std::memory_order_relaxed), 0)) {
    if (int code = detail::interposed_status(function)) return code;
  }
  try {
    return std::forward<Body>(body)();
  } catch (const Failure& failure) {
    return detail::record_failure(function, failure.code(), failure.what());
  } catch (const std::bad_alloc&) {
    return detail::record_failure(function, 200000, "host memory is exhausted");
  } catch (const std::exception& error) {
    return detail::record_failure(function, 500000, error.what());
  } catch (...) {
    return detail::record_failure(function, 500000, "unexpected exception");
  }
}

/// entry() for a function that returns a pointer: null where entry() would return a code.
template <class Body>
auto entry_or_null(const char* function, Body&& body) noexcept -> decltype(body()) {
  decltype(body()) result = nullptr;
  entry(function, [&] {
    result = std::forward<Body>(body)();
    return 0;
  });
  return result;
}

}  // namespace pyaclnn::sim
