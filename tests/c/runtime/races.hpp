// What the programs about missing synchronisation share.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "check.hpp"

constexpr size_t kBytes = 4096;

/// A device, two streams, two blocks, an event; and hazards are collected.
struct Setup {
  explicit Setup(const char* mode = "collect") {
    EXPECT_OK(pyaclnnSimSetRaces(mode));
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtCreateStream(&first));
    EXPECT_OK(aclrtCreateStream(&second));
    EXPECT_OK(aclrtMalloc(&a, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
    EXPECT_OK(aclrtMalloc(&b, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
    EXPECT_OK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
  }

  static void fill(aclrtStream stream, void* block, size_t bytes = kBytes) {
    EXPECT_OK(aclrtMemsetAsync(block, bytes, 1, bytes, stream));
  }
  static void copy(aclrtStream stream, void* to, const void* from, size_t bytes = kBytes) {
    EXPECT_OK(aclrtMemcpyAsync(to, bytes, from, bytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  }
  void second_waits_for_first() {
    EXPECT_OK(aclrtRecordEvent(event, first));
    EXPECT_OK(aclrtStreamWaitEvent(second, event));
  }
  int id(aclrtStream stream) {
    int32_t number = 0;
    EXPECT_OK(aclrtStreamGetId(stream, &number));
    return number;
  }

  aclrtStream first = nullptr, second = nullptr;
  aclrtEvent event = nullptr;
  void *a = nullptr, *b = nullptr;
};

inline void* at(void* block, size_t offset) { return static_cast<char*>(block) + offset; }

/// The only hazard found so far, which is then forgotten.
inline std::string take_hazard() {
  EXPECT_EQ(pyaclnnSimHazardCount(), 1u);
  pyaclnnSimHazard hazard;
  EXPECT_OK(pyaclnnSimGetHazard(0, &hazard));
  std::string text = hazard.kind;
  for (const pyaclnnSimAccess& side : {hazard.earlier, hazard.later})
    text += std::string(", ") + side.operation + " " + side.access + " " + side.operand;
  text += ", " + std::to_string(hazard.begin) + ":" + std::to_string(hazard.end);
  pyaclnnSimForgetHazards();
  return text;
}

#define EXPECT_HAZARD(text) EXPECT_EQ(take_hazard(), std::string(text))
#define EXPECT_NONE() EXPECT_EQ(pyaclnnSimHazardCount(), 0u)
