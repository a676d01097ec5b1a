// A class owns the memory and the tensor; its destructor gives both back.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_hardswish_backward.h"

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

class DeviceTensor {
 public:
  DeviceTensor(const std::vector<float>& values, const std::vector<int64_t>& shape)
      : bytes_(values.size() * sizeof(float)), size_(values.size()) {
    Must(aclrtMalloc(&address_, bytes_, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
    Must(aclrtMemcpy(address_, bytes_, values.data(), bytes_, ACL_MEMCPY_HOST_TO_DEVICE), "copy");
    std::vector<int64_t> strides = RowMajor(shape);
    tensor_ = aclCreateTensor(shape.data(), shape.size(), ACL_FLOAT, strides.data(), 0,
                              ACL_FORMAT_ND, shape.data(), shape.size(), address_);
  }
  ~DeviceTensor() {
    aclDestroyTensor(tensor_);
    aclrtFree(address_);
  }
  aclTensor* get() const { return tensor_; }
  std::vector<float> Download() const {
    std::vector<float> host(size_);
    Must(aclrtMemcpy(host.data(), bytes_, address_, bytes_, ACL_MEMCPY_DEVICE_TO_HOST), "copy");
    return host;
  }

 private:
  void* address_ = nullptr;
  aclTensor* tensor_ = nullptr;
  size_t bytes_ = 0;
  size_t size_ = 0;
};

int main() {
  Must(aclInit(nullptr), "aclInit");
  Must(aclrtSetDevice(0), "aclrtSetDevice");
  aclrtStream stream = nullptr;
  Must(aclrtCreateStream(&stream), "aclrtCreateStream");

  {
    DeviceTensor grad({1, 2, 3, 4}, {4});
    DeviceTensor self({-4, -1, 1, 4}, {4});
    DeviceTensor out({0, 0, 0, 0}, {4});
    uint64_t workspaceSize = 0;
    aclOpExecutor* executor = nullptr;
    Must(aclnnHardswishBackwardGetWorkspaceSize(grad.get(), self.get(), out.get(), &workspaceSize,
                                                &executor),
         "first phase");
    void* workspace = nullptr;
    if (workspaceSize > 0) {
      Must(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST), "workspace");
    }
    Must(aclnnHardswishBackward(workspace, workspaceSize, executor, stream), "second phase");

    Must(aclrtSynchronizeStream(stream), "synchronize");
    std::vector<float> host = out.Download();
    for (size_t i = 0; i < host.size(); ++i) std::printf("out[%zu] = %f\n", i, host[i]);
    if (workspace) aclrtFree(workspace);
  }
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return 0;
}
