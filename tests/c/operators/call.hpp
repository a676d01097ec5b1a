// What the operator programs share: a session, device arrays with their tensors, both phases.
// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "aclnn/acl_meta.h"
#include "check.hpp"

constexpr int kNull = 161001;
constexpr int kInvalid = 161002;
constexpr int kInner = 561000;
constexpr int kInnerNull = 561103;
constexpr int kKernelFault = 507015;

/// The library from start to end; nothing may be left when it ends.
class Session {
 public:
  Session() {
    EXPECT_OK(aclInit(nullptr));
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtCreateStream(&stream_));
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() {
    EXPECT_OK(aclrtDestroyStream(stream_));
    EXPECT_EQ(pyaclnnSimCount("executor"), 0u);
    EXPECT_EQ(pyaclnnSimCount("tensor"), 0u);
    EXPECT_EQ(pyaclnnSimCount("device_block"), 0u);
    EXPECT_OK(aclrtResetDevice(0));
    EXPECT_OK(aclFinalize());
  }
  aclrtStream stream() const { return stream_; }
  int synchronize() const { return aclrtSynchronizeStream(stream_); }

 private:
  aclrtStream stream_ = nullptr;
};

template <class T>
struct DtypeOf;
template <>
struct DtypeOf<float> {
  static constexpr aclDataType value = ACL_FLOAT;
};
template <>
struct DtypeOf<int32_t> {
  static constexpr aclDataType value = ACL_INT32;
};
template <>
struct DtypeOf<int8_t> {
  static constexpr aclDataType value = ACL_INT8;
};
template <>
struct DtypeOf<int64_t> {
  static constexpr aclDataType value = ACL_INT64;
};
template <>
struct DtypeOf<double> {
  static constexpr aclDataType value = ACL_DOUBLE;
};
/// 16-bit floats are given as their bits; float16 unless another type is named.
template <>
struct DtypeOf<uint16_t> {
  static constexpr aclDataType value = ACL_FLOAT16;
};

using Shape = std::vector<int64_t>;

/// A device buffer and a tensor over it.
template <class T>
class Array {
 public:
  Array(const Shape& shape, std::vector<T> values, aclDataType dtype = DtypeOf<T>::value)
      : Array(shape, {}, 0, std::move(values), dtype) {}

  /// A strided view; `values` fill the storage.
  Array(const Shape& shape, const Shape& strides, int64_t offset, std::vector<T> values,
        aclDataType dtype = DtypeOf<T>::value)
      : values_(std::move(values)) {
    if (!values_.empty()) {
      EXPECT_OK(aclrtMalloc(&data_, bytes(), ACL_MEM_MALLOC_HUGE_FIRST));
      EXPECT_OK(aclrtMemcpy(data_, bytes(), values_.data(), bytes(), ACL_MEMCPY_HOST_TO_DEVICE));
    }
    const int64_t stored = static_cast<int64_t>(values_.size());
    tensor_ = aclCreateTensor(shape.data(), shape.size(), dtype,
                              strides.empty() ? nullptr : strides.data(), offset, ACL_FORMAT_ND,
                              &stored, 1, data_);
    EXPECT(tensor_ != nullptr);
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() {
    destroy_tensor();
    free();
  }

  operator aclTensor*() const { return tensor_; }
  void* data() const { return data_; }
  size_t bytes() const { return values_.size() * sizeof(T); }

  void destroy_tensor() {
    if (tensor_ != nullptr) EXPECT_OK(aclDestroyTensor(std::exchange(tensor_, nullptr)));
  }
  /// Leaves the tensor to a list that owns it.
  void forget_tensor() { tensor_ = nullptr; }
  void free() {
    if (data_ != nullptr) EXPECT_OK(aclrtFree(std::exchange(data_, nullptr)));
  }
  /// The storage as it is on the device now.
  std::vector<T> read() {
    if (!values_.empty())
      EXPECT_OK(aclrtMemcpy(values_.data(), bytes(), data_, bytes(), ACL_MEMCPY_DEVICE_TO_HOST));
    return values_;
  }

 private:
  std::vector<T> values_;
  void* data_ = nullptr;
  aclTensor* tensor_ = nullptr;
};

/// A float32 scalar.
class Number {
 public:
  explicit Number(float value) : scalar_(aclCreateScalar(&value, ACL_FLOAT)) {}
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  ~Number() { EXPECT_OK(aclDestroyScalar(scalar_)); }
  operator aclScalar*() const { return scalar_; }

 private:
  aclScalar* scalar_;
};

/// A device buffer without a tensor.
class Memory {
 public:
  explicit Memory(size_t size) {
    if (size != 0) EXPECT_OK(aclrtMalloc(&data_, size, ACL_MEM_MALLOC_HUGE_FIRST));
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { free(); }
  void* data() const { return data_; }
  void free() {
    if (data_ != nullptr) EXPECT_OK(aclrtFree(std::exchange(data_, nullptr)));
  }

 private:
  void* data_ = nullptr;
};

/// What a first phase gave.
struct Planned {
  int status = -1;
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
};

template <class FirstPhase, class... Arguments>
Planned plan(FirstPhase first_phase, const Arguments&... arguments) {
  Planned planned;
  planned.status = first_phase(arguments..., &planned.size, &planned.executor);
  return planned;
}

/// Both phases and the wait; the first status that is not 0.
template <class SecondPhase, class FirstPhase, class... Arguments>
int run(const Session& session, FirstPhase first_phase, SecondPhase second_phase,
        const Arguments&... arguments) {
  const Planned planned = plan(first_phase, arguments...);
  if (planned.status != 0) return planned.status;
  Memory workspace(planned.size);
  const int status =
      second_phase(workspace.data(), planned.size, planned.executor, session.stream());
  return status != 0 ? status : session.synchronize();
}

/// Values as text, for comparison and for messages.
template <class T>
std::string text(const std::vector<T>& values) {
  std::ostringstream out;
  for (const T& value : values) out << +value << " ";
  return out.str();
}

/// The status of a first phase alone; an executor it made is destroyed.
template <class FirstPhase, class... Arguments>
int refusal(FirstPhase first_phase, const Arguments&... arguments) {
  const Planned planned = plan(first_phase, arguments...);
  if (planned.status == 0) EXPECT_OK(aclDestroyAclOpExecutor(planned.executor));
  return planned.status;
}

#define PHASES(Name) Name##GetWorkspaceSize, Name
