// The process ends in a function that does not come back.
#include <sys/types.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

static void finish(u_int16_t status) {
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  printf("%u %zu\n", status, sizeof(u_int16_t));
  fflush(stdout);
  std::_Exit(status);
}

int main() {
  for (int i = 0; i < 3; i++) {
    printf("%d\n", i);
    if (i == 1) {
      finish(0);
    }
  }
  printf("never\n");
  exit(1);
}
