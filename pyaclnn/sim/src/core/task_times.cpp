// SPDX-License-Identifier: MIT
#include "core/task_times.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/process.hpp"

namespace pyaclnn::sim {
namespace {

using Clock = std::chrono::steady_clock;

struct Sum {
  std::uint64_t tasks = 0;
  Clock::duration time{};
};

/// Never destroyed: workers run until the process is gone.
class Times {
 public:
  explicit Times(const char* file) : file_(file) {}

  void add(const char* name, Clock::duration time) {
    std::lock_guard<std::mutex> guard(mutex_);
    Sum& sum = sums_[name];
    ++sum.tasks;
    sum.time += time;
  }

  void write() {
    if (is_forked_child()) return;
    std::lock_guard<std::mutex> guard(mutex_);
    std::vector<std::pair<std::string, Sum>> sorted(sums_.begin(), sums_.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second.time > b.second.time; });
    std::string text;
    for (const auto& [name, sum] : sorted) {
      const std::chrono::duration<double, std::milli> time = sum.time;
      char line[64];
      std::snprintf(line, sizeof line, "\t%llu\t%.3f\n", static_cast<unsigned long long>(sum.tasks),
                    time.count());
      text += name + line;
    }
    // In one piece, for other processes may append to it as well.
    const int file = open(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    const bool written =
        file >= 0 && ::write(file, text.data(), text.size()) == ssize_t(text.size());
    if (!written)
      std::fprintf(stderr, "pyaclnn simulator: PYACLNN_SIM_TIMES=%s: %s\n", file_.c_str(),
                   std::strerror(errno));
    if (file >= 0) close(file);
  }

 private:
  const std::string file_;
  std::mutex mutex_;
  std::map<std::string, Sum> sums_;
};

/// Null: nobody asks.
Times* times();

Times* made_times() {
  const char* file = std::getenv("PYACLNN_SIM_TIMES");
  if (file == nullptr || *file == '\0') return nullptr;
  std::atexit([] { times()->write(); });
  return new Times(file);
}

Times* times() {
  static Times* const made = made_times();
  return made;
}

}  // namespace

TaskTimer::TaskTimer(const char* name) : name_(times() == nullptr ? nullptr : name) {
  if (name_ != nullptr) begin_ = Clock::now();
}

TaskTimer::~TaskTimer() {
  if (name_ != nullptr) times()->add(name_, Clock::now() - begin_);
}

}  // namespace pyaclnn::sim
