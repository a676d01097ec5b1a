// The parameters of an operator, as its plan sees them.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "aclnn/acl_meta.h"
#include "objects/arrays.hpp"
#include "objects/scalar.hpp"
#include "objects/tensor_meta.hpp"

namespace pyaclnn::sim {

class ArgumentReader;  // opapi/common/argument_reader.hpp

/// Makes an argument that an older version of an operator lacks: given() is false.
struct Absent {};

/// A tensor argument. Of an optional one that was not given only given() may be asked.
class TensorArgument {
 public:
  // No copies: a kernel that kept one would run after the description is gone.
  TensorArgument(const TensorArgument&) = delete;
  TensorArgument(TensorArgument&&) = default;
  TensorArgument(ArgumentReader& reader, const aclTensor* handle, const char* name);
  /// Another description of an operand, for a kernel that sees it so.
  TensorArgument(const char* name, std::size_t index, const TensorMeta* meta)
      : name_(name), index_(index), meta_(meta) {}
  explicit TensorArgument(Absent) : name_(""), index_(0), meta_(nullptr) {}

  bool given() const { return meta_ != nullptr; }
  const char* name() const { return name_; }
  std::size_t index() const { return index_; }
  const TensorMeta& meta() const {
    // Members of lists are null more often than those who look at them ask.
    if (meta_ == nullptr) refuse_null();
    return *meta_;
  }
  aclDataType dtype() const { return meta().dtype; }
  const Dims& shape() const { return meta().shape; }
  std::size_t rank() const { return meta().shape.size(); }
  std::int64_t elements() const { return meta().elements(); }
  bool is_empty() const { return meta().is_empty(); }

 private:
  [[noreturn]] void refuse_null() const;

  const char* name_;
  std::size_t index_;
  const TensorMeta* meta_;
};

// Each kind names the C type of its parameter, and is made of one argument.

struct In : TensorArgument {
  using C = const aclTensor*;
  using TensorArgument::TensorArgument;
};

struct Out : TensorArgument {
  using C = aclTensor*;
  using TensorArgument::TensorArgument;
};

/// An output that its header declares const.
struct ConstOut : In {
  using In::In;
};

struct TensorListIn {
  using C = const aclTensorList*;
  std::string list_name;
  bool is_given;
  std::vector<TensorArgument> tensors;

  TensorListIn(ArgumentReader& reader, const aclTensorList* handle, const char* name);
  explicit TensorListIn(Absent) : is_given(false) {}
  bool given() const { return is_given; }
  const char* name() const { return list_name.c_str(); }
};

struct TensorListOut : TensorListIn {
  using C = aclTensorList*;
  using TensorListIn::TensorListIn;
};

/// A list of outputs that its header declares const, as most are.
struct ConstTensorListOut : TensorListIn {
  using TensorListIn::TensorListIn;
};

/// A scalar argument. Of an optional one that was not given only given() may be asked.
class ScalarIn {
 public:
  using C = const aclScalar*;
  // No copies: a kernel that kept one would run after the scalar is gone.
  ScalarIn(const ScalarIn&) = delete;
  ScalarIn(ScalarIn&&) = default;
  ScalarIn(ArgumentReader& reader, C handle, const char* name);
  explicit ScalarIn(Absent) : name_(""), scalar_(nullptr) {}

  bool given() const { return scalar_ != nullptr; }
  const char* name() const { return name_; }
  const Scalar* operator->() const { return scalar_; }

 private:
  const char* name_;
  const Scalar* scalar_;
};

struct ScalarListIn {
  using C = const aclScalarList*;
  std::string list_name;
  bool is_given;
  std::vector<ScalarIn> scalars;

  ScalarListIn(ArgumentReader& reader, C handle, const char* name);
  explicit ScalarListIn(Absent) : is_given(false) {}
  bool given() const { return is_given; }
  const char* name() const { return list_name.c_str(); }
};

template <class T>
class ArrayArgument {
 public:
  ArrayArgument(const ArrayArgument&) = delete;
  ArrayArgument(ArgumentReader& reader, const void* handle, const char* name);
  explicit ArrayArgument(Absent) : name_(""), array_(nullptr) {}

  bool given() const { return array_ != nullptr; }
  const char* name() const { return name_; }
  const std::vector<T>& values() const { return array_->values; }
  /// Whether it holds these values.
  bool is(const std::vector<T>& values) const { return array_->values == values; }

 private:
  const char* name_;
  const Array<T>* array_;
};

struct IntArrayIn : ArrayArgument<std::int64_t> {
  using C = const aclIntArray*;
  using ArrayArgument::ArrayArgument;
};

struct FloatArrayIn : ArrayArgument<float> {
  using C = const aclFloatArray*;
  using ArrayArgument::ArrayArgument;
};

struct BoolArrayIn : ArrayArgument<std::uint8_t> {
  using C = const aclBoolArray*;
  using ArrayArgument::ArrayArgument;
};

namespace detail {
/// Adds a number to the op cache key.
void note_value(ArgumentReader& reader, const void* value, std::size_t size);
}  // namespace detail

/// A number passed by value.
template <class T>
struct Value {
  using C = T;
  T value;

  Value(ArgumentReader& reader, T given, const char*) : value(given) {
    detail::note_value(reader, &value, sizeof value);
  }
  operator T() const { return value; }
};

using Int = Value<std::int64_t>;
using UInt64 = Value<std::uint64_t>;
using Int32 = Value<std::int32_t>;
using UInt32 = Value<std::uint32_t>;
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

  Text(ArgumentReader& reader, const char* text, const char* name);
  explicit Text(Absent) : is_given(false), argument("") {}
  bool given() const { return is_given; }
  const char* name() const { return argument; }
};

struct ConstText : Text {
  using C = const char*;
  using Text::Text;
};

}  // namespace pyaclnn::sim
