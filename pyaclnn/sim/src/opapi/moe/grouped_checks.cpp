// SPDX-License-Identifier: MIT
#include "opapi/moe/grouped_checks.hpp"

#include <vector>

#include "objects/dtype.hpp"
#include "objects/formats.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/moe/grouped_floats.hpp"

namespace pyaclnn::sim {
namespace {

struct Shapes {
  const Check& check;
  const GroupedProducts& g;

  std::size_t count(const TensorListIn& list) const { return list.tensors.size(); }

  void dtypes(const TensorListIn& list, const DtypeSet& accepted) const {
    if (!is_given(list)) return;
    for (const TensorArgument& tensor : list.tensors) {
      check.that(tensor.given(), "%s is null", tensor.name());
      check.dtype_in(accepted, tensor);
      check.same_dtype(list.tensors[0], tensor);
    }
  }

  void absent(const TensorListIn& list) const {
    check.that(!is_given(list), "%s is given, which these types do not have", list.name());
  }

  void ranks(const TensorListIn& list, std::size_t rank) const {
    for (const TensorArgument& tensor : list.tensors)
      check.that(tensor.rank() == rank, "%s has %zu dimensions, it must have %zu", tensor.name(),
                 tensor.rank(), rank);
  }

  void agree(std::int64_t a, std::int64_t b, const char* what) const {
    check.that(a == b, "%s are %lld and %lld", what, static_cast<long long>(a),
               static_cast<long long>(b));
  }

  /// Types that go together: products of floats, of int8, of floats with weights of 8 or 4 bits.
  void types() const {
    const aclDataType x = type_of(g.x);
    const aclDataType weight = type_of(g.weight);
    if (on_310p())
      for (const TensorListIn* list : {&g.x, &g.weight, &g.bias, &g.out})
        dtypes(*list, DtypeSet{ACL_FLOAT16});
    if (on_950() && multiplies_narrow_floats(g)) return check_narrow_floats(check, g);
    if (is_int4_beside_whole(g)) return int4_beside_whole(x);
    dtypes(g.x, DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8});
    if (weight != x && (weight == ACL_INT8 || weight == ACL_INT4)) return quantised_weight(x);
    if (on_950() && kNarrowFloats.contains(weight)) return weight_of_floats(x, weight);
    dtypes(g.weight, DtypeSet{x});
    absent(g.anti_scale);
    absent(g.anti_offset);
    if (x == ACL_INT8) return int8();
    check.that(g.activation == 0, "there is no activation behind products of floats");
    absent(g.scale);
    absent(g.token_scale);
    dtypes(g.out, DtypeSet{x});
    floating_bias(x);
  }

  void floating_bias(aclDataType x) const {
    if (on_950()) return dtypes(g.bias, DtypeSet{x, ACL_FLOAT});
    dtypes(g.bias, DtypeSet{x == ACL_BF16 ? ACL_FLOAT : x});
  }

  void int8() const {
    check.that(g.group_type == kRows, "int8 goes by groups of rows only");
    dtypes(g.bias, DtypeSet{ACL_INT32});
    dtypes(g.token_scale, DtypeSet{ACL_FLOAT});
    if (!is_given(g.scale) || (on_950() && type_of(g.out) == ACL_INT32)) {
      dtypes(g.scale, kWords);  // which nobody reads
      absent(g.token_scale);
      check.that(g.activation == 0, "there is no activation behind int32");
      return dtypes(g.out, DtypeSet{ACL_INT32});
    }
    each_column(g.scale, 1);
    if (kWords.contains(type_of(g.scale))) {
      dtypes(g.scale, kWords);
      absent(g.token_scale);
      check.that(!on_950() || g.activation == 0, "there is no activation behind scales of words");
      return dtypes(g.out,
                    on_950() ? DtypeSet{ACL_INT8, ACL_FLOAT16, ACL_BF16} : DtypeSet{ACL_INT8});
    }
    dtypes(g.scale, DtypeSet{ACL_FLOAT, ACL_BF16});
    dtypes(g.out, DtypeSet{ACL_FLOAT16, ACL_BF16});
    if (type_of(g.out) == ACL_FLOAT16) dtypes(g.scale, DtypeSet{ACL_FLOAT});
    if (type_of(g.out) == ACL_BF16 && !on_950()) dtypes(g.scale, DtypeSet{ACL_BF16});
    if (!is_given(g.token_scale)) return;
    check.that(count(g.x) == 1 && count(g.token_scale) == 1,
               "scales of rows go with one tensor of x");
    ranks(g.token_scale, 1);
    agree(g.token_scale.tensors[0].shape()[0], g.x.tensors[0].shape()[0], "scales and rows");
  }

  /// x of int8 or int4 and weights of int4; beside int8, a bias that makes up for halves.
  void int4_beside_whole(aclDataType x) const {
    if (on_950()) return int4_in_groups();
    check.that(g.group_type == kRows, "int4 goes by groups of rows only");
    check.that(g.activation == 0, "there is no activation behind weights of int4");
    check.that(g.numbers != nullptr && g.numbers->given(), "groupList is null beside int4");
    check.that(count(g.x) == 1 && count(g.out) == 1,
               "weight is int4, which is for one tensor of x, and one output");
    absent(g.anti_scale);
    absent(g.anti_offset);
    check.that(is_given(g.scale), "scale is null beside weights of int4");
    dtypes(g.scale, x == ACL_INT8 ? DtypeSet{ACL_UINT64, ACL_INT64} : DtypeSet{ACL_UINT64});
    each_column(g.scale, 2);
    dtypes(g.token_scale, DtypeSet{ACL_FLOAT});
    check.that(is_given(g.token_scale) || x == ACL_INT4, "perTokenScale is null beside int8");
    if (is_given(g.token_scale))
      agree(g.token_scale.tensors[0].shape()[0], g.x.tensors[0].shape()[0], "scales and rows");
    check.that(is_given(g.bias) == (x == ACL_INT8), "bias goes with x of int8, and not of int4");
    dtypes(g.bias, DtypeSet{ACL_FLOAT});
    dtypes(g.out, DtypeSet{ACL_FLOAT16, ACL_BF16});
    check.that(x == ACL_INT8 || (count(g.x) == 1 && count(g.weight) == 1 && count(g.out) == 1),
               "x and weight are int4, which is for one tensor of each");
    if (g.offset != nullptr && is_given(*g.offset)) int4_with_offset();
  }

  /// Offsets, which go with a scale for each column.
  void int4_with_offset() const {
    dtypes(*g.offset, DtypeSet{ACL_FLOAT});
    dtypes(g.out, DtypeSet{ACL_FLOAT16});
    agree(std::int64_t(count(*g.offset)), std::int64_t(count(g.weight)), "offsets and weights");
    for (std::size_t i = 0; i < count(g.weight); ++i) {
      Dims columns = g.weight.tensors[i].shape();
      columns.set(columns.size() - 2, 1);
      for (const TensorListIn* list : {g.offset, &g.scale})
        check.shape_is(list->tensors[i], columns, "the columns");
    }
    if (count(g.weight) == 1)
      check.shape_is(g.token_scale.tensors[0], Dims{g.x.tensors[0].shape()[0], 1}, "the rows of x");
  }

  /// x of int8 and one weight of int4 in blocks, with factors for 128 to 512 of the depth.
  void int4_in_groups() const {
    constexpr std::int64_t kWhole = 64;
    check.that(g.group_type == kRows && g.named_nz && count(g.x) == 1 && count(g.weight) == 1,
               "x is int8, and weight int4, which is for one of each in FRACTAL_NZ");
    check.that(g.activation == 0, "there is no activation behind quantised weights");
    check.that(is_given(g.anti_scale) && is_given(g.scale) && is_given(g.token_scale),
               "antiquantScale, scale or perTokenScale is null beside int4");
    absent(g.anti_offset);
    dtypes(g.out, DtypeSet{ACL_FLOAT16, ACL_BF16});
    for (const TensorListIn* list : {&g.token_scale, &g.scale, &g.bias})
      dtypes(*list, DtypeSet{ACL_FLOAT});
    dtypes(g.anti_scale, DtypeSet{ACL_FLOAT16});
    const TensorArgument& matrices = g.weight.tensors[0];
    const Dims& shape = matrices.shape();
    check.that(!is_turned(matrices) && shape[1] % kWhole == 0 && shape[2] % kWhole == 0,
               "weight has shape %s, it must be in multiples of 64, and not transposed",
               shape.text().c_str());
    for (const TensorListIn* list : {&g.scale, &g.bias})
      if (is_given(*list))
        check.shape_is(list->tensors[0], Dims{shape[0], shape[2]}, "the columns");
    check.shape_is(g.token_scale.tensors[0], Dims{g.x.tensors[0].shape()[0]}, "the rows of x");
    ranks(g.anti_scale, 3);
    each_column(g.anti_scale, 2);
    const std::int64_t group = shape[1] / g.anti_scale.tensors[0].shape()[1];
    check.that(group == 128 || group == 192 || group == 256 || group == 512,
               "groups of the depth are of %lld, they must be of 128, 192, 256 or 512",
               static_cast<long long>(group));
  }

  void quantised_weight(aclDataType x) const {
    dtypes(g.x, DtypeSet{ACL_FLOAT16, ACL_BF16});
    check.that(g.group_type != kInner, "quantised weights do not go by the inner axis");
    check.that(g.activation == 0, "there is no activation behind quantised weights");
    absent(g.scale);
    absent(g.token_scale);
    check.that(is_given(g.anti_scale), "antiquantScale is null beside quantised weights");
    const bool is_int4 = type_of(g.weight) == ACL_INT4;
    check.that((is_int4 && count(g.weight) == 1) || is_given(g.anti_offset),
               "antiquantOffset is null beside quantised weights");
    for (const TensorListIn* list : {&g.anti_scale, &g.anti_offset}) {
      dtypes(*list, DtypeSet{x});
      if (is_given(*list)) each_column(*list, is_int4 ? 2 : 1);
    }
    dtypes(g.out, DtypeSet{x});
    quantised_bias(x);
  }

  void quantised_bias(aclDataType x) const {
    if (on_950() && x == ACL_BF16) return dtypes(g.bias, DtypeSet{ACL_BF16, ACL_FLOAT});
    dtypes(g.bias, DtypeSet{x == ACL_BF16 ? ACL_FLOAT : x});
  }

  /// One weight of floats of a byte by columns, or of half of one in blocks, by 32 of the depth.
  void weight_of_floats(aclDataType x, aclDataType weight) const {
    constexpr std::int64_t kWhole = 64, kGroup = 32;
    const bool halves = weight == ACL_FLOAT4_E2M1;
    dtypes(g.x, DtypeSet{ACL_FLOAT16, ACL_BF16});
    check.that(g.group_type == kRows && count(g.x) == 1 && count(g.weight) == 1,
               "groupType is %lld, with %zu and %zu tensors, and weight is %s",
               static_cast<long long>(g.group_type), count(g.x), count(g.weight),
               dtype_name(weight));
    check.that(weight != ACL_FLOAT4_E1M2 && g.list == nullptr && halves == g.named_nz,
               "weight is %s, which this version does not have", dtype_name(weight));
    check.that(is_given(g.anti_scale), "antiquantScale is null beside such a weight");
    absent(g.anti_offset);
    absent(g.scale);
    absent(g.token_scale);
    check.that(g.activation == 0, "there is no activation behind quantised weights");
    dtypes(g.out, DtypeSet{x});
    quantised_bias(x);
    const TensorArgument& matrices = g.weight.tensors[0];
    check.that(is_turned(matrices) != halves && is_nz(matrices.meta().format) == halves,
               "weight of %s must be %s", dtype_name(weight),
               halves ? "in FRACTAL_NZ, and not transposed" : "transposed, and in rows");
    dtypes(g.anti_scale, halves ? DtypeSet{ACL_FLOAT8_E8M0} : DtypeSet{x});
    const Dims& shape = matrices.shape();
    if (!halves)
      return check.shape_is(g.anti_scale.tensors[0], Dims{shape[0], shape[2]}, "the columns");
    check.that(shape[1] % kWhole == 0 && shape[2] % kWhole == 0,
               "weight has shape %s, it must be in multiples of 64", shape.text().c_str());
    check.shape_is(g.anti_scale.tensors[0], Dims{shape[0], shape[1] / kGroup, shape[2]},
                   "the groups of the depth");
  }

  /// A row of as many numbers as a weight has columns, or up to `most` dimensions of them.
  void each_column(const TensorListIn& list, std::size_t most) const {
    agree(std::int64_t(count(list)), std::int64_t(count(g.weight)), "lists of scales and weights");
    for (std::size_t i = 0; i < count(list); ++i) {
      const Dims& shape = list.tensors[i].shape();
      const Dims& weight = g.weight.tensors[i].shape();
      const std::size_t more = weight.size() - 2;
      check.that(shape.size() > more && shape.size() <= more + most, "%s has shape %s", list.name(),
                 shape.text().c_str());
      agree(shape.back(), weight.back(), "columns of a scale and of its weight");
      if (more == 1) agree(shape[0], weight[0], "experts of a scale and of its weight");
      if (shape.size() == more + 2)
        check.that(shape[more] > 0 && weight[more] % shape[more] == 0,
                   "%lld groups do not divide %lld rows", static_cast<long long>(shape[more]),
                   static_cast<long long>(weight[more]));
    }
  }

  void biases() const {
    if (!is_given(g.bias)) return;
    check.that(g.group_type != kInner, "there is no bias for groups of the inner axis");
    each_column(g.bias, 1);
  }

  void product(const Dims& x, const Dims& weight) const {
    agree(x.back(), weight[weight.size() - 2], "the depths of a product");
    check.that(x.back() < 65536 && weight.back() < 65536, "a last axis is 65536 or longer");
  }

  void check_all() const {
    check.that(g.group_type == kApart || g.group_type == kRows || g.group_type == kInner,
               "groupType is %lld, it must be -1, 0 or 2", static_cast<long long>(g.group_type));
    check.that(g.split_item >= 0 && g.split_item <= 3, "splitItem is %lld, it must be 0 to 3",
               static_cast<long long>(g.split_item));
    check.that(g.activation >= 0 && g.activation <= 5, "actType is %lld, it must be 0 to 5",
               static_cast<long long>(g.activation));
    check.that(g.list_type >= kGroupEnds &&
                   g.list_type <= (on_310p() || g.group_type != kRows ? kGroupSizes : kGroupPairs),
               "groupListType is %lld", static_cast<long long>(g.list_type));
    const bool one_out = g.split_item >= 2;
    if (one_out) agree(std::int64_t(count(g.out)), 1, "with splitItem 2 or 3, outputs");
    ranks(g.out, g.group_type == kInner && count(g.weight) == 1 ? 3 : g.out.tensors[0].rank());
    numbers();
    if (g.group_type == kApart) {
      apart();
    } else if (g.group_type == kRows) {
      by_rows();
    } else {
      by_inner_axis();
    }
    types();
    formats();
    combination();
    biases();
    transposition();
  }

  /// Whether the last two axes are exchanged in memory, as CANN asks: one element is, too.
  static bool is_transposed(const TensorMeta& tensor) {
    const Dims& shape = tensor.shape;
    const std::size_t rank = shape.size();
    if (tensor.strides[rank - 2] != 1 || tensor.strides[rank - 1] != shape[rank - 2]) return false;
    const Dims dense = contiguous_strides(shape);
    return std::equal(dense.begin(), dense.begin() + (rank - 2), tensor.strides.begin());
  }

  /// The same of a list's tensor, of which one element is not.
  void not_transposed(const TensorListIn& list) const {
    for (const TensorArgument& tensor : list.tensors) {
      const Dims& shape = tensor.shape();
      const bool one = shape.back() == 1 && shape[shape.size() - 2] == 1;
      check.that(one || !is_transposed(tensor.meta()), "%s is transposed, and groupType is %lld",
                 tensor.name(), static_cast<long long>(g.group_type));
    }
  }

  void transposition() const {
    not_transposed(g.group_type == kInner ? g.weight : g.x);
    if (g.group_type == kInner) return;
    const bool first = is_transposed(g.weight.tensors[0].meta());
    for (const TensorArgument& tensor : g.weight.tensors)
      check.that(is_transposed(tensor.meta()) == first,
                 "of the weights some are transposed, and others are not");
    const bool quantised = type_of(g.weight) != type_of(g.x);
    check.that(!first || g.group_type != kApart || !g.first || (on_950() && !quantised),
               "weights are transposed, which the first version does not take");
  }

  void numbers() const {
    if (g.numbers != nullptr && g.numbers->given()) {
      check.dtype_in(DtypeSet{ACL_INT64}, *g.numbers);
      const bool pairs = g.list_type == kGroupPairs;
      check.that(g.numbers->rank() == (pairs ? 2 : 1) && (!pairs || g.numbers->shape()[1] == 2),
                 "groupList has shape %s", g.numbers->shape().text().c_str());
      check.that(g.numbers->shape()[0] >= 1 && g.numbers->shape()[0] <= 1024,
                 "groupList has %lld groups, not 1 to 1024",
                 static_cast<long long>(g.numbers->shape()[0]));
    }
    if (g.list == nullptr || !g.list->given()) return;
    check.that(g.list->values().size() <= 128, "groupList has more than 128 groups");
    std::int64_t last = 0;
    for (std::int64_t end : g.list->values()) {
      check.that(end >= last, "groupList descends");
      last = end;
    }
  }

  bool has_groups() const {
    return (g.numbers != nullptr && g.numbers->given()) || (g.list != nullptr && g.list->given());
  }

  std::int64_t group_count() const {
    return g.numbers != nullptr && g.numbers->given() ? g.numbers->shape()[0]
                                                      : std::int64_t(g.list->values().size());
  }

  void apart() const {
    check.that(!has_groups() || g.first, "groupList is given, and groupType is -1");
    agree(std::int64_t(count(g.x)), std::int64_t(count(g.weight)), "lists of x and weights");
    agree(std::int64_t(count(g.out)), std::int64_t(count(g.weight)), "lists of y and weights");
    ranks(g.weight, 2);
    if (has_groups()) agree(group_count(), std::int64_t(count(g.x)), "groups and tensors of x");
    for (std::size_t i = 0; i < count(g.x); ++i) {
      if (has_groups()) ranks(g.x, 2);
      const Dims& x = g.x.tensors[i].shape();
      check.that(x.size() >= 2 && x.size() <= 6, "x has %zu dimensions, it must have 2 to 6",
                 x.size());
      const Dims& weight = g.weight.tensors[i].shape();
      product(x, weight);
      Dims shape = x;
      shape.set(shape.size() - 1, weight.back());
      check.shape_is(g.out.tensors[i], shape, "the product");
    }
    if (count(g.x) > 1) lengths(0, [&](std::size_t i) { return g.x.tensors[i].shape()[0]; }, true);
  }

  void by_rows() const {
    ranks(g.x, 2);
    ranks(g.out, 2);
    const bool one_weight = count(g.weight) == 1 && g.weight.tensors[0].rank() == 3;
    ranks(g.weight, one_weight ? 3 : 2);
    const std::int64_t number = experts_of(g);
    check.that(count(g.x) == 1 || std::int64_t(count(g.x)) == number, "x has %zu tensors for %lld",
               count(g.x), static_cast<long long>(number));
    check.that(count(g.x) > 1 || has_groups(), "groupList is null");
    if (has_groups()) agree(group_count(), number, "groups and weights");
    check.that(g.split_item >= 2 || std::int64_t(count(g.out)) == number,
               "there are %zu outputs for %lld weights", count(g.out),
               static_cast<long long>(number));
    std::int64_t rows = 0;
    for (const TensorArgument& x : g.x.tensors) rows += x.shape()[0];
    for (std::size_t i = 0; i < std::size_t(number); ++i) {
      const Dims& weight = g.weight.tensors[count(g.weight) == 1 ? 0 : i].shape();
      product(g.x.tensors[count(g.x) == 1 ? 0 : i].shape(), weight);
      const Dims& out = g.out.tensors[g.split_item >= 2 ? 0 : i].shape();
      agree(out.back(), weight.back(), "columns of y and of its weight");
      if (one_weight) break;
    }
    if (g.split_item >= 2) agree(g.out.tensors[0].shape()[0], rows, "rows of y and of x");
    lengths(0, [&](std::size_t i) { return g.out.tensors[i].shape()[0]; }, g.split_item < 2);
    lengths(0, [&](std::size_t i) { return g.x.tensors[i].shape()[0]; }, count(g.x) > 1);
  }

  /// Weights alone lie in blocks, those of a matrix.
  void formats() const {
    for (const TensorListIn* list : {&g.x, &g.weight, &g.out})
      for (const TensorArgument& tensor : list->tensors) {
        const int format = tensor.meta().format;
        check.that(!kPrivateFormats.contains(format) || (list == &g.weight && is_nz(format)),
                   "%s has format %d", tensor.name(), format);
      }
  }

  /// One or several tensors of each list, which groups of rows have in four ways.
  void combination() const {
    if (g.group_type != kRows) return;
    const bool by_weights = count(g.weight) > 1 && (count(g.x) == 1 || count(g.out) == 1) &&
                            (count(g.out) == 1 || g.list != nullptr);
    check.that(by_weights || (count(g.x) == 1 && count(g.weight) == 1 && count(g.out) == 1),
               "groupType is 0, with %zu tensors of x, %zu weights and %zu outputs", count(g.x),
               count(g.weight), count(g.out));
    const bool checked_apart = on_950() && type_of(g.weight) != type_of(g.x);
    check.that(by_weights || g.split_item >= 2 || checked_apart,
               "splitItem is %lld for one output, it must be 2 or 3",
               static_cast<long long>(g.split_item));
  }

  /// A list that is known now tells the extents of tensors that are apart, and all of one.
  template <class Extent>
  void lengths(std::size_t axis, Extent extent, bool are_apart) const {
    if (g.list == nullptr || !g.list->given()) return;
    const std::vector<std::int64_t>& ends = g.list->values();
    for (std::size_t i = 0; are_apart && i < ends.size(); ++i)
      agree(extent(i), ends[i] - (i == 0 ? 0 : ends[i - 1]), "an extent and its group");
    if (count(g.x) == 1 && !ends.empty())
      agree(g.x.tensors[0].shape()[axis], ends.back(), "an extent and the end of all groups");
  }

  void by_inner_axis() const {
    agree(std::int64_t(count(g.x)), 1, "for groups of the inner axis, tensors of x");
    ranks(g.x, 2);
    ranks(g.weight, 2);
    const TensorArgument& x = g.x.tensors[0];
    const Dims& strides = x.meta().strides;
    check.that(strides[0] == 1 && strides[1] == x.shape()[0], "x must be transposed");
    const bool one_weight = count(g.weight) == 1;
    check.that(one_weight == has_groups(), "groupList is %s", one_weight ? "null" : "given");
    std::int64_t depth = 0;
    for (std::size_t i = 0; i < count(g.weight); ++i) {
      const Dims& weight = g.weight.tensors[i].shape();
      depth += weight[0];
      if (one_weight) {
        check.shape_is(g.out.tensors[0], Dims{group_count(), x.shape()[0], weight[1]},
                       "the products");
      } else {
        check.that(count(g.out) == count(g.weight), "there are %zu outputs for %zu weights",
                   count(g.out), count(g.weight));
        check.shape_is(g.out.tensors[i], Dims{x.shape()[0], weight[1]}, "the product");
      }
    }
    check.that(depth <= x.shape()[1] && (!one_weight || depth == x.shape()[1]),
               "weights have %lld rows, x has %lld columns", static_cast<long long>(depth),
               static_cast<long long>(x.shape()[1]));
  }
};

/// Weights in FRACTAL_NZ fill their blocks, which are of halves and integers.
void check_blocks(const Check& check, const GroupedProducts& g) {
  if (on_310p() || (on_950() && type_of(g.x) == ACL_INT8 && type_of(g.weight) == ACL_INT8)) return;
  const aclDataType weight = type_of(g.weight);
  if (weight == ACL_FLOAT4_E2M1 || (on_950() && weight == ACL_INT4))
    return;  // whole blocks of whatever width
  constexpr std::int64_t kHeight = 16;
  for (const TensorArgument& tensor : g.weight.tensors) {
    if (!is_nz(tensor.meta().format)) return;
    const bool is_half = is_16_bit_float(tensor.dtype());
    check.that(is_half || tensor.dtype() == ACL_INT8 || tensor.dtype() == ACL_INT4,
               "%s of %s is in FRACTAL_NZ", tensor.name(), dtype_name(tensor.dtype()));
    const std::int64_t width = is_half ? kHeight : tensor.dtype() == ACL_INT8 ? 32 : 64;
    const std::size_t rank = tensor.rank();
    const bool turned = is_turned(tensor);
    check.that(tensor.shape()[rank - 2] % (turned ? width : kHeight) == 0 &&
                   tensor.shape()[rank - 1] % (turned ? kHeight : width) == 0,
               "%s has shape %s, which does not fill blocks of %lld by %lld", tensor.name(),
               tensor.shape().text().c_str(), static_cast<long long>(kHeight),
               static_cast<long long>(width));
  }
}

/// The 310P brings weights into blocks itself, which takes whole blocks of columns.
void check_columns(const Check& check, const GroupedProducts& g) {
  if (!on_310p()) return;
  constexpr std::int64_t kWidth = 16;
  for (const TensorArgument& tensor : g.weight.tensors)
    check.that(tensor.shape().back() % kWidth == 0, "%s has shape %s, and columns by %lld",
               tensor.name(), tensor.shape().text().c_str(), static_cast<long long>(kWidth));
}

}  // namespace

std::int64_t experts_of(const GroupedProducts& g) {
  if (g.weight.tensors.size() > 1 || g.group_type == kApart)
    return std::int64_t(g.weight.tensors.size());
  return g.group_type == kInner ? g.out.tensors[0].shape()[0] : g.weight.tensors[0].shape()[0];
}

bool is_int4_beside_whole(const GroupedProducts& g) {
  const aclDataType x = type_of(g.x);
  return type_of(g.weight) == ACL_INT4 &&
         (on_950() ? x == ACL_INT8 : (x == ACL_INT8 || x == ACL_INT4) && on_a2_or_a3());
}

void check_grouped(const Check& check, const GroupedProducts& g) {
  Shapes{check, g}.check_all();
  if (on_950() && multiplies_narrow_floats(g)) return;
  check_blocks(check, g);
  check_columns(check, g);
}

void check_split_rows(const Plan& plan, const GroupedProducts& g) {
  if (on_950() || type_of(g.x) != ACL_INT8) return;
  constexpr std::int64_t kWhole = 64, kMost = 18432;
  const std::int64_t depth = g.x.tensors[0].shape()[1];
  check_tiling(plan, depth % kWhole == 0 && depth <= kMost,
               "the depth is %lld, it must be a multiple of %lld, and %lld at most",
               static_cast<long long>(depth), static_cast<long long>(kWhole),
               static_cast<long long>(kMost));
  for (const TensorArgument& scale : g.scale.tensors)
    check_tiling(plan, scale.rank() == g.weight.tensors[0].rank(),
                 "%s has shape %s, without the parts of the depth", scale.name(),
                 scale.shape().text().c_str());
}

}  // namespace pyaclnn::sim
