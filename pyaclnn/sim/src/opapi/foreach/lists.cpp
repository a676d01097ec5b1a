// SPDX-License-Identifier: MIT
#include "opapi/foreach/lists.hpp"

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "objects/dtype.hpp"
#include "objects/formats.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"

namespace pyaclnn::sim {
namespace {

/// Tensors that one kernel goes through.
constexpr std::size_t kMaxTensors = 50;
/// The same of kernels that reduce them.
constexpr std::size_t kMaxReduced = 256;
constexpr std::size_t kMaxRank = 8;

bool has_kernels() { return !on_first_generation(); }

const char* text(aclDataType dtype) { return dtype_name(dtype); }

/// Every tensor of a list is there and has this type.
void check_elements(const Check& check, const TensorListIn& list, aclDataType dtype) {
  for (const TensorArgument& tensor : list.tensors) {
    check.that(tensor.given(), "%s is null", tensor.name());
    check.that(tensor.dtype() == dtype, "%s is %s, all tensors of all lists must be %s",
               tensor.name(), text(tensor.dtype()), text(dtype));
    check.that(!kPrivateFormats.contains(tensor.meta().format), "%s has a private format",
               tensor.name());
  }
}

bool is_floating(aclDataType dtype) { return dtype == ACL_FLOAT || is_16_bit_float(dtype); }

void check_number(const Check& check, aclDataType list, const ScalarIn& number) {
  const aclDataType dtype = number->dtype();
  // A double is handed on as a float.
  const bool fits =
      is_floating(list) ? dtype == ACL_FLOAT || dtype == ACL_DOUBLE : dtype == ACL_INT64;
  check.that(fits, "%s is %s, beside tensors of %s it must be %s", number.name(), text(dtype),
             text(list), is_floating(list) ? "float32 or float64" : "int64");
}

/// `list` is as long as the first, and of one element type with it.
void divide_like(const Plan& plan, const TensorListIn& first, const TensorListIn& list) {
  const std::size_t count = first.tensors.size();
  check_tiling(plan, list.tensors.size() == count, "%s has %zu tensors, %s has %zu", list.name(),
               list.tensors.size(), first.name(), count);
  const aclDataType dtype = first.tensors.front().dtype();
  for (const TensorArgument& tensor : list.tensors) {
    check_tiling(plan, tensor.rank() <= kMaxRank, "%s has %zu dimensions, at most %zu",
                 tensor.name(), tensor.rank(), kMaxRank);
    check_tiling(plan, tensor.dtype() == dtype, "%s is %s, all tensors must be %s", tensor.name(),
                 text(tensor.dtype()), text(dtype));
  }
}

}  // namespace

void check_lengths_first(const TensorListIn& list, const TensorListIn& other) {
  if (list.tensors.size() != other.tensors.size())
    fail(ACLNN_ERR_PARAM_NULLPTR, "%s has %zu tensors, %s has %zu", list.name(),
         list.tensors.size(), other.name(), other.tensors.size());
}

void check_lists(const Check& check, const DtypeSet& accepted, Lists lists,
                 const TensorListIn& out) {
  check.that(has_kernels(), "%s has no such kernel", chip().name);
  const TensorListIn& first = **lists.begin();
  const std::size_t count = first.tensors.size();
  const auto check_length = [&](const TensorListIn& list) {
    check.that(list.tensors.size() == count, "%s has %zu tensors, %s has %zu", list.name(),
               list.tensors.size(), first.name(), count);
  };
  if (count > 0) {
    const TensorArgument& leader = first.tensors.front();
    check.that(leader.given(), "%s is null", leader.name());
    check.dtype_in(accepted, leader);
    for (const TensorListIn* list : lists) check_elements(check, *list, leader.dtype());
    check_elements(check, out, leader.dtype());
  }
  for (const TensorListIn* list : lists) check_length(*list);
  // CANN goes by the first list, and writes nothing behind its length.
  check.that(out.tensors.size() >= count, "%s has %zu tensors, %s has %zu", out.name(),
             out.tensors.size(), first.name(), count);
  check.that(count <= kMaxTensors, "%s has %zu tensors, one call takes at most %zu", first.name(),
             count, kMaxTensors);
  for (std::size_t i = 0; i < count; ++i) {
    const TensorArgument& tensor = first.tensors[i];
    for (const TensorListIn* list : lists) check.same_shape(tensor, list->tensors[i]);
    check.rank_at_most(kMaxRank, tensor);
    check.same_shape(tensor, out.tensors[i]);
    // CANN does not look, and writes one value behind the other.
    check.that(out.tensors[i].meta().is_contiguous(), "%s is a strided view, it must be contiguous",
               out.tensors[i].name());
  }
}

void check_scalar_beside(const Check& check, const TensorListIn& list, const ScalarIn& scalar,
                         bool wide) {
  if (list.tensors.empty()) return;
  DtypeSet accepted{ACL_INT32, ACL_INT64};
  const aclDataType dtype = list.tensors.front().dtype();
  if (dtype == ACL_FLOAT16) {
    accepted = {ACL_FLOAT16, ACL_DOUBLE};
    if (wide && on_950()) accepted = accepted | DtypeSet{ACL_FLOAT};
  } else if (is_floating(dtype)) {
    accepted = {ACL_FLOAT, ACL_DOUBLE};
  }
  check.dtype_in(accepted, scalar);
}

aclDataType scalar_type_beside(const TensorListIn& list, bool wide) {
  if (list.tensors.empty()) return ACL_FLOAT;
  const aclDataType dtype = list.tensors.front().dtype();
  const bool widened = dtype == ACL_FLOAT16 && wide && on_950();
  return widened || dtype == ACL_BF16 ? ACL_FLOAT : dtype;
}

void check_kernel_lists(const Check& check, const Plan& plan, const DtypeSet& accepted, Lists lists,
                        const TensorListIn& out, Kernels kernels) {
  const Soc soc = chip().soc;
  check_kernel_exists(
      plan, kernels == Kernels::kNewest
                ? soc == Soc::kAscend950
                : has_kernels() || (kernels == Kernels::kInferenceToo && soc == Soc::kAscend310P));
  const auto check_first = [&](const TensorListIn& list) {
    // An empty list has no first tensor that the kernel could be chosen by.
    check.that(!list.tensors.empty(), "%s is empty, it must have a tensor", list.name());
    for (const TensorArgument& tensor : list.tensors)
      check.that(tensor.given(), "%s is null", tensor.name());
    const TensorArgument& tensor = list.tensors.front();
    check.dtype_in(accepted, tensor);
    check.same_dtype((*lists.begin())->tensors.front(), tensor);
    check.that(!kPrivateFormats.contains(tensor.meta().format), "%s has a private format",
               tensor.name());
  };
  for (const TensorListIn* list : lists) check_first(*list);
  check_first(out);
}

void check_kernel_number(const Check& check, const TensorListIn& list, const ScalarIn& number) {
  check_number(check, list.tensors.front().dtype(), number);
}

void check_kernel_number(const Check& check, const TensorListIn& list,
                         const ScalarListIn& numbers) {
  for (const ScalarIn& number : numbers.scalars) {
    check.that(number.given(), "%s is null", number.name());
    check_number(check, list.tensors.front().dtype(), number);
  }
}

void check_kernel_number(const Check& check, const TensorListIn& list,
                         const TensorArgument& numbers, bool wide) {
  const aclDataType dtype = list.tensors.front().dtype();
  const aclDataType wanted = dtype == ACL_BF16 ? ACL_FLOAT : dtype;
  if (wide && dtype == ACL_FLOAT16 && numbers.dtype() == ACL_FLOAT && on_950()) return;
  check.that(numbers.dtype() == wanted, "%s is %s, beside tensors of %s it must be %s",
             numbers.name(), text(numbers.dtype()), text(dtype), text(wanted));
}

void check_kernel_dtype(const Check& check, const TensorListIn& list,
                        const TensorArgument& numbers) {
  check.same_dtype(list.tensors.front(), numbers);
}

aclDataType kernel_type(const TensorListIn& list) {
  const aclDataType dtype = list.tensors.empty() ? ACL_FLOAT : list.tensors.front().dtype();
  return is_floating(dtype) ? ACL_FLOAT : dtype;
}

bool all_empty(const TensorListIn& list) {
  for (const TensorArgument& tensor : list.tensors)
    if (!tensor.is_empty()) return false;
  return true;
}

void divide_lists(const Plan& plan, Lists lists, const TensorListIn& out) {
  const TensorListIn& first = **lists.begin();
  const std::size_t count = first.tensors.size();
  check_tiling(plan, count <= kMaxTensors, "%s has %zu tensors, one call takes at most %zu",
               first.name(), count, kMaxTensors);
  const auto check_list = [&](const TensorListIn& list) {
    divide_like(plan, first, list);
    for (std::size_t i = 0; i < count; ++i) {
      const TensorArgument& tensor = list.tensors[i];
      check_tiling(plan, tensor.shape() == first.tensors[i].shape(),
                   "%s has shape %s, %s has shape %s", tensor.name(), tensor.shape().text().c_str(),
                   first.tensors[i].name(), first.tensors[i].shape().text().c_str());
    }
  };
  for (const TensorListIn* list : lists) check_list(*list);
  check_list(out);
}

void divide_reduced(const Plan& plan, const TensorListIn& list, const TensorListIn& out) {
  check_tiling(plan, list.tensors.size() <= kMaxReduced,
               "%s has %zu tensors, one call takes at most %zu", list.name(), list.tensors.size(),
               kMaxReduced);
  divide_like(plan, list, list);
  divide_like(plan, list, out);
  for (const TensorArgument& tensor : out.tensors) divide_one(plan, tensor);
}

void divide_all(const Plan& plan, const TensorListIn& list) {
  check_tiling(plan, list.tensors.size() <= kMaxReduced,
               "%s has %zu tensors, one call takes at most %zu", list.name(), list.tensors.size(),
               kMaxReduced);
  divide_like(plan, list, list);
  for (const TensorArgument& tensor : list.tensors)
    check_tiling(plan, !tensor.is_empty(), "%s is empty", tensor.name());
}

void divide_one(const Plan& plan, const TensorArgument& number) {
  check_tiling(plan, number.elements() == 1, "%s has %lld elements, it must have one",
               number.name(), static_cast<long long>(number.elements()));
  check_tiling(plan, number.rank() <= kMaxRank, "%s has %zu dimensions, at most %zu", number.name(),
               number.rank(), kMaxRank);
}

void divide_each(const Plan& plan, const TensorListIn& list, const TensorArgument& numbers) {
  check_tiling(plan, numbers.rank() <= kMaxRank, "%s has %zu dimensions, at most %zu",
               numbers.name(), numbers.rank(), kMaxRank);
  check_tiling(plan, numbers.elements() == std::int64_t(list.tensors.size()),
               "%s has %lld elements, %s has %zu tensors", numbers.name(),
               static_cast<long long>(numbers.elements()), list.name(), list.tensors.size());
}

void divide_each(const Plan& plan, const TensorListIn& list, const ScalarListIn& numbers) {
  check_tiling(plan, numbers.scalars.size() == list.tensors.size(),
               "%s has %zu numbers, %s has %zu tensors", numbers.name(), numbers.scalars.size(),
               list.name(), list.tensors.size());
}

}  // namespace pyaclnn::sim
