// Hardswish backward in float16, which C++ holds as 16 bits.
#include <cstdio>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_hardswish_backward.h"

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
                    void** deviceAddr, aclDataType dataType, aclTensor** tensor) {
  auto size = ElementCount(shape) * sizeof(T);
  auto ret = aclrtMalloc(deviceAddr, size, ACL_MEM_MALLOC_HUGE_FIRST);
  CHECK_RET(ret == ACL_SUCCESS, LOG_PRINT("aclrtMalloc: error %d\n", ret); return ret);
  ret = aclrtMemcpy(*deviceAddr, size, hostData.data(), size, ACL_MEMCPY_HOST_TO_DEVICE);
  CHECK_RET(ret == ACL_SUCCESS, LOG_PRINT("aclrtMemcpy: error %d\n", ret); return ret);
  std::vector<int64_t> strides(shape.size(), 1);
  for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; i--) {
    strides[i] = shape[i + 1] * strides[i + 1];
  }
  *tensor = aclCreateTensor(shape.data(), shape.size(), dataType, strides.data(), 0,
                            aclFormat::ACL_FORMAT_ND, shape.data(), shape.size(), *deviceAddr);
  return 0;
}

int main() {
  int32_t deviceId = 0;
  aclrtStream stream;
  auto ret = Init(deviceId, &stream);
  CHECK_RET(ret == ACL_SUCCESS, return ret);
  std::vector<int64_t> shape = {2, 4};
  std::vector<aclFloat16> gradHost(8, aclFloatToFloat16(1.0f));
  std::vector<aclFloat16> selfHost;
  for (int i = 0; i < 8; i++) {
    selfHost.push_back(aclFloatToFloat16(i - 4.0f));
  }
  std::vector<uint16_t> outHost(8, 0);
  void *gradAddr = nullptr, *selfAddr = nullptr, *outAddr = nullptr;
  aclTensor *grad = nullptr, *self = nullptr, *out = nullptr;
  ret = CreateAclTensor(gradHost, shape, &gradAddr, ACL_FLOAT16, &grad);
  CHECK_RET(ret == ACL_SUCCESS, return ret);
  ret = CreateAclTensor(selfHost, shape, &selfAddr, ACL_FLOAT16, &self);
  CHECK_RET(ret == ACL_SUCCESS, return ret);
  ret = CreateAclTensor(outHost, shape, &outAddr, ACL_FLOAT16, &out);
  CHECK_RET(ret == ACL_SUCCESS, return ret);
  uint64_t workspaceSize = 0;
  aclOpExecutor* executor;
  ret = aclnnHardswishBackwardGetWorkspaceSize(grad, self, out, &workspaceSize, &executor);
  CHECK_RET(ret == ACL_SUCCESS, LOG_PRINT("first phase: error %d\n", ret); return ret);
  void* workspaceAddr = nullptr;
  if (workspaceSize > 0) {
    ret = aclrtMalloc(&workspaceAddr, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST);
    CHECK_RET(ret == ACL_SUCCESS, LOG_PRINT("workspace: error %d\n", ret); return ret);
  }
  ret = aclnnHardswishBackward(workspaceAddr, workspaceSize, executor, stream);
  CHECK_RET(ret == ACL_SUCCESS, LOG_PRINT("second phase: error %d\n", ret); return ret);

  ret = aclrtSynchronizeStream(stream);
  CHECK_RET(ret == ACL_SUCCESS, return ret);
  auto size = ElementCount(shape);
  std::vector<aclFloat16> resultData(size, 0);
  ret = aclrtMemcpy(resultData.data(), size * sizeof(aclFloat16), outAddr,
                    size * sizeof(aclFloat16), ACL_MEMCPY_DEVICE_TO_HOST);
  CHECK_RET(ret == ACL_SUCCESS, return ret);
  for (int64_t i = 0; i < size; i++) {
    LOG_PRINT("out[%ld] = %.4f (bits 0x%04x)\n", i, aclFloat16ToFloat(resultData[i]),
              resultData[i]);
  }
  aclDestroyTensor(grad);
  aclDestroyTensor(self);
  aclDestroyTensor(out);
  aclrtFree(gradAddr);
  aclrtFree(selfAddr);
  aclrtFree(outAddr);
  if (workspaceSize > 0) {
    aclrtFree(workspaceAddr);
  }
  aclrtDestroyStream(stream);
  aclrtResetDevice(deviceId);
  aclFinalize();
  return 0;
}
