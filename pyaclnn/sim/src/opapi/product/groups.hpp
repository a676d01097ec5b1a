// Groups of rows, or of the inner axis of products: one for each expert, behind one another.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "objects/launch.hpp"
#include "opapi/common/view.hpp"

namespace pyaclnn::sim {

/// [begin, end) of an axis, for an expert.
struct Group {
  std::int64_t expert;
  std::int64_t begin;
  std::int64_t end;

  std::int64_t size() const { return end - begin; }
};

/// What the numbers of a list of groups are.
enum GroupListType : std::int64_t { kGroupEnds = 0, kGroupSizes = 1, kGroupPairs = 2 };

/// The groups of so many experts on an axis; numbers from the device may be anything, groups are on
/// the axis and do not overlap.
std::vector<Group> groups_of(const std::vector<std::int64_t>& numbers, std::int64_t type,
                             std::int64_t experts, std::int64_t extent);

/// Part of a view along one axis.
View part_of(const View& view, std::size_t axis, std::int64_t begin, std::int64_t end);

}  // namespace pyaclnn::sim
