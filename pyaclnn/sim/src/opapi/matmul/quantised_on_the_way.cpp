// Products with operands of float16 that are quantised on the way: x before it is multiplied with
// int8, or the product of float16 itself.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "objects/dtype.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/narrow_numbers.hpp"
#include "opapi/common/numbers.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/matmul/quantised_result.hpp"
#include "opapi/product/gemm.hpp"
#include "opapi/product/groups.hpp"
#include "opapi/product/integer_product.hpp"
#include "parameters/BatchMatmulQuant.hpp"
#include "parameters/QuantGroupedMatmulDequant.hpp"

namespace pyaclnn::sim {
namespace {

using Floats = std::vector<float>;
using Call = QuantGroupedMatmulDequantParameters;

constexpr std::int64_t kWide = 32, kHigh = 16;  // elements of a block of int8
constexpr float kLargest = 127.0f;

std::size_t at(std::int64_t place) { return static_cast<std::size_t>(place); }

/// What the arguments are once their checks are done.
struct Sizes {
  std::int64_t experts, rows, depth, columns;
};

/// int8 columns of the depth, one behind another, or in blocks that are axes of the tensor.
struct Columns {
  PlainOperand plain;
  bool has_block_axes = false;

  /// Those of an expert.
  std::vector<std::int8_t> read(const KernelMemory& memory, const Sizes& sizes,
                                std::int64_t expert) const {
    const View& view = plain.view();
    std::vector<std::int8_t> result(at(sizes.columns * sizes.depth));
    if (!has_block_axes) {
      const std::int64_t first = expert * sizes.columns * sizes.depth;
      std::memcpy(result.data(), first_element(memory, view, first), result.size());
      return result;
    }
    const std::int64_t across = (sizes.depth + kWide - 1) / kWide;
    for (std::int64_t n = 0; n < sizes.columns; ++n) {
      for (std::int64_t k = 0; k < sizes.depth; k += kWide) {
        const std::int64_t line = (expert * across + k / kWide) * sizes.columns + n;
        std::memcpy(result.data() + n * sizes.depth + k, first_element(memory, view, line * kWide),
                    at(std::min(kWide, sizes.depth - k)));
      }
    }
    return result;
  }
};

void check_types(const Check& check, const Call& c, bool grouped) {
  check.same_dtype(c.x, c.out);
  check.that(on_310p(), "%s does not have the operator", chip().name);
  check.dtype_in(DtypeSet{ACL_FLOAT16}, c.x);
  check.dtype_in(DtypeSet{ACL_INT8}, c.weight);
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_INT64}, c.weightScale);
  if (grouped) check.dtype_in(DtypeSet{ACL_INT64}, c.groupList);
  const bool packed = c.weightScale.dtype() == ACL_INT64;
  if (c.xScaleOptional.given())
    check.dtype_in(packed ? DtypeSet{ACL_FLOAT16} : DtypeSet{ACL_FLOAT}, c.xScaleOptional);
  if (c.smoothScaleOptional.given()) check.dtype_in(DtypeSet{ACL_FLOAT16}, c.smoothScaleOptional);
}

/// The shapes, which CANN finds wrong where it divides the kernel's work.
Sizes sizes_of(const Check& check, const Plan& plan, const Call& c, bool grouped, bool in_blocks) {
  const std::size_t rank = c.weight.rank(), lead = grouped ? 1 : 0;
  const Dims& shape = c.weight.shape();
  const bool has_block_axes = in_blocks && rank == lead + 4;
  Sizes sizes{};
  if (!has_block_axes) {
    check.that(rank == lead + 2, "weight has %zu dimensions", rank);
    check.that(grouped || c.weight.meta().format == ACL_FORMAT_ND,
               "weight of 2 dimensions must be in the format ND");
    check.that(in_blocks || (shape[lead] % kHigh == 0 && shape[lead + 1] % kHigh == 0),
               "weight has shape %s, it must be in multiples of %lld", shape.text().c_str(),
               ll(kHigh));
    sizes.columns = shape[lead];
    sizes.depth = shape[lead + 1];
  } else {
    check_tiling(plan, shape[lead + 2] == kHigh && shape[lead + 3] == kWide,
                 "weight has shape %s, whose blocks are not of 16 by 32", shape.text().c_str());
    sizes.columns = shape[lead + 1] * kHigh;
    sizes.depth = c.x.rank() == 2 ? c.x.shape()[1] : 0;
    check_tiling(plan, shape[lead] == (sizes.depth + kWide - 1) / kWide,
                 "weight has shape %s beside a depth of %lld", shape.text().c_str(),
                 ll(sizes.depth));
  }
  sizes.experts = grouped ? shape[0] : 1;
  check_tiling(plan, c.x.rank() == 2 && c.x.shape()[1] == sizes.depth && sizes.depth % kHigh == 0,
               "x has shape %s beside a depth of %lld", c.x.shape().text().c_str(),
               ll(sizes.depth));
  sizes.rows = c.x.shape()[0];
  const auto is = [&](const TensorArgument& tensor, const Dims& expected) {
    check_tiling(plan, tensor.shape() == expected, "%s has shape %s, not %s", tensor.name(),
                 tensor.shape().text().c_str(), expected.text().c_str());
  };
  is(c.weightScale, grouped ? Dims{sizes.experts, sizes.columns} : Dims{sizes.columns});
  if (grouped) is(c.groupList, Dims{sizes.experts});
  is(c.out, Dims{sizes.rows, sizes.columns});
  const bool by_row = c.xQuantMode.given() && c.xQuantMode.text == "pertoken";
  check_tiling(plan, by_row || (c.xQuantMode.given() && c.xQuantMode.text == "pertensor"),
               "xQuantMode is \"%s\", not pertoken or pertensor",
               c.xQuantMode.given() ? c.xQuantMode.text.c_str() : "");
  const bool given = c.xScaleOptional.given() && !c.xScaleOptional.is_empty();
  check_tiling(plan, given || by_row, "without xScaleOptional, xQuantMode must be pertoken");
  check_tiling(plan, c.weightScale.dtype() != ACL_INT64 || (given && !by_row),
               "weightScale of int64 goes with xScaleOptional and pertensor");
  if (given) is(c.xScaleOptional, Dims{by_row ? sizes.rows : 1});
  if (c.smoothScaleOptional.given() && !c.smoothScaleOptional.is_empty())
    is(c.smoothScaleOptional, Dims{sizes.depth});
  return sizes;
}

/// x in int8, and what its rows were divided by.
void quantise(const Sizes& sizes, const Floats& smooth, const Floats& given, Floats& x,
              std::vector<std::int8_t>& narrow, Floats& scales) {
  for (std::int64_t row = 0; row < sizes.rows; ++row) {
    float* const values = x.data() + row * sizes.depth;
    float largest = 0.0f;
    for (std::int64_t k = 0; k < sizes.depth; ++k) {
      if (!smooth.empty()) values[k] *= smooth[at(k)];
      largest = std::max(largest, std::fabs(values[k]));
    }
    float& scale = scales[at(row)];
    scale = given.empty() ? largest / kLargest : given[given.size() == 1 ? 0 : at(row)];
    for (std::int64_t k = 0; k < sizes.depth; ++k) {
      const float value = rounded(values[k] / scale, Round::kRint);
      // NaN, as of a row of zeros, is 0.
      const float kept = std::isnan(value) ? 0.0f : std::clamp(value, -128.0f, 127.0f);
      narrow[at(row * sizes.depth + k)] = static_cast<std::int8_t>(kept);
    }
  }
}

/// out = (int8 of x) @ weight, times the scales.
void multiply(const Check& check, Plan& plan, const Call& c, bool grouped, bool in_blocks) {
  check.that(c.transposeWeight, "transposeWeight must be true");
  check.not_null(c.x, c.weight, c.weightScale);
  if (grouped) check.not_null(c.groupList);
  check.not_null(c.out);
  for (const TensorArgument* absent : {&c.biasOptional, &c.xOffsetOptional})
    check.that_given(!absent->given(), absent->name());
  check_types(check, c, grouped);
  if (c.x.is_empty() || c.weight.is_empty() || c.weightScale.is_empty()) return;
  if (grouped && c.groupList.is_empty()) return;
  check.that(c.weight.meta().is_contiguous() && c.out.meta().is_contiguous(),
             "weight and out must be contiguous");
  const Sizes sizes = sizes_of(check, plan, c, grouped, in_blocks);
  const bool has_block_axes = c.weight.rank() == (grouped ? 5u : 4u);
  const Columns columns{PlainOperand(plan, c.weight, in_blocks && !has_block_axes), has_block_axes};
  const auto floats = [&](const TensorArgument& tensor) {
    if (!tensor.given() || tensor.is_empty()) return RowMajor();
    plan.stage(tensor).contiguous();
    return RowMajor(plan.reads(tensor));
  };
  const RowMajor x = floats(c.x), row_scale = floats(c.xScaleOptional);
  const RowMajor smooth = floats(c.smoothScaleOptional);
  plan.stage(c.weightScale).contiguous();
  const View scale = plan.reads(c.weightScale);
  View numbers;
  if (grouped) {
    plan.stage(c.groupList).contiguous();
    numbers = plan.reads(c.groupList);
  }
  const RowMajor out(plan.writes(c.out));
  plan.launch(columns.plain.before([=](const KernelMemory& memory) {
    const auto values = [&](const RowMajor& of) {
      return of.given() ? RowMajorAccess(of, memory).values() : Floats();
    };
    Floats wide = values(x), scales(at(sizes.rows)), factors;
    std::vector<std::int8_t> narrow(wide.size());
    quantise(sizes, values(smooth), values(row_scale), wide, narrow, scales);
    if (scale.dtype == ACL_INT64) {
      // The words hold floats, which have the scale of x in them.
      for (const std::int64_t word : numbers_of<std::int64_t>(memory, scale)) {
        const auto bits = static_cast<std::uint32_t>(std::uint64_t(word));
        float value;
        std::memcpy(&value, &bits, sizeof value);
        factors.push_back(value);
      }
      std::fill(scales.begin(), scales.end(), 1.0f);
    } else {
      factors = numbers_of<float>(memory, scale);
    }
    std::vector<Group> groups{{0, 0, sizes.rows}};
    if (grouped)
      groups = groups_of(numbers_of<std::int64_t>(memory, numbers), kGroupEnds, sizes.experts,
                         sizes.rows);
    for (const Group& group : groups) {
      if (group.size() <= 0) continue;
      const std::vector<std::int8_t> matrix = columns.read(memory, sizes, group.expert);
      IntegerMatrix a, b;
      a.base = reinterpret_cast<const std::byte*>(narrow.data() + group.begin * sizes.depth);
      b.base = reinterpret_cast<const std::byte*>(matrix.data());
      a.line_step = b.line_step = sizes.depth;
      b.turned = true;
      integer_product(
          a, b, group.size(), sizes.columns, sizes.depth,
          [&](std::int64_t r, std::int64_t column, std::int64_t count, const std::int32_t* sums) {
            const std::int64_t row = group.begin + r;
            const float* const own = factors.data() + group.expert * sizes.columns + column;
            Floats line(at(count));
            for (std::int64_t j = 0; j < count; ++j)
              line[at(j)] = float(sums[j]) * own[j] * scales[at(row)];
            RowMajorAccess(out, memory).write(row * sizes.columns + column, count, line.data());
          });
    }
  }));
}

void check_batch(const Check& check, const BatchMatmulQuantParameters& c) {
  check.not_null(c.x1, c.x2, c.quantParam, c.out);
  check.dtype_in(DtypeSet{ACL_FLOAT16}, c.x1, c.x2);
  if (c.bias.given()) check.dtype_in(DtypeSet{ACL_FLOAT16}, c.bias);
  check.dtype_in(DtypeSet{ACL_UINT64}, c.quantParam);
  check.dtype_in(DtypeSet{ACL_INT8}, c.out);
  const std::size_t rank = c.x1.rank();
  check.that(rank >= 2 && rank == c.x2.rank() && rank <= 6, "x1 and x2 have %zu and %zu dimensions",
             rank, c.x2.rank());
  const auto axis = [&](const TensorArgument& tensor, bool last) {
    return tensor.shape()[rank - (last ? 1 : 2)];
  };
  const std::int64_t rows = axis(c.x1, c.transposeX1), depth = axis(c.x1, !c.transposeX1);
  const std::int64_t columns = axis(c.x2, !c.transposeX2), deep = axis(c.x2, c.transposeX2);
  const std::int64_t blocks = pieces(columns, kHigh);
  check.that(c.quantParam.rank() == 1 &&
                 (c.quantParam.elements() == 1 || c.quantParam.elements() == blocks * kHigh),
             "quantParam has shape %s beside %lld columns", c.quantParam.shape().text().c_str(),
             ll(columns));
  check.that(!c.bias.given() || c.bias.shape() == Dims{columns}, "bias must have %lld elements",
             ll(columns));
  check.that(depth == deep, "the depth of x1 is %lld, that of x2 %lld", ll(depth), ll(deep));
  Dims expected = c.x1.shape();
  for (std::size_t i = 0; i + 2 < rank; ++i) {
    const std::int64_t other = c.x2.shape()[i];
    check.that(expected[i] == other || expected[i] == 1 || other == 1,
               "x1 and x2 have batches that differ");
    if (expected[i] == 1) expected.set(i, other);
  }
  expected.set(rank - 2, rows);
  expected.set(rank - 1, columns);
  check.shape_is(c.out, expected, "the product");
  check.that(!c.x1.is_empty() && !c.x2.is_empty(), "empty tensors are not supported");
}

View turned_if(View view, bool turned) {
  const std::size_t rank = view.shape.size();
  if (!turned) return view;
  for (Dims* dims : {&view.shape, &view.strides}) {
    const std::int64_t last = dims->back();
    dims->set(rank - 1, (*dims)[rank - 2]);
    dims->set(rank - 2, last);
  }
  return view;
}

}  // namespace

void quant_grouped_matmul_dequant(const Check& check, Plan& plan, const Call& given) {
  const bool in_blocks = given.weight.given() && is_nz(given.weight.meta().format);
  multiply(check, plan, given, true, in_blocks);
}

void quant_grouped_matmul_dequant_nz(const Check& check, Plan& plan, const Call& given) {
  check.not_null(given.weight);
  const std::size_t stored = given.weight.meta().storage_shape.size();
  check.that(stored == 5, "weight is stored with %zu dimensions, not 5", stored);
  multiply(check, plan, given, true, true);
}

void quant_matmul_dequant(const Check& check, Plan& plan, const Call& given) {
  const bool in_blocks = given.weight.given() && is_nz(given.weight.meta().format);
  multiply(check, plan, given, false, in_blocks);
}

/// out = int8 of (x1 @ x2 + bias) * scale + offset.
void batch_matmul_quant(const Check& check, Plan& plan, const BatchMatmulQuantParameters& c) {
  check_batch(check, c);
  needs_kernel(plan, on_a2_or_a3());
  for (const TensorArgument* tensor : {&c.x1, &c.x2, &c.quantParam, &c.bias})
    if (tensor->given()) plan.stage(*tensor).contiguous();
  const TensorArgument product = plan.scratch("product", ACL_FLOAT, c.out.shape());
  Gemm gemm;
  gemm.a = turned_if(plan.reads(c.x1), c.transposeX1);
  gemm.b = turned_if(plan.reads(c.x2), c.transposeX2);
  gemm.out = plan.writes(product);
  if (c.bias.given()) gemm.addend = plan.reads(c.bias);
  launch_gemm(plan, std::move(gemm));
  quantise_result(plan, product, c.quantParam, c.out);
}

}  // namespace pyaclnn::sim
