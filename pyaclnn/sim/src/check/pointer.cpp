// SPDX-License-Identifier: MIT
#include "check/pointer.hpp"

#include "core/status.hpp"

namespace pyaclnn::sim {

Allocation require_range(const void* pointer, std::size_t bytes, const char* name, int code) {
  Allocation block = find_allocation(pointer);
  if (!block) {
    int device = device_of(pointer);
    if (device < 0) return block;
    fail(code, "%s %p is in no live block of device %d: it was freed, or never given out", name,
         pointer, device);
  }
  std::size_t left = block.real_size - (reinterpret_cast<std::uintptr_t>(pointer) - block.base);
  if (bytes > left)
    fail(code, "%s %p has %zu bytes left in its block of %zu, %zu are needed", name, pointer, left,
         block.size, bytes);
  use_padding(block, pointer, bytes);
  return block;
}

Allocation require_device_range(const void* pointer, std::size_t bytes, const char* name,
                                int code) {
  Allocation block = require_range(pointer, bytes, name, code);
  if (block.device < 0)
    fail(code, "%s %p is %s memory, device memory is needed", name, pointer,
         block ? "pinned host" : "host");
  return block;
}

}  // namespace pyaclnn::sim
