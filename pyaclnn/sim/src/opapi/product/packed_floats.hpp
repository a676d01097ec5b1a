// Products of packed matrices of floats that a kernel holds itself.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "opapi/product/gemm.hpp"

namespace pyaclnn::sim {

/// A packed matrix as an operand of a product, turned or not.
struct PackedMatrix {
  const float* values;
  bool turned = false;
};

/// a b of [m, k] and [k, n].
inline std::vector<float> packed_product(PackedMatrix a, PackedMatrix b, std::int64_t m,
                                         std::int64_t k, std::int64_t n) {
  std::vector<float> result(static_cast<std::size_t>(m * n));
  if (result.empty() || k == 0) return result;
  KernelMemory memory;
  const auto operand = [&](const float* values, std::int64_t rows, std::int64_t columns,
                           bool turned) {
    View view;
    view.operand = memory.operands.size();
    view.dtype = ACL_FLOAT;
    view.shape = Dims{rows, columns};
    view.strides = turned ? Dims{1, rows} : Dims{columns, 1};
    memory.operands.push_back(reinterpret_cast<std::byte*>(const_cast<float*>(values)));
    return view;
  };
  Gemm gemm;
  gemm.a = operand(a.values, m, k, a.turned);
  gemm.b = operand(b.values, k, n, b.turned);
  gemm.out = operand(result.data(), m, n, false);
  run_gemm(gemm, memory);
  return result;
}

}  // namespace pyaclnn::sim
