// SPDX-License-Identifier: MIT
#include "hccl/exchange.hpp"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <string>

#include "core/config.hpp"
#include "core/spin.hpp"
#include "core/status.hpp"

namespace pyaclnn::sim::hccl {
namespace {

// How often somebody who waits looks whether the others are still there.
constexpr std::chrono::milliseconds kLook(5);
// Where links of both kinds are waited for, one of which does not wake the other.
constexpr int kMixedLook = 1;
constexpr int kSpins = 4;

constexpr unsigned char kZeros[kUnit] = {};

std::size_t padding(std::size_t bytes) { return (kUnit - bytes % kUnit) % kUnit; }

}  // namespace

Exchange::Exchange(Member& member, Stream* stream, Lane lane, const Signature& doing)
    : member_(member),
      stream_(stream),
      lane_(lane),
      doing_(doing),
      outlets_(member.wiring.outlets[std::size_t(lane)]),
      inlets_(member.wiring.inlets[std::size_t(lane)]),
      pieces_(std::size_t(member.size())),
      stalled_since_(Clock::now()) {
  if (member_.wiring.region) member_.wiring.region->set_doing(lane_, doing_);
}

Exchange::~Exchange() {
  // A rank that failed is asked afterwards what it was in.
  if (member_.wiring.region && std::uncaught_exceptions() == 0)
    member_.wiring.region->set_doing(lane_, Signature());
}

void Exchange::limit(std::chrono::microseconds most) {
  limit_ = most;
  limited_since_ = Clock::now();
}

void Exchange::announce(int peer, const Signature& signature, std::size_t bytes) {
  Header header;
  header.signature = signature;
  header.bytes = bytes;
  headers_.push_back(header);
  send(peer, &headers_.back(), sizeof(Header));
}

void Exchange::send(int peer, const void* data, std::size_t bytes) {
  if (bytes == 0) return;
  pieces_[std::size_t(peer)].push_back({static_cast<const unsigned char*>(data), bytes});
  ++unsent_;
}

void Exchange::pad(int peer, std::size_t bytes) { send(peer, kZeros, padding(bytes)); }

/// One look at all links; whether nothing is left.
bool Exchange::push_all() {
  if (unsent_ == 0) return true;
  for (std::size_t peer = 0; peer < pieces_.size(); ++peer) {
    auto& queue = pieces_[peer];
    while (!queue.empty()) {
      Piece& piece = queue.front();
      const std::size_t taken = outlets_[peer]->offer(piece.data, piece.bytes);
      if (taken == 0) break;
      moved_ = true;
      piece.data += taken;
      piece.bytes -= taken;
      // Large data goes on after the other links, and what arrives, had a look.
      if (piece.bytes > 0) break;
      queue.pop_front();
      --unsent_;
    }
  }
  return unsent_ == 0;
}

/// Has the bell rung as soon as anything can go on.
void Exchange::await_all(int peer) {
  if (peer >= 0) inlet(peer).await();
  for (std::size_t each = 0; each < pieces_.size(); ++each) {
    if (!pieces_[each].empty() || int(each) == peer) outlets_[each]->await();
  }
}

template <class Step>
void Exchange::until(int peer, Step step) {
  Region* region = member_.wiring.region.get();
  while (true) {
    const std::uint32_t bell = region == nullptr ? 0 : region->bell();
    moved_ = false;
    push_all();
    if (step()) return;
    if (!moved_) {
      await_all(peer);
      push_all();
      if (step()) return;
      if (!moved_) wait(bell, peer);
    } else {
      stalled_since_ = Clock::now();
      has_warned_ = false;
    }
  }
}

void Exchange::wait(std::uint32_t bell, int peer) {
  if (Region* region = member_.wiring.region.get()) {
    // More ranks than processors: who is waited for needs this one.
    const int spins = member_.size() <= config().threads ? kSpins : 0;
    for (int spin = 0; spin < spins; ++spin) {
      if (spin_until([region, bell] { return region->bell() != bell; })) break;
    }
  }
  look_after(peer, false);
  look_at_limit(peer);
  if (member_.settings.exec_ms >= 0 &&
      Clock::now() - stalled_since_ > std::chrono::milliseconds(member_.settings.exec_ms))
    give_up(peer);
  if (stream_ == nullptr) {
    wait_a_while(bell, peer);
    return;
  }
  // The stream knows of it as of any task that waits for others, and may break it off: it asks
  // twice, the second time as blocked, and looks then whether it was told to stop.
  std::mutex mutex;
  std::condition_variable changed;
  std::unique_lock<std::mutex> lock(mutex);
  bool is_blocked = false;
  stream_->wait_inside_task(lock, changed, Clock::time_point::min(), [&] {
    if (is_blocked) wait_a_while(bell, peer);
    is_blocked = true;
    return false;
  });
}

void Exchange::wait_a_while(std::uint32_t bell, int peer) {
  std::vector<pollfd> files;
  for (std::size_t each = 0; each < pieces_.size(); ++each) {
    if (!pieces_[each].empty() && outlets_[each]->file() >= 0)
      files.push_back({outlets_[each]->file(), POLLOUT, 0});
  }
  if (peer >= 0 && inlet(peer).file() >= 0) files.push_back({inlet(peer).file(), POLLIN, 0});
  Region* region = member_.wiring.region.get();
  if (!files.empty() || region == nullptr) {
    poll(files.data(), files.size(), region == nullptr ? int(kLook.count()) : kMixedLook);
    return;
  }
  region->wait(bell, kLook);
  if (region->bell() == bell) look_after(peer, true);
}

void Exchange::look_at_limit(int peer) const {
  if (limit_.count() == 0 || Clock::now() - limited_since_ < limit_) return;
  const std::string whom = peer < 0 ? "the others" : "rank " + std::to_string(peer);
  fail(kRtAicoreException, "rank %d waits in %s for %s for more than the %lld us it was given",
       member_.rank(), describe(doing_).c_str(), whom.c_str(),
       static_cast<long long>(limit_.count()));
}

/// Failure(HCCL_E_REMOTE) once a rank that is waited for can send or take no more.
void Exchange::look_after(int peer, bool thoroughly) {
  Region* region = member_.wiring.region.get();
  if (region == nullptr) return;
  for (int each = 0; each < member_.size(); ++each) {
    const int place = member_.wiring.local[std::size_t(each)];
    if (place < 0 || (each != peer && pieces_[std::size_t(each)].empty())) continue;
    const RankState state = region->state(place);
    const bool lost = state == RankState::kLeft || state == RankState::kFailed ||
                      (thoroughly && state == RankState::kPresent && !region->lives(place));
    if (!lost) continue;
    // What it sent before that may have come since the last look.
    if (!has_warned_) {
      has_warned_ = true;
      return;
    }
    fail(HCCL_E_REMOTE, "rank %d waits in %s for rank %d, which %s", member_.rank(),
         describe(doing_).c_str(), each, member_.report(each).c_str());
  }
}

void Exchange::give_up(int peer) {
  std::string others;
  for (int each = 0; each < member_.size(); ++each) {
    if (each == member_.rank()) continue;
    others += "; rank " + std::to_string(each) + ": " + member_.report(each);
  }
  const std::string whom = peer < 0 ? "the others" : "rank " + std::to_string(peer);
  fail(HCCL_E_TIMEOUT, "rank %d waits in %s for %s for more than %g s (HCCL_EXEC_TIMEOUT)%s",
       member_.rank(), describe(doing_).c_str(), whom.c_str(),
       double(member_.settings.exec_ms) / 1000, others.c_str());
}

Header Exchange::next_header(int peer) {
  Header header;
  receive(peer, &header, sizeof header);
  if (header.magic != Header::kMagic) fail(HCCL_E_REMOTE, "what rank %d sent is no message", peer);
  return header;
}

void Exchange::complain(int peer, const Signature& expected, const Signature& found,
                        const std::string& detail) const {
  fail(HCCL_E_PARA, "rank %d is in %s, rank %d in %s%s", member_.rank(), describe(expected).c_str(),
       peer, describe(found).c_str(), detail.c_str());
}

void Exchange::expect(int peer, const Signature& signature, std::size_t bytes) {
  const Header header = next_header(peer);
  if (header.signature == signature && header.bytes == bytes) return;
  std::string detail;
  if (header.bytes != bytes)
    detail = ": it sends " + std::to_string(header.bytes) + " bytes to rank " +
             std::to_string(member_.rank()) + ", which expects " + std::to_string(bytes);
  complain(peer, signature, header.signature, detail);
}

std::size_t Exchange::expect(int peer, const Signature& signature) {
  const Header header = next_header(peer);
  if (!(header.signature == signature)) complain(peer, signature, header.signature, "");
  return std::size_t(header.bytes);
}

void Exchange::receive(int peer, std::size_t bytes, std::size_t element, Take take) {
  std::size_t offset = 0;
  until(peer, [&] {
    while (offset < bytes) {
      const Arrived arrived = inlet(peer).look();
      const std::size_t whole = std::min(arrived.bytes, bytes - offset) / element * element;
      if (whole == 0) return false;
      take(offset, arrived.data, whole);
      inlet(peer).consume(whole);
      moved_ = true;
      offset += whole;
      if (offset < bytes && unsent_ != 0) return false;
    }
    return true;
  });
}

void Exchange::receive(int peer, void* to, std::size_t bytes) {
  auto* target = static_cast<unsigned char*>(to);
  receive(peer, bytes, 1, [target](std::size_t offset, const unsigned char* data, std::size_t n) {
    std::memcpy(target + offset, data, n);
  });
}

void Exchange::skip_padding(int peer, std::size_t bytes) {
  receive(peer, padding(bytes), 1, [](std::size_t, const unsigned char*, std::size_t) {});
}

void Exchange::flush() {
  if (unsent_ == 0) return;
  until(-1, [this] { return unsent_ == 0; });
}

void Exchange::wait_until_consumed(int peer) {
  flush();
  until(peer, [this, peer] { return outlet(peer).consumed(); });
}

}  // namespace pyaclnn::sim::hccl
