// Large memory that a kernel needs while it runs, kept for the next ones: pages that are given back
// are cleared by the system before anybody has them again, which took a quarter of the time of a
// model's convolutions.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace pyaclnn::sim {

/// Memory from the beginning of a cache line on, whatever was in it.
void* take_scratch(std::size_t bytes);
void give_scratch(void* memory, std::size_t bytes) noexcept;

/// An array that is written before it is read.
template <class T>
class Scratch {
 public:
  static_assert(std::is_trivial_v<T>);

  /// None.
  Scratch() = default;
  explicit Scratch(std::int64_t count)
      : values_(static_cast<T*>(take_scratch(std::size_t(count) * sizeof(T))),
                Give{std::size_t(count) * sizeof(T)}) {}

  T* data() const { return values_.get(); }
  explicit operator bool() const { return values_ != nullptr; }

 private:
  struct Give {
    std::size_t bytes = 0;
    void operator()(T* values) const noexcept { give_scratch(values, bytes); }
  };

  std::unique_ptr<T[], Give> values_;
};

}  // namespace pyaclnn::sim
