// RMS normalisation of a sum, quantised with scales that are given or found.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "objects/dtype.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/quant/sources.hpp"
#include "parameters/AddRmsNormDynamicQuantV2.hpp"
#include "parameters/AddRmsNormQuantV2.hpp"

namespace pyaclnn::sim {
namespace {

/// Refuses, where the work is divided, operands whose shapes do not fit.
void check_rows(const Plan& plan, const TensorArgument& x1, const TensorArgument& x2,
                const TensorArgument& gamma) {
  check_tiling(plan, x1.shape() == x2.shape(), "x1 has shape %s, and x2 %s",
               x1.shape().text().c_str(), x2.shape().text().c_str());
  check_tiling(plan, ends_with(x1.shape(), gamma.shape()),
               "gamma has shape %s, which is not the last axes of x1 of shape %s",
               gamma.shape().text().c_str(), x1.shape().text().c_str());
}

/// Refuses a parameter that has neither gamma's shape nor, where that is enough, one element.
void check_like_gamma(const Plan& plan, const TensorArgument& tensor, const TensorArgument& gamma,
                      bool or_one) {
  if (!tensor.given() || tensor.is_empty()) return;
  check_tiling(plan, tensor.shape() == gamma.shape() || (or_one && tensor.elements() == 1),
               "%s has shape %s, and gamma %s", tensor.name(), tensor.shape().text().c_str(),
               gamma.shape().text().c_str());
}

void check_out(const Plan& plan, const TensorArgument& out, const TensorArgument& like) {
  if (!out.given()) return;
  check_inside(plan, out.shape() == like.shape(), "%s has shape %s, and %s %s", out.name(),
               out.shape().text().c_str(), like.name(), like.shape().text().c_str());
}

/// The same of an output whose int32 hold eight numbers of int4.
void check_packed(const Plan& plan, const TensorArgument& out, const TensorArgument& like) {
  constexpr std::int64_t kInWord = 8;
  const std::int64_t last = like.shape().back();
  if (out.dtype() != ACL_INT32) return check_out(plan, out, like);
  check_inside(plan,
               out.rank() == like.rank() && out.elements() * kInWord == like.elements() &&
                   out.shape().back() * kInWord == last,
               "%s has shape %s, and %s %s with eight elements in each", out.name(),
               out.shape().text().c_str(), like.name(), like.shape().text().c_str());
}

QuantRowsCall rows_of_sum(const TensorArgument& x1, std::int64_t width) {
  QuantRowsCall call;
  call.width = width;
  call.rows = x1.elements() / width;
  return call;
}

/// The types that CANN has kernels for.
void check_kernel_types(const Plan& plan, const AddRmsNormQuantV2Parameters& c, aclDataType scale) {
  const aclDataType x = c.x1.dtype();
  bool known = x != ACL_FLOAT && c.x2.dtype() == x && c.gamma.dtype() == x &&
               c.y1Out.dtype() == ACL_INT8 &&
               (scale == ACL_FLOAT || (scale == ACL_BF16 && scale == x));
  known = known && (!c.scales2Optional.given() || c.scales2Optional.dtype() == scale);
  for (const TensorArgument* zeros : {&c.zeroPoints1Optional, &c.zeroPoints2Optional})
    known = known &&
            (!zeros->given() || zeros->dtype() == (scale == ACL_FLOAT ? ACL_INT32 : scale) ||
             (zeros == &c.zeroPoints1Optional && scale == ACL_FLOAT && zeros->dtype() == ACL_INT8));
  check_kernel_exists(plan, known);
}

/// What the 950's kernel takes.
void check_dynamic_950(const Plan& plan, const AddRmsNormDynamicQuantV2Parameters& c) {
  check_tiling(plan, c.smoothScale1Optional.given() || !c.smoothScale2Optional.given(),
               "smoothScale2Optional is given without the first");
  for (const TensorArgument* tensor :
       {&c.x2, &c.gamma, &c.betaOptional, &c.smoothScale1Optional, &c.smoothScale2Optional})
    if (tensor->given())
      check_tiling(plan, tensor->dtype() == c.x1.dtype(), "%s is %s, and x1 %s", tensor->name(),
                   dtype_name(tensor->dtype()), dtype_name(c.x1.dtype()));
}

/// One scale and one zero point for all elements, beside a plain gamma, and either beta and the sum
/// or the norm itself: CANN has a kernel of its own for these.
bool has_one_scale(const AddRmsNormQuantV2Parameters& c) {
  if (!(on_a2_or_a3() || on_310p()) || c.scales2Optional.given() || c.zeroPoints2Optional.given() ||
      !c.divMode || c.x1.rank() == 0)
    return false;
  const Dims &gamma = c.gamma.shape(), one{1};
  const bool beta = c.betaOptional.given(), norm = c.rmsNormOut.given();
  if (gamma == one && !beta && !norm) return false;
  const std::int64_t width = c.x1.shape().back();
  return (gamma == Dims{width} || gamma == Dims({1, width})) && c.scales1.shape() == one &&
         c.zeroPoints1Optional.given() && c.zeroPoints1Optional.shape() == one && beta != norm &&
         beta == c.xOut.given();
}

/// What that kernel's way refuses.
void check_one_scale(const Check& check, const AddRmsNormQuantV2Parameters& c) {
  const DtypeSet halves{ACL_FLOAT16, ACL_BF16}, int8{ACL_INT8};
  check.dtype_in(halves, c.x1, c.x2, c.gamma);
  check.dtype_in({ACL_FLOAT, ACL_FLOAT16, ACL_BF16}, c.scales1);
  if (c.betaOptional.given()) check.dtype_in(halves, c.betaOptional);
  check.dtype_in({ACL_INT32, ACL_INT8, ACL_BF16}, c.zeroPoints1Optional);
  check.same_dtype(c.x1, c.x2, c.gamma);
  check.dtype_in(int8, c.y1Out, c.y2Out);
  for (const TensorArgument* out : {&c.rmsNormOut, &c.xOut})
    if (out->given()) check.dtype_in(halves, *out);
  check.rank_at_most(8, c.x1, c.x2, c.gamma, c.scales1, c.zeroPoints1Optional, c.y1Out);
  for (const TensorArgument* given : {&c.betaOptional, &c.rmsNormOut, &c.xOut})
    if (given->given()) check.rank_at_most(8, *given);
  check.same_shape(c.x1, c.y1Out);
}

/// What the way of the first version's kernel refuses, where the second takes it.
void check_scales(const Check& check, const AddRmsNormQuantV2Parameters& c) {
  check.not_null(c.xOut);
  check.that_given(!c.rmsNormOut.given(), "rmsNormOut is given beside scales like gamma: xOut");
  const TensorArgument* const optional[] = {&c.scales2Optional, &c.zeroPoints1Optional,
                                            &c.zeroPoints2Optional, &c.betaOptional};
  const auto check_rank = [&](const TensorArgument& tensor) {
    check.that(tensor.rank() >= 1 && tensor.rank() <= 8, "%s has %zu dimensions, not 1 to 8",
               tensor.name(), tensor.rank());
    for (const std::int64_t extent : tensor.shape())
      check.that(extent <= INT32_MAX, "%s has an extent beyond 32 bits", tensor.name());
  };
  for (const TensorArgument* tensor : {&c.x2, &c.x1, &c.scales1, &c.gamma}) check_rank(*tensor);
  for (const TensorArgument* tensor : optional)
    if (tensor->given()) check_rank(*tensor);
  for (const TensorArgument* tensor : {&c.xOut, &c.y1Out, &c.y2Out}) check_rank(*tensor);
  const bool older = on_a2_or_a3() || on_310p();
  const DtypeSet floats{ACL_FLOAT, ACL_FLOAT16, ACL_BF16}, halves{ACL_FLOAT16, ACL_BF16};
  const DtypeSet& ours = older ? halves : floats;
  const DtypeSet scales2 = older ? DtypeSet{ACL_FLOAT, ACL_BF16} : floats;
  const DtypeSet zeros2 = older ? DtypeSet{ACL_INT32, ACL_BF16} : floats | DtypeSet{ACL_INT32};
  check.dtype_in(floats, c.scales1);
  if (c.scales2Optional.given()) check.dtype_in(scales2, c.scales2Optional);
  if (c.zeroPoints1Optional.given())
    check.dtype_in(zeros2 | DtypeSet{ACL_INT8}, c.zeroPoints1Optional);
  if (c.zeroPoints2Optional.given()) check.dtype_in(zeros2, c.zeroPoints2Optional);
  check.dtype_in(ours, c.gamma, c.x1, c.x2);
  if (c.betaOptional.given()) check.dtype_in(ours, c.betaOptional);
  check.dtype_in(ours, c.xOut);
  check.dtype_in({ACL_INT8}, c.y2Out, c.y1Out);
  if (!older) return;
  check.same_shape(c.x1, c.x2, c.y1Out, c.y2Out, c.xOut);
  check.same_shape(c.gamma, c.scales1);
  for (const TensorArgument* tensor : optional)
    if (tensor->given()) check.same_shape(c.gamma, *tensor);
  check.that(ends_with(c.x1.shape(), c.gamma.shape()),
             "gamma has shape %s, which is not the last axes of x1 of shape %s",
             c.gamma.shape().text().c_str(), c.x1.shape().text().c_str());
  check.that(!on_310p() || c.gamma.elements() >= 32, "gamma has fewer than 32 elements");
}

/// The types that the 950 has kernels for, once the first parameters are cast to `scale` and
/// `zeros`.
void check_types_950(const Plan& plan, const AddRmsNormQuantV2Parameters& c, aclDataType scale,
                     aclDataType zeros) {
  const aclDataType x = c.x1.dtype();
  bool known = c.x2.dtype() == x && c.gamma.dtype() == x && (scale == ACL_FLOAT || scale == x) &&
               (!c.betaOptional.given() || c.betaOptional.dtype() == x) &&
               (!c.scales2Optional.given() || c.scales2Optional.dtype() == scale);
  if (zeros == ACL_DT_UNDEFINED && c.zeroPoints2Optional.given())
    zeros = c.zeroPoints2Optional.dtype();
  known = known && (zeros == ACL_DT_UNDEFINED || zeros == scale ||
                    (zeros == ACL_INT32 && scale == ACL_FLOAT && x != ACL_FLOAT));
  known = known && (!c.zeroPoints2Optional.given() || c.zeroPoints2Optional.dtype() == zeros);
  check_kernel_exists(plan, known);
}

/// Shapes, as the 950's kernel asks for them.
void check_shapes_950(const Plan& plan, const AddRmsNormQuantV2Parameters& c) {
  check_rows(plan, c.x1, c.x2, c.gamma);
  check_tiling(plan,
               c.scales1.elements() == c.gamma.elements() &&
                   c.scales1.shape().back() == c.gamma.shape().back(),
               "scales1 has shape %s, and gamma %s", c.scales1.shape().text().c_str(),
               c.gamma.shape().text().c_str());
  for (const TensorArgument* tensor :
       {&c.scales2Optional, &c.zeroPoints1Optional, &c.zeroPoints2Optional})
    check_tiling(plan, !tensor->given() || tensor->shape() == c.scales1.shape(),
                 "%s has another shape than scales1", tensor->name());
  check_tiling(plan, !c.betaOptional.given() || c.betaOptional.shape() == c.gamma.shape(),
               "betaOptional has another shape than gamma");
}

/// Whether rows of this width lie in the 950's buffer whole, with all that is read beside them; the
/// sum is not rounded on the way then.
bool keeps_whole_rows(const AddRmsNormQuantV2Parameters& c, std::int64_t width) {
  constexpr std::int64_t kBuffer = 253952, kBlock = 32, kLane = 64, kMost = 16384, kSpare = 256;
  const auto bytes = [](const TensorArgument& tensor) {
    return tensor.given() ? std::int64_t(dtype_size(tensor.dtype())) : 0;
  };
  const auto up = [](std::int64_t count, std::int64_t unit) {
    return (count + unit - 1) / unit * unit;
  };
  const std::int64_t x = bytes(c.x1), zeros = c.zeroPoints1Optional.given()
                                                  ? bytes(c.zeroPoints1Optional)
                                                  : bytes(c.zeroPoints2Optional);
  const std::int64_t in_blocks = up(width, kBlock / x);
  std::int64_t power = 1;
  while (power * 2 < in_blocks) power *= 2;
  const std::int64_t shared =
      in_blocks * (x + bytes(c.betaOptional) + bytes(c.scales1) * (c.scales2Optional.given() + 1) +
                   zeros * (c.zeroPoints1Optional.given() + c.zeroPoints2Optional.given()));
  const std::int64_t outs = c.scales2Optional.given() || c.zeroPoints2Optional.given() ? 2 : 1;
  const std::int64_t row = in_blocks * (6 * x + 4) + 2 * outs * up(width, kBlock) + 4 +
                           up((power + kLane - 1) / kLane, kBlock) * 4;
  return width <= kMost && row <= kBuffer - kSpare - shared;
}

/// The rows of all ways. With `one` scale for all its inverse is multiplied with, and float16 is
/// not rounded to on the way.
void plan_static(Plan& plan, const AddRmsNormQuantV2Parameters& given, bool one) {
  const std::int64_t width = given.gamma.elements();
  QuantRowsCall call = rows_of_sum(given.x1, width);
  Normalised source;
  source.width = width;
  source.epsilon = float(given.epsilon);
  source.dtype = given.x1.dtype();
  source.in_halves = source.dtype == ACL_FLOAT16 && !one && !on_950();
  source.rounds_sum = source.in_halves || (given.betaOptional.given() && !one && !on_950());
  source.refines_root = on_950();
  source.rounds_later = on_950() && !keeps_whole_rows(given, width);
  source.x1 = read_rows(plan, given.x1);
  source.x2 = read_rows(plan, given.x2);
  source.gamma = read_rows(plan, given.gamma);
  source.beta = read_rows(plan, given.betaOptional);
  if (given.xOut.given()) source.sum = RowMajor(plan.writes(given.xOut));
  if (given.rmsNormOut.given()) source.norm = RowMajor(plan.writes(given.rmsNormOut));
  call.source = std::move(source);
  const auto add = [&](const TensorArgument& scales, const TensorArgument& zeros,
                       const TensorArgument& out) {
    RowQuantiser quantiser;
    quantiser.scale = RowFactors::of_axes(plan, scales, width);
    quantiser.divides = given.divMode && !one;
    quantiser.inverts = given.divMode && one;
    if (zeros.given() && !zeros.is_empty())
      quantiser.offset = RowFactors::of_axes(plan, zeros, width);
    quantiser.round = out.dtype() == ACL_HIFLOAT8 ? Round::kRound : Round::kRint;
    quantiser.out = QuantOut(plan, out);
    call.stores.push_back(std::move(quantiser));
  };
  add(given.scales1, given.zeroPoints1Optional, given.y1Out);
  if (given.scales2Optional.given() && !given.scales2Optional.is_empty())
    add(given.scales2Optional, given.zeroPoints2Optional, given.y2Out);
  quantise_rows(plan, std::move(call));
}

void plan_950(const Check& check, Plan& plan, const AddRmsNormQuantV2Parameters& given) {
  check_shapes_950(plan, given);
  check.same_dtype(given.x1, given.xOut);
  check_out(plan, given.y1Out, given.x1);
  check_out(plan, given.xOut, given.x1);
  if (given.scales2Optional.given()) check_out(plan, given.y2Out, given.x1);
  plan_static(plan, given, false);
}

}  // namespace

void add_rms_norm_quant(const Check& check, Plan& plan, const AddRmsNormQuantV2Parameters& given) {
  if (on_950()) {
    const TensorArgument& zeros = given.zeroPoints1Optional;
    check_types_950(plan, given, given.scales1.dtype(),
                    zeros.given() ? zeros.dtype() : ACL_DT_UNDEFINED);
    return plan_950(check, plan, given);
  }
  check_kernel_types(plan, given, given.scales1.dtype());
  check_rows(plan, given.x1, given.x2, given.gamma);
  for (const TensorArgument* tensor : {&given.scales1, &given.scales2Optional,
                                       &given.zeroPoints1Optional, &given.zeroPoints2Optional})
    check_like_gamma(plan, *tensor, given.gamma, true);
  check_tiling(plan, !given.scales1.is_empty(), "scales1 is empty");
  check.same_dtype(given.x1, given.xOut);
  check_out(plan, given.y1Out, given.x1);
  check_out(plan, given.xOut, given.x1);
  if (given.scales2Optional.given() && !given.scales2Optional.is_empty())
    check_out(plan, given.y2Out, given.x1);
  plan_static(plan, given, given.scales1.elements() == 1 && !given.scales2Optional.given());
}

/// The second version: scales of float16 are cast first. Neither looks at the axis.
void add_rms_norm_quant_v2(const Check& check, Plan& plan,
                           const AddRmsNormQuantV2Parameters& given) {
  const bool one = has_one_scale(given);
  if (one) {
    check_one_scale(check, given);
  } else {
    check_scales(check, given);
  }
  needs_kernel(plan, on_310p() || on_a2_or_a3() || on_950());
  const aclDataType stored = given.scales1.dtype();
  const aclDataType scale = stored == ACL_FLOAT16 ? ACL_FLOAT : stored;
  if (on_950()) {
    const TensorArgument& tensor = given.zeroPoints1Optional;
    const aclDataType zeros = tensor.given() ? tensor.dtype() : ACL_DT_UNDEFINED;
    check_types_950(plan, given, scale, zeros == ACL_INT8 ? ACL_INT32 : zeros);
    return plan_950(check, plan, given);
  }
  check_kernel_types(plan, given, scale);
  check_tiling(plan, given.x1.shape() == given.x2.shape(), "x1 and x2 differ in shape");
  check_tiling(
      plan, !given.betaOptional.given() || given.betaOptional.elements() == given.gamma.elements(),
      "betaOptional has not as many elements as gamma");
  for (const TensorArgument* out : {&given.xOut, &given.rmsNormOut}) {
    check_out(plan, *out, given.x1);
    check_inside(plan, !out->given() || out->dtype() == given.x1.dtype(),
                 "%s is of another type than x1", out->name());
  }
  plan_static(plan, given, one);
}

/// The rows of a sum along one axis.
static void check_one_axis(const Plan& plan, const AddRmsNormDynamicQuantV2Parameters& given) {
  check_rows(plan, given.x1, given.x2, given.gamma);
  check_tiling(plan, given.gamma.rank() == 1, "gamma has %zu dimensions, it must have one",
               given.gamma.rank());
}

/// What the first version looks at itself, before an empty tensor ends it.
void check_add_rms_norm_dynamic_quant(const Check&, Plan& plan,
                                      const AddRmsNormDynamicQuantV2Parameters& given) {
  check_one_axis(plan, given);
  for (const TensorArgument* smooth : {&given.smoothScale1Optional, &given.smoothScale2Optional})
    check_tiling(plan, !smooth->given() || smooth->shape() == given.gamma.shape(),
                 "%s has another shape than gamma", smooth->name());
}

void add_rms_norm_dynamic_quant(const Check& check, Plan& plan,
                                const AddRmsNormDynamicQuantV2Parameters& given) {
  if (on_950()) check_dynamic_950(plan, given);
  check_one_axis(plan, given);
  for (const TensorArgument* tensor :
       {&given.smoothScale1Optional, &given.smoothScale2Optional, &given.betaOptional})
    check_like_gamma(plan, *tensor, given.gamma, false);
  check.same_dtype(given.x1, given.xOut);
  check_out(plan, given.xOut, given.x1);
  const std::int64_t width = given.gamma.elements();
  QuantRowsCall call = rows_of_sum(given.x1, width);
  Normalised source;
  source.width = width;
  source.epsilon = float(given.epsilon);
  source.dtype = given.x1.dtype();
  source.refines_root = on_950();
  source.x1 = read_rows(plan, given.x1);
  source.x2 = read_rows(plan, given.x2);
  source.gamma = read_rows(plan, given.gamma);
  source.beta = read_rows(plan, given.betaOptional);
  source.sum = RowMajor(plan.writes(given.xOut));
  call.source = std::move(source);
  const bool masked = given.outputMask.given() && !on_950();
  const auto add = [&](const TensorArgument& smooth, const TensorArgument& out,
                       const TensorArgument& scale) {
    // CANN puts eight values of four bits into each word, and copies words to the output.
    check_inside(plan, out.dtype() != ACL_INT4, "%s is int4, CANN writes words of int32",
                 out.name());
    check_packed(plan, out, given.x1);
    check_tiling_inside(plan, scale.elements() == call.rows, "%s has %lld elements, x1 %lld rows",
                        scale.name(), static_cast<long long>(scale.elements()),
                        static_cast<long long>(call.rows));
    RowQuantiser quantiser;
    quantiser.mode = QuantMode::kSymmetric;
    quantiser.multiplies = !on_950();
    quantiser.round = out.dtype() == ACL_HIFLOAT8 ? Round::kRound : Round::kRint;
    quantiser.smooth = RowFactors::of_axes(plan, smooth, width);
    quantiser.out = QuantOut::copied(plan, out);
    quantiser.scale_out = RowMajor(plan.writes(scale));
    call.stores.push_back(std::move(quantiser));
  };
  if (!masked || given.outputMask.values()[0] != 0)
    add(given.smoothScale1Optional, given.y1Out, given.scale1Out);
  if (masked ? given.outputMask.values()[1] != 0 : given.smoothScale2Optional.given()) {
    add(given.smoothScale2Optional, given.y2Out, given.scale2Out);
  } else if (given.y2Out.dtype() == ACL_INT32) {
    // The one element that CANN would copy makes no word. With a mask nothing is copied.
    check_inside(plan, masked, "%s holds words, and is not asked for", given.y2Out.name());
  } else if (given.y2Out.dtype() == ACL_INT8) {
    // One element is copied to it.
    check_inside(plan, given.y2Out.elements() == 1, "%s has shape %s, and is not asked for",
                 given.y2Out.name(), given.y2Out.shape().text().c_str());
  }
  quantise_rows(plan, std::move(call));
}

}  // namespace pyaclnn::sim
