// SPDX-License-Identifier: MIT
#include "hccl/signature.hpp"

#include <iterator>

#include "hccl/types.hpp"

namespace pyaclnn::sim::hccl {
namespace {

constexpr const char* kNames[] = {"nothing",
                                  "HcclAllReduce",
                                  "HcclBroadcast",
                                  "HcclReduceScatter",
                                  "HcclReduceScatterV",
                                  "HcclScatter",
                                  "HcclAllGather",
                                  "HcclAllGatherV",
                                  "HcclBarrier",
                                  "HcclAlltoAll",
                                  "HcclAlltoAllV",
                                  "HcclReduce",
                                  "HcclSend",
                                  "HcclRecv",
                                  "HcclBatchSendRecv",
                                  "HcclCreateSubCommConfig",
                                  "MoeDistributeDispatch",
                                  "MoeDistributeCombine"};
static_assert(std::size(kNames) == std::size_t(Function::kCount));

bool reduces(Function function) {
  return function == Function::kAllReduce || function == Function::kReduceScatter ||
         function == Function::kReduceScatterV || function == Function::kReduce;
}

bool has_root(Function function) {
  return function == Function::kBroadcast || function == Function::kScatter ||
         function == Function::kReduce;
}

bool has_data(Function function) {
  return function != Function::kBarrier && function != Function::kBatchSendRecv &&
         function != Function::kCreateSubComm && function != Function::kToExperts &&
         function != Function::kFromExperts;
}

}  // namespace

const char* function_name(Function function) {
  return function < Function::kCount ? kNames[std::size_t(function)] : "something unknown";
}

std::string describe(const Signature& signature) {
  const Function function = signature.function;
  std::string text = function_name(function);
  if (function == Function::kNone || function >= Function::kCount) return text;
  text += " #" + std::to_string(signature.sequence);
  if (!has_data(function)) return text;
  text += " (" + std::to_string(signature.count) + " " + type_name(HcclDataType(signature.type));
  if (reduces(function)) text += std::string(", ") + reduction_name(HcclReduceOp(signature.op));
  if (has_root(function)) text += ", root " + std::to_string(signature.root);
  if (function == Function::kSend) text += ", to rank " + std::to_string(signature.root);
  if (function == Function::kRecv) text += ", from rank " + std::to_string(signature.root);
  return text + ")";
}

}  // namespace pyaclnn::sim::hccl
