// SPDX-License-Identifier: MIT
#include "hccl/collectives.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/status.hpp"
#include "hccl/combine.hpp"

namespace pyaclnn::sim::hccl {
namespace {

// Up to here everybody sends everything to everybody, which takes one turn in place of two.
constexpr std::size_t kAtOnce = std::size_t(16) << 10;
// What is put together before the next stretch, so that it stays in the cache of a processor.
constexpr std::size_t kStretch = std::size_t(64) << 10;

class Collective {
 public:
  Collective(Member& member, Stream& stream, const Call& call, const Signature& signature)
      : call_(call),
        signature_(signature),
        rank_(member.rank()),
        size_(member.size()),
        type_(HcclDataType(signature.type)),
        op_(HcclReduceOp(signature.op)),
        exchange_(member, &stream, Lane::kCollective, signature) {
    if (call.terms.limit.has_value()) exchange_.limit(*call.terms.limit);
  }

  void run() {
    switch (signature_.function) {
      case Function::kAllReduce:
        return all_reduce();
      case Function::kReduce:
        return reduce();
      case Function::kReduceScatter:
      case Function::kReduceScatterV:
        return reduce_scatter();
      default:
        return move();
    }
  }

 private:
  /// Beginning behind this rank, so that not all work on the same one.
  template <class Body>
  void each_peer(Body body) {
    for (int step = 1; step < size_; ++step) unless_left_out((rank_ + step) % size_, body);
  }

  /// Those who send to this rank first come first.
  template <class Body>
  void each_sender(Body body) {
    for (int step = 1; step < size_; ++step) unless_left_out((rank_ - step + size_) % size_, body);
  }

  template <class Body>
  void unless_left_out(int peer, Body body) {
    const std::vector<bool>& left_out = call_.terms.left_out;
    if (left_out.empty() || !left_out[std::size_t(peer)]) body(peer);
  }

  /// The place of a rank's share of the elements, in bytes.
  std::size_t share_begin(int rank) const {
    const auto elements = signature_.count * std::uint64_t(rank) / std::uint64_t(size_);
    return std::size_t(elements) * call_.element;
  }

  std::size_t share_size(int rank) const { return share_begin(rank + 1) - share_begin(rank); }

  std::size_t all_bytes() const { return std::size_t(signature_.count) * call_.element; }

  void send_message(int peer, const void* data, std::size_t bytes) {
    exchange_.announce(peer, signature_, bytes);
    exchange_.send(peer, data, bytes);
    exchange_.pad(peer, bytes);
  }

  /// Whatever only moves: each part goes where it belongs.
  void move() {
    each_peer([this](int peer) {
      const Part part = call_.outgoing.empty() ? Part() : call_.outgoing[std::size_t(peer)];
      send_message(peer, part.data, part.bytes);
    });
    expect_all([this](int peer) {
      return call_.incoming.empty() ? 0 : call_.incoming[std::size_t(peer)].bytes;
    });
    if (!call_.outgoing.empty() && !call_.incoming.empty()) {
      const Part& from = call_.outgoing[std::size_t(rank_)];
      const Part& to = call_.incoming[std::size_t(rank_)];
      if (from.bytes != 0 && from.data != to.data) std::memmove(to.data, from.data, from.bytes);
    }
    if (!call_.incoming.empty()) {
      each_sender([this](int peer) {
        const Part& part = call_.incoming[std::size_t(peer)];
        exchange_.receive(peer, part.data, part.bytes);
        exchange_.skip_padding(peer, part.bytes);
      });
    }
    exchange_.flush();
  }

  template <class Bytes>
  void expect_all(Bytes bytes) {
    each_peer([&](int peer) { exchange_.expect(peer, signature_, bytes(peer)); });
  }

  void all_reduce() {
    const std::size_t bytes = all_bytes();
    if (bytes <= kAtOnce) {
      each_peer([&](int peer) { send_message(peer, call_.send, bytes); });
      expect_all([&](int) { return bytes; });
      // The result may replace what is still to be sent.
      exchange_.flush();
      put_together(call_.receive, call_.send, bytes);
      return;
    }
    each_peer([&](int peer) {
      // After the share of the peer that this rank has, the whole of its own goes there.
      exchange_.announce(peer, signature_, share_size(peer) + share_size(rank_));
      exchange_.send(peer, call_.send + share_begin(peer), share_size(peer));
      exchange_.pad(peer, share_size(peer));
    });
    expect_all([&](int peer) { return share_size(rank_) + share_size(peer); });
    unsigned char* own = call_.receive + share_begin(rank_);
    put_together(own, call_.send + share_begin(rank_), share_size(rank_));
    exchange_.flush();
    each_peer([&](int peer) {
      exchange_.send(peer, own, share_size(rank_));
      exchange_.pad(peer, share_size(rank_));
    });
    each_sender([&](int peer) {
      exchange_.receive(peer, call_.receive + share_begin(peer), share_size(peer));
      exchange_.skip_padding(peer, share_size(peer));
    });
    exchange_.flush();
  }

  void reduce() {
    const int root = int(signature_.root);
    const std::size_t bytes = all_bytes();
    each_peer([&](int peer) { send_message(peer, call_.send, peer == root ? bytes : 0); });
    expect_all([&](int) { return rank_ == root ? bytes : 0; });
    if (rank_ == root) put_together(call_.receive, call_.send, bytes);
    exchange_.flush();
  }

  void reduce_scatter() {
    each_peer([&](int peer) {
      const Part& part = call_.outgoing[std::size_t(peer)];
      send_message(peer, part.data, part.bytes);
    });
    const Part& own = call_.outgoing[std::size_t(rank_)];
    expect_all([&](int) { return own.bytes; });
    const bool apart = std::all_of(call_.outgoing.begin(), call_.outgoing.end(), [&](auto& part) {
      return part.peer == rank_ || part.data + part.bytes <= call_.receive ||
             call_.receive + own.bytes <= part.data;
    });
    if (apart) {
      put_together(call_.receive, own.data, own.bytes);
      exchange_.flush();
      return;
    }
    // The result replaces what is still to be sent.
    std::vector<unsigned char> result(own.bytes);
    put_together(result.data(), own.data, own.bytes);
    exchange_.flush();
    if (own.bytes != 0) std::memcpy(call_.receive, result.data(), own.bytes);
  }

  /// result = what rank 0 has, op what rank 1 has, and so on; `own` is what this rank has, and may
  /// be the result.
  void put_together(unsigned char* result, const unsigned char* own, std::size_t bytes) {
    if (size_ == 1) {
      if (bytes != 0 && result != own) std::memmove(result, own, bytes);
      return;
    }
    std::vector<unsigned char> sums(size_ == 2 ? 0 : std::min(bytes, kStretch));
    for (std::size_t begin = 0; begin < bytes; begin += kStretch) {
      const std::size_t length = std::min(kStretch, bytes - begin);
      combine_stretch(result + begin, own + begin, sums.data(), length);
    }
    each_peer([&](int peer) { exchange_.skip_padding(peer, bytes); });
  }

  void combine_stretch(unsigned char* result, const unsigned char* own, unsigned char* sums,
                       std::size_t length) {
    // The first two at once, of which one is this rank, need no copy of what arrives.
    const unsigned char* before = own;
    int next = 1;
    if (rank_ == 1) {
      add_arriving(0, size_ == 2 ? result : sums, nullptr, own, length);
      before = sums;
      next = 2;
    } else if (rank_ > 1) {
      exchange_.receive(0, sums, length);
      before = sums;
    }
    for (int rank = next; rank < size_; ++rank) {
      unsigned char* to = rank == size_ - 1 ? result : sums;
      if (rank == rank_) {
        combine(type_, op_, to, before, own, length / call_.element);
      } else {
        add_arriving(rank, to, before, nullptr, length);
      }
      before = sums;
    }
  }

  /// to = before op arriving, or arriving op after.
  void add_arriving(int peer, unsigned char* to, const unsigned char* before,
                    const unsigned char* after, std::size_t length) {
    exchange_.receive(peer, length, call_.element,
                      [&](std::size_t offset, const unsigned char* data, std::size_t bytes) {
                        const void* first = before == nullptr ? data : before + offset;
                        const void* second = before == nullptr ? after + offset : data;
                        combine(type_, op_, to + offset, first, second, bytes / call_.element);
                      });
  }

  const Call& call_;
  const Signature& signature_;
  const int rank_;
  const int size_;
  const HcclDataType type_;
  const HcclReduceOp op_;
  Exchange exchange_;
};

/// Nothing else comes between the two calls of a delivery: they share the memory of the ranks.
void require_no_delivery(const Member& member, Function next) {
  if (member.delivery)
    fail(kRtAicoreException, "rank %d: %s comes between the Setup and the Teardown of %s",
         member.rank(), function_name(next), describe(member.delivery->signature).c_str());
}

/// Sends as much as there is room for.
void push(Member& member) {
  auto& outlets = member.wiring.outlets[std::size_t(Lane::kCollective)];
  for (int peer = 0; peer < member.size(); ++peer) {
    if (peer == member.rank()) continue;
    Delivery::Message& message = member.delivery->messages[std::size_t(peer)];
    while (message.gone < message.bytes.size()) {
      const std::size_t taken = outlets[std::size_t(peer)]->offer(
          message.bytes.data() + message.gone, message.bytes.size() - message.gone);
      if (taken == 0) break;
      message.gone += taken;
    }
  }
}

/// What both sides of a message say of it.
Signature message(const Part& part, int destination, std::uint64_t sequence) {
  Signature signature;
  signature.function = Function::kSend;
  signature.type = std::uint32_t(part.type);
  signature.root = std::uint32_t(destination);
  signature.count = part.count;
  signature.sequence = sequence;
  return signature;
}

}  // namespace

void begin_delivery(Member& member, Function function, const std::vector<Part>& outgoing) {
  require_no_delivery(member, function);
  Delivery delivery;
  delivery.signature.function = function;
  delivery.signature.sequence = member.collectives++;
  delivery.messages.resize(outgoing.size());
  for (const Part& part : outgoing) {
    std::vector<unsigned char>& bytes = delivery.messages[std::size_t(part.peer)].bytes;
    if (part.peer != member.rank()) {
      Header header;
      header.signature = delivery.signature;
      header.bytes = part.bytes;
      bytes.resize(sizeof header);
      std::memcpy(bytes.data(), &header, sizeof header);
    }
    bytes.insert(bytes.end(), part.data, part.data + part.bytes);
    if (part.peer != member.rank()) bytes.resize((bytes.size() + kUnit - 1) / kUnit * kUnit);
  }
  member.delivery = std::move(delivery);
  push(member);
}

std::vector<std::vector<unsigned char>> end_delivery(Member& member, Stream& stream,
                                                     Function function, std::size_t most) {
  if (!member.delivery)
    fail(kRtAicoreTimeout,
         "rank %d: a Teardown of %s waits for a Setup, which was not called before", member.rank(),
         function_name(function));
  const Signature signature = member.delivery->signature;
  if (signature.function != function)
    fail(kRtAicoreTimeout, "rank %d: a Teardown of %s waits for its Setup; that of %s came before",
         member.rank(), function_name(function), describe(signature).c_str());
  Delivery delivery = std::move(*member.delivery);
  member.delivery.reset();
  const auto rank = std::size_t(member.rank());
  Exchange exchange(member, &stream, Lane::kCollective, signature);
  for (std::size_t peer = 0; peer < delivery.messages.size(); ++peer) {
    const Delivery::Message& message = delivery.messages[peer];
    if (peer != rank)
      exchange.send(int(peer), message.bytes.data() + message.gone,
                    message.bytes.size() - message.gone);
  }
  std::vector<std::vector<unsigned char>> taken(delivery.messages.size());
  taken[rank] = std::move(delivery.messages[rank].bytes);
  for (int step = 1; step < member.size(); ++step) {
    const int peer = (member.rank() + member.size() - step) % member.size();
    const std::size_t bytes = exchange.expect(peer, signature);
    if (bytes > most)
      fail(HCCL_E_PARA, "rank %d sends %zu bytes to rank %d, where %zu have room", peer, bytes,
           member.rank(), most);
    taken[std::size_t(peer)].resize(bytes);
    exchange.receive(peer, taken[std::size_t(peer)].data(), bytes);
    exchange.skip_padding(peer, bytes);
  }
  exchange.flush();
  return taken;
}

void run_collective(Member& member, Stream& stream, const Call& call) {
  require_no_delivery(member, call.signature.function);
  Signature signature = call.signature;
  signature.sequence = member.collectives++;
  Collective(member, stream, call, signature).run();
}

void run_point_to_point(Member& member, Stream& stream, const Call& call) {
  Signature doing = call.signature;
  if (doing.function == Function::kSend) doing.sequence = member.sent[doing.root];
  if (doing.function == Function::kRecv) doing.sequence = member.received[doing.root];
  Exchange exchange(member, &stream, Lane::kPointToPoint, doing);
  for (const Part& part : call.outgoing) {
    if (part.peer == member.rank()) continue;
    const std::uint64_t sequence = member.sent[std::size_t(part.peer)]++;
    exchange.announce(part.peer, message(part, part.peer, sequence), part.bytes);
    exchange.send(part.peer, part.data, part.bytes);
    exchange.pad(part.peer, part.bytes);
  }
  auto to_itself = call.outgoing.begin();
  for (const Part& part : call.incoming) {
    if (part.peer == member.rank()) {
      to_itself = std::find_if(to_itself, call.outgoing.end(),
                               [&](const Part& each) { return each.peer == member.rank(); });
      std::memmove(part.data, to_itself->data, part.bytes);
      ++to_itself;
      continue;
    }
    const std::uint64_t sequence = member.received[std::size_t(part.peer)]++;
    exchange.expect(part.peer, message(part, member.rank(), sequence), part.bytes);
    exchange.receive(part.peer, part.data, part.bytes);
    exchange.skip_padding(part.peer, part.bytes);
  }
  for (const Part& part : call.outgoing) {
    if (part.peer != member.rank()) exchange.wait_until_consumed(part.peer);
  }
}

}  // namespace pyaclnn::sim::hccl
