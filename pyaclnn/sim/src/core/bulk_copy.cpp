// SPDX-License-Identifier: MIT
#include "core/bulk_copy.hpp"

#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace pyaclnn::sim {

#if defined(__x86_64__)

// Instructions that every x86-64 processor has; whole cache lines leave in one burst.
void bulk_copy(void* to, const void* from, std::size_t bytes) noexcept {
  constexpr std::size_t kLine = 64;
  auto* target = static_cast<unsigned char*>(to);
  const auto* source = static_cast<const unsigned char*>(from);
  std::size_t head = (kLine - reinterpret_cast<std::uintptr_t>(target) % kLine) % kLine;
  if (bytes < head + kLine) {
    std::memcpy(to, from, bytes);
    return;
  }
  std::memcpy(target, source, head);
  target += head;
  source += head;
  bytes -= head;
  for (; bytes >= kLine; bytes -= kLine, target += kLine, source += kLine) {
    const auto* in = reinterpret_cast<const __m128i*>(source);
    auto* out = reinterpret_cast<__m128i*>(target);
    const __m128i a = _mm_loadu_si128(in);
    const __m128i b = _mm_loadu_si128(in + 1);
    const __m128i c = _mm_loadu_si128(in + 2);
    const __m128i d = _mm_loadu_si128(in + 3);
    _mm_stream_si128(out, a);
    _mm_stream_si128(out + 1, b);
    _mm_stream_si128(out + 2, c);
    _mm_stream_si128(out + 3, d);
  }
  std::memcpy(target, source, bytes);
}

void bulk_copy_done() noexcept { _mm_sfence(); }

#else

void bulk_copy(void* to, const void* from, std::size_t bytes) noexcept {
  std::memcpy(to, from, bytes);
}

void bulk_copy_done() noexcept {}

#endif

}  // namespace pyaclnn::sim
