// What operators demand of the memory formats of their tensors.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"

namespace pyaclnn::sim {

/// Whether elements lie as shape and strides say, and not in the blocks of a matrix unit.
bool is_plain_format(aclFormat format);

template <class... Tensors>
void check_plain_format(const Check& check, const Tensors&... tensors) {
  (check.that(is_plain_format(tensors.meta().format),
              "%s has the private format %d, it must have a plain one such as NCHW or ND",
              tensors.name(), int(tensors.meta().format)),
   ...);
}

template <class... Tensors>
void check_same_format(const Check& check, const TensorArgument& reference,
                       const Tensors&... tensors) {
  (check.that(tensors.meta().format == reference.meta().format,
              "%s has format %d, it must be %d as %s has it", tensors.name(),
              int(tensors.meta().format), int(reference.meta().format), reference.name()),
   ...);
}

}  // namespace pyaclnn::sim
