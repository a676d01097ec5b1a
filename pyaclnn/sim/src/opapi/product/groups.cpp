// SPDX-License-Identifier: MIT
#include "opapi/product/groups.hpp"

#include <algorithm>

namespace pyaclnn::sim {

std::vector<Group> groups_of(const std::vector<std::int64_t>& numbers, std::int64_t type,
                             std::int64_t experts, std::int64_t extent) {
  std::vector<Group> result;
  std::int64_t taken = 0;
  const std::size_t step = type == kGroupPairs ? 2 : 1;
  for (std::size_t i = 0; i + step <= numbers.size(); i += step) {
    const std::int64_t expert = type == kGroupPairs ? numbers[i] : std::int64_t(i);
    const std::int64_t number = std::clamp<std::int64_t>(numbers[i + step - 1], 0, extent);
    const std::int64_t end =
        type == kGroupEnds ? std::max(number, taken) : std::min(extent, taken + number);
    if (expert >= 0 && expert < experts) result.push_back({expert, taken, end});
    taken = end;
  }
  return result;
}

View part_of(const View& view, std::size_t axis, std::int64_t begin, std::int64_t end) {
  View result = view;
  result.offset += begin * view.strides[axis];
  result.shape.set(axis, end - begin);
  return result;
}

}  // namespace pyaclnn::sim
