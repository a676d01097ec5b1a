// SPDX-License-Identifier: MIT
#include "opapi/pointwise/sinkhorn.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "opapi/common/row_major.hpp"

namespace pyaclnn::sim {
namespace {

constexpr double kTiny = 1e-8;
/// CANN's kernel has no limit; a tolerance that is never reached would keep the stream for ever.
constexpr int kMostRounds = 1000;

struct Kernel {
  RowMajor cost;
  RowMajor out;
  std::int64_t rows;
  std::int64_t columns;
  double tolerance;

  void run(const KernelMemory& memory) const {
    const RowMajorAccess from(cost, memory);
    const RowMajorAccess to(out, memory);
    const auto width = static_cast<std::size_t>(columns);
    std::vector<double> weights;
    for (float value : from.values()) weights.push_back(std::exp(double(value)));
    std::vector<double> of_rows(static_cast<std::size_t>(rows), 1.0);
    std::vector<double> of_columns(width, 1.0);
    std::vector<double> sums(width);
    double change = tolerance;
    int round = 0;
    do {
      std::fill(sums.begin(), sums.end(), 0.0);
      for (std::size_t i = 0; i < of_rows.size(); ++i) {
        const double* row = weights.data() + i * width;
        double sum = 0;
        for (std::size_t j = 0; j < width; ++j) sum += of_columns[j] * row[j];
        of_rows[i] = 1 / (double(rows) * (sum + kTiny));
        for (std::size_t j = 0; j < width; ++j) sums[j] += of_rows[i] * row[j];
      }
      change = 0;
      for (std::size_t j = 0; j < width; ++j) {
        const double factor = 1 / (double(columns) * (sums[j] + kTiny));
        change += std::fabs(factor - of_columns[j]);
        of_columns[j] = factor;
      }
      change /= double(columns);
    } while (!(change <= tolerance) && ++round < kMostRounds);
    std::vector<float> found(width);
    for (std::size_t i = 0; i < of_rows.size(); ++i) {
      for (std::size_t j = 0; j < width; ++j)
        found[j] = static_cast<float>(of_rows[i] * weights[i * width + j] * of_columns[j]);
      to.write(static_cast<std::int64_t>(i) * columns, columns, found.data());
    }
  }
};

}  // namespace

void sinkhorn(Plan& plan, const TensorArgument& cost, const ScalarIn& tol,
              const TensorArgument& p) {
  const float tolerance = tol.given() ? float(tol->to_double()) : 1e-4f;
  plan.stage(cost).contiguous().cast_to(ACL_FLOAT);
  plan.result(p.dtype(), p.shape()).copy_to(p);
  const auto kernel =
      std::make_shared<const Kernel>(Kernel{RowMajor(plan.reads(cost)), RowMajor(plan.writes(p)),
                                            cost.shape()[0], cost.shape()[1], double(tolerance)});
  plan.launch([kernel](const KernelMemory& memory) { kernel->run(memory); });
}

}  // namespace pyaclnn::sim
