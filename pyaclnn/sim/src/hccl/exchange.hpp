// One communication of a rank: what it sends moves while it receives.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "core/function_ref.hpp"
#include "hccl/member.hpp"

namespace pyaclnn::sim::hccl {

class Exchange {
 public:
  /// `stream` is where it runs; null: in a thread of the program.
  Exchange(Member& member, Stream* stream, Lane lane, const Signature& doing);
  ~Exchange();
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  /// Failure(507015), as a kernel gives up by itself, once waiting has taken so long from here on.
  void limit(std::chrono::microseconds most);

  /// Begins a message: what it is, and how long. send() adds its data, which has to stay.
  void announce(int peer, const Signature& signature, std::size_t bytes);
  void send(int peer, const void* data, std::size_t bytes);
  /// Ends a part of a message: what follows begins at a unit.
  void pad(int peer, std::size_t bytes);

  /// Reads how a message begins; Failure(HCCL_E_PARA) unless it is the one that is expected.
  void expect(int peer, const Signature& signature, std::size_t bytes);
  /// The same where the sender alone knows the length, which is returned.
  std::size_t expect(int peer, const Signature& signature);
  /// Takes what arrives, in whole elements: its place in this part, and the bytes.
  using Take = FunctionRef<void(std::size_t offset, const unsigned char* data, std::size_t bytes)>;
  void receive(int peer, std::size_t bytes, std::size_t element, Take take);
  void receive(int peer, void* to, std::size_t bytes);
  void skip_padding(int peer, std::size_t bytes);

  /// Waits until all that is to be sent is on its way.
  void flush();
  /// Waits until a rank has received all of it, too.
  void wait_until_consumed(int peer);

 private:
  struct Piece {
    const unsigned char* data;
    std::size_t bytes;
  };

  bool push_all();
  void await_all(int peer);
  template <class Step>
  void until(int peer, Step step);
  void wait(std::uint32_t bell, int peer);
  void wait_a_while(std::uint32_t bell, int peer);
  void look_at_limit(int peer) const;
  void look_after(int peer, bool thoroughly);
  [[noreturn]] void give_up(int peer);
  Header next_header(int peer);
  [[noreturn]] void complain(int peer, const Signature& expected, const Signature& found,
                             const std::string& detail) const;
  Outlet& outlet(int peer) { return *outlets_[std::size_t(peer)]; }
  Inlet& inlet(int peer) { return *inlets_[std::size_t(peer)]; }

  Member& member_;
  Stream* const stream_;
  const Lane lane_;
  const Signature doing_;
  std::vector<std::unique_ptr<Outlet>>& outlets_;
  std::vector<std::unique_ptr<Inlet>>& inlets_;
  std::deque<Header> headers_;
  std::vector<std::deque<Piece>> pieces_;
  std::size_t unsent_ = 0;  // pieces
  bool moved_ = false;
  bool has_warned_ = false;  // a rank is lost: what it sent before is still taken
  Clock::time_point stalled_since_;
  std::chrono::microseconds limit_{0};  // 0: none of its own
  Clock::time_point limited_since_;
};

}  // namespace pyaclnn::sim::hccl
