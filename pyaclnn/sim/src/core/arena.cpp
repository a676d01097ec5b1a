// SPDX-License-Identifier: MIT
#include "core/arena.hpp"

#include <iterator>

namespace pyaclnn::sim {

Arena::Arena(std::size_t size) { insert(0, {size, false}); }

std::size_t Arena::take(std::size_t size) {
  auto fit = by_size_.lower_bound({size, 0});
  if (fit == by_size_.end()) {
    if (free_bytes_ < size) return kNone;
    join_all();
    fit = by_size_.lower_bound({size, 0});
    if (fit == by_size_.end()) return kNone;
  }
  auto block = by_offset_.find(fit->second);
  std::size_t offset = block->first;
  Free rest = block->second;
  erase(block);
  if (rest.size > size) insert(offset + size, {rest.size - size, rest.dirty});
  return offset;
}

void Arena::give_back(std::size_t offset, std::size_t size) {
  Free joined{size, true};
  auto next = by_offset_.lower_bound(offset);
  if (next != by_offset_.end() && next->first == offset + size && next->second.dirty) {
    joined.size += next->second.size;
    next = erase(next);
  }
  if (next != by_offset_.begin()) {
    auto previous = std::prev(next);
    if (previous->first + previous->second.size == offset && previous->second.dirty) {
      offset = previous->first;
      joined.size += previous->second.size;
      erase(previous);
    }
  }
  insert(offset, joined);
}

void Arena::join_all() {
  for (auto block = by_offset_.begin(); block != by_offset_.end();) {
    auto next = std::next(block);
    if (next == by_offset_.end() || block->first + block->second.size != next->first) {
      block = next;
      continue;
    }
    std::size_t offset = block->first;
    Free joined{block->second.size + next->second.size, block->second.dirty || next->second.dirty};
    erase(block);
    erase(next);
    insert(offset, joined);
    block = by_offset_.find(offset);
  }
}

std::size_t Arena::largest_free() const { return by_size_.empty() ? 0 : by_size_.rbegin()->first; }

void Arena::release_pages(const std::function<void(std::size_t, std::size_t)>& release) {
  for (auto& [offset, block] : by_offset_) {
    if (!block.dirty) continue;
    release(offset, block.size);
    block.dirty = false;
  }
  dirty_bytes_ = 0;
  join_all();
}

void Arena::insert(std::size_t offset, Free block) {
  by_offset_.emplace(offset, block);
  by_size_.emplace(block.size, offset);
  free_bytes_ += block.size;
  if (block.dirty) dirty_bytes_ += block.size;
}

Arena::ByOffset::iterator Arena::erase(ByOffset::iterator block) {
  by_size_.erase({block->second.size, block->first});
  free_bytes_ -= block->second.size;
  if (block->second.dirty) dirty_bytes_ -= block->second.size;
  return by_offset_.erase(block);
}

}  // namespace pyaclnn::sim
