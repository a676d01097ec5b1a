// Rows of int8 times the matrices of their groups, and what follows: a gate and int8 again, or sums
// over the tokens that the rows were made of.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "objects/formats.hpp"
#include "opapi/common/as_stored.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/numbers.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/moe/combined_groups.hpp"
#include "opapi/moe/gated_rows.hpp"
#include "opapi/moe/grouped_matmul.hpp"
#include "opapi/moe/written_groups.hpp"
#include "opapi/product/groups.hpp"
#include "opapi/product/halved_product.hpp"
#include "opapi/quant/rows.hpp"
#include "opapi/quant/stored_scales.hpp"
#include "parameters/GroupedMatmulSwigluQuant.hpp"

namespace pyaclnn::sim {
namespace {

using Floats = std::vector<float>;
using Sums = std::vector<std::int32_t>;

constexpr std::int64_t kBlockRows = 512;  // that are computed at once

std::size_t at(std::int64_t place) { return static_cast<std::size_t>(place); }

/// Matrices that lie in one tensor, or in a tensor for each expert.
struct Weights {
  std::vector<PlainOperand> tensors;

  Launch before(Launch kernel) const { return before_all(tensors, std::move(kernel)); }
};

/// The products. Beside weights of int4 the low half of an x of int8 lacks 8: `assist` has what
/// that amounts to; beside those of int8 it is a bias. Scales and assistance have as many tensors
/// as the weight.
struct GroupedRows {
  Weights weight;
  View x, numbers;
  std::vector<View> matrices;
  std::int64_t list_type = kGroupEnds;
  std::vector<StoredScales> scale;
  std::int64_t parts = 1;  // of the depth, each with scales of its own
  RowMajor row_scale;
  std::vector<RowMajor> assist;
  std::vector<RowMajor> offset;  // of int4: what each column has for a unit of a row's sum
  RowMajor restoring;            // what makes int8 of int4, for parts of the depth
  bool row_scale_last = false;

  GroupedRows(Plan& plan, const TensorArgument& left, Weights right, const TensorArgument& groups)
      : weight(std::move(right)), x(in_int4(plan, plan.reads(left))) {
    for (const PlainOperand& each : weight.tensors) matrices.push_back(in_int4(plan, each.view()));
    plan.stage(groups).contiguous();
    numbers = plan.reads(groups);
  }

  std::int64_t rows() const { return x.shape[0]; }
  std::int64_t depth() const { return x.shape[1]; }
  std::int64_t columns() const { return matrices[0].shape.back(); }
  std::int64_t experts() const {
    return matrices.size() > 1 ? std::int64_t(matrices.size()) : matrices[0].shape[0];
  }
  bool has_int4() const { return matrices[0].dtype == ACL_INT4; }
  /// Whether products are of halves, as Atlas A2 has them.
  bool is_int4() const { return has_int4() && !restoring.given(); }

  /// Calls use(first row, rows, expert, values) for rows of one expert.
  template <class Use>
  void run(const KernelMemory& memory, Use use) const {
    const Floats scales =
        of_all(scale, [&](const StoredScales& each) { return each.values(memory); });
    const Floats of_rows =
        row_scale.given() ? RowMajorAccess(row_scale, memory).values() : Floats();
    const auto read = [&](const RowMajor& each) { return RowMajorAccess(each, memory).values(); };
    const Floats added = of_all(assist, read), zeros = of_all(offset, read);
    const auto groups =
        groups_of(numbers_of<std::int64_t>(memory, numbers), list_type, experts(), rows());
    Floats values;
    for (const Group& group : groups) {
      for (std::int64_t row = group.begin; row < group.end; row += kBlockRows) {
        const std::int64_t count = std::min(kBlockRows, group.end - row);
        values.assign(at(count * columns()), 0.0f);
        multiply(memory, group.expert, row, count, scales, of_rows, values);
        add_columns(group.expert, count, added, Floats(), values);
        if (!zeros.empty())
          add_columns(group.expert, count, zeros, sums_of(rows_of_x(memory, row), count), values);
        if (is_int4() && !of_rows.empty()) scale_rows(count, of_rows.data() + row, values);
        use(row, count, group.expert, values.data());
      }
    }
  }

 private:
  /// The values of each tensor of a list, behind one another.
  template <class Each, class Read>
  static Floats of_all(const std::vector<Each>& list, Read read) {
    Floats result;
    for (const Each& each : list) {
      const Floats values = read(each);
      result.insert(result.end(), values.begin(), values.end());
    }
    return result;
  }

  IntegerMatrix matrix(const KernelMemory& memory, std::int64_t expert) const {
    const View& own = matrices[matrices.size() > 1 ? at(expert) : 0];
    const std::size_t rank = own.shape.size();
    IntegerMatrix result;
    result.base = memory.operands[own.operand];
    result.packed = has_int4();
    result.first = own.offset + (rank > 2 ? expert * own.strides[0] : 0);
    result.line_step = own.strides[rank - 2];
    result.step = own.strides[rank - 1];
    return result;
  }

  IntegerMatrix rows_of_x(const KernelMemory& memory, std::int64_t row) const {
    IntegerMatrix result;
    result.base = memory.operands[x.operand];
    result.packed = x.dtype == ACL_INT4;
    result.first = x.offset + row * x.strides[0];
    result.line_step = x.strides[0];
    result.step = x.strides[1];
    return result;
  }

  /// The numbers of an expert's matrix, in rows: each times its part's factor in float16, and the
  /// low bits of the whole number that this is nearest to; 0 where it is not finite.
  std::vector<std::int8_t> restored(const KernelMemory& memory, std::int64_t expert) const {
    const std::int64_t n = columns(), part = depth() / parts;
    const IntegerMatrix stored = matrix(memory, expert);
    Floats buffer(at(parts * n));
    const float* const factors =
        RowMajorAccess(restoring, memory).read(expert * parts * n, parts * n, buffer.data());
    std::vector<std::int8_t> result(at(depth() * n));
    parallel_for(depth(), part, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) {
        std::int8_t* const line = result.data() + row * n;
        const float* const own = factors + row / part * n;
        stored.read(row, 0, n, line);
        for (std::int64_t j = 0; j < n; ++j) {
          const float product = as_stored(float(line[j]) * own[j], ACL_FLOAT16);
          line[j] = std::isfinite(product) ? std::int8_t(int(rounded(product, Round::kRint))) : 0;
        }
      }
    });
    return result;
  }

  void multiply(const KernelMemory& memory, std::int64_t expert, std::int64_t row,
                std::int64_t count, const Floats& scales, const Floats& of_rows,
                Floats& values) const {
    const IntegerMatrix a = rows_of_x(memory, row);
    if (is_int4()) {
      const HalvedProduct product{count, columns(), depth(), parts};
      const float* const own = scales.data() + expert * parts * columns();
      return product.add(a, matrix(memory, expert), own, values);
    }
    const std::int64_t n = columns();
    IntegerMatrix b = matrix(memory, expert);
    std::vector<std::int8_t> whole;
    if (restoring.given()) {
      whole = restored(memory, expert);
      b = IntegerMatrix();
      b.base = reinterpret_cast<const std::byte*>(whole.data());
      b.line_step = n;
    }
    integer_product(
        a, b, count, n, depth(),
        [&](std::int64_t r, std::int64_t column, std::int64_t width, const std::int32_t* sums) {
          float* const to = values.data() + r * n + column;
          const float* const factors = scales.data() + expert * n + column;
          const float own = of_rows.empty() ? 1.0f : of_rows[at(row + r)];
          for (std::int64_t j = 0; j < width; ++j)
            to[j] = row_scale_last ? float(sums[j]) * factors[j] * own
                                   : float(sums[j]) * own * factors[j];
        });
  }

  /// What each row of x sums to.
  Floats sums_of(const IntegerMatrix& a, std::int64_t count) const {
    Floats result;
    std::vector<std::int8_t> line(at(depth()));
    for (std::int64_t r = 0; r < count; ++r) {
      a.read(r, 0, depth(), line.data());
      result.push_back(float(std::accumulate(line.begin(), line.end(), std::int64_t(0))));
    }
    return result;
  }

  /// Adds a number for each column, once or so many times as `times` says of the row.
  void add_columns(std::int64_t expert, std::int64_t count, const Floats& added,
                   const Floats& times, Floats& values) const {
    const std::int64_t n = columns();
    for (std::int64_t i = 0; i < count * n && !added.empty(); ++i) {
      const float one = added[at(expert * n + i % n)];
      values[at(i)] += times.empty() ? one : times[at(i / n)] * one;
    }
  }

  void scale_rows(std::int64_t count, const float* of_rows, Floats& values) const {
    for (std::int64_t i = 0; i < count * columns(); ++i) values[at(i)] *= of_rows[i / columns()];
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

/// A weight in FRACTAL_NZ whose view shows the blocks, as the matrix or matrices that these are.
class Matrices {
 public:
  Matrices(const Check& check, const Plan& plan, const TensorArgument& weight, bool in_blocks)
      : meta_(weight.meta()), tensor_(weight.name(), weight.index(), &meta_) {
    const std::size_t rank = weight.rank();
    if (!in_blocks || (rank != 4 && rank != 5)) return;
    const Dims shown = meta_.shape;
    if (!meta_.is_contiguous()) fail_not_simulated(plan, "blocks that are transposed");
    constexpr std::int64_t kHeight = 16;
    const std::int64_t width = nz_width(ACL_FORMAT_FRACTAL_NZ, meta_.dtype);
    check.that(shown[rank - 2] == kHeight && shown[rank - 1] == width,
               "%s has shape %s, whose blocks must be of %lld by %lld", weight.name(),
               shown.text().c_str(), ll(kHeight), ll(width));
    meta_.storage_shape = shown;
    meta_.shape = Dims();
    if (rank == 5) meta_.shape.push_back(shown[0]);
    meta_.shape.push_back(shown[rank - 3] * kHeight);
    meta_.shape.push_back(shown[rank - 4] * width);
    meta_.strides = contiguous_strides(meta_.shape);
  }

  const TensorArgument& tensor() const { return tensor_; }

 private:
  TensorMeta meta_;
  TensorArgument tensor_;
};

using Members = std::vector<const TensorArgument*>;

/// Tensors of a list, one for each expert, as the one tensor that they would be together; the only
/// one as it is.
class Together {
 public:
  Together(const Check& check, const Members& members)
      : meta_(members[0]->meta()), tensor_(members[0]->name(), members[0]->index(), &meta_) {
    if (members.size() == 1) return;
    const Dims& each = members[0]->shape();
    for (const TensorArgument* member : members)
      check.that(member->dtype() == meta_.dtype && member->shape() == each,
                 "%s is %s of shape %s, beside %s of shape %s", member->name(),
                 dtype_name(member->dtype()), member->shape().text().c_str(),
                 dtype_name(meta_.dtype), each.text().c_str());
    meta_.shape = Dims{ll(members.size())};
    for (const std::int64_t extent : each) meta_.shape.push_back(extent);
    meta_.strides = contiguous_strides(meta_.shape);
  }

  const TensorArgument& tensor() const { return tensor_; }

 private:
  TensorMeta meta_;
  TensorArgument tensor_;
};

void rank_is(const Check& check, const TensorArgument& tensor, std::size_t rank) {
  check.that(tensor.rank() == rank, "%s has %zu dimensions, it must have %zu", tensor.name(),
             tensor.rank(), rank);
}

/// What both versions take.
struct Gate {
  const TensorArgument &x, &weight, &scale, &row_scale, &assist, &smooth, &groups, &out, &out_scale;
  bool is_second, in_blocks;
  std::int64_t list_type;
  Members weights, scales, assists;  // what the three are together
};

void check_gate_types(const Check& check, const Gate& c, const Weight& x, const Weight& weight) {
  const bool int4 = weight.dtype == ACL_INT4;
  const DtypeSet floats{ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
  check.that(x.dtype == ACL_INT8 || (c.is_second && int4 && x.dtype == ACL_INT4), "x is %s",
             dtype_name(c.x.dtype()));
  check.that(weight.dtype == ACL_INT8 || int4, "weight is %s", dtype_name(c.weight.dtype()));
  if (c.assist.given() && int4) check.dtype_in(DtypeSet{ACL_FLOAT}, c.assist);
  check.dtype_in(int4 ? DtypeSet{ACL_UINT64, ACL_INT64} : floats, c.scale);
  check.dtype_in(c.is_second ? DtypeSet{ACL_FLOAT} : floats, c.row_scale);
  check.dtype_in(DtypeSet{ACL_INT64}, c.groups);
  check.dtype_in(DtypeSet{ACL_INT8}, c.out);
  check.dtype_in(DtypeSet{ACL_FLOAT}, c.out_scale);
  check.that(int4 || c.in_blocks, "weight of int8 must be in FRACTAL_NZ");
  check_not_private(check, {&c.x, &c.out});
}

/// The shapes of a smoothing scale: one number, or a row, for each expert.
void check_smooth(const Check& check, const Gate& c, std::int64_t e, std::int64_t half) {
  if (!c.smooth.given()) return;
  check.dtype_in(DtypeSet{ACL_FLOAT}, c.smooth);
  check.that(c.smooth.rank() == 1 || c.smooth.rank() == 2, "smoothScale has %zu dimensions",
             c.smooth.rank());
  check.shape_is(c.smooth, c.smooth.rank() == 1 ? Dims{e} : Dims{e, half}, "the experts");
}

void check_gate(const Check& check, const Gate& c) {
  const Weight weight(c.weight), x(c.x);
  const bool int4 = weight.dtype == ACL_INT4;
  for (const TensorArgument* tensor : {&c.x, &c.out}) rank_is(check, *tensor, 2);
  rank_is(check, c.weight, 3);
  check.that(c.scale.rank() == 2 || (int4 && c.scale.rank() == 3), "%s has %zu dimensions",
             c.scale.name(), c.scale.rank());
  // Of a weight in words, CANN's first version comes to it here, null or not.
  if (int4 && !c.is_second && x.dtype == ACL_INT8) check.not_null(c.assist);
  if (c.assist.given() && int4) rank_is(check, c.assist, 2);
  for (const TensorArgument* tensor : {&c.row_scale, &c.groups, &c.out_scale})
    rank_is(check, *tensor, 1);
  const std::int64_t m = x.shape[0], k = x.shape[1], e = weight.shape[0];
  const std::int64_t n = c.scale.shape().back();
  const std::int64_t parts = c.scale.rank() == 3 ? c.scale.shape()[1] : 1;
  check.that(parts > 0 && k % parts == 0, "%lld groups do not divide a depth of %lld", ll(parts),
             ll(k));
  check.that(n % 2 == 0, "%s has %lld columns, an odd number", c.scale.name(), ll(n));
  check.that(weight.shape == Dims({e, k, n}),
             "weight has shape %s beside %lld rows and %lld columns", weight.shape.text().c_str(),
             ll(k), ll(n));
  check.that(int4 || !c.is_second || !c.in_blocks || (k % 16 == 0 && n % 32 == 0),
             "weight has shape %s, which FRACTAL_NZ takes in blocks of 16 by 32 only",
             weight.shape.text().c_str());
  if (c.assist.given() && int4) check.shape_is(c.assist, Dims{e, n}, "experts and columns");
  check.that(c.scale.shape()[0] == e, "%s has %lld experts, weight %lld", c.scale.name(),
             ll(c.scale.shape()[0]), ll(e));
  check.shape_is(c.row_scale, Dims{m}, "the rows of x");
  check.shape_is(c.out, Dims{m, n / 2}, "half of the product");
  check.shape_is(c.out_scale, Dims{m}, "the rows of x");
  check.that(c.groups.shape()[0] <= e, "groupList has %lld groups for %lld experts",
             ll(c.groups.shape()[0]), ll(e));
  constexpr std::int64_t kMostColumns = 10240, kMostDepth = 65536, kMostDepthOfInt4 = 20000;
  check.that(n <= kMostColumns, "weight has %lld columns, %lld at most", ll(n), ll(kMostColumns));
  check.that(k < (int4 ? kMostDepthOfInt4 : kMostDepth), "the depth is %lld", ll(k));
  if (x.dtype == ACL_INT4) check_smooth(check, c, e, n / 2);
  check.that(!c.smooth.given() || x.dtype == ACL_INT4, "smoothScale must be null beside x of int8");
  check_gate_types(check, c, x, weight);
}

/// y = int8 of x sigmoid(x) z, x and z the halves of each row.
void gate(const Check& check, Plan& plan, const Gate& c) {
  check_gate(check, c);
  if (c.out.is_empty() || c.groups.is_empty() || c.out_scale.is_empty()) return;
  needs_kernel(plan, on_a2_or_a3());
  check_tiling(plan, c.list_type == kGroupEnds || c.list_type == kGroupSizes,
               "groupListType is %lld, not 0 or 1", ll(c.list_type));
  plan.stage(c.x).contiguous();
  plan.stage(c.row_scale).contiguous();
  Weights weights;
  for (const TensorArgument* each : c.weights)
    weights.tensors.emplace_back(plan, *each, c.in_blocks);
  GroupedRows rows(plan, c.x, std::move(weights), c.groups);
  rows.list_type = c.list_type;
  for (const TensorArgument* each : c.scales) rows.scale.emplace_back(plan, *each);
  rows.parts = c.scale.rank() == 3 ? c.scale.shape()[1] : 1;
  rows.row_scale = RowMajor(plan.reads(c.row_scale));
  if (rows.is_int4())
    for (const TensorArgument* each : c.assists) rows.assist.emplace_back(plan.reads(*each));
  const std::int64_t half = rows.columns() / 2;
  RowQuantiser quantiser;
  quantiser.mode = QuantMode::kSymmetric;
  // The second version's kernel for int8 divides; the others multiply, and round to float16 first.
  const bool divides = c.is_second && !rows.is_int4();
  rows.row_scale_last = divides;
  quantiser.multiplies = quantiser.inverts = !divides;
  if (!divides) quantiser.by = ACL_FLOAT16;
  if (c.smooth.given()) quantiser.smooth = RowFactors(plan, c.smooth, half, c.smooth.rank() == 1);
  quantiser.scale_out = RowMajor(plan.writes(c.out_scale));
  quantiser.out = QuantOut(plan, c.out);
  gate_rows(plan, rows, std::move(quantiser));
}

void gate_first(const Check& check, Plan& plan, const GroupedMatmulSwigluQuantParameters& c,
                bool in_blocks) {
  check.not_null(c.x, c.weight, c.weightScale, c.xScale, c.groupList, c.output, c.outputScale);
  if (c.x.dtype() == ACL_INT8 && c.weight.dtype() == ACL_INT4) check.not_null(c.bias);
  const TensorArgument none{Absent()};
  const Matrices weight(check, plan, c.weight, in_blocks);
  gate(check, plan,
       {c.x,
        weight.tensor(),
        c.weightScale,
        c.xScale,
        c.bias,
        none,
        c.groupList,
        c.output,
        c.outputScale,
        false,
        in_blocks,
        kGroupEnds,
        {&weight.tensor()},
        {&c.weightScale},
        c.bias.given() ? Members{&c.bias} : Members{}});
}

/// The tensors of a list; refuses (161001) one that is empty or has a null tensor.
Members members_of(const Check& check, const TensorListIn& list) {
  check.that_given(list.given() && !list.tensors.empty(), list.name());
  Members members;
  for (const TensorArgument& tensor : list.tensors) {
    check.that_given(tensor.given(), list.name());
    members.push_back(&tensor);
  }
  return members;
}

using SecondGate = GroupedMatmulSwigluQuantV2Parameters;

void gate_second(const Check& check, Plan& plan, const SecondGate& c, bool named_nz) {
  check.that(on_a2_or_a3() || on_950(), "%s does not have the operator", chip().name);
  check.not_null(c.x, c.weight, c.weightScale, c.xScale, c.groupList, c.output, c.outputScale);
  if (on_950()) return gate_on_950(check, plan, c, named_nz);
  const Members given = members_of(check, c.weight);
  const Members scales = members_of(check, c.weightScale);
  check.that(scales.size() == given.size(), "there are %zu weights and %zu weightScales",
             given.size(), scales.size());
  const bool in_blocks = named_nz || is_nz(given[0]->meta().format);
  std::deque<Matrices> matrices;
  Members weights;
  for (const TensorArgument* each : given) {
    check.that(named_nz || is_nz(each->meta().format) == in_blocks,
               "%s is in another format than the weights before it", each->name());
    weights.push_back(&matrices.emplace_back(check, plan, *each, in_blocks).tensor());
  }
  const Together weight(check, weights), scale(check, scales);
  check.that(!weight.tensor().is_empty() && !scale.tensor().is_empty(),
             "weight or weightScale is empty");
  const Weight x(c.x), w(weight.tensor());
  const bool pair = (x.dtype == ACL_INT8 && (w.dtype == ACL_INT8 || w.dtype == ACL_INT4)) ||
                    (x.dtype == ACL_INT4 && w.dtype == ACL_INT4);
  check.that(pair, "x is %s, and weight %s", dtype_name(c.x.dtype()),
             dtype_name(weight.tensor().dtype()));
  const bool has_assist = c.weightAssistMatrix.given() && !c.weightAssistMatrix.tensors.empty();
  if (w.dtype == ACL_INT4) {
    check.that(has_assist == (x.dtype == ACL_INT8),
               "weightAssistMatrix goes with x of int8 and weights of int4");
    check.that(scale.tensor().rank() == (c.dequantMode == 0 ? 2u : 3u),
               "weightScale has %zu dimensions with the experts', and dequantMode is %lld",
               scale.tensor().rank(), ll(c.dequantMode));
    check_tiling(plan, c.dequantMode == 0 || c.dequantMode == 1, "dequantMode is %lld, not 0 or 1",
                 ll(c.dequantMode));
  }
  const TensorArgument none{Absent()};
  Members assists;
  std::optional<Together> assist;
  if (has_assist) {
    assists = members_of(check, c.weightAssistMatrix);
    check.that(assists.size() == given.size(), "there are %zu weights and %zu weightAssistMatrix",
               given.size(), assists.size());
    assist.emplace(check, assists);
  }
  gate(check, plan,
       {c.x, weight.tensor(), scale.tensor(), c.xScale, assist ? assist->tensor() : none,
        c.smoothScale, c.groupList, c.output, c.outputScale, true, in_blocks, c.groupListType,
        weights, scales, assists});
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
    if (c.biasOptional.given()) check.shape_is(c.biasOptional, Dims{e, n}, "experts and columns");
    if (c.offsetOptional.given())
      check.shape_is(c.offsetOptional, Dims{e, 1, n}, "experts and columns");
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
  check_not_in_nz(check, {&c.x1, &c.scaleOptional, &c.biasOptional, &c.pertokenScaleOptional,
                          &c.groupListOptional, &c.sharedInputOptional, &c.logitOptional,
                          &c.rowIndexOptional, &c.offsetOptional});
  // Other tensors are taken for ND, whatever they say.
  check.that(c.out.meta().format == ACL_FORMAT_ND, "%s must be in the format ND", c.out.name());
  if (!c.tuningConfigOptional.given() || c.tuningConfigOptional.values().empty()) return;
  const std::int64_t expected = c.tuningConfigOptional.values()[0];
  check.that(expected >= 0 && expected <= c.x1.shape()[0], "tuningConfigOptional[0] is %lld",
             ll(expected));
}

/// What the versions ask first of all.
void check_scene(const Check& check, const Plan& plan, const Routing& c, bool turns = false) {
  for (const TensorArgument* absent : {&c.antiquantScaleOptional, &c.antiquantOffsetOptional})
    if (absent->given())
      fail(ACLNN_ERR_PARAM_NULLPTR, "%s: %s must be null", plan.api(), absent->name());
  check.not_null(c.x1, c.x2, c.scaleOptional, c.groupListOptional, c.logitOptional,
                 c.rowIndexOptional);
  check.that(c.dtype == 0, "dtype is %lld, it must be 0", ll(c.dtype));
  check.that(c.x2.rank() >= 2, "x2 has %zu dimensions", c.x2.rank());
  check.that(!c.transposeX1 && (!c.transposeX2 || turns), "operands must not be transposed");
}

/// out[token] = the sum of its rows, times what they weigh, and of the shared experts' rows.
void finalise(const Check& check, Plan& plan, const Routing& c, bool in_blocks) {
  if (on_950()) return combine_on_950(check, plan, c);
  check.not_null(c.out);
  constexpr std::size_t kMostAxes = 8;
  check_inside(plan, c.x1.rank() <= kMostAxes, "x1 has %zu dimensions", c.x1.rank());
  check_routing(check, c, in_blocks);
  // The inference of the result's shape takes x1 as it is stored.
  check_inside(plan, !is_turned(c.x1), "x1 is transposed");
  needs_kernel(plan, on_a2_or_a3());
  const Weight weight(c.x2);
  const bool int4 = weight.dtype == ACL_INT4;
  // Nobody looks at its shape, and the kernel reads so many numbers.
  if (!int4 && c.biasOptional.given() &&
      c.biasOptional.elements() != weight.shape[0] * weight.shape[2])
    fail_not_simulated(plan, "a bias beside int8 that has not a number for each column");
  plan.stage(c.x1).contiguous();
  GroupedRows rows(plan, c.x1, {{PlainOperand(plan, c.x2, in_blocks)}}, c.groupListOptional);
  rows.list_type = c.groupListType == 0 ? kGroupEnds : kGroupSizes;
  rows.scale = {StoredScales(plan, c.scaleOptional)};
  const auto floats = [&](const TensorArgument& tensor) {
    if (!tensor.given()) return RowMajor();
    plan.stage(tensor).contiguous();
    return RowMajor(plan.reads(tensor));
  };
  rows.row_scale = floats(c.pertokenScaleOptional);
  if (c.biasOptional.given()) rows.assist = {floats(c.biasOptional)};
  // Beside int8 it is not looked at.
  if (int4 && c.offsetOptional.given()) rows.offset = {floats(c.offsetOptional)};
  combine_groups(plan, rows, c);
}

}  // namespace

void grouped_int4_products(Plan& plan, const GroupedProducts& g) {
  const TensorArgument& x = g.x.tensors[0];
  const TensorArgument& out = g.out.tensors[0];
  if (out.is_empty()) return;
  plan.stage(x).contiguous();
  Weights weights;
  for (const TensorArgument& each : g.weight.tensors) weights.tensors.emplace_back(plan, each);
  GroupedRows rows(plan, x, std::move(weights), *g.numbers);
  const auto all_floats = [&](const TensorListIn& list) {
    std::vector<RowMajor> result;
    if (!list.given()) return result;
    for (const TensorArgument& each : list.tensors) {
      plan.stage(each).contiguous();
      result.emplace_back(plan.reads(each));
    }
    return result;
  };
  const auto floats = [&](const TensorListIn& list) {
    const std::vector<RowMajor> all = all_floats(list);
    return all.empty() ? RowMajor() : all[0];
  };
  rows.restoring = floats(g.anti_scale);
  rows.row_scale_last = rows.restoring.given();
  // Atlas A2's kernel for x of int8 takes the numbers for sizes, whatever groupListType says.
  const bool always_sizes = x.dtype() == ACL_INT8 && !rows.restoring.given();
  rows.list_type = always_sizes ? std::int64_t(kGroupSizes) : g.list_type;
  for (const TensorArgument& each : g.scale.tensors) rows.scale.emplace_back(plan, each);
  const TensorArgument& of_parts = (rows.restoring.given() ? g.anti_scale : g.scale).tensors[0];
  const std::size_t axes = g.weight.tensors[0].rank();
  rows.parts = of_parts.rank() == axes ? of_parts.shape()[axes - 2] : 1;
  rows.row_scale = floats(g.token_scale);
  rows.assist = all_floats(g.bias);
  if (g.offset != nullptr) rows.offset = all_floats(*g.offset);
  plan.result(out.dtype(), out.shape()).copy_to(out);
  write_groups(plan, rows, out);
}

void grouped_swiglu_quant(const Check& check, Plan& plan,
                          const GroupedMatmulSwigluQuantParameters& given) {
  gate_first(check, plan, given, given.weight.given() && is_nz(given.weight.meta().format));
}

void grouped_swiglu_quant_nz(const Check& check, Plan& plan,
                             const GroupedMatmulSwigluQuantParameters& given) {
  check.not_null(given.weight);
  const std::size_t stored = given.weight.meta().storage_shape.size();
  check.that(stored == 5, "weight is stored with %zu dimensions, not 5", stored);
  gate_first(check, plan, given, true);
}

void grouped_swiglu_quant_v2(const Check& check, Plan& plan, const SecondGate& given) {
  check.that(given.output.given(), "output is null");
  gate_second(check, plan, given, false);
}

void grouped_swiglu_quant_nz_v2(const Check& check, Plan& plan, const SecondGate& given) {
  check.not_null(given.weight);
  const std::size_t expected = given.weight.tensors.size() > 1 ? 4 : 5;
  for (const TensorArgument& weight : given.weight.tensors) {
    check.that_given(weight.given(), weight.name());
    const std::size_t stored = weight.meta().storage_shape.size();
    check.that(stored == expected, "weight is stored with %zu dimensions, not %zu", stored,
               expected);
  }
  gate_second(check, plan, given, true);
}

void finalize_routing(const Check& check, Plan& plan, const Routing& given) {
  check_scene(check, plan, given);
  check.not_null(given.pertokenScaleOptional);
  check.that(given.x2.meta().format != ACL_FORMAT_FRACTAL_NZ, "x2 is in FRACTAL_NZ");
  check.that(given.x2.dtype() == ACL_INT32, "x2 is %s, it must be int32 of eight int4 each",
             dtype_name(given.x2.dtype()));
  finalise(check, plan, given, false);
}

void finalize_routing_v3(const Check& check, Plan& plan, const Routing& given) {
  if (!on_950()) return finalize_routing(check, plan, given);
  check.not_null(given.pertokenScaleOptional);
  check_scene(check, plan, given, true);
  const DtypeSet small{ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2, ACL_FLOAT4_E2M1};
  check.dtype_in(small, given.x1, given.x2);
  combine_on_950(check, plan, given);
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

void finalize_routing_nz_v2(const Check& check, Plan& plan, const Routing& given) {
  on_950() ? combine_on_950(check, plan, given) : finalize_routing_nz(check, plan, given);
}

}  // namespace pyaclnn::sim
