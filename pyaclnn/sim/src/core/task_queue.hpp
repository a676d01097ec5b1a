// The tasks of a stream, in order: any thread appends, one takes them.
//
// A linked list of which each end belongs to one side, so that neither waits for the other, and the
// side that appends writes but never reads what the other has just written: a cache line comes from
// the other processor in 0.1 us, a quarter of what a call of an operator takes. Nodes that were
// taken stay in the list behind the side that takes, for the other to fill again.
// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/stream.hpp"

namespace pyaclnn::sim {

/// What two processors exchange at once.
constexpr std::size_t kCacheLine = 64;

class TaskQueue {
 public:
  TaskQueue();
  ~TaskQueue();
  TaskQueue(const TaskQueue&) = delete;
  TaskQueue& operator=(const TaskQueue&) = delete;

  /// What may fail of the next push(). Both are for one thread at a time.
  void make_room();
  /// Appends a task, after make_room().
  void push(Task&& task) noexcept;

  /// The first task, or null. This and pop() are for the thread that takes.
  Task* front() const;
  /// Ends the first task, all but what it `keeps`.
  void pop();

 private:
  struct Node;

  static void fetch_to_write(Node* node);
  Node* unused_node();
  void drop_nodes(std::uint64_t count);

  // The side that appends.
  alignas(kCacheLine) Node* last_;
  Node* oldest_;          // where the list begins: taken long ago
  Node* room_ = nullptr;  // for the next task, in no list
  Node* known_taken_;     // up to here, exclusively, nodes may be filled again
  std::uint64_t nodes_ = 1;
  std::uint64_t pushed_ = 0;

  // The side that takes.
  alignas(kCacheLine) std::atomic<Node*> taken_;  // the node whose task was taken last
  std::atomic<std::uint64_t> popped_{0};
};

}  // namespace pyaclnn::sim
