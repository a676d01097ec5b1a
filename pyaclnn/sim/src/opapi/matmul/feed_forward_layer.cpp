// SPDX-License-Identifier: MIT
#include "opapi/matmul/feed_forward_layer.hpp"

#include <algorithm>
#include <cstring>

#include "core/thread_pool.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/round_stored.hpp"
#include "opapi/matmul/quant_rows.hpp"
#include "opapi/product/gemm.hpp"

namespace pyaclnn::sim {
namespace {

// The unit that multiplies sums of int8 reads these bits of a float: 8 of the exponent, 10 behind
// the point.
constexpr std::uint32_t kReadBits = 0xFFFFE000;

/// Rows of floats behind one another, as an operand.
View rows_view(std::size_t operand, std::int64_t rows, std::int64_t columns) {
  View view;
  view.operand = operand;
  view.dtype = ACL_FLOAT;
  view.shape = Dims{rows, columns};
  view.strides = Dims{columns, 1};
  return view;
}

std::byte* bytes_of(const float* values) {
  return reinterpret_cast<std::byte*>(const_cast<float*>(values));
}

/// A row, or several, as a matrix.
View as_matrix(View view) {
  if (view.shape.size() == 2) return view;
  view.shape = Dims{1, view.shape[0]};
  view.strides = Dims{0, view.strides[0]};
  return view;
}

/// Sums wrap, as the accumulator's of 32 bits do.
void add_products(std::int32_t factor, const std::int8_t* row, std::int64_t count,
                  std::uint32_t* sums) {
  for (std::int64_t i = 0; i < count; ++i) sums[i] += std::uint32_t(factor * std::int32_t(row[i]));
}

}  // namespace

View of_expert(const View& view, bool has_experts, std::int64_t expert) {
  if (!has_experts) return view;
  View result = view;
  result.offset += expert * view.strides[0];
  result.shape = Dims();
  result.strides = Dims();
  for (std::size_t i = 1; i < view.shape.size(); ++i) {
    result.shape.push_back(view.shape[i]);
    result.strides.push_back(view.strides[i]);
  }
  return result;
}

std::vector<float> row_values(const KernelMemory& memory, const View& view) {
  std::vector<float> values(std::size_t(view.shape[0]));
  loader<float>(view.dtype)(first_element(memory, view), view.strides[0], view.shape[0],
                            values.data());
  return values;
}

std::vector<float> NetworkLayer::multiply(const KernelMemory& memory, std::int64_t expert,
                                          const float* values, std::int64_t rows) const {
  return kind == Kind::kInt8 ? multiply_int8(memory, expert, values, rows)
                             : multiply_floats(memory, expert, values, rows);
}

std::vector<float> NetworkLayer::restore(const KernelMemory& memory, std::int64_t expert) const {
  const QuantRows from(of_expert(weight, has_experts(), expert));
  const View scales = as_matrix(of_expert(anti_scale, has_experts(), expert));
  const QuantRows scale(scales);
  const QuantRows offset(has_anti_offset ? as_matrix(of_expert(anti_offset, has_experts(), expert))
                                         : scales);
  const std::int64_t wide = columns();
  const std::int64_t in_group = std::max<std::int64_t>(1, depth() / scales.shape[0]);
  std::vector<float> result(std::size_t(depth() * wide));
  parallel_for(depth(), std::max<std::int64_t>(1, 16384 / std::max<std::int64_t>(1, wide)),
               [&](std::int64_t begin, std::int64_t end) {
                 std::vector<float> row(static_cast<std::size_t>(wide));
                 for (std::int64_t k = begin; k < end; ++k) {
                   float* const w = result.data() + k * wide;
                   from.read(memory, k, wide, w);
                   if (has_anti_offset) {
                     offset.read(memory, k / in_group, wide, row.data());
                     for (std::int64_t i = 0; i < wide; ++i) w[i] += row[std::size_t(i)];
                     // The kernel adds in float16, and in float32 what becomes bfloat16.
                     if (restored == ACL_FLOAT16) round_as_stored(w, wide, restored);
                   }
                   scale.read(memory, k / in_group, wide, row.data());
                   for (std::int64_t i = 0; i < wide; ++i) w[i] *= row[std::size_t(i)];
                   round_as_stored(w, wide, restored);
                 }
               });
  return result;
}

std::vector<float> NetworkLayer::multiply_floats(const KernelMemory& memory, std::int64_t expert,
                                                 const float* values, std::int64_t rows) const {
  std::vector<float> result(std::size_t(rows * columns()));
  std::vector<float> own;
  KernelMemory with;
  with.operands.push_back(bytes_of(values));
  with.operands.push_back(bytes_of(result.data()));
  const auto taken = [&](const View& view) {
    View one = of_expert(view, has_experts(), expert);
    one.operand = with.operands.size();
    with.operands.push_back(memory.operands[view.operand]);
    return one;
  };
  Gemm gemm;
  gemm.a = rows_view(0, rows, depth());
  gemm.out = rows_view(1, rows, columns());
  gemm.product = product;
  if (kind == Kind::kQuantisedWeights) {
    own = restore(memory, expert);
    gemm.b = rows_view(with.operands.size(), depth(), columns());
    with.operands.push_back(bytes_of(own.data()));
  } else {
    gemm.b = taken(weight);
  }
  if (has_bias) gemm.addend = taken(bias);
  run_gemm(gemm, with);
  return result;
}

std::vector<float> NetworkLayer::deq_scales(const KernelMemory& memory, std::int64_t expert) const {
  const View one = of_expert(deq_scale, has_experts(), expert);
  if (one.dtype == ACL_BF16) return row_values(memory, one);
  const auto size = std::int64_t(dtype_size(one.dtype));
  std::vector<float> result(static_cast<std::size_t>(columns()));
  for (std::int64_t i = 0; i < columns(); ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, first_element(memory, one) + i * one.strides[0] * size, sizeof bits);
    bits &= kReadBits;
    std::memcpy(&result[std::size_t(i)], &bits, sizeof bits);
  }
  return result;
}

std::vector<float> NetworkLayer::multiply_int8(const KernelMemory& memory, std::int64_t expert,
                                               const float* values, std::int64_t rows) const {
  const std::vector<float> scales = deq_scales(memory, expert);
  const std::vector<std::int32_t> sums = int8_sums(memory, expert, values, rows);
  std::vector<float> result(sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i)
    result[i] = float(sums[i]) * scales[i % scales.size()];
  round_as_stored(result.data(), std::int64_t(result.size()), product);
  return result;
}

std::vector<std::int32_t> NetworkLayer::int8_sums(const KernelMemory& memory, std::int64_t expert,
                                                  const float* values, std::int64_t rows) const {
  const View matrix = of_expert(weight, has_experts(), expert);
  const std::int64_t wide = columns();
  std::vector<std::int32_t> result(std::size_t(rows * wide));
  std::vector<std::int32_t> first(static_cast<std::size_t>(wide));
  if (has_bias) {
    const View one = of_expert(bias, has_experts(), expert);
    const std::byte* const from = first_element(memory, one);
    for (std::int64_t i = 0; i < wide; ++i)
      std::memcpy(&first[std::size_t(i)], from + i * one.strides[0] * 4, 4);
  }
  const auto* lines = reinterpret_cast<const std::int8_t*>(first_element(memory, matrix));
  std::int64_t step = matrix.strides[0];
  std::vector<std::int8_t> copied;
  if (matrix.strides[1] != 1) {
    copied.resize(std::size_t(depth() * wide));
    for (std::int64_t k = 0; k < depth(); ++k)
      for (std::int64_t i = 0; i < wide; ++i)
        copied[std::size_t(k * wide + i)] = lines[k * step + i * matrix.strides[1]];
    lines = copied.data();
    step = wide;
  }
  parallel_for(rows, 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::uint32_t> sums(static_cast<std::size_t>(wide));
    for (std::int64_t row = begin; row < end; ++row) {
      std::copy(first.begin(), first.end(), sums.begin());
      for (std::int64_t k = 0; k < depth(); ++k)
        add_products(std::int32_t(values[row * depth() + k]), lines + k * step, wide, sums.data());
      std::copy(sums.begin(), sums.end(), result.begin() + row * wide);
    }
  });
  return result;
}

}  // namespace pyaclnn::sim
