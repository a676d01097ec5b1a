// Whether strided views share bytes, against sets of the bytes themselves.
// SPDX-License-Identifier: MIT
#include "check/byte_pattern.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "check.hpp"

using pyaclnn::sim::ByteAxis;
using pyaclnn::sim::BytePattern;

namespace {

struct View {
  std::vector<ByteAxis> axes;
  int64_t element;

  std::set<int64_t> bytes() const {
    std::set<int64_t> found{0};
    for (const ByteAxis& axis : axes) {
      std::set<int64_t> more;
      for (int64_t start : found) {
        for (int64_t i = 0; i < axis.extent; ++i) more.insert(start + i * axis.stride);
      }
      found.swap(more);
    }
    std::set<int64_t> all;
    for (int64_t start : found) {
      for (int64_t i = 0; i < element; ++i) all.insert(start + i);
    }
    return all;
  }
  BytePattern pattern() const { return {axes, element}; }
};

/// Both ways, at every distance at which the two could meet.
void compare(const View& a, const View& b) {
  const std::set<int64_t> of_a = a.bytes();
  const std::set<int64_t> of_b = b.bytes();
  EXPECT_EQ(a.pattern().span(), *of_a.rbegin() - *of_a.begin() + 1);
  for (int64_t distance = -*of_b.rbegin() - 2; distance <= *of_a.rbegin() + 2; ++distance) {
    const bool meet = std::any_of(of_b.begin(), of_b.end(),
                                  [&](int64_t byte) { return of_a.count(byte + distance) != 0; });
    EXPECT_EQ(a.pattern().meets(b.pattern(), distance), meet);
    EXPECT_EQ(b.pattern().meets(a.pattern(), -distance), meet);
  }
}

}  // namespace

CASE(random_views_meet_where_their_bytes_do) {
  std::mt19937 random(7);
  auto below = [&](int64_t n) { return int64_t(random() % uint64_t(n)); };
  auto view = [&] {
    View made{{}, 1 + below(4)};
    const int64_t rank = below(4);
    for (int64_t i = 0; i < rank; ++i) made.axes.push_back({below(30), 1 + below(4)});
    return made;
  };
  for (int i = 0; i < 400; ++i) compare(view(), view());
}

CASE(columns_of_a_matrix_do_not_meet) {
  // float32[1000000, 8]; each column is a million runs of 4 bytes.
  const BytePattern column({{32, 1000000}}, 4);
  EXPECT(column.meets(column, 0));
  EXPECT(column.meets(column, 3));
  EXPECT(!column.meets(column, 4));
  EXPECT(!column.meets(column, 28));
  EXPECT(column.meets(column, 32));
  EXPECT(!column.meets(column, 36));
}

CASE(tiles_of_a_volume_do_not_meet) {
  // Two halves along the innermost, the middle and the outermost axis of float32[64, 64, 64].
  constexpr int64_t kRow = 64 * 4;
  constexpr int64_t kPlane = 64 * kRow;
  const BytePattern inner({{kPlane, 64}, {kRow, 64}, {4, 32}}, 4);
  EXPECT(!inner.meets(inner, 32 * 4));
  EXPECT(inner.meets(inner, 31 * 4));
  const BytePattern middle({{kPlane, 64}, {kRow, 32}, {4, 64}}, 4);
  EXPECT(!middle.meets(middle, 32 * kRow));
  EXPECT(middle.meets(middle, 31 * kRow));
  EXPECT(inner.meets(middle, 32 * kRow));
  const BytePattern outer({{kPlane, 32}, {kRow, 64}, {4, 64}}, 4);
  EXPECT(outer.is_contiguous());
  EXPECT(!outer.meets(outer, 32 * kPlane));
}

CASE(negative_and_zero_strides_touch_what_positive_ones_do) {
  EXPECT(BytePattern({{-12, 5}, {0, 9}}, 4) == BytePattern({{12, 5}}, 4));
  EXPECT(BytePattern({{4, 1}, {-4, 6}}, 4) == BytePattern(24));
}
