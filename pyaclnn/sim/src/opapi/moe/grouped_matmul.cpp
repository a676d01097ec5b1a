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
#include "opapi/moe/grouped_checks.hpp"
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
  check_grouped(check, g);
  const bool whole = type_of(g.x) == ACL_INT8 && type_of(g.weight) == ACL_INT8;
  check_tiling(plan,
               !on_950() || g.list_type != kGroupPairs || whole ||
                   (multiplies_narrow_floats(g) && is_given(g.scale)),
               "groupListType is 2, and x or weight is not quantised");
  if (on_950() && multiplies_narrow_floats(g)) return grouped_narrow_floats(plan, g);
  if (is_int4_beside_whole(g)) {
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
  kernel.experts = experts_of(g);
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
