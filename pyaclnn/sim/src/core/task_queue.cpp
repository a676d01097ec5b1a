// SPDX-License-Identifier: MIT
#include "core/task_queue.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace pyaclnn::sim {
namespace {

// A new node is made while there are fewer, so that the side that appends seldom has to look how
// far the other one is.
constexpr std::uint64_t kFewest = 16;
// Unused nodes above this number, which a long queue leaves behind, are dropped.
constexpr std::uint64_t kMostUnused = 1024;

}  // namespace

struct alignas(kCacheLine) TaskQueue::Node {
  std::atomic<Node*> next{nullptr};
  std::shared_ptr<const void> kept;  // from the task that was here
  alignas(Task) std::byte room[sizeof(Task)];

  Task* task() { return std::launder(reinterpret_cast<Task*>(room)); }
};

void TaskQueue::fetch_to_write(Node* node) {
  // The beginning, which is all that most tasks take.
  constexpr std::size_t kWritten = std::min(sizeof(Node), 8 * kCacheLine);
  auto* bytes = reinterpret_cast<std::byte*>(node);
  for (std::size_t at = 0; at < kWritten; at += kCacheLine) __builtin_prefetch(bytes + at, 1);
}

TaskQueue::TaskQueue() : last_(new Node), oldest_(last_), known_taken_(last_), taken_(last_) {}

TaskQueue::~TaskQueue() {
  while (front() != nullptr) pop();
  delete room_;
  for (Node* node = oldest_; node != nullptr;) delete std::exchange(node, node->next.load());
}

void TaskQueue::make_room() {
  if (room_ == nullptr) room_ = unused_node();
}

void TaskQueue::push(Task&& task) noexcept {
  Node* node = std::exchange(room_, nullptr);
  node->kept.reset();
  ::new (node->room) Task(std::move(task));
  node->next.store(nullptr, std::memory_order_relaxed);
  last_->next.store(node, std::memory_order_release);
  last_ = node;
  ++pushed_;
  // The next call finds the place at hand: 0.04 us of 0.5.
  if (oldest_ != known_taken_) fetch_to_write(oldest_);
}

Task* TaskQueue::front() const {
  Node* next = taken_.load(std::memory_order_relaxed)->next.load(std::memory_order_acquire);
  return next == nullptr ? nullptr : next->task();
}

void TaskQueue::pop() {
  Node* next = taken_.load(std::memory_order_relaxed)->next.load(std::memory_order_relaxed);
  next->kept = std::move(next->task()->keeps);
  next->task()->~Task();
  popped_.store(popped_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  taken_.store(next, std::memory_order_release);
}

TaskQueue::Node* TaskQueue::unused_node() {
  if (oldest_ == known_taken_ && nodes_ >= kFewest) {
    known_taken_ = taken_.load(std::memory_order_acquire);
    const std::uint64_t queued = pushed_ - popped_.load(std::memory_order_relaxed);
    const std::uint64_t unused = nodes_ - 1 - queued;
    if (unused > kMostUnused) drop_nodes(unused - kMostUnused);
  }
  if (oldest_ != known_taken_) return std::exchange(oldest_, oldest_->next.load());
  Node* node = new Node;
  ++nodes_;
  return node;
}

void TaskQueue::drop_nodes(std::uint64_t count) {
  for (; count > 0 && oldest_ != known_taken_; --count) {
    delete std::exchange(oldest_, oldest_->next.load());
    --nodes_;
  }
}

}  // namespace pyaclnn::sim
