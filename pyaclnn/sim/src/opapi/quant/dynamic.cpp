// SPDX-License-Identifier: MIT
#include "opapi/quant/dynamic.hpp"

#include <string>
#include <utility>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/quant/elements.hpp"
#include "opapi/quant/rows.hpp"
#include "parameters/DynamicQuantV4.hpp"

namespace pyaclnn::sim {
namespace {

/// All that any version of DynamicQuant is told; `largest` is that of hifloat8, or 0.
struct DynamicQuant {
  const TensorArgument &x, &smooth, &groups;
  bool symmetric;
  std::string mode;
  float largest;
  const TensorArgument &y, &scale, &offset;
};

constexpr std::int64_t kMostExperts = 1024;

/// The shape without one axis.
Dims without(const Dims& shape, std::size_t axis) {
  std::vector<std::int64_t> left(shape.begin(), shape.end());
  left.erase(left.begin() + std::ptrdiff_t(axis));
  return Dims(left.data(), left.size());
}

/// The view with its last two axes exchanged.
View turned(View view) {
  std::vector<std::int64_t> shape(view.shape.begin(), view.shape.end());
  std::vector<std::int64_t> strides(view.strides.begin(), view.strides.end());
  std::swap(shape.end()[-1], shape.end()[-2]);
  std::swap(strides.end()[-1], strides.end()[-2]);
  view.shape = Dims(shape.data(), shape.size());
  view.strides = Dims(strides.data(), strides.size());
  return view;
}

void check_modes(const Check& check, const DynamicQuant& call) {
  check.that(!call.symmetric || !call.offset.given(), "offsetOut is given, and isSymmetrical true");
  check.that(call.symmetric || call.offset.given(), "offsetOut is null, and isSymmetrical false");
  const bool by_row = call.mode == "pertoken";
  check.that(by_row || call.mode == "pertensor" || call.mode == "perchannel",
             "quantMode is \"%s\", it must be pertoken, pertensor or perchannel",
             call.mode.c_str());
  check.that(by_row || !call.groups.given(), "groupIndexOptional is given with quantMode \"%s\"",
             call.mode.c_str());
}

void check_types(const Check& check, const DynamicQuant& call) {
  const DtypeSet inputs = DtypeSet{ACL_FLOAT16}.with_bf16();
  check.dtype_in(inputs, call.x);
  if (call.smooth.given()) {
    check.dtype_in(inputs, call.smooth);
    check.same_dtype(call.x, call.smooth);
    if (call.groups.given()) check.dtype_in(DtypeSet{ACL_INT32, ACL_INT64}, call.groups);
  }
  const DtypeSet whole{ACL_INT4, ACL_INT8, ACL_INT32};
  const DtypeSet narrow{ACL_HIFLOAT8, ACL_FLOAT8_E5M2, ACL_FLOAT8_E4M3FN};
  check.dtype_in(on_950() ? whole | narrow : on_a2_or_a3() ? whole : DtypeSet{ACL_INT8}, call.y);
  check.dtype_in(DtypeSet{ACL_FLOAT}, call.scale);
  if (call.offset.given()) check.dtype_in(DtypeSet{ACL_FLOAT}, call.offset);
}

void check_shapes(const Check& check, const DynamicQuant& call) {
  const Dims& x = call.x.shape();
  check.that(x.size() >= 2 && x.size() <= 8, "x has %zu dimensions, it must have 2 to 8", x.size());
  const std::size_t last = x.size() - 1;
  const bool by_column = call.mode == "perchannel";
  if (call.smooth.given() && call.groups.given()) {
    check.that(call.groups.rank() == 1, "groupIndexOptional has %zu dimensions, it must have one",
               call.groups.rank());
  } else if (call.smooth.given()) {
    check.that(call.smooth.rank() == 1, "smoothScalesOptional has %zu dimensions, it must have one",
               call.smooth.rank());
    const std::int64_t wanted = x[by_column ? last - 1 : last];
    check.that(call.smooth.elements() == wanted,
               "smoothScalesOptional has %lld elements, it must have %lld",
               ll(call.smooth.elements()), ll(wanted));
  }
  check_quantised_shape(check, call.x, call.y);
  if (call.mode == "pertensor") {
    check.shape_is(call.scale, Dims{1}, "one scale for all");
  } else {
    check.shape_is(call.scale, without(x, by_column ? last - 1 : last), "x without an axis");
  }
  if (call.offset.given()) check.same_shape(call.scale, call.offset);
}

/// What CANN finds where it divides the work.
void check_groups_divide(const Plan& plan, const DynamicQuant& call) {
  if (!call.groups.given()) return;
  check_tiling(plan, call.smooth.given(), "groupIndexOptional is given without smoothScales");
  check_tiling(plan, call.groups.dtype() == ACL_INT32, "groupIndexOptional must be int32");
  const std::int64_t groups = call.groups.elements();
  check_tiling(plan, groups <= kMostExperts, "groupIndexOptional has %lld elements, %lld at most",
               ll(groups), ll(kMostExperts));
  check_tiling(plan,
               call.smooth.rank() == 2 && call.smooth.shape()[0] == groups &&
                   call.smooth.shape()[1] == call.x.shape().back(),
               "smoothScalesOptional has shape %s beside %lld groups and x of shape %s",
               call.smooth.shape().text().c_str(), ll(groups), call.x.shape().text().c_str());
}

}  // namespace

void require_950(const Plan& plan) {
  if (!on_950())
    fail(ACLNN_ERR_INNER, "%s: %s does not have the operator", plan.api(), chip().name);
}

void dynamic_quant(const Check& check, Plan& plan, const DynamicQuantV4Parameters& given) {
  const DynamicQuant call{given.x,
                          given.smoothScalesOptional,
                          given.groupIndexOptional,
                          given.isSymmetrical,
                          given.quantMode.given() ? given.quantMode.text : "pertoken",
                          given.dstTypeMax,
                          given.yOut,
                          given.scaleOut,
                          given.offsetOut};
  check.not_null(call.x, call.y, call.scale);
  check_modes(check, call);
  check_types(check, call);
  check_shapes(check, call);
  if (call.x.is_empty() || call.y.is_empty() || call.scale.is_empty()) return;
  check_groups_divide(plan, call);
  const Dims& shape = call.x.shape();
  const bool by_column = call.mode == "perchannel";
  const bool all = call.mode == "pertensor";
  plan.stage(call.x).contiguous();
  View x = plan.reads(call.x);
  QuantRowsCall rows;
  rows.width = all ? call.x.elements() : by_column ? shape.end()[-2] : shape.back();
  rows.rows = call.x.elements() / rows.width;
  if (by_column) x = turned(x);
  rows.source = rows_of(x, rows.width);
  if (call.groups.given()) rows.groups = RowGroups(plan.reads(call.groups), false);
  RowQuantiser quantiser;
  quantiser.mode = call.symmetric ? QuantMode::kSymmetric : QuantMode::kAsymmetric;
  quantiser.multiplies = !on_950();
  quantiser.largest = call.y.dtype() == ACL_HIFLOAT8 ? call.largest : 0;
  if (call.y.dtype() == ACL_HIFLOAT8) quantiser.round = Round::kRound;
  if (call.smooth.given() && all) {
    plan.stage(call.smooth).contiguous();
    const View factors = plan.reads(call.smooth);
    quantiser.smooth =
        RowFactors::of_view(along_axis(factors, shape, shape.size() - 1), rows.width);
  } else if (call.smooth.given()) {
    quantiser.smooth = RowFactors(plan, call.smooth, rows.width);
  }
  plan.result(call.y.dtype(), call.y.shape()).copy_to(call.y);
  if (by_column && !NarrowFormat::of(call.y.dtype()) && call.y.dtype() != ACL_INT8)
    fail_not_simulated(plan, "a result of int4 with scales for columns");
  quantiser.out =
      by_column ? QuantOut(call.y.dtype(), turned(plan.writes(call.y))) : QuantOut(plan, call.y);
  quantiser.scale_out = RowMajor(plan.writes(call.scale));
  if (call.offset.given()) quantiser.offset_out = RowMajor(plan.writes(call.offset));
  rows.stores.push_back(std::move(quantiser));
  quantise_rows(plan, std::move(rows));
}

}  // namespace pyaclnn::sim
