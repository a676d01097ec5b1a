// The communications themselves: what each rank sends to which, and makes of what it gets.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "hccl/exchange.hpp"
#include "objects/communicators.hpp"

namespace pyaclnn::sim::hccl {

/// One part of a buffer, in bytes, and the rank it goes to or comes from.
struct Part {
  int peer = 0;
  unsigned char* data = nullptr;
  std::size_t bytes = 0;
  HcclDataType type = HCCL_DATA_TYPE_INT8;
  std::uint64_t count = 0;
};

/// A call, checked; its addresses are those at which this process reaches the memory.
struct Call {
  Signature signature;  // its sequence is set when it runs
  std::size_t element = 1;
  unsigned char* send = nullptr;
  unsigned char* receive = nullptr;
  std::vector<Part> outgoing;  // one for each rank, but for HcclBatchSendRecv
  std::vector<Part> incoming;
  Terms terms;  // where nothing is but moved
};

/// Runs it in the calling thread, which works for `stream`; Failure with a code of this library.
///
/// All ranks put values together in the order of the ranks, so a result depends on nothing else.
void run_collective(Member& member, Stream& stream, const Call& call);
/// Begins to send these bytes, one piece for each rank, and waits for nobody. What does not fit
/// between two ranks follows when this rank ends it.
void begin_delivery(Member& member, Function function, const std::vector<Part>& outgoing);
/// Takes what all ranks began to send here, itself included, and no more than `most` of each.
std::vector<std::vector<unsigned char>> end_delivery(Member& member, Stream& stream,
                                                     Function function, std::size_t most);
/// HcclSend, HcclRecv and HcclBatchSendRecv.
void run_point_to_point(Member& member, Stream& stream, const Call& call);

}  // namespace pyaclnn::sim::hccl
