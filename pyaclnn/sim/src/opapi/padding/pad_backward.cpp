// SPDX-License-Identifier: MIT
#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_circular_pad2d_backward.h"
#include "aclnnop/aclnn_circular_pad3d_backward.h"
#include "aclnnop/aclnn_pad2d_backward.h"
#include "aclnnop/aclnn_reflection_pad1d_backward.h"
#include "aclnnop/aclnn_reflection_pad3d_backward.h"
#include "aclnnop/aclnn_replication_pad1d_backward.h"
#include "aclnnop/aclnn_replication_pad3d_backward.h"
#include "core/status.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/padding/pad_grad.hpp"

using namespace pyaclnn::sim;

// Each: gradInput = sum of gradOutput over the places of the padded tensor that copy an element.

OPERATOR(ReflectionPad1dBackward, (In, gradOutput), (In, self), (IntArrayIn, padding),
         (Out, gradInput)) {
  check.not_null(gradOutput, self, padding, gradInput);
  plan_pad_grad(check, plan, gradOutput, self, padding, gradInput, PadMode::kReflect, 1);
}

OPERATOR(ReflectionPad2dBackward, (In, gradOutput), (In, self), (IntArrayIn, padding),
         (Out, gradInput)) {
  check.not_null(self, gradOutput, gradInput, padding);
  plan_pad_grad(check, plan, gradOutput, self, padding, gradInput, PadMode::kReflect, 2);
}

OPERATOR(ReflectionPad3dBackward, (In, gradOutput), (In, self), (IntArrayIn, padding),
         (Out, gradInput)) {
  check.not_null(gradOutput, self, padding, gradInput);
  plan_pad_grad(check, plan, gradOutput, self, padding, gradInput, PadMode::kReflect, 3);
}

OPERATOR(ReplicationPad1dBackward, (In, gradOutput), (In, self), (IntArrayIn, padding),
         (Out, gradInput)) {
  check.not_null(gradOutput, self, padding, gradInput);
  plan_pad_grad(check, plan, gradOutput, self, padding, gradInput, PadMode::kEdge, 1);
}

OPERATOR(ReplicationPad2dBackward, (In, gradOutput), (In, self), (IntArrayIn, padding),
         (Out, gradInput)) {
  check.not_null(self, gradOutput, gradInput, padding);
  plan_pad_grad(check, plan, gradOutput, self, padding, gradInput, PadMode::kEdge, 2);
}

OPERATOR(ReplicationPad3dBackward, (In, gradOutput), (In, self), (IntArrayIn, padding),
         (Out, gradInput)) {
  check.not_null(gradOutput, self, padding, gradInput);
  plan_pad_grad(check, plan, gradOutput, self, padding, gradInput, PadMode::kEdge, 3);
}

OPERATOR(CircularPad2dBackward, (In, gradOutput), (In, self), (IntArrayIn, padding),
         (Out, gradInput)) {
  check.not_null(gradOutput, self, padding, gradInput);
  plan_pad_grad(check, plan, gradOutput, self, padding, gradInput, PadMode::kCircular, 2);
}

OPERATOR(CircularPad3dBackward, (In, gradOutput), (In, self), (IntArrayIn, padding),
         (Out, gradInput)) {
  // CANN answers a missing argument with an inner error here.
  if (!gradOutput.given() || !self.given() || !padding.given() || !gradInput.given())
    fail(ACLNN_ERR_INNER_NULLPTR, "%s: gradOutput, self, padding or gradInput is null", plan.api());
  plan_pad_grad(check, plan, gradOutput, self, padding, gradInput, PadMode::kCircular, 3);
}
