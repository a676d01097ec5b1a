// SPDX-License-Identifier: MIT
#include "opapi/product/halved_product.hpp"

#include "opapi/common/round_stored.hpp"

namespace pyaclnn::sim {
namespace {

constexpr int kHigh = 16;  // what the high half of an int8 counts

std::size_t at(std::int64_t place) { return static_cast<std::size_t>(place); }

}  // namespace

void HalvedProduct::add(const IntegerMatrix& a, const IntegerMatrix& b, const float* scales,
                        std::vector<float>& values) const {
  if (a.packed) return add_weighted(a, b, scales, 1.0f, values);
  for (const bool high : {true, false}) {
    const std::vector<std::int8_t> half = half_of(a, high);
    IntegerMatrix lines;
    lines.base = reinterpret_cast<const std::byte*>(half.data());
    lines.line_step = depth;
    add_weighted(lines, b, scales, high ? float(kHigh) : 1.0f, values);
  }
}

/// The high or the low four bits of rows of int8, with a sign.
std::vector<std::int8_t> HalvedProduct::half_of(const IntegerMatrix& a, bool high) const {
  std::vector<std::int8_t> result(at(rows * depth));
  for (std::int64_t r = 0; r < rows; ++r) {
    std::int8_t* const line = result.data() + r * depth;
    a.read(r, 0, depth, line);
    for (std::int64_t k = 0; k < depth; ++k) {
      const unsigned low = unsigned(line[k]) & 0xF;
      line[k] = std::int8_t(high ? (line[k] - int(low)) / kHigh : int(low) - kHigh / 2);
    }
  }
  return result;
}

void HalvedProduct::add_weighted(const IntegerMatrix& a, const IntegerMatrix& b,
                                 const float* scales, float weight,
                                 std::vector<float>& values) const {
  std::vector<float> halves(at(rows * columns), 0.0f);
  each_part(a, b,
            [&](std::int64_t part, std::int64_t r, std::int64_t column, std::int64_t width,
                const std::int32_t* sums) {
              const float* const factors = scales + part * columns + column;
              std::vector<float> found(at(width));
              for (std::int64_t j = 0; j < width; ++j) found[at(j)] = float(sums[j]) * factors[j];
              round_as_stored(found.data(), width, ACL_FLOAT16);
              float* const to = halves.data() + r * columns + column;
              for (std::int64_t j = 0; j < width; ++j) to[j] += found[at(j)];
              round_as_stored(to, width, ACL_FLOAT16);
            });
  for (std::size_t i = 0; i < halves.size(); ++i) values[i] += weight * halves[i];
}

}  // namespace pyaclnn::sim
