// The scales of a quantised product as they are stored: floats, or words of 64 bits.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "opapi/common/narrow_numbers.hpp"
#include "opapi/common/numbers.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/common/row_major.hpp"

namespace pyaclnn::sim {

/// Whether a word holds as much of a scale as the matrix unit takes.
inline bool is_packed_scale(aclDataType dtype) { return dtype == ACL_UINT64 || dtype == ACL_INT64; }

/// What words of 64 bits hold.
struct WordParameters {
  std::vector<float> scales, offsets;

  WordParameters() = default;
  WordParameters(const KernelMemory& memory, const View& words) {
    for (const std::int64_t word : numbers_of<std::int64_t>(memory, words)) {
      scales.push_back(scale_of_parameter(std::uint64_t(word)));
      offsets.push_back(offset_of_parameter(std::uint64_t(word)));
    }
  }
};

/// As the matrix unit has it: what is whole, within 9 bits, has its column's offset added.
inline float with_offset(float value, float offset) {
  return std::clamp(rounded(value, Round::kRint), -256.0f, 255.0f) + offset;
}

inline void add_offsets(std::vector<float>& values, const std::vector<float>& offsets) {
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = with_offset(values[i], offsets[i % offsets.size()]);
}

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
    return given_ ? WordParameters(memory, words_).scales : std::vector<float>();
  }

  /// Those of results of int8, for which scales are words.
  std::vector<float> offsets(const KernelMemory& memory) const {
    return WordParameters(memory, words_).offsets;
  }

 private:
  View words_;
  RowMajor plain_;
  bool given_ = false;
};

}  // namespace pyaclnn::sim
