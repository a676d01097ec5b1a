// SPDX-License-Identifier: MIT
#include "opapi/sorting/order.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "core/thread_pool.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kRadixFrom = 256;  // shorter lines are compared
constexpr std::size_t kFew = 16;          // that are kept in order as they come

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

/// Least significant digit first; digits that are the same everywhere are left out.
template <int kDigit, class T>
void sort_by_digits(std::vector<T>& items, int bits) {
  constexpr int kMost = (64 + kDigit - 1) / kDigit;
  constexpr std::size_t kValues = std::size_t(1) << kDigit;
  const int digits = (bits + kDigit - 1) / kDigit;
  // All digits are counted in one pass.
  std::vector<std::uint32_t> counts(std::size_t(digits) * kValues);
  std::array<std::uint32_t*, kMost> of{};
  for (int d = 0; d < digits; ++d) of[std::size_t(d)] = counts.data() + std::size_t(d) * kValues;
  for (const T& item : items) {
    const std::uint64_t key = digits_of(item);
    for (int d = 0; d < digits; ++d) ++of[std::size_t(d)][(key >> (d * kDigit)) & (kValues - 1)];
  }
  std::vector<T> other(items.size());
  for (int d = 0; d < digits; ++d) {
    std::uint32_t* begin = of[std::size_t(d)];
    const int shift = d * kDigit;
    const auto digit = [&](const T& item) { return (digits_of(item) >> shift) & (kValues - 1); };
    if (begin[digit(items.front())] == items.size()) continue;
    std::uint32_t place = 0;
    for (std::size_t i = 0; i < kValues; ++i) {
      const std::uint32_t count = begin[i];
      begin[i] = place;
      place += count;
    }
    for (const T& item : items) other[begin[digit(item)]++] = item;
    items.swap(other);
  }
}

template <class T>
void sort_by_bytes(std::vector<T>& items, int bits) {
  // Larger digits take fewer passes, and larger tables, which pays where there are many items.
  constexpr std::size_t kMany = 1 << 14;
  if (items.size() < kMany || bits <= 16) return sort_by_digits<8>(items, bits);
  sort_by_digits<11>(items, bits);
}

template <class T>
void sort_items(std::vector<T>& items, int bits) {
  const auto count = std::int64_t(items.size());
  // Digits are counted in 32 bits.
  if (count < kRadixFrom || count > std::numeric_limits<std::uint32_t>::max()) {
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
  const std::size_t room = 2 * wanted + 64;
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
  if (items.size() > wanted) {
    std::nth_element(items.begin(), items.begin() + std::ptrdiff_t(wanted), items.end());
    items.resize(wanted);
  }
  std::sort(items.begin(), items.end());
  return items;
}

/// The first few of some: each is put where it belongs among those before it.
template <class T>
std::vector<T> fewest_items(const std::vector<std::uint64_t>& keys, std::size_t wanted) {
  T items[kFew];
  std::size_t count = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const T item = item_of(keys[i], i, T{});
    if (count == wanted && !(item < items[count - 1])) continue;
    std::size_t at = count < wanted ? count++ : count - 1;
    for (; at > 0 && item < items[at - 1]; --at) items[at] = items[at - 1];
    items[at] = item;
  }
  return std::vector<T>(items, items + count);
}

template <class T>
void order_as(const std::vector<std::uint64_t>& keys, int bits, std::int64_t wanted,
              std::vector<std::int64_t>& places, std::vector<std::uint64_t>* sorted) {
  const std::size_t count = keys.size();
  std::vector<T> items;
  if (wanted > 0 && std::size_t(wanted) <= std::min(kFew, count / 2)) {
    items = fewest_items<T>(keys, std::size_t(wanted));
  } else if (std::size_t(wanted) < count / 16) {
    items = first_items<T>(keys, std::size_t(wanted));
  } else {
    items.resize(count);
    for (std::size_t i = 0; i < count; ++i) items[i] = item_of(keys[i], i, T{});
    sort_items(items, bits);
  }
  places.resize(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) places[i] = place_of(items[i]);
  if (sorted == nullptr) return;
  sorted->resize(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) (*sorted)[i] = digits_of(items[i]);
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
                  std::vector<std::int64_t>& places, std::vector<std::uint64_t>* sorted) {
  if (bits <= 32 && keys.size() < (std::uint64_t(1) << 32)) {
    order_as<std::uint64_t>(keys, bits, wanted, places, sorted);
  } else {
    order_as<Item>(keys, bits, wanted, places, sorted);
  }
}

}  // namespace pyaclnn::sim
