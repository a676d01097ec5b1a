// Batch norm backward: a bool array says which of three outputs are wanted.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_batch_norm_backward.h"

static void Must(int status, const char* what) {
  if (status != 0) {
    std::printf("%s: error %d\n", what, status);
    std::exit(1);
  }
}

static int64_t Count(const std::vector<int64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<int64_t>());
}

static std::vector<int64_t> RowMajor(const std::vector<int64_t>& shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (int i = static_cast<int>(shape.size()) - 2; i >= 0; --i) {
    strides[i] = strides[i + 1] * shape[i + 1];
  }
  return strides;
}

template <typename T>
aclTensor* MakeTensor(const std::vector<T>& values, const std::vector<int64_t>& shape,
                      aclDataType type, void** address) {
  const size_t bytes = values.size() * sizeof(T);
  Must(aclrtMalloc(address, bytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
  Must(aclrtMemcpy(*address, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE),
       "aclrtMemcpy");
  auto strides = RowMajor(shape);
  return aclCreateTensor(shape.data(), shape.size(), type, strides.data(), 0, ACL_FORMAT_ND,
                         shape.data(), shape.size(), *address);
}

int main() {
  Must(aclInit(nullptr), "aclInit");
  Must(aclrtSetDevice(0), "aclrtSetDevice");
  aclrtStream stream = nullptr;
  Must(aclrtCreateStream(&stream), "aclrtCreateStream");

  std::vector<int64_t> shape = {2, 2, 2}, channels = {2};
  std::vector<float> gradHost = {1, 2, 3, 4, 5, 6, 7, 8}, inputHost = {1, 3, 2, 4, 1, 3, 2, 4};
  std::vector<float> weightHost = {1, 2}, meanHost = {2, 3}, invstdHost = {1, 1};
  std::vector<float> gradInputHost(8), gradWeightHost(2), gradBiasHost(2);
  void* address[8];
  aclTensor* gradOut = MakeTensor(gradHost, shape, ACL_FLOAT, &address[0]);
  aclTensor* input = MakeTensor(inputHost, shape, ACL_FLOAT, &address[1]);
  aclTensor* weight = MakeTensor(weightHost, channels, ACL_FLOAT, &address[2]);
  aclTensor* saveMean = MakeTensor(meanHost, channels, ACL_FLOAT, &address[3]);
  aclTensor* saveInvstd = MakeTensor(invstdHost, channels, ACL_FLOAT, &address[4]);
  aclTensor* gradInput = MakeTensor(gradInputHost, shape, ACL_FLOAT, &address[5]);
  aclTensor* gradWeight = MakeTensor(gradWeightHost, channels, ACL_FLOAT, &address[6]);
  aclTensor* gradBias = MakeTensor(gradBiasHost, channels, ACL_FLOAT, &address[7]);
  bool mask[3] = {true, true, true};
  aclBoolArray* outputMask = aclCreateBoolArray(mask, 3);
  double eps = 1e-5;
  uint64_t workspaceSize = 0;
  aclOpExecutor* executor = nullptr;
  Must(aclnnBatchNormBackwardGetWorkspaceSize(gradOut, input, weight, nullptr, nullptr, saveMean,
                                              saveInvstd, true, eps, outputMask, gradInput,
                                              gradWeight, gradBias, &workspaceSize, &executor),
       "first phase");
  void* workspace = nullptr;
  if (workspaceSize > 0) {
    Must(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST), "workspace");
  }
  Must(aclnnBatchNormBackward(workspace, workspaceSize, executor, stream), "second phase");

  Must(aclrtSynchronizeStream(stream), "synchronize");
  Must(aclrtMemcpy(gradInputHost.data(), 32, address[5], 32, ACL_MEMCPY_DEVICE_TO_HOST), "copy");
  Must(aclrtMemcpy(gradWeightHost.data(), 8, address[6], 8, ACL_MEMCPY_DEVICE_TO_HOST), "copy");
  Must(aclrtMemcpy(gradBiasHost.data(), 8, address[7], 8, ACL_MEMCPY_DEVICE_TO_HOST), "copy");
  for (int64_t i = 0; i < 8; i++) std::printf("gradInput[%ld]: %f\n", i, gradInputHost[i]);
  for (int64_t i = 0; i < 2; i++) std::printf("gradWeight[%ld]: %f\n", i, gradWeightHost[i]);
  for (int64_t i = 0; i < 2; i++) std::printf("gradBias[%ld]: %f\n", i, gradBiasHost[i]);
  for (auto tensor :
       {gradOut, input, weight, saveMean, saveInvstd, gradInput, gradWeight, gradBias}) {
    aclDestroyTensor(tensor);
  }
  aclDestroyBoolArray(outputMask);
  for (auto a : address) aclrtFree(a);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return 0;
}
