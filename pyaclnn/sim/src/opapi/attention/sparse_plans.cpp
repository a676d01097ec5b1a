// SPDX-License-Identifier: MIT
#include "opapi/attention/sparse_plans.hpp"

#include <algorithm>

#include "opapi/common/fill.hpp"
#include "opapi/copy/contiguous.hpp"

namespace pyaclnn::sim {

Lengths lengths_of(const Lengths& given, bool are_sums) {
  Lengths lengths;
  std::int64_t before = 0;
  for (std::int64_t value : given) {
    value = std::clamp(value, -kMostTokens, kMostTokens);
    lengths.push_back(std::max<std::int64_t>(are_sums ? value - before : value, 0));
    before = value;
  }
  return lengths;
}

Sequences sequences_of(const Lengths& rows, const Lengths& columns, bool has_packed_rows,
                       bool has_packed_columns) {
  Sequences sequences;
  AttentionSequence sequence;
  for (std::size_t i = 0; i < std::min(rows.size(), columns.size()); ++i) {
    sequence.rows = rows[i];
    sequence.columns = columns[i];
    if (!has_packed_rows) sequence.query_batch = std::int64_t(i);
    if (!has_packed_columns) sequence.key_batch = std::int64_t(i);
    sequences.push_back(sequence);
    if (has_packed_rows) sequence.first_row += rows[i];
    if (has_packed_columns) sequence.first_column += columns[i];
  }
  return sequences;
}

std::int64_t end_of(const Sequences& sequences, bool of_columns) {
  std::int64_t end = 0;
  for (const AttentionSequence& s : sequences)
    end = std::max(end, of_columns ? s.first_column + s.columns : s.first_row + s.rows);
  return end;
}

void check_fits(const Plan& plan, Demand demand, const Attention& attention) {
  const std::int64_t rows = end_of(attention.sequences, false);
  const std::int64_t columns = end_of(attention.sequences, true);
  const std::int64_t most_rows = attention.query.view.shape[2];
  const std::int64_t most_columns = attention.key.view.shape[2];
  demand(plan, rows <= most_rows && columns <= most_columns,
         "sequences have %lld and %lld tokens, there are %lld and %lld", ll(rows), ll(columns),
         ll(most_rows), ll(most_columns));
}

void see_right_down(Sequences& sequences) {
  for (AttentionSequence& s : sequences) s.ahead = s.columns - s.rows;
}

View staged_heads(Plan& plan, const TensorArgument& tensor, const std::string& layout,
                  std::int64_t heads) {
  plan.stage(tensor).contiguous();
  return by_heads(plan.reads(tensor), layout, heads);
}

View laid_out_result(Plan& plan, aclDataType dtype, const Dims& shape, const TensorArgument& out,
                     const std::string& layout) {
  plan.result(dtype, shape).copy_to(out);
  return by_heads(plan.writes(out), layout, 1);
}

void check_operands(const Plan& plan, Demand demand, const TensorArgument& query,
                    const TensorArgument& key, const TensorArgument& value,
                    const std::string& layout) {
  const std::size_t rank = rank_of_layout(layout);
  demand(plan, query.rank() == rank && key.rank() == rank && value.rank() == rank,
         "query, key and value have %zu, %zu and %zu dimensions, in layout %s they have %zu",
         query.rank(), key.rank(), value.rank(), layout.c_str(), rank);
  const std::size_t head = layout == "BNSD" ? 1 : rank - 2;
  const std::int64_t heads = query.shape()[head];
  const std::int64_t key_heads = key.shape()[head];
  bool fits = value.shape()[head] == key_heads && key_heads > 0 && heads > 0 &&
              heads % key_heads == 0 && query.shape()[rank - 1] == key.shape()[rank - 1] &&
              query.shape()[rank - 1] > 0 && value.shape()[rank - 1] > 0;
  for (std::size_t i = 0; i + 1 < rank; ++i) fits = fits && key.shape()[i] == value.shape()[i];
  if (rank == 4) fits = fits && query.shape()[0] == key.shape()[0];
  demand(plan, fits, "query, key and value have shapes %s, %s and %s", query.shape().text().c_str(),
         key.shape().text().c_str(), value.shape().text().c_str());
}

Dims attended_shape(const TensorArgument& query, std::int64_t value_depth) {
  Dims shape = query.shape();
  shape.set(shape.size() - 1, value_depth);
  return shape;
}

void plan_gradients(Plan& plan, AttentionGradients& gradients, const TensorArgument& query,
                    const TensorArgument& key, const TensorArgument& value,
                    const TensorArgument& dq, const TensorArgument& dk, const TensorArgument& dv,
                    const std::string& layout) {
  gradients.query = laid_out_result(plan, query.dtype(), query.shape(), dq, layout);
  gradients.key = laid_out_result(plan, key.dtype(), key.shape(), dk, layout);
  gradients.value = laid_out_result(plan, value.dtype(), value.shape(), dv, layout);
  for (const TensorArgument* out : {&dq, &dk, &dv}) launch_zero(plan, *out);
}

}  // namespace pyaclnn::sim
