// Rows that are normalised, by way of additions and modulation, and quantised.
// SPDX-License-Identifier: MIT
#include <limits>
#include <string>
#include <utility>

#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/norm/norm.hpp"
#include "opapi/quant/sources.hpp"
#include "parameters/AdaLayerNormQuant.hpp"
#include "parameters/AddLayerNormQuantV2.hpp"
#include "parameters/RmsNormDynamicQuant.hpp"
#include "parameters/RmsNormQuantV3.hpp"

namespace pyaclnn::sim {
namespace {

bool is_dynamic(const Text& mode) { return mode.text.rfind("dynamic", 0) == 0; }

/// Refuses a tensor that is given with another shape.
void check_like(const Check& check, const TensorArgument& tensor, const TensorArgument& like) {
  if (!tensor.given()) return;
  check.that(tensor.shape() == like.shape(), "%s has shape %s, and %s %s", tensor.name(),
             tensor.shape().text().c_str(), like.name(), like.shape().text().c_str());
}

void check_last_axis_away(const Check& check, const TensorArgument& tensor, const Dims& shape) {
  const Dims& other = tensor.shape();
  check.that(
      other.size() + 1 == shape.size() && std::equal(other.begin(), other.end(), shape.begin()),
      "%s has shape %s, not that of %s without the last axis", tensor.name(), other.text().c_str(),
      shape.text().c_str());
}

/// What AddLayerNormQuant refuses of shapes, and of what is given together.
void check_layer_norm(const Check& check, const AddLayerNormQuantV2Parameters& c) {
  const bool dynamic = is_dynamic(c.quantMode), second = c.layernormRes.given();
  const Dims &x = c.x1.shape(), &gamma = c.gamma.shape();
  const TensorArgument& scales = c.scales1Optional;
  if (second) {
    check_like(check, c.beta, c.gamma);
    const bool whole = gamma.size() == 2 && gamma[0] == 1 && !x.empty() && gamma[1] == x.back() &&
                       scales.given() && scales.rank() == 1 && scales.elements() == 1;
    check.that(
        dynamic || whole || (scales.given() && scales.shape() == gamma),
        "scales1Optional has neither gamma's shape nor, beside gamma of one row, one element");
  } else {
    check.that(gamma.empty() || ends_with(x, gamma), "gamma has shape %s, and x1 %s",
               gamma.text().c_str(), x.text().c_str());
  }
  if (dynamic) {
    check.that(x.size() >= 2 && (second || gamma.size() == 1),
               "x1 must have two dimensions at least, and gamma one");
    check_last_axis_away(check, c.outScales1Out, x);
  }
  for (const TensorArgument* tensor : {&c.x2, &c.xOut, &c.y1Out, &c.layernormRes})
    check_like(check, *tensor, c.x1);
  if (c.scales2Optional.given()) check_like(check, c.y2Out, c.x1);
  if (second) {
    if (scales.given()) check_like(check, c.zeroPoints1Optional, scales);
    if (c.scales2Optional.given()) check_like(check, c.zeroPoints2Optional, c.scales2Optional);
  } else {
    for (const TensorArgument* tensor :
         {&c.beta, &scales, &c.scales2Optional, &c.zeroPoints1Optional, &c.zeroPoints2Optional})
      check_like(check, *tensor, c.gamma);
  }
  if (c.biasOptional.given() && c.biasOptional.shape() != x)
    check_like(check, c.biasOptional, c.gamma);
  if (dynamic && c.scales2Optional.given()) check_like(check, c.outScales2Out, c.outScales1Out);
  const bool zeros1 = c.zeroPoints1Optional.given(), zeros2 = c.zeroPoints2Optional.given();
  if (second) {
    check.that(dynamic ? !zeros1 : scales.given(), "scales and zero points do not fit quantMode");
  } else {
    const bool two = c.scales2Optional.given();
    check.that(dynamic ? !zeros1 && !zeros2 && (scales.given() || !two)
                       : scales.given() && zeros2 == (two && zeros1),
               "scales and zero points do not fit quantMode");
  }
}

/// Rows of x over their root mean square, times gamma, plus beta.
Normalised normalised(Plan& plan, const TensorArgument& x, const TensorArgument& gamma,
                      const TensorArgument& beta, double epsilon) {
  Normalised source;
  source.width = x.shape().back();
  source.epsilon = float(epsilon);
  source.dtype = x.dtype();
  source.refines_root = on_950();
  source.x1 = read_rows(plan, x);
  source.gamma = read_rows(plan, gamma);
  source.beta = read_rows(plan, beta);
  return source;
}

/// Rows as long as the last axis of x, with one result.
QuantRowsCall one_store(const TensorArgument& x, RowSource source, RowSink store) {
  QuantRowsCall call;
  call.width = x.shape().back();
  call.rows = x.elements() / call.width;
  call.source = std::move(source);
  call.stores.push_back(std::move(store));
  return call;
}

/// Rows without elements have nothing to quantise; the largest of none is -inf.
void scale_empty_rows(Plan& plan, const AddLayerNormQuantV2Parameters& given) {
  const Dims& shape = given.x1.shape();
  const std::size_t rows = shape.size() - given.gamma.rank();
  check_tiling(plan, Dims(shape.begin(), rows).product() != 0, "x1 of shape %s has no rows",
               shape.text().c_str());
  if (!is_dynamic(given.quantMode)) return;
  constexpr float kLowest = -std::numeric_limits<float>::infinity();
  launch_fill(plan, given.outScales1Out, kLowest);
  if (given.scales2Optional.given()) launch_fill(plan, given.outScales2Out, kLowest);
}

}  // namespace

void add_layer_norm_quant(const Check& check, Plan& plan,
                          const AddLayerNormQuantV2Parameters& given) {
  check_layer_norm(check, given);
  if (!on_950()) {
    if (given.x1.is_empty() || given.gamma.is_empty() || given.y2Out.is_empty()) return;
    fail_not_simulated(plan, "the kernels of chips before the 950");
  }
  if (given.outScales1Out.is_empty()) return;
  const std::int64_t width = given.gamma.elements();
  check_tiling(plan, ends_with(given.x1.shape(), given.gamma.shape()),
               "gamma has shape %s, which is not the last axes of x1 of shape %s",
               given.gamma.shape().text().c_str(), given.x1.shape().text().c_str());
  if (given.x1.is_empty()) return scale_empty_rows(plan, given);
  Centred source;
  source.width = width;
  source.epsilon = float(given.epsilon);
  source.x1 = read_rows(plan, given.x1);
  source.x2 = read_rows(plan, given.x2);
  source.bias = read_rows(plan, given.biasOptional);
  source.bias_by_row = given.biasOptional.given() && given.biasOptional.shape() == given.x1.shape();
  source.gamma = read_rows(plan, given.gamma);
  source.beta = read_rows(plan, given.beta);
  if (given.additionalOutput) source.sum = RowMajor(plan.writes(given.xOut));
  QuantRowsCall call;
  call.width = width;
  call.rows = given.x1.elements() / width;
  call.source = std::move(source);
  const auto add = [&](const TensorArgument& scales, const TensorArgument& zeros,
                       const TensorArgument& y, const TensorArgument& found) {
    RowQuantiser quantiser;
    if (is_dynamic(given.quantMode)) {
      quantiser.mode = QuantMode::kSymmetric;
      quantiser.smooth = RowFactors(plan, scales, width);
      quantiser.scale_out = RowMajor(plan.writes(found));
    } else {
      quantiser.divides = given.divMode;
      quantiser.scale = RowFactors(plan, scales, width);
      quantiser.offset = RowFactors(plan, zeros, width);
    }
    quantiser.out = QuantOut(plan, y);
    call.stores.push_back(std::move(quantiser));
  };
  add(given.scales1Optional, given.zeroPoints1Optional, given.y1Out, given.outScales1Out);
  if (given.scales2Optional.given())
    add(given.scales2Optional, given.zeroPoints2Optional, given.y2Out, given.outScales2Out);
  quantise_rows(plan, std::move(call));
}

void ada_layer_norm_quant(const Check& check, Plan& plan,
                          const AdaLayerNormQuantParameters& given) {
  const Dims& shape = given.x.shape();
  const std::size_t rank = shape.size();
  check.that(rank >= 2 && rank <= 8 && !given.x.is_empty(),
             "x has shape %s, it must have 2 to 8 dimensions and elements", shape.text().c_str());
  const std::int64_t width = shape.back(), band = shape[rank - 2];
  for (const TensorArgument* tensor : {&given.scale, &given.shift}) {
    Dims banded(shape.begin(), rank - 2);
    banded.push_back(width);
    Dims with_one(shape.begin(), rank - 2);
    with_one.push_back(1);
    with_one.push_back(width);
    check.that(tensor->shape() == banded || tensor->shape() == with_one,
               "%s has shape %s beside x of shape %s", tensor->name(),
               tensor->shape().text().c_str(), shape.text().c_str());
  }
  for (const TensorArgument* tensor :
       {&given.weightOptional, &given.biasOptional, &given.smoothScalesOptional})
    check.that(!tensor->given() || tensor->shape() == Dims{width}, "%s must have shape (%lld,)",
               tensor->name(), static_cast<long long>(width));
  check_like(check, given.out, given.x);
  check_last_axis_away(check, given.quantScale, shape);
  check.that(!given.quantMode.given() || given.quantMode.text == "dynamic",
             "quantMode is \"%s\", it must be dynamic", given.quantMode.text.c_str());
  check_tiling(plan, given.epsilon >= 0, "epsilon is %g", given.epsilon);
  Centred source;
  source.width = width;
  source.epsilon = float(given.epsilon);
  source.x1 = read_rows(plan, given.x);
  source.gamma = read_rows(plan, given.weightOptional);
  source.beta = read_rows(plan, given.biasOptional);
  source.scale = read_rows(plan, given.scale);
  source.shift = read_rows(plan, given.shift);
  source.band = band;
  source.fused = on_950();
  RowQuantiser quantiser;
  quantiser.mode = QuantMode::kSymmetric;
  quantiser.smooth = RowFactors(plan, given.smoothScalesOptional, width);
  quantiser.round = given.out.dtype() == ACL_HIFLOAT8 ? Round::kRound : Round::kRint;
  quantiser.scale_out = RowMajor(plan.writes(given.quantScale));
  quantiser.out = QuantOut(plan, given.out);
  quantise_rows(plan, one_store(given.x, std::move(source), std::move(quantiser)));
}

void rms_norm_dynamic_quant(const Check&, Plan& plan, const RmsNormDynamicQuantParameters& given) {
  const TensorArgument& x = given.x;
  check_tiling(plan, given.dstType == ACL_INT8, "dstType is %lld, it must be 2",
               static_cast<long long>(given.dstType));
  check_tiling(plan, given.epsilon > 0, "epsilon is %g, it must be positive", given.epsilon);
  const Dims& shape = x.shape();
  check_tiling(plan, shape.size() >= 2 && shape.size() <= 8 && !x.is_empty(),
               "x has shape %s, it must have 2 to 8 dimensions and elements", shape.text().c_str());
  const std::int64_t width = shape.back();
  for (const TensorArgument* tensor :
       {&given.gamma, &given.smoothScalesOptional, &given.betaOptional}) {
    if (!tensor->given()) continue;
    check_tiling(plan, tensor->shape() == Dims{width} && tensor->dtype() == x.dtype(),
                 "%s must have the type of x and shape (%lld,)", tensor->name(),
                 static_cast<long long>(width));
  }
  check_tiling(plan,
               given.yOut.shape() == shape &&
                   given.scaleOut.shape() == Dims(shape.begin(), shape.size() - 1),
               "yOut or scaleOut do not fit x of shape %s", shape.text().c_str());
  Normalised source = normalised(plan, x, given.gamma, given.betaOptional, given.epsilon);
  RowQuantiser quantiser;
  quantiser.mode = QuantMode::kSymmetric;
  quantiser.multiplies = true;
  quantiser.smooth = RowFactors(plan, given.smoothScalesOptional, width);
  quantiser.scale_out = RowMajor(plan.writes(given.scaleOut));
  quantiser.out = QuantOut(plan, given.yOut);
  quantise_rows(plan, one_store(x, std::move(source), std::move(quantiser)));
}

void rms_norm_quant_v3(const Check&, Plan& plan, const RmsNormQuantV3Parameters& given) {
  const TensorArgument &x = given.x, &scale = given.scale, &offset = given.offset;
  const aclDataType kind = x.dtype(), by = scale.dtype();
  const std::size_t rank = x.rank();
  check_tiling(plan, rank >= 1 && rank <= 8 && !x.is_empty(),
               "x has shape %s, it must have 1 to 8 dimensions and elements",
               x.shape().text().c_str());
  check_tiling(plan, DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16}.contains(kind), "x is no float");
  check_tiling(
      plan,
      DtypeSet{ACL_INT8, ACL_INT4, ACL_INT32, ACL_HIFLOAT8, ACL_FLOAT8_E5M2, ACL_FLOAT8_E4M3FN}
          .contains(given.y.dtype()),
      "y is of no type that is quantised to");
  const std::int64_t width = x.shape().back();
  for (const TensorArgument* tensor : {&given.gamma, &given.beta}) {
    if (!tensor->given()) continue;
    check_tiling(plan,
                 tensor->elements() == width && tensor->rank() > 0 &&
                     tensor->shape().back() == width && tensor->dtype() == kind,
                 "%s of shape %s and its type do not fit x of shape %s", tensor->name(),
                 tensor->shape().text().c_str(), x.shape().text().c_str());
  }
  check_tiling(plan, scale.elements() == 1 || scale.elements() == width,
               "scale has %lld elements, it must have one or %lld",
               static_cast<long long>(scale.elements()), static_cast<long long>(width));
  bool known = by == kind || by == ACL_FLOAT;
  if (offset.given()) {
    check_tiling(plan, offset.shape() == scale.shape(), "offset has another shape than scale");
    const aclDataType shift = offset.dtype();
    known = known && (shift == by ||
                      (kind != ACL_FLOAT && shift == (by == ACL_FLOAT ? ACL_INT32 : ACL_INT8)));
  }
  check_tiling(plan, known, "scale or offset are of types that do not fit x");
  check_tiling(plan, given.y.dtype() != ACL_INT4 || width % 2 == 0,
               "the last axis of x has an odd number of elements");
  check_inside(
      plan,
      given.y.elements() * (given.y.dtype() == ACL_INT32 ? 8 : 1) == x.elements() &&
          given.y.rank() == rank &&
          std::equal(given.y.shape().begin(), given.y.shape().end() - 1, x.shape().begin()),
      "y has shape %s beside x of shape %s", given.y.shape().text().c_str(),
      x.shape().text().c_str());
  if (given.outputRstd) {
    Dims of_rows(x.shape().begin(), rank - 1);
    of_rows.push_back(1);
    check_tiling(plan, given.rstd.shape() == of_rows && given.rstd.dtype() == ACL_FLOAT,
                 "rstd must be of float32 and shape %s", of_rows.text().c_str());
  }
  Normalised source = normalised(plan, x, given.gamma, given.beta, given.epsilon);
  if (given.outputRstd) source.inverse = RowMajor(plan.writes(given.rstd));
  RowQuantiser quantiser;
  quantiser.divides = given.divMode;
  quantiser.scale = RowFactors(plan, scale, width);
  quantiser.offset = RowFactors(plan, offset, width);
  quantiser.round = given.y.dtype() == ACL_HIFLOAT8 ? Round::kRound : Round::kRint;
  quantiser.out = QuantOut::copied(plan, given.y);
  quantise_rows(plan, one_store(x, std::move(source), std::move(quantiser)));
}

}  // namespace pyaclnn::sim
