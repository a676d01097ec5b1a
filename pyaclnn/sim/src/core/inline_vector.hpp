// A list of plain values that does without the heap while it is short.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace pyaclnn::sim {

/// As std::vector, with room for `kInline` values in place. Memory taken by the thread that submits
/// and freed by the stream's has the two wait for each other: without it, and with a queue of nodes
/// that stay (core/task_queue.hpp), the two calls of an operator take 0.7 us in place of 1.3.
template <class T, std::size_t kInline>
class InlineVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  InlineVector() {}
  InlineVector(const InlineVector& other) { assign(other.data(), other.size_); }
  InlineVector(InlineVector&& other) noexcept { take(other); }
  InlineVector& operator=(const InlineVector& other) {
    if (this != &other) assign(other.data(), other.size_);
    return *this;
  }
  InlineVector& operator=(InlineVector&& other) noexcept {
    if (this != &other) take(other);
    return *this;
  }
  ~InlineVector() = default;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return more_ ? more_.get() : in_place(); }
  const T* data() const { return const_cast<InlineVector*>(this)->data(); }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }

  void push_back(T value) {
    if (size_ == capacity_) grow(size_ + 1);
    data()[size_++] = value;
  }

  /// New values are value-initialised.
  void resize(std::size_t size) {
    if (size > capacity_) grow(size);
    if (size > size_) std::fill(data() + size_, data() + size, T());
    size_ = size;
  }

 private:
  void grow(std::size_t least) {
    const std::size_t capacity = std::max(least, capacity_ * 2);
    std::unique_ptr<T[]> more(new T[capacity]);
    std::copy_n(data(), size_, more.get());
    more_ = std::move(more);
    capacity_ = capacity;
  }

  void assign(const T* values, std::size_t size) {
    size_ = 0;
    if (size > capacity_) grow(size);
    std::copy_n(values, size, data());
    size_ = size;
  }

  void take(InlineVector& other) {
    more_ = std::move(other.more_);
    capacity_ = std::exchange(other.capacity_, kInline);
    size_ = std::exchange(other.size_, 0);
    if (!more_) std::copy_n(other.in_place(), size_, in_place());
  }

  T* in_place() { return reinterpret_cast<T*>(room_); }

  std::size_t size_ = 0;
  std::size_t capacity_ = kInline;
  std::unique_ptr<T[]> more_;
  // Bytes, for values would be initialised, and most of them are never used.
  alignas(T) std::byte room_[kInline * sizeof(T)];
};

}  // namespace pyaclnn::sim
