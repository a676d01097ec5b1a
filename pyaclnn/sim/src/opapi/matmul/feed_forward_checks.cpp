// What feed-forward networks refuse, in their order.
// SPDX-License-Identifier: MIT
#include "objects/formats.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/matmul/feed_forward.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kMostDepth = 65535;
constexpr std::int64_t kHighPrecision = 0;
constexpr std::int64_t kHighPerformance = 1;

/// A shape behind an axis of experts, where there are any.
Dims for_each_expert(const Experts& experts, std::initializer_list<std::int64_t> rest) {
  Dims shape;
  if (experts.given()) shape.push_back(experts.number);
  for (std::int64_t extent : rest) shape.push_back(extent);
  return shape;
}

void check_row(const Check& check, const TensorArgument& row, const TensorArgument& weight,
               const Experts& experts) {
  if (row.given())
    check.shape_is(row, for_each_expert(experts, {weight.shape().back()}),
                   "the columns of its weight");
}

void check_shapes(const Check& check, const FeedForward& network, const Experts& experts,
                  bool is_gated) {
  check.that(network.x.rank() >= 2 && network.x.rank() <= 8,
             "x has %zu dimensions, it must have 2 to 8", network.x.rank());
  // The inference chips multiply blocks.
  for (const TensorArgument* tensor :
       {&network.x, &network.weight1, &network.weight2, &network.y}) {
    const aclFormat format = tensor->meta().format;
    check.that(!kPrivateFormats.contains(format) || (on_310p() && is_nz(format)),
               "%s is in a private format, %d", tensor->name(), int(format));
  }
  const std::size_t rank = experts.given() ? 3 : 2;
  for (const TensorArgument* weight : {&network.weight1, &network.weight2})
    check.that(weight->rank() == rank, "%s has %zu dimensions, it must have %zu", weight->name(),
               weight->rank(), rank);
  const Dims& first = network.weight1.shape();
  const Dims& second = network.weight2.shape();
  check.that(first[rank - 2] <= kMostDepth && second[rank - 2] <= kMostDepth,
             "weights have more than 65535 rows");
  const bool is_deep_enough = network.x.shape().back() == first[rank - 2];
  const bool fits =
      is_gated ? first[rank - 1] % 2 == 0 && second[rank - 2] == first[rank - 1] / 2
               : first[rank - 2] == second[rank - 1] && first[rank - 1] == second[rank - 2];
  check.that(is_deep_enough && fits,
             "x of shape %s, weight1 of shape %s and weight2 of shape %s do not go together",
             network.x.shape().text().c_str(), first.text().c_str(), second.text().c_str());
  if (experts.given() && !is_gated)
    check.that(first[0] == experts.number && second[0] == experts.number,
               "there are %lld experts, and weights of %lld and %lld", ll(experts.number),
               ll(first[0]), ll(second[0]));
}

void check_biases(const Check& check, const FeedForward& network, aclDataType type) {
  for (const TensorArgument* bias : {&network.bias1, &network.bias2})
    if (bias->given()) check.dtype_in(DtypeSet{type}, *bias);
}

void check_not_given(const Check& check, std::initializer_list<const TensorArgument*> tensors,
                     const char* kind) {
  for (const TensorArgument* tensor : tensors)
    check.that(!tensor->given(), "%s is given, and the network is not %s", tensor->name(), kind);
}

void check_given(const Check& check, std::initializer_list<const TensorArgument*> tensors) {
  for (const TensorArgument* tensor : tensors)
    check.that(tensor->given(), "%s must be given beside weights of this type", tensor->name());
}

void check_no_scales(const Check& check, const FeedForward& n) {
  check_not_given(check, {&n.scale, &n.offset, &n.deq_scale1, &n.deq_scale2}, "quantised");
}

void check_no_anti_scales(const Check& check, const FeedForward& n) {
  check_not_given(check, {&n.anti_scale1, &n.anti_scale2, &n.anti_offset1, &n.anti_offset2},
                  "one of quantised weights");
}

/// One scale for all columns, or one for each: the latter not beside float32.
void check_scale(const Check& check, const FeedForward& n, const Experts& experts) {
  const Dims& shape = n.scale.shape();
  const std::int64_t columns = n.weight1.shape().back();
  bool fits = false;
  bool by_column = false;
  if (experts.given()) {
    by_column = shape.size() == 2;
    fits = (shape.size() == 1 || by_column) && shape[0] == experts.number &&
           (!by_column || shape[1] == columns);
  } else {
    by_column = shape.size() == 1 && shape[0] == columns && columns != 1;
    fits = shape.size() == 1 && (shape[0] == 1 || by_column);
  }
  check.that(fits, "scale has shape %s beside %lld experts and %lld columns", shape.text().c_str(),
             ll(experts.number), ll(columns));
  check.that(!by_column || n.deq_scale1.dtype() != ACL_FLOAT,
             "scale has a value for each column, so deqScale1 must not be float32");
  check.shape_is(n.offset, Dims{experts.given() ? experts.number : 1}, "one for each expert");
}

void check_quantised(const Check& check, const FeedForward& n, const Experts& experts) {
  check.dtype_in(DtypeSet{ACL_INT8}, n.weight1);
  check_biases(check, n, ACL_INT32);
  check.dtype_in(DtypeSet{ACL_FLOAT16, ACL_BF16}, n.y);
  check_given(check, {&n.scale, &n.offset, &n.deq_scale1, &n.deq_scale2});
  const bool is_bf16 = n.y.dtype() == ACL_BF16;
  check.dtype_in(is_bf16 ? DtypeSet{ACL_BF16} : DtypeSet{ACL_UINT64, ACL_INT64, ACL_FLOAT},
                 n.deq_scale1);
  check.same_dtype(n.deq_scale1, n.deq_scale2);
  check.dtype_in(DtypeSet{ACL_FLOAT}, n.scale, n.offset);
  check_no_anti_scales(check, n);
  check_row(check, n.deq_scale1, n.weight1, experts);
  check_row(check, n.deq_scale2, n.weight2, experts);
  check_scale(check, n, experts);
}

/// Scales and offsets of one weight: a row for all of it, or for each of several groups of rows.
void check_anti_scale(const Check& check, const TensorArgument& scale, const TensorArgument& offset,
                      const TensorArgument& weight, const Experts& experts, bool by_group) {
  const std::int64_t columns = weight.shape().back();
  Dims shape = for_each_expert(experts, {columns});
  if (by_group) {
    const std::int64_t groups = scale.shape()[scale.rank() - 2];
    const std::int64_t depth = weight.shape()[weight.rank() - 2];
    check.that(groups >= 1 && depth % groups == 0,
               "%s has %lld groups, which do not divide %lld rows of its weight", scale.name(),
               ll(groups), ll(depth));
    check.that(weight.dtype() == ACL_INT4, "only weights of int4 go by groups of rows");
    shape = for_each_expert(experts, {groups, columns});
  }
  check.shape_is(scale, shape, "the columns of its weight");
  check.shape_is(offset, shape, "that of its scale");
  check.that(weight.dtype() != ACL_INT4 || columns % 2 == 0,
             "%s has %lld columns of int4, an odd number", weight.name(), ll(columns));
}

void check_quantised_weights(const Check& check, const FeedForward& n, const Experts& experts) {
  const aclDataType type = n.x.dtype();
  check_given(check, {&n.anti_scale1, &n.anti_scale2, &n.anti_offset1, &n.anti_offset2});
  check.dtype_in(DtypeSet{type}, n.anti_scale1, n.anti_offset1, n.anti_scale2, n.anti_offset2);
  check_no_scales(check, n);
  check_biases(check, n, type == ACL_BF16 ? ACL_FLOAT : ACL_FLOAT16);
  const std::size_t rank = experts.given() ? 2 : 1;
  const std::size_t found = n.anti_scale1.rank();
  check.that(found == rank || found == rank + 1, "%s has %zu dimensions, it must have %zu or %zu",
             n.anti_scale1.name(), found, rank, rank + 1);
  for (const TensorArgument* other : {&n.anti_offset1, &n.anti_scale2, &n.anti_offset2})
    check.that(other->rank() == found, "%s has %zu dimensions, and %s has %zu", other->name(),
               other->rank(), n.anti_scale1.name(), found);
  check_anti_scale(check, n.anti_scale1, n.anti_offset1, n.weight1, experts, found > rank);
  check_anti_scale(check, n.anti_scale2, n.anti_offset2, n.weight2, experts, found > rank);
}

void check_gated(const Check& check, const FeedForward& n, const Experts& experts) {
  check.dtype_in(DtypeSet{ACL_FLOAT16}, n.x, n.weight1, n.weight2);
  check.that(n.inner_precise == kHighPerformance,
             "innerPrecise is %lld; geglu, swiglu and reglu go with 1 only", ll(n.inner_precise));
  check.that(!experts.given(), "geglu, swiglu and reglu have no experts");
  check_biases(check, n, ACL_FLOAT16);
}

void check_floats(const Check& check, const FeedForward& n) {
  check.same_dtype(n.x, n.weight1, n.y);
  check.that(n.x.dtype() != ACL_BF16 || n.inner_precise == kHighPrecision,
             "innerPrecise is %lld; bfloat16 goes with 0 only", ll(n.inner_precise));
  check_no_scales(check, n);
  check_no_anti_scales(check, n);
  check_biases(check, n, n.x.dtype() == ACL_BF16 ? ACL_FLOAT : ACL_FLOAT16);
}

void check_types(const Check& check, const FeedForward& n, const Experts& experts, bool is_gated) {
  check.dtype_in(DtypeSet{ACL_FLOAT16, ACL_BF16, ACL_INT8}, n.x);
  check.same_dtype(n.weight1, n.weight2);
  check.dtype_in(DtypeSet{ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_INT4}, n.weight1);
  if (is_gated) return check_gated(check, n, experts);
  if (n.is_quantised()) return check_quantised(check, n, experts);
  check.same_dtype(n.x, n.y);
  if (n.has_quantised_weights()) return check_quantised_weights(check, n, experts);
  check_floats(check, n);
}

}  // namespace

void check_deq_scales(const Check& check, const TensorArgument& first,
                      const TensorArgument& second) {
  if (first.given() && second.given()) check.same_dtype(first, second);
}

void check_feed_forward(const Check& check, const FeedForward& network, const Experts& experts,
                        const Activation& activation) {
  check.that(network.y.rank() == network.x.rank(), "y has %zu dimensions, x has %zu",
             network.y.rank(), network.x.rank());
  check_shapes(check, network, experts, activation.is_gated);
  check_row(check, network.bias1, network.weight1, experts);
  check_row(check, network.bias2, network.weight2, experts);
  if (!on_310p()) return check_types(check, network, experts, activation.is_gated);
  check.that(network.x.rank() == 2, "x has %zu dimensions, it has 2 on this chip",
             network.x.rank());
  check.that(network.inner_precise == kHighPerformance, "innerPrecise must be 1 on this chip");
  check.that(!activation.is_gated, "geglu, swiglu and reglu are not for this chip");
  check.dtype_in(DtypeSet{ACL_FLOAT16}, network.x, network.y);
  check.that(!experts.given(), "there are no experts on this chip");
  check.dtype_in(DtypeSet{ACL_FLOAT16}, network.weight1, network.weight2);
  check_floats(check, network);
}

}  // namespace pyaclnn::sim
