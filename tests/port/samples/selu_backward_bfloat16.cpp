// Selu backward in bfloat16, converted by hand: the upper half of a float.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_selu_backward.h"

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

static uint16_t ToBfloat16(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return static_cast<uint16_t>(bits >> 16);
}

static float FromBfloat16(uint16_t half) {
  uint32_t bits = static_cast<uint32_t>(half) << 16;
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

int main() {
  Must(aclInit(nullptr), "aclInit");
  Must(aclrtSetDevice(0), "aclrtSetDevice");
  aclrtStream stream = nullptr;
  Must(aclrtCreateStream(&stream), "aclrtCreateStream");

  const std::vector<int64_t> shape = {2, 2, 2};
  std::vector<uint16_t> grad, forward, back(8);
  for (int i = 0; i < 8; ++i) {
    grad.push_back(ToBfloat16(1.0f + 0.5f * i));
    forward.push_back(ToBfloat16(static_cast<float>(i) - 3.5f));
  }
  void *gradAddr = nullptr, *forwardAddr = nullptr, *outAddr = nullptr;
  aclTensor* gradOutput = MakeTensor(grad, shape, ACL_BF16, &gradAddr);
  aclTensor* result = MakeTensor(forward, shape, ACL_BF16, &forwardAddr);
  aclTensor* gradInput = MakeTensor(back, shape, ACL_BF16, &outAddr);
  uint64_t workspaceSize = 0;
  aclOpExecutor* executor = nullptr;
  Must(aclnnSeluBackwardGetWorkspaceSize(gradOutput, result, gradInput, &workspaceSize, &executor),
       "first phase");
  void* workspace = nullptr;
  if (workspaceSize > 0) {
    Must(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST), "workspace");
  }
  Must(aclnnSeluBackward(workspace, workspaceSize, executor, stream), "second phase");

  Must(aclrtSynchronizeStream(stream), "synchronize");
  Must(aclrtMemcpy(back.data(), 16, outAddr, 16, ACL_MEMCPY_DEVICE_TO_HOST), "copy back");
  for (int i = 0; i < 8; ++i) {
    std::printf("gradInput[%d] is %f\n", i, FromBfloat16(back[i]));
  }
  aclDestroyTensor(gradOutput);
  aclDestroyTensor(result);
  aclDestroyTensor(gradInput);
  aclrtFree(gradAddr);
  aclrtFree(forwardAddr);
  aclrtFree(outAddr);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return 0;
}
