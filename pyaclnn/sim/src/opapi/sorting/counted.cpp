// SPDX-License-Identifier: MIT
#include "opapi/sorting/counted.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <mutex>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/cpu_wide.hpp"
#include "opapi/sorting/keys.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kPiece = 1 << 16;  // elements that have counts of their own
constexpr std::int64_t kBlock = 512;      // keys at a time
// No more than a piece has elements, which are counted while so many counts are added up.
constexpr std::int64_t kMostValues = kPiece;

struct Extremes {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const std::uint64_t* keys, std::int64_t count,
                                    std::uint64_t* least, std::uint64_t* most) {
    std::uint64_t low = *least;
    std::uint64_t high = *most;
    for (std::int64_t i = 0; i < count; ++i) {
      low = std::min(low, keys[i]);
      high = std::max(high, keys[i]);
    }
    *least = low;
    *most = high;
  }
};

/// Calls body(keys, first position, count) for blocks of elements in [begin, end).
template <class Body>
void each_block(const KernelMemory& memory, const FlatView& view, KeyFn read, std::int64_t begin,
                std::int64_t end, Body body) {
  std::uint64_t keys[kBlock];
  while (begin < end) {
    const std::int64_t count = std::min({view.left_in_run(begin), end - begin, kBlock});
    read(view.at(memory, begin), view.step() / view.element_size(), count, keys);
    body(static_cast<const std::uint64_t*>(keys), begin, count);
    begin += count;
  }
}

}  // namespace

KeyCounts count_keys(const KernelMemory& memory, const FlatView& from, aclDataType dtype) {
  KeyCounts result;
  if (!is_integral(dtype)) return result;
  const KeyFn read = key_reader(dtype);
  static const auto find = wide_loop_for_cpu<Extremes, const std::uint64_t*, std::int64_t,
                                             std::uint64_t*, std::uint64_t*>();
  std::mutex mutex;
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t most = 0;
  parallel_for(from.count(), kPiece, [&](std::int64_t begin, std::int64_t end) {
    std::uint64_t low = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t high = 0;
    each_block(memory, from, read, begin, end,
               [&](const std::uint64_t* keys, std::int64_t, std::int64_t count) {
                 find(keys, count, &low, &high);
               });
    const std::lock_guard<std::mutex> guard(mutex);
    least = std::min(least, low);
    most = std::max(most, high);
  });
  if (most < least || most - least >= std::uint64_t(std::min(kMostValues, from.count())))
    return result;
  const auto values = std::size_t(most - least + 1);
  result.least = least;
  result.counts.resize(values);
  parallel_for(from.count(), kPiece, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::int64_t> own(values);
    each_block(memory, from, read, begin, end,
               [&](const std::uint64_t* keys, std::int64_t, std::int64_t count) {
                 for (std::int64_t i = 0; i < count; ++i) ++own[std::size_t(keys[i] - least)];
               });
    const std::lock_guard<std::mutex> guard(mutex);
    for (std::size_t i = 0; i < values; ++i) result.counts[i] += own[i];
  });
  return result;
}

void write_by_key(const KernelMemory& memory, const FlatView& from, aclDataType dtype,
                  std::uint64_t least, const std::vector<std::int64_t>& numbers,
                  const FlatView& to) {
  const KeyFn read = key_reader(dtype);
  parallel_for(from.count(), kPiece, [&](std::int64_t begin, std::int64_t end) {
    each_block(memory, from, read, begin, end,
               [&](const std::uint64_t* keys, std::int64_t first, std::int64_t count) {
                 for (std::int64_t done = 0; done < count;) {
                   const std::int64_t run = std::min(to.left_in_run(first + done), count - done);
                   std::byte* target = to.at(memory, first + done);
                   for (std::int64_t i = 0; i < run; ++i)
                     std::memcpy(target + i * to.step(),
                                 &numbers[std::size_t(keys[done + i] - least)],
                                 sizeof(std::int64_t));
                   done += run;
                 }
               });
  });
}

}  // namespace pyaclnn::sim
