// Blocks of numbers that share an exponent.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "opapi/common/kernel_checks.hpp"
#include "opapi/quant/elements.hpp"
#include "opapi/quant/rows.hpp"
#include "parameters/DynamicMxQuant.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlockStep = 32;
constexpr std::int64_t kLongestBlock = 1024;
constexpr int kBias = 127;
constexpr int kSpecial = 255;  // the exponent of what is no number

long long ll(std::int64_t value) { return static_cast<long long>(value); }

struct Bits {
  int exponent;
  std::uint32_t fraction;
};

Bits bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return {int(bits >> 23 & 0xFF), bits & 0x7FFFFF};
}

/// How a block's exponent is found, and what its numbers become.
struct Block {
  int largest_exponent;  // of the narrow type
  float inverse_most;    // 1 over its largest number
  bool rounds_up;        // so that the block's largest magnitude is at most that

  /// The exponent with its bias, or kSpecial.
  int exponent(float size) const {
    if (!std::isfinite(size)) return kSpecial;
    if (!rounds_up) return std::max(0, bits_of(size).exponent - largest_exponent);
    const Bits scale = bits_of(size * inverse_most);
    constexpr std::uint32_t kHalf = 0x400000;
    const bool up =
        scale.exponent == 0 ? scale.fraction > kHalf : scale.exponent < 254 && scale.fraction > 0;
    return scale.exponent + up;
  }
};

Block block_of(aclDataType dtype, bool rounds_up) {
  constexpr float kInverse448 = 0x1.24924ap-9f, kInverse57344 = 0x1.24924ap-16f;
  switch (dtype) {
    case ACL_FLOAT8_E4M3FN:
      return {8, kInverse448, rounds_up};
    case ACL_FLOAT8_E5M2:
      return {15, kInverse57344, rounds_up};
    case ACL_FLOAT4_E2M1:
      return {2, 0, false};
    default:
      return {0, 0, false};
  }
}

/// The view with an axis behind all others.
View with_last(const View& view, std::size_t axis, std::size_t kept) {
  std::vector<std::int64_t> shape, strides;
  for (std::size_t i = 0; i < view.shape.size(); ++i) {
    if (i == axis || i >= kept) continue;
    shape.push_back(view.shape[i]);
    strides.push_back(view.strides[i]);
  }
  for (std::size_t i : {axis, kept}) {
    if (i >= view.shape.size()) continue;
    shape.push_back(view.shape[i]);
    strides.push_back(view.strides[i]);
  }
  View turned = view;
  turned.shape = Dims(shape.data(), shape.size());
  turned.strides = Dims(strides.data(), strides.size());
  return turned;
}

/// Stores a row in blocks, and their exponents in pairs.
struct BlockSink {
  Block block;
  std::int64_t length;
  Round round;
  QuantOut out;
  RowMajor scales;
  std::int64_t pairs;

  void operator()(const KernelMemory& memory, const RowPlace& place, float* values, float*) const {
    const float smallest = std::ldexp(1.0f, -kBias);
    std::vector<float> found(static_cast<std::size_t>(2 * pairs), smallest);
    for (std::int64_t at = 0, b = 0; at < place.width; at += length, ++b) {
      const std::int64_t count = std::min(length, place.width - at);
      float size = 0;
      for (std::int64_t i = 0; i < count; ++i) {
        const float own = std::fabs(values[at + i]);
        size = std::isnan(own) || own > size ? own : size;
        if (std::isnan(size)) break;
      }
      const int exponent = block.exponent(size);
      const bool nothing = bits_of(size).exponent == 0;  // a kernel takes what is smaller for 0
      float factor = std::ldexp(1.0f, kBias - exponent);
      if (exponent == kSpecial) factor = std::numeric_limits<float>::quiet_NaN();
      if (nothing) factor = 0;
      for (std::int64_t i = 0; i < count; ++i) values[at + i] *= factor;
      if (exponent == kSpecial) {
        found[std::size_t(b)] = factor;
      } else if (!nothing) {
        found[std::size_t(b)] = std::ldexp(1.0f, exponent - kBias);
      }
    }
    out.write(memory, place.row * place.width, place.width, values, round);
    RowMajorAccess(scales, memory).write(place.row * 2 * pairs, 2 * pairs, found.data());
  }
};

}  // namespace

void dynamic_mx_quant(const Check&, Plan& plan, const DynamicMxQuantParameters& given) {
  const std::string mode = given.roundModeOptional.given() ? given.roundModeOptional.text : "rint";
  const aclDataType dtype = given.yOut.dtype();
  const bool halves = dtype == ACL_FLOAT4_E2M1 || dtype == ACL_FLOAT4_E1M2;
  check_tiling(plan, mode == "rint" || mode == "floor" || mode == "round",
               "roundModeOptional is \"%s\", it must be rint, floor or round", mode.c_str());
  check_tiling(plan, halves || mode == "rint", "roundModeOptional must be rint beside float8");
  check_tiling(plan, std::int64_t(dtype) == given.dstType, "yOut is not of dstType");
  check_tiling(
      plan,
      given.blocksize > 0 && given.blocksize <= kLongestBlock && given.blocksize % kBlockStep == 0,
      "blocksize is %lld, it must be a multiple of 32 up to 1024", ll(given.blocksize));
  check_tiling(plan, given.scaleAlg == 0 || (given.scaleAlg == 1 && !halves),
               "scaleAlg is %lld, it must be 0, or 1 beside float8", ll(given.scaleAlg));
  const Dims& shape = given.x.shape();
  const auto rank = std::int64_t(shape.size());
  check_tiling(plan, rank >= 1 && rank <= 7, "x has %lld dimensions, it must have 1 to 7",
               ll(rank));
  check_tiling(plan, given.axis >= -rank && given.axis < rank,
               "axis is %lld beside %lld dimensions", ll(given.axis), ll(rank));
  check_tiling(plan, !halves || shape.back() % 2 == 0, "the last axis of x must be even");
  check_tiling(plan, given.yOut.shape() == shape, "yOut has another shape than x");
  const auto axis = std::size_t(given.axis < 0 ? given.axis + rank : given.axis);
  std::vector<std::int64_t> scales(shape.begin(), shape.end());
  const std::int64_t blocks = (scales[axis] + given.blocksize - 1) / given.blocksize;
  scales[axis] = (blocks + 1) / 2;
  scales.push_back(2);
  check_tiling(plan, given.mxscaleOut.shape() == Dims(scales.data(), scales.size()),
               "mxscaleOut has shape %s beside x of shape %s in blocks of %lld",
               given.mxscaleOut.shape().text().c_str(), shape.text().c_str(), ll(given.blocksize));
  if (given.x.is_empty()) return;
  if (halves && axis + 1 != shape.size())
    fail_not_simulated(plan, "blocks of float4 along an axis that is not the last");
  QuantRowsCall call;
  call.width = shape[axis];
  call.rows = given.x.elements() / call.width;
  plan.stage(given.x).contiguous();
  call.source = rows_of(with_last(plan.reads(given.x), axis, shape.size()), call.width);
  BlockSink sink;
  sink.block = block_of(dtype, given.scaleAlg == 1);
  sink.length = given.blocksize;
  sink.round = mode == "floor" ? Round::kFloor : mode == "round" ? Round::kRound : Round::kRint;
  sink.out = halves ? QuantOut(plan, given.yOut)
                    : QuantOut(dtype, with_last(plan.writes(given.yOut), axis, shape.size()));
  sink.scales = RowMajor(with_last(plan.writes(given.mxscaleOut), axis, shape.size()));
  sink.pairs = (blocks + 1) / 2;
  call.stores.push_back(std::move(sink));
  quantise_rows(plan, std::move(call));
}

}  // namespace pyaclnn::sim
