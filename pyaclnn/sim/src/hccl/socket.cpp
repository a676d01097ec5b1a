// SPDX-License-Identifier: MIT
#include "hccl/socket.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "core/status.hpp"
#include "hccl/hccl_types.h"

namespace pyaclnn::sim::hccl {
namespace {

constexpr int kBacklog = 1024;
constexpr std::chrono::milliseconds kRetry(20);

/// Waits until something can be done; false after the deadline.
bool wait_for(int file, short events, Clock::time_point deadline) {
  pollfd entry = {file, events, 0};
  while (true) {
    const int found = poll(&entry, 1, milliseconds_until(deadline));
    if (found > 0) return true;
    if (found == 0) return false;
    if (errno != EINTR) fail(HCCL_E_SYSCALL, "poll: %s", std::strerror(errno));
  }
}

File new_socket(int family) {
  File file(socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (file) return file;
  if (out_of_files(errno)) fail_for_files("no socket was made");
  fail(HCCL_E_SYSCALL, "no socket: %s", std::strerror(errno));
}

void hurry(const File& file) {
  const int on = 1;
  setsockopt(file.number(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

/// Whether the kernel gave this end the port that it looks for, where nobody listens. Such a
/// connection is reset when it is closed, for else it keeps the port from its owner for a minute.
bool met_itself(const File& file) {
  sockaddr_in here = {};
  sockaddr_in there = {};
  socklen_t here_size = sizeof here;
  socklen_t there_size = sizeof there;
  if (getsockname(file.number(), reinterpret_cast<sockaddr*>(&here), &here_size) != 0 ||
      getpeername(file.number(), reinterpret_cast<sockaddr*>(&there), &there_size) != 0 ||
      here.sin_port != there.sin_port || here.sin_addr.s_addr != there.sin_addr.s_addr)
    return false;
  const linger at_once = {1, 0};
  setsockopt(file.number(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  return true;
}

sockaddr_in as_address(const Place& place) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = place.address;
  address.sin_port = htons(place.port);
  return address;
}

/// A name that begins with a zero is in no file system.
socklen_t abstract_address(const std::string& name, sockaddr_un& address) {
  address = {};
  address.sun_family = AF_UNIX;
  const std::size_t length = std::min(name.size(), sizeof address.sun_path - 1);
  std::memcpy(address.sun_path + 1, name.data(), length);
  return socklen_t(offsetof(sockaddr_un, sun_path) + 1 + length);
}

/// All files of this library that are open.
struct OpenFiles {
  std::mutex mutex;
  std::vector<int> numbers;
};

OpenFiles& open_files() {
  static OpenFiles& files = []() -> OpenFiles& {
    auto& made = *new OpenFiles;
    // Between a fork and what the child does next nobody opens one.
    pthread_atfork([] { open_files().mutex.lock(); }, [] { open_files().mutex.unlock(); },
                   [] {
                     for (int number : open_files().numbers) close(number);
                     open_files().numbers.clear();
                     open_files().mutex.unlock();
                   });
    return made;
  }();
  return files;
}

/// Room for one file beside a message of one byte.
struct FileMessage {
  char byte = 0;
  iovec part = {&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr header = {};
  FileMessage() {
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof control;
  }
};

}  // namespace

File::File(int number) : number_(number) {
  if (number < 0) return;
  OpenFiles& files = open_files();
  std::lock_guard<std::mutex> guard(files.mutex);
  files.numbers.push_back(number);
}

File::~File() {
  if (number_ < 0) return;
  OpenFiles& files = open_files();
  std::lock_guard<std::mutex> guard(files.mutex);
  const auto known = std::find(files.numbers.begin(), files.numbers.end(), number_);
  if (known == files.numbers.end()) return;  // it stayed with the parent
  *known = files.numbers.back();
  files.numbers.pop_back();
  close(number_);
}

int milliseconds_until(Clock::time_point deadline) {
  if (deadline == Clock::time_point::max()) return -1;
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return int(std::clamp<long long>(left + 1, 0, INT_MAX));
}

bool out_of_files(int reason) { return reason == EMFILE || reason == ENFILE; }

void require_spare_files(const File& file) {
  constexpr rlim_t kSpare = 8;
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && rlim_t(file.number()) + kSpare >= limit.rlim_cur)
    fail_for_files("no unique id was made");
}

void fail_for_files(const char* what) {
  rlimit limit = {};
  getrlimit(RLIMIT_NOFILE, &limit);
  fail(HCCL_E_SYSCALL,
       "%s: at most %llu files can be open in this process (RLIMIT_NOFILE); raise the limit "
       "with ulimit -n. A rank needs three for each rank of another machine, and one for each "
       "unique id that was not joined yet",
       what, static_cast<unsigned long long>(limit.rlim_cur));
}

Place parse_place(const std::string& address, int port) {
  Place place;
  place.port = std::uint16_t(port);
  if (inet_pton(AF_INET, address.c_str(), &place.address) != 1)
    fail(HCCL_E_PARA, "%s is not an IPv4 address", address.c_str());
  return place;
}

std::string to_text(const Place& place) {
  char text[INET_ADDRSTRLEN] = {};
  inet_ntop(AF_INET, &place.address, text, sizeof text);
  return std::string(text) + ":" + std::to_string(place.port);
}

File listen_at(Place& place) {
  File file = new_socket(AF_INET);
  const int on = 1;
  setsockopt(file.number(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address = as_address(place);
  socklen_t size = sizeof address;
  if (bind(file.number(), reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      listen(file.number(), kBacklog) != 0 ||
      getsockname(file.number(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
    fail(HCCL_E_TCP_CONNECT, "cannot listen at %s: %s", to_text(place).c_str(),
         std::strerror(errno));
  place.port = ntohs(address.sin_port);
  return file;
}

File connect_to(const Place& place, Clock::time_point deadline, bool patient) {
  while (true) {
    File file = new_socket(AF_INET);
    sockaddr_in address = as_address(place);
    int reason = 0;
    if (connect(file.number(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
      reason = errno;
    if (reason == EINPROGRESS) {
      if (!wait_for(file.number(), POLLOUT, deadline))
        fail(HCCL_E_TIMEOUT, "%s did not answer in time", to_text(place).c_str());
      socklen_t size = sizeof reason;
      getsockopt(file.number(), SOL_SOCKET, SO_ERROR, &reason, &size);
    }
    if (reason == 0 && met_itself(file)) reason = ECONNREFUSED;
    if (reason == 0) {
      hurry(file);
      return file;
    }
    if (!patient || Clock::now() >= deadline)
      fail(patient ? HCCL_E_TIMEOUT : HCCL_E_TCP_CONNECT, "nobody listens at %s: %s",
           to_text(place).c_str(), std::strerror(reason));
    std::this_thread::sleep_for(kRetry);
  }
}

File accept_now(const File& listener) {
  File file(accept4(listener.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (file) hurry(file);
  return file;
}

void send_all(const File& file, const void* data, std::size_t bytes, Clock::time_point deadline,
              const char* who) {
  const auto* from = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t sent = send(file.number(), from, bytes, MSG_NOSIGNAL);
    if (sent > 0) {
      from += sent;
      bytes -= std::size_t(sent);
    } else if (errno != EAGAIN && errno != EINTR) {
      fail(HCCL_E_TCP_TRANSFER, "sending to %s failed: %s", who, std::strerror(errno));
    } else if (!wait_for(file.number(), POLLOUT, deadline)) {
      fail(HCCL_E_TIMEOUT, "%s takes nothing", who);
    }
  }
}

void receive_all(const File& file, void* data, std::size_t bytes, Clock::time_point deadline,
                 const char* who) {
  auto* to = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t got = recv(file.number(), to, bytes, 0);
    if (got > 0) {
      to += got;
      bytes -= std::size_t(got);
    } else if (got == 0) {
      fail(HCCL_E_TCP_TRANSFER, "%s ended the connection", who);
    } else if (errno != EAGAIN && errno != EINTR) {
      fail(HCCL_E_TCP_TRANSFER, "receiving from %s failed: %s", who, std::strerror(errno));
    } else if (!wait_for(file.number(), POLLIN, deadline)) {
      fail(HCCL_E_TIMEOUT, "%s said nothing in time", who);
    }
  }
}

File listen_here(std::string& name) {
  std::uint64_t random[2];
  fill_randomly(random, sizeof random);
  char text[64];
  std::snprintf(text, sizeof text, "pyaclnn-hccl-%016llx%016llx",
                static_cast<unsigned long long>(random[0]),
                static_cast<unsigned long long>(random[1]));
  name = text;
  File file = new_socket(AF_UNIX);
  sockaddr_un address;
  const socklen_t size = abstract_address(name, address);
  if (bind(file.number(), reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      listen(file.number(), kBacklog) != 0)
    fail(HCCL_E_SYSCALL, "no socket for this machine: %s", std::strerror(errno));
  return file;
}

bool same_user(const File& connection) {
  ucred peer = {};
  socklen_t size = sizeof peer;
  return getsockopt(connection.number(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         peer.uid == geteuid();
}

void send_file(const File& connection, const File& file) {
  FileMessage message;
  cmsghdr* part = CMSG_FIRSTHDR(&message.header);
  part->cmsg_level = SOL_SOCKET;
  part->cmsg_type = SCM_RIGHTS;
  part->cmsg_len = CMSG_LEN(sizeof(int));
  const int number = file.number();
  std::memcpy(CMSG_DATA(part), &number, sizeof number);
  // One byte always has room. Who went away meanwhile needs no file.
  (void)!sendmsg(connection.number(), &message.header, MSG_NOSIGNAL);
}

File receive_file(const std::string& name, const void* hello, std::size_t bytes,
                  Clock::time_point deadline) {
  File connection = new_socket(AF_UNIX);
  sockaddr_un address;
  const socklen_t size = abstract_address(name, address);
  while (connect(connection.number(), reinterpret_cast<sockaddr*>(&address), size) != 0) {
    if (errno != EAGAIN || Clock::now() >= deadline)
      fail(HCCL_E_TCP_CONNECT, "the process that shares its memory is gone: %s",
           std::strerror(errno));
    std::this_thread::sleep_for(kRetry);
  }
  if (!same_user(connection))
    fail(HCCL_E_TCP_CONNECT, "what listens where memory is shared is of another user");
  send_all(connection, hello, bytes, deadline, "the process that shares its memory");
  if (!wait_for(connection.number(), POLLIN, deadline))
    fail(HCCL_E_TIMEOUT, "the process that shares its memory said nothing in time");
  FileMessage message;
  const ssize_t got = recvmsg(connection.number(), &message.header, MSG_CMSG_CLOEXEC);
  const cmsghdr* part = got == 1 ? CMSG_FIRSTHDR(&message.header) : nullptr;
  if (part == nullptr || part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS ||
      part->cmsg_len != CMSG_LEN(sizeof(int)))
    fail(HCCL_E_TCP_TRANSFER, "the process that shares its memory went away");
  int number = -1;
  std::memcpy(&number, CMSG_DATA(part), sizeof number);
  return File(number);
}

void fill_randomly(void* data, std::size_t bytes) {
  auto* to = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t got = getrandom(to, bytes, 0);
    if (got < 0 && errno != EINTR) fail(HCCL_E_SYSCALL, "getrandom: %s", std::strerror(errno));
    if (got <= 0) continue;
    to += got;
    bytes -= std::size_t(got);
  }
}

}  // namespace pyaclnn::sim::hccl
