// One product of a feed-forward network: of floats, of floats with weights of 8 or 4 bits, of int8.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "objects/launch.hpp"
#include "opapi/common/view.hpp"

namespace pyaclnn::sim {

struct NetworkLayer {
  enum class Kind { kFloats, kQuantisedWeights, kInt8 };

  Kind kind = Kind::kFloats;
  View weight;  // [expert,] depth, columns
  View bias;    // [expert,] columns
  bool has_bias = false;
  /// Of quantised weights, [expert,] [group,] columns: w = (weight + offset) * scale.
  View anti_scale, anti_offset;
  bool has_anti_offset = true;
  aclDataType restored = ACL_FLOAT;  // the type of w
  /// Of int8, [expert,] columns: what the sums are multiplied by.
  View deq_scale;
  /// The type that the result is rounded to.
  aclDataType product = ACL_FLOAT;

  bool has_experts() const { return weight.shape.size() == 3; }
  std::int64_t depth() const { return weight.shape[weight.shape.size() - 2]; }
  std::int64_t columns() const { return weight.shape.back(); }

  /// `rows` rows of the network, which `values` has one behind the other, for one expert.
  std::vector<float> multiply(const KernelMemory& memory, std::int64_t expert, const float* values,
                              std::int64_t rows) const;

  /// Of int8: the sums themselves, with the bias, which wrap as the accumulator's of 32 bits do.
  std::vector<std::int32_t> int8_sums(const KernelMemory& memory, std::int64_t expert,
                                      const float* values, std::int64_t rows) const;

 private:
  std::vector<float> restore(const KernelMemory& memory, std::int64_t expert) const;
  std::vector<float> multiply_floats(const KernelMemory& memory, std::int64_t expert,
                                     const float* values, std::int64_t rows) const;
  std::vector<float> multiply_int8(const KernelMemory& memory, std::int64_t expert,
                                   const float* values, std::int64_t rows) const;
  std::vector<float> deq_scales(const KernelMemory& memory, std::int64_t expert) const;
};

/// One expert's part of what all of them have; the whole where there are none.
View of_expert(const View& view, bool has_experts, std::int64_t expert);

/// Numbers of one row, as floats.
std::vector<float> row_values(const KernelMemory& memory, const View& view);

}  // namespace pyaclnn::sim
