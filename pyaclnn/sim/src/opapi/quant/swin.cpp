// Windows of images on int8: their queries, keys and values, and their attention. Sums of integers
// are restored to float16, and become int8 again.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/checked.hpp"
#include "core/thread_pool.hpp"
#include "opapi/common/cpu.hpp"
#include "opapi/common/integers.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/narrow_numbers.hpp"
#include "opapi/common/round_stored.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/product/integer_product.hpp"
#include "opapi/softmax/softmax_row.hpp"
#include "parameters/SwinAttentionScoreQuant.hpp"
#include "parameters/SwinTransformerLnQkvQuant.hpp"

namespace pyaclnn::sim {
namespace {

using Attention = SwinAttentionScoreQuantParameters;
using Projection = SwinTransformerLnQkvQuantParameters;

void check_shapes(const Plan& plan, const Attention& c) {
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
  // Nothing in CANN reads a second mask, the axis, and whether operands are transposed.
  if (!c.biasDequant2Optional.given()) fail_not_simulated(plan, "no biasDequant2Optional");
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

/// Numbers in float16 as int8: times a scale, plus an offset, each time rounded to float16.
struct Narrowed {
  std::vector<float> scale, offset;

  void operator()(float* row, std::int64_t count, std::int8_t* to) const {
    for (std::int64_t i = 0; i < count; ++i) row[i] *= scale[std::size_t(i)];
    round_as_stored(row, count, ACL_FLOAT16);
    for (std::int64_t i = 0; i < count; ++i) row[i] += offset[std::size_t(i)];
    round_as_stored(row, count, ACL_FLOAT16);
    for (std::int64_t i = 0; i < count; ++i) {
      const float whole = std::isnan(row[i]) ? 0.0f : rounded(row[i], Round::kRint);
      to[i] = std::int8_t(std::clamp(whole, -128.0f, 127.0f));
    }
  }
};

/// Some numbers of a tensor, as int8.
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

void check_shapes(const Plan& plan, const Projection& c) {
  constexpr std::int64_t kMostImages = 32, kWidest = 1024, kMostHeads = 32;
  constexpr std::int64_t kNarrowestWindow = 7, kWidestWindow = 32;
  const Dims& shape = c.x.shape();
  check_tiling(plan, shape.size() == 3, "x has %zu dimensions, it must have 3", shape.size());
  const std::int64_t images = shape[0], places = shape[1], width = shape[2];
  check_tiling(plan, c.weightTranspose, "weightTranspose is false, it must be true");
  for (const std::int64_t window : {c.hWinSize, c.wWinSize})
    check_tiling(plan, window >= kNarrowestWindow && window <= kWidestWindow,
                 "a window of %lld, it must be 7 to 32", static_cast<long long>(window));
  check_tiling(plan, c.seqLength == 32 || c.seqLength == 64,
               "seqLength is %lld, it must be 32 or 64", static_cast<long long>(c.seqLength));
  check_tiling(plan, images >= 1 && images <= kMostImages && width >= 1 && width <= kWidest,
               "x has shape %s, it must have 1 to 32 images of up to 1024 channels",
               shape.text().c_str());
  check_tiling(plan,
               places > 0 && c.oriHeight > 0 && places % c.oriHeight == 0 &&
                   places / c.oriHeight == c.oriWeight,
               "x has %lld places, and oriHeight and oriWeight others",
               static_cast<long long>(places));
  check_tiling(plan, c.oriHeight % c.hWinSize == 0 && c.oriWeight % c.wWinSize == 0,
               "oriHeight and oriWeight are not multiples of hWinSize and wWinSize");
  check_tiling(plan, c.headNum >= 1 && c.headNum <= kMostHeads,
               "headNum is %lld, it must be 1 to 32", static_cast<long long>(c.headNum));
  check_tiling(plan, Checked(c.headNum) * c.seqLength == width,
               "x has %lld channels, not headNum times seqLength", static_cast<long long>(width));
  for (const TensorArgument* tensor : {&c.gamma, &c.beta, &c.quantScale, &c.quantOffset})
    check_tiling(plan, tensor->shape() == Dims{width},
                 "%s has shape %s, it must have %lld elements", tensor->name(),
                 tensor->shape().text().c_str(), static_cast<long long>(width));
  for (const TensorArgument* tensor : {&c.bias, &c.dequantScale})
    check_tiling(plan, tensor->shape() == Dims{3 * width},
                 "%s has shape %s, it must have %lld elements", tensor->name(),
                 tensor->shape().text().c_str(), static_cast<long long>(3 * width));
  check_tiling(plan, c.weight.shape() == Dims({3 * width, width}),
               "weight has shape %s, it must have %lld rows of %lld",
               c.weight.shape().text().c_str(), static_cast<long long>(3 * width),
               static_cast<long long>(width));
  const std::int64_t area = c.hWinSize * c.wWinSize;
  const Dims out{images * places / area, c.headNum, area, c.seqLength};
  for (const TensorArgument* tensor : {&c.queryOutputOut, &c.keyOutputOut, &c.valueOutputOut})
    check_tiling(plan, tensor->shape() == out, "%s has shape %s, it must have %s", tensor->name(),
                 tensor->shape().text().c_str(), out.text().c_str());
}

/// Images cut into windows, and their channels into heads.
struct Windows {
  std::int64_t height, width, window_height, window_width, heads, depth;

  /// Where the channels of a head of some place go, places counted through all images.
  std::int64_t operator()(std::int64_t place, std::int64_t head) const {
    const std::int64_t image = place / (height * width);
    const std::int64_t y = place / width % height, x = place % width;
    const std::int64_t window =
        (image * (height / window_height) + y / window_height) * (width / window_width) +
        x / window_width;
    const std::int64_t inside = y % window_height * window_width + x % window_width;
    return ((window * heads + head) * window_height * window_width + inside) * depth;
  }
};

/// Layer normalisation of a row in float32, the result in float16.
struct Normalised {
  std::vector<float> gamma, beta;
  float epsilon;

  void operator()(const float* row, std::int64_t count, float* to) const {
    const float share = 1.0f / float(count);
    float sum = 0.0f, squares = 0.0f;
    for (std::int64_t i = 0; i < count; ++i) sum += row[i];
    const float mean = sum * share;
    for (std::int64_t i = 0; i < count; ++i) squares += (row[i] - mean) * (row[i] - mean);
    const float deviation = std::sqrt(squares * share + epsilon);
    for (std::int64_t i = 0; i < count; ++i)
      to[i] = (row[i] - mean) / deviation * gamma[std::size_t(i)] + beta[std::size_t(i)];
    round_as_stored(to, count, ACL_FLOAT16);
  }
};

}  // namespace

void swin_attention_score_quant(const Check&, Plan& plan, const Attention& given) {
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
    const Narrowed narrowed{RowMajorAccess(scale, memory).values(),
                            RowMajorAccess(offset, memory).values()};
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
        narrowed(row, length, weights.data() + r * length);
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

void swin_transformer_ln_qkv_quant(const Check&, Plan& plan, const Projection& given) {
  check_shapes(plan, given);
  constexpr std::int64_t kRows = 256;  // of a product
  const Dims& shape = given.x.shape();
  const std::int64_t rows = shape.product(0, 2), width = shape[2];
  const Windows windows{given.oriHeight, given.oriWeight, given.hWinSize,
                        given.wWinSize,  given.headNum,   given.seqLength};
  const auto layout = [&](const TensorArgument& tensor) { return RowMajor(plan.reads(tensor)); };
  const RowMajor x = layout(given.x), gamma = layout(given.gamma), beta = layout(given.beta),
                 weight = layout(given.weight), scale = layout(given.quantScale),
                 offset = layout(given.quantOffset);
  const View scales = plan.reads(given.dequantScale), bias = plan.reads(given.bias);
  const RowMajor q(plan.writes(given.queryOutputOut)), k(plan.writes(given.keyOutputOut)),
      v(plan.writes(given.valueOutputOut));
  const float epsilon = static_cast<float>(given.epsilon);
  plan.launch([=](const KernelMemory& memory) {
    const Restored restored{integers_of(scales, memory), integers_of(bias, memory)};
    const Narrowed narrowed{RowMajorAccess(scale, memory).values(),
                            RowMajorAccess(offset, memory).values()};
    const Normalised normalised{RowMajorAccess(gamma, memory).values(),
                                RowMajorAccess(beta, memory).values(), epsilon};
    const std::vector<std::int8_t> weights = narrow(weight, memory, 0, 3 * width * width);
    std::vector<std::int8_t> numbers(std::size_t(kRows * width));
    std::vector<float> made(std::size_t(kRows * 3 * width));
    for (std::int64_t first = 0; first < rows; first += kRows) {
      const std::int64_t count = std::min(kRows, rows - first);
      parallel_for(count, 8, [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> buffer(static_cast<std::size_t>(width)), row(buffer.size());
        for (std::int64_t r = begin; r < end; ++r) {
          normalised(RowMajorAccess(x, memory).read((first + r) * width, width, buffer.data()),
                     width, row.data());
          narrowed(row.data(), width, numbers.data() + r * width);
        }
      });
      integer_product(
          matrix(numbers, width, false), matrix(weights, width, true), count, 3 * width, width,
          [&](std::int64_t row, std::int64_t column, std::int64_t n, const std::int32_t* sums) {
            restored(column, n, sums, made.data() + row * 3 * width + column);
          });
      parallel_for(count, 8, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t r = begin; r < end; ++r) {
          const float* from = made.data() + r * 3 * width;
          for (const RowMajor* out : {&q, &k, &v})
            for (std::int64_t head = 0; head < windows.heads; ++head, from += windows.depth)
              RowMajorAccess(*out, memory).write(windows(first + r, head), windows.depth, from);
        }
      });
    }
  });
}

}  // namespace pyaclnn::sim
