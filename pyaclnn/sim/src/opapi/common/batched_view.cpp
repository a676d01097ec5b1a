// SPDX-License-Identifier: MIT
#include "opapi/common/batched_view.hpp"

#include "objects/dtype.hpp"

namespace pyaclnn::sim {

void BatchedView::Axes::add(std::int64_t extent, std::int64_t stride) {
  extents.push_back(extent);
  strides.push_back(stride);
  count *= extent;
}

std::int64_t BatchedView::Axes::at(std::int64_t position) const {
  std::int64_t offset = 0;
  for (std::size_t i = extents.size(); i-- > 0;) {
    offset += position % extents[i] * strides[i];
    position /= extents[i];
  }
  return offset;
}

BatchedView::BatchedView(const View& view, std::size_t trailing)
    : operand_(view.operand),
      offset_(view.offset),
      dtype_(view.dtype),
      element_size_(static_cast<std::int64_t>(dtype_size(view.dtype))) {
  const std::size_t leading = view.shape.size() - trailing;
  for (std::size_t i = 0; i < view.shape.size(); ++i)
    (i < leading ? outer_ : inner_).add(view.shape[i], view.strides[i]);
  std::int64_t expected = 1;
  for (std::size_t i = trailing; i-- > 0;) {
    if (inner_.extents[i] != 1 && inner_.strides[i] != expected) is_packed_ = false;
    expected *= inner_.extents[i];
  }
}

void BatchedView::load(LoadFn load, const std::byte* from, std::size_t compute_size,
                       void* to) const {
  if (is_packed_) return load(from, 1, size(), to);
  std::byte* target = static_cast<std::byte*>(to);
  for (std::int64_t row = 0; row < rows(); ++row) {
    load(from + row_bytes(row), row_stride(), row_length(), target);
    target += std::size_t(row_length()) * compute_size;
  }
}

void BatchedView::store(StoreFn store, const void* from, std::size_t compute_size,
                        std::byte* to) const {
  if (is_packed_) return store(from, size(), to, 1);
  const std::byte* source = static_cast<const std::byte*>(from);
  for (std::int64_t row = 0; row < rows(); ++row) {
    store(source, row_length(), to + row_bytes(row), row_stride());
    source += std::size_t(row_length()) * compute_size;
  }
}

}  // namespace pyaclnn::sim
