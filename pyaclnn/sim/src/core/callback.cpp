// SPDX-License-Identifier: MIT
#include "core/callback.hpp"

#include <pthread.h>

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "check/races.hpp"
#include "core/status.hpp"

namespace pyaclnn::sim {
namespace {

struct Report {
  HostFunction function = nullptr;
  void* data = nullptr;
  int stream = 0;
  bool done = false;
};

struct Registry {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<int, std::uint64_t> thread_of_stream;
  std::map<std::uint64_t, std::deque<std::shared_ptr<Report>>> reports;

  bool serves(std::uint64_t thread) const {
    for (const auto& [stream, subscriber] : thread_of_stream) {
      if (subscriber == thread) return true;
    }
    return false;
  }

  void forget(std::map<int, std::uint64_t>::iterator subscription) {
    auto [stream, thread] = *subscription;
    thread_of_stream.erase(subscription);
    auto queue = reports.find(thread);
    if (queue == reports.end()) return;
    // Nobody will make these calls any more: let a blocked stream go on.
    for (auto report = queue->second.begin(); report != queue->second.end();) {
      if ((*report)->stream != stream) {
        ++report;
        continue;
      }
      (*report)->done = true;
      report = queue->second.erase(report);
    }
    if (!serves(thread)) reports.erase(queue);
    changed.notify_all();
  }
};

Registry& registry() {
  static Registry& registry = *new Registry;
  return registry;
}

/// The moment from which a host function runs; null where it is captured, or nobody asks.
MomentRef work_before(Stream& stream) {
  return races::enabled() && !stream.is_captured() ? races::mark(stream) : nullptr;
}

/// A host function may tell any thread that the work before it is over.
void tell_host(const MomentRef& before) {
  if (!races::enabled()) return;
  races::pass(before ? before : races::mark(Stream::running()));
}

std::uint64_t this_thread() { return std::uint64_t(pthread_self()); }

}  // namespace

void subscribe(std::uint64_t thread, Stream& stream) {
  Registry& all = registry();
  std::lock_guard<std::mutex> guard(all.mutex);
  if (!all.thread_of_stream.emplace(stream.id(), thread).second)
    fail(kRtStreamSubscribe, "stream %d has a report thread already", stream.id());
  all.reports[thread];
}

void unsubscribe(std::uint64_t thread, Stream& stream) {
  Registry& all = registry();
  std::lock_guard<std::mutex> guard(all.mutex);
  auto subscription = all.thread_of_stream.find(stream.id());
  if (subscription == all.thread_of_stream.end())
    fail(kRtStreamSubscribe, "stream %d has no report thread", stream.id());
  if (subscription->second != thread)
    fail(kRtThreadSubscribe, "stream %d reports to another thread than %llu", stream.id(),
         static_cast<unsigned long long>(thread));
  all.forget(subscription);
}

void unsubscribe_stream(Stream& stream) {
  Registry& all = registry();
  std::lock_guard<std::mutex> guard(all.mutex);
  auto subscription = all.thread_of_stream.find(stream.id());
  if (subscription != all.thread_of_stream.end()) all.forget(subscription);
}

void launch_callback(HostFunction function, void* data, bool block, Stream& stream) {
  if (function == nullptr) fail(kRtParamInvalid, "fn is null");
  Registry& all = registry();
  {
    std::lock_guard<std::mutex> guard(all.mutex);
    if (all.thread_of_stream.count(stream.id()) == 0)
      fail(kRtStreamNotRegistered, "stream %d has no report thread; call aclrtSubscribeReport",
           stream.id());
  }
  Task task;
  task.name = "aclrtLaunchCallback";
  // A captured task runs many times, on whatever stream its graph runs.
  task.run = [function, data, block, id = stream.id(), before = work_before(stream)] {
    tell_host(before);
    auto report = std::make_shared<Report>();
    report->function = function;
    report->data = data;
    report->stream = id;
    Registry& all = registry();
    std::unique_lock<std::mutex> lock(all.mutex);
    auto subscription = all.thread_of_stream.find(report->stream);
    if (subscription == all.thread_of_stream.end())
      fail(kRtStreamNotRegistered, "the report thread went away before the callback");
    all.reports[subscription->second].push_back(report);
    all.changed.notify_all();
    if (block)
      Stream::running().wait_inside_task(lock, all.changed, Clock::time_point::max(),
                                         [&] { return report->done; });
    return 0;
  };
  stream.submit(std::move(task));
}

void process_report(Clock::time_point deadline) {
  Registry& all = registry();
  std::unique_lock<std::mutex> lock(all.mutex);
  if (!all.serves(this_thread()))
    fail(kRtThreadSubscribe, "the calling thread is not subscribed; call aclrtSubscribeReport");
  auto ready = [&] {
    auto queue = all.reports.find(this_thread());
    return queue == all.reports.end() || !queue->second.empty();
  };
  if (deadline == Clock::time_point::max()) {
    all.changed.wait(lock, ready);
  } else if (!all.changed.wait_until(lock, deadline, ready)) {
    fail(kRtReportTimeout, "no callback arrived within the time given");
  }
  auto queue = all.reports.find(this_thread());
  if (queue == all.reports.end())
    fail(kRtThreadSubscribe, "the calling thread's last subscription ended while it waited");
  std::shared_ptr<Report> report = std::move(queue->second.front());
  queue->second.pop_front();
  lock.unlock();
  report->function(report->data);
  lock.lock();
  report->done = true;
  all.changed.notify_all();
}

void launch_host_function(HostFunction function, void* data, Stream& stream) {
  if (function == nullptr) fail(kRtParamInvalid, "fn is null");
  Task task;
  task.name = "aclrtLaunchHostFunc";
  task.run = [function, data, before = work_before(stream)] {
    tell_host(before);
    function(data);
    return 0;
  };
  stream.submit(std::move(task));
}

}  // namespace pyaclnn::sim
