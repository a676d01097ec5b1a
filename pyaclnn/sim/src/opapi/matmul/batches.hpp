// The leading axes of a product of two batches of matrices.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "opapi/common/check.hpp"

namespace pyaclnn::sim {

using Batch = std::vector<std::int64_t>;

/// What the leading axes of x1 and x2 broadcast to, from the shapes of both.
inline Batch batch_of(const Check& check, const Dims& a, const Dims& b) {
  const std::size_t rank = std::max(a.size(), b.size()) - 2;
  Batch batch(rank, 1);
  for (const Dims* shape : {&a, &b}) {
    for (std::size_t i = 0; i + 2 < shape->size(); ++i) {
      std::int64_t& extent = batch[rank + 2 - shape->size() + i];
      const std::int64_t own = (*shape)[i];
      check.that(own <= 1 || extent <= 1 || own == extent, "x1 and x2 have batches that differ");
      extent = std::max(extent, own);
    }
  }
  return batch;
}

/// Refuses a bias that is neither a row for all matrices nor one for each of a batch.
inline void check_bias_shape(const Check& check, const TensorArgument& bias, const Batch& batch,
                             std::int64_t columns) {
  if (!bias.given()) return;
  const Dims& shape = bias.shape();
  const bool of_batch = batch.size() == 1 && shape == Dims{batch[0], 1, columns};
  check.that(of_batch || shape == Dims{columns}, "bias has shape %s beside %lld columns",
             shape.text().c_str(), static_cast<long long>(columns));
}

/// Refuses a result of another shape; a row for each of a batch may lie in three dimensions.
inline void check_product_shape(const Check& check, const TensorArgument& out, const Batch& batch,
                                std::int64_t rows, std::int64_t columns) {
  Batch wanted = batch;
  wanted.insert(wanted.end(), {rows, columns});
  if (batch.empty() && out.rank() == 3 && out.shape()[1] == 1) wanted = {rows, 1, columns};
  check.shape_is(out, Dims(wanted.data(), wanted.size()), "the product");
}

/// Calls body(matrix, index) for each matrix of a batch, in row-major order.
template <class Body>
void for_each_matrix(const Batch& batch, Body body) {
  std::int64_t matrices = 1;
  for (const std::int64_t extent : batch) matrices *= extent;
  Batch index(batch.size(), 0);
  for (std::int64_t matrix = 0; matrix < matrices; ++matrix) {
    body(matrix, index);
    for (std::size_t i = index.size(); i-- > 0;) {
      if (++index[i] < batch[i]) break;
      index[i] = 0;
    }
  }
}

}  // namespace pyaclnn::sim
