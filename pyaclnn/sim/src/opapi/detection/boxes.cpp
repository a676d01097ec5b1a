// How much boxes have in common, and gradients of points between their three neighbours.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "opapi/common/chip_check.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/packed_operand.hpp"
#include "parameters/CIoU.hpp"
#include "parameters/NonMaxSuppression.hpp"
#include "parameters/ThreeInterpolateBackward.hpp"

namespace pyaclnn::sim {
namespace {

struct Box {
  double left, top, right, bottom;
  double width() const { return right - left; }
  double height() const { return bottom - top; }
};

/// Box i of four rows of numbers: corners, or a centre and sizes.
Box box_of(const std::vector<double>& rows, std::size_t i, bool centred) {
  const std::size_t n = rows.size() / 4;
  const double a = rows[i], b = rows[n + i], c = rows[2 * n + i], d = rows[3 * n + i];
  if (!centred) return {a, b, c, d};
  return {a - c / 2, b - d / 2, a + c / 2, b + d / 2};
}

double squared(double x) { return x * x; }

/// What two boxes have in common, as a part of both.
double overlap_of(const Box& a, const Box& b) {
  const double wide = std::min(a.right, b.right) - std::max(a.left, b.left);
  const double high = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  if (!(wide > 0.0 && high > 0.0)) return 0.0;
  const double all = a.width() * a.height() + b.width() * b.height() - wide * high;
  return all > 0.0 ? wide * high / all : 0.0;
}

/// Four numbers behind one another: y and x of two corners, or a centre and sizes.
Box box_at(const float* of, bool centred) {
  const double a = of[0], b = of[1], c = of[2], d = of[3];
  if (centred) return {a - c / 2, b - d / 2, a + c / 2, b + d / 2};
  return {std::min(b, d), std::min(a, c), std::max(b, d), std::max(a, c)};
}

/// Boxes by falling score, without those that overlap one before too much.
std::vector<std::int64_t> select(const std::vector<Box>& boxes, const float* scores,
                                 std::size_t most, double overlap, double least) {
  std::vector<std::int64_t> order;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    if (double(scores[i]) > least) order.push_back(std::int64_t(i));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int64_t a, std::int64_t b) { return scores[a] > scores[b]; });
  std::vector<std::int64_t> selected;
  for (const std::int64_t i : order) {
    if (selected.size() >= most) break;
    const Box& box = boxes[std::size_t(i)];
    if (std::none_of(selected.begin(), selected.end(), [&](std::int64_t other) {
          return overlap_of(box, boxes[std::size_t(other)]) > overlap;
        }))
      selected.push_back(i);
  }
  return selected;
}

}  // namespace

void ciou(const Check& check, Plan& plan, const CIoUParameters& given) {
  const TensorArgument& boxes = given.bBoxes;
  check_chip_has(plan, on_950());
  check.not_null(boxes, given.gtBoxes, given.overlap, given.atanSub);
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16}, boxes);
  check.same_dtype(boxes, given.gtBoxes, given.overlap, given.atanSub);
  for (const TensorArgument* tensor : {&boxes, &given.gtBoxes, &given.overlap, &given.atanSub})
    check.that(tensor->meta().format == ACL_FORMAT_ND, "%s is not of format ND", tensor->name());
  check.that(!given.isCross, "isCross is true");
  const bool of_front = given.mode.text == "iof";
  check.that(of_front || given.mode.text == "iou", "mode is %s, it must be iou or iof",
             given.mode.text.c_str());
  constexpr std::int64_t kStep = 1024;
  check.that(boxes.rank() == 2 && boxes.shape()[0] == 4 && boxes.shape()[1] % kStep == 0,
             "bBoxes has shape %s, it must be 4 rows of a multiple of 1024",
             boxes.shape().text().c_str());
  check.same_shape(boxes, given.gtBoxes);
  for (const TensorArgument* tensor : {&given.overlap, &given.atanSub})
    check.shape_is(*tensor, Dims{1, boxes.shape()[1]}, "the boxes");
  if (boxes.is_empty()) return;
  const PackedOperand found = reads_packed(plan, boxes);
  const PackedOperand truth = reads_packed(plan, given.gtBoxes);
  const PackedOperand overlap = writes_packed(plan, given.overlap);
  const PackedOperand angles = writes_packed(plan, given.atanSub);
  const bool centred = given.trans;
  plan.launch([=](const KernelMemory& memory) {
    const std::vector<double> ps = found.read<double>(memory);
    const std::vector<double> gs = truth.read<double>(memory);
    std::vector<double> values(ps.size() / 4);
    std::vector<double> differences(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Box p = box_of(ps, i, centred);
      const Box g = box_of(gs, i, centred);
      const double wide = std::min(p.right, g.right) - std::max(p.left, g.left);
      const double high = std::min(p.bottom, g.bottom) - std::max(p.top, g.top);
      const double common = std::max(wide, 0.0) * std::max(high, 0.0);
      const double front = g.width() * g.height();
      const double all = of_front ? front : front + p.width() * p.height() - common;
      const double iou = common / all;
      const double apart = squared(p.left + p.right - g.left - g.right) / 4 +
                           squared(p.top + p.bottom - g.top - g.bottom) / 4;
      const double diagonal = squared(std::max(p.right, g.right) - std::min(p.left, g.left)) +
                              squared(std::max(p.bottom, g.bottom) - std::min(p.top, g.top));
      constexpr double kPi = 3.14159265358979323846;
      const double angle = std::atan(g.width() / g.height()) - std::atan(p.width() / p.height());
      const double v = 4.0 / (kPi * kPi) * squared(angle);
      // Boxes of one form lose nothing, however much they overlap.
      const double form = v == 0.0 ? 0.0 : v * v / (1.0 - iou + v);
      values[i] = iou - apart / diagonal - form;
      differences[i] = angle;
    }
    overlap.write(memory, values);
    angles.write(memory, differences);
  });
}

void non_max_suppression(const Check& check, Plan& plan, const NonMaxSuppressionParameters& given) {
  constexpr std::int64_t kMost = 700;
  const auto& wanted = given.maxOutputBoxesPerClass;
  const std::int64_t most = wanted.given() && !wanted.values().empty() ? wanted.values()[0] : 0;
  check.that(most <= kMost, "maxOutputBoxesPerClass is %lld, at most 700 are allowed",
             static_cast<long long>(most));
  check.not_null(given.boxes, given.scores);
  check.that_given(given.iouThreshold.given() && !given.iouThreshold.values().empty(),
                   "iouThreshold");
  check.not_null(given.selectedIndices);
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16}, given.boxes, given.scores);
  check.same_dtype(given.boxes, given.scores);
  const float overlap = given.iouThreshold.values()[0];
  check.that(!(overlap > 1.0f) && !(overlap < 0.0f), "iouThreshold is %g", double(overlap));
  for (const TensorArgument* tensor : {&given.boxes, &given.scores, &given.selectedIndices})
    check.that(tensor->meta().format == ACL_FORMAT_ND, "%s is not of format ND", tensor->name());
  const Dims& boxes = given.boxes.shape();
  const Dims& scores = given.scores.shape();
  check.that(boxes.size() == 3 && scores.size() == 3 && boxes[0] == scores[0] &&
                 boxes[1] == scores[2] && boxes[2] == 4,
             "boxes has shape %s, scores has %s", boxes.text().c_str(), scores.text().c_str());
  check.that(given.centerPointBox == 0 || given.centerPointBox == 1, "centerPointBox is %d",
             int(given.centerPointBox));
  check_chip_has(plan, on_310p());
  const TensorArgument& out = given.selectedIndices;
  check_kernel_exists(plan, out.dtype() == ACL_INT32);
  check_tiling(plan, out.rank() == 2 && out.shape()[1] == 3, "selectedIndices has shape %s",
               out.shape().text().c_str());
  const auto& limits = given.scoreThreshold;
  const double least =
      limits.given() && !limits.values().empty() ? double(limits.values()[0]) : 0.0;
  const PackedOperand from = reads_packed(plan, given.boxes);
  const PackedOperand ranks = reads_packed(plan, given.scores);
  const PackedOperand to = writes_packed(plan, out);
  if (to.size() == 0) return;
  const bool centred = given.centerPointBox == 1;
  plan.launch([=](const KernelMemory& memory) {
    const std::vector<float> corners = from.read(memory);
    const std::vector<float> values = ranks.read(memory);
    // Behind what is selected.
    std::vector<std::int64_t> rows(std::size_t(to.size()), -1);
    std::size_t next = 0;
    for (std::int64_t b = 0; b < boxes[0] && boxes[1] > 0; ++b) {
      std::vector<Box> of;
      for (std::int64_t i = 0; i < boxes[1]; ++i)
        of.push_back(box_at(&corners[std::size_t((b * boxes[1] + i) * 4)], centred));
      for (std::int64_t c = 0; c < scores[1]; ++c) {
        const float* own = &values[std::size_t((b * scores[1] + c) * boxes[1])];
        for (const std::int64_t i :
             select(of, own, std::size_t(std::max<std::int64_t>(most, 0)), double(overlap), least))
          if (next + 3 <= rows.size())
            for (const std::int64_t number : {b, c, i}) rows[next++] = number;
      }
    }
    to.write(memory, rows);
  });
}

void three_interpolate_backward(const Check& check, Plan& plan,
                                const ThreeInterpolateBackwardParameters& given) {
  const DtypeSet floats{ACL_FLOAT, ACL_FLOAT16};
  const TensorArgument& grad = given.grad_x;
  check.not_null(grad, given.idx, given.weight, given.grad_y);
  check.dtype_in(floats, grad);
  check.dtype_in(DtypeSet{ACL_INT32, ACL_INT64}, given.idx);
  check.dtype_in(floats, given.weight);
  if (grad.is_empty() || given.idx.is_empty() || given.weight.is_empty()) return;
  needs_kernel(plan, on_a2_or_a3());
  const Dims& x = grad.shape();
  check_tiling(plan, x.size() == 4 && x[3] == 1, "grad_x has shape %s, it must be [b, c, n, 1]",
               x.text().c_str());
  const Dims neighbours{x[0], x[2], 3};
  for (const TensorArgument* tensor : {&given.idx, &given.weight})
    check_tiling(plan, tensor->shape() == neighbours, "%s has shape %s, it must have %s",
                 tensor->name(), tensor->shape().text().c_str(), neighbours.text().c_str());
  check_tiling(plan, given.m > 0, "m is %d", int(given.m));
  check_inside(plan, given.grad_y.shape() == Dims{x[0], x[1], given.m, 1}, "grad_y has shape %s",
               given.grad_y.shape().text().c_str());
  const PackedOperand from = reads_packed(plan, grad);
  const PackedOperand places = reads_packed(plan, given.idx);
  const PackedOperand shares = reads_packed(plan, given.weight);
  plan.result(grad.dtype(), given.grad_y.shape()).copy_to(given.grad_y);
  const PackedOperand to(plan.writes(given.grad_y));
  const std::int64_t channels = x[1];
  const std::int64_t points = x[2];
  const std::int64_t m = given.m;
  const char* api = plan.api();
  plan.launch([=](const KernelMemory& memory) {
    const std::vector<float> grads = from.read(memory);
    const auto at = places.read<std::int64_t>(memory);
    const std::vector<float> weights = shares.read(memory);
    for (const std::int64_t place : at)
      if (place < 0 || place >= m)
        fail(kRtAicoreException, "%s: idx is %lld, there are %lld points", api,
             static_cast<long long>(place), static_cast<long long>(m));
    std::vector<float> sums(static_cast<std::size_t>(to.size()));
    for (std::size_t i = 0; i < grads.size(); ++i) {
      const std::int64_t row = std::int64_t(i) / points;
      const auto first = std::size_t((row / channels * points + std::int64_t(i) % points) * 3);
      for (std::size_t k = first; k < first + 3; ++k)
        sums[std::size_t(row * m + at[k])] += grads[i] * weights[k];
    }
    to.write(memory, sums);
  });
}

}  // namespace pyaclnn::sim
