// Objects that a program holds by address: what it passes is looked up before it is touched, so
// that a stale or made-up address is an error.
// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "core/status.hpp"

namespace pyaclnn::sim {

template <class T>
class LiveObjects {
 public:
  /// `type` is what messages call an object.
  explicit LiveObjects(const char* type) : type_(type) {}

  /// Keeps a new object, and gives its address.
  void* add(std::shared_ptr<T> object) {
    std::lock_guard<std::mutex> guard(mutex_);
    void* address = object.get();
    objects_[address] = std::move(object);
    return address;
  }

  /// Failure(code) for anything but the address of a live object.
  std::shared_ptr<T> get(const void* address, int code) const {
    std::lock_guard<std::mutex> guard(mutex_);
    const auto found = objects_.find(address);
    if (found == objects_.end()) fail(code, "%p is no live %s", address, type_);
    return found->second;
  }

  void remove(const void* address, int code) {
    std::lock_guard<std::mutex> guard(mutex_);
    if (objects_.erase(address) == 0) fail(code, "%p is no live %s", address, type_);
  }

 private:
  const char* const type_;
  mutable std::mutex mutex_;
  std::map<const void*, std::shared_ptr<T>> objects_;
};

}  // namespace pyaclnn::sim
