// The generator of random numbers: Philox 4x32, mostly with ten rounds, which counts instead of
// keeping a state, so that a number depends on nothing but the seed, the offset and its place.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

namespace pyaclnn::sim {

using PhiloxBlock = std::array<std::uint32_t, 4>;

constexpr int kPhiloxRounds = 10;
constexpr std::uint32_t kPhiloxFactor0 = 0xD2511F53;
constexpr std::uint32_t kPhiloxFactor1 = 0xCD9E8D57;
constexpr std::uint32_t kPhiloxStep0 = 0x9E3779B9;
constexpr std::uint32_t kPhiloxStep1 = 0xBB67AE85;

/// The four words of a counter under a key.
template <int kRounds = kPhiloxRounds>
inline PhiloxBlock philox(PhiloxBlock counter, std::uint32_t key0, std::uint32_t key1) {
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t a = std::uint64_t(kPhiloxFactor0) * counter[0];
    const std::uint64_t b = std::uint64_t(kPhiloxFactor1) * counter[2];
    counter = {std::uint32_t(b >> 32) ^ counter[1] ^ key0, std::uint32_t(b),
               std::uint32_t(a >> 32) ^ counter[3] ^ key1, std::uint32_t(a)};
    key0 += kPhiloxStep0;
    key1 += kPhiloxStep1;
  }
  return counter;
}

/// The words of one call: the seed is the key, the offset the upper half of the counter, and the
/// lower half counts blocks of four words.
struct RandomStream {
  std::uint64_t seed;
  std::uint64_t offset;

  PhiloxBlock block(std::uint64_t number) const {
    return philox({std::uint32_t(number), std::uint32_t(number >> 32), std::uint32_t(offset),
                   std::uint32_t(offset >> 32)},
                  std::uint32_t(seed), std::uint32_t(seed >> 32));
  }
};

}  // namespace pyaclnn::sim
