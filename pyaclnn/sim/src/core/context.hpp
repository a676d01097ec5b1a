// Devices and contexts, and which of them each thread works with.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "acl/acl_base.h"
#include "core/export.hpp"
#include "core/handle_table.hpp"
#include "core/stream_impl.hpp"

namespace pyaclnn::sim {

/// Options of aclrtSetSysParamOpt and its sibling for contexts.
class SIM_API SysParams {
 public:
  static constexpr std::int64_t kUnset = -1;

  /// `initial` is the value of each option until it is set.
  explicit SysParams(std::int64_t initial) {
    for (auto& value : values_) value.store(initial);
  }

  /// Failure(100000) for what is no option.
  static void require(aclSysParamOpt option);
  void set(aclSysParamOpt option, std::int64_t value);
  std::int64_t get(aclSysParamOpt option) const;  // Failure(107021) for kUnset

 private:
  std::array<std::atomic<std::int64_t>, 4> values_;
};

class SIM_API Context {
 public:
  Context(int device, bool is_primary) : device_(device), is_primary_(is_primary) {}

  int device() const { return device_; }
  bool is_primary() const { return is_primary_; }
  const std::shared_ptr<FailurePolicy>& policy() const { return policy_; }
  SysParams& params() { return params_; }

  /// The stream that a null handle stands for, made on first use.
  std::shared_ptr<Stream> default_stream(void** handle = nullptr);

 private:
  friend void* adopt_context(std::shared_ptr<Context> context);

  const int device_;
  const bool is_primary_;
  void* handle_ = nullptr;
  const std::shared_ptr<FailurePolicy> policy_ = std::make_shared<FailurePolicy>();
  SysParams params_{SysParams::kUnset};
  std::mutex mutex_;
  std::shared_ptr<Stream> default_stream_;
  void* default_handle_ = nullptr;
};

SIM_API HandleTable<Context>& contexts();

/// Handles that the library made for itself: primary contexts and default streams.
SIM_API std::atomic<std::uint64_t>& implicit_handles(HandleType type);

/// Failure(107001) unless `device` is a device id.
SIM_API void require_device(int device);

SIM_API void set_device(int device);
SIM_API void reset_device(int device, bool force);
SIM_API bool has_primary_context(int device);
/// Lets threads without a context use this device, as the aclInit file may ask; -1: none.
SIM_API void set_default_device(int device);

SIM_API void* create_context(int device);
SIM_API void destroy_context(void* handle);
SIM_API void set_current_context(void* handle);
/// Handle of the thread's context, or null.
SIM_API void* current_context_handle();
/// The thread's context; Failure(107002) without one.
SIM_API std::shared_ptr<Context> current_context();

SIM_API void* create_stream(std::uint32_t priority, std::uint32_t flags);
/// `force` drops what has not begun.
SIM_API void destroy_stream(void* handle, bool force);
SIM_API int stream_limit();
SIM_API int stream_count(int device);

/// Waits for all streams of the current context's device.
SIM_API void synchronize_device(Clock::time_point deadline);

/// Ends every context and stream, as aclFinalize does.
SIM_API void release_all_contexts();

SIM_API SysParams& process_params();

}  // namespace pyaclnn::sim
