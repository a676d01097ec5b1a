// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_hardswish_backward.h"
#include "aclnnop/aclnn_hardswish_backward_v2.h"
#include "call.hpp"

namespace {

template <class First, class Second>
std::string results(First first, Second second, std::vector<float> grad, std::vector<float> self) {
  Session session;
  const Shape shape{static_cast<int64_t>(grad.size())};
  Array<float> grad_array(shape, grad);
  Array<float> self_array(shape, self);
  Array<float> out(shape, std::vector<float>(grad.size()));
  EXPECT_OK(run(session, first, second, grad_array, self_array, out));
  return text(out.read());
}

}  // namespace

CASE(v1_keeps_the_slope_at_both_ends) {
  EXPECT_EQ(results(PHASES(aclnnHardswishBackward), {1, 1, 1, 1, 1}, {-4, -3, 0, 3, 4}),
            "0 -0.5 0.5 1.5 1 ");
}

CASE(v2_is_0_and_1_at_both_ends) {
  EXPECT_EQ(results(PHASES(aclnnHardswishBackwardV2), {1, 1, 1, 1, 1, 7}, {-4, -3, 0, 3, 4, NAN}),
            "0 0 0.5 1 1 7 ");
}

CASE(v1_gives_1_where_self_is_not_a_number) {
  EXPECT_EQ(results(PHASES(aclnnHardswishBackward), {7, 7}, {NAN, 4}), "1 7 ");
}

CASE(soc_950_gives_the_gradient_where_self_is_not_a_number) {
  EXPECT_EQ(results(PHASES(aclnnHardswishBackward), {7, 7}, {NAN, 4}), "7 7 ");
}

CASE(v1_float16_keeps_what_is_not_a_number) {
  Session session;
  Array<uint16_t> grad({1}, {0x4000});
  Array<uint16_t> self({1}, {0x7E00});
  Array<uint16_t> out({1}, {0});
  EXPECT_OK(run(session, PHASES(aclnnHardswishBackward), grad, self, out));
  EXPECT_EQ(out.read()[0] & 0x7FFF, 0x7E00);
}

CASE(cann_8_1_has_no_v2) {
  Session session;
  Array<float> tensor({1}, {1});
  EXPECT_EQ(refusal(aclnnHardswishBackwardV2GetWorkspaceSize, tensor, tensor, tensor), 561003);
  EXPECT_MESSAGE("CANN 8.5");
}

CASE(arguments_are_checked_in_order) {
  Session session;
  Array<float> two({2}, {0, 0});
  Array<float> three({3}, {0, 0, 0});
  Array<uint16_t> halves({2}, {0, 0});
  Array<int32_t> integers({2}, {0, 0});
  Array<float> nine(Shape(9, 1), {1});
  for (auto first :
       {aclnnHardswishBackwardGetWorkspaceSize, aclnnHardswishBackwardV2GetWorkspaceSize}) {
    EXPECT_EQ(refusal(first, nullptr, integers, two), kNull);
    EXPECT_EQ(refusal(first, integers, nullptr, two), kNull);
    EXPECT_EQ(refusal(first, integers, integers, nullptr), kNull);
    EXPECT_EQ(refusal(first, integers, two, three), kInvalid);
    EXPECT_MESSAGE("gradOutput is int32");
    EXPECT_EQ(refusal(first, halves, two, three), kInvalid);
    EXPECT_MESSAGE("gradOutput is float16, it must be float32");
    EXPECT_EQ(refusal(first, two, two, halves), kInvalid);
    EXPECT_MESSAGE("out is float16");
    EXPECT_EQ(refusal(first, nine, nine, two), kInvalid);
    EXPECT_MESSAGE("9 dimensions");
    EXPECT_EQ(refusal(first, three, two, two), kInvalid);
    EXPECT_MESSAGE("gradOutput has shape [3]");
    EXPECT_EQ(refusal(first, two, two, three), kInvalid);
    EXPECT_MESSAGE("out has shape [3]");
  }
}
