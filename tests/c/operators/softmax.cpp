// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_softmax_backward.h"
#include "call.hpp"

namespace {

constexpr auto kFirst = aclnnSoftmaxBackwardGetWorkspaceSize;

/// out for grad {1, 2, 3, 4} and output {0.5, 0.25, 0.5, 0.75} as a 2 x 2 matrix.
std::string along(int64_t dim) {
  Session session;
  Array<float> grad({2, 2}, {1, 2, 3, 4});
  Array<float> output({2, 2}, {0.5f, 0.25f, 0.5f, 0.75f});
  Array<float> out({2, 2}, std::vector<float>(4));
  EXPECT_OK(run(session, PHASES(aclnnSoftmaxBackward), grad, output, dim, out));
  return text(out.read());
}

}  // namespace

CASE(the_sum_runs_along_the_dimension) {
  EXPECT_EQ(along(0), "-0.5 -0.375 0.5 0.375 ");
  EXPECT_EQ(along(1), "0 0.25 -0.75 -0.375 ");
}

CASE(negative_dimensions_count_from_the_end) {
  EXPECT_EQ(along(-2), along(0));
  EXPECT_EQ(along(-1), along(1));
}

CASE(a_scalar_has_one_dimension) {
  Session session;
  Array<float> grad({}, {3});
  Array<float> output({}, {1});
  Array<float> out({}, {9});
  const int64_t zero = 0;
  const int64_t one = 1;
  EXPECT_OK(run(session, PHASES(aclnnSoftmaxBackward), grad, output, zero, out));
  EXPECT_EQ(text(out.read()), "0 ");
  EXPECT_EQ(refusal(kFirst, grad, output, one, out), kInvalid);
}

CASE(the_result_is_cast_to_the_output) {
  Session session;
  Array<uint16_t> grad({1, 2}, {0x4000, 0x4400});
  Array<uint16_t> output({1, 2}, {0x3800, 0x3800});
  Array<float> out({1, 2}, {9, 9});
  const Planned planned = plan(kFirst, grad, output, int64_t(1), out);
  EXPECT_EQ(planned.size, 512u);  // the result before the cast
  Memory workspace(planned.size);
  EXPECT_OK(
      aclnnSoftmaxBackward(workspace.data(), planned.size, planned.executor, session.stream()));
  EXPECT_OK(session.synchronize());
  EXPECT_EQ(text(out.read()), "-0.5 0.5 ");
}

CASE(empty_tensors_are_not_looked_at_further) {
  Session session;
  Array<int32_t> empty({0, 2}, {});
  Array<float> other({3}, {1, 2, 3});
  EXPECT_OK(run(session, PHASES(aclnnSoftmaxBackward), empty, empty, int64_t(9), other));
}

CASE(soc_950_does_not_look_further_either) {
  Session session;
  Array<float> empty({0, 2}, {});
  EXPECT_OK(run(session, PHASES(aclnnSoftmaxBackward), empty, empty, int64_t(9), empty));
}

CASE(arguments_are_checked_in_order) {
  Session session;
  Array<float> two({2}, {0, 0});
  Array<float> three({3}, {0, 0, 0});
  Array<uint16_t> halves({2}, {0, 0});
  Array<int32_t> integers({2}, {0, 0});
  Array<float> nine(Shape(9, 1), {1});
  const int64_t far = 9;
  const int64_t zero = 0;
  EXPECT_EQ(refusal(kFirst, nullptr, two, zero, two), kNull);
  EXPECT_EQ(refusal(kFirst, two, nullptr, zero, two), kNull);
  EXPECT_EQ(refusal(kFirst, two, two, zero, nullptr), kNull);
  EXPECT_EQ(refusal(kFirst, integers, two, far, three), kInvalid);
  EXPECT_MESSAGE("gradOutput is int32");
  EXPECT_EQ(refusal(kFirst, two, halves, far, three), kInvalid);
  EXPECT_MESSAGE("output is float16, it must be float32");
  EXPECT_EQ(refusal(kFirst, two, two, far, three), kInvalid);
  EXPECT_MESSAGE("dim is 9, it must be from -1 to 0");
  EXPECT_EQ(refusal(kFirst, nine, nine, zero, two), kInvalid);
  EXPECT_MESSAGE("9 dimensions");
  EXPECT_EQ(refusal(kFirst, two, three, zero, three), kInvalid);
  EXPECT_MESSAGE("output has shape [3]");
  EXPECT_EQ(refusal(kFirst, two, two, zero, three), kInvalid);
  EXPECT_MESSAGE("out has shape [3]");
}
