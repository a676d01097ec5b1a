// SPDX-License-Identifier: MIT
#include "check/race_detector.hpp"

#include <utility>

#include "core/memory.hpp"

namespace pyaclnn::sim {
namespace {

/// Steps that were put off may have lost their memory meanwhile, which is an error of its own.
AccessList live_ones(const AccessList& accesses) {
  AccessList live;
  for (const Access& access : accesses) {
    if (allocation_is_live(reinterpret_cast<const void*>(access.begin), access.allocation))
      live.push_back(access);
  }
  return live;
}

}  // namespace

std::size_t RaceDetector::timeline_of(const Actor& stream) {
  auto [known, is_new] = of_stream_.emplace(stream.stream, timelines_.size());
  if (!is_new) return known->second;
  if (unused_.empty()) {
    timelines_.emplace_back();
  } else {
    // All that was done on it is past; its ticks go on.
    known->second = unused_.back();
    unused_.pop_back();
  }
  timelines_[known->second].actor = stream;
  return known->second;
}

void RaceDetector::work(const Actor& stream, std::shared_ptr<const AccessList> accesses,
                        Collisions& collisions) {
  Step step;
  step.accesses = std::move(accesses);
  submit(stream, std::move(step), collisions);
}

MomentRef RaceDetector::mark(const Actor& stream, MomentRef promised, Collisions& collisions) {
  Step step;
  step.recorded = promised && !promised->is_known ? promised : std::make_shared<Moment>();
  step.recorded->timeline = timeline_of(stream);
  MomentRef moment = step.recorded;
  submit(stream, std::move(step), collisions);
  return moment;
}

void RaceDetector::wait(const Actor& stream, MomentRef moment, Collisions& collisions) {
  Step step;
  step.awaited = std::move(moment);
  submit(stream, std::move(step), collisions);
}

void RaceDetector::submit(const Actor& stream, Step step, Collisions& collisions) {
  const std::size_t index = timeline_of(stream);
  Timeline& timeline = timelines_[index];
  if (timeline.awaited) {
    step.host = timelines_[kHost].now;
    timeline.put_off.push_back(std::move(step));
    return;
  }
  timeline.now.join(timelines_[kHost].now);
  take(index, step, collisions);
  take_put_off(collisions);
}

void RaceDetector::take(std::size_t index, const Step& step, Collisions& collisions) {
  Timeline& timeline = timelines_[index];
  if (step.accesses) {
    take_work(index, *step.accesses, collisions);
  } else if (step.recorded) {
    step.recorded->clock = timeline.now;
    set_known(*step.recorded);
  } else if (step.awaited->is_known) {
    timeline.now.join(step.awaited->clock);
  } else {
    timeline.awaited = step.awaited;
    step.awaited->waiting.push_back(index);
    ++blocked_;
  }
}

void RaceDetector::take_work(std::size_t index, const AccessList& accesses,
                             Collisions& collisions) {
  Timeline& timeline = timelines_[index];
  // Steps that were put off are from a time when the host knew less.
  if (blocked_ == 0) history_.forget_past(accesses, timelines_[kHost].now);
  const Stamp stamp{timeline.actor, index, ++timeline.tick};
  timeline.now.raise(index, stamp.tick);
  history_.check(accesses, stamp, timeline.now, collisions);
  history_.add(accesses, stamp, timeline.now);
}

void RaceDetector::set_known(Moment& moment) {
  moment.is_known = true;
  for (std::size_t index : moment.waiting) to_resume_.push_back(index);
  moment.waiting.clear();
}

void RaceDetector::take_put_off(Collisions& collisions) {
  while (!to_resume_.empty()) {
    const std::size_t index = to_resume_.back();
    to_resume_.pop_back();
    Timeline& timeline = timelines_[index];
    if (!timeline.awaited || !timeline.awaited->is_known) continue;
    timeline.now.join(timeline.awaited->clock);
    timeline.awaited.reset();
    while (!timeline.awaited && !timeline.put_off.empty()) {
      Step step = std::move(timeline.put_off.front());
      timeline.put_off.pop_front();
      timeline.now.join(step.host);
      if (step.accesses)
        step.accesses = std::make_shared<const AccessList>(live_ones(*step.accesses));
      take(index, step, collisions);
    }
    // Only now: until here it counted as one whose steps are old.
    --blocked_;
  }
}

void RaceDetector::force(const MomentRef& moment, Collisions& collisions) {
  if (moment->is_known) return;
  // Nobody will record it, or it waits for itself.
  if (moment->timeline == Moment::kNobody || moment->is_forced) {
    set_known(*moment);
    take_put_off(collisions);
    return;
  }
  moment->is_forced = true;
  while (!moment->is_known) {
    const MomentRef awaited = timelines_[moment->timeline].awaited;
    if (!awaited) break;
    force(awaited, collisions);
  }
  moment->is_forced = false;
}

void RaceDetector::force_all(std::size_t index, Collisions& collisions) {
  while (const MomentRef awaited = timelines_[index].awaited) force(awaited, collisions);
}

void RaceDetector::pass(const MomentRef& moment, Collisions& collisions) {
  force(moment, collisions);
  timelines_[kHost].now.join(moment->clock);
}

void RaceDetector::host_work(const AccessList& accesses, Collisions& collisions) {
  // It is over before anything else is submitted or recorded: nothing needs to remember it.
  history_.check(accesses, {Actor(), kHost, 0}, timelines_[kHost].now, collisions);
}

void RaceDetector::end_stream(int stream, Collisions& collisions) {
  auto known = of_stream_.find(stream);
  if (known == of_stream_.end()) return;
  const std::size_t index = known->second;
  of_stream_.erase(known);
  force_all(index, collisions);
  Timeline& timeline = timelines_[index];
  timelines_[kHost].now.join(timeline.now);
  timeline.now = VectorClock();
  unused_.push_back(index);
}

void RaceDetector::clear() {
  Collisions unheard;
  VectorClock& host = timelines_[kHost].now;
  unused_.clear();
  for (std::size_t index = timelines_.size(); index-- > 1;) {
    force_all(index, unheard);
    // Ticks go on, for events remember some; streams that end from now on are not heard of.
    host.raise(index, timelines_[index].tick);
    timelines_[index].now = VectorClock();
    unused_.push_back(index);
  }
  of_stream_.clear();
  history_.clear();
}

}  // namespace pyaclnn::sim
