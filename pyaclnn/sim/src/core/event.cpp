// SPDX-License-Identifier: MIT
#include "core/event.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <utility>

#include "acl/acl_rt.h"
#include "core/status.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::uint32_t kOrdinaryFlags =
    ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS | ACL_EVENT_TIME_LINE;

constexpr std::chrono::milliseconds kForeignPoll(1);

std::atomic<std::uint32_t> wait_timeout_s{0};

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch())
      .count();
}

bool flags_exist(EventKind kind, std::uint32_t flags) {
  // These stand alone; the others combine.
  if (flags == ACL_EVENT_DEVICE_USE_ONLY || flags == ACL_EVENT_EXTERNAL) return true;
  if (kind == EventKind::kExWithFlag && flags == ACL_EVENT_IPC) return true;
  return flags != 0 && (flags & ~kOrdinaryFlags) == 0;
}

}  // namespace

bool Event::makes_streams_wait() const {
  constexpr std::uint32_t kAwaited = ACL_EVENT_SYNC | ACL_EVENT_EXTERNAL | ACL_EVENT_IPC;
  return kind_ == EventKind::kPlain || (flags_ & kAwaited) != 0;
}

bool Event::is_over(std::uint64_t target) const {
  if (ipc_) return ipc_->completed() < target && ipc_->is_deserted();
  return destroyed_ && recorded_ < target;
}

std::string Event::handle() {
  if (kind_ != EventKind::kExWithFlag || flags_ != ACL_EVENT_IPC)
    fail(kRtParamInvalid,
         "the event was not made by aclrtCreateEventExWithFlag with ACL_EVENT_IPC");
  std::lock_guard<std::mutex> guard(mutex_);
  if (!ipc_) ipc_ = std::make_shared<IpcMarks>(recorded_, completed_);
  return ipc_->text();
}

void Event::record(Stream& stream, const char* function) {
  if (stream.device() != device_)
    fail(kRtParamInvalid, "the event belongs to device %d, the stream to device %d", device_,
         stream.device());
  if (std::shared_ptr<Graph> graph = stream.capture()) {
    record_in_capture(*graph, stream);
    return;
  }
  auto self = shared_from_this();
  // Held over submit(), so that two threads that record agree on which record is the later one.
  std::lock_guard<std::mutex> guard(mutex_);
  const std::uint64_t number = ipc_ ? ipc_->begin_record() : recorded_ + 1;
  Task task;
  task.name = function;
  task.run = [self, number] {
    self->finish_record(number);
    return 0;
  };
  task.abandoned = [self, number] { self->finish_record(number); };
  try {
    stream.submit(std::move(task));
  } catch (...) {
    if (ipc_) ipc_->finish_record(number);  // other processes wait for what is counted
    throw;
  }
  recorded_ = number;
  latest_ = races::enabled() ? races::mark(stream, std::move(promised_)) : nullptr;
  promised_ = nullptr;
  graph_.reset();
}

void Event::record_in_capture(Graph& graph, Stream& stream) {
  if (kind_ != EventKind::kExWithFlag)
    fail(kRtNotSupported, "only events of aclrtCreateEventExWithFlag can be captured");
  std::lock_guard<std::mutex> guard(mutex_);
  mark_ = graph.mark(stream);
  graph_ = graph.weak_from_this();
}

std::shared_ptr<Graph> Event::capture() const {
  std::shared_ptr<Graph> graph = graph_.lock();
  return graph && graph->is_capturing() ? graph : nullptr;
}

void Event::require_uncaptured() const {
  if (capture())
    fail(kRtEventCaptured, "the event was recorded in a stream that is captured: nothing runs");
}

bool Event::wait_in_capture(Stream& stream) {
  std::lock_guard<std::mutex> guard(mutex_);
  std::shared_ptr<Graph> graph = capture();
  std::shared_ptr<Graph> graph_of_stream = stream.capture();
  if (!graph) {
    if (!graph_of_stream) return false;
    if (kind_ != EventKind::kExWithFlag)
      fail(kRtNotSupported, "only events of aclrtCreateEventExWithFlag can be captured");
    if (recorded_ != 0)
      fail(kRtCaptureDependency,
           "stream %d is captured and cannot wait for a record outside the capture", stream.id());
    return false;
  }
  if (stream.options().is_default)
    fail(kRtStreamCaptureImplicit, "the default stream cannot join a capture");
  if (graph_of_stream && graph_of_stream != graph) {
    graph->invalidate();
    graph_of_stream->invalidate();
    fail(kRtStreamCaptureConflict, "the event and stream %d belong to different captures",
         stream.id());
  }
  graph->wait(stream, mark_);
  return true;
}

void Event::finish_record(std::uint64_t number) {
  std::lock_guard<std::mutex> guard(mutex_);
  if (number > completed_) {
    completed_ = number;
    timestamp_ = now_ns();
  }
  if (ipc_) ipc_->finish_record(number);
  changed_.notify_all();
}

void Event::make_wait(Stream& stream, std::int64_t timeout_ms, const char* function) {
  if (!makes_streams_wait())
    fail(kRtNotSupported,
         "streams wait only for events created with ACL_EVENT_SYNC, this one has flags 0x%x",
         flags_);
  if (flags_ == ACL_EVENT_IPC && stream.is_captured())
    fail(kRtNotSupported, "a captured stream cannot wait for an event with ACL_EVENT_IPC");
  if (wait_in_capture(stream)) return;
  auto self = shared_from_this();
  std::lock_guard<std::mutex> guard(mutex_);
  std::uint64_t target = recorded();
  if (target == reset_at_) {
    if (kind_ == EventKind::kPlain)
      fail(kRtParamInvalid, "the event was never recorded, a stream cannot wait for it");
    if (kind_ == EventKind::kExWithFlag) return;
    target = recorded_ + 1;
  }
  auto over = [self] {
    std::lock_guard<std::mutex> inner(self->mutex_);
    --self->waits_;
  };
  Task task;
  task.name = function;
  task.run = [self, target, timeout_ms, over] {
    struct Over {
      ~Over() { done(); }
      std::function<void()> done;
    } at_end{over};
    std::unique_lock<std::mutex> lock(self->mutex_);
    bool came = Stream::running().wait_inside_task(
        lock, self->changed_, deadline_after(timeout_ms),
        [&] { return self->completed() >= target || self->is_over(target); });
    bool lost = self->completed() < target && came;
    lock.unlock();
    if (!came)
      fail(kRtWaitTimeout, "the event was not recorded within %lld ms", (long long)timeout_ms);
    if (lost && self->ipc_)
      fail(kRtParamInvalid, "the process that recorded the event ended before it was done");
    if (lost) fail(kRtParamInvalid, "the event was destroyed before anyone recorded it");
    return 0;
  };
  task.abandoned = over;
  stream.submit(std::move(task));
  ++waits_;
  if (!races::enabled()) return;
  if (ipc_) return;  // what another process did is not looked at
  if (target == recorded_) {
    races::wait(stream, latest_);
  } else {
    promised_ = races::wait_for_next(stream, std::move(promised_));
  }
}

void Event::reset(Stream& stream, const char* function) {
  if (kind_ != EventKind::kWithFlag || (flags_ & ACL_EVENT_SYNC) == 0)
    fail(kRtNotSupported,
         "only events of aclrtCreateEventWithFlag with ACL_EVENT_SYNC can be reset");
  std::lock_guard<std::mutex> guard(mutex_);
  Task task;
  task.name = function;
  task.run = [] { return 0; };
  stream.submit(std::move(task));
  reset_at_ = recorded_;
}

void Event::pass_latest() const {
  if (races::enabled()) races::pass(latest_);
}

bool Event::is_complete() {
  std::lock_guard<std::mutex> guard(mutex_);
  require_uncaptured();
  if (recorded() == reset_at_) return kind_ == EventKind::kExWithFlag;
  if (completed() < recorded()) return false;
  pass_latest();
  return true;
}

bool Event::has_pending_waits() {
  std::lock_guard<std::mutex> guard(mutex_);
  return waits_ != 0;
}

void Event::synchronize(Clock::time_point deadline) {
  std::unique_lock<std::mutex> lock(mutex_);
  require_uncaptured();
  const std::uint64_t target = recorded();
  const MomentRef latest = latest_;
  auto ready = [&] { return completed() >= target || (ipc_ && is_over(target)); };
  // Nobody tells this process what another one has done.
  while (ipc_ && !ready() && Clock::now() < deadline) changed_.wait_for(lock, kForeignPoll);
  if (deadline == Clock::time_point::max()) {
    changed_.wait(lock, ready);
  } else if (!changed_.wait_until(lock, deadline, ready)) {
    fail(kRtEventSyncTimeout, "the work recorded is still running after the time given");
  }
  if (completed() < target) fail(kRtParamInvalid, "the process that recorded the event is gone");
  if (races::enabled()) races::pass(latest);
}

std::int64_t Event::timestamp() {
  std::lock_guard<std::mutex> guard(mutex_);
  require_uncaptured();
  if (kind_ != EventKind::kPlain && (flags_ & ACL_EVENT_TIME_LINE) == 0)
    fail(kRtTimestampInvalid, "the event was created without ACL_EVENT_TIME_LINE");
  if (recorded_ == 0) fail(kRtInternalError, "the event was never recorded");
  if (completed_ < recorded_) fail(kRtTimestampInvalid, "the recorded work has not finished");
  pass_latest();
  return timestamp_;
}

void Event::destroy() {
  std::lock_guard<std::mutex> guard(mutex_);
  destroyed_ = true;
  if (races::enabled() && promised_) races::break_promise(promised_);
  changed_.notify_all();
}

HandleTable<Event>& events() {
  static HandleTable<Event>& table = *new HandleTable<Event>(HandleType::kEvent);
  return table;
}

void* create_event(EventKind kind, std::uint32_t flags) {
  int device = current_device();
  if (!flags_exist(kind, flags))
    fail(kRtParamInvalid, "flag 0x%x is not a combination of event flags", flags);
  return events().insert(std::make_shared<Event>(kind, flags, device));
}

void* open_event(const std::string& handle) {
  const int device = current_device();
  return events().insert(
      std::make_shared<Event>(std::make_shared<IpcMarks>(handle), ACL_EVENT_IPC, device));
}

void set_default_wait_timeout(std::uint32_t seconds) { wait_timeout_s.store(seconds); }

std::int64_t default_wait_timeout_ms() {
  std::uint32_t seconds = wait_timeout_s.load();
  return seconds == 0 ? -1 : std::int64_t(seconds) * 1000;
}

}  // namespace pyaclnn::sim
