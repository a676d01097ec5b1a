// What a rank says of a communication before its data, and how that reads.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace pyaclnn::sim::hccl {

enum class Function : std::uint32_t {
  kNone,
  kAllReduce,
  kBroadcast,
  kReduceScatter,
  kReduceScatterV,
  kScatter,
  kAllGather,
  kAllGatherV,
  kBarrier,
  kAlltoAll,
  kAlltoAllV,
  kReduce,
  kSend,
  kRecv,
  kBatchSendRecv,
  kCreateSubComm,
  kToExperts,
  kFromExperts,
  kCount,
};

/// "HcclAllReduce", ..., and what operators begin and end in two calls.
const char* function_name(Function function);

/// What all ranks of a communication have to agree on.
struct Signature {
  Function function = Function::kNone;
  std::uint32_t type = 0;
  std::uint32_t op = 0;
  std::uint32_t root = 0;
  std::uint64_t count = 0;
  std::uint64_t sequence = 0;  // which communication of its lane, from 0

  bool operator==(const Signature& other) const {
    return function == other.function && type == other.type && op == other.op &&
           root == other.root && count == other.count && sequence == other.sequence;
  }
};

/// "HcclAllReduce #3 (4 float32, sum)".
std::string describe(const Signature& signature);

/// Where data of a message begins and how much of it there is; then the data, then zeros up to a
/// multiple of kUnit, so that no element is ever cut in two by the end of a ring.
struct Header {
  static constexpr std::uint64_t kMagic = 0x68636c6d73673031;
  std::uint64_t magic = kMagic;
  Signature signature;
  std::uint64_t bytes = 0;
};

constexpr std::size_t kUnit = 16;
static_assert(sizeof(Header) % kUnit == 0, "data begins at a unit");

}  // namespace pyaclnn::sim::hccl
