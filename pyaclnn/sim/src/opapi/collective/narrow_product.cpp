// SPDX-License-Identifier: MIT
#include "opapi/collective/narrow_product.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "objects/dtype.hpp"
#include "opapi/common/narrow_numbers.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/copy/cast.hpp"
#include "opapi/product/packed_floats.hpp"
#include "opapi/quant/rows.hpp"

namespace pyaclnn::sim {
namespace {

using Floats = std::vector<float>;

std::size_t at(std::int64_t place) { return static_cast<std::size_t>(place); }

/// An operand as a kernel reads it.
struct Matrix {
  QuantIn values;
  RowMajor scales;
  bool mx, turned;  // turned: the depth is the last axis
  std::int64_t lines, depth, first, first_scale;

  std::int64_t pairs() const { return (depth + kMxPair - 1) / kMxPair; }

  /// The values, multiplied with the scales of their groups.
  Floats read(const KernelMemory& memory) const {
    Floats result(at(lines * depth)), buffer(result.size());
    const float* const from = values.read(memory, first, lines * depth, buffer.data());
    std::copy_n(from, result.size(), result.data());
    if (!mx) return result;
    const Floats factors = factors_of(memory);
    for (std::int64_t line = 0; line < lines; ++line) {
      for (std::int64_t k = 0; k < depth; ++k) {
        const std::int64_t pair = k / kMxPair, half = k % kMxPair / kMxBlock;
        const std::int64_t place = turned ? line * pairs() + pair : pair * lines + line;
        result[at(turned ? line * depth + k : k * lines + line)] *= factors[at(place * 2 + half)];
      }
    }
    return result;
  }

  Floats factors_of(const KernelMemory& memory) const {
    const std::int64_t count = mx ? lines * pairs() * 2 : scales.count() - first_scale;
    Floats result(at(count)), buffer(result.size());
    const RowMajorAccess access(scales, memory);
    std::copy_n(access.read(first_scale, count, buffer.data()), count, result.data());
    return result;
  }

  /// The factor of a line, which may be that of all.
  static float of_line(const Floats& factors, std::int64_t line) {
    return factors[factors.size() == 1 ? 0 : at(line)];
  }
};

Matrix matrix_of(Plan& plan, const NarrowOperand& operand, std::int64_t lines, std::int64_t depth,
                 bool is_first) {
  Matrix result{};
  result.values = QuantIn(plan, operand.values, false);
  plan.stage(operand.scales).contiguous();
  result.scales = RowMajor(plan.reads(operand.scales));
  result.mx = operand.scales.dtype() == ACL_FLOAT8_E8M0;
  result.turned = is_first || operand.turned;
  result.lines = lines;
  result.depth = depth;
  result.first = operand.first * depth * (is_first ? 1 : lines);
  const std::int64_t each = result.mx ? result.pairs() * 2 : 1;
  // Scales of a batch are for each 32, or there is one.
  const bool one = !result.mx && operand.scales.elements() == 1;
  result.first_scale = one ? 0 : operand.first * each * (is_first ? 1 : lines);
  return result;
}

}  // namespace

Dims mx_scales(std::int64_t lines, std::int64_t depth, bool lines_first) {
  const std::int64_t pairs = (depth + kMxPair - 1) / kMxPair;
  return lines_first ? Dims{lines, pairs, 2} : Dims{pairs, lines, 2};
}

TensorArgument in_bytes(Plan& plan, const TensorArgument& tensor) {
  const bool halves = is_float4(tensor.dtype());
  if (!halves && !holds_int4(tensor.dtype()))
    return plan.described(tensor, tensor.shape(), tensor.meta().strides, tensor.meta().offset);
  Dims shape = tensor.shape();
  constexpr std::int64_t kInWord = 8;
  if (tensor.dtype() == ACL_INT32) shape.set(shape.size() - 1, shape.back() * kInWord);
  // float8_e4m3fn has all numbers of float4_e2m1.
  TensorArgument result = plan.scratch(tensor.name(), halves ? ACL_FLOAT8_E4M3FN : ACL_INT8, shape);
  const QuantIn in(plan, tensor, true);
  const RowMajor out(plan.writes(result));
  plan.launch([=, count = shape.product()](const KernelMemory& memory) {
    Floats buffer(at(count));
    RowMajorAccess(out, memory).write(0, count, in.read(memory, 0, count, buffer.data()));
  });
  return result;
}

void copy_bytes(Plan& plan, const TensorArgument& bytes, const TensorArgument& out) {
  if (bytes.dtype() == out.dtype()) return copy(plan, bytes, out);
  const RowMajor in(plan.reads(bytes));
  const QuantOut to(plan, out);
  plan.launch([=](const KernelMemory& memory) {
    Floats values = RowMajorAccess(in, memory).values();
    to.write(memory, 0, in.count(), values.data(), Round::kRint);
  });
}

void narrow_product(Plan& plan, const NarrowOperand& a, const NarrowOperand& b, std::int64_t depth,
                    const TensorArgument& bias, const TensorArgument& out) {
  const std::int64_t rows = out.shape()[0], columns = out.shape()[1];
  const Matrix left = matrix_of(plan, a, rows, depth, true);
  const Matrix right = matrix_of(plan, b, columns, depth, false);
  const RowMajor added = bias.given() ? RowMajor(plan.reads(bias)) : RowMajor();
  const RowMajor result(plan.writes(out));
  if (out.is_empty()) return;
  plan.launch([=](const KernelMemory& memory) {
    const Floats x = left.read(memory), w = right.read(memory);
    Floats sums = packed_product({x.data()}, {w.data(), right.turned}, rows, depth, columns);
    const Floats of_rows = left.mx ? Floats{1} : left.factors_of(memory);
    const Floats of_columns = right.mx ? Floats{1} : right.factors_of(memory);
    const Floats addend = added.given() ? RowMajorAccess(added, memory).values() : Floats();
    for (std::int64_t row = 0; row < rows; ++row) {
      float* const line = sums.data() + row * columns;
      for (std::int64_t j = 0; j < columns; ++j) {
        if (!addend.empty()) line[j] += addend[at(j)];
        line[j] = line[j] * Matrix::of_line(of_columns, j) * Matrix::of_line(of_rows, row);
      }
      RowMajorAccess(result, memory).write(row * columns, columns, line);
    }
  });
}

}  // namespace pyaclnn::sim
