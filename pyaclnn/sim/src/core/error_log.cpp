// SPDX-License-Identifier: MIT
#include "core/error_log.hpp"

#include <pthread.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <ctime>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/error_hints.hpp"
#include "core/status.hpp"

namespace pyaclnn::sim {
namespace {

/// Enough for every failure a program is likely to ignore before it asks.
constexpr std::size_t kKept = 32;

struct Message {
  std::string subject;  // what makes two messages the same: all but the time
  std::string text;
};

struct Log {
  std::vector<Message> messages;
  std::string handed_out;

  void add(std::string subject, std::string text) {
    for (const Message& message : messages) {
      if (message.subject == subject) return;
    }
    if (messages.size() == kKept) messages.erase(messages.begin());
    messages.push_back({std::move(subject), std::move(text)});
  }

  const char* take() {
    if (messages.empty()) return nullptr;
    handed_out.clear();
    for (const Message& message : messages) handed_out += message.text;
    messages.clear();
    return handed_out.c_str();
  }
};

// A pthread key, not a thread_local object: the main thread's log must outlive static destructors,
// in which programs still call into the library.
Log& thread_log() {
  static const pthread_key_t key = [] {
    pthread_key_t made;
    pthread_key_create(&made, [](void* log) { delete static_cast<Log*>(log); });
    return made;
  }();
  thread_local Log* mine = nullptr;
  if (mine == nullptr) {
    mine = new Log;
    pthread_setspecific(key, mine);
  }
  return *mine;
}

std::atomic<bool> shared_mode{false};
thread_local int last_error = 0;

struct SharedLog {
  std::mutex mutex;
  Log log;
};

SharedLog& shared_log() {
  static SharedLog& log = *new SharedLog;
  return log;
}

std::string timestamp() {
  timeval now{};
  gettimeofday(&now, nullptr);
  std::tm parts{};
  localtime_r(&now.tv_sec, &parts);
  char day[32];
  std::strftime(day, sizeof day, "%Y-%m-%d-%H:%M:%S", &parts);
  char text[64];
  std::snprintf(text, sizeof text, "%s.%03ld.%03ld", day, long(now.tv_usec / 1000),
                long(now.tv_usec % 1000));
  return text;
}

}  // namespace

namespace detail {

void log_failure(const char* function, int code, const char* text) {
  const ErrorHint hint = error_hint(code);
  std::string subject =
      std::string(hint.title) + ": " + function + " answers " + std::to_string(code) + ": " + text +
      "\n        Possible Cause: " + hint.cause + "\n        Solution: " + hint.solution + "\n";
  std::string line = "[PID: " + std::to_string(getpid()) + "] " + timestamp() + " " + subject;
  if (shared_mode.load(std::memory_order_relaxed)) {
    SharedLog& all = shared_log();
    std::lock_guard<std::mutex> guard(all.mutex);
    all.log.add(std::move(subject), std::move(line));
  } else {
    thread_log().add(std::move(subject), std::move(line));
  }
}

int record_failure(const char* function, int code, const char* text) noexcept {
  last_error = code;
  try {
    log_failure(function, code, text);
  } catch (...) {
    // Out of memory while describing a failure: the code alone has to do.
  }
  return code;
}

}  // namespace detail

const char* take_recent_messages() noexcept {
  try {
    if (!shared_mode.load(std::memory_order_relaxed)) return thread_log().take();
    SharedLog& all = shared_log();
    std::lock_guard<std::mutex> guard(all.mutex);
    Log& mine = thread_log();
    const char* text = all.log.take();
    if (text == nullptr) return nullptr;
    mine.handed_out = text;
    return mine.handed_out.c_str();
  } catch (...) {
    return nullptr;
  }
}

void share_messages_between_threads(bool shared) noexcept { shared_mode.store(shared); }

int peek_last_error() noexcept { return last_error; }

int take_last_error() noexcept { return std::exchange(last_error, 0); }

}  // namespace pyaclnn::sim
