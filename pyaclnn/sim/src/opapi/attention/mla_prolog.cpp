// What stands before attention to latent vectors: queries by way of a small projection, and the
// latent vectors and turned keys of new tokens on their way into caches.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/attention/block_cache.hpp"
#include "opapi/attention/latent_bytes.hpp"
#include "opapi/attention/latent_floats.hpp"
#include "opapi/attention/rotation.hpp"
#include "opapi/attention/shapes.hpp"
#include "opapi/attention/weight_lines.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/integers.hpp"
#include "opapi/common/stored_rows.hpp"
#include "opapi/norm/one_row.hpp"
#include "opapi/product/gemm.hpp"
#include "parameters/MlaPrologV3WeightNz.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kLatent = 512;
constexpr std::int64_t kTurned = 64;
constexpr std::int64_t kTokensAtATime = 4;

struct Sizes {
  std::int64_t batch;   // 0 where tokens are not cut into sequences by their shape
  std::int64_t length;  // of a sequence
  std::int64_t tokens;
  std::int64_t hidden;
  std::int64_t rank;  // of the projection of queries
  std::int64_t heads;
  std::int64_t depth;
};

/// How caches lie in memory, and what the index names.
struct CachePlaces {
  bool has_pages = true;
  bool names_blocks = false;
  bool in_fractals = false;

  BlockLayout layout() const { return in_fractals ? BlockLayout::kFractals : BlockLayout::kTokens; }
};

CachePlaces places_of(const Plan& plan, const Text& mode, const Sizes& sizes) {
  const std::string name = mode.given() ? mode.text : "PA_BSND";
  if (name == "PA_BSND") return {true, false, false};
  if (name == "PA_NZ") return {true, false, true};
  if (name == "PA_BLK_BSND") return {true, true, false};
  if (name == "PA_BLK_NZ") return {true, true, true};
  const bool fits = name == (sizes.batch > 0 ? "BSND" : "TND");
  check_tiling(plan, fits, "%s is %s, which does not go with the dimensions of tokenX", mode.name(),
               name.c_str());
  return {false, false, false};
}

Dims any_of(const Sizes& sizes, std::initializer_list<std::int64_t> more) {
  Dims shape = sizes.batch > 0 ? Dims{sizes.batch, sizes.length} : Dims{sizes.tokens};
  for (const std::int64_t extent : more) shape.push_back(extent);
  return shape;
}

/// Rows of tokens as [batch, length, width]; tokens that are not cut are one sequence.
View in_batches(View view, const Sizes& sizes) {
  const std::size_t last = view.shape.size() - 1;
  const bool is_cut = sizes.batch > 0;
  view.strides = {is_cut ? view.strides[0] : 0, view.strides[last - 1], view.strides[last]};
  view.shape = {is_cut ? sizes.batch : 1, is_cut ? sizes.length : sizes.tokens, view.shape[last]};
  return view;
}

/// Heads of tokens as [batch, heads, length, width].
View in_heads(const View& view, const Sizes& sizes) {
  View heads = view;
  const std::size_t last = view.shape.size() - 1;
  const bool is_cut = sizes.batch > 0;
  heads.shape = {is_cut ? sizes.batch : 1, sizes.heads, is_cut ? sizes.length : sizes.tokens,
                 view.shape[last]};
  heads.strides = {is_cut ? view.strides[0] : 0, view.strides[last - 1], view.strides[last - 2],
                   view.strides[last]};
  return heads;
}

/// The slot of each token.
struct SlotFinder {
  Sizes sizes;
  CachePlaces places;
  std::int64_t block;
  std::optional<View> index;
  std::optional<View> ends;  // of sequences, where tokens are not cut by their shape

  std::vector<std::int64_t> operator()(const KernelMemory& memory) const {
    std::vector<std::int64_t> slots(static_cast<std::size_t>(sizes.tokens), -1);
    if (!index.has_value()) {
      for (std::size_t i = 0; i < slots.size(); ++i) slots[i] = std::int64_t(i);
      return slots;
    }
    const std::vector<std::int64_t> given = integers_of(*index, memory);
    if (!places.names_blocks) {
      std::copy_n(given.begin(), std::min(given.size(), slots.size()), slots.begin());
      return slots;
    }
    std::vector<std::int64_t> lengths(static_cast<std::size_t>(sizes.batch), sizes.length);
    if (ends.has_value()) {
      lengths = integers_of(*ends, memory);
      for (std::size_t i = lengths.size(); i-- > 1;) lengths[i] -= lengths[i - 1];
    }
    std::size_t token = 0;
    std::size_t first = 0;
    for (const std::int64_t length : lengths) {
      for (std::int64_t s = 0; s < length && token < slots.size(); ++s, ++token) {
        const std::size_t at = first + std::size_t(s / block);
        // A block that is none has no slots; the product of one that is has room.
        if (at < given.size() && given[at] >= 0 && given[at] < std::int64_t(1) << 40)
          slots[token] = given[at] * block + s % block;
      }
      first += std::size_t((std::max<std::int64_t>(length, 0) + block - 1) / block);
    }
    return slots;
  }
};

std::vector<float> row_of(const View& view, const KernelMemory& memory) {
  const StoredRows rows(view);
  std::vector<float> values(std::size_t(rows.length()));
  rows.load(memory, 0, values.data());
  return values;
}

/// Plans out = factor RmsNorm(x) gamma for the rows of x.
void launch_norm(Plan& plan, const View& x, const View& gamma, const View& out, double epsilon,
                 double factor) {
  plan.launch([=, from = StoredRows(x), to = StoredRows(out)](const KernelMemory& memory) {
    const OneRowNorm norm(from.length(), false, float(epsilon), row_of(gamma, memory));
    parallel_for(from.count(), kTokensAtATime, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> row(std::size_t(from.length()));
      for (std::int64_t i = begin; i < end; ++i) {
        from.load(memory, i, row.data());
        norm.normalise(row.data(), row.data());
        for (float& value : row) value *= float(factor);
        to.store(memory, i, row.data());
      }
    });
  });
}

/// Plans turned rows: `x` has [tokens, heads, kTurned], angles are of tokens.
void launch_turn(Plan& plan, const View& x, const View& cos, const View& sin, const View& out) {
  plan.launch([=, from = StoredRows(x), to = StoredRows(out), c = StoredRows(cos),
               s = StoredRows(sin)](const KernelMemory& memory) {
    const Rotation rotation(kTurned, kNeighboursToHalves);
    const std::int64_t heads = from.count() / std::max<std::int64_t>(c.count(), 1);
    parallel_for(c.count(), kTokensAtATime, [&](std::int64_t begin, std::int64_t end) {
      float row[4][kTurned];
      for (std::int64_t token = begin; token < end; ++token) {
        c.load(memory, token, row[0]);
        s.load(memory, token, row[1]);
        for (std::int64_t n = 0; n < heads; ++n) {
          from.load(memory, token * heads + n, row[2]);
          rotation.turn(row[2], row[0], row[1], row[3]);
          to.store(memory, token * heads + n, row[3]);
        }
      }
    });
  });
}

/// Plans rows of new tokens into the cache, as numbers of 8 bits where there are factors of them;
/// slots that are none are left out.
void launch_cache(Plan& plan, const View& rows, const View& cache, const SlotFinder& find,
                  const PackedOperand& factors) {
  if (cache.shape.product() == 0) return;
  plan.launch([=, from = StoredRows(rows), to = BatchedView(cache, 2)](const KernelMemory& memory) {
    const std::vector<std::int64_t> slots = find(memory);
    const std::vector<float> by = factors.read(memory);
    const StoreFn put = storer<float>(cache.dtype, Rounding::kNearestEven);
    std::vector<float> row(std::size_t(from.length()));
    for (std::size_t token = 0; token < slots.size(); ++token) {
      if (slots[token] < 0 || slots[token] >= to.count()) continue;
      from.load(memory, std::int64_t(token), row.data());
      if (!by.empty()) {
        for (std::size_t i = 0; i < row.size(); ++i) row[i] *= by[i % by.size()];
        to_numbers(row.data(), from.length(), cache.dtype);
      }
      to.store(put, row.data(), sizeof(float), to.base(memory) + to.plane_bytes(slots[token]));
    }
  });
}

/// Plans rows of new tokens into a cache that holds their keys and the scales of their tiles.
void launch_tiles(Plan& plan, const View& rows, const View& keys, const View& cache,
                  const SlotFinder& find, const PackedOperand& part) {
  if (cache.shape.product() == 0) return;
  plan.launch([=, from = StoredRows(rows), turned = StoredRows(keys),
               to = BatchedView(cache, 2)](const KernelMemory& memory) {
    const std::vector<std::int64_t> slots = find(memory);
    const float alpha = part.given() ? part.read(memory).front() : 1.0f;
    const LatentTiles tiles{kLatent, kTurned, cache.dtype, alpha};
    const StoreFn put = storer<float>(ACL_INT8, Rounding::kNearestEven);
    std::vector<float> row(static_cast<std::size_t>(kLatent)), key(std::size_t{kTurned});
    std::vector<std::int8_t> bytes(static_cast<std::size_t>(tiles.bytes()));
    for (std::size_t token = 0; token < slots.size(); ++token) {
      if (slots[token] < 0 || slots[token] >= to.count()) continue;
      from.load(memory, std::int64_t(token), row.data());
      turned.load(memory, std::int64_t(token), key.data());
      tiles.write(row.data(), key.data(), bytes.data());
      const std::vector<float> wide(bytes.begin(), bytes.end());
      to.store(put, wide.data(), sizeof(float), to.base(memory) + to.plane_bytes(slots[token]));
    }
  });
}

/// A product whose second operand is the same for all batches.
Gemm product(const View& a, const View& b, const View& out) {
  Dims shape = b.shape;
  if (a.shape.size() > shape.size()) {
    shape = Dims{a.shape[0]};
    for (const std::int64_t extent : b.shape) shape.push_back(extent);
  }
  Gemm gemm;
  gemm.a = a;
  gemm.b = broadcast_view(b, shape);
  gemm.out = out;
  return gemm;
}

/// A product of numbers of 8 bits.
void launch_scaled_product(Plan& plan, const View& a, const PlainOperand& b,
                           const TensorArgument& row_scales, const TensorArgument& column_scales,
                           const View& out) {
  const auto launch = a.dtype == ACL_INT8 ? launch_byte_product : launch_narrow_product;
  launch(plan, a, b, plan.reads(row_scales), plan.reads(column_scales), out);
}

bool is_one_of(std::int64_t value, std::initializer_list<std::int64_t> allowed) {
  return std::find(allowed.begin(), allowed.end(), value) != allowed.end();
}

/// What quantised weights and, beyond the first, tokens are.
enum WeightMode : std::int64_t { kOneOfBytes = 1, kBytes, kBlocks, kFloats, kHifloats };

/// What is quantised, by the modes of the newest version: the element types go with it.
struct Scenario {
  std::int64_t weights;
  std::int64_t caches;  // 1: with one scale, and queries with one of their own, 2: of a channel
  aclDataType tokens, up, latent, keys, query;

  bool has(const MlaPrologV3WeightNzParameters& given) const {
    return given.tokenX.dtype() == tokens && given.weightDq.dtype() == tokens &&
           given.weightDkvKr.dtype() == tokens && given.weightUqQr.dtype() == up &&
           given.kvCacheRef.dtype() == latent && given.krCacheRef.dtype() == keys &&
           given.queryOut.dtype() == query;
  }
  bool has_numbers() const { return weights >= kOneOfBytes; }
  bool all_numbers() const { return weights >= kBytes; }
  bool is_narrow() const { return weights >= kBlocks; }
  bool has_byte_queries() const { return caches == 1; }
  /// The type of small queries, which are normalised.
  aclDataType number() const { return up; }
  /// Of the 950 alone, before CANN 9.0 without hifloat8.
  bool is_here() const {
    return !is_narrow() || (on_950() && (up != ACL_HIFLOAT8 || behaves(Behaviour::kProjectsAll)));
  }
};

/// Older versions have no modes: types say what is quantised.
enum class ModeSource { kGiven, kTypes };

constexpr std::int64_t kTiles = 3;  // of a cache with a scale for each

/// Of tokens of 8 bits.
constexpr Scenario scenario(std::int64_t weights, std::int64_t caches, aclDataType number) {
  return {weights,
          caches,
          number,
          number,
          caches > 0 ? number : ACL_BF16,
          ACL_BF16,
          caches == 1 ? number : ACL_BF16};
}

constexpr Scenario kScenarios[] = {
    {0, 0, ACL_BF16, ACL_BF16, ACL_BF16, ACL_BF16, ACL_BF16},
    {kOneOfBytes, 0, ACL_BF16, ACL_INT8, ACL_BF16, ACL_BF16, ACL_BF16},
    {kOneOfBytes, 2, ACL_BF16, ACL_INT8, ACL_INT8, ACL_INT8, ACL_BF16},
    {kOneOfBytes, kTiles, ACL_BF16, ACL_INT8, ACL_INT8, ACL_BF16, ACL_BF16},
    scenario(kBytes, 0, ACL_INT8),
    scenario(kBytes, 1, ACL_INT8),
    scenario(kBytes, kTiles, ACL_INT8),
    scenario(kBlocks, 0, ACL_FLOAT8_E4M3FN),
    scenario(kBlocks, 1, ACL_FLOAT8_E4M3FN),
    scenario(kBlocks, kTiles, ACL_FLOAT8_E4M3FN),
    scenario(kFloats, 0, ACL_FLOAT8_E4M3FN),
    scenario(kFloats, 1, ACL_FLOAT8_E4M3FN),
    scenario(kFloats, kTiles, ACL_FLOAT8_E4M3FN),
    scenario(kHifloats, 0, ACL_HIFLOAT8),
    scenario(kHifloats, 1, ACL_HIFLOAT8),
    scenario(kHifloats, kTiles, ACL_HIFLOAT8),
};

/// The 950 had blocks of floats before it had all others.
bool has_weight_mode(std::int64_t mode) {
  if (!on_950()) return mode >= 0 && mode <= kBytes;
  return behaves(Behaviour::kProjectsAll) ? mode >= 0 && mode <= kHifloats
                                          : mode == 0 || mode == kBlocks;
}

void check_modes(const Plan& plan, const MlaPrologV3WeightNzParameters& given) {
  check_tiling(plan, has_weight_mode(given.weightQuantMode), "weightQuantMode is %lld",
               ll(given.weightQuantMode));
  check_tiling(plan, given.kvCacheQuantMode >= 0 && given.kvCacheQuantMode <= 3,
               "kvCacheQuantMode is %lld", ll(given.kvCacheQuantMode));
  check_tiling(plan, given.queryQuantMode == 0 || given.queryQuantMode == 1,
               "queryQuantMode is %lld", ll(given.queryQuantMode));
  for (const std::int64_t mode : {given.ckvkrRepoMode, given.quantScaleRepoMode})
    check_tiling(plan, mode == 0 || mode == 1, "ckvkrRepoMode is %lld and quantScaleRepoMode %lld",
                 ll(given.ckvkrRepoMode), ll(given.quantScaleRepoMode));
  check_tiling(plan, given.tileSize == 128, "tileSize is %lld", ll(given.tileSize));
}

/// 161002 for types that no kernel has, 561002 for those that do not go with the modes.
const Scenario& scenario_of(const Check& check, const Plan& plan,
                            const MlaPrologV3WeightNzParameters& given, ModeSource source) {
  const bool by_type = source == ModeSource::kTypes;
  if (!by_type) check_modes(plan, given);
  check.dtype_in(DtypeSet{ACL_BF16}, given.weightUk, given.rmsnormGammaCq, given.rmsnormGammaCkv,
                 given.ropeSin, given.ropeCos, given.queryRopeOut);
  const Scenario* found = nullptr;
  bool is_known = false;
  for (const Scenario& scenario : kScenarios) {
    const bool has_types =
        scenario.has(given) && !(by_type && scenario.caches == kTiles) && scenario.is_here();
    is_known = is_known || has_types;
    if (has_types && (by_type ? !scenario.is_narrow()
                              : (scenario.weights == given.weightQuantMode &&
                                 scenario.caches == given.kvCacheQuantMode)))
      found = &scenario;
  }
  check.that(is_known, "the types of tokens, weights, caches and queries do not go together");
  check_tiling(plan, found != nullptr,
               "weightQuantMode is %lld and kvCacheQuantMode %lld, the types are those of others",
               ll(given.weightQuantMode), ll(given.kvCacheQuantMode));
  const bool in_tiles = found->caches == kTiles;
  for (const std::int64_t mode : {given.ckvkrRepoMode, given.quantScaleRepoMode})
    check_tiling(plan, mode == std::int64_t(in_tiles),
                 "ckvkrRepoMode is %lld and quantScaleRepoMode %lld, they must be %d",
                 ll(given.ckvkrRepoMode), ll(given.quantScaleRepoMode), int(in_tiles));
  check_tiling(plan, by_type || found->has_byte_queries() == (given.queryQuantMode == 1),
               "queryQuantMode is %lld, it goes with a kvCacheQuantMode of 1",
               ll(given.queryQuantMode));
  return *found;
}

/// Those in FRACTAL_NZ, as lines and columns.
struct Weights {
  TensorArgument down, up, latent;
};

Sizes check_sizes(Plan& plan, const MlaPrologV3WeightNzParameters& given, const Weights& weights) {
  const Dims& x = given.tokenX.shape();
  check_tiling(plan, x.size() == 2 || x.size() == 3, "tokenX has shape %s", x.text().c_str());
  check_rank(plan, weights.down, 2);
  check_rank(plan, given.weightUk, 3);
  Sizes sizes;
  sizes.batch = x.size() == 3 ? x[0] : 0;
  sizes.length = x.size() == 3 ? x[1] : 0;
  sizes.tokens = x.size() == 3 ? Dims{x[0], x[1]}.product() : x[0];
  sizes.hidden = x[x.size() - 1];
  sizes.rank = weights.down.shape()[1];
  sizes.heads = given.weightUk.shape()[0];
  sizes.depth = given.weightUk.shape()[1];
  check_tiling(plan, sizes.batch <= 65536, "tokenX has %lld sequences", ll(sizes.batch));
  check_tiling(plan,
               sizes.hidden == 7680 ||
                   (sizes.hidden % 1024 == 0 && sizes.hidden > 0 && sizes.hidden <= 8192),
               "tokenX has %lld values a token", ll(sizes.hidden));
  check_tiling(plan, is_one_of(sizes.heads, {1, 2, 4, 8, 16, 32, 64, 128}), "there are %lld heads",
               ll(sizes.heads));
  check_tiling(plan, sizes.rank == 1536 || sizes.rank == 2048, "weightDq has %lld columns",
               ll(sizes.rank));
  check_tiling(plan, sizes.depth == 128 || sizes.depth == 192, "weightUk has shape %s",
               given.weightUk.shape().text().c_str());
  check_shape(plan, weights.down, {sizes.hidden, sizes.rank});
  check_shape(plan, weights.up, {sizes.rank, sizes.heads * (sizes.depth + kTurned)});
  check_shape(plan, given.weightUk, {sizes.heads, sizes.depth, kLatent});
  check_shape(plan, weights.latent, {sizes.hidden, kLatent + kTurned});
  check_shape(plan, given.rmsnormGammaCq, {sizes.rank});
  check_shape(plan, given.rmsnormGammaCkv, {kLatent});
  check_shape(plan, given.ropeSin, any_of(sizes, {kTurned}));
  check_shape(plan, given.ropeCos, any_of(sizes, {kTurned}));
  check_shape(plan, given.queryOut, any_of(sizes, {sizes.heads, kLatent}));
  check_shape(plan, given.queryRopeOut, any_of(sizes, {sizes.heads, kTurned}));
  check_shape(plan, given.queryNormOutOptional, any_of(sizes, {sizes.rank}));
  return sizes;
}

/// Each scale is there where something is quantised with it, and only there.
void check_scales(const Plan& plan, const MlaPrologV3WeightNzParameters& given, const Sizes& sizes,
                  ModeSource source, const Scenario& scenario) {
  const bool by_type = source == ModeSource::kTypes;
  const bool has_numbers = scenario.has_numbers(), all_numbers = scenario.all_numbers();
  const bool in_blocks = scenario.weights == kBlocks;
  const bool by_one = scenario.caches == 1, by_channel = scenario.caches == 2;
  const aclDataType of_products = in_blocks ? ACL_FLOAT8_E8M0 : ACL_FLOAT;
  const auto of_columns = [&](std::int64_t columns, std::int64_t depth) {
    return in_blocks ? Dims{columns, depth / kSharedExponent} : Dims{1, columns};
  };
  const auto of_tokens = [&](std::int64_t depth) {
    return Dims{sizes.tokens, in_blocks ? depth / kSharedExponent : 1};
  };
  const std::int64_t joint = sizes.heads * (sizes.depth + kTurned);
  struct Scale {
    const TensorArgument& tensor;
    bool wanted;
    Dims shape;
    aclDataType dtype = ACL_FLOAT;
  };
  const Scale scales[] = {
      {given.dequantScaleXOptional, all_numbers, of_tokens(sizes.hidden), of_products},
      {given.dequantScaleWDqOptional, all_numbers, of_columns(sizes.rank, sizes.hidden),
       of_products},
      {given.dequantScaleWUqQrOptional, has_numbers, of_columns(joint, sizes.rank), of_products},
      {given.dequantScaleWDkvKrOptional, all_numbers, of_columns(kLatent + kTurned, sizes.hidden),
       of_products},
      {given.quantScaleCkvOptional, by_one || by_channel,
       by_one && !by_type ? Dims{1} : Dims{1, kLatent}},
      {given.quantScaleCkrOptional, by_channel, {1, kTurned}},
      {given.smoothScalesCqOptional,
       has_numbers && !in_blocks && given.smoothScalesCqOptional.given(),
       {1, sizes.rank}},
      {given.kNopeClipAlphaOptional, scenario.caches == kTiles && !scenario.is_narrow(), {1}},
  };
  for (const Scale& scale : scales) {
    check_tiling(plan, scale.tensor.given() == scale.wanted,
                 scale.wanted ? "%s is null" : "%s is given, and nothing is quantised with it",
                 scale.tensor.name());
    if (!scale.tensor.given()) continue;
    check_type(plan, scale.tensor, DtypeSet{scale.dtype});
    check_shape(plan, scale.tensor, scale.shape);
  }
  const TensorArgument& query = given.dequantScaleQNopeOutOptional;
  check_tiling(plan, query.given() || !by_one, "%s is null", query.name());
  if (by_one) {
    check_type(plan, query, DtypeSet{ACL_FLOAT});
    check_shape(plan, query, {sizes.tokens, sizes.heads, 1});
  } else {
    check_tiling(plan, by_type || !query.given(), "%s is given, and queries are not quantised",
                 query.name());
  }
  const TensorArgument& normal = given.queryNormOutOptional;
  const TensorArgument& step = given.dequantScaleQNormOutOptional;
  check_tiling(plan, step.given() == (has_numbers && normal.given()),
               "%s goes with queryNormOut of 8 bits", step.name());
  check_type(plan, normal, DtypeSet{scenario.number()});
  check_type(plan, step, DtypeSet{of_products});
  check_shape(plan, step, of_tokens(sizes.rank));
}

/// Caches and the index go together; returns where the rows of each cache lie.
std::vector<View> check_caches(Plan& plan, const MlaPrologV3WeightNzParameters& given,
                               const Sizes& sizes, const CachePlaces& places, bool in_tiles,
                               SlotFinder& find) {
  std::vector<View> rows;
  const TensorArgument* caches[] = {&given.kvCacheRef, &given.krCacheRef};
  const std::int64_t widths[] = {
      in_tiles ? LatentTiles{kLatent, kTurned, ACL_INT8, 1}.bytes() : kLatent, kTurned};
  if (in_tiles) {
    check_tiling(plan, given.krCacheRef.is_empty(), "krCache has shape %s, it must be empty",
                 given.krCacheRef.shape().text().c_str());
    check_tiling(plan, !places.in_fractals && !places.names_blocks,
                 "cacheMode has fractals or blocks, which caches in tiles have not");
  }
  for (std::size_t i = 0; i < (in_tiles ? 1 : 2); ++i) {
    const Dims& shape = caches[i]->shape();
    if (!places.has_pages) {
      check_shape(plan, *caches[i], any_of(sizes, {1, widths[i]}));
      View view = plan.writes(*caches[i]);
      if (sizes.batch == 0) {
        view.shape = {1, sizes.tokens, 1, widths[i]};
        view.strides = {0, view.strides[0], 0, view.strides[2]};
      }
      rows.push_back(block_rows(plan, view, BlockLayout::kTokens, view.shape[1], 1, widths[i]));
      continue;
    }
    check_rank(plan, *caches[i], 4);
    find.block = shape[1];
    check_tiling(plan, find.block >= 16 && find.block <= 1024 && find.block % 16 == 0,
                 "%s has blocks of %lld tokens", caches[i]->name(), ll(find.block));
    check_shape(plan, *caches[i],
                {given.kvCacheRef.shape()[0], given.kvCacheRef.shape()[1], 1, widths[i]});
    View view = plan.writes(*caches[i]);
    if (places.in_fractals) {
      // Whatever the shape says, in memory without holes.
      check_tiling(plan, view.strides == contiguous_strides(shape), "%s is not contiguous",
                   caches[i]->name());
      const std::int64_t lane = fractal_lane(view.dtype);
      view.shape = {shape[0], widths[i] / lane, find.block, lane};
      view.strides = contiguous_strides(view.shape);
    }
    rows.push_back(block_rows(plan, view, places.layout(), find.block, 1, widths[i]));
  }
  const TensorArgument& index = given.cacheIndexOptional;
  const TensorArgument& ends = given.actualSeqLenOptional;
  check_tiling(plan, index.given() == places.has_pages, "cacheIndex goes with pages alone");
  if (!index.given()) return rows;
  check_type(plan, index, DtypeSet{ACL_INT64});
  if (!places.names_blocks) {
    check_shape(plan, index, any_of(sizes, {}));
  } else if (sizes.batch > 0) {
    check_shape(plan, index, {sizes.batch, (sizes.length + find.block - 1) / find.block});
  } else {
    check_rank(plan, index, 1);
    check_tiling(plan, ends.given(), "actualSeqLen is null");
    check_type(plan, ends, DtypeSet{ACL_INT32});
    check_rank(plan, ends, 1);
    find.ends = plan.reads(ends);
  }
  find.index = plan.reads(index);
  return rows;
}

void plan_prolog(const Check& check, Plan& plan, const MlaPrologV3WeightNzParameters& given,
                 ModeSource source) {
  needs_kernel(plan, on_a2_or_a3() || on_950());
  const Scenario& scenario = scenario_of(check, plan, given, source);
  const bool has_numbers = scenario.has_numbers(), all_numbers = scenario.all_numbers();
  const bool byte_queries = scenario.has_byte_queries();
  for (const TensorArgument* weight : {&given.weightDq, &given.weightUqQr, &given.weightDkvKr})
    check_tiling(plan, is_nz(weight->meta().format), "%s must be in FRACTAL_NZ", weight->name());
  const Weights weights{as_lines(plan, given.weightDq), as_lines(plan, given.weightUqQr),
                        as_lines(plan, given.weightDkvKr)};
  const Sizes sizes = check_sizes(plan, given, weights);
  check_scales(plan, given, sizes, source, scenario);
  const CachePlaces places = places_of(plan, given.cacheModeOptional, sizes);
  SlotFinder find{sizes, places, 1, std::nullopt, std::nullopt};
  const bool in_tiles = scenario.caches == kTiles;
  const std::vector<View> caches = check_caches(plan, given, sizes, places, in_tiles, find);
  if (sizes.tokens == 0) return;

  const PlainOperand down(plan, weights.down);
  const PlainOperand up(plan, weights.up);
  const PlainOperand latent(plan, weights.latent);
  const std::int64_t width = sizes.depth + kTurned;
  const auto room = [&](const char* name, aclDataType dtype,
                        std::initializer_list<std::int64_t> more) {
    return plan.scratch(name, dtype, any_of(sizes, more));
  };
  const auto whole = [&](const TensorArgument& tensor) {
    return tensor.given() ? PackedOperand(plan.reads(tensor)) : PackedOperand();
  };
  // Products of 8 bits leave their sums, which are restored in float32, as they are.
  const aclDataType first = all_numbers ? ACL_FLOAT : ACL_BF16;
  const aclDataType second = has_numbers ? ACL_FLOAT : ACL_BF16;
  const TensorArgument small = room("cq", first, {sizes.rank});
  const TensorArgument normal = room("normal cq", scenario.number(), {sizes.rank});
  const TensorArgument joint = room("query", second, {sizes.heads, width});
  const TensorArgument both = room("latent and key", first, {kLatent + kTurned});
  const TensorArgument keys = room("latent", scenario.caches > 0 ? ACL_FLOAT : ACL_BF16, {kLatent});
  const TensorArgument turned = room("key", ACL_BF16, {kTurned});

  plan.stage(given.tokenX).contiguous();
  const View x = in_batches(plan.reads(given.tokenX), sizes);
  const View cos = plan.reads(given.ropeCos);
  const View sin = plan.reads(given.ropeSin);
  const View gamma = plan.reads(given.rmsnormGammaCq);
  const auto of_tokens = [&](const PlainOperand& weight, const TensorArgument& scale,
                             const TensorArgument& out) {
    if (all_numbers)
      launch_scaled_product(plan, x, weight, given.dequantScaleXOptional, scale, plan.writes(out));
    else
      launch_gemm(plan, product(x, weight.view(), in_batches(plan.writes(out), sizes)), weight);
  };
  of_tokens(down, given.dequantScaleWDqOptional, small);
  View all = plan.writes(joint);  // of all heads, behind one another
  all.shape = any_of(sizes, {sizes.heads * width});
  all.strides = contiguous_strides(all.shape);
  View heads = columns_of(plan.reads(joint), 0, sizes.depth);
  if (has_numbers) {
    const bool is_asked = given.queryNormOutOptional.given();
    const bool in_blocks = scenario.weights == kBlocks;
    const TensorArgument step =
        plan.scratch("step of cq", in_blocks ? ACL_FLOAT8_E8M0 : ACL_FLOAT,
                     {sizes.tokens, in_blocks ? sizes.rank / kSharedExponent : 1});
    const TensorArgument& numbers = is_asked ? given.queryNormOutOptional : normal;
    const TensorArgument& steps = is_asked ? given.dequantScaleQNormOutOptional : step;
    const NormToBytes norm{gamma, whole(given.smoothScalesCqOptional), given.rmsnormEpsilonCq,
                           given.qcQrScale};
    launch_norm_to_bytes(plan, plan.reads(small), norm, plan.writes(numbers), plan.writes(steps));
    launch_scaled_product(plan, plan.reads(numbers), up, steps, given.dequantScaleWUqQrOptional,
                          all);
    const TensorArgument rounded = room("rounded query", ACL_BF16, {sizes.heads, sizes.depth});
    launch_stored(plan, heads, plan.writes(rounded));
    heads = plan.reads(rounded);
  } else {
    launch_norm(plan, plan.reads(small), gamma, plan.writes(normal), given.rmsnormEpsilonCq,
                given.qcQrScale);
    if (given.queryNormOutOptional.given())
      launch_norm(plan, plan.reads(small), gamma, plan.writes(given.queryNormOutOptional),
                  given.rmsnormEpsilonCq, given.qcQrScale);
    launch_gemm(plan,
                product(in_batches(plan.reads(normal), sizes), up.view(), in_batches(all, sizes)),
                up);
  }
  const View turning = columns_of(plan.reads(joint), sizes.depth, kTurned);
  const auto absorb = [&](const TensorArgument& out) {
    launch_gemm(plan, product(in_heads(heads, sizes), plan.reads(given.weightUk),
                              in_heads(plan.writes(out), sizes)));
  };
  if (byte_queries) {
    const TensorArgument wide = room("wide query", ACL_BF16, {sizes.heads, kLatent});
    const TensorArgument rope = room("turned query", ACL_BF16, {sizes.heads, kTurned});
    absorb(wide);
    launch_bytes(plan, plan.reads(wide), plan.writes(given.queryOut),
                 plan.writes(given.dequantScaleQNopeOutOptional));
    launch_turn(plan, turning, cos, sin, plan.writes(rope));
    launch_rescaled(plan, plan.reads(rope), plan.reads(given.quantScaleCkvOptional),
                    plan.reads(given.dequantScaleQNopeOutOptional),
                    plan.writes(given.queryRopeOut));
  } else {
    absorb(given.queryOut);
    launch_turn(plan, turning, cos, sin, plan.writes(given.queryRopeOut));
  }

  of_tokens(latent, given.dequantScaleWDkvKrOptional, both);
  launch_norm(plan, columns_of(plan.reads(both), 0, kLatent), plan.reads(given.rmsnormGammaCkv),
              plan.writes(keys), given.rmsnormEpsilonCkv, given.kcScale);
  launch_turn(plan, columns_of(plan.reads(both), kLatent, kTurned), cos, sin, plan.writes(turned));
  if (in_tiles)
    return launch_tiles(plan, plan.reads(keys), plan.reads(turned), caches[0], find,
                        whole(given.kNopeClipAlphaOptional));
  PackedOperand factors = whole(given.quantScaleCkvOptional);
  if (byte_queries) {
    // Of older versions' row of scales, kernels read the first.
    View one = plan.reads(given.quantScaleCkvOptional);
    one.shape = Dims{1};
    one.strides = Dims{1};
    factors = PackedOperand(one);
  }
  launch_cache(plan, plan.reads(keys), caches[0], find, factors);
  launch_cache(plan, plan.reads(turned), caches[1], find, whole(given.quantScaleCkrOptional));
}

}  // namespace

void mla_prolog(const Check& check, Plan& plan, const MlaPrologV3WeightNzParameters& given) {
  plan_prolog(check, plan, given, ModeSource::kGiven);
}

void mla_prolog_by_types(const Check& check, Plan& plan,
                         const MlaPrologV3WeightNzParameters& given) {
  plan_prolog(check, plan, given, ModeSource::kTypes);
}

}  // namespace pyaclnn::sim
