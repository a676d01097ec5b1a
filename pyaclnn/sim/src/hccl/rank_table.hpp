// The file that says where the ranks of a cluster are.
// SPDX-License-Identifier: MIT
#pragma once

#include "hccl/rendezvous.hpp"

namespace pyaclnn::sim::hccl {

struct RankTable {
  int size = 0;
  Meeting meeting;  // rank 0 holds it
};

/// Failure(HCCL_E_OPEN_FILE_FAILURE) without the file, Failure(HCCL_E_PARA) for one that is no
/// table or has no such rank.
RankTable read_rank_table(const char* path, int rank, const Settings& settings);

}  // namespace pyaclnn::sim::hccl
