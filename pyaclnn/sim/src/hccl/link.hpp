// Streams of bytes from one rank to another, that never wait.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>

#include "hccl/region.hpp"

namespace pyaclnn::sim::hccl {

/// Bytes that came and were not consumed.
struct Arrived {
  const unsigned char* data = nullptr;
  std::size_t bytes = 0;
};

class Outlet {
 public:
  virtual ~Outlet() = default;
  /// Takes as many of the bytes as there is room for. Failure(HCCL_E_REMOTE) where the other end
  /// is gone.
  virtual std::size_t offer(const void* data, std::size_t bytes) = 0;
  /// Whether the other rank has consumed everything, as far as that can be known.
  virtual bool consumed() const = 0;
  /// Has this rank's bell rung when the other consumes something; look again after that.
  virtual void await() {}
  /// What poll() waits for, or -1.
  virtual int file() const { return -1; }
  /// Lets the other end know that nothing more comes.
  virtual void end() {}
};

class Inlet {
 public:
  virtual ~Inlet() = default;
  /// A stretch of what arrived, that begins at a multiple of the elements' size. As offer().
  virtual Arrived look() = 0;
  virtual void consume(std::size_t bytes) = 0;
  /// Has this rank's bell rung when more arrives; look again after that.
  virtual void await() {}
  virtual int file() const { return -1; }
};

std::unique_ptr<Outlet> ring_outlet(std::shared_ptr<Region> region, Lane lane, int to);
std::unique_ptr<Inlet> ring_inlet(std::shared_ptr<Region> region, Lane lane, int from);

/// Both directions of a connection; `peer` is the rank at its other end.
struct SocketLink {
  std::unique_ptr<Outlet> outlet;
  std::unique_ptr<Inlet> inlet;
};
SocketLink socket_link(File connection, int peer);

}  // namespace pyaclnn::sim::hccl
