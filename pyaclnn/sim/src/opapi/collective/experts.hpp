// What operators that send tokens to experts of other ranks, and take the results, have in common.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

constexpr std::int64_t kAssist = 128;  // numbers for each row that a combination may want
constexpr std::size_t kLongestGroup = 127;
constexpr std::int64_t kMostChosen = 16;

/// Which tokens a rank sends where: places in expertIds, by expert.
struct Sending {
  std::vector<std::vector<std::int32_t>> places;  // of each expert of all ranks

  /// 507015 for an expert that there is not. A mask is of tokens, or of places.
  Sending(const KernelMemory& memory, const View& experts, const View& mask, std::int64_t count);

  /// How many earlier places of this rank have the same expert.
  std::vector<std::int32_t> earlier(std::int64_t all) const;
};

/// Whether an operand is there.
bool is_there(const View& view);
View read_or_none(Plan& plan, const TensorArgument& tensor);

/// One row of a matrix whose rows have no gaps.
std::byte* row_of(const KernelMemory& memory, const View& matrix, std::int64_t row);

/// Makes integers up to 127 of a row, times the expert's factors where there are any; the scale.
float quantise_row(std::vector<float>& line, const float* smooth);

/// The sum of experts' results by token, times their weights, in the order of expertIds.
struct WeightedSum {
  aclDataType dtype;
  std::int64_t chosen;
  View weights, shared, out;

  /// The row of each place of expertIds, or null for one that takes no part. A token without any
  /// row is left as it is.
  void operator()(const KernelMemory& memory, const std::vector<const unsigned char*>& found) const;
};

}  // namespace pyaclnn::sim
