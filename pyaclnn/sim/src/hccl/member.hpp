// One rank of a communicator: what is behind an HcclComm.
// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "hccl/hccl_types.h"
#include "hccl/sequencer.hpp"
#include "hccl/settings.hpp"
#include "hccl/wiring.hpp"

namespace pyaclnn::sim::hccl {

/// What a rank began to send and others take later: whole messages, which stay until then.
struct Delivery {
  struct Message {
    std::vector<unsigned char> bytes;  // header, data and padding; of this rank itself data alone
    std::size_t gone = 0;              // of them, those that are on their way
  };
  Signature signature;
  std::vector<Message> messages;  // by rank
};

class Member {
 public:
  Member(std::string name, int device, Wiring wiring, const Settings& settings);
  ~Member();
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;

  int rank() const { return wiring.rank; }
  int size() const { return wiring.size; }

  /// Notes why communication failed, unless it did before, and lets the other ranks know.
  void fail(int code, const std::string& text);
  /// The result of what went wrong first, or HCCL_SUCCESS.
  HcclResult error() const { return HcclResult(error_.load()); }
  /// Failure with what went wrong first, if anything did.
  void require_sound() const;

  /// How a rank of this machine is doing, in words; "" where nothing is known.
  std::string report(int peer) const;

  const std::string name;
  const int device;
  const Settings settings;
  Wiring wiring;

  std::mutex submitting;  // turns are taken in the order of the streams
  Sequencer collective;
  std::vector<Sequencer> sending, receiving;  // by peer
  // Communications so far, changed by whose turn it is.
  std::uint64_t collectives = 0;
  std::optional<Delivery> delivery;  // between its two calls
  std::vector<std::uint64_t> sent, received;
  std::mutex controlling;  // the control lane
  std::uint64_t controls = 0;

 private:
  std::atomic<int> error_{HCCL_SUCCESS};
  mutable std::mutex mutex_;
  std::string text_;
};

/// The members behind handles. Failure(HCCL_E_PTR or HCCL_E_PARA) for what is none.
HcclComm publish(std::shared_ptr<Member> member);
std::shared_ptr<Member> find_member(HcclComm handle);
/// The one of a device with this name, or null.
std::shared_ptr<Member> find_member(const std::string& name, int device);
void withdraw(HcclComm handle);
/// A name that no other communicator of this process has.
std::string unused_name();

}  // namespace pyaclnn::sim::hccl
