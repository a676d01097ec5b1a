"""Pieces of sample programs."""

from __future__ import annotations

PREAMBLE = """
#include <cstdio>
#include <memory>
#include <vector>
#include "acl/acl.h"

#define CHECK_RET(condition, action) do { if (!(condition)) { action; } } while (0)
#define LOG_PRINT(message, ...) do { printf(message, ##__VA_ARGS__); } while (0)

int64_t Count(const std::vector<int64_t>& shape) {
  int64_t count = 1;
  for (auto extent : shape) count *= extent;
  return count;
}

template <typename T>
int Create(const std::vector<T>& data, const std::vector<int64_t>& shape, void** address,
           aclDataType type, aclTensor** tensor, aclFormat format = ACL_FORMAT_ND) {
  auto size = Count(shape) * sizeof(T);
  auto ret = aclrtMalloc(address, size, ACL_MEM_MALLOC_HUGE_FIRST);
  CHECK_RET(ret == ACL_SUCCESS, LOG_PRINT("error %d\\n", ret); return ret);
  ret = aclrtMemcpy(*address, size, data.data(), size, ACL_MEMCPY_HOST_TO_DEVICE);
  CHECK_RET(ret == ACL_SUCCESS, return ret);
  std::vector<int64_t> strides(shape.size(), 1);
  for (int64_t i = shape.size() - 2; i >= 0; i--) strides[i] = shape[i + 1] * strides[i + 1];
  *tensor = aclCreateTensor(shape.data(), shape.size(), type, strides.data(), 0, format,
                            shape.data(), shape.size(), *address);
  return 0;
}

"""


def program(body: str, before: str = "") -> str:
    """Return a program with CANN's usual helpers around the body of main."""
    start = """
  aclInit(nullptr);
  aclrtSetDevice(0);
  aclrtStream stream;
  aclrtCreateStream(&stream);
  uint64_t workspaceSize = 0;
  aclOpExecutor* executor;
  void* workspace = nullptr;
  int ret = 0;
"""
    return f"{PREAMBLE}{before}\nint main() {{{start}{body}\n  return 0;\n}}\n"


def run(operator: str, arguments: str) -> str:
    """Return the two phases of a call."""
    return f"""
  ret = {operator}GetWorkspaceSize({arguments}, &workspaceSize, &executor);
  CHECK_RET(ret == ACL_SUCCESS, LOG_PRINT("error %d\\n", ret); return ret);
  if (workspaceSize > 0) {{
    ret = aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST);
  }}
  ret = {operator}(workspace, workspaceSize, executor, stream);
  CHECK_RET(ret == ACL_SUCCESS, return ret);
"""


def tensor(name: str, shape: str, c_type: str = "float", dtype: str = "ACL_FLOAT",
           values: str = "", extra: str = "") -> str:  # fmt: skip
    """Return the declaration of a tensor with data."""
    data = f"= {{{values}}}" if values else f"(Count({name}Shape), 1)"
    return f"""
  std::vector<int64_t> {name}Shape = {{{shape}}};
  std::vector<{c_type}> {name}Data{data};
  void* {name}Addr = nullptr;
  aclTensor* {name} = nullptr;
  Create({name}Data, {name}Shape, &{name}Addr, {dtype}, &{name}{extra});
"""
