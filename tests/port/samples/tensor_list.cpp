// Concatenation: a list of tensors made in a loop, of different extents.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_cat.h"

#define STOP_UNLESS(condition, ...) \
  do {                              \
    if (!(condition)) {             \
      std::printf(__VA_ARGS__);     \
      std::exit(1);                 \
    }                               \
  } while (0)

struct Part {
  std::vector<int64_t> shape;
  std::vector<float> values;
  void* address = nullptr;
};

int64_t SizeOf(const std::vector<int64_t>& shape) {
  int64_t size = 1;
  for (auto extent : shape) size *= extent;
  return size;
}

aclTensor* Describe(const std::vector<int64_t>& shape, aclDataType type, void* address) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size() - 1; i > 0; --i) strides[i - 1] = strides[i] * shape[i];
  return aclCreateTensor(shape.data(), shape.size(), type, strides.data(), 0, ACL_FORMAT_ND,
                         shape.data(), shape.size(), address);
}

int main() {
  STOP_UNLESS(aclInit(nullptr) == ACL_SUCCESS, "aclInit failed\n");
  STOP_UNLESS(aclrtSetDevice(0) == ACL_SUCCESS, "no device\n");
  aclrtStream stream;
  STOP_UNLESS(aclrtCreateStream(&stream) == ACL_SUCCESS, "no stream\n");

  std::vector<Part> parts = {
      {{2, 1}, {1, 2}}, {{2, 3}, {3, 4, 5, 6, 7, 8}}, {{2, 2}, {9, 8, 7, 6}}};
  std::vector<const aclTensor*> described;
  int64_t columns = 0;
  for (auto& part : parts) {
    const size_t bytes = SizeOf(part.shape) * sizeof(float);
    STOP_UNLESS(aclrtMalloc(&part.address, bytes, ACL_MEM_MALLOC_HUGE_FIRST) == 0, "no memory\n");
    aclrtMemcpy(part.address, bytes, part.values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE);
    described.push_back(Describe(part.shape, ACL_FLOAT, part.address));
    columns += part.shape[1];
  }
  aclTensorList* list = aclCreateTensorList(described.data(), described.size());

  const std::vector<int64_t> outShape = {2, columns};
  std::vector<float> result(SizeOf(outShape), 0);
  const size_t outBytes = result.size() * sizeof(float);
  void* outAddress = nullptr;
  STOP_UNLESS(aclrtMalloc(&outAddress, outBytes, ACL_MEM_MALLOC_HUGE_FIRST) == 0, "no memory\n");
  aclTensor* out = Describe(outShape, ACL_FLOAT, outAddress);

  uint64_t workspaceSize = 0;
  aclOpExecutor* executor = nullptr;
  auto status = aclnnCatGetWorkspaceSize(list, -1, out, &workspaceSize, &executor);
  STOP_UNLESS(status == 0, "planning failed: %d\n", status);
  void* workspace = nullptr;
  if (workspaceSize > 0) aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST);
  status = aclnnCat(workspace, workspaceSize, executor, stream);
  STOP_UNLESS(status == 0, "running failed: %d\n", status);
  STOP_UNLESS(aclrtSynchronizeStream(stream) == 0, "waiting failed\n");

  aclrtMemcpy(result.data(), outBytes, outAddress, outBytes, ACL_MEMCPY_DEVICE_TO_HOST);
  for (int64_t row = 0; row < 2; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      std::printf("%.1f ", result[row * columns + column]);
    }
    std::printf("\n");
  }

  // The list owns its tensors.
  aclDestroyTensorList(list);
  aclDestroyTensor(out);
  for (auto& part : parts) aclrtFree(part.address);
  aclrtFree(outAddress);
  if (workspace != nullptr) aclrtFree(workspace);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return 0;
}
