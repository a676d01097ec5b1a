// SPDX-License-Identifier: MIT
#include "objects/found_shapes.hpp"

namespace pyaclnn::sim {

void ShapedOutputs::run(const PreparedCall& prepared, const KernelMemory& memory) const {
  FoundShapes found;
  KernelMemory own = memory;
  own.found = &found;
  for (const auto& launch : prepared.launches) launch(own);
  for (const auto& [operand, shape] : found.all()) {
    for (const auto& [index, tensor] : tensors_) {
      if (index != operand) continue;
      TensorMeta meta = *tensor->meta();
      meta.shape = shape;
      meta.strides = contiguous_strides(shape);
      meta.write_key();
      tensor->set_meta(std::make_shared<const TensorMeta>(std::move(meta)));
    }
  }
}

std::shared_ptr<const ShapedOutputs> shaped_outputs(const PreparedCall& prepared,
                                                    const std::vector<const void*>& operands) {
  if (prepared.shaped.empty()) return nullptr;
  auto outputs = std::make_shared<ShapedOutputs>();
  for (std::size_t operand : prepared.shaped) {
    if (auto tensor = tensors().find(operands[operand])) outputs->add(operand, std::move(tensor));
  }
  return outputs;
}

}  // namespace pyaclnn::sim
