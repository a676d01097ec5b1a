// Normalised and activated rows, quantised with scales that are given or found.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <utility>
#include <vector>

#include "opapi/common/chip_family.hpp"
#include "opapi/common/cpu_wide.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/pointwise/math.hpp"
#include "opapi/quant/sources.hpp"
#include "parameters/GeluQuant.hpp"
#include "parameters/LayerNormQuant.hpp"
#include "parameters/RmsNormQuant.hpp"

namespace pyaclnn::sim {
namespace {

QuantRowsCall rows_call(const TensorArgument& x, RowSource source) {
  QuantRowsCall call;
  call.width = x.shape().back();
  call.rows = x.elements() / call.width;
  call.source = std::move(source);
  return call;
}

/// How kernels before the 950's store a row: times the inverse of a scale, plus an offset, and by
/// way of float16.
RowQuantiser by_way_of_halves(Plan& plan, const TensorArgument& scale, const TensorArgument& offset,
                              const TensorArgument& y, std::int64_t width) {
  RowQuantiser quantiser;
  quantiser.inverts = true;
  quantiser.by = ACL_FLOAT16;
  quantiser.scale = RowFactors(plan, scale, width, true);
  quantiser.offset = RowFactors(plan, offset, width, true);
  quantiser.out = QuantOut(plan, y);
  return quantiser;
}

struct GeluLoop {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(float* values, std::int64_t count, bool by_tanh) {
    constexpr float kCube = 0.044715f, kTwice = 1.5957691216057308f, kRoot = 0.70710678118654752f;
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) {
      const float x = values[i];
      const float tanh = x / (1.0f + m::exp(-kTwice * (x + kCube * x * x * x)));
      const float erf = 0.5f * x * (1.0f + m::erf(x * kRoot));
      values[i] = by_tanh ? tanh : erf;
    }
  }
};

RowSource gelu_of(const RowSource& rows, bool by_tanh) {
  const auto loop = wide_loop_for_cpu<GeluLoop, float*, std::int64_t, bool>();
  return [=](const KernelMemory& memory, const RowPlace& place, float* to) {
    rows(memory, place, to);
    loop(to, place.width, by_tanh);
  };
}

}  // namespace

void rms_norm_quant(const Check&, Plan& plan, const RmsNormQuantParameters& given) {
  const bool divides = on_950();
  check_tiling(plan, divides || given.epsilon > 0, "epsilon is %g, it must be positive",
               given.epsilon);
  const std::int64_t width = given.x.shape().back();
  check_tiling(plan, !given.x.is_empty(), "x is empty");
  check_tiling(plan, divides || given.y.dtype() == ACL_INT8 || width % 8 == 0,
               "the last axis of x has %lld elements, no multiple of 8",
               static_cast<long long>(width));
  check_tiling(plan, !given.scale.is_empty(), "scale is empty");
  check_tiling(plan, !divides || given.scale.elements() == 1 || given.scale.elements() == width,
               "scale has %lld elements, it must have one or %lld",
               static_cast<long long>(given.scale.elements()), static_cast<long long>(width));
  Normalised source;
  source.width = width;
  source.epsilon = float(given.epsilon);
  source.dtype = given.x.dtype();
  source.refines_root = divides;
  source.x1 = read_rows(plan, given.x);
  source.gamma = read_rows(plan, given.gamma);
  source.beta = read_rows(plan, given.beta);
  QuantRowsCall call = rows_call(given.x, std::move(source));
  if (divides) {
    RowQuantiser quantiser;
    quantiser.divides = true;
    quantiser.scale = RowFactors(plan, given.scale, width);
    quantiser.offset = RowFactors(plan, given.offset, width);
    quantiser.round = given.y.dtype() == ACL_HIFLOAT8 ? Round::kRound : Round::kRint;
    quantiser.out = QuantOut::copied(plan, given.y);
    call.stores.push_back(std::move(quantiser));
  } else {
    call.stores.push_back(by_way_of_halves(plan, given.scale, given.offset, given.y, width));
  }
  quantise_rows(plan, std::move(call));
}

void layer_norm_quant(const Check&, Plan& plan, const LayerNormQuantParameters& given) {
  Centred source;
  source.width = given.x.shape().back();
  source.epsilon = float(given.epsilon);
  source.x1 = read_rows(plan, given.x);
  source.gamma = read_rows(plan, given.gammma);
  source.beta = read_rows(plan, given.beta);
  QuantRowsCall call = rows_call(given.x, std::move(source));
  call.stores.push_back(
      by_way_of_halves(plan, given.scale, given.zeroPointsOptional, given.res, call.width));
  quantise_rows(plan, std::move(call));
}

void gelu_quant(const Check&, Plan& plan, const GeluQuantParameters& given) {
  if (given.roundMode.text == "hybrid")
    fail_not_simulated(plan, "the hybrid rounding of hifloat8, which draws");
  const bool dynamic = given.quantMode.text.rfind("dynamic", 0) == 0;
  const TensorArgument &scale = given.inputScaleOptional, &offset = given.inputOffsetOptional;
  const std::int64_t width = given.self.shape().back();
  for (const TensorArgument* factors : {&scale, &offset}) {
    if (!factors->given()) continue;
    check_tiling(plan, factors->elements() == width || factors->elements() == 1,
                 "%s has %lld elements beside rows of %lld", factors->name(),
                 static_cast<long long>(factors->elements()), static_cast<long long>(width));
  }
  plan.stage(given.self).contiguous();
  const RowSource rows = rows_of(plan.reads(given.self), width);
  QuantRowsCall call = rows_call(given.self, gelu_of(rows, given.approximate.text == "tanh"));
  RowQuantiser quantiser;
  if (dynamic) {
    quantiser.mode = QuantMode::kSymmetric;
    quantiser.smooth = RowFactors(plan, scale, width);
    quantiser.scale_out = RowMajor(plan.writes(given.outScaleOptional));
  } else {
    quantiser.scale = RowFactors(plan, scale, width);
    quantiser.offset = RowFactors(plan, offset, width);
  }
  quantiser.round = given.dstType == ACL_HIFLOAT8 ? Round::kRound : Round::kRint;
  quantiser.out = QuantOut(plan, given.y);
  call.stores.push_back(std::move(quantiser));
  quantise_rows(plan, std::move(call));
}

}  // namespace pyaclnn::sim
