// SPDX-License-Identifier: MIT
#include "core/context.hpp"

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

#include "check/races.hpp"
#include "core/callback.hpp"
#include "core/config.hpp"
#include "core/graph.hpp"
#include "core/memory.hpp"
#include "core/per_thread.hpp"
#include "core/status.hpp"
#include "core/visible.hpp"

namespace pyaclnn::sim {

// With external linkage because Context names it as a friend.
void* adopt_context(std::shared_ptr<Context> context);

namespace {

constexpr std::size_t kMaxDevices = 64;

/// The primary context of a device and how many aclrtSetDevice calls hold it.
struct Primary {
  std::mutex mutex;
  int references = 0;
  std::atomic<void*> handle{nullptr};
};

Primary& primary(int device) {
  static std::array<Primary, kMaxDevices>& all = *new std::array<Primary, kMaxDevices>;
  return all[std::size_t(device)];
}

// Plain values: threads may call the library while their thread_local objects are torn down.
thread_local void* explicit_context = nullptr;
// The table's removals when the explicit context was last found in it: as long as they stay, it is
// live. Looking for it would take three atomic operations of each call.
constexpr std::uint64_t kNeverFound = ~std::uint64_t(0);
thread_local std::uint64_t explicit_context_found = kNeverFound;
thread_local int chosen_device = -1;

std::atomic<int> default_device{-1};

void choose_context(void* handle) {
  explicit_context = handle;
  explicit_context_found = kNeverFound;
}

/// The stream that a thread submitted to last.
struct Borrowed {
  aclrtStream handle = nullptr;
  std::uint64_t removals = 0;
  std::shared_ptr<Stream> stream;
};

std::array<std::atomic<int>, kMaxDevices>& stream_counts() {
  static auto& counts = *new std::array<std::atomic<int>, kMaxDevices>{};
  return counts;
}

void acquire_primary(int device, bool count) {
  Primary& owner = primary(device);
  std::lock_guard<std::mutex> guard(owner.mutex);
  if (owner.handle.load() == nullptr) {
    map_devices();
    owner.handle.store(adopt_context(std::make_shared<Context>(device, true)));
  }
  if (count) ++owner.references;
}

std::shared_ptr<Stream> adopt_stream(Context& context, void* context_handle, StreamOptions options,
                                     void** handle) {
  std::atomic<int>& count = stream_counts()[std::size_t(context.device())];
  if (count.fetch_add(1) >= stream_limit()) {
    count.fetch_sub(1);
    fail(kRtNoStreamResource, "device %d has all its %d streams in use", context.device(),
         stream_limit());
  }
  auto stream =
      std::make_shared<Stream>(context.device(), context_handle, context.policy(), options);
  *handle = streams().insert(stream);
  if (options.is_default) implicit_handles(HandleType::kStream).fetch_add(1);
  return stream;
}

void end_stream(void* handle) {
  std::shared_ptr<Stream> stream = streams().remove(handle, kRtParamInvalid);
  if (stream->options().is_default) implicit_handles(HandleType::kStream).fetch_sub(1);
  stream->close();
  if (races::enabled()) races::stream_ended(*stream);
  unsubscribe_stream(*stream);
  stream_counts()[std::size_t(stream->device())].fetch_sub(1);
}

/// Ends a context: no more look-ups, its streams run dry and go.
void release_context(void* handle) {
  release_graphs(handle);
  std::vector<std::shared_ptr<Stream>> mine;
  std::vector<void*> handles;
  for (auto& [stream_handle, stream] : streams().snapshot()) {
    if (stream->context() != handle) continue;
    handles.push_back(stream_handle);
    mine.push_back(stream);
  }
  std::shared_ptr<Context> context = contexts().remove(handle, kRtParamInvalid);
  if (context->is_primary()) implicit_handles(HandleType::kContext).fetch_sub(1);
  drain(mine);
  for (void* stream_handle : handles) end_stream(stream_handle);
}

}  // namespace

void* adopt_context(std::shared_ptr<Context> context) {
  Context& made = *context;
  if (made.is_primary()) implicit_handles(HandleType::kContext).fetch_add(1);
  return made.handle_ = contexts().insert(std::move(context));
}

void SysParams::require(aclSysParamOpt option) {
  if (option < ACL_OPT_DETERMINISTIC || option > ACL_OPT_ENABLE_KERNEL_EARLY_START)
    fail(kInvalidParam, "%d is not a system option", int(option));
}

void SysParams::set(aclSysParamOpt option, std::int64_t value) {
  require(option);
  if (value != 0 && value != 1)
    fail(kRtParamInvalid, "the option takes 0 or 1, not %lld", static_cast<long long>(value));
  values_[std::size_t(option)].store(value);
}

std::int64_t SysParams::get(aclSysParamOpt option) const {
  require(option);
  std::int64_t value = values_[std::size_t(option)].load();
  if (value == kUnset) fail(kRtSysParamNotSet, "option %d was never set", int(option));
  return value;
}

SysParams& process_params() {
  // What the process as a whole has not set is off; a context tells the two apart.
  static SysParams& params = *new SysParams(0);
  return params;
}

std::shared_ptr<Stream> Context::default_stream(void** handle) {
  std::lock_guard<std::mutex> guard(mutex_);
  if (!default_stream_) {
    StreamOptions options;
    options.is_default = true;
    default_stream_ = adopt_stream(*this, handle_, options, &default_handle_);
  }
  if (handle != nullptr) *handle = default_handle_;
  return default_stream_;
}

HandleTable<Context>& contexts() {
  static HandleTable<Context>& table = *new HandleTable<Context>(HandleType::kContext);
  return table;
}

std::atomic<std::uint64_t>& implicit_handles(HandleType type) {
  static auto& counts = *new std::array<std::atomic<std::uint64_t>, 16>{};
  return counts[unsigned(type) % 16];
}

void require_device(int device) {
  int count = device_count();
  if (device < 0 || device >= count)
    fail(kRtInvalidDevice, "device %d does not exist: there are %d, numbered from 0", device,
         count);
}

void set_device(int device) {
  require_device(device);
  acquire_primary(device, true);
  chosen_device = device;
  choose_context(nullptr);
}

void reset_device(int device, bool force) {
  require_device(device);
  Primary& owner = primary(device);
  void* released = nullptr;
  {
    std::lock_guard<std::mutex> guard(owner.mutex);
    if (owner.references == 0)
      fail(kRtContextReleased, "device %d is not set, there is nothing to reset", device);
    owner.references = force ? 0 : owner.references - 1;
    if (owner.references == 0) released = owner.handle.exchange(nullptr);
  }
  if (released == nullptr) return;
  release_context(released);
  if (chosen_device == device) chosen_device = -1;
}

bool has_primary_context(int device) { return primary(device).handle.load() != nullptr; }

void set_default_device(int device) { default_device.store(device); }

void* create_context(int device) {
  require_device(device);
  map_devices();
  void* made = adopt_context(std::make_shared<Context>(device, false));
  choose_context(made);
  return made;
}

void destroy_context(void* handle) {
  std::shared_ptr<Context> context = contexts().get(handle, kRtNoContext);
  if (context->is_primary())
    fail(kRtNoContext, "the primary context of device %d ends with aclrtResetDevice",
         context->device());
  release_context(handle);
}

void set_current_context(void* handle) {
  contexts().get(handle, kRtParamInvalid);
  choose_context(handle);
}

void* current_context_handle() {
  if (explicit_context != nullptr) {
    const std::uint64_t removals = contexts().removals();
    if (explicit_context_found == removals) return explicit_context;
    if (contexts().find(explicit_context)) {
      explicit_context_found = removals;
      return explicit_context;
    }
    choose_context(nullptr);
  }
  if (chosen_device >= 0) {
    if (void* handle = primary(chosen_device).handle.load(std::memory_order_acquire)) return handle;
  }
  int device = default_device.load(std::memory_order_relaxed);
  if (device < 0) return nullptr;
  acquire_primary(device, false);
  chosen_device = device;
  return primary(device).handle.load();
}

std::shared_ptr<Context> current_context() {
  void* handle = current_context_handle();
  std::shared_ptr<Context> context = handle == nullptr ? nullptr : contexts().find(handle);
  if (!context)
    fail(kRtNoContext,
         "the calling thread has no current context; call aclrtSetDevice or "
         "aclrtSetCurrentContext on it");
  return context;
}

int current_device() { return current_context()->device(); }

std::shared_ptr<Stream> resolve_stream_of_any_context(aclrtStream handle) {
  if (handle == nullptr) return current_context()->default_stream();
  if (current_context_handle() == nullptr) current_context();
  return streams().get(handle, kRtParamInvalid);
}

Stream& borrow_stream(aclrtStream handle) {
  Borrowed& borrowed = per_thread<Borrowed>();
  const std::uint64_t removals = streams().removals();
  if (handle == nullptr || borrowed.handle != handle || borrowed.removals != removals ||
      borrowed.stream->context() != current_context_handle()) {
    borrowed.stream = resolve_stream(handle);
    borrowed.handle = handle;
    borrowed.removals = removals;
  }
  return *borrowed.stream;
}

std::shared_ptr<Stream> resolve_stream(aclrtStream handle) {
  std::shared_ptr<Stream> stream = resolve_stream_of_any_context(handle);
  if (handle != nullptr && stream->context() != current_context_handle())
    fail(kRtForeignStream, "stream %d belongs to another context than the calling thread's",
         stream->id());
  return stream;
}

int stream_limit() {
  switch (chip().soc) {
    case Soc::kAscend910:
      return 2048;
    case Soc::kAscend310P:
      return 1024;
    default:
      return 1984;
  }
}

int stream_count(int device) { return stream_counts()[std::size_t(device)].load(); }

void* create_stream(std::uint32_t priority, std::uint32_t flags) {
  constexpr std::uint32_t kLowestPriority = 7;
  constexpr std::uint32_t kFlags = 0x3F;
  std::shared_ptr<Context> context = current_context();
  StreamOptions options;
  options.priority = std::min(priority, kLowestPriority);
  options.flags = flags & kFlags;
  void* handle = nullptr;
  adopt_stream(*context, current_context_handle(), options, &handle);
  return handle;
}

void destroy_stream(void* handle, bool force) {
  std::shared_ptr<Stream> stream = resolve_stream(handle);
  if (stream->options().is_default)
    fail(kRtParamInvalid, "the default stream ends with its context");
  if (stream->on_own_thread())
    fail(kRtParamInvalid, "a host function of stream %d cannot destroy that stream", stream->id());
  stream->require_uncaptured("end the capture before the stream");
  if (force) stream->abandon_queue();
  end_stream(handle);
}

void synchronize_device(Clock::time_point deadline) {
  int device = current_device();
  void* context = current_context_handle();
  for (auto& [handle, stream] : streams().snapshot()) {
    if (stream->context() == context)
      stream->require_uncaptured("the device cannot be waited for meanwhile");
  }
  std::exception_ptr first;
  for (auto& [handle, stream] : streams().snapshot()) {
    if (stream->device() != device) continue;
    try {
      stream->synchronize(deadline);
    } catch (const Failure&) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

void release_all_contexts() {
  for (int device = 0; device < device_count(); ++device) {
    Primary& owner = primary(device);
    std::lock_guard<std::mutex> guard(owner.mutex);
    owner.references = 0;
    owner.handle.store(nullptr);
  }
  set_default_device(-1);
  // Together, because streams of one context may wait for those of another.
  std::vector<std::shared_ptr<Stream>> all;
  for (auto& [handle, stream] : streams().snapshot()) all.push_back(stream);
  drain(all);
  for (auto& [handle, context] : contexts().snapshot()) release_context(handle);
}

}  // namespace pyaclnn::sim
