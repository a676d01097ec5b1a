// SPDX-License-Identifier: MIT
#include "opapi/matmul/feed_forward.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <utility>

#include "opapi/common/chip_family.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/matmul/gemm.hpp"
#include "opapi/pointwise/formulas.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kMostDepth = 65535;
constexpr std::int64_t kHighPrecision = 0;
constexpr std::int64_t kHighPerformance = 1;
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

/// One expert's matrix or bias out of all of them.
View of_expert(const View& view, std::size_t rank, std::int64_t expert) {
  if (view.shape.size() == rank) return view;
  View result = view;
  result.offset += expert * view.strides[0];
  result.shape = Dims();
  result.strides = Dims();
  for (std::size_t i = 1; i < view.shape.size(); ++i) {
    result.shape.push_back(view.shape[i]);
    result.strides.push_back(view.strides[i]);
  }
  return result;
}

/// Rows of floats behind one another, as an operand.
View rows_view(std::size_t operand, std::int64_t rows, std::int64_t columns) {
  View view;
  view.operand = operand;
  view.dtype = ACL_FLOAT;
  view.shape = Dims{rows, columns};
  view.strides = Dims{columns, 1};
  return view;
}

/// The kernel: where things are, and how they are computed.
struct Network {
  RowMajor x;
  RowMajor y;
  View weight1;
  View weight2;
  View bias1;
  View bias2;
  bool has_bias1;
  bool has_bias2;
  View tokens;
  bool has_tokens;
  std::vector<std::int64_t> counts;
  bool are_ends;
  aclDataType type;
  aclDataType inner;  // that the first product is rounded to
  PointwiseLoop activation;
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
    const std::size_t base = weight1.shape.size();
    const std::int64_t depth = weight1.shape[base - 2];
    const std::int64_t hidden = weight1.shape[base - 1];
    const std::int64_t columns = weight2.shape[base - 1];
    std::vector<float> left(std::size_t(count * depth));
    std::vector<float> between(std::size_t(count * hidden));
    std::vector<float> result(std::size_t(count * columns));
    const RowMajorAccess from(x, memory);
    const float* lines = from.read(begin * depth, count * depth, left.data());

    // The operands of the products: some are the operator's, some lie here.
    KernelMemory own;
    own.operands.push_back(reinterpret_cast<std::byte*>(const_cast<float*>(lines)));
    own.operands.push_back(reinterpret_cast<std::byte*>(between.data()));
    own.operands.push_back(reinterpret_cast<std::byte*>(result.data()));
    const auto taken = [&](const View& view, std::size_t rank) {
      View one = of_expert(view, rank, expert);
      one.operand = own.operands.size();
      own.operands.push_back(memory.operands[view.operand]);
      return one;
    };
    Gemm first;
    first.a = rows_view(0, count, depth);
    first.b = taken(weight1, 2);
    first.out = rows_view(1, count, hidden);
    first.product = inner;
    if (has_bias1) first.addend = taken(bias1, 1);
    run_gemm(first, own);
    activate(between);
    Gemm second;
    second.a = rows_view(1, count, hidden);
    second.b = taken(weight2, 2);
    second.out = rows_view(2, count, columns);
    if (has_bias2) second.addend = taken(bias2, 1);
    run_gemm(second, own);
    RowMajorAccess(y, memory).write(begin * columns, count * columns, result.data());
  }

  /// In float32, rounded to the type of the network.
  void activate(std::vector<float>& values) const {
    const float none = 0;
    const void* inputs[] = {values.data()};
    const auto count = std::int64_t(values.size());
    activation(&none, count, inputs, values.data());
    std::vector<std::uint16_t> narrow(values.size());
    storer<float>(type, Rounding::kTruncate)(values.data(), count,
                                             reinterpret_cast<std::byte*>(narrow.data()), 1);
    loader<float>(type)(reinterpret_cast<const std::byte*>(narrow.data()), 1, count, values.data());
  }
};

void check_bias(const Check& check, const TensorArgument& bias, const TensorArgument& weight,
                const Experts& experts) {
  if (!bias.given()) return;
  Dims shape;
  if (experts.given()) shape.push_back(experts.number);
  shape.push_back(weight.shape().back());
  check.shape_is(bias, shape, "the columns of its weight");
}

void check_types(const Check& check, const FeedForward& network) {
  const DtypeSet accepted{ACL_FLOAT16, ACL_BF16};
  check.dtype_in(accepted, network.x, network.weight1, network.weight2, network.y);
  check.same_dtype(network.weight1, network.weight2);
  check.same_dtype(network.x, network.weight1, network.y);
  const bool is_bf16 = network.x.dtype() == ACL_BF16;
  check.that(!is_bf16 || network.inner_precise == kHighPrecision,
             "innerPrecise is %lld; bfloat16 goes with 0 only",
             static_cast<long long>(network.inner_precise));
  const DtypeSet biases = is_bf16 ? DtypeSet{ACL_FLOAT} : DtypeSet{ACL_FLOAT16};
  for (const TensorArgument* bias : {&network.bias1, &network.bias2})
    if (bias->given()) check.dtype_in(biases, *bias);
}

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

const PointwiseFormula& activation_of(const Check& check, const ConstText& name) {
  static const std::map<std::string, const PointwiseFormula*> kNames = {
      {"fastgelu", &formulas::fast_gelu},
      {"relu", &formulas::relu},
      {"silu", &formulas::silu},
      {"gelu", &formulas::gelu_tanh}};
  check.not_null(name);
  std::string lower = name.text;
  for (char& letter : lower)
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  const auto found = kNames.find(lower);
  check.that(found != kNames.end(),
             "activation is \"%s\"; the simulator has fastgelu, relu, silu and gelu",
             name.text.c_str());
  return *found->second;
}

void check_feed_forward(const Check& check, const FeedForward& network, const Experts& experts) {
  check.that(network.y.rank() == network.x.rank(), "y has %zu dimensions, x has %zu",
             network.y.rank(), network.x.rank());
  check.that(network.x.rank() >= 2 && network.x.rank() <= 8,
             "x has %zu dimensions, it must have 2 to 8", network.x.rank());
  const std::size_t rank = experts.given() ? 3 : 2;
  for (const TensorArgument* weight : {&network.weight1, &network.weight2})
    check.that(weight->rank() == rank, "%s has %zu dimensions, it must have %zu", weight->name(),
               weight->rank(), rank);
  const Dims& first = network.weight1.shape();
  const Dims& second = network.weight2.shape();
  check.that(first[rank - 2] <= kMostDepth && second[rank - 2] <= kMostDepth,
             "weights have more than 65535 rows");
  check.that(network.x.shape().back() == first[rank - 2] && first[rank - 2] == second[rank - 1] &&
                 first[rank - 1] == second[rank - 2],
             "x of shape %s, weight1 of shape %s and weight2 of shape %s do not go together",
             network.x.shape().text().c_str(), first.text().c_str(), second.text().c_str());
  if (experts.given())
    check.that(first[0] == experts.number && second[0] == experts.number,
               "there are %lld experts, and weights of %lld and %lld",
               static_cast<long long>(experts.number), static_cast<long long>(first[0]),
               static_cast<long long>(second[0]));
  check_bias(check, network.bias1, network.weight1, experts);
  check_bias(check, network.bias2, network.weight2, experts);
  if (on_310p()) {
    check.that(network.x.rank() == 2, "x has %zu dimensions, it has 2 on this chip",
               network.x.rank());
    check.that(network.inner_precise == kHighPerformance, "innerPrecise must be 1 on this chip");
    check.that(!experts.given(), "there are no experts on this chip");
  }
  check_types(check, network);
}

void feed_forward(Plan& plan, const FeedForward& network, const Experts& experts,
                  const PointwiseFormula& activation) {
  plan.stage(network.x).contiguous();
  plan.stage(network.weight1).contiguous();
  plan.stage(network.weight2).contiguous();
  const std::int64_t rows = rows_of(network.x);
  const aclDataType inner = network.inner_precise == kHighPrecision ? ACL_FLOAT : ACL_FLOAT16;
  plan.reserve(rows * network.weight1.shape().back(), inner);
  Dims shape = network.x.shape();
  shape.set(shape.size() - 1, network.weight2.shape().back());
  plan.result(network.y.dtype(), shape).copy_to(network.y);
  const auto optional = [&](const TensorArgument& tensor) {
    return tensor.given() ? plan.reads(tensor) : View();
  };
  const bool has_tokens = experts.tensor != nullptr;
  Network kernel{RowMajor(plan.reads(network.x)),
                 RowMajor(plan.writes(network.y)),
                 plan.reads(network.weight1),
                 plan.reads(network.weight2),
                 optional(network.bias1),
                 optional(network.bias2),
                 network.bias1.given(),
                 network.bias2.given(),
                 has_tokens ? plan.reads(*experts.tensor) : View(),
                 has_tokens,
                 experts.given() ? experts.counts : std::vector<std::int64_t>{rows},
                 experts.are_ends,
                 network.x.dtype(),
                 inner,
                 activation.loops[static_cast<int>(ComputeType::kFloat)],
                 rows};
  plan.launch([kernel = std::move(kernel)](const KernelMemory& memory) { kernel.run(memory); });
}

}  // namespace pyaclnn::sim
