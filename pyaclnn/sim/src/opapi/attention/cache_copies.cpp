// Tokens into caches of keys and values that lie in blocks, and back.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/attention/block_cache.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/integers.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/narrow_numbers.hpp"
#include "opapi/common/stored_rows.hpp"
#include "parameters/GatherPaKvCache.hpp"
#include "parameters/ScatterPaCache.hpp"
#include "parameters/ScatterPaKvCache.hpp"

namespace pyaclnn::sim {
namespace {

constexpr DtypeSet kIndices{ACL_INT32, ACL_INT64};
constexpr DtypeSet kOfA2{ACL_FLOAT16, ACL_BF16, ACL_INT8};
constexpr DtypeSet kOf950{ACL_FLOAT16, ACL_FLOAT,         ACL_BF16,        ACL_INT8,
                          ACL_UINT8,   ACL_INT16,         ACL_UINT16,      ACL_INT32,
                          ACL_UINT32,  ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2, ACL_HIFLOAT8};
constexpr DtypeSet kWhole{ACL_INT8, ACL_UINT8, ACL_INT16, ACL_UINT16, ACL_INT32, ACL_UINT32};
constexpr DtypeSet kAnywhere{ACL_FLOAT16, ACL_FLOAT,  ACL_BF16,  ACL_INT8,  ACL_UINT8,
                             ACL_INT16,   ACL_UINT16, ACL_INT32, ACL_UINT32};

constexpr DtypeSet kHalfBytes{ACL_FLOAT4_E1M2, ACL_FLOAT4_E2M1};

DtypeSet cached_types() {
  if (!on_950()) return kOfA2;
  return behaves(Behaviour::kCachesFloat4) ? kOf950 | kHalfBytes : kOf950;
}

/// Floats of 4 bits as bytes of two.
View in_pairs(const Plan& plan, View view) {
  if (!is_float4(view.dtype)) return view;
  const std::size_t last = view.shape.size() - 1;
  bool whole = view.offset % 2 == 0 && view.strides[last] == 1;
  for (std::size_t i = 0; i < last; ++i) whole = whole && view.strides[i] % 2 == 0;
  if (!whole) fail_not_simulated(plan, "floats of 4 bits with gaps");
  view.dtype = ACL_INT8;
  view.offset /= 2;
  view.shape.set(last, view.shape[last] / 2);
  for (std::size_t i = 0; i < last; ++i) view.strides.set(i, view.strides[i] / 2);
  return view;
}

/// Elements as integers of their size: what is copied keeps its bits.
View as_bits(View view) {
  switch (dtype_size(view.dtype)) {
    case 1:
      view.dtype = ACL_INT8;
      break;
    case 2:
      view.dtype = ACL_INT16;
      break;
    default:
      view.dtype = ACL_INT32;
  }
  return view;
}

/// Parts of a view that lie inside its last axes, moved as they are.
class Pieces {
 public:
  Pieces(const View& view, std::size_t axes)
      : planes_(as_bits(view), axes),
        load_(loader<double>(as_bits(view).dtype)),
        store_(storer<double>(as_bits(view).dtype, Rounding::kTruncate)) {}

  std::int64_t count() const { return planes_.count(); }
  std::int64_t size() const { return planes_.size(); }
  void load(const KernelMemory& memory, std::int64_t piece, double* to) const {
    planes_.load(load_, planes_.base(memory) + planes_.plane_bytes(piece), sizeof(double), to);
  }
  void store(const KernelMemory& memory, std::int64_t piece, const double* from) const {
    planes_.store(store_, from, sizeof(double), planes_.base(memory) + planes_.plane_bytes(piece));
  }

 private:
  BatchedView planes_;
  LoadFn load_;
  StoreFn store_;
};

/// Copies pieces of one size; negative numbers on either side, and those beyond, are left out.
void copy_pieces(const Pieces& from, const Pieces& to, const KernelMemory& memory,
                 const std::vector<std::pair<std::int64_t, std::int64_t>>& moves) {
  std::vector<double> piece(static_cast<std::size_t>(from.size()));
  for (const auto& [source, target] : moves) {
    if (source < 0 || source >= from.count() || target < 0 || target >= to.count()) continue;
    from.load(memory, source, piece.data());
    to.store(memory, target, piece.data());
  }
}

enum class Scattering { kTokens, kAlibi, kRope, kOmni };

/// What of the tokens of each head goes into the cache, which has one head.
struct HeadMoves {
  Scattering way = Scattering::kTokens;
  std::int64_t heads = 1;
  std::int64_t padded = 0;  // tokens of each sequence; 0 where they lie behind one another
  View slots;               // [sequences, heads]
  View windows;             // the same: tokens that are left out, or averaged
  std::optional<View> starts;
  View lengths;  // [sequences]
};

/// The mean of so many rows of a head, as the kernel gives it.
void store_mean(const StoredRows& from, const StoredRows& to, const KernelMemory& memory,
                std::int64_t first, std::int64_t count, std::int64_t step, std::int64_t target) {
  if (target < 0 || target >= to.count()) return;
  std::vector<float> row(static_cast<std::size_t>(from.length()));
  std::vector<double> sum(row.size(), 0.0);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t at = first + i * step;
    if (at < 0 || at >= from.count()) continue;
    from.load(memory, at, row.data());
    for (std::size_t k = 0; k < row.size(); ++k) sum[k] += double(row[k]);
  }
  for (std::size_t k = 0; k < row.size(); ++k) row[k] = float(sum[k] / double(count));
  to.store(memory, target, row.data());
}

/// The same of integers, whose sums have 32 bits, and whose quotients lose their fraction.
void store_whole_mean(const Pieces& from, const Pieces& to, aclDataType dtype,
                      const KernelMemory& memory, std::int64_t first, std::int64_t count,
                      std::int64_t step, std::int64_t target) {
  if (target < 0 || target >= to.count()) return;
  const bool is_signed = dtype == ACL_INT8 || dtype == ACL_INT16 || dtype == ACL_INT32;
  const std::size_t bits = 8 * dtype_size(dtype);
  const std::uint32_t mask = bits == 32 ? ~0U : (1U << bits) - 1;
  std::vector<double> row(static_cast<std::size_t>(from.size()));
  std::vector<std::uint32_t> sum(row.size(), 0);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t at = first + i * step;
    if (at < 0 || at >= from.count()) continue;
    from.load(memory, at, row.data());
    for (std::size_t k = 0; k < row.size(); ++k) {
      const auto value = static_cast<std::uint32_t>(static_cast<std::int32_t>(row[k]));
      sum[k] += is_signed ? value : value & mask;
    }
  }
  for (std::size_t k = 0; k < row.size(); ++k) {
    const std::int64_t quotient =
        is_signed ? std::int64_t(std::int32_t(sum[k])) / count : std::int64_t(sum[k]) / count;
    // Pieces are signed.
    const std::uint32_t low = static_cast<std::uint32_t>(quotient) & mask;
    const bool negative = low > mask / 2;
    row[k] = negative ? double(low) - double(mask) - 1 : double(low);
  }
  to.store(memory, target, row.data());
}

/// Rows of a head of a cache, [tokens, depth], from those of tokens, [tokens, heads, depth].
void launch_heads(Plan& plan, const HeadMoves& moves, const View& tokens, const View& cache) {
  const bool is_whole = kWhole.contains(tokens.dtype);
  plan.launch([=, from = Pieces(tokens, 1), to = Pieces(cache, 1), rows = StoredRows(tokens),
               cached = StoredRows(cache)](const KernelMemory& memory) {
    const std::vector<std::int64_t> slots = integers_of(moves.slots, memory);
    const std::vector<std::int64_t> windows = integers_of(moves.windows, memory);
    const std::vector<std::int64_t> lengths = integers_of(moves.lengths, memory);
    std::vector<std::int64_t> starts;
    if (moves.starts.has_value()) starts = integers_of(*moves.starts, memory);
    std::vector<std::pair<std::int64_t, std::int64_t>> copies;
    const std::int64_t most = from.count() / moves.heads;
    std::int64_t first = 0;
    for (std::size_t b = 0; b < lengths.size(); ++b) {
      if (moves.padded > 0) first = std::int64_t(b) * moves.padded;
      const std::int64_t length = std::clamp<std::int64_t>(lengths[b], 0, most - first);
      for (std::int64_t n = 0; n < moves.heads; ++n) {
        const std::size_t task = b * std::size_t(moves.heads) + std::size_t(n);
        if (task >= slots.size() || task >= windows.size()) continue;
        std::int64_t window = std::clamp<std::int64_t>(windows[task], 0, length);
        const auto copy = [&](std::int64_t begin, std::int64_t end, std::int64_t slot) {
          for (std::int64_t i = begin; i < end; ++i)
            copies.emplace_back((first + i) * moves.heads + n, slot + i - begin);
        };
        if (moves.way == Scattering::kAlibi) {
          copy(length - window, length, slots[task]);
          continue;
        }
        std::int64_t start = task < starts.size() ? starts[task] : -1;
        if (start < 0 || start > length || window == 0) {
          start = length;
          window = 0;
        }
        window = std::min(window, length - start);
        copy(0, start, slots[task]);
        const bool has_mean = moves.way == Scattering::kRope && window > 0;
        const std::int64_t of_mean = (first + start) * moves.heads + n;
        if (has_mean && is_whole)
          store_whole_mean(from, to, tokens.dtype, memory, of_mean, window, moves.heads,
                           slots[task] + start);
        else if (has_mean)
          store_mean(rows, cached, memory, of_mean, window, moves.heads, slots[task] + start);
        if (window > 0) copy(start + window, length, slots[task] + start + (has_mean ? 1 : 0));
      }
      first += length;
    }
    copy_pieces(from, to, memory, copies);
  });
}

/// All heads of each token to its slot.
void launch_tokens(Plan& plan, const View& tokens, const View& cache, const View& slots) {
  plan.launch([=, from = Pieces(tokens, 2), to = Pieces(cache, 3)](const KernelMemory& memory) {
    const std::vector<std::int64_t> at = integers_of(slots, memory);
    std::vector<std::pair<std::int64_t, std::int64_t>> copies;
    for (std::size_t i = 0; i < at.size(); ++i) copies.emplace_back(std::int64_t(i), at[i]);
    copy_pieces(from, to, memory, copies);
  });
}

void check_fits(const Plan& plan, bool holds, const TensorArgument& tokens,
                const TensorArgument& cache) {
  check_tiling(plan, holds, "%s has shape %s, which does not go with %s of shape %s", cache.name(),
               cache.shape().text().c_str(), tokens.name(), tokens.shape().text().c_str());
}

/// A cache in fractals of [heads, depth] of tokens, in 4 or 5 dimensions.
View fractals_of(Plan& plan, const TensorArgument& tokens, const TensorArgument& cache) {
  const Dims& shape = cache.shape();
  const std::int64_t lane = fractal_lane(cache.dtype());
  const std::int64_t heads = tokens.shape()[1];
  const std::int64_t depth = tokens.shape()[2];
  const bool is_flat = shape == Dims{shape[0], heads * depth / lane, shape[2], lane};
  const bool is_deep = shape == Dims{shape[0], heads, depth / lane, shape[3], lane};
  check_fits(plan, depth % lane == 0 && (is_flat || is_deep), tokens, cache);
  const std::int64_t block = shape[is_flat ? 2 : 3];
  check_tiling(plan, block < 65535, "%s has blocks of %lld tokens, at most 65534 are allowed",
               cache.name(), static_cast<long long>(block));
  return block_rows(plan, plan.writes(cache), BlockLayout::kFractals, block, heads, depth);
}

/// How many elements lie from the start of a token to that of the next, and before the first.
struct Spread {
  std::int64_t stride;
  std::int64_t offset;
};

/// Tokens whose heads lie behind one another, but not the tokens, wherever their tensor says it
/// ends. What is read is checked as of any other tensor.
View spread_tokens(Plan& plan, const TensorArgument& tokens, const Spread& spread) {
  const Dims& shape = tokens.shape();
  check_tiling(plan, spread.stride >= 0 && spread.offset >= 0,
               "%s has a stride of %lld and an offset of %lld, they must not be negative",
               tokens.name(), static_cast<long long>(spread.stride),
               static_cast<long long>(spread.offset));
  if (!tokens.meta().is_contiguous())
    fail_not_simulated(plan, "scatterModeOptional Nct of a strided view");
  std::int64_t end = 0;
  const bool fits = !__builtin_mul_overflow(shape[0], spread.stride, &end) &&
                    !__builtin_add_overflow(end, spread.offset, &end) &&
                    !__builtin_add_overflow(tokens.meta().offset, spread.offset, &end);
  check_tiling(plan, fits, "%s has a stride of %lld", tokens.name(),
               static_cast<long long>(spread.stride));
  if (on_950()) {
    const std::int64_t last = shape[0] * spread.stride + spread.offset;
    check_tiling(plan, last <= (shape[0] - 1) * shape[1] * shape[2],
                 "%s has shape %s, a stride of %lld and an offset of %lld leave it", tokens.name(),
                 shape.text().c_str(), static_cast<long long>(spread.stride),
                 static_cast<long long>(spread.offset));
  }
  TensorMeta meta = tokens.meta();
  meta.strides = {spread.stride, shape[2], 1};
  meta.offset += spread.offset;
  return plan.reads(TensorArgument(tokens.name(), tokens.index(), &meta));
}

void plan_tokens(Plan& plan, const TensorArgument& tokens, const TensorArgument& cache,
                 const TensorArgument& slots, const std::string& mode, bool heads_first,
                 const std::optional<Spread>& spread = std::nullopt) {
  check_tiling(plan,
               tokens.rank() == 3 && slots.rank() == 1 && slots.elements() >= tokens.shape()[0],
               "%s has shape %s and slotMapping %s", tokens.name(), tokens.shape().text().c_str(),
               slots.shape().text().c_str());
  const Dims& shape = tokens.shape();
  View to;
  if (mode == "PA_NZ") {
    to = fractals_of(plan, tokens, cache);
  } else {
    const std::size_t head = heads_first ? 1 : 2;
    check_fits(plan,
               cache.rank() == 4 && cache.shape()[head] == shape[1] && cache.shape()[3] == shape[2],
               tokens, cache);
    to = block_rows(plan, plan.writes(cache),
                    heads_first ? BlockLayout::kHeads : BlockLayout::kTokens,
                    cache.shape()[heads_first ? 2 : 1], shape[1], shape[2]);
  }
  check_tiling(plan, !is_float4(tokens.dtype()) || shape[2] % 2 == 0,
               "%s has %lld floats of 4 bits in a row, an odd number", tokens.name(),
               static_cast<long long>(shape[2]));
  check_tiling(plan, to.shape.product(0, 2) >= shape[0], "%s has fewer places than %s has tokens",
               cache.name(), tokens.name());
  plan.result(cache.dtype(), cache.shape()).copy_to(cache);
  if (tokens.is_empty() || cache.is_empty()) return;
  const View from = spread ? spread_tokens(plan, tokens, *spread) : plan.reads(tokens);
  launch_tokens(plan, in_pairs(plan, from), in_pairs(plan, to), plan.reads(slots));
}

struct CompressedArguments {
  const TensorArgument& slots;
  const TensorArgument& windows;
  const TensorArgument& starts;
  const TensorArgument& lengths;
};

void plan_heads(Plan& plan, const TensorArgument& tokens, const TensorArgument& cache,
                const CompressedArguments& by, Scattering way) {
  check_tiling(plan, by.windows.given() && by.lengths.given(),
               "compressLensOptional and seqLensOptional must be given");
  check_tiling(plan, way == Scattering::kAlibi || by.starts.given(),
               "compressSeqOffsetOptional must be given");
  const bool is_padded = tokens.rank() == 4;
  const Dims& shape = tokens.shape();
  const std::int64_t heads = shape[is_padded ? 2 : 1];
  check_tiling(plan, by.lengths.rank() == 1, "seqLensOptional has %zu dimensions, it must have 1",
               by.lengths.rank());
  const std::int64_t sequences = by.lengths.elements();
  check_fits(plan,
             cache.rank() == 4 && cache.shape()[2] == 1 && cache.shape()[3] == shape.back() &&
                 (!is_padded || shape[0] == sequences),
             tokens, cache);
  for (const TensorArgument* tensor : {&by.slots, &by.windows, &by.starts})
    if (tensor->given())
      check_tiling(plan, tensor->elements() % heads == 0 && tensor->elements() / heads == sequences,
                   "%s has shape %s, it must have an element for each of %lld heads of %lld "
                   "sequences",
                   tensor->name(), tensor->shape().text().c_str(), static_cast<long long>(heads),
                   static_cast<long long>(sequences));
  check_tiling(plan, on_950() || way == Scattering::kAlibi || is_16_bit_float(tokens.dtype()),
               "%s is %s, which this mode does not take", tokens.name(),
               dtype_name(tokens.dtype()));
  if (is_float4(tokens.dtype()))
    fail_not_simulated(plan, "floats of 4 bits in a mode but None, which no document has");
  HeadMoves moves;
  moves.way = way;
  moves.heads = heads;
  moves.padded = is_padded ? shape[1] : 0;
  moves.slots = plan.reads(by.slots);
  moves.windows = plan.reads(by.windows);
  if (by.starts.given()) moves.starts = plan.reads(by.starts);
  moves.lengths = plan.reads(by.lengths);
  plan.result(cache.dtype(), cache.shape()).copy_to(cache);
  if (tokens.is_empty() || cache.is_empty()) return;
  launch_heads(plan, moves, plan.reads(tokens), plan.writes(cache));
}

std::string text_or(const Text& text, const char* otherwise) {
  return text.given() && !text.text.empty() ? text.text : otherwise;
}

void stage_given(Plan& plan, std::initializer_list<const TensorArgument*> tensors) {
  for (const TensorArgument* tensor : tensors)
    if (tensor->given()) plan.stage(*tensor).contiguous();
}

void check_indices(const Check& check, const TensorArgument& slots,
                   std::initializer_list<const TensorArgument*> others) {
  for (const TensorArgument* tensor : others)
    if (tensor->given()) check.same_dtype(slots, *tensor);
}

}  // namespace

void scatter_pa_kv_cache(const Check& check, Plan& plan, const ScatterPaKvCacheParameters& given) {
  const TensorArgument& key = given.key;
  const TensorArgument& value = given.value;
  // CANN answers null ones as if a step inside had failed.
  for (const TensorArgument* tensor : {&key, &given.keyCacheRef, &given.slotMapping})
    check_inside(plan, tensor->given(), "%s is null", tensor->name());
  check_inside(plan, !value.given() || given.valueCacheRef.given(), "valueCacheRef is null");
  const bool no_key = key.is_empty() || given.keyCacheRef.is_empty();
  const bool no_value = value.given() && (value.is_empty() || given.valueCacheRef.is_empty());
  if (no_key && (!value.given() || no_value)) return;
  check.that(key.rank() == 3 || key.rank() == 4, "key has %zu dimensions, it must have 3 or 4",
             key.rank());
  const bool has_value = value.given() && value.rank() != 0;
  if (has_value)
    check.that(value.rank() == 3 || value.rank() == 4,
               "value has %zu dimensions, it must have 0, 3 or 4", value.rank());
  check.dtype_in(cached_types(), key, given.keyCacheRef);
  check.dtype_in(kIndices, given.slotMapping);
  check.same_dtype(key, given.keyCacheRef);
  const std::string mode = text_or(given.cacheModeOptional, "Norm");
  if (value.given()) {
    check.dtype_in(cached_types(), value, given.valueCacheRef);
    check.same_dtype(value, given.valueCacheRef);
    if (mode != "PA_NZ") check.same_dtype(key, value);
  }
  check_indices(
      check, given.slotMapping,
      {&given.compressLensOptional, &given.compressSeqOffsetOptional, &given.seqLensOptional});
  needs_kernel(plan, on_a2_or_a3() || on_950());
  check_tiling(plan, mode == "Norm" || mode == "PA_NZ",
               "cacheModeOptional is %s, it must be Norm or PA_NZ", mode.c_str());
  const std::string way = mode == "PA_NZ" ? "None" : text_or(given.scatterModeOptional, "None");
  const bool is_compressed = way == "Alibi" || way == "Rope" || way == "Omni" || key.rank() == 4;
  check_tiling(plan, way == "None" || way == "Nct" || is_compressed || (way == "NHSD" && !on_950()),
               "scatterModeOptional is %s, it must be None, Nct, Alibi, Rope, Omni%s", way.c_str(),
               on_950() ? "" : " or NHSD");
  const bool is_spread = way == "Nct" && !is_compressed;
  check_tiling(plan, has_value || ((way == "None" || is_spread) && !on_950()),
               "value has no dimensions, which only the mode None takes");
  check_tiling(plan, key.rank() == 3 || on_950(), "key has 4 dimensions, it must have 3");
  if (has_value)
    check_tiling(plan,
                 value.rank() == key.rank() && value.shape()[0] == key.shape()[0] &&
                     value.shape()[1] == key.shape()[1],
                 "key has shape %s, value has %s", key.shape().text().c_str(),
                 value.shape().text().c_str());
  stage_given(plan, {&key, &given.slotMapping, &given.compressLensOptional,
                     &given.compressSeqOffsetOptional, &given.seqLensOptional});
  if (has_value) plan.stage(value).contiguous();
  const CompressedArguments by{given.slotMapping, given.compressLensOptional,
                               given.compressSeqOffsetOptional, given.seqLensOptional};
  const Scattering compressed = way == "Alibi"                             ? Scattering::kAlibi
                                : way == "Omni"                            ? Scattering::kOmni
                                : !given.compressSeqOffsetOptional.given() ? Scattering::kAlibi
                                                                           : Scattering::kRope;
  const auto part = [&](const IntArrayIn& numbers, std::size_t place, std::int64_t otherwise) {
    if (!numbers.given()) return otherwise;
    check_tiling(plan, numbers.values().size() >= 2, "%s has %zu numbers, it must have 2",
                 numbers.name(), numbers.values().size());
    return numbers.values()[place];
  };
  const auto scatter = [&](const TensorArgument& tokens, const TensorArgument& cache) {
    const std::size_t place = &tokens == &key ? 0 : 1;
    if (is_spread)
      plan_tokens(
          plan, tokens, cache, given.slotMapping, mode, false,
          Spread{part(given.stridesOptional, place, 1), part(given.offsetsOptional, place, 0)});
    else if (is_compressed)
      plan_heads(plan, tokens, cache, by, way == "Rope" ? Scattering::kRope : compressed);
    else
      plan_tokens(plan, tokens, cache, given.slotMapping, mode, way == "NHSD");
  };
  scatter(key, given.keyCacheRef);
  if (has_value) scatter(value, given.valueCacheRef);
}

void scatter_pa_cache(const Check& check, Plan& plan, const ScatterPaCacheParameters& given) {
  needs_kernel(plan, on_950());
  check.dtype_in(kOf950 | kHalfBytes, given.key);
  check.same_dtype(given.key, given.keyCacheRef);
  check.dtype_in(kIndices, given.slotMapping);
  check_indices(
      check, given.slotMapping,
      {&given.compressLensOptional, &given.compressSeqOffsetOptional, &given.seqLensOptional});
  const std::size_t rank = given.key.rank();
  check_tiling(plan, rank == 3 || rank == 4, "key has %zu dimensions, it must have 3 or 4", rank);
  if (given.key.is_empty() || given.keyCacheRef.is_empty()) return;
  if (rank == 3)
    return plan_tokens(plan, given.key, given.keyCacheRef, given.slotMapping, "Norm", false);
  check_tiling(plan, NarrowFormat::of(given.key.dtype()) == nullptr,
               "key is %s, which no compressed mode of one cache takes",
               dtype_name(given.key.dtype()));
  plan_heads(plan, given.key, given.keyCacheRef,
             {given.slotMapping, given.compressLensOptional, given.compressSeqOffsetOptional,
              given.seqLensOptional},
             given.compressSeqOffsetOptional.given() ? Scattering::kRope : Scattering::kAlibi);
}

void gather_pa_kv_cache(const Check& check, Plan& plan, const GatherPaKvCacheParameters& given) {
  const TensorArgument* caches[] = {&given.keyCache, &given.valueCache};
  const TensorArgument* rows[] = {&given.keyRef, &given.valueRef};
  for (int i = 0; i < 2; ++i)
    if (caches[i]->is_empty() || rows[i]->is_empty()) return;
  for (const TensorArgument* cache : caches)
    check.that(cache->rank() == 4, "%s has %zu dimensions, it must have 4", cache->name(),
               cache->rank());
  check.that(given.blockTables.rank() == 2 && given.seqLens.rank() == 1,
             "blockTables has %zu dimensions and seqLens %zu, they must have 2 and 1",
             given.blockTables.rank(), given.seqLens.rank());
  for (const TensorArgument* row : rows)
    check.that(row->rank() == 2 || row->rank() == 3, "%s has %zu dimensions, it must have 2 or 3",
               row->name(), row->rank());
  check.dtype_in(on_950() ? kOf950 : kAnywhere, given.keyCache, given.valueCache, given.keyRef,
                 given.valueRef);
  check.dtype_in(kIndices, given.blockTables, given.seqLens);
  const std::string mode = text_or(given.cacheMode, "Norm");
  check.same_dtype(given.keyCache, given.keyRef);
  check.same_dtype(given.valueCache, given.valueRef);
  if (mode != "PA_NZ") check.same_dtype(given.keyCache, given.valueCache);
  check.same_dtype(given.blockTables, given.seqLens);
  if (given.seqOffsetOptional.given()) check.same_dtype(given.blockTables, given.seqOffsetOptional);
  const Check types = kernel_types(plan);
  types.dtype_in(cached_types(), given.keyCache, given.valueCache);
  types.dtype_in(on_950() ? kIndices : DtypeSet{ACL_INT32}, given.blockTables);
  needs_kernel(plan, on_a2_or_a3() || on_950());
  check_tiling(plan, mode == "Norm" || mode == "PA_NZ", "cacheMode is %s, it must be Norm or PA_NZ",
               mode.c_str());
  const bool is_flat = mode == "PA_NZ";
  const std::int64_t batch = given.blockTables.shape()[0];
  const std::int64_t columns = given.blockTables.shape()[1];
  check_tiling(plan,
               batch > 0 && columns > 0 &&
                   given.seqLens.elements() == batch + (given.isSeqLensCumsum ? 1 : 0),
               "blockTables has shape %s, seqLens %s", given.blockTables.shape().text().c_str(),
               given.seqLens.shape().text().c_str());
  const std::int64_t block = given.keyCache.shape()[is_flat ? 2 : 1];
  for (int i = 0; i < 2; ++i) {
    const Dims& shape = caches[i]->shape();
    const Dims& to = rows[i]->shape();
    const std::int64_t width = is_flat ? shape[1] * shape[3] : shape.product(2, 4);
    const bool fits =
        is_flat ? to.size() == 2 && to[1] == width && shape[3] == fractal_lane(caches[i]->dtype())
                : to.size() == 3 && to[1] == shape[2] && to[2] == shape[3];
    check_fits(plan, fits && shape[is_flat ? 2 : 1] == block && to[0] == rows[0]->shape()[0],
               *rows[i], *caches[i]);
    check_tiling(plan, width * std::int64_t(dtype_size(caches[i]->dtype())) <= 148 * 1024,
                 "%s has tokens of %lld values, which take more than 148 KiB", caches[i]->name(),
                 static_cast<long long>(width));
  }
  stage_given(plan, {&given.blockTables, &given.seqLens, &given.seqOffsetOptional});
  const View tables = plan.reads(given.blockTables);
  const View lengths = plan.reads(given.seqLens);
  std::optional<View> starts;
  if (given.seqOffsetOptional.given()) starts = plan.reads(given.seqOffsetOptional);
  for (int i = 0; i < 2; ++i) {
    plan.result(rows[i]->dtype(), rows[i]->shape()).copy_to(*rows[i]);
    const Dims& shape = caches[i]->shape();
    const View cache = is_flat ? block_rows(plan, plan.reads(*caches[i]), BlockLayout::kFractals,
                                            block, 1, shape[1] * shape[3])
                               : block_rows(plan, plan.reads(*caches[i]), BlockLayout::kTokens,
                                            block, shape[2], shape[3]);
    const View out = plan.writes(*rows[i]);
    const bool is_sum = given.isSeqLensCumsum;
    plan.launch([=, from = Pieces(cache, 3),
                 to = Pieces(out, out.shape.size() - 1)](const KernelMemory& memory) {
      const std::vector<std::int64_t> table = integers_of(tables, memory);
      const std::vector<std::int64_t> length = integers_of(lengths, memory);
      std::vector<std::int64_t> start(std::size_t(batch), 0);
      if (starts.has_value()) start = integers_of(*starts, memory);
      std::vector<std::pair<std::int64_t, std::int64_t>> copies;
      std::int64_t token = is_sum ? length[0] : 0;
      for (std::int64_t b = 0; b < batch; ++b) {
        const std::size_t at = std::size_t(b);
        const std::int64_t wanted = is_sum ? length[at + 1] - length[at] : length[at];
        const std::int64_t room = std::max<std::int64_t>(0, out.shape[0] - token);
        const std::int64_t count = std::clamp<std::int64_t>(wanted, 0, room);
        const std::int64_t first = at < start.size() ? start[at] / block : 0;
        for (std::int64_t s = 0; s < count; ++s) {
          const std::int64_t column = first + s / block;
          if (column < 0 || column >= columns) continue;
          const std::int64_t page = table[std::size_t(b * columns + column)];
          if (page >= 0 && page < cache.shape[0])
            copies.emplace_back(page * block + s % block, token + s);
        }
        token += count;
      }
      copy_pieces(from, to, memory, copies);
    });
  }
}

}  // namespace pyaclnn::sim
