// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_selu_backward.h"
#include "call.hpp"

namespace {

constexpr auto kFirst = aclnnSeluBackwardGetWorkspaceSize;
constexpr double kScale = 1.0507009873554805;
constexpr double kScaleAlpha = 1.7580993408473769;

template <class T>
std::vector<T> results(std::vector<T> grad, std::vector<T> result,
                       aclDataType dtype = DtypeOf<T>::value) {
  Session session;
  const Shape shape{static_cast<int64_t>(grad.size())};
  Array<T> grad_array(shape, grad, dtype);
  Array<T> result_array(shape, result, dtype);
  Array<T> out(shape, std::vector<T>(grad.size()), dtype);
  EXPECT_OK(run(session, PHASES(aclnnSeluBackward), grad_array, result_array, out));
  return out.read();
}

}  // namespace

CASE(the_branch_depends_on_the_sign_of_the_result) {
  const auto out = results<float>({2, 2, 2, 2}, {-1, 0, 1, NAN});
  EXPECT(std::fabs(out[0] - 2 * (kScaleAlpha - 1)) < 1e-6);
  EXPECT(std::fabs(out[1] - 2 * kScale) < 1e-6);
  EXPECT(std::fabs(out[2] - 2 * kScale) < 1e-6);
  EXPECT(std::fabs(out[3] - 2 * kScale) < 1e-6);
}

CASE(soc_950_counts_0_as_below) {
  const auto out = results<float>({2, 2}, {0, 1});
  EXPECT(std::fabs(out[0] - 2 * kScaleAlpha) < 1e-6);
  EXPECT(std::fabs(out[1] - 2 * kScale) < 1e-6);
}

CASE(integers_are_truncated) {
  EXPECT_EQ(text(results<int32_t>({100, -100, 10}, {5, 5, -1})), "105 -105 7 ");
  EXPECT_EQ(text(results<int8_t>({100, 127, 10}, {5, 5, -1})), "105 127 7 ");
}

CASE(soc_950_rounds_integers) { EXPECT_EQ(text(results<int32_t>({100, 10}, {5, -1})), "105 8 "); }

CASE(float16_is_computed_in_float32) {
  // -1.7578125 + 1.7580993 keeps its digits; in float16 the sum would be 0.
  EXPECT_EQ(results<uint16_t>({0x3C00}, {0xBF08})[0], 0x0CB3);
}

CASE(cann_8_1_computes_float16_in_float16) {
  EXPECT_EQ(results<uint16_t>({0x3C00}, {0xBF08})[0], 0x0000);
}

CASE(more_than_eight_dimensions_are_flattened) {
  Session session;
  Array<float> grad(Shape(12, 1), {2});
  Array<float> out(Shape(12, 1), {0});
  EXPECT_OK(run(session, PHASES(aclnnSeluBackward), grad, grad, out));
  EXPECT(std::fabs(out.read()[0] - 2 * kScale) < 1e-6);
}

CASE(arguments_are_checked_in_order) {
  Session session;
  Array<float> two({2}, {0, 0});
  Array<float> three({3}, {0, 0, 0});
  Array<double> doubles({3}, {0, 0, 0});
  EXPECT_EQ(refusal(kFirst, nullptr, two, two), kNull);
  EXPECT_EQ(refusal(kFirst, two, nullptr, two), kNull);
  EXPECT_EQ(refusal(kFirst, two, two, nullptr), kNull);
  EXPECT_EQ(refusal(kFirst, doubles, two, two), kInvalid);
  EXPECT_MESSAGE("gradOutput is float64 (11)");
  EXPECT_EQ(refusal(kFirst, two, doubles, two), kInvalid);
  EXPECT_MESSAGE("result is float64 (11)");
  EXPECT_EQ(refusal(kFirst, doubles, doubles, doubles), kInvalid);
  EXPECT_MESSAGE("gradOutput is float64 (11)");
  EXPECT_EQ(refusal(kFirst, two, three, two), kInvalid);
  EXPECT_MESSAGE("result has shape [3]");
  EXPECT_EQ(refusal(kFirst, two, two, three), kInvalid);
  EXPECT_MESSAGE("gradInput has shape [3]");
}

CASE(empty_tensors_need_no_work) {
  Session session;
  Array<float> empty({0}, {});
  EXPECT_OK(run(session, PHASES(aclnnSeluBackward), empty, empty, empty));
}
