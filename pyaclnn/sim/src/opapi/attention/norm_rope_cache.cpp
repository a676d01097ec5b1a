// RMS normalisation and rotary embedding of new keys and values, on their way into a cache.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/checked.hpp"
#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/attention/block_cache.hpp"
#include "opapi/attention/rotation.hpp"
#include "opapi/attention/shapes.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/integers.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/stored_rows.hpp"
#include "opapi/norm/one_row.hpp"
#include "parameters/KvRmsNormRopeCacheV2.hpp"
#include "parameters/QkvRmsNormRopeCache.hpp"

namespace pyaclnn::sim {
namespace {

void check_not_empty(const Plan& plan, std::initializer_list<const TensorArgument*> tensors) {
  for (const TensorArgument* tensor : tensors)
    if (tensor->given())
      check_tiling(plan, !tensor->is_empty(), "%s is empty: %s", tensor->name(),
                   tensor->shape().text().c_str());
}

/// The floats of a view of few elements.
std::vector<float> floats_of(const StoredRows& rows, const KernelMemory& memory) {
  std::vector<float> values(std::size_t(rows.count() * rows.length()));
  for (std::int64_t i = 0; i < rows.count(); ++i)
    rows.load(memory, i, values.data() + i * rows.length());
  return values;
}

/// New rows of a cache, [tokens, heads, depth], and where they go.
struct CachedRows {
  View cache;  // of block_rows()
  std::int64_t heads = 0;
  std::int64_t depth = 0;
  std::optional<StoredRows> scale;  // [heads, depth]
  std::optional<StoredRows> offset;
  bool divides = false;  // by the scale

  /// Rows to slots, quantised; of those that name one slot the last counts.
  void store(const KernelMemory& memory, std::vector<float>& values,
             const std::vector<std::int64_t>& slots) const {
    const BatchedView planes(cache, 2);
    const StoreFn put = storer<float>(cache.dtype, Rounding::kNearestEven);
    std::vector<float> factors;
    std::vector<float> summands;
    if (scale.has_value()) factors = floats_of(*scale, memory);
    if (offset.has_value()) summands = floats_of(*offset, memory);
    const std::int64_t width = heads * depth;
    const std::int64_t count = cache.shape[0] * cache.shape[1];
    for (std::size_t token = 0; token < slots.size(); ++token) {
      const std::int64_t slot = slots[token];
      if (slot < 0 || slot >= count) continue;
      float* row = values.data() + std::int64_t(token) * width;
      for (std::int64_t i = 0; i < width && !factors.empty(); ++i) {
        const float factor = factors[std::size_t(i)];
        row[i] = divides ? row[i] / factor : row[i] * factor;
        if (!summands.empty()) row[i] += summands[std::size_t(i)];
      }
      for (std::int64_t head = 0; head < heads; ++head)
        planes.store(put, row + head * depth, sizeof(float),
                     planes.base(memory) + planes.plane_bytes(slot * heads + head));
    }
  }
};

/// A scale or an offset of each head and column, or fewer that stand for all.
std::optional<StoredRows> spread(Plan& plan, const TensorArgument& tensor, std::int64_t heads,
                                 std::int64_t depth) {
  if (!tensor.given()) return std::nullopt;
  plan.stage(tensor).contiguous();
  return StoredRows(broadcast_view(plan.reads(tensor), Dims{heads, depth}));
}

void check_quantised(const Check& check, const Plan& plan, const TensorArgument& source,
                     const TensorArgument& cache, const TensorArgument& scale,
                     const TensorArgument& offset) {
  if (scale.given()) {
    check.dtype_in(DtypeSet{ACL_FLOAT}, scale);
    const DtypeSet floats =
        on_950() ? DtypeSet{ACL_HIFLOAT8, ACL_FLOAT8_E5M2, ACL_FLOAT8_E4M3FN} : DtypeSet{};
    check.dtype_in(DtypeSet{ACL_INT8} | floats, cache);
  } else {
    check_tiling(plan, !offset.given(), "%s is given, and %s is not", offset.name(), scale.name());
    check.same_dtype(source, cache);
  }
  if (offset.given()) {
    check.dtype_in(DtypeSet{ACL_FLOAT}, offset);
    check_tiling(plan, offset.shape() == scale.shape(), "%s has shape %s, %s has %s", offset.name(),
                 offset.shape().text().c_str(), scale.name(), scale.shape().text().c_str());
  }
}

enum class CacheMode { kNorm, kPages, kFractals, kBlocks, kBlocksOfFractals };

CacheMode mode_of(const Plan& plan, const Text& text) {
  const std::string name = text.given() ? text.text : "Norm";
  if (name == "Norm") return CacheMode::kNorm;
  if (name == "PA" || name == "PA_BNSD") return CacheMode::kPages;
  if (name == "PA_NZ") return CacheMode::kFractals;
  if (name == "PA_BLK_BNSD") return CacheMode::kBlocks;
  check_tiling(plan, name == "PA_BLK_NZ",
               "%s is %s, it must be Norm, PA, PA_BNSD, PA_NZ, PA_BLK_BNSD or PA_BLK_NZ",
               text.name(), name.c_str());
  return CacheMode::kBlocksOfFractals;
}

struct KvSizes {
  std::int64_t batch;
  std::int64_t heads;
  std::int64_t length;
  std::int64_t key_depth;
  std::int64_t value_depth;
  std::int64_t turned;
  CacheMode mode;

  bool in_blocks() const {
    return mode == CacheMode::kBlocks || mode == CacheMode::kBlocksOfFractals;
  }
  bool in_fractals() const {
    return mode == CacheMode::kFractals || mode == CacheMode::kBlocksOfFractals;
  }
};

KvSizes check_kv(const Check& check, Plan& plan, const KvRmsNormRopeCacheV2Parameters& call) {
  const bool has_v = call.vOptional.given();
  check_kernel_exists(plan, on_a2_or_a3() || (on_950() && !has_v));
  check.dtype_in(DtypeSet{ACL_FLOAT16, ACL_BF16}, call.kv);
  check.same_dtype(call.kv, call.gamma, call.cos, call.sin, call.kRopeOut, call.cKvOut);
  check.dtype_in(DtypeSet{ACL_INT64}, call.index);
  if (has_v) check.same_dtype(call.kv, call.vOptional);
  check_quantised(check, plan, call.kv, call.kCacheRef, call.kRopeScaleOptional,
                  call.kRopeOffsetOptional);
  check_quantised(check, plan, call.kv, call.ckvCacheRef, call.cKvScaleOptional,
                  call.cKvOffsetOptional);
  if (call.kRopeScaleOptional.given() && call.cKvScaleOptional.given())
    check.same_dtype(call.kCacheRef, call.ckvCacheRef);
  for (const TensorArgument* tensor :
       {&call.kv, &call.cos, &call.sin, &call.kCacheRef, &call.ckvCacheRef})
    check_tiling(plan, tensor->rank() == 4, "%s has %zu dimensions, it must have 4", tensor->name(),
                 tensor->rank());
  check_not_empty(plan, {&call.kv, &call.gamma, &call.cos, &call.sin, &call.index, &call.kCacheRef,
                         &call.ckvCacheRef, &call.kRopeScaleOptional, &call.cKvScaleOptional});
  check_tiling(plan, call.gamma.rank() == 1, "gamma has %zu dimensions, it must have 1",
               call.gamma.rank());
  const Dims& kv = call.kv.shape();
  const Dims& cos = call.cos.shape();
  KvSizes sizes{kv[0], kv[1], kv[2], cos[3], call.gamma.shape()[0], cos[3], CacheMode::kNorm};
  const std::int64_t heads = sizes.heads;
  if (has_v) {
    check_tiling(plan, heads == 1 || heads == 2 || heads == 4 || heads == 8,
                 "kv has %lld heads, it must have 1, 2, 4 or 8 where v is given", ll(heads));
    sizes.key_depth = kv[3];
    sizes.value_depth = call.vOptional.shape()[3];
    check_shape(plan, call.vOptional, Dims{kv[0], kv[1], kv[2], 128});
    check_tiling(plan, kv[3] == 192 && call.gamma.shape()[0] == 192 && cos[3] == 64,
                 "kv has %lld values a row, gamma %lld and cos %lld: they must be 192, 192 and 64",
                 ll(kv[3]), ll(call.gamma.shape()[0]), ll(cos[3]));
  } else {
    check_tiling(plan, heads == 1, "kv has %lld heads, it must have one", ll(heads));
    const auto depth = Checked(sizes.key_depth) + sizes.value_depth;
    check_tiling(plan, depth == kv[3] && sizes.key_depth % 2 == 0,
                 "kv has %lld values a row, gamma %lld and cos %lld", ll(kv[3]),
                 ll(sizes.value_depth), ll(sizes.key_depth));
    check_tiling(plan, on_950() || (sizes.key_depth == 64 && sizes.value_depth == 512),
                 "cos has %lld values a row and gamma %lld: they must be 64 and 512",
                 ll(sizes.key_depth), ll(sizes.value_depth));
  }
  check_tiling(plan, cos == call.sin.shape(), "cos has shape %s, sin has %s", cos.text().c_str(),
               call.sin.shape().text().c_str());
  check_tiling(plan,
               cos[0] == kv[0] && (cos[1] == 1 || cos[1] == heads) &&
                   (cos[2] == 1 || cos[2] == sizes.length),
               "cos has shape %s, which does not go with kv of shape %s", cos.text().c_str(),
               kv.text().c_str());
  sizes.mode = mode_of(plan, call.cacheModeOptional);
  return sizes;
}

void check_caches(const Plan& plan, const KvRmsNormRopeCacheV2Parameters& call,
                  const KvSizes& sizes, bool has_v) {
  const bool is_norm = sizes.mode == CacheMode::kNorm;
  const bool is_quantised = call.kRopeScaleOptional.given() || call.cKvScaleOptional.given();
  check_tiling(plan, !is_norm || on_950() || has_v || !is_quantised,
               "cacheMode is Norm, whose caches are not quantised");
  check_tiling(plan,
               on_950() || call.cos.shape()[2] == sizes.length || is_norm ||
                   (sizes.mode == CacheMode::kPages && !is_quantised),
               "cos has shape %s, it must have %lld positions", call.cos.shape().text().c_str(),
               ll(sizes.length));
  struct Part {
    const TensorArgument& cache;
    const TensorArgument& scale;
    std::int64_t depth;
  };
  for (const Part& part : {Part{call.kCacheRef, call.kRopeScaleOptional, sizes.key_depth},
                           Part{call.ckvCacheRef, call.cKvScaleOptional, sizes.value_depth}}) {
    const Dims& shape = part.cache.shape();
    if (is_norm) {
      check_shape(plan, part.cache, Dims{sizes.batch, sizes.heads, shape[2], part.depth});
    } else {
      check_shape(plan, part.cache, Dims{shape[0], shape[1], sizes.heads, part.depth});
      const std::int64_t lane = fractal_lane(part.cache.dtype());
      check_tiling(plan, shape[1] % lane == 0 && (!sizes.in_fractals() || part.depth % lane == 0),
                   "%s has blocks of %lld tokens and %lld values, they must be multiples of %lld",
                   part.cache.name(), ll(shape[1]), ll(part.depth), ll(lane));
    }
    if (!part.scale.given()) continue;
    const Dims& scale = part.scale.shape();
    const bool is_row = scale == Dims{part.depth} || scale == Dims{1, part.depth};
    check_tiling(
        plan,
        has_v ? scale == Dims({sizes.heads, part.depth}) : is_row || (on_950() && scale == Dims{1}),
        "%s has shape %s, it must be %s", part.scale.name(), scale.text().c_str(),
        Dims({sizes.heads, part.depth}).text().c_str());
  }
  const std::int64_t pages =
      sizes.in_blocks() ? (sizes.length + call.kCacheRef.shape()[1] - 1) / call.kCacheRef.shape()[1]
                        : sizes.length;
  check_tiling(plan, call.index.elements() == sizes.batch * pages,
               "index has %lld elements, it must have %lld", ll(call.index.elements()),
               ll(sizes.batch * pages));
  check_tiling(plan, call.ckvCacheRef.shape()[0] == call.kCacheRef.shape()[0] || is_norm,
               "kCacheRef has %lld blocks, ckvCacheRef %lld", ll(call.kCacheRef.shape()[0]),
               ll(call.ckvCacheRef.shape()[0]));
}

/// The slot of each token, [batch, length], or -1.
std::vector<std::int64_t> slots_of(const KvSizes& sizes, const std::vector<std::int64_t>& index,
                                   std::int64_t block) {
  std::vector<std::int64_t> slots;
  const std::int64_t pages = (sizes.length + block - 1) / block;
  for (std::int64_t b = 0; b < sizes.batch; ++b) {
    for (std::int64_t s = 0; s < sizes.length; ++s) {
      const std::int64_t at =
          index[std::size_t(sizes.in_blocks() ? b * pages + s / block : b * sizes.length + s)];
      std::int64_t slot = at < 0 ? -1 : at;
      if (slot >= 0 && sizes.mode == CacheMode::kNorm) slot = at < block ? b * block + at : -1;
      if (slot >= 0 && sizes.in_blocks()) slot = at / block * block + s % block;
      slots.push_back(slot);
    }
  }
  return slots;
}

}  // namespace

/// kv is [batch, heads, length, depth]. Without vOptional, the first values of a row are
/// normalised, and are values, the last are turned, and are keys. With it, all are normalised, the
/// first of them turned, and are keys.
void kv_rms_norm_rope_cache(const Check& check, Plan& plan,
                            const KvRmsNormRopeCacheV2Parameters& call) {
  const bool has_v = call.vOptional.given();
  const KvSizes sizes = check_kv(check, plan, call);
  check_caches(plan, call, sizes, has_v);
  const bool is_norm = sizes.mode == CacheMode::kNorm;
  const bool is_quantised = call.kRopeScaleOptional.given() || call.cKvScaleOptional.given();
  const bool gives_rows = call.isOutputKv && (!is_norm || (has_v && is_quantised));
  if (gives_rows) {
    check_shape(plan, call.kRopeOut, Dims{sizes.batch, sizes.heads, sizes.length, sizes.key_depth});
    check_shape(plan, call.cKvOut, Dims{sizes.batch, sizes.heads, sizes.length, sizes.value_depth});
  }
  for (const TensorArgument* tensor : {&call.kv, &call.gamma, &call.cos, &call.sin, &call.index})
    plan.stage(*tensor).contiguous();

  const BlockLayout layout = is_norm               ? BlockLayout::kHeads
                             : sizes.in_fractals() ? BlockLayout::kFractals
                                                   : BlockLayout::kTokens;
  // Atlas A2 and A3 do not look at the offsets of joint keys and values.
  const bool has_offsets = has_v || on_950();
  const auto part = [&](const TensorArgument& cache, const TensorArgument& scale,
                        const TensorArgument& offset, std::int64_t depth) {
    plan.result(cache.dtype(), cache.shape()).copy_to(cache);
    const std::int64_t tokens = cache.shape()[is_norm ? 2 : 1];
    CachedRows rows{block_rows(plan, plan.writes(cache), layout, tokens, sizes.heads, depth),
                    sizes.heads,
                    depth,
                    {},
                    {},
                    false};
    rows.scale = spread(plan, scale, sizes.heads, depth);
    rows.offset = spread(plan, offset, sizes.heads, depth);
    if (!has_offsets) rows.offset.reset();
    return rows;
  };
  CachedRows keys =
      part(call.kCacheRef, call.kRopeScaleOptional, call.kRopeOffsetOptional, sizes.key_depth);
  CachedRows values =
      part(call.ckvCacheRef, call.cKvScaleOptional, call.cKvOffsetOptional, sizes.value_depth);
  const auto wanted = [&](const TensorArgument& out) {
    if (!gives_rows) return StoredRows();
    plan.result(out.dtype(), out.shape()).copy_to(out);
    return StoredRows(plan.writes(out));
  };
  const Dims shape = call.kv.shape();
  const Dims angles{shape[0], shape[1], shape[2], sizes.turned};
  StoredRows separate;
  if (has_v) {
    plan.stage(call.vOptional).contiguous();
    separate = StoredRows(plan.reads(call.vOptional));
  }
  plan.launch([=, rows = StoredRows(plan.reads(call.kv)),
               gamma = StoredRows(plan.reads(call.gamma)),
               cosines = StoredRows(broadcast_view(plan.reads(call.cos), angles)),
               sines = StoredRows(broadcast_view(plan.reads(call.sin), angles)),
               index = plan.reads(call.index), k_rows = wanted(call.kRopeOut),
               v_rows = wanted(call.cKvOut), eps = float(call.epsilon),
               rotation = Rotation(sizes.turned, kNeighboursToHalves)](const KernelMemory& memory) {
    const std::int64_t tokens = sizes.batch * sizes.length;
    std::vector<float> k(std::size_t(tokens * sizes.heads * sizes.key_depth));
    std::vector<float> v(std::size_t(tokens * sizes.heads * sizes.value_depth));
    const std::int64_t normed = has_v ? sizes.key_depth : sizes.value_depth;
    const OneRowNorm norm(normed, false, eps, floats_of(gamma, memory));
    parallel_for(rows.count(), 16, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> x(static_cast<std::size_t>(rows.length()));
      std::vector<float> cos(static_cast<std::size_t>(sizes.turned));
      std::vector<float> sin(static_cast<std::size_t>(sizes.turned));
      for (std::int64_t row = begin; row < end; ++row) {
        const std::int64_t s = row % sizes.length;
        const std::int64_t n = row / sizes.length % sizes.heads;
        const std::int64_t b = row / sizes.length / sizes.heads;
        const std::int64_t at = (b * sizes.length + s) * sizes.heads + n;
        float* key = k.data() + at * sizes.key_depth;
        float* value = v.data() + at * sizes.value_depth;
        rows.load(memory, row, x.data());
        cosines.load(memory, row, cos.data());
        sines.load(memory, row, sin.data());
        if (has_v) {
          norm.normalise(x.data(), x.data());
          std::copy(x.begin(), x.end(), key);
          rotation.turn(x.data(), cos.data(), sin.data(), key);
          separate.load(memory, row, value);
        } else {
          norm.normalise(x.data(), value);
          rotation.turn(x.data() + normed, cos.data(), sin.data(), key);
        }
        if (!k_rows.given()) continue;
        k_rows.store(memory, row, key);
        v_rows.store(memory, row, value);
      }
    });
    const std::vector<std::int64_t> slots =
        slots_of(sizes, integers_of(index, memory), keys.cache.shape[1]);
    keys.store(memory, k, slots);
    values.store(memory, v, slots);
  });
}

/// Queries and keys are normalised and turned, values are not; keys and values go into fractals.
void qkv_rms_norm_rope_cache(const Check&, Plan& plan, const QkvRmsNormRopeCacheParameters& call) {
  needs_kernel(plan, on_a2_or_a3());
  const Check types = kernel_types(plan);
  types.dtype_in(DtypeSet{ACL_FLOAT16, ACL_BF16}, call.qkv);
  types.same_dtype(call.qkv, call.qGamma, call.kGamma, call.cos, call.sin, call.qOut);
  types.dtype_in(DtypeSet{ACL_INT64}, call.index);
  check_quantised(types, plan, call.qkv, call.kCache, call.kScaleOptional, call.kOffsetOptional);
  check_quantised(types, plan, call.qkv, call.vCache, call.vScaleOptional, call.vOffsetOptional);
  const std::vector<std::int64_t>& sizes = call.qkvSize.values();
  const std::vector<std::int64_t>& parts = call.headNums.values();
  check_tiling(plan, sizes.size() == 4 && parts.size() == 3,
               "qkvSize has %zu elements and headNums %zu, they must have 4 and 3", sizes.size(),
               parts.size());
  constexpr std::int64_t kMost = std::int64_t(1) << 20;
  for (std::int64_t number : {sizes[2], parts[0], parts[1], parts[2]})
    check_tiling(plan, number > 0 && number < kMost, "%lld is no number of heads", ll(number));
  const std::int64_t depth = sizes[3];
  check_tiling(plan, depth == 128, "qkvSize has %lld values in a head, it must have 128",
               ll(depth));
  check_tiling(plan, parts[1] == parts[2] && parts[0] + parts[1] + parts[2] == sizes[2],
               "headNums has %lld, %lld and %lld, which are not the %lld heads of qkvSize",
               ll(parts[0]), ll(parts[1]), ll(parts[2]), ll(sizes[2]));
  check_tiling(plan, call.qkv.rank() == 2 && !call.qkv.is_empty(),
               "qkv has shape %s, it must have 2 dimensions", call.qkv.shape().text().c_str());
  const std::int64_t tokens = call.qkv.shape()[0];
  check_tiling(plan,
               sizes[0] > 0 && tokens % sizes[0] == 0 && tokens / sizes[0] == sizes[1] &&
                   call.qkv.shape()[1] == sizes[2] * depth,
               "qkv has shape %s, which qkvSize does not say", call.qkv.shape().text().c_str());
  for (const TensorArgument* tensor : {&call.qGamma, &call.kGamma})
    check_shape(plan, *tensor, Dims{depth});
  for (const TensorArgument* tensor : {&call.cos, &call.sin})
    check_shape(plan, *tensor, Dims{tokens, depth});
  check_shape(plan, call.index, Dims{tokens});
  check_shape(plan, call.qOut, Dims{tokens, parts[0] * depth});
  check_tiling(plan, call.cacheModeOptional.given() && call.cacheModeOptional.text == "PA_NZ",
               "cacheModeOptional is %s, it must be PA_NZ", call.cacheModeOptional.text.c_str());
  const std::int64_t heads = parts[1];
  for (const TensorArgument* cache : {&call.kCache, &call.vCache}) {
    const std::int64_t lane = fractal_lane(cache->dtype());
    check_tiling(plan, cache->rank() == 4 && !cache->is_empty(),
                 "%s has shape %s, it must have 4 dimensions", cache->name(),
                 cache->shape().text().c_str());
    check_shape(plan, *cache,
                Dims{cache->shape()[0], heads * depth / lane, cache->shape()[2], lane});
    check_tiling(plan, cache->shape()[2] % lane == 0,
                 "%s has blocks of %lld tokens, they must be multiples of %lld", cache->name(),
                 ll(cache->shape()[2]), ll(lane));
  }
  for (const TensorArgument* tensor :
       {&call.kScaleOptional, &call.vScaleOptional, &call.kOffsetOptional, &call.vOffsetOptional})
    if (tensor->given()) check_shape(plan, *tensor, Dims{heads, depth});
  // CANN looks for the first of three alone, and does not write the others without it.
  const bool gives_rows = call.qOutBeforeQuant.given();
  check_inside(plan, !gives_rows || (call.kOutBeforeQuant.given() && call.vOutBeforeQuant.given()),
               "kOutBeforeQuant and vOutBeforeQuant must be given with qOutBeforeQuant");
  for (const TensorArgument* tensor :
       {&call.qkv, &call.qGamma, &call.kGamma, &call.cos, &call.sin, &call.index})
    plan.stage(*tensor).contiguous();

  const auto part = [&](const TensorArgument& cache, const TensorArgument& scale,
                        const TensorArgument& offset) {
    plan.result(cache.dtype(), cache.shape()).copy_to(cache);
    const std::int64_t block = cache.shape()[2];
    CachedRows rows{
        block_rows(plan, plan.writes(cache), BlockLayout::kFractals, block, heads, depth),
        heads,
        depth,
        {},
        {},
        true};
    rows.scale = spread(plan, scale, heads, depth);
    rows.offset = spread(plan, offset, heads, depth);
    return rows;
  };
  CachedRows keys = part(call.kCache, call.kScaleOptional, call.kOffsetOptional);
  CachedRows values = part(call.vCache, call.vScaleOptional, call.vOffsetOptional);
  const auto wanted = [&](const TensorArgument& out, std::int64_t count) {
    if (!gives_rows) return StoredRows();
    plan.result(call.qkv.dtype(), Dims{tokens, count * depth}).copy_to(out);
    return StoredRows(plan.writes(out));
  };
  const StoredRows q_before = wanted(call.qOutBeforeQuant, parts[0]);
  const StoredRows k_before = wanted(call.kOutBeforeQuant, heads);
  const StoredRows v_before = wanted(call.vOutBeforeQuant, heads);
  plan.result(call.qOut.dtype(), call.qOut.shape()).copy_to(call.qOut);
  plan.launch(
      [=, rows = StoredRows(plan.reads(call.qkv)), q_heads = parts[0],
       q_gamma = StoredRows(plan.reads(call.qGamma)), k_gamma = StoredRows(plan.reads(call.kGamma)),
       cosines = StoredRows(plan.reads(call.cos)), sines = StoredRows(plan.reads(call.sin)),
       index = plan.reads(call.index), q_rows = StoredRows(plan.writes(call.qOut)),
       eps = float(call.epsilon), rotation = Rotation(depth, kHalves)](const KernelMemory& memory) {
        const OneRowNorm of_queries(depth, false, eps, floats_of(q_gamma, memory));
        const OneRowNorm of_keys(depth, false, eps, floats_of(k_gamma, memory));
        std::vector<float> k(std::size_t(tokens * heads * depth));
        std::vector<float> v(k.size());
        parallel_for(tokens, 4, [&](std::int64_t begin, std::int64_t end) {
          std::vector<float> x(static_cast<std::size_t>(rows.length()));
          std::vector<float> y(x.size());
          std::vector<float> cos(static_cast<std::size_t>(depth));
          std::vector<float> sin(static_cast<std::size_t>(depth));
          for (std::int64_t token = begin; token < end; ++token) {
            rows.load(memory, token, x.data());
            cosines.load(memory, token, cos.data());
            sines.load(memory, token, sin.data());
            for (std::int64_t head = 0; head < q_heads + heads; ++head) {
              float* from = x.data() + head * depth;
              (head < q_heads ? of_queries : of_keys).normalise(from, from);
              rotation.turn(from, cos.data(), sin.data(), y.data() + head * depth);
            }
            const float* key = y.data() + q_heads * depth;
            const float* value = x.data() + (q_heads + heads) * depth;
            q_rows.store(memory, token, y.data());
            std::copy_n(key, heads * depth, k.data() + token * heads * depth);
            std::copy_n(value, heads * depth, v.data() + token * heads * depth);
            if (!q_before.given()) continue;
            q_before.store(memory, token, y.data());
            k_before.store(memory, token, key);
            v_before.store(memory, token, value);
          }
        });
        const std::vector<std::int64_t> slots = integers_of(index, memory);
        keys.store(memory, k, slots);
        values.store(memory, v, slots);
      });
}

}  // namespace pyaclnn::sim
