// Rows of weights and of their scales, as floats, whatever their element type: of 4 bits, too.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "objects/dtype.hpp"
#include "objects/launch.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/narrow_numbers.hpp"
#include "opapi/common/view.hpp"

namespace pyaclnn::sim {

/// Reads rows of a matrix.
class QuantRows {
 public:
  explicit QuantRows(const View& view)
      : view_(view),
        size_(std::int64_t(dtype_size(view.dtype))),
        load_(loader<float>(view.dtype)) {}

  void read(const KernelMemory& memory, std::int64_t row, std::int64_t columns, float* to) const {
    const std::int64_t first = view_.offset + row * view_.strides[0];
    const std::byte* const from = memory.operands[view_.operand];
    if (is_half_byte(view_.dtype))
      read_halves(view_.dtype, from, first, view_.strides[1], columns, to);
    else
      load_(from + first * size_, view_.strides[1], columns, to);
  }

 private:
  View view_;
  std::int64_t size_;
  LoadFn load_;
};

}  // namespace pyaclnn::sim
