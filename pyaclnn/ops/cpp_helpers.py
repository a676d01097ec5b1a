"""The fixed parts of a C++ sample."""

from __future__ import annotations

PROLOGUE = """\
// Reproduces @CALLS@, with the values it was made with.
//
// Build and run, with the environment of the toolkit set:
//   R=$ASCEND_HOME_PATH
//   g++ -std=c++17 sample.cpp -I$R/include -L$R/lib64 -lascendcl -lnnopbase -lopapi -o sample
//   ./sample
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "acl/acl.h"
@HEADERS@

#define CHECK(call, what)                                                              \\
  do {                                                                                 \\
    const int status = static_cast<int>(call);                                         \\
    if (status != 0) {                                                                 \\
      const char* message = aclGetRecentErrMsg();                                      \\
      printf("%s: error %d\\n%s\\n", what, status, message != nullptr ? message : ""); \\
      return 1;                                                                        \\
    }                                                                                  \\
  } while (0)
"""

HELPERS = """\
int Init(int32_t deviceId, aclrtStream* stream) {
  int ret = aclInit(nullptr);
  if (ret != 0) return ret;
  ret = aclrtSetDevice(deviceId);
  if (ret != 0) return ret;
  return aclrtCreateStream(stream);
}

template <typename T>
int Upload(const std::vector<T>& data, void** address) {
  const size_t size = data.size() * sizeof(T);
  if (size == 0) return 0;
  int ret = aclrtMalloc(address, size, ACL_MEM_MALLOC_HUGE_FIRST);
  if (ret != 0) return ret;
  return aclrtMemcpy(*address, size, data.data(), size, ACL_MEMCPY_HOST_TO_DEVICE);
}

template <typename T>
int Download(const void* address, std::vector<T>& data) {
  const size_t size = data.size() * sizeof(T);
  if (size == 0) return 0;
  return aclrtMemcpy(data.data(), size, address, size, ACL_MEMCPY_DEVICE_TO_HOST);
}

aclTensor* MakeTensor(void* address, const std::vector<int64_t>& shape,
                      const std::vector<int64_t>& strides, int64_t offset,
                      const std::vector<int64_t>& storage, aclDataType type, aclFormat format) {
  return aclCreateTensor(shape.data(), shape.size(), type, strides.data(), offset, format,
                         storage.data(), storage.size(), address);
}

std::vector<int64_t> Positions(const std::vector<int64_t>& shape,
                               const std::vector<int64_t>& strides, int64_t offset) {
  std::vector<int64_t> positions = {offset};
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    std::vector<int64_t> next;
    for (int64_t position : positions) {
      for (int64_t i = 0; i < shape[axis]; ++i) next.push_back(position + i * strides[axis]);
    }
    positions = next;
  }
  return positions;
}
"""

#: Helpers that not every sample needs.
BFLOAT16 = """\
float Bfloat16ToFloat(uint16_t half) {
  const uint32_t bits = static_cast<uint32_t>(half) << 16;
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}
"""

OVERWRITE = """\
template <typename T>
int Overwrite(const std::vector<T>& data, void* address) {
  const size_t size = data.size() * sizeof(T);
  return aclrtMemcpy(address, size, data.data(), size, ACL_MEMCPY_HOST_TO_DEVICE);
}
"""

SUCCEEDED = """\
bool Succeeded(int status, const char* what) {
  if (status == 0) return true;
  const char* message = aclGetRecentErrMsg();
  printf("%s: error %d\\n%s\\n", what, status, message != nullptr ? message : "");
  return false;
}
"""

EPILOGUE = """\
  aclrtDestroyStream(stream);
  aclrtResetDevice(deviceId);
  aclFinalize();
  return 0;
}
"""
