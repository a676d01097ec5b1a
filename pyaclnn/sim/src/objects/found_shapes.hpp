// Outputs whose shape depends on data: their kernels find it, and after the run aclGetViewShape
// tells it.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "objects/dims.hpp"
#include "objects/prepared_call.hpp"
#include "objects/tensor.hpp"

namespace pyaclnn::sim {

/// What the kernels of one run found.
class FoundShapes {
 public:
  void set(std::size_t operand, const Dims& shape) { shapes_.emplace_back(operand, shape); }
  const std::vector<std::pair<std::size_t, Dims>>& all() const { return shapes_; }

 private:
  std::vector<std::pair<std::size_t, Dims>> shapes_;
};

/// The tensors of a run that get the shapes found.
class ShapedOutputs {
 public:
  void add(std::size_t operand, std::shared_ptr<Tensor> tensor) {
    tensors_.emplace_back(operand, std::move(tensor));
  }
  /// Runs the kernels, then gives the tensors their shapes.
  void run(const PreparedCall& prepared, const KernelMemory& memory) const;

 private:
  std::vector<std::pair<std::size_t, std::shared_ptr<Tensor>>> tensors_;
};

/// Null where no shape depends on data.
std::shared_ptr<const ShapedOutputs> shaped_outputs(const PreparedCall& prepared,
                                                    const std::vector<const void*>& operands);

}  // namespace pyaclnn::sim
