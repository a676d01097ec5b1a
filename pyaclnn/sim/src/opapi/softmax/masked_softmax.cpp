// SPDX-License-Identifier: MIT
#include "opapi/softmax/masked_softmax.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/cpu_wide.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/pointwise/checks.hpp"
#include "opapi/softmax/softmax_row.hpp"
#include "parameters/MaskedSoftmaxWithRelPosBias.hpp"
#include "parameters/ScaledMaskedSoftmax.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGrain = 16384;  // values worth a hand-over to another thread
constexpr float kMasked = -10000.0F;

/// x, then a mask or what is added, of one shape; rows lie along the last dimension.
struct MaskedRows {
  View out;
  std::vector<View> inputs;
  LoopNest rows;
  std::int64_t length = 0;
  float scale = 1;
  bool masks = false;  // the second input says which values are masked
  void (*row)(const float*, std::int64_t, bool, float*) =
      wide_loop_for_cpu<SoftmaxRow<float>, const float*, std::int64_t, bool, float*>();

  void run(const KernelMemory& memory, std::int64_t begin, std::int64_t end) const {
    std::vector<float> values(static_cast<std::size_t>(length));
    std::vector<float> other(static_cast<std::size_t>(length));
    const StoreFn store = storer<float>(out.dtype, Rounding::kTruncate);
    LoopCursor cursor(rows, begin);
    for (std::int64_t i = begin; i < end; ++i) {
      load(memory, 0, cursor, values);
      for (float& value : values) value *= scale;
      for (std::size_t k = 1; k < inputs.size(); ++k) {
        load(memory, k, cursor, other);
        for (std::size_t j = 0; j < values.size(); ++j) {
          if (!masks) {
            values[j] += other[j];
          } else if (other[j] != 0) {
            values[j] = kMasked;
          }
        }
      }
      row(values.data(), length, false, values.data());
      const auto size = std::int64_t(dtype_size(out.dtype));
      store(values.data(), length,
            memory.operands[out.operand] + (out.offset + cursor.offset(0)) * size,
            out.strides.back());
      cursor.advance(1);
    }
  }

 private:
  void load(const KernelMemory& memory, std::size_t number, const LoopCursor& cursor,
            std::vector<float>& to) const {
    const View& view = inputs[number];
    const auto size = std::int64_t(dtype_size(view.dtype));
    loader<float>(view.dtype)(
        memory.operands[view.operand] + (view.offset + cursor.offset(number + 1)) * size,
        view.strides.back(), length, to.data());
  }
};

/// The view without its last dimension.
View rows_of(const View& view) {
  View result = view;
  result.shape = Dims(view.shape.begin(), view.shape.size() - 1);
  result.strides = Dims(view.strides.begin(), view.strides.size() - 1);
  return result;
}

void launch(Plan& plan, const View& out, std::vector<View> inputs, double scale, bool masks) {
  auto kernel = std::make_shared<MaskedRows>();
  std::vector<View> rows{rows_of(out)};
  for (View& input : inputs) {
    input = broadcast_view(input, out.shape);
    rows.push_back(rows_of(input));
  }
  kernel->out = out;
  kernel->inputs = std::move(inputs);
  kernel->rows = plan_loops(rows);
  kernel->length = out.shape.back();
  kernel->scale = static_cast<float>(scale);
  kernel->masks = masks;
  plan.launch([kernel](const KernelMemory& memory) {
    parallel_for(kernel->rows.count, std::max<std::int64_t>(1, kGrain / kernel->length),
                 [&](std::int64_t begin, std::int64_t end) { kernel->run(memory, begin, end); });
  });
}

/// A view of another shape and strides.
View shaped(View view, const Dims& shape, const Dims& strides) {
  view.shape = shape;
  view.strides = strides;
  return view;
}

/// Five dimensions: one where the batch is left out, and one where the head is.
bool fits(const Dims& shape, std::int64_t first, std::int64_t second, bool has_head,
          const Dims& whole) {
  const std::size_t rank = shape.size();
  const std::int64_t rows = whole[rank == 0 ? 0 : whole.size() - 2];
  if (rank < 3 || rank > 5 || shape[rank - 1] != whole.back() || shape[rank - 2] != rows)
    return false;
  if (has_head)  // (N), (1, N), (1, 1, N)
    return shape[rank - 3] == second && (rank < 4 || shape[rank - 4] == 1) &&
           (rank < 5 || shape[0] == 1);
  // (W), (W, 1), (1, W, 1)
  if (rank == 3) return shape[0] == first;
  return shape[rank - 3] == 1 && shape[rank - 4] == first && (rank < 5 || shape[0] == 1);
}

}  // namespace

void check_scaled_masked(const Check& check, const Plan& plan, const TensorArgument& x,
                         const TensorArgument& mask, const TensorArgument& y) {
  for (const TensorArgument* tensor : {&x, &mask, &y}) check_given_inside(plan, *tensor);
  const DtypeSet floats{ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
  check.dtype_in(floats, x);
  check.dtype_in(DtypeSet{ACL_BOOL}, mask);
  check.dtype_in(floats, y);
  check.same_dtype(x, y);
  for (const TensorArgument* tensor : {&x, &mask, &y})
    check.that(tensor->rank() == 4, "%s has %zu dimensions, it must have 4", tensor->name(),
               tensor->rank());
  for (std::size_t i = 0; i < 4; ++i)
    check.that(mask.shape()[i] == x.shape()[i] || (i < 2 && mask.shape()[i] == 1),
               "mask of shape %s does not broadcast over the first two dimensions of %s",
               mask.shape().text().c_str(), x.shape().text().c_str());
  const std::int64_t longest = on_950() ? 8192 : 4096;
  check.that(x.shape()[3] > 0 && x.shape()[3] <= longest, "x has rows of %lld, at most %lld",
             static_cast<long long>(x.shape()[3]), static_cast<long long>(longest));
}

/// -10000 where the mask is true, elsewhere x times a number.
void scaled_masked_softmax(const Check&, Plan& plan, const ScaledMaskedSoftmaxParameters& given) {
  plan.stage(given.x).contiguous();
  plan.stage(given.mask).contiguous();
  plan.result(given.x.dtype(), given.x.shape()).copy_to(given.y);
  const View to = plan.writes(given.y);
  const View from = plan.reads(given.x);
  launch(plan, to, {from, plan.reads(given.mask)}, given.scale, true);
}

/// aclnnMaskedSoftmaxWithRelPosBias: x times a number, plus a mask of each window, which need not
/// be given, plus a bias of each head. Everything that does not fit is 561002.
void softmax_with_bias(const Check&, Plan& plan,
                       const MaskedSoftmaxWithRelPosBiasParameters& given) {
  const DtypeSet floats = DtypeSet{ACL_FLOAT, ACL_FLOAT16}.with_bf16();
  check_tiling(
      plan,
      floats.contains(given.x.dtype()) && given.relativePosBias.dtype() == given.x.dtype() &&
          given.out.dtype() == given.x.dtype() &&
          (!given.attenMaskOptional.given() || given.attenMaskOptional.dtype() == given.x.dtype()),
      "all tensors must be of one floating point type");
  const std::size_t rank = given.x.rank();
  check_tiling(plan, rank == 4 || rank == 5, "x has %zu dimensions, it has 4 or 5", rank);
  check_tiling(plan, !given.x.is_empty() && given.out.shape() == given.x.shape(),
               "out has shape %s, x %s", given.out.shape().text().c_str(),
               given.x.shape().text().c_str());
  const Dims& shape = given.x.shape();
  std::int64_t windows = rank == 5 ? shape[1] : 1;
  if (given.attenMaskOptional.given()) {
    const std::size_t place = given.attenMaskOptional.rank() == 5 ? 1 : 0;
    check_tiling(plan,
                 given.attenMaskOptional.rank() >= 3 && given.attenMaskOptional.rank() <= 5 &&
                     given.attenMaskOptional.shape()[place] > 0,
                 "attenMaskOptional has shape %s", given.attenMaskOptional.shape().text().c_str());
    if (rank == 4) windows = given.attenMaskOptional.shape()[place];
    check_tiling(plan,
                 fits(given.attenMaskOptional.shape(), windows, 0, false, shape) &&
                     (rank == 5 || shape[0] % windows == 0),
                 "attenMaskOptional has shape %s, which is not that of the windows of x, %s",
                 given.attenMaskOptional.shape().text().c_str(), shape.text().c_str());
  }
  check_tiling(plan, fits(given.relativePosBias.shape(), 0, shape[rank - 3], true, shape),
               "relativePosBias has shape %s, which is not that of the heads of x, %s",
               given.relativePosBias.shape().text().c_str(), shape.text().c_str());
  const auto size = std::int64_t(dtype_size(given.x.dtype()));
  const std::int64_t width = shape[rank - 1];
  check_tiling(plan, !on_310p() || width * size % 32 == 0,
               "rows of x have %lld elements, which are no multiple of 32 bytes",
               static_cast<long long>(width));
  // What a row needs of the local memory; float16 is computed in float.
  const std::int64_t local = on_310p() ? 256 * 1024 : 192 * 1024;
  const std::int64_t copies = (given.attenMaskOptional.given() ? 8 : 6) * (size == 4 ? 1 : 2);
  check_tiling(plan, width <= (local - 288) / (copies * size) / 16 * 16,
               "rows of x have %lld elements, which are more than the local memory holds",
               static_cast<long long>(width));
  plan.stage(given.x).contiguous();
  if (given.attenMaskOptional.given()) plan.stage(given.attenMaskOptional).contiguous();
  plan.stage(given.relativePosBias).contiguous();
  plan.result(given.x.dtype(), shape).copy_to(given.out);

  // Everything in five dimensions: batch, window, head, row, column.
  const std::int64_t heads = shape[rank - 3];
  const std::int64_t rows = shape[rank - 2];
  const Dims whole{shape[0] / (rank == 5 ? 1 : windows), windows, heads, rows, width};
  const auto five = [&](const View& view) {
    if (rank == 5) return view;
    const Dims& s = view.strides;
    return shaped(view, whole, Dims({s[0] * windows, s[0], s[1], s[2], s[3]}));
  };
  const View to = five(plan.writes(given.out));
  std::vector<View> inputs{five(plan.reads(given.x))};
  if (given.attenMaskOptional.given()) {
    const View view = plan.reads(given.attenMaskOptional);
    const std::size_t at = view.shape.size();
    const std::int64_t step = view.strides[at == 5 ? 1 : 0];
    inputs.push_back(shaped(view, Dims({1, windows, 1, rows, width}),
                            Dims({0, step, 0, view.strides[at - 2], view.strides[at - 1]})));
  }
  const View view = plan.reads(given.relativePosBias);
  const std::size_t at = view.shape.size();
  inputs.push_back(
      shaped(view, Dims({1, 1, heads, rows, width}),
             Dims({0, 0, view.strides[at - 3], view.strides[at - 2], view.strides[at - 1]})));
  launch(plan, to, std::move(inputs), given.scaleValue, false);
}

}  // namespace pyaclnn::sim
