// What kernels must not touch: a build with AddressSanitizer ends the process that does. Each case
// is an access as a kernel would make it; test_runtime_core.py says how it ends.
// SPDX-License-Identifier: MIT
#include "core/live_bytes.hpp"

#include "acl/acl_rt.h"
#include "check.hpp"
#include "core/memory.hpp"

namespace {

constexpr std::size_t kSize = 100;

volatile unsigned char* block(std::size_t size = kSize, void** pointer = nullptr) {
  EXPECT_OK(aclrtSetDevice(0));
  void* made = nullptr;
  EXPECT_OK(aclrtMalloc(&made, size, ACL_MEM_MALLOC_HUGE_FIRST));
  if (pointer != nullptr) *pointer = made;
  return static_cast<unsigned char*>(pyaclnn::sim::kernel_address(made));
}

}  // namespace

CASE(all_of_a_block) {
  for (std::size_t size : {1u, 7u, 8u, 100u, 511u, 512u, 4097u}) {
    volatile unsigned char* bytes = block(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = 1;
  }
}

CASE(padding_that_the_program_uses) {
  void* pointer = nullptr;
  volatile unsigned char* bytes = block(kSize, &pointer);
  EXPECT_OK(aclrtMemset(pointer, kSize + 20, 3, kSize + 20));
  EXPECT_EQ(int(bytes[kSize + 19]), 3);
}

CASE(a_block_that_is_taken_again) {
  void* pointer = nullptr;
  block(4096, &pointer);
  EXPECT_OK(aclrtFree(pointer));
  volatile unsigned char* bytes = block(4096);
  bytes[0] = bytes[4095] = 1;
}

CASE(stray_behind_a_block) {
  volatile unsigned char* bytes = block();
  block();
  bytes[kSize] = 1;
}

CASE(stray_into_a_vector_that_reads_on) {
  volatile unsigned char* bytes = block();
  std::printf("%d", int(bytes[kSize + 3]));
}

CASE(stray_into_memory_that_was_freed) {
  void* pointer = nullptr;
  volatile unsigned char* bytes = block(kSize, &pointer);
  block();
  EXPECT_OK(aclrtFree(pointer));
  bytes[8] = 1;
}

CASE(stray_ahead_of_the_first_block) { block()[-1] = 1; }

CASE(stray_far_behind_all_blocks) { block()[std::size_t(64) << 20] = 1; }
