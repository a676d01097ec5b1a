// aclTensor: a description of device memory, never its owner.
// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

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
  std::shared_ptr<const TensorMeta> meta() const { return std::atomic_load(&meta_); }
  void set_meta(std::shared_ptr<const TensorMeta> meta) {
    std::atomic_store(&meta_, std::move(meta));
  }

  void* address() const { return address_.load(std::memory_order_acquire); }
  void set_address(void* address) { address_.store(address, std::memory_order_release); }

 private:
  std::shared_ptr<const TensorMeta> meta_;
  std::atomic<void*> address_;
};

SIM_API HandleTable<Tensor>& tensors();

}  // namespace pyaclnn::sim
