// SPDX-License-Identifier: MIT
#include "opapi/attention/latent_floats.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "opapi/common/as_stored.hpp"
#include "opapi/common/narrow_numbers.hpp"
#include "opapi/common/packed_operand.hpp"
#include "opapi/common/stored_rows.hpp"
#include "opapi/product/packed_floats.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kTokens = 256;  // of a product
constexpr int kBias = 127;
constexpr int kLargestExponent = 8;  // of float8_e4m3fn

/// The power of two that a block has by its largest magnitude. Magnitudes below all normal numbers
/// count as none, and the block's values are 0.
struct SharedPower {
  float stored, factor;

  explicit SharedPower(float largest) {
    if (!std::isfinite(largest)) {
      stored = factor = std::numeric_limits<float>::quiet_NaN();
    } else if (largest < std::numeric_limits<float>::min()) {
      stored = std::ldexp(1.0f, -kBias);
      factor = 0;
    } else {
      const int exponent = std::max(std::ilogb(largest) - kLargestExponent, -kBias);
      stored = std::ldexp(1.0f, exponent);
      factor = std::ldexp(1.0f, -exponent);
    }
  }
};

float largest_of(const float* values, std::int64_t count) {
  float largest = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if (std::isnan(values[i])) return values[i];
    largest = std::max(largest, std::fabs(values[i]));
  }
  return largest;
}

}  // namespace

void to_narrow(float* row, std::int64_t count, aclDataType dtype) {
  const NarrowFormat& format = *NarrowFormat::of(dtype);
  const Round mode = dtype == ACL_HIFLOAT8 ? Round::kRound : Round::kRint;
  for (std::int64_t i = 0; i < count; ++i) row[i] = format.value(format.code(row[i], mode));
}

float to_narrow_by_largest(float* row, std::int64_t count, aclDataType dtype, float least) {
  // Kernels multiply with the inverse, and divide by the product.
  const float step = std::max(largest_of(row, count), least) * (1 / largest_quantised(dtype));
  for (std::int64_t i = 0; i < count; ++i) row[i] /= step;
  to_narrow(row, count, dtype);
  return step;
}

void to_narrow_in_blocks(float* row, std::int64_t count, float* scales) {
  for (std::int64_t first = 0; first < count; first += kSharedExponent) {
    float* const block = row + first;
    for (std::int64_t i = 0; i < kSharedExponent; ++i) block[i] = bfloat16_from_zero(block[i]);
    const SharedPower power(largest_of(block, kSharedExponent));
    for (std::int64_t i = 0; i < kSharedExponent; ++i) block[i] *= power.factor;
    *scales++ = power.stored;
  }
  to_narrow(row, count, ACL_FLOAT8_E4M3FN);
}

void launch_narrow_product(Plan& plan, const View& x, const PlainOperand& weight,
                           const View& row_scales, const View& column_scales, const View& out) {
  const std::int64_t depth = weight.view().shape[0], blocks = depth / kSharedExponent;
  const bool in_blocks = row_scales.dtype == ACL_FLOAT8_E8M0;
  plan.launch(weight.before([=, from = StoredRows(x), b = PackedOperand(weight.view()),
                             to = StoredRows(out), rows = PackedOperand(row_scales),
                             columns = PackedOperand(column_scales)](const KernelMemory& memory) {
    const std::int64_t width = to.length();
    std::vector<float> right = b.read(memory);
    const std::vector<float> of_row = rows.read(memory), of_column = columns.read(memory);
    for (std::int64_t k = 0; in_blocks && k < depth; ++k) {
      for (std::int64_t i = 0; i < width; ++i)
        right[std::size_t(k * width + i)] *=
            of_column[std::size_t(i * blocks + k / kSharedExponent)];
    }
    std::vector<float> left(std::size_t(std::min(kTokens, to.count()) * depth));
    for (std::int64_t first = 0; first < to.count(); first += kTokens) {
      const std::int64_t count = std::min(kTokens, to.count() - first);
      for (std::int64_t r = 0; r < count; ++r) {
        float* const line = left.data() + r * depth;
        from.load(memory, first + r, line);
        for (std::int64_t k = 0; in_blocks && k < depth; ++k)
          line[k] *= of_row[std::size_t((first + r) * blocks + k / kSharedExponent)];
      }
      std::vector<float> made = packed_product({left.data()}, {right.data()}, count, depth, width);
      for (std::int64_t r = 0; r < count; ++r) {
        float* const line = made.data() + r * width;
        for (std::int64_t i = 0; !in_blocks && i < width; ++i)
          line[i] = line[i] * of_column[std::size_t(i)] * of_row[std::size_t(first + r)];
        to.store(memory, first + r, line);
      }
    }
  }));
}

}  // namespace pyaclnn::sim
