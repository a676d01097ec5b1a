// SPDX-License-Identifier: MIT
#include "opapi/attention/rotary.hpp"

#include <algorithm>
#include <vector>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/planes.hpp"

namespace pyaclnn::sim {
namespace {

enum Mode : std::int64_t { kHalf = 0, kInterleave = 1, kQuarter = 2, kInterleaveHalf = 3 };

constexpr std::int64_t kGrain = 16384;
constexpr std::int64_t kDepth = 128;  // of heads that are rotated in place

/// Which value of x stands at each place, and which one is turned to it, with its sign.
struct Place {
  std::int64_t own;
  std::int64_t other;
  float sign;
};

std::vector<Place> places_of(std::int64_t depth, std::int64_t mode) {
  std::vector<Place> places;
  const std::int64_t half = depth / 2;
  const std::int64_t span = mode == kInterleave ? 1 : mode == kQuarter ? depth / 4 : half;
  for (std::int64_t i = 0; i < depth; ++i) {
    const bool is_first = i / span % 2 == 0;
    const std::int64_t other = is_first ? i + span : i - span;
    const float sign = is_first ? -1.0f : 1.0f;
    // Sorted: even values before odd ones.
    const auto sorted = [&](std::int64_t at) { return at < half ? 2 * at : 2 * (at - half) + 1; };
    places.push_back(mode == kInterleaveHalf ? Place{sorted(i), sorted(other), sign}
                                             : Place{i, other, sign});
  }
  return places;
}

/// On A2 and A3: which broadcasts of cos and sin the kernels know.
bool is_known_layout(const Dims& x, const Dims& r, std::int64_t mode) {
  bool alike[3];
  for (std::size_t i = 0; i < 3; ++i) {
    alike[i] = x[i] == r[i];
    if (!alike[i] && r[i] != 1) return false;
  }
  const bool has_ones =
      (r[1] == 1 && r[2] == 1) || (r[0] == 1 && r[2] == 1) || (r[0] == 1 && r[1] == 1);
  if (mode == kInterleave) return has_ones && (alike[0] || alike[1] || alike[2]);
  const bool is_one = r[0] == 1 && r[1] == 1 && r[2] == 1;
  return !is_one || x[0] == 1 || x[1] == 1 || x[2] == 1;
}

/// out = x cos + turned(x) sin, a row at a time: out may be x.
void launch_rotation(Plan& plan, const TensorArgument& x, const TensorArgument& cos,
                     const TensorArgument& sin, std::int64_t mode, const TensorArgument& out) {
  const std::int64_t depth = x.shape()[3];
  const Planes rows(plan.reads(x), 1);
  const Planes cosines(broadcast_view(plan.reads(cos), x.shape()), 1);
  const Planes sines(broadcast_view(plan.reads(sin), x.shape()), 1);
  const Planes results(plan.writes(out), 1);
  const LoadFn load = loader<float>(x.dtype());
  const StoreFn store = storer<float>(out.dtype(), Rounding::kNearestEven);
  plan.launch([=, places = places_of(depth, mode)](const KernelMemory& memory) {
    const std::int64_t grain = std::max<std::int64_t>(1, kGrain / depth);
    parallel_for(rows.count(), grain, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> buffer(std::size_t(4 * depth));
      float* value = buffer.data();
      float* c = value + depth;
      float* s = c + depth;
      float* y = s + depth;
      for (std::int64_t row = begin; row < end; ++row) {
        rows.load(load, rows.base(memory) + rows.plane_bytes(row), sizeof(float), value);
        cosines.load(load, cosines.base(memory) + cosines.plane_bytes(row), sizeof(float), c);
        sines.load(load, sines.base(memory) + sines.plane_bytes(row), sizeof(float), s);
        for (std::int64_t i = 0; i < depth; ++i) {
          const Place& place = places[std::size_t(i)];
          y[i] = value[place.own] * c[i] + place.sign * value[place.other] * s[i];
        }
        results.store(store, y, sizeof(float), results.base(memory) + results.plane_bytes(row));
      }
    });
  });
}

/// Whether a core's buffer takes the rows of one position.
bool fits_buffer(std::int64_t heads, aclDataType dtype) {
  constexpr std::int64_t kBuffer = 192 * 1024;
  const bool is_cast = dtype == ACL_BF16;
  const auto stored = static_cast<std::int64_t>(dtype_size(dtype));
  const std::int64_t computed = is_cast ? 4 : stored;
  const std::int64_t rest = kDepth * stored * 4 + (is_cast ? kDepth * 4 * 2 : 0);
  return heads <= (kBuffer - rest) / (kDepth * computed * 5);
}

}  // namespace

void rotary_position_embedding(const Check& check, Plan& plan, const TensorArgument& x,
                               const TensorArgument& cos, const TensorArgument& sin,
                               std::int64_t mode, const TensorArgument& out) {
  check_kernel_exists(plan, config().has_bf16());
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16}, x);
  check.same_dtype(x, cos, sin, out);
  const bool is_950 = on_950();
  check_tiling(plan, mode >= kHalf && mode <= (is_950 ? kInterleaveHalf : kInterleave),
               "mode is %lld, it must be 0 or 1", static_cast<long long>(mode));
  for (const TensorArgument* tensor : {&x, &cos, &sin})
    check_tiling(plan, tensor->rank() == 4, "%s has %zu dimensions, it must have 4", tensor->name(),
                 tensor->rank());
  const std::int64_t depth = x.shape()[3];
  check_tiling(plan, !x.is_empty(), "x is empty: %s", x.shape().text().c_str());
  check_tiling(plan, depth % (mode == kQuarter ? 4 : 2) == 0 && depth <= 896,
               "the last extent of x is %lld, it must be even and at most 896",
               static_cast<long long>(depth));
  check_tiling(plan, cos.shape() == sin.shape(), "cos has shape %s, sin has %s",
               cos.shape().text().c_str(), sin.shape().text().c_str());
  check_tiling(plan, cos.shape()[3] == depth && is_known_layout(x.shape(), cos.shape(), mode),
               "cos has shape %s, which does not go with x of shape %s", cos.shape().text().c_str(),
               x.shape().text().c_str());
  check_tiling(plan, out.shape() == x.shape(), "out has shape %s, x has %s",
               out.shape().text().c_str(), x.shape().text().c_str());
  for (const TensorArgument* tensor : {&x, &cos, &sin}) plan.stage(*tensor).contiguous();
  plan.result(x.dtype(), x.shape()).copy_to(out);
  launch_rotation(plan, x, cos, sin, mode, out);
}

void apply_rotary_pos_emb(const Check& check, Plan& plan, const TensorArgument& query,
                          const TensorArgument& key, const TensorArgument& cos,
                          const TensorArgument& sin, std::int64_t layout) {
  check_kernel_exists(plan, config().has_bf16() && !on_950());
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16}, query);
  check.same_dtype(query, key, cos, sin);
  for (const TensorArgument* tensor : {&query, &key, &cos, &sin}) {
    check_tiling(plan, tensor->rank() == 4, "%s has %zu dimensions, it must have 4", tensor->name(),
                 tensor->rank());
    check_tiling(plan, !tensor->is_empty(), "%s is empty: %s", tensor->name(),
                 tensor->shape().text().c_str());
  }
  check_tiling(plan, layout == 1, "layout is %lld, it must be 1, for BSND",
               static_cast<long long>(layout));
  const Dims& shape = query.shape();
  for (const TensorArgument* tensor : {&key, &cos, &sin})
    for (std::size_t axis : {0, 1, 3})
      check_tiling(plan, tensor->shape()[axis] == shape[axis],
                   "%s has shape %s, queryRef has %s: only the heads may differ", tensor->name(),
                   tensor->shape().text().c_str(), shape.text().c_str());
  check_tiling(plan, shape[3] == kDepth, "the last extent is %lld, it must be 128",
               static_cast<long long>(shape[3]));
  for (const TensorArgument* tensor : {&cos, &sin})
    check_tiling(plan, tensor->shape()[2] == 1, "%s has shape %s, it must have one head",
                 tensor->name(), tensor->shape().text().c_str());
  check_tiling(plan,
               fits_buffer(shape[2], query.dtype()) && fits_buffer(key.shape()[2], query.dtype()) &&
                   fits_buffer(shape[2] + key.shape()[2], query.dtype()),
               "%lld and %lld heads are more than a core's buffer takes",
               static_cast<long long>(shape[2]), static_cast<long long>(key.shape()[2]));
  for (const TensorArgument* tensor : {&query, &key, &cos, &sin}) plan.stage(*tensor).contiguous();
  for (const TensorArgument* tensor : {&query, &key}) {
    plan.result(tensor->dtype(), tensor->shape()).copy_to(*tensor);
    launch_rotation(plan, *tensor, cos, sin, kHalf, *tensor);
  }
}

}  // namespace pyaclnn::sim
