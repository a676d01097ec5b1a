// SPDX-License-Identifier: MIT
#include "core/process.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "core/status.hpp"

namespace pyaclnn::sim {
namespace {

std::atomic<bool> called{false};
std::atomic<bool> forked{false};

void mark_child() {
  if (!called.load()) return;
  forked.store(true);
  detail::interposed.store(true);
}

const bool registered = pthread_atfork(nullptr, nullptr, &mark_child) == 0;

}  // namespace

bool is_forked_child() noexcept {
  // The use keeps the registration, which has no other reader.
  return registered && forked.load(std::memory_order_relaxed);
}

bool is_alive(int process) noexcept {
  if (kill(process, 0) != 0) return errno != ESRCH;
  char text[512];
  std::snprintf(text, sizeof text, "/proc/%d/stat", process);
  const int file = open(text, O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno != ENOENT;
  const ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return length == 0 || errno != ESRCH;
  text[length] = '\0';
  // "number (name) state ...", and a name may hold anything.
  const char* const name_end = std::strrchr(text, ')');
  return name_end == nullptr ||
         std::strchr("ZXx", name_end[std::strspn(name_end, ") ")]) == nullptr;
}

void note_call() noexcept { called.store(true, std::memory_order_relaxed); }

bool any_call_noted() noexcept { return called.load(std::memory_order_relaxed); }

}  // namespace pyaclnn::sim
