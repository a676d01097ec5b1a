// aclTensor: a description of device memory, never its owner.
// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "acl/acl_base.h"
#include "core/handle_table.hpp"
#include "objects/dims.hpp"

namespace pyaclnn::sim {

/// Everything about a tensor but its address. Strides and offset count elements.
struct TensorMeta {
  Dims shape;
  Dims strides;
  Dims storage_shape;
  std::int64_t offset = 0;
  aclDataType dtype = ACL_DT_UNDEFINED;
  aclFormat format = ACL_FORMAT_UNDEFINED;
  /// All of the above in bytes, for the op cache: written once, as plans are looked up often.
  std::string key;

  SIM_API void write_key();
  std::int64_t elements() const { return shape.product(); }
  bool is_empty() const { return elements() == 0; }
  /// As CANN decides it: extents of 1 do not count, at most one element is always contiguous,
  /// private formats are never strided.
  SIM_API bool is_contiguous() const;
};

/// Extremes of the element indices a view reaches, relative to the start of the storage.
struct Reach {
  std::int64_t first = 0;
  std::int64_t last = -1;  // below first: nothing is reached
  bool empty() const { return last < first; }
};

/// Where a view lies in its storage; saturates when indices do not fit 64 bits.
SIM_API Reach reach_of(const TensorMeta& meta);

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
