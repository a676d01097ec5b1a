// What happens before and after each call, and where the real functions are.
#include <dlfcn.h>
#include <glob.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "trace/content.hpp"
#include "trace/file.hpp"
#include "trace/functions.hpp"
#include "trace/log.hpp"
#include "trace/parameters.hpp"
#include "trace/shadow.hpp"

namespace pyaclnn::trace {
namespace {

thread_local unsigned depth = 0;
std::atomic<bool> pending{false};

bool has_end(const std::string& text, const char* end) {
  const std::size_t size = std::strlen(end);
  return text.size() >= size && text.compare(text.size() - size, size, end) == 0;
}

/// The libraries that were stood in for, of which this process may have loaded some.
const std::vector<std::string>& listed_libraries() {
  static const auto* const made = [] {
    auto* paths = new std::vector<std::string>;
    const char* listed = std::getenv("PYACLNN_TRACE_LIBRARIES");
    const std::string text = listed ? listed : "";
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find(':', at), text.size());
      paths->push_back(text.substr(at, end - at));
      at = end + 1;
    }
    return paths;
  }();
  return *made;
}

std::recursive_mutex& library_lock() {
  static std::recursive_mutex* const made = new std::recursive_mutex;
  return *made;
}

bool is_ours(void* address) {
  Dl_info own{}, other{};
  return ::dladdr(reinterpret_cast<void*>(&listed_libraries), &own) && ::dladdr(address, &other) &&
         own.dli_fbase == other.dli_fbase;
}

/// A function that no library has: a program that was linked to it would not have started.
std::uint64_t absent() { return 500000; }

Function& resolve(std::uint32_t number) {
  Function& function = functions[number];
  const Signature& known = kSignatures[number];
  std::lock_guard guard(library_lock());
  if (function.real.load()) return function;
  int integers = 0, floats = 0;
  for (const char* code = known.codes + 1; *code; ++code) {
    ++(*code == 'f' || *code == 'd' ? floats : integers);
  }
  function.words = static_cast<std::uint32_t>(std::max(0, integers - Frame::kIntegers) +
                                              std::max(0, floats - 8));
  const std::string name = known.name, parameters = known.parameters;
  function.hook = hook_of(known.name);
  function.silent = function.hook != nullptr || name.compare(0, 9, "aclCreate") == 0;
  function.first_phase = has_end(name, "GetWorkspaceSize") && has_end(known.codes, "88");
  function.second_phase = has_end(parameters, "workspace,workspaceSize,executor,stream");
  void* real = real_function(known.name);
  function.real.store(real ? real : reinterpret_cast<void*>(&absent));
  return function;
}

template <class T>
char* put(char* to, T value) {
  std::memcpy(to, &value, sizeof value);
  return to + sizeof value;
}

/// Strings name layouts and modes. Paths and groups may name users and hosts.
char* put_string(char* to, const char* text, bool is_private) {
  const std::size_t size = text ? ::strnlen(text, 255) : 0;
  if (is_private && size) {
    std::uint64_t hash = 14695981039346656037u;
    for (std::size_t i = 0; i < size; ++i)
      hash = (hash ^ static_cast<unsigned char>(text[i])) * 1099511628211u;
    char shown[20];
    const int length = std::snprintf(shown, sizeof shown, "#%08x", static_cast<unsigned>(hash));
    to = put(to, static_cast<std::uint16_t>(length));
    std::memcpy(to, shown, static_cast<std::size_t>(length));
    return to + length;
  }
  to = put(to, static_cast<std::uint16_t>(size));
  if (size) std::memcpy(to, text, size);
  return to + size;
}

bool is_private(const Signature& known, const char* text) {
  return text && (std::strstr(known.parameters, "group") ||
                  std::strncmp(known.name, "aclnn", 5) != 0 || std::strchr(text, '/'));
}

/// Write the record of a call that begins; what it stores has room.
void write_record(Frame& frame, const Signature& known) {
  std::uint32_t room = sizeof(Record);
  for (const char* code = known.codes + 1; *code; ++code) {
    room += *code == 't' || *code == 'T' ? 0 : *code == 's' ? 258 : 8;
  }
  char* const begin = reserve(kRecordLimit + room);
  if (!begin) return;
  char* to = begin + sizeof(Record);
  Parameters parameters(frame);
  const char* const limit = begin + kRecordLimit;
  for (const char* code = known.codes + 1; *code; ++code) {
    const std::uint64_t value = parameters.next(*code);
    if (*code == 't' || *code == 'T') {
      const std::uint32_t left = to < limit ? static_cast<std::uint32_t>(limit - to) : 1;
      const std::uint32_t size = describe(value, to + 2, left);
      put(to, static_cast<std::uint16_t>(size));
      to += 2 + size;
    } else if (*code == 's') {
      const char* text = reinterpret_cast<const char*>(value);
      to = put_string(to, text, is_private(known, text));
    } else {
      to = put(to, *code == '4' || *code == '5' || *code == '8' ? 0 : value);
    }
  }
  while ((to - begin) % 8) *to++ = 0;
  auto* record = reinterpret_cast<Record*>(begin);
  record->size = static_cast<std::uint32_t>(to - begin);
  record->function = static_cast<std::uint16_t>(frame.function);
  record->flags = 0;
  record->begin = frame.begin;
  record->end = record->result = 0;
  commit(record->size);
  frame.record = record;
}

/// Complete a record: what the call returned, and what it stored.
void complete_record(Frame& frame, const Signature& known) {
  auto* record = static_cast<Record*>(frame.record);
  record->result = frame.result;
  if (known.codes[0] == 'i' || known.codes[0] == 'I') {
    record->result = static_cast<std::uint64_t>(
        static_cast<std::int64_t>(static_cast<std::int32_t>(frame.result)));
  }
  char* to = reinterpret_cast<char*>(record + 1);
  Parameters parameters(frame);
  const bool stored = known.codes[0] != 'i' || record->result == 0;
  for (const char* code = known.codes + 1; *code && stored; ++code) {
    const std::uint64_t value = parameters.next(*code);
    if (*code == 't' || *code == 'T' || *code == 's') {
      std::uint16_t size = 0;
      std::memcpy(&size, to, 2);
      to += 2 + size;
      continue;
    }
    if (value && (*code == '4' || *code == '5' || *code == '8')) {
      std::memcpy(to, reinterpret_cast<const void*>(value), *code == '8' ? 8 : 4);
    }
    to += 8;
  }
  __atomic_store_n(&record->end, now(), __ATOMIC_RELEASE);
}

/// The last value that a first phase stored.
std::uint64_t executor_of(const Frame& frame, const Signature& known) {
  Parameters parameters(frame);
  std::uint64_t value = 0;
  for (const char* code = known.codes + 1; *code; ++code) value = parameters.next(*code);
  return value ? *reinterpret_cast<const std::uint64_t*>(value) : 0;
}

ContentForm form_of(const char* text) {
  if (!text) return ContentForm::kNone;
  const std::string form = text;
  if (form == "hash") return ContentForm::kHash;
  if (form == "statistics") return ContentForm::kStatistics;
  return form.compare(0, 4, "full") == 0 ? ContentForm::kFull : ContentForm::kNone;
}

void start_with(const char* folder, const char* last, const char* content) {
  Options wanted;
  wanted.folder = folder;
  if (last) wanted.last = std::strtoull(last, nullptr, 10);
  wanted.content = form_of(content);
  if (const char* limit = content ? std::strchr(content, ':') : nullptr) {
    wanted.limit = std::strtoull(limit + 1, nullptr, 10);
  }
  start(wanted);
}

void start_as_environment_says() {
  std::lock_guard guard(library_lock());
  if (!pending.load()) return;
  start_with(std::getenv("PYACLNN_TRACE"), std::getenv("PYACLNN_TRACE_LAST"),
             std::getenv("PYACLNN_TRACE_CONTENT"));
  pending.store(false);
}

__attribute__((constructor)) void from_environment() {
  if (const char* wish = std::getenv("PYACLNN_LOG")) read_log_wish(wish);
  const char* folder = std::getenv("PYACLNN_TRACE");
  if (folder && *folder) {
    // The file is made with the first call: shells and compilers between make none.
    pending.store(true);
    active.store(true);
  }
}

}  // namespace

void* real_function(const char* name) {
  std::lock_guard guard(library_lock());
  // A name may have been asked of a library that has it only by way of the tracer: the one that
  // does have it is loaded then.
  for (const int only_loaded : {RTLD_NOLOAD, 0}) {
    for (const std::string& path : listed_libraries()) {
      void* library = ::dlopen(path.c_str(), RTLD_LAZY | only_loaded);
      void* found = library ? ::dlsym(library, name) : nullptr;
      if (found && !is_ours(found)) return found;
    }
  }
  return nullptr;
}

}  // namespace pyaclnn::trace

using namespace pyaclnn::trace;

extern "C" {

/// Return the real function, having written down the call. Called by forward.cpp.
__attribute__((used, visibility("hidden"))) void* pyaclnn_trace_enter(std::uint32_t number,
                                                                      Frame* frame) {
  Function& function = functions[number];
  void* real = function.real.load(std::memory_order_acquire);
  if (!real) real = resolve(number).real.load();
  frame->words = function.words;
  frame->record = nullptr;
  frame->function = number;
  // What libraries ask of each other is no call of the program.
  frame->outermost = depth++ == 0;
  // Handles are noted at any time, as calls that come later take them.
  if (function.silent) {
    if (function.hook && kSignatures[number].name[3] == 'D') function.hook(*frame);
    return real;
  }
  if (!active.load(std::memory_order_relaxed)) return real;
  if (!frame->outermost) return real;
  if (pending.load(std::memory_order_relaxed)) start_as_environment_says();
  const std::uint32_t file = current_file.load(std::memory_order_relaxed);
  if (function.defined.load(std::memory_order_relaxed) != file)
    define(static_cast<std::uint16_t>(number));
  if (function.second_phase && options().content != ContentForm::kNone) {
    write_contents(frame->integers[2], frame->integers[3], false);
  }
  frame->begin = now();
  if (file) write_record(*frame, kSignatures[number]);
  return real;
}

/// Complete what `enter` wrote.
__attribute__((used, visibility("hidden"))) void pyaclnn_trace_leave(Frame* frame) {
  const Function& function = functions[frame->function];
  const Signature& known = kSignatures[frame->function];
  if (function.silent) {
    if (function.hook && known.name[3] != 'D') function.hook(*frame);
  } else if (frame->outermost && active.load(std::memory_order_relaxed)) {
    if (frame->record) complete_record(*frame, known);
    if (logging()) log_call(*frame, known, now());
    if (known.codes[0] == 'i' && std::strncmp(known.name, "aclmdlRICapture", 15) == 0) {
      note_capture(std::strcmp(known.name + 15, "Begin") == 0 ? 1
                   : std::strcmp(known.name + 15, "End") == 0 ? -1
                                                              : 0);
    }
    if (options().content != ContentForm::kNone) {
      const bool succeeded = static_cast<std::int32_t>(frame->result) == 0;
      if (function.first_phase && succeeded && frame->record) {
        note_executor(executor_of(*frame, known), static_cast<char*>(frame->record),
                      static_cast<std::uint16_t>(frame->function));
      } else if (function.second_phase && succeeded) {
        write_contents(frame->integers[2], frame->integers[3], true);
      }
    }
  }
  --depth;
}

/// Begin to record into a folder, as the environment's variables of the same names say.
__attribute__((visibility("default"))) void pyaclnn_trace_start(const char* folder,
                                                                const char* last,
                                                                const char* content) {
  start_with(folder, last, content);
}

/// End it.
__attribute__((visibility("default"))) void pyaclnn_trace_stop() { stop(); }

}  // extern "C"
