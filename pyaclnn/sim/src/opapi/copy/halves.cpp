// SPDX-License-Identifier: MIT
#include "opapi/copy/halves.hpp"

#include <cstring>

#include "objects/dtype.hpp"
#include "opapi/common/fill.hpp"
#include "opapi/common/kernel_checks.hpp"

namespace pyaclnn::sim {

bool are_dense_halves(const TensorArgument& tensor) {
  return tensor.meta().offset % 2 == 0 && tensor.meta().is_contiguous();
}

View bytes_of_halves(const View& view, std::size_t axis) {
  View bytes = view;
  bytes.dtype = ACL_UINT8;
  bytes.offset /= 2;
  bytes.shape = Dims(view.shape.begin(), axis);
  bytes.shape.push_back((view.shape.product(axis) + 1) / 2);
  bytes.strides = contiguous_strides(bytes.shape);
  return bytes;
}

void zero_narrow(Plan& plan, const TensorArgument& self) {
  plan.stage(self).contiguous();
  plan.result(self.dtype(), self.shape()).copy_to(self);
  if (dtype_size(self.dtype()) == 1) return launch_zero(plan, self);
  if (!are_dense_halves(self)) fail_not_simulated(plan, "float4 with gaps");
  const View bytes = bytes_of_halves(plan.writes(self), 0);
  plan.launch([bytes](const KernelMemory& memory) {
    std::memset(memory.operands[bytes.operand] + bytes.offset, 0, std::size_t(bytes.shape[0]));
  });
}

}  // namespace pyaclnn::sim
