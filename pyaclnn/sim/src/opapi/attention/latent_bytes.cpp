// SPDX-License-Identifier: MIT
#include "opapi/attention/latent_bytes.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/attention/latent_floats.hpp"
#include "opapi/common/narrow_numbers.hpp"
#include "opapi/common/round_stored.hpp"
#include "opapi/common/stored_rows.hpp"
#include "opapi/norm/one_row.hpp"
#include "opapi/product/integer_product.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kTokens = 64;  // of a product
constexpr std::int64_t kRowsAtATime = 4;
constexpr float kLargest = 127.0f;
constexpr float kLeastOfTile = 1e-4f;  // that counts as its largest magnitude, of floats

void clamp_numbers(float* row, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i)
    row[i] = std::isnan(row[i]) ? 0.0f : std::clamp(row[i], -128.0f, kLargest);
}

/// Multiplies the row so that its largest magnitude is the largest number; returns what one stands
/// for. CANN's kernels take both quotients of the magnitude, and none of the other.
float scale_to_largest(float* row, std::int64_t count) {
  float largest = 0;
  for (std::int64_t i = 0; i < count; ++i) largest = std::max(largest, std::fabs(row[i]));
  const float factor = kLargest / largest;
  for (std::int64_t i = 0; i < count; ++i) row[i] *= factor;
  return largest / kLargest;
}

/// Numbers of 8 bits in place of a row, and what one stands for: as many as there are `steps`.
void quantise(float* row, std::int64_t count, aclDataType dtype, float* steps, std::int64_t parts) {
  if (parts > 1) return to_narrow_in_blocks(row, count, steps);
  if (dtype != ACL_INT8) {
    *steps = to_narrow_by_largest(row, count, dtype);
    return;
  }
  *steps = scale_to_largest(row, count);
  to_numbers(row, count, dtype);
}

/// Multiplies a tile so that the part `alpha` of its largest magnitude is the largest number of
/// int8, cuts what is beyond it and rounds; returns what one stands for.
float cut_tile(float* tile, std::int64_t count, float alpha) {
  float most = 0;
  for (std::int64_t i = 0; i < count; ++i) most = std::max(most, std::fabs(tile[i]));
  most *= alpha;
  const float factor = kLargest / most;
  for (std::int64_t i = 0; i < count; ++i) tile[i] = std::clamp(tile[i], -most, most) * factor;
  to_numbers(tile, count, ACL_INT8);
  return most / kLargest;
}

IntegerMatrix matrix_of(const std::vector<std::int8_t>& numbers, std::int64_t width) {
  IntegerMatrix matrix;
  matrix.base = reinterpret_cast<const std::byte*>(numbers.data());
  matrix.line_step = width;
  return matrix;
}

}  // namespace

void to_numbers(float* row, std::int64_t count, aclDataType dtype) {
  if (dtype != ACL_INT8) return to_narrow(row, count, dtype);
  clamp_numbers(row, count);
  round_values(row, count, Round::kRint);
}

void LatentTiles::write(const float* row, const float* key, std::int8_t* to) const {
  auto* bytes = reinterpret_cast<std::byte*>(to);
  storer<float>(ACL_BF16, Rounding::kNearestEven)(key, turned, bytes + latent, 1);
  std::byte* scales = bytes + latent + 2 * turned;
  const StoreFn put = storer<float>(dtype, Rounding::kNearestEven);
  float tile[kTile];
  for (std::int64_t first = 0; first < latent; first += kTile) {
    std::copy_n(row + first, kTile, tile);
    const float scale = dtype == ACL_INT8 ? cut_tile(tile, kTile, alpha)
                                          : to_narrow_by_largest(tile, kTile, dtype, kLeastOfTile);
    put(tile, kTile, bytes + first, 1);
    std::memcpy(scales, &scale, sizeof scale);
    scales += sizeof scale;
  }
}

void launch_byte_product(Plan& plan, const View& x, const PlainOperand& weight,
                         const View& row_factors, const View& column_factors, const View& out) {
  const std::int64_t depth = weight.view().shape[0];
  plan.launch(weight.before([=, a = PackedOperand(x), b = PackedOperand(weight.view()),
                             to = StoredRows(out), rows = PackedOperand(row_factors),
                             columns = PackedOperand(column_factors)](const KernelMemory& memory) {
    const std::vector<std::int8_t> left = a.read<std::int8_t>(memory);
    const std::vector<std::int8_t> right = b.read<std::int8_t>(memory);
    const std::vector<float> of_row = rows.read(memory), of_column = columns.read(memory);
    const std::int64_t width = to.length();
    std::vector<float> made(std::size_t(kTokens * width));
    for (std::int64_t first = 0; first < to.count(); first += kTokens) {
      const std::int64_t count = std::min(kTokens, to.count() - first);
      IntegerMatrix tokens = matrix_of(left, depth);
      tokens.first = first * depth;
      integer_product(
          tokens, matrix_of(right, width), count, width, depth,
          [&](std::int64_t row, std::int64_t column, std::int64_t n, const std::int32_t* sums) {
            const float factor = of_row[std::size_t(first + row)];
            for (std::int64_t i = 0; i < n; ++i) {
              const auto at = std::size_t(column + i);
              made[std::size_t(row * width) + at] = float(sums[i]) * factor * of_column[at];
            }
          });
      for (std::int64_t r = 0; r < count; ++r) to.store(memory, first + r, made.data() + r * width);
    }
  }));
}

void launch_norm_to_bytes(Plan& plan, const View& x, const NormToBytes& norm, const View& out,
                          const View& scale) {
  plan.launch([=, from = StoredRows(x), to = StoredRows(out), scales = PackedOperand(scale),
               gamma = PackedOperand(norm.gamma)](const KernelMemory& memory) {
    const OneRowNorm normal(from.length(), false, float(norm.epsilon), gamma.read(memory));
    const std::vector<float> smooth = norm.smooth.read(memory);
    const std::int64_t parts = scales.size() / from.count();
    std::vector<float> steps(std::size_t(scales.size()));
    parallel_for(from.count(), kRowsAtATime, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> row(std::size_t(from.length()));
      for (std::int64_t r = begin; r < end; ++r) {
        from.load(memory, r, row.data());
        normal.normalise(row.data(), row.data());
        for (float& value : row) value *= float(norm.factor);
        for (std::size_t i = 0; i < smooth.size(); ++i) row[i] *= smooth[i];
        quantise(row.data(), from.length(), out.dtype, steps.data() + r * parts, parts);
        to.store(memory, r, row.data());
      }
    });
    scales.write(memory, steps);
  });
}

void launch_bytes(Plan& plan, const View& x, const View& out, const View& scale) {
  plan.launch([=, from = StoredRows(x), to = StoredRows(out),
               scales = PackedOperand(scale)](const KernelMemory& memory) {
    std::vector<float> steps(std::size_t(from.count()));
    parallel_for(from.count(), kRowsAtATime, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> row(std::size_t(from.length()));
      for (std::int64_t r = begin; r < end; ++r) {
        from.load(memory, r, row.data());
        if (out.dtype != ACL_INT8) {
          quantise(row.data(), from.length(), out.dtype, steps.data() + r, 1);
          to.store(memory, r, row.data());
          continue;
        }
        steps[std::size_t(r)] = scale_to_largest(row.data(), from.length());
        round_as_stored(row.data(), from.length(), ACL_FLOAT16);
        clamp_numbers(row.data(), from.length());
        round_values(row.data(), from.length(), Round::kRound);
        to.store(memory, r, row.data());
      }
    });
    scales.write(memory, steps);
  });
}

void launch_rescaled(Plan& plan, const View& x, const View& number, const View& scale,
                     const View& out) {
  plan.launch([=, from = StoredRows(x), to = StoredRows(out), by = PackedOperand(number),
               scales = PackedOperand(scale)](const KernelMemory& memory) {
    const float first = by.read(memory)[0];
    const std::vector<float> steps = scales.read(memory);
    std::vector<float> row(std::size_t(from.length()));
    for (std::int64_t r = 0; r < from.count(); ++r) {
      from.load(memory, r, row.data());
      const float factor = first / steps[std::size_t(r)];
      for (float& value : row) value *= factor;
      to.store(memory, r, row.data());
    }
  });
}

void launch_stored(Plan& plan, const View& x, const View& out) {
  plan.launch([from = StoredRows(x), to = StoredRows(out)](const KernelMemory& memory) {
    std::vector<float> row(std::size_t(from.length()));
    for (std::int64_t r = 0; r < from.count(); ++r) {
      from.load(memory, r, row.data());
      to.store(memory, r, row.data());
    }
  });
}

}  // namespace pyaclnn::sim
