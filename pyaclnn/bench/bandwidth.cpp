// What memory gives on this machine: a triad as in STREAM, and memcpy, on as many threads as asked.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstring>
#include <thread>
#include <vector>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace {

/// Calls part(begin, end) on each thread, with bounds that are whole cache lines of bytes or
/// floats.
template <class Part>
void share(std::size_t count, int threads, Part part) {
  constexpr std::size_t kUnit = 4096;
  const auto bound = [=](int index) {
    return index == threads ? count
                            : count / std::size_t(threads) / kUnit * kUnit * std::size_t(index);
  };
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back([=] { part(bound(i), bound(i + 1)); });
  part(0, bound(1));
  for (std::thread& other : others) other.join();
}

}  // namespace

/// a = b + scale * c, through the caches, as a compiler makes it of the plain loop.
extern "C" void triad(float* a, const float* b, const float* c, float scale, std::size_t count,
                      int threads) {
  share(count, threads, [=](std::size_t begin, std::size_t end) {
    float* __restrict to = a;
    for (std::size_t i = begin; i < end; ++i) to[i] = b[i] + scale * c[i];
  });
}

/// The same with stores that pass the caches by, which spares reading what is overwritten.
/// Addresses are multiples of 16 bytes.
extern "C" void triad_streaming(float* a, const float* b, const float* c, float scale,
                                std::size_t count, int threads) {
#if defined(__SSE__)
  share(count, threads, [=](std::size_t begin, std::size_t end) {
    const __m128 factor = _mm_set1_ps(scale);
    for (std::size_t i = begin; i + 16 <= end; i += 16) {
      for (std::size_t k = i; k < i + 16; k += 4)
        _mm_stream_ps(a + k,
                      _mm_add_ps(_mm_load_ps(b + k), _mm_mul_ps(factor, _mm_load_ps(c + k))));
    }
    _mm_sfence();
  });
#else
  triad(a, b, c, scale, count, threads);
#endif
}

extern "C" void copy(void* to, const void* from, std::size_t bytes, int threads) {
  share(bytes, threads, [=](std::size_t begin, std::size_t end) {
    std::memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin,
                end - begin);
  });
}
