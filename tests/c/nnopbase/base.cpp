// aclnnInit, aclnnFinalize and aclDumpOpTensors.
// SPDX-License-Identifier: MIT
#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "check.hpp"

CASE(initialising_the_operators_always_succeeds) {
  EXPECT_OK(aclnnInit(nullptr));
  EXPECT_OK(aclnnInit("/no/such/file.json"));
  EXPECT_OK(aclnnFinalize());
  EXPECT_OK(aclnnFinalize());
}

CASE(dumping_checks_its_arguments) {
  EXPECT_OK(aclInit(nullptr));
  EXPECT_OK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  EXPECT_OK(aclrtCreateStream(&stream));
  aclTensor* tensors[] = {
      aclCreateTensor(nullptr, 0, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, nullptr, 0, nullptr)};
  EXPECT_OK(aclDumpOpTensors("Add", "add", tensors, 1, 0, stream));
  EXPECT_EQ(aclDumpOpTensors(nullptr, "add", tensors, 1, 0, stream), 161001);
  EXPECT_EQ(aclDumpOpTensors("Add", nullptr, tensors, 1, 0, stream), 161001);
  EXPECT_EQ(aclDumpOpTensors("Add", "add", nullptr, 1, 0, stream), 161001);
  EXPECT_EQ(aclDumpOpTensors("Add", "add", tensors, 1, 0, nullptr), 161001);
  EXPECT_OK(aclDestroyTensor(tensors[0]));
  EXPECT_EQ(aclDumpOpTensors("Add", "add", tensors, 0, 1, stream), 161002);
  EXPECT_OK(aclrtDestroyStream(stream));
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_OK(aclFinalize());
}

CASE(cann_8_1_has_no_dumping) {
  EXPECT_EQ(aclDumpOpTensors("Add", "add", nullptr, 0, 0, nullptr), 207000);
  EXPECT_MESSAGE("CANN 9.0");
}
