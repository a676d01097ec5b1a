// How streams are mixed follows from themselves: a norm, a product with the weights, gates.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/format.hpp"
#include "opapi/hyper/mixing.hpp"
#include "opapi/product/packed_floats.hpp"
#include "parameters/MhcPre.hpp"
#include "parameters/MhcPreBackward.hpp"
#include "parameters/MhcPreSinkhorn.hpp"
#include "parameters/MhcPreSinkhornBackward.hpp"

namespace pyaclnn::sim {
namespace {

using Doubles = std::vector<double>;
using Floats = std::vector<float>;

const DtypeSet kHalves{ACL_FLOAT16, ACL_BF16};
const DtypeSet kFloat{ACL_FLOAT};

/// Which of the three gates a mix goes through.
std::size_t gate_of(std::int64_t mix, std::int64_t n) { return mix < n ? 0 : mix < 2 * n ? 1 : 2; }

Floats scaled(const Floats& x, const Floats& gamma) {
  Floats result = x;
  if (!gamma.empty())
    for (std::size_t i = 0; i < result.size(); ++i) result[i] *= gamma[i % gamma.size()];
  return result;
}

struct Pre {
  Streams streams;
  PackedOperand x, phi, alpha, bias, gamma;
  double norm_eps, gate_eps;
  std::int64_t iterations;  // of Sinkhorn's way; 0 for none
  PackedOperand layer, post, res, inverse, mixes, pre, sums, norms;
};

void run_pre(const Pre& p, const KernelMemory& memory) {
  const std::int64_t n = p.streams.n;
  const std::int64_t size = n * p.streams.width;
  const std::int64_t count = p.streams.count;
  const std::int64_t wide = p.streams.mixes();
  const Floats xs = p.x.read(memory);
  const Floats weights = p.phi.read(memory);
  const Floats mixes = packed_product({scaled(xs, p.gamma.read(memory)).data()},
                                      {weights.data(), true}, count, size, wide);
  const Doubles alpha = p.alpha.read<double>(memory);
  const Doubles bias = p.bias.read<double>(memory);
  const Sinkhorn sinkhorn{n, p.iterations};
  Doubles inverse(static_cast<std::size_t>(count));
  Doubles pre(std::size_t(count * n));
  Doubles post(pre.size());
  Doubles res(std::size_t(count * n * n));
  Doubles layer(std::size_t(count * p.streams.width));
  Doubles norms(std::size_t(sinkhorn.steps() * count * n * n));
  Doubles sums(std::size_t(sinkhorn.steps() * count * n));
  parallel_for(count, 1, [&](std::int64_t begin, std::int64_t end) {
    Doubles own_norms(std::size_t(sinkhorn.steps() * n * n));
    Doubles own_sums(std::size_t(sinkhorn.steps() * n));
    for (std::int64_t t = begin; t < end; ++t) {
      const float* own = &xs[std::size_t(t * size)];
      double squares = 0.0;
      for (std::int64_t i = 0; i < size; ++i) squares += double(own[i]) * double(own[i]);
      const double scale = 1.0 / std::sqrt(squares / double(size) + p.norm_eps);
      inverse[std::size_t(t)] = scale;
      for (std::int64_t m = 0; m < wide; ++m) {
        const std::size_t gate = gate_of(m, n);
        const double h =
            alpha[gate] * double(mixes[std::size_t(t * wide + m)]) * scale + bias[std::size_t(m)];
        const double open = 1.0 / (1.0 + std::exp(-h));
        if (gate == 0) pre[std::size_t(t * n + m)] = open + p.gate_eps;
        if (gate == 1) post[std::size_t(t * n + m - n)] = 2.0 * open;
        if (gate == 2) res[std::size_t(t * n * n + m - 2 * n)] = h;
      }
      for (std::int64_t i = 0; i < size; ++i)
        layer[std::size_t(t * p.streams.width + i % p.streams.width)] +=
            double(own[i]) * pre[std::size_t(t * n + i / p.streams.width)];
      if (p.iterations == 0) continue;
      double* const matrix = &res[std::size_t(t * n * n)];
      sinkhorn.run(matrix, p.gate_eps, own_norms.data(), own_sums.data());
      std::copy_n(own_norms.end() - n * n, n * n, matrix);
      for (std::int64_t step = 0; step < sinkhorn.steps(); ++step) {
        std::copy_n(&own_norms[std::size_t(step * n * n)], n * n,
                    &norms[std::size_t((step * count + t) * n * n)]);
        std::copy_n(&own_sums[std::size_t(step * n)], n,
                    &sums[std::size_t((step * count + t) * n)]);
      }
    }
  });
  p.layer.write(memory, layer);
  p.post.write(memory, post);
  p.res.write(memory, res);
  p.inverse.write(memory, inverse);
  p.mixes.write(memory, mixes);
  p.pre.write(memory, pre);
  p.sums.write(memory, sums);
  p.norms.write(memory, norms);
}

struct PreBackward {
  Streams streams;
  PackedOperand x, phi, alpha, gamma, grad_layer, grad_post, grad_res, inverse, mixes, pre;
  /// Given, or made from the mixes.
  PackedOperand post, bias;
  PackedOperand grad_behind, sums, norms;
  double gate_eps;
  std::int64_t iterations;
  PackedOperand to_x, to_phi, to_alpha, to_bias, to_gamma;
};

void run_pre_backward(const PreBackward& p, const KernelMemory& memory) {
  const std::int64_t n = p.streams.n;
  const std::int64_t width = p.streams.width;
  const std::int64_t size = n * width;
  const std::int64_t count = p.streams.count;
  const std::int64_t wide = p.streams.mixes();
  const Floats xs = p.x.read(memory);
  const Floats gamma = p.gamma.read(memory);
  const Floats weights = p.phi.read(memory);
  const Doubles alpha = p.alpha.read<double>(memory);
  const Doubles bias = p.bias.read<double>(memory);
  const Doubles layer = p.grad_layer.read<double>(memory);
  const Doubles grad_post = p.grad_post.read<double>(memory);
  Doubles grad_res = p.grad_res.read<double>(memory);
  const Doubles inverse = p.inverse.read<double>(memory);
  const Doubles mixes = p.mixes.read<double>(memory);
  const Doubles pre = p.pre.read<double>(memory);
  const Doubles post = p.post.read<double>(memory);
  const Doubles behind = p.grad_behind.read<double>(memory);
  const Doubles sums = p.sums.read<double>(memory);
  const Doubles norms = p.norms.read<double>(memory);
  const Sinkhorn sinkhorn{n, p.iterations};
  Floats of_mixes(std::size_t(count * wide));
  Doubles of_inverse(static_cast<std::size_t>(count));
  Doubles of_alpha(3);
  Doubles of_bias(static_cast<std::size_t>(wide));
  for (std::int64_t t = 0; t < count; ++t) {
    if (p.iterations > 0) {
      Doubles own_norms;
      Doubles own_sums;
      for (std::int64_t step = 0; step < sinkhorn.steps(); ++step) {
        const auto norm = norms.begin() + (step * count + t) * n * n;
        const auto sum = sums.begin() + (step * count + t) * n;
        own_norms.insert(own_norms.end(), norm, norm + n * n);
        own_sums.insert(own_sums.end(), sum, sum + n);
      }
      sinkhorn.back(own_norms.data(), own_sums.data(), &grad_res[std::size_t(t * n * n)]);
    }
    for (std::int64_t m = 0; m < wide; ++m) {
      const std::size_t gate = gate_of(m, n);
      const double mix = mixes[std::size_t(t * wide + m)];
      const double normed = mix * inverse[std::size_t(t)];
      double grad = 0.0;  // of the gate's argument
      if (gate == 0) {
        const double open = pre[std::size_t(t * n + m)] - p.gate_eps;
        for (std::int64_t d = 0; d < width; ++d)
          grad +=
              layer[std::size_t(t * width + d)] * double(xs[std::size_t(t * size + m * width + d)]);
        grad *= open * (1.0 - open);
      } else if (gate == 1) {
        const auto at = std::size_t(t * n + m - n);
        const double twice = post.empty()
                                 ? 2.0 / (1.0 + std::exp(-alpha[1] * normed - bias[std::size_t(m)]))
                                 : post[at];
        grad = grad_post[at] * twice * (1.0 - twice / 2.0);
      } else {
        grad = grad_res[std::size_t(t * n * n + m - 2 * n)];
      }
      of_bias[std::size_t(m)] += grad;
      of_alpha[gate] += grad * normed;
      const double of_normed = grad * alpha[gate];
      of_mixes[std::size_t(t * wide + m)] = float(of_normed * inverse[std::size_t(t)]);
      of_inverse[std::size_t(t)] += of_normed * mix;
    }
  }
  const Floats of_scaled = packed_product({of_mixes.data()}, {weights.data()}, count, wide, size);
  p.to_phi.write(memory, packed_product({of_mixes.data(), true}, {scaled(xs, gamma).data()}, wide,
                                        count, size));
  Doubles of_x(xs.size());
  Doubles of_gamma(static_cast<std::size_t>(p.to_gamma.size()));
  for (std::size_t i = 0; i < of_x.size(); ++i) {
    const std::size_t t = i / std::size_t(size);
    const std::size_t place = i % std::size_t(size);
    const double x = double(xs[i]);
    const double scale = inverse[t];
    const double through = double(of_scaled[i]);
    of_x[i] = through * (gamma.empty() ? 1.0 : double(gamma[place])) -
              of_inverse[t] * scale * scale * scale / double(size) * x +
              layer[t * std::size_t(width) + place % std::size_t(width)] *
                  pre[t * std::size_t(n) + place / std::size_t(width)];
    if (!behind.empty()) of_x[i] += behind[i];
    if (!of_gamma.empty()) of_gamma[place] += x * through;
  }
  p.to_x.write(memory, of_x);
  p.to_alpha.write(memory, of_alpha);
  p.to_bias.write(memory, of_bias);
  p.to_gamma.write(memory, of_gamma);
}

}  // namespace

void mhc_pre(const Check& check, Plan& plan, const MhcPreParameters& given) {
  const TensorArgument& x = given.x;
  check.not_null(x, given.phi, given.alpha, given.bias, given.hIn, given.hPost, given.hRes);
  for (const TensorArgument* tensor : {&x, &given.phi, &given.alpha, &given.bias})
    check.that(!tensor->is_empty(), "%s is empty", tensor->name());
  check.that(x.rank() == 3 || x.rank() == 4, "x has %zu dimensions, it must have 3 or 4", x.rank());
  const Streams s(x.shape());
  constexpr std::int64_t kStep = 16;
  check.that((s.n == 4 || s.n == 6 || s.n == 8) && s.width % kStep == 0, "x has shape %s",
             x.shape().text().c_str());
  check.shape_is(given.phi, Dims{s.mixes(), s.n * s.width}, "the streams");
  check.shape_is(given.alpha, Dims{3}, "the gates");
  check.shape_is(given.bias, Dims{s.mixes()}, "the streams");
  const TensorArgument& gamma = given.gammaOptional;
  if (gamma.given()) check.shape_is(gamma, Dims{s.n, s.width}, "the streams");
  check.dtype_in(kHalves, x);
  check.dtype_in(kFloat, given.phi, given.alpha, given.bias);
  if (gamma.given()) check.dtype_in(kFloat, gamma);
  check_not_private(check, {&x, &given.phi, &given.alpha, &given.bias, &gamma});
  needs_kernel(plan, on_950());
  const auto fits = [&](const TensorArgument& out, aclDataType dtype, const Dims& shape) {
    check_inside(plan, !out.given() || (out.dtype() == dtype && out.shape() == shape),
                 "an output is not of the kernel's type and shape %s", shape.text().c_str());
    return writes_packed(plan, out);
  };
  Pre p{s,
        reads_packed(plan, x),
        reads_packed(plan, given.phi),
        reads_packed(plan, given.alpha),
        reads_packed(plan, given.bias),
        reads_packed(plan, gamma),
        given.normEps,
        given.hcEps,
        0,
        fits(given.hIn, x.dtype(), s.of_each({s.width})),
        fits(given.hPost, ACL_FLOAT, s.of_each({s.n})),
        fits(given.hRes, ACL_FLOAT, s.of_each({s.n, s.n})),
        fits(given.invRmsOptional, ACL_FLOAT, s.tokens),
        fits(given.hMixOptional, ACL_FLOAT, s.of_each({s.mixes()})),
        fits(given.hPreOptional, ACL_FLOAT, s.of_each({s.n})),
        {},
        {}};
  plan.launch([p = std::move(p)](const KernelMemory& memory) { run_pre(p, memory); });
}

void mhc_pre_sinkhorn(const Check& check, Plan& plan, const MhcPreSinkhornParameters& given) {
  const TensorArgument& x = given.x;
  check.not_null(x, given.phi, given.alpha, given.bias, given.hin, given.hPost, given.hRes);
  const TensorArgument* kept[] = {&given.hPre, &given.hcBeforeNorm, &given.invRms, &given.sumOut,
                                  &given.normOut};
  check.dtype_in(kHalves, x, given.hin);
  check.dtype_in(kFloat, given.phi, given.alpha, given.bias, given.hPost, given.hRes);
  if (given.needBackward)
    for (const TensorArgument* tensor : kept) check.not_null(*tensor);
  constexpr std::int64_t kStreams = 4;
  constexpr std::int64_t kIterations = 20;
  check.that(x.rank() == 4 && given.hcMult == kStreams && x.shape()[2] == kStreams,
             "x has shape %s, there must be 4 streams", x.shape().text().c_str());
  check.that(given.numIters == kIterations, "numIters is %lld, it must be 20",
             static_cast<long long>(given.numIters));
  const Streams s(x.shape());
  check.shape_is(given.hin, s.of_each({s.width}), "x");
  check.that(s.width <= INT64_MAX / kStreams, "x has shape %s", x.shape().text().c_str());
  check.shape_is(given.phi, Dims{s.mixes(), s.n * s.width}, "the streams");
  check.shape_is(given.alpha, Dims{3}, "the gates");
  check.shape_is(given.bias, Dims{s.mixes()}, "the streams");
  check.shape_is(given.hPost, s.of_each({s.n}), "x");
  check.shape_is(given.hRes, s.of_each({s.n * s.n}), "x");
  if (given.needBackward) {
    const Dims& t = s.tokens;
    const Dims shapes[] = {s.of_each({s.n}), s.of_each({s.mixes()}), s.of_each({1}),
                           Dims{2 * kIterations, t[0], t[1], s.n},
                           Dims{2 * kIterations, t[0], t[1], s.n, s.n}};
    for (std::size_t i = 0; i < 5; ++i) {
      check.dtype_in(kFloat, *kept[i]);
      check.shape_is(*kept[i], shapes[i], "the streams");
    }
  }
  check_not_private(
      check, {&x, &given.phi, &given.alpha, &given.bias, &given.hin, &given.hPost, &given.hRes});
  if (given.needBackward) check_not_private(check, {kept[0], kept[1], kept[2], kept[3], kept[4]});
  if (x.is_empty()) return;
  needs_kernel(plan, on_a2_or_a3());
  const auto kept_one = [&](const TensorArgument& out) {
    return given.needBackward ? writes_packed(plan, out) : PackedOperand();
  };
  check_inside(plan, given.hin.dtype() == x.dtype(), "hin is of another type than x");
  Pre p{s,
        reads_packed(plan, x),
        reads_packed(plan, given.phi),
        reads_packed(plan, given.alpha),
        reads_packed(plan, given.bias),
        {},
        given.normEps,
        given.hcEps,
        kIterations,
        writes_packed(plan, given.hin),
        writes_packed(plan, given.hPost),
        writes_packed(plan, given.hRes),
        kept_one(given.invRms),
        kept_one(given.hcBeforeNorm),
        kept_one(given.hPre),
        kept_one(given.sumOut),
        kept_one(given.normOut)};
  plan.launch([p = std::move(p)](const KernelMemory& memory) { run_pre(p, memory); });
}

void mhc_pre_backward(const Check& check, Plan& plan, const MhcPreBackwardParameters& given) {
  const TensorArgument& x = given.x;
  check.not_null(x, given.phi, given.alpha, given.gradHIn, given.gradHPost, given.gradHRes,
                 given.invRms, given.hMix, given.hPre, given.hPost, given.gradX, given.gradPhi,
                 given.gradAlpha, given.gradBias);
  const bool scaled_too = given.gamma.given();
  if (scaled_too) check.not_null(given.gradGamma);
  check.that(x.rank() == 3 || x.rank() == 4, "x has %zu dimensions, it must have 3 or 4", x.rank());
  const Streams s(x.shape());
  constexpr std::int64_t kStep = 16;
  check.that(
      (s.n == 4 || s.n == 6 || s.n == 8) && s.width > 0 && s.width % kStep == 0 && s.count > 0,
      "x has shape %s", x.shape().text().c_str());
  check.dtype_in(kHalves, x);
  check.same_dtype(x, given.gradHIn, given.gradX);
  check.dtype_in(kFloat, given.phi, given.alpha, given.gradHPost, given.gradHRes, given.invRms,
                 given.hMix, given.hPre, given.hPost, given.gradPhi, given.gradAlpha,
                 given.gradBias);
  const Dims weights{s.mixes(), s.n * s.width};
  const std::pair<const TensorArgument*, Dims> shapes[] = {{&given.phi, weights},
                                                           {&given.alpha, Dims{3}},
                                                           {&given.gradHIn, s.of_each({s.width})},
                                                           {&given.gradHPost, s.of_each({s.n})},
                                                           {&given.gradHRes, s.of_each({s.n, s.n})},
                                                           {&given.invRms, s.tokens},
                                                           {&given.hMix, s.of_each({s.mixes()})},
                                                           {&given.hPre, s.of_each({s.n})},
                                                           {&given.hPost, s.of_each({s.n})},
                                                           {&given.gradX, x.shape()},
                                                           {&given.gradPhi, weights},
                                                           {&given.gradAlpha, Dims{3}},
                                                           {&given.gradBias, Dims{s.mixes()}}};
  for (const auto& [tensor, shape] : shapes) check.shape_is(*tensor, shape, "the streams");
  if (scaled_too) {
    check.dtype_in(kFloat, given.gamma, given.gradGamma);
    check.shape_is(given.gamma, Dims{s.n, s.width}, "the streams");
    check.same_shape(given.gamma, given.gradGamma);
  }
  const TensorArgument& behind = given.gradXPostOptional;
  if (behind.given()) {
    check.same_dtype(x, behind);
    check.same_shape(x, behind);
  }
  check_not_private(
      check, {&x, &given.phi, &given.alpha, &given.gamma, &given.gradHIn, &given.gradHPost,
              &given.gradHRes, &given.invRms, &given.hMix, &given.hPre, &given.hPost, &behind});
  needs_kernel(plan, on_950());
  PreBackward p{s,
                reads_packed(plan, x),
                reads_packed(plan, given.phi),
                reads_packed(plan, given.alpha),
                reads_packed(plan, given.gamma),
                reads_packed(plan, given.gradHIn),
                reads_packed(plan, given.gradHPost),
                reads_packed(plan, given.gradHRes),
                reads_packed(plan, given.invRms),
                reads_packed(plan, given.hMix),
                reads_packed(plan, given.hPre),
                reads_packed(plan, given.hPost),
                {},
                reads_packed(plan, behind),
                {},
                {},
                double(given.hcEps),
                0,
                writes_packed(plan, given.gradX),
                writes_packed(plan, given.gradPhi),
                writes_packed(plan, given.gradAlpha),
                writes_packed(plan, given.gradBias),
                scaled_too ? writes_packed(plan, given.gradGamma) : PackedOperand()};
  plan.launch([p = std::move(p)](const KernelMemory& memory) { run_pre_backward(p, memory); });
}

void mhc_pre_sinkhorn_backward(const Check& check, Plan& plan,
                               const MhcPreSinkhornBackwardParameters& given) {
  const TensorArgument& x = given.x;
  check.same_dtype(x, given.gradHin, given.gradX);
  check_tiling(plan, x.rank() == 4 && x.shape()[2] == 4, "x has shape %s",
               x.shape().text().c_str());
  const Streams s(x.shape());
  check_tiling(plan, s.width <= INT64_MAX / s.n && s.count > 0 && s.width > 0, "x has shape %s",
               x.shape().text().c_str());
  constexpr std::int64_t kSteps = 40;
  const Dims weights{s.mixes(), s.n * s.width};
  const Dims& t = s.tokens;
  const bool flat = given.gradHRes.rank() == 3;
  const std::pair<const TensorArgument*, Dims> shapes[] = {
      {&given.gradHin, s.of_each({s.width})},
      {&given.gradHPost, s.of_each({s.n})},
      {&given.gradHRes, flat ? s.of_each({s.n * s.n}) : s.of_each({s.n, s.n})},
      {&given.phi, weights},
      {&given.alpha, Dims{3}},
      {&given.bias, Dims{s.mixes()}},
      {&given.hPre, s.of_each({s.n})},
      {&given.hcBeforeNorm, s.of_each({s.mixes()})},
      {&given.invRms, s.of_each({1})},
      {&given.sumOut, Dims{kSteps, t[0], t[1], s.n}},
      {&given.normOut, Dims{kSteps, t[0], t[1], s.n, s.n}},
      {&given.gradX, x.shape()},
      {&given.gradPhi, weights},
      {&given.gradAlpha, Dims{3}},
      {&given.gradBias, Dims{s.mixes()}}};
  for (const auto& [tensor, shape] : shapes)
    check_tiling(plan, tensor->shape() == shape, "%s has shape %s, it must have %s", tensor->name(),
                 tensor->shape().text().c_str(), shape.text().c_str());
  PreBackward p{s,
                reads_packed(plan, x),
                reads_packed(plan, given.phi),
                reads_packed(plan, given.alpha),
                {},
                reads_packed(plan, given.gradHin),
                reads_packed(plan, given.gradHPost),
                reads_packed(plan, given.gradHRes),
                reads_packed(plan, given.invRms),
                reads_packed(plan, given.hcBeforeNorm),
                reads_packed(plan, given.hPre),
                {},
                reads_packed(plan, given.bias),
                {},
                reads_packed(plan, given.sumOut),
                reads_packed(plan, given.normOut),
                given.hcEps,
                kSteps / 2,
                writes_packed(plan, given.gradX),
                writes_packed(plan, given.gradPhi),
                writes_packed(plan, given.gradAlpha),
                writes_packed(plan, given.gradBias),
                {}};
  plan.launch([p = std::move(p)](const KernelMemory& memory) { run_pre_backward(p, memory); });
}

}  // namespace pyaclnn::sim
