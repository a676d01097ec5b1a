// SPDX-License-Identifier: MIT
#include "opapi/matmul/weight_quant.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/matmul/gemm.hpp"
#include "opapi/matmul/quant_rows.hpp"
#include "parameters/WeightQuantBatchMatmulNz.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kLongestEdge = 65535;
constexpr std::int64_t kGroupStep = 32;

long long ll(std::int64_t value) { return static_cast<long long>(value); }

/// Whether a matrix is a row-major one with its axes exchanged, as the operators see it.
bool is_transposed(const TensorArgument& tensor) {
  const Dims& strides = tensor.meta().strides;
  const Dims& shape = tensor.shape();
  return strides[0] == 1 && strides[1] == shape[0] && shape.product() != 1;
}

bool scales_are_packed(const TensorArgument& scale) {
  return scale.dtype() == ACL_INT64 || scale.dtype() == ACL_UINT64;
}

void check_dtypes(const Check& check, const WeightQuant& call) {
  const bool is_310p = on_310p();
  const DtypeSet x_types = is_310p ? DtypeSet{ACL_FLOAT16} : DtypeSet{ACL_FLOAT16, ACL_BF16};
  const DtypeSet packed = is_310p ? DtypeSet{} : DtypeSet{ACL_UINT64, ACL_INT64};
  check.dtype_in(x_types, call.x);
  check.dtype_in(is_310p ? DtypeSet{ACL_INT8} : DtypeSet{ACL_INT8, ACL_INT4}, call.weight);
  check.dtype_in(x_types | packed, call.scale);
  check.dtype_in(is_310p ? x_types : x_types | DtypeSet{ACL_INT8}, call.out);
  if (call.out_scale.given()) {
    check.that(call.out.dtype() == ACL_INT8, "with quantScaleOptional y is int8, not %s",
               dtype_name(call.out.dtype()));
  } else {
    check.same_dtype(call.x, call.out);
  }
}

void check_scale_dtypes(const Check& check, const WeightQuant& call) {
  const bool packed = scales_are_packed(call.scale);
  if (call.offset.given() && call.offset.dtype() == ACL_INT32)
    check.that(packed,
               "antiquantOffsetOptional is int32, so antiquantScale must be int64 or uint64");
  if (!packed) {
    check.same_dtype(call.x, call.scale);
    if (call.offset.given()) check.same_dtype(call.scale, call.offset);
    return;
  }
  check.that(call.x.dtype() == ACL_FLOAT16 && call.weight.dtype() == ACL_INT8 &&
                 call.out.dtype() == ACL_FLOAT16,
             "antiquantScale is %s, so x and y must be float16 and weight int8",
             dtype_name(call.scale.dtype()));
  check.that(!call.offset.given() || call.offset.dtype() == ACL_INT32,
             "antiquantScale is %s, so antiquantOffsetOptional must be int32",
             dtype_name(call.scale.dtype()));
}

void check_bias_dtype(const Check& check, const WeightQuant& call) {
  if (!call.bias.given()) return;
  const aclDataType needed = call.x.dtype() == ACL_BF16 ? ACL_FLOAT : ACL_FLOAT16;
  const bool either = on_950() && call.bias.dtype() == ACL_BF16 && call.x.dtype() == ACL_BF16;
  check.that(either || call.bias.dtype() == needed, "biasOptional is %s, beside %s it must be %s",
             dtype_name(call.bias.dtype()), dtype_name(call.x.dtype()), dtype_name(needed));
}

void check_ranks(const Check& check, const WeightQuant& call) {
  for (const TensorArgument* tensor : {&call.x, &call.weight, &call.out})
    check.that(tensor->rank() == 2, "%s has %zu dimensions, it must have 2", tensor->name(),
               tensor->rank());
  for (const TensorArgument* tensor :
       {&call.bias, &call.scale, &call.offset, &call.out_scale, &call.out_offset})
    check.that(!tensor->given() || tensor->rank() == 1 || tensor->rank() == 2,
               "%s has %zu dimensions, it must have 1 or 2", tensor->name(),
               tensor->given() ? tensor->rank() : 0);
}

void check_edges(const Check& check, const WeightQuant& call) {
  const Dims& x = call.x.shape();
  const Dims& weight = call.weight.shape();
  check.that(x[1] == weight[0], "x of shape %s and weight of shape %s: the depths differ",
             x.text().c_str(), weight.text().c_str());
  check.that(x[0] >= 1 && x[1] >= 1 && weight[1] >= 1,
             "x of shape %s and weight of shape %s are "
             "empty",
             x.text().c_str(), weight.text().c_str());
  const bool any_size = on_950() || on_310p();
  check.that(any_size || (weight[0] <= kLongestEdge && weight[1] <= kLongestEdge &&
                          (x[0] <= kLongestEdge || !is_transposed(call.x))),
             "x of shape %s and weight of shape %s: %lld is the most of the depth, of columns, and "
             "of rows of a transposed x",
             x.text().c_str(), weight.text().c_str(), ll(kLongestEdge));
  if (call.weight.dtype() == ACL_INT4) {
    const std::int64_t inner = weight[is_transposed(call.weight) ? 0 : 1];
    check.that(inner % 2 == 0, "the inner axis of weight has %lld elements of int4, an odd number",
               ll(inner));
  }
  check.shape_is(call.out, Dims{x[0], weight[1]}, "the product");
}

void check_group(const Check& check, const WeightQuant& call) {
  if (call.group == 0) return;
  check.that(call.group >= kGroupStep && call.group % kGroupStep == 0,
             "antiquantGroupSize is %lld, it must be 0 or a multiple of %lld", ll(call.group),
             ll(kGroupStep));
  check.that(call.group < call.x.shape()[1], "antiquantGroupSize is %lld, and the depth is %lld",
             ll(call.group), ll(call.x.shape()[1]));
}

void check_scale_shape(const Check& check, const WeightQuant& call) {
  const Dims& scale = call.scale.shape();
  const std::int64_t depth = call.weight.shape()[0];
  const std::int64_t columns = call.weight.shape()[1];
  const std::int64_t last = scale.back();
  bool fits = false;
  if (call.group > 0) {
    fits = scale.size() == 2 && last == columns &&
           scale[0] == depth / call.group + (depth % call.group != 0);
  } else {
    fits = (scale.size() == 1 || scale[0] == 1) && (last == 1 || last == columns);
  }
  check.that(fits, "antiquantScale has shape %s beside a weight of %s in groups of %lld",
             scale.text().c_str(), call.weight.shape().text().c_str(), ll(call.group));
  if (call.offset.given()) check.same_shape(call.scale, call.offset);
}

/// One value for each column, in one row.
void check_row(const Check& check, const TensorArgument& row, std::int64_t columns, bool or_one) {
  if (!row.given()) return;
  const Dims& shape = row.shape();
  const std::int64_t last = shape.back();
  const bool fits = shape.size() == 1 ? last == columns || last == 0 || (or_one && last == 1)
                                      : shape[0] == 1 && last == columns;
  check.that(fits, "%s has shape %s beside %lld columns", row.name(), shape.text().c_str(),
             ll(columns));
}

void check_layouts(const Check& check, const WeightQuant& call) {
  const bool turned = is_transposed(call.weight);
  for (const TensorArgument* tensor : {&call.x, &call.weight})
    check.that(tensor->meta().is_contiguous() || is_transposed(*tensor),
               "%s is neither contiguous nor a transposed matrix", tensor->name());
  for (const TensorArgument* tensor : {&call.scale, &call.offset})
    check.that(!tensor->given() || turned || tensor->meta().is_contiguous(),
               "%s must be contiguous, as weight is not transposed", tensor->name());
  for (const TensorArgument* tensor : {&call.out, &call.out_scale, &call.out_offset, &call.bias})
    check.that(!tensor->given() || tensor->meta().is_contiguous(), "%s must be contiguous",
               tensor->name());
}

/// A tensor of scales as rows that are as wide as the weight.
View as_rows(View view, std::int64_t columns) {
  if (view.shape.size() == 1) {
    view.shape = Dims{1, view.shape[0]};
    view.strides = Dims{0, view.strides[0]};
  }
  if (view.shape[1] != columns) view.strides = Dims{view.strides[0], 0};
  if (view.shape[0] == 1) view.strides = Dims{0, view.strides[1]};
  view.shape = Dims{view.shape[0], columns};
  return view;
}

/// Makes the weight of one type with x, row by row.
struct Restore {
  QuantRows weight, scale;
  std::unique_ptr<QuantRows> offset;
  std::int64_t depth, columns, group;
  aclDataType dtype;
  std::uint64_t to;  // in the workspace

  void row(const KernelMemory& memory, std::int64_t k, std::vector<float>& line) const {
    float* const w = line.data();
    float* const s = w + columns;
    const std::int64_t parameters = group == 0 ? 0 : k / group;
    weight.read(memory, k, columns, w);
    if (offset != nullptr) {
      offset->read(memory, parameters, columns, s);
      for (std::int64_t i = 0; i < columns; ++i) w[i] += s[i];
    }
    scale.read(memory, parameters, columns, s);
    for (std::int64_t i = 0; i < columns; ++i) w[i] *= s[i];
    const auto size = std::int64_t(dtype_size(dtype));
    storer<float>(dtype, Rounding::kNearestEven)(w, columns,
                                                 memory.workspace + to + k * columns * size, 1);
  }

  void operator()(const KernelMemory& memory) const {
    constexpr std::int64_t kGrain = 16384;
    parallel_for(depth, std::max<std::int64_t>(1, kGrain / columns),
                 [&](std::int64_t begin, std::int64_t end) {
                   std::vector<float> line(std::size_t(2 * columns));
                   for (std::int64_t k = begin; k < end; ++k) row(memory, k, line);
                 });
  }
};

/// Eight numbers of 4 bits are in a word along the last axis.
void unpack_words(const Check& check, const TensorArgument& tensor, TensorMeta& meta) {
  check.that(tensor.rank() == 2 && tensor.meta().is_contiguous(),
             "%s of words must be a matrix that is not transposed", tensor.name());
  constexpr std::int64_t kInWord = 8, kMost = std::int64_t(1) << 56;
  const std::size_t last = meta.storage_shape.size() - 1;
  check.that(
      meta.shape[1] < kMost && !meta.storage_shape.empty() && meta.storage_shape[last] < kMost,
      "%s has shape %s", tensor.name(), meta.shape.text().c_str());
  meta.dtype = meta.dtype == ACL_INT32 ? ACL_INT4 : ACL_FLOAT4_E2M1;
  meta.format = ACL_FORMAT_FRACTAL_NZ;
  meta.shape.set(1, meta.shape[1] * kInWord);
  meta.strides.set(0, meta.shape[1]);
  meta.storage_shape.set(last, meta.storage_shape[last] * kInWord);
}

/// The types that a weight in blocks goes with.
void check_blocks(const Check& check, const WeightQuant& call) {
  const DtypeSet halves{ACL_FLOAT16, ACL_BF16};
  const aclDataType x = call.x.dtype(), weight = call.weight.dtype(), scale = call.scale.dtype();
  check.dtype_in(halves, call.x);
  check.dtype_in(DtypeSet{ACL_INT8, ACL_INT4, ACL_FLOAT4_E2M1}, call.weight);
  check.dtype_in(halves | DtypeSet{ACL_FLOAT8_E8M0}, call.scale);
  check.same_dtype(call.x, call.out);
  const bool floats = weight == ACL_FLOAT4_E2M1;
  check.that(scale == x || (floats && scale == ACL_FLOAT8_E8M0),
             "antiquantScale is %s beside x of %s", dtype_name(scale), dtype_name(x));
  check.that(!call.offset.given() || (!floats && call.offset.dtype() == scale),
             "antiquantOffsetOptional must be null, or of the type of antiquantScale");
  if (!call.bias.given()) return;
  const aclDataType bias = call.bias.dtype();
  const bool wide = x == ACL_BF16 && !floats && bias == ACL_FLOAT;
  check.that(wide || (bias == x && !(x == ACL_BF16 && weight == ACL_INT8)),
             "biasOptional is %s beside x of %s and weight of %s", dtype_name(bias), dtype_name(x),
             dtype_name(weight));
}

/// The groups that it may have.
void check_blocks_groups(const Check& check, const WeightQuant& call) {
  const aclDataType weight = call.weight.dtype();
  const bool whole = weight == ACL_INT8;
  check.that(whole || !is_transposed(call.weight), "weight of 4 bits must not be transposed");
  check.that(!is_transposed(call.x), "x must not be transposed");
  check.that(!whole || call.group == 0, "antiquantGroupSize must be 0 beside int8");
  check.that(weight != ACL_FLOAT4_E2M1 || call.group > 0, "float4 must be in groups");
  check.that(call.scale.dtype() != ACL_FLOAT8_E8M0 || call.group == kGroupStep,
             "antiquantGroupSize must be 32 beside float8_e8m0");
  check.that(call.group > 0 || call.scale.elements() != 1, "there is one scale for all columns");
  check.that(
      !whole || (call.weight.shape()[0] <= kLongestEdge && call.weight.shape()[1] <= kLongestEdge),
      "weight has shape %s", call.weight.shape().text().c_str());
}

}  // namespace

void require_chip_of_weight_quant(const Plan& plan) {
  if (chip().soc == Soc::kAscend910)
    fail(ACLNN_ERR_RUNTIME_ERROR, "%s: %s does not have the operator", plan.api(), chip().name);
}

void check_weight_quant(const Check& check, const Plan& plan, const WeightQuant& call) {
  if (on_310p() && (call.out_scale.given() || call.out_offset.given()))
    fail(ACLNN_ERR_PARAM_NULLPTR, "%s: results are not quantised on Ascend310P", plan.api());
  check_dtypes(check, call);
  if (on_310p() && (call.x.rank() > 2 || call.weight.rank() > 2))
    fail_not_simulated(plan, "a batch of matrices");
  check_scale_dtypes(check, call);
  check_bias_dtype(check, call);
  check_ranks(check, call);
  check.that(call.out_scale.given() || !call.out_offset.given(),
             "quantOffsetOptional is given, and quantScaleOptional is not");
  check.that(!call.out_scale.given() || call.out_scale.dtype() == ACL_UINT64,
             "quantScaleOptional must be uint64, which aclnnTransQuantParam makes");
  check_edges(check, call);
  check_group(check, call);
  check_scale_shape(check, call);
  check_row(check, call.out_scale, call.weight.shape()[1], true);
  check_row(check, call.bias, call.weight.shape()[1], false);
  check_layouts(check, call);
  if (call.out_scale.given()) fail_not_simulated(plan, "a quantised result");
  if (scales_are_packed(call.scale)) fail_not_simulated(plan, "a scale of 64 bits");
}

void weight_quant_matmul(Plan& plan, const WeightQuant& call, bool in_blocks) {
  const std::int64_t depth = call.weight.shape()[0];
  const std::int64_t columns = call.weight.shape()[1];
  const aclDataType type = call.x.dtype();
  const PlainOperand plain(plan, call.weight, in_blocks);
  const View& weight = plain.view();
  Restore restore{QuantRows(weight),
                  QuantRows(as_rows(plan.reads(call.scale), columns)),
                  nullptr,
                  depth,
                  columns,
                  call.group,
                  type,
                  plan.reserve(call.weight.elements(), type)};
  if (call.offset.given())
    restore.offset = std::make_unique<QuantRows>(as_rows(plan.reads(call.offset), columns));
  Gemm gemm;
  gemm.a = plan.reads(call.x);
  gemm.b = {weight.operand, type, 0, Dims{depth, columns}, Dims{columns, 1}};
  gemm.out = plan.writes(call.out);
  if (call.bias.given() && !call.bias.is_empty()) gemm.addend = plan.reads(call.bias);
  // The product finds the restored weight where it looks for the weight.
  plan.launch(
      plain.before([restore = std::move(restore), product = gemm_kernel(plan, std::move(gemm)),
                    operand = weight.operand](const KernelMemory& memory) {
        restore(memory);
        KernelMemory with = memory;
        with.operands[operand] = memory.workspace + restore.to;
        product(with);
      }));
}

/// A weight in the blocks of the matrix unit, of 8 bits or 4, which words may hold.
void weight_quant_matmul_nz(const Check& check, Plan& plan,
                            const WeightQuantBatchMatmulNzParameters& c) {
  if (!on_950())
    fail(ACLNN_ERR_RUNTIME_ERROR, "%s: %s does not have the operator", plan.api(), chip().name);
  check.not_null(c.x, c.weight, c.antiquantScale, c.y);
  if (c.quantScaleOptional.given() || c.quantOffsetOptional.given())
    fail(ACLNN_ERR_PARAM_NULLPTR, "%s: results are not quantised", plan.api());
  const int format = c.weight.meta().format;
  check.that(format == ACL_FORMAT_FRACTAL_NZ || format == ACL_FORMAT_FRACTAL_NZ_C0_2,
             "weight is not in FRACTAL_NZ");
  TensorMeta weight = c.weight.meta(), scale = c.antiquantScale.meta();
  const bool in_floats = weight.dtype == ACL_FLOAT;
  if (in_floats && scale.dtype == ACL_UINT8) scale.dtype = ACL_FLOAT8_E8M0;
  if (in_floats || weight.dtype == ACL_INT32) unpack_words(check, c.weight, weight);
  const TensorArgument numbers(c.weight.name(), c.weight.index(), &weight);
  const TensorArgument scales(c.antiquantScale.name(), c.antiquantScale.index(), &scale);
  const WeightQuant call{c.x,
                         numbers,
                         scales,
                         c.antiquantOffsetOptional,
                         c.quantScaleOptional,
                         c.quantOffsetOptional,
                         c.biasOptional,
                         c.antiquantGroupSize,
                         c.y};
  check_ranks(check, call);
  check_layouts(check, call);
  check_blocks(check, call);
  check_edges(check, call);
  check_group(check, call);
  check_scale_shape(check, call);
  check_row(check, call.bias, numbers.shape()[1], false);
  check_blocks_groups(check, call);
  weight_quant_matmul(plan, call, true);
}

}  // namespace pyaclnn::sim
