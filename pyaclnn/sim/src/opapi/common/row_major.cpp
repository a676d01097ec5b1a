// SPDX-License-Identifier: MIT
#include "opapi/common/row_major.hpp"

#include <algorithm>
#include <cstring>

#include "objects/dtype.hpp"

namespace pyaclnn::sim {

RowMajor::RowMajor(const View& view)
    : operand_(view.operand),
      offset_(view.offset),
      element_size_(static_cast<std::int64_t>(dtype_size(view.dtype))),
      count_(view.shape.product()),
      dtype_(view.dtype),
      load_(loader<float>(view.dtype)),
      store_(storer<float>(view.dtype, Rounding::kNearestEven)) {
  // Extents beside one of 0 may have any product.
  for (std::size_t i = 0; count_ != 0 && i < view.shape.size(); ++i) {
    const std::int64_t extent = view.shape[i];
    const std::int64_t stride = view.strides[i];
    if (extent == 1) continue;
    if (!extents_.empty() && strides_.back() == stride * extent) {
      extents_.back() *= extent;
      strides_.back() = stride;
    } else {
      extents_.push_back(extent);
      strides_.push_back(stride);
    }
  }
  if (extents_.empty()) {
    extents_.push_back(1);
    strides_.push_back(1);
  }
  if (extents_.size() == 1 && strides_.back() == 1) array_type_ = view.dtype;
}

/// Calls body(element offset, elements, their stride) for pieces of the innermost axis.
template <class Body>
void RowMajor::for_each_run(std::int64_t position, std::int64_t count, Body body) const {
  const std::int64_t length = extents_.back();
  while (count > 0) {
    const std::int64_t in_run = position % length;
    std::int64_t outer = position / length;
    std::int64_t offset = in_run * strides_.back();
    for (std::size_t i = extents_.size() - 1; i-- > 0 && outer != 0;) {
      offset += outer % extents_[i] * strides_[i];
      outer /= extents_[i];
    }
    const std::int64_t take = std::min(length - in_run, count);
    body(offset, take, strides_.back());
    position += take;
    count -= take;
  }
}

RowMajorAccess::RowMajorAccess(const RowMajor& layout, const KernelMemory& memory)
    : layout_(layout),
      base_(layout.given()
                ? memory.operands[layout.operand_] + layout.offset_ * layout.element_size_
                : nullptr) {}

void RowMajorAccess::load(std::int64_t position, std::int64_t count, float* to) const {
  layout_.for_each_run(position, count,
                       [&](std::int64_t offset, std::int64_t take, std::int64_t stride) {
                         layout_.load_(base_ + offset * layout_.element_size_, stride, take, to);
                         to += take;
                       });
}

void RowMajorAccess::write(std::int64_t position, std::int64_t count, const float* values) const {
  if (layout_.is_float_array()) {
    float* place = reinterpret_cast<float*>(base_) + position;
    if (place != values) std::memcpy(place, values, std::size_t(count) * sizeof(float));
    return;
  }
  layout_.for_each_run(
      position, count, [&](std::int64_t offset, std::int64_t take, std::int64_t stride) {
        layout_.store_(values, take, base_ + offset * layout_.element_size_, stride);
        values += take;
      });
}

std::vector<float> RowMajorAccess::values() const {
  std::vector<float> result(static_cast<std::size_t>(layout_.count_));
  if (result.empty()) return result;
  if (layout_.is_float_array()) {
    std::memcpy(result.data(), base_, result.size() * sizeof(float));
  } else {
    load(0, layout_.count_, result.data());
  }
  return result;
}

}  // namespace pyaclnn::sim
