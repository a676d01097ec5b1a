// SPDX-License-Identifier: MIT
#include "opapi/norm/forward_rows.hpp"

#define SIM_LANES_CODE "opapi/norm/forward_rows_lanes.hpp"
#include "opapi/common/each_lanes.hpp"

namespace pyaclnn::sim {

const ForwardRows* ForwardRows::in_place([[maybe_unused]] aclDataType dtype,
                                         [[maybe_unused]] bool past) {
  return SIM_BY_LANES(rows_in_place(dtype, past));
}

}  // namespace pyaclnn::sim
