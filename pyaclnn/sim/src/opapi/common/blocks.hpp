// Tensors in the blocks of a matrix unit: where an element lies, and copies from and to rows.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>

#include "objects/launch.hpp"
#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// How many pieces of a size an extent takes, of any extents.
constexpr std::int64_t pieces(std::int64_t extent, std::int64_t size) {
  return extent / size + (extent % size != 0);
}

/// Where the elements of a tensor lie in a private format. One axis is cut into pieces of `width`
/// elements that follow one another; neighbours along any other axis, and pieces along this one,
/// are a stride apart.
struct Blocks {
  Dims shape;  // of the tensor
  Dims strides;
  std::size_t cut = 0;
  std::int64_t width = 1;
  Dims storage;               // the shape of the memory, with what fills the last blocks
  std::int64_t elements = 0;  // of the memory
};

/// The blocks of a tensor whose axes are those of the public format `axes`; none where the format
/// has no such tensors, or the memory would be larger than any.
std::optional<Blocks> blocks_of(int format, int axes, const Dims& shape, std::int64_t width);

/// Whether the format is FRACTAL_NZ, with whatever width of blocks.
bool is_nz(int format);

/// Refuses those tensors that are given and lie in FRACTAL_NZ.
void check_not_in_nz(const Check& check, std::initializer_list<const TensorArgument*> tensors);

/// The same of those in any private format.
void check_not_private(const Check& check, std::initializer_list<const TensorArgument*> tensors);

/// Elements across a block of FRACTAL_NZ: 32 bytes, unless the format names the number.
std::int64_t nz_width(int format, aclDataType dtype);

/// Copies elements that lie as `plain` has it from `from` into blocks that begin at `to`; what
/// fills the last ones is zero. The second one copies back.
void to_blocks(const View& plain, const Blocks& blocks, const std::byte* from, std::byte* to);
void from_blocks(const View& plain, const Blocks& blocks, const std::byte* from, std::byte* to);

/// Plans a copy of a tensor into blocks.
void copy_to_blocks(Plan& plan, const View& from, const View& to, const Blocks& blocks);

/// Plans a copy out of blocks.
void copy_from_blocks(Plan& plan, const View& from, const Blocks& blocks, const View& to);

/// The memory behind a tensor of a private format, as one row.
View reads_storage(Plan& plan, const TensorArgument& tensor, std::int64_t elements);
View writes_storage(Plan& plan, const TensorArgument& tensor, std::int64_t elements);

/// An operand that may lie in FRACTAL_NZ, for kernels that read strided ones: they run on a copy
/// in the workspace.
class PlainOperand {
 public:
  PlainOperand() = default;
  /// Refuses (161002) a storage that is not the shape's in blocks. `in_blocks` where the operator
  /// takes the tensor for one whatever format it names.
  PlainOperand(Plan& plan, const TensorArgument& tensor, bool in_blocks);
  PlainOperand(Plan& plan, const TensorArgument& tensor)
      : PlainOperand(plan, tensor, is_nz(tensor.meta().format)) {}

  const View& view() const { return view_; }
  /// The kernel, which finds the copy where it looks for the operand.
  Launch before(Launch kernel) const;

 private:
  View view_, stored_;
  std::optional<Blocks> blocks_;
  std::uint64_t copy_ = 0;  // in the workspace
};

/// Whether the last two axes of a tensor were exchanged after it was stored.
bool is_turned(const TensorArgument& tensor);

/// The tensor with an axis and the next one exchanged.
TensorArgument exchanged_axes(Plan& plan, const TensorArgument& tensor, std::size_t axis);

/// The tensor as it lies, described anew.
TensorArgument same_view(Plan& plan, const TensorArgument& tensor);

}  // namespace pyaclnn::sim
