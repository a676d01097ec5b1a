// Gradient of threshold on float32, printed element by element.
//
// Needs -lascendcl -lnnopbase -lopapi of a toolkit root, and nothing else.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstdio>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_threshold_backward.h"
#include "sample.hpp"

int main() {
  // 1. Bring up the library, a device and a stream.
  const int32_t device = 0;
  aclrtStream stream = nullptr;
  RETURN_IF_FAILED(start(device, &stream));

  // 2. Move the inputs to the device and describe all tensors.
  const std::vector<int64_t> shape = {2, 4};
  const std::vector<float> gradHost = {1, 2, 3, 4, 5, 6, 7, 8};
  const std::vector<float> selfHost = {-2, -1, 0.5, 0.25, 0, 0.75, 1, 3};
  std::vector<float> resultHost(gradHost.size(), 0);
  void* gradData = nullptr;
  void* selfData = nullptr;
  void* resultData = nullptr;
  aclTensor* grad = nullptr;
  aclTensor* self = nullptr;
  aclTensor* result = nullptr;
  RETURN_IF_FAILED(makeTensor(gradHost, shape, ACL_FLOAT, &gradData, &grad));
  RETURN_IF_FAILED(makeTensor(selfHost, shape, ACL_FLOAT, &selfData, &self));
  RETURN_IF_FAILED(makeTensor(resultHost, shape, ACL_FLOAT, &resultData, &result));
  float limit = 0.5f;
  aclScalar* threshold = aclCreateScalar(&limit, ACL_FLOAT);

  // 3. First phase: check the arguments, learn the size of the workspace.
  uint64_t workspaceSize = 0;
  aclOpExecutor* executor = nullptr;
  RETURN_IF_FAILED(aclnnThresholdBackwardGetWorkspaceSize(grad, self, threshold, result,
                                                          &workspaceSize, &executor));
  void* workspace = nullptr;
  if (workspaceSize > 0)
    RETURN_IF_FAILED(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST));

  // 4. Second phase: put the work on the stream, then wait for it.
  RETURN_IF_FAILED(aclnnThresholdBackward(workspace, workspaceSize, executor, stream));
  RETURN_IF_FAILED(aclrtSynchronizeStream(stream));

  // 5. Bring the result back.
  RETURN_IF_FAILED(printResult(resultData, &resultHost));

  // 6. Release everything, in the reverse order.
  aclDestroyTensor(grad);
  aclDestroyTensor(self);
  aclDestroyTensor(result);
  aclDestroyScalar(threshold);
  aclrtFree(gradData);
  aclrtFree(selfData);
  aclrtFree(resultData);
  if (workspace != nullptr) aclrtFree(workspace);
  return stop(device, stream);
}
