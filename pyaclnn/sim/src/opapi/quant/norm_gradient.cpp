// The gradient of the root mean square normalisation, quantised.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "objects/dtype.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/norm/norm.hpp"
#include "opapi/norm/row_norm.hpp"
#include "opapi/quant/sources.hpp"
#include "parameters/RmsNormGradQuant.hpp"

namespace pyaclnn::sim {
namespace {

/// With z = x rstd and g = dy gamma: rstd (g - z mean(g z)).
struct RmsGradient {
  std::int64_t width;
  RowMajor dy, x, rstd, gamma;

  void operator()(const KernelMemory& memory, const RowPlace& place, float* to) const {
    const auto room = static_cast<std::size_t>(width);
    std::vector<float> buffer(room), normal(room);
    const std::int64_t at = place.row * width;
    const float* const from = RowMajorAccess(dy, memory).read(at, width, to);
    const float* const factors = RowMajorAccess(gamma, memory).read(0, width, buffer.data());
    for (std::size_t i = 0; i < room; ++i) to[i] = from[i] * factors[i];
    const float* const values = RowMajorAccess(x, memory).read(at, width, buffer.data());
    float inverse = 0;
    inverse = *RowMajorAccess(rstd, memory).read(place.row, 1, &inverse);
    double total = 0;
    for (std::size_t i = 0; i < room; ++i) {
      normal[i] = values[i] * inverse;
      total += double(to[i] * normal[i]);
    }
    const float mean = float(total) * (1.0f / float(width));
    for (std::size_t i = 0; i < room; ++i) to[i] = (to[i] - normal[i] * mean) * inverse;
  }
};

/// The shapes that CANN divides the work of; x has rows where `rows`.
void check_shapes(const Plan& plan, const RmsNormGradQuantParameters& c) {
  const Dims &dy = c.dy.shape(), &rstd = c.rstd.shape(), &gamma = c.gamma.shape();
  check_tiling(plan, dy.size() >= 2 && dy.size() <= 8, "dy has %zu dimensions, not 2 to 8",
               dy.size());
  check_tiling(plan, c.x.shape() == dy, "x has shape %s, and dy %s", c.x.shape().text().c_str(),
               dy.text().c_str());
  for (const TensorArgument* tensor : {&c.scalesX, &c.offsetXOptional})
    check_tiling(plan, !tensor->given() || tensor->shape() == Dims{1}, "%s must have shape (1,)",
                 tensor->name());
  check_tiling(plan,
               rstd.size() + gamma.size() == dy.size() &&
                   std::equal(rstd.begin(), rstd.end(), dy.begin()) && ends_with(dy, gamma),
               "rstd and gamma of shapes %s and %s do not make %s", rstd.text().c_str(),
               gamma.text().c_str(), dy.text().c_str());
  check_tiling(plan, c.dxOut.shape() == dy && c.dgammaOut.shape() == gamma,
               "dxOut and dgammaOut have shapes %s and %s", c.dxOut.shape().text().c_str(),
               c.dgammaOut.shape().text().c_str());
}

}  // namespace

void rms_norm_grad_quant(const Check&, Plan& plan, const RmsNormGradQuantParameters& given) {
  const aclDataType kind = given.dy.dtype(), out = given.dxOut.dtype();
  const auto like = [&](const TensorArgument& tensor) {
    return tensor.dtype() == kind || tensor.dtype() == ACL_FLOAT;
  };
  const TensorArgument& offset = given.offsetXOptional;
  check_kernel_exists(
      plan, (kind == ACL_FLOAT || is_16_bit_float(kind)) && given.x.dtype() == kind &&
                given.rstd.dtype() == ACL_FLOAT && like(given.gamma) && like(given.scalesX) &&
                (!offset.given() || offset.dtype() == ACL_INT32) &&
                (out == ACL_INT8 || out == ACL_HIFLOAT8) && given.dgammaOut.dtype() == ACL_FLOAT);
  check_shapes(plan, given);
  check_tiling(plan, !given.quantMode.given() || given.quantMode.text == "static",
               "quantMode is \"%s\", it must be static", given.quantMode.text.c_str());
  if (given.dy.is_empty()) return launch_fill(plan, given.dgammaOut, 0.0f);
  RmsGradient source;
  source.width = given.gamma.elements();
  source.dy = read_rows(plan, given.dy);
  source.x = read_rows(plan, given.x);
  source.rstd = read_rows(plan, given.rstd);
  source.gamma = read_rows(plan, given.gamma);
  RowNorm of_gamma;
  of_gamma.rows = given.rstd.elements();
  of_gamma.length = source.width;
  of_gamma.has_mean = false;
  of_gamma.grad = source.dy;
  of_gamma.x1 = source.x;
  of_gamma.rstd = source.rstd;
  of_gamma.grad_gamma = RowMajor(plan.writes(given.dgammaOut));
  launch_row_norm(plan, std::move(of_gamma));
  RowQuantiser quantiser;
  quantiser.divides = given.divMode;
  quantiser.scale = RowFactors(plan, given.scalesX, source.width);
  quantiser.offset = RowFactors(plan, offset, source.width);
  quantiser.round = out == ACL_HIFLOAT8 ? Round::kRound : Round::kRint;
  quantiser.out = QuantOut(plan, given.dxOut);
  QuantRowsCall call;
  call.width = source.width;
  call.rows = given.rstd.elements();
  call.source = std::move(source);
  call.stores.push_back(std::move(quantiser));
  quantise_rows(plan, std::move(call));
}

}  // namespace pyaclnn::sim
