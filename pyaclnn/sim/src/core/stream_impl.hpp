// The stream object itself.
//
// submit() appends to a queue and returns; the worker thread, started with the first task, takes
// them one by one. Everything that waits for a stream waits for its count of finished tasks.
//
// What submitting writes and what the worker writes lie in different cache lines, and neither takes
// a lock of the other but to sleep and to wake: the two calls of an operator take 0.5 us less.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "core/export.hpp"
#include "core/handle_table.hpp"
#include "core/stream.hpp"
#include "core/task_queue.hpp"

namespace pyaclnn::sim {

using Clock = std::chrono::steady_clock;

class Graph;  // defined in core/graph.hpp

/// Moment at which a wait of `timeout_ms` gives up; -1 waits for ever.
SIM_API Clock::time_point deadline_after(std::int64_t timeout_ms);

/// What happens after a task failed; one for all streams of a context.
struct FailurePolicy {
  std::atomic<bool> stop{false};
  std::atomic<int> failed{0};  // first failure after `stop` was set: no more work
};

struct StreamOptions {
  std::uint32_t priority = 0;
  std::uint32_t flags = 0;
  bool is_default = false;
};

/// What a program sets on a stream and no task of it heeds.
struct StreamAttributes {
  std::atomic<std::uint32_t> tag{0};
  std::atomic<std::uint32_t> cache_op_info{0};
  std::array<std::atomic<std::uint32_t>, 2> core_limits{};  // 0: as the device
};

class SIM_API Stream : public std::enable_shared_from_this<Stream> {
 public:
  Stream(int device, void* context, std::shared_ptr<FailurePolicy> policy, StreamOptions options);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  int device() const { return device_; }
  void* context() const { return context_; }
  int id() const { return id_; }
  const StreamOptions& options() const { return options_; }

  /// Decides for all streams of the context; false when this stream's mode was set before.
  bool set_failure_mode(bool stop);
  bool stops_on_failure() const { return has_failure_mode_.load() && policy_->stop.load(); }
  StreamAttributes& attributes() { return attributes_; }

  /// Queues a task; while the stream is captured, gives it to the graph instead.
  void submit(Task&& task);

  /// The graph that takes the stream's work, or empty.
  std::shared_ptr<Graph> capture() const;
  bool is_captured() const { return captured_.load(std::memory_order_relaxed); }
  /// Failure(107027) while the stream is captured; `doing` completes the sentence.
  void require_uncaptured(const char* doing) const;
  /// Changes what capture() gives. Failure(107027) where another graph takes the work already.
  void enter_capture(std::shared_ptr<Graph> graph);
  void leave_capture();

  /// Waits for the work submitted so far, then reports what failed: Failure with the code of the
  /// first failed task since the last report, or 507046 when the deadline passes.
  void synchronize(Clock::time_point deadline);

  /// Reports a failed task as synchronize() does, without waiting.
  void report_failure();
  /// Lets the stream fail as a task of it would.
  void fail_with(int code, const std::string& text);

  bool is_idle() const;
  /// is_idle() for a program that asks: it knows then that the work is over.
  bool query();

  /// Drops the tasks that have not begun, and waits for the one that has.
  void abandon_queue();

  /// Takes no more work, waits until the queue is empty, and ends the worker thread.
  void close();

  /// Called by a task: blocks the stream until `ready` or the deadline; false after the deadline.
  /// `ready` is called with `lock` held. Failure(107023) when the stream is torn down meanwhile.
  bool wait_inside_task(std::unique_lock<std::mutex>& lock, std::condition_variable& changed,
                        Clock::time_point deadline, const std::function<bool()>& ready);

  /// A task waits for something that other streams or threads have to do.
  bool is_blocked() const { return blocked_.load(); }
  /// Makes blocked tasks fail, now and from now on.
  void interrupt() { interrupted_.store(true); }
  std::uint64_t finished() const { return finished_.load(); }
  bool on_own_thread() const;
  /// The stream whose task the calling thread runs; for tasks only.
  static Stream& running();

  static std::uint64_t queued_tasks();

 private:
  Task* wait_for_task();
  bool is_queued_ahead() const;
  void nap();
  void work();
  void execute(Task& task);
  void note_failure(const Task& task, int code, const std::string& text);
  void finish_one();
  void wake_worker();
  bool wait_for(std::uint64_t target, Clock::time_point deadline);

  const int device_;
  void* const context_;
  const std::shared_ptr<FailurePolicy> policy_;
  const StreamOptions options_;
  const int id_;

  // Submitting.
  alignas(kCacheLine) std::mutex submitting_;  // queue_'s end, worker_, setting closed_
  std::thread worker_;
  std::atomic<std::uint64_t> submitted_{0};

  TaskQueue queue_;

  // The worker.
  alignas(kCacheLine) std::atomic<std::uint64_t> finished_{0};

  // Seldom written.
  // Sleeping and waiting, failure_*, graph_, awaited_, napping_.
  alignas(kCacheLine) mutable std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable progress_;
  std::atomic<bool> closed_{false};
  std::atomic<bool> sleeping_{false};
  std::atomic<std::uint64_t> abandoned_{0};  // of the tasks submitted, so many first are dropped
  std::shared_ptr<Graph> graph_;
  std::atomic<bool> captured_{false};
  std::atomic<bool> has_failure_mode_{false};
  StreamAttributes attributes_;
  std::string failure_text_;
  std::atomic<int> failure_{0};
  static constexpr std::uint64_t kNothing = ~std::uint64_t(0);
  std::multiset<std::uint64_t> awaited_;  // how many finished tasks each waiter waits for
  std::atomic<std::uint64_t> next_awaited_{kNothing};
  std::atomic<std::uint64_t> last_awaited_{0};  // by who began to wait last
  bool napping_ = false;
  std::atomic<bool> blocked_{false};
  std::atomic<bool> interrupted_{false};
};

/// Failure(507015) when memory in `uses` was freed since the task was submitted.
SIM_API void require_unfreed(const MemoryUses& uses);

/// All streams, default streams included.
SIM_API HandleTable<Stream>& streams();

/// As resolve_stream(), but a stream of any context, as synchronising allows.
SIM_API std::shared_ptr<Stream> resolve_stream_of_any_context(aclrtStream handle);

/// Waits until these streams are idle. Work that can never go on, because every busy stream of the
/// process waits for something nobody submitted, is made to fail first.
SIM_API void drain(const std::vector<std::shared_ptr<Stream>>& closing);

}  // namespace pyaclnn::sim
