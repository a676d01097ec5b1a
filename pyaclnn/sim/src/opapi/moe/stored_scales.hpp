// The scales of a quantised product as they are stored: floats, or words of 64 bits.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "opapi/common/plan.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/moe/numbers.hpp"
#include "opapi/quant/numbers.hpp"

namespace pyaclnn::sim {

/// Whether a word holds as much of a scale as the matrix unit takes.
inline bool is_packed_scale(aclDataType dtype) { return dtype == ACL_UINT64 || dtype == ACL_INT64; }

/// Scales that a kernel reads as floats.
class StoredScales {
 public:
  StoredScales() = default;
  StoredScales(Plan& plan, const TensorArgument& tensor) {
    plan.stage(tensor).contiguous();
    words_ = plan.reads(tensor);
    if (!is_packed_scale(words_.dtype)) plain_ = RowMajor(words_);
    given_ = true;
  }

  /// In row-major order; none where no tensor was given.
  std::vector<float> values(const KernelMemory& memory) const {
    if (plain_.given()) return RowMajorAccess(plain_, memory).values();
    std::vector<float> result;
    if (!given_) return result;
    for (const std::int64_t word : numbers_of<std::int64_t>(memory, words_))
      result.push_back(scale_of_parameter(std::uint64_t(word)));
    return result;
  }

 private:
  View words_;
  RowMajor plain_;
  bool given_ = false;
};

}  // namespace pyaclnn::sim
