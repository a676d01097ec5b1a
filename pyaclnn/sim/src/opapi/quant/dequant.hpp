// Sums of products of integers on their way back to floats.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/plan.hpp"
#include "opapi/quant/rows.hpp"

namespace pyaclnn::sim {

/// (sum + bias) * scale * row_scale where the bias is int32, and sum * scale * row_scale + bias
/// otherwise. Scales and bias may be of each group of rows.
class Dequant {
 public:
  Dequant() = default;
  Dequant(Plan& plan, const TensorArgument& scale, const TensorArgument* row_scale,
          const TensorArgument* bias, std::int64_t width);

  /// `sums` may be `to`'s own memory; `buffer` has room for a row.
  void operator()(const KernelMemory& memory, const RowPlace& place, const std::int32_t* sums,
                  float* to, float* buffer) const;

 private:
  std::int64_t width_ = 0;
  RowFactors scale_;
  RowMajor row_scale_;
  RowFactors bias_;
  View whole_bias_;
  bool has_whole_bias_ = false;
};

/// The rows of a tensor of sums as floats.
RowSource dequantised(Plan& plan, const TensorArgument& sums, const Dequant& dequant);

/// Stores rows as floats.
RowSink stored(Plan& plan, const TensorArgument& out);

}  // namespace pyaclnn::sim
