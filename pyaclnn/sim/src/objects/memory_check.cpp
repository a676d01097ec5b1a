// SPDX-License-Identifier: MIT
#include "objects/memory_check.hpp"

#include <cstdio>

namespace pyaclnn::sim {
namespace {

template <class... Values>
std::string text(const char* format, Values... values) {
  char buffer[320];
  std::snprintf(buffer, sizeof buffer, format, values...);
  return buffer;
}

}  // namespace

std::string Stretch::problem(const Allocation& allocation, int device) const {
  if (base == nullptr) return "the address is null";
  if (classify_pointer(base) != PointerKind::kDevice)
    return text("%p is host memory, a kernel needs device memory (aclrtMalloc, aclrtMemcpy)", base);
  if ((reinterpret_cast<std::uintptr_t>(base) & std::uintptr_t(alignment - 1)) != 0)
    return text("%p is not aligned to an element of %lld bytes", base,
                static_cast<long long>(alignment));
  if (!allocation)
    return text("%p is inside no live allocation: it was freed, or never allocated", begin());
  const std::uintptr_t start = reinterpret_cast<std::uintptr_t>(begin());
  const std::uintptr_t origin = reinterpret_cast<std::uintptr_t>(base);
  const std::uintptr_t end = allocation.base + allocation.size;
  if (origin < allocation.base || origin > end)
    return text("offset and strides lead from %p into another allocation, at %p", base, begin());
  if (start > end)
    return text("%p on is used, %zu bytes behind the end of the allocation of %zu bytes", begin(),
                std::size_t(start - end), allocation.size);
  if (static_cast<std::uint64_t>(bytes) > end - start)
    return text("%lld bytes from %p on are used, the allocation of %zu bytes ends %zu bytes on",
                static_cast<long long>(bytes), begin(), allocation.size, std::size_t(end - start));
  if (allocation.device != device)
    return text("%p is memory of device %d, the stream is of device %d", base, allocation.device,
                device);
  return {};
}

std::byte* Stretch::kernel_base() const {
  auto* start = static_cast<std::byte*>(kernel_address(begin()));
  return start - first;
}

}  // namespace pyaclnn::sim
