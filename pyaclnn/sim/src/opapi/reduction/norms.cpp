// SPDX-License-Identifier: MIT
#include "opapi/reduction/norms.hpp"

#include <cmath>
#include <limits>

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

}  // namespace pyaclnn::sim
