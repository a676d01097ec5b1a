// Products of int8 and int4 with scales: versions of an operator, weights in blocks, an activation
// of the result, and sums over a batch.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/release.hpp"
#include "core/status.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/cpu.hpp"
#include "opapi/common/fill.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/packed_operand.hpp"
#include "opapi/common/round_stored.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/common/words.hpp"
#include "opapi/matmul/batches.hpp"
#include "opapi/matmul/quant_floats.hpp"
#include "opapi/matmul/quant_groups.hpp"
#include "opapi/matmul/quant_operand.hpp"
#include "opapi/pointwise/formulas.hpp"
#include "opapi/product/integer_product.hpp"
#include "opapi/quant/rows.hpp"
#include "opapi/quant/stored_scales.hpp"
#include "parameters/FusedQuantMatmul.hpp"
#include "parameters/QuantMatmul.hpp"
#include "parameters/QuantMatmulReduceSumWeightNz.hpp"
#include "parameters/QuantMatmulV2.hpp"
#include "parameters/QuantMatmulV5.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kLongestAxis = 65535;

/// The inference chips.
void check_types_310p(const Check& check, const QuantMatmulV5Parameters& c) {
  check.dtype_in(DtypeSet{ACL_INT8}, c.x1, c.x2);
  const bool by_row = c.x1Scale.given();
  check.dtype_in(by_row ? DtypeSet{ACL_FLOAT} : DtypeSet{ACL_UINT64, ACL_INT64}, c.x2Scale);
  if (c.bias.given()) check.dtype_in(DtypeSet{ACL_INT32}, c.bias);
  if (by_row) check.dtype_in(DtypeSet{ACL_FLOAT}, c.x1Scale);
  check.dtype_in(by_row ? DtypeSet{ACL_FLOAT16} : DtypeSet{ACL_INT8, ACL_FLOAT16}, c.out);
}

void check_types_int4(const Check& check, const QuantCall& call) {
  const QuantMatmulV5Parameters& c = call.given;
  check.that(call.a.view.dtype == ACL_INT4 && call.b.view.dtype == ACL_INT4,
             "x1 and x2 must both be int4");
  if (!c.x1Scale.given()) {
    check.dtype_in(DtypeSet{ACL_UINT64, ACL_INT64}, c.x2Scale);
    if (c.bias.given()) check.dtype_in(DtypeSet{ACL_INT32}, c.bias);
  }
  check.dtype_in(DtypeSet{ACL_FLOAT16, ACL_BF16}, c.out);
}

void check_types_a2(const Check& check, const QuantCall& call) {
  const QuantMatmulV5Parameters& c = call.given;
  const aclDataType out = c.out.dtype(), scale = c.x2Scale.dtype();
  const aclDataType bias = c.bias.given() ? c.bias.dtype() : ACL_DT_UNDEFINED;
  if (call.is_int4()) check_types_int4(check, call);
  const bool wide_scale = scale == ACL_FLOAT || scale == ACL_BF16;
  check.that(bias != ACL_BF16 || out == ACL_BF16, "bias is bfloat16, and out %s", dtype_name(out));
  check.that(scale != ACL_BF16 || out == ACL_BF16 || out == ACL_INT32,
             "the scale is bfloat16, and out %s", dtype_name(out));
  check.that((out != ACL_BF16 && out != ACL_INT32) || wide_scale, "out is %s, and the scale %s",
             dtype_name(out), dtype_name(scale));
  check.that(out != ACL_INT8 || is_packed_scale(c.x2Scale.dtype()), "out is int8, and the scale %s",
             dtype_name(scale));
  check.that(out != ACL_INT32 || bias == ACL_DT_UNDEFINED || bias == ACL_INT32,
             "out is int32, and bias %s", dtype_name(bias));
  if (c.x1Scale.given()) {
    check.dtype_in(DtypeSet{ACL_FLOAT}, c.x1Scale);
    check.that(bias != ACL_FLOAT16 || out == ACL_FLOAT16, "bias is float16, and out %s",
               dtype_name(out));
    check.dtype_in(DtypeSet{ACL_FLOAT16, ACL_BF16}, c.out);
    check.that(out != ACL_FLOAT16 || scale == ACL_FLOAT || scale == ACL_UINT64,
               "out is float16, and the scale %s", dtype_name(scale));
    return;
  }
  check.that(bias != ACL_FLOAT16, "bias is float16, and there is no scale for rows");
  check.that(bias != ACL_FLOAT || out == ACL_BF16, "bias is float32, and out %s", dtype_name(out));
  check.that((out != ACL_INT8 && out != ACL_FLOAT16) || scale != ACL_FLOAT,
             "out is %s, and the scale float32", dtype_name(out));
}

void check_types_950(const Check& check, const QuantCall& call) {
  const QuantMatmulV5Parameters& c = call.given;
  const aclDataType out = c.out.dtype(), scale = c.x2Scale.dtype();
  check.that(!call.is_int4() || (behaves(Behaviour::kInt4On950) && !is_nz(c.x2.meta().format)),
             "int4 is not supported here");
  check.that(!call.is_int4() || out != ACL_INT32, "out is int32 beside int4");
  const DtypeSet words{ACL_UINT64, ACL_INT64}, wide{ACL_FLOAT, ACL_BF16};
  DtypeSet biases{ACL_INT32};
  if (c.x1Scale.given()) {
    check.dtype_in(DtypeSet{ACL_FLOAT}, c.x1Scale);
    check.dtype_in(DtypeSet{ACL_FLOAT16, ACL_BF16}, c.out);
    check.that(!c.x2Offset.given(), "x2Offset is not supported beside x1Scale");
    check.dtype_in(out == ACL_BF16 ? wide : DtypeSet{ACL_FLOAT}, c.x2Scale);
    biases = DtypeSet{ACL_INT32, ACL_FLOAT, out};
  } else {
    const bool packed = out == ACL_INT8 || out == ACL_FLOAT16;
    check.dtype_in(packed ? words : out == ACL_INT32 ? wide : words | wide, c.x2Scale);
    if (out == ACL_BF16 && wide.contains(scale)) biases = DtypeSet{ACL_INT32, ACL_FLOAT, ACL_BF16};
  }
  if (c.bias.given()) check.dtype_in(biases, c.bias);
  check.that(c.groupSize == 0, "groupSize is %lld, it must be 0", ll(c.groupSize));
}

void check_types(const Check& check, const QuantCall& call) {
  const QuantMatmulV5Parameters& c = call.given;
  check.that((call.a.view.dtype == ACL_INT8 || call.a.view.dtype == ACL_INT4) &&
                 (call.b.view.dtype == ACL_INT8 || call.b.view.dtype == ACL_INT4),
             "x1 is %s and x2 %s, they must be int8 or int4", dtype_name(c.x1.dtype()),
             dtype_name(c.x2.dtype()));
  check.dtype_in(DtypeSet{ACL_UINT64, ACL_BF16, ACL_INT64, ACL_FLOAT}, c.x2Scale);
  if (c.bias.given()) check.dtype_in(DtypeSet{ACL_INT32, ACL_BF16, ACL_FLOAT16, ACL_FLOAT}, c.bias);
  check.dtype_in(DtypeSet{ACL_INT8, ACL_FLOAT16, ACL_BF16, ACL_INT32}, c.out);
  check.that(call.a.view.dtype == call.b.view.dtype, "x1 is %s, and x2 %s",
             dtype_name(call.a.view.dtype), dtype_name(call.b.view.dtype));
  if (c.x2Offset.given()) {
    check.dtype_in(DtypeSet{ACL_FLOAT}, c.x2Offset);
    check.that(c.out.dtype() == ACL_INT8, "an offset is of results in int8 only, not %s",
               dtype_name(c.out.dtype()));
  }
  if (on_310p()) {
    check_types_310p(check, c);
  } else if (on_950()) {
    check_types_950(check, call);
  } else if (on_a2_or_a3()) {
    check_types_a2(check, call);
  }
}

/// One value, or one for each of `count`.
void check_row(const Check& check, const TensorArgument& row, std::int64_t count, bool or_one) {
  if (!row.given()) return;
  check.that(row.rank() == 1 && (row.elements() == count || (or_one && row.elements() == 1)),
             "%s has shape %s, it must have one dimension of %lld", row.name(),
             row.shape().text().c_str(), ll(count));
}

void check_int4_shape(const Check& check, const QuantCall& call) {
  if (!call.is_int4()) return;
  check.that(call.depth() > 0 && call.depth() % 2 == 0, "the depth is %lld, it must be even",
             ll(call.depth()));
  check.that(call.b.length() % 2 == 0, "the last axis of x2 has %lld int4, it must be even",
             ll(call.b.length()));
  check.that(!call.a.turned, "x1 of int4 is transposed");
  check.that(call.b.rank() == 2, "x2 of int4 has %zu dimensions, it must have 2", call.b.rank());
  check.that(!call.given.bias.given() || call.given.bias.rank() == 1,
             "bias must have one dimension beside int4");
}

void check_shapes(const Check& check, const QuantCall& call, const Batch& batch) {
  const QuantMatmulV5Parameters& c = call.given;
  check_bias_shape(check, c.bias, batch, call.columns());
  check_product_shape(check, c.out, batch, call.rows(), call.columns());
  check.that(!c.x1.is_empty() && !c.x2.is_empty(), "x1 or x2 is empty");
}

std::vector<float> as_floats(const RowMajor& layout, const KernelMemory& memory) {
  if (!layout.given()) return {};
  return RowMajorAccess(layout, memory).values();
}

/// Sums times factors of their columns, or one that stands still, and that of the row.
struct ScaleSums {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const std::int32_t* sums, const float* factors, bool same,
                                    float of_row, std::int64_t count, float* to) {
    if (same) {
      for (std::int64_t i = 0; i < count; ++i) to[i] = float(sums[i]) * *factors * of_row;
    } else {
      for (std::int64_t i = 0; i < count; ++i) to[i] = float(sums[i]) * factors[i] * of_row;
    }
  }
};

/// What becomes of the sums.
struct Epilogue {
  std::int64_t rows = 0, columns = 0;
  std::vector<float> one_scale;  // where it is no tensor
  PointwiseLoop activation = nullptr;
  StoredScales scale;
  RowMajor row_scale, bias;
  View whole_bias;
  bool has_whole_bias = false;
  std::int64_t biases = 0;
  View out;
  bool is_array = false;  // whose elements follow one another
  RowMajor plain;

  /// The same in one run's memory.
  struct Run {
    const Epilogue& of;
    std::vector<float> scales, rows, offsets, biases;
    std::vector<std::int32_t> whole;
  };

  Run in(const KernelMemory& memory) const {
    Run run{*this, {}, as_floats(row_scale, memory), {}, as_floats(bias, memory), {}};
    run.scales = one_scale.empty() ? scale.values(memory) : one_scale;
    // The words have them, whatever x2Offset holds: CANN's kernels do not read it.
    if (out.dtype == ACL_INT8) run.offsets = scale.offsets(memory);
    if (has_whole_bias) run.whole = PackedOperand(whole_bias).read<std::int32_t>(memory);
    return run;
  }

  void store(const Run& run, const KernelMemory& memory, std::int64_t batch, std::int64_t row,
             std::int64_t column, std::int64_t count, const std::int32_t* sums) const {
    constexpr std::int64_t kMost = 256;
    std::int32_t whole[kMost];
    float wide[kMost];
    const std::int64_t own = biases > columns ? batch * columns : 0;  // the bias of this batch
    if (!run.whole.empty()) {
      const std::int32_t* const added = run.whole.data() + own + column;
      for (std::int64_t i = 0; i < count; ++i)
        whole[i] = std::int32_t(std::uint32_t(sums[i]) + std::uint32_t(added[i]));
      sums = whole;
    }
    const std::int64_t position = (batch * rows + row) * columns + column;
    if (out.dtype == ACL_INT32) return store_sums(memory, position, count, sums);
    const bool same = run.scales.size() == 1;
    loop_for_cpu<ScaleSums, const std::int32_t*, const float*, bool, float, std::int64_t, float*>()(
        sums, run.scales.data() + (same ? 0 : column), same,
        run.rows.empty() ? 1.0f : run.rows[std::size_t(row)], count, wide);
    if (!run.biases.empty()) {
      for (std::int64_t i = 0; i < count; ++i) wide[i] += run.biases[std::size_t(own + column + i)];
    }
    if (!run.offsets.empty()) {
      const bool one = run.offsets.size() == 1;
      for (std::int64_t i = 0; i < count; ++i)
        wide[i] = with_offset(wide[i], run.offsets[one ? 0 : std::size_t(column + i)]);
    }
    if (activation != nullptr) {
      const void* const inputs[] = {wide};
      activation(nullptr, count, inputs, wide);
    }
    RowMajorAccess(plain, memory).write(position, count, wide);
  }

  void store_sums(const KernelMemory& memory, std::int64_t position, std::int64_t count,
                  const std::int32_t* sums) const {
    if (is_array) {
      std::memcpy(first_element(memory, out, position), sums, std::size_t(count) * sizeof *sums);
      return;
    }
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t left = position + i, offset = 0;
      for (std::size_t k = out.shape.size(); k-- > 0;) {
        offset += left % out.shape[k] * out.strides[k];
        left /= out.shape[k];
      }
      std::memcpy(first_element(memory, out, offset), sums + i, sizeof *sums);
    }
  }
};

/// What the 950's kernels have of int4: words beside float16 alone, or a scale for rows.
void check_kernels_of_int4(Plan& plan, const QuantMatmulV5Parameters& c) {
  const bool words = is_packed_scale(c.x2Scale.dtype());
  needs_kernel(plan, c.x1Scale.given() || c.out.dtype() == (words ? ACL_FLOAT16 : ACL_BF16));
  check_tiling(plan, c.x1Scale.given() || words, "x2Scale must hold words beside int4");
}

/// `epilogue` says what the arguments do not.
void launch(Plan& plan, const QuantCall& call, const Batch& batch, Epilogue epilogue = Epilogue()) {
  const QuantMatmulV5Parameters& c = call.given;
  epilogue.rows = call.rows();
  epilogue.columns = call.columns();
  if (c.x2Scale.given()) epilogue.scale = StoredScales(plan, c.x2Scale);
  if (c.x1Scale.given()) epilogue.row_scale = RowMajor(plan.reads(c.x1Scale));
  if (c.bias.given()) {
    epilogue.biases = c.bias.elements();
    epilogue.has_whole_bias = c.bias.dtype() == ACL_INT32;
    const View bias = plan.reads(c.bias);
    if (epilogue.has_whole_bias) {
      epilogue.whole_bias = bias;
    } else {
      epilogue.bias = RowMajor(bias);
    }
  }
  epilogue.out = plan.writes(c.out);
  epilogue.is_array = c.out.meta().is_contiguous();
  if (c.out.dtype() != ACL_INT32) epilogue.plain = RowMajor(epilogue.out);
  plan.launch(call.a.plain.before(call.b.plain.before(
      [=, a = call.a, b = call.b, depth = call.depth()](const KernelMemory& memory) {
        const Epilogue::Run run = epilogue.in(memory);
        for_each_matrix(batch, [&](std::int64_t matrix, const Batch& index) {
          integer_product(a.matrix(memory, index), b.matrix(memory, index), epilogue.rows,
                          epilogue.columns, depth,
                          [&](std::int64_t row, std::int64_t column, std::int64_t count,
                              const std::int32_t* sums) {
                            epilogue.store(run, memory, matrix, row, column, count, sums);
                          });
        });
      })));
}

/// Whether the kernel takes axes of any length: int8 whose rows and columns have scales of floats.
bool takes_long_axes(const QuantMatmulV5Parameters& c) {
  return on_950() ||
         (on_a2_or_a3() && behaves(Behaviour::kTakesLongAxes) && c.x1.dtype() == ACL_INT8 &&
          c.x2.dtype() == ACL_INT8 && DtypeSet{ACL_FLOAT, ACL_BF16}.contains(c.x2Scale.dtype()) &&
          c.x1Scale.given() && c.x1Scale.rank() == 1);
}

void check_matrices(const Check& check, std::initializer_list<const TensorArgument*> tensors) {
  for (const TensorArgument* tensor : tensors)
    check.that(tensor->rank() >= 2 && tensor->rank() <= 6,
               "%s has %zu dimensions, it must have 2 to 6", tensor->name(), tensor->rank());
}

/// What the fused products look at before the others do.
void check_fused(const Check& check, const QuantCall& call) {
  const aclDataType a = call.a.view.dtype, b = call.b.view.dtype;
  check.that(a == b && (a == ACL_INT8 || a == ACL_INT4), "x1 is %s and x2 %s, not int8 or int4",
             dtype_name(a), dtype_name(b));
  check_row(check, call.given.x1Scale, call.rows(), false);
  check_row(check, call.given.x2Scale, call.columns(), true);
}

/// How operators differ that multiply.
struct QuantOperator {
  bool in_blocks = false;
  /// Of an axis that is too long: of V3 and V4 the first phase looks at it, else the tiling.
  int too_long = ACLNN_ERR_INNER_TILING_ERROR;
  /// Whether a chip without products is noticed once all else is right; else before types are.
  bool chip_last = false;
  PointwiseLoop activation = nullptr;
  /// Of weights in blocks: whether they may have one row or column.
  bool takes_lines = true;
};

void multiply(const Check& check, Plan& plan, const QuantMatmulV5Parameters& given,
              const QuantOperator& of) {
  check.not_null(given.x1, given.x2, given.x2Scale, given.out);
  check_matrices(check, {&given.x2, &given.x1, &given.out});
  const QuantCall call{
      given, QuantOperand(plan, given.x1, given.transposeX1, is_nz(given.x1.meta().format)),
      QuantOperand(plan, given.x2, given.transposeX2, of.in_blocks)};
  const bool plain = of.activation == nullptr;
  if (on_950() && plain && (call.rows() == 0 || (call.columns() == 0 && !of.in_blocks))) return;
  check.that(given.x2Scale.rank() == 1, "the scale has %zu dimensions, it must have one",
             given.x2Scale.rank());
  if (!plain) check_fused(check, call);
  const auto check_chip = [&] {
    if (!on_a2_or_a3() && !on_950() && !on_310p())
      fail(ACLNN_ERR_RUNTIME_ERROR, "%s: %s has no such product", plan.api(), chip().name);
  };
  if (!of.chip_last) check_chip();
  check_types(check, call);
  check_not_in_nz(check, {&given.x1Scale, &given.x2Scale, &given.x2Offset, &given.bias});
  check_int4_shape(check, call);
  check.that(call.depth() == call.depth_of_b(), "the depth of x1 is %lld, that of x2 %lld",
             ll(call.depth()), ll(call.depth_of_b()));
  check.that(of.takes_lines || !of.in_blocks || (call.depth() != 1 && call.columns() != 1),
             "x2 in FRACTAL_NZ has an axis of 1");
  check_row(check, given.x2Scale, call.columns(), true);
  check_row(check, given.x2Offset, call.columns(), true);
  check_row(check, given.x1Scale, call.rows(), false);
  const Batch batch = batch_of(check, call.a.view.shape, call.b.view.shape);
  check_shapes(check, call, batch);
  check.that(plain || of.in_blocks || !on_310p(), "x2 is not in FRACTAL_NZ");
  check_chip();
  Check(plan.api(), of.too_long)
      .that(takes_long_axes(given) ||
                (call.a.length() <= kLongestAxis && call.b.length() <= kLongestAxis),
            "the last axes of x1 and x2 have %lld and %lld elements, %lld at most",
            ll(call.a.length()), ll(call.b.length()), ll(kLongestAxis));
  if (on_950() && call.is_int4()) check_kernels_of_int4(plan, given);
  Epilogue epilogue;
  epilogue.activation = of.activation;
  if (!plain) needs_kernel(plan, on_a2_or_a3());
  launch(plan, call, batch, std::move(epilogue));
}

/// The first two versions, whose scale is one number, or a row with room for a multiple of 16.
void multiply_old(const Check& check, Plan& plan, const QuantMatmulV5Parameters& c,
                  std::vector<float> one_scale) {
  const bool by_row = one_scale.empty();
  check_inside(plan, c.x1.given() && c.x2.given() && c.out.given() && by_row == c.x2Scale.given(),
               "a tensor is null");
  check.dtype_in(DtypeSet{ACL_INT8}, c.x1, c.x2);
  if (c.bias.given()) check.dtype_in(DtypeSet{ACL_INT32}, c.bias);
  if (by_row) check.dtype_in(DtypeSet{ACL_UINT64}, c.x2Scale);
  check.dtype_in(DtypeSet{ACL_FLOAT16}, c.out);
  check_not_in_nz(check, {&c.x1, &c.x2, &c.bias, &c.x2Scale, &c.out});
  for (const TensorArgument* tensor : {&c.x1, &c.x2})
    check.that(tensor->rank() == 2 || tensor->rank() == 3,
               "%s has %zu dimensions, it must have 2 or 3", tensor->name(), tensor->rank());
  for (const TensorArgument* tensor : {&c.bias, &c.x2Scale})
    check.that(!tensor->given() || tensor->rank() == 1, "%s must have one dimension",
               tensor->name());
  const QuantCall call{c, QuantOperand(plan, c.x1, c.transposeX1, false),
                       QuantOperand(plan, c.x2, c.transposeX2, false)};
  check.that(c.x1.rank() == 2 || c.x1.shape()[0] == c.x2.shape()[0],
             "x1 and x2 have batches that differ");
  check.that(call.depth() == call.depth_of_b(), "the depth of x1 is %lld, that of x2 %lld",
             ll(call.depth()), ll(call.depth_of_b()));
  check_row(check, c.bias, call.columns(), false);
  Batch shape = batch_of(check, call.a.view.shape, call.b.view.shape);
  const Batch batch = shape;
  shape.push_back(call.rows());
  shape.push_back(call.columns());
  check.shape_is(c.out, Dims(shape.data(), shape.size()), "the product");
  constexpr std::int64_t kInBlock = 16;
  const std::int64_t blocks = call.columns() / kInBlock + (call.columns() % kInBlock != 0);
  if (by_row) check_row(check, c.x2Scale, blocks * kInBlock, false);
  if (!on_a2_or_a3())
    fail(ACLNN_ERR_RUNTIME_ERROR, "%s: %s does not have the operator", plan.api(), chip().name);
  if (c.out.is_empty()) return;
  if (call.depth() == 0) {
    check_inside(plan, !c.bias.given(), "a bias, and nothing to sum");
    return launch_zero(plan, c.out);
  }
  Epilogue epilogue;
  epilogue.one_scale = std::move(one_scale);
  launch(plan, call, batch, std::move(epilogue));
}

using FusedCall = FusedQuantMatmulParameters;

void fuse(const Check& check, Plan& plan, const FusedCall& c, bool in_blocks) {
  const bool by_erf = c.fusedOpType.given() && c.fusedOpType.text == "gelu_erf";
  check.that(by_erf || (c.fusedOpType.given() && c.fusedOpType.text == "gelu_tanh"),
             "fusedOpType is \"%s\", it must be gelu_erf or gelu_tanh",
             c.fusedOpType.given() ? c.fusedOpType.text.c_str() : "");
  check.not_null(c.x1, c.x2, c.x1Scale, c.x2Scale, c.out);
  for (const TensorArgument* reserved : {&c.yScaleOptional, &c.x1OffsetOptional,
                                         &c.x2OffsetOptional, &c.yOffsetOptional, &c.x3Optional})
    if (reserved->given() && !reserved->is_empty())
      fail(ACLNN_ERR_PARAM_NULLPTR, "%s: %s is not supported, it must be null", plan.api(),
           reserved->name());
  if (c.groupSizeOptional != 0)
    fail(ACLNN_ERR_PARAM_NULLPTR, "%s: groupSizeOptional is %lld, it must be 0", plan.api(),
         ll(c.groupSizeOptional));
  check_matrices(check, {&c.x2, &c.x1, &c.out});
  for (const TensorArgument* scale : {&c.x1Scale, &c.x2Scale})
    check.that(scale->rank() == 1, "%s has %zu dimensions, it must have one", scale->name(),
               scale->rank());
  check.that(c.out.dtype() != ACL_FLOAT16 || c.x2Scale.dtype() == ACL_FLOAT,
             "x2Scale is %s, it must be float32 beside an output of float16",
             dtype_name(c.x2Scale.dtype()));
  const TensorArgument none{Absent()};
  const PointwiseFormula& gelu = by_erf ? formulas::gelu : formulas::gelu_tanh;
  multiply(check, plan,
           {c.x1, c.x2, c.x1Scale, c.x2Scale, none, none, none, none, c.biasOptional, false, false,
            0, c.out},
           {in_blocks, ACLNN_ERR_INNER_TILING_ERROR, false,
            gelu.loops[static_cast<int>(ComputeType::kFloat)], false});
}

using SumCall = QuantMatmulReduceSumWeightNzParameters;

void check_sum(const Check& check, const SumCall& c) {
  check.not_null(c.x1, c.x2, c.x1Scale, c.x2Scale, c.dims, c.out);
  for (const TensorArgument* reserved : {&c.yScale, &c.x1Offset, &c.x2Offset, &c.yOffset, &c.bias})
    check.that(!reserved->given() || reserved->is_empty(), "%s is not supported, it must be null",
               reserved->name());
  check.that(!c.transposeX1 && !c.transposeX2, "transposed operands are not supported");
  check.that(c.groupSize <= 0, "groupSize is %lld, it must be 0", ll(c.groupSize));
  check.that(!c.keepDims, "keepDims is not supported");
  check.dtype_in(DtypeSet{ACL_INT8}, c.x1, c.x2);
  check.dtype_in(DtypeSet{ACL_FLOAT}, c.x1Scale);
  check.dtype_in(DtypeSet{ACL_BF16}, c.x2Scale, c.out);
  check.that(is_nz(c.x2.meta().format), "x2 is not in FRACTAL_NZ");
  check_not_in_nz(check, {&c.x1, &c.x1Scale, &c.x2Scale, &c.out});
  check.that(c.x1.rank() == 3 && c.x2.rank() == 3, "x1 and x2 have %zu and %zu dimensions, not 3",
             c.x1.rank(), c.x2.rank());
  const Dims &a = c.x1.shape(), &b = c.x2.shape();
  check.that(a[0] == b[0] && a[2] == b[1], "x1 has shape %s, and x2 %s", a.text().c_str(),
             b.text().c_str());
  check.shape_is(c.x2Scale, Dims{b[2]}, "the columns of x2");
  check.shape_is(c.x1Scale, Dims{a[0], a[1]}, "the rows of x1");
}

void refuse_reserved(const Plan& plan, const QuantMatmulV5Parameters& given) {
  for (const TensorArgument* reserved : {&given.yScale, &given.x1Offset, &given.yOffset}) {
    if (reserved->given() && !reserved->is_empty())
      fail(ACLNN_ERR_PARAM_NULLPTR, "%s: %s is not supported, it must be null", plan.api(),
           reserved->name());
  }
}

/// The product with a weight in FRACTAL_NZ, by an operator that says so.
void multiply_blocks(const Check& check, Plan& plan, const QuantMatmulV5Parameters& c) {
  const bool has_types = c.x1.given() && c.x2.given() && c.x2Scale.given();
  const bool mixed =
      has_types && on_950() && c.x1.dtype() == ACL_FLOAT8_E4M3FN && c.x2.dtype() == ACL_FLOAT4_E2M1;
  const bool groups = mixed || (c.x2Scale.given() && c.x2Scale.dtype() == ACL_FLOAT8_E8M0);
  const bool by_int4 = has_types && has_int4_for_int8(c);
  const auto absent = [&](const TensorArgument& tensor) {
    check.that(!tensor.given() || tensor.is_empty(), "%s is not supported, it must be null",
               tensor.name());
  };
  absent(c.x1Offset);
  if (!by_int4) absent(c.yOffset);
  if (!groups) absent(c.yScale);
  check.that(groups || c.groupSize == 0, "groupSize is %lld, it must be 0", ll(c.groupSize));
  check.that(c.x2.given() && (!on_950() || c.x1.given()), "x1 or x2 is null");
  check.that(c.x2.rank() >= 2, "x2 has %zu dimensions, it must have 2 at least", c.x2.rank());
  const Dims& shape = c.x2.shape();
  check.that(!on_950() || (is_nz(c.x2.meta().format) &&
                           (mixed || (shape.back() != 1 && shape[shape.size() - 2] != 1))),
             "x2 is not in FRACTAL_NZ, or has an axis of 1");
  check.not_null(c.x1, c.x2, c.x2Scale, c.out);
  if (by_int4) return int8_by_int4(check, plan, c, true);
  if (c.x1.dtype() != ACL_INT8 && multiplies_floats(c))
    return quant_matmul_floats(check, plan, c, true);
  multiply(check, plan, c, {true, ACLNN_ERR_INNER_TILING_ERROR, true});
}

}  // namespace

void quant_matmul(const Check& check, Plan& plan, const QuantMatmulV5Parameters& given) {
  check.not_null(given.x1, given.x2, given.x2Scale, given.out);
  refuse_reserved(plan, given);
  // Other operands are taken for ND, whatever public format they have.
  const TensorArgument& offset = given.x2Offset;
  check.that(!offset.given() || offset.meta().format == ACL_FORMAT_ND,
             "%s has format %d, it must be ND", offset.name(),
             offset.given() ? int(offset.meta().format) : 0);
  multiply(check, plan, given,
           {is_nz(given.x2.meta().format), ACLNN_ERR_PARAM_INVALID, true, nullptr, !on_950()});
}

/// The same, products of int4 in groups, of int8 and int4, and of small floats.
void quant_matmul_newest(const Check& check, Plan& plan, const QuantMatmulV5Parameters& given) {
  const bool in_blocks = given.x2.given() && is_nz(given.x2.meta().format);
  check.that(!on_950() || !in_blocks || !behaves(Behaviour::kInt4On950), "x2 is in FRACTAL_NZ");
  check.not_null(given.x1, given.x2, given.x2Scale, given.out);
  if (multiplies_int8_by_words(given)) return int8_by_int4(check, plan, given, false);
  if (multiplies_floats(given)) return quant_matmul_floats(check, plan, given, in_blocks);
  refuse_reserved(plan, given);
  if (has_groups_of_int4(given)) return int4_in_groups(check, plan, given);
  if (!on_a2_or_a3() && given.x1.dtype() == ACL_INT8 && given.x2.dtype() == ACL_INT4) {
    check_matrices(check, {&given.x2, &given.x1, &given.out});
    const bool some = given.x1.shape().end()[given.transposeX1 ? -1 : -2] != 0 &&
                      given.x2.shape().end()[given.transposeX2 ? -2 : -1] != 0;
    if (some || !on_950())
      fail(ACLNN_ERR_RUNTIME_ERROR, "%s: int4 beside int8 must be in words", plan.api());
    return;
  }
  multiply(check, plan, given, {in_blocks, ACLNN_ERR_INNER_TILING_ERROR, false, nullptr, false});
}

void quant_matmul_one_scale(const Check& check, Plan& plan, const QuantMatmulParameters& given) {
  const TensorArgument none{Absent()};
  const float scale = scale_of_parameter(quant_parameter(given.deqScale, false));
  multiply_old(check, plan,
               {given.x1, given.x2, none, none, none, none, none, none, given.bias, false, false, 0,
                given.out},
               {scale});
}

void quant_matmul_of_blocks(const Check& check, Plan& plan, const QuantMatmulV2Parameters& given) {
  const TensorArgument none{Absent()};
  multiply_old(check, plan,
               {given.x1, given.x2, none, given.deqScale, none, none, none, none, given.bias,
                given.adjX1, given.adjX2, 0, given.out},
               {});
}

void fused_quant_matmul(const Check& check, Plan& plan, const FusedQuantMatmulParameters& given) {
  fuse(check, plan, given, given.x2.given() && is_nz(given.x2.meta().format));
}

void fused_quant_matmul_nz(const Check& check, Plan& plan,
                           const FusedQuantMatmulParameters& given) {
  check.that(given.x2.given(), "x2 is null");
  check.that(given.x2.rank() >= 2, "x2 has %zu dimensions, it must have 2 at least",
             given.x2.rank());
  fuse(check, plan, given, true);
}

/// Each product is rounded to bfloat16 and added to the sum, as the kernel does in memory.
void quant_matmul_sum(const Check& check, Plan& plan, const SumCall& c) {
  check_sum(check, c);
  needs_kernel(plan, on_a2_or_a3());
  // Nothing in CANN reads which axis is named: it is the first.
  check_tiling(plan, c.dims.values().size() == 1, "dims must be one axis");
  const std::int64_t batch = c.x1.shape()[0], rows = c.x1.shape()[1], columns = c.x2.shape()[2];
  const std::int64_t depth = c.x1.shape()[2];
  check_tiling(plan, batch > 0 && rows > 0 && columns > 0 && depth > 0, "x1 or x2 is empty");
  plan.result(ACL_BF16, Dims{rows, columns}).copy_to(c.out);
  for (const TensorArgument* tensor : {&c.x1, &c.x1Scale, &c.x2Scale})
    plan.stage(*tensor).contiguous();
  const QuantOperand a(plan, c.x1, false, false), b(plan, c.x2, false, true);
  const RowMajor of_rows(plan.reads(c.x1Scale)), of_columns(plan.reads(c.x2Scale));
  const RowMajor out(plan.writes(c.out));
  plan.launch(b.plain.before([=](const KernelMemory& memory) {
    const std::vector<float> row_scale = as_floats(of_rows, memory);
    const std::vector<float> scale = as_floats(of_columns, memory);
    std::vector<float> sums(std::size_t(rows * columns), 0.0f);
    for (std::int64_t i = 0; i < batch; ++i) {
      integer_product(a.matrix(memory, {i}), b.matrix(memory, {i}), rows, columns, depth,
                      [&](std::int64_t row, std::int64_t column, std::int64_t count,
                          const std::int32_t* found) {
                        std::vector<float> wide(static_cast<std::size_t>(count));
                        float* const to = sums.data() + row * columns + column;
                        const float own = row_scale[std::size_t(i * rows + row)];
                        for (std::int64_t j = 0; j < count; ++j)
                          wide[std::size_t(j)] =
                              float(found[j]) * scale[std::size_t(column + j)] * own;
                        round_as_stored(wide.data(), count, ACL_BF16);
                        for (std::int64_t j = 0; j < count; ++j) to[j] += wide[std::size_t(j)];
                        round_as_stored(to, count, ACL_BF16);
                      });
    }
    RowMajorAccess(out, memory).write(0, rows * columns, sums.data());
  }));
}

/// x1 of float8_e4m3 beside eight numbers of float4 in each float32.
void quant_matmul_weight_nz(const Check& check, Plan& plan, const QuantMatmulV5Parameters& c) {
  const bool in_words = on_950() && c.x1.given() && c.x2.given() &&
                        c.x1.dtype() == ACL_FLOAT8_E4M3FN && c.x2.dtype() == ACL_FLOAT;
  if (!in_words) return multiply_blocks(check, plan, c);
  TensorMeta meta = numbers_of_words(check, c.x2, ACL_FLOAT4_E2M1);
  if (is_nz(c.x2.meta().format)) meta.format = ACL_FORMAT_FRACTAL_NZ;
  const TensorArgument x2(c.x2.name(), c.x2.index(), &meta);
  multiply_blocks(check, plan,
                  {c.x1, x2, c.x1Scale, c.x2Scale, c.yScale, c.x1Offset, c.x2Offset, c.yOffset,
                   c.bias, c.transposeX1, c.transposeX2, c.groupSize, c.out});
}

}  // namespace pyaclnn::sim
