// SPDX-License-Identifier: MIT
#include "check/races.hpp"

#include <cstdio>
#include <mutex>
#include <utility>

#include "check/hazard.hpp"
#include "check/race_detector.hpp"
#include "core/memory.hpp"
#include "core/status.hpp"
#include "core/stream_impl.hpp"

namespace pyaclnn::sim::races {
namespace {

struct Shared {
  std::mutex mutex;
  RaceDetector detector;
};

Shared& shared() {
  static Shared& all = *new Shared;
  return all;
}

Actor actor_of(const Stream& stream) { return {stream.id(), stream.options().is_default}; }

std::shared_ptr<Stream> find_stream(int id) {
  for (auto& [handle, stream] : streams().snapshot()) {
    if (stream->id() == id) return stream;
  }
  return nullptr;
}

void fail_stream(int id, Stream* known, const std::string& text) {
  if (known != nullptr && known->id() == id) {
    known->fail_with(kRtAicoreException, text);
  } else if (std::shared_ptr<Stream> stream = find_stream(id)) {
    stream->fail_with(kRtAicoreException, text);
  }
}

/// Reports what was found: errors of streams to these, of the host by throwing. `stream` spares the
/// search for one of them.
void report(const Collisions& collisions, Stream* stream = nullptr) {
  std::string of_host;
  for (const Collision& collision : collisions) {
    const Hazard hazard = describe(collision);
    note(hazard);
    if (mode() != RaceCheck::kError) continue;
    if (hazard.later.actor.stream != 0) {
      fail_stream(hazard.later.actor.stream, stream, hazard.text);
    } else if (of_host.empty()) {
      of_host = hazard.text;
    }
  }
  if (!of_host.empty()) throw Failure(kRtStreamNotComplete, of_host);
}

/// Calls a function with the detector and a list for what it finds, which is then reported.
template <class Function>
void detect(Stream* stream, Function&& function) {
  Collisions collisions;
  {
    Shared& all = shared();
    std::lock_guard<std::mutex> guard(all.mutex);
    function(all.detector, collisions);
  }
  if (!collisions.empty()) report(collisions, stream);
}

}  // namespace

namespace detail {

std::atomic<int> mode{detail::kAsConfigured};

bool is_configured() {
  int unread = detail::kAsConfigured;
  mode.compare_exchange_strong(unread, int(config().races));
  return mode.load() != int(RaceCheck::kOff);
}

}  // namespace detail

RaceCheck mode() {
  detail::is_configured();
  return RaceCheck(detail::mode.load());
}

void set_mode(RaceCheck wanted) {
  detail::mode.store(int(wanted));
  if (mode() != RaceCheck::kOff) return;
  Shared& all = shared();
  std::lock_guard<std::mutex> guard(all.mutex);
  all.detector.clear();
}

Hazard describe(const Collision& collision) {
  const Access& later = collision.later.access;
  Allocation block = find_allocation(reinterpret_cast<const void*>(later.begin));
  return {HazardSide(collision.earlier.access, collision.earlier.stamp.actor, block.base),
          HazardSide(later, collision.later.stamp.actor, block.base), block};
}

void note(const Hazard& hazard) {
  if (hazard_log().add(hazard) && mode() == RaceCheck::kWarn)
    std::fprintf(stderr, "pyaclnn simulator: %s\n", hazard.text.c_str());
}

void submitted(Stream& stream, std::shared_ptr<const AccessList> accesses) {
  if (accesses == nullptr) return;
  detect(&stream, [&](RaceDetector& detector, Collisions& collisions) {
    detector.work(actor_of(stream), std::move(accesses), collisions);
  });
}

MomentRef mark(Stream& stream, MomentRef promised) {
  MomentRef moment;
  detect(&stream, [&](RaceDetector& detector, Collisions& collisions) {
    moment = detector.mark(actor_of(stream), std::move(promised), collisions);
  });
  return moment;
}

void wait(Stream& stream, const MomentRef& moment) {
  if (moment == nullptr) return;
  detect(&stream, [&](RaceDetector& detector, Collisions& collisions) {
    detector.wait(actor_of(stream), moment, collisions);
  });
}

MomentRef wait_for_next(Stream& stream, MomentRef promised) {
  detect(&stream, [&](RaceDetector& detector, Collisions& collisions) {
    if (promised == nullptr || promised->is_known) promised = std::make_shared<Moment>();
    detector.wait(actor_of(stream), promised, collisions);
  });
  return promised;
}

void break_promise(const MomentRef& promised) {
  detect(nullptr, [&](RaceDetector& detector, Collisions& collisions) {
    detector.break_promise(promised, collisions);
  });
}

void pass(const MomentRef& moment) {
  if (moment == nullptr) return;
  detect(nullptr, [&](RaceDetector& detector, Collisions& collisions) {
    detector.pass(moment, collisions);
  });
}

void host_work(const AccessList& accesses) {
  if (accesses.empty()) return;
  detect(nullptr, [&](RaceDetector& detector, Collisions& collisions) {
    detector.host_work(accesses, collisions);
  });
}

void host_frees(const char* function, const void* pointer) {
  const Allocation block = find_allocation(pointer);
  // What is no block, or not its start, is refused elsewhere.
  if (block.base != reinterpret_cast<std::uintptr_t>(pointer)) return;
  host_work(access_list(function, {{AccessMode::kFree, "", pointer, block.id, block.real_size}}));
}

void allocation_ended(std::uint64_t allocation) {
  Shared& all = shared();
  std::lock_guard<std::mutex> guard(all.mutex);
  all.detector.end_allocation(allocation);
}

void stream_ended(Stream& stream) {
  detect(&stream, [&](RaceDetector& detector, Collisions& collisions) {
    detector.end_stream(stream.id(), collisions);
  });
}

AccessList access_list(const char* operation, std::initializer_list<NamedAccess> accesses) {
  AccessList list;
  for (const NamedAccess& access : accesses) {
    if (access.allocation == 0) continue;
    auto kind = std::make_shared<AccessKind>();
    kind->operand = access.operand;
    kind->mode = access.mode;
    kind->bytes = access.bytes;
    list.push_back({std::move(kind), reinterpret_cast<std::uintptr_t>(access.pointer),
                    access.allocation, operation, 0});
  }
  return list;
}

}  // namespace pyaclnn::sim::races
