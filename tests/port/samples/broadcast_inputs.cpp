// Softshrink backward broadcasts a column against a row.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_softshrink_backward.h"

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

  std::vector<int64_t> columnShape = {3, 1}, rowShape = {1, 4}, outShape = {3, 4};
  std::vector<float> columnData = {1.5f, 2.5f, 3.5f};
  std::vector<float> rowData = {-2.0f, -0.3f, 0.3f, 2.0f};
  std::vector<float> outData(12, 0);
  void *columnAddr = nullptr, *rowAddr = nullptr, *outAddr = nullptr;
  aclTensor* column = MakeTensor(columnData, columnShape, ACL_FLOAT, &columnAddr);
  aclTensor* row = MakeTensor(rowData, rowShape, ACL_FLOAT, &rowAddr);
  aclTensor* out = MakeTensor(outData, outShape, ACL_FLOAT, &outAddr);
  float lambda = 0.5f;
  aclScalar* lambd = aclCreateScalar(&lambda, ACL_FLOAT);
  uint64_t workspaceSize = 0;
  aclOpExecutor* executor = nullptr;
  Must(aclnnSoftshrinkBackwardGetWorkspaceSize(column, row, lambd, out, &workspaceSize, &executor),
       "first phase");
  void* workspace = nullptr;
  if (workspaceSize > 0) {
    Must(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST), "workspace");
  }
  Must(aclnnSoftshrinkBackward(workspace, workspaceSize, executor, stream), "second phase");

  Must(aclrtSynchronizeStream(stream), "synchronize");
  Must(aclrtMemcpy(outData.data(), 48, outAddr, 48, ACL_MEMCPY_DEVICE_TO_HOST), "copy back");
  for (int i = 0; i < 12; ++i) std::printf("%g ", outData[i]);
  std::printf("\n");
  aclDestroyTensor(column);
  aclDestroyTensor(row);
  aclDestroyTensor(out);
  aclDestroyScalar(lambd);
  aclrtFree(columnAddr);
  aclrtFree(rowAddr);
  aclrtFree(outAddr);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return 0;
}
