// 嵌入反向：注释是中文，文件用 GB18030 编码，行尾是 CRLF。
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_embedding_dense_backward.h"

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

  std::vector<int64_t> gradShape = {4, 2}, indexShape = {4}, outShape = {3, 2};
  std::vector<float> gradHost = {1, 2, 3, 4, 5, 6, 7, 8}, outHost(6, 0);
  std::vector<int64_t> indexHost = {1, 2, 2, 0};
  void *gradAddr, *indexAddr, *outAddr;
  aclTensor* grad = MakeTensor(gradHost, gradShape, ACL_FLOAT, &gradAddr);
  aclTensor* indices = MakeTensor(indexHost, indexShape, ACL_INT64, &indexAddr);
  aclTensor* out = MakeTensor(outHost, outShape, ACL_FLOAT, &outAddr);
  uint64_t numWeights = 3;
  uint64_t paddingIdx = 1;
  uint64_t workspaceSize = 0;
  aclOpExecutor* executor = nullptr;
  Must(aclnnEmbeddingDenseBackwardGetWorkspaceSize(grad, indices, numWeights, paddingIdx, false, out, &workspaceSize, &executor), "first phase");
  void* workspace = nullptr;
  if (workspaceSize > 0) {
    Must(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST), "workspace");
  }
  Must(aclnnEmbeddingDenseBackward(workspace, workspaceSize, executor, stream), "second phase");

  Must(aclrtSynchronizeStream(stream), "synchronize");
  Must(aclrtMemcpy(outHost.data(), 24, outAddr, 24, ACL_MEMCPY_DEVICE_TO_HOST), "copy");
  for (size_t i = 0; i < outHost.size(); ++i) {
    std::printf("grad %zu,%zu: %.1f\n", i / 2, i % 2, outHost[i]);
  }
  aclDestroyTensor(grad);
  aclDestroyTensor(indices);
  aclDestroyTensor(out);
  aclrtFree(gradAddr);
  aclrtFree(indexAddr);
  aclrtFree(outAddr);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return 0;
}
