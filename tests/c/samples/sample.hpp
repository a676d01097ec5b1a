// The steps that every sample begins and ends with.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstdio>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

#define RETURN_IF_FAILED(call)                                                      \
  do {                                                                              \
    const int status_ = (call);                                                     \
    if (status_ != 0) {                                                             \
      const char* message_ = aclGetRecentErrMsg();                                  \
      std::printf("%s: status %d\n%s\n", #call, status_, message_ ? message_ : ""); \
      return status_;                                                               \
    }                                                                               \
  } while (0)

inline int start(int32_t device, aclrtStream* stream) {
  RETURN_IF_FAILED(aclInit(nullptr));
  RETURN_IF_FAILED(aclrtSetDevice(device));
  RETURN_IF_FAILED(aclrtCreateStream(stream));
  return 0;
}

inline int stop(int32_t device, aclrtStream stream) {
  RETURN_IF_FAILED(aclrtDestroyStream(stream));
  RETURN_IF_FAILED(aclrtResetDevice(device));
  RETURN_IF_FAILED(aclFinalize());
  return 0;
}

/// Copies values to new device memory and describes them as a row-major tensor.
template <class T>
int makeTensor(const std::vector<T>& values, const std::vector<int64_t>& shape, aclDataType dtype,
               void** data, aclTensor** tensor) {
  const size_t bytes = values.size() * sizeof(T);
  RETURN_IF_FAILED(aclrtMalloc(data, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  RETURN_IF_FAILED(aclrtMemcpy(*data, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE));
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  *tensor = aclCreateTensor(shape.data(), shape.size(), dtype, strides.data(), 0, ACL_FORMAT_ND,
                            shape.data(), shape.size(), *data);
  return *tensor == nullptr ? -1 : 0;
}

inline int printResult(const void* data, std::vector<float>* host) {
  const size_t bytes = host->size() * sizeof(float);
  RETURN_IF_FAILED(aclrtMemcpy(host->data(), bytes, data, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
  for (size_t i = 0; i < host->size(); ++i)
    std::printf("result[%zu] = %.9g\n", i, double((*host)[i]));
  return 0;
}
