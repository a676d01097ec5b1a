// aclTensor: a description of device memory, never its owner.
// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "core/handle_table.hpp"
#include "objects/tensor_meta.hpp"

namespace pyaclnn::sim {

class Tensor {
 public:
  Tensor(std::shared_ptr<const TensorMeta> meta, void* address)
      : meta_(std::move(meta)), address_(address) {}

  /// The description at this moment: aclInitTensor may replace it later.
  std::shared_ptr<const TensorMeta> meta() const {
    Lock lock(busy_);
    return meta_;
  }
  void set_meta(std::shared_ptr<const TensorMeta> meta) {
    Lock lock(busy_);
    meta_.swap(meta);
    changes_.fetch_add(1, std::memory_order_release);
  }
  /// How often the description was replaced.
  std::uint32_t changes() const { return changes_.load(std::memory_order_acquire); }

  void* address() const { return address_.load(std::memory_order_acquire); }
  void set_address(void* address) { address_.store(address, std::memory_order_release); }

 private:
  // std::atomic_load(&meta_) takes a mutex that all shared pointers of the process share.
  class Lock {
   public:
    explicit Lock(std::atomic_flag& busy) : busy_(busy) {
      while (busy_.test_and_set(std::memory_order_acquire)) {
      }
    }
    ~Lock() { busy_.clear(std::memory_order_release); }

   private:
    std::atomic_flag& busy_;
  };

  mutable std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
  std::shared_ptr<const TensorMeta> meta_;
  std::atomic<void*> address_;
  std::atomic<std::uint32_t> changes_{0};
};

SIM_API HandleTable<Tensor>& tensors();

}  // namespace pyaclnn::sim
