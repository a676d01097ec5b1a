// Batches of products of experts whose rows and columns two communicators share.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <vector>

#include "opapi/collective/product.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/copy/cast.hpp"
#include "opapi/matmul/matmul.hpp"
#include "opapi/pointwise/formulas.hpp"
#include "opapi/pointwise/pointwise.hpp"
#include "opapi/product/gemm.hpp"
#include "parameters/AlltoAllAllGatherBatchMatMul.hpp"
#include "parameters/BatchMatMulReduceScatterAlltoAll.hpp"

namespace pyaclnn::sim {
namespace {

constexpr DtypeSet kHalves{ACL_FLOAT16, ACL_BF16};
constexpr std::size_t kLongestName = 127;
constexpr std::int64_t kMost = 65535;
constexpr std::int64_t kMostLocal = 32;
constexpr std::int64_t kMostExperts = 512;

/// What both operators have. Extents: of `experts` each rank has `local`; `rows` and `columns` are
/// of the part that the communicators move.
struct Batch {
  const TensorArgument &x, &weight, &bias, &out;
  const Text &group_ep, &group_tp;
  std::int64_t ep, tp, shard;
};

bool is_world(std::int64_t size) {
  return size == 2 || size == 4 || size == 8 || size == 16 || size == 32;
}

void check_batch(const Check& check, const Batch& b) {
  check.not_null(b.x, b.weight, b.out);
  for (const Text* group : {&b.group_ep, &b.group_tp})
    check.that_given(group->given() && !group->text.empty(), group->name());
  for (const Text* group : {&b.group_ep, &b.group_tp})
    check.that(group->text.size() <= kLongestName, "%s has more than 127 characters",
               group->name());
  check.dtype_in(kHalves, b.x, b.weight, b.out);
  check.same_dtype(b.x, b.weight, b.out);
  if (b.bias.given())
    check.dtype_in(DtypeSet{b.x.dtype() == ACL_BF16 ? ACL_FLOAT : ACL_FLOAT16}, b.bias);
}

void check_attributes(const Check& check, const Batch& b) {
  check.that(b.shard == 0 || b.shard == 1, "the kind of sharding is %lld, it must be 0 or 1",
             ll(b.shard));
  check.that(is_world(b.ep) && is_world(b.tp),
             "epWorldSize is %lld and tpWorldSize %lld, they must be 2, 4, 8, 16 or 32", ll(b.ep),
             ll(b.tp));
  for (const TensorArgument* tensor : {&b.x, &b.weight, &b.out})
    check.that(tensor->rank() == 3, "%s has %zu dimensions, it must have 3", tensor->name(),
               tensor->rank());
}

/// (experts, columns), or (experts, 1, columns).
void check_bias(const Check& check, const TensorArgument& bias, std::int64_t experts,
                std::int64_t columns) {
  if (!bias.given()) return;
  check.that(bias.shape() == Dims{experts, columns} || bias.shape() == (Dims{experts, 1, columns}),
             "%s has shape %s beside %lld experts and %lld columns", bias.name(),
             bias.shape().text().c_str(), ll(experts), ll(columns));
}

bool is_within(std::int64_t value, std::int64_t most) { return value > 0 && value <= most; }

/// The communicators, of the experts and of the tensors' parts.
std::vector<Ranks> ranks_of_both(Plan& plan, const Batch& b) {
  check_kernel_exists(plan, chip().soc == Soc::kAscend910_93);
  check_tiling(plan, b.group_ep.text != b.group_tp.text, "groupEp and groupTp are one");
  return {ranks_of(plan, b.group_ep, {int(b.ep)}), ranks_of(plan, b.group_tp, {int(b.tp)})};
}

/// sums += bias, of axes of which the expert is one before the last but one.
void add_bias(Plan& plan, const TensorArgument& bias, const TensorArgument& sums) {
  if (!bias.given()) return;
  const TensorArgument whole = without_gaps(plan, bias);
  plan.reads(whole);
  Dims strides = sums.shape();
  for (std::size_t i = 0; i < strides.size(); ++i) strides.set(i, 0);
  strides.set(strides.size() - 1, 1);
  strides.set(strides.size() - 3, sums.shape().back());
  const View added = plan.reads(plan.described(whole, sums.shape(), strides, whole.meta().offset));
  const View result = plan.writes(sums);
  launch_pointwise(plan, formulas::add, ACL_FLOAT, sums.dtype(), result, {result, added},
                   {Number(std::int64_t(1))});
}

const PointwiseFormula* activation_of(std::int64_t kind) {
  const PointwiseFormula* const known[] = {nullptr, &formulas::gelu, &formulas::silu,
                                           &formulas::relu, &formulas::fast_gelu};
  return known[kind];
}

}  // namespace

void allto_all_all_gather_batch_mat_mul(const Check& check, Plan& plan,
                                        const AlltoAllAllGatherBatchMatMulParameters& g) {
  const Batch b{g.x,       g.weight,      g.biasOptional, g.y1Out,     g.groupEp,
                g.groupTp, g.epWorldSize, g.tpWorldSize,  g.xShardType};
  check_batch(check, b);
  for (const TensorArgument* extra : {&g.y2OutOptional, &g.y3OutOptional})
    if (extra->given()) check.same_dtype(b.x, *extra);
  check.that(g.actType >= 0 && g.actType <= 4, "actType is %lld, it must be 0 to 4", ll(g.actType));
  check_attributes(check, b);
  const Dims& x = b.x.shape();
  const Dims& weight = b.weight.shape();
  const std::int64_t local = weight[0];
  const bool by_rows = b.shard == 1;
  check.that(local <= kMostExperts && local * b.ep == x[0] && x[2] <= kMost &&
                 x[2] * (by_rows ? 1 : b.tp) == weight[1],
             "x has shape %s, weight %s", x.text().c_str(), weight.text().c_str());
  check.that(b.out.shape()[0] == local && b.out.shape()[1] % (b.ep * (by_rows ? b.tp : 1)) == 0 &&
                 b.out.shape()[1] / (b.ep * (by_rows ? b.tp : 1)) == x[1] &&
                 b.out.shape()[2] == weight[2],
             "%s has shape %s", b.out.name(), b.out.shape().text().c_str());
  check_bias(check, b.bias, local, weight[2]);
  const Dims met{local, b.out.shape()[1], weight[1]};
  if (g.y2OutOptional.given()) check.shape_is(g.y2OutOptional, met, "what is gathered");
  if (g.y3OutOptional.given()) check.shape_is(g.y3OutOptional, b.out.shape(), "y1Out");
  check.that(is_within(weight[2], kMost) && is_within(local, kMostLocal) && x[0] >= 2 &&
                 x[0] <= kMostExperts && x[1] > 0 && is_within(weight[1], kMost),
             "x has shape %s, weight %s", x.text().c_str(), weight.text().c_str());
  check.that(!g.y3OutOptional.given() || g.actType != 0, "y3Out is of activations only");
  const std::vector<Ranks> ranks = ranks_of_both(plan, b);
  const TensorArgument exchanged = plan.scratch("exchanged", b.x.dtype(), x);
  all_to_all(plan, ranks[0], b.x, exchanged);
  const TensorArgument gathered =
      plan.scratch("gathered", b.x.dtype(), Dims{b.tp, b.ep, local, x[1], x[2]});
  all_gather(plan, ranks[1], exchanged, gathered);
  const TensorArgument ordered = by_rows
                                     ? permuted(plan, gathered, gathered.shape(), {2, 1, 0, 3, 4})
                                     : permuted(plan, gathered, gathered.shape(), {2, 1, 3, 0, 4});
  const TensorArgument batch = reshaped(plan, ordered, met);
  if (g.y2OutOptional.given()) copy(plan, batch, g.y2OutOptional);
  const TensorArgument products = plan.scratch("products", b.x.dtype(), b.out.shape());
  matmul(plan, batch, b.weight, products, kKeepDtype);
  add_bias(plan, b.bias, products);
  if (g.y3OutOptional.given()) copy(plan, products, g.y3OutOptional);
  const PointwiseFormula* const activation = activation_of(g.actType);
  if (activation == nullptr) return copy(plan, products, b.out);
  launch_pointwise(plan, *activation, ACL_FLOAT, b.out.dtype(), plan.writes(b.out),
                   {plan.reads(products)}, {});
}

void batch_mat_mul_reduce_scatter_allto_all(const Check& check, Plan& plan,
                                            const BatchMatMulReduceScatterAlltoAllParameters& g) {
  const Batch b{g.x,       g.weight,      g.biasOptional, g.out,       g.groupEp,
                g.groupTp, g.epWorldSize, g.tpWorldSize,  g.yShardType};
  check_batch(check, b);
  check_attributes(check, b);
  const Dims& x = b.x.shape();
  const Dims& weight = b.weight.shape();
  const Dims& out = b.out.shape();
  const std::int64_t local = x[0];
  const bool by_rows = b.shard == 1;
  check.that(
      local <= kMostExperts && local * b.ep == out[0] && local == weight[0] && x[2] == weight[1],
      "x has shape %s, weight %s and out %s", x.text().c_str(), weight.text().c_str(),
      out.text().c_str());
  const std::int64_t parts = b.ep * (by_rows ? b.tp : 1);
  check.that(x[1] % parts == 0 && x[1] / parts == out[1] && out[2] <= kMost &&
                 out[2] * (by_rows ? 1 : b.tp) == weight[2],
             "x has shape %s, weight %s and out %s", x.text().c_str(), weight.text().c_str(),
             out.text().c_str());
  check_bias(check, b.bias, local, out[2]);
  check.that(is_within(x[2], kMost) && is_within(local, kMostLocal) && out[0] >= 2 &&
                 out[0] <= kMostExperts && out[1] > 0 && is_within(weight[2], kMost),
             "x has shape %s, weight %s", x.text().c_str(), weight.text().c_str());
  const std::vector<Ranks> ranks = ranks_of_both(plan, b);
  const TensorArgument products =
      plan.scratch("products", b.x.dtype(), Dims{local, x[1], weight[2]});
  matmul(plan, b.x, b.weight, products, kKeepDtype);
  const TensorArgument parted =
      by_rows ? permuted(plan, products, Dims{local, b.ep, b.tp, out[1], out[2]}, {2, 1, 0, 3, 4})
              : permuted(plan, products, Dims{local, b.ep, out[1], b.tp, out[2]}, {3, 1, 0, 2, 4});
  const TensorArgument sums = plan.scratch("sums", b.x.dtype(), Dims{b.ep, local, out[1], out[2]});
  reduce_scatter(plan, ranks[1], parted, sums);
  add_bias(plan, b.bias, sums);
  all_to_all(plan, ranks[0], sums, b.out);
}

}  // namespace pyaclnn::sim
