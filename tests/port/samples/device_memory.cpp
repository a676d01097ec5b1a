// aclrtMemset, and copies within the device.
#include <cstdio>
#include <cstdlib>
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

int main() {
  Must(aclInit(nullptr), "aclInit");
  Must(aclrtSetDevice(0), "aclrtSetDevice");
  aclrtStream stream = nullptr;
  Must(aclrtCreateStream(&stream), "aclrtCreateStream");

  std::vector<int64_t> shape = {4};
  auto strides = RowMajor(shape);
  const size_t bytes = 16;
  void* memory[4];
  for (int i = 0; i < 4; i++) {
    Must(aclrtMalloc(&memory[i], bytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
    Must(aclrtMemset(memory[i], bytes, 0, bytes), "aclrtMemset");
  }
  std::vector<float> gradHost = {1, 2, 3, 4}, resultHost = {1, -1, 1, -1};
  Must(aclrtMemcpy(memory[0], bytes, gradHost.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE), "copy");
  Must(aclrtMemcpy(memory[1], bytes, resultHost.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE), "copy");
  std::vector<aclTensor*> tensors;
  for (auto address : memory) {
    tensors.push_back(aclCreateTensor(shape.data(), shape.size(), ACL_FLOAT, strides.data(), 0,
                                      ACL_FORMAT_ND, shape.data(), shape.size(), address));
  }
  uint64_t workspaceSize = 0;
  aclOpExecutor* executor = nullptr;
  Must(aclnnSeluBackwardGetWorkspaceSize(tensors[0], tensors[1], tensors[2], &workspaceSize,
                                         &executor),
       "first phase");
  void* workspace = nullptr;
  if (workspaceSize > 0) {
    Must(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST), "workspace");
  }
  Must(aclnnSeluBackward(workspace, workspaceSize, executor, stream), "second phase");

  Must(aclrtSynchronizeStream(stream), "synchronize");
  Must(aclrtMemcpy(memory[3], bytes, memory[2], bytes, ACL_MEMCPY_DEVICE_TO_DEVICE), "copy");
  std::vector<float> copied(4, -1);
  Must(aclrtMemcpy(copied.data(), bytes, memory[3], bytes, ACL_MEMCPY_DEVICE_TO_HOST), "copy");
  for (size_t i = 0; i != copied.size(); ++i) std::printf("%zu: %f\n", i, copied[i]);
  for (auto tensor : tensors) aclDestroyTensor(tensor);
  for (auto address : memory) aclrtFree(address);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return 0;
}
