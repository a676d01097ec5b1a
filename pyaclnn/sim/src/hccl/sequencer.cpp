// SPDX-License-Identifier: MIT
#include "hccl/sequencer.hpp"

#include "core/status.hpp"
#include "hccl/hccl_types.h"

namespace pyaclnn::sim::hccl {

std::uint64_t Sequencer::take() {
  std::lock_guard<std::mutex> guard(mutex_);
  return next_++;
}

void Sequencer::enter(std::uint64_t turn, Stream& stream, Clock::time_point deadline) {
  std::unique_lock<std::mutex> lock(mutex_);
  const auto ready = [&] { return !in_use_ && (turn == kUnordered || serving_ == turn); };
  if (!stream.wait_inside_task(lock, changed_, deadline, ready))
    fail(HCCL_E_TIMEOUT,
         "a communication that was submitted earlier, to another stream, has not come to its end");
  in_use_ = true;
}

void Sequencer::leave() {
  std::lock_guard<std::mutex> guard(mutex_);
  in_use_ = false;
  changed_.notify_all();
}

void Sequencer::finish(std::uint64_t turn) {
  std::lock_guard<std::mutex> guard(mutex_);
  finished_.insert(turn);
  while (!finished_.empty() && *finished_.begin() == serving_) {
    finished_.erase(finished_.begin());
    ++serving_;
  }
  changed_.notify_all();
}

Turns::Turns(const std::vector<Sequencer*>& used, bool ordered) {
  turns_.reserve(used.size());
  for (Sequencer* each : used)
    turns_.emplace_back(each, ordered ? each->take() : Sequencer::kUnordered);
}

Turns::~Turns() {
  for (std::size_t i = 0; i < entered_; ++i) turns_[i].first->leave();
  for (auto& [sequencer, turn] : turns_) {
    if (turn != Sequencer::kUnordered) sequencer->finish(turn);
  }
}

void Turns::enter(Stream& stream, Clock::time_point deadline) {
  for (; entered_ < turns_.size(); ++entered_) {
    auto& [sequencer, turn] = turns_[entered_];
    sequencer->enter(turn, stream, deadline);
  }
}

}  // namespace pyaclnn::sim::hccl
