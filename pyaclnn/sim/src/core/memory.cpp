// SPDX-License-Identifier: MIT
#include "core/memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <vector>

#include "check/races.hpp"
#include "check/undefined.hpp"
#include "core/arena.hpp"
#include "core/checked.hpp"
#include "core/config.hpp"
#include "core/ipc_memory.hpp"
#include "core/live_bytes.hpp"
#include "core/page.hpp"
#include "core/per_thread.hpp"
#include "core/status.hpp"
#include "core/visible.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::size_t kBlock = 512;
constexpr std::size_t kHostAlignment = 64;
constexpr std::size_t kPinnedPage = 4096;  // of the driver, as aclrtHostRegister has it
// Ahead of the memory of each device and behind it, where nobody's memory is. As large as a huge
// page, so that these still begin where they did.
constexpr std::size_t kGuard = std::size_t(2) << 20;
// What reads as neither zero nor a small number, whatever the dtype.
constexpr int kPoison = 0xCD;

using Blocks = std::map<std::uintptr_t, Allocation>;

std::atomic<std::uint64_t> next_id{1};

/// Failure(207001) for sizes that no multiple of `unit` holds.
std::size_t round_up(std::size_t size, std::size_t unit) {
  const auto rounded = Checked(size).rounded_up(unit);
  if (!rounded.fits()) fail(kRtOutOfMemory, "%zu bytes are more than any memory has", size);
  return rounded.saturated();
}

/// The block of `blocks` that contains an address.
const Allocation* containing(const Blocks& blocks, std::uintptr_t address) {
  auto after = blocks.upper_bound(address);
  if (after == blocks.begin()) return nullptr;
  const Allocation& block = std::prev(after)->second;
  return address - block.base < block.real_size ? &block : nullptr;
}

/// One device's share: which blocks of its memory are in use.
struct DeviceMemory {
  explicit DeviceMemory(std::size_t size) : arena(size) {}
  std::shared_mutex mutex;
  Arena arena;
  Blocks live;
  std::uint64_t bytes = 0;
  std::atomic<std::uint64_t> frees{0};
  std::size_t opened =
      0;  // bytes that were part of a block some time, where live bytes are watched
};

/// All devices side by side, so that an address tells its device by a division and its kernel
/// address by an addition.
struct Mapping {
  Mapping() = default;
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  // Only where bringing the devices up fails half-way: a published mapping stays.
  ~Mapping() {
    if (user != 0) munmap(reinterpret_cast<void*>(user), size);
    if (kernel != 0) munmap(reinterpret_cast<void*>(kernel), size);
  }
  std::uintptr_t user = 0;    // no access: what programs hold
  std::uintptr_t kernel = 0;  // read and write: where kernels work
  std::size_t size = 0;       // of all devices together, guards included
  std::size_t per_device = 0;
  std::size_t stride = 0;  // from one device to the next
  std::vector<std::unique_ptr<DeviceMemory>> devices;

  /// Where the memory of a device begins in both.
  std::size_t start(std::size_t device) const { return device * stride + kGuard; }
};

std::atomic<Mapping*> published{nullptr};
std::atomic<const VirtualArea*> virtual_area{nullptr};

bool inside(const VirtualArea* area, std::uintptr_t address) {
  return area != nullptr && address - area->user < area->size;
}

[[noreturn]] void no_room(const char* step, std::size_t size) {
  fail(kRtDeviceSetup,
       "%s of %zu bytes for device memory failed: %s; set PYACLNN_SIM_MEMORY to less than this "
       "process may map",
       step, size, std::strerror(errno));
}

std::uintptr_t reserve(std::size_t size) {
  void* address =
      mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED) no_room("the reservation", size);
  return reinterpret_cast<std::uintptr_t>(address);
}

void map_device(Mapping& mapping, std::size_t index) {
  // Over our own reservation, which is why MAP_FIXED hits nothing else.
  void* at = reinterpret_cast<void*>(mapping.kernel + mapping.start(index));
  if (!map_private_pages(at, mapping.per_device)) no_room("the mapping", mapping.per_device);
  if (live_bytes::kWatched) mprotect(at, mapping.per_device, PROT_NONE);
}

/// What is in a new block: as it was, unless a check asks for something else.
void fill_new(void* memory, std::size_t bytes) {
  if (undefined::enabled()) {
    undefined::mark_unwritten(memory, bytes);
  } else if (config().poison) {
    std::memset(memory, kPoison, bytes);
  }
}

/// Where live bytes are watched: makes the `size` first of `block` at an offset live. What never
/// was in a block stays closed, as marks for all of it would be an eighth of the memory.
void begin_block(const Mapping& map, std::size_t index, std::size_t offset, std::size_t block,
                 std::size_t size) {
  if (!live_bytes::kWatched) return;
  DeviceMemory& device = *map.devices[index];
  auto* const memory = reinterpret_cast<std::byte*>(map.kernel + map.start(index));
  const std::size_t end = offset + block;
  if (end > device.opened) {
    const std::size_t from = device.opened;
    device.opened = std::min((end + kGuard - 1) / kGuard * kGuard, map.per_device);
    mprotect(memory + from, device.opened - from, PROT_READ | PROT_WRITE);
    if (offset > from) live_bytes::end(memory + from, offset - from);
    live_bytes::end(memory + end, device.opened - end);
  }
  live_bytes::begin(memory + offset, block);
  fill_new(memory + offset, block);
  live_bytes::end(memory + offset + size, block - size);
}

Mapping* build_mapping() {
  keep_visible_devices();
  auto mapping = std::make_unique<Mapping>();
  mapping->per_device = config().memory_bytes;
  auto devices = std::size_t(device_count());
  mapping->stride = mapping->per_device + 2 * kGuard;
  mapping->size = mapping->stride * devices;
  mapping->user = reserve(mapping->size);
  mapping->kernel = reserve(mapping->size);
  for (std::size_t index = 0; index < devices; ++index) {
    mapping->devices.push_back(std::make_unique<DeviceMemory>(mapping->per_device));
    map_device(*mapping, index);
  }
  return mapping.release();
}

Mapping* mapping() { return published.load(std::memory_order_acquire); }

bool inside(const Mapping* map, std::uintptr_t address) {
  return map != nullptr && address - map->user < map->size;
}

DeviceMemory& device_memory(int device) { return *mapping()->devices[std::size_t(device)]; }

/// Gives pages back once a quarter of the device's memory is free but still held, so that a loop
/// of malloc and free keeps its pages and a program that shrinks does not.
void trim(const Mapping& map, std::size_t index) {
  DeviceMemory& device = *map.devices[index];
  if (device.arena.dirty_bytes() < map.per_device / 4) return;
  std::uintptr_t start = map.kernel + map.start(index);
  device.arena.release_pages([start](std::size_t offset, std::size_t size) {
    std::size_t from = round_up(offset, page_size());
    std::size_t to = (offset + size) / page_size() * page_size();
    if (from < to) madvise(reinterpret_cast<void*>(start + from), to - from, MADV_DONTNEED);
  });
}

/// What this thread found lately. Blocks never move, so only a free makes it stale. Spares the
/// threads that submit and run small operators the lock and the map: 0.1 us of the 0.3 a second
/// phase with three tensors takes. By address, as lists have hundreds of tensors; those whose
/// places are taken are among the last few.
class FoundLately {
 public:
  const Allocation* containing(std::uintptr_t address, int device, std::uint64_t epoch) const {
    const auto fits = [&](const Entry& entry) {
      return address - entry.block.base < entry.block.real_size && entry.epoch == epoch &&
             entry.block.device == device;
    };
    if (const Entry& entry = by_address_[place(address)]; fits(entry)) return &entry.block;
    for (const Entry& entry : last_) {
      if (fits(entry)) return &entry.block;
    }
    return nullptr;
  }

  void remember(std::uintptr_t address, const Allocation& block, std::uint64_t epoch) {
    by_address_[place(address)] = last_[next_] = {block, epoch};
    next_ = (next_ + 1) % kLast;
  }

 private:
  struct Entry {
    Allocation block;
    std::uint64_t epoch = 0;
  };
  static std::size_t place(std::uintptr_t address) {
    // Fibonacci hashing: blocks of one size lie at equal distances.
    return std::size_t((address / kBlock * 0x9E3779B97F4A7C15u) >> (64 - kBits));
  }
  static constexpr unsigned kBits = 9;
  static constexpr std::size_t kLast = 8;
  Entry by_address_[std::size_t(1) << kBits];
  Entry last_[kLast];
  std::size_t next_ = 0;
};

struct HostMemory {
  std::shared_mutex mutex;
  Blocks live;
  std::uint64_t bytes = 0;
  std::atomic<bool> used{false};  // spares programs without pinned memory the look-up
};

HostMemory& host_memory() {
  static HostMemory& memory = *new HostMemory;
  return memory;
}

Allocation find_host(std::uintptr_t address) {
  HostMemory& host = host_memory();
  if (!host.used.load(std::memory_order_acquire)) return {};
  std::shared_lock<std::shared_mutex> guard(host.mutex);
  const Allocation* block = containing(host.live, address);
  return block == nullptr ? Allocation() : *block;
}

}  // namespace

void map_devices() {
  static std::mutex& mutex = *new std::mutex;
  if (mapping() != nullptr) return;
  std::lock_guard<std::mutex> guard(mutex);
  if (mapping() == nullptr) published.store(build_mapping(), std::memory_order_release);
}

int device_of(const void* pointer) {
  const Mapping* map = mapping();
  auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (inside(map, address)) return int((address - map->user) / map->stride);
  const VirtualArea* area = virtual_area.load(std::memory_order_acquire);
  return inside(area, address) ? area->device_of(address) : -1;
}

PointerKind classify_pointer(const void* pointer) {
  auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (inside(mapping(), address)) return PointerKind::kDevice;
  if (inside(virtual_area.load(std::memory_order_acquire), address)) return PointerKind::kDevice;
  return find_host(address) ? PointerKind::kPinnedHost : PointerKind::kPageableHost;
}

Allocation find_allocation(const void* pointer) {
  auto address = reinterpret_cast<std::uintptr_t>(pointer);
  int device = device_of(pointer);
  if (device < 0) return find_host(address);
  DeviceMemory& memory = device_memory(device);
  std::uint64_t epoch = memory.frees.load(std::memory_order_acquire);
  FoundLately& found = per_thread<FoundLately>();
  if (const Allocation* block = found.containing(address, device, epoch)) return *block;
  std::shared_lock<std::shared_mutex> guard(memory.mutex);
  const Allocation* block = containing(memory.live, address);
  if (block == nullptr) return {};
  found.remember(address, *block, memory.frees.load(std::memory_order_relaxed));
  return *block;
}

bool allocation_is_live(const void* pointer, std::uint64_t id) {
  return find_allocation(pointer).id == id;
}

bool is_virtual_address(const void* pointer) {
  return inside(virtual_area.load(std::memory_order_acquire),
                reinterpret_cast<std::uintptr_t>(pointer));
}

bool map_private_pages(void* kernel_address, std::size_t size) noexcept {
  if (mmap(kernel_address, size, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) == MAP_FAILED)
    return false;
  // Huge pages: memory is first touched in a third of the time, and read 10% faster.
  madvise(kernel_address, size, MADV_HUGEPAGE);
  madvise(kernel_address, size, MADV_DONTDUMP);
  // A forked child must not use it, and would make the parent's next writes copy pages.
  madvise(kernel_address, size, MADV_DONTFORK);
  return true;
}

void* kernel_address(const void* pointer) {
  const Mapping* map = mapping();
  auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (__builtin_expect(address - map->user < map->size, 1))
    return reinterpret_cast<void*>(address - map->user + map->kernel);
  const VirtualArea* area = virtual_area.load(std::memory_order_acquire);
  if (void* host = area->host_behind(address)) return host;
  return reinterpret_cast<void*>(address - area->user + area->kernel);
}

bool is_mapped_host(const void* pointer) {
  const VirtualArea* area = virtual_area.load(std::memory_order_acquire);
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  return inside(area, address) && area->host_behind(address) != nullptr;
}

void* allocate_device(int device, std::size_t size, std::size_t real_size) {
  const Mapping& map = *mapping();
  DeviceMemory& memory = device_memory(device);
  std::size_t block = round_up(real_size, kBlock);
  Allocation made;
  {
    std::lock_guard<std::shared_mutex> guard(memory.mutex);
    std::size_t offset = memory.arena.take(block);
    if (offset == Arena::kNone)
      fail(kRtOutOfMemory,
           "device %d has no block of %zu bytes: %zu of %zu bytes are free, %zu in one piece",
           device, block, memory.arena.free_bytes(), map.per_device, memory.arena.largest_free());
    made.device = device;
    made.id = next_id.fetch_add(1, std::memory_order_relaxed);
    made.base = map.user + map.start(std::size_t(device)) + offset;
    made.size = size;
    made.real_size = real_size;
    memory.live.emplace(made.base, made);
    memory.bytes += size;
    begin_block(map, std::size_t(device), offset, block, size);
  }
  void* pointer = reinterpret_cast<void*>(made.base);
  if (!live_bytes::kWatched) fill_new(kernel_address(pointer), block);
  return pointer;
}

void use_padding(const Allocation& block, const void* pointer, std::size_t size) noexcept {
  if (!live_bytes::kWatched || block.device < 0 || is_virtual_address(pointer)) return;
  const std::size_t used = reinterpret_cast<std::uintptr_t>(pointer) - block.base + size;
  if (used > block.size) live_bytes::begin(kernel_address(pointer), size);
}

void free_device(void* pointer, const char* function) {
  if (races::enabled()) races::host_frees(function, pointer);
  const Mapping* map = mapping();
  auto address = reinterpret_cast<std::uintptr_t>(pointer);
  int device = device_of(pointer);
  if (device < 0)
    fail(kRtParamInvalid, "%p is %s memory, not device memory", pointer,
         classify_pointer(pointer) == PointerKind::kPinnedHost ? "pinned host" : "host");
  if (!inside(map, address))
    fail(kRtParamInvalid, "%p is a reserved address; aclrtUnmapMem takes the memory from it",
         pointer);
  end_exports(pointer);
  DeviceMemory& memory = device_memory(device);
  std::lock_guard<std::shared_mutex> guard(memory.mutex);
  auto block = memory.live.find(address);
  if (block == memory.live.end()) {
    if (const Allocation* around = containing(memory.live, address))
      fail(kRtParamInvalid, "%p lies %zu bytes inside the block that starts at %p; pass its start",
           pointer, address - around->base, reinterpret_cast<void*>(around->base));
    fail(kRtParamInvalid,
         "%p is not a live block of device %d: it was freed already, or never given "
         "out",
         pointer, device);
  }
  std::size_t offset = address - map->user - map->start(std::size_t(device));
  const std::size_t size = round_up(block->second.real_size, kBlock);
  live_bytes::end(kernel_address(pointer), size);
  memory.arena.give_back(offset, size);
  memory.bytes -= block->second.size;
  if (races::enabled()) races::allocation_ended(block->second.id);
  memory.live.erase(block);
  memory.frees.fetch_add(1, std::memory_order_release);
  trim(*map, std::size_t(device));
}

void* allocate_host(std::size_t size) {
  HostMemory& host = host_memory();
  Allocation made;
  made.size = size;
  made.real_size = round_up(size, kHostAlignment);
  // Whole pages are pinned: programs register memory from the next page on.
  const std::size_t alignment = size < kPinnedPage ? kHostAlignment : kPinnedPage;
  // No process has that much: asking anyway is an error of its own to checkers of memory.
  constexpr std::size_t kAddressSpace = std::size_t(1) << 47;
  void* pointer = made.real_size < size || made.real_size > kAddressSpace
                      ? nullptr
                      : std::aligned_alloc(alignment, round_up(size, alignment));
  if (pointer == nullptr)
    fail(kRtOutOfMemory, "the host has no %zu bytes of memory to pin", made.real_size);
  made.id = next_id.fetch_add(1, std::memory_order_relaxed);
  made.base = reinterpret_cast<std::uintptr_t>(pointer);
  std::lock_guard<std::shared_mutex> guard(host.mutex);
  host.live.emplace(made.base, made);
  host.bytes += size;
  host.used.store(true, std::memory_order_release);
  return pointer;
}

void free_host(void* pointer, const char* function) {
  if (races::enabled()) races::host_frees(function, pointer);
  HostMemory& host = host_memory();
  if (device_of(pointer) >= 0)
    fail(kRtParamInvalid, "%p is device memory, not pinned host memory", pointer);
  {
    std::lock_guard<std::shared_mutex> guard(host.mutex);
    auto block = host.live.find(reinterpret_cast<std::uintptr_t>(pointer));
    if (block != host.live.end() && block->second.registered)
      fail(kRtParamInvalid, "%p is the program's own memory; aclrtHostUnregister is its end",
           pointer);
    if (block == host.live.end())
      fail(kRtParamInvalid,
           "%p is not the start of a live pinned block: it was freed already, or comes from "
           "another allocator",
           pointer);
    host.bytes -= block->second.size;
    if (races::enabled()) races::allocation_ended(block->second.id);
    host.live.erase(block);
  }
  std::free(pointer);
}

void register_host(void* pointer, std::size_t size) {
  HostMemory& host = host_memory();
  auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (size > ~address)
    fail(kRtParamInvalid, "%zu bytes from %p reach beyond the address space", size, pointer);
  if (device_of(pointer) >= 0)
    fail(kRtParamInvalid, "%p is device memory; host memory is registered", pointer);
  Allocation made;
  made.base = address;
  made.size = made.real_size = size;
  made.registered = true;
  std::lock_guard<std::shared_mutex> guard(host.mutex);
  auto next = host.live.lower_bound(address);
  bool known = (next != host.live.end() && next->first < address + size) ||
               containing(host.live, address) != nullptr;
  if (known)
    fail(kRtHostMemoryRegistered, "a part of the %zu bytes from %p is page-locked already", size,
         pointer);
  made.id = next_allocation_id();
  host.live.emplace(address, made);
  host.used.store(true, std::memory_order_release);
}

void unregister_host(void* pointer, int code) {
  HostMemory& host = host_memory();
  std::lock_guard<std::shared_mutex> guard(host.mutex);
  auto block = host.live.find(reinterpret_cast<std::uintptr_t>(pointer));
  if (block == host.live.end() || !block->second.registered)
    fail(code, "%p is not the start of registered memory", pointer);
  if (races::enabled()) races::allocation_ended(block->second.id);
  host.live.erase(block);
}

std::uint64_t next_allocation_id() { return next_id.fetch_add(1, std::memory_order_relaxed); }

void publish_virtual_area(const VirtualArea* area) {
  virtual_area.store(area, std::memory_order_release);
}

std::size_t take_device_memory(int device, std::size_t size) {
  DeviceMemory& memory = device_memory(device);
  std::lock_guard<std::shared_mutex> guard(memory.mutex);
  std::size_t offset = memory.arena.take(size);
  if (offset == Arena::kNone)
    fail(kRtOutOfMemory, "device %d has no %zu bytes: %zu of %zu bytes are free", device, size,
         memory.arena.free_bytes(), mapping()->per_device);
  return offset;
}

void give_device_memory_back(int device, std::size_t offset, std::size_t size) {
  DeviceMemory& memory = device_memory(device);
  std::lock_guard<std::shared_mutex> guard(memory.mutex);
  memory.arena.give_back(offset, size);
}

void replace_virtual_blocks(int device, std::uintptr_t begin, std::uintptr_t end,
                            const std::vector<Allocation>& blocks) {
  DeviceMemory& memory = device_memory(device);
  std::lock_guard<std::shared_mutex> guard(memory.mutex);
  auto first = memory.live.lower_bound(begin);
  auto last = memory.live.lower_bound(end);
  for (auto block = first; block != last; ++block) {
    memory.bytes -= block->second.size;
    if (races::enabled()) races::allocation_ended(block->second.id);
  }
  memory.live.erase(first, last);
  for (const Allocation& block : blocks) {
    memory.bytes += block.size;
    memory.live.emplace(block.base, block);
  }
  // What threads remember of these addresses is stale.
  memory.frees.fetch_add(1, std::memory_order_release);
}

MemoryFigures memory_figures(int device) {
  DeviceMemory& memory = device_memory(device);
  std::shared_lock<std::shared_mutex> guard(memory.mutex);
  return {memory.arena.free_bytes(), mapping()->per_device};
}

MemoryCensus memory_census() {
  MemoryCensus census;
  if (Mapping* map = mapping()) {
    for (auto& device : map->devices) {
      std::shared_lock<std::shared_mutex> guard(device->mutex);
      census.device_blocks += device->live.size();
      census.device_bytes += device->bytes;
    }
  }
  HostMemory& host = host_memory();
  std::shared_lock<std::shared_mutex> guard(host.mutex);
  census.host_blocks = host.live.size();
  census.host_bytes = host.bytes;
  return census;
}

}  // namespace pyaclnn::sim
