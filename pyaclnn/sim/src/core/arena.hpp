// Best-fit allocator over a range of offsets; holds no memory itself.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace pyaclnn::sim {

/// Free blocks are joined with neighbours that hold pages as they do, with all others when nothing
/// else fits. Not thread-safe: its owner locks.
class Arena {
 public:
  static constexpr std::size_t kNone = ~std::size_t(0);

  explicit Arena(std::size_t size);

  /// Offset of a block of `size` bytes, or kNone.
  std::size_t take(std::size_t size);
  void give_back(std::size_t offset, std::size_t size);

  std::size_t free_bytes() const { return free_bytes_; }
  std::size_t largest_free() const;

  /// Bytes of free blocks that were in use since the last release_pages(), hence hold pages.
  std::size_t dirty_bytes() const { return dirty_bytes_; }

  /// Calls release(offset, size) for each free block that still holds pages.
  void release_pages(const std::function<void(std::size_t, std::size_t)>& release);

 private:
  struct Free {
    std::size_t size;
    bool dirty;
  };
  using ByOffset = std::map<std::size_t, Free>;

  void join_all();
  void insert(std::size_t offset, Free block);
  ByOffset::iterator erase(ByOffset::iterator block);

  ByOffset by_offset_;
  std::set<std::pair<std::size_t, std::size_t>> by_size_;  // size, offset
  std::size_t free_bytes_ = 0;
  std::size_t dirty_bytes_ = 0;
};

}  // namespace pyaclnn::sim
