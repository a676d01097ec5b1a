// SPDX-License-Identifier: MIT
#include "opapi/loss/nll_loss_forward.hpp"

#include <cstdint>
#include <limits>

#include "opapi/common/chip_family.hpp"
#include "opapi/common/elementwise.hpp"
#include "opapi/loss/elements.hpp"
#include "parameters/NLLLoss.hpp"
#include "parameters/NLLLoss2d.hpp"

namespace pyaclnn::sim {
namespace {

enum Reduction : std::int64_t { kNone = 0, kMean = 1, kSum = 2 };

/// float16 is computed and returned as float32, except on the 950.
aclDataType result_dtype(aclDataType dtype) {
  return dtype == ACL_FLOAT16 && !on_950() ? ACL_FLOAT : dtype;
}

struct Tensors {
  const TensorArgument& self;
  const TensorArgument& target;
  const TensorArgument& weight;
  const TensorArgument& out;
  const TensorArgument& total_weight;
};

/// What goes from one row to the next: rows of [N, C], or of [N, C, H, W] where C is not last.
struct Rows {
  std::int64_t samples;
  std::int64_t height;
  std::int64_t width;
};

void launch(Plan& plan, const Tensors& t, const Rows& rows, std::int64_t reduction,
            std::int64_t ignore_index, bool clears_total) {
  const Elements<double> result(plan.writes(t.out));
  const Elements<double> total(plan.writes(t.total_weight));
  const Elements<double> scores(plan.reads(t.self));
  const Elements<double> weights(plan.reads(t.weight));
  const Elements<std::int64_t> targets(plan.reads(t.target));
  const bool is_image = t.self.rank() == 4;
  const std::int64_t classes = t.self.shape()[is_image || t.self.rank() == 2 ? 1 : 0];
  plan.launch([=](const KernelMemory& memory) {
    const std::size_t sample = is_image ? 4 : 2;
    const std::size_t one_class = is_image ? 3 : 1;
    double sum = 0;
    double weighed = 0;
    const auto row = [&](std::int64_t n, std::int64_t y, std::int64_t x) {
      const auto place = [&](const auto& of) {
        return is_image ? n * of.stride(3) + y * of.stride(2) + x * of.stride(1) : n * of.stride(1);
      };
      const std::int64_t t = targets.read(memory, place(targets));
      double loss = 0;
      if (t != ignore_index && t >= 0 && t < classes) {
        const double w = weights.read(memory, t * weights.stride(1));
        const std::int64_t inside = is_image ? y * scores.stride(2) + x * scores.stride(1) : 0;
        loss = -w * scores.read(memory,
                                n * scores.stride(sample) + t * scores.stride(one_class) + inside);
        weighed += w;
      }
      sum += loss;
      if (reduction == kNone) result.write(memory, place(result), loss);
    };
    for (std::int64_t n = 0; n < rows.samples; ++n)
      for (std::int64_t y = 0; y < rows.height; ++y)
        for (std::int64_t x = 0; x < rows.width; ++x) row(n, y, x);
    if (reduction == kMean) result.write(memory, 0, sum / weighed);
    if (reduction == kSum) result.write(memory, 0, sum);
    if (reduction != kNone || clears_total)
      total.write(memory, 0, reduction == kNone ? 0 : weighed);
  });
}

void stage(Plan& plan, const Tensors& t) {
  const aclDataType type = result_dtype(t.self.dtype());
  plan.stage(t.self).contiguous().cast_to(type);
  plan.stage(t.target).contiguous();
  plan.stage(t.weight).contiguous().cast_to(type);
  for (const TensorArgument* tensor : {&t.out, &t.total_weight})
    plan.result(type, tensor->shape()).cast_to(tensor->dtype()).copy_to(*tensor);
}

}  // namespace

void check_nll_loss(const Check& check, const TensorArgument& self, const TensorArgument& target,
                    const TensorArgument& weight, std::int64_t reduction, const TensorArgument& out,
                    const TensorArgument& total_weight) {
  check.that(self.rank() == 1 || self.rank() == 2, "self has %zu dimensions, it must have 1 or 2",
             self.rank());
  const bool fits =
      (self.rank() == 1 && target.rank() == 0) ||
      (self.rank() == 2 && target.rank() == 1 && self.shape()[0] == target.shape()[0]);
  check.that(fits, "target has shape %s, which does not go with self of shape %s",
             target.shape().text().c_str(), self.shape().text().c_str());
  const std::int64_t classes = self.shape().back();
  check.that(weight.rank() == 1 && weight.shape()[0] == classes,
             "weight has shape %s, it must be [%lld], a value for each class",
             weight.shape().text().c_str(), static_cast<long long>(classes));
  const bool each = reduction == kNone && self.rank() == 2;
  check.that(each ? out.rank() == 1 && out.shape()[0] == self.shape()[0]
                  : out.rank() <= 1 && out.elements() == 1,
             "out has shape %s, which does not go with reduction %lld", out.shape().text().c_str(),
             static_cast<long long>(reduction));
  check.that(total_weight.elements() == 1, "totalWeightOut has shape %s, it must have one element",
             total_weight.shape().text().c_str());
  check.that(classes > 0 || target.elements() == 0, "self has no classes");
}

/// out = -weight[t] self[n, t], its sum, or its sum over totalWeight, the sum of the weights.
/// Targets of `ignore_index` and, here, those that are no class count as nothing.
void nll_loss(const Check&, Plan& plan, const NLLLossParameters& given) {
  stage(plan, {given.self, given.target, given.weight, given.out, given.totalWeightOut});
  const std::int64_t rows = given.self.rank() == 2 ? given.self.shape()[0] : 1;
  launch(plan, {given.self, given.target, given.weight, given.out, given.totalWeightOut},
         {rows, 1, 1}, given.reduction, given.ignoreIndex, true);
}

/// The same of images: self [N, C, H, W], target [N, H, W].
void nll_loss2d(const Check& check, Plan& plan, const NLLLoss2dParameters& given) {
  check.that(given.self.rank() == 4 && given.target.rank() == 3,
             "self has %zu dimensions and target %zu, they must have 4 and 3", given.self.rank(),
             given.target.rank());
  const Dims& shape = given.self.shape();
  check.that(given.weight.rank() == 1 && given.weight.shape()[0] == shape[1],
             "weight has shape %s, it must be [%lld], a value for each class",
             given.weight.shape().text().c_str(), static_cast<long long>(shape[1]));
  check.shape_is(given.target, Dims{shape[0], shape[2], shape[3]},
                 "the shape of self but its classes");
  if (given.reduction == kNone) {
    check.same_shape(given.target, given.out);
  } else {
    check.that(given.out.elements() == 1, "out has shape %s, it must have one element",
               given.out.shape().text().c_str());
  }
  check.that(given.totalWeightOut.elements() == 1,
             "totalWeightOut has shape %s, it must have one element",
             given.totalWeightOut.shape().text().c_str());
  if (given.self.is_empty()) {
    if (given.reduction == kNone) return;
    const float loss = given.reduction == kMean ? std::numeric_limits<float>::quiet_NaN() : 0.0f;
    elementwise<float>(plan, given.out, [loss] { return loss; });
    elementwise<float>(plan, given.totalWeightOut, [] { return 0.0f; });
    return;
  }
  const Tensors tensors{given.self, given.target, given.weight, given.out, given.totalWeightOut};
  stage(plan, tensors);
  launch(plan, tensors, {shape[0], shape[2], shape[3]}, given.reduction, given.ignoreIndex, false);
}

}  // namespace pyaclnn::sim
