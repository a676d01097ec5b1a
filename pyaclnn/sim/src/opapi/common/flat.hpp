// The elements of a view by their row-major position, as bytes: for kernels that move elements and
// do not look at them.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "opapi/common/plan.hpp"
#include "opapi/common/view.hpp"

namespace pyaclnn::sim {

class FlatView {
 public:
  FlatView() = default;
  explicit FlatView(const View& view);

  std::int64_t count() const { return count_; }
  std::int64_t element_size() const { return size_; }
  /// Bytes from an element to the next one of its run.
  std::int64_t step() const { return strides_.back() * size_; }
  /// Elements from a position to the end of its run.
  std::int64_t left_in_run(std::int64_t position) const {
    return extents_.back() - position % extents_.back();
  }
  /// Where an element lies.
  std::byte* at(const KernelMemory& memory, std::int64_t position) const;

 private:
  std::size_t operand_ = 0;
  std::int64_t offset_ = 0;
  std::int64_t size_ = 1;
  std::int64_t count_ = 0;
  // Axes that lie behind one another are one; at least one is left.
  std::vector<std::int64_t> extents_ = {1};
  std::vector<std::int64_t> strides_ = {1};
};

/// Copies `count` elements of `size` bytes, or zeroes them.
void copy_elements(std::byte* to, std::int64_t to_step, const std::byte* from,
                   std::int64_t from_step, std::int64_t count, std::int64_t size);
void zero_elements(std::byte* to, std::int64_t step, std::int64_t count, std::int64_t size);

/// Plans a copy of `count` elements from one position on to another, of views of one element size.
void launch_flat_copy(Plan& plan, const View& to, std::int64_t to_begin, const View& from,
                      std::int64_t from_begin, std::int64_t count);

}  // namespace pyaclnn::sim
