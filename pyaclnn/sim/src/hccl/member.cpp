// SPDX-License-Identifier: MIT
#include "hccl/member.hpp"

#include <unordered_map>
#include <utility>

#include "core/status.hpp"
#include "hccl/operators.hpp"

namespace pyaclnn::sim::hccl {
namespace {

/// Handles count up and are never used again, so one that has ended is recognised.
struct Handles {
  std::mutex mutex;
  std::uintptr_t next = std::uintptr_t(0x5B) << 56;
  std::unordered_map<HcclComm, std::shared_ptr<Member>> members;
};

Handles& handles() {
  static Handles& handles = *new Handles;
  return handles;
}

[[noreturn]] void refuse(HcclComm handle) {
  if (handle == nullptr) fail(HCCL_E_PTR, "comm is null");
  fail(HCCL_E_PARA, "%p is no communicator, or one that was destroyed", handle);
}

}  // namespace

Member::Member(std::string group, int device_id, Wiring wires, const Settings& read)
    : name(std::move(group)),
      device(device_id),
      settings(read),
      wiring(std::move(wires)),
      sending(std::size_t(wiring.size)),
      receiving(std::size_t(wiring.size)),
      sent(std::size_t(wiring.size)),
      received(std::size_t(wiring.size)) {}

Member::~Member() {
  for (auto& lane : wiring.outlets) {
    for (auto& outlet : lane) {
      if (outlet) outlet->end();
    }
  }
}

void Member::fail(int code, const std::string& text) {
  {
    std::lock_guard<std::mutex> guard(mutex_);
    if (error_.load() != HCCL_SUCCESS) return;
    text_ = text;
    error_.store(code);
  }
  if (wiring.region) {
    wiring.region->set_state(RankState::kFailed);
    wiring.region->ring_all();
  }
  for (auto& lane : wiring.outlets) {
    for (auto& outlet : lane) {
      if (outlet) outlet->end();
    }
  }
}

void Member::require_sound() const {
  if (error() == HCCL_SUCCESS) return;
  std::lock_guard<std::mutex> guard(mutex_);
  throw Failure(error(), "the communicator failed before: " + text_);
}

std::string Member::report(int peer) const {
  const int place = wiring.local[std::size_t(peer)];
  if (place < 0 || !wiring.region) return "on another machine";
  const Region& region = *wiring.region;
  switch (region.state(place)) {
    case RankState::kAbsent:
      return "has not joined";
    case RankState::kLeft:
      return "destroyed its communicator";
    case RankState::kPresent:
    case RankState::kFailed:
      break;
  }
  const bool has_failed = region.state(place) == RankState::kFailed;
  if (!has_failed && !region.lives(place)) return "ended with its process";
  std::string text;
  for (Lane lane : {Lane::kCollective, Lane::kPointToPoint}) {
    const Signature doing = region.doing(lane, place);
    if (doing.function == Function::kNone) continue;
    text += (text.empty() ? "in " : " and in ") + describe(doing);
  }
  if (text.empty()) text = "in no communication";
  return has_failed ? "failed " + text : text;
}

HcclComm publish(std::shared_ptr<Member> member) {
  serve_operators();
  Handles& all = handles();
  std::lock_guard<std::mutex> guard(all.mutex);
  constexpr std::uintptr_t kStep = 64;
  all.next += kStep;
  auto* handle = reinterpret_cast<HcclComm>(all.next);
  all.members.emplace(handle, std::move(member));
  return handle;
}

std::shared_ptr<Member> find_member(HcclComm handle) {
  Handles& all = handles();
  std::lock_guard<std::mutex> guard(all.mutex);
  const auto found = all.members.find(handle);
  if (found == all.members.end()) refuse(handle);
  return found->second;
}

std::shared_ptr<Member> find_member(const std::string& name, int device) {
  Handles& all = handles();
  std::lock_guard<std::mutex> guard(all.mutex);
  for (const auto& [handle, member] : all.members) {
    if (member->device == device && member->name == name) return member;
  }
  return nullptr;
}

void withdraw(HcclComm handle) {
  std::shared_ptr<Member> member;  // ends without the lock
  Handles& all = handles();
  std::lock_guard<std::mutex> guard(all.mutex);
  const auto found = all.members.find(handle);
  if (found == all.members.end()) refuse(handle);
  member = std::move(found->second);
  all.members.erase(found);
}

std::string unused_name() {
  static std::atomic<int> next{0};
  return "group_name_" + std::to_string(next.fetch_add(1));
}

}  // namespace pyaclnn::sim::hccl
