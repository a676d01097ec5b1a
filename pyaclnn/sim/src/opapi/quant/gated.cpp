// SwiGLU, quantised with scales that are given or found.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "objects/dtype.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/quant/dequant.hpp"
#include "opapi/quant/sources.hpp"
#include "parameters/DequantSwigluQuantV2.hpp"
#include "parameters/SwiGluQuantV2.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kMostExperts = 1024;

/// Refuses factors that are not one, or a row of them, for each group.
void check_factors(const Plan& plan, const TensorArgument& factors, std::int64_t groups,
                   std::int64_t width) {
  if (!factors.given()) return;
  const Dims& shape = factors.shape();
  const bool fits =
      (shape.size() == 1 && (shape[0] == groups || (groups == 1 && shape[0] == width))) ||
      (shape.size() == 2 && shape[0] == groups && shape[1] == width);
  check_tiling(plan, fits, "%s has shape %s beside %lld groups of rows of %lld", factors.name(),
               shape.text().c_str(), ll(groups), ll(width));
}

}  // namespace

void swi_glu_quant(const Check&, Plan& plan, const SwiGluQuantV2Parameters& given) {
  const std::string mode =
      given.quantModeOptional.given() ? given.quantModeOptional.text : "dynamic";
  check_tiling(plan, mode == "static" || mode == "dynamic" || mode == "dynamic_msd",
               "quantModeOptional is \"%s\"", mode.c_str());
  check_tiling(plan, given.groupListType == 0 || given.groupListType == 1,
               "groupListType is %lld, it must be 0 or 1", ll(given.groupListType));
  check_tiling(plan, given.dstType == ACL_INT8 || given.dstType == ACL_INT4,
               "dstType is %lld, it must be 2 or 29", ll(given.dstType));
  check_tiling(plan, std::int64_t(given.yOut.dtype()) == given.dstType, "yOut is not of dstType");
  const Dims& shape = given.x.shape();
  check_tiling(plan, shape.size() >= 2, "x has %zu dimensions, it must have 2 at least",
               shape.size());
  const std::int64_t step = given.dstType == ACL_INT4 ? 4 : 2;
  check_tiling(plan, shape.back() > 0 && shape.back() % step == 0,
               "the last axis of x has %lld elements, it must be a multiple of %lld",
               ll(shape.back()), ll(step));
  const std::int64_t width = shape.back() / 2;
  std::int64_t groups = 1;
  if (given.groupIndexOptional.given()) {
    groups = given.groupIndexOptional.elements();
    check_tiling(plan, groups > 0 && groups <= kMostExperts, "there are %lld groups", ll(groups));
  }
  check_factors(plan, given.smoothScalesOptional, groups, width);
  const bool is_static = mode != "dynamic";  // dynamic_msd, too, to the tiling
  if (is_static) check_factors(plan, given.offsetsOptional, groups, width);
  std::vector<std::int64_t> halved(shape.begin(), shape.end());
  halved.back() = width;
  check_tiling(plan, given.yOut.shape() == Dims(halved.data(), halved.size()),
               "yOut has shape %s beside x of shape %s", given.yOut.shape().text().c_str(),
               shape.text().c_str());
  halved.pop_back();
  check_tiling(plan, given.scaleOut.shape() == Dims(halved.data(), halved.size()),
               "scaleOut has shape %s beside x of shape %s", given.scaleOut.shape().text().c_str(),
               shape.text().c_str());
  QuantRowsCall call;
  call.width = width;
  call.rows = given.x.elements() / shape.back();
  call.source =
      gated_halves(rows_of(plan.reads(given.x), shape.back()), width, {given.activateLeft});
  if (given.groupIndexOptional.given())
    call.groups = RowGroups(plan.reads(given.groupIndexOptional), given.groupListType == 1);
  RowQuantiser quantiser;
  const auto of_groups = [&](const TensorArgument& tensor) {
    return RowFactors(plan, tensor, width, groups > 1 && tensor.given() && tensor.rank() == 1);
  };
  if (is_static) {
    quantiser.scale = of_groups(given.smoothScalesOptional);
    quantiser.offset = of_groups(given.offsetsOptional);
  } else {
    quantiser.mode = QuantMode::kSymmetric;
    quantiser.multiplies = quantiser.gives_inverse = true;
    quantiser.smooth = of_groups(given.smoothScalesOptional);
    quantiser.scale_out = RowMajor(plan.writes(given.scaleOut));
  }
  quantiser.out = QuantOut(plan, given.yOut);
  call.stores.push_back(std::move(quantiser));
  if (call.rows > 0) quantise_rows(plan, std::move(call));
}

namespace {

/// Both halves of rows, as floats.
RowSource whole_rows(Plan& plan, const DequantSwigluQuantV2Parameters& given) {
  const std::int64_t width = given.x.shape().back();
  if (given.x.dtype() != ACL_INT32) return rows_of(plan.reads(given.x), width);
  return dequantised(plan, given.x,
                     Dequant(plan, given.weightScaleOptional, &given.activationScaleOptional,
                             &given.biasOptional, width));
}

/// What the 950's kernel finds wrong, and what it is then told: the groups, and the number of rows.
struct NewerGate {
  Plan& plan;
  const DequantSwigluQuantV2Parameters& given;
  bool dynamic, grouped;
  std::int64_t last, groups, rows;

  void fits(const TensorArgument& tensor, bool fits) const {
    check_tiling(plan, fits, "%s has shape %s beside x of shape %s in %lld groups", tensor.name(),
                 tensor.shape().text().c_str(), given.x.shape().text().c_str(), ll(groups));
  }

  void attributes() const {
    const aclDataType y = given.yOut.dtype();
    check_tiling(plan, given.dstType == std::int64_t(y), "dstType is %lld, yOut is of %d",
                 ll(given.dstType), int(y));
    const std::string round =
        given.roundModeOptional.given() ? given.roundModeOptional.text : "rint";
    check_tiling(plan, is_float4(y) || round == (y == ACL_HIFLOAT8 ? "round" : "rint"),
                 "roundModeOptional is \"%s\"", round.c_str());
    check_tiling(plan, given.swigluMode == 0 || given.swigluMode == 1,
                 "swigluMode is %lld, it must be 0 or 1", ll(given.swigluMode));
    check_tiling(plan, std::isfinite(given.clampLimit) && given.clampLimit > 0,
                 "clampLimit is %g, it must be positive", given.clampLimit);
  }

  /// Rows that go with the sums of a product: a row of each group, or of all.
  void of_sums(const TensorArgument& tensor, bool turned) const {
    if (!tensor.given()) return;
    const Dims& shape = tensor.shape();
    fits(tensor, grouped ? shape == Dims{groups, last}
                         : shape == Dims{last} || shape == Dims{1, last} ||
                               (turned && shape == Dims{last, 1}));
  }

  void shapes() const {
    const bool sums = given.x.dtype() == ACL_INT32;
    for (const TensorArgument* tensor :
         {&given.weightScaleOptional, &given.activationScaleOptional, &given.biasOptional})
      check_tiling(plan, sums || !tensor->given(), "%s is given beside x of floats",
                   tensor->name());
    check_tiling(plan, !sums || given.weightScaleOptional.given(), "weightScaleOptional is null");
    of_sums(given.weightScaleOptional, true);
    of_sums(given.biasOptional, false);
    if (given.activationScaleOptional.given())
      fits(given.activationScaleOptional, given.activationScaleOptional.rank() > 0 &&
                                              given.activationScaleOptional.elements() == rows);
    check_tiling(plan, dynamic || given.quantScaleOptional.given(), "quantScaleOptional is null");
    check_tiling(plan, !dynamic || !given.quantOffsetOptional.given(),
                 "quantOffsetOptional is given beside dynamic");
    for (const TensorArgument* tensor : {&given.quantScaleOptional, &given.quantOffsetOptional})
      if (tensor->given()) of_results(*tensor);
    check_tiling(plan,
                 !given.quantOffsetOptional.given() ||
                     given.quantOffsetOptional.elements() == given.quantScaleOptional.elements(),
                 "quantOffsetOptional has not as many elements as quantScaleOptional");
  }

  /// A row of each group, or of all; of static scales one number is enough.
  void of_results(const TensorArgument& tensor) const {
    const Dims& shape = tensor.shape();
    const bool one = !dynamic && (shape == Dims{groups} || shape == Dims{groups, 1});
    fits(tensor, one || shape == Dims{groups, last / 2} || (!grouped && shape == Dims{last / 2}));
  }
};

void dequant_swiglu_quant_950(const Check& check, Plan& plan,
                              const DequantSwigluQuantV2Parameters& given, bool dynamic) {
  const Dims& shape = given.x.shape();
  check_tiling(plan, shape.size() >= 2 && shape.size() <= 8 && !given.x.is_empty(),
               "x has shape %s, it must have 2 to 8 dimensions", shape.text().c_str());
  const TensorArgument& numbers = given.groupIndexOptional;
  const bool grouped = numbers.given();
  check_tiling(plan,
               !grouped || numbers.rank() == 1 || (numbers.rank() == 2 && numbers.shape()[1] == 2),
               "groupIndexOptional has shape %s", grouped ? numbers.shape().text().c_str() : "");
  check_tiling(plan, !grouped || !numbers.is_empty(), "groupIndexOptional is empty");
  const auto rank = std::int64_t(shape.size());
  const std::int64_t axis = given.activateDim + (given.activateDim < 0 ? rank : 0);
  check_tiling(plan, axis >= 0 && axis < rank, "activateDim is %lld", ll(given.activateDim));
  check_tiling(plan, shape[std::size_t(axis)] % 2 == 0, "x has shape %s, whose axis %lld is odd",
               shape.text().c_str(), ll(axis));
  check_tiling(plan, axis == rank - 1 || !grouped, "groups go with the last axis");
  if (axis != rank - 1) fail_not_simulated(plan, "another axis than the last");
  const std::int64_t last = shape.back(), width = last / 2;
  const NewerGate newer{plan,
                        given,
                        dynamic,
                        grouped,
                        last,
                        grouped ? numbers.shape()[0] : 1,
                        given.x.elements() / last};
  newer.attributes();
  const aclDataType y = given.yOut.dtype();
  Dims halved = shape;
  halved.set(shape.size() - 1, width);
  check_tiling(plan, given.yOut.shape() == halved && (!is_float4(y) || width % 2 == 0),
               "yOut has shape %s beside x of shape %s", given.yOut.shape().text().c_str(),
               shape.text().c_str());
  newer.shapes();
  check_tiling(plan, given.scaleOut.shape() == Dims(shape.begin(), shape.size() - 1),
               "scaleOut has shape %s beside x of shape %s", given.scaleOut.shape().text().c_str(),
               shape.text().c_str());
  QuantRowsCall call;
  call.width = width;
  call.rows = newer.rows;
  call.source = gated_halves(whole_rows(plan, given), width,
                             halves_gate(given.activateLeft, given.swigluMode == 1,
                                         given.clampLimit, given.gluAlpha, given.gluBias));
  if (grouped) call.groups = RowGroups(plan.reads(numbers), true, numbers.rank() == 2);
  RowQuantiser quantiser;
  quantiser.round = round_named(check, given.roundModeOptional);
  if (is_float4(y)) quantiser.by = ACL_BF16;
  const bool one = !dynamic && given.quantScaleOptional.elements() == newer.groups;
  const RowFactors factors(plan, given.quantScaleOptional, width, one);
  if (dynamic) {
    quantiser.mode = QuantMode::kSymmetric;
    quantiser.inverts = true;
    quantiser.smooth = factors;
    if (is_float4(y)) quantiser.largest = NarrowFormat::of(y)->max();
    quantiser.scale_out = RowMajor(plan.writes(given.scaleOut));
  } else {
    quantiser.scale = factors;
    quantiser.offset = RowFactors(plan, given.quantOffsetOptional, width, one);
    quantiser.divides = !one || width == 1;
  }
  quantiser.out = QuantOut(plan, given.yOut);
  call.stores.push_back(std::move(quantiser));
  quantise_rows(plan, std::move(call));
}

}  // namespace

void dequant_swiglu_quant(const Check& check, Plan& plan,
                          const DequantSwigluQuantV2Parameters& given) {
  std::string mode = given.quantModeOptional.given() ? given.quantModeOptional.text : "static";
  for (char& letter : mode)
    letter = letter >= 'A' && letter <= 'Z' && !on_950() ? char(letter + 32) : letter;
  check_tiling(plan, mode == "static" || mode == "dynamic", "quantModeOptional is \"%s\"",
               mode.c_str());
  if (on_950()) return dequant_swiglu_quant_950(check, plan, given, mode == "dynamic");
  check_tiling(plan, given.dstType == ACL_INT8, "dstType is %lld, it must be 2", ll(given.dstType));
  check_tiling(plan, !given.roundModeOptional.given() || given.roundModeOptional.text == "rint",
               "roundModeOptional must be rint");
  check_tiling(plan, given.activateDim == -1, "activateDim is %lld, it must be -1",
               ll(given.activateDim));
  const bool clamped = given.swigluMode == 1;
  check_tiling(plan, clamped || given.swigluMode == 0, "swigluMode is %lld, it must be 0 or 1",
               ll(given.swigluMode));
  check_tiling(plan, !clamped || (given.activateLeft && given.clampLimit > 0),
               "swigluMode 1 takes a positive clampLimit, and activateLeft");
  const Dims& shape = given.x.shape();
  const bool grouped = given.groupIndexOptional.given();
  if (clamped && !grouped) fail_not_simulated(plan, "swigluMode 1 without groups");
  const std::int64_t step = grouped ? 64 : 2;
  check_tiling(plan, shape.size() >= 2 && shape.back() > 0 && shape.back() % step == 0,
               "x has shape %s, its last axis must be a multiple of %lld", shape.text().c_str(),
               ll(step));
  if (grouped && given.groupIndexOptional.rank() != 1)
    fail_not_simulated(plan, "groups that are named beside their sizes");
  const std::int64_t width = shape.back() / 2;
  const std::int64_t rows = given.x.elements() / shape.back();
  const std::int64_t groups = grouped ? given.groupIndexOptional.elements() : 1;
  const bool sums = given.x.dtype() == ACL_INT32;
  check_tiling(plan, !sums || given.weightScaleOptional.given(), "weightScaleOptional is null");
  if (sums) {
    check_factors(plan, given.weightScaleOptional, groups, shape.back());
    check_factors(plan, given.biasOptional, groups, shape.back());
    check_tiling(
        plan,
        !given.activationScaleOptional.given() || given.activationScaleOptional.elements() == rows,
        "activationScaleOptional must have one element for each of %lld rows", ll(rows));
  }
  const bool is_static = mode == "static";
  check_tiling(
      plan, !is_static || (given.quantScaleOptional.given() && given.quantOffsetOptional.given()),
      "quantScaleOptional and quantOffsetOptional must be given");
  const bool one = is_static && given.quantScaleOptional.elements() == groups;
  if (!one) check_factors(plan, given.quantScaleOptional, groups, width);
  check_tiling(
      plan,
      !is_static || given.quantOffsetOptional.elements() == given.quantScaleOptional.elements(),
      "quantOffsetOptional must have as many elements as quantScaleOptional");
  check_tiling(plan, given.yOut.elements() == rows * width && given.scaleOut.elements() == rows,
               "yOut or scaleOut have not the elements that x of shape %s gives",
               shape.text().c_str());
  QuantRowsCall call;
  call.width = width;
  call.rows = rows;
  const HalvesGate gate =
      halves_gate(given.activateLeft, clamped, given.clampLimit, given.gluAlpha, given.gluBias);
  call.source = gated_halves(whole_rows(plan, given), width, gate);
  if (grouped) call.groups = RowGroups(plan.reads(given.groupIndexOptional), true);
  RowQuantiser quantiser;
  if (is_static) {
    quantiser.scale = RowFactors(plan, given.quantScaleOptional, width, one);
    quantiser.offset = RowFactors(plan, given.quantOffsetOptional, width, one);
    quantiser.divides = !one;
    quantiser.inverts = one;
  } else {
    quantiser.mode = QuantMode::kSymmetric;
    quantiser.inverts = quantiser.multiplies = !grouped;
    quantiser.smooth = RowFactors(plan, given.quantScaleOptional, width);
    quantiser.scale_out = RowMajor(plan.writes(given.scaleOut));
  }
  quantiser.out = QuantOut(plan, given.yOut);
  call.stores.push_back(std::move(quantiser));
  if (rows > 0) quantise_rows(plan, std::move(call));
}

}  // namespace pyaclnn::sim
