// SPDX-License-Identifier: MIT
#include "hccl/sequencer.hpp"

#include "core/status.hpp"
#include "hccl/hccl_types.h"

namespace pyaclnn::sim::hccl {

std::uint64_t Sequencer::take() {
  std::lock_guard<std::mutex> guard(mutex_);
  return next_++;
}

void Sequencer::wait(std::uint64_t turn, Stream& stream, Clock::time_point deadline) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (!stream.wait_inside_task(lock, changed_, deadline, [&] { return serving_ == turn; }))
    fail(HCCL_E_TIMEOUT,
         "a communication that was submitted earlier, to another stream, has not come to its end");
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

Turns::Turns(const std::vector<Sequencer*>& used) {
  turns_.reserve(used.size());
  for (Sequencer* each : used) turns_.emplace_back(each, each->take());
}

Turns::~Turns() {
  for (auto& [sequencer, turn] : turns_) sequencer->finish(turn);
}

void Turns::wait(Stream& stream, Clock::time_point deadline) {
  for (auto& [sequencer, turn] : turns_) sequencer->wait(turn, stream, deadline);
}

}  // namespace pyaclnn::sim::hccl
