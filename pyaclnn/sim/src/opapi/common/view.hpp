// Strided views and the loop order over several of them.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "acl/acl_base.h"
#include "objects/dims.hpp"

namespace pyaclnn::sim {

/// An operand as a kernel sees it; strides and offset count elements.
struct View {
  std::size_t operand = 0;  // index into KernelMemory::operands
  aclDataType dtype = ACL_DT_UNDEFINED;
  std::int64_t offset = 0;
  Dims shape;
  Dims strides;
};

/// The view with the shape of a broadcast result: extents of 1 repeat their element.
View broadcast_view(const View& view, const Dims& shape);

/// The view with two axes exchanged.
View exchanged(View view, std::size_t i, std::size_t j);

/// Nested loops over several views of one shape, in as few dimensions as possible.
///
/// Extents of 1 are gone, dimensions are ordered by the strides of the first view, and those that
/// lie behind one another in every view are merged. At least one dimension is left.
struct LoopNest {
  std::vector<std::int64_t> extents;               // outermost first
  std::vector<std::vector<std::int64_t>> strides;  // of each view, per dimension
  std::int64_t count = 1;                          // product of the extents

  std::int64_t inner_extent() const { return extents.back(); }
  std::int64_t inner_stride(std::size_t view) const { return strides[view].back(); }
};

/// `views` have one shape; the first is the one to write.
LoopNest plan_loops(const std::vector<View>& views);

/// A place in a LoopNest: the element offset of every view.
class LoopCursor {
 public:
  LoopCursor(const LoopNest& nest, std::int64_t position);

  std::int64_t offset(std::size_t view) const { return offsets_[view]; }
  /// Elements left in the innermost dimension.
  std::int64_t left_in_row() const { return nest_.inner_extent() - index_.back(); }
  /// The same of the dimension around it, which there must be.
  std::int64_t rows_left() const { return *(nest_.extents.end() - 2) - *(index_.end() - 2); }
  /// Moves on by at most left_in_row() elements, or from the beginning of a row by whole ones, of
  /// which there are at most rows_left().
  void advance(std::int64_t elements);

 private:
  const LoopNest& nest_;
  std::vector<std::int64_t> index_;
  std::vector<std::int64_t> offsets_;
};

}  // namespace pyaclnn::sim
