#include "trace/shadow.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <string>
#include <unordered_map>

namespace pyaclnn::trace {
namespace {

// A description: a letter, then as pyaclnn/trace/reader.py says.
//   T dtype:i8 format:i16 dims:u8 storage:u8 address:u64 offset:i64 dims, strides, storage: i64
//   each S dtype:i8 value, sixteen bytes I F B number:u32 values: i64, f32, u8 L number:u32
//   written:u32 (length:u16 description) each ? a handle that was not seen being made
using Text = std::string;

constexpr unsigned kShards = 16;
/// Values of an array, dimensions of a tensor that are written: more are counted.
constexpr std::uint64_t kValues = 1024, kDims = 32;

struct Shard {
  std::mutex lock;
  std::unordered_map<std::uint64_t, Text> known;
};

Shard* shards() {
  static Shard* const made = new Shard[kShards];
  return made;
}

Shard& shard_of(std::uint64_t handle) { return shards()[(handle >> 4 ^ handle >> 10) % kShards]; }

void note(std::uint64_t handle, Text text) {
  if (!handle) return;
  Shard& s = shard_of(handle);
  std::lock_guard guard(s.lock);
  s.known[handle] = std::move(text);
}

Text found(std::uint64_t handle) {
  Shard& s = shard_of(handle);
  std::lock_guard guard(s.lock);
  const auto at = s.known.find(handle);
  return at == s.known.end() ? Text("?") : at->second;
}

template <class T>
void put(Text& to, T value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void put_values(Text& to, std::uint64_t from, std::uint64_t count, std::size_t size) {
  if (from) to.append(reinterpret_cast<const char*>(from), count * size);
}

Text tensor(const std::uint64_t* a, std::uint64_t address) {
  const std::uint64_t dims = std::min(a[1], kDims), storage = std::min(a[7], kDims);
  Text text("T");
  put(text, static_cast<std::int8_t>(a[2]));
  put(text, static_cast<std::int16_t>(a[5]));
  put(text, static_cast<std::uint8_t>(a[0] ? dims : 0));
  put(text, static_cast<std::uint8_t>(a[6] ? storage : 0));
  put(text, address);
  put(text, a[4]);
  put_values(text, a[0], dims, 8);
  if (a[3]) {
    put_values(text, a[3], a[0] ? dims : 0, 8);
  } else if (a[0]) {
    std::int64_t strides[kDims], step = 1;
    for (std::uint64_t i = dims; i-- > 0;) {
      strides[i] = step;
      if (__builtin_mul_overflow(step, reinterpret_cast<const std::int64_t*>(a[0])[i], &step)) {
        step = 0;
      }
    }
    text.append(reinterpret_cast<const char*>(strides), dims * 8);
  }
  put_values(text, a[6], storage, 8);
  return text;
}

/// Parameters of a call in their order, all of which are integers or addresses.
struct Arguments {
  std::uint64_t values[12];

  explicit Arguments(const Frame& frame, int count) {
    for (int i = 0; i < count; ++i) {
      values[i] = i < Frame::kIntegers ? frame.integers[i] : frame.stack[i - Frame::kIntegers];
    }
  }
};

std::size_t bytes_of(std::int64_t dtype) {
  switch (dtype) {
    case 16:  // complex64
    case 9:
    case 10:
    case 11:
      return 8;
    case 0:
    case 3:
    case 8:
    case 33:  // complex32
      return 4;
    case 1:
    case 6:
    case 7:
    case 27:
      return 2;
    case 17:  // complex128
      return 16;
    default:
      return 1;
  }
}

void tensor_made(const Frame& frame) {
  const Arguments a(frame, 9);
  if (frame.result) note(frame.result, tensor(a.values, a.values[8]));
}

void tensor_described(const Frame& frame) {
  const Arguments a(frame, 10);
  if (frame.result == 0) note(a.values[0], tensor(a.values + 1, a.values[9]));
}

void scalar_made(const Frame& frame) {
  Text text("S");
  const auto dtype = static_cast<std::int32_t>(frame.integers[1]);
  put(text, static_cast<std::int8_t>(dtype));
  if (frame.result && frame.integers[0]) {
    put_values(text, frame.integers[0], 1, bytes_of(dtype));
    text.resize(18);
    note(frame.result, std::move(text));
  }
}

template <char Letter, int Size>
void array_made(const Frame& frame) {
  if (!frame.result) return;
  Text text(1, Letter);
  const std::uint64_t count = frame.integers[0] ? frame.integers[1] : 0;
  put(text, static_cast<std::uint32_t>(count));
  put_values(text, frame.integers[0], std::min(count, kValues), Size);
  note(frame.result, std::move(text));
}

void list_made(const Frame& frame) {
  if (!frame.result) return;
  const auto* items = reinterpret_cast<const std::uint64_t*>(frame.integers[0]);
  const std::uint64_t count = items ? frame.integers[1] : 0;
  Text text("L");
  put(text, static_cast<std::uint32_t>(count));
  put(text, std::uint32_t{0});
  std::uint32_t written = 0;
  for (; written < count; ++written) {
    const Text item = items[written] ? found(items[written]) : Text();
    if (text.size() + item.size() > 20000) break;
    put(text, static_cast<std::uint16_t>(item.size()));
    text += item;
  }
  std::memcpy(&text[5], &written, sizeof written);
  note(frame.result, std::move(text));
}

/// Before the call, as its address may be another's at once.
void handle_gone(const Frame& frame) {
  Shard& s = shard_of(frame.integers[0]);
  std::lock_guard guard(s.lock);
  s.known.erase(frame.integers[0]);
}

void move_to(std::uint64_t handle, std::uint64_t address) {
  Shard& s = shard_of(handle);
  std::lock_guard guard(s.lock);
  const auto at = s.known.find(handle);
  if (at != s.known.end() && at->second[0] == 'T') std::memcpy(&at->second[6], &address, 8);
}

void address_set(const Frame& frame) {
  if (frame.result == 0) move_to(frame.integers[2], frame.integers[3]);
}

void raw_address_set(const Frame& frame) {
  if (frame.result == 0) move_to(frame.integers[0], frame.integers[1]);
}

const struct {
  const char* name;
  Hook hook;
} kHooks[] = {
    {"aclCreateTensor", tensor_made},
    {"aclInitTensor", tensor_described},
    {"aclCreateScalar", scalar_made},
    {"aclCreateIntArray", array_made<'I', 8>},
    {"aclCreateFloatArray", array_made<'F', 4>},
    {"aclCreateBoolArray", array_made<'B', 1>},
    {"aclCreateTensorList", list_made},
    {"aclCreateScalarList", list_made},
    {"aclDestroyTensor", handle_gone},
    {"aclDestroyScalar", handle_gone},
    {"aclDestroyIntArray", handle_gone},
    {"aclDestroyFloatArray", handle_gone},
    {"aclDestroyBoolArray", handle_gone},
    {"aclDestroyTensorList", handle_gone},
    {"aclDestroyScalarList", handle_gone},
    {"aclSetTensorAddr", address_set},
    {"aclSetInputTensorAddr", address_set},
    {"aclSetOutputTensorAddr", address_set},
    {"aclSetRawTensorAddr", raw_address_set},
};

}  // namespace

Hook hook_of(const char* name) {
  for (const auto& known : kHooks) {
    if (std::strcmp(known.name, name) == 0) return known.hook;
  }
  return nullptr;
}

std::uint32_t describe(std::uint64_t handle, char* to, std::uint32_t room) {
  if (!handle) return 0;
  Shard& s = shard_of(handle);
  std::lock_guard guard(s.lock);
  const auto at = s.known.find(handle);
  if (at == s.known.end() || at->second.size() > room) {
    *to = '?';
    return 1;
  }
  std::memcpy(to, at->second.data(), at->second.size());
  return static_cast<std::uint32_t>(at->second.size());
}

void lock_shadows() {
  for (unsigned i = 0; i < kShards; ++i) shards()[i].lock.lock();
}

void unlock_shadows() {
  for (unsigned i = 0; i < kShards; ++i) shards()[i].lock.unlock();
}

}  // namespace pyaclnn::trace
