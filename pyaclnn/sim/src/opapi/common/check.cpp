// SPDX-License-Identifier: MIT
#include "opapi/common/check.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "objects/dtype.hpp"

namespace pyaclnn::sim {

std::string DtypeSet::text() const {
  std::string result;
  for (unsigned i = 0; i < 64; ++i) {
    const auto dtype = static_cast<aclDataType>(i);
    if (!contains(dtype)) continue;
    if (!result.empty()) result += ", ";
    result += dtype_name(dtype);
  }
  return result;
}

void Check::that_given(bool is_given, const char* name) const {
  if (!is_given) fail(ACLNN_ERR_PARAM_NULLPTR, "%s: %s is null", api_, name);
}

void Check::one_dtype_in(const DtypeSet& accepted, const TensorArgument& tensor) const {
  if (!accepted.contains(tensor.dtype()))
    fail(refusal_, "%s: %s is %s (%d); %s takes %s", api_, tensor.name(),
         dtype_name(tensor.dtype()), int(tensor.dtype()), chip().name, accepted.text().c_str());
}

void Check::one_dtype_in(const DtypeSet& accepted, const ScalarIn& scalar) const {
  that(accepted.contains(scalar->dtype()), "%s is %s; %s takes %s", scalar.name(),
       dtype_name(scalar->dtype()), chip().name, accepted.text().c_str());
}

void Check::one_same_dtype(const TensorArgument& reference, const TensorArgument& tensor) const {
  if (tensor.dtype() != reference.dtype())
    fail(refusal_, "%s: %s is %s, it must be %s as %s is", api_, tensor.name(),
         dtype_name(tensor.dtype()), dtype_name(reference.dtype()), reference.name());
}

void Check::one_rank_at_most(std::size_t limit, const TensorArgument& tensor) const {
  if (tensor.rank() > limit)
    fail(refusal_, "%s: %s has %zu dimensions, at most %zu are allowed", api_, tensor.name(),
         tensor.rank(), limit);
}

void Check::shape_is(const TensorArgument& tensor, const Dims& shape, const char* what) const {
  if (tensor.shape() != shape)
    fail(refusal_, "%s: %s has shape %s, it must be %s (%s)", api_, tensor.name(),
         tensor.shape().text().c_str(), shape.text().c_str(), what);
}

Dims Check::broadcast(const TensorArgument& a, const TensorArgument& b) const {
  const std::size_t rank = std::max(a.rank(), b.rank());
  Dims result;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t x = i + a.rank() < rank ? 1 : a.shape()[i + a.rank() - rank];
    const std::int64_t y = i + b.rank() < rank ? 1 : b.shape()[i + b.rank() - rank];
    if (x != y && x != 1 && y != 1)
      fail(refusal_, "%s: %s of shape %s and %s of shape %s do not broadcast", api_, a.name(),
           a.shape().text().c_str(), b.name(), b.shape().text().c_str());
    result.push_back(x == 1 ? y : x);
  }
  return result;
}

std::size_t Check::dim_of(const TensorArgument& tensor, std::int64_t dim) const {
  const auto rank = static_cast<std::int64_t>(std::max<std::size_t>(tensor.rank(), 1));
  if (dim < -rank || dim >= rank)
    fail(refusal_, "%s: dim is %lld, it must be from %lld to %lld for %s", api_,
         static_cast<long long>(dim), static_cast<long long>(-rank),
         static_cast<long long>(rank - 1), tensor.name());
  return std::size_t(dim < 0 ? dim + rank : dim);
}

void Check::that(bool holds, const char* format, ...) const {
  if (holds) return;
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fail(refusal_, "%s: %s", api_, text);
}

}  // namespace pyaclnn::sim
