// Floats of 4 bits in blocks of a row that share an exponent, as floats of a byte in squares that
// do.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/quant/mx.hpp"
#include "parameters/MxToBlockMxQuant.hpp"

namespace pyaclnn::sim {
namespace {

constexpr int kLeast = -127;  // the exponents of float8_e8m0
constexpr int kMost = 127;

/// How much larger than the numbers of a format those of another may be, as an exponent.
int largest_step(aclDataType from, aclDataType to) {
  const bool wide = from == ACL_FLOAT4_E2M1;
  return to == ACL_FLOAT8_E5M2 ? (wide ? 13 : 15) : (wide ? 6 : 8);
}

/// The exponent of a scale; that of NaN is one more than the largest.
int exponent_of(float scale) { return std::isnan(scale) ? kMost + 1 : std::ilogb(scale); }

float power(int exponent) { return std::ldexp(1.0f, std::clamp(exponent, kLeast, kMost)); }

/// Matrices of such blocks, and of squares.
struct Squares {
  std::int64_t rows, width, blocks, bands;  // blocks of a row, and bands of rows
  int step;
  QuantIn from;
  RowMajor scales;
  QuantOut to;
  RowMajor of_rows, of_columns;

  /// A band of 32 rows, of which the last of a matrix may have fewer, or none.
  void operator()(const KernelMemory& memory, std::int64_t at) const {
    const std::int64_t matrix = at / bands, first = at % bands * kMxBlock;
    const std::int64_t height = std::clamp<std::int64_t>(rows - first, 0, kMxBlock);
    std::vector<int> found(std::size_t(height * blocks)), common(std::size_t(blocks), kLeast);
    std::vector<float> row(std::size_t(std::max(width, blocks)));
    for (std::int64_t r = 0; r < height; ++r) {
      const float* const scale =
          RowMajorAccess(scales, memory)
              .read((matrix * rows + first + r) * blocks, blocks, row.data());
      for (std::int64_t b = 0; b < blocks; ++b) {
        int& exponent = found[std::size_t(r * blocks + b)];
        exponent = exponent_of(scale[b]);
        common[std::size_t(b)] = std::max(common[std::size_t(b)], exponent);
      }
    }
    for (int& exponent : common) exponent -= step;
    for (std::int64_t r = 0; r < height; ++r) {
      const std::int64_t place = matrix * rows + first + r;
      const float* const values = from.read(memory, place * width, width, row.data());
      for (std::int64_t i = 0; i < width; ++i) {
        const std::int64_t b = i / kMxBlock;
        const int shift = found[std::size_t(r * blocks + b)] - common[std::size_t(b)];
        row[std::size_t(i)] = values[i] * std::ldexp(1.0f, std::max(shift, kLeast));
      }
      to.write(memory, place * width, width, row.data(), Round::kRint);
      for (std::int64_t b = 0; b < blocks; ++b) row[std::size_t(b)] = power(common[std::size_t(b)]);
      RowMajorAccess(of_rows, memory).write(place * blocks, blocks, row.data());
    }
    for (std::int64_t i = 0; i < width; ++i)
      row[std::size_t(i)] = height == 0 ? kNoMxScale : power(common[std::size_t(i / kMxBlock)]);
    RowMajorAccess(of_columns, memory).write(at * width, width, row.data());
  }
};

}  // namespace

void mx_to_block_mx_quant(const Check&, Plan& plan, const MxToBlockMxQuantParameters& given) {
  const Dims& shape = given.x.shape();
  const std::size_t rank = shape.size();
  check_tiling(plan, std::int64_t(given.y.dtype()) == given.dstType, "y is not of dstType");
  check_tiling(plan, rank == 2 || rank == 3, "x has %zu dimensions, it must have 2 or 3", rank);
  check_tiling(plan, !given.x.is_empty(), "x is empty");
  check_mx_scales(plan, given.x, rank - 1, kMxBlock, given.mxscale);
  check_tiling(plan, shape.back() % 2 == 0, "the last axis of x must be even");
  check_tiling(plan, given.y.shape() == shape, "y has another shape than x");
  check_mx_scales(plan, given.x, rank - 1, kMxBlock, given.scale1);
  check_mx_scales(plan, given.x, rank - 2, kMxBlock, given.scale2);
  Squares squares;
  squares.rows = shape.end()[-2];
  squares.width = shape.back();
  squares.blocks = 2 * given.mxscale.shape().end()[-2];
  squares.bands = 2 * given.scale2.shape().end()[-3];
  squares.step = largest_step(given.x.dtype(), given.y.dtype());
  squares.from = QuantIn(plan, given.x, false);
  plan.stage(given.mxscale).contiguous();
  squares.scales = RowMajor(plan.reads(given.mxscale));
  squares.to = QuantOut(plan, given.y);
  squares.of_rows = row_scales(plan, given.scale1, squares.width, kMxBlock).to;
  squares.of_columns = column_scales(plan, given.scale2, rank - 2, squares.width).to;
  const std::int64_t count = (rank == 3 ? shape[0] : 1) * squares.bands;
  plan.launch([squares = std::move(squares), count](const KernelMemory& memory) {
    parallel_for(count, 4, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t at = begin; at < end; ++at) squares(memory, at);
    });
  });
}

}  // namespace pyaclnn::sim
