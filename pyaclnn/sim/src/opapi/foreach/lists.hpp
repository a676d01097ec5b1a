// What operators on lists of tensors check.
//
// CANN has two kinds. Those written by hand refuse whatever is wrong with 161002. Those generated
// from their kernels look at the first tensor of each list when they choose the kernel (561003,
// 161002), and at the others when its work is divided (561002); between the two, a call whose
// results are all empty is done.
// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

using Lists = std::initializer_list<const TensorListIn*>;

/// Lists of one length, 161001 otherwise; only aclnnForeachAddScalarV2 looks at this first.
void check_lengths_first(const TensorListIn& list, const TensorListIn& other);

/// All that an operator written by hand wants of its lists: the chip, one element type of those
/// accepted, one length, shapes, formats.
void check_lists(const Check& check, const DtypeSet& accepted, Lists lists,
                 const TensorListIn& out);

/// Its scalar beside these tensors: for float32 and bfloat16 a float or double, for float16 a
/// float16 or double, where it is `wide` on the 950 a float as well, for int32 an integer.
void check_scalar_beside(const Check& check, const TensorListIn& list, const ScalarIn& scalar,
                         bool wide);

/// The type its kernel gets the scalar in.
aclDataType scalar_type_beside(const TensorListIn& list, bool wide);

/// Where CANN has a generated operator: on Atlas A2, A3 and the 950; on the 950 alone; or on the
/// inference chips as well.
enum class Kernels { kUsual, kNewest, kInferenceToo };

/// What a generated operator looks at to choose its kernel.
void check_kernel_lists(const Check& check, const Plan& plan, const DtypeSet& accepted, Lists lists,
                        const TensorListIn& out, Kernels kernels = Kernels::kUsual);

/// Its numbers beside these tensors: float or double for floating point, int64 for int32.
void check_kernel_number(const Check& check, const TensorListIn& list, const ScalarIn& number);
void check_kernel_number(const Check& check, const TensorListIn& list, const ScalarListIn& numbers);
/// The same of numbers in a tensor: the type of the list, or float32 beside bfloat16; where it is
/// `wide` beside float16 on the 950 as well.
void check_kernel_number(const Check& check, const TensorListIn& list,
                         const TensorArgument& numbers, bool wide = false);
/// The type of the list itself.
void check_kernel_dtype(const Check& check, const TensorListIn& list,
                        const TensorArgument& numbers);

/// The type its kernel computes in.
aclDataType kernel_type(const TensorListIn& list);

bool all_empty(const TensorListIn& list);

/// Divides the work of a generated operator.
void divide_lists(const Plan& plan, Lists lists, const TensorListIn& out);
/// The same where each tensor has one result, of `out`.
void divide_reduced(const Plan& plan, const TensorListIn& list, const TensorListIn& out);
/// The same where the kernel goes through more tensors, of which none may be empty.
void divide_all(const Plan& plan, const TensorListIn& list);
/// One number for all tensors, or one for each.
void divide_one(const Plan& plan, const TensorArgument& number);
void divide_each(const Plan& plan, const TensorListIn& list, const TensorArgument& numbers);
void divide_each(const Plan& plan, const TensorListIn& list, const ScalarListIn& numbers);

}  // namespace pyaclnn::sim
