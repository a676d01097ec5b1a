// SPDX-License-Identifier: MIT
#include "opapi/loss/nll_loss_forward.hpp"

#include <cstdint>
#include <limits>

#include "opapi/common/chip_family.hpp"
#include "opapi/common/elementwise.hpp"
#include "opapi/loss/elements.hpp"

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

void nll_loss(Plan& plan, const TensorArgument& self, const TensorArgument& target,
              const TensorArgument& weight, std::int64_t reduction, std::int64_t ignore_index,
              const TensorArgument& out, const TensorArgument& total_weight) {
  stage(plan, {self, target, weight, out, total_weight});
  const std::int64_t rows = self.rank() == 2 ? self.shape()[0] : 1;
  launch(plan, {self, target, weight, out, total_weight}, {rows, 1, 1}, reduction, ignore_index,
         true);
}

void nll_loss2d(const Check& check, Plan& plan, const TensorArgument& self,
                const TensorArgument& target, const TensorArgument& weight, std::int64_t reduction,
                std::int64_t ignore_index, const TensorArgument& out,
                const TensorArgument& total_weight) {
  check.that(self.rank() == 4 && target.rank() == 3,
             "self has %zu dimensions and target %zu, they must have 4 and 3", self.rank(),
             target.rank());
  const Dims& shape = self.shape();
  check.that(weight.rank() == 1 && weight.shape()[0] == shape[1],
             "weight has shape %s, it must be [%lld], a value for each class",
             weight.shape().text().c_str(), static_cast<long long>(shape[1]));
  check.shape_is(target, Dims{shape[0], shape[2], shape[3]}, "the shape of self but its classes");
  if (reduction == kNone) {
    check.same_shape(target, out);
  } else {
    check.that(out.elements() == 1, "out has shape %s, it must have one element",
               out.shape().text().c_str());
  }
  check.that(total_weight.elements() == 1, "totalWeightOut has shape %s, it must have one element",
             total_weight.shape().text().c_str());
  if (self.is_empty()) {
    if (reduction == kNone) return;
    const float loss = reduction == kMean ? std::numeric_limits<float>::quiet_NaN() : 0.0f;
    elementwise<float>(plan, out, [loss] { return loss; });
    elementwise<float>(plan, total_weight, [] { return 0.0f; });
    return;
  }
  const Tensors tensors{self, target, weight, out, total_weight};
  stage(plan, tensors);
  launch(plan, tensors, {shape[0], shape[2], shape[3]}, reduction, ignore_index, false);
}

}  // namespace pyaclnn::sim
