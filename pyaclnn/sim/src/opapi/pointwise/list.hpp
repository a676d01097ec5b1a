// The same function of many small tensors, as one kernel: a kernel of its own for each would take
// longer to plan than to run.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "opapi/common/elementwise.hpp"
#include "opapi/pointwise/pointwise.hpp"

namespace pyaclnn::sim {

/// The kernel that launch_pointwise() launches.
ElementwiseKernel pointwise_kernel(const Plan& plan, const PointwiseFormula& formula,
                                   aclDataType compute, aclDataType gives, const View& out,
                                   const std::vector<View>& inputs, const Number* scalars,
                                   std::size_t scalar_count);

class PointwiseList {
 public:
  PointwiseList(const PointwiseFormula& formula, aclDataType compute)
      : formula_(formula), compute_(compute) {}

  /// Adds out = formula(inputs..., numbers...); false if that needs a kernel of its own: for large
  /// or strided tensors, other element types or numbers than those of the first ones.
  bool add(const Plan& plan, const View& out, const std::vector<View>& inputs,
           const std::vector<Number>& numbers);

  /// Plans what was added.
  void launch(Plan& plan);

 private:
  static constexpr std::size_t kMost = 5;  // tensors of one item

  struct Place {
    std::size_t operand;
    std::int64_t offset;  // bytes
    std::int64_t stride;  // elements; 0 repeats the only one
  };
  struct Item {
    std::int64_t count;
    Place places[kMost];  // the output first
  };
  struct Kernel;

  bool begin(const Plan& plan, const View& out, const std::vector<View>& inputs,
             const std::vector<Number>& numbers);

  const PointwiseFormula& formula_;
  aclDataType compute_;
  ElementwiseKernel kernel_;  // of the first item
  std::vector<Number> numbers_;
  std::vector<Item> items_;
};

}  // namespace pyaclnn::sim
