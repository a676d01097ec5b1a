// Operands that a kernel reads or writes whole, as packed values in row-major order, whatever their
// strides and element type.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "opapi/common/batched_view.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

class PackedOperand {
 public:
  PackedOperand() = default;
  explicit PackedOperand(View view) : dtype_(view.dtype) {
    if (view.shape.empty()) {
      view.shape = Dims{1};
      view.strides = Dims{1};
    }
    planes_ = BatchedView(view, view.shape.size());
  }

  bool given() const { return dtype_ != ACL_DT_UNDEFINED; }
  aclDataType dtype() const { return dtype_; }
  std::int64_t size() const { return given() ? planes_.size() : 0; }

  /// The values as `C`; none of a tensor that was not given.
  template <class C = float>
  std::vector<C> read(const KernelMemory& memory) const {
    std::vector<C> values(static_cast<std::size_t>(size()));
    if (!values.empty())
      planes_.load(loader<C>(dtype_), planes_.base(memory), sizeof(C), values.data());
    return values;
  }

  /// Nothing where the tensor was not given. There are as many values as elements.
  template <class C>
  void write(const KernelMemory& memory, const std::vector<C>& values) const {
    if (size() > 0)
      planes_.store(storer<C>(dtype_, Rounding::kNearestEven), values.data(), sizeof(C),
                    planes_.base(memory));
  }

 private:
  aclDataType dtype_ = ACL_DT_UNDEFINED;
  BatchedView planes_;
};

/// An input on CANN's way to its kernel, which makes it contiguous.
inline PackedOperand reads_packed(Plan& plan, const TensorArgument& tensor) {
  if (!tensor.given()) return {};
  plan.stage(tensor).contiguous();
  return PackedOperand(plan.reads(tensor));
}

/// An output that the kernel's result is copied to.
inline PackedOperand writes_packed(Plan& plan, const TensorArgument& tensor) {
  if (!tensor.given()) return {};
  plan.result(tensor.dtype(), tensor.shape()).copy_to(tensor);
  return PackedOperand(plan.writes(tensor));
}

}  // namespace pyaclnn::sim
