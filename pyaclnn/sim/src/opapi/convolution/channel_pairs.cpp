// SPDX-License-Identifier: MIT
#include "opapi/convolution/channel_pairs.hpp"

#include <algorithm>

#include "core/thread_pool.hpp"
#include "opapi/product/pairs.hpp"

namespace pyaclnn::sim {

Scratch<float> channel_pairs(const RowMajorAccess& from, std::int64_t outer, std::int64_t channels,
                             std::int64_t inner) {
  constexpr std::int64_t kPiece = 1 << 15;  // pairs made at a time
  constexpr std::int64_t kVector = 16;      // of which whole ones are written
  const std::int64_t pairs = pairs_of(channels);
  Scratch<float> to(outer * pairs * inner);
  parallel_for(outer * pairs, ceil_divide(kPiece, inner),
               [&](std::int64_t begin, std::int64_t end) {
                 const bool lies_apart = from.array_type() == ACL_DT_UNDEFINED;
                 const std::int64_t room = lies_apart ? round_up(inner, kVector) : 0;
                 const FloatBuffer lines(3 * room);
                 for (std::int64_t i = begin; i < end; ++i) {
                   const std::int64_t first = i % pairs * 2;
                   const std::int64_t place = (i / pairs * channels + first) * inner;
                   const std::int64_t both = std::min<std::int64_t>(2, channels - first);
                   float* const out = to.data() + i * inner;
                   if (!lies_apart) {
                     pack_pairs({from.place(place), 1, inner}, inner, both, out, inner, nullptr);
                     continue;
                   }
                   for (std::int64_t line = 0; line < both; ++line)
                     from.read(place + line * inner, inner, lines.data() + line * room);
                   float* const vectors = lines.data() + 2 * room;
                   pair_lines(lines.data(), room, both, inner, vectors, room);
                   std::copy_n(vectors, inner, out);
                 }
               });
  return to;
}

}  // namespace pyaclnn::sim
