// SPDX-License-Identifier: MIT
#include "core/virtual_memory.hpp"

#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <utility>
#include <vector>

#include "core/arena.hpp"
#include "core/handle_table.hpp"
#include "core/memory.hpp"
#include "core/shared_pages.hpp"
#include "core/status.hpp"

namespace pyaclnn::sim {
namespace {

// All that can be reserved at a time, by all devices together: as much as the process gets.
constexpr std::size_t kLargestArea = std::size_t(16) << 40;
constexpr std::size_t kSmallestArea = std::size_t(64) << 30;

/// Memory of a device, here or in the process that it comes from.
class Physical {
 public:
  Physical(int device, std::size_t size)
      : device_(device), offset_(take_device_memory(device, size)), pages_(size) {}
  Physical(int device, Exported from) : device_(device), foreign_(true), pages_(from) {}
  ~Physical() {
    if (!foreign_) give_device_memory_back(device_, offset_, pages_.size());
  }
  Physical(const Physical&) = delete;
  Physical& operator=(const Physical&) = delete;

  int device() const { return device_; }
  bool is_foreign() const { return foreign_; }
  SharedPages& pages() { return pages_; }

 private:
  const int device_;
  const bool foreign_ = false;
  std::size_t offset_ = 0;
  SharedPages pages_;
};

HandleTable<Physical>& physicals() {
  static auto& table = *new HandleTable<Physical>(HandleType::kPhysicalMemory);
  return table;
}

struct Chunk {
  std::size_t size = 0;
  std::shared_ptr<Physical> memory;
};

struct Reservation {
  std::size_t size = 0;
  std::uint64_t id = 0;  // of all blocks in it: they grow and shrink with what is mapped
  int device = 0;        // of what is mapped
  std::map<std::uintptr_t, Chunk> chunks;
  std::vector<std::shared_ptr<SharedPages>> imported;  // in place of chunks
  std::byte* host = nullptr;                           // the same
};

/// Memory of the host, where kernels have it.
struct MappedHost {
  std::uintptr_t start = 0;
  std::size_t size = 0;
};

using Reservations = std::map<std::uintptr_t, Reservation>;

struct Space {
  Space(const VirtualArea& made) : area(made), arena(made.size) {}
  const VirtualArea area;
  std::shared_mutex mutex;
  Arena arena;
  Reservations reservations;
  std::map<std::uintptr_t, MappedHost> hosts;  // by where the host has it
  std::atomic<std::size_t> host_count{0};      // spares the look-up where there are none
};

Space* space_if_any = nullptr;  // set once, before addresses of it are given out

int device_of_address(std::uintptr_t address) {
  Space& space = *space_if_any;
  std::shared_lock<std::shared_mutex> guard(space.mutex);
  auto after = space.reservations.upper_bound(address);
  return after == space.reservations.begin() ? 0 : std::prev(after)->second.device;
}

void* host_behind_address(std::uintptr_t address) {
  Space& space = *space_if_any;
  if (space.host_count.load(std::memory_order_acquire) == 0) return nullptr;
  std::shared_lock<std::shared_mutex> guard(space.mutex);
  auto after = space.reservations.upper_bound(address);
  if (after == space.reservations.begin()) return nullptr;
  const auto& [start, reservation] = *std::prev(after);
  if (reservation.host == nullptr || address - start >= reservation.size) return nullptr;
  return reservation.host + (address - start);
}

std::uintptr_t reserve(std::size_t size) {
  void* address =
      mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return address == MAP_FAILED ? 0 : reinterpret_cast<std::uintptr_t>(address);
}

VirtualArea make_area() {
  VirtualArea area;
  area.device_of = device_of_address;
  area.host_behind = host_behind_address;
  for (area.size = kLargestArea; area.size >= kSmallestArea; area.size /= 2) {
    area.user = reserve(area.size + kGranularity);
    area.kernel = area.user == 0 ? 0 : reserve(area.size + kGranularity);
    if (area.kernel != 0) {
      area.user = (area.user + kGranularity - 1) / kGranularity * kGranularity;
      return area;
    }
    if (area.user != 0) munmap(reinterpret_cast<void*>(area.user), area.size + kGranularity);
  }
  fail(kRtOutOfMemory, "this process may not map %zu bytes of addresses: %s", kSmallestArea,
       std::strerror(errno));
}

Space& space() {
  static Space& space = []() -> Space& {
    auto& made = *new Space(make_area());
    space_if_any = &made;
    publish_virtual_area(&made.area);
    return made;
  }();
  return space;
}

std::size_t round_up(std::size_t size) {
  return (size + kGranularity - 1) / kGranularity * kGranularity;
}

std::pair<const std::uintptr_t, Reservation>& reservation_around(Space& space, void* pointer) {
  auto address = reinterpret_cast<std::uintptr_t>(pointer);
  auto after = space.reservations.upper_bound(address);
  if (after != space.reservations.begin()) {
    auto& found = *std::prev(after);
    if (address - found.first < found.second.size) return found;
  }
  fail(kRtParamInvalid, "%p is in no range that aclrtReserveMemAddress gave out", pointer);
}

/// Tells what is mapped: what lies side by side is one block.
void publish_blocks(std::uintptr_t start, const Reservation& reservation) {
  std::vector<Allocation> blocks;
  for (const auto& [address, chunk] : reservation.chunks) {
    if (blocks.empty() || blocks.back().base + blocks.back().size != address) {
      Allocation block;
      block.device = reservation.device;
      block.id = reservation.id;
      block.base = address;
      blocks.push_back(block);
    }
    blocks.back().size += chunk.size;
    blocks.back().real_size = blocks.back().size;
  }
  replace_virtual_blocks(reservation.device, start, start + reservation.size, blocks);
}

void* kernel_side(const Space& space, std::uintptr_t address) {
  return reinterpret_cast<void*>(address - space.area.user + space.area.kernel);
}

/// Readable zeros: a kernel that still runs there, which is a mistake of the program, must not end
/// the process.
void map_zeros(void* address, std::size_t size) {
  mmap(address, size, PROT_READ | PROT_WRITE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
}

/// New addresses, in a space that is locked.
Reservations::iterator reserve_in(Space& all, std::size_t size) {
  if (size > kLargestArea)
    fail(kRtOutOfMemory, "%zu bytes of addresses are more than there are", size);
  std::size_t offset = all.arena.take(round_up(size));
  if (offset == Arena::kNone)
    fail(kRtOutOfMemory, "%zu bytes of addresses are asked for, %zu are left in one piece", size,
         all.arena.largest_free());
  Reservation made;
  made.size = round_up(size);
  made.id = next_allocation_id();
  return all.reservations.emplace(all.area.user + offset, std::move(made)).first;
}

void give_back(Space& all, Reservations::iterator reservation) {
  all.arena.give_back(reservation->first - all.area.user, reservation->second.size);
  all.reservations.erase(reservation);
}

}  // namespace

void* reserve_addresses(std::size_t size) {
  Space& all = space();
  std::lock_guard<std::shared_mutex> guard(all.mutex);
  return reinterpret_cast<void*>(reserve_in(all, size)->first);
}

void release_addresses(void* start) {
  Space& all = space();
  std::lock_guard<std::shared_mutex> guard(all.mutex);
  auto found = all.reservations.find(reinterpret_cast<std::uintptr_t>(start));
  if (found == all.reservations.end())
    fail(kRtParamInvalid, "%p is not the start of a reserved range", start);
  if (!found->second.imported.empty())
    fail(kRtParamInvalid, "%p is imported memory; aclrtIpcMemClose is its end", start);
  if (found->second.host != nullptr)
    fail(kRtParamInvalid, "%p stands for memory of the host; aclrtHostUnregister is its end",
         start);
  if (!found->second.chunks.empty())
    fail(kRtParamInvalid, "%zu pieces of memory are still mapped from %p on; unmap them first",
         found->second.chunks.size(), start);
  give_back(all, found);
}

void* allocate_physical(int device, std::size_t size) {
  map_devices();
  return physicals().insert(std::make_shared<Physical>(device, round_up(size)));
}

void free_physical(const void* handle) { physicals().remove(handle, kRtParamInvalid); }

void map_physical(void* address, std::size_t size, const void* handle) {
  auto memory = physicals().get(handle, kRtParamInvalid);
  std::size_t whole = memory->pages().size();
  if (round_up(size) != whole)
    fail(kRtParamInvalid, "size is %zu; all %zu bytes of the memory are mapped at once", size,
         whole);
  auto first = reinterpret_cast<std::uintptr_t>(address);
  Space& all = space();
  std::lock_guard<std::shared_mutex> guard(all.mutex);
  auto& [start, reservation] = reservation_around(all, address);
  if ((first - start) % kGranularity != 0)
    fail(kRtParamInvalid, "%p lies %zu bytes into its range, which is no multiple of %zu", address,
         first - start, kGranularity);
  if (whole > start + reservation.size - first)
    fail(kRtParamInvalid, "%zu bytes from %p reach beyond the range of %zu bytes", whole, address,
         reservation.size);
  auto next = reservation.chunks.upper_bound(first);
  if (!reservation.imported.empty()) fail(kRtParamInvalid, "%p is imported memory", address);
  if (reservation.host != nullptr) fail(kRtParamInvalid, "%p is memory of the host", address);
  bool taken = (next != reservation.chunks.end() && next->first < first + whole) ||
               (next != reservation.chunks.begin() &&
                std::prev(next)->first + std::prev(next)->second.size > first);
  if (taken) fail(kRtParamInvalid, "memory is mapped at %p already", address);
  if (!reservation.chunks.empty() && reservation.device != memory->device())
    fail(kRtParamInvalid, "a range takes memory of one device: this has device %d, not %d",
         reservation.device, memory->device());
  memory->pages().map(kernel_side(all, first));
  reservation.device = memory->device();
  reservation.chunks[first] = {whole, std::move(memory)};
  publish_blocks(start, reservation);
}

void unmap_physical(void* address) {
  std::shared_ptr<Physical> last;  // goes after the lock
  Space& all = space();
  std::lock_guard<std::shared_mutex> guard(all.mutex);
  auto& [start, reservation] = reservation_around(all, address);
  auto chunk = reservation.chunks.find(reinterpret_cast<std::uintptr_t>(address));
  if (chunk == reservation.chunks.end())
    fail(kRtParamInvalid, "no memory was mapped at %p", address);
  std::size_t size = chunk->second.size;
  last = std::move(chunk->second.memory);
  reservation.chunks.erase(chunk);
  publish_blocks(start, reservation);
  map_zeros(kernel_side(all, reinterpret_cast<std::uintptr_t>(address)), size);
}

std::uint64_t export_physical(const void* handle, bool open_to_all) {
  auto memory = physicals().get(handle, kRtParamInvalid);
  if (memory->is_foreign())
    fail(kRtParamInvalid, "the memory was imported; the process it comes from exports it");
  if (open_to_all) memory->pages().open_to_all();
  return memory->pages().exported().number;
}

void allow_process(std::uint64_t shared, std::int32_t process) {
  for (auto& [handle, memory] : physicals().snapshot()) {
    if (memory->is_foreign() || memory->pages().exported().number != shared) continue;
    memory->pages().allow(process);
    return;
  }
  fail(kRtParamInvalid, "0x%llx is no memory that this process exported",
       static_cast<unsigned long long>(shared));
}

void* import_physical(std::uint64_t shared, int device) {
  map_devices();
  return physicals().insert(std::make_shared<Physical>(device, Exported{shared}));
}

void* map_imported(int device, std::vector<std::shared_ptr<SharedPages>> pages, std::size_t skip,
                   std::size_t size) {
  map_devices();
  std::size_t room = 0;
  for (const auto& piece : pages) room += piece->size();
  Space& all = space();
  std::lock_guard<std::shared_mutex> guard(all.mutex);
  const auto reservation = reserve_in(all, room);
  const std::uintptr_t start = reservation->first;
  reservation->second.device = device;
  try {
    std::uintptr_t at = start;
    for (const auto& piece : pages) {
      piece->map(kernel_side(all, at));
      at += piece->size();
    }
  } catch (...) {
    map_zeros(kernel_side(all, start), reservation->second.size);
    give_back(all, reservation);
    throw;
  }
  Allocation block;
  block.device = device;
  block.id = reservation->second.id;
  block.base = start + skip;
  block.size = block.real_size = size;
  replace_virtual_blocks(device, start, start + reservation->second.size, {block});
  reservation->second.imported = std::move(pages);
  return reinterpret_cast<void*>(block.base);
}

void unmap_imported(void* address) {
  Space& all = space();
  std::lock_guard<std::shared_mutex> guard(all.mutex);
  auto found = all.reservations.upper_bound(reinterpret_cast<std::uintptr_t>(address));
  if (found == all.reservations.begin()) return;
  --found;
  const std::size_t size = found->second.size;
  replace_virtual_blocks(found->second.device, found->first, found->first + size, {});
  map_zeros(kernel_side(all, found->first), size);
  give_back(all, found);
}

void* map_host(int device, void* host, std::size_t size) {
  map_devices();
  Space& all = space();
  std::lock_guard<std::shared_mutex> guard(all.mutex);
  const auto known = all.hosts.find(reinterpret_cast<std::uintptr_t>(host));
  if (known != all.hosts.end()) return reinterpret_cast<void*>(known->second.start);
  const auto reservation = reserve_in(all, size);
  const std::uintptr_t start = reservation->first;
  reservation->second.device = device;
  reservation->second.host = static_cast<std::byte*>(host);
  Allocation block;
  block.device = device;
  block.id = reservation->second.id;
  block.base = start;
  block.size = block.real_size = size;
  replace_virtual_blocks(device, start, start + reservation->second.size, {block});
  all.hosts[reinterpret_cast<std::uintptr_t>(host)] = {start, size};
  all.host_count.fetch_add(1, std::memory_order_release);
  return reinterpret_cast<void*>(start);
}

bool unmap_host(void* host) {
  if (space_if_any == nullptr) return false;
  Space& all = *space_if_any;
  std::lock_guard<std::shared_mutex> guard(all.mutex);
  const auto known = all.hosts.find(reinterpret_cast<std::uintptr_t>(host));
  if (known == all.hosts.end()) return false;
  const auto reservation = all.reservations.find(known->second.start);
  replace_virtual_blocks(reservation->second.device, reservation->first,
                         reservation->first + reservation->second.size, {});
  give_back(all, reservation);
  all.hosts.erase(known);
  all.host_count.fetch_sub(1, std::memory_order_release);
  return true;
}

void* mapped_host(const void* host) {
  if (space_if_any == nullptr) return nullptr;
  Space& all = *space_if_any;
  std::shared_lock<std::shared_mutex> guard(all.mutex);
  const auto address = reinterpret_cast<std::uintptr_t>(host);
  auto after = all.hosts.upper_bound(address);
  if (after == all.hosts.begin()) return nullptr;
  const auto& [start, mapped] = *std::prev(after);
  const std::size_t offset = address - start;
  return offset < mapped.size ? reinterpret_cast<void*>(mapped.start + offset) : nullptr;
}

}  // namespace pyaclnn::sim
