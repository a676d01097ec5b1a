// Room for tasks of a launch, which threads take in turn: filling it with zeros costs as much as a
// short sequence.
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace pyaclnn::sim {

template <class Room>
class SpareRooms {
 public:
  /// Calls `use` with a room that no other thread has, made by `make` where none is spare. It holds
  /// what an earlier task has left.
  template <class Make, class Use>
  void with(const Make& make, const Use& use) {
    std::unique_ptr<Room> room = take();
    if (room == nullptr) room = make();
    use(*room);
    const std::lock_guard<std::mutex> guard(mutex_);
    spare_.push_back(std::move(room));
  }

 private:
  std::unique_ptr<Room> take() {
    const std::lock_guard<std::mutex> guard(mutex_);
    if (spare_.empty()) return nullptr;
    std::unique_ptr<Room> room = std::move(spare_.back());
    spare_.pop_back();
    return room;
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Room>> spare_;
};

}  // namespace pyaclnn::sim
