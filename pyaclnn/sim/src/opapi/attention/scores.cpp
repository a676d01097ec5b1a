// SPDX-License-Identifier: MIT
#include "opapi/attention/scores.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "objects/dtype.hpp"
#include "opapi/common/cpu_wide.hpp"
#include "opapi/common/vecmath.hpp"
#include "opapi/product/matrix.hpp"
#include "opapi/random/philox.hpp"

#define SIM_LANES_CODE "opapi/attention/scores_lanes.hpp"
#include "opapi/common/each_lanes.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kDrawnTogether = 16;  // bytes of a step of the generator
constexpr int kDropoutRounds = 7;

// Sums and maxima have 32 lanes, so that their order is that of no instruction set. As arrays they
// would go through memory each time.
constexpr int kLanes = 32;
constexpr int kHalf = kLanes / 2;
using Lanes = float __attribute__((vector_size(kHalf * sizeof(float))));

SIM_ALWAYS_INLINE float sum_of(float a, float b) { return a + b; }
SIM_ALWAYS_INLINE void add(Lanes& to, const Lanes& more) { to += more; }

/// Of two that are not ordered the second.
SIM_ALWAYS_INLINE float larger_of(float a, float b) { return vec::select(b > a, b, a); }
SIM_ALWAYS_INLINE void raise(Lanes& to, const Lanes& more) { to = more > to ? more : to; }

SIM_ALWAYS_INLINE void load(const float* from, Lanes& to) { std::memcpy(&to, from, sizeof to); }

/// All lanes in one, halving their number each time.
template <float (*both)(float, float), int half>
SIM_ALWAYS_INLINE void fold(float* lanes) {
  for (int k = 0; k < half; ++k) lanes[k] = both(lanes[k], lanes[k + half]);
  if constexpr (half > 1) fold<both, half / 2>(lanes);
}

template <float (*both)(float, float)>
SIM_ALWAYS_INLINE float folded(const Lanes& all) {
  float lanes[kHalf];
  std::memcpy(lanes, &all, sizeof lanes);
  fold<both, kHalf / 2>(lanes);
  return lanes[0];
}

struct Scale {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(float* values, std::int64_t count, float factor) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) values[i] *= factor;
  }
};

struct Add {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(float* values, const float* more, std::int64_t count) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) values[i] += more[i];
  }
};

struct Hide {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(float* values, const float* mask, std::int64_t count) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i)
      values[i] = vec::select(mask[i] != 0.0f, kHidden, values[i]);
  }
};

struct Largest {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* values, std::int64_t count, float* result) {
    Lanes low = Lanes{} + kHidden;
    Lanes high = low;
    Lanes more;
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      load(values + i, more);
      raise(low, more);
      load(values + i + kHalf, more);
      raise(high, more);
    }
    raise(low, high);
    float largest = folded<larger_of>(low);
    for (; i < count; ++i) largest = larger_of(largest, values[i]);
    *result = largest;
  }
};

struct ScaleLargest {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(float* values, std::int64_t count, float factor,
                                    float* result) {
    Lanes low = Lanes{} + kHidden;
    Lanes high = low;
    Lanes more;
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      load(values + i, more);
      more *= factor;
      std::memcpy(values + i, &more, sizeof more);
      raise(low, more);
      load(values + i + kHalf, more);
      more *= factor;
      std::memcpy(values + i + kHalf, &more, sizeof more);
      raise(high, more);
    }
    raise(low, high);
    float largest = folded<larger_of>(low);
    for (; i < count; ++i) {
      values[i] *= factor;
      largest = larger_of(largest, values[i]);
    }
    *result = largest;
  }
};

struct Powers {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(float* values, std::int64_t count, float shift, float* sum) {
    Lanes low{};
    Lanes high{};
    Lanes more;
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      SIM_INDEPENDENT_ITERATIONS
      for (int k = 0; k < kLanes; ++k) values[i + k] = vec::exp_of_negative(values[i + k] - shift);
      load(values + i, more);
      add(low, more);
      load(values + i + kHalf, more);
      add(high, more);
    }
    add(low, high);
    float rest = 0;
    for (; i < count; ++i) {
      values[i] = vec::exp_of_negative(values[i] - shift);
      rest += values[i];
    }
    *sum = folded<sum_of>(low) + rest;
  }
};

struct Dot {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* a, const float* b, std::int64_t count,
                                    float* result) {
    Lanes low{};
    Lanes high{};
    Lanes left;
    Lanes right;
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      load(a + i, left);
      load(b + i, right);
      add(low, left * right);
      load(a + i + kHalf, left);
      load(b + i + kHalf, right);
      add(high, left * right);
    }
    add(low, high);
    float rest = 0;
    for (; i < count; ++i) rest += a[i] * b[i];
    *result = folded<sum_of>(low) + rest;
  }
};

struct Slopes {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* p, const float* values, float shift,
                                    std::int64_t count, float* to) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) to[i] = p[i] * (values[i] - shift);
  }
};

decltype(LineLoops::largest) largest_lanes() { return SIM_BY_LANES(largest_loop()); }
decltype(LineLoops::scale_largest) scaled_lanes() { return SIM_BY_LANES(scale_largest_loop()); }

template <class Loop>
Loop or_otherwise(Loop by_lanes, Loop plain) {
  return by_lanes != nullptr ? by_lanes : plain;
}

}  // namespace

const LineLoops& LineLoops::of_this_cpu() {
  static const LineLoops loops{
      wide_loop_for_cpu<Scale, float*, std::int64_t, float>(),
      wide_loop_for_cpu<Add, float*, const float*, std::int64_t>(),
      wide_loop_for_cpu<Hide, float*, const float*, std::int64_t>(),
      or_otherwise(largest_lanes(), &Largest::run<Isa::kBaseline>),
      or_otherwise(scaled_lanes(), &ScaleLargest::run<Isa::kBaseline>),
      wide_loop_for_cpu<Powers, float*, std::int64_t, float, float*>(),
      wide_loop_for_cpu<Dot, const float*, const float*, std::int64_t, float*>(),
      wide_loop_for_cpu<Slopes, const float*, const float*, float, std::int64_t, float*>(),
  };
  return loops;
}

LineCut::LineCut(std::int64_t rows, std::int64_t group, std::int64_t most)
    : rows_(rows),
      group_(group),
      heads_(std::clamp<std::int64_t>(most / std::max<std::int64_t>(rows, 1), 1, group)),
      part_rows_(std::min(rows, most)),
      sets_(ceil_divide(group, heads_)),
      parts_(rows == 0 ? 0 : ceil_divide(rows, part_rows_)) {}

AttentionLines LineCut::piece(std::int64_t number, std::int64_t sequence,
                              std::int64_t key_head) const {
  const std::int64_t set = number / parts_;
  const std::int64_t part = number % parts_;
  const std::int64_t head = set * heads_;
  const std::int64_t row = part * part_rows_;
  return {sequence,
          key_head,
          key_head * group_ + head,
          std::min(heads_, group_ - head),
          row,
          std::min(part_rows_, rows_ - row)};
}

SeenColumns seen_columns(const AttentionSequence& sequence, std::int64_t first_row,
                         std::int64_t rows) {
  const std::int64_t columns = sequence.columns;
  return {std::clamp<std::int64_t>(first_row - sequence.behind, 0, columns),
          std::clamp<std::int64_t>(first_row + rows + sequence.ahead, 0, columns),
          std::clamp<std::int64_t>(sequence.prefix, 0, columns)};
}

Scores::Scores(const Attention& attention) : attention_(attention), drops_(attention.dropout) {
  if (attention.bias.has_value() && !attention.bias->is_packed) bias_.emplace(attention.bias->view);
  if (attention.mask.has_value()) mask_.emplace(*attention.mask);
  std::int64_t pairs = 0;
  std::int64_t columns = 0;
  std::int64_t drawn = 0;
  for (const AttentionSequence& sequence : attention.sequences) {
    columns_before_.push_back(columns);
    columns += sequence.columns;
    pairs_before_.push_back(pairs);
    pairs += sequence.rows * sequence.columns;
    drawn_before_.push_back(drawn);
    drawn += sequence.rows * ceil_divide(sequence.columns, kDrawnTogether);
  }
  only_scales_ = !mask_.has_value() && !attention.bias.has_value() && !attention.slopes.has_value();
}

std::pair<std::int64_t, std::int64_t> Scores::origin_of(const AttentionSequence& sequence) const {
  if (!attention_.counts_from_tensors) return {0, 0};
  return {sequence.first_row, sequence.first_column};
}

void Scores::add_bias(const KernelMemory& memory, std::int64_t number, std::int64_t head,
                      std::int64_t row, std::int64_t first, std::int64_t count, float* bias) const {
  const AttentionSequence& sequence = attention_.sequences[std::size_t(number)];
  if (bias_.has_value() && attention_.bias->is_short) {
    const Dims& extents = attention_.bias->view.shape;
    const std::int64_t from = row - (extents[3] - extents[2]);
    const std::int64_t own = from >= 0 ? from : row % extents[2];
    const std::int64_t shift = own - from;
    // What lies beyond is right of the diagonal, which goes with a mask.
    const std::int64_t there = std::clamp<std::int64_t>(extents[3] - (first + shift), 0, count);
    bias_->load(memory, number, head, own, first + shift, there, bias);
    std::fill(bias + there, bias + count, 0.0f);
  } else if (bias_.has_value()) {
    const auto [from_row, from_column] = origin_of(sequence);
    bias_->load(memory, number, head, row + from_row, first + from_column, count, bias);
  } else if (attention_.bias.has_value()) {
    const View& view = attention_.bias->view;
    const std::int64_t step = view.strides[0];
    const bool is_row = attention_.bias->is_row;
    const auto& before = is_row ? columns_before_ : pairs_before_;
    const std::int64_t line = is_row ? head : head * sequence.rows + row;
    const std::int64_t place =
        before[std::size_t(number)] * attention_.heads() + line * sequence.columns + first;
    const std::int64_t at = view.offset + place * step;
    const auto size = std::int64_t(dtype_size(view.dtype));
    loader<float>(view.dtype)(memory.operands[view.operand] + at * size, step, count, bias);
  } else {
    const AttentionSlopes& slopes = *attention_.slopes;
    float slope = 0;
    const std::int64_t at =
        slopes.view.offset + number * slopes.view.strides[0] + head * slopes.view.strides[1];
    std::memcpy(&slope, memory.operands[slopes.view.operand] + at * std::int64_t(sizeof slope),
                sizeof slope);
    for (std::int64_t j = 0; j < count; ++j) {
      const float distance = std::fabs(static_cast<float>(row - (first + j) + slopes.shift));
      bias[j] = -slope * (slopes.is_root ? std::sqrt(distance) : distance);
    }
  }
}

void Scores::change(const KernelMemory& memory, std::int64_t number, std::int64_t head,
                    std::int64_t row, std::int64_t first, std::int64_t count, float* scores,
                    float* scratch) const {
  const LineLoops& loops = LineLoops::of_this_cpu();
  const bool is_biased = attention_.bias.has_value() || attention_.slopes.has_value();
  if (is_biased) add_bias(memory, number, head, row, first, count, scratch);
  if (is_biased && attention_.scales_bias) loops.add(scores, scratch, count);
  if (attention_.scale != 1.0f) loops.scale(scores, count, attention_.scale);
  if (is_biased && !attention_.scales_bias) loops.add(scores, scratch, count);
  if (mask_.has_value()) {
    const auto [from_row, from_column] = origin_of(attention_.sequences[std::size_t(number)]);
    mask_->load(memory, number, head, row + from_row, first + from_column, count, scratch);
    loops.hide(scores, scratch, count);
  }
}

float Scores::finish(const KernelMemory& memory, std::int64_t number, std::int64_t head,
                     std::int64_t row, std::int64_t first, std::int64_t count, float* scores,
                     float* scratch) const {
  const LineLoops& loops = LineLoops::of_this_cpu();
  const SeenColumns seen = seen_columns(attention_.sequences[std::size_t(number)], row, 1);
  constexpr float kUnseen = -std::numeric_limits<float>::infinity();
  const std::int64_t begin = std::clamp<std::int64_t>(seen.begin - first, 0, count);
  const std::int64_t end = std::clamp<std::int64_t>(seen.end - first, begin, count);
  const std::int64_t prefix = std::clamp<std::int64_t>(seen.prefix - first, 0, count);
  float largest = 0;
  const bool sees_all = std::max(prefix, end) == count && prefix >= begin;
  if (only_scales_ && sees_all) {
    loops.scale_largest(scores, count, attention_.scale, &largest);
    return largest;
  }
  change(memory, number, head, row, first, count, scores, scratch);
  if (prefix < begin) std::fill(scores + prefix, scores + begin, kUnseen);
  if (std::max(prefix, end) < count)
    std::fill(scores + std::max(prefix, end), scores + count, kUnseen);
  loops.largest(scores, count, &largest);
  return largest;
}

void Scores::drop(const KernelMemory& memory, std::int64_t number, std::int64_t head,
                  std::int64_t row, std::int64_t first, std::int64_t count, float* weights) const {
  const AttentionSequence& sequence = attention_.sequences[std::size_t(number)];
  const AttentionDropout& dropout = *drops_;
  if (dropout.drawn.has_value()) return draw(number, head, row, first, count, weights);
  const std::int64_t at = pairs_before_[std::size_t(number)] * attention_.heads() +
                          (head * sequence.rows + row) * sequence.columns + first;
  const auto* stays = reinterpret_cast<const std::uint8_t*>(memory.operands[dropout.view.operand]) +
                      dropout.view.offset;
  const float factor = 1.0f / dropout.keep;
  for (std::int64_t j = 0; j < count; ++j) {
    const std::int64_t bit = at + j;
    const bool is_kept = dropout.is_bits ? (stays[bit / 8] >> (bit % 8) & 1) != 0 : stays[bit] != 0;
    weights[j] = is_kept ? weights[j] * factor : 0.0f;
  }
}

void Scores::draw(std::int64_t number, std::int64_t head, std::int64_t row, std::int64_t first,
                  std::int64_t count, float* weights) const {
  const AttentionSequence& sequence = attention_.sequences[std::size_t(number)];
  const DrawnWeights& drawn = *drops_->drawn;
  const float factor = 1.0f / drops_->keep;
  const std::int64_t blocks = ceil_divide(sequence.columns, kDrawnTogether);
  const std::int64_t at = drawn_before_[std::size_t(number)] * attention_.heads() +
                          (head * sequence.rows + row) * blocks;
  for (std::int64_t j = 0; j < count;) {
    const std::int64_t column = first + j;
    const std::uint64_t byte = std::uint64_t((at + column / kDrawnTogether) * kDrawnTogether);
    const std::uint64_t block = (byte + drawn.offset + kDrawnTogether - 1) / kDrawnTogether;
    const PhiloxBlock words =
        philox<kDropoutRounds>({std::uint32_t(block), std::uint32_t(block >> 32), 0, 0},
                               std::uint32_t(drawn.seed), std::uint32_t(drawn.seed >> 32));
    const std::int64_t end = std::min(count, j + kDrawnTogether - column % kDrawnTogether);
    for (std::int64_t k = column % kDrawnTogether; j < end; ++j, ++k) {
      const auto value = std::uint8_t(words[std::size_t(k / 4)] >> (k % 4 * 8));
      weights[j] = value <= drawn.largest ? weights[j] * factor : 0.0f;
    }
  }
}

}  // namespace pyaclnn::sim
