// Attention of windows on int8: sums of integers, restored to float16, and weights in int8 again.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "opapi/attention/integers.hpp"
#include "opapi/common/cpu.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/round_stored.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/matmul/integer_product.hpp"
#include "opapi/quant/numbers.hpp"
#include "opapi/softmax/softmax_row.hpp"
#include "parameters/SwinAttentionScoreQuant.hpp"

namespace pyaclnn::sim {
namespace {

using Parameters = SwinAttentionScoreQuantParameters;

void check_shapes(const Plan& plan, const Parameters& c) {
  constexpr std::int64_t kLongest = 1024, kMostRows = UINT32_MAX;
  const Dims& shape = c.query.shape();
  check_tiling(plan, shape.size() == 4, "query has %zu dimensions, it must have 4", shape.size());
  const std::int64_t length = shape[2], depth = shape[3];
  check_tiling(plan, length >= 1 && length <= kLongest && (depth == 32 || depth == 64),
               "query has shape %s, it must have up to 1024 rows of 32 or 64",
               shape.text().c_str());
  check_tiling(plan, c.query.elements() / depth <= kMostRows, "query has too many rows");
  for (const TensorArgument* tensor : {&c.key, &c.value, &c.out})
    check_tiling(plan, tensor->shape() == shape, "%s has shape %s, and query %s", tensor->name(),
                 tensor->shape().text().c_str(), shape.text().c_str());
  check_tiling(plan, c.biasQuantOptional.given() && c.biasDequant1Optional.given(),
               "biasQuantOptional or biasDequant1Optional is null");
  if (c.paddingMask1Optional.given())
    check_tiling(plan, c.paddingMask1Optional.shape() == Dims({1, shape[1], length, length}),
                 "paddingMask1Optional has shape %s",
                 c.paddingMask1Optional.shape().text().c_str());
  if (!c.biasDequant2Optional.given() || c.paddingMask2Optional.given() || c.queryTranspose ||
      c.keyTranspose || c.valueTranspose || c.softmaxAxes != -1)
    fail_not_simulated(plan, "transposed operands, a second mask, or no biasDequant2Optional");
  for (const TensorArgument* tensor :
       {&c.scaleQuant, &c.scaleDequant1, &c.biasQuantOptional, &c.biasDequant1Optional})
    check_tiling(plan, tensor->elements() == length, "%s must have %lld elements", tensor->name(),
                 static_cast<long long>(length));
  for (const TensorArgument* tensor : {&c.scaleDequant2, &c.biasDequant2Optional})
    check_tiling(plan, tensor->elements() == depth, "%s must have %lld elements", tensor->name(),
                 static_cast<long long>(depth));
}

/// Sums of integers as float16, a column at a time.
struct Restored {
  std::vector<std::int64_t> scale, bias;

  void operator()(std::int64_t column, std::int64_t count, const std::int32_t* sums,
                  float* to) const {
    for (std::int64_t i = 0; i < count; ++i) {
      const auto at = std::size_t(column + i);
      const auto sum = std::int32_t(std::uint32_t(sums[i]) + std::uint32_t(bias[at]));
      to[i] = float(sum) * scale_of_parameter(std::uint64_t(scale[at]));
    }
    round_as_stored(to, count, ACL_FLOAT16);
  }
};

/// All rows of a head, as int8.
std::vector<std::int8_t> narrow(const RowMajor& rows, const KernelMemory& memory, std::int64_t from,
                                std::int64_t count) {
  std::vector<float> wide(static_cast<std::size_t>(count));
  const float* const values = RowMajorAccess(rows, memory).read(from, count, wide.data());
  return std::vector<std::int8_t>(values, values + count);
}

IntegerMatrix matrix(const std::vector<std::int8_t>& numbers, std::int64_t width, bool turned) {
  IntegerMatrix matrix;
  matrix.base = reinterpret_cast<const std::byte*>(numbers.data());
  matrix.line_step = width;
  matrix.turned = turned;
  return matrix;
}

}  // namespace

void swin_attention_score_quant(const Check&, Plan& plan, const Parameters& given) {
  check_shapes(plan, given);
  if (given.query.is_empty()) return;
  const Dims& shape = given.query.shape();
  const std::int64_t heads = shape[1], length = shape[2], depth = shape[3];
  const auto layout = [&](const TensorArgument& tensor) { return RowMajor(plan.reads(tensor)); };
  const RowMajor query = layout(given.query), key = layout(given.key), value = layout(given.value),
                 scale = layout(given.scaleQuant), offset = layout(given.biasQuantOptional),
                 out(plan.writes(given.out));
  RowMajor mask;
  if (given.paddingMask1Optional.given()) mask = layout(given.paddingMask1Optional);
  const View scale1 = plan.reads(given.scaleDequant1),
             bias1 = plan.reads(given.biasDequant1Optional),
             scale2 = plan.reads(given.scaleDequant2),
             bias2 = plan.reads(given.biasDequant2Optional);
  const std::int64_t count = shape[0] * heads;
  plan.launch([=](const KernelMemory& memory) {
    const Restored scores{integers_of(scale1, memory), integers_of(bias1, memory)};
    const Restored results{integers_of(scale2, memory), integers_of(bias2, memory)};
    const std::vector<float> factors = RowMajorAccess(scale, memory).values();
    const std::vector<float> shifts = RowMajorAccess(offset, memory).values();
    const auto softmax =
        loop_for_cpu<SoftmaxRow<float>, const float*, std::int64_t, bool, float*>();
    std::vector<std::int8_t> weights(static_cast<std::size_t>(length * length));
    for (std::int64_t head = 0; head < count; ++head) {
      const std::int64_t at = head * length * depth;
      const auto q = narrow(query, memory, at, length * depth);
      const auto k = narrow(key, memory, at, length * depth);
      const auto v = narrow(value, memory, at, length * depth);
      std::vector<float> rows(weights.size());
      integer_product(
          matrix(q, depth, false), matrix(k, depth, true), length, length, depth,
          [&](std::int64_t row, std::int64_t column, std::int64_t n, const std::int32_t* sums) {
            scores(column, n, sums, rows.data() + row * length + column);
          });
      std::vector<float> buffer(static_cast<std::size_t>(length));
      for (std::int64_t r = 0; r < length; ++r) {
        float* const row = rows.data() + r * length;
        if (mask.given()) {
          const float* const added =
              RowMajorAccess(mask, memory)
                  .read((head % heads * length + r) * length, length, buffer.data());
          for (std::int64_t i = 0; i < length; ++i) row[i] += added[i];
          round_as_stored(row, length, ACL_FLOAT16);
        }
        softmax(row, length, false, row);
        round_as_stored(row, length, ACL_FLOAT16);
        for (std::int64_t i = 0; i < length; ++i) row[i] *= factors[std::size_t(i)];
        round_as_stored(row, length, ACL_FLOAT16);
        for (std::int64_t i = 0; i < length; ++i) row[i] += shifts[std::size_t(i)];
        round_as_stored(row, length, ACL_FLOAT16);
        for (std::int64_t i = 0; i < length; ++i) {
          const float whole = std::isnan(row[i]) ? 0.0f : rounded(row[i], Round::kRint);
          weights[std::size_t(r * length + i)] = std::int8_t(std::clamp(whole, -128.0f, 127.0f));
        }
      }
      std::vector<float> made(static_cast<std::size_t>(length * depth));
      integer_product(
          matrix(weights, length, false), matrix(v, depth, false), length, depth, length,
          [&](std::int64_t row, std::int64_t column, std::int64_t n, const std::int32_t* sums) {
            results(column, n, sums, made.data() + row * depth + column);
          });
      RowMajorAccess(out, memory).write(at, length * depth, made.data());
    }
  });
}

}  // namespace pyaclnn::sim
