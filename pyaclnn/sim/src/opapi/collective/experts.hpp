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

/// Where experts are. Those that are shared have ranks of their own, before those of the others; a
/// rank sends to one of the several that each of them has.
struct Homes {
  std::int64_t ranks = 0, rank = 0;
  std::int64_t experts = 0;  // that tokens choose, with weights
  std::int64_t shared = 0, shared_ranks = 0;
  std::int64_t without_weights =
      0;                  // whose numbers follow; their results are made where tokens are
  bool parted = false;    // each of the ranks of a shared expert has a part of every rank's tokens
  std::int64_t left = 0;  // numbers between these of experts that went with their ranks

  std::int64_t each() const { return experts / (ranks - shared_ranks); }
  bool is_shared() const { return rank < shared_ranks; }
  /// How many experts a rank has, and this one.
  std::int64_t of(std::int64_t at) const { return at < shared_ranks ? 1 : each(); }
  std::int64_t here() const { return of(rank); }
  /// Ranks that have the same shared expert.
  std::int64_t copies() const { return shared_ranks == 0 ? 1 : shared_ranks / shared; }
  /// Where parts are: this rank's tokens before one of them. A rank that has the shared expert
  /// keeps all of its own, and counts them so.
  std::int64_t before(std::int64_t part, std::int64_t tokens) const {
    return (rank + part) * tokens / shared_ranks - rank * tokens / shared_ranks;
  }
  /// The rank of a shared expert that a token goes to, by the expert's number.
  std::int64_t shared_home(std::int64_t number, std::int64_t token, std::int64_t tokens) const;
  /// The first number of an expert without weights.
  std::int64_t weightless() const { return experts + left; }
  /// All experts by rank: each rank of a shared one counts.
  std::int64_t all() const { return shared_ranks + experts; }
  std::int64_t home(std::int64_t of_all) const {
    return of_all < shared_ranks ? of_all : shared_ranks + (of_all - shared_ranks) / each();
  }
};

/// Which tokens a rank sends where: places by expert. A place is a token times the columns of
/// expertIds, and of the shared experts behind these, plus a column.
struct Sending {
  std::int64_t columns = 0;
  std::vector<std::vector<std::int32_t>> places;  // of each expert of Homes::all
  std::vector<std::int32_t> elsewhere;            // of those without weights
  std::vector<bool> active;                       // tokens of which a place takes part

  /// 507015 for an expert that there is not. A mask is of tokens, or of places.
  Sending(const KernelMemory& memory, const View& experts, const View& mask, const Homes& homes);

  /// How many earlier places of this rank have the same expert, for those of expertIds.
  std::vector<std::int32_t> earlier(std::int64_t chosen) const;
};

/// Whether an operand is there.
bool is_there(const View& view);
View read_or_none(Plan& plan, const TensorArgument& tensor);

/// One row of a matrix whose rows have no gaps, and its bytes.
std::byte* row_of(const KernelMemory& memory, const View& matrix, std::int64_t row);
std::size_t row_bytes(std::int64_t width, aclDataType dtype);

/// The result of an expert for a token; none where a place takes no part, or for zeros.
struct ExpertRow {
  const void* data = nullptr;
  aclDataType dtype = ACL_DT_UNDEFINED;
};

/// The sum of experts' results by token, times their weights, in the order of places. Those of
/// shared experts, behind the first `chosen`, have no weight.
struct WeightedSum {
  std::int64_t chosen;
  View weights, shared, out;

  /// Tokens that are not active are left as they are.
  void operator()(const KernelMemory& memory, const Sending& sending,
                  const std::vector<ExpertRow>& found) const;
};

/// 561002 unless a tensor has a row for each of [tokens, width], in one axis or two.
void check_shared_rows(const Plan& plan, const TensorArgument& shared, const Dims& shape);

}  // namespace pyaclnn::sim
