// A list of extents keeps 25 values, whatever is asked of it.
// SPDX-License-Identifier: MIT
#include "objects/dims.hpp"

#include <cstdint>
#include <vector>

#include "check.hpp"

using pyaclnn::sim::contiguous_strides;
using pyaclnn::sim::Dims;

namespace {

struct Watched {
  std::int64_t ahead = 7;
  Dims dims;
  std::int64_t behind[64];
  explicit Watched(std::uint64_t count) : dims(std::vector<std::int64_t>(64, 1).data(), count) {
    for (std::int64_t& value : behind) value = 7;
  }
  void check() const {
    EXPECT_EQ(ahead, 7);
    for (std::int64_t value : behind) EXPECT_EQ(value, 7);
  }
};

}  // namespace

CASE(a_value_that_is_not_kept_is_not_written) {
  for (std::uint64_t count : {0u, 25u, 26u, 40u, 64u}) {
    Watched watched(count);
    for (std::size_t i = 0; i < 64; ++i) watched.dims.set(i, 9);
    watched.dims.set(~std::size_t(0), 9);  // rank - 1 of a scalar
    watched.check();
    EXPECT_EQ(watched.dims.size(), count);
    EXPECT_EQ(watched.dims[24], 9);
    EXPECT_EQ(watched.dims[25], 0);
  }
}

CASE(more_than_are_kept_are_counted) {
  Watched watched(24);
  for (int i = 0; i < 40; ++i) watched.dims.push_back(3);
  watched.check();
  EXPECT_EQ(watched.dims.size(), 64u);
  EXPECT_EQ(watched.dims.end() - watched.dims.begin(), 25);
  EXPECT_EQ(contiguous_strides(watched.dims).size(), 64u);
}
