// The rows of an operand, along its last axis, as floats.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/batched_view.hpp"

namespace pyaclnn::sim {

/// `count` values of the last axis, from one on.
inline View columns_of(View view, std::int64_t first, std::int64_t count) {
  view.offset += first * view.strides[view.strides.size() - 1];
  view.shape.set(view.shape.size() - 1, count);
  return view;
}

class StoredRows {
 public:
  StoredRows() = default;
  explicit StoredRows(const View& view)
      : planes_(view, 1),
        load_(loader<float>(view.dtype)),
        store_(storer<float>(view.dtype, Rounding::kNearestEven)) {}

  bool given() const { return load_ != nullptr; }
  std::int64_t count() const { return planes_.count(); }
  std::int64_t length() const { return planes_.row_length(); }

  void load(const KernelMemory& memory, std::int64_t row, float* to) const {
    planes_.load(load_, planes_.base(memory) + planes_.plane_bytes(row), sizeof(float), to);
  }
  void store(const KernelMemory& memory, std::int64_t row, const float* from) const {
    planes_.store(store_, from, sizeof(float), planes_.base(memory) + planes_.plane_bytes(row));
  }

 private:
  BatchedView planes_;
  LoadFn load_ = nullptr;
  StoreFn store_ = nullptr;
};

}  // namespace pyaclnn::sim
