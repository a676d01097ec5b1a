// Single elements of a view, for kernels that look at few of them.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "objects/dtype.hpp"
#include "objects/launch.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/view.hpp"

namespace pyaclnn::sim {

/// Reads and writes elements as T, by their offset from the first one.
template <class T>
class Elements {
 public:
  explicit Elements(const View& view)
      : view_(view),
        size_(std::int64_t(dtype_size(view.dtype))),
        load_(loader<T>(view.dtype)),
        store_(storer<T>(view.dtype, Rounding::kNearestEven)) {}

  T read(const KernelMemory& memory, std::int64_t offset) const {
    T value;
    load_(at(memory, offset), 1, 1, &value);
    return value;
  }
  void write(const KernelMemory& memory, std::int64_t offset, T value) const {
    store_(&value, 1, at(memory, offset), 1);
  }
  std::size_t rank() const { return view_.shape.size(); }
  /// Of the axis counted from the last one, which is 1; 0 where there is none.
  std::int64_t stride(std::size_t from_the_end) const {
    const std::size_t rank = view_.strides.size();
    return rank < from_the_end ? 0 : view_.strides[rank - from_the_end];
  }

 private:
  std::byte* at(const KernelMemory& memory, std::int64_t offset) const {
    return memory.operands[view_.operand] + (view_.offset + offset) * size_;
  }

  View view_;
  std::int64_t size_;
  LoadFn load_;
  StoreFn store_;
};

/// All elements of a view in row-major order.
template <class T>
std::vector<T> values_of(const View& view, const KernelMemory& memory) {
  const Elements<T> elements(view);
  std::vector<T> result(std::size_t(view.shape.product()));
  std::vector<std::int64_t> index(view.shape.size());
  std::int64_t offset = 0;
  for (T& value : result) {
    value = elements.read(memory, offset);
    for (std::size_t axis = index.size(); axis-- > 0;) {
      offset += view.strides[axis];
      if (++index[axis] < view.shape[axis]) break;
      offset -= view.shape[axis] * view.strides[axis];
      index[axis] = 0;
    }
  }
  return result;
}

}  // namespace pyaclnn::sim
