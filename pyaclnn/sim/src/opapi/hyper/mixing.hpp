// Hyper-connections: streams of each token that are mixed before and behind a layer.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/packed_operand.hpp"

namespace pyaclnn::sim {

/// Tokens, the streams of each, and their width.
struct Streams {
  Dims tokens;
  std::int64_t count = 0;
  std::int64_t n = 0;
  std::int64_t width = 0;

  /// One number less than `x` has axes are of tokens: [tokens..., n, width].
  explicit Streams(const Dims& x) : n(x[x.size() - 2]), width(x.back()) {
    for (std::size_t i = 0; i + 2 < x.size(); ++i) tokens.push_back(x[i]);
    count = tokens.product();
  }
  /// [tokens..., more...]
  Dims of_each(std::initializer_list<std::int64_t> more) const {
    Dims result = tokens;
    for (const std::int64_t extent : more) result.push_back(extent);
    return result;
  }
  std::int64_t mixes() const { return n * n + 2 * n; }
};

/// What a matrix goes through until its rows and columns add up to 1.
struct Sinkhorn {
  std::int64_t n;
  std::int64_t iterations;

  std::int64_t steps() const { return 2 * iterations; }
  /// `norms` are the matrices of all steps, `sums` what they were divided by, n of each; the first
  /// matrix comes from a softmax, and was divided by none.
  void run(const double* matrix, double eps, double* norms, double* sums) const;
  /// The gradient of the last matrix becomes that of the first one's argument.
  void back(const double* norms, const double* sums, double* gradient) const;
};

}  // namespace pyaclnn::sim
