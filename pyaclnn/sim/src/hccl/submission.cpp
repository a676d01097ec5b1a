// SPDX-License-Identifier: MIT
#include "hccl/submission.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "check/pointer.hpp"
#include "check/races.hpp"
#include "core/memory.hpp"
#include "core/status.hpp"
#include "hccl/entry.hpp"
#include "hccl/types.hpp"

namespace pyaclnn::sim::hccl {
namespace {

// What streams report, as the devices do: a wait that took too long, a peer that is gone, and what
// the processor that drives a communication found wrong.
constexpr int kTaskTimeout = 107020;
constexpr int kRemoteError = 507057;
constexpr int kDriverException = 507018;

int stream_code(int code) {
  if (code >= HCCL_E_RESERVED) return code;
  if (code == HCCL_E_TIMEOUT) return kTaskTimeout;
  return code == HCCL_E_REMOTE ? kRemoteError : kDriverException;
}

std::shared_ptr<Stream> checked_stream(aclrtStream stream) {
  require_pointer(stream, "stream");
  return resolve_stream(stream);
}

/// What a stream does with a call.
struct Work {
  std::shared_ptr<Member> member;
  std::shared_ptr<const Call> call;
  void (*run)(Member&, Stream&, const Call&);
  std::vector<Sequencer*> used;
  // They end with the task; null where that is of a graph, and takes them whenever it runs.
  std::shared_ptr<Turns> turns;

  int operator()() const {
    const auto now = turns ? turns : std::make_shared<Turns>(used, false);
    communicate(*member, *now, [&](Stream& stream) { run(*member, stream, *call); });
    return 0;
  }
};

}  // namespace

void communicate(Member& member, Turns& turns, FunctionRef<void(Stream&)> run) {
  Stream& stream = Stream::running();
  try {
    turns.enter(stream, deadline_after(member.settings.exec_ms));
    member.require_sound();
    run(stream);
  } catch (const Failure& failure) {
    member.fail(translated(failure.code()), failure.what());
    throw Failure(stream_code(failure.code()), failure.what());
  } catch (const std::exception& error) {
    member.fail(HCCL_E_INTERNAL, error.what());
    throw;
  }
}

Submission::Submission(Function function, HcclComm comm, aclrtStream stream)
    : function_(function), stream_(checked_stream(stream)), member_(find_member(comm)) {
  call_->signature.function = function;
  if (stream_->device() != member_->device)
    fail(HCCL_E_PARA, "the stream is of device %d, the communicator of device %d",
         stream_->device(), member_->device);
}

unsigned char* Submission::use(const void* pointer, std::size_t bytes, const char* name,
                               AccessMode mode, std::size_t alignment) {
  if (bytes == 0) return nullptr;
  require_pointer(pointer, name);
  if (reinterpret_cast<std::uintptr_t>(pointer) % alignment != 0)
    fail(HCCL_E_PARA, "%s %p is not aligned to elements of %zu bytes", name, pointer, alignment);
  const Allocation block = require_device_range(pointer, bytes, name, HCCL_E_PARA);
  if (block.device != member_->device)
    fail(HCCL_E_PARA, "%s %p is memory of device %d, the communicator is of device %d", name,
         pointer, block.device, member_->device);
  uses_.push_back({pointer, bytes, block.id});
  if (races::enabled()) {
    AccessList more =
        races::access_list(function_name(function_), {{mode, name, pointer, block.id, bytes}});
    accesses_.insert(accesses_.end(), more.begin(), more.end());
  }
  return static_cast<unsigned char*>(kernel_address(pointer));
}

Part Submission::part(std::size_t peer, const void* buffer, std::uint64_t place,
                      std::uint64_t count, HcclDataType type, const char* name, AccessMode mode,
                      std::size_t alignment) {
  require_count(place, "a displacement");
  require_count(count, "a count");
  const std::size_t element = element_size(type);
  Part part;
  part.peer = int(peer);
  part.type = type;
  part.count = count;
  part.bytes = std::size_t(count) * element;
  if (count == 0) return part;
  require_pointer(buffer, name);
  const auto* begin = static_cast<const unsigned char*>(buffer) + std::size_t(place) * element;
  part.data = use(begin, part.bytes, name, mode, alignment);
  return part;
}

bool Submission::is_collective() const {
  return function_ != Function::kSend && function_ != Function::kRecv &&
         function_ != Function::kBatchSendRecv;
}

/// What only one communication at a time may use, each once and always in the same order.
std::vector<Sequencer*> Submission::used() const {
  Member& member = *member_;
  if (is_collective()) return {&member.collective};
  std::vector<Sequencer*> all;
  for (const Part& part : call_->outgoing) all.push_back(&member.sending[std::size_t(part.peer)]);
  for (const Part& part : call_->incoming) all.push_back(&member.receiving[std::size_t(part.peer)]);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

void Submission::submit() {
  Work work;
  work.member = member_;
  work.call = call_;
  work.run = is_collective() ? &run_collective : &run_point_to_point;
  work.used = used();
  Task task;
  task.name = function_name(function_);
  task.uses = uses_;
  if (races::enabled()) task.accesses = std::make_shared<const AccessList>(std::move(accesses_));
  task.abandoned = [member = member_, name = task.name] {
    member->fail(HCCL_E_INTERNAL, std::string(name) + " was dropped before it began");
  };
  // Turns follow the order of the stream, so nobody comes between.
  std::lock_guard<std::mutex> guard(member_->submitting);
  if (!stream_->is_captured()) work.turns = std::make_shared<Turns>(work.used, true);
  task.run = std::move(work);
  stream_->submit(std::move(task));
}

}  // namespace pyaclnn::sim::hccl
