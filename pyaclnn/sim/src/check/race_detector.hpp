// Happens-before: which accesses are ordered by what a program submits and waits for.
//
// Every stream is a timeline with a vector clock, and the host has a clock too. Work inherits what
// the host knows when it is submitted; a moment (an event's record, or the end of a stream when the
// host waits for it) carries its stream's clock to those that wait for it. All threads of the host
// are one: they order each other by means that cannot be seen here.
//
// Steps are taken in the order of submission, whenever they run. The exception is a stream that
// waits for an event which nobody has recorded yet: its steps are put off until somebody does.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "check/access.hpp"
#include "check/access_history.hpp"
#include "check/clock.hpp"

namespace pyaclnn::sim {

/// A point of a timeline that others wait for.
struct Moment {
  static constexpr std::size_t kNobody = ~std::size_t(0);
  VectorClock clock;
  bool is_known = false;             // whether `clock` is set
  bool is_forced = false;            // while it is made known
  std::size_t timeline = kNobody;    // none yet: somebody is to record it
  std::vector<std::size_t> waiting;  // timelines
};

using MomentRef = std::shared_ptr<Moment>;

/// For one thread at a time. Collisions are added to the list given, whatever step they belong to.
class RaceDetector {
 public:
  void work(const Actor& stream, std::shared_ptr<const AccessList> accesses,
            Collisions& collisions);
  /// The present end of a stream. `promised` is one that others wait for already, or null.
  MomentRef mark(const Actor& stream, MomentRef promised, Collisions& collisions);
  /// Lets what comes on a stream be after a moment.
  void wait(const Actor& stream, MomentRef moment, Collisions& collisions);

  /// Nobody will record what is waited for.
  void break_promise(const MomentRef& moment, Collisions& collisions) { force(moment, collisions); }

  /// The host has learnt that a moment is past.
  void pass(const MomentRef& moment, Collisions& collisions);
  /// The host touches memory, now.
  void host_work(const AccessList& accesses, Collisions& collisions);

  /// A stream has run all its work and gets no more.
  void end_stream(int stream, Collisions& collisions);
  void end_allocation(std::uint64_t allocation) { history_.forget_allocation(allocation); }
  /// Forgets all accesses and waits.
  void clear();

 private:
  struct Step {
    std::shared_ptr<const AccessList> accesses;  // either some work,
    MomentRef recorded;                          // or a mark,
    MomentRef awaited;                           // or a wait
    VectorClock host;                            // what the host knew when it was submitted
  };
  struct Timeline {
    Actor actor;
    VectorClock now;
    std::uint64_t tick = 0;
    MomentRef awaited;         // what it waits for that nobody has recorded
    std::deque<Step> put_off;  // until then
  };

  static constexpr std::size_t kHost = 0;

  std::size_t timeline_of(const Actor& stream);
  void submit(const Actor& stream, Step step, Collisions& collisions);
  void take(std::size_t timeline, const Step& step, Collisions& collisions);
  void take_work(std::size_t timeline, const AccessList& accesses, Collisions& collisions);
  void set_known(Moment& moment);
  void take_put_off(Collisions& collisions);
  void force(const MomentRef& moment, Collisions& collisions);
  void force_all(std::size_t timeline, Collisions& collisions);

  std::vector<Timeline> timelines_{1};  // the host's first
  std::unordered_map<int, std::size_t> of_stream_;
  std::vector<std::size_t> unused_;
  std::vector<std::size_t> to_resume_;  // timelines whose awaited moment became known
  std::size_t blocked_ = 0;             // timelines that wait for a moment
  AccessHistory history_;
};

}  // namespace pyaclnn::sim
