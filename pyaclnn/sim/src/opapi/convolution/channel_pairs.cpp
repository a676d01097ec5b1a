// SPDX-License-Identifier: MIT
#include "opapi/convolution/channel_pairs.hpp"

#include <algorithm>

#include "core/thread_pool.hpp"
#include "opapi/product/pairs.hpp"

namespace pyaclnn::sim {

std::unique_ptr<float[]> channel_pairs(const RowMajorAccess& from, std::int64_t outer,
                                       std::int64_t channels, std::int64_t inner) {
  constexpr std::int64_t kPiece = 1 << 15;  // pairs made at a time
  const std::int64_t pairs = pairs_of(channels);
  std::unique_ptr<float[]> to(new float[std::size_t(outer * pairs * inner)]);
  parallel_for(outer * pairs, ceil_divide(kPiece, inner),
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t i = begin; i < end; ++i) {
                   const std::int64_t first = i % pairs * 2;
                   const std::int64_t place = (i / pairs * channels + first) * inner;
                   pack_pairs({from.place(place), 1, inner}, inner,
                              std::min<std::int64_t>(2, channels - first), to.get() + i * inner,
                              inner, nullptr);
                 }
               });
  return to;
}

}  // namespace pyaclnn::sim
