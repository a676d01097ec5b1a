// Products of rows by expert: before their rows come back from other ranks, or after they came.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <limits>
#include <vector>

#include "core/stream.hpp"
#include "objects/communicators.hpp"
#include "objects/formats.hpp"
#include "opapi/collective/narrow_product.hpp"
#include "opapi/collective/product.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/copy/cast.hpp"
#include "parameters/AlltoAllvGroupedMatMulV2.hpp"
#include "parameters/AlltoAllvQuantGroupedMatMulV2.hpp"
#include "parameters/GroupedMatMulAllReduce.hpp"
#include "parameters/GroupedMatMulAlltoAllvV2.hpp"
#include "parameters/QuantGroupedMatMulAlltoAllvV2.hpp"

namespace pyaclnn::sim {
namespace {

constexpr DtypeSet kHalves{ACL_FLOAT16, ACL_BF16};
constexpr std::size_t kLongestName = 127;
constexpr std::size_t kMostGroups = 64;
constexpr std::int64_t kMostRows = 52428800;
constexpr std::int64_t kMostColumns = 65536;
constexpr std::int64_t kMostDepth = 12288;  // of the product that all rows have

/// A part of the rows of a matrix; its bytes are those of the matrix, which was asked for before.
TensorArgument rows_of(Plan& plan, const TensorArgument& matrix, std::int64_t first,
                       std::int64_t count) {
  const Dims& strides = matrix.meta().strides;
  return plan.described(matrix, Dims{count, matrix.shape()[1]}, strides,
                        matrix.meta().offset + first * strides[0]);
}

/// A matrix, or one of a batch, transposed where a flag says so.
TensorArgument weight_of(Plan& plan, const TensorArgument& weight, std::int64_t number,
                         bool transposed) {
  const std::size_t axis = weight.rank() - 2;
  const Dims& shape = weight.shape();
  const Dims& strides = weight.meta().strides;
  const std::size_t first = transposed ? axis + 1 : axis;
  const std::size_t second = transposed ? axis : axis + 1;
  return plan.described(weight, Dims{shape[first], shape[second]},
                        Dims{strides[first], strides[second]},
                        weight.meta().offset + (axis == 0 ? 0 : number * strides[0]));
}

/// What both operators have, the rows that are multiplied, and those that are their products.
template <class Parameters>
struct Experts {
  const Parameters& g;
  const TensorArgument& result;  // of the experts
  RowCounts sent, received;

  const TensorArgument& x() const { return g.gmmX; }
  const TensorArgument& weight() const { return g.gmmWeight; }
  bool shares() const { return g.mmXOptional.given(); }
  std::int64_t depth() const { return weight().shape()[g.transGmmWeight ? 2 : 1]; }
  std::int64_t columns() const { return weight().shape()[g.transGmmWeight ? 1 : 2]; }
};

template <class Parameters>
void check_given(const Check& check, const Experts<Parameters>& e) {
  const Parameters& g = e.g;
  check.not_null(g.gmmX, g.gmmWeight, e.result);
  for (const TensorArgument* counts : {&g.sendCountsTensorOptional, &g.recvCountsTensorOptional})
    check.that_given(!counts->given(), "null for counts on the device");
  check.that_given(g.group.given() && !g.group.text.empty(), "group");
  const bool all = e.shares() && g.mmWeightOptional.given() && g.mmYOptional.given();
  const bool none = !e.shares() && !g.mmWeightOptional.given() && !g.mmYOptional.given();
  check.that_given(all || none, "all or none of mmX, mmWeight and mmY");
}

/// A name, the counts and the mode, which older versions do not have.
template <class Parameters>
void check_lists(const Check& check, const Parameters& g) {
  check.that(g.group.text.size() <= kLongestName, "group has %zu characters, at most are 127",
             g.group.text.size());
  check.that(g.sendCounts.given() && g.recvCounts.given(), "sendCounts or recvCounts is null");
  check.that(!g.recvCounts.values().empty() && !g.sendCounts.values().empty(),
             "sendCounts or recvCounts is empty");
  if (*g.commMode.name() == 0) return;
  const bool known =
      g.commMode.given() && (g.commMode.text == "ai_cpu" || (on_950() && g.commMode.text == "ccu"));
  check.that(known, "commMode is \"%s\"", g.commMode.text.c_str());
}

template <class Parameters>
void check_types(const Check& check, const Experts<Parameters>& e) {
  check.dtype_in(kHalves, e.x(), e.weight(), e.result);
  check.same_dtype(e.x(), e.weight(), e.result);
  if (!e.shares()) return;
  check.dtype_in(kHalves, e.g.mmXOptional, e.g.mmWeightOptional, e.g.mmYOptional);
  check.same_dtype(e.x(), e.g.mmXOptional, e.g.mmWeightOptional, e.g.mmYOptional);
}

/// Whether a sum of counts, none of which is negative, is this.
bool add_up_to(const std::vector<std::int64_t>& counts, std::int64_t total) {
  std::int64_t sum = 0;
  for (const std::int64_t count : counts) {
    if (count < 0 || count > total - sum) return false;
    sum += count;
  }
  return sum == total;
}

/// The shapes; `rows` are those that have no partner in the weights.
template <class Parameters>
Ranks check_sizes(Plan& plan, Experts<Parameters>& e, std::int64_t most_experts,
                  std::size_t most_counts) {
  const Parameters& g = e.g;
  check_kernel_exists(plan, chip().soc == Soc::kAscend910_93 || on_950());
  const std::int64_t size = g.epWorldSize;
  const bool fits = on_950() ? size == 2 || size == 4 : false;
  check_tiling(plan,
               fits || size == 8 || size == 16 || size == 32 || size == 64 || size == 128 ||
                   (on_950() && size == 256),
               "epWorldSize is %lld", ll(size));
  check_tiling(plan, e.x().rank() == 2 && e.weight().rank() == 3 && e.result.rank() == 2,
               "gmmX has %zu dimensions, gmmWeight %zu and %s %zu; they must have 2, 3 and 2",
               e.x().rank(), e.weight().rank(), e.result.name(), e.result.rank());
  const Dims& x = e.x().shape();
  check_tiling(plan, x[1] == e.depth() && e.result.shape()[1] == e.columns(),
               "gmmX has shape %s, gmmWeight %s and %s %s", x.text().c_str(),
               e.weight().shape().text().c_str(), e.result.name(), e.result.shape().text().c_str());
  check_tiling(plan,
               x[0] > 0 && x[0] < kMostRows && x[1] > 0 && x[1] < kMostColumns && e.columns() > 0 &&
                   e.columns() < kMostColumns,
               "gmmX has shape %s, gmmWeight %s", x.text().c_str(),
               e.weight().shape().text().c_str());
  if (e.shares()) {
    const TensorArgument& shared = g.mmXOptional;
    const TensorArgument& weight = g.mmWeightOptional;
    check_tiling(plan, shared.rank() == 2 && weight.rank() == 2, "mmX or mmWeight is no matrix");
    const std::int64_t depth = weight.shape()[g.transMmWeight ? 1 : 0];
    const std::int64_t columns = weight.shape()[g.transMmWeight ? 0 : 1];
    const std::int64_t rows = shared.shape()[0];
    check_tiling(plan,
                 rows > 0 && depth == shared.shape()[1] && depth > 0 && depth <= kMostDepth &&
                     columns > 0 && columns < kMostColumns &&
                     g.mmYOptional.shape() == Dims{rows, columns},
                 "mmX has shape %s, mmWeight %s and mmY %s", shared.shape().text().c_str(),
                 weight.shape().text().c_str(), g.mmYOptional.shape().text().c_str());
  }
  const std::int64_t experts = e.weight().shape()[0];
  const std::size_t counts = g.sendCounts.values().size();
  check_tiling(plan,
               experts > 0 && experts <= most_experts && counts <= most_counts &&
                   counts == std::size_t(experts * size) && g.recvCounts.values().size() == counts,
               "%zu sendCounts and %zu recvCounts of %lld experts on %lld ranks", counts,
               g.recvCounts.values().size(), ll(experts), ll(size));
  const std::int64_t results = e.result.shape()[0];
  check_tiling(plan, add_up_to(g.sendCounts.values(), x[0]),
               "sendCounts must be positive and add up to the %lld rows of gmmX", ll(x[0]));
  check_tiling(plan, add_up_to(g.recvCounts.values(), results),
               "recvCounts must be positive and add up to the %lld rows of %s", ll(results),
               e.result.name());
  e.sent = {g.sendCounts.values(), experts};
  e.received = {g.recvCounts.values(), experts};
  return ranks_of(plan, g.group, {int(size)});
}

/// out = the product of each expert's rows and its weight; both have been asked for.
template <class Parameters>
void multiply(Plan& plan, const Experts<Parameters>& e, const RowCounts& rows,
              const TensorArgument& in, const TensorArgument& out) {
  const TensorArgument none{Absent()};
  plan.reads(e.weight());
  std::int64_t first = 0;
  for (std::int64_t expert = 0; expert < rows.experts; ++expert) {
    const std::int64_t count = rows.of_expert(expert);
    if (count > 0)
      product(plan, rows_of(plan, in, first, count),
              weight_of(plan, e.weight(), expert, e.g.transGmmWeight), none,
              rows_of(plan, out, first, count));
    first += count;
  }
}

template <class Parameters>
void multiply_shared(Plan& plan, const Experts<Parameters>& e) {
  if (!e.shares()) return;
  const TensorArgument none{Absent()};
  plan.reads(e.g.mmWeightOptional);
  product(plan, e.g.mmXOptional, weight_of(plan, e.g.mmWeightOptional, 0, e.g.transMmWeight), none,
          e.g.mmYOptional);
}

/// How numbers of 8 and 4 bits are scaled: one number for a tensor, or one for each 32 of the
/// depth.
enum QuantModes : std::int64_t { kByTensor = 1, kMx = 6 };

constexpr std::int64_t kMostNarrowExperts = 32;
constexpr std::size_t kMostNarrowCounts = 256;

/// One of the two products: that of the experts, or the one that all rows have.
struct NarrowSide {
  const TensorArgument &x, &weight, &x_scale, &weight_scale, &result;
  std::int64_t x_mode, weight_mode;
  bool transposed;

  bool is_mx() const { return x_mode == kMx; }
  bool is_turned() const { return transposed || sim::is_turned(weight); }
  std::size_t axis() const { return weight.rank() - 2; }
  std::int64_t depth() const { return weight.shape()[axis() + (transposed ? 1 : 0)]; }
  std::int64_t columns() const { return weight.shape()[axis() + (transposed ? 0 : 1)]; }
};

template <class Parameters>
NarrowSide of_experts(const Experts<Parameters>& e) {
  const Parameters& g = e.g;
  return {g.gmmX,   g.gmmWeight,     g.gmmXScale,          g.gmmWeightScale,
          e.result, g.gmmXQuantMode, g.gmmWeightQuantMode, g.transGmmWeight};
}

template <class Parameters>
NarrowSide of_all(const Parameters& g) {
  return {g.mmXOptional, g.mmWeightOptional, g.mmXScaleOptional,  g.mmWeightScaleOptional,
          g.mmYOptional, g.mmXQuantMode,     g.mmWeightQuantMode, g.transMmWeight};
}

void check_narrow_types(const Plan& plan, const NarrowSide& n, const NarrowSide& experts) {
  const auto has = [&](const TensorArgument& tensor, const DtypeSet& types) {
    check_tiling(plan, types.contains(tensor.dtype()), "%s has the type %d", tensor.name(),
                 int(tensor.dtype()));
  };
  check_tiling(plan, n.x_mode == n.weight_mode && n.x_mode == experts.x_mode,
               "the modes of %s and %s are %lld and %lld", n.x.name(), n.weight.name(),
               ll(n.x_mode), ll(n.weight_mode));
  const bool mx = n.is_mx();
  const DtypeSet narrow =
      mx ? DtypeSet{ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2, ACL_FLOAT4_E2M1} : DtypeSet{ACL_HIFLOAT8};
  has(n.x, narrow), has(n.weight, narrow), has(n.result, kHalves);
  for (const TensorArgument* scale : {&n.x_scale, &n.weight_scale}) {
    check_tiling(plan, scale->given(), "a scale is null");
    has(*scale, DtypeSet{mx ? ACL_FLOAT8_E8M0 : ACL_FLOAT});
  }
  const bool halves = n.x.dtype() == ACL_FLOAT4_E2M1 || n.weight.dtype() == ACL_FLOAT4_E2M1;
  check_tiling(plan, !halves || n.x.dtype() == n.weight.dtype(), "%s and %s differ in type",
               n.x.name(), n.weight.name());
  check_tiling(plan,
               n.x.dtype() == experts.x.dtype() && n.weight.dtype() == experts.weight.dtype() &&
                   n.result.dtype() == experts.result.dtype(),
               "%s, %s and %s must be of the types of the experts' tensors", n.x.name(),
               n.weight.name(), n.result.name());
  for (const TensorArgument* tensor : {&n.x, &n.weight, &n.x_scale, &n.weight_scale, &n.result})
    check_tiling(plan, !kPrivateFormats.contains(tensor->meta().format), "%s has a private format",
                 tensor->name());
}

/// The shapes of scales, behind those of what they scale.
void check_narrow_scales(const Plan& plan, const NarrowSide& n) {
  const std::int64_t depth = n.depth(), columns = n.columns();
  if (!n.is_mx()) {
    for (const TensorArgument* scale : {&n.x_scale, &n.weight_scale})
      check_tiling(plan, scale->shape() == Dims{1}, "%s has shape %s, it must have one number",
                   scale->name(), scale->shape().text().c_str());
    return;
  }
  check_tiling(plan, n.x_scale.shape() == mx_scales(n.x.shape()[0], depth, true),
               "%s has shape %s beside %s of %s", n.x_scale.name(),
               n.x_scale.shape().text().c_str(), n.x.name(), n.x.shape().text().c_str());
  // As the weight, with pairs for its depth.
  const Dims one = mx_scales(columns, depth, n.transposed);
  const Dims wanted = n.axis() == 0 ? one : Dims{n.weight.shape()[0], one[0], one[1], one[2]};
  check_tiling(plan, n.weight_scale.shape() == wanted, "%s has shape %s, it must be %s",
               n.weight_scale.name(), n.weight_scale.shape().text().c_str(), wanted.text().c_str());
  if (n.x.dtype() != ACL_FLOAT4_E2M1) return;
  check_tiling(plan, depth % 2 == 0 && depth != 2 && (n.is_turned() || columns % 2 == 0),
               "%s of float4_e2m1 has a depth of %lld and %lld columns", n.weight.name(), ll(depth),
               ll(columns));
}

void check_group_size(const Plan& plan, std::int64_t size, bool mx) {
  constexpr std::int64_t kPart = 0xFFFF;
  const std::int64_t depth = size & kPart, columns = size >> 16 & kPart, rows = size >> 32 & kPart;
  check_tiling(plan,
               mx ? rows <= 1 && columns <= 1 && (depth == 0 || depth == kMxBlock) : size == 0,
               "groupSize stands for %lld, %lld and %lld", ll(rows), ll(columns), ll(depth));
}

/// Types, sizes and scales, which CANN looks at where it divides the work.
template <class Parameters>
Ranks check_narrow(Plan& plan, Experts<Parameters>& e) {
  check_kernel_exists(plan, on_950());
  const NarrowSide experts = of_experts(e);
  check_narrow_types(plan, experts, experts);
  const bool all = e.shares() && e.g.mmWeightOptional.given() && e.g.mmYOptional.given();
  check_tiling(plan, all || !(e.shares() || e.g.mmWeightOptional.given()),
               "mmX, mmWeight and mmY go together");
  if (all) check_narrow_types(plan, of_all(e.g), experts);
  check_group_size(plan, e.g.groupSize, experts.is_mx());
  check_tiling(plan, e.g.group.given() && !e.g.group.text.empty(), "group is null or empty");
  check_tiling(plan, e.g.sendCounts.given() && e.g.recvCounts.given(),
               "sendCounts or recvCounts is null");
  const Ranks ranks = check_sizes(plan, e, kMostNarrowExperts, kMostNarrowCounts);
  check_narrow_scales(plan, experts);
  if (all) check_narrow_scales(plan, of_all(e.g));
  return ranks;
}

/// A weight as it lies in memory, and its scales in the same order of axes.
struct StoredWeight {
  TensorArgument values, scales;
  bool turned;

  StoredWeight(Plan& plan, const NarrowSide& n)
      : values(is_turned(n.weight) ? exchanged_axes(plan, n.weight, n.axis())
                                   : same_view(plan, n.weight)),
        scales(n.is_mx() && is_turned(n.weight) ? exchanged_axes(plan, n.weight_scale, n.axis())
                                                : same_view(plan, n.weight_scale)),
        turned(n.is_turned()) {}
};

/// out = the product of each expert's rows of `x`, in bytes, and its weight.
void multiply_narrow(Plan& plan, const NarrowSide& n, const RowCounts& rows,
                     const TensorArgument& x, const TensorArgument& x_scale,
                     const TensorArgument& out) {
  const StoredWeight weight(plan, n);
  const TensorArgument none{Absent()};
  plan.writes(out);
  std::int64_t first = 0;
  for (std::int64_t expert = 0; expert < rows.experts; ++expert) {
    const std::int64_t count = rows.of_expert(expert);
    if (count > 0)
      narrow_product(plan, {x, x_scale, false, first},
                     {weight.values, weight.scales, weight.turned, expert}, n.depth(), none,
                     rows_of(plan, out, first, count));
    first += count;
  }
}

template <class Parameters>
void multiply_all(Plan& plan, const Experts<Parameters>& e) {
  if (!e.shares()) return;
  const NarrowSide n = of_all(e.g);
  const StoredWeight weight(plan, n);
  const TensorArgument none{Absent()};
  narrow_product(plan, {n.x, n.x_scale}, {weight.values, weight.scales, weight.turned}, n.depth(),
                 none, n.result);
}

/// The mode of versions that have one.
void check_narrow_mode(const Check& check, const Text& mode) {
  if (*mode.name() == 0) return;
  check.that(mode.given(), "commMode is null");
  check.that(!on_950() || mode.text == "ai_cpu" || mode.text == "ccu", "commMode is \"%.32s\"",
             mode.text.c_str());
}

/// A weight that is transposed by its view is not by the flag as well.
void check_turned_once(const Check& check, const TensorArgument& weight, bool transposed) {
  check.that(!transposed || !is_turned(weight), "%s is transposed, and the flag true",
             weight.name());
}

/// The modes of a product, and the scales that it needs.
void check_modes(const Check& check, const NarrowSide& n) {
  check.that(n.x_mode == n.weight_mode && (n.x_mode == kByTensor || n.x_mode == kMx),
             "the modes of %s and %s are %lld and %lld, they must both be 1 or 6", n.x.name(),
             n.weight.name(), ll(n.x_mode), ll(n.weight_mode));
  check.that(n.x_scale.given() && n.weight_scale.given(), "a scale of %s or %s is null", n.x.name(),
             n.weight.name());
}

/// Scales for each 32 end with pairs.
void check_pairs(const Check& check, const TensorArgument& scales) {
  if (!scales.given()) return;
  check.that(scales.rank() >= 3 && scales.shape().back() == 2, "%s has shape %s, not pairs",
             scales.name(), scales.shape().text().c_str());
}

bool is_split(std::int64_t split_item, bool of_x) {
  return split_item == 3 || split_item == (of_x ? 1 : 2);
}

/// The rows up to which each group goes, where x is one matrix.
void check_groups(const Check& check, const GroupedMatMulAllReduceParameters& g) {
  check.that(g.groupListOptional.given() && !g.groupListOptional.values().empty(),
             "groupList is needed where splitItem is 1 or 3");
  const std::vector<std::int64_t>& ends = g.groupListOptional.values();
  check.that(ends.size() == g.weight.tensors.size(), "groupList has %zu numbers for %zu weights",
             ends.size(), g.weight.tensors.size());
  std::int64_t last = 0;
  for (const std::int64_t end : ends) {
    check.that(end >= last, "groupList must not decrease");
    last = end;
  }
  check.that(g.x.tensors[0].rank() == 2 && g.x.tensors[0].shape()[0] == last,
             "groupList ends at %lld, x has shape %s", ll(last),
             g.x.tensors[0].shape().text().c_str());
}

void check_list(const Check& check, const TensorListIn& list, std::size_t count,
                std::size_t least_rank, std::size_t most_rank) {
  check.that(list.tensors.size() == count, "%s has %zu tensors, it must have %zu", list.name(),
             list.tensors.size(), count);
  for (const TensorArgument& tensor : list.tensors)
    check.that(tensor.given() && tensor.rank() >= least_rank && tensor.rank() <= most_rank,
               "a tensor of %s has not %zu to %zu dimensions", list.name(), least_rank, most_rank);
}

/// An absent list, and one whose only tensor is empty, as CANN takes it.
bool has_bias(const TensorListIn& bias) {
  if (!bias.given() || bias.tensors.empty() || !bias.tensors[0].given()) return false;
  return bias.tensors.size() != 1 || !bias.tensors[0].is_empty();
}

void check_group_types(const Check& check, const GroupedMatMulAllReduceParameters& g, bool biased) {
  const aclDataType type = g.x.tensors[0].dtype();
  for (const TensorListIn* list :
       {static_cast<const TensorListIn*>(&g.x), static_cast<const TensorListIn*>(&g.weight),
        static_cast<const TensorListIn*>(&g.y)}) {
    for (const TensorArgument& tensor : list->tensors) {
      check.dtype_in(kHalves, tensor);
      check.same_dtype(g.x.tensors[0], tensor);
    }
  }
  if (!biased) return;
  for (const TensorArgument& tensor : g.bias.tensors)
    check.dtype_in(DtypeSet{type == ACL_BF16 ? ACL_FLOAT : ACL_FLOAT16}, tensor);
}

}  // namespace

void allto_allv_grouped_mat_mul(const Check& check, Plan& plan,
                                const AlltoAllvGroupedMatMulV2Parameters& g) {
  Experts<AlltoAllvGroupedMatMulV2Parameters> e{g, g.gmmY, {}, {}};
  check_given(check, e);
  check.that_given(g.permuteOutFlag == g.permuteOutOptional.given(),
                   "permuteOut, as permuteOutFlag says");
  check_lists(check, g);
  check_types(check, e);
  constexpr std::int64_t kExperts = 48;
  constexpr std::size_t kCounts = 384;
  const Ranks ranks = check_sizes(plan, e, kExperts, kCounts);
  const std::int64_t tokens = e.shares() ? g.mmXOptional.shape()[0] : 1;
  const std::int64_t chosen = g.gmmX.shape()[0] / tokens;
  check_tiling(plan, !e.shares() || (g.gmmX.shape()[0] % tokens == 0 && chosen >= 2 && chosen <= 8),
               "gmmX has %lld rows for the %lld tokens of mmX, it must have 2 to 8 for each",
               ll(g.gmmX.shape()[0]), ll(tokens));
  const Dims permuted{g.gmmY.shape()[0], g.gmmX.shape()[1]};
  if (g.permuteOutFlag) {
    check_tiling(plan, g.permuteOutOptional.shape() == permuted, "permuteOut has shape %s",
                 g.permuteOutOptional.shape().text().c_str());
    check.same_dtype(g.gmmX, g.permuteOutOptional);
  }
  const TensorArgument rows = plan.scratch("permuted", g.gmmX.dtype(), permuted);
  rows_to_experts(plan, ranks, g.gmmX, e.sent, rows, e.received);
  if (g.permuteOutFlag) copy(plan, rows, g.permuteOutOptional);
  plan.writes(g.gmmY);
  multiply(plan, e, e.received, rows, g.gmmY);
  multiply_shared(plan, e);
}

void grouped_mat_mul_allto_allv(const Check& check, Plan& plan,
                                const GroupedMatMulAlltoAllvV2Parameters& g) {
  Experts<GroupedMatMulAlltoAllvV2Parameters> e{g, g.y, {}, {}};
  check_given(check, e);
  check_lists(check, g);
  check_types(check, e);
  constexpr std::int64_t kExperts = 32;
  constexpr std::size_t kCounts = 256;
  const Ranks ranks = check_sizes(plan, e, kExperts, kCounts);
  const TensorArgument products =
      plan.scratch("products", g.gmmX.dtype(), Dims{g.gmmX.shape()[0], e.columns()});
  plan.reads(g.gmmX);
  multiply(plan, e, e.sent, g.gmmX, products);
  rows_from_experts(plan, ranks, products, e.sent, g.y, e.received);
  multiply_shared(plan, e);
}

void allto_allv_quant_grouped_mat_mul(const Check& check, Plan& plan,
                                      const AlltoAllvQuantGroupedMatMulV2Parameters& g) {
  check.not_null(g.gmmWeight);
  check.that_given(g.gmmWeight.rank() == 3, "a gmmWeight of three dimensions");
  check_turned_once(check, g.gmmWeight, g.transGmmWeight);
  if (g.mmWeightOptional.given() && g.mmWeightOptional.rank() == 2)
    check_turned_once(check, g.mmWeightOptional, g.transMmWeight);
  check.that(!g.sendCountsTensorOptional.given() && !g.recvCountsTensorOptional.given(),
             "counts on the device must be null");
  check.that(g.permuteOutFlag == g.permuteOutOptional.given(),
             "permuteOutOptional is not as permuteOutFlag says");
  check.that(g.gmmX.given() && g.gmmY.given() && g.gmmXScale.given() && g.gmmWeightScale.given(),
             "gmmX, gmmY or a scale is null");
  check.that(g.gmmXQuantMode == kByTensor || g.gmmXQuantMode == kMx,
             "gmmXQuantMode is %lld, it must be 1 or 6", ll(g.gmmXQuantMode));
  check_narrow_mode(check, g.commMode);
  Experts<AlltoAllvQuantGroupedMatMulV2Parameters> e{g, g.gmmY, {}, {}};
  const Ranks ranks = check_narrow(plan, e);
  const NarrowSide n = of_experts(e);
  const std::int64_t tokens = e.shares() ? g.mmXOptional.shape()[0] : 1;
  const std::int64_t chosen = g.gmmX.shape()[0] / tokens;
  check_tiling(plan, !e.shares() || (g.gmmX.shape()[0] % tokens == 0 && chosen >= 2 && chosen <= 8),
               "gmmX has %lld rows for the %lld tokens of mmX, it must have 2 to 8 for each",
               ll(g.gmmX.shape()[0]), ll(tokens));
  const Dims met{g.gmmY.shape()[0], g.gmmX.shape()[1]};
  if (g.permuteOutFlag)
    check_tiling(
        plan, g.permuteOutOptional.shape() == met && g.permuteOutOptional.dtype() == g.gmmX.dtype(),
        "permuteOut has shape %s", g.permuteOutOptional.shape().text().c_str());
  const TensorArgument sent = in_bytes(plan, g.gmmX);
  plan.reads(g.gmmX);
  const TensorArgument rows = plan.scratch("permuted", sent.dtype(), met);
  rows_to_experts(plan, ranks, sent, e.sent, rows, e.received);
  if (g.permuteOutFlag) copy_bytes(plan, rows, g.permuteOutOptional);
  if (!n.is_mx()) {
    multiply_narrow(plan, n, e.received, rows, g.gmmXScale, g.gmmY);
  } else {
    const TensorArgument all =
        as_rows(plan, reshaped(plan, without_gaps(plan, g.gmmXScale),
                               Dims{sent.shape()[0], g.gmmXScale.shape()[1] * 2}));
    plan.reads(g.gmmXScale);
    const TensorArgument scales =
        plan.scratch("scales", ACL_FLOAT8_E8M0, Dims{met[0], all.shape()[1]});
    rows_to_experts(plan, ranks, all, e.sent, scales, e.received);
    multiply_narrow(plan, n, e.received, rows, scales, g.gmmY);
  }
  multiply_all(plan, e);
}

void quant_grouped_mat_mul_allto_allv(const Check& check, Plan& plan,
                                      const QuantGroupedMatMulAlltoAllvV2Parameters& g) {
  Experts<QuantGroupedMatMulAlltoAllvV2Parameters> e{g, g.y, {}, {}};
  check_given(check, e);
  const NarrowSide n = of_experts(e);
  check_modes(check, n);
  if (e.shares()) {
    const NarrowSide all = of_all(g);
    check.that(all.x_mode == n.x_mode && all.weight_mode == n.weight_mode,
               "the modes of mmX and mmWeight are not those of gmmX and gmmWeight");
    check_modes(check, all);
  }
  check.that(g.commQuantMode == 0, "commQuantMode is %lld, it must be 0", ll(g.commQuantMode));
  check.that(g.group.text.size() <= kLongestName, "group has %zu characters, at most are 127",
             g.group.text.size());
  for (const IntArrayIn* counts : {&g.sendCounts, &g.recvCounts})
    check.that(counts->given() && !counts->values().empty(), "sendCounts or recvCounts is empty");
  if (n.is_mx()) {
    check_pairs(check, g.gmmWeightScale);
    check_pairs(check, g.mmWeightScaleOptional);
  }
  check_turned_once(check, g.gmmWeight, g.transGmmWeight);
  if (e.shares()) check_turned_once(check, g.mmWeightOptional, g.transMmWeight);
  check_narrow_mode(check, g.commMode);
  const Ranks ranks = check_narrow(plan, e);
  const TensorArgument x = in_bytes(plan, g.gmmX);
  plan.reads(g.gmmX);
  const TensorArgument products =
      plan.scratch("products", g.y.dtype(), Dims{x.shape()[0], n.columns()});
  multiply_narrow(plan, n, e.sent, x, g.gmmXScale, products);
  rows_from_experts(plan, ranks, products, e.sent, g.y, e.received);
  multiply_all(plan, e);
}

void grouped_mat_mul_all_reduce(const Check& check, Plan& plan,
                                const GroupedMatMulAllReduceParameters& g) {
  check_stream_mode(check, g.streamMode);
  check.that(g.commTurn == 0, "commTurn is %lld, it must be 0", ll(g.commTurn));
  check_sum(check, g.reduceOp);
  check.that(g.x.given() && g.weight.given() && g.y.given(), "x, weight or y is null");
  const std::size_t groups = g.weight.tensors.size();
  check.that(groups > 0 && groups <= kMostGroups, "weight has %zu tensors, it may have 1 to 64",
             groups);
  check.that(g.splitItem >= 0 && g.splitItem <= 3, "splitItem is %lld, it must be 0 to 3",
             ll(g.splitItem));
  const bool one_x = is_split(g.splitItem, true);
  const bool one_y = is_split(g.splitItem, false);
  constexpr std::size_t kMatrix = 2;
  constexpr std::size_t kMostAxes = 5;
  const std::size_t most = g.splitItem == 0 ? kMostAxes : kMatrix;
  check_list(check, g.x, one_x ? 1 : groups, kMatrix, most);
  check_list(check, g.y, one_y ? 1 : groups, kMatrix, most);
  check_list(check, g.weight, groups, kMatrix, kMatrix);
  const bool biased = has_bias(g.bias);
  if (biased) check_list(check, g.bias, groups, 1, 1);
  if (one_x) {
    check_groups(check, g);
  } else {
    check.that(!g.groupListOptional.given() || g.groupListOptional.values().empty(),
               "groupList must be null where splitItem is 0 or 2");
  }
  check_group_types(check, g, biased);
  check.that(chip().soc == Soc::kAscend910B, "%s has no such kernel", chip().name);
  const auto found = g.group.given() ? find_communicator(g.group.text, current_device()) : nullptr;
  const int size = found == nullptr ? 0 : found->size();
  check.that(size == 2 || size == 4 || size == 8, "group \"%.127s\" has %d ranks, not 2, 4 or 8",
             g.group.text.c_str(), size);
  const Ranks ranks = ranks_of(plan, g.group, {size});
  const TensorArgument none{Absent()};
  std::int64_t first = 0;
  std::int64_t out_first = 0;
  for (std::size_t i = 0; i < groups; ++i) {
    const TensorArgument& x = g.x.tensors[one_x ? 0 : i];
    const TensorArgument& y = g.y.tensors[one_y ? 0 : i];
    const TensorArgument& weight = g.weight.tensors[i];
    check.that(x.shape().back() == weight.shape()[0], "x of shape %s, a weight of shape %s",
               x.shape().text().c_str(), weight.shape().text().c_str());
    if (biased) check.shape_is(g.bias.tensors[i], Dims{weight.shape()[1]}, "the weight's columns");
    plan.reads(x);
    const std::int64_t end = one_x ? g.groupListOptional.values()[i] : 0;
    const TensorArgument rows = one_x ? rows_of(plan, x, first, end - first) : as_rows(plan, x);
    first = end;
    const std::int64_t count = rows.shape()[0];
    plan.writes(y);
    Dims wanted = x.shape();
    wanted.set(0, one_x ? count : wanted[0]);
    wanted.set(wanted.size() - 1, weight.shape()[1]);
    if (one_y) {
      check.that(y.shape()[1] == wanted[1] && count <= y.shape()[0] - out_first,
                 "y has shape %s, a product %s", y.shape().text().c_str(), wanted.text().c_str());
    } else {
      check.shape_is(y, wanted, "the product");
    }
    const TensorArgument out =
        one_y ? rows_of(plan, y, out_first, count)
              : plan.described(y, y.shape(), y.meta().strides, y.meta().offset);
    out_first += count;
    if (out.is_empty()) continue;
    const TensorArgument own = plan.scratch("product", y.dtype(), wanted);
    product(plan, rows, weight, biased ? g.bias.tensors[i] : none,
            reshaped(plan, own, Dims{count, wanted.back()}));
    all_reduce(plan, ranks, own, out);
  }
}

}  // namespace pyaclnn::sim
