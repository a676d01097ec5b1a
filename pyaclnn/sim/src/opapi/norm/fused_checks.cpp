// SPDX-License-Identifier: MIT
#include "opapi/norm/fused_checks.hpp"

#include <algorithm>

namespace pyaclnn::sim {

void same_shape(const Plan& plan, const TensorArgument& reference, const TensorArgument& tensor) {
  check_tiling(plan, tensor.shape() == reference.shape(),
               "%s has shape %s, it must be %s as %s has", tensor.name(),
               tensor.shape().text().c_str(), reference.shape().text().c_str(), reference.name());
}

void rank_in(const Plan& plan, const TensorArgument& tensor, std::size_t low, std::size_t high) {
  check_tiling(plan, tensor.rank() >= low && tensor.rank() <= high,
               "%s has %zu dimensions, it must have %zu to %zu", tensor.name(), tensor.rank(), low,
               high);
}

void not_empty(const Plan& plan, const TensorArgument& tensor) {
  check_tiling(plan, !tensor.is_empty(), "%s is empty: %s", tensor.name(),
               tensor.shape().text().c_str());
}

void ends_with(const Plan& plan, const TensorArgument& x, const TensorArgument& gamma) {
  const std::size_t axis = x.rank() - gamma.rank();
  for (std::size_t i = 0; i < gamma.rank(); ++i)
    check_tiling(plan, gamma.shape()[i] == x.shape()[axis + i],
                 "%s has shape %s, it must be the last extents of %s, %s", gamma.name(),
                 gamma.shape().text().c_str(), x.name(), x.shape().text().c_str());
}

void is_row_statistic(const Plan& plan, const TensorArgument& x, const TensorArgument& statistic,
                      std::size_t axis) {
  for (std::size_t i = 0; i < x.rank(); ++i)
    check_tiling(plan, statistic.shape()[i] == (i < axis ? x.shape()[i] : 1),
                 "%s has shape %s, it must be the first %zu extents of %s, %s, and then 1",
                 statistic.name(), statistic.shape().text().c_str(), axis, x.name(),
                 x.shape().text().c_str());
}

void is_rms_statistic(const Plan& plan, const TensorArgument& x, const TensorArgument& rstd,
                      std::size_t axis) {
  const std::size_t shared = std::min(axis, rstd.rank());
  for (std::size_t i = 0; i < axis; ++i)
    check_tiling(plan, x.shape()[i] == (i < shared ? rstd.shape()[i] : 1),
                 "rstd has shape %s, it must be the first %zu extents of x, %s",
                 rstd.shape().text().c_str(), axis, x.shape().text().c_str());
}

}  // namespace pyaclnn::sim
