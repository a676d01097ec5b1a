// SPDX-License-Identifier: MIT
#include "opapi/reduction/norms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "opapi/common/lines.hpp"
#include "opapi/reduction/runner.hpp"

namespace pyaclnn::sim {

using namespace reduction;

namespace {

struct Absolute {
  void before(double* values, std::int64_t count) const {
    for (std::int64_t i = 0; i < count; ++i) values[i] = std::fabs(values[i]);
  }
  double after(double result, std::int64_t) const { return result; }
};

struct Square {
  void before(double* values, std::int64_t count) const {
    for (std::int64_t i = 0; i < count; ++i) values[i] *= values[i];
  }
  double after(double sum, std::int64_t) const { return std::sqrt(sum); }
};

struct NotZero {
  void before(double* values, std::int64_t count) const {
    for (std::int64_t i = 0; i < count; ++i) values[i] = values[i] != 0 ? 1 : 0;
  }
  double after(double sum, std::int64_t) const { return sum; }
};

struct Power {
  double order;

  void before(double* values, std::int64_t count) const {
    for (std::int64_t i = 0; i < count; ++i) values[i] = std::pow(std::fabs(values[i]), order);
  }
  double after(double sum, std::int64_t) const { return std::pow(sum, 1 / order); }
};

/// The norm of a line.
class LineNorm {
 public:
  explicit LineNorm(double order) : order_(order) {}

  void add(const double* values, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
      const double size = std::fabs(values[i]);
      if (std::isinf(order_))
        sum_ = sum_ != sum_ || sum_ > size ? sum_ : size;
      else
        sum_ += order_ == 2   ? size * size
                : order_ == 0 ? double(size != 0)
                              : std::pow(size, order_);
    }
  }
  double result() const {
    if (order_ == 0 || std::isinf(order_)) return sum_;
    return order_ == 2 ? std::sqrt(sum_) : std::pow(sum_, 1 / order_);
  }

 private:
  double order_;
  double sum_ = 0;
};

/// Calls body(place, values, count) for the elements of a line, block by block.
template <class Body>
void for_each_block(const Lines& lines, const std::byte* from, LoadFn load, Body body) {
  double values[kBlock];
  lines.for_each_stretch(
      0, lines.length(),
      [&](std::int64_t place, std::int64_t offset, std::int64_t step, std::int64_t count) {
        for (std::int64_t at = 0; at < count; at += kBlock) {
          const std::int64_t take = std::min(kBlock, count - at);
          load(from + (offset + at * step) * lines.element_size(), step, take, values);
          body(place + at, values, take);
        }
      });
}

}  // namespace

double norm_order(double order) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto value = static_cast<float>(order);
  if (value == 2147483648.0F) return kInfinity;
  if (value == -2147483648.0F) return -kInfinity;
  return value;
}

void launch_norm(Plan& plan, double order, const View& out, const View& in, AxisMask axes) {
  if (out.shape.product() == 0) return;
  if (order == 0) return launch<Runner<Sum<double>, NotZero>>(plan, out, in, axes);
  if (order == 1) return launch<Runner<Sum<double>, Absolute>>(plan, out, in, axes);
  if (order == 2) return launch<Runner<Sum<double>, Square>>(plan, out, in, axes);
  if (!std::isinf(order))
    return launch<Runner<Sum<double>, Power>>(plan, out, in, axes, Power{order});
  if (order > 0) return launch<Runner<Maximum<double>, Absolute>>(plan, out, in, axes);
  launch<Runner<Minimum<double>, Absolute>>(plan, out, in, axes);
}

void vector_norm(Plan& plan, double order, aclDataType compute, const TensorArgument& self,
                 const TensorArgument& out, AxisMask axes, bool keep) {
  plan.stage(self).contiguous().cast_to(compute);
  plan.result(compute, reduced_shape(self.shape(), axes, keep)).cast_to(out.dtype()).copy_to(out);
  const View to = plan.writes(out);
  launch_norm(plan, order, to, plan.reads(self), axes);
}

void renorm(Plan& plan, const TensorArgument& self, const ScalarIn& p, std::size_t axis,
            const ScalarIn& max_norm, const TensorArgument& out) {
  const double order = float(p->to_double()), most = float(max_norm->to_double());
  plan.stage(self).contiguous();
  plan.reserve(self.shape()[axis], self.dtype());  // the factors, and these for all elements
  plan.reserve(self.elements(), self.dtype());
  plan.result(self.dtype(), self.shape()).copy_to(out);
  const Lines to(plan.writes(out), ~one_axis(axis));
  const Lines from(plan.reads(self), ~one_axis(axis));
  const LoadFn load = loader<double>(self.dtype());
  const StoreFn store = storer<double>(out.dtype(), Rounding::kTruncate);
  plan.launch([=](const KernelMemory& memory) {
    const std::int64_t grain = std::max<std::int64_t>(1, kGrain / from.length());
    parallel_for(from.count(), grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::byte* line = from.begin(memory, i);
        LineNorm norm(order);
        for_each_block(from, line, load, [&](std::int64_t, const double* values, std::int64_t n) {
          norm.add(values, n);
        });
        const double factor = norm.result() > most ? most / norm.result() : 1;
        std::byte* result = to.begin(memory, i);
        for_each_block(from, line, load, [&](std::int64_t place, double* values, std::int64_t n) {
          for (std::int64_t k = 0; k < n; ++k) {
            values[k] *= factor;
            store(&values[k], 1, result + to.offset(place + k), 1);
          }
        });
      }
    });
  });
}

}  // namespace pyaclnn::sim
