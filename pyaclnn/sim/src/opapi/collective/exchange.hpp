// What operators of several devices exchange: the collectives of HCCL, as steps of a plan.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <vector>

#include "objects/communicators.hpp"
#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// A communicator that an operator names.
struct Ranks {
  std::size_t place = 0;  // in KernelMemory::exchanges
  int count = 0;
};

/// 561002 where `group` names no communicator of the current device, or one whose number of ranks
/// is none of these.
Ranks ranks_of(Plan& plan, const Text& group, std::initializer_list<int> accepted);

/// Refuses any `reduceOp` but "sum", and any `streamMode` but 1, in this order.
void check_sum(const Check& check, const Text& reduce_op);
void check_stream_mode(const Check& check, std::int64_t mode);
/// Refuses a `commMode` that the chip does not have, in versions of an operator that have one.
void check_comm_mode(const Check& check, const Text& mode);
/// 561002 unless the communication is in one part.
void check_one_turn(const Plan& plan, std::int64_t turns);

/// 561002 where HCCL_BUFFSIZE, the memory that ranks exchange through, has no room for so many
/// bytes.
void check_window(const Plan& plan, std::uint64_t needed);

/// The two axes of a contiguous matrix were exchanged.
bool is_transposed(const TensorArgument& matrix);
/// On A2, a matrix is contiguous, or a contiguous one transposed; 161002 for another view.
void check_matrix_view(const Check& check, const TensorArgument& matrix);

/// Whether there is a tensor that need not be given, and may be empty for that.
inline bool wanted(const TensorArgument& tensor) { return tensor.given() && !tensor.is_empty(); }

/// The tensor itself, or a copy without gaps where it has some.
TensorArgument without_gaps(Plan& plan, const TensorArgument& tensor);
/// Takes what was written without gaps back to a tensor that has some.
void land(Plan& plan, const TensorArgument& landed, const TensorArgument& tensor);
/// A tensor without gaps as one of another shape.
TensorArgument reshaped(Plan& plan, const TensorArgument& tensor, const Dims& shape);
/// A copy of a tensor without gaps, seen as one of this shape, with the axes in another order.
TensorArgument permuted(Plan& plan, const TensorArgument& tensor, const Dims& shape,
                        std::initializer_list<std::size_t> order);
/// All but the last axis as one: rows.
TensorArgument as_rows(Plan& plan, const TensorArgument& tensor);

/// out = the sum over all ranks, each of which has a tensor like `in`, in the order of the ranks.
void all_reduce(Plan& plan, const Ranks& ranks, const TensorArgument& in,
                const TensorArgument& out);
/// The same of the part of the first axis that is this rank's.
void reduce_scatter(Plan& plan, const Ranks& ranks, const TensorArgument& in,
                    const TensorArgument& out);
/// out = what all ranks have, one after the other along the first axis.
void all_gather(Plan& plan, const Ranks& ranks, const TensorArgument& in,
                const TensorArgument& out);
/// out[i] = in[rank] of rank i; the first axis has a part for each rank.
void all_to_all(Plan& plan, const Ranks& ranks, const TensorArgument& in,
                const TensorArgument& out);

/// How many rows go from each rank to each expert of another; `counts` are by rank, then by expert.
struct RowCounts {
  std::vector<std::int64_t> counts;
  std::int64_t experts = 0;

  /// The first row of each count, where rows lie by rank, or by expert and then by rank.
  std::vector<std::int64_t> places(bool by_expert) const;
  /// The rows of an expert.
  std::int64_t of_expert(std::int64_t expert) const;
};

/// The rows of `in`, which lie by rank, go there, and come to lie by expert in `out`.
void rows_to_experts(Plan& plan, const Ranks& ranks, const TensorArgument& in,
                     const RowCounts& sent, const TensorArgument& out, const RowCounts& received);
/// The way back, from rows by expert to rows by rank.
void rows_from_experts(Plan& plan, const Ranks& ranks, const TensorArgument& in,
                       const RowCounts& sent, const TensorArgument& out, const RowCounts& received);

/// What each rank has for this one while a kernel runs: `size` bytes, which begin at `own` for the
/// first rank and `step` bytes later for each further one; a step of 0 gives all the same.
std::vector<std::vector<std::byte>> met_by_all(const Ranks& ranks, const KernelMemory& memory,
                                               std::byte* own, std::size_t size,
                                               std::size_t step = 0);

/// The terms of a meeting, where tensors say them.
using TermsOf = std::function<Terms(const KernelMemory& memory, int rank)>;

/// Waits until all ranks are here that are not left out; no function: all.
void meet(Plan& plan, const Ranks& ranks, TermsOf terms = nullptr);

}  // namespace pyaclnn::sim
