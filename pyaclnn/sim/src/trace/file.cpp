#include "trace/file.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <vector>

#include "trace/functions.hpp"
#include "trace/shadow.hpp"

namespace pyaclnn::trace {

std::atomic<std::uint32_t> current_file{0};
std::atomic<bool> active{false};

namespace {

/// Calls of one block at least, which `last` is measured in.
constexpr std::uint64_t kCallsOfBlock = 512;

/// A place of a ring, and whether a thread is writing there.
struct Slot {
  std::uint64_t offset = 0;
  bool taken = false;
};

struct State {
  std::mutex lock;
  Options options;
  int file = -1, contents = -1;
  std::uint32_t files = 0;  ///< Opened so far.
  std::uint64_t end = 0, contents_end = 0, blocks = 0;
  std::vector<Slot> ring;
  std::size_t next = 0;
  char* definitions = nullptr;
};

State& state() {
  // Threads may outlive what is destroyed at the end of the process.
  static State* const made = new State;
  return *made;
}

void unmap(char* block) {
  if (block) ::munmap(block, kBlock);
}

/// Map a block that begins at an offset of the file, with a new head. The lock is held.
char* begin_block(State& s, std::uint64_t offset, BlockKind kind) {
  // Space is taken now: a page that the disk has no room for would be a signal later.
  if (::posix_fallocate(s.file, static_cast<off_t>(offset), kBlock) != 0) return nullptr;
  void* mapped = ::mmap(nullptr, kBlock, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, s.file,
                        static_cast<off_t>(offset));
  if (mapped == MAP_FAILED) return nullptr;
  auto* head = static_cast<BlockHead*>(mapped);
  __atomic_store_n(&head->used, std::uint32_t{sizeof(BlockHead)}, __ATOMIC_RELEASE);
  head->kind = kind;
  head->thread = static_cast<std::uint32_t>(::syscall(SYS_gettid));
  head->number = ++s.blocks;
  head->magic = kBlockMagic;
  return static_cast<char*>(mapped);
}

char* append_block(State& s, BlockKind kind, std::uint64_t* offset) {
  *offset = s.end;
  char* block = begin_block(s, s.end, kind);
  if (block) s.end += kBlock;
  return block;
}

/// This thread's block.
struct Writer {
  char* block = nullptr;
  std::uint32_t file = 0;
  std::size_t slot = 0;
  bool over = false;

  ~Writer() {
    release();
    over = true;
  }
  void release();
  bool renew(std::uint32_t wanted);
};

void Writer::release() {
  if (!block) return;
  unmap(block);
  block = nullptr;
  State& s = state();
  std::lock_guard guard(s.lock);
  if (file == current_file.load() && slot < s.ring.size()) s.ring[slot].taken = false;
}

bool Writer::renew(std::uint32_t wanted) {
  release();
  State& s = state();
  std::lock_guard guard(s.lock);
  if (s.file < 0 || wanted != current_file.load()) return false;
  file = wanted;
  const std::size_t places = s.options.last ? s.options.last / kCallsOfBlock + 2 : 0;
  if (s.ring.size() == places && places) {
    for (std::size_t tried = 0; tried < places; ++tried) {
      slot = s.next++ % places;
      if (s.ring[slot].taken) continue;
      block = begin_block(s, s.ring[slot].offset, kCalls);
      s.ring[slot].taken = block != nullptr;
      return block != nullptr;
    }
  }
  std::uint64_t offset = 0;
  block = append_block(s, kCalls, &offset);
  slot = s.ring.size();
  // With more threads than places there are blocks beside the ring, which stay.
  if (block && slot < places) s.ring.push_back({offset, true});
  return block != nullptr;
}

thread_local Writer writer;

std::uint64_t nanoseconds(clockid_t clock) {
  timespec t{};
  ::clock_gettime(clock, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1000000000u + static_cast<std::uint64_t>(t.tv_nsec);
}

int create(const std::string& folder, const char* suffix) {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    std::string name = folder + "/" + std::to_string(::getpid());
    if (attempt) name += "-" + std::to_string(attempt);
    const int made =
        ::open((name + suffix).c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (made >= 0 || errno != EEXIST) return made;
  }
  return -1;
}

void close_files(State& s) {
  if (s.file >= 0) ::close(s.file);
  if (s.contents >= 0) ::close(s.contents);
  unmap(s.definitions);
  s.file = s.contents = -1;
  s.definitions = nullptr;
  s.ring.clear();
  s.next = 0;
}

/// Open files for this process. The lock is held.
void open_files(State& s) {
  s.file = create(s.options.folder, ".trace");
  FileHead head{{},
                kBlock,
                static_cast<std::uint32_t>(::getpid()),
                nanoseconds(CLOCK_MONOTONIC),
                nanoseconds(CLOCK_REALTIME),
                s.options.last};
  std::memcpy(head.magic, kMagic, sizeof kMagic);
  if (s.file < 0 || ::pwrite(s.file, &head, sizeof head, 0) != sizeof head) {
    std::fprintf(stderr, "pyaclnn.trace: no file can be written in %s\n", s.options.folder.c_str());
    close_files(s);
    return;
  }
  if (s.options.content == ContentForm::kFull) s.contents = create(s.options.folder, ".content");
  s.end = kPage;
  s.contents_end = s.blocks = 0;
  current_file.store(++s.files);
}

void before_fork() {
  lock_shadows();
  state().lock.lock();
}

void after_fork() {
  state().lock.unlock();
  unlock_shadows();
}

/// A child has a file of its own; it must not write to its parent's.
void in_child() {
  State& s = state();
  if (current_file.load()) {
    close_files(s);
    current_file.store(0);
    open_files(s);
  }
  after_fork();
}

}  // namespace

const Options& options() { return state().options; }

void start(const Options& wanted) {
  static const int registered = ::pthread_atfork(before_fork, after_fork, in_child);
  static_cast<void>(registered);
  State& s = state();
  std::lock_guard guard(s.lock);
  close_files(s);
  current_file.store(0);
  s.options = wanted;
  open_files(s);
  active.store(true);
}

void stop() {
  State& s = state();
  std::lock_guard guard(s.lock);
  current_file.store(0);
  close_files(s);
}

std::uint64_t now() { return nanoseconds(CLOCK_MONOTONIC); }

char* reserve(std::uint32_t size) {
  const std::uint32_t wanted = current_file.load(std::memory_order_acquire);
  Writer& w = writer;
  if (!wanted || w.over) return nullptr;
  if (!w.block || w.file != wanted || reinterpret_cast<BlockHead*>(w.block)->used + size > kBlock) {
    if (size > kBlock - sizeof(BlockHead) || !w.renew(wanted)) return nullptr;
  }
  return w.block + reinterpret_cast<BlockHead*>(w.block)->used;
}

void commit(std::uint32_t size) {
  auto* head = reinterpret_cast<BlockHead*>(writer.block);
  __atomic_store_n(&head->used, head->used + size, __ATOMIC_RELEASE);
}

void define(std::uint16_t function) {
  State& s = state();
  std::lock_guard guard(s.lock);
  const std::uint32_t file = current_file.load();
  if (!file || functions[function].defined.load() == file) return;
  const Signature& known = kSignatures[function];
  std::string text;
  for (const char* part : {known.name, known.codes, known.parameters}) text.append(part) += '\0';
  text.resize((text.size() + 7) / 8 * 8);
  Record record{};
  record.size = static_cast<std::uint32_t>(sizeof record + text.size());
  record.function = kDefinition;
  record.flags = function;
  auto* head = reinterpret_cast<BlockHead*>(s.definitions);
  if (!head || head->used + record.size > kBlock) {
    unmap(s.definitions);
    std::uint64_t offset = 0;
    s.definitions = append_block(s, kDefinitions, &offset);
    if (!s.definitions) return;
    head = reinterpret_cast<BlockHead*>(s.definitions);
  }
  std::memcpy(s.definitions + head->used, &record, sizeof record);
  std::memcpy(s.definitions + head->used + sizeof record, text.data(), text.size());
  __atomic_store_n(&head->used, head->used + record.size, __ATOMIC_RELEASE);
  functions[function].defined.store(file);
}

std::uint64_t append_content(const void* data, std::uint64_t bytes) {
  State& s = state();
  std::uint64_t where = 0;
  int file = -1;
  {
    std::lock_guard guard(s.lock);
    file = s.contents;
    where = s.contents_end;
    s.contents_end += bytes;
  }
  const char* from = static_cast<const char*>(data);
  for (std::uint64_t done = 0; done < bytes;) {
    const ssize_t wrote =
        ::pwrite(file, from + done, bytes - done, static_cast<off_t>(where + done));
    if (wrote <= 0) return ~std::uint64_t{0};
    done += static_cast<std::uint64_t>(wrote);
  }
  return where;
}

}  // namespace pyaclnn::trace
