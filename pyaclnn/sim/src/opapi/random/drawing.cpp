// SPDX-License-Identifier: MIT
#include "opapi/random/drawing.hpp"

#include <algorithm>
#include <cmath>

#include "opapi/common/cpu_wide.hpp"
#include "opapi/common/vecmath.hpp"
#include "opapi/random/words.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlocks = 64;  // counters that go through the rounds side by side

struct Philox {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(std::uint64_t first, const RandomStream* stream,
                                    std::int64_t count, std::uint32_t* words) {
    std::uint32_t c0[kBlocks];
    std::uint32_t c1[kBlocks];
    std::uint32_t c2[kBlocks];
    std::uint32_t c3[kBlocks];
    for (std::int64_t i = 0; i < kBlocks; ++i) {
      const std::uint64_t number = first + std::uint64_t(i);
      c0[i] = std::uint32_t(number);
      c1[i] = std::uint32_t(number >> 32);
      c2[i] = std::uint32_t(stream->offset);
      c3[i] = std::uint32_t(stream->offset >> 32);
    }
    auto key0 = std::uint32_t(stream->seed);
    auto key1 = std::uint32_t(stream->seed >> 32);
    for (int round = 0; round < kPhiloxRounds; ++round) {
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t i = 0; i < kBlocks; ++i) {
        const std::uint64_t a = std::uint64_t(kPhiloxFactor0) * c0[i];
        const std::uint64_t b = std::uint64_t(kPhiloxFactor1) * c2[i];
        c0[i] = std::uint32_t(b >> 32) ^ c1[i] ^ key0;
        c1[i] = std::uint32_t(b);
        c2[i] = std::uint32_t(a >> 32) ^ c3[i] ^ key1;
        c3[i] = std::uint32_t(a);
      }
      key0 += kPhiloxStep0;
      key1 += kPhiloxStep1;
    }
    for (std::int64_t i = 0; i < count; ++i) {
      words[4 * i] = c0[i];
      words[4 * i + 1] = c1[i];
      words[4 * i + 2] = c2[i];
      words[4 * i + 3] = c3[i];
    }
  }
};

struct Uniform {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const std::uint32_t* words, std::int64_t count,
                                    aclDataType type, float low, float range, bool whole,
                                    float* values) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) values[i] = fraction(words[i], type) * range + low;
    if (!whole) return;
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) values[i] = std::trunc(values[i]);
  }
};

struct Integers {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const std::uint32_t* words, std::int64_t count, float low,
                                    float high, float last, bool truth, float* values) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) {
      const float u = fraction(words[i], ACL_FLOAT);
      // Not low + u (high - low), which may be more than a float holds.
      const float value = u * high + (low - u * low);
      const float within = vec::select(last < value, last, value);
      values[i] = truth ? std::rint(within) : std::trunc(within);
    }
  }
};

struct NormalNumbers {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const std::uint32_t* __restrict words, std::int64_t count,
                                    float* __restrict values) {
    constexpr float kTurn = 6.283185307179586f;
    for (std::int64_t i = 0; i < count / 2; ++i) {
      const float drawn = fraction(words[2 * i], ACL_FLOAT);
      const float u = vec::select(drawn < 1e-7f, 1e-7f, drawn);
      const float angle = kTurn * fraction(words[2 * i + 1], ACL_FLOAT);
      const float radius = std::sqrt(-2.0f * vec::log(u));
      values[2 * i] = radius * vec::sin(angle);
      values[2 * i + 1] = radius * vec::cos(angle);
    }
  }
};

}  // namespace

void draw_words(const RandomStream& stream, std::int64_t at, std::int64_t count,
                std::uint32_t* words) {
  if (count <= 8) {
    for (std::int64_t i = 0; i < count; i += 4) {
      const PhiloxBlock block = stream.block(std::uint64_t(at + i) / 4);
      std::copy(block.begin(), block.end(), words + i);
    }
    return;
  }
  static const auto philox =
      wide_loop_for_cpu<Philox, std::uint64_t, const RandomStream*, std::int64_t, std::uint32_t*>();
  const std::int64_t blocks = (count + 3) / 4;
  for (std::int64_t i = 0; i < blocks; i += kBlocks)
    philox(std::uint64_t(at) / 4 + std::uint64_t(i), &stream, std::min(kBlocks, blocks - i),
           words + 4 * i);
}

void draw_uniform(const std::uint32_t* words, std::int64_t count, aclDataType type, float low,
                  float range, bool whole, float* values) {
  static const auto loop = wide_loop_for_cpu<Uniform, const std::uint32_t*, std::int64_t,
                                             aclDataType, float, float, bool, float*>();
  loop(words, count, type, low, range, whole, values);
}

void draw_integers(const std::uint32_t* words, std::int64_t count, float low, float high,
                   float last, bool truth, float* values) {
  static const auto loop = wide_loop_for_cpu<Integers, const std::uint32_t*, std::int64_t, float,
                                             float, float, bool, float*>();
  loop(words, count, low, high, last, truth, values);
}

void draw_normal(const std::uint32_t* words, std::int64_t count, float* values) {
  static const auto loop =
      wide_loop_for_cpu<NormalNumbers, const std::uint32_t*, std::int64_t, float*>();
  loop(words, count, values);
}

}  // namespace pyaclnn::sim
