// The parameters of an operator, as its plan sees them.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "aclnn/acl_meta.h"
#include "objects/arrays.hpp"
#include "objects/executor.hpp"
#include "objects/scalar.hpp"
#include "objects/tensor.hpp"
#include "objects/tensor_lookup.hpp"

namespace pyaclnn::sim {

/// Resolves the handles of one call, keeps what they stand for alive, and writes the op cache key:
/// everything about the arguments that a plan may depend on, addresses left out.
class ArgumentReader {
 public:
  ArgumentReader() = default;
  ArgumentReader(const ArgumentReader&) = delete;
  ArgumentReader& operator=(const ArgumentReader&) = delete;

  /// Forgets the last call: a reader that is kept takes 0.1 us less of one than a new one.
  void begin(const char* api);

  /// `meta` lives as long as the call goes on; null for an argument that was not given.
  struct BoundIndex {
    std::size_t index;
    const TensorMeta* meta;
  };
  /// `name` is kept as it is and must outlive the reader, or come from keep().
  BoundIndex tensor(const aclTensor* handle, const char* name);
  /// A name that lives as long as the reader.
  const char* keep(std::string name) {
    made_names_.push_back(std::move(name));
    return made_names_.back().c_str();
  }
  std::shared_ptr<const Scalar> scalar(const aclScalar* handle);
  template <class T>
  std::shared_ptr<const Array<T>> array(HandleTable<Array<T>>& table, const void* handle) {
    std::shared_ptr<const Array<T>> array = handle == nullptr ? nullptr : get(table, handle);
    key_bytes(array == nullptr ? "-" : "A", 1);
    if (array != nullptr) {
      key_value(array->values.size());
      key_bytes(array->values.data(), array->values.size() * sizeof(T));
    }
    return array;
  }
  std::shared_ptr<const TensorList> tensor_list(const aclTensorList* handle);
  template <class T>
  void key_value(const T& value) {
    key_bytes(&value, sizeof value);
  }
  void key_bytes(const void* bytes, std::size_t count) {
    key_.append(static_cast<const char*>(bytes), count);
  }

  /// Handles of the tensors.
  std::vector<const void*>& operands() { return operands_; }
  const std::vector<const char*>& names() const { return names_; }
  std::string& key() { return key_; }

 private:
  template <class T>
  static std::shared_ptr<T> get(HandleTable<T>& table, const void* handle) {
    return table.get(handle, kStaleHandle);
  }
  static constexpr int kStaleHandle = 161002;

  TensorLookup* lookup_ = nullptr;
  std::vector<const void*> operands_;
  // Those that the look-up might lose.
  std::vector<std::pair<std::shared_ptr<Tensor>, std::shared_ptr<const TensorMeta>>> kept_;
  std::vector<const char*> names_;
  std::deque<std::string> made_names_;
  std::vector<void*> addresses_;
  std::string key_;
};

/// A tensor argument. Of an optional one that was not given only given() may be asked.
class TensorArgument {
 public:
  // No copies: a kernel that kept one would run after the description is gone.
  TensorArgument(const TensorArgument&) = delete;
  TensorArgument(TensorArgument&&) = default;
  TensorArgument(const char* name, ArgumentReader::BoundIndex bound)
      : name_(name), index_(bound.index), meta_(bound.meta) {}

  bool given() const { return meta_ != nullptr; }
  const char* name() const { return name_; }
  std::size_t index() const { return index_; }
  const TensorMeta& meta() const { return *meta_; }
  aclDataType dtype() const { return meta_->dtype; }
  const Dims& shape() const { return meta_->shape; }
  std::size_t rank() const { return meta_->shape.size(); }
  std::int64_t elements() const { return meta_->elements(); }
  bool is_empty() const { return meta_->is_empty(); }

 private:
  const char* name_;
  std::size_t index_;
  const TensorMeta* meta_;
};

// Each kind names the C type of its parameter and reads one argument.

struct In : TensorArgument {
  using C = const aclTensor*;
  using TensorArgument::TensorArgument;
  static In read(ArgumentReader& reader, C handle, const char* name) {
    return {name, reader.tensor(handle, name)};
  }
};

struct Out : TensorArgument {
  using C = aclTensor*;
  using TensorArgument::TensorArgument;
  static Out read(ArgumentReader& reader, C handle, const char* name) {
    return {name, reader.tensor(handle, name)};
  }
};

/// An output that its header declares const.
struct ConstOut : TensorArgument {
  using C = const aclTensor*;
  using TensorArgument::TensorArgument;
  static ConstOut read(ArgumentReader& reader, C handle, const char* name) {
    return {name, reader.tensor(handle, name)};
  }
};

struct TensorListIn {
  using C = const aclTensorList*;
  std::string list_name;
  bool is_given;
  std::vector<TensorArgument> tensors;

  bool given() const { return is_given; }
  const char* name() const { return list_name.c_str(); }
  static TensorListIn read(ArgumentReader& reader, C handle, const char* name);
};

class ScalarIn {
 public:
  using C = const aclScalar*;
  ScalarIn(const char* name, std::shared_ptr<const Scalar> scalar)
      : name_(name), scalar_(std::move(scalar)) {}
  bool given() const { return scalar_ != nullptr; }
  const char* name() const { return name_; }
  const Scalar* operator->() const { return scalar_.get(); }
  static ScalarIn read(ArgumentReader& reader, C handle, const char* name) {
    return {name, reader.scalar(handle)};
  }

 private:
  const char* name_;
  std::shared_ptr<const Scalar> scalar_;
};

template <class T>
class ArrayArgument {
 public:
  ArrayArgument(const char* name, std::shared_ptr<const Array<T>> array)
      : name_(name), array_(std::move(array)) {}
  bool given() const { return array_ != nullptr; }
  const char* name() const { return name_; }
  const std::vector<T>& values() const { return array_->values; }

 private:
  const char* name_;
  std::shared_ptr<const Array<T>> array_;
};

struct IntArrayIn : ArrayArgument<std::int64_t> {
  using C = const aclIntArray*;
  using ArrayArgument::ArrayArgument;
  static IntArrayIn read(ArgumentReader& reader, C handle, const char* name) {
    return {name, reader.array(int_arrays(), handle)};
  }
};

struct FloatArrayIn : ArrayArgument<float> {
  using C = const aclFloatArray*;
  using ArrayArgument::ArrayArgument;
  static FloatArrayIn read(ArgumentReader& reader, C handle, const char* name) {
    return {name, reader.array(float_arrays(), handle)};
  }
};

struct BoolArrayIn : ArrayArgument<std::uint8_t> {
  using C = const aclBoolArray*;
  using ArrayArgument::ArrayArgument;
  static BoolArrayIn read(ArgumentReader& reader, C handle, const char* name) {
    return {name, reader.array(bool_arrays(), handle)};
  }
};

/// A number passed by value.
template <class T>
struct Value {
  using C = T;
  T value;
  operator T() const { return value; }
  static Value read(ArgumentReader& reader, T value, const char*) {
    reader.key_value(value);
    return {value};
  }
};

using Int = Value<std::int64_t>;
using UInt64 = Value<std::uint64_t>;
using Int32 = Value<std::int32_t>;
using Int8 = Value<std::int8_t>;
using Float = Value<float>;
using Double = Value<double>;
using Flag = Value<bool>;
using Dtype = Value<aclDataType>;

/// A string; null is kept apart from empty.
struct Text {
  using C = char*;
  std::string text;
  bool is_given;
  const char* argument;

  bool given() const { return is_given; }
  const char* name() const { return argument; }
  static Text read(ArgumentReader& reader, const char* text, const char* name);
};

}  // namespace pyaclnn::sim
