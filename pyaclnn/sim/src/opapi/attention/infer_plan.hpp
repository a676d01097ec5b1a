// What attention for inference plans: layouts, where keys lie, and what masks leave.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "opapi/attention/infer_scales.hpp"
#include "opapi/attention/joined_keys.hpp"

namespace pyaclnn::sim {

/// What there is to attend to, and what its launch needs besides.
struct InferPlan {
  Attention attention;
  std::string letters;
  std::int64_t heads = 0;
  std::int64_t key_heads = 0;
  std::int64_t batch = 0;
  std::int64_t rows = 0;             // of the longest query
  std::int64_t columns = 0;          // of the longest keys
  bool has_tokens = false;           // sequences lie behind one another
  bool covers_rows = true;           // no row of the output is left out
  std::int64_t prefix = 0;           // columns that all sequences share
  std::vector<std::int64_t> listed;  // columns of keys that lie in a list
  /// Numbers of rows and of columns behind the last, found when it runs.
  std::optional<View> row_padding;
  std::optional<View> column_padding;
  bool is_step() const { return rows == 1; }
};

/// A layout's letters as [batch, heads, rows, depth]: tokens without a batch are rows, and H is all
/// heads.
View by_letters(const Plan& plan, const View& view, const std::string& letters, std::int64_t heads,
                const char* name);

/// A tensor for each pair of row and column, perhaps longer than they are: [batch or 1, ...].
View spread(const Plan& plan, View view, const Dims& scores, const char* name);

/// Which pairs a mask and its mode leave.
void plan_mask(const Check& check, Plan& plan, const InferCall& given, bool may_be_tree,
               InferPlan& call);

/// Keys or values, of which an int32 holds eight of int4.
View reads_numbers(Plan& plan, const TensorArgument& tensor);

/// Keys or values in pages: [pages, rows, H], [pages, heads, rows, depth], or with lanes of the
/// depth apart, [pages, heads, lanes, rows, lane].
View pages_of(const Plan& plan, Plan& reader, const TensorArgument& tensor, std::int64_t heads);

/// Refuses caches with lanes apart where A2 has none: beside the values of latent vectors, in pages
/// of 128 rows, it has int8 beside bfloat16 alone.
void check_fractals(const Plan& plan, const InferCall& given, bool in_fractals);

/// Refuses lists and prefixes where CANN's division of work has none.
void check_parts(const Check& check, const Plan& plan, const InferCall& given,
                 const InferPlan& call);

/// Keys or values as parts; a prefix has as many rows as its length says.
KeyParts parts_of(Plan& plan, const InferCall& given, const TensorListIn& list,
                  const TensorArgument& prefix, const InferPlan& call);

}  // namespace pyaclnn::sim
