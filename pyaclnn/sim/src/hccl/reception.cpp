// SPDX-License-Identifier: MIT
#include "hccl/reception.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/status.hpp"
#include "hccl/hccl_types.h"

namespace pyaclnn::sim::hccl {
namespace {

constexpr std::chrono::seconds kHelloTime(2);
// More that have said nothing yet are too many: the first of them goes.
constexpr std::size_t kMostGuests = 256;

}  // namespace

std::optional<Caller> Reception::next(Clock::time_point deadline) {
  std::vector<pollfd> entries;
  std::vector<Guests::iterator> order;
  while (true) {
    const Clock::time_point now = Clock::now();
    guests_.remove_if([now](const Guest& guest) { return guest.deadline <= now; });
    entries.assign(1, {listener_.number(), POLLIN, 0});
    order.clear();
    Clock::time_point until = deadline;
    for (auto guest = guests_.begin(); guest != guests_.end(); ++guest) {
      entries.push_back({guest->caller.connection.number(), POLLIN, 0});
      order.push_back(guest);
      until = std::min(until, guest->deadline);
    }
    const int found = poll(entries.data(), nfds_t(entries.size()), milliseconds_until(until));
    if (found < 0 && errno != EINTR) fail(HCCL_E_SYSCALL, "poll: %s", std::strerror(errno));
    if (found > 0) {
      for (std::size_t i = 0; i < order.size(); ++i) {
        if (entries[i + 1].revents == 0) continue;
        if (std::optional<Caller> caller = hear(order[i])) return caller;
      }
      if (entries[0].revents != 0) take_new();
    }
    if (found == 0 && Clock::now() >= deadline) return std::nullopt;
  }
}

void Reception::take_new() {
  File connection = accept_now(listener_);
  if (!connection) {
    if (!out_of_files(errno)) return;
    // Those who said nothing have to go first.
    if (guests_.empty()) fail_for_files("a connection was not taken");
    guests_.pop_front();
    return;
  }
  if (guests_.size() == kMostGuests) guests_.pop_front();
  Guest& guest = guests_.emplace_back();
  guest.caller.connection = std::move(connection);
  guest.caller.words.resize(bytes_);
  guest.deadline = Clock::now() + kHelloTime;
}

std::optional<Caller> Reception::hear(Guests::iterator guest) {
  const ssize_t got = recv(guest->caller.connection.number(),
                           guest->caller.words.data() + guest->heard, bytes_ - guest->heard, 0);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return std::nullopt;
  if (got > 0) guest->heard += std::size_t(got);
  if (got > 0 && guest->heard < bytes_) return std::nullopt;
  std::optional<Caller> caller;
  if (got > 0) caller = std::move(guest->caller);
  guests_.erase(guest);
  return caller;
}

}  // namespace pyaclnn::sim::hccl
