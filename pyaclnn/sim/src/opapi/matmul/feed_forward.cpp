// SPDX-License-Identifier: MIT
#include "opapi/matmul/feed_forward.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "core/checked.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/round_stored.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/matmul/feed_forward_layer.hpp"
#include "opapi/pointwise/formulas.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kHighPrecision = 0;
// Rows that are computed at once: what lies between the products stays small.
constexpr std::int64_t kBlockRows = 512;

std::int64_t rows_of(const TensorArgument& x) {
  Dims leading;
  for (std::size_t i = 0; i + 1 < x.rank(); ++i) leading.push_back(x.shape()[i]);
  return leading.product();
}

/// How many rows each expert has; numbers from the device may be anything, rows are not.
std::vector<std::int64_t> counts_of(const std::vector<std::int64_t>& numbers, bool are_ends,
                                    std::int64_t rows) {
  std::vector<std::int64_t> counts;
  std::int64_t taken = 0;
  for (std::int64_t number : numbers) {
    const std::int64_t end = std::clamp(number, std::int64_t(0), rows);
    const std::int64_t count =
        std::min(are_ends ? std::max(end - taken, std::int64_t(0)) : end, rows - taken);
    counts.push_back(count);
    taken += count;
  }
  return counts;
}

/// The kernel: where things are, and how they are computed.
struct Network {
  RowMajor x;
  RowMajor y;
  NetworkLayer first;
  NetworkLayer second;
  // Of quantised networks: what lies between the products, for all columns or for each.
  View scale;
  View offset;
  bool is_quantised;
  View tokens;
  bool has_tokens;
  std::vector<std::int64_t> counts;
  bool are_ends;
  aclDataType type;  // that activations are rounded to
  PointwiseLoop activation;
  bool is_gated;
  std::int64_t rows;

  void run(const KernelMemory& memory) const {
    std::int64_t row = 0;
    const std::vector<std::int64_t> counted = counts_now(memory);
    for (std::size_t expert = 0; expert < counted.size(); ++expert) {
      const std::int64_t end = row + counted[expert];
      for (; row < end; row += kBlockRows)
        run_rows(memory, std::int64_t(expert), row, std::min(kBlockRows, end - row));
      row = end;
    }
  }

 private:
  std::vector<std::int64_t> counts_now(const KernelMemory& memory) const {
    if (!has_tokens) return counts;
    std::vector<std::int64_t> numbers(std::size_t(tokens.shape[0]));
    loader<std::int64_t>(tokens.dtype)(first_element(memory, tokens), tokens.strides[0],
                                       tokens.shape[0], numbers.data());
    return counts_of(numbers, are_ends, rows);
  }

  void run_rows(const KernelMemory& memory, std::int64_t expert, std::int64_t begin,
                std::int64_t count) const {
    const std::int64_t depth = first.depth();
    std::vector<float> left(std::size_t(count * depth));
    const float* lines = RowMajorAccess(x, memory).read(begin * depth, count * depth, left.data());
    std::vector<float> between = first.multiply(memory, expert, lines, count);
    if (is_gated) {
      between = gated(between, count);
    } else {
      activate(between);
    }
    round_as_stored(between.data(), std::int64_t(between.size()), type);
    if (is_quantised) quantise(memory, expert, between, count);
    const std::vector<float> result = second.multiply(memory, expert, between.data(), count);
    RowMajorAccess(y, memory).write(begin * second.columns(), count * second.columns(),
                                    result.data());
  }

  void activate(std::vector<float>& values) const {
    const float none = 0;
    const void* inputs[] = {values.data()};
    activation(&none, std::int64_t(values.size()), inputs, values.data());
  }

  /// The left half of each row, times the activations of its right half.
  std::vector<float> gated(const std::vector<float>& values, std::int64_t count) const {
    const std::int64_t half = first.columns() / 2;
    std::vector<float> result;
    result.reserve(std::size_t(count * half));
    for (std::int64_t row = 0; row < count; ++row) {
      const float* const right = values.data() + (2 * row + 1) * half;
      result.insert(result.end(), right, right + half);
    }
    activate(result);
    for (std::int64_t row = 0; row < count; ++row)
      for (std::int64_t i = 0; i < half; ++i)
        result[std::size_t(row * half + i)] *= values[std::size_t(2 * row * half + i)];
    return result;
  }

  /// round(values * scale + offset), every step in float16, to the range of int8.
  void quantise(const KernelMemory& memory, std::int64_t expert, std::vector<float>& values,
                std::int64_t count) const {
    const bool has_experts = first.has_experts();
    const bool by_column = scale.shape.size() == 2 || (!has_experts && scale.shape[0] > 1);
    std::vector<float> scales =
        row_values(memory, by_column && has_experts ? of_expert(scale, true, expert) : scale);
    float shift = row_values(memory, offset)[std::size_t(has_experts ? expert : 0)];
    round_as_stored(scales.data(), std::int64_t(scales.size()), ACL_FLOAT16);
    round_as_stored(&shift, 1, ACL_FLOAT16);
    const std::int64_t columns = first.columns();
    for (std::int64_t row = 0; row < count; ++row) {
      float* const line = values.data() + row * columns;
      for (std::int64_t i = 0; i < columns; ++i)
        line[i] *= scales[std::size_t(by_column ? i : has_experts ? expert : 0)];
      round_as_stored(line, columns, ACL_FLOAT16);
      for (std::int64_t i = 0; i < columns; ++i) line[i] += shift;
      round_as_stored(line, columns, ACL_FLOAT16);
      for (std::int64_t i = 0; i < columns; ++i) line[i] = as_int8(line[i]);
    }
  }

  static float as_int8(float value) {
    if (std::isnan(value)) return 0;
    return std::nearbyint(std::clamp(value, -128.0f, 127.0f));
  }
};

}  // namespace

Experts experts_of(const Check& check, const IntArrayIn& tokens, bool are_ends,
                   const TensorArgument& x) {
  Experts experts;
  if (!tokens.given() || tokens.values().empty()) return experts;
  const std::int64_t rows = rows_of(x);
  std::int64_t sum = 0;
  for (std::int64_t number : tokens.values()) {
    check.that(number >= 0, "expertTokens has %lld, which is negative",
               static_cast<long long>(number));
    check.that(!are_ends || number >= sum, "expertTokens must not descend");
    // Sums that do not fit are larger than any number of rows.
    if (are_ends) {
      sum = number;
    } else if (__builtin_add_overflow(sum, number, &sum)) {
      sum = -1;
      break;
    }
  }
  check.that(sum == rows, "expertTokens tell of %lld rows, x has %lld", static_cast<long long>(sum),
             static_cast<long long>(rows));
  experts.counts = counts_of(tokens.values(), are_ends, rows);
  experts.number = std::int64_t(experts.counts.size());
  return experts;
}

Experts experts_of(const Check& check, const TensorArgument& tokens, bool are_ends) {
  Experts experts;
  if (!tokens.given() || (tokens.rank() > 0 && tokens.shape()[0] == 0)) return experts;
  check.that(tokens.rank() == 1, "%s has %zu dimensions, it has one", tokens.name(), tokens.rank());
  check.dtype_in(DtypeSet{ACL_INT64}, tokens);
  experts.tensor = &tokens;
  experts.are_ends = are_ends;
  experts.number = tokens.shape()[0];
  return experts;
}

Activation activation_of(const Check& check, const ConstText& name) {
  static const std::map<std::string, Activation> kNames = {
      {"fastgelu", {&formulas::fast_gelu, false}}, {"relu", {&formulas::relu, false}},
      {"silu", {&formulas::silu, false}},          {"gelu", {&formulas::gelu_tanh, false}},
      {"geglu", {&formulas::gelu_tanh, true}},     {"swiglu", {&formulas::silu, true}},
      {"reglu", {&formulas::relu, true}}};
  check.not_null(name);
  std::string lower = name.text;
  for (char& letter : lower)
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  const auto found = kNames.find(lower);
  check.that(found != kNames.end(),
             "activation is \"%s\", and must be fastgelu, relu, silu, gelu, geglu, swiglu or reglu",
             name.text.c_str());
  return found->second;
}

void feed_forward(Plan& plan, const FeedForward& network, const Experts& experts,
                  const Activation& activation) {
  plan.stage(network.x).contiguous();
  plan.stage(network.weight1).contiguous();
  plan.stage(network.weight2).contiguous();
  for (const TensorArgument* tensor : {&network.scale, &network.anti_scale1, &network.anti_scale2})
    if (tensor->given()) plan.stage(*tensor).contiguous();
  const bool is_int8 = network.is_quantised();
  const bool is_float16 = network.y.dtype() == ACL_FLOAT16;
  const std::int64_t rows = rows_of(network.x);
  check_inside(plan, !activation.is_gated || is_float16, "y has element type %d, it is float16",
               int(network.y.dtype()));
  check_tiling(plan, network.weight2.shape().back() == network.x.shape().back(),
               "weight2 has %lld columns, x has %lld",
               static_cast<long long>(network.weight2.shape().back()),
               static_cast<long long>(network.x.shape().back()));
  aclDataType inner = network.inner_precise == kHighPrecision ? ACL_FLOAT : ACL_FLOAT16;
  if (is_int8 || network.has_quantised_weights() || activation.is_gated)
    inner = is_float16 ? ACL_FLOAT16 : ACL_FLOAT;
  const Checked<std::int64_t> columns = network.weight1.shape().back();
  plan.reserve((Checked<std::int64_t>(rows) * columns).saturated(), inner);
  plan.result(network.y.dtype(), network.x.shape()).copy_to(network.y);
  const auto optional = [&](const TensorArgument& tensor) {
    return tensor.given() ? plan.reads(tensor) : View();
  };
  const auto layer = [&](const TensorArgument& weight, const TensorArgument& bias,
                         const TensorArgument& anti_scale, const TensorArgument& anti_offset,
                         const TensorArgument& deq_scale, aclDataType product) {
    NetworkLayer one;
    one.weight = plan.reads(weight);
    one.bias = optional(bias);
    one.has_bias = bias.given();
    one.product = product;
    if (network.has_quantised_weights()) {
      one.kind = NetworkLayer::Kind::kQuantisedWeights;
      one.anti_scale = optional(anti_scale);
      one.anti_offset = optional(anti_offset);
      one.restored = network.x.dtype();
    } else if (is_int8) {
      one.kind = NetworkLayer::Kind::kInt8;
      one.deq_scale = optional(deq_scale);
    }
    return one;
  };
  const bool has_tokens = experts.tensor != nullptr;
  Network kernel{RowMajor(plan.reads(network.x)),
                 RowMajor(plan.writes(network.y)),
                 layer(network.weight1, network.bias1, network.anti_scale1, network.anti_offset1,
                       network.deq_scale1, inner),
                 layer(network.weight2, network.bias2, network.anti_scale2, network.anti_offset2,
                       network.deq_scale2, ACL_FLOAT),
                 is_int8 ? plan.reads(network.scale) : View(),
                 is_int8 ? plan.reads(network.offset) : View(),
                 is_int8,
                 has_tokens ? plan.reads(*experts.tensor) : View(),
                 has_tokens,
                 experts.given() ? experts.counts : std::vector<std::int64_t>{rows},
                 experts.are_ends,
                 is_int8 ? ACL_FLOAT16 : network.x.dtype(),
                 activation.formula->loops[static_cast<int>(ComputeType::kFloat)],
                 activation.is_gated,
                 rows};
  plan.launch([kernel = std::move(kernel)](const KernelMemory& memory) { kernel.run(memory); });
}

}  // namespace pyaclnn::sim
