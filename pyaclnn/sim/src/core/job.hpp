// What a task of a stream does.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace pyaclnn::sim {

/// A function without parameters that returns a status. As std::function, but it moves only, and
/// keeps larger callables in place: an operator's run, which is submitted more often than all else,
/// takes no memory from the heap.
class Job {
 public:
  Job() = default;

  template <class Function, class = std::enable_if_t<!std::is_same_v<std::decay_t<Function>, Job>>>
  Job(Function&& function) {  // NOLINT: converts as std::function does
    using Kept = std::decay_t<Function>;
    if constexpr (sizeof(Kept) <= kRoom && alignof(Kept) <= alignof(std::max_align_t) &&
                  std::is_nothrow_move_constructible_v<Kept>) {
      ::new (room_) Kept(std::forward<Function>(function));
      actions_ = &kActions<Kept>;
    } else {
      auto pointed = [kept = std::make_unique<Kept>(std::forward<Function>(function))] {
        return (*kept)();
      };
      ::new (room_) decltype(pointed)(std::move(pointed));
      actions_ = &kActions<decltype(pointed)>;
    }
  }

  Job(Job&& other) noexcept { take(other); }
  Job& operator=(Job&& other) noexcept {
    if (this != &other) {
      clear();
      take(other);
    }
    return *this;
  }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  ~Job() { clear(); }

  /// Calls the function; there must be one. It may be called again.
  int operator()() const { return actions_->call(room_); }

 private:
  struct Actions {
    int (*call)(const void* function);
    void (*move)(void* from, void* to) noexcept;  // ends the one at `from`
    void (*destroy)(void* function) noexcept;
  };

  template <class Kept>
  static constexpr Actions kActions = {
      [](const void* function) -> int { return (*static_cast<const Kept*>(function))(); },
      [](void* from, void* to) noexcept {
        Kept& kept = *static_cast<Kept*>(from);
        ::new (to) Kept(std::move(kept));
        kept.~Kept();
      },
      [](void* function) noexcept { static_cast<Kept*>(function)->~Kept(); },
  };

  void take(Job& other) noexcept {
    actions_ = std::exchange(other.actions_, nullptr);
    if (actions_ != nullptr) actions_->move(other.room_, room_);
  }

  void clear() noexcept {
    if (actions_ != nullptr) std::exchange(actions_, nullptr)->destroy(room_);
  }

  static constexpr std::size_t kRoom = 192;
  const Actions* actions_ = nullptr;
  alignas(std::max_align_t) std::byte room_[kRoom];
};

}  // namespace pyaclnn::sim
