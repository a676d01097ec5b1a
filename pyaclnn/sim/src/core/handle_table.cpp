// SPDX-License-Identifier: MIT
#include "core/handle_table.hpp"

namespace pyaclnn::sim {
namespace {

constexpr unsigned kTypes = 16;

constexpr const char* kNames[kTypes] = {
    "aclopAttr",     "aclrtContext",  "aclrtStream",   "aclrtEvent",
    "aclTensor",     "aclScalar",     "aclIntArray",   "aclFloatArray",
    "aclBoolArray",  "aclTensorList", "aclScalarList", "aclOpExecutor",
    "aclDataBuffer", "aclmdlRI",      "aclTensorDesc", "aclrtDrvMemHandle",
};

}  // namespace

const char* handle_type_name(HandleType type) { return kNames[unsigned(type) % kTypes]; }

std::atomic<std::uint64_t>& live_handles(HandleType type) {
  static std::array<std::atomic<std::uint64_t>, kTypes>& counts =
      *new std::array<std::atomic<std::uint64_t>, kTypes>{};
  return counts[unsigned(type) % kTypes];
}

namespace detail {

void refuse_handle(const void* handle, HandleType expected, int code) {
  auto bits = reinterpret_cast<std::uint64_t>(handle);
  const char* wanted = handle_type_name(expected);
  if (handle == nullptr) fail(code, "a null handle was passed, an %s is needed", wanted);
  if (!HandleBits::marked(bits))
    fail(code, "%p is not a handle this library gave out, an %s is needed", handle, wanted);
  if (HandleBits::type(bits) != expected)
    fail(code, "%p is an %s, an %s is needed", handle, handle_type_name(HandleBits::type(bits)),
         wanted);
  fail(code, "%p is an %s that was destroyed already", handle, wanted);
}

}  // namespace detail
}  // namespace pyaclnn::sim
