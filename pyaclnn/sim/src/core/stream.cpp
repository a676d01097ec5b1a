// SPDX-License-Identifier: MIT
#include "core/stream_impl.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "check/races.hpp"
#include "core/config.hpp"
#include "core/graph.hpp"
#include "core/memory.hpp"
#include "core/spin.hpp"
#include "core/status.hpp"
#include "core/task_deadline.hpp"
#include "core/task_times.hpp"

namespace pyaclnn::sim {
namespace {

// How often a blocked task looks whether its stream is torn down.
constexpr std::chrono::milliseconds kInterruptPoll(20);
// How often a worker without work lets others have the processor before it sleeps.
constexpr int kYields = 2;
// Where kernels have one processor, a worker that has caught up with who submits, after so many
// tasks that nobody waited for, lets tasks gather for so long. It would take a second processor to
// wait awake, and longer to be woken for each task.
constexpr std::uint64_t kAhead = 24;
constexpr std::chrono::microseconds kNap(50);

std::atomic<int> next_stream_id{1};

// The stream whose worker the calling thread is.
thread_local Stream* running_here = nullptr;
thread_local AwakeWait awake;

}  // namespace

void require_unfreed(const MemoryUses& uses) {
  for (const MemoryUse& use : uses) {
    if (use.allocation == 0 || allocation_is_live(use.pointer, use.allocation)) continue;
    fail(kRtAicoreException,
         "memory at %p (%zu bytes) was freed after the call and before the stream reached it",
         use.pointer, use.bytes);
  }
}

Clock::time_point deadline_after(std::int64_t timeout_ms) {
  return timeout_ms < 0 ? Clock::time_point::max()
                        : Clock::now() + std::chrono::milliseconds(timeout_ms);
}

Stream::Stream(int device, void* context, std::shared_ptr<FailurePolicy> policy,
               StreamOptions options)
    : device_(device),
      context_(context),
      policy_(std::move(policy)),
      options_(options),
      id_(next_stream_id.fetch_add(1)) {}

Stream::~Stream() {
  if (worker_.joinable()) worker_.detach();
}

std::uint64_t Stream::queued_tasks() {
  std::uint64_t count = 0;
  for (auto& [handle, stream] : streams().snapshot()) {
    const std::uint64_t finished = stream->finished_.load();
    count += stream->submitted_.load() - finished;
  }
  return count;
}

bool Stream::on_own_thread() const { return running_here == this; }

Stream& Stream::running() { return *running_here; }

bool Stream::is_idle() const { return finished_.load() == submitted_.load(); }

bool Stream::query() {
  const MomentRef end = races::enabled() ? races::mark(*this) : nullptr;
  const bool idle = is_idle();
  if (idle) races::pass(end);
  return idle;
}

bool Stream::set_failure_mode(bool stop) {
  if (has_failure_mode_.exchange(true)) return false;
  if (stop) policy_->stop.store(true);
  return true;
}

std::shared_ptr<Graph> Stream::capture() const {
  if (!is_captured()) return {};
  std::lock_guard<std::mutex> guard(mutex_);
  return graph_;
}

void Stream::require_uncaptured(const char* doing) const {
  if (is_captured()) fail(kRtStreamCaptured, "stream %d is captured: %s", id_, doing);
}

void Stream::enter_capture(std::shared_ptr<Graph> graph) {
  std::lock_guard<std::mutex> guard(mutex_);
  if (graph_) fail(kRtStreamCaptured, "stream %d is captured already", id_);
  graph_ = std::move(graph);
  captured_.store(true);
}

void Stream::leave_capture() {
  std::shared_ptr<Graph> left;  // goes after the lock, as it may hold the last of this stream
  std::lock_guard<std::mutex> guard(mutex_);
  captured_.store(false);
  left.swap(graph_);
}

void Stream::submit(Task&& task) {
  if (std::shared_ptr<Graph> graph = capture()) {
    graph->append(*this, std::move(task));
    return;
  }
  if (int code = policy_->failed.load(std::memory_order_relaxed))
    fail(code,
         "a task of this context failed under ACL_STOP_ON_FAILURE: stream %d takes no more work",
         id_);
  {
    std::lock_guard<std::mutex> guard(submitting_);
    if (closed_.load(std::memory_order_relaxed))
      fail(kRtParamInvalid, "stream %d was destroyed and takes no more work", id_);
    if (!worker_.joinable()) worker_ = std::thread([self = shared_from_this()] { self->work(); });
    queue_.make_room();
    if (races::enabled()) races::submitted(*this, std::move(task.accesses));
    // Counted first: a task that is finished was submitted.
    submitted_.store(submitted_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    queue_.push(std::move(task));
  }
  // Either this sees that the worker sleeps, or the worker sees the task before it does.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (sleeping_.load(std::memory_order_relaxed) && sleeping_.exchange(false)) wake_worker();
}

void Stream::wake_worker() {
  // The lock lets a worker that is about to sleep get there first.
  {
    std::lock_guard<std::mutex> guard(mutex_);
  }
  work_.notify_one();
}

bool Stream::is_queued_ahead() const {
  return config().threads == 1 && finished_.load(std::memory_order_relaxed) >=
                                      last_awaited_.load(std::memory_order_relaxed) + kAhead;
}

void Stream::nap() {
  std::unique_lock<std::mutex> lock(mutex_);
  napping_ = true;
  work_.wait_for(lock, kNap, [this] { return !awaited_.empty(); });
  napping_ = false;
}

Task* Stream::wait_for_task() {
  if (Task* task = queue_.front()) return task;
  if (is_queued_ahead()) nap();
  // A call and waiting for it take 1.9 us on two processors, in place of 3.2 with sleep.
  if (awake.until([this] { return queue_.front() != nullptr; })) return queue_.front();
  // On one processor who submits goes on meanwhile, and need not wake this thread for each task.
  for (int i = 0; i < kYields; ++i) {
    std::this_thread::yield();
    if (Task* task = queue_.front()) return task;
  }
  std::unique_lock<std::mutex> lock(mutex_);
  Task* task = nullptr;
  while (true) {
    sleeping_.store(true);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    // In this order: what was submitted before the stream was closed is run.
    const bool closed = closed_.load();
    task = queue_.front();
    if (task != nullptr || closed) break;
    work_.wait(lock);
  }
  sleeping_.store(false);
  awake.slept();
  return task;
}

void Stream::work() {
  running_here = this;
  while (Task* task = wait_for_task()) {
    execute(*task);
    // What the task kept alive goes before anyone may learn that it is done.
    queue_.pop();
    finish_one();
  }
}

void Stream::execute(Task& task) {
  if (policy_->failed.load() != 0 || finished_.load(std::memory_order_relaxed) < abandoned_) {
    if (task.abandoned) task.abandoned();
    return;
  }
  try {
    require_unfreed(task.uses);
  } catch (const Failure& failure) {
    note_failure(task, failure.code(), failure.what());
    if (task.abandoned) task.abandoned();
    return;
  }
  try {
    const TaskDeadline limit;
    const TaskTimer timer(task.name);
    if (int code = task.run()) note_failure(task, code, "the task failed");
  } catch (const Failure& failure) {
    note_failure(task, failure.code(), failure.what());
  } catch (const std::exception& error) {
    note_failure(task, kRtAicoreException, error.what());
  }
}

void Stream::note_failure(const Task& task, int code, const std::string& text) {
  fail_with(code,
            std::string(task.name) + ", queued on stream " + std::to_string(id_) + ": " + text);
}

void Stream::fail_with(int code, const std::string& text) {
  std::lock_guard<std::mutex> guard(mutex_);
  if (policy_->stop.load()) policy_->failed.store(code);
  if (failure_.load() != 0) return;
  failure_text_ = text;
  failure_.store(code);
}

void Stream::finish_one() {
  const std::uint64_t finished = finished_.load(std::memory_order_relaxed) + 1;
  finished_.store(finished);
  // Woken by a task before its own, a waiter would take the processor to find that it has to wait.
  if (finished < next_awaited_.load()) return;
  // The lock lets one that is about to sleep get there first.
  {
    std::lock_guard<std::mutex> guard(mutex_);
  }
  progress_.notify_all();
}

bool Stream::wait_for(std::uint64_t target, Clock::time_point deadline) {
  last_awaited_.store(target, std::memory_order_relaxed);
  if (awake.until([this, target] { return finished_.load() >= target; })) return true;
  std::unique_lock<std::mutex> lock(mutex_);
  const auto awaited = awaited_.insert(target);
  next_awaited_.store(*awaited_.begin());
  if (napping_) work_.notify_one();
  bool done = true;
  auto ready = [&] { return finished_.load() >= target; };
  if (deadline == Clock::time_point::max()) {
    progress_.wait(lock, ready);
  } else {
    done = progress_.wait_until(lock, deadline, ready);
  }
  awaited_.erase(awaited);
  next_awaited_.store(awaited_.empty() ? kNothing : *awaited_.begin());
  awake.slept();
  return done;
}

void Stream::synchronize(Clock::time_point deadline) {
  if (on_own_thread())
    fail(kRtParamInvalid, "a host function of stream %d waits for that stream: it would never end",
         id_);
  require_uncaptured("what was submitted since does not run, so it cannot be waited for");
  const MomentRef end = races::enabled() ? races::mark(*this) : nullptr;
  std::uint64_t target = submitted_.load();
  if (!wait_for(target, deadline))
    fail(kRtStreamSyncTimeout, "stream %d still has work after the time given; it goes on", id_);
  races::pass(end);
  report_failure();
}

void Stream::report_failure() {
  if (failure_.load(std::memory_order_acquire) == 0) return;
  int code = 0;
  std::string text;
  {
    std::lock_guard<std::mutex> guard(mutex_);
    code = failure_.load();
    text = failure_text_;
    // Under ACL_STOP_ON_FAILURE the stream stays failed.
    if (policy_->failed.load() == 0) failure_.store(0);
  }
  if (code != 0) throw Failure(code, text);
}

void Stream::abandon_queue() {
  abandoned_.store(submitted_.load());
  if (on_own_thread()) return;
  const MomentRef end = races::enabled() ? races::mark(*this) : nullptr;
  interrupted_.store(true);
  wait_for(submitted_.load(), Clock::time_point::max());
  interrupted_.store(false);
  races::pass(end);
}

void Stream::close() {
  {
    std::lock_guard<std::mutex> guard(submitting_);
    closed_.store(true);
  }
  wake_worker();
  if (!worker_.joinable()) return;
  if (on_own_thread()) {
    worker_.detach();
  } else {
    worker_.join();
  }
}

bool Stream::wait_inside_task(std::unique_lock<std::mutex>& lock, std::condition_variable& changed,
                              Clock::time_point deadline, const std::function<bool()>& ready) {
  if (ready()) return true;
  struct Blocked {
    explicit Blocked(std::atomic<bool>& flag) : flag_(flag) { flag_.store(true); }
    ~Blocked() { flag_.store(false); }
    std::atomic<bool>& flag_;
  } blocked(blocked_);
  while (!ready()) {
    if (interrupted_.load())
      fail(kRtStreamAbort, "the stream was torn down while it waited, and nobody else would go on");
    Clock::time_point now = Clock::now();
    if (now >= deadline) return false;
    changed.wait_until(lock, std::min(deadline, now + kInterruptPoll));
  }
  return true;
}

HandleTable<Stream>& streams() {
  static HandleTable<Stream>& table = *new HandleTable<Stream>(HandleType::kStream);
  return table;
}

int stream_device(const Stream& stream) { return stream.device(); }

void submit(Stream& stream, Task&& task) { stream.submit(std::move(task)); }

void drain(const std::vector<std::shared_ptr<Stream>>& closing) {
  using std::chrono::milliseconds;
  constexpr milliseconds kPoll(1);
  constexpr milliseconds kGrace(100);  // a stream that was just woken still looks blocked
  std::uint64_t progress = ~std::uint64_t(0);
  Clock::time_point stuck_since = Clock::time_point::max();
  while (!std::all_of(closing.begin(), closing.end(),
                      [](auto& stream) { return stream->is_idle(); })) {
    std::uint64_t finished = 0;
    bool stuck = true;
    for (auto& [handle, stream] : streams().snapshot()) {
      finished += stream->finished();
      stuck = stuck && (stream->is_idle() || stream->is_blocked());
    }
    for (auto& stream : closing) stuck = stuck && (stream->is_idle() || stream->is_blocked());
    if (!stuck || finished != progress) {
      stuck_since = Clock::now();
      progress = finished;
    } else if (Clock::now() - stuck_since > kGrace) {
      for (auto& stream : closing) stream->interrupt();
    }
    std::this_thread::sleep_for(kPoll);
  }
}

}  // namespace pyaclnn::sim
