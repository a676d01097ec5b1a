// Average pooling backward of images in NCHW, with int arrays.
#include <cstdio>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_avgpool2d_backward.h"

#define CHECK_RET(condition, action) \
  do {                               \
    if (!(condition)) {              \
      action;                        \
    }                                \
  } while (0)

#define LOG_PRINT(message, ...)     \
  do {                              \
    printf(message, ##__VA_ARGS__); \
  } while (0)

int64_t ElementCount(const std::vector<int64_t>& shape) {
  int64_t count = 1;
  for (auto extent : shape) {
    count *= extent;
  }
  return count;
}

int Init(int32_t deviceId, aclrtStream* stream) {
  auto ret = aclInit(nullptr);
  CHECK_RET(ret == ACL_SUCCESS, LOG_PRINT("aclInit: error %d\n", ret); return ret);
  ret = aclrtSetDevice(deviceId);
  CHECK_RET(ret == ACL_SUCCESS, LOG_PRINT("aclrtSetDevice: error %d\n", ret); return ret);
  ret = aclrtCreateStream(stream);
  CHECK_RET(ret == ACL_SUCCESS, LOG_PRINT("aclrtCreateStream: error %d\n", ret); return ret);
  return 0;
}

template <typename T>
int CreateAclTensor(const std::vector<T>& hostData, const std::vector<int64_t>& shape,
                    void** deviceAddr, aclDataType dataType, aclTensor** tensor,
                    aclFormat format = aclFormat::ACL_FORMAT_ND) {
  auto size = ElementCount(shape) * sizeof(T);
  auto ret = aclrtMalloc(deviceAddr, size, ACL_MEM_MALLOC_HUGE_FIRST);
  CHECK_RET(ret == ACL_SUCCESS, LOG_PRINT("aclrtMalloc: error %d\n", ret); return ret);
  ret = aclrtMemcpy(*deviceAddr, size, hostData.data(), size, ACL_MEMCPY_HOST_TO_DEVICE);
  CHECK_RET(ret == ACL_SUCCESS, LOG_PRINT("aclrtMemcpy: error %d\n", ret); return ret);
  std::vector<int64_t> strides(shape.size(), 1);
  for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; i--) {
    strides[i] = shape[i + 1] * strides[i + 1];
  }
  *tensor = aclCreateTensor(shape.data(), shape.size(), dataType, strides.data(), 0, format,
                            shape.data(), shape.size(), *deviceAddr);
  return 0;
}

int main() {
  int32_t deviceId = 0;
  aclrtStream stream;
  auto ret = Init(deviceId, &stream);
  CHECK_RET(ret == ACL_SUCCESS, return ret);
  std::vector<int64_t> inputShape = {1, 1, 4, 4};
  std::vector<int64_t> gradShape = {1, 1, 2, 2};
  void *gradAddr = nullptr, *inputAddr = nullptr, *outAddr = nullptr;
  aclTensor *grad = nullptr, *input = nullptr, *gradInput = nullptr;
  std::vector<float> gradHost = {1, 2, 3, 4};
  std::vector<float> inputHost(16, 1), outHost(16, 0);
  ret = CreateAclTensor(gradHost, gradShape, &gradAddr, ACL_FLOAT, &grad, ACL_FORMAT_NCHW);
  CHECK_RET(ret == ACL_SUCCESS, return ret);
  ret = CreateAclTensor(inputHost, inputShape, &inputAddr, ACL_FLOAT, &input, ACL_FORMAT_NCHW);
  CHECK_RET(ret == ACL_SUCCESS, return ret);
  ret = CreateAclTensor(outHost, inputShape, &outAddr, ACL_FLOAT, &gradInput, ACL_FORMAT_NCHW);
  CHECK_RET(ret == ACL_SUCCESS, return ret);
  std::vector<int64_t> kernelDims = {2, 2}, strideDims = {2, 2}, paddingDims = {0, 0};
  aclIntArray* kernelSize = aclCreateIntArray(kernelDims.data(), kernelDims.size());
  aclIntArray* stride = aclCreateIntArray(strideDims.data(), strideDims.size());
  aclIntArray* padding = aclCreateIntArray(paddingDims.data(), paddingDims.size());
  const bool ceilMode = false;
  const bool countIncludePad = true;
  const int64_t divisorOverride = 0;
  const int8_t cubeMathType = 0;
  uint64_t workspaceSize = 0;
  aclOpExecutor* executor;
  ret = aclnnAvgPool2dBackwardGetWorkspaceSize(grad, input, kernelSize, stride, padding, ceilMode,
                                               countIncludePad, divisorOverride, cubeMathType,
                                               gradInput, &workspaceSize, &executor);
  CHECK_RET(ret == ACL_SUCCESS, LOG_PRINT("first phase: error %d\n", ret); return ret);
  void* workspaceAddr = nullptr;
  if (workspaceSize > 0) {
    ret = aclrtMalloc(&workspaceAddr, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST);
    CHECK_RET(ret == ACL_SUCCESS, LOG_PRINT("workspace: error %d\n", ret); return ret);
  }
  ret = aclnnAvgPool2dBackward(workspaceAddr, workspaceSize, executor, stream);
  CHECK_RET(ret == ACL_SUCCESS, LOG_PRINT("second phase: error %d\n", ret); return ret);

  ret = aclrtSynchronizeStream(stream);
  CHECK_RET(ret == ACL_SUCCESS, return ret);
  auto size = ElementCount(inputShape);
  ret = aclrtMemcpy(outHost.data(), size * sizeof(float), outAddr, size * sizeof(float),
                    ACL_MEMCPY_DEVICE_TO_HOST);
  CHECK_RET(ret == ACL_SUCCESS, return ret);
  for (int64_t row = 0; row < 4; row++) {
    for (int64_t column = 0; column < 4; column++) {
      LOG_PRINT("%5.2f", outHost[row * 4 + column]);
    }
    LOG_PRINT("\n");
  }
  aclDestroyTensor(grad);
  aclDestroyTensor(input);
  aclDestroyTensor(gradInput);
  aclDestroyIntArray(kernelSize);
  aclDestroyIntArray(stride);
  aclDestroyIntArray(padding);
  aclrtFree(gradAddr);
  aclrtFree(inputAddr);
  aclrtFree(outAddr);
  if (workspaceSize > 0) aclrtFree(workspaceAddr);
  aclrtDestroyStream(stream);
  aclrtResetDevice(deviceId);
  aclFinalize();
  return 0;
}
