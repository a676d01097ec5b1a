// What an operator demands of its arguments, in the order it demands it.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

#include "aclnn/opdev/op_errno.h"
#include "core/config.hpp"
#include "opapi/common/arguments.hpp"

namespace pyaclnn::sim {

/// A number for %lld: on some platforms std::int64_t is a long.
inline long long ll(std::int64_t value) { return value; }

/// A set of element types.
class DtypeSet {
 public:
  constexpr DtypeSet(std::initializer_list<aclDataType> dtypes) : bits_(0) {
    for (aclDataType dtype : dtypes) bits_ |= bit(dtype);
  }
  constexpr bool contains(aclDataType dtype) const { return (bits_ & bit(dtype)) != 0; }
  /// With bfloat16 where the chip has it.
  DtypeSet with_bf16() const {
    DtypeSet result = *this;
    if (chip().has_bf16()) result.bits_ |= bit(ACL_BF16);
    return result;
  }
  friend DtypeSet operator|(DtypeSet a, const DtypeSet& b) {
    a.bits_ |= b.bits_;
    return a;
  }
  /// "float32, float16"
  std::string text() const;

 private:
  // Callers may pass any number for an enumerator; none of those is a member.
  static constexpr std::uint64_t bit(int dtype) {
    return dtype < 0 || dtype >= 64 ? 0 : std::uint64_t(1) << unsigned(dtype);
  }
  std::uint64_t bits_;
};

/// Refuses arguments. A null one is 161001, everything else 161002.
class Check {
 public:
  /// `refusal` is what is answered to an argument that is not null.
  explicit Check(const char* api, aclnnStatus refusal = ACLNN_ERR_PARAM_INVALID)
      : api_(api), refusal_(refusal) {}

  /// Of the operator, without "aclnn".
  const char* name() const { return api_ + 5; }

  template <class... Arguments>
  void not_null(const Arguments&... arguments) const {
    (that_given(arguments.given(), arguments.name()), ...);
  }

  /// Tensors and scalars.
  template <class... Arguments>
  void dtype_in(const DtypeSet& accepted, const Arguments&... arguments) const {
    (one_dtype_in(accepted, arguments), ...);
  }

  template <class... Tensors>
  void same_dtype(const TensorArgument& reference, const Tensors&... tensors) const {
    (one_same_dtype(reference, tensors), ...);
  }

  template <class... Tensors>
  void rank_at_most(std::size_t limit, const Tensors&... tensors) const {
    (one_rank_at_most(limit, tensors), ...);
  }

  template <class... Tensors>
  void same_shape(const TensorArgument& reference, const Tensors&... tensors) const {
    (shape_is(tensors, reference.shape(), reference.name()), ...);
  }

  /// `what` says in messages where the expected shape comes from.
  void shape_is(const TensorArgument& tensor, const Dims& shape, const char* what) const;

  /// The shape two tensors have in common after NumPy's broadcasting; refuses where there is none.
  Dims broadcast(const TensorArgument& a, const TensorArgument& b) const;

  /// `dim` counted from the front, where -rank <= dim < rank and a scalar has rank 1.
  std::size_t dim_of(const TensorArgument& tensor, std::int64_t dim) const;

  /// Any other condition.
  void that(bool holds, const char* format, ...) const __attribute__((format(printf, 3, 4)));

  /// Refuses a null argument that is no handle.
  void that_given(bool is_given, const char* name) const;

 private:
  void one_dtype_in(const DtypeSet& accepted, const TensorArgument& tensor) const;
  void one_dtype_in(const DtypeSet& accepted, const ScalarIn& scalar) const;
  void one_same_dtype(const TensorArgument& reference, const TensorArgument& tensor) const;
  void one_rank_at_most(std::size_t limit, const TensorArgument& tensor) const;

  const char* api_;
  aclnnStatus refusal_;
};

}  // namespace pyaclnn::sim
