// The first connection to an IPv4 address begins at the very port it looks for, as the kernel
// chooses once in some 14,000 times. The file that MET_ITSELF names is there afterwards.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

int connect(int file, const struct sockaddr* address, socklen_t size) {
  static int met;
  const int is_first = address->sa_family == AF_INET && !__atomic_exchange_n(&met, 1, 5);
  if (is_first && bind(file, address, size) != 0) abort();
  int (*real)(int, const struct sockaddr*, socklen_t) =
      (int (*)(int, const struct sockaddr*, socklen_t))dlsym(RTLD_NEXT, "connect");
  const int result = real(file, address, size);
  if (is_first) close(creat(getenv("MET_ITSELF"), 0600));
  return result;
}
