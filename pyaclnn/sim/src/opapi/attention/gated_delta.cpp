// The gated delta rule: a state for each head that every token decays, corrects and is read from.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/attention/rows.hpp"
#include "opapi/attention/shapes.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/integers.hpp"
#include "parameters/ChunkGatedDeltaRule.hpp"
#include "parameters/RecurrentGatedDeltaRule.hpp"

namespace pyaclnn::sim {
namespace {

/// [tokens, heads, depth] or [tokens, heads] as rows of each head.
RowView rows_of_heads(const View& view) {
  View heads = view;
  const bool has_depth = view.shape.size() == 3;
  heads.shape = {1, view.shape[1], view.shape[0], has_depth ? view.shape[2] : 1};
  heads.strides = {0, view.strides[1], view.strides[0], has_depth ? view.strides[2] : 0};
  return RowView(heads);
}

std::optional<RowView> rows_if_given(Plan& plan, const TensorArgument& tensor) {
  if (!tensor.given()) return std::nullopt;
  return rows_of_heads(plan.reads(tensor));
}

struct Sizes {
  std::int64_t tokens;
  std::int64_t key_heads;
  std::int64_t key_depth;
  std::int64_t heads;
  std::int64_t depth;
};

Sizes sizes_of(const TensorArgument& query, const TensorArgument& value) {
  const Dims& keys = query.shape();
  return {keys[0], keys[1], keys[2], value.shape()[1], value.shape()[2]};
}

void check_sizes(const Plan& plan, const Sizes& sizes, std::int64_t most_heads,
                 std::int64_t most_depth) {
  for (const std::int64_t heads : {sizes.key_heads, sizes.heads})
    check_tiling(plan, heads > 0 && heads <= most_heads, "%lld heads, 1 to %lld are allowed",
                 ll(heads), ll(most_heads));
  for (const std::int64_t depth : {sizes.key_depth, sizes.depth})
    check_tiling(plan, depth > 0 && depth <= most_depth,
                 "%lld values a head, 1 to %lld are allowed", ll(depth), ll(most_depth));
  check_tiling(plan, sizes.heads % sizes.key_heads == 0,
               "%lld heads of values do not share %lld heads of keys", ll(sizes.heads),
               ll(sizes.key_heads));
}

/// Row v of the state of a head: s' = alpha s, s = s' + beta (value[v] - s' key) key, and
/// out[v] = scale s query.
struct DeltaRule {
  Sizes sizes;
  RowView query;
  RowView key;
  RowView value;
  RowView beta;
  std::optional<RowView> gate;      // logarithm of alpha, of a head
  std::optional<RowView> key_gate;  // of each element of a row
  RowView first;                    // [blocks, heads, value depth, key depth]
  RowView last;
  RowView out;
  std::int64_t blocks;
  View lengths;
  /// The block that each token writes, and reads where a sequence begins with it. Without it a
  /// sequence has a block, which it writes at its end.
  std::optional<View> block_of_token;
  std::optional<View> accepted;
  float scale;
};

struct Sequence {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t block = 0;  // where its state comes from
};

/// Sequences whose tokens and states exist; a state from nowhere leaves a sequence out.
std::vector<Sequence> sequences_of(const DeltaRule& rule, const KernelMemory& memory,
                                   const std::vector<std::int64_t>& blocks) {
  const std::vector<std::int64_t> lengths = integers_of(rule.lengths, memory);
  std::vector<std::int64_t> accepted;
  if (rule.accepted.has_value()) accepted = integers_of(*rule.accepted, memory);
  std::vector<Sequence> sequences;
  std::int64_t token = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    Sequence sequence{token, token, std::int64_t(i)};
    sequence.end += std::clamp<std::int64_t>(lengths[i], 0, rule.sizes.tokens - token);
    token = sequence.end;
    if (rule.block_of_token.has_value()) {
      const std::int64_t from = sequence.begin + (accepted.empty() ? 0 : accepted[i] - 1);
      if (from < 0 || from >= std::int64_t(blocks.size())) continue;
      sequence.block = blocks[std::size_t(from)];
    }
    if (sequence.end > sequence.begin && sequence.block >= 0 && sequence.block < rule.blocks)
      sequences.push_back(sequence);
  }
  return sequences;
}

/// Rows of the state that go through the tokens together.
class StateRows {
 public:
  StateRows(const DeltaRule& rule, const KernelMemory& memory, std::int64_t head,
            std::int64_t begin, std::int64_t end)
      : rule_(rule),
        memory_(memory),
        head_(head),
        key_head_(head / (rule.sizes.heads / rule.sizes.key_heads)),
        begin_(begin),
        count_(end - begin),
        depth_(rule.sizes.key_depth),
        state_(std::size_t(count_ * depth_)),
        key_(std::size_t(depth_)),
        query_(key_.size()),
        decay_(key_.size()),
        values_(std::size_t(rule.sizes.depth)) {}

  void load(std::int64_t block) {
    for (std::int64_t v = 0; v < count_; ++v)
      rule_.first.load(memory_, block, head_, begin_ + v, 0, depth_, state_.data() + v * depth_);
  }
  void store(std::int64_t block) const {
    for (std::int64_t v = 0; v < count_; ++v)
      rule_.last.store(memory_, block, head_, begin_ + v, state_.data() + v * depth_, depth_);
  }

  void take(std::int64_t token) {
    rule_.key.load(memory_, 0, key_head_, token, 0, depth_, key_.data());
    rule_.query.load(memory_, 0, key_head_, token, 0, depth_, query_.data());
    rule_.value.load(memory_, 0, head_, token, begin_, count_, values_.data());
    for (float& q : query_) q *= rule_.scale;
    const float beta = number(rule_.beta, token);
    const float alpha = rule_.gate.has_value() ? std::exp(number(*rule_.gate, token)) : 1.0f;
    std::fill(decay_.begin(), decay_.end(), alpha);
    if (rule_.key_gate.has_value()) {
      rule_.key_gate->load(memory_, 0, head_, token, 0, depth_, decay_.data());
      for (float& factor : decay_) factor = alpha * std::exp(factor);
    }
    for (std::int64_t v = 0; v < count_; ++v) {
      float* row = state_.data() + v * depth_;
      float known = 0;
      for (std::int64_t k = 0; k < depth_; ++k) {
        row[k] *= decay_[std::size_t(k)];
        known += row[k] * key_[std::size_t(k)];
      }
      const float delta = beta * (values_[std::size_t(v)] - known);
      float read = 0;
      for (std::int64_t k = 0; k < depth_; ++k) {
        row[k] += delta * key_[std::size_t(k)];
        read += row[k] * query_[std::size_t(k)];
      }
      rule_.out.store(memory_, begin_ + v, head_, token, &read, 1);
    }
  }

 private:
  float number(const RowView& rows, std::int64_t token) const {
    float value;
    rows.load(memory_, 0, head_, token, 0, 1, &value);
    return value;
  }

  const DeltaRule& rule_;
  const KernelMemory& memory_;
  std::int64_t head_;
  std::int64_t key_head_;
  std::int64_t begin_;
  std::int64_t count_;
  std::int64_t depth_;
  std::vector<float> state_;
  std::vector<float> key_;
  std::vector<float> query_;
  std::vector<float> decay_;
  std::vector<float> values_;
};

void launch(Plan& plan, DeltaRule rule) {
  plan.launch([rule = std::move(rule)](const KernelMemory& memory) {
    std::vector<std::int64_t> blocks;
    if (rule.block_of_token.has_value()) blocks = integers_of(*rule.block_of_token, memory);
    const std::vector<Sequence> sequences = sequences_of(rule, memory, blocks);
    // Sequences may share states, heads and rows of states do not.
    constexpr std::int64_t kRows = 16;
    const std::int64_t parts = (rule.sizes.depth + kRows - 1) / kRows;
    parallel_for(rule.sizes.heads * parts, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t task = begin; task < end; ++task) {
        const std::int64_t row = task % parts * kRows;
        StateRows rows(rule, memory, task / parts, row, std::min(row + kRows, rule.sizes.depth));
        for (const Sequence& sequence : sequences) {
          rows.load(sequence.block);
          for (std::int64_t token = sequence.begin; token < sequence.end; ++token) {
            rows.take(token);
            if (!rule.block_of_token.has_value()) continue;
            const std::int64_t block = blocks[std::size_t(token)];
            if (block >= 0 && block < rule.blocks) rows.store(block);
          }
          if (!rule.block_of_token.has_value()) rows.store(sequence.block);
        }
      }
    });
  });
}

/// [tokens, heads, depth] with an element of depth for each batch of the view.
RowView single_elements(const View& view) {
  View elements = view;
  elements.shape = {view.shape[2], view.shape[1], view.shape[0], 1};
  elements.strides = {view.strides[2], view.strides[1], view.strides[0], 0};
  return RowView(elements);
}

}  // namespace

void chunk_gated_delta_rule(const Check&, Plan& plan, const ChunkGatedDeltaRuleParameters& given) {
  if (given.out.is_empty() && given.finalState.is_empty()) return;
  needs_kernel(plan, on_a2_or_a3());
  check_rank(plan, given.query, 3);
  const Sizes sizes = sizes_of(given.query, given.value);
  const Dims states{given.initialState.shape()[0], sizes.heads, sizes.depth, sizes.key_depth};
  check_tiling(plan, sizes.tokens > 0 && states[0] > 0, "%lld tokens in %lld sequences",
               ll(sizes.tokens), ll(states[0]));
  check_sizes(plan, sizes, 64, 128);
  check_shape(plan, given.key, given.query.shape());
  check_shape(plan, given.value, {sizes.tokens, sizes.heads, sizes.depth});
  check_shape(plan, given.beta, {sizes.tokens, sizes.heads});
  check_shape(plan, given.initialState, states);
  check_shape(plan, given.actualSeqLengths, {states[0]});
  check_shape(plan, given.out, given.value.shape());
  check_shape(plan, given.finalState, states);
  check_shape(plan, given.gOptional, {sizes.tokens, sizes.heads});
  for (const TensorArgument* tensor : {&given.query, &given.key, &given.value, &given.beta,
                                       &given.initialState, &given.actualSeqLengths})
    plan.stage(*tensor).contiguous();
  plan.result(ACL_BF16, given.value.shape()).copy_to(given.out);
  plan.result(ACL_BF16, states).copy_to(given.finalState);
  launch(plan, {sizes, rows_of_heads(plan.reads(given.query)), rows_of_heads(plan.reads(given.key)),
                rows_of_heads(plan.reads(given.value)), rows_of_heads(plan.reads(given.beta)),
                rows_if_given(plan, given.gOptional), std::nullopt,
                RowView(plan.reads(given.initialState)), RowView(plan.writes(given.finalState)),
                single_elements(plan.writes(given.out)), states[0],
                plan.reads(given.actualSeqLengths), std::nullopt, std::nullopt, given.scaleValue});
}

void recurrent_gated_delta_rule(const Check&, Plan& plan,
                                const RecurrentGatedDeltaRuleParameters& given) {
  needs_kernel(plan, on_a2_or_a3() || on_950());
  check_rank(plan, given.query, 3);
  check_rank(plan, given.actualSeqLengths, 1);
  const Sizes sizes = sizes_of(given.query, given.value);
  const std::int64_t batch = given.actualSeqLengths.shape()[0];
  const std::int64_t blocks = given.stateRef.shape()[0];
  check_tiling(plan, sizes.tokens > 0 && batch > 0, "%lld tokens in %lld sequences",
               ll(sizes.tokens), ll(batch));
  check_sizes(plan, sizes, 256, 512);
  check_tiling(plan, blocks >= sizes.tokens, "stateRef has %lld states for %lld tokens", ll(blocks),
               ll(sizes.tokens));
  check_shape(plan, given.key, given.query.shape());
  check_shape(plan, given.value, {sizes.tokens, sizes.heads, sizes.depth});
  check_shape(plan, given.stateRef, {blocks, sizes.heads, sizes.depth, sizes.key_depth});
  check_shape(plan, given.beta, {sizes.tokens, sizes.heads});
  check_shape(plan, given.out, given.value.shape());
  check_shape(plan, given.ssmStateIndices, {sizes.tokens});
  check_shape(plan, given.g, {sizes.tokens, sizes.heads});
  check_shape(plan, given.gk, {sizes.tokens, sizes.heads, sizes.key_depth});
  check_shape(plan, given.numAcceptedTokens, {batch});
  for (const TensorArgument* tensor : {&given.query, &given.key, &given.value, &given.beta,
                                       &given.actualSeqLengths, &given.ssmStateIndices})
    plan.stage(*tensor).contiguous();
  plan.result(ACL_BF16, given.value.shape()).copy_to(given.out);
  std::optional<View> accepted;
  if (given.numAcceptedTokens.given()) accepted = plan.reads(given.numAcceptedTokens);
  launch(plan, {sizes, rows_of_heads(plan.reads(given.query)), rows_of_heads(plan.reads(given.key)),
                rows_of_heads(plan.reads(given.value)), rows_of_heads(plan.reads(given.beta)),
                rows_if_given(plan, given.g), rows_if_given(plan, given.gk),
                RowView(plan.reads(given.stateRef)), RowView(plan.writes(given.stateRef)),
                single_elements(plan.writes(given.out)), blocks, plan.reads(given.actualSeqLengths),
                plan.reads(given.ssmStateIndices), accepted, given.scaleValue});
}

}  // namespace pyaclnn::sim
