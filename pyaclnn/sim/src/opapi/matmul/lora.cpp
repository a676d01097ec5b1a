// Low-rank corrections of a batch, a pair of matrices for each row.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "parameters/AddLora.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kCubeSize = 16;
constexpr std::int64_t kMostWeights = 32;
constexpr std::int64_t kMostRank = 128;
constexpr std::int64_t kMostColumns = 131072;

using Line = std::vector<float>;

/// Reads elements along the last axis of a view.
void read(const View& view, const KernelMemory& memory, std::int64_t offset, Line& to) {
  loader<float>(view.dtype)(first_element(memory, view, offset), view.strides.back(),
                            std::int64_t(to.size()), to.data());
}

/// to = the products of a vector with the rows of a matrix of a batch.
void multiply(const View& weights, const KernelMemory& memory, std::int64_t weight,
              std::int64_t layer, const Line& vector, Line& row, Line& to) {
  const std::int64_t begin = weight * weights.strides[0] + layer * weights.strides[1];
  for (std::size_t i = 0; i < to.size(); ++i) {
    read(weights, memory, begin + std::int64_t(i) * weights.strides[2], row);
    float sum = 0;
    for (std::size_t k = 0; k < row.size(); ++k) sum += row[k] * vector[k];
    to[i] = sum;
  }
}

}  // namespace

/// Refuses shapes that the kernel does not take: 561002.
void check_lora(const Check&, Plan& plan, const AddLoraParameters& lora) {
  const TensorArgument& out = lora.out;
  check_tiling(plan,
               lora.y.rank() == 2 && lora.x.rank() == 2 && lora.weightB.rank() == 4 &&
                   lora.indices.rank() == 1,
               "y and x have 2 dimensions, weightB 4 and indices 1");
  const Dims& y = lora.y.shape();
  const Dims& b = lora.weightB.shape();
  check_tiling(plan, y[0] == lora.x.shape()[0] && y[0] == lora.indices.shape()[0],
               "y, x and indices must have as many rows");
  check_tiling(plan, b[2] <= y[1], "weightB has more columns than y");
  check_tiling(plan, b[0] <= kMostWeights && b[1] <= kMostWeights,
               "there are more than 32 weights or layers");
  check_tiling(plan,
               y[1] % kCubeSize == 0 && lora.x.shape()[1] % kCubeSize == 0 &&
                   b[2] % kCubeSize == 0 && b[3] % kCubeSize == 0,
               "extents must be multiples of 16");
  check_tiling(plan, y[1] <= kMostColumns && b[3] <= kMostRank,
               "y has more than 131072 columns, or the rank is above 128");
  if (lora.weightAOptional.given()) {
    const TensorArgument& a = lora.weightAOptional;
    check_tiling(plan,
                 a.rank() == 4 && a.shape()[0] == b[0] && a.shape()[1] == b[1] &&
                     a.shape()[2] == b[3] && a.shape()[3] == lora.x.shape()[1],
                 "weightA of shape %s does not go with weightB of shape %s",
                 a.shape().text().c_str(), b.text().c_str());
  } else {
    check_tiling(plan, lora.x.shape()[1] == b[3], "x must have as many columns as the rank");
  }
  check_tiling(plan, lora.layerIdx >= 0 && lora.layerIdx < b[1], "layerIdx is none of the layers");
  check_tiling(plan, lora.yOffset >= 0 && lora.yOffset < y[1], "yOffset is none of y's columns");
  check_tiling(plan, lora.ySliceSize >= 0 && lora.ySliceSize <= y[1] - lora.yOffset,
               "the slice leaves the columns of y");
  check_tiling(plan, out.shape() == y, "out must have the shape of y");
  for (const TensorArgument* tensor : {&lora.y, &lora.x, &lora.weightB})
    check_tiling(plan, !tensor->is_empty(), "empty tensors are not allowed");
}

/// out = y, and in its slice of columns x weightA^T weightB^T scale is added, with the matrices
/// that the row's index and the layer say. A row whose index is none of a matrix is y's.
void add_lora(const Check&, Plan& plan, const AddLoraParameters& lora) {
  const TensorArgument& out = lora.out;
  plan.stage(lora.y).contiguous();
  plan.stage(lora.x).contiguous();
  plan.stage(lora.weightB).contiguous();
  plan.stage(lora.indices).contiguous();
  if (lora.weightAOptional.given()) plan.stage(lora.weightAOptional).contiguous();
  plan.result(lora.y.dtype(), out.shape()).copy_to(out);
  const View y = plan.reads(lora.y);
  const View x = plan.reads(lora.x);
  const View b = plan.reads(lora.weightB);
  const View indices = plan.reads(lora.indices);
  const bool has_a = lora.weightAOptional.given();
  const View a = has_a ? plan.reads(lora.weightAOptional) : View();
  const View to = plan.writes(out);
  const std::int64_t layer = lora.layerIdx;
  const auto scale = static_cast<float>(lora.scale);
  const std::int64_t begin = lora.yOffset;
  const std::int64_t count = std::min(lora.ySliceSize, b.shape[2]);
  plan.launch([=](const KernelMemory& memory) {
    parallel_for(y.shape[0], 1, [&](std::int64_t first, std::int64_t end) {
      Line result(static_cast<std::size_t>(y.shape[1]));
      Line vector(static_cast<std::size_t>(x.shape[1]));
      Line row(vector.size());
      Line inner(static_cast<std::size_t>(b.shape[3]));
      Line inner_row(inner.size());
      Line added(static_cast<std::size_t>(count));
      for (std::int64_t i = first; i < end; ++i) {
        read(y, memory, i * y.strides[0], result);
        std::int64_t weight = 0;
        loader<std::int64_t>(indices.dtype)(first_element(memory, indices, i * indices.strides[0]),
                                            1, 1, &weight);
        if (weight >= 0 && weight < b.shape[0]) {
          read(x, memory, i * x.strides[0], vector);
          if (has_a) {
            multiply(a, memory, weight, layer, vector, row, inner);
          } else {
            inner = vector;
          }
          multiply(b, memory, weight, layer, inner, inner_row, added);
          for (std::size_t k = 0; k < added.size(); ++k)
            result[std::size_t(begin) + k] += scale * added[k];
        }
        storer<float>(to.dtype, Rounding::kTruncate)(result.data(), to.shape[1],
                                                     first_element(memory, to, i * to.strides[0]),
                                                     to.strides[1]);
      }
    });
  });
}

}  // namespace pyaclnn::sim
