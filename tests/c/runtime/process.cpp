// Cases that end a process in a certain way, or depend on its environment; see
// test_runtime_processes.py for what each is expected to do.
// SPDX-License-Identifier: MIT
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "acl/acl_rt.h"
#include "check.hpp"

namespace {

void* device_block(size_t size) {
  EXPECT_OK(aclrtSetDevice(0));
  void* block = nullptr;
  EXPECT_OK(aclrtMalloc(&block, size, ACL_MEM_MALLOC_HUGE_FIRST));
  return block;
}

void slow(void*) { std::this_thread::sleep_for(std::chrono::seconds(30)); }

}  // namespace

CASE(read_device_memory) { std::printf("%d\n", *static_cast<volatile int*>(device_block(64))); }

CASE(write_device_memory) { *static_cast<volatile int*>(device_block(64)) = 1; }

CASE(dereference_a_handle) {
  EXPECT_OK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  EXPECT_OK(aclrtCreateStream(&stream));
  std::printf("%d\n", *static_cast<volatile int*>(stream));
}

CASE(forked_child_is_told) {
  void* block = device_block(64);
  aclrtStream stream = nullptr;
  EXPECT_OK(aclrtCreateStream(&stream));
  EXPECT_OK(aclrtMemsetAsync(block, 64, 1, 64, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  pid_t child = fork();
  if (child == 0) {
    EXPECT_EQ(aclrtSynchronizeStream(stream), 507899);
    EXPECT_MESSAGE("forked child");
    EXPECT_EQ(aclrtFree(block), 507899);
    std::exit(7);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_OK(aclrtMemsetAsync(block, 64, 2, 64, stream));
  EXPECT_OK(aclrtDestroyStream(stream));
  EXPECT_OK(aclrtFree(block));
}

CASE(forked_before_any_call) {
  // In the child the library is as in any other process.
  for (int i = 0; i < 2; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      EXPECT_OK(aclInit(nullptr));
      EXPECT_OK(aclrtFree(device_block(64)));
      const pid_t grandchild = fork();
      if (grandchild == 0) {
        EXPECT_EQ(aclrtSetDevice(0), 507899);
        EXPECT_MESSAGE("forked child");
        std::_Exit(3);
      }
      int status = 0;
      EXPECT_EQ(waitpid(grandchild, &status, 0), grandchild);
      EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 3);
      EXPECT_OK(aclFinalize());
      std::exit(7);
    }
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  }
  EXPECT_OK(aclInit(nullptr));
  EXPECT_OK(aclFinalize());
}

CASE(visible_devices_are_those_of_aclInit) {
  const auto count = [] {
    uint32_t devices = 0;
    EXPECT_OK(aclrtGetDeviceCount(&devices));
    return int(devices);
  };
  EXPECT_EQ(count(), 3);
  setenv("ASCEND_RT_VISIBLE_DEVICES", "2,0", 1);
  EXPECT_EQ(count(), 2);
  EXPECT_OK(aclInit(nullptr));
  setenv("ASCEND_RT_VISIBLE_DEVICES", "1", 1);
  EXPECT_EQ(count(), 2);
  int32_t device = -1;
  EXPECT_OK(aclrtGetLogicDevIdByUserDevId(0, &device));
  EXPECT_EQ(device, 2);
  EXPECT_OK(aclrtSetDevice(1));
  EXPECT_EQ(aclrtSetDevice(2), 107001);
  EXPECT_OK(aclFinalize());
}

CASE(visible_devices_stay_once_one_is_set) {
  setenv("ASCEND_RT_VISIBLE_DEVICES", "1", 1);
  EXPECT_OK(aclrtSetDevice(0));
  setenv("ASCEND_RT_VISIBLE_DEVICES", "0,1,2", 1);
  EXPECT_EQ(aclrtSetDevice(1), 107001);
}

CASE(around_a_device_is_nobodys_memory) {
  auto* first = static_cast<char*>(device_block(4096));
  char* last = first;
  void* block = nullptr;
  for (size_t size : {size_t(1) << 20, size_t(1) << 9}) {
    while (aclrtMalloc(&block, size, ACL_MEM_MALLOC_HUGE_FIRST) == 0)
      last = std::max(last, static_cast<char*>(block) + size);
  }
  char here[64] = {1};
  for (char* stray : {first - 1, first - 1024, first - (1 << 20), last + 512, last + 4096}) {
    EXPECT_EQ(aclrtMemcpy(stray, 64, here, 64, ACL_MEMCPY_HOST_TO_DEVICE), 107000);
    EXPECT_MESSAGE("is in no live block of device 0");
  }
}

CASE(read_below_the_first_block) {
  std::printf("%d\n", static_cast<volatile char*>(device_block(64))[-1024]);
}

CASE(exit_with_work_pending) {
  EXPECT_OK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  EXPECT_OK(aclrtCreateStream(&stream));
  EXPECT_OK(aclrtLaunchHostFunc(stream, &slow, nullptr));
  EXPECT_OK(aclrtSynchronizeDeviceWithTimeout(20) == 507046 ? 0 : 1);
  std::exit(3);
}

CASE(leave_things_behind) {
  EXPECT_OK(aclInit(nullptr));
  device_block(100);
  device_block(28);
  aclrtStream stream = nullptr;
  EXPECT_OK(aclrtCreateStream(&stream));
  aclrtEvent event = nullptr;
  EXPECT_OK(aclrtCreateEvent(&event));
  void* pinned = nullptr;
  EXPECT_OK(aclrtMallocHost(&pinned, 10));
  EXPECT_OK(aclFinalize());
}

CASE(leave_nothing_behind) {
  EXPECT_OK(aclInit(nullptr));
  EXPECT_OK(aclrtFree(device_block(100)));
  EXPECT_OK(aclrtLaunchHostFunc(nullptr, [](void*) {}, nullptr));
  EXPECT_OK(aclFinalize());
}

CASE(third_malloc_fails) {
  EXPECT_OK(aclrtSetDevice(0));
  void* block = nullptr;
  for (int i = 0; i < 2; ++i) {
    EXPECT_OK(aclrtMalloc(&block, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    EXPECT_OK(aclrtFree(block));
  }
  EXPECT_EQ(aclrtMalloc(&block, 64, ACL_MEM_MALLOC_HUGE_FIRST), 207001);
  EXPECT_OK(aclrtMalloc(&block, 64, ACL_MEM_MALLOC_HUGE_FIRST));
}

CASE(new_memory_is_poisoned) {
  void* block = device_block(64);
  unsigned char back[64] = {};
  EXPECT_OK(aclrtMemcpy(back, 64, block, 64, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(int(back[0]), 0xCD);
  EXPECT_EQ(int(back[63]), 0xCD);
}

CASE(print_the_machine) {
  uint32_t devices = 0;
  EXPECT_OK(aclrtGetDeviceCount(&devices));
  std::printf("soc=%s devices=%u", aclrtGetSocName(), devices);
  if (devices != 0) {
    size_t free = 0, total = 0;
    int32_t minor = 0, ignored = 0;
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
    EXPECT_OK(aclrtGetVersion(&ignored, &minor, &ignored));
    std::printf(" memory=%zu minor=%d", total, minor);
  }
  std::printf("\n");
}

CASE(a_device_too_large_to_map_is_not_brought_up) {
  for (int attempt = 0; attempt < 3; ++attempt) EXPECT_EQ(aclrtSetDevice(0), 507033);
  EXPECT_MESSAGE("PYACLNN_SIM_MEMORY");
  int32_t device = 0;
  EXPECT_EQ(aclrtGetDevice(&device), 107002);
}

CASE(functions_of_8_5_are_absent_in_8_1) {
  EXPECT_OK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  uint32_t value = 0;
  EXPECT_EQ(aclrtCtxGetCurrentDefaultStream(&stream), 207000);
  EXPECT_MESSAGE("aclrtCtxGetCurrentDefaultStream came with CANN 8.5; this is CANN 8.1");
  EXPECT_EQ(aclrtStreamGetPriority(nullptr, &value), 207000);
  EXPECT_EQ(aclFinalizeReference(nullptr), 207000);
  EXPECT_EQ(aclrtLaunchHostFunc(nullptr, &slow, nullptr), 207000);
}

CASE(copying_nothing_is_refused_in_8_1) {
  EXPECT_OK(aclrtSetDevice(0));
  char a = 0, b = 0;
  EXPECT_EQ(aclrtMemcpy(&a, 1, &b, 0, ACL_MEMCPY_HOST_TO_HOST), 107000);
}

CASE(padding_can_be_touched_and_no_more) {
  auto* block = static_cast<unsigned char*>(device_block(100));
  unsigned char back[256] = {};
  size_t real = std::strcmp(aclrtGetSocName(), "Ascend910_95") == 0 ? 128 : 160;
  EXPECT_OK(aclrtMemcpy(back, 256, block, real, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(aclrtMemcpy(back, 256, block, real + 1, ACL_MEMCPY_DEVICE_TO_HOST), 107000);
}
