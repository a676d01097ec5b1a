// What the training operators of attention have in common: their arguments, and which pairs of rows
// and columns these let count.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "opapi/attention/attention.hpp"
#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// What the forward and the backward operators are given alike, whatever they call it.
struct FlashCall {
  const TensorArgument& query;
  const TensorArgument& query_rope;
  const TensorArgument& key;
  const TensorArgument& key_rope;
  const TensorArgument& value;
  const TensorArgument& pse;
  const TensorArgument& drop_mask;
  const TensorArgument& mask;
  const TensorArgument& sink;
  const IntArrayIn& prefix;
  const IntArrayIn& lengths;
  const IntArrayIn& key_lengths;
  const IntArrayIn& query_start;
  const IntArrayIn& key_start;
  double scale;
  double keep;
  std::int64_t before;
  std::int64_t behind;
  std::int64_t heads;
  const std::string& layout;
  std::int64_t inner_precise;
  std::int64_t sparse_mode;
  std::int64_t pse_type;
  const std::string& statistics_layout;
  /// The rope's parts may stand beside everything, as the 950 has them.
  bool has_free_rope;
  /// Of what is dropped where no mask says it, which versions before have not.
  std::int64_t seed = 0;
  std::int64_t offset = 0;
};

/// Whether an argument is there: a tensor without dimensions stands for none.
bool is_there(const TensorArgument& tensor);

/// 161001, which is how these operators report that their kernel cannot be launched.
void check_launches(const Plan& plan, bool holds, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/// Numbers of tokens and sizes of heads, as their parameters say.
struct FlashSizes {
  std::int64_t batch = 0;
  std::int64_t heads = 0;
  std::int64_t key_heads = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t depth = 0;
  std::int64_t key_depth = 0;
  std::int64_t value_depth = 0;

  bool has_pairs() const {
    return batch != 0 && heads != 0 && key_heads != 0 && rows != 0 && columns != 0 && depth != 0;
  }
};

/// Refuses layouts that are not known, and heads that do not fit one another.
FlashSizes flash_sizes(const Check& check, const FlashCall& call);

/// Refuses rope parts where they are not for.
void check_rope(const Check& check, const FlashCall& call, const FlashSizes& sizes);

/// Everything that stands between the tensors and their products: after it, `attention` lacks only
/// its outputs. Refuses what the kernel's division of work refuses. Without a mask of what is
/// dropped the 950 draws it; elsewhere the backward pass wants one where something is dropped.
void plan_pairs(Plan& plan, const FlashCall& call, const FlashSizes& sizes, bool is_backward,
                Attention& attention);

/// The shape of the maximum and of the sum.
Dims statistics_shape(const FlashCall& call, const FlashSizes& sizes);
AttentionStatistics statistics_of(const View& view, const FlashCall& call);

/// Whether some tokens belong to no sequence.
bool has_tail(const Attention& attention, bool of_keys);

}  // namespace pyaclnn::sim
