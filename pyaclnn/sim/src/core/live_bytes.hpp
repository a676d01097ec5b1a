// Tells AddressSanitizer which bytes are live; nothing in a build without it.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SANITIZE_ADDRESS__)
#define PYACLNN_SIM_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PYACLNN_SIM_ASAN 1
#endif
#endif

#if defined(PYACLNN_SIM_ASAN)
#include <sanitizer/asan_interface.h>
#endif

namespace pyaclnn::sim::live_bytes {

#if defined(PYACLNN_SIM_ASAN)

inline constexpr bool kWatched = true;

inline void begin(const void* address, std::size_t size) noexcept {
  __asan_unpoison_memory_region(address, size);
}

inline void end(const void* address, std::size_t size) noexcept {
  __asan_poison_memory_region(address, size);
}

/// memcpy() of pages, whatever lies in them.
__attribute__((no_sanitize("address"))) inline void copy_pages(void* to, const void* from,
                                                               std::size_t size) noexcept {
  // Volatile, for memcpy() looks at the bytes in any case.
  auto* target = static_cast<volatile std::uint64_t*>(to);
  const auto* source = static_cast<const volatile std::uint64_t*>(from);
  for (std::size_t i = 0; i < size / sizeof *target; ++i) target[i] = source[i];
}

#else

inline constexpr bool kWatched = false;

inline void begin(const void*, std::size_t) noexcept {}
inline void end(const void*, std::size_t) noexcept {}
inline void copy_pages(void* to, const void* from, std::size_t size) noexcept {
  std::memcpy(to, from, size);
}

#endif

}  // namespace pyaclnn::sim::live_bytes
