// Causal convolution of tokens, a channel at a time: a token sees itself and the two before it.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/attention/rows.hpp"
#include "opapi/attention/shapes.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/integers.hpp"
#include "parameters/FusedCausalConv1d.hpp"
#include "parameters/MaskedCausalConv1d.hpp"
#include "parameters/MaskedCausalConv1dBackward.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kTaps = 3;
/// Tokens that are convolved at a time.
constexpr std::int64_t kTokens = 256;
const DtypeSet kHalves{ACL_FLOAT16, ACL_BF16};
const DtypeSet kInts{ACL_INT32};

/// Channels that are taken together.
std::int64_t lanes_of(std::int64_t channels) { return channels % 64 == 0 ? 64 : 16; }

/// Channels, the last axis, in blocks that stand where heads do; tokens are rows. A negative axis
/// of the batch is none.
RowView in_lanes(const View& view, int batch, int token, std::int64_t lanes) {
  View cut = view;
  const std::size_t last = view.shape.size() - 1;
  const std::size_t b = std::size_t(std::max(batch, 0));
  cut.shape = {batch < 0 ? 1 : view.shape[b], view.shape[last] / lanes,
               view.shape[std::size_t(token)], lanes};
  cut.strides = {batch < 0 ? 0 : view.strides[b], view.strides[last] * lanes,
                 view.strides[std::size_t(token)], view.strides[last]};
  return RowView(cut);
}

/// to[i] = sum over k of weights[k] rows[i + k], of rows and weights of so many lanes.
void convolve(const float* rows, const float* weights, std::int64_t tokens, std::int64_t lanes,
              float* to) {
  for (std::int64_t i = 0; i < tokens; ++i)
    for (std::int64_t c = 0; c < lanes; ++c) {
      float sum = 0;
      for (std::int64_t k = 0; k < kTaps; ++k)
        sum += weights[k * lanes + c] * rows[(i + k) * lanes + c];
      to[i * lanes + c] = sum;
    }
}

/// x and its like are [tokens, batch, channels].
struct MaskedRows {
  RowView rows;
  std::optional<RowView> mask;  // [batch, 1, tokens, 1]
  std::int64_t tokens;

  /// Reads tokens that exist, and zeros for others, which have `lanes` channels.
  void load(const KernelMemory& memory, std::int64_t batch, std::int64_t block, std::int64_t first,
            std::int64_t count, std::int64_t lanes, float* to) const {
    for (std::int64_t i = 0; i < count; ++i, to += lanes) {
      const std::int64_t token = first + i;
      float seen = token >= 0 && token < tokens ? 1.0f : 0.0f;
      if (seen != 0 && mask.has_value()) mask->load(memory, batch, 0, token, 0, 1, &seen);
      if (seen != 0)
        rows.load(memory, batch, block, token, 0, lanes, to);
      else
        std::fill_n(to, lanes, 0.0f);
    }
  }
};

std::optional<RowView> mask_of(Plan& plan, const TensorArgument& mask) {
  if (!mask.given()) return std::nullopt;
  const View view = plan.reads(mask);
  View cut = view;
  cut.shape = {view.shape[0], 1, view.shape[1], 1};
  cut.strides = {view.strides[0], 0, view.strides[1], 0};
  return RowView(cut);
}

void check_masked(const Check& check, Plan& plan, const TensorArgument& x,
                  const TensorArgument& weight, const TensorArgument& mask) {
  check.dtype_in(kHalves, x);
  check.same_dtype(x, weight);
  if (mask.given()) check.dtype_in(DtypeSet{ACL_BOOL}, mask);
  check_rank(plan, x, 3);
  const Dims& shape = x.shape();
  const std::int64_t channels = shape[2];
  check_tiling(plan, !x.is_empty() && channels >= 384 && channels <= 24576 && channels % 64 == 0,
               "%s has shape %s, its last extent must be a multiple of 64 from 384 to 24576",
               x.name(), shape.text().c_str());
  check_tiling(plan, shape[0] <= 512 * 1024 / shape[1], "%lld tokens of %lld samples are too many",
               ll(shape[0]), ll(shape[1]));
  check_shape(plan, weight, {kTaps, channels});
  check_shape(plan, mask, {shape[1], shape[0]});
  plan.stage(x).contiguous();
  plan.stage(weight).contiguous();
  if (mask.given()) plan.stage(mask).contiguous();
}

std::vector<float> weights_of(const RowView& weight, const KernelMemory& memory, std::int64_t block,
                              std::int64_t lanes) {
  std::vector<float> weights(std::size_t(kTaps * lanes));
  for (std::int64_t k = 0; k < kTaps; ++k)
    weight.load(memory, 0, block, k, 0, lanes, weights.data() + k * lanes);
  return weights;
}

/// Calls body(block) for blocks of channels, in parallel.
template <class Body>
void each_block(std::int64_t channels, std::int64_t lanes, Body body) {
  parallel_for(channels / lanes, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t block = begin; block < end; ++block) body(block);
  });
}

}  // namespace

void masked_causal_conv1d(const Check& check, Plan& plan,
                          const MaskedCausalConv1dParameters& given) {
  needs_kernel(plan, on_950());
  check_masked(check, plan, given.x, given.weight, given.maskOptional);
  check.same_dtype(given.x, given.out);
  check_shape(plan, given.out, given.x.shape());
  const Dims shape = given.x.shape();
  const std::int64_t lanes = lanes_of(shape[2]);
  plan.result(given.x.dtype(), shape).copy_to(given.out);
  const MaskedRows x{in_lanes(plan.reads(given.x), 1, 0, lanes), std::nullopt, shape[0]};
  plan.launch([=, weight = in_lanes(plan.reads(given.weight), -1, 0, lanes),
               mask = mask_of(plan, given.maskOptional),
               out = in_lanes(plan.writes(given.out), 1, 0, lanes)](const KernelMemory& memory) {
    each_block(shape[2], lanes, [&](std::int64_t block) {
      const std::vector<float> weights = weights_of(weight, memory, block, lanes);
      std::vector<float> rows(std::size_t((kTokens + kTaps - 1) * lanes));
      std::vector<float> sums(std::size_t(kTokens * lanes));
      for (std::int64_t b = 0; b < shape[1]; ++b)
        for (std::int64_t first = 0; first < shape[0]; first += kTokens) {
          const std::int64_t count = std::min(kTokens, shape[0] - first);
          x.load(memory, b, block, first - (kTaps - 1), count + kTaps - 1, lanes, rows.data());
          convolve(rows.data(), weights.data(), count, lanes, sums.data());
          for (std::int64_t i = 0; i < count; ++i) {
            float* row = sums.data() + i * lanes;
            float seen = 1;
            if (mask.has_value()) mask->load(memory, b, 0, first + i, 0, 1, &seen);
            if (seen == 0) std::fill_n(row, lanes, 0.0f);
            out.store(memory, b, block, first + i, row, lanes);
          }
        }
    });
  });
}

void masked_causal_conv1d_backward(const Check& check, Plan& plan,
                                   const MaskedCausalConv1dBackwardParameters& given) {
  needs_kernel(plan, on_950());
  check_masked(check, plan, given.gradY, given.weight, given.maskOptional);
  check.same_dtype(given.gradY, given.x, given.gradXOut, given.gradWeightOut);
  const Dims shape = given.gradY.shape();
  check_shape(plan, given.x, shape);
  check_shape(plan, given.gradXOut, shape);
  check_shape(plan, given.gradWeightOut, given.weight.shape());
  plan.stage(given.x).contiguous();
  plan.result(given.x.dtype(), shape).copy_to(given.gradXOut);
  plan.result(given.x.dtype(), given.weight.shape()).copy_to(given.gradWeightOut);
  const std::int64_t lanes = lanes_of(shape[2]);
  const MaskedRows grad{in_lanes(plan.reads(given.gradY), 1, 0, lanes),
                        mask_of(plan, given.maskOptional), shape[0]};
  const MaskedRows x{in_lanes(plan.reads(given.x), 1, 0, lanes), std::nullopt, shape[0]};
  plan.launch([=, weight = in_lanes(plan.reads(given.weight), -1, 0, lanes),
               grad_x = in_lanes(plan.writes(given.gradXOut), 1, 0, lanes),
               grad_weight = in_lanes(plan.writes(given.gradWeightOut), -1, 0, lanes)](
                  const KernelMemory& memory) {
    each_block(shape[2], lanes, [&](std::int64_t block) {
      std::vector<float> weights = weights_of(weight, memory, block, lanes);
      std::swap_ranges(weights.begin(), weights.begin() + lanes, weights.end() - lanes);
      std::vector<float> rows(std::size_t((kTokens + kTaps - 1) * lanes));
      std::vector<float> sums(std::size_t(kTokens * lanes));
      std::vector<double> totals(weights.size());
      for (std::int64_t b = 0; b < shape[1]; ++b)
        for (std::int64_t first = 0; first < shape[0]; first += kTokens) {
          const std::int64_t count = std::min(kTokens, shape[0] - first);
          grad.load(memory, b, block, first, count + kTaps - 1, lanes, rows.data());
          convolve(rows.data(), weights.data(), count, lanes, sums.data());
          for (std::int64_t i = 0; i < count; ++i)
            grad_x.store(memory, b, block, first + i, sums.data() + i * lanes, lanes);
          x.load(memory, b, block, first, count, lanes, sums.data());
          for (std::int64_t k = 0; k < kTaps; ++k)
            for (std::int64_t i = 0; i < count; ++i)
              for (std::int64_t c = 0; c < lanes; ++c)
                totals[std::size_t(k * lanes + c)] +=
                    double(rows[std::size_t((i + kTaps - 1 - k) * lanes + c)]) *
                    double(sums[std::size_t(i * lanes + c)]);
        }
      std::copy(totals.begin(), totals.end(), weights.begin());
      for (std::int64_t k = 0; k < kTaps; ++k)
        grad_weight.store(memory, 0, block, k, weights.data() + k * lanes, lanes);
    });
  });
}

namespace {

/// Integers of each sequence, or nothing.
using Numbers = std::vector<std::int64_t>;

std::optional<View> read_if_given(Plan& plan, const TensorArgument& tensor) {
  if (!tensor.given()) return std::nullopt;
  return plan.reads(tensor);
}

Numbers numbers_of(const std::optional<View>& view, const KernelMemory& memory) {
  return view.has_value() ? integers_of(*view, memory) : Numbers();
}

/// A convolution that goes on from the last tokens of its sequences, which lie in lines of states.
struct CachedConvolution {
  std::int64_t channels;
  std::int64_t lanes;
  std::int64_t batch;
  std::int64_t tokens;  // of each sequence, or of all
  bool is_packed;       // sequences lie behind one another
  bool is_short;        // which the kernel for few tokens takes
  std::int64_t lines;
  std::int64_t line_tokens;
  std::int64_t columns;  // of the lines of a sequence; 0 where it has one
  RowView x;
  RowView weight;
  RowView states_in;
  RowView states_out;
  RowView y;
  std::optional<View> starts;
  std::optional<View> line_of;
  std::optional<View> accepted;
  std::optional<View> computed;
  std::optional<View> first_block;
  std::optional<View> last_block;
  std::optional<View> first_state;
  std::int64_t pad_slot;
  std::int64_t block_size;
  bool adds_input;
  bool clears_first;
};

/// The lines and tokens of a sequence.
struct CachedSequence {
  std::int64_t sample = 0;
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t from = 0;    // line that is read
  std::int64_t to = 0;      // line that is written
  std::int64_t cached = 0;  // tokens of the line before its last taps
  bool is_new = false;
  std::int64_t cleared = 0;
  /// Lines of full blocks, and the token before which each of them ends.
  std::vector<std::pair<std::int64_t, std::int64_t>> blocks;
};

std::int64_t at(const Numbers& numbers, std::int64_t i, std::int64_t otherwise) {
  return i >= 0 && i < std::int64_t(numbers.size()) ? numbers[std::size_t(i)] : otherwise;
}

/// The states after each block that the tokens of a sequence fill.
void find_blocks(const CachedConvolution& task, const Numbers& lines, std::int64_t b,
                 std::int64_t first, std::int64_t last, std::int64_t computed,
                 CachedSequence& sequence) {
  const std::int64_t size = task.block_size;
  const std::int64_t left = (sequence.count - (size - computed % size)) % size;
  const std::int64_t end = sequence.count - left - (left == 0 ? size : 0);
  const std::int64_t blocks = std::min(last, task.columns) - first;
  // The kernel for many tokens leaves out a block that ends just before the first.
  const std::int64_t least = task.is_short ? 0 : 1;
  for (std::int64_t i = 0; i < blocks; ++i) {
    const std::int64_t boundary = end - (blocks - i - 1) * size;
    const std::int64_t line = first + i < 0 ? -1 : at(lines, b * task.columns + first + i, -1);
    if (boundary >= least && boundary <= sequence.count && line >= 0 && line < task.lines)
      sequence.blocks.emplace_back(line, boundary);
  }
}

/// Sequences that take part: their tokens and lines exist, and their line is not the padding's.
std::vector<CachedSequence> sequences_of(const CachedConvolution& task,
                                         const KernelMemory& memory) {
  const Numbers starts = numbers_of(task.starts, memory);
  const Numbers lines = numbers_of(task.line_of, memory);
  const Numbers accepted = numbers_of(task.accepted, memory);
  const Numbers computed = numbers_of(task.computed, memory);
  const Numbers firsts = numbers_of(task.first_block, memory);
  const Numbers lasts = numbers_of(task.last_block, memory);
  const Numbers states = numbers_of(task.first_state, memory);
  std::vector<CachedSequence> sequences;
  for (std::int64_t b = 0; b < task.batch; ++b) {
    CachedSequence sequence;
    sequence.sample = task.is_packed ? 0 : b;
    sequence.count = task.tokens;
    if (task.is_packed) {
      sequence.first =
          std::clamp<std::int64_t>(at(starts, b, 0) - at(starts, 0, 0), 0, task.tokens);
      sequence.count = std::clamp<std::int64_t>(at(starts, b + 1, 0) - at(starts, b, 0), 0,
                                                task.tokens - sequence.first);
    }
    const auto line = [&](const Numbers& column) {
      if (task.columns == 0) return at(lines, b, b);
      const std::int64_t i = at(column, b, -1);
      return i >= 0 && i < task.columns ? at(lines, b * task.columns + i, -1) : -1;
    };
    sequence.from = line(states);
    sequence.to = line(lasts);
    const auto exists = [&](std::int64_t i) { return i >= 0 && i < task.lines; };
    if (sequence.from == task.pad_slot || !exists(sequence.from) || !exists(sequence.to)) continue;
    const std::int64_t before = at(computed, b, -1);
    sequence.is_new = before == 0;
    const std::int64_t most = task.line_tokens - (kTaps - 1);
    sequence.cached =
        sequence.is_new ? 0 : std::clamp<std::int64_t>(at(accepted, b, most + 1) - 1, 0, most);
    if (task.clears_first)
      sequence.cleared = std::clamp<std::int64_t>(kTaps - 1 - before, 0, sequence.count);
    if (task.columns > 0)
      find_blocks(task, lines, b, at(firsts, b, 0), at(lasts, b, 0),
                  std::max<std::int64_t>(before, 0), sequence);
    sequences.push_back(std::move(sequence));
  }
  return sequences;
}

/// One sequence in one block of channels.
void run_sequence(const CachedConvolution& task, const CachedSequence& sequence,
                  const std::vector<float>& weights, std::int64_t block,
                  const KernelMemory& memory) {
  const std::int64_t lanes = task.lanes;
  const std::int64_t before = sequence.cached + kTaps - 1;
  std::vector<float> cached(std::size_t(before * lanes));
  if (!sequence.is_new)
    for (std::int64_t i = 0; i < before; ++i)
      task.states_in.load(memory, sequence.from, block, i, 0, lanes, cached.data() + i * lanes);
  // Row i of the cached tokens and those of the sequence behind them.
  std::vector<float> row(static_cast<std::size_t>(lanes));
  const auto joint = [&](std::int64_t i) -> const float* {
    if (i < before) return cached.data() + i * lanes;
    task.x.load(memory, sequence.sample, block, sequence.first + i - before, 0, lanes, row.data());
    return row.data();
  };
  const std::int64_t length = before + sequence.count;
  const std::int64_t kept = std::min(task.line_tokens, length);
  for (std::int64_t i = 0; i < kept; ++i)
    task.states_out.store(memory, sequence.to, block, task.line_tokens - kept + i,
                          joint(length - kept + i), lanes);
  for (const auto& [line, boundary] : sequence.blocks)
    for (std::int64_t k = 0; k < kTaps - 1; ++k)
      task.states_out.store(memory, line, block, task.line_tokens - (kTaps - 1) + k,
                            joint(sequence.cached + boundary + k), lanes);
  // The result may lie over the input: two tokens are kept from piece to piece.
  std::vector<float> rows(std::size_t((kTokens + kTaps - 1) * lanes));
  std::vector<float> sums(std::size_t(kTokens * lanes));
  const std::int64_t kept_values = (kTaps - 1) * lanes;
  std::copy_n(cached.data() + sequence.cached * lanes, kept_values, rows.data());
  for (std::int64_t first = 0; first < sequence.count; first += kTokens) {
    const std::int64_t count = std::min(kTokens, sequence.count - first);
    float* fresh = rows.data() + kept_values;
    for (std::int64_t i = 0; i < count; ++i)
      task.x.load(memory, sequence.sample, block, sequence.first + first + i, 0, lanes,
                  fresh + i * lanes);
    convolve(rows.data(), weights.data(), count, lanes, sums.data());
    for (std::int64_t i = 0; i < count; ++i) {
      float* sum = sums.data() + i * lanes;
      if (first + i < sequence.cleared) std::fill_n(sum, lanes, 0.0f);
      if (task.adds_input)
        for (std::int64_t c = 0; c < lanes; ++c) sum[c] += fresh[i * lanes + c];
      task.y.store(memory, sequence.sample, block, sequence.first + first + i, sum, lanes);
    }
    std::copy_n(rows.data() + count * lanes, kept_values, rows.data());
  }
}

bool is_short(const FusedCausalConv1dParameters& given) {
  return given.x.rank() == 3 || given.maxQueryLen <= 8;
}

/// Sizes that the kernels for few and for many tokens of a sequence take; the number of sequences.
std::int64_t check_cached(Plan& plan, const FusedCausalConv1dParameters& given) {
  const std::size_t rank = given.x.rank();
  check_tiling(plan, rank == 2 || rank == 3, "x has shape %s", given.x.shape().text().c_str());
  const bool is_packed = rank == 2;
  const bool few = is_short(given);
  const Dims& shape = given.x.shape();
  const std::int64_t channels = shape[rank - 1];
  check_tiling(plan, !is_packed || (given.queryStartLoc.given() && given.queryStartLoc.rank() == 1),
               "queryStartLoc must have one dimension where x has two");
  const std::int64_t batch = is_packed ? given.queryStartLoc.shape()[0] - 1 : shape[0];
  const bool has_blocks = given.cacheIndices.given() && given.cacheIndices.rank() == 2;
  check_tiling(plan, !has_blocks || given.blockSize > 0, "blockSize is %lld", ll(given.blockSize));
  check_tiling(plan, !(has_blocks || given.convMode != 0) || given.numComputedTokens.given(),
               "numComputedTokens is null");
  check_tiling(plan, batch >= 1 && batch <= 256, "%lld sequences, 1 to 256 are allowed", ll(batch));
  if (is_packed && few)
    check_tiling(plan, given.maxQueryLen >= 1, "maxQueryLen is %lld", ll(given.maxQueryLen));
  const std::int64_t most = few ? 8 : 1024 * 1024;
  const std::int64_t tokens = is_packed ? shape[0] : shape[1];
  check_tiling(plan, tokens >= 1 && (is_packed ? tokens <= 1024 * 1024 : tokens <= most),
               "x has shape %s", shape.text().c_str());
  check_tiling(plan, channels >= (few ? 64 : 16) && channels <= 16384 && channels % 16 == 0,
               "%lld channels, a multiple of 16 up to 16384 is allowed", ll(channels));
  check_shape(plan, given.weight, {kTaps, channels});
  check_rank(plan, given.convStates, 3);
  const Dims& states = given.convStates.shape();
  const std::int64_t least = kTaps - 1 + (is_packed ? 0 : tokens - 1);
  check_tiling(plan, states[1] >= least && states[2] == channels,
               "convStates has shape %s, it must hold %lld tokens of %lld channels",
               states.text().c_str(), ll(least), ll(channels));
  const bool knows_blocks = given.blockIdxFirstScheduledToken.given() &&
                            given.blockIdxLastScheduledToken.given() &&
                            given.initialStateIdx.given();
  check_tiling(plan, !has_blocks || knows_blocks,
               "the blocks of the first and the last token, or of the state, are null");
  check_tiling(plan, has_blocks || !few || !given.blockIdxLastScheduledToken.given(),
               "cacheIndices must have two dimensions with blockIdxLastScheduledToken");
  if (given.cacheIndices.given()) {
    const Dims& lines = given.cacheIndices.shape();
    check_shape(plan, given.cacheIndices, has_blocks ? Dims{batch, lines[1]} : Dims{batch});
  }
  for (const TensorArgument* tensor :
       {&given.numAcceptedTokens, &given.numComputedTokens, &given.blockIdxFirstScheduledToken,
        &given.blockIdxLastScheduledToken, &given.initialStateIdx})
    check_shape(plan, *tensor, {batch});
  check_type(plan, given.x, kHalves);
  const DtypeSet same{given.x.dtype()};
  for (const TensorArgument* tensor : {&given.weight, &given.convStates, &given.y})
    check_type(plan, *tensor, same);
  for (const TensorArgument* tensor : {&given.cacheIndices, &given.numAcceptedTokens,
                                       &given.numComputedTokens, &given.blockIdxFirstScheduledToken,
                                       &given.blockIdxLastScheduledToken, &given.initialStateIdx})
    check_type(plan, *tensor, kInts);
  if (is_packed) check_type(plan, given.queryStartLoc, kInts);
  check_shape(plan, given.y, shape);
  return batch;
}

}  // namespace

void fused_causal_conv1d(const Check&, Plan& plan, const FusedCausalConv1dParameters& given) {
  needs_kernel(plan, on_950());
  const std::int64_t batch = check_cached(plan, given);
  const bool is_packed = given.x.rank() == 2;
  const Dims& shape = given.x.shape();
  const Dims& states = given.convStates.shape();
  const std::int64_t lanes = lanes_of(states[2]);
  const int sample = is_packed ? -1 : 0;
  const int token = is_packed ? 0 : 1;
  const bool has_blocks = given.cacheIndices.given() && given.cacheIndices.rank() == 2;
  plan.stage(given.weight).contiguous();
  const CachedConvolution task{states[2],
                               lanes,
                               batch,
                               shape[std::size_t(token)],
                               is_packed,
                               is_short(given),
                               states[0],
                               states[1],
                               has_blocks ? given.cacheIndices.shape()[1] : 0,
                               in_lanes(plan.reads(given.x), sample, token, lanes),
                               in_lanes(plan.reads(given.weight), -1, 0, lanes),
                               in_lanes(plan.reads(given.convStates), 0, 1, lanes),
                               in_lanes(plan.writes(given.convStates), 0, 1, lanes),
                               in_lanes(plan.writes(given.y), sample, token, lanes),
                               read_if_given(plan, given.queryStartLoc),
                               read_if_given(plan, given.cacheIndices),
                               read_if_given(plan, given.numAcceptedTokens),
                               read_if_given(plan, given.numComputedTokens),
                               read_if_given(plan, given.blockIdxFirstScheduledToken),
                               read_if_given(plan, given.blockIdxLastScheduledToken),
                               read_if_given(plan, given.initialStateIdx),
                               given.padSlotId,
                               given.blockSize,
                               given.residualConnection == 1,
                               given.convMode == 1 && given.numComputedTokens.given()};
  plan.launch([task](const KernelMemory& memory) {
    const std::vector<CachedSequence> sequences = sequences_of(task, memory);
    // Sequences may share lines, channels share nothing.
    each_block(task.channels, task.lanes, [&](std::int64_t block) {
      const std::vector<float> weights = weights_of(task.weight, memory, block, task.lanes);
      for (const CachedSequence& sequence : sequences)
        run_sequence(task, sequence, weights, block, memory);
    });
  });
}

}  // namespace pyaclnn::sim
