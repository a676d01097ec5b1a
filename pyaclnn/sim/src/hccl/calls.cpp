// The communications as C functions.
// SPDX-License-Identifier: MIT
#include "hccl/hccl.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/config.hpp"
#include "hccl/entry.hpp"
#include "hccl/submission.hpp"
#include "hccl/types.hpp"
#include "toolkit/hcomm/group.hpp"

namespace pyaclnn::sim::hccl {
namespace {

constexpr AccessMode kRead = AccessMode::kRead;
constexpr AccessMode kWrite = AccessMode::kWrite;

/// What all ranks have to say alike.
void describe_call(Submission& submission, std::uint64_t count, HcclDataType type,
                   HcclReduceOp op = HCCL_REDUCE_SUM, std::uint32_t root = 0) {
  require_count(count, "count");
  Call& call = submission.call();
  call.element = element_size(type);
  call.signature.type = std::uint32_t(type);
  call.signature.op = std::uint32_t(op);
  call.signature.root = root;
  call.signature.count = count;
}

void require_rank(Submission& submission, std::uint32_t rank, const char* name) {
  if (rank >= submission.size())
    fail(HCCL_E_PARA, "%s is %u, the communicator has %zu ranks", name, rank, submission.size());
}

void require_apart(const void* send, const void* receive) {
  if (send == receive) fail(HCCL_E_PARA, "sendBuf and recvBuf are the same, %p", send);
}

/// Parts of one length, one after the other.
std::vector<Part> equal_parts(Submission& submission, const void* buffer, std::uint64_t count,
                              HcclDataType type, const char* name, AccessMode mode,
                              std::size_t alignment = 1) {
  const std::size_t bytes = std::size_t(count) * element_size(type);
  unsigned char* data = submission.use(buffer, bytes * submission.size(), name, mode, alignment);
  std::vector<Part> parts(submission.size());
  for (std::size_t peer = 0; peer < parts.size(); ++peer)
    parts[peer] = {int(peer), data + peer * bytes, bytes, type, count};
  return parts;
}

/// Parts as two arrays in host memory have them, with a value for each rank.
std::vector<Part> listed_parts(Submission& submission, const void* buffer, const void* counts,
                               const void* places, HcclDataType type, const char* name,
                               AccessMode mode, std::size_t alignment = 1) {
  const auto* lengths = static_cast<const std::uint64_t*>(counts);
  const auto* begins = static_cast<const std::uint64_t*>(places);
  std::vector<Part> parts(submission.size());
  for (std::size_t peer = 0; peer < parts.size(); ++peer)
    parts[peer] =
        submission.part(peer, buffer, begins[peer], lengths[peer], type, name, mode, alignment);
  return parts;
}

/// The same for every rank, or for none.
std::vector<Part> same_parts(Submission& submission, unsigned char* data, std::size_t bytes) {
  std::vector<Part> parts(submission.size());
  for (std::size_t peer = 0; peer < parts.size(); ++peer) {
    parts[peer].peer = int(peer);
    parts[peer].data = data;
    parts[peer].bytes = bytes;
  }
  return parts;
}

void send_and_receive(const HcclSendRecvItem* items, std::size_t count, HcclComm comm,
                      aclrtStream stream) {
  Submission submission(Function::kBatchSendRecv, comm, stream);
  require_pointer(items, "sendRecvInfo");
  Call& call = submission.call();
  std::vector<Part> to_itself, from_itself;
  for (std::size_t i = 0; i < count; ++i) {
    const HcclSendRecvItem& item = items[i];
    const bool sends = item.sendRecvType == HCCL_SEND;
    if (!sends && item.sendRecvType != HCCL_RECV)
      fail(HCCL_E_PARA, "item %zu neither sends nor receives: its type is %d", i,
           int(item.sendRecvType));
    require_rank(submission, item.remoteRank, "remoteRank");
    Part part = submission.part(item.remoteRank, item.buf, 0, item.count, item.dataType, "buf",
                                sends ? kRead : kWrite);
    if (item.remoteRank == submission.rank()) (sends ? to_itself : from_itself).push_back(part);
    (sends ? call.outgoing : call.incoming).push_back(part);
  }
  bool alike = to_itself.size() == from_itself.size();
  for (std::size_t i = 0; alike && i < to_itself.size(); ++i)
    alike = to_itself[i].bytes == from_itself[i].bytes && to_itself[i].type == from_itself[i].type;
  if (!alike) fail(HCCL_E_PARA, "what this rank sends itself is not what it receives");
  submission.submit();
}

/// What a thread sends and receives within a group: one batch for each communicator and stream.
class Grouped {
 public:
  static void add(HcclComm comm, aclrtStream stream, const HcclSendRecvItem& item) {
    static thread_local std::vector<Grouped> batches;
    for (Grouped& batch : batches) {
      if (batch.comm_ == comm && batch.stream_ == stream) {
        batch.items_.push_back(item);
        return;
      }
    }
    if (batches.empty()) {
      pyaclnn::sim::hccl::at_group_end([] {
        for (const Grouped& batch : std::exchange(batches, {}))
          send_and_receive(batch.items_.data(), batch.items_.size(), batch.comm_, batch.stream_);
      });
    }
    batches.push_back(Grouped(comm, stream, item));
  }

 private:
  Grouped(HcclComm comm, aclrtStream stream, const HcclSendRecvItem& item)
      : comm_(comm), stream_(stream), items_{item} {}

  HcclComm comm_;
  aclrtStream stream_;
  std::vector<HcclSendRecvItem> items_;
};

void send_or_receive(Function function, void* buffer, std::uint64_t count, HcclDataType type,
                     std::uint32_t peer, HcclComm comm, aclrtStream stream) {
  if (count == 0) return;
  const bool sends = function == Function::kSend;
  if (in_group()) {
    Grouped::add(comm, stream, {sends ? HCCL_SEND : HCCL_RECV, buffer, count, type, peer});
    return;
  }
  const char* name = sends ? "sendBuf" : "recvBuf";
  Submission submission(function, comm, stream);
  require_pointer(buffer, name);
  require_rank(submission, peer, sends ? "destRank" : "srcRank");
  if (peer == submission.rank())
    fail(HCCL_E_NOT_SUPPORT, "%s is this rank itself, %u", sends ? "destRank" : "srcRank", peer);
  describe_call(submission, count, type, HCCL_REDUCE_SUM, peer);
  const AccessMode mode = sends ? kRead : kWrite;
  auto& parts = sends ? submission.call().outgoing : submission.call().incoming;
  parts.push_back(submission.part(peer, buffer, 0, count, type, name, mode));
  submission.submit();
}

}  // namespace
}  // namespace pyaclnn::sim::hccl

using namespace pyaclnn::sim::hccl;
using pyaclnn::sim::fail;

HcclResult HcclAllReduce(void* sendBuf, void* recvBuf, uint64_t count, HcclDataType dataType,
                         HcclReduceOp op, HcclComm comm, aclrtStream stream) {
  return enter(__func__, [&] {
    if (count == 0) return;
    Submission submission(Function::kAllReduce, comm, stream);
    require_pointer(sendBuf, "sendBuf");
    require_pointer(recvBuf, "recvBuf");
    require_reducible(dataType, op, Reducing::kToAll);
    describe_call(submission, count, dataType, op);
    Call& call = submission.call();
    const std::size_t bytes = std::size_t(count) * call.element;
    call.send = submission.use(sendBuf, bytes, "sendBuf", kRead, call.element);
    call.receive = submission.use(recvBuf, bytes, "recvBuf", kWrite, call.element);
    submission.submit();
  });
}

HcclResult HcclReduce(void* sendBuf, void* recvBuf, uint64_t count, HcclDataType dataType,
                      HcclReduceOp op, uint32_t root, HcclComm comm, aclrtStream stream) {
  return enter(__func__, [&] {
    if (count == 0) return;
    Submission submission(Function::kReduce, comm, stream);
    require_pointer(sendBuf, "sendBuf");
    require_pointer(recvBuf, "recvBuf");
    require_rank(submission, root, "root");
    require_reducible(dataType, op, Reducing::kToAll);
    describe_call(submission, count, dataType, op, root);
    Call& call = submission.call();
    const std::size_t bytes = std::size_t(count) * call.element;
    call.send = submission.use(sendBuf, bytes, "sendBuf", kRead, call.element);
    if (root == submission.rank())
      call.receive = submission.use(recvBuf, bytes, "recvBuf", kWrite, call.element);
    submission.submit();
  });
}

HcclResult HcclReduceScatter(void* sendBuf, void* recvBuf, uint64_t recvCount,
                             HcclDataType dataType, HcclReduceOp op, HcclComm comm,
                             aclrtStream stream) {
  return enter(__func__, [&] {
    if (recvCount == 0) return;
    Submission submission(Function::kReduceScatter, comm, stream);
    require_pointer(sendBuf, "sendBuf");
    require_pointer(recvBuf, "recvBuf");
    require_reducible(dataType, op, Reducing::kToAll);
    describe_call(submission, recvCount, dataType, op);
    Call& call = submission.call();
    call.outgoing =
        equal_parts(submission, sendBuf, recvCount, dataType, "sendBuf", kRead, call.element);
    call.receive = submission.use(recvBuf, std::size_t(recvCount) * call.element, "recvBuf", kWrite,
                                  call.element);
    submission.submit();
  });
}

HcclResult HcclReduceScatterV(void* sendBuf, const void* sendCounts, const void* sendDispls,
                              void* recvBuf, uint64_t recvCount, HcclDataType dataType,
                              HcclReduceOp op, HcclComm comm, aclrtStream stream) {
  return enter(__func__, [&] {
    Submission submission(Function::kReduceScatterV, comm, stream);
    require_pointer(sendCounts, "sendCounts");
    require_pointer(sendDispls, "sendDispls");
    require_reducible(dataType, op, Reducing::kScatterV);
    const auto* counts = static_cast<const uint64_t*>(sendCounts);
    std::uint64_t total = 0;
    for (std::size_t peer = 0; peer < submission.size(); ++peer) {
      require_count(counts[peer], "an element of sendCounts");
      total += counts[peer];
    }
    if (total != 0) require_apart(sendBuf, recvBuf);
    if (recvCount != counts[submission.rank()])
      fail(HCCL_E_PARA, "recvCount is %llu, sendCounts has %llu for this rank, %zu",
           static_cast<unsigned long long>(recvCount),
           static_cast<unsigned long long>(counts[submission.rank()]), submission.rank());
    describe_call(submission, total, dataType, op);
    Call& call = submission.call();
    call.outgoing = listed_parts(submission, sendBuf, sendCounts, sendDispls, dataType, "sendBuf",
                                 kRead, call.element);
    call.receive = submission.use(recvBuf, std::size_t(recvCount) * call.element, "recvBuf", kWrite,
                                  call.element);
    submission.submit();
  });
}

HcclResult HcclBroadcast(void* buf, uint64_t count, HcclDataType dataType, uint32_t root,
                         HcclComm comm, aclrtStream stream) {
  return enter(__func__, [&] {
    if (count == 0) return;
    Submission submission(Function::kBroadcast, comm, stream);
    require_pointer(buf, "buf");
    require_rank(submission, root, "root");
    describe_call(submission, count, dataType, HCCL_REDUCE_SUM, root);
    Call& call = submission.call();
    const std::size_t bytes = std::size_t(count) * call.element;
    const bool sends = root == submission.rank();
    unsigned char* data = submission.use(buf, bytes, "buf", sends ? kRead : kWrite);
    if (sends) {
      call.outgoing = same_parts(submission, data, bytes);
    } else {
      call.incoming = same_parts(submission, nullptr, 0);
      call.incoming[root].data = data;
      call.incoming[root].bytes = bytes;
    }
    submission.submit();
  });
}

HcclResult HcclScatter(void* sendBuf, void* recvBuf, uint64_t recvCount, HcclDataType dataType,
                       uint32_t root, HcclComm comm, aclrtStream stream) {
  return enter(__func__, [&] {
    if (recvCount == 0) return;
    Submission submission(Function::kScatter, comm, stream);
    require_pointer(recvBuf, "recvBuf");
    require_rank(submission, root, "root");
    describe_call(submission, recvCount, dataType, HCCL_REDUCE_SUM, root);
    Call& call = submission.call();
    call.incoming = same_parts(submission, nullptr, 0);
    if (root == submission.rank()) {
      require_pointer(sendBuf, "sendBuf");
      call.outgoing = equal_parts(submission, sendBuf, recvCount, dataType, "sendBuf", kRead);
    }
    call.incoming[root] = submission.part(root, recvBuf, 0, recvCount, dataType, "recvBuf", kWrite);
    submission.submit();
  });
}

HcclResult HcclAllGather(void* sendBuf, void* recvBuf, uint64_t sendCount, HcclDataType dataType,
                         HcclComm comm, aclrtStream stream) {
  return enter(__func__, [&] {
    if (sendCount == 0) return;
    Submission submission(Function::kAllGather, comm, stream);
    require_pointer(sendBuf, "sendBuf");
    require_pointer(recvBuf, "recvBuf");
    describe_call(submission, sendCount, dataType);
    Call& call = submission.call();
    const std::size_t bytes = std::size_t(sendCount) * call.element;
    unsigned char* data = submission.use(sendBuf, bytes, "sendBuf", kRead);
    call.outgoing = same_parts(submission, data, bytes);
    call.incoming = equal_parts(submission, recvBuf, sendCount, dataType, "recvBuf", kWrite);
    submission.submit();
  });
}

HcclResult HcclAllGatherV(void* sendBuf, uint64_t sendCount, void* recvBuf, const void* recvCounts,
                          const void* recvDispls, HcclDataType dataType, HcclComm comm,
                          aclrtStream stream) {
  return enter(__func__, [&] {
    Submission submission(Function::kAllGatherV, comm, stream);
    require_pointer(recvCounts, "recvCounts");
    require_pointer(recvDispls, "recvDispls");
    const auto* counts = static_cast<const uint64_t*>(recvCounts);
    std::uint64_t total = 0;
    for (std::size_t peer = 0; peer < submission.size(); ++peer) {
      require_count(counts[peer], "an element of recvCounts");
      total += counts[peer];
    }
    if (total != 0) require_apart(sendBuf, recvBuf);
    if (sendCount != counts[submission.rank()])
      fail(HCCL_E_PARA, "sendCount is %llu, recvCounts has %llu for this rank, %zu",
           static_cast<unsigned long long>(sendCount),
           static_cast<unsigned long long>(counts[submission.rank()]), submission.rank());
    describe_call(submission, total, dataType);
    Call& call = submission.call();
    const std::size_t bytes = std::size_t(sendCount) * call.element;
    unsigned char* data = submission.use(sendBuf, bytes, "sendBuf", kRead);
    call.outgoing = same_parts(submission, data, bytes);
    call.incoming =
        listed_parts(submission, recvBuf, recvCounts, recvDispls, dataType, "recvBuf", kWrite);
    submission.submit();
  });
}

HcclResult HcclAlltoAll(const void* sendBuf, uint64_t sendCount, HcclDataType sendType,
                        const void* recvBuf, uint64_t recvCount, HcclDataType recvType,
                        HcclComm comm, aclrtStream stream) {
  return enter(__func__, [&] {
    if (sendCount == 0 && recvCount == 0) return;
    Submission submission(Function::kAlltoAll, comm, stream);
    require_pointer(sendBuf, "sendBuf");
    require_pointer(recvBuf, "recvBuf");
    if (sendCount != recvCount || sendType != recvType)
      fail(HCCL_E_PARA, "%llu %s are sent to each rank, %llu %s received; they have to be alike",
           static_cast<unsigned long long>(sendCount), type_name(sendType),
           static_cast<unsigned long long>(recvCount), type_name(recvType));
    require_apart(sendBuf, recvBuf);
    describe_call(submission, recvCount, recvType);
    Call& call = submission.call();
    call.outgoing = equal_parts(submission, sendBuf, sendCount, sendType, "sendBuf", kRead);
    call.incoming = equal_parts(submission, recvBuf, recvCount, recvType, "recvBuf", kWrite);
    submission.submit();
  });
}

HcclResult HcclAlltoAllV(const void* sendBuf, const void* sendCounts, const void* sdispls,
                         HcclDataType sendType, const void* recvBuf, const void* recvCounts,
                         const void* rdispls, HcclDataType recvType, HcclComm comm,
                         aclrtStream stream) {
  return enter(__func__, [&] {
    Submission submission(Function::kAlltoAllV, comm, stream);
    require_pointer(sendCounts, "sendCounts");
    require_pointer(sdispls, "sdispls");
    require_pointer(recvCounts, "recvCounts");
    require_pointer(rdispls, "rdispls");
    if (sendType != recvType)
      fail(HCCL_E_PARA, "sendType is %s, recvType %s; they have to be alike", type_name(sendType),
           type_name(recvType));
    if (sendBuf != nullptr) require_apart(sendBuf, recvBuf);
    // Each pair of ranks has a length of its own, which their messages tell.
    describe_call(submission, 0, recvType);
    Call& call = submission.call();
    call.outgoing =
        listed_parts(submission, sendBuf, sendCounts, sdispls, sendType, "sendBuf", kRead);
    call.incoming =
        listed_parts(submission, recvBuf, recvCounts, rdispls, recvType, "recvBuf", kWrite);
    const std::size_t own = submission.rank();
    if (call.outgoing[own].bytes != call.incoming[own].bytes)
      fail(HCCL_E_PARA, "this rank sends itself %zu bytes and receives %zu",
           call.outgoing[own].bytes, call.incoming[own].bytes);
    submission.submit();
  });
}

HcclResult HcclBarrier(HcclComm comm, aclrtStream stream) {
  return enter(__func__, [&] { Submission(Function::kBarrier, comm, stream).submit(); });
}

HcclResult HcclSend(void* sendBuf, uint64_t count, HcclDataType dataType, uint32_t destRank,
                    HcclComm comm, aclrtStream stream) {
  return enter(__func__, [&] {
    send_or_receive(Function::kSend, sendBuf, count, dataType, destRank, comm, stream);
  });
}

HcclResult HcclRecv(void* recvBuf, uint64_t count, HcclDataType dataType, uint32_t srcRank,
                    HcclComm comm, aclrtStream stream) {
  return enter(__func__, [&] {
    send_or_receive(Function::kRecv, recvBuf, count, dataType, srcRank, comm, stream);
  });
}

HcclResult HcclBatchSendRecv(HcclSendRecvItem* sendRecvInfo, uint32_t itemNum, HcclComm comm,
                             aclrtStream stream) {
  return enter(__func__, [&] {
    if (itemNum == 0) return;
    if (pyaclnn::sim::chip().soc == pyaclnn::sim::Soc::kAscend310P)
      fail(HCCL_E_NOT_SUPPORT, "%s has no HcclBatchSendRecv", pyaclnn::sim::chip().name);
    send_and_receive(sendRecvInfo, itemNum, comm, stream);
  });
}
