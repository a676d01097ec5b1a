// The process ends in a function that does not come back.
#include <getopt.h>
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

int main(int argc, char** argv) {
  struct option options[] = {{"rank", 1, 0, 'r'}, {0, 0, 0, 0}};
  while (true) {
    int index = 0;
    int option = getopt_long(argc, argv, "r:", options, &index);
    if (option == -1) {
      break;
    }
    printf("%d\n", option);
  }
  for (int i = 0; i < 3; i++) {
    printf("%d\n", i);
    if (i == 1) {
      finish(0);
    }
  }
  printf("never\n");
  exit(1);
}
