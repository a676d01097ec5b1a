// Communicators as operators see them. They know the name alone; libhccl, which stands above, says
// what is behind.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "acl/acl_base.h"
#include "core/export.hpp"
#include "core/stream_impl.hpp"
#include "objects/prepared_call.hpp"

namespace pyaclnn::sim {

/// Bytes for a rank, or from one.
struct Parcel {
  void* data = nullptr;
  std::size_t bytes = 0;
};

/// Who takes part in a move, and how long that may take.
struct Terms {
  std::vector<bool> left_out;  // by rank: they take no part, nor do they know of it; empty: none
  std::optional<std::chrono::microseconds> limit;  // a kernel's own, beside that of all
};

/// What operators send in one call and take in another: tokens for experts, or experts' results.
enum class Delivered { kTokens, kResults };

/// The communications of one run with the ranks of one communicator: they come one after the other,
/// and no other communication of the communicator between. Failure where one cannot be done; the
/// other ranks then fail too.
class Exchange {
 public:
  virtual ~Exchange() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// Adds up what all ranks have, in the order of the ranks; `to` may be `from`.
  virtual void all_reduce(const void* from, void* to, std::size_t count, aclDataType type) = 0;
  /// The same of the part of `count` elements that is this rank's.
  virtual void reduce_scatter(const void* from, void* to, std::size_t count, aclDataType type) = 0;
  /// Sends a piece to each rank, and takes one of the length that it gives from each.
  virtual void move(const std::vector<Parcel>& outgoing, const std::vector<Parcel>& incoming,
                    const Terms& terms = {}) = 0;
  /// Begins to send a piece to each rank, and waits for none; a later run ends it.
  virtual void begin(Delivered what, const std::vector<Parcel>& outgoing) = 0;
  /// Waits until all ranks have begun, and takes what they send here: of each at most `most`.
  virtual std::vector<std::vector<unsigned char>> end(Delivered what, std::size_t most) = 0;
};

/// One rank of a communicator.
class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Locked while turns are taken and work is submitted, so that one follows the other's order.
  virtual std::mutex& submitting() = 0;
  /// Takes a turn; one that is not in order is of a graph, whose work is ordered when it runs.
  virtual std::unique_ptr<Exchange> take_turn(bool in_order) = 0;
};

/// Gives the rank of the communicator of this name that a device is, or null.
using CommunicatorFinder = std::shared_ptr<Communicator> (*)(const std::string& name, int device);

SIM_API void set_communicator_finder(CommunicatorFinder finder);
SIM_API std::shared_ptr<Communicator> find_communicator(const std::string& name, int device);

/// The communicators of one run of a plan, found. Failure(561000) for one that is gone or another.
class Communicators {
 public:
  Communicators(const PreparedCall& prepared, int device);

  /// The exchanges of a run.
  class Turn {
   public:
    Turn(const Communicators& all, bool in_order);
    Exchange* const* exchanges() const { return pointers_.data(); }

   private:
    std::vector<std::unique_ptr<Exchange>> exchanges_;
    std::vector<Exchange*> pointers_;
  };

  /// Submits a task of so many turns: `make` is given the turn, or null where each run takes one.
  template <class Make>
  void submit(Stream& stream, Make make) const {
    const std::vector<std::unique_lock<std::mutex>> locked = lock();
    std::shared_ptr<Turn> turn;
    if (!stream.is_captured()) turn = std::make_shared<Turn>(*this, true);
    make(std::move(turn));
  }

 private:
  std::vector<std::unique_lock<std::mutex>> lock() const;

  std::vector<std::shared_ptr<Communicator>> all_;
};

}  // namespace pyaclnn::sim
