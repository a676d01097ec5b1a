// Many words at a time, and numbers made of them, in loops that vectorise.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "acl/acl_base.h"
#include "opapi/random/philox.hpp"

namespace pyaclnn::sim {

/// The words from number `at` on, a multiple of four; `count` is rounded up to one.
void draw_words(const RandomStream& stream, std::int64_t at, std::int64_t count,
                std::uint32_t* words);

/// low + range u for u in [0, 1) with the bits of `type`; whole numbers towards zero.
void draw_uniform(const std::uint32_t* words, std::int64_t count, aclDataType type, float low,
                  float range, bool whole, float* values);

/// Numbers from `low` on that are at most `last`; whole ones, or truths, which are rounded.
void draw_integers(const std::uint32_t* words, std::int64_t count, float low, float high,
                   float last, bool truth, float* values);

/// Normal numbers, two of two uniform ones, as Box and Muller have it. `count` is even.
void draw_normal(const std::uint32_t* words, std::int64_t count, float* values);

}  // namespace pyaclnn::sim
