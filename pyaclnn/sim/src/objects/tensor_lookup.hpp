// The tensors a thread has used lately, found without atomic operations.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "objects/tensor.hpp"

namespace pyaclnn::sim {

/// Looks tensors up for the calls of one thread. Programs use the same few again and again; a
/// look-up in the table of handles, which other threads change, takes seven atomic operations for
/// each tensor of a call: 0.1 us of the 0.5 that both phases take with three.
class TensorLookup {
 public:
  /// A tensor and its description at this moment. They live until kKept other tensors were looked
  /// up, also if another thread destroys the tensor meanwhile.
  struct Found {
    Tensor* tensor;
    const TensorMeta* meta;
  };
  /// More than the tensors of the lists of a few calls.
  static constexpr std::size_t kKept = 512;

  /// `tensor` is null where the handle stands for no live tensor.
  Found find(const void* handle) {
    Entry& entry = entries_[reinterpret_cast<std::uintptr_t>(handle) % kKept];
    if (entry.handle != handle || entry.removals != tensors().removals() ||
        entry.changes != entry.tensor->changes())
      return look_up(entry, handle);
    return {entry.tensor.get(), entry.meta.get()};
  }

 private:
  static constexpr std::uint64_t kNever = ~std::uint64_t(0);
  struct Entry {
    const void* handle = nullptr;
    std::uint64_t removals = kNever;  // from the table when the handle was found there
    std::uint32_t changes = 0;        // of the tensor when the description was read
    std::shared_ptr<Tensor> tensor;
    std::shared_ptr<const TensorMeta> meta;
  };

  SIM_API Found look_up(Entry& entry, const void* handle);

  std::array<Entry, kKept> entries_;
  // What entries held before.
  std::array<std::pair<std::shared_ptr<Tensor>, std::shared_ptr<const TensorMeta>>, kKept> left_;
  std::size_t next_left_ = 0;
};

SIM_API TensorLookup& tensor_lookup();

}  // namespace pyaclnn::sim
