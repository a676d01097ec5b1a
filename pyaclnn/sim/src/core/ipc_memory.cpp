// SPDX-License-Identifier: MIT
#include "core/ipc_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/live_bytes.hpp"
#include "core/memory.hpp"
#include "core/page.hpp"
#include "core/shared_pages.hpp"
#include "core/status.hpp"
#include "core/stream_impl.hpp"
#include "core/virtual_memory.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::uint64_t kMagic = 0x70796163'6b657931;
constexpr int kNoPermission = 207006;
constexpr std::size_t kMostPieces = 3;  // the first page, the last, and what lies between
constexpr std::size_t kMostAtATime = 31;

using Pages = std::shared_ptr<SharedPages>;

/// What a key stands for, in a page that both processes map.
struct Card {
  std::uint64_t magic;
  std::atomic<std::uint64_t> number;  // 0 once the key has ended
  std::uint64_t skip;                 // bytes ahead of the block in its first page
  std::uint64_t size;
  std::uint32_t pieces;
  Exported piece[kMostPieces];
};

/// The page of a key, and who may open it.
class Key {
 public:
  Key() : pages_(std::make_unique<SharedPages>(page_size())) { map(); }
  explicit Key(Exported exported) : pages_(std::make_unique<SharedPages>(exported)) { map(); }
  ~Key() { munmap(card_, page_size()); }
  Key(const Key&) = delete;
  Key& operator=(const Key&) = delete;

  SharedPages& pages() { return *pages_; }
  Card& card() { return *static_cast<Card*>(card_); }

 private:
  void map() {
    if (pages_->size() != page_size()) fail(kRtParamInvalid, "the key is that of something else");
    card_ = mmap(nullptr, page_size(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (card_ == MAP_FAILED) fail(kRtOutOfMemory, "no address for a page");
    pages_->map(card_);
  }

  std::unique_ptr<SharedPages> pages_;
  void* card_ = nullptr;
};

struct Export {
  std::unique_ptr<Key> key;
  std::uintptr_t base = 0;
  bool open_to_all = false;
};

struct Import {
  void* address = nullptr;
  int device = 0;
  int count = 0;
};

/// Device memory that lies in a file.
struct Piece {
  std::size_t size = 0;
  Pages pages;
};

struct State {
  std::mutex mutex;
  std::map<std::string, Export> exports;
  std::map<std::string, Import> imports;
  std::map<std::uintptr_t, Piece> pieces;  // by where kernels find them
  std::atomic<bool> used{false};
};

State& state() {
  static State& made = *new State;
  return made;
}

/// The pages that a block lies in, where kernels find them.
struct Range {
  explicit Range(const Allocation& block) {
    const auto at =
        reinterpret_cast<std::uintptr_t>(kernel_address(reinterpret_cast<const void*>(block.base)));
    skip = at % page_size();
    begin = at - skip;
    end = (at + block.real_size + page_size() - 1) / page_size() * page_size();
    // The first page and the last may have other blocks in them, those between have not.
    first_own = skip == 0 ? begin : begin + page_size();
    last_own = std::max(first_own, (at + block.real_size) / page_size() * page_size());
  }
  std::uintptr_t begin = 0, end = 0, skip = 0, first_own = 0, last_own = 0;
};

/// Waits until no task runs: one that does may write to a page while it moves. One that waits for
/// other streams does not write, and neither does a function of the program that takes that long.
void let_tasks_end() {
  const auto deadline = deadline_after(2000);
  const auto busy = [](const auto& entry) {
    const Stream& stream = *entry.second;
    return !stream.is_idle() && !stream.is_blocked() && !stream.on_own_thread();
  };
  for (bool any = true; any && Clock::now() < deadline;) {
    any = false;
    for (auto& entry : streams().snapshot()) any = any || busy(entry);
    if (any) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

/// Moves pages to a file, unless they are in one.
void move_to_file(State& all, std::uintptr_t begin, std::uintptr_t end) {
  const std::size_t size = end - begin;
  const auto known = all.pieces.find(begin);
  if (known != all.pieces.end() && known->second.size == size) return;
  auto pages = std::make_shared<SharedPages>(size);
  pages->open_to_all();  // who may open the key may open what it names
  void* copy = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (copy == MAP_FAILED) fail(kRtOutOfMemory, "no addresses for %zu bytes", size);
  try {
    pages->map(copy);
    live_bytes::copy_pages(copy, reinterpret_cast<const void*>(begin), size);
    pages->map(reinterpret_cast<void*>(begin));
  } catch (...) {
    munmap(copy, size);
    throw;
  }
  munmap(copy, size);
  // What else is known of these pages was of blocks that are freed.
  all.pieces.erase(all.pieces.lower_bound(begin), all.pieces.lower_bound(end));
  all.pieces[begin] = {size, std::move(pages)};
}

/// The key as text, laid out as the driver's.
std::string text_of(std::uint64_t number, int device, Exported exported) {
  char text[kIpcKeySize];
  std::snprintf(text, sizeof text, "%08x%016llx%02x00%08x", unsigned(exported.number >> 32),
                static_cast<unsigned long long>(number), unsigned(device) & 0xff,
                unsigned(exported.number));
  return text;
}

std::string checked(const char* key) {
  const std::size_t length = strnlen(key, kIpcKeySize);
  if (length == 0 || length == kIpcKeySize)
    fail(kRtParamInvalid, "the key has %s; aclrtIpcMemGetExportKey writes it",
         length == 0 ? "no characters" : "no end");
  return std::string(key, length);
}

[[noreturn]] void no_such_key(const std::string& key) {
  fail(kRtParamInvalid, "%s is no key: it was closed, its memory was freed, or never was one",
       key.c_str());
}

struct Parsed {
  std::uint64_t number;
  Exported exported;
};

Parsed parse(const std::string& key) {
  unsigned process = 0, device = 0, file = 0;
  unsigned long long number = 0;
  int end = 0;
  if (std::sscanf(key.c_str(), "%8x%16llx%2x00%8x%n", &process, &number, &device, &file, &end) !=
          4 ||
      std::size_t(end) != key.size() || number == 0)
    no_such_key(key);
  return {number, {std::uint64_t(process) << 32 | file}};
}

Allocation exportable(const void* pointer, std::size_t size) {
  const Allocation block = find_allocation(pointer);
  if (!block || block.device < 0)
    fail(kRtParamInvalid, "%p is in no live block of device memory", pointer);
  if (is_virtual_address(pointer))
    fail(kRtParamInvalid, "%p is a mapped or imported address; memory of aclrtMalloc is exported",
         pointer);
  if (block.base != reinterpret_cast<std::uintptr_t>(pointer))
    fail(kRtParamInvalid, "%p lies %zu bytes inside the block that starts at %p; export its start",
         pointer, reinterpret_cast<std::uintptr_t>(pointer) - block.base,
         reinterpret_cast<void*>(block.base));
  if (size > block.real_size)
    fail(kRtParamInvalid, "size is %zu, and the block at %p has %zu bytes", size, pointer,
         block.size);
  return block;
}

std::unique_ptr<Key> open_key(const std::string& text) {
  const Parsed parsed = parse(text);
  auto key = std::make_unique<Key>(parsed.exported);
  const Card& card = key->card();
  if (card.magic != kMagic || card.number.load() != parsed.number || card.pieces == 0 ||
      card.pieces > kMostPieces)
    no_such_key(text);
  return key;
}

void* map_memory(Key& key, int device) {
  const Card& card = key.card();
  std::vector<Pages> pages;
  std::size_t room = 0;
  for (std::uint32_t i = 0; i < card.pieces; ++i) {
    pages.push_back(std::make_shared<SharedPages>(card.piece[i]));
    room += pages.back()->size();
  }
  const std::uint64_t skip = card.skip, size = card.size;
  if (skip >= page_size() || size == 0 || size > room - skip)
    fail(kRtParamInvalid, "the key is that of something else");
  return map_imported(device, std::move(pages), skip, size);
}

void end_key(State& all, std::map<std::string, Export>::iterator entry) {
  entry->second.key->card().number.store(0);
  all.exports.erase(entry);
}

}  // namespace

void export_memory(void* pointer, std::size_t size, char* key, bool open_to_all) {
  static std::atomic<std::uint64_t> next_number{1};
  const Allocation block = exportable(pointer, size);
  const Range range(block);
  let_tasks_end();
  State& all = state();
  std::lock_guard<std::mutex> guard(all.mutex);
  all.used.store(true);
  const std::uintptr_t cuts[] = {range.begin, range.first_own, range.last_own, range.end};
  Export made;
  made.key = std::make_unique<Key>();
  Card& card = made.key->card();
  for (std::size_t i = 0; i + 1 < std::size(cuts); ++i) {
    if (cuts[i] >= cuts[i + 1]) continue;
    move_to_file(all, cuts[i], cuts[i + 1]);
    card.piece[card.pieces++] = all.pieces.at(cuts[i]).pages->exported();
  }
  made.base = block.base;
  made.open_to_all = open_to_all;
  if (open_to_all) made.key->pages().open_to_all();
  card.magic = kMagic;
  card.skip = range.skip;
  card.size = size;
  const std::uint64_t number = next_number.fetch_add(1);
  card.number.store(number);
  const std::string text = text_of(number, block.device, made.key->pages().exported());
  all.exports.emplace(text, std::move(made));
  std::memcpy(key, text.c_str(), text.size() + 1);
}

void allow_importers(const char* key, const std::int32_t* processes, std::size_t count) {
  if (count > kMostAtATime)
    fail(kRtParamInvalid, "%zu processes are named; %zu are the most at a time", count,
         kMostAtATime);
  const std::string text = checked(key);
  State& all = state();
  std::lock_guard<std::mutex> guard(all.mutex);
  const auto found = all.exports.find(text);
  if (found == all.exports.end())
    fail(kRtParamInvalid, "%s is no key that this process exported", text.c_str());
  if (found->second.open_to_all)
    fail(kNoPermission, "the key was exported for all processes, so none can be named");
  bool any = false;
  for (std::size_t i = 0; i < count; ++i) {
    if (processes[i] == 0 || processes[i] == std::int32_t(getpid())) continue;
    found->second.key->pages().allow(processes[i]);
    any = true;
  }
  if (!any) fail(kRtParamInvalid, "no other process is named: 0 and this one do not count");
}

void* import_memory(const char* key, int device) {
  const std::string text = checked(key);
  State& all = state();
  std::lock_guard<std::mutex> guard(all.mutex);
  const auto found = all.imports.find(text);
  if (found != all.imports.end()) {
    if (found->second.device != device)
      fail(kRtParamInvalid, "this process has imported the memory already, on device %d",
           found->second.device);
    ++found->second.count;
    return found->second.address;
  }
  const std::unique_ptr<Key> opened = open_key(text);
  void* const address = map_memory(*opened, device);
  all.imports.emplace(text, Import{address, device, 1});
  return address;
}

void close_memory(const char* key) {
  const std::string text = checked(key);
  State& all = state();
  std::lock_guard<std::mutex> guard(all.mutex);
  const auto imported = all.imports.find(text);
  if (imported != all.imports.end()) {
    if (--imported->second.count > 0) return;
    unmap_imported(imported->second.address);
    all.imports.erase(imported);
    return;
  }
  const auto exported = all.exports.find(text);
  if (exported == all.exports.end()) no_such_key(text);
  end_key(all, exported);
}

void end_exports(const void* pointer) noexcept {
  State& all = state();
  if (!all.used.load(std::memory_order_acquire)) return;
  const Allocation block = find_allocation(pointer);
  if (!block || block.device < 0 || is_virtual_address(pointer) ||
      block.base != reinterpret_cast<std::uintptr_t>(pointer))
    return;
  const Range range(block);
  std::lock_guard<std::mutex> guard(all.mutex);
  for (auto entry = all.exports.begin(); entry != all.exports.end();) {
    const auto current = entry++;
    if (current->second.base == block.base) end_key(all, current);
  }
  // What other processes still map of it is theirs; pages that other blocks share stay.
  const auto own = all.pieces.find(range.first_own);
  if (own == all.pieces.end() || range.first_own + own->second.size != range.last_own) return;
  void* const at = reinterpret_cast<void*>(own->first);
  if (map_private_pages(at, own->second.size)) all.pieces.erase(own);
}

}  // namespace pyaclnn::sim
