// SPDX-License-Identifier: MIT
#include "opapi/attention/rotary.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/checked.hpp"
#include "core/release.hpp"
#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/attention/rotation.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/stored_rows.hpp"
#include "opapi/product/gemm.hpp"
#include "parameters/InterleaveRope.hpp"
#include "parameters/RotaryPositionEmbeddingGrad.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGrain = 16384;
constexpr std::int64_t kDepth = 128;  // of heads that CANN 8.1 turns in place

bool takes_tokens() { return behaves(Behaviour::kRotatesTokens); }

/// Three axes before the depth: tokens without a batch are a batch of one.
Dims with_batch(const Dims& shape) {
  return shape.size() == 3 ? Dims{1, shape[0], shape[1], shape[2]} : shape;
}

bool spreads_to(const Dims& x, const Dims& r) {
  for (std::size_t i = 0; i < 3; ++i)
    if (r[i] != x[i] && r[i] != 1) return false;
  return true;
}

bool has_two_ones(const Dims& r) { return (r[0] == 1) + (r[1] == 1) + (r[2] == 1) >= 2; }

/// Which broadcasts of cos and sin the kernels know.
bool is_known_layout(const Dims& x, const Dims& r, std::int64_t mode) {
  if (!spreads_to(x, r)) return false;
  if (on_950()) return true;
  const bool alike = x[0] == r[0] || x[1] == r[1] || x[2] == r[2];
  if (mode == kNeighbours) return has_two_ones(r) && alike;
  const bool is_one = r[0] == 1 && r[1] == 1 && r[2] == 1;
  return !is_one || x[0] == 1 || x[1] == 1 || x[2] == 1;
}

/// The same of the gradient.
bool is_known_to_gradient(const Dims& x, const Dims& r, std::int64_t mode) {
  if (!spreads_to(x, r)) return false;
  if (on_950()) return true;
  const bool alike[] = {x[0] == r[0], x[1] == r[1], x[2] == r[2]};
  if (mode == kNeighbours)
    return has_two_ones(r) &&
           ((r[0] == 1 && r[2] == 1 && alike[1]) || (r[0] == 1 && r[1] == 1 && alike[2]) ||
            (r[1] == 1 && r[2] == 1 && alike[0]));
  const bool all = alike[0] && alike[1] && alike[2];
  const bool inner = r[2] == 1 && alike[1] && (r[0] == 1 || alike[0]);
  const bool outer =
      r[1] == 1 && alike[2] && ((x[0] != 1 && r[0] == 1) || (alike[0] && x[0] < x[2]));
  const bool first = r[2] == 1 && alike[0] && (r[1] == 1 || alike[1]);
  return all || inner || outer || first;
}

/// The extents of x, cos and sin; `x` names the tensor that is turned.
void check_rows(const Plan& plan, const TensorArgument& x, const TensorArgument& cos,
                const TensorArgument& sin, std::int64_t mode, bool is_gradient) {
  const bool has_tokens = takes_tokens();
  for (const TensorArgument* tensor : {&x, &cos, &sin})
    check_tiling(plan, tensor->rank() == 4 || (has_tokens && tensor->rank() == 3 && x.rank() == 3),
                 "%s has %zu dimensions, it must have %s", tensor->name(), tensor->rank(),
                 has_tokens ? "3 or 4, as many as the others" : "4");
  const std::int64_t depth = x.shape().back();
  const std::int64_t most = on_950() && has_tokens ? 1024 : 896;
  check_tiling(plan, !x.is_empty(), "%s is empty: %s", x.name(), x.shape().text().c_str());
  check_tiling(plan, depth % (mode == kQuarters ? 4 : 2) == 0 && depth <= most,
               "the last extent of %s is %lld, it must be even and at most %lld", x.name(),
               static_cast<long long>(depth), static_cast<long long>(most));
  check_tiling(plan, cos.shape() == sin.shape(), "cos has shape %s, sin has %s",
               cos.shape().text().c_str(), sin.shape().text().c_str());
  const Dims from = with_batch(x.shape());
  const Dims angles = with_batch(cos.shape());
  check_tiling(plan,
               angles[3] == depth && (is_gradient ? is_known_to_gradient(from, angles, mode)
                                                  : is_known_layout(from, angles, mode)),
               "cos has shape %s, which does not go with %s of shape %s",
               cos.shape().text().c_str(), x.name(), x.shape().text().c_str());
}

void check_mode(const Plan& plan, std::int64_t mode) {
  check_tiling(plan, mode >= kHalves && mode <= (on_950() ? kNeighboursToHalves : kNeighbours),
               "mode is %lld, it must be %s", static_cast<long long>(mode),
               on_950() ? "from 0 to 3" : "0 or 1");
}

/// The first values of each row.
View narrowed(View view, std::int64_t depth) {
  view.shape.set(view.shape.size() - 1, depth);
  return view;
}

using Turn = void (Rotation::*)(const float*, const float*, const float*, float*) const;

/// out = x cos + turned(x) sin, or the gradient of it, a row at a time: out may be x.
void launch_rotation(Plan& plan, const View& x, const View& cos, const View& sin, std::int64_t mode,
                     const View& out, Turn turn = &Rotation::turn) {
  const Rotation rotation(x.shape.back(), mode);
  plan.launch([rotation, turn, rows = StoredRows(x),
               cosines = StoredRows(broadcast_view(cos, x.shape)),
               sines = StoredRows(broadcast_view(sin, x.shape)),
               results = StoredRows(out)](const KernelMemory& memory) {
    const std::int64_t depth = rotation.depth();
    const std::int64_t grain = std::max<std::int64_t>(1, kGrain / depth);
    parallel_for(rows.count(), grain, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> buffer(std::size_t(4 * depth));
      float* value = buffer.data();
      float* c = value + depth;
      float* s = c + depth;
      float* y = s + depth;
      for (std::int64_t row = begin; row < end; ++row) {
        rows.load(memory, row, value);
        cosines.load(memory, row, c);
        sines.load(memory, row, s);
        (rotation.*turn)(value, c, s, y);
        results.store(memory, row, y);
      }
    });
  });
}

/// out = x cos + (x rotate) sin.
void launch_product(Plan& plan, const View& x, const View& cos, const View& sin, const View& rotate,
                    const View& out) {
  plan.launch([=, rows = StoredRows(x), cosines = StoredRows(broadcast_view(cos, x.shape)),
               sines = StoredRows(broadcast_view(sin, x.shape)),
               results = StoredRows(out)](const KernelMemory& memory) {
    const std::int64_t depth = x.shape.back();
    std::vector<float> turned(std::size_t(rows.count() * depth));
    KernelMemory more = memory;
    more.operands.push_back(reinterpret_cast<std::byte*>(turned.data()));
    Gemm gemm;
    gemm.out = {more.operands.size() - 1, ACL_FLOAT, 0, x.shape, contiguous_strides(x.shape)};
    gemm.a = x;
    gemm.b = rotate;
    run_gemm(gemm, more);
    const std::int64_t grain = std::max<std::int64_t>(1, kGrain / depth);
    parallel_for(rows.count(), grain, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> buffer(std::size_t(3 * depth));
      float* value = buffer.data();
      float* c = value + depth;
      float* s = c + depth;
      for (std::int64_t row = begin; row < end; ++row) {
        rows.load(memory, row, value);
        cosines.load(memory, row, c);
        sines.load(memory, row, s);
        const float* other = turned.data() + row * depth;
        for (std::int64_t i = 0; i < depth; ++i) value[i] = value[i] * c[i] + other[i] * s[i];
        results.store(memory, row, value);
      }
    });
  });
}

/// The sums of the gradients to cos and sin over the rows that share theirs, in order.
void launch_angles(Plan& plan, const View& dy, const View& x, std::int64_t mode, const View& dcos,
                   const View& dsin) {
  const Rotation rotation(x.shape.back(), mode);
  plan.launch([=, grads = StoredRows(dy), rows = StoredRows(x), dcosines = StoredRows(dcos),
               dsines = StoredRows(dsin)](const KernelMemory& memory) {
    const std::int64_t depth = rotation.depth();
    const std::size_t axes = x.shape.size() - 1;
    parallel_for(dcosines.count(), 1, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> buffer(std::size_t(2 * depth));
      std::vector<double> sums(std::size_t(2 * depth));
      float* grad = buffer.data();
      float* value = grad + depth;
      for (std::int64_t place = begin; place < end; ++place) {
        std::fill(sums.begin(), sums.end(), 0.0);
        // Where x starts, and which of its axes are summed over.
        std::int64_t first = 0;
        std::vector<std::pair<std::int64_t, std::int64_t>> summed;  // extent, step
        std::int64_t rest = place;
        std::int64_t step = 1;
        for (std::size_t i = axes; i-- > 0;) {
          const std::int64_t extent = dcos.shape[i];
          if (extent == 1)
            summed.emplace_back(x.shape[i], step);
          else
            first += rest % extent * step;
          rest /= extent;
          step *= x.shape[i];
        }
        std::int64_t count = 1;
        for (const auto& axis : summed) count *= axis.first;
        for (std::int64_t k = 0; k < count; ++k) {
          std::int64_t row = first;
          std::int64_t left = k;
          for (const auto& [extent, stride] : summed) {
            row += left % extent * stride;
            left /= extent;
          }
          grads.load(memory, row, grad);
          rows.load(memory, row, value);
          rotation.add_angles(grad, value, sums.data(), sums.data() + depth);
        }
        std::copy(sums.begin(), sums.end(), buffer.begin());
        dcosines.store(memory, place, buffer.data());
        dsines.store(memory, place, buffer.data() + depth);
      }
    });
  });
}

/// Whether a core's buffer takes the rows of one position.
bool fits_buffer(std::int64_t heads, std::int64_t depth, aclDataType dtype) {
  constexpr std::int64_t kBuffer = 192 * 1024;
  const bool is_cast = dtype == ACL_BF16;
  const auto stored = static_cast<std::int64_t>(dtype_size(dtype));
  const std::int64_t computed = is_cast ? 4 : stored;
  const std::int64_t rest = depth * stored * 4 + (is_cast ? depth * 4 * 2 : 0);
  return heads <= (kBuffer - rest) / (depth * computed * 5);
}

void check_same_rank(const Plan& plan, std::initializer_list<const TensorArgument*> tensors,
                     std::size_t rank) {
  for (const TensorArgument* tensor : tensors)
    check_tiling(plan, tensor->rank() == rank, "%s has %zu dimensions, it must have %zu",
                 tensor->name(), tensor->rank(), rank);
}

/// What the kernels of Atlas A2, A3 and of the inference chips refuse: [.., heads, depth] with as
/// many positions in all of them.
void check_positions(const Plan& plan, const TensorArgument& query, const TensorArgument& key,
                     const TensorArgument& cos, const TensorArgument& sin, std::int64_t layout) {
  const bool has_tokens = takes_tokens();
  const std::size_t rank = has_tokens && layout == 4 ? 3 : 4;
  check_same_rank(plan, {&query, &key, &cos, &sin}, rank);
  for (const TensorArgument* tensor : {&query, &key, &cos, &sin})
    check_tiling(plan, !tensor->is_empty(), "%s is empty: %s", tensor->name(),
                 tensor->shape().text().c_str());
  check_tiling(plan, layout == 1 || (has_tokens && layout == 4), "layout is %lld, it must be %s",
               static_cast<long long>(layout),
               has_tokens ? "1, for BSND, or 4, for TND" : "1, for BSND");
  const Dims& shape = query.shape();
  const std::size_t last = rank - 1;
  for (const TensorArgument* tensor : {&key, &cos, &sin})
    for (std::size_t axis = 0; axis + 2 < rank; ++axis)
      check_tiling(plan, tensor->shape()[axis] == shape[axis],
                   "%s has shape %s, queryRef has %s: only the heads may differ", tensor->name(),
                   tensor->shape().text().c_str(), shape.text().c_str());
  const std::int64_t depth = cos.shape()[last];
  check_tiling(plan, sin.shape() == cos.shape(), "cos has shape %s, sin has %s",
               cos.shape().text().c_str(), sin.shape().text().c_str());
  check_tiling(plan, key.shape()[last] == shape[last] && depth <= shape[last],
               "the last extents of queryRef, keyRef and cos are %lld, %lld and %lld",
               static_cast<long long>(shape[last]), static_cast<long long>(key.shape()[last]),
               static_cast<long long>(depth));
  for (std::int64_t extent : {shape[last], depth})
    check_tiling(plan, extent == kDepth || (has_tokens && extent == kDepth / 2),
                 "the last extent is %lld, it must be %s", static_cast<long long>(extent),
                 has_tokens ? "64 or 128" : "128");
  for (const TensorArgument* tensor : {&cos, &sin})
    check_tiling(plan, tensor->shape()[last - 1] == 1, "%s has shape %s, it must have one head",
                 tensor->name(), tensor->shape().text().c_str());
  const std::int64_t heads = (Checked(shape[last - 1]) + key.shape()[last - 1]).saturated();
  check_tiling(plan, fits_buffer(heads, depth, query.dtype()) && (!has_tokens || heads <= 255),
               "%lld and %lld heads are more than a core's buffer takes",
               static_cast<long long>(shape[last - 1]),
               static_cast<long long>(key.shape()[last - 1]));
}

/// The same of the 950, whose layouts put batch, length and heads anywhere.
void check_positions_950(const Plan& plan, const TensorArgument& query, const TensorArgument& key,
                         const TensorArgument& cos, const TensorArgument& sin, std::int64_t layout,
                         bool has_quarters) {
  check_tiling(plan, layout >= 1 && layout <= 4,
               "layout is %lld, it must be 1 to 4, for BSND, SBND, BNSD, TND",
               static_cast<long long>(layout));
  const std::size_t rank = layout == 4 ? 3 : 4;
  check_same_rank(plan, {&query, &key, &cos, &sin}, rank);
  const std::size_t last = rank - 1;
  const std::size_t head = layout == 3 ? 1 : last - 1;
  const std::size_t batch = layout == 2 ? 1 : 0;
  check_tiling(plan, sin.shape() == cos.shape(), "cos has shape %s, sin has %s",
               cos.shape().text().c_str(), sin.shape().text().c_str());
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const std::int64_t extent = query.shape()[axis];
    const bool key_fits = axis == head || key.shape()[axis] == extent;
    const std::int64_t angles = cos.shape()[axis];
    const bool may_spread = rank == 4 && axis == batch;
    const bool cos_fits = axis == head   ? angles == 1
                          : axis == last ? angles <= extent
                                         : angles == extent || (may_spread && angles == 1);
    check_tiling(plan, key_fits && cos_fits,
                 "queryRef has shape %s, keyRef %s and cos %s: they do not go together",
                 query.shape().text().c_str(), key.shape().text().c_str(),
                 cos.shape().text().c_str());
  }
  const std::int64_t depth = query.shape()[last];
  const std::int64_t turned = cos.shape()[last];
  const std::int64_t step = has_quarters ? 4 : 2;
  check_tiling(plan, depth <= 1024 && depth % step == 0 && turned % step == 0,
               "the last extents are %lld and %lld, they must be multiples of %lld up to 1024",
               static_cast<long long>(depth), static_cast<long long>(turned),
               static_cast<long long>(step));
  check_tiling(plan, query.is_empty() == key.is_empty(), "one of queryRef and keyRef is empty");
}

}  // namespace

void rotary_position_embedding(Plan& plan, const TensorArgument& x, const TensorArgument& cos,
                               const TensorArgument& sin, std::int64_t mode,
                               const TensorArgument* rotate, const TensorArgument& out) {
  const bool has_matrix = rotate != nullptr && rotate->given();
  // Of the inference chips' kernel there is the way of halves alone.
  const bool is_on_310p = on_310p() && behaves(Behaviour::kRotatesOn310P) && mode == kHalves &&
                          !has_matrix && x.dtype() != ACL_BF16;
  needs_kernel(plan, chip().has_bf16() || is_on_310p);
  const Check types = kernel_types(plan);
  types.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16}, x);
  types.same_dtype(x, cos, sin);
  if (has_matrix) {
    types.same_dtype(x, *rotate);
    check_same_rank(plan, {&x, &cos, &sin}, 4);
    const std::int64_t depth = x.shape()[3];
    check_tiling(plan, rotate->shape() == Dims({depth, depth}),
                 "rotate has shape %s, it must be square, as wide as x of shape %s",
                 rotate->shape().text().c_str(), x.shape().text().c_str());
    check_tiling(plan, mode == kHalves || mode == kNeighbours, "mode is %lld, it must be 0 or 1",
                 static_cast<long long>(mode));
  } else {
    check_mode(plan, mode);
  }
  check_rows(plan, x, cos, sin, mode, false);
  const std::int64_t depth = x.shape().back();
  check_tiling(plan, !on_310p() || (depth <= 128 && depth % 32 == 0),
               "the last extent is %lld, on the 310P it must be a multiple of 32 up to 128",
               static_cast<long long>(depth));
  for (const TensorArgument* tensor : {&x, &cos, &sin}) plan.stage(*tensor).contiguous();
  if (has_matrix) plan.stage(*rotate).contiguous();
  plan.result(x.dtype(), x.shape()).copy_to(out);
  const View from = plan.reads(x);
  const View c = plan.reads(cos);
  const View s = plan.reads(sin);
  if (has_matrix)
    launch_product(plan, from, c, s, plan.reads(*rotate), plan.writes(out));
  else
    launch_rotation(plan, from, c, s, mode, plan.writes(out));
}

/// The gradients to x, and where x is given, to cos and sin.
void rotary_position_embedding_grad(const Check& check, Plan& plan,
                                    const RotaryPositionEmbeddingGradParameters& given) {
  needs_kernel(plan, chip().has_bf16());
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16}, given.dy);
  check.same_dtype(given.dy, given.cos, given.sin, given.dxOut, given.dcosOut, given.dsinOut);
  if (given.xOptional.given()) check.same_dtype(given.dy, given.xOptional);
  check_mode(plan, given.mode);
  check_rows(plan, given.dy, given.cos, given.sin, given.mode, true);
  for (const TensorArgument* tensor : {&given.xOptional, &given.dxOut})
    if (tensor->given())
      check_tiling(plan, tensor->shape() == given.dy.shape(), "%s has shape %s, dy has %s",
                   tensor->name(), tensor->shape().text().c_str(), given.dy.shape().text().c_str());
  for (const TensorArgument* tensor : {&given.dcosOut, &given.dsinOut})
    if (given.xOptional.given())
      check_tiling(plan, tensor->shape() == given.cos.shape(), "%s has shape %s, cos has %s",
                   tensor->name(), tensor->shape().text().c_str(),
                   given.cos.shape().text().c_str());
  for (const TensorArgument* tensor : {&given.dy, &given.cos, &given.sin, &given.xOptional})
    if (tensor->given()) plan.stage(*tensor).contiguous();
  plan.result(given.dy.dtype(), given.dy.shape()).copy_to(given.dxOut);
  const View grads = plan.reads(given.dy);
  launch_rotation(plan, grads, plan.reads(given.cos), plan.reads(given.sin), given.mode,
                  plan.writes(given.dxOut), &Rotation::turn_back);
  if (!given.xOptional.given()) return;
  for (const TensorArgument* tensor : {&given.dcosOut, &given.dsinOut})
    plan.result(given.dy.dtype(), given.cos.shape()).copy_to(*tensor);
  launch_angles(plan, grads, plan.reads(given.xOptional), given.mode, plan.writes(given.dcosOut),
                plan.writes(given.dsinOut));
}

void apply_rotary_pos_emb(const Check& check, Plan& plan, const TensorArgument& query,
                          const TensorArgument& key, const TensorArgument& cos,
                          const TensorArgument& sin, std::int64_t layout, const std::string& mode) {
  check_kernel_exists(plan, takes_tokens() ? chip().soc != Soc::kAscend910 : on_a2_or_a3());
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16}.with_bf16(), query);
  check.same_dtype(query, key, cos, sin);
  const bool is_half = mode == "half";
  const bool is_quarter = mode == "quarter";
  check_tiling(plan, is_half || (on_950() && (is_quarter || mode == "interleave")),
               "rotaryMode is %s, it must be %s", mode.c_str(),
               on_950() ? "half, interleave or quarter" : "half");
  if (on_950())
    check_positions_950(plan, query, key, cos, sin, layout, is_quarter);
  else
    check_positions(plan, query, key, cos, sin, layout);
  for (const TensorArgument* tensor : {&query, &key, &cos, &sin}) plan.stage(*tensor).contiguous();
  if (query.is_empty()) return;
  const std::int64_t depth = cos.shape().back();
  for (const TensorArgument* tensor : {&query, &key}) {
    plan.result(tensor->dtype(), tensor->shape()).copy_to(*tensor);
    plan.reads(*tensor);
    const View rows = narrowed(plan.writes(*tensor), depth);
    launch_rotation(plan, rows, plan.reads(cos), plan.reads(sin),
                    is_half      ? kHalves
                    : is_quarter ? kQuarters
                                 : kNeighbours,
                    rows);
  }
}

/// Neighbours sorted into halves, [batch, heads, length, 64].
void interleave_rope(const Check& check, Plan& plan, const InterleaveRopeParameters& given) {
  if (on_950()) {
    if (given.out.is_empty()) return;
    return rotary_position_embedding(plan, given.x, given.cos, given.sin, kNeighboursToHalves,
                                     nullptr, given.out);
  }
  constexpr std::int64_t kWidth = 64;
  needs_kernel(plan, on_a2_or_a3());
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16}, given.x);
  check.same_dtype(given.x, given.cos, given.sin, given.out);
  check_same_rank(plan, {&given.x, &given.cos, &given.sin}, 4);
  const Dims& shape = given.x.shape();
  const Dims& angles = given.cos.shape();
  check_tiling(plan, !given.x.is_empty() && shape[3] == kWidth,
               "x has shape %s, it must have elements, 64 in each row", shape.text().c_str());
  check_tiling(plan, angles == given.sin.shape(), "cos has shape %s, sin has %s",
               angles.text().c_str(), given.sin.shape().text().c_str());
  const bool fits = angles[0] == shape[0] && angles[1] == 1 &&
                    (angles[2] == shape[2] || angles[2] == 1) && angles[3] == kWidth;
  check_tiling(plan, fits, "cos has shape %s, which does not go with x of shape %s",
               angles.text().c_str(), shape.text().c_str());
  check_tiling(plan, given.out.shape() == shape, "out has shape %s, x has %s",
               given.out.shape().text().c_str(), shape.text().c_str());
  for (const TensorArgument* tensor : {&given.x, &given.cos, &given.sin})
    plan.stage(*tensor).contiguous();
  plan.result(given.x.dtype(), shape).copy_to(given.out);
  launch_rotation(plan, plan.reads(given.x), plan.reads(given.cos), plan.reads(given.sin),
                  kNeighboursToHalves, plan.writes(given.out));
}

}  // namespace pyaclnn::sim
