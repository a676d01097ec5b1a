// SPDX-License-Identifier: MIT
#include "opapi/loss/nll_loss_forward.hpp"

#include <cstdint>

#include "core/config.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/convert.hpp"

namespace pyaclnn::sim {
namespace {

enum Reduction : std::int64_t { kNone = 0, kMean = 1, kSum = 2 };

/// float16 is computed and returned as float32, except on the 950.
aclDataType result_dtype(aclDataType dtype) {
  return dtype == ACL_FLOAT16 && config().soc != Soc::kAscend950 ? ACL_FLOAT : dtype;
}

/// Reads and writes single elements of a view.
template <class T>
class Elements {
 public:
  explicit Elements(const View& view)
      : view_(view),
        size_(std::int64_t(dtype_size(view.dtype))),
        load_(loader<T>(view.dtype)),
        store_(storer<T>(view.dtype, Rounding::kTruncate)) {}

  std::byte* at(const KernelMemory& memory, std::int64_t offset) const {
    return memory.operands[view_.operand] + (view_.offset + offset) * size_;
  }
  T read(const KernelMemory& memory, std::int64_t offset) const {
    T value;
    load_(at(memory, offset), 1, 1, &value);
    return value;
  }
  void write(const KernelMemory& memory, std::int64_t offset, T value) const {
    store_(&value, 1, at(memory, offset), 1);
  }
  std::int64_t stride(std::size_t from_the_end) const {
    const std::size_t rank = view_.strides.size();
    return rank < from_the_end ? 0 : view_.strides[rank - from_the_end];
  }

 private:
  View view_;
  std::int64_t size_;
  LoadFn load_;
  StoreFn store_;
};

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
  const aclDataType type = result_dtype(self.dtype());
  plan.stage(self).contiguous().cast_to(type);
  plan.stage(target).contiguous();
  plan.stage(weight).contiguous().cast_to(type);
  plan.result(type, out.shape()).cast_to(out.dtype()).copy_to(out);
  plan.result(type, total_weight.shape()).cast_to(total_weight.dtype()).copy_to(total_weight);
  const Elements<double> result(plan.writes(out));
  const Elements<double> total(plan.writes(total_weight));
  const Elements<double> scores(plan.reads(self));
  const Elements<double> weights(plan.reads(weight));
  const Elements<std::int64_t> targets(plan.reads(target));
  const std::int64_t rows = self.rank() == 2 ? self.shape()[0] : 1;
  const std::int64_t classes = self.shape().back();
  plan.launch([=](const KernelMemory& memory) {
    double sum = 0;
    double weighed = 0;
    for (std::int64_t n = 0; n < rows; ++n) {
      const std::int64_t t = targets.read(memory, n * targets.stride(1));
      double loss = 0;
      if (t != ignore_index && t >= 0 && t < classes) {
        const double w = weights.read(memory, t * weights.stride(1));
        loss = -w * scores.read(memory, n * scores.stride(2) + t * scores.stride(1));
        weighed += w;
      }
      sum += loss;
      if (reduction == kNone) result.write(memory, n * result.stride(1), loss);
    }
    if (reduction == kMean) result.write(memory, 0, sum / weighed);
    if (reduction == kSum) result.write(memory, 0, sum);
    total.write(memory, 0, reduction == kNone ? 0 : weighed);
  });
}

}  // namespace pyaclnn::sim
