// Links between machines.
// SPDX-License-Identifier: MIT
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "core/status.hpp"
#include "hccl/hccl_types.h"
#include "hccl/link.hpp"

namespace pyaclnn::sim::hccl {
namespace {

constexpr std::size_t kBuffer = std::size_t(256) << 10;

[[noreturn]] void gone(int peer) { fail(HCCL_E_REMOTE, "rank %d ended the connection", peer); }

class SocketOutlet : public Outlet {
 public:
  SocketOutlet(std::shared_ptr<File> connection, int peer)
      : connection_(std::move(connection)), peer_(peer) {}

  std::size_t offer(const void* data, std::size_t bytes) override {
    const ssize_t sent = send(connection_->number(), data, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) return std::size_t(sent);
    if (errno == EAGAIN || errno == EINTR) return 0;
    gone(peer_);
  }

  // The other machine's memory has it; whether the rank has looked, only an answer could tell.
  bool consumed() const override { return true; }
  int file() const override { return connection_->number(); }
  void end() override { shutdown(connection_->number(), SHUT_RDWR); }

 private:
  const std::shared_ptr<File> connection_;
  const int peer_;
};

class SocketInlet : public Inlet {
 public:
  SocketInlet(std::shared_ptr<File> connection, int peer)
      : connection_(std::move(connection)), peer_(peer), buffer_(kBuffer) {}

  Arrived look() override {
    // A part of a unit at the end goes to the front, where the rest of it has room.
    if (end_ - begin_ < kUnit) {
      std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
      end_ -= begin_;
      begin_ = 0;
      const ssize_t got =
          recv(connection_->number(), buffer_.data() + end_, kBuffer - end_, MSG_DONTWAIT);
      if (got > 0) end_ += std::size_t(got);
      if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) gone(peer_);
    }
    return {buffer_.data() + begin_, end_ - begin_};
  }

  void consume(std::size_t bytes) override { begin_ += bytes; }
  int file() const override { return connection_->number(); }

 private:
  const std::shared_ptr<File> connection_;
  const int peer_;
  std::vector<unsigned char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
};

}  // namespace

SocketLink socket_link(File connection, int peer) {
  auto shared = std::make_shared<File>(std::move(connection));
  return {std::make_unique<SocketOutlet>(shared, peer),
          std::make_unique<SocketInlet>(shared, peer)};
}

}  // namespace pyaclnn::sim::hccl
