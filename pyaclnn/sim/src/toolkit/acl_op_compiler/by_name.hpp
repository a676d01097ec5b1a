// Single operators by their names: those whose aclnn function takes the same tensors.
// SPDX-License-Identifier: MIT
#pragma once

#include "acl/acl_op.h"
#include "acl/acl_rt.h"

namespace pyaclnn::sim {

/// Tensors of a call, described and where they are.
struct NamedTensors {
  int count;
  const aclTensorDesc* const* descriptions;
  const aclDataBuffer* const* buffers;
};

struct NamedCall {
  const char* name;
  NamedTensors inputs, outputs;
  const aclopAttr* attributes;
  aclrtStream stream;
  /// Descriptions of the outputs that may be changed, where the caller asks for their shapes.
  aclTensorDesc* const* shapes = nullptr;
};

/// Queues the operator. Failure(200006) for one that no aclnn function stands for, with the one
/// that is nearest; Failure(500002) with what the function answers where it refuses.
void run_by_name(const NamedCall& call);

}  // namespace pyaclnn::sim
