// Grouped products that a gate follows, on the 950: floats of a byte or half of one, and int8.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <utility>

#include "core/status.hpp"
#include "objects/dtype.hpp"
#include "objects/formats.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/round_stored.hpp"
#include "opapi/matmul/scaled_blocks.hpp"
#include "opapi/moe/gated_rows.hpp"
#include "opapi/moe/scaled_groups.hpp"

namespace pyaclnn::sim {
namespace {

using Gate = GroupedMatmulSwigluQuantV2Parameters;

enum Mode : std::int64_t { kOfRows = 0, kBlocks = 2 };

const DtypeSet kFloat8{ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2};
const DtypeSet kFloat4{ACL_FLOAT4_E2M1, ACL_FLOAT4_E1M2};
const DtypeSet kBytes{ACL_INT8, ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2, ACL_HIFLOAT8};

bool is_empty_list(const TensorListIn& list) {
  if (!list.given() || list.tensors.empty() || !list.tensors[0].given()) return true;
  return list.tensors.size() == 1 && list.tensors[0].shape() == Dims{0};
}

/// A call whose lists have been seen to hold tensors.
struct GateOn950 {
  const Check& check;
  const Gate& c;
  const TensorArgument &weight, &scale;
  bool in_blocks;  // FRACTAL_NZ

  bool mx() const { return c.quantMode == kBlocks; }
  bool of(const DtypeSet& types) const {
    return types.contains(c.x.dtype()) && types.contains(weight.dtype());
  }
  bool mixed() const {
    return c.x.dtype() == ACL_FLOAT8_E4M3FN && weight.dtype() == ACL_FLOAT4_E2M1;
  }

  void attributes() const {
    check.that(is_empty_list(c.weightAssistMatrix), "weightAssistMatrix is given");
    check.that(!c.bias.given(), "bias is given");
    check.that(!c.smoothScale.given(), "smoothScale is given");
    check.that(!c.tuningConfigOptional.given() || c.tuningConfigOptional.values().empty(),
               "tuningConfig is given");
    check.that((mx() || c.quantMode == kOfRows) && c.dequantMode == c.quantMode,
               "dequantMode and quantMode are %lld and %lld, both must be 0, or 2",
               ll(c.dequantMode), ll(c.quantMode));
    check.that(c.dequantDtype == ACL_FLOAT ||
                   (!mx() && (c.dequantDtype == ACL_FLOAT16 || c.dequantDtype == ACL_BF16)),
               "dequantDtype is %lld", ll(c.dequantDtype));
    check.that(!mixed() || mx(), "dequantMode is 0 beside a weight of float4");
  }

  void ranks() const {
    const auto is = [&](const TensorArgument& tensor, std::size_t rank) {
      check.that(tensor.rank() == rank, "%s has %zu dimensions, it must have %zu", tensor.name(),
                 tensor.rank(), rank);
    };
    is(c.x, 2);
    is(c.xScale, mx() ? 3 : 1);
    check.that(c.weight.tensors.size() == 1 && c.weightScale.tensors.size() == 1,
               "there are %zu weights and %zu weightScales, one of each is supported",
               c.weight.tensors.size(), c.weightScale.tensors.size());
    is(c.output, 2);
    is(c.outputScale, mx() ? 3 : 1);
    is(scale, mx() ? 4 : 2);
    is(weight, 3);
  }

  void turns() const {
    const bool turned = is_turned(weight);
    if (mx()) {
      check.that(!mixed() || turned, "a weight of float4 beside float8 must be transposed");
      check.that(has_turned_blocks(scale, 1) == turned,
                 "weight and weightScale must both be transposed, or neither");
    }
    const bool one = c.x.shape() == Dims({1, 1}) ||
                     (mx() && c.xScale.shape()[0] == 1 && c.xScale.shape()[1] == 1);
    check.that(one || !(is_turned(c.x) || (mx() && has_turned_blocks(c.xScale, 0))),
               "x and xScale must not be transposed");
  }

  void shapes() const {
    constexpr std::int64_t kMostGroups = 1024;
    check.that(c.groupList.rank() > 0 && c.groupList.shape()[0] <= kMostGroups,
               "groupList has shape %s", c.groupList.shape().text().c_str());
    const std::int64_t m = c.x.shape()[0], k = c.x.shape()[1];
    const std::int64_t e = weight.shape()[0], n = weight.shape()[2], half = n / 2;
    check.that(k == weight.shape()[1], "the depth of x is %lld, that of weight %lld", ll(k),
               ll(weight.shape()[1]));
    turns();
    check.shape_is(c.xScale, mx() ? Dims{m, mx_pairs(k), 2} : Dims{m}, "the rows of x");
    check.shape_is(c.output, Dims{m, half}, "half of the product");
    check.shape_is(c.outputScale, mx() ? Dims{m, mx_pairs(half), 2} : Dims{m},
                   "the rows of output");
    check.shape_is(scale, mx() ? Dims{e, mx_pairs(k), n, 2} : Dims{e, n}, "experts and columns");
    if (!mx()) return;
    check.that(n % 2 == 0, "weight has %lld columns, an odd number", ll(n));
    check.that(c.groupList.shape()[0] == e, "groupList has %lld groups for %lld experts",
               ll(c.groupList.shape()[0]), ll(e));
    if (of(kFloat4)) {
      check.that(k != 2 && k % 2 == 0, "the depth is %lld, it must be even and more than 2", ll(k));
      check.that(c.output.dtype() != ACL_FLOAT4_E2M1 || (n >= 4 && n % 4 == 0),
                 "weight has %lld columns, no multiple of 4", ll(n));
    } else if (mixed()) {
      check.that(k % kMxBlock == 0 && n % 128 == 0,
                 "weight has shape %s, it must be in pieces of 32 by 128",
                 weight.shape().text().c_str());
    }
  }

  void types() const {
    const auto halves = kFloat4.contains(c.output.dtype());
    check.that(in_blocks || !(c.x.dtype() == ACL_FLOAT4_E1M2 || weight.dtype() == ACL_FLOAT4_E1M2 ||
                              c.output.dtype() == ACL_FLOAT4_E1M2),
               "float4_e1m2 goes with a weight in FRACTAL_NZ only");
    check.that(mx() ? of(kFloat8) || of(kFloat4) || mixed() : of(kBytes), "x is %s, and weight %s",
               dtype_name(c.x.dtype()), dtype_name(weight.dtype()));
    const DtypeSet powers{ACL_FLOAT8_E8M0}, wide{ACL_FLOAT};
    const bool whole = c.x.dtype() == ACL_INT8;
    check.dtype_in(mx()    ? powers
                   : whole ? DtypeSet{ACL_FLOAT16, ACL_BF16, ACL_FLOAT}
                           : DtypeSet{ACL_BF16, ACL_FLOAT},
                   scale);
    check.dtype_in(mx() ? powers : wide, c.xScale, c.outputScale);
    check.dtype_in(DtypeSet{ACL_INT64}, c.groupList);
    if (!mx()) {
      check.dtype_in(kBytes, c.output);
      check.that(of(kFloat8) || c.x.dtype() == weight.dtype(), "x is %s, and weight %s",
                 dtype_name(c.x.dtype()), dtype_name(weight.dtype()));
      return;
    }
    check.that(mixed() ? c.output.dtype() == ACL_FLOAT8_E4M3FN
                       : kFloat8.contains(c.output.dtype()) || (of(kFloat4) && halves),
               "output is %s beside x of %s", dtype_name(c.output.dtype()),
               dtype_name(c.x.dtype()));
  }

  void formats() const {
    check.that(!mixed() || in_blocks, "a weight of float4 beside float8 must be in FRACTAL_NZ");
    check_not_private(check, {&scale, &c.x, &c.xScale, &c.groupList, &c.output, &c.outputScale});
  }

  void tiling(const Plan& plan) const {
    const std::int64_t n = weight.shape()[2];
    check_tiling(plan, c.groupListType == kGroupEnds || c.groupListType == kGroupSizes,
                 "groupListType is %lld, not 0 or 1", ll(c.groupListType));
    if (!mx()) {
      check_tiling(plan, n % 2 == 0 && n != 1, "weight has %lld columns, an odd number", ll(n));
      return;
    }
    check_tiling(plan, !in_blocks || of(DtypeSet{ACL_FLOAT8_E4M3FN}) || of(kFloat4) || mixed(),
                 "x is %s, and weight %s in FRACTAL_NZ", dtype_name(c.x.dtype()),
                 dtype_name(weight.dtype()));
    check_tiling(plan, n % 128 == 0, "weight has %lld columns, no multiple of 128", ll(n));
  }
};

}  // namespace

void gate_on_950(const Check& check, Plan& plan, const Gate& c, bool named_nz) {
  for (const TensorListIn* list : {&c.weight, &c.weightScale})
    check.that_given(list->given() && !list->tensors.empty() && list->tensors[0].given(),
                     list->name());
  const TensorArgument &weight = c.weight.tensors[0], &scale = c.weightScale.tensors[0];
  const GateOn950 gate{check, c, weight, scale, named_nz || is_nz(weight.meta().format)};
  check.that(c.x.rank() > 1 && c.x.shape()[1] > 0, "x has shape %s", c.x.shape().text().c_str());
  check.that(weight.rank() > 1 && weight.shape().end()[-2] > 0, "weight has shape %s",
             weight.shape().text().c_str());
  gate.attributes();
  gate.ranks();
  gate.shapes();
  gate.types();
  gate.formats();
  if (c.output.is_empty() || c.groupList.is_empty() || c.outputScale.is_empty()) return;
  gate.tiling(plan);
  if (!gate.mx() && (c.output.dtype() == ACL_INT8) != (c.x.dtype() == ACL_INT8))
    fail_not_simulated(plan, "int8 beside floats");
  ScaledGroups rows(plan, c.x, weight, gate.in_blocks, c.groupList, c.groupListType);
  const std::int64_t half = rows.columns() / 2;
  if (!gate.mx()) {
    rows.row_scale = StoredScales(plan, c.xScale);
    rows.column_scale = StoredScales(plan, scale);
    RowQuantiser quantiser;
    quantiser.mode = QuantMode::kSymmetric;
    quantiser.round = c.output.dtype() == ACL_HIFLOAT8 ? Round::kRound : Round::kRint;
    quantiser.scale_out = RowMajor(plan.writes(c.outputScale));
    quantiser.out = QuantOut(plan, c.output);
    return gate_rows(
        plan, rows,
        [quantiser, type = aclDataType(c.dequantDtype)](
            const KernelMemory& memory, const RowPlace& place, float* values, float* buffer) {
          round_as_stored(values, place.width, type);
          quantiser(memory, place, values, buffer);
        });
  }
  rows.scale_by_blocks(plan, c.xScale, scale);
  const TensorArgument gated = plan.scratch("gated", ACL_BF16, c.output.shape());
  gate_rows(plan, rows,
            [to = RowMajor(plan.writes(gated))](const KernelMemory& memory, const RowPlace& place,
                                                float* values, float*) {
              RowMajorAccess(to, memory).write(place.row * place.width, place.width, values);
            });
  TilesCall call;
  call.rows = rows.rows();
  call.width = half;
  call.source = rows_of(plan.reads(gated), half);
  call.groups = RowGroups(rows.numbers, c.groupListType == kGroupSizes);
  call.stores.push_back(mx_of_rows(plan, c.output, c.outputScale, half, kMxBlock));
  call.stores[0].scale = mx_scaler({c.output.dtype(), 0});
  quantise_tiles(plan, std::move(call));
}

}  // namespace pyaclnn::sim
