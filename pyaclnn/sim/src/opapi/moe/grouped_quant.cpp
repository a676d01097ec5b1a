// Rows of int8 times the matrices of their groups, and what follows: a gate and int8 again, or sums
// over the tokens that the rows were made of.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "objects/formats.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/matmul/integer_product.hpp"
#include "opapi/moe/groups.hpp"
#include "opapi/moe/numbers.hpp"
#include "opapi/quant/rows.hpp"
#include "parameters/GroupedMatmulFinalizeRoutingV3.hpp"
#include "parameters/GroupedMatmulSwigluQuant.hpp"

namespace pyaclnn::sim {
namespace {

using Floats = std::vector<float>;
using Sums = std::vector<std::int32_t>;

constexpr std::int64_t kBlockRows = 512;  // that are computed at once
constexpr std::int64_t kShift = 8;        // what rows of int8 lose where they go in two halves

long long ll(std::int64_t value) { return static_cast<long long>(value); }
std::size_t at(std::int64_t place) { return static_cast<std::size_t>(place); }

bool is_packed_scale(aclDataType dtype) { return dtype == ACL_UINT64 || dtype == ACL_INT64; }

/// Scales as floats, which 64-bit words hold in their low half.
struct Scales {
  View view;
  RowMajor plain;

  Scales() = default;
  Scales(Plan& plan, const TensorArgument& tensor) {
    plan.stage(tensor).contiguous();
    view = plan.reads(tensor);
    if (!is_packed_scale(view.dtype)) plain = RowMajor(view);
  }
  Floats values(const KernelMemory& memory) const {
    if (!is_packed_scale(view.dtype)) return RowMajorAccess(plain, memory).values();
    Floats result;
    for (const std::int64_t word : numbers_of<std::int64_t>(memory, view)) {
      const auto bits = std::uint32_t(std::uint64_t(word));
      float value;
      std::memcpy(&value, &bits, sizeof value);
      result.push_back(value);
    }
    return result;
  }
};

/// The products. Those with int4 come from two halves of x, which CANN's kernel multiplies apart:
/// together they are x - 8, and `assist` has what that lacks.
struct GroupedRows {
  PlainOperand weight;
  View x, matrices, numbers;
  std::int64_t list_type = kGroupEnds;
  Scales scale;
  std::int64_t parts = 1;  // of the depth, each with scales of its own
  RowMajor row_scale, assist;

  GroupedRows(Plan& plan, const TensorArgument& left, PlainOperand right,
              const TensorArgument& groups)
      : weight(std::move(right)), x(plan.reads(left)), matrices(in_int4(plan, weight.view())) {
    plan.stage(groups).contiguous();
    numbers = plan.reads(groups);
  }

  std::int64_t rows() const { return x.shape[0]; }
  std::int64_t depth() const { return x.shape[1]; }
  std::int64_t columns() const { return matrices.shape.back(); }
  bool is_int4() const { return matrices.dtype == ACL_INT4; }

  /// Calls use(first row, rows, expert, values) for rows of one expert.
  template <class Use>
  void run(const KernelMemory& memory, Use use) const {
    const Floats scales = scale.values(memory);
    const Floats of_rows =
        row_scale.given() ? RowMajorAccess(row_scale, memory).values() : Floats();
    const Floats added = assist.given() ? RowMajorAccess(assist, memory).values() : Floats();
    const auto groups =
        groups_of(numbers_of<std::int64_t>(memory, numbers), list_type, matrices.shape[0], rows());
    Floats values;
    for (const Group& group : groups) {
      for (std::int64_t row = group.begin; row < group.end; row += kBlockRows) {
        const std::int64_t count = std::min(kBlockRows, group.end - row);
        values.assign(at(count * columns()), 0.0f);
        multiply(memory, group.expert, row, count, scales, of_rows, values);
        if (is_int4()) finish(group.expert, row, count, added, of_rows, values);
        use(row, count, group.expert, values.data());
      }
    }
  }

 private:
  IntegerMatrix matrix(const KernelMemory& memory, std::int64_t expert, std::int64_t from) const {
    IntegerMatrix result;
    result.base = memory.operands[matrices.operand];
    result.packed = is_int4();
    result.first = matrices.offset + expert * matrices.strides[0] + from * matrices.strides[1];
    result.line_step = matrices.strides[1];
    result.step = matrices.strides[2];
    return result;
  }

  void multiply(const KernelMemory& memory, std::int64_t expert, std::int64_t row,
                std::int64_t count, const Floats& scales, const Floats& of_rows,
                Floats& values) const {
    const std::int64_t part = depth() / parts, n = columns();
    for (std::int64_t i = 0; i < parts; ++i) {
      const IntegerMatrix b = matrix(memory, expert, i * part);
      const float* const factors = scales.data() + (expert * parts + i) * n;
      Sums less;
      if (is_int4()) less = column_sums(b, part);
      IntegerMatrix a;
      a.base = memory.operands[x.operand];
      a.first = x.offset + row * x.strides[0] + i * part * x.strides[1];
      a.line_step = x.strides[0];
      a.step = x.strides[1];
      integer_product(
          a, b, count, n, part,
          [&](std::int64_t r, std::int64_t column, std::int64_t width, const std::int32_t* sums) {
            float* const to = values.data() + r * n + column;
            const float own = of_rows.empty() ? 1.0f : of_rows[at(row + r)];
            for (std::int64_t j = 0; j < width; ++j) {
              const float factor = factors[column + j];
              if (less.empty()) {
                to[j] = float(sums[j]) * own * factor;
              } else {
                to[j] += float(sums[j] - kShift * less[at(column + j)]) * factor;
              }
            }
          });
    }
  }

  Sums column_sums(const IntegerMatrix& b, std::int64_t part) const {
    const std::vector<std::byte> ones(at(part), std::byte(1));
    IntegerMatrix a;
    a.base = ones.data();
    a.line_step = part;
    Sums result(at(columns()));
    integer_product(
        a, b, 1, columns(), part,
        [&](std::int64_t, std::int64_t column, std::int64_t width, const std::int32_t* sums) {
          std::copy_n(sums, width, result.begin() + column);
        });
    return result;
  }

  void finish(std::int64_t expert, std::int64_t row, std::int64_t count, const Floats& added,
              const Floats& of_rows, Floats& values) const {
    const std::int64_t n = columns();
    for (std::int64_t r = 0; r < count; ++r) {
      for (std::int64_t j = 0; j < n; ++j) {
        float& value = values[at(r * n + j)];
        if (!added.empty()) value += added[at(expert * n + j)];
        if (!of_rows.empty()) value *= of_rows[at(row + r)];
      }
    }
  }
};

/// A weight of int8 or int4 in three dimensions, whatever its view is.
struct Weight {
  aclDataType dtype;
  Dims shape;

  explicit Weight(const TensorArgument& tensor) : dtype(tensor.dtype()), shape(tensor.shape()) {
    if (dtype != ACL_INT32) return;
    dtype = ACL_INT4;
    if (!shape.empty()) shape.set(shape.size() - 1, shape.back() * 8);
  }
};

void rank_is(const Check& check, const TensorArgument& tensor, std::size_t rank) {
  check.that(tensor.rank() == rank, "%s has %zu dimensions, it must have %zu", tensor.name(),
             tensor.rank(), rank);
}

void check_gate(const Check& check, Plan& plan, const GroupedMatmulSwigluQuantParameters& c,
                bool in_blocks) {
  check.not_null(c.x, c.weight, c.weightScale, c.xScale, c.groupList, c.output, c.outputScale);
  const Weight weight(c.weight);
  const bool int4 = weight.dtype == ACL_INT4;
  if (c.x.dtype() == ACL_INT8 && int4) check.not_null(c.bias);
  if (weight.shape.size() == 5) fail_not_simulated(plan, "a weight with a view of five dimensions");
  for (const TensorArgument* tensor : {&c.x, &c.output}) rank_is(check, *tensor, 2);
  rank_is(check, c.weight, 3);
  check.that(c.weightScale.rank() == 2 || (int4 && c.weightScale.rank() == 3),
             "weightScale has %zu dimensions", c.weightScale.rank());
  if (int4) rank_is(check, c.bias, 2);
  for (const TensorArgument* tensor : {&c.xScale, &c.groupList, &c.outputScale})
    rank_is(check, *tensor, 1);
  const std::int64_t m = c.x.shape()[0], k = c.x.shape()[1], e = weight.shape[0];
  const std::int64_t n = c.weightScale.shape().back();
  const std::int64_t parts = c.weightScale.rank() == 3 ? c.weightScale.shape()[1] : 1;
  check.that(parts > 0 && k % parts == 0, "%lld groups do not divide a depth of %lld", ll(parts),
             ll(k));
  check.that(n % 2 == 0, "weightScale has %lld columns, an odd number", ll(n));
  check.that(weight.shape == Dims({e, k, n}),
             "weight has shape %s beside %lld rows and %lld columns", weight.shape.text().c_str(),
             ll(k), ll(n));
  if (int4) check.shape_is(c.bias, Dims{e, n}, "experts and columns");
  check.that(c.weightScale.shape()[0] == e, "weightScale has %lld experts, weight %lld",
             ll(c.weightScale.shape()[0]), ll(e));
  check.shape_is(c.xScale, Dims{m}, "the rows of x");
  check.shape_is(c.output, Dims{m, n / 2}, "half of the product");
  check.shape_is(c.outputScale, Dims{m}, "the rows of x");
  check.that(c.groupList.shape()[0] <= e, "groupList has %lld groups for %lld experts",
             ll(c.groupList.shape()[0]), ll(e));
  constexpr std::int64_t kMostColumns = 10240, kMostDepth = 65536, kMostDepthOfInt4 = 20000;
  check.that(n <= kMostColumns, "weight has %lld columns, %lld at most", ll(n), ll(kMostColumns));
  check.that(k < (int4 ? kMostDepthOfInt4 : kMostDepth), "the depth is %lld", ll(k));
  check.dtype_in(DtypeSet{ACL_INT8}, c.x);
  check.that(weight.dtype == ACL_INT8 || int4, "weight is %s", dtype_name(c.weight.dtype()));
  if (int4) check.dtype_in(DtypeSet{ACL_FLOAT}, c.bias);
  const DtypeSet floats{ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
  check.dtype_in(int4 ? DtypeSet{ACL_UINT64, ACL_INT64} : floats, c.weightScale);
  check.dtype_in(floats, c.xScale);
  check.dtype_in(DtypeSet{ACL_INT64}, c.groupList);
  check.dtype_in(DtypeSet{ACL_INT8}, c.output);
  check.dtype_in(DtypeSet{ACL_FLOAT}, c.outputScale);
  check.that(int4 || in_blocks, "weight of int8 must be in FRACTAL_NZ");
  for (const TensorArgument* tensor : {&c.x, &c.output})
    check.that(!kPrivateFormats.contains(tensor->meta().format), "%s is in a private format",
               tensor->name());
}

/// y = int8 of x sigmoid(x) z, x and z the halves of each row.
void gate(const Check& check, Plan& plan, const GroupedMatmulSwigluQuantParameters& c,
          bool in_blocks) {
  check_gate(check, plan, c, in_blocks);
  if (c.output.is_empty() || c.groupList.is_empty() || c.outputScale.is_empty()) return;
  check_kernel_exists(plan, on_a2_or_a3() || on_950());
  if (on_950()) fail_not_simulated(plan, "Ascend950");
  plan.stage(c.x).contiguous();
  plan.stage(c.xScale).contiguous();
  GroupedRows rows(plan, c.x, PlainOperand(plan, c.weight, in_blocks), c.groupList);
  rows.scale = Scales(plan, c.weightScale);
  rows.parts = c.weightScale.rank() == 3 ? c.weightScale.shape()[1] : 1;
  rows.row_scale = RowMajor(plan.reads(c.xScale));
  if (rows.is_int4()) rows.assist = RowMajor(plan.reads(c.bias));
  RowQuantiser quantiser;
  quantiser.mode = QuantMode::kSymmetric;
  quantiser.multiplies = quantiser.inverts = true;
  quantiser.scale_out = RowMajor(plan.writes(c.outputScale));
  quantiser.out = QuantOut(plan, c.output);
  plan.launch(rows.weight.before([rows, quantiser](const KernelMemory& memory) {
    const std::int64_t half = rows.columns() / 2;
    rows.run(memory,
             [&](std::int64_t row, std::int64_t count, std::int64_t expert, const float* values) {
               parallel_for(count, 1, [&](std::int64_t begin, std::int64_t end) {
                 Floats line(at(half)), buffer(at(half));
                 for (std::int64_t i = begin; i < end; ++i) {
                   const float* const x = values + i * 2 * half;
                   for (std::int64_t j = 0; j < half; ++j)
                     line[at(j)] = x[j] / (1.0f + std::exp(-x[j])) * x[half + j];
                   quantiser(memory, {row + i, expert, half}, line.data(), buffer.data());
                 }
               });
             });
  }));
}

using Routing = GroupedMatmulFinalizeRoutingV3Parameters;

void check_routing_types(const Check& check, const Routing& c, bool int4) {
  check.dtype_in(DtypeSet{ACL_INT8}, c.x1);
  check.that(int4 || c.x2.dtype() == ACL_INT8, "x2 is %s", dtype_name(c.x2.dtype()));
  check.dtype_in(int4 ? DtypeSet{ACL_INT64} : DtypeSet{ACL_FLOAT, ACL_BF16}, c.scaleOptional);
  check.dtype_in(int4 ? DtypeSet{ACL_INT64} : DtypeSet{ACL_INT64, ACL_INT32}, c.rowIndexOptional);
  if (int4 && c.offsetOptional.given()) check.dtype_in(DtypeSet{ACL_FLOAT}, c.offsetOptional);
  if (c.biasOptional.given())
    check.dtype_in(int4 ? DtypeSet{ACL_FLOAT} : DtypeSet{ACL_BF16}, c.biasOptional);
  for (const TensorArgument* tensor : {&c.pertokenScaleOptional, &c.logitOptional})
    if (tensor->given()) check.dtype_in(DtypeSet{ACL_FLOAT}, *tensor);
  check.dtype_in(DtypeSet{ACL_INT64}, c.groupListOptional);
  if (c.sharedInputOptional.given()) check.dtype_in(DtypeSet{ACL_BF16}, c.sharedInputOptional);
  check.dtype_in(DtypeSet{ACL_FLOAT}, c.out);
}

void check_routing_shapes(const Check& check, const Routing& c, const Weight& weight,
                          bool in_blocks) {
  const bool int4 = weight.dtype == ACL_INT4;
  rank_is(check, c.x1, 2);
  rank_is(check, c.x2, 3);
  rank_is(check, c.scaleOptional, int4 ? 3 : 2);
  if (int4 && c.biasOptional.given()) rank_is(check, c.biasOptional, 2);
  for (const TensorArgument* tensor : {&c.pertokenScaleOptional, &c.logitOptional})
    if (tensor->given()) rank_is(check, *tensor, 1);
  rank_is(check, c.groupListOptional, 1);
  rank_is(check, c.rowIndexOptional, 1);
  if (c.sharedInputOptional.given()) rank_is(check, c.sharedInputOptional, 2);
  const std::int64_t m = c.x1.shape()[0], k = c.x1.shape()[1];
  const std::int64_t e = weight.shape[0], n = weight.shape[2];
  check.that(k == weight.shape[1], "the depth of x1 is %lld, that of x2 %lld", ll(k),
             ll(weight.shape[1]));
  if (int4) {
    const std::int64_t unit = in_blocks ? 64 : 8;
    check.that(n % unit == 0 && k % 64 == 0 && n > 64 && k > 128,
               "x2 has %lld rows and %lld columns, which a weight of int4 does not have", ll(k),
               ll(n));
  } else {
    check.that(k % 16 == 0 && n % 32 == 0 && n >= 256,
               "x2 has %lld rows and %lld columns, which a weight of int8 does not have", ll(k),
               ll(n));
  }
  rank_is(check, c.out, 2);
  const std::int64_t tokens = c.out.shape()[0];
  check.that(tokens <= m && c.out.shape()[1] == n, "out has shape %s",
             c.out.shape().text().c_str());
  check.that(c.sharedInputOffset >= 0, "sharedInputOffset is %lld", ll(c.sharedInputOffset));
  check.that(c.groupListType == 0 || c.groupListType == 1, "groupListType is %lld, not 0 or 1",
             ll(c.groupListType));
  check.shape_is(c.scaleOptional, int4 ? Dims{e, 1, n} : Dims{e, n}, "experts and columns");
  if (int4) {
    check.that(c.biasOptional.given(), "biasOptional is null beside int4");
    check.shape_is(c.biasOptional, Dims{e, n}, "experts and columns");
  }
  for (const TensorArgument* tensor : {&c.pertokenScaleOptional, &c.logitOptional})
    if (tensor->given()) check.shape_is(*tensor, Dims{m}, "the rows of x1");
  check.shape_is(c.rowIndexOptional, Dims{m}, "the rows of x1");
  check.shape_is(c.groupListOptional, Dims{e}, "the experts");
  const std::int64_t shared = c.sharedInputOptional.given() ? c.sharedInputOptional.shape()[0] : 0;
  check.that(shared == 0 || c.sharedInputOptional.shape()[1] == n, "sharedInput has shape %s",
             c.sharedInputOptional.given() ? c.sharedInputOptional.shape().text().c_str() : "");
  check.that(shared <= tokens && c.sharedInputOffset <= tokens - shared,
             "sharedInput has %lld rows from %lld on, out %lld", ll(shared),
             ll(c.sharedInputOffset), ll(tokens));
}

void check_routing(const Check& check, const Routing& c, bool in_blocks) {
  const Weight weight(c.x2);
  const bool int4 = weight.dtype == ACL_INT4;
  check_routing_types(check, c, int4);
  check_routing_shapes(check, c, weight, in_blocks);
  for (const TensorArgument* tensor :
       {&c.x1, &c.x2, &c.scaleOptional, &c.groupListOptional, &c.sharedInputOptional,
        &c.logitOptional, &c.rowIndexOptional, &c.pertokenScaleOptional})
    check.that(!tensor->given() || !tensor->is_empty(), "%s is empty", tensor->name());
  for (const TensorArgument* tensor :
       {&c.x1, &c.scaleOptional, &c.biasOptional, &c.pertokenScaleOptional, &c.groupListOptional,
        &c.sharedInputOptional, &c.logitOptional, &c.rowIndexOptional, &c.offsetOptional, &c.out})
    check.that(!tensor->given() || !kPrivateFormats.contains(tensor->meta().format),
               "%s is in a private format", tensor->name());
  if (!c.tuningConfigOptional.given() || c.tuningConfigOptional.values().empty()) return;
  const std::int64_t expected = c.tuningConfigOptional.values()[0];
  check.that(expected >= 0 && expected <= c.x1.shape()[0], "tuningConfigOptional[0] is %lld",
             ll(expected));
}

/// What the versions ask first of all.
void check_scene(const Check& check, const Plan& plan, const Routing& c) {
  for (const TensorArgument* absent : {&c.antiquantScaleOptional, &c.antiquantOffsetOptional})
    if (absent->given())
      fail(ACLNN_ERR_PARAM_NULLPTR, "%s: %s must be null", plan.api(), absent->name());
  check.not_null(c.x1, c.x2, c.scaleOptional, c.groupListOptional, c.logitOptional,
                 c.rowIndexOptional, c.out);
  check.that(c.dtype == 0, "dtype is %lld, it must be 0", ll(c.dtype));
  check.that(c.x2.rank() >= 2, "x2 has %zu dimensions", c.x2.rank());
  check.that(!c.transposeX1 && !c.transposeX2, "operands must not be transposed");
}

/// out[token] = the sum of its rows, times what they weigh, and of the shared experts' rows.
void finalise(const Check& check, Plan& plan, const Routing& c, bool in_blocks) {
  check_routing(check, c, in_blocks);
  check_kernel_exists(plan, on_a2_or_a3() || on_950());
  if (on_950()) fail_not_simulated(plan, "Ascend950");
  if (c.offsetOptional.given()) fail_not_simulated(plan, "an offset");
  const bool int4 = Weight(c.x2).dtype == ACL_INT4;
  if (!int4 && c.biasOptional.given()) fail_not_simulated(plan, "a bias beside int8");
  plan.stage(c.x1).contiguous();
  GroupedRows rows(plan, c.x1, PlainOperand(plan, c.x2, in_blocks), c.groupListOptional);
  rows.list_type = c.groupListType == 0 ? kGroupEnds : kGroupSizes;
  rows.scale = Scales(plan, c.scaleOptional);
  const auto floats = [&](const TensorArgument& tensor) {
    if (!tensor.given()) return RowMajor();
    plan.stage(tensor).contiguous();
    return RowMajor(plan.reads(tensor));
  };
  rows.row_scale = floats(c.pertokenScaleOptional);
  if (int4) rows.assist = floats(c.biasOptional);
  const RowMajor logits = floats(c.logitOptional), shared = floats(c.sharedInputOptional);
  plan.stage(c.rowIndexOptional).contiguous();
  const View places = plan.reads(c.rowIndexOptional);
  plan.result(ACL_FLOAT, c.out.shape()).copy_to(c.out);
  const RowMajor to(plan.writes(c.out));
  const std::int64_t tokens = c.out.shape()[0];
  plan.launch(rows.weight.before([=, weight = c.sharedInputWeight,
                                  first = c.sharedInputOffset](const KernelMemory& memory) {
    const std::int64_t n = rows.columns();
    Floats sums(at(tokens * n), 0.0f);
    if (shared.given()) {
      const Floats values = RowMajorAccess(shared, memory).values();
      for (std::size_t i = 0; i < values.size(); ++i) sums[at(first * n) + i] = weight * values[i];
    }
    const auto index = numbers_of<std::int64_t>(memory, places);
    const Floats weights = RowMajorAccess(logits, memory).values();
    rows.run(memory, [&](std::int64_t row, std::int64_t count, std::int64_t, const float* values) {
      parallel_for(n, 256, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = 0; i < count; ++i) {
          const std::int64_t token = index[at(row + i)];
          if (token < 0 || token >= tokens) continue;
          const float own = weights[at(row + i)];
          for (std::int64_t j = begin; j < end; ++j)
            sums[at(token * n + j)] += own * values[i * n + j];
        }
      });
    });
    RowMajorAccess(to, memory).write(0, tokens * n, sums.data());
  }));
}

}  // namespace

void grouped_swiglu_quant(const Check& check, Plan& plan,
                          const GroupedMatmulSwigluQuantParameters& given) {
  gate(check, plan, given, given.weight.given() && is_nz(given.weight.meta().format));
}

void grouped_swiglu_quant_nz(const Check& check, Plan& plan,
                             const GroupedMatmulSwigluQuantParameters& given) {
  check.not_null(given.weight);
  const std::size_t stored = given.weight.meta().storage_shape.size();
  check.that(stored == 5, "weight is stored with %zu dimensions, not 5", stored);
  gate(check, plan, given, true);
}

void finalize_routing(const Check& check, Plan& plan, const Routing& given) {
  check_scene(check, plan, given);
  check.not_null(given.pertokenScaleOptional);
  check.that(given.x2.dtype() == ACL_INT32, "x2 is %s, it must be int32 of eight int4 each",
             dtype_name(given.x2.dtype()));
  finalise(check, plan, given, false);
}

void finalize_routing_with_assist(const Check& check, Plan& plan, const Routing& given) {
  if (given.biasOptional.given()) return finalize_routing(check, plan, given);
  check.not_null(given.x1, given.x2, given.biasOptional);
}

void finalize_routing_nz(const Check& check, Plan& plan, const Routing& given) {
  check.not_null(given.x2);
  if (Weight(given.x2).dtype == ACL_INT4) check.not_null(given.pertokenScaleOptional);
  check_scene(check, plan, given);
  check.that(given.x1.meta().format == ACL_FORMAT_ND && is_nz(given.x2.meta().format),
             "x1 must be ND and x2 in FRACTAL_NZ");
  finalise(check, plan, given, true);
}

}  // namespace pyaclnn::sim
