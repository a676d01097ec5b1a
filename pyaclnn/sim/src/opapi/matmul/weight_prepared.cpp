// Weights of narrow numbers: prepared for products on the 950, and restored by rows of scales that
// are given twice, as words for a few rows of x and as halves for many.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/checked.hpp"
#include "core/status.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/narrow_numbers.hpp"
#include "opapi/common/numbers.hpp"
#include "opapi/common/round_stored.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/product/gemm.hpp"
#include "parameters/WeightQuantBatchMatmul.hpp"
#include "parameters/WeightQuantPreprocess.hpp"

namespace pyaclnn::sim {
namespace {

using Prepared = WeightQuantPreprocessParameters;
using Old = WeightQuantBatchMatmulParameters;
using Floats = std::vector<float>;
using Size = Checked<std::int64_t>;

constexpr std::int64_t kGroup = 32, kPair = 64, kWidth = 32, kFewRows = 64;

std::size_t at(std::int64_t place) { return static_cast<std::size_t>(place); }

bool is_nd(const TensorArgument& tensor) {
  const int format = tensor.meta().format;
  return format == ACL_FORMAT_ND || format == ACL_FORMAT_NCL || format == ACL_FORMAT_NCHW;
}

/// What a copy must have in common with what it is of.
void check_alike(const Check& check, const TensorArgument& from, const TensorArgument& to) {
  check.that(is_nd(to) && !to.is_empty(), "%s is in a private format, or empty", to.name());
  check.same_dtype(from, to);
  check.same_shape(from, to);
  check.that(from.meta().storage_shape == to.meta().storage_shape,
             "%s is stored with another shape", to.name());
}

/// Refuses what is not the weight of x in float8, with a power of two for each 32 of the depth.
std::optional<Blocks> check_prepared(const Check& check, const Prepared& c) {
  const std::size_t rank = c.weight.rank();
  check.that(c.weight.dtype() == ACL_FLOAT4_E2M1 && c.weightScale.dtype() == ACL_FLOAT8_E8M0 &&
                 int(c.xDtype) == ACL_FLOAT8_E4M3FN && int(c.xScaleDtype) == ACL_FLOAT8_E8M0 &&
                 (rank == 2 || rank == 3),
             "weight, its scales, x and its scales must be float4_e2m1, float8_e8m0, float8_e4m3fn "
             "and float8_e8m0");
  check.that(!c.weight.is_empty() && is_nd(c.weight), "weight is empty, or in a private format");
  Dims turned = c.weight.shape();
  const std::int64_t k = turned[rank - 2], n = turned[rank - 1];
  turned.set(rank - 2, n);
  turned.set(rank - 1, k);
  const Dims &strides = c.weight.meta().strides, &scale = c.weightScale.shape();
  check.that(strides[rank - 2] == 1 && strides[rank - 1] == k &&
                 (rank == 2 || Size(strides[0]) == Size(k) * Size(n)),
             "the last two axes of weight must be exchanged");
  check.that(k % kGroup == 0, "the depth is %lld, it must be a multiple of 32",
             static_cast<long long>(k));
  check.that(is_nd(c.weightScale) && scale.size() == rank + 1 &&
                 scale[rank - 2] == pieces(k, kPair) && scale[rank - 1] == n && scale[rank] == 2 &&
                 (rank == 2 || scale[0] == turned[0]),
             "weightScale has shape %s", scale.text().c_str());
  const Dims& steps = c.weightScale.meta().strides;
  check.that(Size(steps[rank - 1]) == Size(steps[rank - 2]) * Size(scale[rank - 2]),
             "the axes of weightScale before its last must be exchanged");
  check.that(!c.weightOffsetOptional.given() && !c.outWeightOffsetOptional.given(),
             "offsets are not supported");
  const TensorArgument& bias = c.biasOptional;
  if (bias.given()) {
    check.that(!bias.is_empty() && bias.meta().format == ACL_FORMAT_ND,
               "biasOptional is empty, or "
               "not in the format ND");
    check.dtype_in(DtypeSet{ACL_FLOAT16, ACL_BF16}, bias);
    const bool row = bias.shape() == Dims{n} || bias.shape() == Dims{1, n};
    check.that(rank == 2 ? row : bias.shape() == Dims{turned[0], n}, "biasOptional has shape %s",
               bias.shape().text().c_str());
    check.that(bias.meta().is_contiguous(), "biasOptional must be contiguous");
  }
  check.that(c.kGroupSize == kGroup, "kGroupSize is %lld, it must be 32",
             static_cast<long long>(c.kGroupSize));
  check.same_dtype(c.weight, c.outWeight);
  check.same_shape(c.weight, c.outWeight);
  std::optional<Blocks> blocks =
      blocks_of(ACL_FORMAT_FRACTAL_NZ_C0_32, ACL_FORMAT_ND, turned, kWidth);
  check.that(c.outWeight.meta().format == ACL_FORMAT_FRACTAL_NZ_C0_32 && blocks &&
                 blocks->storage == c.outWeight.meta().storage_shape,
             "outWeight is stored with shape %s, or not in FRACTAL_NZ_C0_32",
             c.outWeight.meta().storage_shape.text().c_str());
  check_alike(check, c.weightScale, c.outWeightScale);
  if (bias.given()) {
    check.not_null(c.outBiasOptional);
    check.that(c.outBiasOptional.meta().is_contiguous(), "outBiasOptional must be contiguous");
    check_alike(check, bias, c.outBiasOptional);
  }
  return blocks;
}

/// Plans a copy of whole elements of one or two bytes, as numbers of as many.
template <class T>
void copy_bits(Plan& plan, const TensorArgument& from, const TensorArgument& to, aclDataType as) {
  View source = plan.reads(from), target = plan.writes(to);
  source.dtype = target.dtype = as;
  plan.launch([=](const KernelMemory& memory) {
    write_numbers<T>(memory, target, numbers_of<T>(memory, source));
  });
}

/// A tensor of one value, or of one for each column of the weight, which are its lines where it is
/// transposed.
bool is_row(const TensorArgument& row, bool turned, std::int64_t columns) {
  const Dims& shape = row.shape();
  if (shape.size() == 1) return shape[0] == 1 || (!turned && shape[0] == columns);
  const std::size_t axis = shape.size() - (turned ? 2 : 1);
  return shape.size() > 1 && (shape[axis] == 1 || shape[axis] == columns);
}

struct OldSizes {
  std::int64_t rows, depth, columns;
};

OldSizes check_old(const Check& check, const Old& c) {
  for (const TensorArgument* tensor : {&c.x1, &c.x2, &c.out})
    check.that(tensor->given(), "%s is null", tensor->name());
  check.that(c.x1.rank() >= 2 && c.x2.rank() >= 2, "x1 and x2 have %zu and %zu dimensions",
             c.x1.rank(), c.x2.rank());
  const auto axis = [](const TensorArgument& tensor, bool last) {
    return tensor.shape()[tensor.rank() - (last ? 1 : 2)];
  };
  const OldSizes sizes{axis(c.x1, c.transposeX1), axis(c.x1, !c.transposeX1),
                       axis(c.x2, !c.transposeX2)};
  const bool few = sizes.rows <= kFewRows;
  const TensorArgument* const words[] = {&c.diagonalMatrix, &c.deqOffset, &c.deqScale};
  for (const TensorArgument* tensor : words)
    check.that(!few || tensor->given(), "an operand of up to 64 rows is null");
  check.dtype_in(DtypeSet{ACL_FLOAT16}, c.x1);
  check.dtype_in(DtypeSet{ACL_INT8}, c.x2);
  if (c.bias.given()) check.dtype_in(DtypeSet{ACL_FLOAT}, c.bias);
  if (few) {
    check.dtype_in(DtypeSet{ACL_INT8}, c.diagonalMatrix);
    check.dtype_in(DtypeSet{ACL_INT32}, c.deqOffset);
    check.dtype_in(DtypeSet{ACL_UINT64}, c.deqScale);
    check.that(
        is_row(c.deqOffset, false, sizes.columns) && is_row(c.deqScale, false, sizes.columns),
        "deqOffset and deqScale must have one value, or one for each column");
    check.shape_is(c.diagonalMatrix, Dims{32, 32}, "the unit");
  } else {
    for (const TensorArgument* row : {&c.addOffset, &c.mulScale}) {
      if (!row->given()) continue;
      check.dtype_in(DtypeSet{ACL_FLOAT16}, *row);
      check.that(is_row(*row, c.transposeX2, sizes.columns), "%s has shape %s", row->name(),
                 row->shape().text().c_str());
    }
  }
  check.dtype_in(DtypeSet{ACL_FLOAT16}, c.out);
  if (c.bias.given())
    check.that(
        c.bias.rank() > 0 && (c.bias.shape().back() == 1 || c.bias.shape().back() == sizes.columns),
        "bias has shape %s", c.bias.shape().text().c_str());
  check.that(axis(c.x2, c.transposeX2) == sizes.depth, "x1 has shape %s, and x2 %s",
             c.x1.shape().text().c_str(), c.x2.shape().text().c_str());
  return sizes;
}

/// What the weight is restored with: sums of whole numbers and a float for each column, or halves.
struct Restored {
  OldSizes sizes;
  bool few, turned;
  View weight, offset, scale;
  bool has_offset, has_scale;
  float all_offset, all_scale;

  template <class T>
  static T own(const std::vector<T>& values, std::int64_t column) {
    return values[values.size() == 1 ? 0 : at(column)];
  }

  Floats operator()(const KernelMemory& memory) const {
    const std::vector<std::int8_t> narrow = numbers_of<std::int8_t>(memory, weight);
    Floats wide(at(sizes.depth * sizes.columns));
    Floats scales, offsets;
    std::vector<std::int64_t> words, whole;
    if (has_offset && few) whole = numbers_of<std::int64_t>(memory, offset);
    if (has_offset && !few) offsets = numbers_of<float>(memory, offset);
    if (has_scale && few) words = numbers_of<std::int64_t>(memory, scale);
    if (has_scale && !few) scales = numbers_of<float>(memory, scale);
    for (std::int64_t k = 0; k < sizes.depth; ++k) {
      float* const line = wide.data() + k * sizes.columns;
      for (std::int64_t n = 0; n < sizes.columns; ++n) {
        const std::int64_t value = narrow[at(turned ? n * sizes.depth + k : k * sizes.columns + n)];
        if (few) {
          line[n] = float(value + own(whole, n)) * scale_of_parameter(std::uint64_t(own(words, n)));
          continue;
        }
        const float added = all_offset == 0 ? float(value) : float(value) + all_offset;
        line[n] = added * all_scale;
      }
      round_as_stored(line, sizes.columns, ACL_FLOAT16);
      if (few) continue;
      for (std::int64_t n = 0; has_offset && n < sizes.columns; ++n) line[n] += own(offsets, n);
      round_as_stored(line, sizes.columns, ACL_FLOAT16);
      for (std::int64_t n = 0; has_scale && n < sizes.columns; ++n) line[n] *= own(scales, n);
      round_as_stored(line, sizes.columns, ACL_FLOAT16);
    }
    return wide;
  }
};

}  // namespace

void weight_quant_preprocess(const Check& check, Plan& plan, const Prepared& c) {
  if (!on_950())
    fail(ACLNN_ERR_RUNTIME_ERROR, "%s: %s does not have the operator", plan.api(), chip().name);
  check.not_null(c.weight, c.weightScale, c.outWeight, c.outWeightScale);
  const std::optional<Blocks> blocks = check_prepared(check, c);
  View plain = plan.reads(c.weight);
  const std::size_t rank = plain.shape.size();
  plain.shape = blocks->shape;
  plain.strides.set(rank - 2, plain.shape[rank - 1]);
  plain.strides.set(rank - 1, 1);
  copy_to_blocks(plan, plain, writes_storage(plan, c.outWeight, blocks->elements), *blocks);
  copy_bits<std::int8_t>(plan, c.weightScale, c.outWeightScale, ACL_INT8);
  if (c.biasOptional.given())
    copy_bits<std::int16_t>(plan, c.biasOptional, c.outBiasOptional, ACL_INT16);
}

/// out = x1 @ (x2 restored) + bias.
void weight_quant_matmul_old(const Check& check, Plan& plan, const Old& c) {
  const OldSizes sizes = check_old(check, c);
  if (c.x1.rank() > 2 || c.x2.rank() > 2) fail_not_simulated(plan, "a batch of matrices");
  check.shape_is(c.out, Dims{sizes.rows, sizes.columns}, "the product");
  needs_kernel(plan, on_a2_or_a3());
  if (c.out.is_empty()) return;
  const bool few = sizes.rows <= kFewRows;
  const TensorArgument& offset = few ? c.deqOffset : c.addOffset;
  const TensorArgument& scale = few ? c.deqScale : c.mulScale;
  for (const TensorArgument* row : {&offset, &scale, &c.bias})
    check_inside(plan, !row->given() || row->elements() == 1 || row->elements() == sizes.columns,
                 "an operand has neither one value nor one for each column");
  for (const TensorArgument* tensor : {&c.x1, &c.x2, &offset, &scale, &c.bias})
    if (tensor->given()) plan.stage(*tensor).contiguous();
  const float near = std::numeric_limits<float>::epsilon();
  Restored restored{sizes,
                    few,
                    c.transposeX2,
                    plan.reads(c.x2),
                    View(),
                    View(),
                    offset.given(),
                    scale.given(),
                    std::fabs(c.antiquantOffset) <= near ? 0.0f : c.antiquantOffset,
                    std::fabs(c.antiquantScale - 1.0f) <= near ? 1.0f : c.antiquantScale};
  if (restored.has_offset) restored.offset = plan.reads(offset);
  if (restored.has_scale) restored.scale = plan.reads(scale);
  const TensorArgument weight =
      plan.scratch("weight", ACL_FLOAT16, Dims{sizes.depth, sizes.columns});
  const TensorArgument added = plan.scratch("bias", ACL_FLOAT, Dims{sizes.columns});
  const RowMajor to(plan.writes(weight)), sums(plan.writes(added));
  View bias;
  if (c.bias.given()) bias = plan.reads(c.bias);
  plan.launch([=, has_bias = c.bias.given()](const KernelMemory& memory) {
    const Floats wide = restored(memory);
    RowMajorAccess(to, memory).write(0, std::int64_t(wide.size()), wide.data());
    Floats row(at(sizes.columns));
    if (has_bias) {
      const Floats given = numbers_of<float>(memory, bias);
      for (std::int64_t n = 0; n < sizes.columns; ++n) row[at(n)] = Restored::own(given, n);
      if (!restored.few || sizes.depth == 0)
        round_as_stored(row.data(), sizes.columns, ACL_FLOAT16);
    }
    RowMajorAccess(sums, memory).write(0, sizes.columns, row.data());
  });
  Gemm gemm;
  gemm.a = plan.reads(c.x1);
  if (c.transposeX1) gemm.a = exchanged(gemm.a, 0, 1);
  gemm.b = plan.reads(weight);
  gemm.addend = plan.reads(added);
  gemm.out = plan.writes(c.out);
  launch_gemm(plan, std::move(gemm));
}

}  // namespace pyaclnn::sim
