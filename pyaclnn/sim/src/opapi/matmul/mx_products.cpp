// Products of floats of a byte, or half of one, whose blocks of 32 along the depth share a scale
// that is a power of two.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/checked.hpp"
#include "core/status.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/numbers.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/matmul/scaled_blocks.hpp"
#include "opapi/pointwise/formulas.hpp"
#include "opapi/product/groups.hpp"
#include "opapi/product/packed_floats.hpp"
#include "opapi/quant/mx.hpp"
#include "parameters/DualLevelQuantMatmulWeightNz.hpp"
#include "parameters/QuantBatchMatmulInplaceAdd.hpp"
#include "parameters/QuantGroupedMatmulInplaceAdd.hpp"
#include "parameters/QuantMatmulActivationQuantWeightNz.hpp"

namespace pyaclnn::sim {
namespace {

using Floats = std::vector<float>;
using Size = Checked<std::int64_t>;

constexpr std::int64_t kOuterGroup = 512;  // of the depth: a scale of float32
const DtypeSet kFloat8{ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2};
const DtypeSet kHalves{ACL_FLOAT16, ACL_BF16};

std::size_t at(std::int64_t place) { return static_cast<std::size_t>(place); }

RowMajor reads(Plan& plan, const TensorArgument& tensor) {
  plan.stage(tensor).contiguous();
  return RowMajor(plan.reads(tensor));
}

Floats values_of(const RowMajor& layout, const KernelMemory& memory) {
  return RowMajorAccess(layout, memory).values();
}

Dims shape_of(const Dims& before, std::initializer_list<std::int64_t> last) {
  std::vector<std::int64_t> extents(before.begin(), before.end());
  extents.insert(extents.end(), last);
  return Dims(extents.data(), extents.size());
}

void check_added(const Check& check, const QuantBatchMatmulInplaceAddParameters& c) {
  const TensorArgument* const all[] = {&c.x1, &c.x2, &c.x1ScaleOptional, &c.x2Scale, &c.yRef};
  for (const TensorArgument* tensor : all)
    check.that(tensor->given(), "%s is null", tensor->name());
  const TensorArgument &a = c.x1ScaleOptional, &b = c.x2Scale;
  const bool mx = a.dtype() == ACL_FLOAT8_E8M0 && b.dtype() == ACL_FLOAT8_E8M0;
  if (mx && a.rank() == 3 && b.rank() == 3 && c.x1.rank() == 2 && c.x2.rank() == 2) {
    const std::size_t k = c.transposeX1 ? 0 : 1, n = c.transposeX2 ? 0 : 1;
    const std::int64_t m_group =
        group_of(check, c.groupSize, 32, c.x1.shape()[1 - k], a.shape()[1 - k]);
    const std::int64_t k_group = group_of(check, c.groupSize, 0, c.x1.shape()[k], a.shape()[k] * 2);
    const std::int64_t n_group = group_of(check, c.groupSize, 16, c.x2.shape()[n], b.shape()[n]);
    check.that(m_group == 1 && n_group == 1 && k_group == kMxBlock,
               "groupSize stands for %lld, %lld and %lld, it must for 1, 1 and 32", ll(m_group),
               ll(n_group), ll(k_group));
  } else {
    check.that(mx || c.groupSize == 0, "groupSize is %lld, it must be 0", ll(c.groupSize));
  }
  for (const TensorArgument* tensor : {&c.x1, &c.x2, &c.yRef})
    check.that(tensor->meta().format == ACL_FORMAT_ND, "%s is not in ND", tensor->name());
  check_not_in_nz(check, {&a, &b});
  check.dtype_in(kFloat8, c.x1, c.x2);
  check.that(a.rank() == 3 && b.rank() == 3, "scales have %zu and %zu dimensions, not 3", a.rank(),
             b.rank());
  check.dtype_in(DtypeSet{ACL_FLOAT8_E8M0}, a, b);
  check.dtype_in(DtypeSet{ACL_FLOAT}, c.yRef);
  for (const TensorArgument* tensor : {&c.x1, &c.x2, &c.yRef})
    check.that(tensor->rank() == 2, "%s has %zu dimensions, not 2", tensor->name(), tensor->rank());
  const std::int64_t k = c.x1.shape()[0], m = c.x1.shape()[1], n = c.x2.shape()[1];
  check.that(c.x2.shape()[0] == k, "the depth of x1 is %lld, that of x2 %lld", ll(k),
             ll(c.x2.shape()[0]));
  check.shape_is(c.yRef, Dims{m, n}, "the product");
  check.that(k > 0 && m > 0 && n > 0, "x1 or x2 is empty");
  const std::int64_t pairs = mx_pairs(k);
  check.shape_is(a, Dims{pairs, m, 2}, "the groups of x1");
  check.shape_is(b, Dims{pairs, n, 2}, "the groups of x2");
  check.that(c.transposeX1 && !c.transposeX2, "transposeX1 must be true, and transposeX2 false");
}

using Grouped = QuantGroupedMatmulInplaceAddParameters;

void check_grouped_mx(const Check& check, const Grouped& c) {
  const TensorArgument &a = c.scale1Optional, &b = c.scale2;
  check.that(a.rank() == 3 && b.rank() == 3, "scales have %zu and %zu dimensions, not 3", a.rank(),
             b.rank());
  check.dtype_in(DtypeSet{ACL_FLOAT8_E8M0}, a, b);
  const std::int64_t m = c.x1.shape()[0], k = c.x1.shape()[1], n = c.x2.shape()[1];
  const std::int64_t pairs = k / kMxPair + c.groupList.shape()[0];
  check.shape_is(a, Dims{m, pairs, 2}, "the blocks of x1");
  check.shape_is(b, Dims{pairs, n, 2}, "the blocks of x2");
  const Dims& strides = a.meta().strides;
  check.that((m == 1 && pairs == 1) || (strides[0] == 2 && Size(strides[1]) == Size(m) * Size(2)),
             "the scales of x1 must be transposed, as x1 is");
  check.that((n == 1 && pairs == 1) || b.meta().strides[1] == 2,
             "the scales of x2 must not be transposed");
}

/// A scale for each group of x1, and one for each group and column of x2.
void check_grouped_wide(const Check& check, const Grouped& c) {
  const std::int64_t groups = c.groupList.shape()[0];
  const Dims& a = c.scale1Optional.shape();
  check.that(a == Dims{groups} || a == Dims{groups, 1}, "%s has shape %s beside %lld groups",
             c.scale1Optional.name(), a.text().c_str(), ll(groups));
  check.shape_is(c.scale2, Dims{groups, c.x2.shape()[1]}, "the columns of x2");
  check.dtype_in(DtypeSet{ACL_FLOAT}, c.scale2, c.scale1Optional);
  check.that(c.x1.shape()[1] > 0, "the depth is 0");
  constexpr std::int64_t kMostGroups = 1024;
  check.that(groups <= kMostGroups, "there are %lld groups, more than 1024", ll(groups));
}

void check_grouped(const Check& check, const Grouped& c) {
  for (const TensorArgument* tensor :
       {&c.x1, &c.x2, &c.scale1Optional, &c.scale2, &c.groupList, &c.yRef})
    check.that(tensor->given(), "%s is null", tensor->name());
  for (const TensorArgument* tensor : {&c.x1, &c.x2, &c.groupList})
    check.that(tensor->meta().format == ACL_FORMAT_ND, "%s must be in the format ND",
               tensor->name());
  for (const TensorArgument* tensor : {&c.scale1Optional, &c.scale2, &c.yRef})
    check.that(tensor->meta().format == ACL_FORMAT_ND || tensor->meta().format == ACL_FORMAT_NCL,
               "%s must be in the format ND or NCL", tensor->name());
  check.that(c.x1.rank() == 2 && c.x2.rank() == 2 && c.groupList.rank() == 1,
             "x1, x2 and groupList must have 2, 2 and 1 dimensions");
  const Dims &a = c.x1.shape(), &b = c.x2.shape();
  check.that(a[1] == b[0], "the depth of x1 is %lld, that of x2 %lld", ll(a[1]), ll(b[0]));
  check.shape_is(c.yRef, Dims{c.groupList.shape()[0], a[0], b[1]}, "a product for each group");
  check.dtype_in(DtypeSet{ACL_FLOAT}, c.yRef);
  check.dtype_in(DtypeSet{ACL_INT64}, c.groupList);
  const bool wide = c.x1.dtype() == ACL_HIFLOAT8 && c.x2.dtype() == ACL_HIFLOAT8;
  if (!wide) check.dtype_in(kFloat8, c.x1, c.x2);
  wide ? check_grouped_wide(check, c) : check_grouped_mx(check, c);
  const bool one = b == Dims{1, 1};
  check.that(is_turned(c.x1) && (one || !is_turned(c.x2)),
             "x1 must be transposed, and x2 must not be");
  check.that(c.groupListType == kGroupEnds || c.groupListType == kGroupSizes,
             "groupListType is %lld, it must be 0 or 1", ll(c.groupListType));
  check.that(c.groupSize == 0, "groupSize is %lld, it must be 0", ll(c.groupSize));
}

using Dual = DualLevelQuantMatmulWeightNzParameters;

void check_dual(const Check& check, const Plan& plan, const Dual& c) {
  if (!on_950())
    fail(ACLNN_ERR_RUNTIME_ERROR, "%s: %s does not have the operator", plan.api(), chip().name);
  check.not_null(c.x1, c.x2, c.x1Level0Scale, c.x1Level1Scale, c.x2Level0Scale, c.x2Level1Scale,
                 c.out);
  check.that(is_nz(c.x2.meta().format), "x2 is not in FRACTAL_NZ");
  const auto plain = [&](const TensorArgument& tensor, std::size_t rank, const DtypeSet& types,
                         int format) {
    if (!tensor.given()) return;
    check.that(tensor.meta().is_contiguous() && tensor.rank() == rank,
               "%s must be contiguous and have %zu dimensions", tensor.name(), rank);
    check.dtype_in(types, tensor);
    check.that(tensor.meta().format == format || format < 0 ||
                   (rank == 3 && tensor.meta().format == ACL_FORMAT_NCL),
               "%s is in another format", tensor.name());
  };
  const DtypeSet wide{ACL_FLOAT}, powers{ACL_FLOAT8_E8M0};
  plain(c.x1, 2, DtypeSet{ACL_FLOAT4_E2M1}, ACL_FORMAT_ND);
  check.that(c.x1.shape()[1] % 2 == 0, "the depth is %lld, it must be even", ll(c.x1.shape()[1]));
  plain(c.x2, 2, DtypeSet{ACL_INT8}, ACL_FORMAT_FRACTAL_NZ);
  plain(c.x1Level0Scale, 2, wide, ACL_FORMAT_ND);
  plain(c.x1Level1Scale, 3, powers, ACL_FORMAT_ND);
  plain(c.x2Level0Scale, 2, wide, ACL_FORMAT_ND);
  plain(c.x2Level1Scale, 3, powers, ACL_FORMAT_ND);
  plain(c.out, 2, kHalves, -1);
  plain(c.optionalBias, 1, wide, ACL_FORMAT_ND);
  const std::int64_t m = c.x1.shape()[0], k = c.x1.shape()[1], n = c.x2.shape()[0];
  check.that(k / 2 == c.x2.shape()[1], "the depth of x1 is %lld, and a row of x2 has %lld bytes",
             ll(k), ll(c.x2.shape()[1]));
  check.that(m > 0 && k > 0 && n > 0, "x1 or x2 is empty");
  check.shape_is(c.out, Dims{m, n}, "the product");
  if (c.optionalBias.given()) check.shape_is(c.optionalBias, Dims{n}, "the columns");
  check.that(!c.transposeX1 && c.transposeX2, "transposeX1 must be false, and transposeX2 true");
  check.that(c.level0GroupSize == kOuterGroup && c.level1GroupSize == kMxBlock,
             "the groups are of %lld and %lld, they must be of 512 and 32", ll(c.level0GroupSize),
             ll(c.level1GroupSize));
  const std::int64_t pairs = mx_pairs(k), outer = pieces(k, kOuterGroup);
  check.shape_is(c.x1Level1Scale, Dims{m, pairs, 2}, "the blocks of x1");
  check.shape_is(c.x1Level0Scale, Dims{m, outer}, "the groups of x1");
  check.shape_is(c.x2Level1Scale, Dims{n, pairs, 2}, "the blocks of x2");
  check.shape_is(c.x2Level0Scale, Dims{outer, n}, "the groups of x2");
}

using Activated = QuantMatmulActivationQuantWeightNzParameters;

/// An operand and its scales once turned views are taken for what they are.
struct Side {
  PlainOperand plain;
  View values, scales;
  bool turned;     // as the transposition of this operand says
  bool is_second;  // whose depth is its lines

  Side(Plan& plan, const TensorArgument& tensor, const TensorArgument& scale, bool transposed,
       bool second)
      : plain(plan, tensor, second),
        values(plain.view()),
        scales(plan.reads(scale)),
        turned(transposed),
        is_second(second) {
    const std::size_t rank = values.shape.size();
    if (is_turned(tensor)) {
      turned = !turned;
      values = exchanged(values, rank - 1, rank - 2);
    }
    const std::int64_t pair = scales.shape[rank];
    if (scales.strides[rank - 2] == pair &&
        Size(scales.strides[rank - 1]) == Size(pair) * Size(scales.shape[rank - 2]) &&
        scales.shape[rank - 2] != 1 && scales.shape[rank - 1] != 1)
      scales = exchanged(scales, rank - 1, rank - 2);
  }
  bool depth_is_last() const { return turned == is_second; }
  std::int64_t depth() const { return values.shape.end()[depth_is_last() ? -1 : -2]; }
  std::int64_t outer() const { return values.shape.end()[depth_is_last() ? -2 : -1]; }
  std::int64_t count() const { return values.shape.product(); }
};

void check_activated(const Check& check, const Activated& c) {
  check.not_null(c.x1, c.x2);
  check.that(c.x2.meta().format == ACL_FORMAT_FRACTAL_NZ, "x2 is not in FRACTAL_NZ");
  const std::size_t rank = c.x1.rank();
  check.that(rank >= 2 && rank <= 6 && c.x2.rank() >= 2, "x1 and x2 have %zu and %zu dimensions",
             rank, c.x2.rank());
  for (const int last : {-1, -2}) check.that(c.x2.shape().end()[last] != 1, "x2 has an axis of 1");
  for (const TensorArgument* tensor :
       {&c.x1, &c.x2, &c.x1ScaleOptional, &c.x2Scale, &c.biasOptional})
    check.that(!tensor->given() || !tensor->is_empty(), "%s is empty", tensor->name());
  constexpr std::int64_t kOneOne32 = std::int64_t(1) << 32 | 1 << 16 | kMxBlock;
  constexpr std::int64_t kBits = (std::int64_t(1) << 48) - 1;
  check.that(c.groupSize >= 0 && ((c.groupSize & kBits) == 0 || (c.groupSize & kBits) == kOneOne32),
             "groupSize is %lld, it must be 0 or stand for 1, 1 and 32", ll(c.groupSize));
  for (const TensorArgument* tensor : {&c.x1ScaleOptional, &c.x2Scale, &c.yOut, &c.yScaleOut})
    check.that(tensor->given(), "a scale or a result is null");
  check.dtype_in(kFloat8, c.x1, c.yOut);
  check.dtype_in(DtypeSet{ACL_FLOAT8_E4M3FN}, c.x2);
  for (const TensorArgument* scale : {&c.x1ScaleOptional, &c.x2Scale})
    check.that(scale->rank() == rank + 1, "%s has %zu dimensions beside %zu", scale->name(),
               scale->rank(), rank);
  if (c.biasOptional.given()) check.dtype_in(DtypeSet{ACL_FLOAT}, c.biasOptional);
  check.dtype_in(DtypeSet{ACL_FLOAT8_E8M0}, c.x1ScaleOptional, c.x2Scale);
}

void check_activated_sizes(const Check& check, const Plan& plan, const Activated& c, const Side& a,
                           const Side& b) {
  const std::int64_t m = a.outer(), k = a.depth(), n = b.outer(), pairs = mx_pairs(k);
  check.that(k == b.depth(), "the depth of x1 is %lld, that of x2 %lld", ll(k), ll(b.depth()));
  const Dims& shape = a.values.shape;
  const Dims batch(shape.begin(), shape.size() - 2);
  const Dims out = shape_of(batch, {m, n});
  const TensorArgument& bias = c.biasOptional;
  if (bias.given())
    check.that(bias.shape() == Dims{n} ||
                   (c.yOut.rank() == 3 && bias.shape() == Dims{batch.product(), 1, n}),
               "biasOptional has shape %s beside %lld columns", bias.shape().text().c_str(), ll(n));
  const auto scales = [&](const Side& side, std::int64_t outer) {
    return side.scales.shape == (side.depth_is_last() ? shape_of(batch, {outer, pairs, 2})
                                                      : shape_of(batch, {pairs, outer, 2}));
  };
  check.that(scales(a, m) && scales(b, n), "scales have shapes %s and %s",
             a.scales.shape.text().c_str(), b.scales.shape.text().c_str());
  check_not_in_nz(check, {&c.x1, &c.x1ScaleOptional, &c.x2Scale, &bias});
  const auto is = [](const Text& text, std::initializer_list<const char*> names) {
    return text.given() && std::find(names.begin(), names.end(), text.text) != names.end();
  };
  check.that(is(c.activationType, {"gelu_tanh", "gelu_erf"}) && is(c.quantMode, {"mx"}) &&
                 is(c.roundMode, {"rint"}),
             "activationType, quantMode or roundMode is none that there is");
  check.that(c.scaleAlg == 0 || c.scaleAlg == 1, "scaleAlg is %lld, it must be 0 or 1",
             ll(c.scaleAlg));
  check_kernel_exists(plan, on_950());
  if (b.values.shape.size() != shape.size() ||
      !std::equal(batch.begin(), batch.end(), b.values.shape.begin()))
    fail_not_simulated(plan, "a batch of x2 that is not that of x1");
  check_inside(plan, c.yOut.dtype() == c.x1.dtype() && c.yScaleOut.dtype() == ACL_FLOAT8_E8M0,
               "yOut must have the type of x1, and yScaleOut float8_e8m0");
  check_inside(plan, c.yOut.shape() == out, "yOut has shape %s", c.yOut.shape().text().c_str());
  check_inside(plan, c.yScaleOut.shape() == shape_of(batch, {m, mx_pairs(n), 2}),
               "yScaleOut has shape %s", c.yScaleOut.shape().text().c_str());
}

}  // namespace

/// y += x1^T @ x2, whose groups of 32 along the depth have scales that are powers of two.
void quant_matmul_added(const Check& check, Plan& plan,
                        const QuantBatchMatmulInplaceAddParameters& c) {
  check_added(check, c);
  needs_kernel(plan, on_950());
  const std::int64_t depth = c.x1.shape()[0], rows = c.x1.shape()[1], columns = c.x2.shape()[1];
  const RowMajor x1 = reads(plan, c.x1), x2 = reads(plan, c.x2);
  const RowMajor scale1 = reads(plan, c.x1ScaleOptional), scale2 = reads(plan, c.x2Scale);
  const RowMajor y(plan.writes(c.yRef));
  plan.launch([=](const KernelMemory& memory) {
    Floats a = values_of(x1, memory), b = values_of(x2, memory);
    scale_blocks(a.data(), values_of(scale1, memory).data(), depth, rows, true);
    scale_blocks(b.data(), values_of(scale2, memory).data(), depth, columns, true);
    const Floats sums = packed_product({a.data(), true}, {b.data()}, rows, depth, columns);
    Floats result = values_of(y, memory);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] += sums[i];
    RowMajorAccess(y, memory).write(0, rows * columns, result.data());
  });
}

/// y[i] += x1[:, group i] @ x2[group i], with the scales of blocks or those of groups and columns.
void quant_grouped_matmul_added(const Check& check, Plan& plan, const Grouped& c) {
  const bool has_ranks = c.x1.given() && c.x2.given() && c.x1.rank() > 0 && c.x2.rank() > 1;
  if (has_ranks && (c.x1.shape()[0] == 0 || c.x2.shape()[1] == 0)) return;
  check_grouped(check, c);
  needs_kernel(plan, on_950());
  const std::int64_t rows = c.x1.shape()[0], depth = c.x1.shape()[1], columns = c.x2.shape()[1];
  const bool mx = c.scale2.rank() == 3;
  const RowMajor x1(exchanged(plan.reads(c.x1), 0, 1)), x2 = reads(plan, c.x2);
  const View of_x1 = plan.reads(c.scale1Optional);
  const RowMajor scale1(mx ? exchanged(of_x1, 0, 1) : of_x1), scale2 = reads(plan, c.scale2);
  plan.stage(c.groupList).contiguous();
  const View list = plan.reads(c.groupList);
  const RowMajor y(plan.writes(c.yRef));
  plan.launch([=, type = c.groupListType](const KernelMemory& memory) {
    Floats a = values_of(x1, memory), b = values_of(x2, memory), result = values_of(y, memory);
    const Floats factors = values_of(scale1, memory), scales = values_of(scale2, memory);
    const std::vector<std::int64_t> numbers = numbers_of<std::int64_t>(memory, list);
    const auto experts = std::int64_t(numbers.size());
    for (const Group& group : groups_of(numbers, type, experts, depth)) {
      if (group.size() <= 0) continue;
      float* const left = a.data() + group.begin * rows;
      float* const right = b.data() + group.begin * columns;
      if (mx) {
        // The blocks of each group begin anew.
        const std::int64_t first = (group.begin / kMxPair + group.expert) * 2;
        scale_blocks(left, factors.data() + first * rows, group.size(), rows, true);
        scale_blocks(right, scales.data() + first * columns, group.size(), columns, true);
      }
      const Floats sums = packed_product({left, true}, {right}, rows, group.size(), columns);
      float* const to = result.data() + group.expert * rows * columns;
      for (std::int64_t i = 0; i < rows * columns; ++i) {
        const float factor =
            mx ? 1.0f
               : scales[at(group.expert * columns + i % columns)] * factors[at(group.expert)];
        to[i] += sums[at(i)] * factor;
      }
    }
    RowMajorAccess(y, memory).write(0, std::int64_t(result.size()), result.data());
  });
}

/// out = x1 @ x2^T + bias of floats of 4 bits, whose scales have scales themselves.
void dual_level_quant_matmul(const Check& check, Plan& plan, const Dual& c) {
  check_dual(check, plan, c);
  const std::int64_t m = c.x1.shape()[0], k = c.x1.shape()[1], n = c.x2.shape()[0];
  const std::int64_t outer = pieces(k, kOuterGroup);
  const QuantIn x1(plan, c.x1, false);
  const PlainOperand weight(plan, c.x2, true);
  const View bytes = weight.view();
  const RowMajor inner1 = reads(plan, c.x1Level1Scale), inner2 = reads(plan, c.x2Level1Scale);
  const RowMajor outer1 = reads(plan, c.x1Level0Scale), outer2 = reads(plan, c.x2Level0Scale);
  const RowMajor bias = c.optionalBias.given() ? reads(plan, c.optionalBias) : RowMajor();
  const RowMajor out(plan.writes(c.out));
  plan.launch(weight.before([=](const KernelMemory& memory) {
    Floats a = x1.values(memory, 0, m * k), b(at(n * k));
    const NarrowFormat& format = *NarrowFormat::of(ACL_FLOAT4_E2M1);
    for (std::int64_t row = 0; row < n; ++row) {
      for (std::int64_t i = 0; i < k; ++i) {
        const std::byte* const byte =
            first_element(memory, bytes, row * bytes.strides[0] + i / 2 * bytes.strides[1]);
        b[at(row * k + i)] = format.value(unsigned(*byte) >> (i % 2 * 4) & 0xF);
      }
    }
    scale_blocks(a.data(), values_of(inner1, memory).data(), m, k, false);
    scale_blocks(b.data(), values_of(inner2, memory).data(), n, k, false);
    const Floats of_rows = values_of(outer1, memory), of_columns = values_of(outer2, memory);
    for (std::int64_t i = 0; i < m * k; ++i)
      a[at(i)] *= of_rows[at(i / k * outer + i % k / kOuterGroup)];
    for (std::int64_t i = 0; i < n * k; ++i)
      b[at(i)] *= of_columns[at(i % k / kOuterGroup * n + i / k)];
    Floats sums = packed_product({a.data()}, {b.data(), true}, m, k, n);
    if (bias.given()) {
      const Floats added = values_of(bias, memory);
      for (std::int64_t i = 0; i < m * n; ++i) sums[at(i)] += added[at(i % n)];
    }
    RowMajorAccess(out, memory).write(0, m * n, sums.data());
  }));
}

/// y = blocks of float8 of gelu(x1 @ x2 + bias).
void quant_matmul_activation_quant(const Check& check, Plan& plan, const Activated& c) {
  check_activated(check, c);
  const Side a(plan, c.x1, c.x1ScaleOptional, c.transposeX1, false);
  const Side b(plan, c.x2, c.x2Scale, c.transposeX2, true);
  check_activated_sizes(check, plan, c, a, b);
  const std::int64_t rows = a.outer(), depth = a.depth(), columns = b.outer();
  const std::int64_t batch = a.count() / (rows * depth), pairs = mx_pairs(depth) * 2;
  const TensorArgument product = plan.scratch("product", ACL_FLOAT, c.yOut.shape());
  const RowMajor x1(a.values), x2(b.values), scale1(a.scales), scale2(b.scales);
  const RowMajor bias = c.biasOptional.given() ? reads(plan, c.biasOptional) : RowMajor();
  const RowMajor sums(plan.writes(product));
  const PointwiseFormula& gelu =
      c.activationType.text == "gelu_erf" ? formulas::gelu : formulas::gelu_tanh;
  plan.launch(b.plain.before([=, loop = gelu.loops[static_cast<int>(ComputeType::kFloat)],
                              down = a.turned, across = b.turned](const KernelMemory& memory) {
    Floats left = values_of(x1, memory), right = values_of(x2, memory);
    const Floats of_rows = values_of(scale1, memory), of_columns = values_of(scale2, memory);
    const Floats added = bias.given() ? values_of(bias, memory) : Floats();
    for (std::int64_t i = 0; i < batch; ++i) {
      float* const first = left.data() + i * rows * depth;
      float* const second = right.data() + i * columns * depth;
      scale_blocks(first, of_rows.data() + i * rows * pairs, down ? depth : rows,
                   down ? rows : depth, down);
      scale_blocks(second, of_columns.data() + i * columns * pairs, across ? columns : depth,
                   across ? depth : columns, !across);
      Floats wide = packed_product({first, down}, {second, across}, rows, depth, columns);
      const std::int64_t own = std::int64_t(added.size()) > columns ? i * columns : 0;
      for (std::int64_t j = 0; j < rows * columns && !added.empty(); ++j)
        wide[at(j)] += added[at(own + j % columns)];
      const void* const inputs[] = {wide.data()};
      loop(nullptr, rows * columns, inputs, wide.data());
      RowMajorAccess(sums, memory).write(i * rows * columns, rows * columns, wide.data());
    }
  }));
  TilesCall call;
  call.rows = batch * rows;
  call.width = columns;
  call.source = rows_of(plan.reads(product), columns);
  call.stores.push_back(mx_of_rows(plan, c.yOut, c.yScaleOut, columns, kMxBlock));
  call.stores[0].round = mx_round(c.roundMode);
  call.stores[0].scale = mx_scaler({c.yOut.dtype(), c.scaleAlg});
  quantise_tiles(plan, std::move(call));
}

}  // namespace pyaclnn::sim
