// The elements of an operand in row-major order, as floats, whatever its strides and element type.
//
// For kernels that walk their operands by position: a position is the index of an element in the
// flattened tensor.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "objects/prepared_call.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/view.hpp"

namespace pyaclnn::sim {

/// Where the elements of a view lie.
class RowMajor {
 public:
  RowMajor() = default;
  explicit RowMajor(const View& view);

  bool given() const { return store_ != nullptr; }
  std::int64_t count() const { return count_; }
  aclDataType dtype() const { return dtype_; }
  /// Whether the elements are floats that lie behind one another.
  bool is_float_array() const { return array_type_ == ACL_FLOAT; }
  /// The element type where the elements lie behind one another, else ACL_DT_UNDEFINED.
  aclDataType array_type() const { return array_type_; }

 private:
  friend class RowMajorAccess;

  template <class Body>
  void for_each_run(std::int64_t position, std::int64_t count, Body body) const;

  std::size_t operand_ = 0;
  std::int64_t offset_ = 0;
  std::int64_t element_size_ = 0;
  std::int64_t count_ = 0;
  aclDataType dtype_ = ACL_DT_UNDEFINED;
  aclDataType array_type_ = ACL_DT_UNDEFINED;
  LoadFn load_ = nullptr;
  StoreFn store_ = nullptr;
  // Axes that lie behind one another are one; at least one is left.
  std::vector<std::int64_t> extents_;
  std::vector<std::int64_t> strides_;
};

/// The elements themselves, in one run's memory.
class RowMajorAccess {
 public:
  RowMajorAccess(const RowMajor& layout, const KernelMemory& memory);

  bool given() const { return layout_.given(); }
  std::int64_t count() const { return layout_.count(); }
  aclDataType dtype() const { return layout_.dtype(); }
  aclDataType array_type() const { return layout_.array_type(); }

  /// `count` elements from `position` on: in place where they are an array of floats, else
  /// converted into `buffer`.
  const float* read(std::int64_t position, std::int64_t count, float* buffer) const {
    if (layout_.is_float_array()) return reinterpret_cast<const float*>(base_) + position;
    load(position, count, buffer);
    return buffer;
  }

  /// Where to put the elements from `position` on before write() is called with the same pointer:
  /// their place in memory where they are an array of floats, else `buffer`.
  float* target(std::int64_t position, float* buffer) const {
    return layout_.is_float_array() ? reinterpret_cast<float*>(base_) + position : buffer;
  }
  void write(std::int64_t position, std::int64_t count, const float* values) const;

  /// The place of an element, where they lie behind one another.
  std::byte* place(std::int64_t position) const { return base_ + position * layout_.element_size_; }

  /// All elements.
  std::vector<float> values() const;

 private:
  void load(std::int64_t position, std::int64_t count, float* to) const;

  const RowMajor& layout_;
  std::byte* base_;
};

}  // namespace pyaclnn::sim
