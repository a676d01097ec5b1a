"""The fixed parts of a C++ sample."""

from __future__ import annotations

PROLOGUE = """\
// Reproduces one call of @NAME@, with the values it was made with.
//
// Build and run, with the environment of the toolkit set:
//   g++ -std=c++17 sample.cpp -I$ASCEND_HOME_PATH/include -L$ASCEND_HOME_PATH/lib64 \\\\
//       -lascendcl -lnnopbase -lopapi -o sample && ./sample
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/@HEADER@"

#define CHECK(call, what)                                                              \\
  do {                                                                                 \\
    const int status = static_cast<int>(call);                                         \\
    if (status != 0) {                                                                 \\
      const char* message = aclGetRecentErrMsg();                                      \\
      printf("%s: error %d\\n%s\\n", what, status, message != nullptr ? message : ""); \\
      return 1;                                                                        \\
    }                                                                                  \\
  } while (0)
""".replace("\\\\\n//", "\\\n//")

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
                      const std::vector<int64_t>& strides, int64_t offset, int64_t storage,
                      aclDataType type, aclFormat format) {
  return aclCreateTensor(shape.data(), shape.size(), type, strides.data(), offset, format,
                         &storage, 1, address);
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

HELPERS_OF_DTYPES = {
    "bfloat16": """\
float Bfloat16ToFloat(uint16_t half) {
  const uint32_t bits = static_cast<uint32_t>(half) << 16;
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}
"""
}

EPILOGUE = """\
  if (workspaceAddr != nullptr) aclrtFree(workspaceAddr);
  aclrtDestroyStream(stream);
  aclrtResetDevice(deviceId);
  aclFinalize();
  return 0;
}
"""
