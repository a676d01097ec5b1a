// SPDX-License-Identifier: MIT
#include "check/byte_pattern.hpp"

#include <algorithm>
#include <numeric>

namespace pyaclnn::sim {
namespace {

std::int64_t ceil_div(std::int64_t value, std::int64_t by) {
  return value >= 0 ? (value + by - 1) / by : -(-value / by);
}

bool longer(const ByteAxis& a, const ByteAxis& b) { return a.stride > b.stride; }

/// Looks for a combination of steps along axes that leads into a range.
class StepSearch {
 public:
  explicit StepSearch(std::vector<ByteAxis> axes)
      : axes_(std::move(axes)), reach_(axes_.size() + 1), divisor_(axes_.size() + 1) {
    for (std::size_t i = axes_.size(); i-- > 0;) {
      reach_[i] = reach_[i + 1] + axes_[i].stride * (axes_[i].extent - 1);
      divisor_[i] = std::gcd(divisor_[i + 1], axes_[i].stride);
    }
  }

  bool hits(std::int64_t low, std::int64_t high, std::size_t axis = 0) {
    low = std::max<std::int64_t>(low, 0);
    high = std::min(high, reach_[axis]);
    if (low > high) return false;
    if (axis == axes_.size()) return true;
    const std::int64_t divisor = divisor_[axis];
    if (ceil_div(low, divisor) * divisor > high) return false;
    const ByteAxis& steps = axes_[axis];
    std::int64_t step = std::max<std::int64_t>(0, ceil_div(low - reach_[axis + 1], steps.stride));
    const std::int64_t last = std::min(steps.extent - 1, high / steps.stride);
    for (; step <= last && budget_ > 0; ++step, --budget_) {
      const std::int64_t gone = step * steps.stride;
      if (hits(low - gone, high - gone, axis + 1)) return true;
    }
    return false;
  }

 private:
  const std::vector<ByteAxis> axes_;
  // Of the axes from each on: how far they lead together, and what divides all their steps.
  std::vector<std::int64_t> reach_;
  std::vector<std::int64_t> divisor_;
  int budget_ = 20000;
};

}  // namespace

BytePattern::BytePattern(std::vector<ByteAxis> axes, std::int64_t element) : run_(element) {
  for (ByteAxis& axis : axes) axis.stride = axis.stride < 0 ? -axis.stride : axis.stride;
  std::sort(axes.begin(), axes.end(),
            [](const ByteAxis& a, const ByteAxis& b) { return longer(b, a); });
  for (const ByteAxis& axis : axes) {
    if (axis.extent <= 1 || axis.stride == 0) continue;
    if (axes_.empty() && axis.stride <= run_) {
      run_ += axis.stride * (axis.extent - 1);
    } else if (!axes_.empty() && axis.stride == axes_.back().stride * axes_.back().extent) {
      axes_.back().extent *= axis.extent;
    } else {
      axes_.push_back(axis);
    }
  }
  std::reverse(axes_.begin(), axes_.end());
  span_ = run_;
  for (const ByteAxis& axis : axes_) span_ += axis.stride * (axis.extent - 1);
}

bool BytePattern::meets(const BytePattern& other, std::int64_t distance) const {
  if (distance >= span_ || -distance >= other.span_) return false;
  if (axes_.empty() && other.axes_.empty()) return true;
  // Two runs meet where the distance between their starts is more than -other.run_ and less than
  // run_. Steps in this pattern shorten it: counted backwards from the last, they lengthen it.
  std::vector<ByteAxis> steps = other.axes_;
  for (const ByteAxis& axis : axes_) {
    distance -= axis.stride * (axis.extent - 1);
    auto same = std::find_if(steps.begin(), steps.end(),
                             [&](const ByteAxis& step) { return step.stride == axis.stride; });
    if (same == steps.end()) {
      steps.push_back(axis);
    } else {
      same->extent += axis.extent - 1;
    }
  }
  std::sort(steps.begin(), steps.end(), longer);
  return StepSearch(std::move(steps)).hits(1 - other.run_ - distance, run_ - 1 - distance);
}

}  // namespace pyaclnn::sim
