// SPDX-License-Identifier: MIT
#include "core/thread_pool.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/config.hpp"
#include "core/placement.hpp"
#include "core/spin.hpp"
#include "core/task_deadline.hpp"

namespace pyaclnn::sim {
namespace {

using Body = FunctionRef<void(std::int64_t, std::int64_t)>;

/// One parallel_for: pieces are handed out in order until none is left.
class Job {
 public:
  Job(std::int64_t count, std::int64_t piece, Body body)
      : count_(count),
        piece_(piece),
        pieces_((count - 1) / piece + 1),
        body_(body),
        deadline_(TaskDeadline::current()),
        processor_(current_processor()) {}

  /// Where the thread ran that made it.
  int processor() const { return processor_; }

  bool has_work() const { return next_.load(std::memory_order_relaxed) < pieces_; }

  void work() {
    std::int64_t done = 0;
    for (;;) {
      std::int64_t index = next_.fetch_add(1, std::memory_order_relaxed);
      if (index >= pieces_) break;
      run(index);
      ++done;
    }
    if (done == 0) return;
    if (finished_.fetch_add(done, std::memory_order_acq_rel) + done != pieces_) return;
    std::lock_guard<std::mutex> guard(mutex_);
    complete_ = true;
    all_done_.notify_one();
  }

  void wait() {
    // The last piece of another thread often ends within microseconds.
    spin_until([this] { return finished_.load(std::memory_order_acquire) == pieces_; });
    std::unique_lock<std::mutex> lock(mutex_);
    all_done_.wait(lock, [this] { return complete_; });
    // Moved out: the helper that lets go of the job last would else end the exception, which
    // ThreadSanitizer takes for a race with the thread that handles it.
    std::exception_ptr error = std::move(error_);
    lock.unlock();
    if (error) std::rethrow_exception(std::move(error));
  }

 private:
  void run(std::int64_t index) noexcept {
    std::int64_t begin = index * piece_;
    try {
      const TaskDeadline::Share share(deadline_);
      check_task_time();
      body_(begin, begin + std::min(count_ - begin, piece_));
    } catch (...) {
      std::lock_guard<std::mutex> guard(mutex_);
      if (!error_) error_ = std::current_exception();
    }
  }

  const std::int64_t count_;
  const std::int64_t piece_;
  const std::int64_t pieces_;
  const Body body_;
  const std::int64_t deadline_;
  const int processor_;
  std::atomic<std::int64_t> next_{0};
  std::atomic<std::int64_t> finished_{0};
  std::mutex mutex_;
  std::condition_variable all_done_;
  bool complete_ = false;
  std::exception_ptr error_;
};

thread_local bool inside_pool = false;

/// The helpers. They end with the last user of the pool, which is never one of them.
class Pool {
 public:
  explicit Pool(int helpers) {
    for (int i = 0; i < helpers; ++i) helpers_.emplace_back([this] { help(); });
  }

  ~Pool() {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      stop_ = true;
    }
    more_.notify_all();
    for (std::thread& helper : helpers_) helper.join();
  }

  void run(const std::shared_ptr<Job>& job) {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      jobs_.push_back(job);
      posted_.fetch_add(1, std::memory_order_release);
    }
    more_.notify_all();
    std::this_thread::yield();  // to a helper that waits for this processor
    inside_pool = true;
    job->work();
    inside_pool = false;
    {
      std::lock_guard<std::mutex> guard(mutex_);
      jobs_.erase(std::find(jobs_.begin(), jobs_.end(), job));
    }
    job->wait();
  }

 private:
  void help() {
    inside_pool = true;
    std::uint64_t seen = 0;
    for (;;) {
      std::shared_ptr<Job> job;
      // Kernels follow one another: awake, a helper is there for the next.
      spin_until([&] { return posted_.load(std::memory_order_acquire) != seen; });
      {
        std::unique_lock<std::mutex> lock(mutex_);
        more_.wait(lock, [&] { return stop_ || (job = first_with_work()) != nullptr; });
        if (stop_) return;
        seen = posted_.load(std::memory_order_relaxed);
      }
      leave_processor(job->processor());
      job->work();
    }
  }

  std::shared_ptr<Job> first_with_work() const {
    for (const auto& job : jobs_) {
      if (job->has_work()) return job;
    }
    return nullptr;
  }

  std::mutex mutex_;
  std::condition_variable more_;
  std::deque<std::shared_ptr<Job>> jobs_;
  std::atomic<std::uint64_t> posted_{0};  // jobs so far; changed with the mutex held
  std::vector<std::thread> helpers_;
  bool stop_ = false;
};

struct Shared {
  std::mutex mutex;
  std::shared_ptr<Pool> pool;
};

Shared& shared() {
  static Shared& shared = *new Shared;
  return shared;
}

std::shared_ptr<Pool> pool() {
  std::lock_guard<std::mutex> guard(shared().mutex);
  if (!shared().pool) shared().pool = std::make_shared<Pool>(config().threads - 1);
  return shared().pool;
}

}  // namespace

void parallel_for(std::int64_t count, std::int64_t grain, Body body) {
  if (count <= 0) return;
  grain = std::max<std::int64_t>(grain, 1);
  check_task_time();
  if (count <= grain) {
    body(0, count);
    return;
  }
  // Depends on the arguments alone, not on how many threads there are.
  constexpr std::int64_t kMaxPieces = 1024;
  std::int64_t grains = (count - 1) / grain + 1;
  std::int64_t piece = grain * ((grains - 1) / kMaxPieces + 1);
  if (inside_pool || config().threads == 1) {
    for (std::int64_t begin = 0; begin < count;) {
      check_task_time();
      const std::int64_t take = std::min(count - begin, piece);
      body(begin, begin + take);
      begin += take;
    }
    return;
  }
  pool()->run(std::make_shared<Job>(count, piece, body));
}

void release_thread_pool() {
  std::shared_ptr<Pool> released;
  std::lock_guard<std::mutex> guard(shared().mutex);
  released.swap(shared().pool);
}

}  // namespace pyaclnn::sim
