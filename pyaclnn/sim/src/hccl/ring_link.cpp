// Links in memory that two ranks share.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <utility>

#include "core/status.hpp"
#include "hccl/hccl_types.h"
#include "hccl/link.hpp"

namespace pyaclnn::sim::hccl {
namespace {

// What is written before the other rank hears of it, so that both work at the same time.
constexpr std::size_t kPiece = std::size_t(128) << 10;

/// How full a ring is. The other process can write anything there: that is no reason to leave it.
std::size_t fill(std::uint64_t written, std::uint64_t read, std::size_t capacity) {
  const std::uint64_t bytes = written - read;
  if (bytes > capacity) fail(HCCL_E_REMOTE, "the memory that the ranks share was overwritten");
  return std::size_t(bytes);
}

class RingOutlet : public Outlet {
 public:
  RingOutlet(std::shared_ptr<Region> region, Lane lane, int to)
      : region_(std::move(region)),
        ends_(region_->ends(lane, region_->rank(), to)),
        data_(region_->data(lane, region_->rank(), to)),
        to_(to) {}

  std::size_t offer(const void* data, std::size_t bytes) override {
    const std::size_t capacity = region_->capacity();
    const std::uint64_t written = ends_.written.load(std::memory_order_relaxed);
    const std::uint64_t read = ends_.read.load();
    const std::size_t room = capacity - fill(written, read, capacity);
    const std::size_t taken = std::min({bytes, room, kPiece});
    if (taken == 0) return 0;
    const std::size_t start = std::size_t(written % capacity);
    const std::size_t first = std::min(taken, capacity - start);
    const auto* from = static_cast<const unsigned char*>(data);
    std::memcpy(data_ + start, from, first);
    std::memcpy(data_, from + first, taken - first);
    // In this order for all, as the other side does: either it sees this, or this sees it wait.
    ends_.written.store(written + taken);
    if (ends_.receiver_waits.load() != 0 && ends_.receiver_waits.exchange(0) != 0)
      region_->ring(to_);
    return taken;
  }

  bool consumed() const override { return ends_.read.load() == ends_.written.load(); }
  void await() override { ends_.sender_waits.store(1); }

 private:
  const std::shared_ptr<Region> region_;
  RingEnds& ends_;
  unsigned char* const data_;
  const int to_;
};

class RingInlet : public Inlet {
 public:
  RingInlet(std::shared_ptr<Region> region, Lane lane, int from)
      : region_(std::move(region)),
        ends_(region_->ends(lane, from, region_->rank())),
        data_(region_->data(lane, from, region_->rank())),
        from_(from) {}

  Arrived look() override {
    const std::size_t capacity = region_->capacity();
    const std::uint64_t read = ends_.read.load(std::memory_order_relaxed);
    const std::uint64_t written = ends_.written.load();
    const std::size_t start = std::size_t(read % capacity);
    return {data_ + start, std::min(fill(written, read, capacity), capacity - start)};
  }

  void consume(std::size_t bytes) override {
    ends_.read.store(ends_.read.load(std::memory_order_relaxed) + bytes);
    if (ends_.sender_waits.load() != 0 && ends_.sender_waits.exchange(0) != 0) region_->ring(from_);
  }

  void await() override { ends_.receiver_waits.store(1); }

 private:
  const std::shared_ptr<Region> region_;
  RingEnds& ends_;
  unsigned char* const data_;
  const int from_;
};

}  // namespace

std::unique_ptr<Outlet> ring_outlet(std::shared_ptr<Region> region, Lane lane, int to) {
  return std::make_unique<RingOutlet>(std::move(region), lane, to);
}

std::unique_ptr<Inlet> ring_inlet(std::shared_ptr<Region> region, Lane lane, int from) {
  return std::make_unique<RingInlet>(std::move(region), lane, from);
}

}  // namespace pyaclnn::sim::hccl
