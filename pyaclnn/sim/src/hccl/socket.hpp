// Sockets, each call of which ends at a deadline.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "core/stream_impl.hpp"

namespace pyaclnn::sim::hccl {

/// A file descriptor with an owner. Children that are forked do not have it: others would take them
/// for this process after its end.
class File {
 public:
  File() = default;
  /// `number` is one that a call has returned: below 0 stands for none.
  explicit File(int number);
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
/// A connection that waits to be taken, or none, with errno.
File accept_now(const File& listener);

/// Whether an error number says that no further file can be opened.
bool out_of_files(int reason);
/// Failure(HCCL_E_SYSCALL) unless some more files than this one can be opened, which a program
/// needs to tell what is wrong.
void require_spare_files(const File& file);
/// Failure(HCCL_E_SYSCALL) that names the limit and how it is raised.
[[noreturn]] void fail_for_files(const char* what);

/// For poll().
int milliseconds_until(Clock::time_point deadline);

/// Sends or receives all of it; Failure(HCCL_E_TIMEOUT or HCCL_E_TCP_TRANSFER), `who` in its text.
void send_all(const File& file, const void* data, std::size_t bytes, Clock::time_point deadline,
              const char* who);
void receive_all(const File& file, void* data, std::size_t bytes, Clock::time_point deadline,
                 const char* who);

/// A socket of this machine without a place in a file system: its name, which nobody can guess.
File listen_here(std::string& name);
/// Whether the other end of a connection of this machine is a process of the same user.
bool same_user(const File& connection);
/// Gives a file to the other end.
void send_file(const File& connection, const File& file);
/// The file that the owner of the name gives to who says these bytes; Failure(HCCL_E_TIMEOUT,
/// HCCL_E_TCP_CONNECT or HCCL_E_TCP_TRANSFER).
File receive_file(const std::string& name, const void* hello, std::size_t bytes,
                  Clock::time_point deadline);

/// Random bytes.
void fill_randomly(void* data, std::size_t bytes);

}  // namespace pyaclnn::sim::hccl
