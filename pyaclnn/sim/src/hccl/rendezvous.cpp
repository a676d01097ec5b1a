// SPDX-License-Identifier: MIT
#include "hccl/rendezvous.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/status.hpp"
#include "hccl/meeting.hpp"
#include "hccl/reception.hpp"

namespace pyaclnn::sim::hccl {
namespace {

// In which the root tells who did not come.
constexpr std::chrono::seconds kGrace(2);
constexpr std::chrono::milliseconds kPause(1);

struct RootInfo {
  std::uint64_t magic;
  Place place;
  Cookie cookie;
};
static_assert(sizeof(RootInfo) <= sizeof(HcclRootInfo));

std::vector<Hello> meet(const Meeting& meeting, const Hello& hello, bool patient,
                        Clock::time_point deadline) {
  const File root = connect_to(meeting.place, deadline, patient);
  const std::string who = "the root at " + to_text(meeting.place);
  send_all(root, &hello, sizeof hello, deadline, who.c_str());
  Answer answer;
  receive_all(root, &answer, sizeof answer, deadline, who.c_str());
  if (answer.magic != kMeetingMagic)
    fail(HCCL_E_TCP_TRANSFER, "%s is no root of communication", who.c_str());
  answer.text[sizeof answer.text - 1] = '\0';
  if (answer.code != 0) fail(answer.code, "%s", answer.text);
  std::vector<Hello> table(hello.size);
  receive_all(root, table.data(), table.size() * sizeof(Hello), deadline, who.c_str());
  for (std::size_t rank = 0; rank < table.size(); ++rank) {
    Hello& each = table[rank];
    if (each.magic != kMeetingMagic || each.rank != rank || each.size != hello.size)
      fail(HCCL_E_TCP_TRANSFER, "%s tells nonsense", who.c_str());
    each.machine[sizeof each.machine - 1] = each.memory[sizeof each.memory - 1] = '\0';
  }
  return table;
}

/// Each rank's place among those of this machine, or -1.
std::vector<int> local_places(const std::vector<Hello>& table, int rank, int* count) {
  std::vector<int> places;
  *count = 0;
  for (const Hello& each : table) {
    const bool here = std::strcmp(each.machine, table[std::size_t(rank)].machine) == 0;
    places.push_back(here ? (*count)++ : -1);
  }
  return places;
}

/// Gives the memory to each of the ranks of this machine that asks for it, and to nobody else.
void give_memory(const File& memory, const std::vector<int>& places, int takers,
                 const File& listener, const Cookie& cookie, Clock::time_point deadline) {
  Reception reception(listener, sizeof(LinkHello));
  std::vector<bool> given(places.size());
  while (takers > 0) {
    const std::optional<Caller> caller = reception.next(deadline);
    if (!caller) fail(HCCL_E_TIMEOUT, "a rank of this machine did not take what it shares");
    LinkHello hello;
    std::memcpy(&hello, caller->words.data(), sizeof hello);
    if (hello.magic != kMeetingMagic || hello.cookie != cookie || hello.rank >= places.size() ||
        places[hello.rank] <= 0 || given[hello.rank] || !same_user(caller->connection))
      continue;
    given[hello.rank] = true;
    send_file(caller->connection, memory);
    --takers;
  }
}

void share_memory(Wiring& wiring, const std::vector<Hello>& table, const File& listener,
                  const Cookie& cookie, Clock::time_point deadline) {
  int count = 0;
  std::vector<int> places = local_places(table, wiring.rank, &count);
  if (count < 2) return;
  const int own = places[std::size_t(wiring.rank)];
  File memory;
  if (own == 0) {
    memory = Region::create(count);
    give_memory(memory, places, count - 1, listener, cookie, deadline);
  } else {
    const auto first = std::find(places.begin(), places.end(), 0);
    const Hello& leader = table[std::size_t(first - places.begin())];
    LinkHello hello;
    hello.cookie = cookie;
    hello.rank = std::uint32_t(wiring.rank);
    memory = receive_file(leader.memory, &hello, sizeof hello, deadline);
  }
  wiring.share(std::make_shared<Region>(memory, count, own), std::move(places));
}

/// The higher rank calls, the lower one listens.
void connect_machines(Wiring& wiring, const std::vector<Hello>& table, const File& listener,
                      const Cookie& cookie, Clock::time_point deadline) {
  const char* own_machine = table[std::size_t(wiring.rank)].machine;
  int callers = 0;
  for (const Hello& each : table) {
    if (std::strcmp(each.machine, own_machine) == 0) continue;
    if (int(each.rank) > wiring.rank) {
      callers += kLanes;
      continue;
    }
    for (int lane = 0; lane < kLanes; ++lane) {
      File connection = connect_to(each.links, deadline, false);
      LinkHello hello;
      hello.cookie = cookie;
      hello.rank = std::uint32_t(wiring.rank);
      hello.lane = std::uint32_t(lane);
      send_all(connection, &hello, sizeof hello, deadline, "a rank of another machine");
      wiring.connect(int(each.rank), Lane(lane), std::move(connection));
    }
  }
  Reception reception(listener, sizeof(LinkHello));
  while (callers > 0) {
    std::optional<Caller> caller = reception.next(deadline);
    if (!caller) fail(HCCL_E_TIMEOUT, "a rank of another machine made no connection in time");
    LinkHello hello;
    std::memcpy(&hello, caller->words.data(), sizeof hello);
    const bool is_known = hello.magic == kMeetingMagic && hello.cookie == cookie &&
                          hello.rank < table.size() && int(hello.rank) > wiring.rank &&
                          hello.lane < std::uint32_t(kLanes) &&
                          !wiring.outlets[hello.lane][hello.rank];
    if (!is_known) continue;
    wiring.connect(int(hello.rank), Lane(hello.lane), std::move(caller->connection));
    --callers;
  }
}

/// A rank may end between the meeting and here: who waited for its data would wait for long.
void wait_for_neighbours(const Wiring& wiring, Clock::time_point deadline) {
  if (!wiring.region) return;
  for (int peer = 0; peer < wiring.size; ++peer) {
    const int place = wiring.local[std::size_t(peer)];
    while (place >= 0 && wiring.region->state(place) == RankState::kAbsent) {
      if (Clock::now() >= deadline)
        fail(HCCL_E_TIMEOUT, "rank %d came to the meeting and then no further", peer);
      std::this_thread::sleep_for(kPause);
    }
  }
}

}  // namespace

HcclRootInfo to_root_info(const Meeting& meeting) {
  HcclRootInfo info = {};
  const RootInfo root = {kMeetingMagic, meeting.place, meeting.cookie};
  std::memcpy(info.internal, &root, sizeof root);
  return info;
}

Meeting from_root_info(const HcclRootInfo& info) {
  RootInfo root;
  std::memcpy(&root, info.internal, sizeof root);
  if (root.magic != kMeetingMagic)
    fail(HCCL_E_PARA,
         "rootInfo is not what HcclGetRootInfo made; all its %zu bytes have to be sent",
         sizeof info.internal);
  Meeting meeting;
  meeting.place = root.place;
  meeting.cookie = root.cookie;
  return meeting;
}

Wiring join(const Meeting& meeting, int size, int rank, const Settings& settings, bool patient) {
  Wiring wiring(rank, size);
  const auto deadline = Clock::now() + std::chrono::milliseconds(settings.connect_ms) + kGrace;
  Hello hello;
  hello.cookie = meeting.cookie;
  hello.size = std::uint32_t(size);
  hello.rank = std::uint32_t(rank);
  hello.links = parse_place(settings.address, 0);
  const File calls = listen_at(hello.links);
  std::string name;
  const File takers = listen_here(name);
  std::snprintf(hello.memory, sizeof hello.memory, "%s", name.c_str());
  std::snprintf(hello.machine, sizeof hello.machine, "%s", settings.machine.c_str());
  const std::vector<Hello> table = meet(meeting, hello, patient, deadline);
  share_memory(wiring, table, takers, meeting.cookie, deadline);
  connect_machines(wiring, table, calls, meeting.cookie, deadline);
  wait_for_neighbours(wiring, deadline);
  return wiring;
}

}  // namespace pyaclnn::sim::hccl
