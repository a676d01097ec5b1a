// SPDX-License-Identifier: MIT
#include "opapi/softmax/softmax_rows.hpp"

#define SIM_LANES_CODE "opapi/softmax/softmax_rows_lanes.hpp"
#include "opapi/common/each_lanes.hpp"

namespace pyaclnn::sim {

SoftmaxRowsFn softmax_rows([[maybe_unused]] std::int64_t length) {
  return SIM_BY_LANES(rows_of(length));
}

}  // namespace pyaclnn::sim
