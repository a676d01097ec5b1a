// A libopapi.so that computes nothing: it writes down each call with its arguments, and the
// contents of its inputs when it runs. tools/recording/recorder.py writes the functions.
// SPDX-License-Identifier: MIT
#pragma once

#include <dlfcn.h>

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "aclnn/opdev/op_errno.h"
#include "core/export.hpp"
#include "core/handle_table.hpp"
#include "hccl/hccl_types.h"
#include "objects/arrays.hpp"
#include "objects/dtype.hpp"
#include "objects/executor.hpp"
#include "objects/formats.hpp"
#include "objects/scalar.hpp"
#include "objects/tensor.hpp"

namespace pyaclnn::recorder {

using sim::Dims;
using sim::TensorMeta;

/// Whether an operator reads an argument, writes it, or both.
enum class Role { kInput, kOutput, kBoth };

/// One argument as text; of a tensor also what is needed to read it later.
struct Argument {
  std::string name;
  std::string text;
  std::shared_ptr<const TensorMeta> meta;
  void* address = nullptr;
  Role role = Role::kInput;
};

template <class... T>
std::string print(const char* format, T... values) {
  char text[128];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

inline std::string text_of(const Dims& dims) {
  std::string text = "(";
  for (const std::int64_t extent : dims) text += std::to_string(extent) + ",";
  return text + ")";
}

/// Strides as far as they matter: those of an extent of 1 do not.
inline std::string strides_of(const TensorMeta& meta) {
  if (meta.is_contiguous()) return "contiguous";
  std::string text = "(";
  for (std::size_t i = 0; i < meta.shape.size(); ++i)
    text += meta.shape[i] == 1 ? "-," : std::to_string(meta.strides[i]) + ",";
  return text + ")";
}

inline std::string text_of(const TensorMeta& meta) {
  std::string text = "tensor shape=" + text_of(meta.shape) + " strides=" + strides_of(meta) +
                     " offset=" + std::to_string(meta.offset) +
                     " dtype=" + std::to_string(meta.dtype) +
                     " format=" + std::to_string(meta.format);
  if (sim::kPrivateFormats.contains(meta.format)) text += " storage=" + text_of(meta.storage_shape);
  return text;
}

inline std::int64_t bits_of(aclDataType dtype) {
  switch (dtype) {
    case ACL_INT4:
    case ACL_FLOAT4_E2M1:
    case ACL_FLOAT4_E1M2:
      return 4;
    case ACL_UINT1:
      return 1;
    case ACL_COMPLEX32:
      return 32;
    case ACL_HIFLOAT8:
    case ACL_FLOAT8_E5M2:
    case ACL_FLOAT8_E4M3FN:
    case ACL_FLOAT8_E8M0:
    case ACL_FLOAT6_E3M2:
    case ACL_FLOAT6_E2M3:
      return 8;
    default:
      return static_cast<std::int64_t>(sim::dtype_size(dtype)) * 8;
  }
}

/// FNV-1a, of bytes in the order of elements.
class Hash {
 public:
  void add(const unsigned char* bytes, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) value_ = (value_ ^ bytes[i]) * 1099511628211U;
  }
  std::string text() const { return print("%016" PRIx64, value_); }

 private:
  std::uint64_t value_ = 1469598103934665603U;
};

/// The memory of a tensor on the host, from its first element on.
class Contents {
 public:
  static constexpr std::int64_t kMost = std::int64_t{1} << 28;

  explicit Contents(const Argument& argument) : meta_(*argument.meta), problem_(read(argument)) {}

  /// What it holds, in the order of elements, whatever the strides are.
  std::string hash() {
    if (!problem_.empty()) return problem_;
    Hash hash;
    each([&](unsigned char* bytes, std::size_t count) { hash.add(bytes, count); });
    return hash.text();
  }

  /// Zeros, so that what reads a result finds the same in every program.
  void clear() {
    if (!problem_.empty()) return;
    each([](unsigned char* bytes, std::size_t count) { std::memset(bytes, 0, count); });
    aclrtMemcpy(address_, bytes_.size(), bytes_.data(), bytes_.size(), ACL_MEMCPY_HOST_TO_DEVICE);
  }

 private:
  const char* read(const Argument& argument) {
    const sim::Reach reach = sim::reach_of(meta_);
    bits_ = bits_of(meta_.dtype);
    if (reach.empty() || bits_ == 0) return "empty";
    first_ = reach.first;
    std::int64_t count = reach.last - reach.first + 1;
    if (sim::kPrivateFormats.contains(meta_.format))
      count = std::max(count, meta_.storage_shape.product());
    if (argument.address == nullptr) return "no memory";
    if (count > kMost) return "large";
    bytes_.resize(static_cast<std::size_t>((count * bits_ + 7) / 8));
    address_ = static_cast<char*>(argument.address) + first_ * bits_ / 8;
    const aclError status = aclrtMemcpy(bytes_.data(), bytes_.size(), address_, bytes_.size(),
                                        ACL_MEMCPY_DEVICE_TO_HOST);
    return status == ACL_SUCCESS ? "" : "beyond its memory";
  }

  template <class F>
  void each(F&& use) {
    if (bits_ < 8 || sim::kPrivateFormats.contains(meta_.format) || meta_.is_contiguous())
      return use(bytes_.data(), bytes_.size());
    const std::size_t width = static_cast<std::size_t>(bits_ / 8);
    std::vector<std::int64_t> at(meta_.shape.size(), 0);
    for (std::int64_t left = meta_.elements(); left > 0; --left) {
      std::int64_t place = meta_.offset - first_;
      for (std::size_t i = 0; i < at.size(); ++i) place += at[i] * meta_.strides[i];
      use(bytes_.data() + static_cast<std::size_t>(place) * width, width);
      for (std::size_t i = at.size(); i-- > 0 && ++at[i] == meta_.shape[i];) at[i] = 0;
    }
  }

  const TensorMeta& meta_;
  std::int64_t bits_ = 0;
  std::int64_t first_ = 0;
  char* address_ = nullptr;
  std::vector<unsigned char> bytes_;
  std::string problem_;
};

/// One line of the recording: each says on which device it was.
inline void write(const std::string& line) {
  static std::FILE* const file = [] {
    const char* path = std::getenv("PYACLNN_RECORDING");
    return path == nullptr ? nullptr : std::fopen(path, "a");
  }();
  if (file == nullptr) return;
  std::int32_t device = -1;
  if (aclrtGetDevice(&device) != ACL_SUCCESS) device = -1;
  std::fprintf(file, "%d %s\n", device, line.c_str());
  std::fflush(file);
}

struct Call {
  const char* name;
  std::vector<Argument> arguments;
};

/// What was planned and may run; `second` is the lock.
inline std::pair<std::map<const void*, Call>, std::mutex>& planned() {
  static auto* const calls = new std::pair<std::map<const void*, Call>, std::mutex>;
  return *calls;
}

/// The first phase: takes the arguments one by one.
class FirstPhase {
 public:
  explicit FirstPhase(const char* name) : call_{name, {}} {}

  template <class T>
  FirstPhase& input(const char* name, T value) {
    return add(name, value, Role::kInput);
  }
  template <class T>
  FirstPhase& output(const char* name, T value) {
    return add(name, value, Role::kOutput);
  }
  template <class T>
  FirstPhase& both(const char* name, T value) {
    return add(name, value, Role::kBoth);
  }

  int plan(std::uint64_t* size, aclOpExecutor** executor) {
    if (size == nullptr || executor == nullptr) return ACLNN_ERR_PARAM_NULLPTR;
    auto prepared = std::make_shared<sim::PreparedCall>();
    prepared->api = call_.name;
    prepared->workspace_size = *size = kWorkspace;
    auto made = std::make_shared<sim::Executor>();
    made->prepared = std::move(prepared);
    void* const handle = sim::executors().insert(std::move(made));
    *executor = static_cast<aclOpExecutor*>(handle);
    std::string line = std::string("PLAN ") + call_.name;
    for (const Argument& argument : call_.arguments)
      line += "|" + argument.name + "=" + argument.text;
    const std::lock_guard<std::mutex> lock(planned().second);
    write(line);
    planned().first[handle] = std::move(call_);
    return ACLNN_SUCCESS;
  }

 private:
  static constexpr std::uint64_t kWorkspace = 32;

  FirstPhase& text(std::string name, std::string text) {
    call_.arguments.push_back({std::move(name), std::move(text), nullptr, nullptr, Role::kInput});
    return *this;
  }

  FirstPhase& tensor(std::string name, const void* handle, Role role) {
    if (handle == nullptr) return text(std::move(name), "null");
    const auto found = sim::tensors().find(handle);
    if (!found) return text(std::move(name), "no tensor");
    auto meta = found->meta();
    std::string shown = text_of(*meta);
    call_.arguments.push_back(
        {std::move(name), std::move(shown), std::move(meta), found->address(), role});
    return *this;
  }

  FirstPhase& add(const char* name, const aclTensor* value, Role role) {
    return tensor(name, value, role);
  }
  FirstPhase& add(const char* name, aclTensor* const* value, Role) {
    return tensor(name, value == nullptr ? nullptr : *value, Role::kOutput);
  }
  FirstPhase& add(const char* name, const aclTensorList* value, Role role) {
    const auto found = value == nullptr ? nullptr : sim::tensor_lists().find(value);
    if (!found) return text(name, value == nullptr ? "null" : "no list");
    text(name, "list of " + std::to_string(found->handles.size()));
    for (std::size_t i = 0; i < found->handles.size(); ++i)
      tensor(std::string(name) + "[" + std::to_string(i) + "]", found->handles[i], role);
    return *this;
  }

  static std::string scalar(const void* handle) {
    const auto found = handle == nullptr ? nullptr : sim::scalars().find(handle);
    if (!found) return handle == nullptr ? "null" : "no scalar";
    return print("dtype=%d %.17g %.17g", static_cast<int>(found->dtype()), found->to_double(),
                 found->imaginary());
  }
  FirstPhase& add(const char* name, const aclScalar* value, Role) {
    return text(name, scalar(value));
  }
  FirstPhase& add(const char* name, const aclScalarList* value, Role) {
    const auto found = value == nullptr ? nullptr : sim::scalar_lists().find(value);
    std::string all = value == nullptr ? "null" : "scalars";
    if (found)
      for (const void* handle : found->handles) all += " " + scalar(handle);
    return text(name, all);
  }

  template <class Table>
  FirstPhase& array(const char* name, const void* handle, Table& table) {
    const auto found = handle == nullptr ? nullptr : table.find(handle);
    if (!found) return text(name, handle == nullptr ? "null" : "no array");
    std::string all = "[";
    for (const auto value : found->values) {
      if constexpr (std::is_same_v<std::decay_t<decltype(value)>, float>)
        all += print("%.9g,", static_cast<double>(value));
      else
        all += std::to_string(value) + ",";
    }
    return text(name, all + "]");
  }
  FirstPhase& add(const char* name, const aclIntArray* value, Role) {
    return array(name, value, sim::int_arrays());
  }
  FirstPhase& add(const char* name, const aclFloatArray* value, Role) {
    return array(name, value, sim::float_arrays());
  }
  FirstPhase& add(const char* name, const aclBoolArray* value, Role) {
    return array(name, value, sim::bool_arrays());
  }

  FirstPhase& add(const char* name, const char* value, Role) {
    return text(name, value == nullptr ? "null" : std::string("'") + value + "'");
  }
  template <class T>
  std::enable_if_t<std::is_arithmetic_v<T> || std::is_enum_v<T>, FirstPhase&> add(const char* name,
                                                                                  T value, Role) {
    if constexpr (std::is_floating_point_v<T>)
      return text(name, print(sizeof(T) == 4 ? "%.9g" : "%.17g", static_cast<double>(value)));
    else if constexpr (std::is_unsigned_v<T>)
      return text(name, std::to_string(static_cast<unsigned long long>(value)));
    else
      return text(name, std::to_string(static_cast<long long>(value)));
  }
  // What else is written by its address says nothing.
  FirstPhase& add(const char* name, const void* value, Role) {
    return text(name, value == nullptr ? "null" : "address");
  }

  Call call_;
};

/// The second phase: what the inputs hold by now; the outputs become zeros.
inline int second_phase(const char* name, aclOpExecutor* executor) {
  aclrtSynchronizeDevice();
  const auto known = sim::executors().find(executor);
  if (!known) return ACLNN_ERR_INNER;
  const std::lock_guard<std::mutex> lock(planned().second);
  const Call& call = planned().first[executor];
  std::string line = std::string("RUN ") + name;
  if (std::strcmp(call.name, name) != 0) line += std::string(" of ") + call.name;
  for (const Argument& argument : call.arguments)
    if (argument.meta && argument.role != Role::kOutput)
      line += "|" + argument.name + "=" + Contents(argument).hash();
  for (const Argument& argument : call.arguments)
    if (argument.meta && argument.role == Role::kOutput) Contents(argument).clear();
  write(line);
  if (!known->repeatable) sim::executors().remove(executor, ACLNN_ERR_INNER);
  return ACLNN_SUCCESS;
}

/// A function of the simulator's own library: those that compute on the host are not recorded.
inline void* simulated(const char* name) {
  static void* const library = dlopen(RECORDER_SIMULATED, RTLD_NOW | RTLD_LOCAL);
  return library == nullptr ? nullptr : dlsym(library, name);
}

/// Notes what the simulator lacks, for a program may end there. Returns the status.
inline int noted(const char* name, int status) {
  if (status == ACLNN_ERR_INNER_FIND_KERNEL_ERROR) write(std::string("LACK ") + name);
  return status;
}

}  // namespace pyaclnn::recorder
