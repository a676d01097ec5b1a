// SPDX-License-Identifier: MIT
#include "opapi/pooling/even_windows.hpp"

#include <algorithm>

#include "opapi/common/cpu_wide.hpp"

namespace pyaclnn::sim {
namespace {

/// One element of each window; kStride 0 stands for any.
template <std::int64_t kStride>
struct TakeLarger {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* x, std::int64_t any_stride, std::int64_t count,
                                    std::int32_t place, float* largest, std::int32_t* places) {
    const std::int64_t stride = kStride == 0 ? any_stride : kStride;
    const auto step = std::int32_t(stride);
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) {
      const float candidate = x[i * stride];
      const float best = largest[i];
      const std::int32_t at = places[i];
      // Both compared: a branch would be taken at random.
      const bool takes = static_cast<bool>(int(candidate > best) | int(candidate != candidate));
      largest[i] = takes ? candidate : best;
      places[i] = takes ? place + std::int32_t(i) * step : at;
    }
  }
};

using TakeFn = void (*)(const float*, std::int64_t, std::int64_t, std::int32_t, float*,
                        std::int32_t*);

template <std::int64_t kStride>
TakeFn take_for_cpu() {
  static const TakeFn take = wide_loop_for_cpu<TakeLarger<kStride>, const float*, std::int64_t,
                                               std::int64_t, std::int32_t, float*, std::int32_t*>();
  return take;
}

TakeFn take_of(std::int64_t stride) {
  switch (stride) {
    case 1:
      return take_for_cpu<1>();
    case 2:
      return take_for_cpu<2>();
    default:
      return take_for_cpu<0>();
  }
}

}  // namespace

EvenWindows::EvenWindows(const AxisWindows& windows) {
  constexpr std::int64_t kFewest = 8;
  const auto extent = [](const WindowRange& w) { return w.end - w.begin; };
  const auto widest = std::max_element(
      windows.begin(), windows.end(),
      [&](const WindowRange& a, const WindowRange& b) { return extent(a) < extent(b); });
  if (windows.end() - widest < kFewest) return;
  const std::int64_t apart = widest[1].begin - widest->begin;
  if (apart < 1) return;
  auto next = widest + 1;
  while (next != windows.end() && extent(*next) == extent(*widest) && next->step == widest->step &&
         next->begin - next[-1].begin == apart)
    ++next;
  if (next - widest < kFewest) return;
  first = widest - windows.begin();
  last = next - windows.begin();
  stride = apart;
  window = *widest;
}

void EvenWindows::take(const float* line, std::int32_t place, float* largest,
                       std::int32_t* places) const {
  const TakeFn take = take_of(stride);
  for (std::int64_t w = window.begin; w < window.end; w += window.step)
    take(line + w, stride, count(), place + std::int32_t(w), largest, places);
}

}  // namespace pyaclnn::sim
