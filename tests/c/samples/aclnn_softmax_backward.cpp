// Gradient of softmax over the last dimension from its forward result, on float32, printed element
// by element.
//
// Needs -lascendcl -lnnopbase -lopapi of a toolkit root, and nothing else.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstdio>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_softmax_backward.h"
#include "sample.hpp"

int main() {
  // 1. Bring up the library, a device and a stream.
  const int32_t device = 0;
  aclrtStream stream = nullptr;
  RETURN_IF_FAILED(start(device, &stream));

  // 2. Move the inputs to the device and describe all tensors.
  const std::vector<int64_t> shape = {2, 4};
  const std::vector<float> gradHost = {1, 2, 3, 4, 5, 6, 7, 8};
  const std::vector<float> forwardHost = {0.25, 0.25, 0.25, 0.25, 0.125, 0.125, 0.25, 0.5};
  std::vector<float> resultHost(gradHost.size(), 0);
  void* gradData = nullptr;
  void* forwardData = nullptr;
  void* resultData = nullptr;
  aclTensor* grad = nullptr;
  aclTensor* forward = nullptr;
  aclTensor* result = nullptr;
  RETURN_IF_FAILED(makeTensor(gradHost, shape, ACL_FLOAT, &gradData, &grad));
  RETURN_IF_FAILED(makeTensor(forwardHost, shape, ACL_FLOAT, &forwardData, &forward));
  RETURN_IF_FAILED(makeTensor(resultHost, shape, ACL_FLOAT, &resultData, &result));
  const int64_t dim = -1;

  // 3. First phase: check the arguments, learn the size of the workspace.
  uint64_t workspaceSize = 0;
  aclOpExecutor* executor = nullptr;
  RETURN_IF_FAILED(
      aclnnSoftmaxBackwardGetWorkspaceSize(grad, forward, dim, result, &workspaceSize, &executor));
  void* workspace = nullptr;
  if (workspaceSize > 0)
    RETURN_IF_FAILED(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST));

  // 4. Second phase: put the work on the stream, then wait for it.
  RETURN_IF_FAILED(aclnnSoftmaxBackward(workspace, workspaceSize, executor, stream));
  RETURN_IF_FAILED(aclrtSynchronizeStream(stream));

  // 5. Bring the result back.
  RETURN_IF_FAILED(printResult(resultData, &resultHost));

  // 6. Release everything, in the reverse order.
  aclDestroyTensor(grad);
  aclDestroyTensor(forward);
  aclDestroyTensor(result);
  aclrtFree(gradData);
  aclrtFree(forwardData);
  aclrtFree(resultData);
  if (workspace != nullptr) aclrtFree(workspace);
  return stop(device, stream);
}
