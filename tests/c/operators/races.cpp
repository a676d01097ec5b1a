// Missing synchronisation between operators: which operands it names, and views that share no byte.
// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "aclnnop/aclnn_selu_backward.h"
#include "aclnnop/aclnn_softshrink_backward.h"
#include "call.hpp"

namespace {

/// A second stream; hazards are collected.
struct Streams : Session {
  Streams() {
    EXPECT_OK(pyaclnnSimSetRaces("collect"));
    EXPECT_OK(aclrtCreateStream(&other));
  }
  ~Streams() {
    EXPECT_OK(aclrtDestroyStream(other));
    EXPECT_OK(pyaclnnSimSetRaces("off"));
  }
  aclrtStream other = nullptr;
};

/// Submits gradient = SeluBackward(grad, result), which needs no workspace for contiguous tensors.
void selu(aclrtStream stream, const aclTensor* grad, const aclTensor* result, aclTensor* gradient,
          const Memory& workspace) {
  Planned planned = plan(aclnnSeluBackwardGetWorkspaceSize, grad, result, gradient);
  EXPECT_EQ(planned.status, 0);
  EXPECT_OK(aclnnSeluBackward(workspace.data(), planned.size, planned.executor, stream));
}

pyaclnnSimHazard only_hazard() {
  EXPECT_EQ(pyaclnnSimHazardCount(), 1u);
  pyaclnnSimHazard hazard;
  EXPECT_OK(pyaclnnSimGetHazard(0, &hazard));
  return hazard;
}

const std::vector<float> kOnes(32, 1.0f);

}  // namespace

CASE(operands_and_shapes_are_named) {
  Streams streams;
  Array<float> x({4, 8}, kOnes);
  Array<float> y({4, 8}, kOnes);
  Array<float> z({4, 8}, kOnes);
  Memory none(0);
  selu(streams.stream(), x, x, y, none);
  selu(streams.other, x, y, z, none);
  const pyaclnnSimHazard hazard = only_hazard();
  EXPECT_EQ(std::string(hazard.kind), std::string("read-after-write"));
  EXPECT_EQ(std::string(hazard.earlier.operation), std::string("aclnnSeluBackward"));
  EXPECT_EQ(std::string(hazard.earlier.operand), std::string("gradInput"));
  EXPECT_EQ(std::string(hazard.earlier.tensor), std::string("float32[4, 8]"));
  EXPECT_EQ(std::string(hazard.later.operand), std::string("result"));
  EXPECT(hazard.block == y.data());
  EXPECT_EQ(hazard.end, 128u);
  EXPECT_OK(aclrtSynchronizeDevice());
}

CASE(an_event_between_operators_is_enough) {
  Streams streams;
  Array<float> x({4, 8}, kOnes);
  Array<float> y({4, 8}, kOnes);
  Array<float> z({4, 8}, kOnes);
  Memory none(0);
  aclrtEvent event = nullptr;
  EXPECT_OK(aclrtCreateEvent(&event));
  selu(streams.stream(), x, x, y, none);
  EXPECT_OK(aclrtRecordEvent(event, streams.stream()));
  EXPECT_OK(aclrtStreamWaitEvent(streams.other, event));
  selu(streams.other, x, y, z, none);
  EXPECT_EQ(pyaclnnSimHazardCount(), 0u);
  EXPECT_OK(aclrtSynchronizeDevice());
  EXPECT_OK(aclrtDestroyEvent(event));
}

CASE(columns_of_one_matrix_are_no_hazard) {
  Streams streams;
  Array<float> matrix({4, 8}, kOnes);
  const Shape column{4, 4};
  const Shape strides{8, 1};
  const int64_t stored = 32;
  auto columns = [&](int64_t from) {
    return aclCreateTensor(column.data(), 2, ACL_FLOAT, strides.data(), from, ACL_FORMAT_ND,
                           &stored, 1, matrix.data());
  };
  aclTensor* left = columns(0);
  aclTensor* right = columns(4);
  aclTensor* middle = columns(2);
  Array<float> x(column, std::vector<float>(16, 1.0f));
  Memory first(4096);
  Memory second(4096);
  selu(streams.stream(), x, x, left, first);
  selu(streams.other, x, x, right, second);
  EXPECT_EQ(pyaclnnSimHazardCount(), 0u);
  EXPECT_OK(aclrtSynchronizeDevice());
  selu(streams.stream(), x, x, left, first);
  selu(streams.other, x, x, middle, second);
  EXPECT_EQ(std::string(only_hazard().later.tensor),
            std::string("float32[4, 4] with strides [8, 1]"));
  EXPECT_OK(aclrtSynchronizeDevice());
  for (aclTensor* tensor : {left, right, middle}) EXPECT_OK(aclDestroyTensor(tensor));
}

CASE(a_workspace_serves_one_stream_at_a_time) {
  Streams streams;
  const Shape shape{4, 4};
  Array<float> x(shape, {1, 4}, 0, std::vector<float>(16, 1.0f));
  Array<float> y(shape, std::vector<float>(16, 1.0f));
  Array<float> z(shape, std::vector<float>(16, 1.0f));
  Memory workspace(4096);
  selu(streams.stream(), x, x, y, workspace);
  selu(streams.other, x, x, z, workspace);
  EXPECT_EQ(std::string(only_hazard().earlier.operand), std::string("workspace"));
  EXPECT_EQ(std::string(only_hazard().kind), std::string("write-after-write"));
  EXPECT_OK(aclrtSynchronizeDevice());
}

CASE(an_operator_in_place_is_no_hazard_with_itself) {
  Streams streams;
  Array<float> x({4, 8}, kOnes);
  Number lambd(0.5f);
  Planned planned = plan(aclnnSoftshrinkBackwardGetWorkspaceSize, (aclTensor*)x, (aclTensor*)x,
                         (aclScalar*)lambd, (aclTensor*)x);
  EXPECT_EQ(planned.status, 0);
  EXPECT_OK(aclnnSoftshrinkBackward(nullptr, 0, planned.executor, streams.stream()));
  EXPECT_EQ(pyaclnnSimHazardCount(), 0u);
  EXPECT_OK(aclrtSynchronizeDevice());
}

CASE(operands_are_named_where_the_plan_is_older_than_the_check) {
  Streams streams;
  Array<float> x({4, 8}, kOnes);
  Array<float> y({4, 8}, kOnes);
  Memory none(0);
  EXPECT_OK(pyaclnnSimSetRaces("off"));
  selu(streams.stream(), x, x, y, none);
  EXPECT_OK(aclrtSynchronizeDevice());
  EXPECT_OK(pyaclnnSimSetRaces("collect"));
  selu(streams.stream(), x, x, y, none);
  selu(streams.other, x, x, y, none);
  EXPECT_EQ(std::string(only_hazard().later.tensor), std::string("float32[4, 8]"));
  EXPECT_OK(aclrtSynchronizeDevice());
}
