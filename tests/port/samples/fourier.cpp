// An operator whose name has no "nn" in it.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/acl_rfft1d.h"

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

  std::vector<float> signal = {1, 2, 3, 4, 5, 6, 7, 8}, spectrum(10);
  void *signalAddr, *spectrumAddr;
  aclTensor* self = MakeTensor(signal, {1, 1, 8}, ACL_FLOAT, &signalAddr);
  aclTensor* out = MakeTensor(spectrum, {1, 1, 5, 2}, ACL_FLOAT, &spectrumAddr);
  uint64_t workspaceSize = 0;
  aclOpExecutor* executor = nullptr;
  Must(aclRfft1DGetWorkspaceSize(self, 8, -1, 1, out, &workspaceSize, &executor), "phase 1");
  void* workspace = nullptr;
  if (workspaceSize > 0) {
    Must(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST), "workspace");
  }
  Must(aclRfft1D(workspace, workspaceSize, executor, stream), "phase 2");
  Must(aclrtSynchronizeStream(stream), "wait");
  Must(aclrtMemcpy(spectrum.data(), spectrum.size() * sizeof(float), spectrumAddr,
                   spectrum.size() * sizeof(float), ACL_MEMCPY_DEVICE_TO_HOST),
       "aclrtMemcpy");
  for (size_t i = 0; i < spectrum.size(); i += 2) {
    std::printf("%zu: %.3f %+.3fi\n", i / 2, spectrum[i], spectrum[i + 1]);
  }
  aclDestroyTensor(self);
  aclDestroyTensor(out);
  aclrtFree(signalAddr);
  aclrtFree(spectrumAddr);
  if (workspace != nullptr) aclrtFree(workspace);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  return aclFinalize();
}
