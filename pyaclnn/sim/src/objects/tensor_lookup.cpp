// SPDX-License-Identifier: MIT
#include "objects/tensor_lookup.hpp"

#include "core/per_thread.hpp"

namespace pyaclnn::sim {

TensorLookup::Found TensorLookup::look_up(Entry& entry, const void* handle) {
  if (entry.tensor != nullptr) {
    left_[next_left_] = {std::move(entry.tensor), std::move(entry.meta)};
    next_left_ = (next_left_ + 1) % kKept;
  }
  entry = Entry();
  // Counted before the look, so that whatever changes from now on is noticed.
  const std::uint64_t removals = tensors().removals();
  std::shared_ptr<Tensor> tensor = tensors().find(handle);
  if (tensor == nullptr) return {nullptr, nullptr};
  entry.changes = tensor->changes();
  entry.meta = tensor->meta();
  entry.tensor = std::move(tensor);
  entry.removals = removals;
  entry.handle = handle;
  return {entry.tensor.get(), entry.meta.get()};
}

TensorLookup& tensor_lookup() { return per_thread<TensorLookup>(); }

}  // namespace pyaclnn::sim
