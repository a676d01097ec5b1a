// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_threshold_backward.h"

#include <cstring>

#include "call.hpp"

namespace {

constexpr auto kFirst = aclnnThresholdBackwardGetWorkspaceSize;
constexpr float kInf = INFINITY;

/// The results for one dtype, as text.
template <class T>
std::string results(std::vector<T> grad, std::vector<T> self, float threshold,
                    aclDataType dtype = DtypeOf<T>::value) {
  Session session;
  const Shape shape{static_cast<int64_t>(grad.size())};
  Array<T> grad_array(shape, grad, dtype);
  Array<T> self_array(shape, self, dtype);
  Array<T> out(shape, std::vector<T>(grad.size()), dtype);
  Number scalar(threshold);
  EXPECT_OK(run(session, PHASES(aclnnThresholdBackward), grad_array, self_array, scalar, out));
  return text(out.read());
}

}  // namespace

CASE(values_not_above_the_threshold_lose_their_gradient) {
  EXPECT_EQ(results<float>({1, 2, 3, 4}, {0.9f, 1, 1.1f, NAN}, 1), "0 0 3 4 ");
}

CASE(at_threshold_0_float32_selects) {
  EXPECT_EQ(results<float>({kInf, 2, 3, 4}, {-1, 0, 1, NAN}, 0), "0 0 3 4 ");
}

CASE(at_threshold_0_bfloat16_multiplies) {
  // Not a number; its sign is the processor's choice.
  volatile float zero = 0;
  const float product = kInf * zero;
  uint32_t bits;
  std::memcpy(&bits, &product, sizeof bits);
  EXPECT_EQ(results<uint16_t>({0x7F80, 0x4000}, {0xBF80, 0x3F80}, 0, ACL_BF16),
            text(std::vector<uint16_t>{uint16_t(bits >> 16), 0x4000}));
}

CASE(integers_are_exact) {
  EXPECT_EQ(results<int32_t>({16777217, 5, -7}, {2, 1, 2000000000}, 1), "16777217 0 -7 ");
  EXPECT_EQ(results<int8_t>({1, 2, 3}, {-128, 127, 126}, 126), "0 2 0 ");
  EXPECT_EQ(results<int32_t>({1, 2}, {-3, -2}, -2.5f), "0 2 ");
}

CASE(thresholds_beyond_an_integer_type_are_all_or_nothing) {
  EXPECT_EQ(results<int8_t>({1, 2}, {-128, 127}, 1000), "0 0 ");
  EXPECT_EQ(results<int8_t>({1, 2}, {-128, 127}, -1000), "1 2 ");
}

CASE(cann_8_1_takes_int32_through_float32) {
  EXPECT_EQ(results<int32_t>({16777217, 5}, {2, 1}, 1), "16777216 0 ");
}

CASE(cann_8_1_rounds_the_threshold_for_float16) {
  // 1.0001 is 1 in float16, so 1 is not above it, and 1.001 is.
  EXPECT_EQ(results<uint16_t>({0x4000, 0x4000}, {0x3C00, 0x3C01}, 1.0001f),
            text(std::vector<uint16_t>{0, 0x4000}));
}

CASE(soc_910_multiplies_and_asks_for_greater) {
  EXPECT_EQ(results<float>({2, 3}, {NAN, 2}, 1), "0 3 ");
}

CASE(nulls_are_refused_threshold_and_out_first) {
  Session session;
  Array<float> tensor({1}, {0});
  Number threshold(1);
  EXPECT_EQ(refusal(kFirst, nullptr, nullptr, nullptr, nullptr), kNull);
  EXPECT_MESSAGE("threshold is null");
  EXPECT_EQ(refusal(kFirst, nullptr, nullptr, threshold, nullptr), kNull);
  EXPECT_MESSAGE("out is null");
  EXPECT_EQ(refusal(kFirst, nullptr, tensor, threshold, tensor), kNull);
  EXPECT_MESSAGE("gradOutput is null");
  EXPECT_EQ(refusal(kFirst, tensor, nullptr, threshold, tensor), kNull);
  EXPECT_MESSAGE("self is null");
}

CASE(dtypes_must_be_known_and_equal) {
  Session session;
  Array<float> floats({1}, {0});
  Array<int32_t> integers({1}, {0});
  Array<double> doubles({1}, {0});
  Number threshold(1);
  EXPECT_EQ(refusal(kFirst, doubles, doubles, threshold, doubles), kInvalid);
  EXPECT_MESSAGE("gradOutput is float64");
  EXPECT_EQ(refusal(kFirst, integers, floats, threshold, floats), kInvalid);
  EXPECT_MESSAGE("gradOutput is int32, it must be float32");
  EXPECT_EQ(refusal(kFirst, floats, floats, threshold, integers), kInvalid);
  EXPECT_MESSAGE("out is int32");
}

CASE(shapes_must_broadcast_to_the_output) {
  Session session;
  Array<float> two({2}, {0, 0});
  Array<float> three({3}, {0, 0, 0});
  Array<float> nine(Shape(9, 1), {1});
  Number threshold(1);
  EXPECT_EQ(refusal(kFirst, two, three, threshold, three), kInvalid);
  EXPECT_EQ(refusal(kFirst, two, two, threshold, three), kInvalid);
  EXPECT_EQ(refusal(kFirst, nine, two, threshold, two), kInvalid);
  EXPECT_MESSAGE("9 dimensions");
}

CASE(int64_is_for_the_950) {
  Session session;
  Array<int64_t> tensor({1}, {1});
  Number zero(0);
  EXPECT_EQ(refusal(kFirst, tensor, tensor, zero, tensor), kInvalid);
}

CASE(soc_950_takes_int64_at_threshold_0_only) {
  EXPECT_EQ(results<int64_t>({5, 6}, {-1, 1}, 0), "0 6 ");
  Session session;
  Array<int64_t> tensor({1}, {1});
  Number one(1);
  EXPECT_EQ(refusal(kFirst, tensor, tensor, one, tensor), kInvalid);
}
