// The points of an image, moved by a matrix: what a sampler at a grid is given.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <utility>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/resample/resize.hpp"
#include "parameters/AffineGrid.hpp"

namespace pyaclnn::sim {
namespace {

/// Where element `i` of `extent` lies between -1 and 1: the middles of the outermost ones with
/// corners aligned, else the outer edges.
double place(std::int64_t i, std::int64_t extent, bool align_corners) {
  if (!align_corners) return (2.0 * double(i) + 1.0) / double(extent) - 1.0;
  return extent > 1 ? 2.0 * double(i) / double(extent - 1) - 1.0 : 0.0;
}

struct Kernel {
  RowMajor theta;
  RowMajor out;
  std::vector<std::int64_t> extents;  // outermost first
  std::int64_t samples;
  bool align_corners;

  void run(const KernelMemory& memory) const {
    const RowMajorAccess to(out, memory);
    const std::vector<float> matrices = RowMajorAccess(theta, memory).values();
    const auto axes = std::int64_t(extents.size());
    const std::int64_t width = extents.back();
    std::int64_t rows = samples;
    for (std::int64_t i = 0; i + 1 < axes; ++i) rows *= extents[std::size_t(i)];
    parallel_for(rows, 64, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> line(std::size_t(width * axes));
      for (std::int64_t row = begin; row < end; ++row) {
        fill(matrices.data(), row, line.data());
        to.write(row * width * axes, width * axes, line.data());
      }
    });
  }

 private:
  /// The points of one row of an image, innermost coordinate first.
  void fill(const float* matrices, std::int64_t row, float* line) const {
    const auto axes = std::int64_t(extents.size());
    double point[4] = {0, 0, 0, 0};
    std::int64_t rest = row;
    for (std::int64_t axis = axes - 2; axis >= 0; --axis) {
      const std::int64_t extent = extents[std::size_t(axis)];
      point[axes - 1 - axis] = place(rest % extent, extent, align_corners);
      rest /= extent;
    }
    point[axes] = 1;
    const float* matrix = matrices + rest * axes * (axes + 1);
    for (std::int64_t x = 0; x < extents.back(); ++x) {
      point[0] = place(x, extents.back(), align_corners);
      for (std::int64_t i = 0; i < axes; ++i) {
        double sum = 0;
        for (std::int64_t k = 0; k <= axes; ++k)
          sum += double(matrix[i * (axes + 1) + k]) * point[k];
        line[x * axes + i] = float(sum);
      }
    }
  }
};

}  // namespace

void affine_grid(const Check& check, Plan& plan, const AffineGridParameters& given) {
  const DtypeSet halves{ACL_FLOAT, ACL_FLOAT16};
  check.dtype_in(on_a2_or_a3() ? halves | DtypeSet{ACL_BF16} : halves, given.theta);
  check.same_dtype(given.theta, given.out);
  check.that(!given.theta.is_empty(), "theta has no elements");
  const std::vector<std::int64_t>& sizes = given.size.values();
  check.that(sizes.size() == 4 || sizes.size() == 5, "size has %zu values, it must have 4 or 5",
             sizes.size());
  const auto axes = std::int64_t(sizes.size()) - 2;
  check.shape_is(given.theta, Dims{sizes[0], axes, axes + 1}, "size");
  Dims shape{sizes[0]};
  for (std::size_t i = 2; i < sizes.size(); ++i) shape.push_back(sizes[i]);
  shape.push_back(axes);
  check.shape_is(given.out, shape, "size");
  needs_kernel(plan, !on_310p());
  plan.stage(given.theta).contiguous();
  plan.result(given.theta.dtype(), shape).copy_to(given.out);
  if (given.out.is_empty()) return;
  Kernel kernel{RowMajor(plan.reads(given.theta)),
                RowMajor(plan.writes(given.out)),
                {sizes.begin() + 2, sizes.end()},
                sizes[0],
                given.alignCorners};
  plan.launch([kernel = std::move(kernel)](const KernelMemory& memory) { kernel.run(memory); });
}

}  // namespace pyaclnn::sim
