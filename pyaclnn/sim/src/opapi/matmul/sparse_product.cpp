// Products of int8 with a weight of which two numbers of four are stored, and where they belong.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <vector>

#include "objects/dtype.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/product/integer_product.hpp"
#include "parameters/Sparse4to2QuantMatmulWeightNz.hpp"

namespace pyaclnn::sim {
namespace {

using Call = Sparse4to2QuantMatmulWeightNzParameters;

constexpr std::int64_t kHeight = 16, kWidth = 32;  // of a block of stored numbers
constexpr std::int64_t kInByte = 8;                // numbers of the weight that a byte is about
constexpr std::int64_t kBytes = 8;                 // of the index, beside a line of a block

std::size_t at(std::int64_t place) { return static_cast<std::size_t>(place); }
void check_sparse(const Check& check, const Call& c) {
  check.that(on_a2_or_a3(), "%s does not have the operator", chip().name);
  check.not_null(c.sparseWeight);
  const auto rank_is = [&](const TensorArgument& tensor, std::size_t rank) {
    check.that(!tensor.given() || tensor.rank() == rank, "%s has %zu dimensions, it must have %zu",
               tensor.name(), tensor.given() ? tensor.rank() : 0, rank);
  };
  rank_is(c.sparseWeight, 2);
  const std::int64_t n = c.sparseWeight.shape()[0], stored = c.sparseWeight.shape()[1];
  const Dims blocks{pieces(stored, kWidth), pieces(n, kHeight), kHeight, kWidth};
  check.that(c.sparseWeight.meta().storage_shape == blocks,
             "sparseWeight has a storage of %s, which is not that of FRACTAL_NZ, %s",
             c.sparseWeight.meta().storage_shape.text().c_str(), blocks.text().c_str());
  check.not_null(c.x, c.index, c.out, c.sparseWeightScale, c.xScale);
  check.that(!is_turned(c.x), "x is transposed");
  for (const TensorArgument* tensor : {&c.x, &c.index, &c.out}) rank_is(*tensor, 2);
  for (const TensorArgument* tensor : {&c.biasOptional, &c.xScale, &c.sparseWeightScale})
    rank_is(*tensor, 1);
  check.dtype_in(DtypeSet{ACL_INT8}, c.x, c.sparseWeight);
  check.dtype_in(DtypeSet{ACL_UINT8}, c.index);
  if (c.biasOptional.given()) check.dtype_in(DtypeSet{ACL_BF16}, c.biasOptional);
  check.dtype_in(DtypeSet{ACL_FLOAT}, c.xScale, c.sparseWeightScale);
  check.dtype_in(DtypeSet{ACL_BF16}, c.out);
  for (const TensorArgument* tensor :
       {&c.x, &c.index, &c.xScale, &c.sparseWeightScale, &c.biasOptional, &c.out})
    check.that(!tensor->given() || tensor->meta().format == ACL_FORMAT_ND,
               "%s must be in the format ND", tensor->name());
  constexpr std::int64_t kLongest = 65535;
  const std::int64_t m = c.x.shape()[0], k = c.x.shape()[1];
  check.that(k <= kLongest && stored <= kLongest && pieces(k, kInByte) * kInByte == 2 * stored,
             "x has a depth of %lld, and sparseWeight stores %lld of it", ll(k), ll(stored));
  if (c.biasOptional.given()) check.shape_is(c.biasOptional, Dims{n}, "the columns");
  check.shape_is(c.sparseWeightScale, Dims{n}, "the columns");
  check.shape_is(c.xScale, Dims{m}, "the rows");
  check.shape_is(c.out, Dims{m, n}, "the product");
  check.that(!c.x.is_empty() && !c.sparseWeight.is_empty(), "x or sparseWeight is empty");
}

/// Columns of the depth, one behind another. Four bits of the index say where the first of two
/// numbers belongs among four, and what the second one has beyond 1.
std::vector<std::int8_t> restored(const std::byte* numbers, const std::byte* index,
                                  std::int64_t columns, std::int64_t depth) {
  std::vector<std::int8_t> result(at(columns * depth));
  const std::int64_t lines = pieces(columns, kHeight) * kHeight;
  constexpr std::int64_t kFour = 4;
  for (std::int64_t n = 0; n < columns; ++n) {
    for (std::int64_t four = 0; four * kFour < depth; ++four) {
      const std::int64_t group = four / 2, half = four * 2;
      const unsigned byte =
          unsigned(index[((group / kBytes) * lines + n) * kBytes + group % kBytes]);
      const unsigned bits = byte >> (four % 2 * 4) & 0xF;
      const std::byte* const pair =
          numbers + ((half / kWidth) * lines + n) * kWidth + half % kWidth;
      const std::int64_t places[] = {bits & 3, (bits >> 2) + 1};
      for (int i = 0; i < 2; ++i) {
        const std::int64_t k = four * kFour + places[i];
        if (places[i] >= kFour || k >= depth) continue;
        std::int8_t& to = result[at(n * depth + k)];
        to = static_cast<std::int8_t>(to + static_cast<std::int8_t>(pair[i]));
      }
    }
  }
  return result;
}

}  // namespace

/// out = (x @ weight^T) * sparseWeightScale * xScale + bias.
void sparse_quant_matmul(const Check& check, Plan& plan, const Call& c) {
  check_sparse(check, c);
  const std::int64_t rows = c.x.shape()[0], depth = c.x.shape()[1];
  const std::int64_t columns = c.sparseWeight.shape()[0];
  const std::int64_t size = c.sparseWeight.meta().storage_shape.product();
  check_tiling(plan, c.index.meta().storage_shape.product() >= size / (kWidth / kBytes),
               "index has a storage of %s", c.index.meta().storage_shape.text().c_str());
  const View numbers = reads_storage(plan, c.sparseWeight, size);
  const View index = reads_storage(plan, c.index, size / (kWidth / kBytes));
  for (const TensorArgument* tensor : {&c.x, &c.xScale, &c.sparseWeightScale, &c.biasOptional})
    if (tensor->given()) plan.stage(*tensor).contiguous();
  const View x = plan.reads(c.x);
  const RowMajor of_rows(plan.reads(c.xScale)), of_columns(plan.reads(c.sparseWeightScale));
  const RowMajor bias = c.biasOptional.given() ? RowMajor(plan.reads(c.biasOptional)) : RowMajor();
  const RowMajor out(plan.writes(c.out));
  plan.launch([=](const KernelMemory& memory) {
    const auto floats = [&](const RowMajor& of) {
      return of.given() ? RowMajorAccess(of, memory).values() : std::vector<float>();
    };
    const std::vector<float> row_scale = floats(of_rows), scale = floats(of_columns);
    const std::vector<float> added = floats(bias);
    const std::vector<std::int8_t> weight =
        restored(memory.operands[numbers.operand] + numbers.offset,
                 memory.operands[index.operand] + index.offset, columns, depth);
    IntegerMatrix a, b;
    a.base = memory.operands[x.operand];
    a.first = x.offset;
    a.line_step = x.strides[0];
    a.step = x.strides[1];
    b.base = reinterpret_cast<const std::byte*>(weight.data());
    b.line_step = depth;
    b.turned = true;
    integer_product(
        a, b, rows, columns, depth,
        [&](std::int64_t row, std::int64_t column, std::int64_t count, const std::int32_t* sums) {
          std::vector<float> line(at(count));
          for (std::int64_t j = 0; j < count; ++j) {
            line[at(j)] = float(sums[j]) * scale[at(column + j)] * row_scale[at(row)];
            if (!added.empty()) line[at(j)] += added[at(column + j)];
          }
          RowMajorAccess(out, memory).write(row * columns + column, count, line.data());
        });
  });
}

}  // namespace pyaclnn::sim
