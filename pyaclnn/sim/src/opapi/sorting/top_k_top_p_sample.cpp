// A token of each row by its probability: of the most probable ones, divided by random numbers.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/packed_operand.hpp"
#include "parameters/TopKTopPSample.hpp"
#include "parameters/TopKTopPSampleV2.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kMostTokens = 1 << 20;

/// What the two versions of the operator do differently, and the attributes.
struct SampleRules {
  bool is_first = false;
  std::int64_t most = 1024;  // tokens that may be taken by their number
  bool from_logits = true;
  bool gives_selected = false;
  bool gives_sorted = false;
  float eps = 0;
};

/// A row's limits; none of the last is 0.
struct Limits {
  std::int64_t k = 0;
  float p = 0;
  float min_p = 0;
};

/// Tokens that stay, and their probabilities.
struct Kept {
  std::vector<std::int64_t> tokens;
  std::vector<float> probabilities;

  void resize(std::size_t count) {
    tokens.resize(count);
    probabilities.resize(count);
  }
};

/// Descending, equal ones as they stand.
std::vector<std::int64_t> largest(const float* values, std::int64_t width, std::int64_t count) {
  constexpr std::uint32_t kSign = std::uint32_t(1) << 31;
  std::vector<std::uint64_t> keys(static_cast<std::size_t>(width));
  for (std::int64_t i = 0; i < width; ++i) {
    const float value = values[i] + 0.0f;
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    bits = (bits & kSign) != 0 ? bits : ~(bits | kSign);
    keys[std::size_t(i)] = std::uint64_t(bits) << 32 | std::uint64_t(i);
  }
  std::partial_sort(keys.begin(), keys.begin() + count, keys.end());
  std::vector<std::int64_t> places(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < places.size(); ++i)
    places[i] = std::int64_t(keys[i] & std::numeric_limits<std::uint32_t>::max());
  return places;
}

void softmax(std::vector<float>& values) {
  const float most = *std::max_element(values.begin(), values.end());
  double sum = 0;
  for (float& value : values) sum += double(value = std::exp(value - most));
  for (float& value : values) value = float(double(value) / sum);
}

/// As many as have this share of all together.
std::size_t within(const std::vector<float>& probabilities, float share, bool may_equal) {
  float sum = 0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    sum += probabilities[i];
    if (may_equal ? sum >= share : sum > share) return i + 1;
  }
  return probabilities.size();
}

void keep_from(Kept& kept, float share) {
  const auto best =
      std::size_t(std::max_element(kept.probabilities.begin(), kept.probabilities.end()) -
                  kept.probabilities.begin());
  if (share >= 1) {
    kept = {{kept.tokens[best]}, {kept.probabilities[best]}};
    return;
  }
  const float least = share * kept.probabilities[best];
  std::size_t count = 0;
  for (std::size_t i = 0; i < kept.tokens.size(); ++i) {
    if (!(kept.probabilities[i] >= least)) continue;
    kept.tokens[count] = kept.tokens[i];
    kept.probabilities[count++] = kept.probabilities[i];
  }
  if (count > 0) kept.resize(count);
}

Kept keep(const float* values, std::int64_t width, const Limits& limits, const SampleRules& rules) {
  const bool one = !rules.is_first && limits.p <= 0;
  const bool by_k = limits.k > 0 && limits.k <= std::min(width, rules.most);
  const bool by_p = limits.p > 0 && limits.p < 1;
  Kept kept;
  if (one || by_k || by_p) {
    kept.tokens = largest(values, width, one ? 1 : (by_k ? limits.k : width));
  } else {
    kept.tokens.resize(static_cast<std::size_t>(width));
    std::iota(kept.tokens.begin(), kept.tokens.end(), std::int64_t(0));
  }
  for (const std::int64_t token : kept.tokens) kept.probabilities.push_back(values[token]);
  if (rules.from_logits) softmax(kept.probabilities);
  if (by_p) kept.resize(within(kept.probabilities, limits.p, !rules.is_first));
  // The first version takes the probabilities for logits once more.
  if (by_p && !by_k && rules.is_first) softmax(kept.probabilities);
  if (limits.min_p > 0) keep_from(kept, limits.min_p);
  return kept;
}

/// The token of the largest quotient; `q` may be null.
std::int64_t drawn(const Kept& kept, const float* q, float eps) {
  std::size_t best = 0;
  float most = -std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < kept.tokens.size(); ++i) {
    const float value =
        q == nullptr ? kept.probabilities[i] : kept.probabilities[i] / (std::fabs(q[i]) + eps);
    if (!(value > most)) continue;
    best = i;
    most = value;
  }
  return kept.tokens[best];
}

/// Operands and results; of a version that lacks one it is not given.
struct Sampled {
  PackedOperand logits, k, p, q, min_p;
  PackedOperand token, selected, sorted_tokens, sorted;
  std::int64_t width = 0;

  void run(const SampleRules& rules, const KernelMemory& memory) const {
    const std::vector<float> values = logits.read(memory);
    const auto numbers = k.read<std::int64_t>(memory);
    const std::vector<float> shares = p.read(memory);
    const std::vector<float> random = q.read(memory);
    const std::vector<float> least = min_p.read(memory);
    std::vector<std::int64_t> tokens(numbers.size());
    std::vector<float> chosen(rules.gives_selected ? values.size() : 0,
                              rules.from_logits ? -std::numeric_limits<float>::infinity() : 0.0f);
    std::vector<float> probabilities(rules.gives_sorted ? values.size() : 0);
    // What is behind the kept ones stays as it is.
    auto order =
        rules.gives_sorted ? sorted_tokens.read<std::int64_t>(memory) : std::vector<std::int64_t>();
    parallel_for(std::int64_t(tokens.size()), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) {
        const auto at = std::size_t(row);
        const std::int64_t first = row * width;
        const Limits limits{numbers[at], shares[at], least.empty() ? 0 : least[at]};
        const Kept kept = keep(values.data() + first, width, limits, rules);
        tokens[at] = drawn(kept, random.empty() ? nullptr : random.data() + first, rules.eps);
        if (rules.gives_selected)
          for (const std::int64_t place : kept.tokens)
            chosen[std::size_t(first + place)] = values[std::size_t(first + place)];
        if (!rules.gives_sorted) continue;
        std::copy(kept.tokens.begin(), kept.tokens.end(), order.begin() + first);
        std::copy(kept.probabilities.begin(), kept.probabilities.end(),
                  probabilities.begin() + first);
      }
    });
    if (rules.gives_selected) selected.write(memory, chosen);
    if (!rules.gives_sorted) return token.write(memory, tokens);
    sorted_tokens.write(memory, order);
    sorted.write(memory, probabilities);
  }
};

/// What CANN finds where it divides the work.
template <class Given>
void check_rows(const Plan& plan, const Given& given) {
  const Dims& shape = given.logits.shape();
  check_tiling(plan, shape.size() == 2 && shape[0] > 0 && shape[1] > 0 && shape[1] <= kMostTokens,
               "logits has shape %s", shape.text().c_str());
  const Dims rows{shape[0]};
  for (const TensorArgument* tensor : {&given.topK, &given.topP})
    check_tiling(plan, tensor->shape() == rows, "%s has shape %s", tensor->name(),
                 tensor->shape().text().c_str());
  check_tiling(plan, !given.q.given() || given.q.shape() == shape, "q has another shape");
}

void check_result(const Plan& plan, const TensorArgument& tensor, const Dims& shape) {
  check_tiling(plan, tensor.shape() == shape, "%s has shape %s", tensor.name(),
               tensor.shape().text().c_str());
}

template <class Given>
Sampled operands(Plan& plan, const Given& given) {
  Sampled sampled;
  sampled.logits = reads_packed(plan, given.logits);
  sampled.k = reads_packed(plan, given.topK);
  sampled.p = reads_packed(plan, given.topP);
  sampled.q = reads_packed(plan, given.q);
  sampled.width = given.logits.shape()[1];
  // Six numbers for each token.
  for (int i = 0; i < 6; ++i) plan.reserve(given.logits.elements(), ACL_FLOAT);
  return sampled;
}

void launch(Plan& plan, const Sampled& sampled, const SampleRules& rules) {
  plan.launch([=](const KernelMemory& memory) { sampled.run(rules, memory); });
}

}  // namespace

void top_k_top_p_sample(const Check&, Plan& plan, const TopKTopPSampleParameters& given) {
  check_rows(plan, given);
  check_result(plan, given.logitsTopKPSelect, given.logits.shape());
  check_result(plan, given.logitsSelectIdx, given.topK.shape());
  Sampled sampled = operands(plan, given);
  sampled.token = writes_packed(plan, given.logitsSelectIdx);
  SampleRules rules;
  rules.is_first = true;
  rules.eps = float(given.eps);
  rules.gives_selected = given.isNeedLogits;
  if (rules.gives_selected) sampled.selected = writes_packed(plan, given.logitsTopKPSelect);
  launch(plan, sampled, rules);
}

void top_k_top_p_sample_v2(const Check&, Plan& plan, const TopKTopPSampleV2Parameters& given) {
  check_rows(plan, given);
  check_tiling(plan, !given.q.given() || !given.isNeedSampleResult,
               "isNeedSampleResult is true beside q");
  check_tiling(plan, !given.minPs.given() || given.minPs.shape() == given.topK.shape(),
               "minPs has another shape than topK");
  const Dims& shape = given.logits.shape();
  if (given.isNeedLogits) check_result(plan, given.logitsTopKPSelect, shape);
  if (!given.isNeedSampleResult) {
    check_result(plan, given.logitsSelectIdx, given.topK.shape());
  } else {
    check_result(plan, given.logitsIdx, shape);
    check_result(plan, given.logitsSortMasked, shape);
  }
  Sampled sampled = operands(plan, given);
  sampled.min_p = reads_packed(plan, given.minPs);
  SampleRules rules;
  // CANN reads 32 bits of the number, and goes up to a multiple of 8.
  constexpr std::int64_t kEight = 8;
  rules.most = std::min(rules.most,
                        (std::int64_t(std::uint32_t(given.ksMax)) + kEight - 1) / kEight * kEight);
  rules.eps = float(given.eps);
  rules.from_logits = given.inputIsLogits;
  rules.gives_selected = given.isNeedLogits;
  rules.gives_sorted = given.isNeedSampleResult;
  if (rules.gives_selected) sampled.selected = writes_packed(plan, given.logitsTopKPSelect);
  if (rules.gives_sorted) {
    sampled.sorted_tokens = writes_packed(plan, given.logitsIdx);
    sampled.sorted = writes_packed(plan, given.logitsSortMasked);
  } else {
    sampled.token = writes_packed(plan, given.logitsSelectIdx);
  }
  launch(plan, sampled, rules);
}

}  // namespace pyaclnn::sim
