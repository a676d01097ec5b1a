// Rows of floats on their way into narrow numbers, whatever made the floats: with scales that are
// given, or with those that a row's largest value asks for.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "opapi/common/check.hpp"
#include "opapi/common/flat.hpp"
#include "opapi/common/narrow_numbers.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/common/row_major.hpp"

namespace pyaclnn::sim {

/// An output of narrow numbers. int4 lies two in a byte, or eight in an int32.
class QuantOut {
 public:
  QuantOut() = default;
  /// An int32 output holds int4, unless it is `whole`. Other views of 4 bits must have no gaps.
  QuantOut(Plan& plan, const TensorArgument& out, bool whole = false);
  /// An output that CANN copies a kernel's result to.
  static QuantOut copied(Plan& plan, const TensorArgument& out);
  /// The same, as a view that is not the tensor's own, which must not be of int4.
  QuantOut(aclDataType dtype, const View& view) : dtype_(dtype), plain_(view) {}

  bool given() const { return dtype_ != ACL_DT_UNDEFINED; }
  /// The element type of the numbers: int4 where they are packed.
  aclDataType dtype() const { return packed_ ? ACL_INT4 : dtype_; }

  /// Rounds and stores `count` values from `position` on, an even one for int4.
  void write(const KernelMemory& memory, std::int64_t position, std::int64_t count, float* values,
             Round mode) const;

 private:
  aclDataType dtype_ = ACL_DT_UNDEFINED;
  bool packed_ = false;
  View view_;
  FlatView words_;  // of int32
  RowMajor plain_;
};

/// Narrow numbers as floats; those of 4 bits lie two in a byte, int4 also eight in an int32.
class QuantIn {
 public:
  QuantIn() = default;
  /// An int32 operand holds int4 where it is `packed`.
  QuantIn(Plan& plan, const TensorArgument& in, bool packed);
  /// Floats that lie as a view has it.
  QuantIn(const Plan& plan, const View& view);

  /// `count` values from `position` on, in place or in `buffer`.
  const float* read(const KernelMemory& memory, std::int64_t position, std::int64_t count,
                    float* buffer) const;
  std::vector<float> values(const KernelMemory& memory, std::int64_t position,
                            std::int64_t count) const;

 private:
  aclDataType dtype_ = ACL_DT_UNDEFINED;
  bool packed_ = false;
  const NarrowFormat* halves_ = nullptr;  // of floats of 4 bits
  View view_;
  RowMajor plain_;
};

/// Rows that belong to groups, which are told by their ends or by how many rows each has; `named`
/// ones lie in pairs with which group they are.
class RowGroups {
 public:
  RowGroups() = default;
  RowGroups(const View& groups, bool counts, bool named = false)
      : groups_(groups), counts_(counts), named_(named) {}

  bool given() const { return groups_.has_value(); }
  std::int64_t count() const { return groups_->shape.product() / (named_ ? 2 : 1); }
  /// The end of each group, none beyond `rows`; read when it runs.
  std::vector<std::int64_t> ends(const KernelMemory& memory, std::int64_t rows) const;
  /// Which group each of them is; none where they come in their order.
  std::vector<std::int64_t> names(const KernelMemory& memory) const;

 private:
  std::int64_t number(const KernelMemory& memory, std::int64_t place) const;

  std::optional<View> groups_;
  bool counts_ = false, named_ = false;
};

/// Values of every row, of all rows, or of the rows of a group; those of a row are one or many.
class RowFactors {
 public:
  RowFactors() = default;
  /// One row, or one for each group, of `width` values or of one; none where it is empty.
  RowFactors(Plan& plan, const TensorArgument& tensor, std::int64_t width);
  /// The same, of one value for each group where it is `one_each`.
  RowFactors(Plan& plan, const TensorArgument& tensor, std::int64_t width, bool one_each);
  /// One row of several axes, which has `width` values in all, or one value.
  static RowFactors of_axes(Plan& plan, const TensorArgument& tensor, std::int64_t width);
  /// What has the shape of the rows themselves, by strides of 0 where it repeats.
  static RowFactors of_view(const View& view, std::int64_t width);

  bool given() const { return values_.given(); }
  /// The factors of a row, in place or in `buffer`.
  const float* read(const KernelMemory& memory, std::int64_t row, std::int64_t group,
                    float* buffer) const;

 private:
  RowMajor values_;
  std::int64_t width_ = 1;
  std::int64_t stored_ = 1;  // values of a row that are there
  bool by_row_ = false;
};

/// Which row, the group that it belongs to, and how many values it has.
struct RowPlace {
  std::int64_t row, group, width;
};

/// Fills a row.
using RowSource = std::function<void(const KernelMemory&, const RowPlace&, float* to)>;

/// Stores what becomes of a row. `values` are lost; `buffer` has room for as many.
using RowSink =
    std::function<void(const KernelMemory&, const RowPlace&, float* values, float* buffer)>;

enum class QuantMode { kStatic, kSymmetric, kAsymmetric };

/// How a row becomes narrow numbers.
///   static      x * scale (once more, or divided by it) + offset
///   symmetric   the row times `smooth` is scaled so that its largest magnitude is the largest
///               number
///   asymmetric  so that its smallest and largest values are the ends of the numbers
struct RowQuantiser {
  QuantMode mode = QuantMode::kStatic;
  Round round = Round::kRint;
  bool twice = false;
  bool divides = false;
  bool inverts = false;               // multiplies with the inverse of a scale that is rounded
  bool gives_inverse = false;         // scale_out is what rows are multiplied with
  bool multiplies = false;            // with the inverse, as kernels before the 950's do
  bool by_step = false;               // multiplies with the inverse of the scale that is given
  float of_zeros = 0;                 // the scale of rows of zeros
  aclDataType by = ACL_DT_UNDEFINED;  // what results are rounded to first
  float largest = 0;  // what the largest magnitude becomes, if not the largest number
  RowFactors scale;   // of the static mode
  RowFactors offset;
  RowFactors smooth;
  QuantOut out;
  RowMajor scale_out;
  RowMajor offset_out;

  void operator()(const KernelMemory& memory, const RowPlace& place, float* values,
                  float* buffer) const;
};

/// Plans: for each row its values, then what is stored of them, by all of `stores`.
struct QuantRowsCall {
  std::int64_t rows = 1;
  std::int64_t width = 1;
  RowSource source;
  std::vector<RowSink> stores;
  RowGroups groups;
  bool zero_rest = false;  // rows that no group has are 0
};
void quantise_rows(Plan& plan, QuantRowsCall call);

/// The values of a tensor, row by row.
RowSource rows_of(const View& view, std::int64_t width);

/// Rounding by CANN's name of it, where `round` is to the nearest and ties go away from zero;
/// refuses names that it does not have.
Round round_named(const Check& check, const Text& mode);

/// The view of a tensor of one axis, or of one value, as one that repeats over `shape`.
View along_axis(const View& values, const Dims& shape, std::size_t axis);

}  // namespace pyaclnn::sim
