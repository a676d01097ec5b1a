// SPDX-License-Identifier: MIT
#include "opapi/common/promote.hpp"

#include <algorithm>

#include "objects/dtype.hpp"

namespace pyaclnn::sim {
namespace {

enum class Category { kNone, kBool, kInteger, kFloating, kComplex };

/// Category, and rank within it.
struct Place {
  Category category;
  int rank;
};

Place place_of(aclDataType dtype) {
  switch (dtype) {
    case ACL_BOOL:
      return {Category::kBool, 0};
    case ACL_UINT8:
    case ACL_INT8:
      return {Category::kInteger, 0};
    case ACL_INT16:
      return {Category::kInteger, 1};
    case ACL_INT32:
      return {Category::kInteger, 2};
    case ACL_INT64:
      return {Category::kInteger, 3};
    case ACL_FLOAT16:
    case ACL_BF16:
      return {Category::kFloating, 0};
    case ACL_FLOAT:
      return {Category::kFloating, 1};
    case ACL_DOUBLE:
      return {Category::kFloating, 2};
    case ACL_COMPLEX64:
      return {Category::kComplex, 1};
    case ACL_COMPLEX128:
      return {Category::kComplex, 2};
    default:
      return {Category::kNone, 0};
  }
}

bool is_wide_unsigned(aclDataType dtype) {
  return dtype == ACL_UINT16 || dtype == ACL_UINT32 || dtype == ACL_UINT64;
}

}  // namespace

aclDataType promote(aclDataType a, aclDataType b) {
  if (a == b) return a;
  // CANN's table has these in its rows, and not in its columns.
  if (is_wide_unsigned(a) && (b == ACL_COMPLEX64 || b == ACL_COMPLEX128))
    return a == ACL_UINT64 ? ACL_COMPLEX128 : b;
  const Place x = place_of(a);
  const Place y = place_of(b);
  if (x.category == Category::kNone || y.category == Category::kNone) return ACL_DT_UNDEFINED;
  const bool complex = std::max(x.category, y.category) == Category::kComplex;
  if (complex && x.category >= Category::kFloating && y.category >= Category::kFloating)
    return std::max(x.rank, y.rank) == 2 ? ACL_COMPLEX128 : ACL_COMPLEX64;
  if (x.category != y.category) return x.category > y.category ? a : b;
  if (x.rank != y.rank) return x.rank > y.rank ? a : b;
  return x.category == Category::kInteger ? ACL_INT16 : ACL_FLOAT;
}

bool can_cast(aclDataType from, aclDataType to) {
  if (from == to) return true;
  const auto category = [](aclDataType dtype) {
    return is_wide_unsigned(dtype) ? Category::kInteger : place_of(dtype).category;
  };
  return category(from) != Category::kNone && category(from) <= category(to);
}

aclDataType promoted(const Check&, const TensorArgument& first) { return first.dtype(); }

void check_castable(const Check& check, aclDataType dtype, const TensorArgument& out) {
  // Tests of others look for these words.
  check.that(can_cast(dtype, out.dtype()),
             "the result is %s and can't be cast to the desired output type %s of %s",
             dtype_name(dtype), dtype_name(out.dtype()), out.name());
}

}  // namespace pyaclnn::sim
