// Queries, keys and values in a row: restored, turned by position, quantised into caches.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/attention/rotation.hpp"
#include "opapi/common/integers.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/round_stored.hpp"
#include "opapi/quant/dequant.hpp"
#include "opapi/quant/sources.hpp"
#include "parameters/DequantRopeQuantKvcache.hpp"

namespace pyaclnn::sim {
namespace {

using Parameters = DequantRopeQuantKvcacheParameters;

bool in_pages(const Parameters& c) {
  if (!c.cacheModeOptional.given()) return false;
  std::string mode = c.cacheModeOptional.text;
  std::transform(mode.begin(), mode.end(), mode.begin(),
                 [](unsigned char letter) { return char(std::tolower(letter)); });
  return mode == "page";
}

/// The types that CANN has kernels for.
void check_types(const Plan& plan, const Parameters& c) {
  const aclDataType x = c.x.dtype(), cos = c.cos.dtype();
  check_kernel_exists(plan, (x == ACL_INT32 || x == cos) && c.sin.dtype() == cos &&
                                c.qOut.dtype() == cos && c.kOut.dtype() == cos &&
                                c.vOut.dtype() == cos);
}

/// The shapes that CANN divides the work of.
void check_shapes(const Plan& plan, const Parameters& c) {
  constexpr std::int64_t kStep = 16, kLongest = 4096, kRowStep = 64;
  const Dims &x = c.x.shape(), &cache = c.kCacheRef.shape();
  const std::vector<std::int64_t>& splits = c.sizeSplits.values();
  check_tiling(plan, splits.size() == 3, "sizeSplits has %zu elements, it must have 3",
               splits.size());
  const std::int64_t q = splits[0], k = splits[1];
  check_tiling(plan, k == splits[2] && q >= 0 && k >= 0,
               "sizeSplits must have the same length for keys and values, none of them negative");
  check_tiling(plan, x.size() == 2 || x.size() == 3, "x has %zu dimensions, it must have 2 or 3",
               x.size());
  const std::int64_t width = x.back(), batch = x[0];
  check_tiling(plan, q <= width && k <= width && q + 2 * k == width,
               "the rows of x have %lld elements, and sizeSplits others",
               static_cast<long long>(width));
  check_tiling(plan, width <= kLongest && width % kRowStep == 0,
               "the rows of x have %lld elements, not a multiple of 64 up to 4096",
               static_cast<long long>(width));
  check_tiling(plan, cache.size() == 4, "kCacheRef has %zu dimensions, it must have 4",
               cache.size());
  const std::int64_t depth = cache[3];
  check_tiling(plan, depth > 0 && depth % kStep == 0 && cache[2] == k / depth && k % depth == 0,
               "kCacheRef has shape %s beside keys of %lld", cache.text().c_str(),
               static_cast<long long>(k));
  check_tiling(plan, q % depth == 0, "sizeSplits make no heads of queries");
  const Dims angles = x.size() == 2 ? Dims{batch, depth} : Dims{batch, x[1], 1, depth};
  for (const TensorArgument* tensor : {&c.cos, &c.sin})
    check_tiling(plan, tensor->shape() == angles, "%s has shape %s, it must have %s",
                 tensor->name(), tensor->shape().text().c_str(), angles.text().c_str());
  const bool pages = in_pages(c);
  const std::int64_t places = pages && x.size() == 3 ? batch * x[1] : batch;
  check_tiling(plan, c.indices.shape() == Dims{places}, "indices has shape %s, it must have %lld",
               c.indices.shape().text().c_str(), static_cast<long long>(places));
  check_tiling(plan, c.vCacheRef.shape() == cache, "kCacheRef and vCacheRef differ in shape");
  check_tiling(plan, c.scaleK.elements() == k && c.scaleV.elements() == k,
               "scaleK and scaleV must have %lld elements", static_cast<long long>(k));
  check_tiling(plan, pages || cache[0] >= batch, "vCacheRef has fewer sequences than x");
  if (c.offsetKOptional.given() && c.offsetVOptional.given())
    check_tiling(plan, c.offsetKOptional.elements() == k && c.offsetVOptional.elements() == k,
                 "offsetKOptional and offsetVOptional must have %lld elements",
                 static_cast<long long>(k));
  if (c.x.dtype() == ACL_INT32) {
    check_tiling(plan, c.weightScaleOptional.given() && c.weightScaleOptional.elements() == width,
                 "weightScaleOptional must have %lld elements", static_cast<long long>(width));
    const std::int64_t rows = c.x.elements() / std::max<std::int64_t>(1, width);
    check_tiling(plan,
                 !c.activationScaleOptional.given() || c.activationScaleOptional.elements() == rows,
                 "activationScaleOptional must have an element for each row");
    check_tiling(plan, !c.biasOptional.given() || c.biasOptional.elements() == width,
                 "biasOptional must have %lld elements", static_cast<long long>(width));
  }
  const auto of_heads = [&](std::int64_t heads) {
    std::vector<std::int64_t> shape(x.begin(), x.end() - 1);
    shape.insert(shape.end(), {heads, depth});
    return Dims(shape.data(), shape.size());
  };
  check_tiling(plan, c.qOut.shape() == of_heads(q / depth), "qOut has shape %s",
               c.qOut.shape().text().c_str());
  for (const TensorArgument* tensor : {&c.kOut, &c.vOut})
    check_tiling(plan, !c.kvOutput || tensor->shape() == of_heads(k / depth), "%s has shape %s",
                 tensor->name(), tensor->shape().text().c_str());
}

/// Which row of the caches each row of x goes to.
struct Slots {
  bool pages;
  std::int64_t length;  // of a sequence of x, where it has one place
  std::int64_t cached;  // rows of a sequence in a cache
  std::int64_t count;   // of all rows of a cache

  /// -1 for what is beyond the caches, and for all rows but the last that have a place in common.
  std::vector<std::int64_t> of_rows(const std::vector<std::int64_t>& indices,
                                    std::int64_t rows) const {
    std::vector<std::int64_t> slots(std::size_t(rows), -1);
    std::unordered_set<std::int64_t> taken;
    for (std::int64_t row = rows - 1; row >= 0; --row) {
      const std::int64_t sequence = row / length, first = indices[std::size_t(sequence)];
      const std::int64_t limit = pages ? count : cached;
      if (first < 0 || first >= limit || row % length >= limit - first) continue;
      const std::int64_t slot = (pages ? 0 : sequence * cached) + first + row % length;
      if (taken.insert(slot).second) slots[std::size_t(row)] = slot;
    }
    return slots;
  }
};

/// Heads turned by cosines and sines; float16 is rounded to after each product, and the sum.
class Turned {
 public:
  Turned(std::int64_t depth, bool halves) : rotation_(depth, kHalves), halves_(halves) {}

  void operator()(const float* from, std::int64_t count, const float* cos, const float* sin,
                  float* to) const {
    const std::int64_t depth = rotation_.depth();
    const std::vector<float> none(halves_ ? std::size_t(depth) : 0, 0.0f);
    std::vector<float> other(none.size());
    for (std::int64_t at = 0; at < count; at += depth) {
      if (!halves_) {
        rotation_.turn(from + at, cos, sin, to + at);
        continue;
      }
      rotation_.turn(from + at, cos, none.data(), to + at);
      rotation_.turn(from + at, none.data(), sin, other.data());
      round_as_stored(to + at, depth, ACL_FLOAT16);
      round_as_stored(other.data(), depth, ACL_FLOAT16);
      for (std::int64_t i = 0; i < depth; ++i) to[at + i] += other[std::size_t(i)];
      round_as_stored(to + at, depth, ACL_FLOAT16);
    }
  }

 private:
  Rotation rotation_;
  bool halves_;
};

}  // namespace

void dequant_rope_quant_kvcache(const Check&, Plan& plan, const Parameters& given) {
  check_types(plan, given);
  check_shapes(plan, given);
  const auto is = [](const Text& text, const char* word) {
    return !text.given() || text.text == word;
  };
  if (!is(given.quantModeOptional, "static") || !is(given.layoutOptional, "BSND"))
    fail_not_simulated(plan, "quantMode other than static, or layout other than BSND");
  if (given.x.is_empty()) return;
  const Dims &x = given.x.shape(), &cache = given.kCacheRef.shape();
  const std::int64_t width = x.back(), depth = cache[3], q = given.sizeSplits.values()[0],
                     k = given.sizeSplits.values()[1], rows = given.x.elements() / width;
  const bool pages = in_pages(given), halves = given.cos.dtype() == ACL_FLOAT16;
  const bool sums = given.x.dtype() == ACL_INT32;
  if (!sums) plan.stage(given.x).contiguous();
  const RowSource source =
      sums ? dequantised(plan, given.x,
                         Dequant(plan, given.weightScaleOptional, &given.activationScaleOptional,
                                 &given.biasOptional, width))
           : rows_of(plan.reads(given.x), width);
  const RowMajor cos = read_rows(plan, given.cos), sin = read_rows(plan, given.sin);
  const RowMajor q_out(plan.writes(given.qOut));
  RowMajor k_out, v_out;
  if (given.kvOutput) {
    k_out = RowMajor(plan.writes(given.kOut));
    v_out = RowMajor(plan.writes(given.vOut));
  }
  const bool shifts = given.offsetKOptional.given() && given.offsetVOptional.given();
  const auto into = [&](const TensorArgument& cached, const TensorArgument& scale,
                        const TensorArgument& offset) {
    RowQuantiser quantiser;
    quantiser.divides = true;
    quantiser.scale = RowFactors::of_view(plan.reads(scale), k);
    if (shifts) quantiser.offset = RowFactors::of_view(plan.reads(offset), k);
    quantiser.out = QuantOut(plan, cached);
    return quantiser;
  };
  const RowQuantiser keys = into(given.kCacheRef, given.scaleK, given.offsetKOptional);
  const RowQuantiser values = into(given.vCacheRef, given.scaleV, given.offsetVOptional);
  const View indices = plan.reads(given.indices);
  const Slots slots{pages, pages || x.size() == 2 ? 1 : x[1], cache[1], cache[0] * cache[1]};
  const Turned turned(depth, halves);
  plan.launch([=](const KernelMemory& memory) {
    const std::vector<std::int64_t> at = slots.of_rows(integers_of(indices, memory), rows);
    parallel_for(rows, 16, [&](std::int64_t begin, std::int64_t end) {
      const auto room = std::size_t(width), angles = std::size_t(depth);
      std::vector<float> row(room), to(room), buffer(room), cosines(angles), sines(angles);
      for (std::int64_t r = begin; r < end; ++r) {
        source(memory, {r, 0, width}, row.data());
        if (sums && halves) round_as_stored(row.data(), q + k, ACL_FLOAT16);
        turned(row.data(), q + k,
               RowMajorAccess(cos, memory).read(r * depth, depth, cosines.data()),
               RowMajorAccess(sin, memory).read(r * depth, depth, sines.data()), to.data());
        if (q > 0) RowMajorAccess(q_out, memory).write(r * q, q, to.data());
        float* const key = to.data() + q;
        float* const value = row.data() + q + k;
        if (k_out.given()) RowMajorAccess(k_out, memory).write(r * k, k, key);
        if (v_out.given()) RowMajorAccess(v_out, memory).write(r * k, k, value);
        const std::int64_t slot = at[std::size_t(r)];
        if (slot < 0) continue;
        keys(memory, {slot, 0, k}, key, buffer.data());
        values(memory, {slot, 0, k}, value, buffer.data());
      }
    });
  });
}

}  // namespace pyaclnn::sim
