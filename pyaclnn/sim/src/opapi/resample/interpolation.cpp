// SPDX-License-Identifier: MIT
#include "opapi/resample/interpolation.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/checked.hpp"

namespace pyaclnn::sim {
namespace {

using Terms = AxisMap::Terms;

void add(Terms& terms, std::int64_t input, std::int64_t output, double weight) {
  if (weight != 0) terms.push_back({input, output, weight});
}

/// Elements of the input per element of the output.
double ratio(std::int64_t input, std::int64_t output, double scale, Alignment alignment) {
  if (alignment == Alignment::kCorners)
    return output > 1 ? double(input - 1) / double(output - 1) : 0.0;
  return scale > 0 ? 1.0 / scale : double(input) / double(output);
}

/// Place of element `o` of the output, in elements of the input.
double place(std::int64_t o, double ratio, Alignment alignment) {
  return alignment == Alignment::kCorners ? ratio * double(o) : ratio * (double(o) + 0.5) - 0.5;
}

double cubic_near(double x, double a) { return ((a + 2) * x - (a + 3)) * x * x + 1; }
double cubic_far(double x, double a) { return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a; }

double weight_of(Filter filter, double x) {
  x = std::fabs(x);
  if (filter == Filter::kTriangle) return x < 1 ? 1 - x : 0;
  constexpr double kA = -0.5;
  return x < 1 ? cubic_near(x, kA) : x < 2 ? cubic_far(x, kA) : 0;
}

/// The element at floor((o + middle) * step), or the last one.
AxisMap map_of_places(std::int64_t input, std::int64_t output, float step, float middle) {
  if (!(step > 0)) step = float(input) / float(output);
  Terms terms;
  for (std::int64_t o = 0; o < output; ++o) {
    const float at = std::floor((float(o) + middle) * step);
    // Written so that a step without end leads to the last element.
    terms.push_back({at < float(input) ? std::int64_t(at) : input - 1, o, 1.0});
  }
  return {output, input, terms};
}

}  // namespace

AxisMap nearest_map(std::int64_t input, std::int64_t output, double scale, bool exact) {
  const float step = scale > 0 ? float(scale) : float(output) / float(input);
  const auto bound = [&](std::int64_t i) {
    const float at = float(i) * step;
    const auto end = saturated_int(double(std::ceil(exact ? at - 0.5f : at)));
    return std::clamp<std::int64_t>(end, 0, output);
  };
  Terms terms;
  for (std::int64_t i = 0; i < input; ++i) {
    const std::int64_t end = bound(i + 1);
    for (std::int64_t o = bound(i); o < end; ++o) terms.push_back({i, o, 1.0});
  }
  return {output, input, terms};
}

AxisMap nearest_map_by_size(std::int64_t input, std::int64_t output, float step) {
  return map_of_places(input, output, step, 0.0f);
}

AxisMap nearest_exact_map_by_size(std::int64_t input, std::int64_t output, float step) {
  return map_of_places(input, output, step, 0.5f);
}

AxisMap linear_map(std::int64_t input, std::int64_t output, double scale, Alignment alignment,
                   Beyond beyond) {
  const double step = ratio(input, output, scale, alignment);
  Terms terms;
  for (std::int64_t o = 0; o < output; ++o) {
    const double at = std::max(place(o, step, alignment), 0.0);
    if (beyond == Beyond::kIsDropped && at >= double(input)) break;
    const auto low = static_cast<std::int64_t>(std::min(std::floor(at), double(input - 1)));
    const std::int64_t high = std::min(low + 1, input - 1);
    const double above = std::min(at - double(low), 1.0);
    add(terms, low, o, 1 - above);
    add(terms, high, o, above);
  }
  return {output, input, terms};
}

AxisMap cubic_map(std::int64_t input, std::int64_t output, double scale, Alignment alignment) {
  constexpr double kA = -0.75;
  const double step = ratio(input, output, scale, alignment);
  Terms terms;
  for (std::int64_t o = 0; o < output; ++o) {
    const double at = place(o, step, alignment);
    const double low = std::floor(at);
    const double t = at - low;
    const double weights[] = {cubic_far(1 + t, kA), cubic_near(t, kA), cubic_near(1 - t, kA),
                              cubic_far(2 - t, kA)};
    for (int k = 0; k < 4; ++k) {
      const double source = std::min(std::max(low - 1 + k, 0.0), double(input - 1));
      add(terms, static_cast<std::int64_t>(source), o, weights[k]);
    }
  }
  return {output, input, terms};
}

AxisMap antialias_map(std::int64_t input, std::int64_t output, double scale, Alignment alignment,
                      Filter filter) {
  const double step = ratio(input, output, scale, alignment);
  const double width = std::max(step, 1.0);
  const double support = (filter == Filter::kTriangle ? 1 : 2) * width;
  Terms terms;
  std::vector<double> weights;
  for (std::int64_t o = 0; o < output; ++o) {
    const double center = step * (double(o) + 0.5);
    const auto begin = std::max<std::int64_t>(saturated_int(center - support + 0.5), 0);
    const auto end = std::min(saturated_int(center + support + 0.5), input);
    double total = 0;
    weights.clear();
    for (std::int64_t i = begin; i < end; ++i) {
      weights.push_back(weight_of(filter, (double(i) - center + 0.5) / width));
      total += weights.back();
    }
    if (total == 0) continue;
    for (std::int64_t i = begin; i < end; ++i)
      add(terms, i, o, weights[std::size_t(i - begin)] / total);
  }
  return {output, input, terms};
}

AxisMap identity_map(std::int64_t extent) {
  Terms terms;
  for (std::int64_t i = 0; i < extent; ++i) terms.push_back({i, i, 1.0});
  return {extent, extent, terms};
}

}  // namespace pyaclnn::sim
