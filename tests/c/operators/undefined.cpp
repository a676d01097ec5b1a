// Outputs that lie across other operands, with PYACLNN_SIM_CHECK=undefined:error.
// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_aminmax.h"
#include "aclnnop/aclnn_relu.h"
#include "call.hpp"

namespace {

/// Views of one array of 16 numbers.
struct Views {
  Session session;
  Array<float> memory{{16}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}};
  std::vector<aclTensor*> made;
  ~Views() {
    for (aclTensor* each : made) EXPECT_OK(aclDestroyTensor(each));
  }

  aclTensor* operator()(const Shape& shape, int64_t offset = 0, const Shape& strides = {}) {
    const int64_t stored = 16;
    made.push_back(aclCreateTensor(shape.data(), shape.size(), ACL_FLOAT,
                                   strides.empty() ? nullptr : strides.data(), offset,
                                   ACL_FORMAT_ND, &stored, 1, memory.data()));
    return made.back();
  }
  int relu(aclTensor* self, aclTensor* out) { return run(session, PHASES(aclnnRelu), self, out); }
};

}  // namespace

CASE(undefined_error_leaves_alone_what_is_defined) {
  Views view;
  EXPECT_OK(view.relu(view({8}), view({8}, 8)));
  EXPECT_OK(view.relu(view({8}), view({8})));
  EXPECT_OK(view.relu(view({4, 2}, 0, {4, 1}), view({4, 2}, 2, {4, 1})));
  EXPECT_OK(view.relu(view({4, 2}, 1, {4, 2}), view({4, 2}, 1, {4, 2})));
  EXPECT_OK(run(view.session, PHASES(aclnnInplaceRelu), view({5}, 3)));
  const Number one(1);
  EXPECT_OK(run(view.session, PHASES(aclnnAdd), view({4}), view({4}, 2), one, view({4}, 8)));
  EXPECT_OK(run(view.session, PHASES(aclnnAdd), view({4}), view({4}), one, view({4})));
}

CASE(undefined_error_for_views_that_overlap) {
  Views view;
  EXPECT_EQ(view.relu(view({4}), view({4}, 1)), kKernelFault);
  EXPECT_MESSAGE(
      "aclnnRelu writes out (float32[4]), which shares bytes with self (float32[4]), 4 bytes "
      "ahead");
  EXPECT_EQ(view.relu(view({4}, 3), view({4})), kKernelFault);
  EXPECT_MESSAGE("12 bytes on: CANN leaves the result undefined");
  EXPECT_EQ(view.relu(view({4, 4}, 0, {1, 4}), view({4, 4})), kKernelFault);
  EXPECT_MESSAGE("self (float32[4, 4] with strides [1, 4]), 0 bytes on");
  const Number one(1);
  const Planned planned =
      plan(aclnnAddGetWorkspaceSize, view({4}, 8), view({1}, 2), one, view({4}));
  EXPECT_OK(planned.status);
  Memory workspace(planned.size);
  EXPECT_OK(aclnnAdd(workspace.data(), planned.size, planned.executor, view.session.stream()));
  EXPECT_EQ(view.session.synchronize(), kKernelFault);
  EXPECT_MESSAGE("shares bytes with other (float32[1]), 8 bytes on");
}

CASE(undefined_error_for_two_outputs_in_one_place) {
  Views view;
  const int64_t axis = 0;
  aclIntArray* dim = aclCreateIntArray(&axis, 1);
  EXPECT_OK(
      run(view.session, PHASES(aclnnAminmax), view({4}), dim, true, view({1}, 8), view({1}, 9)));
  EXPECT_EQ(
      run(view.session, PHASES(aclnnAminmax), view({4}), dim, true, view({1}, 8), view({1}, 8)),
      kKernelFault);
  EXPECT_MESSAGE("shares bytes with");
  EXPECT_OK(aclDestroyIntArray(dim));
}
