// Rows of tokens as they go to experts: as they are, or narrower, with their scales behind them.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/matmul/scaled_blocks.hpp"

namespace pyaclnn::sim {

/// The values of quantMode.
constexpr std::int64_t kNoQuant = 0, kStatic = 1, kByRow = 2, kByGroup = 3, kMx = 4;
constexpr std::int64_t kQuantGroup = 128;

/// Plans x as 8 bit floats, 32 of which share a scale.
void quantise_mx(Plan& plan, const TensorArgument& x, const TensorArgument& y,
                 const TensorArgument& scales);

/// How a row is made.
struct SentRows {
  std::int64_t mode = kNoQuant;  // of what is left to do
  View x;
  View own_scales;  // go with each token as they are
  View factors;     // of all tokens, or of each expert
  aclDataType dtype = ACL_DT_UNDEFINED;
  std::size_t scale_bytes = 0;

  std::int64_t width() const { return x.shape[1]; }
  /// Of the numbers, which scales follow.
  std::size_t bytes() const;
  std::size_t all() const { return bytes() + scale_bytes; }
  /// A token for an expert, by its row of the factors.
  void make(const KernelMemory& memory, std::int64_t token,
            const std::vector<float>& factors_of_all, std::int64_t expert, unsigned char* to) const;
};

}  // namespace pyaclnn::sim
