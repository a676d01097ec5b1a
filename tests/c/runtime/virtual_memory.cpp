// Virtual memory; started with 256 MiB of memory on each of two devices.
// SPDX-License-Identifier: MIT
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <vector>

#include "acl/acl_rt.h"
#include "check.hpp"

namespace {

constexpr size_t kMiB = size_t(1) << 20;
constexpr size_t kStep = 2 * kMiB;

aclrtPhysicalMemProp properties(uint32_t device = 0) {
  aclrtPhysicalMemProp prop = {};
  prop.handleType = ACL_MEM_HANDLE_TYPE_NONE;
  prop.allocationType = ACL_MEM_ALLOCATION_TYPE_PINNED;
  prop.memAttr = ACL_HBM_MEM_HUGE;
  prop.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  prop.location.id = device;
  return prop;
}

aclrtDrvMemHandle physical(size_t size, uint32_t device = 0) {
  aclrtPhysicalMemProp prop = properties(device);
  aclrtDrvMemHandle handle = nullptr;
  EXPECT_OK(aclrtMallocPhysical(&handle, size, &prop, 0));
  return handle;
}

char* reserve(size_t size) {
  void* range = nullptr;
  EXPECT_OK(aclrtReserveMemAddress(&range, size, 0, nullptr, 1));
  return static_cast<char*>(range);
}

void fill(void* address, size_t size, int value) {
  EXPECT_OK(aclrtMemset(address, size, value, size));
}

int first_byte(const void* address) {
  unsigned char byte = 0;
  EXPECT_OK(aclrtMemcpy(&byte, 1, address, 1, ACL_MEMCPY_DEVICE_TO_HOST));
  return byte;
}

size_t free_bytes() {
  size_t free = 0, total = 0;
  EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
  return free;
}

}  // namespace

CASE(memory_is_where_it_is_mapped) {
  EXPECT_OK(aclrtSetDevice(0));
  char* range = reserve(8 * kStep);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(range) % kStep, 0u);
  EXPECT_EQ(aclrtMemset(range, 1, 1, 1), 107000);
  EXPECT_MESSAGE("in no live block");
  aclrtDrvMemHandle handle = physical(kStep);
  EXPECT_OK(aclrtMapMem(range + kStep, kStep, 0, handle, 0));
  fill(range + kStep, kStep, 7);
  EXPECT_EQ(first_byte(range + 2 * kStep - 1), 7);
  EXPECT_EQ(aclrtMemset(range, 1, 1, 1), 107000);
  EXPECT_EQ(aclrtMemset(range + 2 * kStep - 1, 2, 1, 2), 107000);
  EXPECT_MESSAGE("has 1 bytes left");
  EXPECT_OK(aclrtUnmapMem(range + kStep));
  EXPECT_EQ(aclrtMemset(range + kStep, 1, 1, 1), 107000);
  EXPECT_OK(aclrtFreePhysical(handle));
  EXPECT_OK(aclrtReleaseMemAddress(range));
  EXPECT_EQ(pyaclnnSimCount("total"), 0u);
}

CASE(pieces_side_by_side_are_one_block) {
  EXPECT_OK(aclrtSetDevice(0));
  char* range = reserve(4 * kStep);
  std::vector<aclrtDrvMemHandle> handles;
  // The middle comes last, so that a block grows at both of its ends.
  for (size_t piece : {size_t(0), size_t(2), size_t(1)}) {
    handles.push_back(physical(kStep));
    EXPECT_OK(aclrtMapMem(range + piece * kStep, kStep, 0, handles.back(), 0));
  }
  fill(range, 3 * kStep, 9);
  EXPECT_EQ(first_byte(range + kStep), 9);
  EXPECT_OK(aclrtUnmapMem(range + kStep));
  EXPECT_EQ(aclrtMemset(range, 3 * kStep, 1, 3 * kStep), 107000);
  fill(range + 2 * kStep, kStep, 3);
  EXPECT_EQ(first_byte(range), 9);
}

CASE(a_range_grows_while_a_stream_uses_it) {
  EXPECT_OK(aclrtSetDevice(0));
  char* range = reserve(4 * kStep);
  aclrtStream stream = nullptr;
  EXPECT_OK(aclrtCreateStream(&stream));
  EXPECT_OK(aclrtMapMem(range, kStep, 0, physical(kStep), 0));
  for (int i = 0; i < 200; ++i) EXPECT_OK(aclrtMemsetAsync(range, kStep, 5, kStep, stream));
  EXPECT_OK(aclrtMapMem(range + kStep, kStep, 0, physical(kStep), 0));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(first_byte(range), 5);
}

CASE(what_is_unmapped_under_queued_work_is_an_error_of_the_stream) {
  EXPECT_OK(aclrtSetDevice(0));
  char* range = reserve(kStep);
  aclrtStream stream = nullptr;
  EXPECT_OK(aclrtCreateStream(&stream));
  EXPECT_OK(aclrtMapMem(range, kStep, 0, physical(kStep), 0));
  void* word = nullptr;
  EXPECT_OK(aclrtMalloc(&word, 8, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtMemset(word, 8, 0, 8));
  EXPECT_OK(aclrtValueWait(word, 1, 1, stream));
  EXPECT_OK(aclrtMemsetAsync(range, kStep, 5, kStep, stream));
  EXPECT_OK(aclrtUnmapMem(range));
  uint64_t one = 1;
  EXPECT_OK(aclrtMemcpy(word, 8, &one, 8, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_EQ(aclrtSynchronizeStream(stream), 507015);
  EXPECT_MESSAGE("freed after the call");
}

CASE(content_follows_the_memory) {
  EXPECT_OK(aclrtSetDevice(0));
  char* here = reserve(kStep);
  char* there = reserve(kStep);
  aclrtDrvMemHandle handle = physical(kStep);
  EXPECT_OK(aclrtMapMem(here, kStep, 0, handle, 0));
  fill(here, kStep, 11);
  EXPECT_OK(aclrtMapMem(there, kStep, 0, handle, 0));
  EXPECT_EQ(first_byte(there), 11);
  fill(there, kStep, 12);
  EXPECT_EQ(first_byte(here), 12);
  EXPECT_OK(aclrtUnmapMem(here));
  EXPECT_OK(aclrtFreePhysical(handle));
  EXPECT_EQ(first_byte(there), 12);
}

CASE(memory_counts_from_when_it_is_allocated) {
  EXPECT_OK(aclrtSetDevice(0));
  size_t before = free_bytes();
  aclrtPhysicalMemProp prop = properties();
  aclrtDrvMemHandle handle = physical(kStep + 1);
  EXPECT_EQ(free_bytes() + 2 * kStep, before);
  aclrtDrvMemHandle more = nullptr;
  EXPECT_EQ(aclrtMallocPhysical(&more, 256 * kMiB, &prop, 0), 207001);
  EXPECT_MESSAGE("device 0 has no 268435456 bytes");
  char* range = reserve(2 * kStep);
  EXPECT_OK(aclrtMapMem(range, kStep + 1, 0, handle, 0));
  EXPECT_OK(aclrtFreePhysical(handle));
  EXPECT_EQ(free_bytes() + 2 * kStep, before);
  EXPECT_OK(aclrtUnmapMem(range));
  EXPECT_EQ(free_bytes(), before);
}

CASE(far_more_addresses_than_memory_can_be_reserved) {
  EXPECT_OK(aclrtSetDevice(0));
  char* first = reserve(size_t(32) << 30);
  char* second = reserve(size_t(32) << 30);
  EXPECT(first + (size_t(32) << 30) <= second || second + (size_t(32) << 30) <= first);
  void* range = nullptr;
  EXPECT_EQ(aclrtReserveMemAddress(&range, SIZE_MAX - 1, 0, nullptr, 0), 207001);
}

CASE(memory_of_another_device_keeps_its_device) {
  EXPECT_OK(aclrtSetDevice(0));
  char* range = reserve(2 * kStep);
  EXPECT_OK(aclrtMapMem(range, kStep, 0, physical(kStep, 1), 0));
  aclrtPtrAttributes attributes = {};
  EXPECT_OK(aclrtPointerGetAttributes(range, &attributes));
  EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
  EXPECT_EQ(attributes.location.id, 1u);
  EXPECT_EQ(aclrtMapMem(range + kStep, kStep, 0, physical(kStep, 0), 0), 107000);
  EXPECT_MESSAGE("memory of one device");
}

CASE(mistakes_are_named) {
  void* range = nullptr;
  aclrtDrvMemHandle handle = nullptr;
  aclrtPhysicalMemProp prop = properties();
  EXPECT_EQ(aclrtReserveMemAddress(nullptr, kStep, 0, nullptr, 0), 100000);
  EXPECT_EQ(aclrtReserveMemAddress(&range, 0, 0, nullptr, 0), 100000);
  EXPECT_EQ(aclrtReserveMemAddress(&range, kStep, 0, nullptr, 2), 100000);
  EXPECT_EQ(aclrtReserveMemAddress(&range, kStep, 64, nullptr, 0), 107000);
  EXPECT_EQ(aclrtReserveMemAddress(&range, kStep, 0, &range, 0), 207000);
  EXPECT_EQ(aclrtMallocPhysical(nullptr, kStep, &prop, 0), 100000);
  EXPECT_EQ(aclrtMallocPhysical(&handle, kStep, nullptr, 0), 100000);
  EXPECT_EQ(aclrtMallocPhysical(&handle, 0, &prop, 0), 100000);
  EXPECT_EQ(aclrtMallocPhysical(&handle, kStep, &prop, 1), 100000);
  prop.location.id = 99;
  EXPECT_EQ(aclrtMallocPhysical(&handle, kStep, &prop, 0), 107001);
  prop = properties();
  prop.memAttr = ACL_DDR_MEM_HUGE;
  EXPECT_EQ(aclrtMallocPhysical(&handle, kStep, &prop, 0), 100000);
  prop.memAttr = ACL_HBM_MEM;
  EXPECT_EQ(aclrtMallocPhysical(&handle, kStep, &prop, 0), 100000);
  prop = properties();
  prop.location.type = ACL_MEM_LOCATION_TYPE_UNREGISTERED;
  EXPECT_EQ(aclrtMallocPhysical(&handle, kStep, &prop, 0), 100000);
  prop.location.type = ACL_MEM_LOCATION_TYPE_HOST;
  EXPECT_EQ(aclrtMallocPhysical(&handle, kStep, &prop, 0), 207000);

  EXPECT_OK(aclrtSetDevice(0));
  char* reserved = reserve(2 * kStep);
  handle = physical(kStep);
  EXPECT_EQ(aclrtMapMem(nullptr, kStep, 0, handle, 0), 100000);
  EXPECT_EQ(aclrtMapMem(reserved, kStep, 0, nullptr, 0), 100000);
  EXPECT_EQ(aclrtMapMem(reserved, 0, 0, handle, 0), 100000);
  EXPECT_EQ(aclrtMapMem(reserved, kStep, 0, handle, 1), 100000);
  EXPECT_EQ(aclrtMapMem(reserved, kStep, kStep, handle, 0), 107000);
  EXPECT_EQ(aclrtMapMem(reserved, 2 * kStep, 0, handle, 0), 107000);
  EXPECT_EQ(aclrtMapMem(reserved + 512, kStep, 0, handle, 0), 107000);
  EXPECT_EQ(aclrtMapMem(&range, kStep, 0, handle, 0), 107000);
  EXPECT_MESSAGE("aclrtReserveMemAddress");
  EXPECT_OK(aclrtMapMem(reserved, kStep, 0, handle, 0));
  EXPECT_EQ(aclrtMapMem(reserved, kStep, 0, handle, 0), 107000);
  EXPECT_MESSAGE("already");
  EXPECT_EQ(aclrtFree(reserved), 107000);
  EXPECT_MESSAGE("aclrtUnmapMem");
  EXPECT_EQ(aclrtReleaseMemAddress(reserved), 107000);
  EXPECT_MESSAGE("still mapped");
  EXPECT_EQ(aclrtReleaseMemAddress(reserved + kStep), 107000);
  EXPECT_EQ(aclrtReleaseMemAddress(nullptr), 100000);
  EXPECT_EQ(aclrtUnmapMem(nullptr), 100000);
  EXPECT_EQ(aclrtUnmapMem(reserved + kStep), 107000);
  EXPECT_OK(aclrtFreePhysical(handle));
  EXPECT_EQ(aclrtFreePhysical(handle), 107000);
  EXPECT_EQ(aclrtFreePhysical(nullptr), 100000);
}

CASE(granularity_is_that_of_huge_pages) {
  aclrtPhysicalMemProp prop = properties();
  size_t step = 0;
  auto minimum = ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM;
  EXPECT_OK(aclrtMemGetAllocationGranularity(&prop, minimum, &step));
  EXPECT_EQ(step, kStep);
  prop.memAttr = ACL_HBM_MEM_HUGE1G;
  EXPECT_OK(aclrtMemGetAllocationGranularity(&prop, minimum, &step));
  EXPECT_EQ(step, size_t(1) << 30);
  prop.memAttr = ACL_DDR_MEM_NORMAL;
  EXPECT_EQ(aclrtMemGetAllocationGranularity(&prop, minimum, &step), 100000);
  EXPECT_EQ(aclrtMemGetAllocationGranularity(nullptr, minimum, &step), 100000);
  EXPECT_EQ(aclrtMemGetAllocationGranularity(&prop, minimum, nullptr), 100000);
  prop = properties();
  EXPECT_EQ(aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_UNDEF, &step),
            107000);
}

// The other process is this program again, as a forked child cannot use the library.
CASE(another_process_has_the_same_memory) {
  EXPECT_OK(aclrtSetDevice(0));
  char* range = reserve(kStep);
  aclrtDrvMemHandle handle = physical(kStep);
  EXPECT_OK(aclrtMapMem(range, kStep, 0, handle, 0));
  fill(range, kStep, 21);
  uint64_t shared = 0;
  EXPECT_OK(aclrtMemExportToShareableHandle(handle, ACL_MEM_HANDLE_TYPE_NONE, 1, &shared));
  std::string number = std::to_string(shared);
  setenv("SHARED_MEMORY", number.c_str(), 1);
  pid_t child = fork();
  if (child == 0) {
    execl("/proc/self/exe", "virtual_memory", "reads_what_another_process_wrote", nullptr);
    _exit(127);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(first_byte(range), 22);
}

CASE(reads_what_another_process_wrote) {
  const char* number = std::getenv("SHARED_MEMORY");
  if (number == nullptr) return;  // on its own there is no other process
  EXPECT_OK(aclrtSetDevice(0));
  aclrtDrvMemHandle handle = nullptr;
  EXPECT_OK(aclrtMemImportFromShareableHandle(std::stoull(number), 0, &handle));
  char* range = reserve(kStep);
  EXPECT_OK(aclrtMapMem(range, kStep, 0, handle, 0));
  EXPECT_EQ(first_byte(range), 21);
  fill(range, kStep, 22);
}

CASE(sharing_is_for_those_that_were_named) {
  EXPECT_OK(aclrtSetDevice(0));
  aclrtDrvMemHandle handle = physical(kStep);
  aclrtDrvMemHandle other = nullptr;
  uint64_t shared = 0;
  auto none = ACL_MEM_HANDLE_TYPE_NONE;
  EXPECT_OK(aclrtMemExportToShareableHandle(handle, none, 0, &shared));
  EXPECT_EQ(aclrtMemImportFromShareableHandle(shared, 0, &other), 107000);
  EXPECT_MESSAGE("aclrtMemSetPidToShareableHandle");
  int32_t self = 0;
  EXPECT_OK(aclrtDeviceGetBareTgid(&self));
  EXPECT_EQ(self, int32_t(getpid()));
  EXPECT_OK(aclrtMemSetPidToShareableHandle(shared, &self, 1));
  EXPECT_OK(aclrtMemImportFromShareableHandle(shared, 0, &other));
  EXPECT_EQ(aclrtMemExportToShareableHandle(other, none, 0, &shared), 107000);
  EXPECT_OK(aclrtFreePhysical(other));
  EXPECT_EQ(aclrtMemImportFromShareableHandle(1, 0, &other), 107000);
  EXPECT_EQ(aclrtMemImportFromShareableHandle(shared, 99, &other), 107001);
  EXPECT_EQ(aclrtMemImportFromShareableHandle(shared, 0, nullptr), 100000);
  EXPECT_EQ(aclrtMemSetPidToShareableHandle(1, &self, 1), 107000);
  EXPECT_EQ(aclrtMemSetPidToShareableHandle(shared, nullptr, 1), 100000);
  EXPECT_EQ(aclrtMemSetPidToShareableHandle(shared, &self, 0), 100000);
  EXPECT_EQ(aclrtMemExportToShareableHandle(nullptr, none, 0, &shared), 100000);
  EXPECT_EQ(aclrtMemExportToShareableHandle(handle, none, 2, &shared), 107000);
  EXPECT_EQ(aclrtMemExportToShareableHandle(handle, ACL_MEM_HANDLE_TYPE_POSIX, 0, &shared), 100000);
  EXPECT_EQ(aclrtMemExportToShareableHandle(handle, none, 0, nullptr), 100000);
  EXPECT_EQ(aclrtDeviceGetBareTgid(nullptr), 100000);
}
