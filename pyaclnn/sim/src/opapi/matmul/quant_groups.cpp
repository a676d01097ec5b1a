// SPDX-License-Identifier: MIT
#include "opapi/matmul/quant_groups.hpp"

#include <numeric>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/release.hpp"
#include "core/status.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/matmul/quant_operand.hpp"
#include "opapi/product/halved_product.hpp"
#include "opapi/quant/stored_scales.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGroup = 256, kDeepest = 29576;

void rank_is(const Check& check, const TensorArgument& tensor, std::size_t rank) {
  if (!tensor.given()) return;
  check.that(tensor.rank() == rank, "%s has %zu dimensions, it must have %zu", tensor.name(),
             tensor.rank(), rank);
}

/// Those that come before the chip is asked for.
void check_attributes(const Check& check, const Plan& plan, const QuantMatmulV5Parameters& c,
                      bool in_blocks) {
  for (const TensorArgument* reserved : {&c.x1Offset, &c.x2Offset}) {
    if (reserved->given() && (reserved == &c.x2Offset || !reserved->is_empty()))
      fail(ACLNN_ERR_PARAM_NULLPTR, "%s: %s is not supported, it must be null", plan.api(),
           reserved->name());
  }
  const std::size_t rank = c.x2Scale.rank();
  check.that(!c.transposeX1, "transposeX1 must be false");
  if (in_blocks) check.that(rank == 1, "x2Scale has %zu dimensions, it must have 1", rank);
  check.that(c.groupSize == (rank == 1 ? 0 : kGroup),
             "groupSize is %lld beside scales of %zu "
             "dimensions",
             ll(c.groupSize), rank);
  for (const TensorArgument* tensor : {&c.x1, &c.x2, &c.bias, &c.yScale, &c.out})
    rank_is(check, *tensor, 2);
  check.that(rank == 1 || rank == 2, "x2Scale has %zu dimensions, it must have 1 or 2", rank);
  rank_is(check, c.x1Scale, rank);
  rank_is(check, c.yOffset, 1);
}

void check_types(const Check& check, const QuantMatmulV5Parameters& c) {
  for (const TensorArgument* needed : {&c.x1Scale, &c.x2Scale, &c.yOffset})
    check.that(needed->given() && !needed->is_empty(), "%s is missing or empty", needed->name());
  for (const TensorArgument* absent : {&c.bias, &c.yScale})
    check.that(!absent->given(), "%s must be null", absent->name());
  check.dtype_in(DtypeSet{ACL_FLOAT}, c.x1Scale, c.yOffset);
  check.dtype_in(DtypeSet{ACL_UINT64, ACL_INT64}, c.x2Scale);
  check.dtype_in(DtypeSet{ACL_FLOAT16, ACL_BF16}, c.out);
}

void check_shapes(const Check& check, const QuantCall& call, bool by_groups) {
  const QuantMatmulV5Parameters& c = call.given;
  const std::int64_t rows = call.rows(), columns = call.columns(), depth = call.depth();
  check.that(rows > 0 && columns > 0 && depth > 0 && depth <= kDeepest,
             "x1 has %lld rows and a depth of %lld, x2 %lld columns", ll(rows), ll(depth),
             ll(columns));
  check.that(depth == call.depth_of_b(), "the depth of x1 is %lld, that of x2 %lld", ll(depth),
             ll(call.depth_of_b()));
  const std::int64_t unit = by_groups ? kGroup : 2;
  check.that(depth % unit == 0, "the depth is %lld, no multiple of %lld", ll(depth), ll(unit));
  check.shape_is(c.x1Scale, by_groups ? Dims{rows, 1} : Dims{rows}, "the rows of x1");
  check.shape_is(c.x2Scale, by_groups ? Dims{depth / kGroup, columns} : Dims{columns},
                 "the columns of x2");
  check.shape_is(c.yOffset, Dims{columns}, "the columns of x2");
  check.shape_is(c.out, Dims{rows, columns}, "the product");
}

}  // namespace

bool multiplies_int8_by_words(const QuantMatmulV5Parameters& given) {
  return given.x1.dtype() == ACL_INT8 && given.x2.dtype() == ACL_INT32;
}

bool has_int4_for_int8(const QuantMatmulV5Parameters& c) {
  return c.x1.dtype() == ACL_INT8 && holds_int4(c.x2.dtype()) && c.x2Scale.dtype() == ACL_UINT64 &&
         c.x1Scale.given() && c.x1Scale.dtype() == ACL_FLOAT;
}

/// out = (x1 (x2 x2Scale) + yOffset) x1Scale, of which yOffset holds what the halves of x1 lack.
void int8_by_int4(const Check& check, Plan& plan, const QuantMatmulV5Parameters& c,
                  bool in_blocks) {
  check_attributes(check, plan, c, in_blocks);
  const bool by_groups = c.x2Scale.rank() == 2;
  if (!on_a2_or_a3())
    fail(ACLNN_ERR_RUNTIME_ERROR, "%s: %s has no product of these types", plan.api(), chip().name);
  check_types(check, c);
  check.that(in_blocks || !is_nz(c.x2.meta().format), "x2 is in FRACTAL_NZ");
  plan.stage(c.x1).contiguous();
  const QuantCall call{c, QuantOperand(plan, c.x1, false, false),
                       QuantOperand(plan, c.x2, c.transposeX2, in_blocks)};
  check_shapes(check, call, by_groups);
  check_tiling(plan, !by_groups || !call.b.turned, "x2 is transposed beside scales of groups");
  const StoredScales scales(plan, c.x2Scale);
  plan.stage(c.x1Scale).contiguous();
  plan.stage(c.yOffset).contiguous();
  const RowMajor of_rows(plan.reads(c.x1Scale)), added(plan.reads(c.yOffset));
  plan.result(c.out.dtype(), c.out.shape()).copy_to(c.out);
  const RowMajor to(plan.writes(c.out));
  const std::int64_t parts = by_groups ? call.depth() / kGroup : 1;
  const HalvedProduct product{call.rows(), call.columns(), call.depth(), parts};
  plan.launch(call.b.plain.before([=, a = call.a, b = call.b](const KernelMemory& memory) {
    const std::vector<float> factors = scales.values(memory);
    const std::vector<float> rows = RowMajorAccess(of_rows, memory).values();
    const std::vector<float> offset = RowMajorAccess(added, memory).values();
    std::vector<float> values(std::size_t(product.rows * product.columns), 0.0f);
    product.add(a.matrix(memory, {}), b.matrix(memory, {}), factors.data(), values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t columns = std::size_t(product.columns);
      values[i] = (values[i] + offset[i % columns]) * rows[i / columns];
    }
    RowMajorAccess(to, memory).write(0, product.rows * product.columns, values.data());
  }));
}

bool has_groups_of_int4(const QuantMatmulV5Parameters& c) {
  const auto holds = [](const TensorArgument& tensor, aclDataType dtype) {
    return tensor.given() && tensor.dtype() == dtype && tensor.rank() > 1;
  };
  return holds_int4(c.x1.dtype()) && holds_int4(c.x2.dtype()) && !c.bias.given() &&
         holds(c.x1Scale, ACL_FLOAT) && holds(c.x2Scale, ACL_FLOAT) &&
         holds(c.x2Offset, ACL_FLOAT16);
}

/// out = x1Scale (x1 (x2Scale (x2 - x2Offset))), in float32 for each group of the depth.
void int4_in_groups(const Check& check, Plan& plan, const QuantMatmulV5Parameters& c) {
  constexpr std::int64_t kDepth = 1024, kColumns = 256, kDepthBits = 0xFFFF;
  for (const TensorArgument* tensor : {&c.x1, &c.x2, &c.x1Scale, &c.x2Scale, &c.x2Offset, &c.out})
    rank_is(check, *tensor, 2);
  if (!on_a2_or_a3() && !on_950())
    fail(ACLNN_ERR_RUNTIME_ERROR, "%s: %s has no product of these types", plan.api(), chip().name);
  check.that(!on_950() || behaves(Behaviour::kInt4On950), "int4 is not supported here");
  check.dtype_in(DtypeSet{ACL_FLOAT16, ACL_BF16}, c.out);
  const QuantCall call{c, QuantOperand(plan, c.x1, c.transposeX1, false),
                       QuantOperand(plan, c.x2, c.transposeX2, is_nz(c.x2.meta().format))};
  const std::int64_t rows = call.rows(), columns = call.columns(), depth = call.depth();
  check.that(rows > 0 && columns > 0 && depth > 0, "x1 or x2 is empty");
  check.that(!call.a.turned && call.b.turned, "x2 must be transposed, and x1 not");
  check.that(
      depth == call.depth_of_b() && depth % kDepth == 0 && columns % kColumns == 0 &&
          (c.groupSize & kDepthBits) == kGroup,
      "the depth is %lld, a multiple of 1024 in groups of 256, and there are %lld columns, a "
      "multiple of 256",
      ll(depth), ll(columns));
  const std::int64_t parts = depth / kGroup;
  check.shape_is(c.x1Scale, Dims{rows, 1}, "the rows of x1");
  for (const TensorArgument* tensor : {&c.x2Scale, &c.x2Offset})
    check.shape_is(*tensor, Dims{parts, columns}, "the groups of x2");
  check.shape_is(c.out, Dims{rows, columns}, "the product");
  check.that(!is_nz(c.x1.meta().format) && !is_nz(c.x2.meta().format), "x1 or x2 is in FRACTAL_NZ");
  const StoredScales of_rows(plan, c.x1Scale), of_groups(plan, c.x2Scale);
  const StoredScales of_offsets(plan, c.x2Offset);
  const RowMajor to(plan.writes(c.out));
  plan.launch([=, a = call.a, b = call.b](const KernelMemory& memory) {
    const std::vector<float> factors = of_rows.values(memory), scales = of_groups.values(memory);
    const std::vector<float> offsets = of_offsets.values(memory);
    std::vector<float> values(std::size_t(rows * columns), 0.0f);
    std::vector<std::int8_t> line(static_cast<std::size_t>(depth));
    std::vector<std::int32_t> row_sums(std::size_t(rows * parts));
    const IntegerMatrix left = a.matrix(memory, {}), right = b.matrix(memory, {});
    for (std::int64_t row = 0; row < rows; ++row) {
      left.read(row, 0, depth, line.data());
      for (std::int64_t part = 0; part < parts; ++part)
        row_sums[std::size_t(row * parts + part)] =
            std::accumulate(line.data() + part * kGroup, line.data() + (part + 1) * kGroup, 0);
    }
    HalvedProduct{rows, columns, depth, parts}.each_part(
        left, right,
        [&](std::int64_t part, std::int64_t row, std::int64_t column, std::int64_t count,
            const std::int32_t* sums) {
          const float of_row = float(row_sums[std::size_t(row * parts + part)]);
          const std::int64_t first = part * columns + column;
          float* const found = values.data() + row * columns + column;
          for (std::int64_t i = 0; i < count; ++i)
            found[i] += (float(sums[i]) - of_row * offsets[std::size_t(first + i)]) *
                        scales[std::size_t(first + i)];
        });
    for (std::size_t i = 0; i < values.size(); ++i) values[i] *= factors[i / std::size_t(columns)];
    RowMajorAccess(to, memory).write(0, rows * columns, values.data());
  });
}

}  // namespace pyaclnn::sim
