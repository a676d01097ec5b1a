// A tensor cut into planes: leading axes number the planes, trailing axes lie inside them.
//
// Kernels that work on images, volumes or sequences take one plane at a time, as packed compute
// values, whatever the strides and the element type.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "objects/prepared_call.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/view.hpp"

namespace pyaclnn::sim {

class BatchedView {
 public:
  BatchedView() = default;
  /// The last `trailing` axes of `view` make a plane; at least one, at most all.
  BatchedView(const View& view, std::size_t trailing);

  std::int64_t count() const { return outer_.count; }
  /// Elements of a plane, and of its innermost axis.
  std::int64_t size() const { return inner_.count; }
  std::int64_t row_length() const { return inner_.inner(); }
  std::int64_t rows() const { return inner_.count == 0 ? 0 : inner_.count / inner_.inner(); }
  std::int64_t row_stride() const { return inner_.strides.back(); }
  /// Whether the elements of a plane lie behind one another.
  bool is_packed() const { return is_packed_; }
  /// Whether a plane is an array of float, double, ...: nothing to convert, nothing to gather.
  bool is_array_of(aclDataType dtype) const { return is_packed_ && dtype_ == dtype; }

  std::byte* base(const KernelMemory& memory) const {
    return memory.operands[operand_] + offset_ * element_size_;
  }
  /// Where a plane starts, from base().
  std::int64_t plane_bytes(std::int64_t plane) const { return outer_.at(plane) * element_size_; }
  /// Where a row starts, from the start of its plane.
  std::int64_t row_bytes(std::int64_t row) const {
    return inner_.at(row * inner_.inner()) * element_size_;
  }

  /// Reads a plane that starts at `from` into packed compute values.
  void load(LoadFn load, const std::byte* from, std::size_t compute_size, void* to) const;
  /// Writes packed compute values to a plane that starts at `to`.
  void store(StoreFn store, const void* from, std::size_t compute_size, std::byte* to) const;

 private:
  struct Axes {
    std::vector<std::int64_t> extents;
    std::vector<std::int64_t> strides;
    std::int64_t count = 1;

    std::int64_t inner() const { return extents.empty() ? 1 : extents.back(); }
    void add(std::int64_t extent, std::int64_t stride);
    /// Element offset of a position in row-major order.
    std::int64_t at(std::int64_t position) const;
  };

  std::size_t operand_ = 0;
  std::int64_t offset_ = 0;
  aclDataType dtype_ = ACL_DT_UNDEFINED;
  std::int64_t element_size_ = 0;
  bool is_packed_ = true;
  Axes outer_;
  Axes inner_;
};

}  // namespace pyaclnn::sim
