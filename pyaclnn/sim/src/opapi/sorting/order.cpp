// SPDX-License-Identifier: MIT
#include "opapi/sorting/order.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "core/thread_pool.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kRadixFrom = 2048;  // shorter lines are compared

/// A key and a place.
struct Item {
  std::uint64_t key;
  std::uint64_t place;
  bool operator<(const Item& other) const {
    return key != other.key ? key < other.key : place < other.place;
  }
};

std::uint64_t digits_of(std::uint64_t item) { return item >> 32; }
std::uint64_t digits_of(const Item& item) { return item.key; }

/// Least significant byte first; bytes that are the same everywhere are left out.
template <class T>
void sort_by_bytes(std::vector<T>& items, int bits) {
  std::vector<T> other(items.size());
  for (int shift = 0; shift < bits; shift += 8) {
    std::array<std::size_t, 257> begin{};
    for (const T& item : items) ++begin[((digits_of(item) >> shift) & 255) + 1];
    if (std::find(begin.begin(), begin.end(), items.size()) != begin.end()) continue;
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    for (const T& item : items) other[begin[(digits_of(item) >> shift) & 255]++] = item;
    items.swap(other);
  }
}

template <class T>
void sort_items(std::vector<T>& items, int bits) {
  const auto count = std::int64_t(items.size());
  if (count < kRadixFrom) {
    std::sort(items.begin(), items.end());
  } else {
    // Halves at the same time, then one into the other; where they part does not depend on threads.
    constexpr std::int64_t kApart = 1 << 17;
    if (count < kApart) return sort_by_bytes(items, bits);
    std::vector<T> halves[2];
    const auto middle = items.begin() + count / 2;
    halves[0].assign(items.begin(), middle);
    halves[1].assign(middle, items.end());
    parallel_for(2, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) sort_by_bytes(halves[i], bits);
    });
    std::merge(halves[0].begin(), halves[0].end(), halves[1].begin(), halves[1].end(),
               items.begin());
  }
}

std::uint64_t item_of(std::uint64_t key, std::uint64_t place, std::uint64_t) {
  return key << 32 | place;
}
Item item_of(std::uint64_t key, std::uint64_t place, const Item&) { return {key, place}; }
std::int64_t place_of(std::uint64_t item) { return std::int64_t(item & 0xffffffffU); }
std::int64_t place_of(const Item& item) { return std::int64_t(item.place); }

/// The first few of many: those that lie behind as many others are dropped as they come.
template <class T>
std::vector<T> first_items(const std::vector<std::uint64_t>& keys, std::size_t wanted) {
  const std::size_t room = 4 * wanted + 256;
  std::vector<T> items;
  items.reserve(room);
  T limit{};
  bool limited = false;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const T item = item_of(keys[i], i, T{});
    if (limited && !(item < limit)) continue;
    items.push_back(item);
    if (items.size() < room) continue;
    std::nth_element(items.begin(), items.begin() + std::ptrdiff_t(wanted), items.end());
    items.resize(wanted + 1);
    limit = items.back();
    limited = true;
  }
  std::sort(items.begin(), items.end());
  return items;
}

template <class T>
void order_as(const std::vector<std::uint64_t>& keys, int bits, std::int64_t wanted,
              std::vector<std::int64_t>& places) {
  const std::size_t count = keys.size();
  std::vector<T> items;
  if (std::size_t(wanted) < count / 16) {
    items = first_items<T>(keys, std::size_t(wanted));
  } else {
    items.resize(count);
    for (std::size_t i = 0; i < count; ++i) items[i] = item_of(keys[i], i, T{});
    sort_items(items, bits);
  }
  places.resize(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) places[i] = place_of(items[i]);
}

}  // namespace

void read_keys(const Lines& lines, const KernelMemory& memory, std::int64_t line, KeyFn read,
               int bits, bool descending, std::vector<std::uint64_t>& keys) {
  keys.resize(std::size_t(lines.length()));
  const std::byte* from = lines.begin(memory, line);
  lines.for_each_stretch(
      0, lines.length(),
      [&](std::int64_t place, std::int64_t offset, std::int64_t step, std::int64_t count) {
        read(from + offset * lines.element_size(), step, count, &keys[std::size_t(place)]);
      });
  if (!descending) return;
  const std::uint64_t all = std::numeric_limits<std::uint64_t>::max() >> (64 - bits);
  for (std::uint64_t& key : keys) key = all - key;
}

void order_places(const std::vector<std::uint64_t>& keys, int bits, std::int64_t wanted,
                  std::vector<std::int64_t>& places) {
  if (bits <= 32 && keys.size() < (std::uint64_t(1) << 32)) {
    order_as<std::uint64_t>(keys, bits, wanted, places);
  } else {
    order_as<Item>(keys, bits, wanted, places);
  }
}

}  // namespace pyaclnn::sim
