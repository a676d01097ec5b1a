// The root's side of a meeting.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/status.hpp"
#include "hccl/meeting.hpp"
#include "hccl/reception.hpp"

namespace pyaclnn::sim::hccl {
namespace {

// In which a rank takes its answer.
constexpr std::chrono::seconds kAnswerTime(2);
// How long the root waits for the first at least, who may have much to do before.
constexpr std::chrono::minutes kPatience(10);

class RootServer {
 public:
  RootServer(File listener, const Cookie& cookie, std::int64_t connect_ms)
      : listener_(std::move(listener)), cookie_(cookie), connect_(connect_ms) {}

  void serve() {
    const auto patience = std::max<std::chrono::milliseconds>(kPatience, connect_);
    Clock::time_point deadline = Clock::now() + patience;
    Reception reception(listener_, sizeof(Hello));
    while (guests_.empty() || arrived_ < guests_.size()) {
      std::optional<Caller> guest = reception.next(deadline);
      if (!guest) return dismiss();
      const bool was_empty = guests_.empty();
      receive(std::move(*guest));
      if (was_empty && !guests_.empty()) deadline = Clock::now() + connect_;
    }
    std::vector<Hello> table;
    for (const Guest& guest : guests_) table.push_back(guest.hello);
    for (const Guest& guest : guests_) answer(guest.connection, 0, "", &table);
  }

 private:
  struct Guest {
    File connection;
    Hello hello;
  };

  void receive(Caller guest) {
    Hello hello;
    std::memcpy(&hello, guest.words.data(), sizeof hello);
    File& connection = guest.connection;
    // A stranger gets no answer.
    if (hello.magic != kMeetingMagic || hello.cookie != cookie_) return;
    const std::string problem = refusal(hello);
    if (!problem.empty()) return answer(connection, HCCL_E_PARA, problem, nullptr);
    if (guests_.empty()) guests_.resize(hello.size);
    hello.machine[sizeof hello.machine - 1] = hello.memory[sizeof hello.memory - 1] = '\0';
    guests_[hello.rank] = {std::move(connection), hello};
    ++arrived_;
  }

  std::string refusal(const Hello& hello) const {
    const std::string rank = "rank " + std::to_string(hello.rank);
    if (hello.size == 0 || hello.size > kMostRanks || hello.rank >= hello.size)
      return rank + " of " + std::to_string(hello.size) + " cannot be";
    if (!guests_.empty() && guests_.size() != hello.size)
      return rank + " joins " + std::to_string(hello.size) + " ranks, those before it joined " +
             std::to_string(guests_.size());
    if (!guests_.empty() && guests_[hello.rank].connection) return rank + " has joined already";
    return "";
  }

  void dismiss() {
    std::string missing;
    for (std::size_t rank = 0; rank < guests_.size(); ++rank) {
      if (!guests_[rank].connection)
        missing += (missing.empty() ? "" : ", ") + std::to_string(rank);
    }
    char limit[32];
    std::snprintf(limit, sizeof limit, "%g", double(connect_.count()) / 1000);
    const std::string text = "of " + std::to_string(guests_.size()) +
                             " ranks, these did not come within " + limit +
                             " s (HCCL_CONNECT_TIMEOUT): " + missing;
    for (const Guest& guest : guests_) {
      if (guest.connection) answer(guest.connection, HCCL_E_TIMEOUT, text, nullptr);
    }
  }

  static void answer(const File& connection, int code, const std::string& text,
                     const std::vector<Hello>* table) {
    Answer reply;
    reply.code = code;
    std::snprintf(reply.text, sizeof reply.text, "%s", text.c_str());
    const auto deadline = Clock::now() + kAnswerTime;
    try {
      send_all(connection, &reply, sizeof reply, deadline, "a rank");
      if (table != nullptr)
        send_all(connection, table->data(), table->size() * sizeof(Hello), deadline, "a rank");
    } catch (const Failure&) {
      // It will be missed by the others, too.
    }
  }

  File listener_;
  const Cookie cookie_;
  const std::chrono::milliseconds connect_;
  std::vector<Guest> guests_;
  std::size_t arrived_ = 0;
};

}  // namespace

Cookie random_cookie() {
  Cookie cookie;
  fill_randomly(cookie.data(), cookie.size());
  return cookie;
}

Meeting hold_meeting(Place place, const Cookie& cookie, const Settings& settings) {
  Meeting meeting;
  meeting.place = place;
  meeting.cookie = cookie;
  File listener = listen_at(meeting.place);
  require_spare_files(listener);
  std::thread([server = RootServer(std::move(listener), cookie, settings.connect_ms)]() mutable {
    try {
      server.serve();
    } catch (const std::exception& error) {
      // The ranks find that nobody is there.
      std::fprintf(stderr, "pyaclnn simulator: a root of communication ended: %s\n", error.what());
    }
  }).detach();
  return meeting;
}

}  // namespace pyaclnn::sim::hccl
