// The elements of a view along one axis or several, as lines: one for every position of the others.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "objects/dtype.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/common/reduction_walk.hpp"

namespace pyaclnn::sim {

class Lines {
 public:
  Lines() = default;
  Lines(const View& view, AxisMask axes) : view_(view) {
    size_ = std::int64_t(dtype_size(view.dtype));
    for (std::size_t i = 0; i < view.shape.size(); ++i)
      (((axes >> i) & 1) != 0 ? along_ : others_).add(view.shape[i], view.strides[i]);
  }

  std::int64_t count() const { return others_.count; }
  std::int64_t length() const { return along_.count; }
  std::int64_t element_size() const { return size_; }

  std::byte* begin(const KernelMemory& memory, std::int64_t line) const {
    return first_element(memory, view_, others_.at(line));
  }
  /// Bytes from the begin of a line to one of its elements.
  std::int64_t offset(std::int64_t place) const { return along_.at(place) * size_; }
  bool lies_along_one_axis() const { return along_.extents.size() <= 1; }
  /// Elements between neighbours of a line that lies along one axis.
  std::int64_t step() const { return along_.strides.empty() ? 1 : along_.strides.back(); }

  /// Calls body(first place, element offset, step, count) for each stretch of a line that lies
  /// along one axis.
  template <class Body>
  void for_each_stretch(std::int64_t begin, std::int64_t end, Body body) const {
    const std::int64_t run = along_.extents.empty() ? 1 : along_.extents.back();
    while (begin < end) {
      const std::int64_t count = std::min(end - begin, run - begin % run);
      body(begin, along_.at(begin), step(), count);
      begin += count;
    }
  }

 private:
  View view_;
  std::int64_t size_ = 1;
  AxisGroup along_;
  AxisGroup others_;
};

/// The axis `dim` of a tensor as a mask; a scalar has one of length 1.
inline AxisMask one_axis(std::size_t axis) { return AxisMask(1) << axis; }

}  // namespace pyaclnn::sim
