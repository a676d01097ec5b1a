// What stands before attention to latent vectors, on int8: tokens are normalised and become int8,
// one product makes their latent vectors, turned keys and small queries, another one the queries of
// heads. New latent vectors and keys go to caches. Weights of bfloat16 are taken as they are.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/attention/block_cache.hpp"
#include "opapi/attention/rotation.hpp"
#include "opapi/attention/shapes.hpp"
#include "opapi/attention/weight_lines.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/integers.hpp"
#include "opapi/common/narrow_numbers.hpp"
#include "opapi/common/packed_operand.hpp"
#include "opapi/common/round_stored.hpp"
#include "opapi/common/stored_rows.hpp"
#include "opapi/product/gemm.hpp"
#include "opapi/product/integer_product.hpp"
#include "parameters/MlaPreprocessV2.hpp"

namespace pyaclnn::sim {
namespace {

using Parameters = MlaPreprocessV2Parameters;

constexpr std::int64_t kLatent = 512, kTurned = 64, kBoth = kLatent + kTurned;
constexpr std::int64_t kTokens = 64;  // of a product
/// CANN's kernels add this whatever the attribute says.
constexpr float kEpsilon = 1e-6f;

/// How caches lie, and what is written beside the keys.
enum CacheMode : std::int64_t { kJoined = 0, kSplit = 1, kBytes = 2, kFractal = 3 };

struct Sizes {
  std::int64_t tokens, hidden, rank, heads, depth, block;

  std::int64_t width() const { return depth + kTurned; }
  std::int64_t down() const { return kBoth + rank; }
};

/// The types that CANN has kernels for. True for weights of bfloat16.
bool check_types(const Plan& plan, const Parameters& c) {
  const aclDataType x = c.input.dtype(), weight = c.wdqkv.dtype();
  for (const TensorArgument* tensor :
       {&c.gamma0, &c.beta0, &c.quantScale0, &c.gamma1, &c.beta1, &c.quantScale1, &c.gamma2, &c.cos,
        &c.sin, &c.wuk, &c.kvCacheRope, &c.ctkvScale, &c.qNopeScale, &c.qRopeOut, &c.krCacheOut})
    check_kernel_exists(plan, tensor->dtype() == x);
  check_kernel_exists(plan, !c.qDownOut.given() || c.qDownOut.dtype() == x);
  check_kernel_exists(plan, c.wuq.dtype() == weight && (weight == ACL_INT8 || weight == x));
  const aclDataType cached = c.cacheMode == kBytes ? ACL_INT8 : x;
  for (const TensorArgument* tensor : {&c.kvCache, &c.kvCacheOut, &c.qOut})
    check_kernel_exists(plan, tensor->dtype() == cached);
  for (const TensorArgument* tensor : {&c.deScale0, &c.deScale1})
    check_kernel_exists(plan, tensor->dtype() == (x == ACL_BF16 ? ACL_FLOAT : ACL_INT64));
  if (weight == ACL_FLOAT16) fail_not_simulated(plan, "weights of float16");
  return weight == ACL_BF16;
}

void check_modes(const Plan& plan, const Parameters& c, bool is_wide) {
  check_tiling(plan, c.cacheMode >= kJoined && c.cacheMode <= kFractal, "cacheMode is %lld",
               ll(c.cacheMode));
  check_tiling(plan, c.quantMode >= 0 && c.quantMode <= 3, "quantMode is %lld", ll(c.quantMode));
  // Others are not there yet. Whether weights are transposed, or in parts, CANN does not read.
  check_kernel_exists(plan, c.quantMode == 0);
  // Of these CANN has kernels for weights in FRACTAL_NZ and caches of their type alone.
  check_kernel_exists(plan, !is_wide || c.cacheMode <= kSplit);
}

/// [lines, columns], or the blocks of FRACTAL_NZ that it has.
void check_weight(const Plan& plan, const TensorArgument& weight, std::int64_t lines,
                  std::int64_t columns) {
  const std::int64_t lane = fractal_lane(weight.dtype());
  const bool is_plain = weight.shape() == Dims({lines, columns});
  const bool is_cut = is_nz(weight.meta().format) && columns % lane == 0 && lines % 16 == 0 &&
                      weight.shape() == Dims({columns / lane, lines / 16, 16, lane});
  check_tiling(plan, is_plain || is_cut, "%s has shape %s, it must have [%lld,%lld] or its blocks",
               weight.name(), weight.shape().text().c_str(), ll(lines), ll(columns));
}

Sizes check_sizes(const Plan& plan, const Parameters& c) {
  constexpr std::int64_t kLeastHidden = 2048, kMostHidden = 10240, kHiddenStep = 256;
  constexpr std::int64_t kMostHeads = 128, kRankStep = 32, kMostRank = 4096;
  constexpr std::int64_t kDepthStep = 16, kMostDepth = 256;
  check_rank(plan, c.input, 2);
  check_rank(plan, c.wuk, 3);
  check_rank(plan, c.deScale0, 1);
  check_rank(plan, c.kvCache, 4);
  Sizes sizes{};
  sizes.tokens = c.input.shape()[0];
  sizes.hidden = c.input.shape()[1];
  sizes.rank = c.deScale0.shape()[0] - kBoth;
  sizes.heads = c.wuk.shape()[0];
  sizes.depth = c.wuk.shape()[1];
  check_tiling(plan,
               sizes.hidden >= kLeastHidden && sizes.hidden <= kMostHidden &&
                   sizes.hidden % kHiddenStep == 0,
               "input has %lld values a token, it must have 2048 to 10240 in steps of 256",
               ll(sizes.hidden));
  check_tiling(plan, sizes.heads >= 1 && sizes.heads <= kMostHeads, "there are %lld heads",
               ll(sizes.heads));
  check_tiling(plan,
               sizes.rank >= kRankStep && sizes.rank <= kMostRank && sizes.rank % kRankStep == 0,
               "deScale0 leaves %lld values for queries", ll(sizes.rank));
  check_tiling(
      plan, sizes.depth >= kDepthStep && sizes.depth <= kMostDepth && sizes.depth % kDepthStep == 0,
      "wuk has shape %s", c.wuk.shape().text().c_str());
  const std::int64_t columns = sizes.heads * sizes.width();
  for (const TensorArgument* tensor : {&c.gamma0, &c.beta0})
    check_shape(plan, *tensor, {sizes.hidden});
  for (const TensorArgument* tensor : {&c.gamma1, &c.beta1})
    check_shape(plan, *tensor, {sizes.rank});
  for (const TensorArgument* tensor :
       {&c.quantScale0, &c.quantOffset0, &c.quantScale1, &c.quantOffset1})
    check_shape(plan, *tensor, {1});
  check_weight(plan, c.wdqkv, sizes.down(), sizes.hidden);
  check_weight(plan, c.wuq, columns, sizes.rank);
  check_shape(plan, c.bias0, {sizes.down()});
  check_shape(plan, c.deScale1, {columns});
  check_shape(plan, c.bias1, {columns});
  check_shape(plan, c.gamma2, {kLatent});
  for (const TensorArgument* tensor : {&c.cos, &c.sin})
    check_shape(plan, *tensor, {sizes.tokens, kTurned});
  check_shape(plan, c.wuk, {sizes.heads, sizes.depth, kLatent});
  check_shape(plan, c.slotMapping, {sizes.tokens});
  const bool joined = c.cacheMode == kJoined;
  check_shape(plan, c.qOut, {sizes.tokens, sizes.heads, joined ? kBoth : kLatent});
  if (!joined) check_shape(plan, c.qRopeOut, {sizes.tokens, sizes.heads, kTurned});
  if (c.cacheMode == kBytes) {
    check_shape(plan, c.ctkvScale, {1});
    check_shape(plan, c.qNopeScale, {sizes.heads});
  }
  if (c.qDownOutFlag) check_shape(plan, c.qDownOut, {sizes.tokens, sizes.rank});
  return sizes;
}

/// The rows of a cache, [blocks, tokens, 1, width / lane, lane].
View check_cache(Plan& plan, const Parameters& c, const TensorArgument& given,
                 const TensorArgument& cache, std::int64_t width, Sizes& sizes) {
  const std::int64_t lane = fractal_lane(cache.dtype());
  const bool in_fractals = c.cacheMode >= kBytes;
  const std::int64_t blocks = c.kvCache.shape()[0];
  const Dims& shape = cache.shape();
  check_rank(plan, cache, 4);
  check_shape(plan, cache, given.shape());
  if (sizes.block == 0) sizes.block = in_fractals && shape[2] != 1 ? shape[2] : shape[1];
  const Dims plain{blocks, sizes.block, 1, width};
  const Dims cut{blocks, width / lane, sizes.block, lane};
  check_tiling(plan, sizes.block >= 1 && (shape == plain || (in_fractals && shape == cut)),
               "%s has shape %s, it must be %s", cache.name(), shape.text().c_str(),
               (in_fractals ? cut : plain).text().c_str());
  const View view = plan.writes(cache);
  check_tiling(plan, !has_gaps_in_blocks(view), "%s has gaps beyond its first axis", cache.name());
  return block_rows(plan, view, in_fractals ? BlockLayout::kFractals : BlockLayout::kTokens,
                    sizes.block, 1, width);
}

/// Rounds to float16, then to int8.
void to_bytes(float* row, std::int64_t count, std::int8_t* to) {
  round_as_stored(row, count, ACL_FLOAT16);
  for (std::int64_t i = 0; i < count; ++i) {
    const float value = std::isnan(row[i]) ? 0.0f : std::clamp(row[i], -128.0f, 127.0f);
    to[i] = std::int8_t(rounded(value, Round::kRint));
  }
}

float mean_square(const float* row, std::int64_t count) {
  double squares = 0;
  for (std::int64_t i = 0; i < count; ++i) squares += double(row[i]) * double(row[i]);
  return float(squares / double(count));
}

/// The RMS normalisation of rows, with a shift where there is one.
struct Norm {
  PackedOperand gamma, beta;

  /// Of the rows of one run.
  class Of {
   public:
    Of(const Norm& norm, const KernelMemory& memory)
        : gamma_(norm.gamma.read(memory)), beta_(norm.beta.read(memory)) {}

    void operator()(float* row) const {
      if (gamma_.empty()) return;
      const auto count = std::int64_t(gamma_.size());
      const float factor = 1.0f / std::sqrt(mean_square(row, count) + kEpsilon);
      for (std::size_t i = 0; i < gamma_.size(); ++i) row[i] = row[i] * factor * gamma_[i];
      for (std::size_t i = 0; i < beta_.size(); ++i) row[i] += beta_[i];
    }

   private:
    std::vector<float> gamma_, beta_;
  };
};

/// A weight of int8 as lines of columns.
View lines_of(View weight) {
  if (weight.shape.size() == 4) {
    const Dims shape = weight.shape, strides = weight.strides;
    weight.shape = {shape[1], shape[2], shape[0], shape[3]};
    weight.strides = {strides[1], strides[2], strides[0], strides[3]};
  }
  return weight;
}

/// Rows that are normalised, become int8 and are multiplied by a weight.
struct Projection {
  StoredRows from, normal, to;  // `normal` is written where it is wanted
  Norm norm;
  PackedOperand scale, offset, weight, bias, factors;

  void operator()(const KernelMemory& memory) const {
    const std::int64_t depth = from.length(), columns = to.length();
    const Norm::Of normalised(norm, memory);
    const float step = 1.0f / scale.read(memory)[0], shift = offset.read(memory)[0];
    const std::vector<std::int8_t> lines = weight.read<std::int8_t>(memory);
    const std::vector<std::int32_t> added = bias.read<std::int32_t>(memory);
    const std::vector<float> multiplied = scales(memory);
    std::vector<std::int8_t> numbers(std::size_t(kTokens * depth));
    std::vector<float> made(std::size_t(kTokens * columns));
    for (std::int64_t first = 0; first < from.count(); first += kTokens) {
      const std::int64_t count = std::min(kTokens, from.count() - first);
      parallel_for(count, 4, [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> row(static_cast<std::size_t>(depth));
        for (std::int64_t r = begin; r < end; ++r) {
          from.load(memory, first + r, row.data());
          normalised(row.data());
          if (normal.given()) normal.store(memory, first + r, row.data());
          for (float& value : row) value = value * step + shift;
          to_bytes(row.data(), depth, numbers.data() + r * depth);
        }
      });
      integer_product(
          matrix(numbers, depth, false), matrix(lines, depth, true), count, columns, depth,
          [&](std::int64_t row, std::int64_t column, std::int64_t n, const std::int32_t* sums) {
            for (std::int64_t i = 0; i < n; ++i) {
              const auto at = std::size_t(column + i);
              const auto sum = std::int32_t(std::uint32_t(sums[i]) + std::uint32_t(added[at]));
              made[std::size_t(row * columns) + at] = float(sum) * multiplied[at];
            }
          });
      for (std::int64_t r = 0; r < count; ++r)
        to.store(memory, first + r, made.data() + r * columns);
    }
  }

  static IntegerMatrix matrix(const std::vector<std::int8_t>& numbers, std::int64_t width,
                              bool turned) {
    IntegerMatrix matrix;
    matrix.base = reinterpret_cast<const std::byte*>(numbers.data());
    matrix.line_step = width;
    matrix.turned = turned;
    return matrix;
  }

  std::vector<float> scales(const KernelMemory& memory) const {
    if (factors.dtype() == ACL_FLOAT) return factors.read(memory);
    std::vector<float> scales;
    for (const std::int64_t word : factors.read<std::int64_t>(memory))
      scales.push_back(scale_of_parameter(std::uint64_t(word)));
    return scales;
  }
};

/// The latent vector and the turned key of each token that has a slot, into the caches.
struct CacheRows {
  StoredRows from, cos, sin;
  BatchedView latent, key;  // `key` is not there where both lie in one row
  aclDataType latent_type, key_type;
  PackedOperand gamma, scale;  // `scale` is that of int8
  View slots;
  bool joined;

  void operator()(const KernelMemory& memory) const {
    const std::vector<float> g = gamma.read(memory);
    const std::vector<float> divisor = scale.read(memory);
    const std::vector<std::int64_t> places = integers_of(slots, memory);
    const StoreFn put = storer<float>(latent_type, Rounding::kNearestEven);
    const StoreFn put_key = storer<float>(key_type, Rounding::kNearestEven);
    const Rotation rotation(kTurned, kHalves);
    std::vector<std::int8_t> bytes(kLatent);
    float row[kBoth], angles[2][kTurned], turned[kTurned];
    for (std::size_t token = 0; token < places.size(); ++token) {
      const std::int64_t slot = places[token];
      if (slot < 0 || slot >= latent.count()) continue;
      from.load(memory, std::int64_t(token), row);
      cos.load(memory, std::int64_t(token), angles[0]);
      sin.load(memory, std::int64_t(token), angles[1]);
      rotation.turn(row + kLatent, angles[0], angles[1], turned);
      const float rms = std::sqrt(mean_square(row, kLatent) + kEpsilon);
      for (std::int64_t i = 0; i < kLatent; ++i) row[i] = row[i] / rms * g[std::size_t(i)];
      if (!divisor.empty()) {
        for (std::int64_t i = 0; i < kLatent; ++i) row[i] *= 1.0f / divisor[0];
        to_bytes(row, kLatent, bytes.data());
        std::copy(bytes.begin(), bytes.end(), row);
      }
      if (joined) std::copy(turned, turned + kTurned, row + kLatent);
      latent.store(put, row, sizeof(float), latent.base(memory) + latent.plane_bytes(slot));
      if (!joined && slot < key.count())
        key.store(put_key, turned, sizeof(float), key.base(memory) + key.plane_bytes(slot));
    }
  }
};

/// Plans turned rows: `x` has [tokens, heads, kTurned], angles are of tokens.
void launch_turn(Plan& plan, const View& x, const View& cos, const View& sin, const View& out) {
  plan.launch([=, from = StoredRows(x), to = StoredRows(out), c = StoredRows(cos),
               s = StoredRows(sin)](const KernelMemory& memory) {
    const Rotation rotation(kTurned, kHalves);
    const std::int64_t heads = from.count() / c.count();
    parallel_for(c.count(), 4, [&](std::int64_t begin, std::int64_t end) {
      float row[4][kTurned];
      for (std::int64_t token = begin; token < end; ++token) {
        c.load(memory, token, row[0]);
        s.load(memory, token, row[1]);
        for (std::int64_t at = token * heads; at < (token + 1) * heads; ++at) {
          from.load(memory, at, row[2]);
          rotation.turn(row[2], row[0], row[1], row[3]);
          to.store(memory, at, row[3]);
        }
      }
    });
  });
}

/// Plans queries as int8, times a scale of their head.
void launch_bytes(Plan& plan, const View& x, const PackedOperand& scale, const View& out) {
  plan.launch([=, from = StoredRows(x), to = StoredRows(out)](const KernelMemory& memory) {
    const std::vector<float> factors = scale.read(memory);
    parallel_for(from.count(), 4, [&](std::int64_t begin, std::int64_t end) {
      float row[kLatent];
      std::int8_t bytes[kLatent];
      for (std::int64_t r = begin; r < end; ++r) {
        from.load(memory, r, row);
        for (float& value : row) value *= factors[std::size_t(r) % factors.size()];
        to_bytes(row, kLatent, bytes);
        std::copy(bytes, bytes + kLatent, row);
        to.store(memory, r, row);
      }
    });
  });
}

/// Plans rows that are normalised, and written twice where there is a second place.
void launch_norm(Plan& plan, const View& x, const Norm& norm, const View& out,
                 const StoredRows& second) {
  plan.launch([=, from = StoredRows(x), to = StoredRows(out)](const KernelMemory& memory) {
    const Norm::Of normalised(norm, memory);
    std::vector<float> row(std::size_t(from.length()));
    for (std::int64_t r = 0; r < from.count(); ++r) {
      from.load(memory, r, row.data());
      normalised(row.data());
      to.store(memory, r, row.data());
      if (second.given()) second.store(memory, r, row.data());
    }
  });
}

/// Plans out = a times the transposed b.
void launch_product(Plan& plan, const View& a, const PlainOperand& b, const View& out) {
  Gemm gemm;
  gemm.a = a;
  gemm.b = b.view();
  gemm.b.shape = {b.view().shape[1], b.view().shape[0]};
  gemm.b.strides = {b.view().strides[1], b.view().strides[0]};
  gemm.out = out;
  launch_gemm(plan, gemm, b);
}

/// A weight; one of int8 is as it is where its shape is that of its blocks.
PlainOperand weight_of(Plan& plan, const TensorArgument& tensor) {
  if (tensor.dtype() != ACL_INT8) return {plan, as_lines(plan, tensor)};
  return {plan, tensor, tensor.rank() == 2 && is_nz(tensor.meta().format)};
}

View heads_first(const View& view) {
  View turned = view;
  turned.shape = {view.shape[1], view.shape[0], view.shape[2]};
  turned.strides = {view.strides[1], view.strides[0], view.strides[2]};
  return turned;
}

}  // namespace

void mla_preprocess(const Check&, Plan& plan, const Parameters& given) {
  const bool is_wide = check_types(plan, given);
  check_modes(plan, given, is_wide);
  Sizes sizes = check_sizes(plan, given);
  const bool joined = given.cacheMode == kJoined, as_bytes = given.cacheMode == kBytes;
  for (const TensorArgument* weight : {&given.wdqkv, &given.wuq})
    check_tiling(plan, is_nz(weight->meta().format), "%s must be in FRACTAL_NZ", weight->name());
  CacheRows cache{};
  cache.joined = joined;
  cache.latent_type = given.kvCacheOut.dtype();
  cache.key_type = given.krCacheOut.dtype();
  cache.latent = BatchedView(
      check_cache(plan, given, given.kvCache, given.kvCacheOut, joined ? kBoth : kLatent, sizes),
      2);
  if (!joined)
    cache.key = BatchedView(
        check_cache(plan, given, given.kvCacheRope, given.krCacheOut, kTurned, sizes), 2);
  if (sizes.tokens == 0) return;

  const aclDataType dtype = given.input.dtype();
  const PlainOperand down = weight_of(plan, given.wdqkv), up = weight_of(plan, given.wuq),
                     absorbed = PlainOperand(plan, given.wuk);
  const TensorArgument small = plan.scratch("small", dtype, {sizes.tokens, sizes.down()});
  const TensorArgument joint =
      plan.scratch("queries", dtype, {sizes.tokens, sizes.heads, sizes.width()});
  View queries = plan.writes(joint);
  queries.shape = {sizes.tokens, sizes.heads * sizes.width()};
  queries.strides = contiguous_strides(queries.shape);
  const View cos = plan.reads(given.cos), sin = plan.reads(given.sin);
  StoredRows normal;
  if (given.qDownOutFlag) normal = StoredRows(plan.writes(given.qDownOut));
  const auto whole = [&](const TensorArgument& tensor) {
    return PackedOperand(plan.reads(tensor));
  };
  plan.stage(given.input).contiguous();
  const View x = plan.reads(given.input);
  const View narrow = columns_of(plan.reads(small), kBoth, sizes.rank);
  if (is_wide) {
    const TensorArgument rows = plan.scratch("normal", dtype, {sizes.tokens, sizes.rank});
    launch_product(plan, x, down, plan.writes(small));
    launch_norm(plan, narrow, {whole(given.gamma1), {}}, plan.writes(rows), normal);
    launch_product(plan, plan.reads(rows), up, queries);
  } else {
    Norm first;
    if (given.doRmsNorm) first = {whole(given.gamma0), whole(given.beta0)};
    plan.launch(down.before(Projection{StoredRows(x),
                                       {},
                                       StoredRows(plan.writes(small)),
                                       first,
                                       whole(given.quantScale0),
                                       whole(given.quantOffset0),
                                       PackedOperand(lines_of(down.view())),
                                       whole(given.bias0),
                                       whole(given.deScale0)}));
    plan.launch(up.before(Projection{StoredRows(narrow),
                                     normal,
                                     StoredRows(queries),
                                     {whole(given.gamma1), whole(given.beta1)},
                                     whole(given.quantScale1),
                                     whole(given.quantOffset1),
                                     PackedOperand(lines_of(up.view())),
                                     whole(given.bias1),
                                     whole(given.deScale1)}));
  }

  cache.from = StoredRows(columns_of(plan.reads(small), 0, kBoth));
  cache.cos = StoredRows(cos);
  cache.sin = StoredRows(sin);
  cache.gamma = whole(given.gamma2);
  if (as_bytes) cache.scale = whole(given.ctkvScale);
  cache.slots = plan.reads(given.slotMapping);
  if (cache.latent.count() > 0) plan.launch(cache);

  const View heads = plan.reads(joint);
  const View out = plan.writes(given.qOut);
  launch_turn(plan, columns_of(heads, sizes.depth, kTurned), cos, sin,
              joined ? columns_of(out, kLatent, kTurned) : plan.writes(given.qRopeOut));
  Gemm gemm;
  gemm.a = heads_first(columns_of(heads, 0, sizes.depth));
  gemm.b = absorbed.view();
  if (!as_bytes) {
    gemm.out = heads_first(columns_of(out, 0, kLatent));
    launch_gemm(plan, gemm, absorbed);
    return;
  }
  const TensorArgument wide = plan.scratch("wide", dtype, {sizes.tokens, sizes.heads, kLatent});
  gemm.out = heads_first(plan.writes(wide));
  launch_gemm(plan, gemm, absorbed);
  launch_bytes(plan, plan.reads(wide), whole(given.qNopeScale), out);
}

}  // namespace pyaclnn::sim
