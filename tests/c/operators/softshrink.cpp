// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_softshrink_backward.h"
#include "call.hpp"

namespace {

constexpr auto kFirst = aclnnSoftshrinkBackwardGetWorkspaceSize;

}  // namespace

CASE(selects_gradients_outside_the_limit) {
  Session session;
  Array<float> grad({2, 3}, {1, 2, 3, 4, 5, 6});
  Array<float> self({2, 3}, {-2, -0.5f, 0, 0.5f, 0.51f, NAN});
  Array<float> out({2, 3}, std::vector<float>(6));
  Number limit(0.5f);
  EXPECT_OK(run(session, PHASES(aclnnSoftshrinkBackward), grad, self, limit, out));
  EXPECT_EQ(text(out.read()), "1 0 0 0 5 6 ");
}

CASE(inputs_broadcast) {
  Session session;
  Array<float> grad({2, 1}, {1, 2});
  Array<float> self({3}, {-2, 0, 2});
  Array<float> out({2, 3}, std::vector<float>(6));
  Number limit(1);
  const Planned planned = plan(kFirst, grad, self, limit, out);
  EXPECT_EQ(planned.size, 1024u);  // both inputs are written out in the common shape
  Memory workspace(planned.size);
  EXPECT_OK(
      aclnnSoftshrinkBackward(workspace.data(), planned.size, planned.executor, session.stream()));
  EXPECT_OK(session.synchronize());
  EXPECT_EQ(text(out.read()), "1 0 1 2 0 2 ");
}

CASE(mixed_inputs_are_computed_in_float32) {
  Session session;
  Array<uint16_t> grad({2}, {0x3C00, 0x4000});
  Array<float> self({2}, {3, 0});
  Array<float> out({2}, {9, 9});
  Array<uint16_t> half_out({2}, {0, 0});
  Number limit(1);
  const Planned planned = plan(kFirst, grad, self, limit, out);
  EXPECT_EQ(planned.size, 512u);  // the cast of gradOutput
  Memory workspace(planned.size);
  EXPECT_OK(
      aclnnSoftshrinkBackward(workspace.data(), planned.size, planned.executor, session.stream()));
  EXPECT_OK(session.synchronize());
  EXPECT_EQ(text(out.read()), "1 0 ");
  EXPECT_EQ(refusal(kFirst, grad, self, limit, half_out), kInnerNull);
  EXPECT_MESSAGE("the result is float32");
}

CASE(strided_views_are_read_and_written) {
  Session session;
  Array<float> grad({2, 2}, {1, 2}, 1, {9, 1, 2, 3, 4, 9});
  Array<float> self({2, 2}, {0, 0}, 0, {5});
  Array<float> out({2, 2}, {4, 2}, 1, std::vector<float>(8, -1));
  Number limit(1);
  EXPECT_OK(run(session, PHASES(aclnnSoftshrinkBackward), grad, self, limit, out));
  EXPECT_EQ(text(out.read()), "-1 1 -1 3 -1 2 -1 4 ");
}

CASE(empty_tensors_need_no_work) {
  Session session;
  Array<float> empty({0, 3}, {});
  Array<float> out({0, 3}, {});
  Number limit(1);
  const Planned planned = plan(kFirst, empty, empty, limit, out);
  EXPECT_OK(planned.status);
  EXPECT_EQ(planned.size, 0u);
  EXPECT_OK(aclnnSoftshrinkBackward(nullptr, 0, planned.executor, session.stream()));
}

CASE(nulls_are_refused_before_anything_else) {
  Session session;
  Array<int32_t> wrong({2}, {0, 0});
  Number limit(-1);
  EXPECT_EQ(refusal(kFirst, nullptr, wrong, limit, wrong), kNull);
  EXPECT_MESSAGE("gradOutput is null");
  EXPECT_EQ(refusal(kFirst, wrong, nullptr, limit, wrong), kNull);
  EXPECT_MESSAGE("self is null");
  EXPECT_EQ(refusal(kFirst, wrong, wrong, nullptr, wrong), kNull);
  EXPECT_MESSAGE("lambda is null");
  EXPECT_EQ(refusal(kFirst, wrong, wrong, limit, nullptr), kNull);
  EXPECT_MESSAGE("gradInput is null");
}

CASE(dtype_comes_before_shape_before_value) {
  Session session;
  Array<float> two({2}, {0, 0});
  Array<float> three({3}, {0, 0, 0});
  Array<int32_t> integers({3}, {0, 0, 0});
  Number negative(-1);
  Number positive(1);
  EXPECT_EQ(refusal(kFirst, integers, two, negative, two), kInvalid);
  EXPECT_MESSAGE("gradOutput is int32");
  EXPECT_EQ(refusal(kFirst, three, two, negative, two), kInvalid);
  EXPECT_MESSAGE("does not broadcast");
  EXPECT_EQ(refusal(kFirst, two, two, positive, three), kInvalid);
  EXPECT_MESSAGE("gradInput has shape [3]");
  EXPECT_EQ(refusal(kFirst, two, two, negative, two), kInvalid);
  EXPECT_MESSAGE("lambda is -1");
  Number nan(NAN);
  EXPECT_OK(refusal(kFirst, two, two, nan, two));
}

CASE(nine_dimensions_are_too_many) {
  Session session;
  Array<float> eight(Shape(8, 1), {1});
  Array<float> nine(Shape(9, 1), {1});
  Number limit(1);
  EXPECT_OK(refusal(kFirst, eight, eight, limit, eight));
  EXPECT_EQ(refusal(kFirst, nine, nine, limit, nine), kInvalid);
  EXPECT_MESSAGE("9 dimensions");
}

CASE(a_strided_view_must_stay_in_its_storage) {
  Session session;
  Array<float> inside({2}, {3}, 0, {1, 2, 3, 4});
  Array<float> beyond({2}, {4}, 0, {1, 2, 3, 4});
  Array<float> before({2}, {-3}, 0, {1, 2, 3, 4});
  Array<float> out({2}, {0, 0});
  Number limit(0);
  EXPECT_OK(refusal(kFirst, inside, inside, limit, out));
  EXPECT_EQ(refusal(kFirst, beyond, inside, limit, out), kInnerNull);
  EXPECT_MESSAGE("reaches elements 0 to 4 of a storage of 4");
  EXPECT_EQ(refusal(kFirst, before, inside, limit, out), kInnerNull);
  EXPECT_EQ(refusal(kFirst, inside, inside, limit, beyond), kInnerNull);
}

CASE(bfloat16_needs_a_chip_that_has_it) {
  Session session;
  Array<uint16_t> tensor({1}, {0x3F80}, ACL_BF16);
  Number limit(0);
  EXPECT_OK(refusal(kFirst, tensor, tensor, limit, tensor));
}

CASE(soc_910_has_no_bfloat16) {
  Session session;
  Array<uint16_t> tensor({1}, {0x3F80}, ACL_BF16);
  Number limit(0);
  EXPECT_EQ(refusal(kFirst, tensor, tensor, limit, tensor), kInvalid);
  EXPECT_MESSAGE("Ascend910A takes float32, float16");
}
