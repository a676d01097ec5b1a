// Pages behind device memory that can be mapped several times, and by several processes.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace pyaclnn::sim {

/// The number by which another process finds pages.
struct Exported {
  std::uint64_t number;
};

/// A file in memory: the pages, and one more that says who may open it.
class SharedPages {
 public:
  /// New pages, zero; Failure(207001) without room.
  explicit SharedPages(std::size_t size);
  /// Pages that another process exported. Failure(107000) where there are none, and where this
  /// process may not have them.
  explicit SharedPages(Exported exported);
  ~SharedPages();
  SharedPages(const SharedPages&) = delete;
  SharedPages& operator=(const SharedPages&) = delete;

  std::size_t size() const { return size_; }
  /// Maps all pages at an address of a reservation.
  void map(void* address) const;

  Exported exported() const;
  void open_to_all();
  void allow(std::int32_t process);

 private:
  struct Card;
  void map_card();

  int file_ = -1;
  std::size_t size_ = 0;
  Card* card_ = nullptr;
};

}  // namespace pyaclnn::sim
