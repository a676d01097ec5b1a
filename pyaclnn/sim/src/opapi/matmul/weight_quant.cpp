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
#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/words.hpp"
#include "opapi/matmul/matmul.hpp"
#include "opapi/matmul/quant_rows.hpp"
#include "opapi/matmul/quantised_result.hpp"
#include "opapi/product/gemm.hpp"
#include "parameters/WeightQuantBatchMatmulV3.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kLongestEdge = 65535;
constexpr std::int64_t kMostInGroups = 512000000;  // elements of a matrix of x, on the 310P
constexpr std::int64_t kGroupStep = 32;

std::int64_t rows_of(const TensorArgument& matrix) { return matrix.shape()[matrix.rank() - 2]; }

/// Whether matrices are row-major ones with their axes exchanged, as the operators see them.
bool is_transposed(const TensorArgument& tensor) {
  const Dims& strides = tensor.meta().strides;
  const Dims& shape = tensor.shape();
  if (!is_turned(tensor)) return false;
  std::int64_t step = rows_of(tensor) * shape.back();
  for (std::size_t axis = shape.size() - 2; axis-- > 0; step *= shape[axis])
    if (strides[axis] != step) return false;
  return true;
}

bool scales_are_packed(const TensorArgument& scale) {
  return scale.dtype() == ACL_INT64 || scale.dtype() == ACL_UINT64;
}

constexpr DtypeSet kHalves{ACL_FLOAT16, ACL_BF16};
constexpr DtypeSet kFloatWeights{ACL_FLOAT4_E2M1, ACL_FLOAT8_E4M3FN, ACL_HIFLOAT8};  // the 950's
constexpr DtypeSet kFourBits{ACL_INT4, ACL_FLOAT4_E2M1};

void check_dtypes(const Check& check, const WeightQuant& call) {
  const DtypeSet x_types = on_310p() ? DtypeSet{ACL_FLOAT16} : kHalves;
  DtypeSet weights{ACL_INT8}, scales = x_types, results = x_types;
  if (!on_310p()) weights = weights | DtypeSet{ACL_INT4};
  if (on_950()) {
    weights = weights | kFloatWeights;
    scales = scales | DtypeSet{ACL_FLOAT8_E8M0};
  } else if (!on_310p()) {
    scales = scales | DtypeSet{ACL_UINT64, ACL_INT64};
    results = results | DtypeSet{ACL_INT8};
  }
  check.dtype_in(x_types, call.x);
  check.dtype_in(weights, call.weight);
  check.dtype_in(scales, call.scale);
  check.dtype_in(results, call.out);
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
    const bool floats = kFloatWeights.contains(call.weight.dtype());
    if (call.scale.dtype() != ACL_FLOAT8_E8M0) check.same_dtype(call.x, call.scale);
    check.that(!floats || !call.offset.given(), "antiquantOffsetOptional is given beside %s",
               dtype_name(call.weight.dtype()));
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
  const aclDataType x = call.x.dtype(), weight = call.weight.dtype(), bias = call.bias.dtype();
  const bool floats = kFloatWeights.contains(weight);
  const bool blocks_of_bytes = weight == ACL_INT8 && is_nz(call.weight.meta().format);
  const bool same = x == ACL_FLOAT16 || (on_950() && !blocks_of_bytes);
  const bool wide = x == ACL_BF16 && !floats;
  check.that((same && bias == x) || (wide && bias == ACL_FLOAT),
             "biasOptional is %s beside x of %s and weight of %s", dtype_name(bias), dtype_name(x),
             dtype_name(weight));
}

void check_rank(const Check& check, const TensorArgument& tensor, std::size_t least,
                std::size_t most) {
  check.that(tensor.rank() >= least && tensor.rank() <= most,
             "%s has %zu dimensions, it must have %zu to %zu", tensor.name(), tensor.rank(), least,
             most);
}

void check_ranks(const Check& check, const WeightQuant& call) {
  const std::size_t most = on_310p() ? 6 : 2;
  for (const TensorArgument* tensor : {&call.x, &call.weight, &call.out})
    check_rank(check, *tensor, 2, most);
  if (call.bias.given()) check_rank(check, call.bias, 1, most);
  for (const TensorArgument* tensor :
       {&call.scale, &call.offset, &call.out_scale, &call.out_offset})
    if (tensor->given()) check_rank(check, *tensor, 1, 2);
}

/// Whether neither the depth nor columns, nor rows of a transposed x, are too many for kernels.
bool has_short_edges(const WeightQuant& call) {
  return rows_of(call.weight) <= kLongestEdge && call.weight.shape().back() <= kLongestEdge &&
         (rows_of(call.x) <= kLongestEdge || !is_transposed(call.x));
}

void check_edges(const Check& check, const WeightQuant& call) {
  const Dims& x = call.x.shape();
  const Dims& weight = call.weight.shape();
  const Dims product = product_shape(check, call.x, call.weight);
  const std::int64_t rows = rows_of(call.x), depth = x.back(), columns = weight.back();
  check.that(rows >= 1 && depth >= 1 && columns >= 1,
             "x of shape %s and weight of shape %s are empty", x.text().c_str(),
             weight.text().c_str());
  check.that(on_950() || on_310p() || has_short_edges(call),
             "x of shape %s and weight of shape %s: %lld is the most of the depth, of columns, and "
             "of rows of a transposed x",
             x.text().c_str(), weight.text().c_str(), ll(kLongestEdge));
  check.that(!on_310p() || call.group == 0 || rows <= kMostInGroups / depth,
             "x has matrices of %lld by %lld, which weights in groups are not multiplied with",
             ll(rows), ll(depth));
  if (kFourBits.contains(call.weight.dtype())) {
    const std::int64_t inner = is_transposed(call.weight) ? depth : columns;
    check.that(inner % 2 == 0, "the inner axis of weight has %lld elements of %s, an odd number",
               ll(inner), dtype_name(call.weight.dtype()));
  }
  check.shape_is(call.out, product, "the product");
}

void check_group(const Check& check, const WeightQuant& call) {
  if (call.group == 0) return;
  check.that(call.group >= kGroupStep && call.group % kGroupStep == 0,
             "antiquantGroupSize is %lld, it must be 0 or a multiple of %lld", ll(call.group),
             ll(kGroupStep));
  check.that(call.group < call.x.shape().back(),
             "antiquantGroupSize is %lld, and the depth is %lld", ll(call.group),
             ll(call.x.shape().back()));
}

void check_scale_shape(const Check& check, const WeightQuant& call) {
  const Dims& scale = call.scale.shape();
  const std::int64_t depth = rows_of(call.weight);
  const std::int64_t columns = call.weight.shape().back();
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
  if (shape.size() > 2) return;  // a bias of batches, at which kernels look
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

/// The floats in the low halves of words.
View low_halves(View view) {
  view.dtype = ACL_FLOAT;
  view.offset *= 2;
  for (std::size_t i = 0; i < view.strides.size(); ++i) view.strides.set(i, view.strides[i] * 2);
  return view;
}

/// A tensor of scales with the steps of rows that are as wide as the weight.
View as_rows(View view, std::int64_t columns) {
  if (view.shape.size() == 1) {
    view.shape = Dims{1, view.shape[0]};
    view.strides = Dims{0, view.strides[0]};
  }
  if (view.shape[1] != columns) view.strides = Dims{view.strides[0], 0};
  if (view.shape[0] == 1) view.strides = Dims{0, view.strides[1]};
  return view;
}

/// The rows of each matrix of a batch, which lie behind one another.
std::vector<QuantRows> rows_of_matrices(View view) {
  const std::int64_t elements = view.shape[view.shape.size() - 2] * view.shape.back();
  const std::int64_t matrices = view.shape.product() / elements;
  const std::size_t outer = view.shape.size() - 2;
  view.shape = Dims(view.shape.begin() + outer, 2);
  view.strides = Dims(view.strides.begin() + outer, 2);
  std::vector<QuantRows> rows;
  for (std::int64_t i = 0; i < matrices; ++i, view.offset += elements) rows.emplace_back(view);
  return rows;
}

/// Makes the weight of one type with x, row by row.
struct Restore {
  std::vector<QuantRows> weight;  // of each matrix
  QuantRows scale;
  std::unique_ptr<QuantRows> offset;
  std::int64_t depth, columns, group;
  aclDataType dtype;
  std::uint64_t to;  // in the workspace
  bool packed;       // scales are words, of whose floats 19 bits count

  /// Floats of a row of the weight, and what they are scaled and shifted with.
  struct Line {
    std::vector<float> weight, scale, offset;
    std::int64_t group = -1;  // whose these are
  };

  void read_group(const KernelMemory& memory, std::int64_t number, Line& line) const {
    if (line.group == number) return;
    line.group = number;
    if (offset != nullptr) offset->read(memory, number, columns, line.offset.data());
    scale.read(memory, number, columns, line.scale.data());
    for (std::int64_t i = 0; i < columns && packed; ++i) {
      float& own = line.scale[std::size_t(i)];
      own = scale_of_parameter(quant_parameter(own, false));
    }
  }

  void row(const KernelMemory& memory, std::int64_t number, Line& line) const {
    float* const w = line.weight.data();
    const std::int64_t k = number % depth;
    read_group(memory, group == 0 ? 0 : k / group, line);
    weight[std::size_t(number / depth)].read(memory, k, columns, w);
    if (offset != nullptr) {
      for (std::int64_t i = 0; i < columns; ++i) w[i] += line.offset[std::size_t(i)];
    }
    for (std::int64_t i = 0; i < columns; ++i) w[i] *= line.scale[std::size_t(i)];
    const auto size = std::int64_t(dtype_size(dtype));
    storer<float>(dtype, Rounding::kNearestEven)(
        w, columns, memory.workspace + to + number * columns * size, 1);
  }

  void operator()(const KernelMemory& memory) const {
    constexpr std::int64_t kGrain = 16384;
    parallel_for(depth * std::int64_t(weight.size()), std::max<std::int64_t>(1, kGrain / columns),
                 [&](std::int64_t begin, std::int64_t end) {
                   const auto room = std::size_t(columns);
                   Line line{std::vector<float>(room), std::vector<float>(room),
                             std::vector<float>(offset == nullptr ? 0 : room)};
                   for (std::int64_t number = begin; number < end; ++number)
                     row(memory, number, line);
                 });
  }
};

/// What scales of words go with: rows of the stored weight, which are few, and whole blocks.
void check_packed_scales(const Plan& plan, const WeightQuant& call) {
  constexpr std::int64_t kMostRows = 96, kBlock = 64;
  const Dims &x = call.x.shape(), &weight = call.weight.shape();
  check_tiling(plan,
               !call.out_scale.given() && !is_transposed(call.x) && is_transposed(call.weight) &&
                   !is_nz(call.weight.meta().format) && call.group == 0 &&
                   call.scale.elements() == weight[1] && x[0] <= kMostRows && x[1] % kBlock == 0 &&
                   weight[1] % kBlock == 0,
               "scales of 64 bits go with 96 rows at most and a transposed weight in multiples of "
               "64, not with x of shape %s and weight of shape %s",
               x.text().c_str(), weight.text().c_str());
}

/// What the floats of 4 or 8 bits go with.
void check_float_weights(const Check& check, const WeightQuant& call) {
  const bool powers = call.scale.dtype() == ACL_FLOAT8_E8M0;
  if (call.weight.dtype() != ACL_FLOAT4_E2M1) {
    check.that(!powers, "antiquantScale is float8_e8m0 beside %s", dtype_name(call.weight.dtype()));
    if (!kFloatWeights.contains(call.weight.dtype())) return;
    check.that(call.group == 0, "antiquantGroupSize is %lld beside %s", ll(call.group),
               dtype_name(call.weight.dtype()));
    check.that(call.scale.elements() != 1 || call.weight.shape()[1] == 1,
               "there is one scale for all columns");
    return;
  }
  check.that(call.group > 0, "float4 must be in groups");
  check.that(!powers || call.group == kGroupStep,
             "antiquantGroupSize must be 32 beside float8_e8m0");
}

/// What int4 in blocks goes with before the 950, whose own operator has them.
void check_int4_blocks(const Check& check, const WeightQuant& call) {
  if (call.weight.dtype() != ACL_INT4 || on_950()) return;
  constexpr std::int64_t kWidth = 64, kWide = 128;
  const bool turned = is_transposed(call.weight);
  check.that(!call.out_scale.given() && !call.out_offset.given(),
             "results are not quantised beside int4 in FRACTAL_NZ");
  if (call.group == 0) {
    check.that(call.scale.elements() != 1, "there is one scale for all columns");
    return check.that(turned, "weight must be transposed where it is in no groups");
  }
  const Dims& weight = call.weight.shape();
  check.that(!turned && !is_transposed(call.x), "x and weight must not be transposed");
  check.that(call.group == kWidth || call.group == kWide,
             "antiquantGroupSize is %lld, it must be 64 or 128", ll(call.group));
  check.that(weight[0] % call.group == 0 && weight[1] % kWidth == 0,
             "weight has shape %s, which is no multiple of groups and of 64 columns",
             weight.text().c_str());
}

/// The groups that it may have.
void check_blocks_groups(const Check& check, const WeightQuant& call) {
  const aclDataType weight = call.weight.dtype();
  const bool whole = weight == ACL_INT8;
  check.that(whole || !is_transposed(call.weight), "weight of 4 bits must not be transposed");
  check.that(!is_transposed(call.x), "x must not be transposed");
  check.that(!whole || call.group == 0, "antiquantGroupSize must be 0 beside int8");
  check.that(call.group > 0 || call.scale.elements() != 1, "there is one scale for all columns");
  check.that(
      !whole || (call.weight.shape()[0] <= kLongestEdge && call.weight.shape()[1] <= kLongestEdge),
      "weight has shape %s", call.weight.shape().text().c_str());
}

/// What the kernel of the 310P refuses.
void check_310p_kernel(const Plan& plan, const WeightQuant& call) {
  check_tiling(plan, !call.x.is_empty() && !call.weight.is_empty(),
               "x of shape %s or weight of shape %s is empty", call.x.shape().text().c_str(),
               call.weight.shape().text().c_str());
  if (call.bias.given() && call.bias.rank() > 2) {
    Dims wanted = call.out.shape();
    wanted.set(wanted.size() - 2, 1);
    check_tiling(plan, call.bias.shape() == wanted,
                 "biasOptional has shape %s, and not %s, a row for each matrix",
                 call.bias.shape().text().c_str(), wanted.text().c_str());
  }
  check_tiling(plan, has_short_edges(call),
               "%lld is the most of the depth, of columns, and of rows of a transposed x",
               ll(kLongestEdge));
}

/// What lies with its last two axes exchanged.
TensorMeta exchanged(TensorMeta meta) {
  const std::size_t rank = meta.shape.size();
  for (Dims* dims : {&meta.shape, &meta.strides}) {
    const std::int64_t last = dims->back();
    dims->set(rank - 1, (*dims)[rank - 2]);
    dims->set(rank - 2, last);
  }
  return meta;
}

void check_weight_quant(const Check& check, const WeightQuant& call) {
  check_dtypes(check, call);
  check_scale_dtypes(check, call);
  check_bias_dtype(check, call);
  check_ranks(check, call);
  check.that(call.out_scale.given() || !call.out_offset.given(),
             "quantOffsetOptional is given, and quantScaleOptional is not");
  check.that(!call.out_scale.given() || scales_are_packed(call.out_scale),
             "quantScaleOptional must be uint64, which aclnnTransQuantParam makes");
  check_edges(check, call);
  check_group(check, call);
  check_scale_shape(check, call);
  check_row(check, call.out_scale, call.weight.shape().back(), true);
  if (call.out_offset.given()) check.same_shape(call.out_scale, call.out_offset);
  check_row(check, call.bias, call.weight.shape().back(), false);
  check_layouts(check, call);
  check_float_weights(check, call);
  if (is_nz(call.weight.meta().format)) check_int4_blocks(check, call);
  check.that(!on_950() || !is_transposed(call.x), "x must not be transposed");
}

}  // namespace

void weight_quant_matmul(Plan& plan, const WeightQuant& call, bool in_blocks) {
  const std::int64_t depth = rows_of(call.weight);
  const std::int64_t columns = call.weight.shape().back();
  const aclDataType type = call.x.dtype();
  const PlainOperand plain(plan, call.weight, in_blocks);
  const View& weight = plain.view();
  const bool packed = scales_are_packed(call.scale);
  const View scales = plan.reads(call.scale);
  Restore restore{rows_of_matrices(weight),
                  QuantRows(as_rows(packed ? low_halves(scales) : scales, columns)),
                  nullptr,
                  depth,
                  columns,
                  call.group,
                  type,
                  plan.reserve(call.weight.elements(), type),
                  packed};
  if (call.offset.given())
    restore.offset = std::make_unique<QuantRows>(as_rows(plan.reads(call.offset), columns));
  Gemm gemm;
  gemm.a = plan.reads(call.x);
  const Dims& shape = call.weight.shape();
  gemm.b = {weight.operand, type, 0, shape, contiguous_strides(shape)};
  const bool narrow = call.out_scale.given();
  const TensorArgument sums =
      narrow ? plan.scratch("product", ACL_FLOAT, call.out.shape()) : TensorArgument(Absent());
  gemm.out = plan.writes(narrow ? sums : call.out);
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
  // CANN's kernel has the offset from the words, whatever quantOffsetOptional holds.
  if (narrow) quantise_result(plan, sums, call.out_scale, call.out);
}

static void weight_quant(const Check& check, Plan& plan,
                         const WeightQuantBatchMatmulV3Parameters& c, bool named_nz) {
  if (named_nz && !on_950())
    fail(ACLNN_ERR_RUNTIME_ERROR, "%s: %s does not have the operator", plan.api(), chip().name);
  check.not_null(c.x, c.weight, c.antiquantScale, c.y);
  if ((on_310p() || on_950()) && (c.quantScaleOptional.given() || c.quantOffsetOptional.given()))
    fail(ACLNN_ERR_PARAM_NULLPTR, "%s: results are not quantised on %s", plan.api(), chip().name);
  const int format = c.weight.meta().format;
  check.that(!named_nz || format == ACL_FORMAT_FRACTAL_NZ || format == ACL_FORMAT_FRACTAL_NZ_C0_2,
             "weight is not in FRACTAL_NZ");
  check.that(named_nz || !on_950() || !is_nz(format), "weight is in FRACTAL_NZ");
  TensorMeta weight = c.weight.meta(), scale = c.antiquantScale.meta();
  const bool floats = on_950() && weight.dtype == ACL_FLOAT;
  if (floats && scale.dtype == ACL_UINT8) scale.dtype = ACL_FLOAT8_E8M0;
  if (floats || weight.dtype == ACL_INT32) {
    check.that(c.weight.rank() == 2, "weight has %zu dimensions, it must have 2", c.weight.rank());
    weight = numbers_of_words(check, c.weight, floats ? ACL_FLOAT4_E2M1 : ACL_INT4);
    if (is_nz(format)) weight.format = ACL_FORMAT_FRACTAL_NZ;
  }
  const TensorArgument& offset = c.antiquantOffsetOptional;
  TensorMeta offset_meta = offset.given() ? offset.meta() : TensorMeta();
  // There a weight in blocks has its columns before its depth, and so have its scales.
  if (on_310p() && is_nz(format) && c.weight.rank() > 1) {
    weight = exchanged(weight);
    for (const TensorArgument* tensor : {&c.antiquantScale, &offset})
      check.that(!tensor->given() || tensor->meta().is_contiguous(), "%s must be contiguous",
                 tensor->name());
    for (TensorMeta* meta : {&scale, &offset_meta})
      if (meta->shape.size() == 2) *meta = exchanged(*meta);
  }
  const TensorArgument numbers(c.weight.name(), c.weight.index(), &weight);
  const TensorArgument scales(c.antiquantScale.name(), c.antiquantScale.index(), &scale);
  const TensorArgument offsets(offset.name(), offset.index(),
                               offset.given() ? &offset_meta : nullptr);
  const WeightQuant call{c.x,
                         numbers,
                         scales,
                         offsets,
                         c.quantScaleOptional,
                         c.quantOffsetOptional,
                         c.biasOptional,
                         c.antiquantGroupSize,
                         c.y};
  check_weight_quant(check, call);
  if (named_nz) check_blocks_groups(check, call);
  if (on_310p()) check_310p_kernel(plan, call);
  if (scales_are_packed(scales)) check_packed_scales(plan, call);
  check_kernel_exists(plan, !call.out_offset.given() || call.out_offset.dtype() == ACL_FLOAT);
  if (call.out_scale.given() && call.out_scale.is_empty())
    fail_not_simulated(plan, "results of int8 by an empty quantScaleOptional");
  weight_quant_matmul(plan, call, is_nz(format));
}

void weight_quant_matmul_plain(const Check& check, Plan& plan,
                               const WeightQuantBatchMatmulV3Parameters& c) {
  weight_quant(check, plan, c, false);
}

/// A weight in the blocks of the matrix unit, of 8 bits or 4, which words may hold.
void weight_quant_matmul_nz(const Check& check, Plan& plan,
                            const WeightQuantBatchMatmulV3Parameters& c) {
  weight_quant(check, plan, c, true);
}

}  // namespace pyaclnn::sim
