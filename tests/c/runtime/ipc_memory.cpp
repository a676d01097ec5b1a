// Memory and events shared between processes; started with 256 MiB of memory on each of two
// devices.
//
// The other process is this program again, as a forked child cannot use the library. It is told
// what to do by the case it is started with, and gets or gives a key through a pipe.
// SPDX-License-Identifier: MIT
#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <vector>

#include "acl/acl_rt.h"
#include "check.hpp"

namespace {

constexpr size_t kMiB = size_t(1) << 20;
constexpr size_t kKeySize = 65;
constexpr uint64_t kForAll = ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION;

struct Key {
  char text[kKeySize] = {};
};

char* allocate(size_t size) {
  void* block = nullptr;
  EXPECT_OK(aclrtMalloc(&block, size, ACL_MEM_MALLOC_HUGE_FIRST));
  return static_cast<char*>(block);
}

void fill(void* address, size_t size, int value) {
  EXPECT_OK(aclrtMemset(address, size, value, size));
}

int byte_at(const void* address) {
  unsigned char byte = 0;
  EXPECT_OK(aclrtMemcpy(&byte, 1, address, 1, ACL_MEMCPY_DEVICE_TO_HOST));
  return byte;
}

Key exported(void* block, size_t size, uint64_t flags = kForAll) {
  Key key;
  EXPECT_OK(aclrtIpcMemGetExportKey(block, size, key.text, kKeySize, flags));
  return key;
}

aclError imported(const Key& key, void** block) {
  return aclrtIpcMemImportByKey(block, key.text, ACL_RT_IPC_MEM_IMPORT_FLAG_DEFAULT);
}

size_t open_files() {
  size_t count = 0;
  DIR* files = opendir("/proc/self/fd");
  while (readdir(files) != nullptr) ++count;
  closedir(files);
  return count;
}

/// This program, at a case of its own, with a pipe each way.
class Other {
 public:
  explicit Other(const char* part) {
    int down[2], up[2];
    EXPECT_EQ(pipe(down) + pipe(up), 0);
    id = fork();
    if (id == 0) {
      dup2(down[0], STDIN_FILENO);
      dup2(up[1], STDOUT_FILENO);
      for (int end : {down[0], down[1], up[0], up[1]}) close(end);
      setenv("PART", part, 1);
      execl("/proc/self/exe", "ipc_memory", "the_part_of_another_process", nullptr);
      _exit(127);
    }
    to = down[1];
    from = up[0];
    close(down[0]);
    close(up[1]);
  }
  ~Other() {
    close(to);
    close(from);
  }

  void send(const Key& key) { EXPECT_EQ(write(to, key.text, kKeySize), ssize_t(kKeySize)); }
  Key receive() {
    Key key;
    EXPECT_EQ(read(from, key.text, kKeySize), ssize_t(kKeySize));
    return key;
  }
  /// How it ended.
  int wait() {
    int status = -1;
    EXPECT_EQ(waitpid(id, &status, 0), id);
    return status;
  }

  pid_t id = 0;
  int to = -1, from = -1;
};

Key received() {
  Key key;
  EXPECT_EQ(read(STDIN_FILENO, key.text, kKeySize), ssize_t(kKeySize));
  return key;
}

void imports_reads_and_writes() {
  void* block = nullptr;
  EXPECT_OK(imported(received(), &block));
  EXPECT_EQ(byte_at(block), 3);
  EXPECT_EQ(byte_at(static_cast<char*>(block) + 3 * kMiB - 1), 4);
  EXPECT_EQ(aclrtMemset(static_cast<char*>(block) + 3 * kMiB - 1, 2, 1, 2), 107000);
  fill(block, 3 * kMiB, 5);
}

void is_refused() {
  void* block = nullptr;
  EXPECT_EQ(imported(received(), &block), 107000);
  EXPECT_MESSAGE("aclrtIpcMemSetImportPid");
}

void finds_no_key() {
  void* block = nullptr;
  EXPECT_EQ(imported(received(), &block), 107000);
  EXPECT_MESSAGE("is no key");
}

aclrtIpcEventHandle event_handle(const Key& key) {
  aclrtIpcEventHandle handle;
  std::memcpy(&handle, key.text, sizeof handle);
  return handle;
}

Key handle_of(aclrtEvent event) {
  aclrtIpcEventHandle handle;
  EXPECT_OK(aclrtIpcGetEventHandle(event, &handle));
  Key key;
  std::memcpy(key.text, &handle, sizeof handle);
  return key;
}

aclrtEvent shared_event() {
  aclrtEvent event = nullptr;
  EXPECT_OK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC));
  return event;
}

aclrtEvent opened(const Key& key) {
  aclrtEvent event = nullptr;
  EXPECT_OK(aclrtIpcOpenEventHandle(event_handle(key), &event));
  return event;
}

bool is_complete(aclrtEvent event) {
  aclrtEventRecordedStatus status;
  EXPECT_OK(aclrtQueryEventStatus(event, &status));
  return status == ACL_EVENT_RECORDED_STATUS_COMPLETE;
}

void give_sign(int to) { EXPECT_EQ(write(to, "x", 1), 1); }
void wait_for_sign(int from) {
  char sign = 0;
  EXPECT_EQ(read(from, &sign, 1), 1);
}

// What the first process wrote before it recorded is there after the wait; and the other way round.
void waits_for_an_event() {
  void* block = nullptr;
  EXPECT_OK(imported(received(), &block));
  aclrtEvent event = opened(received());
  aclrtStream stream = nullptr;
  EXPECT_OK(aclrtCreateStream(&stream));
  EXPECT(!is_complete(event));
  EXPECT_OK(aclrtStreamWaitEvent(stream, event));
  give_sign(STDOUT_FILENO);
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT(is_complete(event));
  EXPECT_EQ(byte_at(block), 7);
  EXPECT_OK(aclrtMemsetAsync(block, 1, 8, 1, stream));
  EXPECT_OK(aclrtRecordEvent(event, stream));
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT_OK(aclrtDestroyEvent(event));
}

void records_and_never_comes_there() {
  aclrtEvent event = shared_event();
  const Key key = handle_of(event);
  EXPECT_OK(aclrtLaunchHostFunc(nullptr, [](void*) { pause(); }, nullptr));
  EXPECT_OK(aclrtRecordEvent(event, nullptr));
  EXPECT_EQ(write(STDOUT_FILENO, key.text, kKeySize), ssize_t(kKeySize));
  pause();
}

void exports_and_waits() {
  char* block = allocate(kMiB);
  fill(block, kMiB, 9);
  const Key key = exported(block, kMiB);
  EXPECT_EQ(write(STDOUT_FILENO, key.text, kKeySize), ssize_t(kKeySize));
  pause();
}

}  // namespace

CASE(the_part_of_another_process) {
  const char* part = std::getenv("PART");
  if (part == nullptr) return;  // on its own there is no other process
  EXPECT_OK(aclrtSetDevice(0));
  if (part == std::string("imports_reads_and_writes")) imports_reads_and_writes();
  if (part == std::string("is_refused")) is_refused();
  if (part == std::string("finds_no_key")) finds_no_key();
  if (part == std::string("exports_and_waits")) exports_and_waits();
  if (part == std::string("waits_for_an_event")) waits_for_an_event();
  if (part == std::string("records_and_never_comes_there")) records_and_never_comes_there();
}

CASE(another_process_has_the_same_bytes) {
  EXPECT_OK(aclrtSetDevice(0));
  allocate(700);  // so that the block begins and ends within a page
  char* block = allocate(3 * kMiB);
  char* after = allocate(700);
  fill(after, 700, 8);
  fill(block, 3 * kMiB, 3);
  fill(block + 3 * kMiB - 1, 1, 4);
  const Key key = exported(block, 3 * kMiB, ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT);
  Other other("imports_reads_and_writes");
  int32_t process = other.id;
  EXPECT_OK(aclrtIpcMemSetImportPid(key.text, &process, 1));
  other.send(key);
  EXPECT_EQ(other.wait(), 0);
  EXPECT_EQ(byte_at(block), 5);
  EXPECT_EQ(byte_at(block + 3 * kMiB - 1), 5);
  EXPECT_EQ(byte_at(after), 8);
  EXPECT_OK(aclrtIpcMemClose(key.text));
  EXPECT_OK(aclrtFree(block));
}

CASE(a_process_that_was_not_named_is_refused) {
  EXPECT_OK(aclrtSetDevice(0));
  char* block = allocate(kMiB);
  const Key key = exported(block, kMiB, ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT);
  int32_t wrong = getppid();
  EXPECT_OK(aclrtIpcMemSetImportPid(key.text, &wrong, 1));
  Other other("is_refused");
  other.send(key);
  EXPECT_EQ(other.wait(), 0);
}

CASE(a_key_ends_with_its_memory_and_when_it_is_closed) {
  EXPECT_OK(aclrtSetDevice(0));
  char* block = allocate(kMiB);
  const Key freed = exported(block, kMiB);
  EXPECT_OK(aclrtFree(block));
  char* next = allocate(kMiB);
  const Key closed = exported(next, kMiB);
  EXPECT_OK(aclrtIpcMemClose(closed.text));
  EXPECT_EQ(aclrtIpcMemClose(closed.text), 107000);
  Key wrong = exported(next, kMiB);
  wrong.text[20] = wrong.text[20] == '0' ? '1' : '0';
  Key text;
  std::strcpy(text.text, "neither closed nor freed");
  for (const Key& key : {freed, closed, wrong, text}) {
    void* nothing = nullptr;
    EXPECT_EQ(imported(key, &nothing), 107000);
    EXPECT_EQ(aclrtIpcMemClose(key.text), 107000);
  }
  Other other("finds_no_key");
  other.send(text);
  EXPECT_EQ(other.wait(), 0);
}

CASE(what_a_dead_process_exported_is_no_more) {
  EXPECT_OK(aclrtSetDevice(0));
  allocate(1);
  const size_t files = open_files();
  {
    Other other("exports_and_waits");
    const Key key = other.receive();
    void* block = nullptr;
    EXPECT_OK(imported(key, &block));
    EXPECT_EQ(byte_at(block), 9);
    kill(other.id, SIGKILL);
    EXPECT_EQ(other.wait(), SIGKILL);
    EXPECT_EQ(byte_at(block), 9);
    EXPECT_OK(aclrtIpcMemClose(key.text));
    EXPECT_EQ(aclrtMemset(block, 1, 1, 1), 107000);
    EXPECT_EQ(imported(key, &block), 107000);
  }
  EXPECT_EQ(open_files(), files);
}

CASE(blocks_of_one_page_are_shared_each_for_itself) {
  EXPECT_OK(aclrtSetDevice(0));
  std::vector<char*> blocks;
  std::vector<Key> keys;
  for (int i = 0; i < 12; ++i) {
    blocks.push_back(allocate(900));
    fill(blocks.back(), 900, i);
    keys.push_back(exported(blocks.back(), 900));
  }
  for (int i = 0; i < 12; ++i) {
    void* seen = nullptr;
    EXPECT_OK(imported(keys[i], &seen));
    EXPECT(seen != blocks[i]);
    EXPECT_EQ(byte_at(seen), i);
    fill(seen, 900, i + 100);
    EXPECT_EQ(byte_at(blocks[i]), i + 100);
    EXPECT_EQ(byte_at(blocks[i] + 899), i + 100);
  }
  // Pages that were shared are those of the next block in the same place.
  for (char* block : blocks) EXPECT_OK(aclrtFree(block));
  char* large = allocate(64 << 10);
  fill(large, 64 << 10, 77);
  const Key key = exported(large, 64 << 10);
  void* seen = nullptr;
  EXPECT_OK(imported(key, &seen));
  for (size_t at = 0; at < (64 << 10); at += 500) {
    EXPECT_EQ(byte_at(static_cast<char*>(seen) + at), 77);
  }
}

CASE(a_block_is_imported_once) {
  EXPECT_OK(aclrtSetDevice(0));
  char* block = allocate(kMiB);
  const Key key = exported(block, kMiB);
  void *first = nullptr, *second = nullptr;
  EXPECT_OK(imported(key, &first));
  EXPECT_OK(imported(key, &second));
  EXPECT_EQ(first, second);
  EXPECT_OK(aclrtSetDevice(1));
  EXPECT_EQ(imported(key, &second), 107000);
  EXPECT_OK(aclrtSetDevice(0));
  Key other;
  EXPECT_EQ(aclrtIpcMemGetExportKey(first, kMiB, other.text, kKeySize, 0), 107000);
  EXPECT_MESSAGE("imported");
  EXPECT_EQ(aclrtFree(first), 107000);
  EXPECT_EQ(aclrtUnmapMem(first), 107000);
  EXPECT_OK(aclrtIpcMemClose(key.text));
  fill(first, 1, 1);
  EXPECT_OK(aclrtIpcMemClose(key.text));
  EXPECT_EQ(aclrtMemset(first, 1, 1, 1), 107000);
  EXPECT_OK(imported(key, &first));
}

CASE(work_that_runs_is_not_lost_by_exporting) {
  EXPECT_OK(aclrtSetDevice(0));
  const size_t size = 32 * kMiB;
  char* block = allocate(size);
  fill(block, size, 0);
  for (int i = 1; i < 4; ++i) EXPECT_OK(aclrtMemsetAsync(block, size, i, size, nullptr));
  const Key key = exported(block, size);
  void* seen = nullptr;
  EXPECT_OK(imported(key, &seen));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  for (size_t at = 0; at < size; at += kMiB) EXPECT_EQ(byte_at(static_cast<char*>(seen) + at), 3);
}

CASE(streams_wait_for_events_of_other_processes) {
  EXPECT_OK(aclrtSetDevice(0));
  char* block = allocate(kMiB);
  fill(block, kMiB, 0);
  const Key key = exported(block, kMiB);
  aclrtEvent event = shared_event();
  Other other("waits_for_an_event");
  EXPECT_OK(aclrtLaunchHostFunc(
      nullptr, [](void* from) { wait_for_sign(*static_cast<int*>(from)); }, &other.from));
  EXPECT_OK(aclrtMemsetAsync(block, 1, 7, 1, nullptr));
  const Key handle = handle_of(event);
  EXPECT_OK(aclrtRecordEvent(event, nullptr));
  other.send(key);
  other.send(handle);
  EXPECT_EQ(other.wait(), 0);
  EXPECT_OK(aclrtStreamWaitEvent(nullptr, event));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(byte_at(block), 8);
  EXPECT_OK(aclrtDestroyEvent(event));
}

CASE(an_event_of_a_dead_process_is_an_error) {
  EXPECT_OK(aclrtSetDevice(0));
  Other other("records_and_never_comes_there");
  const Key handle = other.receive();
  aclrtEvent event = opened(handle);
  EXPECT(!is_complete(event));
  EXPECT_OK(aclrtStreamWaitEvent(nullptr, event));
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, 5), 507047);
  kill(other.id, SIGKILL);
  // It is dead before anybody has asked how it ended.
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, 20000), 107000);
  EXPECT_EQ(other.wait(), SIGKILL);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), 107000);
  EXPECT_EQ(aclrtSynchronizeEvent(event), 107000);
  EXPECT_OK(aclrtDestroyEvent(event));
  EXPECT_EQ(aclrtIpcOpenEventHandle(event_handle(handle), &event), 107000);
}

CASE(events_that_cannot_be_shared_are_refused) {
  EXPECT_OK(aclrtSetDevice(0));
  aclrtIpcEventHandle handle = {};
  aclrtEvent plain = nullptr, event = shared_event();
  EXPECT_OK(aclrtCreateEventExWithFlag(&plain, ACL_EVENT_SYNC));
  EXPECT_EQ(aclrtIpcGetEventHandle(plain, &handle), 107000);
  EXPECT_EQ(aclrtIpcGetEventHandle(nullptr, &handle), 100000);
  EXPECT_EQ(aclrtIpcGetEventHandle(event, nullptr), 100000);
  EXPECT_EQ(aclrtIpcOpenEventHandle(handle, &plain), 107000);
  EXPECT_EQ(aclrtIpcOpenEventHandle(handle, nullptr), 100000);
  const Key memory = exported(allocate(1), 1);
  EXPECT_EQ(aclrtIpcOpenEventHandle(event_handle(memory), &plain), 107000);
  const Key key = handle_of(event);
  aclrtEvent same = opened(key);
  EXPECT(is_complete(same));
  EXPECT_OK(aclrtStreamWaitEvent(nullptr, same));
  EXPECT_OK(aclrtRecordEvent(event, nullptr));
  EXPECT_OK(aclrtSynchronizeEvent(same));
  EXPECT_OK(aclrtDestroyEvent(event));
  EXPECT(is_complete(same));
  EXPECT_OK(aclrtDestroyEvent(same));
}

CASE(wrong_arguments_are_refused) {
  char text[kKeySize] = {};
  char host = 0;
  EXPECT_EQ(aclrtIpcMemGetExportKey(&host, 1, text, kKeySize, 0), 107002);
  EXPECT_OK(aclrtSetDevice(0));
  char* block = allocate(1000);
  void* reserved = nullptr;
  EXPECT_OK(aclrtReserveMemAddress(&reserved, kMiB, 0, nullptr, 1));
  EXPECT_EQ(aclrtIpcMemGetExportKey(nullptr, 1, text, kKeySize, 0), 100000);
  EXPECT_EQ(aclrtIpcMemGetExportKey(block, 1, nullptr, kKeySize, 0), 100000);
  EXPECT_EQ(aclrtIpcMemGetExportKey(block, 0, text, kKeySize, 0), 107000);
  EXPECT_EQ(aclrtIpcMemGetExportKey(block, 1, text, kKeySize - 1, 0), 107000);
  EXPECT_EQ(aclrtIpcMemGetExportKey(block, 1, text, kKeySize, 2), 107000);
  EXPECT_EQ(aclrtIpcMemGetExportKey(block + 64, 1, text, kKeySize, 0), 107000);
  EXPECT_MESSAGE("export its start");
  EXPECT_EQ(aclrtIpcMemGetExportKey(block, 2000, text, kKeySize, 0), 107000);
  EXPECT_EQ(aclrtIpcMemGetExportKey(block, SIZE_MAX, text, kKeySize, 0), 107000);
  EXPECT_EQ(aclrtIpcMemGetExportKey(&host, 1, text, kKeySize, 0), 107000);
  EXPECT_EQ(aclrtIpcMemGetExportKey(reserved, 1, text, kKeySize, 0), 107000);

  const Key key = exported(block, 1000, ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT);
  const Key open = exported(block, 1000);
  int32_t self = getpid(), other = getppid();
  std::vector<int32_t> many(32, other);
  EXPECT_EQ(aclrtIpcMemSetImportPid(nullptr, &other, 1), 100000);
  EXPECT_EQ(aclrtIpcMemSetImportPid(key.text, nullptr, 1), 100000);
  EXPECT_EQ(aclrtIpcMemSetImportPid(key.text, &other, 0), 107000);
  EXPECT_EQ(aclrtIpcMemSetImportPid(key.text, many.data(), many.size()), 107000);
  EXPECT_EQ(aclrtIpcMemSetImportPid(key.text, &self, 1), 107000);
  EXPECT_EQ(aclrtIpcMemSetImportPid("", &other, 1), 107000);
  EXPECT_EQ(aclrtIpcMemSetImportPid("no key", &other, 1), 107000);
  EXPECT_EQ(aclrtIpcMemSetImportPid(open.text, &other, 1), 207006);
  EXPECT_OK(aclrtIpcMemSetImportPid(key.text, &other, 1));

  void* address = nullptr;
  EXPECT_EQ(aclrtIpcMemImportByKey(nullptr, open.text, 0), 100000);
  EXPECT_EQ(aclrtIpcMemImportByKey(&address, nullptr, 0), 100000);
  EXPECT_EQ(aclrtIpcMemImportByKey(&address, open.text, 2), 107000);
  EXPECT_EQ(aclrtIpcMemImportByKey(&address, key.text, 0), 107000);
  const std::string endless(200, 'a');
  EXPECT_EQ(aclrtIpcMemImportByKey(&address, endless.c_str(), 0), 107000);
  EXPECT_EQ(aclrtIpcMemClose(nullptr), 100000);
  EXPECT_EQ(aclrtIpcMemClose(""), 107000);
}
