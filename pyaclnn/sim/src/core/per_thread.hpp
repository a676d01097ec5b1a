// Objects of which each thread has its own.
// SPDX-License-Identifier: MIT
#pragma once

namespace pyaclnn::sim {

/// This thread's `T`, made when it is first asked for.
///
/// Threads may call the library while their thread_local objects are torn down: what is asked for
/// then is made anew, and stays behind.
template <class T>
T& per_thread() {
  static thread_local T* object = nullptr;
  if (__builtin_expect(object == nullptr, 0)) {
    struct Owner {
      ~Owner() {
        delete object;
        object = nullptr;
      }
    };
    static thread_local Owner owner;
    static_cast<void>(&owner);  // constructs it
    object = new T;
  }
  return *object;
}

}  // namespace pyaclnn::sim
