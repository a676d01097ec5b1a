// SPDX-License-Identifier: MIT
#include "opapi/moe/grouped_matmul.hpp"

#include <algorithm>
#include <numeric>

#include "objects/formats.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/narrow_numbers.hpp"
#include "opapi/common/numbers.hpp"
#include "opapi/common/round_stored.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/common/words.hpp"
#include "opapi/matmul/feed_forward_layer.hpp"
#include "opapi/moe/grouped_floats.hpp"
#include "opapi/pointwise/formulas.hpp"
#include "opapi/product/gemm.hpp"
#include "opapi/quant/stored_scales.hpp"
#include "parameters/GroupedMatmulV2.hpp"
#include "parameters/GroupedMatmulWeightNz.hpp"

namespace pyaclnn::sim {
namespace {

using Views = std::vector<View>;
using Numbers = std::vector<std::int64_t>;

constexpr std::int64_t kBlockRows = 512;  // that are computed at once where they are converted
constexpr DtypeSet kWords{ACL_UINT64, ACL_INT64};  // of aclnnTransQuantParam
constexpr DtypeSet kNarrowFloats{ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2, ACL_HIFLOAT8, ACL_FLOAT4_E2M1,
                                 ACL_FLOAT4_E1M2};

bool is_given(const TensorListIn& list) { return list.given() && !list.tensors.empty(); }

aclDataType type_of(const TensorListIn& list) {
  return is_given(list) ? list.tensors[0].dtype() : ACL_DT_UNDEFINED;
}

/// A matrix for each group, of a list of them or of one tensor.
View of_group(const Views& views, std::int64_t group, std::size_t rank) {
  if (views.size() > 1) return views[std::size_t(group)];
  return of_expert(views[0], views[0].shape.size() > rank, group);
}

struct Kernel {
  Views x, weight, bias, scale, anti_scale, anti_offset, token_scale, out;
  View numbers;
  Numbers list;
  bool has_numbers = false;
  bool has_list = false;
  std::int64_t group_type = kApart;
  std::int64_t list_type = kGroupEnds;
  std::int64_t experts = 0;
  PointwiseLoop activation = nullptr;

  void run(const KernelMemory& memory) const {
    for (const Group& group : groups(memory)) {
      Part part = part_of_group(group);
      if (part.out.shape.product() == 0) continue;
      if (part.x.dtype == ACL_INT8) {
        run_int8(memory, part);
      } else if (!anti_scale.empty()) {
        run_quantised_weight(memory, part);
      } else {
        run_floats(memory, part);
      }
    }
  }

 private:
  struct Part {
    View x, weight, out, bias;
    std::int64_t group;
    std::int64_t first_row;
  };

  std::vector<Group> groups(const KernelMemory& memory) const {
    const std::int64_t extent = group_type == kApart ? 0 : x[0].shape[group_type == kRows ? 0 : 1];
    const bool is_split = group_type != kApart && x.size() == 1;
    if (has_numbers && is_split)
      return groups_of(numbers_of<std::int64_t>(memory, numbers), list_type, experts, extent);
    if (has_list && is_split) return groups_of(list, list_type, experts, extent);
    // Each tensor is a group: of rows that lie behind one another, or of the inner axis.
    std::vector<Group> result;
    std::int64_t taken = 0;
    for (std::int64_t i = 0; i < experts; ++i) {
      const std::int64_t size =
          group_type == kInner ? weight[std::size_t(i)].shape[0] : x[std::size_t(i)].shape[0];
      result.push_back({i, taken, taken + size});
      taken += size;
    }
    return result;
  }

  Part part_of_group(const Group& group) const {
    const auto i = std::size_t(group.expert);
    Part part;
    part.group = group.expert;
    part.first_row = group.begin;
    if (group_type == kInner) {
      part.x = part_of(x[0], 1, group.begin, group.end);
      part.weight = weight.size() > 1 ? weight[i] : part_of(weight[0], 0, group.begin, group.end);
      part.out = of_group(out, group.expert, 2);
      return part;
    }
    part.x = x.size() > 1 || group_type == kApart ? x[i] : part_of(x[0], 0, group.begin, group.end);
    part.weight = of_group(weight, group.expert, 2);
    part.out = out.size() > 1 || group_type == kApart ? out[i]
                                                      : part_of(out[0], 0, group.begin, group.end);
    if (!bias.empty()) part.bias = of_group(bias, group.expert, 1);
    return part;
  }

  void run_floats(const KernelMemory& memory, const Part& part) const {
    if (part.x.shape.back() == 0 && bias.empty()) {
      const RowMajor to(part.out);
      const std::vector<float> zeros(std::size_t(to.count()));
      return RowMajorAccess(to, memory).write(0, to.count(), zeros.data());
    }
    Gemm gemm;
    gemm.out = part.out;
    gemm.a = part.x;
    gemm.b = part.weight;
    if (!bias.empty()) gemm.addend = part.bias;
    run_gemm(gemm, memory);
  }

  NetworkLayer layer_of(const Part& part) const {
    NetworkLayer layer;
    layer.weight = part.weight;
    layer.bias = part.bias;
    layer.has_bias = !bias.empty();
    return layer;
  }

  /// Calls body(first row, rows, their values) for blocks of rows.
  template <class Body>
  static void for_blocks(const KernelMemory& memory, const Part& part, Body body) {
    const RowMajor from(part.x);
    const std::int64_t depth = part.x.shape.back();
    const std::int64_t rows = depth == 0 ? 0 : from.count() / depth;
    std::vector<float> buffer(std::size_t(std::min(rows, kBlockRows) * depth));
    for (std::int64_t row = 0; row < rows; row += kBlockRows) {
      const std::int64_t count = std::min(kBlockRows, rows - row);
      body(row, count,
           RowMajorAccess(from, memory).read(row * depth, count * depth, buffer.data()));
    }
  }

  void run_quantised_weight(const KernelMemory& memory, const Part& part) const {
    NetworkLayer layer = layer_of(part);
    layer.kind = NetworkLayer::Kind::kQuantisedWeights;
    const bool by_group = anti_scale[0].shape.size() > (weight.size() > 1 ? 1 : 2);
    const std::size_t rank = by_group ? 2 : 1;
    layer.anti_scale = of_group(anti_scale, part.group, rank);
    layer.has_anti_offset = !anti_offset.empty();
    if (layer.has_anti_offset) layer.anti_offset = of_group(anti_offset, part.group, rank);
    layer.restored = part.x.dtype;
    const RowMajor to(part.out);
    for_blocks(memory, part, [&](std::int64_t row, std::int64_t count, const float* values) {
      const std::vector<float> result = layer.multiply(memory, 0, values, count);
      RowMajorAccess(to, memory)
          .write(row * layer.columns(), count * layer.columns(), result.data());
    });
  }

  void run_int8(const KernelMemory& memory, const Part& part) const {
    const NetworkLayer layer = layer_of(part);
    const std::int64_t columns = layer.columns();
    WordParameters words;
    std::vector<float>&scales = words.scales, &offsets = words.offsets;
    if (!scale.empty() && kWords.contains(scale[0].dtype)) {
      words = WordParameters(memory, of_group(scale, part.group, 1));
    } else if (!scale.empty()) {
      scales = row_values(memory, of_group(scale, part.group, 1));
    }
    const std::vector<float> of_tokens =
        token_scale.empty() ? std::vector<float>() : row_values(memory, token_scale[0]);
    const RowMajor to(part.out);
    for_blocks(memory, part, [&](std::int64_t row, std::int64_t count, const float* values) {
      const std::vector<std::int32_t> sums = layer.int8_sums(memory, 0, values, count);
      if (scales.empty()) return write_sums(memory, part.out, row, sums);
      std::vector<float> result(sums.size());
      for (std::int64_t i = 0; i < count; ++i)
        for (std::int64_t j = 0; j < columns; ++j)
          result[std::size_t(i * columns + j)] =
              float(sums[std::size_t(i * columns + j)]) * scales[std::size_t(j)];
      if (!of_tokens.empty())
        for (std::int64_t i = 0; i < count; ++i)
          for (std::int64_t j = 0; j < columns; ++j)
            result[std::size_t(i * columns + j)] *=
                of_tokens[std::size_t(part.first_row + row + i)];
      if (part.out.dtype == ACL_INT8) add_offsets(result, offsets);
      if (activation != nullptr && offsets.empty()) {
        const float none = 0;
        const void* inputs[] = {result.data()};
        activation(&none, std::int64_t(result.size()), inputs, result.data());
      }
      RowMajorAccess(to, memory).write(row * columns, count * columns, result.data());
    });
  }

  /// int32 as it is, which floats do not hold.
  static void write_sums(const KernelMemory& memory, const View& out, std::int64_t row,
                         const std::vector<std::int32_t>& sums) {
    const std::int64_t columns = out.shape.back();
    const View rows = part_of(out, 0, row, row + std::int64_t(sums.size()) / columns);
    write_numbers(memory, rows, Numbers(sums.begin(), sums.end()));
  }
};

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
    if (is_int4_beside_whole()) return int4_beside_whole(x);
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
    if (!is_given(g.token_scale)) return;
    check.that(count(g.x) == 1 && count(g.token_scale) == 1,
               "scales of rows go with one tensor of x");
    ranks(g.token_scale, 1);
    agree(g.token_scale.tensors[0].shape()[0], g.x.tensors[0].shape()[0], "scales and rows");
  }

  bool is_int4_beside_whole() const {
    const aclDataType x = type_of(g.x);
    return type_of(g.weight) == ACL_INT4 &&
           (on_950() ? x == ACL_INT8 : (x == ACL_INT8 || x == ACL_INT4) && on_a2_or_a3());
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
    check.that(g.list_type >= 0 && g.list_type <= (on_a2_or_a3() ? 2 : 1), "groupListType is %lld",
               static_cast<long long>(g.list_type));
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

  std::int64_t experts() const {
    if (count(g.weight) > 1 || g.group_type == kApart) return std::int64_t(count(g.weight));
    return g.group_type == kInner ? g.out.tensors[0].shape()[0] : g.weight.tensors[0].shape()[0];
  }

  void numbers() const {
    if (g.numbers != nullptr && g.numbers->given()) {
      check.dtype_in(DtypeSet{ACL_INT64}, *g.numbers);
      const bool pairs = g.list_type == kGroupPairs;
      check.that(g.numbers->rank() == (pairs ? 2 : 1) && (!pairs || g.numbers->shape()[1] == 2),
                 "groupList has shape %s", g.numbers->shape().text().c_str());
      check.that(g.numbers->shape()[0] <= 1024, "groupList has more than 1024 groups");
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
    check.that(!has_groups() || g.list != nullptr, "groupList is given, and groupType is -1");
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
    const std::int64_t number = experts();
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
  }

  /// A list that is known now tells the extents of tensors that are apart, and all of one.
  template <class Extent>
  void lengths(std::size_t axis, Extent extent, bool are_apart) const {
    if (g.list == nullptr || !g.list->given()) return;
    const Numbers& ends = g.list->values();
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
    check.that(
        x.shape()[0] == 1 || x.shape()[1] == 1 || (strides[0] == 1 && strides[1] == x.shape()[0]),
        "x must be transposed");
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

/// A list whose words of int32 are eight numbers of int4 each, described as those; or whose words
/// of float32 are as many of float4, where it is told so.
class Words {
 public:
  Words(const Check& check, const TensorListIn& list, bool floats = false) : list_(Absent()) {
    list_.list_name = list.list_name;
    list_.is_given = list.is_given;
    metas_.reserve(list.tensors.size());  // Arguments point to them.
    for (const TensorArgument& tensor : list.tensors) {
      const bool whole = tensor.dtype() == ACL_INT32;
      metas_.push_back(whole || (floats && tensor.dtype() == ACL_FLOAT)
                           ? numbers_of_words(check, tensor, whole ? ACL_INT4 : ACL_FLOAT4_E2M1)
                           : tensor.meta());
      list_.tensors.emplace_back(tensor.name(), tensor.index(), &metas_.back());
    }
  }

  const TensorListIn& list() const { return list_; }

 private:
  std::vector<TensorMeta> metas_;
  TensorListIn list_;
};

const PointwiseFormula* formula_of(std::int64_t activation) {
  static const PointwiseFormula* const kFormulas[] = {
      nullptr,         &formulas::relu,      &formulas::gelu_tanh,
      &formulas::gelu, &formulas::fast_gelu, &formulas::silu};
  return kFormulas[activation];
}

void grouped(const Check& check, Plan& plan, const GroupedMatmulWeightNzParameters& given,
             const TensorListIn& x, const TensorListIn& weight, bool named_nz = false) {
  const bool takes_offset = on_a2_or_a3() && type_of(x) == ACL_INT8 && type_of(weight) == ACL_INT4;
  for (const TensorListIn* list :
       {&given.offsetOptional, &given.activationInputOptional, &given.activationQuantScaleOptional,
        &given.activationQuantOffsetOptional, &given.activationFeatureOutOptional,
        &given.dynQuantScaleOutOptional})
    check.that(!is_given(*list) || (takes_offset && list == &given.offsetOptional),
               "%s is given, which is not supported yet", list->name());
  grouped_products(
      check, plan,
      {x, weight, given.biasOptional, given.scaleOptional, given.antiquantScaleOptional,
       given.antiquantOffsetOptional, given.perTokenScaleOptional, nullptr,
       &given.groupListOptional, given.splitItem, given.groupType, given.groupListType,
       given.actType, given.out, named_nz, false, &given.offsetOptional});
}

void grouped_words(const Check& check, Plan& plan, const GroupedMatmulWeightNzParameters& given,
                   bool named_nz) {
  const bool floats = on_950() && type_of(given.x) != ACL_FLOAT;
  const Words x(check, given.x), weight(check, given.weight, floats);
  grouped(check, plan, given, x.list(), weight.list(), named_nz);
}

}  // namespace

/// Weights in FRACTAL_NZ fill their blocks, which are of halves and integers.
static void check_blocks(const Check& check, const GroupedProducts& g) {
  if (on_310p() || (on_950() && type_of(g.x) == ACL_INT8 && type_of(g.weight) == ACL_INT8)) return;
  const aclDataType weight = type_of(g.weight);
  if (weight == ACL_FLOAT4_E2M1 || (on_950() && weight == ACL_INT4))
    return;  // whole blocks of whatever width
  constexpr std::int64_t kHeight = 16;
  for (const TensorArgument& tensor : g.weight.tensors) {
    if (!is_nz(tensor.meta().format)) return;
    const bool is_half = tensor.dtype() == ACL_FLOAT16 || tensor.dtype() == ACL_BF16;
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
static void check_columns(const Check& check, const GroupedProducts& g) {
  if (!on_310p()) return;
  constexpr std::int64_t kWidth = 16;
  for (const TensorArgument& tensor : g.weight.tensors)
    check.that(tensor.shape().back() % kWidth == 0, "%s has shape %s, and columns by %lld",
               tensor.name(), tensor.shape().text().c_str(), static_cast<long long>(kWidth));
}

/// What the kernel that splits int8 in two int4 asks of the depth and of its parts' scales.
static void check_split_rows(const Plan& plan, const GroupedProducts& g) {
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

Launch before_all(const std::vector<PlainOperand>& weights, Launch kernel, std::size_t first) {
  if (first == weights.size()) return kernel;
  return before_all(weights, weights[first].before(std::move(kernel)), first + 1);
}

void not_empty(const Check& check, const TensorListIn& list) {
  check.not_null(list);
  check.that_given(!list.tensors.empty(), list.name());
  for (const TensorArgument& tensor : list.tensors) check.that_given(tensor.given(), tensor.name());
}

void grouped_products(const Check& check, Plan& plan, const GroupedProducts& g) {
  for (const TensorListIn* list : {&g.x, &g.weight, &g.out}) {
    check.that(!on_310p() || (list->tensors.size() == 1 && g.group_type == kRows),
               "on this chip groups are rows of one x, weight and out");
  }
  const bool narrow = on_950() && multiplies_narrow_floats(g);
  const Shapes shapes{check, g};
  shapes.check_all();
  if (narrow) return grouped_narrow_floats(plan, g);
  check_blocks(check, g);
  check_columns(check, g);
  if (shapes.is_int4_beside_whole()) {
    check_split_rows(plan, g);
    return grouped_int4_products(plan, g);
  }
  Kernel kernel;
  std::vector<PlainOperand> weights;
  for (const TensorArgument& tensor : g.weight.tensors) {
    weights.emplace_back(plan, tensor);
    kernel.weight.push_back(weights.back().view());
  }
  const auto read = [&](const TensorListIn& list, Views& views, bool is_out = false) {
    if (!is_given(list)) return;
    for (const TensorArgument& tensor : list.tensors) {
      if (!is_out && &list != &g.x) plan.stage(tensor).contiguous();
      views.push_back(is_out ? plan.writes(tensor) : plan.reads(tensor));
      if (is_out) plan.result(tensor.dtype(), tensor.shape()).copy_to(tensor);
    }
  };
  read(g.x, kernel.x);
  read(g.bias, kernel.bias);
  if (type_of(g.out) != ACL_INT32) read(g.scale, kernel.scale);
  read(g.anti_scale, kernel.anti_scale);
  read(g.anti_offset, kernel.anti_offset);
  read(g.token_scale, kernel.token_scale);
  read(g.out, kernel.out, true);
  kernel.has_numbers = g.numbers != nullptr && g.numbers->given();
  if (kernel.has_numbers) kernel.numbers = plan.reads(*g.numbers);
  kernel.has_list = g.list != nullptr && g.list->given();
  if (kernel.has_list) kernel.list = g.list->values();
  kernel.group_type = g.group_type;
  kernel.list_type = g.list_type;
  kernel.experts = shapes.experts();
  if (const PointwiseFormula* formula = formula_of(g.activation))
    kernel.activation = formula->loops[static_cast<int>(ComputeType::kFloat)];
  plan.launch(before_all(
      weights, [kernel = std::move(kernel)](const KernelMemory& memory) { kernel.run(memory); }));
}

void grouped_matmul_v3(const Check& check, Plan& plan,
                       const GroupedMatmulWeightNzParameters& given) {
  check.that(!kNarrowFloats.contains(type_of(given.weight)),
             "weight is %s, which this version does not have", dtype_name(type_of(given.weight)));
  grouped(check, plan, given, given.x, given.weight);
}

void grouped_matmul(const Check& check, Plan& plan, const GroupedMatmulWeightNzParameters& given) {
  grouped_words(check, plan, given, false);
}

void grouped_matmul_weight_nz(const Check& check, Plan& plan,
                              const GroupedMatmulWeightNzParameters& given) {
  check.that(given.groupType != kInner, "groupType is 2, which weights in FRACTAL_NZ do not have");
  for (const TensorArgument& tensor : given.weight.tensors)
    check.that(is_nz(tensor.meta().format), "%s is not in FRACTAL_NZ", tensor.name());
  grouped_words(check, plan, given, true);
}

static void listed(const Check& check, Plan& plan, const GroupedMatmulV2Parameters& given,
                   bool first) {
  check.that(!is_given(given.offsetOptional), "offset is given, which is not supported yet");
  const TensorListIn none{Absent()};
  grouped_products(
      check, plan,
      {given.x, given.weight, given.biasOptional, given.scaleOptional, given.antiquantScaleOptional,
       given.antiquantOffsetOptional, none, &given.groupListOptional, nullptr, given.splitItem,
       given.groupType, 0, 0, given.y, false, first});
}

void listed_grouped_matmul(const Check& check, Plan& plan, const GroupedMatmulV2Parameters& given) {
  listed(check, plan, given, false);
}

void first_grouped_matmul(const Check& check, Plan& plan, const GroupedMatmulV2Parameters& given) {
  listed(check, plan, given, true);
}

void add_grouped_products(Plan& plan, const TensorArgument& x, const TensorArgument& weight,
                          const TensorArgument& numbers, std::int64_t list_type,
                          const TensorArgument& out) {
  const std::int64_t groups = numbers.shape()[0];
  const std::int64_t rows = x.shape()[1];
  const std::int64_t columns = weight.shape()[1];
  const bool flat = out.rank() == 2;
  check_tiling(plan,
               flat ? out.shape() == Dims({Dims({groups, rows}).product(), columns})
                    : out.shape() == Dims({groups, rows, columns}),
               "%s has shape %s, for %lld groups of %lld rows", out.name(),
               out.shape().text().c_str(), static_cast<long long>(groups),
               static_cast<long long>(rows));
  plan.stage(numbers).contiguous();
  plan.result(ACL_FLOAT, out.shape()).copy_to(out);
  View left = plan.reads(x);
  left.shape = Dims{rows, x.shape()[0]};
  left.strides = Dims{left.strides[1], left.strides[0]};
  const View right = plan.reads(weight);
  const View list = plan.reads(numbers);
  const View to = plan.writes(out);
  plan.launch([=](const KernelMemory& memory) {
    for (const Group& group :
         groups_of(numbers_of<std::int64_t>(memory, list), list_type, groups, left.shape[1])) {
      Gemm gemm;
      gemm.out = flat ? part_of(to, 0, group.expert * rows, (group.expert + 1) * rows)
                      : of_expert(to, true, group.expert);
      if (group.size() == 0 || gemm.out.shape.product() == 0) continue;
      gemm.a = part_of(left, 1, group.begin, group.end);
      gemm.b = part_of(right, 0, group.begin, group.end);
      gemm.addend = gemm.out;
      run_gemm(gemm, memory);
    }
  });
}

}  // namespace pyaclnn::sim
