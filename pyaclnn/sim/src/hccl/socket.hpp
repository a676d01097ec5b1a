// Sockets, each call of which ends at a deadline.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "core/stream_impl.hpp"

namespace pyaclnn::sim::hccl {

/// A file descriptor with an owner.
class File {
 public:
  File() = default;
  explicit File(int number) : number_(number) {}
  ~File();
  File(File&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  File& operator=(File&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

/// Where a rank can be reached.
struct Place {
  std::uint32_t address = 0;  // IPv4, in the order of the network
  std::uint16_t port = 0;     // in the order of this machine
};

Place parse_place(const std::string& address, int port);
std::string to_text(const Place& place);

/// Failure(HCCL_E_TCP_CONNECT) where the place is taken; port 0 is any.
File listen_at(Place& place);
/// Where nobody listens: again until the deadline if `patient`, else Failure(HCCL_E_TCP_CONNECT).
File connect_to(const Place& place, Clock::time_point deadline, bool patient);
/// Nothing after the deadline.
std::optional<File> accept_from(const File& listener, Clock::time_point deadline);

/// Sends or receives all of it; Failure(HCCL_E_TIMEOUT or HCCL_E_TCP_TRANSFER), `who` in its text.
void send_all(const File& file, const void* data, std::size_t bytes, Clock::time_point deadline,
              const char* who);
void receive_all(const File& file, void* data, std::size_t bytes, Clock::time_point deadline,
                 const char* who);

/// A socket of this machine without a place in a file system: its name, which nobody can guess.
File listen_here(std::string& name);
/// Gives a file to whoever is at the other end, if it is a process of the same user.
void send_file(const File& connection, const File& file);
/// The file that the owner of the name gives; Failure(HCCL_E_TIMEOUT or HCCL_E_TCP_CONNECT).
File receive_file(const std::string& name, Clock::time_point deadline);

/// Random bytes.
void fill_randomly(void* data, std::size_t bytes);

}  // namespace pyaclnn::sim::hccl
