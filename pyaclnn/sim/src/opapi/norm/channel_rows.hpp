// A tensor of channels as their rows, cut into pieces for threads and blocks for the cache.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/bulk_copy.hpp"
#include "core/thread_pool.hpp"
#include "opapi/norm/channel_pass.hpp"

namespace pyaclnn::sim {

/// Calls visit(row, position, count) for every piece of every row of a channel, in parallel. A
/// row's pieces have the indices row * pieces() up to the next row's.
class ChannelRows {
 public:
  static constexpr std::int64_t kBlock = 1024;   // elements held converted at a time
  static constexpr std::int64_t kPiece = 32768;  // worth a hand-over to another thread

  /// Shorter rows of a channel go column by column.
  static bool suit(const ChannelShape& shape) { return shape.inner >= 16; }

  explicit ChannelRows(const ChannelShape& shape)
      : shape_(shape), pieces_((shape.inner + kPiece - 1) / kPiece) {}

  std::int64_t pieces() const { return pieces_; }
  std::int64_t items() const { return shape_.outer * shape_.channels * pieces_; }
  std::int64_t channel(std::int64_t item) const { return item / pieces_ % shape_.channels; }

  /// Calls visit(item, position, count) for blocks of at most kBlock elements, which may be written
  /// past the caches.
  template <class Visit>
  void for_each_block(Visit visit) const {
    const std::int64_t grain = std::max<std::int64_t>(1, kPiece / shape_.inner);
    parallel_for(items(), grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t item = begin; item < end; ++item) {
        const std::int64_t start = item % pieces_ * kPiece;
        const std::int64_t stop = std::min(start + kPiece, shape_.inner);
        for (std::int64_t at = start; at < stop; at += kBlock)
          visit(item, item / pieces_ * shape_.inner + at, std::min(kBlock, stop - at));
      }
      bulk_copy_done();
    });
  }

  /// Calls visit(item, rows, position, length) for rows one behind the other, which are those of
  /// following channels, or for a block of one: calls for each take longer than a short one does.
  template <class Visit>
  void for_each_rows(Visit visit) const {
    const std::int64_t length = shape_.inner;
    if (length > kBlock)
      return for_each_block([&](std::int64_t item, std::int64_t position, std::int64_t count) {
        visit(item, 1, position, count);
      });
    parallel_for(items(), kPiece / length, [&](std::int64_t begin, std::int64_t end) {
      while (begin < end) {
        const std::int64_t rows =
            std::min({kBlock / length, end - begin, shape_.channels - channel(begin)});
        visit(begin, rows, begin * length, length);
        begin += rows;
      }
      bulk_copy_done();
    });
  }

 private:
  const ChannelShape& shape_;
  std::int64_t pieces_;
};

}  // namespace pyaclnn::sim
