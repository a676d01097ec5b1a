// A call on its way to the stream: memory it uses is checked, noted and kept in order.
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "check/access.hpp"
#include "core/function_ref.hpp"
#include "core/stream.hpp"
#include "hccl/collectives.hpp"

namespace pyaclnn::sim::hccl {

/// Runs a communication in the task of a stream, once its turns have come. What fails is told to
/// the other ranks, and thrown as streams report it.
void communicate(Member& member, Turns& turns, FunctionRef<void(Stream&)> run);

class Submission {
 public:
  /// `stream` is checked first: Failure(HCCL_E_PTR) for null, as CANN has it; then `comm`.
  Submission(Function function, HcclComm comm, aclrtStream stream);

  Member& member() { return *member_; }
  Call& call() { return *call_; }
  std::size_t rank() const { return std::size_t(member_->rank()); }
  std::size_t size() const { return std::size_t(member_->size()); }

  /// Checks and notes memory of the member's device; gives where this process reaches it.
  /// Failure(HCCL_E_PARA) for what is no such memory, or not aligned to `alignment`.
  unsigned char* use(const void* pointer, std::size_t bytes, const char* name, AccessMode mode,
                     std::size_t alignment = 1);
  /// A part of a buffer for or from a rank, used.
  Part part(std::size_t peer, const void* buffer, std::uint64_t place, std::uint64_t count,
            HcclDataType type, const char* name, AccessMode mode, std::size_t alignment = 1);

  /// Hands it to the stream.
  void submit();

 private:
  using Runner = void (*)(Member&, Stream&, const Call&);
  std::vector<Sequencer*> used() const;
  bool is_collective() const;

  const Function function_;
  std::shared_ptr<Stream> stream_;
  std::shared_ptr<Member> member_;
  std::shared_ptr<Call> call_ = std::make_shared<Call>();
  MemoryUses uses_;
  AccessList accesses_;
};

}  // namespace pyaclnn::sim::hccl
