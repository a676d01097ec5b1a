// Kernels on memory of the host that has an address for devices.
// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_relu.h"
#include "call.hpp"

namespace {

constexpr size_t kPage = 4096;

aclTensor* tensor_over(void* data, int64_t count) {
  return aclCreateTensor(&count, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &count, 1, data);
}

/// Reads and writes the memory by a kernel at `device`, and looks at it from the host.
void use(const Session& session, float* host, void* device) {
  for (int i = 0; i < 4; ++i) host[i] = float(i) - 2;
  aclTensor* x = tensor_over(device, 4);
  EXPECT_OK(run(session, PHASES(aclnnInplaceRelu), x));
  EXPECT_EQ(text(std::vector<float>(host, host + 4)), "0 0 0 1 ");
  EXPECT_OK(aclDestroyTensor(x));
}

void* device_pointer(void* host) {
  void* device = nullptr;
  EXPECT_OK(aclrtHostGetDevicePointer(host, &device, 0));
  return device;
}

}  // namespace

CASE(memory_of_the_program) {
  Session session;
  alignas(kPage) static float memory[2 * kPage / sizeof(float)];
  EXPECT_OK(aclrtHostRegisterV2(memory, sizeof memory, ACL_HOST_REG_MAPPED | ACL_HOST_REG_PINNED));
  void* device = device_pointer(memory);
  EXPECT(device != nullptr && device != memory);
  use(session, memory, device);
  // From within, too.
  EXPECT(device_pointer(memory + 8) == static_cast<float*>(device) + 8);
  use(session, memory + 8, device_pointer(memory + 8));
  EXPECT_EQ(aclrtHostRegisterV2(memory, kPage, ACL_HOST_REG_MAPPED), 507910);
  EXPECT_OK(aclrtHostUnregister(memory));
  EXPECT_EQ(aclrtHostUnregister(memory), 507911);
  void* none = nullptr;
  EXPECT_EQ(aclrtHostGetDevicePointer(memory, &none, 0), 507911);
}

CASE(memory_of_aclrtMallocHost) {
  Session session;
  void* host = nullptr;
  EXPECT_OK(aclrtMallocHost(&host, 4 * kPage));
  auto* page =
      reinterpret_cast<float*>((reinterpret_cast<uintptr_t>(host) + kPage - 1) / kPage * kPage);
  EXPECT(device_pointer(page) == nullptr);
  EXPECT_EQ(aclrtHostRegisterV2(page, 5 * kPage, ACL_HOST_REG_MAPPED), 107000);
  void* device = nullptr;
  EXPECT_OK(aclrtHostRegister(page, kPage, ACL_HOST_REGISTER_MAPPED, &device));
  EXPECT(device == device_pointer(page));
  use(session, page, device);
  EXPECT_OK(aclrtHostUnregister(page));
  EXPECT(device_pointer(page) == nullptr);
  EXPECT_OK(aclrtFreeHost(host));
}

/// As torch_npu's swapped memory does: what is a page begins at one.
CASE(a_page_of_aclrtMallocHost) {
  Session session;
  void* host[8] = {};
  void* device[8] = {};
  for (int i = 0; i < 8; ++i) {
    EXPECT_OK(aclrtMallocHost(&host[i], kPage));
    EXPECT_OK(aclrtHostRegister(host[i], kPage, ACL_HOST_REGISTER_MAPPED, &device[i]));
  }
  for (int i = 0; i < 8; ++i) {
    use(session, static_cast<float*>(host[i]), device[i]);
    EXPECT_OK(aclrtHostUnregister(host[i]));
    EXPECT_OK(aclrtFreeHost(host[i]));
  }
}

CASE(what_the_address_is_not_for) {
  Session session;
  alignas(kPage) static char memory[kPage];
  void* device = nullptr;
  EXPECT_OK(aclrtHostRegister(memory, kPage, ACL_HOST_REGISTER_MAPPED, &device));
  EXPECT_EQ(aclrtMemcpy(device, 8, memory, 8, ACL_MEMCPY_HOST_TO_DEVICE), 107000);
  EXPECT_MESSAGE("where devices reach registered memory of the host");
  EXPECT_EQ(aclrtMemcpyAsync(memory, 8, device, 8, ACL_MEMCPY_DEVICE_TO_HOST, session.stream()),
            107000);
  EXPECT_EQ(aclrtMemset(device, 8, 0, 8), 107000);
  EXPECT_EQ(aclrtFree(device), 107000);
  EXPECT_EQ(aclrtReleaseMemAddress(device), 107000);
  EXPECT_MESSAGE("aclrtHostUnregister");
  // Behind its end, and after its end.
  aclTensor* larger = tensor_over(device, kPage / 4 + 1);
  EXPECT_EQ(run(session, PHASES(aclnnInplaceRelu), larger), kKernelFault);
  EXPECT_OK(aclDestroyTensor(larger));
  EXPECT_OK(aclrtHostUnregister(memory));
  aclTensor* gone = tensor_over(device, 4);
  EXPECT_EQ(run(session, PHASES(aclnnInplaceRelu), gone), kKernelFault);
  EXPECT_OK(aclDestroyTensor(gone));
}

CASE(many_at_a_time) {
  Session session;
  std::vector<char> all(101 * kPage);
  auto* first = reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(all.data()) + kPage - 1) /
                                        kPage * kPage);
  std::vector<void*> devices;
  for (size_t i = 0; i < 100; ++i) {
    void* device = nullptr;
    EXPECT_OK(aclrtHostRegister(first + i * kPage, kPage, ACL_HOST_REGISTER_MAPPED, &device));
    devices.push_back(device);
  }
  for (size_t i = 0; i < 100; i += 9)
    use(session, reinterpret_cast<float*>(first + i * kPage), devices[i]);
  for (size_t i = 0; i < 100; ++i) EXPECT_OK(aclrtHostUnregister(first + i * kPage));
}
