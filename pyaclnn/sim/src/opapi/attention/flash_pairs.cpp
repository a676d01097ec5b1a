// SPDX-License-Identifier: MIT
#include "opapi/attention/flash_pairs.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <utility>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "opapi/attention/layouts.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/copy/contiguous.hpp"

namespace pyaclnn::sim {
namespace {

enum SparseMode : std::int64_t {
  kBand = 0,
  kAll = 1,
  kLeftUp = 2,
  kRightDown = 3,
  kRightDownBand = 4,
  kPrefix = 5,
  kShortPrefix = 6,
  kLastBand = 7,
  kFirstBand = 8,
};

enum PseType : std::int64_t { kMultiplied = 0, kAdded = 1, kDistance = 2, kRoot = 3 };

constexpr std::int64_t kTriangle = 2048;       // extents of a mask that stands for a triangle
constexpr std::int64_t kTriangleRows = 3072;   // with a prefix
constexpr std::int64_t kLastRows = 1024;       // of a bias of the distance
constexpr std::int64_t kMostTokens = 1 << 30;  // more than any sequence has

std::int64_t tokens(std::int64_t given) { return std::clamp(given, -kMostTokens, kMostTokens); }

/// Lengths from their running sums; one that does not grow has none.
std::vector<std::int64_t> lengths_from(const IntArrayIn& sums) {
  std::vector<std::int64_t> lengths;
  if (!sums.given()) return lengths;
  std::int64_t before = 0;
  for (std::int64_t sum : sums.values()) {
    const bool grows = sum > before;
    lengths.push_back(grows ? std::min(tokens(sum) - tokens(before), kMostTokens) : 0);
    before = sum;
  }
  return lengths;
}

/// Where sequences lie, and how long they are.
void plan_sequences(const Plan& plan, const FlashCall& call, const FlashSizes& sizes,
                    std::vector<AttentionSequence>& sequences) {
  AttentionSequence sequence;
  if (call.layout != "TND") {
    for (std::int64_t i = 0; i < sizes.batch; ++i) {
      sequence.query_batch = sequence.key_batch = i;
      sequence.rows = sizes.rows;
      sequence.columns = sizes.columns;
      sequences.push_back(sequence);
    }
    return;
  }
  const std::vector<std::int64_t> rows = lengths_from(call.lengths);
  const std::vector<std::int64_t> columns = lengths_from(call.key_lengths);
  check_launches(plan, !rows.empty() && rows.size() == columns.size(),
                 "%zu sequences of queries and %zu of keys", rows.size(), columns.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    sequence.rows = rows[i];
    sequence.columns = columns[i];
    sequences.push_back(sequence);
    sequence.first_row += rows[i];
    sequence.first_column += columns[i];
    check_launches(plan, sequence.first_row <= sizes.rows && sequence.first_column <= sizes.columns,
                   "sequences have %lld and %lld tokens, there are %lld and %lld",
                   ll(sequence.first_row), ll(sequence.first_column), ll(sizes.rows),
                   ll(sizes.columns));
  }
  const bool leaves_tokens =
      sequence.first_row < sizes.rows && sequence.first_column < sizes.columns;
  check_launches(plan,
                 !leaves_tokens ||
                     (call.lengths.values().back() == 0 && call.key_lengths.values().back() == 0),
                 "tokens are left over, although the last lengths are not 0");
}

/// A mask or bias that does not differ between the sequences, heads or rows for which it has one.
View spread(const View& view, const Dims& shape) {
  View wide = view;
  Dims extents;
  Dims strides;
  const std::size_t missing = 4 - view.shape.size();
  for (std::size_t i = 0; i < 4; ++i) {
    const bool stands = i < missing || view.shape[i - missing] == 1;
    extents.push_back(shape[i]);
    strides.push_back(stands && (i < missing || shape[i] != 1) ? 0 : view.strides[i - missing]);
  }
  wide.shape = extents;
  wide.strides = strides;
  return wide;
}

class Planner {
 public:
  Planner(Plan& plan, const FlashCall& call, const FlashSizes& sizes, bool is_backward,
          Attention& attention)
      : plan_(plan),
        call_(call),
        sizes_(sizes),
        attention_(attention),
        is_packed_(call.layout == "TND"),
        is_backward_(is_backward),
        before_(tokens(call.before)),
        behind_(tokens(call.behind)) {
    for (const AttentionSequence& sequence : attention.sequences) {
      most_rows_ = std::max(most_rows_, sequence.rows);
      most_columns_ = std::max(most_columns_, sequence.columns);
    }
  }

  void mask() {
    const std::int64_t mode = call_.sparse_mode;
    if (!is_there(call_.mask)) return;
    const aclDataType dtype = call_.mask.dtype();
    check_launches(plan_, dtype == ACL_BOOL || dtype == ACL_UINT8,
                   "attenMask is neither bool nor uint8");
    const bool is_triangle = mode >= kLeftUp && mode != kPrefix;
    if (is_triangle) {
      const Dims& shape = call_.mask.shape();
      const std::int64_t rows = mode == kShortPrefix ? kTriangleRows : kTriangle;
      check_launches(plan_, shape.size() == 2 && shape[0] == rows && shape[1] == kTriangle,
                     "attenMask has shape %s, for sparseMode %lld it is [%lld, 2048]",
                     shape.text().c_str(), ll(mode), ll(rows));
    } else {
      attention_.mask = whole_mask();
    }
    check_launches(plan_,
                   mode >= kBand && mode <= (is_packed_ ? kFirstBand : kShortPrefix) &&
                       !(is_packed_ && mode == kPrefix),
                   "sparseMode is %lld", ll(mode));
    bands(mode);
  }

  void bias() {
    const std::int64_t type = call_.pse_type;
    check_launches(plan_, type >= kMultiplied && type <= kRoot,
                   "pseType is %lld, it must be 0 to 3", ll(type));
    if (!is_there(call_.pse)) {
      check_launches(plan_, type == kAdded, "pseType is %lld and there is no pse", ll(type));
      return;
    }
    const TensorArgument& pse = call_.pse;
    plan_.stage(pse).contiguous();
    const Dims& shape = pse.shape();
    if (type >= kDistance) {
      check_launches(plan_, shape == Dims{sizes_.heads} || shape == Dims({batch(), sizes_.heads}),
                     "pse has shape %s, for pseType %lld it has a number for each head",
                     shape.text().c_str(), ll(type));
      AttentionSlopes slopes;
      slopes.view = plan_.reads(pse);
      slopes.is_root = type == kRoot;
      slopes.shift = start_of(call_.query_start) - start_of(call_.key_start);
      if (shape.size() == 1) {
        const std::int64_t step = slopes.view.strides[0];
        slopes.view.shape = {batch(), sizes_.heads};
        slopes.view.strides = {0, step};
      }
      for (const AttentionSequence& sequence : attention_.sequences)
        check_launches(plan_, is_packed_ || sequence.rows == sequence.columns,
                       "pseType %lld needs as many queries as keys", ll(type));
      attention_.slopes = slopes;
      return;
    }
    attention_.scales_bias = type == kAdded;
    const View view = plan_.reads(pse);
    attention_.bias = is_packed_ ? packed_bias(view) : bias_of_samples(view);
  }

  void dropout() {
    const auto keep = static_cast<float>(call_.keep);
    check_launches(plan_, keep > 0 && keep <= 1, "keepProb is %g, it must be above 0 and at most 1",
                   double(keep));
    if (!is_there(call_.drop_mask)) {
      if (on_950() && keep < 1) return draw(keep);
      check_launches(plan_, !is_backward_ || keep == 1, "keepProb is %g and there is no dropMask",
                     double(keep));
      return;
    }
    check_launches(plan_, !on_950() || keep < 1, "there is a dropMask and keepProb is 1");
    if (is_backward_ && keep == 1) return;
    check_launches(plan_, call_.drop_mask.dtype() == ACL_UINT8, "dropMask is not uint8");
    std::int64_t pairs = 0;
    for (const AttentionSequence& sequence : attention_.sequences)
      pairs += sequence.rows * sequence.columns;
    const std::int64_t bytes = (pairs * sizes_.heads + 7) / 8;
    check_launches(plan_, call_.drop_mask.elements() >= bytes,
                   "dropMask has %lld bytes, it must have %lld", ll(call_.drop_mask.elements()),
                   ll(bytes));
    AttentionDropout dropout;
    dropout.view = contiguous_view(plan_, call_.drop_mask);
    dropout.keep = keep;
    attention_.dropout = dropout;
  }

  void sink() {
    if (!is_there(call_.sink) || call_.sink.is_empty()) return;
    check_launches(plan_, call_.sink.shape() == Dims{sizes_.heads},
                   "sink has shape %s, it must have a number for each of %lld heads",
                   call_.sink.shape().text().c_str(), ll(sizes_.heads));
    plan_.stage(call_.sink).contiguous();
    attention_.sink = plan_.reads(call_.sink);
  }

 private:
  void draw(float keep) {
    // The kernel's division of work reads both attributes of the backward pass as int32.
    const auto attribute = [this](std::int64_t value) {
      return std::uint64_t(is_backward_ ? std::int64_t(std::int32_t(value)) : value);
    };
    constexpr float kLargest = 255;
    AttentionDropout dropout;
    dropout.keep = keep;
    dropout.drawn = {attribute(call_.seed), attribute(call_.offset),
                     static_cast<std::uint8_t>(keep * kLargest)};
    attention_.dropout = dropout;
  }

  /// Of sequences behind one another: of each pair, of each column, or the last rows of all.
  AttentionBias packed_bias(const View& view) {
    std::int64_t pairs = 0;
    std::int64_t columns = 0;
    for (const AttentionSequence& sequence : attention_.sequences) {
      pairs += sequence.rows * sequence.columns;
      columns += sequence.columns;
    }
    const Dims& shape = view.shape;
    const bool is_flat = !is_backward_ || shape.size() == 1;
    AttentionBias bias;
    bias.view = view;
    bias.is_row = is_flat && shape[0] == columns * sizes_.heads;
    bias.is_packed = bias.is_row || (is_flat && shape[0] == pairs * sizes_.heads);
    if (bias.is_packed) return bias;
    check_launches(plan_, has_last_rows(shape, most_columns_), "pse has shape %s",
                   shape.text().c_str());
    return last_rows(view);
  }

  AttentionBias bias_of_samples(const View& view) {
    const Dims& shape = view.shape;
    const std::int64_t rows = sizes_.rows;
    if (rows > kLastRows && has_last_rows(shape, sizes_.columns)) return last_rows(view);
    check_launches(plan_,
                   is_of_heads(shape, sizes_.columns) && (shape[2] == rows || is_one_row(shape)),
                   "pse has shape %s", shape.text().c_str());
    AttentionBias bias;
    bias.view = spread(view, Dims{batch(), sizes_.heads, rows, sizes_.columns});
    return bias;
  }

  /// A row for all queries, which the backward pass takes of each sample alone.
  bool is_one_row(const Dims& shape) const {
    return shape[2] == 1 && (!is_backward_ || shape[0] == batch());
  }

  bool is_of_heads(const Dims& shape, std::int64_t columns) const {
    return shape.size() == 4 && (shape[0] == batch() || shape[0] == 1) &&
           shape[1] == sizes_.heads && shape[3] == columns;
  }

  bool has_last_rows(const Dims& shape, std::int64_t columns) const {
    return is_of_heads(shape, columns) && shape[2] == kLastRows;
  }

  /// The last rows of a bias of the distance, where rows see all columns up to their own.
  AttentionBias last_rows(const View& view) {
    for (const AttentionSequence& sequence : attention_.sequences) {
      const bool is_causal = call_.sparse_mode <= kRightDownBand && sequence.ahead == 0 &&
                             sequence.behind >= most_rows_;
      check_launches(plan_, is_causal && sequence.rows == sequence.columns,
                     "pse has 1024 rows, a sequence has %lld queries and %lld keys, and a mask "
                     "that is not causal or none",
                     ll(sequence.rows), ll(sequence.columns));
    }
    AttentionBias bias;
    bias.view = spread(view, Dims{batch(), sizes_.heads, kLastRows, view.shape[3]});
    bias.is_short = true;
    return bias;
  }

  std::int64_t batch() const { return std::int64_t(attention_.sequences.size()); }

  static std::int64_t start_of(const IntArrayIn& starts) {
    if (!starts.given() || starts.values().empty()) return 0;
    return tokens(starts.values()[0]);
  }

  /// A mask of every pair.
  View whole_mask() {
    const TensorArgument& mask = call_.mask;
    const Dims& shape = mask.shape();
    check_launches(plan_, shape.size() == 2 || shape.size() == 4,
                   "attenMask has %zu dimensions, it must have 2 or 4", shape.size());
    const std::size_t rank = shape.size();
    bool fits = shape[rank - 2] == most_rows_ && shape[rank - 1] == most_columns_;
    if (rank == 4)
      fits = fits && (shape[0] == batch() || (shape[0] == 1 && shape[1] == 1)) &&
             (shape[1] == sizes_.heads || shape[1] == 1);
    if (!fits && is_packed_ && rank == 2 && !on_950()) {
      std::int64_t rows = 0;
      std::int64_t columns = 0;
      for (const AttentionSequence& sequence : attention_.sequences) {
        rows += sequence.rows;
        columns += sequence.columns;
      }
      if (shape == Dims{rows, columns}) {
        attention_.counts_from_tensors = true;
        plan_.stage(mask).contiguous();
        return spread(plan_.reads(mask), Dims{batch(), sizes_.heads, rows, columns});
      }
    }
    check_launches(plan_, fits,
                   "attenMask has shape %s, queries and keys have %lld and %lld tokens",
                   shape.text().c_str(), ll(most_rows_), ll(most_columns_));
    plan_.stage(mask).contiguous();
    return spread(plan_.reads(mask), Dims{batch(), sizes_.heads, most_rows_, most_columns_});
  }

  void bands(std::int64_t mode) {
    switch (mode) {
      case kBand:
        return band_of_mask();
      case kAll:
        return;
      case kLeftUp:
        return each([](AttentionSequence& s) { s.ahead = 0; });
      case kRightDown:
        return each([this](AttentionSequence& s) {
          check_launches(plan_, !is_packed_ || s.rows <= s.columns,
                         "a sequence has %lld queries and %lld keys", ll(s.rows), ll(s.columns));
          see_right_down(s);
        });
      case kRightDownBand:
        return band_from_the_end();
      case kPrefix:
      case kShortPrefix:
        return prefixes(mode);
      default:
        return one_band(mode);
    }
  }

  template <class Function>
  void each(Function function) {
    for (AttentionSequence& sequence : attention_.sequences) function(sequence);
  }

  static void see_right_down(AttentionSequence& sequence) {
    sequence.ahead = sequence.columns - sequence.rows;
  }

  void see_band(AttentionSequence& sequence, std::int64_t shift) const {
    sequence.behind = before_ - shift;
    sequence.ahead = behind_ + shift;
  }

  /// Whether tokens before and behind, counted from the first row and column, leave pairs to see.
  void check_band(std::int64_t before, std::int64_t behind) const {
    const bool sees = (before >= 0 && behind >= 0) ||
                      (behind >= 0 && behind >= -before && -before < sizes_.columns) ||
                      (before >= 0 && -behind <= before && -behind < sizes_.rows);
    check_launches(plan_, sees, "preTokens %lld and nextTokens %lld leave nothing to see",
                   ll(call_.before), ll(call_.behind));
  }

  void band_of_mask() {
    if (before_ >= most_rows_ && behind_ >= most_columns_) return;
    if (!is_packed_) {
      if (before_ < most_rows_ || behind_ != 0) {
        check_band(before_, behind_);
        if (before_ < most_rows_ - most_columns_ || behind_ < 0)
          attention_.gives_zero_unseen = true;
      }
    } else {
      check_launches(plan_, behind_ >= 0 && behind_ >= -before_, "nextTokens is %lld",
                     ll(call_.behind));
    }
    each([this](AttentionSequence& s) {
      const bool is_empty = s.rows == 0 || s.columns == 0;
      check_launches(plan_, !is_packed_ || is_empty || s.columns + before_ >= s.rows,
                     "preTokens %lld leaves rows that see nothing", ll(call_.before));
      see_band(s, 0);
    });
  }

  void band_from_the_end() {
    if (!is_packed_) {
      const std::int64_t shift = sizes_.columns - sizes_.rows;
      check_band(before_ - shift, behind_ + shift);
    } else {
      check_launches(plan_, before_ >= 0 && before_ + behind_ >= 0,
                     "preTokens is %lld, nextTokens %lld", ll(call_.before), ll(call_.behind));
    }
    each([this](AttentionSequence& s) {
      check_launches(plan_, !is_packed_ || sees_all_rows(s),
                     "nextTokens %lld leaves rows that see nothing", ll(call_.behind));
      see_band(s, s.columns - s.rows);
    });
  }

  bool sees_all_rows(const AttentionSequence& s) const {
    return s.rows == 0 || s.columns == 0 || s.rows - behind_ <= s.columns;
  }

  void prefixes(std::int64_t mode) {
    std::vector<AttentionSequence>& sequences = attention_.sequences;
    const bool given = call_.prefix.given();
    bool fits = given && call_.prefix.values().size() == sequences.size();
    for (std::size_t i = 0; fits && i < sequences.size(); ++i) {
      const std::int64_t prefix = call_.prefix.values()[i];
      const AttentionSequence& s = sequences[i];
      fits = prefix >= std::max<std::int64_t>(s.columns - s.rows, 0) && prefix <= s.columns;
    }
    // A mask of its own says everything, were it not for what it is skipped by.
    if (!fits && mode == kPrefix) return;
    check_launches(plan_, fits, "prefix has a value for each sequence, at most that of its keys");
    for (std::size_t i = 0; i < sequences.size(); ++i) {
      see_right_down(sequences[i]);
      sequences[i].prefix = call_.prefix.values()[i];
    }
  }

  /// Sequences that are cut: the last, or the first, has a band from its end.
  void one_band(std::int64_t mode) {
    std::vector<AttentionSequence>& sequences = attention_.sequences;
    const auto has_rows = [](const AttentionSequence& s) { return s.rows != 0; };
    const auto last = std::find_if(sequences.rbegin(), sequences.rend(), has_rows);
    const auto first = std::find_if(sequences.begin(), sequences.end(), has_rows);
    if (first == sequences.end()) return;
    AttentionSequence& cut = mode == kLastBand ? *last : *first;
    check_launches(plan_, before_ >= cut.columns && (mode == kFirstBand || behind_ <= 0),
                   "preTokens is %lld, nextTokens %lld", ll(call_.before), ll(call_.behind));
    check_launches(plan_, sees_all_rows(cut), "nextTokens %lld leaves rows that see nothing",
                   ll(call_.behind));
    each([&](AttentionSequence& s) {
      if (&s == &cut) return see_band(s, s.columns - s.rows);
      if (mode == kFirstBand) {
        s.ahead = 0;
        return;
      }
      check_launches(plan_, s.columns == 0 || s.rows <= s.columns,
                     "a sequence has %lld queries and %lld keys", ll(s.rows), ll(s.columns));
      see_right_down(s);
    });
  }

  Plan& plan_;
  const FlashCall& call_;
  const FlashSizes& sizes_;
  Attention& attention_;
  bool is_packed_;
  bool is_backward_;
  std::int64_t before_;
  std::int64_t behind_;
  std::int64_t most_rows_ = 0;
  std::int64_t most_columns_ = 0;
};

}  // namespace

bool is_there(const TensorArgument& tensor) { return tensor.given() && tensor.rank() != 0; }

void check_launches(const Plan& plan, bool holds, const char* format, ...) {
  if (holds) return;
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fail(ACLNN_ERR_PARAM_NULLPTR, "%s: %s", plan.api(), text);
}

FlashSizes flash_sizes(const Check& check, const FlashCall& call) {
  const std::string& layout = call.layout;
  const std::size_t rank = rank_of_layout(layout);
  check.that(call.heads > 0, "headNum is %lld, it must be positive", ll(call.heads));
  check.that(rank != 0 && call.query.rank() == rank, "inputLayout is %s, query has %zu dimensions",
             layout.c_str(), call.query.rank());
  for (const TensorArgument* tensor : {&call.key, &call.value})
    check.that(tensor->rank() == rank, "%s has %zu dimensions, %s has %zu", tensor->name(),
               tensor->rank(), layout.c_str(), rank);
  const Dims& query = call.query.shape();
  const Dims& key = call.key.shape();
  const Dims& value = call.value.shape();
  FlashSizes sizes;
  sizes.heads = call.heads;
  if (layout == "BSH" || layout == "SBH") {
    const std::size_t batch = layout == "BSH" ? 0 : 1;
    sizes.batch = query[batch];
    sizes.rows = query[1 - batch];
    sizes.columns = key[1 - batch];
    sizes.depth = query[2] / call.heads;
    sizes.key_heads = sizes.depth == 0 ? 0 : key[2] / sizes.depth;
    const bool has_heads = sizes.key_heads != 0;
    sizes.key_depth = has_heads ? key[2] / sizes.key_heads : sizes.depth;
    sizes.value_depth = has_heads ? value[2] / sizes.key_heads : sizes.depth;
  } else {
    const std::size_t heads = layout == "BSND" ? 2 : 1;
    const std::size_t tokens_at = layout == "BSND" ? 1 : layout == "BNSD" ? 2 : 0;
    sizes.batch = layout == "TND" ? 1 : query[0];
    sizes.rows = query[tokens_at];
    sizes.columns = key[tokens_at];
    sizes.key_heads = key[heads];
    sizes.depth = query.back();
    sizes.key_depth = key.back();
    sizes.value_depth = value.back();
  }
  check.that(sizes.depth == sizes.key_depth, "query has %lld values a head, key has %lld",
             ll(sizes.depth), ll(sizes.key_depth));
  check.that(sizes.depth >= sizes.value_depth, "value has %lld values a head, key has %lld",
             ll(sizes.value_depth), ll(sizes.depth));
  return sizes;
}

void check_rope(const Check& check, const FlashCall& call, const FlashSizes& sizes) {
  const bool has_rope = is_there(call.query_rope);
  check.that_given(has_rope == is_there(call.key_rope), has_rope ? "keyRope" : "queryRope");
  if (!has_rope) return;
  if (call.has_free_rope) {
    constexpr std::int64_t kDepth = 128;
    constexpr std::int64_t kRopeDepth = 64;
    for (const TensorArgument* rope : {&call.query_rope, &call.key_rope}) {
      const bool is_query = rope == &call.query_rope;
      Dims shape = is_query ? call.query.shape() : call.key.shape();
      const std::size_t last = shape.size() - 1;
      const bool has_heads_axis = shape.size() == 4 || call.layout == "TND";
      const std::int64_t heads = has_heads_axis ? 1 : is_query ? sizes.heads : sizes.key_heads;
      shape.set(last, kRopeDepth * heads);
      check.that(rope->shape() == shape && rope->dtype() == call.query.dtype(),
                 "%s has shape %s, it must be %s and of the type of query", rope->name(),
                 rope->shape().text().c_str(), shape.text().c_str());
    }
    check.that(sizes.depth == kDepth, "heads have %lld values, beside queryRope they have 128",
               ll(sizes.depth));
    return;
  }
  for (const TensorArgument* rope : {&call.query_rope, &call.key_rope}) {
    const Dims& whole = rope == &call.query_rope ? call.query.shape() : call.key.shape();
    check.that(rope->rank() == 3 && whole.size() == 3 && rope->shape()[0] == whole[0] &&
                   rope->shape()[1] == whole[1] && rope->shape()[2] <= sizes.depth,
               "%s has shape %s beside %s", rope->name(), rope->shape().text().c_str(),
               whole.text().c_str());
  }
  check.that(call.query_rope.shape()[2] == call.key_rope.shape()[2],
             "queryRope has %lld values a head, keyRope has %lld", ll(call.query_rope.shape()[2]),
             ll(call.key_rope.shape()[2]));
  const DtypeSet bfloat16{ACL_BF16};
  check.dtype_in(bfloat16, call.query_rope, call.key_rope, call.query, call.key, call.value);
  check.that(call.sparse_mode != kShortPrefix, "sparseMode is 6 beside queryRope");
  check.that_given(is_there(call.mask), "attenMask");
  check.that(!call.pse.given(), "there is a pse beside queryRope");
  check.that(!call.drop_mask.given(), "there is a dropMask beside queryRope");
  check.that(!(call.keep < 1), "keepProb is %g beside queryRope", call.keep);
  constexpr std::int64_t kAligned = 16;
  check.that(sizes.depth % kAligned == 0 && sizes.value_depth % kAligned == 0,
             "heads have %lld and %lld values, beside queryRope they are multiples of 16",
             ll(sizes.depth), ll(sizes.value_depth));
}

void plan_pairs(Plan& plan, const FlashCall& call, const FlashSizes& sizes, bool is_backward,
                Attention& attention) {
  check_launches(plan, on_a2_or_a3() || on_950(), "there is no kernel for %s", chip().name);
  const std::string& layout = call.layout;
  const bool has_heads_axis = call.query.rank() == 4 || layout == "TND";
  const std::size_t heads_at = layout == "BSND" ? 2 : 1;
  const Dims& query = call.query.shape();
  const Dims& key = call.key.shape();
  const Dims& value = call.value.shape();
  check_launches(plan,
                 has_heads_axis ? query[heads_at] == sizes.heads : query[2] % sizes.heads == 0,
                 "query has shape %s, headNum is %lld", query.text().c_str(), ll(sizes.heads));
  check_launches(plan, sizes.heads % sizes.key_heads == 0,
                 "there are %lld heads of queries, which is no multiple of %lld", ll(sizes.heads),
                 ll(sizes.key_heads));
  check_launches(
      plan, has_heads_axis || (key[2] % sizes.key_heads == 0 && value[2] % sizes.key_heads == 0),
      "key and value have %lld and %lld values a token for %lld heads", ll(key.back()),
      ll(value.back()), ll(sizes.key_heads));
  const std::size_t batch_at = layout == "SBH" ? 1 : 0;
  bool are_alike = layout == "TND" || key[batch_at] == sizes.batch;
  for (std::size_t i = 0; i + 1 < key.size(); ++i) are_alike = are_alike && key[i] == value[i];
  check_launches(plan, are_alike, "query, key and value have shapes %s, %s and %s",
                 query.text().c_str(), key.text().c_str(), value.text().c_str());

  for (const TensorArgument* tensor : {&call.query, &call.key, &call.value})
    plan.stage(*tensor).contiguous();
  attention.query.view = by_heads(plan.reads(call.query), layout, sizes.heads);
  attention.key.view = by_heads(plan.reads(call.key), layout, sizes.key_heads);
  attention.value.view = by_heads(plan.reads(call.value), layout, sizes.key_heads);
  if (is_there(call.query_rope)) {
    plan.stage(call.query_rope).contiguous();
    plan.stage(call.key_rope).contiguous();
    attention.query.rope = by_heads(plan.reads(call.query_rope), layout, sizes.heads);
    attention.key.rope = by_heads(plan.reads(call.key_rope), layout, sizes.key_heads);
  }
  attention.scale = static_cast<float>(call.scale);
  constexpr std::int64_t kZeroUnseen = 2;
  attention.gives_zero_unseen = call.inner_precise == kZeroUnseen;
  plan_sequences(plan, call, sizes, attention.sequences);
  Planner planner(plan, call, sizes, is_backward, attention);
  planner.mask();
  planner.bias();
  planner.dropout();
  planner.sink();
}

Dims statistics_shape(const FlashCall& call, const FlashSizes& sizes) {
  constexpr std::int64_t kAlike = 8;
  if (call.layout == "TND") return {sizes.rows, sizes.heads, kAlike};
  return {sizes.batch, sizes.heads, sizes.rows, kAlike};
}

AttentionStatistics statistics_of(const View& view, const FlashCall& call) {
  if (call.layout != "TND") return {view};
  AttentionStatistics statistics{by_heads(view, "TND", 0)};
  const bool is_like_input = call.statistics_layout == "same_as_input";
  statistics.is_packed = !is_like_input;
  return statistics;
}

bool has_tail(const Attention& attention, bool of_keys) {
  std::int64_t count = 0;
  for (const AttentionSequence& sequence : attention.sequences)
    count = std::max(count, of_keys ? sequence.first_column + sequence.columns
                                    : sequence.first_row + sequence.rows);
  return count < (of_keys ? attention.key : attention.query).view.shape[2];
}

}  // namespace pyaclnn::sim
