// SPDX-License-Identifier: MIT
#include "opapi/moe/combine.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/numbers.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/moe/checks.hpp"

namespace pyaclnn::sim {
namespace {

using Numbers = std::vector<std::int64_t>;

constexpr std::int64_t kGrain = 16384;

std::size_t at(std::int64_t place) { return static_cast<std::size_t>(place); }

/// Operands of a kernel, some of which are not given.
class Operands {
 public:
  explicit Operands(Plan& plan) : plan_(plan) {}

  View read(const TensorArgument* tensor) const {
    if (tensor == nullptr || !tensor->given()) return {};
    plan_.stage(*tensor).contiguous();
    return plan_.reads(*tensor);
  }
  RowMajor read_rows(const TensorArgument* tensor) const { return as_rows(read(tensor)); }
  RowMajor write_rows(const TensorArgument* tensor) const {
    if (tensor == nullptr || !tensor->given()) return {};
    plan_.result(tensor->dtype(), tensor->shape()).copy_to(*tensor);
    return as_rows(plan_.writes(*tensor));
  }

 private:
  static RowMajor as_rows(const View& view) {
    return view.dtype == ACL_DT_UNDEFINED ? RowMajor() : RowMajor(view);
  }

  Plan& plan_;
};

Numbers numbers_if(const KernelMemory& memory, const View& view) {
  return view.dtype == ACL_DT_UNDEFINED ? Numbers() : numbers_of<std::int64_t>(memory, view);
}

/// What both directions read.
struct Pairs {
  RowMajor rows, scales, bias;
  View places, experts;
  std::int64_t tokens, columns, k, row_count, bias_rows, first_place, last_place;
  bool by_column;

  /// The row of each pair, -1 for none, whatever the device has there.
  Numbers rows_of_pairs(const KernelMemory& memory) const {
    const Numbers found = numbers_of<std::int64_t>(memory, places);
    Numbers result(at(tokens * k), -1);
    for (std::int64_t t = 0; t < tokens; ++t)
      for (std::int64_t j = 0; j < k; ++j) {
        const auto from = at(by_column ? j * tokens + t : t * k + j);
        if (from >= found.size()) continue;
        if (found[from] < first_place || found[from] >= last_place) continue;
        const std::int64_t row = found[from] - first_place;
        if (row < row_count) result[at(t * k + j)] = row;
      }
    return result;
  }

  /// The scales, one for each pair; empty where there are none.
  std::vector<float> scales_of_pairs(const KernelMemory& memory) const {
    return scales.given() ? RowMajorAccess(scales, memory).values() : std::vector<float>();
  }

  /// The row of a pair with its bias.
  const float* row(const KernelMemory& memory, std::int64_t row, const Numbers& chosen,
                   std::int64_t pair, float* buffer, float* other) const {
    const float* from = buffer;
    if (row >= 0) {
      from = RowMajorAccess(rows, memory).read(row * columns, columns, buffer);
    } else {
      std::fill_n(buffer, columns, 0.0f);
    }
    return with_bias(memory, from, chosen, pair, buffer, other);
  }

  const float* with_bias(const KernelMemory& memory, const float* from, const Numbers& chosen,
                         std::int64_t pair, float* buffer, float* other) const {
    if (!bias.given() || chosen.empty()) return from;
    const std::int64_t expert = chosen[at(pair)];
    if (expert < 0 || expert >= bias_rows) return from;
    const float* const shift = RowMajorAccess(bias, memory).read(expert * columns, columns, other);
    for (std::int64_t i = 0; i < columns; ++i) buffer[i] = from[i] + shift[i];
    return buffer;
  }
};

void check_columns(const Plan& plan, const TensorArgument& tensor, std::int64_t columns) {
  check_tiling(plan, tensor.rank() >= 2 && tensor.shape().back() == columns,
               "%s has shape %s, tokens have %lld columns", tensor.name(),
               tensor.shape().text().c_str(), static_cast<long long>(columns));
}

/// Shapes of what belongs to pairs of a token and one of its k experts.
template <class Described>
void check_pairs(const Plan& plan, const Described& c, const TensorArgument& tokens) {
  const std::int64_t count = tokens.shape()[0];
  check_rank(plan, c.places, 1);
  check_tiling(plan, c.k > 0 && Dims({count, c.k}).product() == c.places.elements(),
               "%s has %lld elements, for %lld tokens of %lld experts each", c.places.name(),
               static_cast<long long>(c.places.elements()), static_cast<long long>(count),
               static_cast<long long>(c.k));
  check_extents(plan, c.scales, Dims{count, c.k});
  check_extents(plan, c.experts, Dims{count, c.k});
  if (is_given(c.rows_or_none())) check_columns(plan, *c.rows_or_none(), tokens.shape()[1]);
  if (is_given(c.bias)) {
    check_rank(plan, *c.bias, 2);
    check_columns(plan, *c.bias, tokens.shape()[1]);
  }
}

/// Those of a combination of so many tokens and rows.
template <class Described>
Pairs pairs_of(const Operands& of, const Described& c, const TensorArgument& tokens,
               const TensorArgument& rows) {
  Pairs pairs;
  pairs.tokens = tokens.shape()[0];
  pairs.columns = tokens.shape()[1];
  pairs.k = c.k;
  pairs.row_count = pairs.columns == 0 ? 0 : rows.elements() / pairs.columns;
  pairs.rows = of.read_rows(c.rows_or_none());
  pairs.places = of.read(&c.places);
  pairs.by_column = false;
  pairs.first_place = c.first_place;
  pairs.last_place = c.last_place;
  pairs.scales = of.read_rows(c.scales);
  pairs.bias = of.read_rows(c.bias);
  pairs.bias_rows = pairs.bias.given() ? c.bias->shape()[0] : 0;
  pairs.experts = of.read(c.experts);
  return pairs;
}

/// Rows of experts that are none.
struct SpecialRows {
  ExpertSpan zero, copy, constant;
  RowMajor tokens, alpha1, alpha2, constants;

  /// Whether the row of an expert is here; `buffers` are two of as many columns.
  bool has(std::int64_t expert) const { return copy.has(expert) || constant.has(expert); }
  const float* row(const KernelMemory& memory, std::int64_t token, std::int64_t expert,
                   std::int64_t columns, float* buffer, float* other) const {
    const float* const x = RowMajorAccess(tokens, memory).read(token * columns, columns, buffer);
    if (copy.has(expert)) return x;
    const std::int64_t from = (expert - constant.first) * columns;
    const float* const first = RowMajorAccess(alpha1, memory).read(from, columns, other);
    for (std::int64_t i = 0; i < columns; ++i) buffer[i] = x[i] * first[i];
    std::vector<float> room(at(columns));
    const float* const second = RowMajorAccess(alpha2, memory).read(from, columns, other);
    const float* const added = RowMajorAccess(constants, memory).read(from, columns, room.data());
    for (std::int64_t i = 0; i < columns; ++i) buffer[i] += second[i] * added[i];
    return buffer;
  }
};

/// Refuses what experts that are none lack.
void check_special(const Plan& plan, const Combination& c) {
  const SpecialExperts& special = c.special;
  const auto named = [](const ExpertSpan& span) { return span.first >= 0; };
  const auto overlap = [&](const ExpertSpan& a, const ExpertSpan& b) {
    return named(a) && named(b) && a.first < b.last && b.first < a.last;
  };
  check_tiling(plan,
               !overlap(special.zero, special.copy) && !overlap(special.zero, special.constant) &&
                   !overlap(special.copy, special.constant),
               "ranges of experts overlap");
  if (!named(special.zero) && !named(special.copy) && !named(special.constant)) return;
  check_extents(plan, special.tokens, c.out.shape());
  const Dims shape{special.constant.last - special.constant.first, c.out.shape()[1]};
  for (const TensorArgument* tensor : {special.alpha1, special.alpha2, special.constants}) {
    check_extents(plan, tensor, shape);
    if (named(special.constant) && !is_given(tensor))
      fail_not_simulated(plan, "constant experts without their tensors");
  }
  if ((named(special.copy) || named(special.constant)) && !is_given(special.tokens))
    fail_not_simulated(plan, "copied tokens that are not given");
}

std::int64_t grain_for(std::int64_t elements) {
  return std::max<std::int64_t>(1, kGrain / std::max<std::int64_t>(1, elements));
}

}  // namespace

ExpertSpan expert_span(const Plan& plan, const IntArrayIn& range, std::int64_t experts) {
  if (!on_950() || !range.given() || range.values().size() != 2) return {};
  const ExpertSpan span{range.values()[0], range.values()[1]};
  if (span.first == -1 && span.last == -1) return span;
  check_tiling(plan,
               span.first >= 0 && span.first < span.last && (experts == 0 || span.last <= experts),
               "experts %lld to %lld are no range", static_cast<long long>(span.first),
               static_cast<long long>(span.last));
  return span;
}

void combine(Plan& plan, const Combination& c) {
  check_rank(plan, c.out, 2);
  check_pairs(plan, c, c.out);
  check_special(plan, c);
  check_extents(plan, c.first_added, c.out.shape());
  check_extents(plan, c.second_added, c.out.shape());
  const Operands of(plan);
  Pairs pairs = pairs_of(of, c, c.out, c.rows);
  pairs.by_column = c.by_column;
  const RowMajor first = of.read_rows(c.first_added);
  const RowMajor second = of.read_rows(c.second_added);
  const RowMajor out = of.write_rows(&c.out);
  const SpecialRows special{c.special.zero,
                            c.special.copy,
                            c.special.constant,
                            of.read_rows(c.special.tokens),
                            of.read_rows(c.special.alpha1),
                            of.read_rows(c.special.alpha2),
                            of.read_rows(c.special.constants)};
  plan.launch([=](const KernelMemory& memory) {
    const Numbers rows = pairs.rows_of_pairs(memory);
    const Numbers chosen = numbers_if(memory, pairs.experts);
    const std::vector<float> scales = pairs.scales_of_pairs(memory);
    const std::int64_t columns = pairs.columns;
    parallel_for(
        pairs.tokens, grain_for(columns * pairs.k), [&](std::int64_t begin, std::int64_t end) {
          std::vector<float> buffers(at(3 * columns));
          float* const sum = buffers.data();
          float* const buffer = sum + columns;
          float* const other = buffer + columns;
          for (std::int64_t token = begin; token < end; ++token) {
            std::fill_n(sum, columns, 0.0f);
            for (const RowMajor* added : {&first, &second}) {
              if (!added->given()) continue;
              const float* const from =
                  RowMajorAccess(*added, memory).read(token * columns, columns, buffer);
              for (std::int64_t i = 0; i < columns; ++i) sum[i] += from[i];
            }
            for (std::int64_t pair = token * pairs.k; pair < (token + 1) * pairs.k; ++pair) {
              const std::int64_t expert = chosen.empty() ? -1 : chosen[at(pair)];
              const bool own = special.has(expert);
              if (special.zero.has(expert)) continue;
              if (!own && rows[at(pair)] < 0 && !pairs.bias.given()) continue;
              const float* const from =
                  own ? pairs.with_bias(memory,
                                        special.row(memory, token, expert, columns, buffer, other),
                                        chosen, pair, buffer, other)
                      : pairs.row(memory, rows[at(pair)], chosen, pair, buffer, other);
              const float scale = scales.empty() ? 1.0f : scales[at(pair)];
              for (std::int64_t i = 0; i < columns; ++i) sum[i] += scale * from[i];
            }
            RowMajorAccess(out, memory).write(token * columns, columns, sum);
          }
        });
  });
}

void combine_backward(Plan& plan, const CombinationGradient& c) {
  check_rank(plan, c.grad, 2);
  check_pairs(plan, c, c.grad);
  check_columns(plan, c.rows_grad, c.grad.shape()[1]);
  check_extents(plan, c.rows, c.rows_grad.shape());
  if (is_given(c.scales)) check_extents(plan, c.scales_grad, c.scales->shape());
  const Operands of(plan);
  const Pairs pairs = pairs_of(of, c, c.grad, c.rows_grad);
  const RowMajor grad = of.read_rows(&c.grad);
  const RowMajor rows_grad = of.write_rows(&c.rows_grad);
  const RowMajor scales_grad =
      pairs.rows.given() && pairs.scales.given() ? of.write_rows(c.scales_grad) : RowMajor();
  plan.launch([=](const KernelMemory& memory) {
    const Numbers rows = pairs.rows_of_pairs(memory);
    const Numbers chosen = numbers_if(memory, pairs.experts);
    const std::vector<float> scales = pairs.scales_of_pairs(memory);
    const std::int64_t columns = pairs.columns;
    Numbers pair_of(at(pairs.row_count), -1);
    for (std::size_t pair = 0; pair < rows.size(); ++pair)
      if (rows[pair] >= 0) pair_of[at(rows[pair])] = std::int64_t(pair);
    parallel_for(pairs.row_count, grain_for(columns), [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> line(at(columns));
      for (std::int64_t row = begin; row < end; ++row) {
        const std::int64_t pair = pair_of[at(row)];
        std::fill(line.begin(), line.end(), 0.0f);
        if (pair >= 0) {
          const float* const from =
              RowMajorAccess(grad, memory).read(pair / pairs.k * columns, columns, line.data());
          const float scale = scales.empty() ? 1.0f : scales[at(pair)];
          for (std::int64_t i = 0; i < columns; ++i) line[at(i)] = from[i] * scale;
        }
        RowMajorAccess(rows_grad, memory).write(row * columns, columns, line.data());
      }
    });
    if (!scales_grad.given()) return;
    std::vector<float> result(rows.size());
    parallel_for(std::int64_t(rows.size()), grain_for(columns),
                 [&](std::int64_t begin, std::int64_t end) {
                   std::vector<float> buffers(at(3 * columns));
                   float* const buffer = buffers.data();
                   for (std::int64_t pair = begin; pair < end; ++pair) {
                     const float* const row =
                         pairs.row(memory, rows[at(pair)], chosen, pair, buffer, buffer + columns);
                     const float* const of_token =
                         RowMajorAccess(grad, memory)
                             .read(pair / pairs.k * columns, columns, buffer + 2 * columns);
                     float sum = 0;
                     for (std::int64_t i = 0; i < columns; ++i) sum += row[i] * of_token[i];
                     result[at(pair)] = sum;
                   }
                 });
    if (!result.empty())
      RowMajorAccess(scales_grad, memory).write(0, std::int64_t(result.size()), result.data());
  });
}

void pick_places(Plan& plan, const TensorArgument& values, const TensorArgument& places,
                 std::int64_t first, std::int64_t last, const TensorArgument& out) {
  check_tiling(plan, out.elements() == places.elements(), "%s has shape %s, for %lld places",
               out.name(), out.shape().text().c_str(), static_cast<long long>(places.elements()));
  const Operands of(plan);
  const RowMajor from = of.read_rows(&values);
  const View chosen = of.read(&places);
  const RowMajor to = of.write_rows(&out);
  plan.launch([=](const KernelMemory& memory) {
    const std::vector<float> all = RowMajorAccess(from, memory).values();
    std::vector<float> result;
    for (std::int64_t place : numbers_of<std::int64_t>(memory, chosen)) {
      const bool is_own = place >= first && place < last && at(place - first) < all.size();
      result.push_back(is_own ? all[at(place - first)] : 0.0f);
    }
    if (!result.empty())
      RowMajorAccess(to, memory).write(0, std::int64_t(result.size()), result.data());
  });
}

}  // namespace pyaclnn::sim
