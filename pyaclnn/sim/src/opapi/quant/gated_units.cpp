// Clipped SwiGLU and SiTU units, whose rows are quantised whole or in blocks.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "objects/dtype.hpp"
#include "opapi/activation/swiglu_variants.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/round_stored.hpp"
#include "opapi/quant/mx.hpp"
#include "opapi/quant/sources.hpp"
#include "parameters/DequantSituQuant.hpp"
#include "parameters/SituMxQuant.hpp"
#include "parameters/SwigluGroupQuant.hpp"

namespace pyaclnn::sim {
namespace {

/// How the halves of a row become one: a gate, a weight of each row, rounding.
struct Unit {
  SwigluGate gate = SwigluGate::kClipped;
  GateNumbers numbers;
  bool left = true;
  RowMajor weight;
  aclDataType rounds_to = ACL_DT_UNDEFINED;
};

RowSource united(const RowSource& whole, std::int64_t width, const Unit& unit) {
  const GateRow gate = gate_row(unit.gate);
  return [=](const KernelMemory& memory, const RowPlace& place, float* to) {
    std::vector<float> row(static_cast<std::size_t>(2 * width));
    whole(memory, {place.row, place.group, 2 * width}, row.data());
    const float *const first = row.data(), *const second = row.data() + width;
    gate(&unit.numbers, width, unit.left ? first : second, unit.left ? second : first, to);
    if (unit.weight.given()) {
      float factor;
      factor = *RowMajorAccess(unit.weight, memory).read(place.row, 1, &factor);
      for (std::int64_t i = 0; i < width; ++i) to[i] *= factor;
    }
    round_as_stored(to, width, unit.rounds_to);
  };
}

/// Refuses an optional tensor that has neither one element nor those of a row.
void check_row(const Plan& plan, const TensorArgument& tensor, std::int64_t width) {
  check_tiling(plan, !tensor.given() || tensor.elements() == width || tensor.elements() == 1,
               "%s has %lld elements, it must have one or %lld", tensor.name(),
               ll(tensor.given() ? tensor.elements() : 0), ll(width));
}

void check_absent(const Plan& plan, std::initializer_list<const TensorArgument*> tensors) {
  for (const TensorArgument* tensor : tensors)
    check_tiling(plan, !tensor->given(), "%s is given beside such an x", tensor->name());
}

/// Rows of integers times scales of their group and of the row, plus a bias.
struct Scaled {
  RowSource rows;
  RowFactors scale, bias;
  RowMajor by_row;

  void operator()(const KernelMemory& memory, const RowPlace& place, float* to) const {
    rows(memory, place, to);
    std::vector<float> buffer(static_cast<std::size_t>(place.width));
    if (scale.given()) {
      const float* const found = scale.read(memory, place.row, place.group, buffer.data());
      for (std::int64_t i = 0; i < place.width; ++i) to[i] *= found[i];
    }
    if (by_row.given()) {
      float factor;
      factor = *RowMajorAccess(by_row, memory).read(place.row, 1, &factor);
      for (std::int64_t i = 0; i < place.width; ++i) to[i] *= factor;
    }
    if (bias.given()) {
      const float* const found = bias.read(memory, place.row, place.group, buffer.data());
      for (std::int64_t i = 0; i < place.width; ++i) to[i] += found[i];
    }
  }
};

/// What DequantSituQuant refuses of sums of products, beside those of a row.
void check_sums(const Plan& plan, const DequantSituQuantParameters& c, std::int64_t rows,
                std::int64_t whole) {
  check_absent(plan, {&c.quantScaleOptional, &c.quantOffsetOptional});
  const TensorArgument& groups = c.groupIndexOptional;
  check_tiling(plan, !groups.given() || (groups.rank() == 1 && groups.elements() > 0),
               "groupIndexOptional must be a list");
  const Dims of_groups{groups.given() ? groups.elements() : 1, whole};
  check_tiling(plan, c.weightScaleOptional.given() && c.activationScaleOptional.given(),
               "weightScaleOptional and activationScaleOptional must be given");
  for (const TensorArgument* tensor : {&c.weightScaleOptional, &c.biasOptional})
    check_tiling(plan,
                 !tensor->given() || tensor->shape() == of_groups ||
                     (!groups.given() && tensor->shape() == Dims{whole}),
                 "%s does not have the shape of the groups and rows", tensor->name());
  const Dims& by_row = c.activationScaleOptional.shape();
  check_tiling(plan, by_row == Dims{rows} || by_row == Dims{rows, 1},
               "activationScaleOptional must have one element for each of %lld rows", ll(rows));
}

/// The power of two at a positive number, or the next above it.
float power_above(float value) {
  int exponent;
  const float fraction = std::frexp(value, &exponent);
  return std::ldexp(1.0f, fraction == 0.5f ? exponent - 1 : exponent);
}

constexpr float kLeastSize = 1e-4f;
constexpr std::int64_t kBlock = 128;

/// Blocks of 128 with a float32 scale each, found of what is finite in them.
struct FiniteBlocks {
  QuantOut out;
  RowMajor scales;
  bool powers;

  void operator()(const KernelMemory& memory, const RowPlace& place, float* values, float*) const {
    const std::int64_t width = place.width, blocks = (width + kBlock - 1) / kBlock;
    const float most = largest_quantised(out.dtype());
    for (std::int64_t block = 0; block < blocks; ++block) {
      float* const at = values + block * kBlock;
      const std::int64_t count = std::min(kBlock, width - block * kBlock);
      float size = kLeastSize;
      for (std::int64_t i = 0; i < count; ++i)
        if (std::isfinite(at[i])) size = std::max(size, std::fabs(at[i]));
      const float found = size * (1.0f / most);
      const float scale = powers ? power_above(found) : found;
      const float factor = powers ? 1.0f / scale : most / size;
      for (std::int64_t i = 0; i < count; ++i)
        if (const float scaled = at[i] * factor; std::isfinite(scaled)) at[i] = scaled;
      RowMajorAccess(scales, memory).write(place.row * blocks + block, 1, &scale);
    }
    out.write(memory, place.row * width, width, values, Round::kRint);
  }
};

/// Rows as they are.
RowSink written_to(Plan& plan, const TensorArgument& tensor) {
  return [out = RowMajor(plan.writes(tensor))](const KernelMemory& memory, const RowPlace& place,
                                               float* values, float*) {
    RowMajorAccess(out, memory).write(place.row * place.width, place.width, values);
  };
}

/// Rows in groups, of which the largest magnitude becomes a number.
struct ScaledGroup {
  View values;
  RowGroups groups;
  std::int64_t rows;
  float most;
};

/// Plans the scale of each group that has rows, and what they are multiplied with.
void find_scales(Plan& plan, const ScaledGroup& c, const TensorArgument& scales,
                 const TensorArgument& factors) {
  const RowMajor values(c.values), to(plan.writes(scales)), other(plan.writes(factors));
  plan.launch([=](const KernelMemory& memory) {
    constexpr float kLeast = 1e-8f;
    const std::vector<float> all = RowMajorAccess(values, memory).values();
    const std::int64_t width = std::int64_t(all.size()) / c.rows;
    std::vector<std::int64_t> ends{c.rows};
    if (c.groups.given()) ends = c.groups.ends(memory, c.rows);
    std::int64_t begin = 0;
    for (std::size_t group = 0; group < ends.size(); begin = ends[group++]) {
      if (ends[group] == begin) continue;
      float size = kLeast;
      for (std::int64_t i = begin * width; i < ends[group] * width; ++i)
        size = std::max(size, std::fabs(all[std::size_t(i)]));
      const float scale = size / c.most;
      const float factor = c.groups.given() ? c.most / size : 1.0f / scale;
      RowMajorAccess(to, memory).write(std::int64_t(group), 1, &scale);
      RowMajorAccess(other, memory).write(std::int64_t(group), 1, &factor);
    }
  });
}

}  // namespace

void dequant_situ_quant(const Check&, Plan& plan, const DequantSituQuantParameters& given) {
  const aclDataType kind = given.x.dtype();
  std::string mode = given.quantTypeOptional.given() ? given.quantTypeOptional.text : "dynamic";
  for (char& letter : mode) letter = letter >= 'A' && letter <= 'Z' ? char(letter + 32) : letter;
  check_tiling(plan, given.beta != 0, "beta is 0");
  check_tiling(plan, mode == "static" || mode == "dynamic", "quantTypeOptional is \"%s\"",
               mode.c_str());
  const Dims& shape = given.x.shape();
  check_tiling(plan,
               shape.size() >= 2 && (kind == ACL_INT8 || shape.size() == 2) && !given.x.is_empty(),
               "x has shape %s", shape.text().c_str());
  const std::int64_t whole = shape.back(), width = whole / 2;
  check_tiling(plan, whole % 2 == 0, "the last axis of x has %lld elements, an odd number",
               ll(whole));
  const std::int64_t rows = given.x.elements() / whole;
  const bool is_static = mode == "static";
  if (kind == ACL_INT8) {
    check_tiling(plan, given.weightScaleOptional.given(), "weightScaleOptional is null");
    check_row(plan, given.weightScaleOptional, whole);
    check_absent(plan, {&given.activationScaleOptional, &given.groupIndexOptional});
    check_row(plan, given.biasOptional, whole);
    check_row(plan, given.quantScaleOptional, width);
    check_tiling(plan, !is_static || given.quantScaleOptional.given(),
                 "quantScaleOptional is null");
    if (is_static) check_row(plan, given.quantOffsetOptional, width);
  } else {
    check_tiling(plan, !is_static, "quantTypeOptional must be dynamic beside such an x");
    if (kind == ACL_INT32) {
      check_sums(plan, given, rows, whole);
    } else {
      check_absent(
          plan, {&given.weightScaleOptional, &given.activationScaleOptional, &given.biasOptional,
                 &given.quantScaleOptional, &given.quantOffsetOptional, &given.groupIndexOptional});
    }
  }
  check_tiling(plan,
               given.yOut.rank() == shape.size() && given.yOut.elements() == rows * width &&
                   given.yOut.shape().back() == width && given.yScaleOut.elements() == rows,
               "yOut or yScaleOut do not fit x of shape %s", shape.text().c_str());
  plan.stage(given.x).contiguous();
  Scaled scaled{rows_of(plan.reads(given.x), whole), {}, {}, {}};
  scaled.scale = RowFactors(plan, given.weightScaleOptional, whole);
  scaled.bias = RowFactors(plan, given.biasOptional, whole);
  scaled.by_row = read_rows(plan, given.activationScaleOptional);
  Unit unit;
  unit.gate = SwigluGate::kSitu;
  unit.numbers.beta = given.beta;
  unit.numbers.linear_beta = given.linearBeta;
  unit.left = given.activateLeft;
  QuantRowsCall call;
  call.rows = rows;
  call.width = width;
  call.source = united(std::move(scaled), width, unit);
  if (given.groupIndexOptional.given()) {
    plan.stage(given.groupIndexOptional).contiguous();
    call.groups = RowGroups(plan.reads(given.groupIndexOptional), true);
  }
  RowQuantiser quantiser;
  if (is_static) {
    quantiser.divides = given.quantScaleOptional.elements() != 1;
    quantiser.inverts = !quantiser.divides;
    quantiser.scale = RowFactors(plan, given.quantScaleOptional, width);
    quantiser.offset = RowFactors(plan, given.quantOffsetOptional, width);
  } else {
    quantiser.mode = QuantMode::kSymmetric;
    quantiser.by_step = true;
    quantiser.of_zeros = kind == ACL_INT8 ? 0.0f : 1.0f;
    quantiser.smooth = RowFactors(plan, given.quantScaleOptional, width);
    quantiser.scale_out = RowMajor(plan.writes(given.yScaleOut));
  }
  quantiser.out = QuantOut(plan, given.yOut);
  call.stores.push_back(std::move(quantiser));
  quantise_rows(plan, std::move(call));
}

void situ_mx_quant(const Check&, Plan& plan, const SituMxQuantParameters& given) {
  check_tiling(plan, given.beta > 0, "beta is %g, it must be positive", double(given.beta));
  check_tiling(plan, given.axis == -1, "axis is %lld, it must be -1", ll(given.axis));
  check_mx(plan, {given.yOut, given.roundModeOptional, given.dstType, 0});
  const Dims& shape = given.x.shape();
  const std::size_t rank = shape.size();
  check_tiling(plan, rank >= 1 && rank <= 8 && !given.x.is_empty() && shape.back() % 2 == 0,
               "x has shape %s, its last axis must be even", shape.text().c_str());
  const std::int64_t width = shape.back() / 2;
  Dims halved(shape.begin(), rank - 1);
  halved.push_back(width);
  check_tiling(plan, given.yOut.shape() == halved, "yOut has shape %s beside x of shape %s",
               given.yOut.shape().text().c_str(), shape.text().c_str());
  check_mx_shape(plan, given.yOut, given.yOut);
  check_mx_scales(plan, given.yOut, rank - 1, kMxBlock, given.yScaleOut);
  Unit unit;
  unit.gate = SwigluGate::kSitu;
  unit.numbers.beta = given.beta;
  unit.numbers.linear_beta = given.linearBeta;
  unit.left = given.activateLeft;
  unit.rounds_to = given.x.dtype();
  plan.stage(given.x).contiguous();
  TilesCall call;
  call.width = width;
  call.rows = given.yOut.elements() / width;
  call.source = united(rows_of(plan.reads(given.x), 2 * width), width, unit);
  call.stores.push_back(mx_of_rows(plan, given.yOut, given.yScaleOut, width, kMxBlock));
  call.stores[0].round = mx_round(given.roundModeOptional);
  call.stores[0].scale = mx_scaler({given.yOut.dtype(), 0});
  quantise_tiles(plan, std::move(call));
}

/// What rows may be that become hifloat8, as the document lists it.
static void check_rows_of_hifloat8(const Plan& plan, const SwigluGroupQuantParameters& given) {
  constexpr std::int64_t kWidths[] = {512, 768, 1024, 1536, 1792, 2048, 2560, 4096};
  constexpr std::int64_t kMostSequences = 31, kMostTokens = 128 * 1024;
  const auto contains = [](const auto& allowed, auto value) {
    return std::find(std::begin(allowed), std::end(allowed), value) != std::end(allowed);
  };
  const Dims& shape = given.x.shape();
  check_tiling(plan, shape.back() % 2 == 0 && contains(kWidths, shape.back() / 2),
               "the last axis of x has %lld elements, it must be twice one of 512, 768, 1024, "
               "1536, 1792, 2048, 2560 and 4096",
               ll(shape.back()));
  check_tiling(plan,
               shape.size() == 2 ||
                   (shape.size() == 3 && shape[0] <= kMostSequences && shape[1] <= kMostTokens),
               "x has shape %s, it must be [tokens, width], or at most 31 sequences of at most "
               "131072 tokens",
               shape.text().c_str());
  constexpr double kLargest[] = {15, 56, 224, 32768};
  check_tiling(plan, given.quantMode == 2 || contains(kLargest, given.dstTypeMax),
               "dstTypeMax is %g, it must be 15, 56, 224 or 32768", given.dstTypeMax);
}

void swiglu_group_quant(const Check&, Plan& plan, const SwigluGroupQuantParameters& given) {
  const std::int64_t mode = given.quantMode;
  const TensorArgument &weight = given.weightOptional, &groups = given.groupIndexOptional;
  const Dims& shape = given.x.shape();
  const std::size_t rank = shape.size();
  check_tiling(plan, mode >= 0 && mode <= 3, "quantMode is %lld, it must be 0 to 3", ll(mode));
  check_tiling(plan, rank >= 1 && rank <= 8 && !given.x.is_empty(), "x has shape %s",
               shape.text().c_str());
  const bool in_blocks = mode < 2;
  constexpr std::int64_t kStep = 256;
  check_tiling(plan, !in_blocks || shape.back() % kStep == 0,
               "the last axis of x has %lld elements, it must be a multiple of %lld",
               ll(shape.back()), ll(kStep));
  if (!in_blocks) check_rows_of_hifloat8(plan, given);
  check_tiling(plan, !in_blocks || given.x.dtype() != ACL_FLOAT, "x is float32");
  check_row_weights(plan, weight, given.x);
  check_groups(plan, groups, std::numeric_limits<std::int64_t>::max());
  const float limit = float(given.clampLimit);
  check_tiling(plan, limit == -1 || limit > 0 || (!in_blocks && limit == 0),
               "clampLimit is %g, it must be positive, or -1", double(limit));
  const aclDataType dtype = given.yOut.dtype();
  const bool halved = is_float4(dtype);
  if (in_blocks) {
    check_tiling(plan, std::int64_t(dtype) == given.dstType, "yOut is not of dstType");
    check_tiling(plan,
                 dtype == ACL_FLOAT8_E5M2 || dtype == ACL_FLOAT8_E4M3FN || (halved && mode == 1),
                 "yOut is of no type that quantMode %lld has", ll(mode));
    const std::int64_t block = mode == 0 ? kBlock : kMxBlock;
    check_tiling(plan, given.blockSize == 0 || given.blockSize == block,
                 "blockSize is %lld, it must be 0 or %lld", ll(given.blockSize), ll(block));
    check_tiling(plan, mode == 0 || given.roundScale, "roundScale must be true");
    check_tiling(plan, !given.outputOrigin, "outputOrigin must be false");
  } else {
    check_tiling(plan, dtype == ACL_HIFLOAT8, "yOut must be hifloat8");
    check_tiling(plan, float(given.dstTypeMax) > 0, "dstTypeMax is %g", given.dstTypeMax);
  }
  check_tiling(plan,
               given.yScaleOut.dtype() == (mode == 1 ? ACL_FLOAT8_E8M0 : ACL_FLOAT) &&
                   given.yOriginOut.dtype() == given.x.dtype(),
               "yScaleOut or yOriginOut are of another type than quantMode and x ask for");
  const std::int64_t width = shape.back() / 2, rows = given.x.elements() / shape.back();
  Dims of_rows(shape.begin(), rank - 1);
  of_rows.push_back(width);
  check_tiling(plan, given.yOut.shape() == of_rows, "yOut has shape %s beside x of shape %s",
               given.yOut.shape().text().c_str(), shape.text().c_str());
  Unit unit;
  unit.numbers.limit = limit > 0 ? limit : std::numeric_limits<float>::infinity();
  unit.weight = read_rows(plan, weight);
  if (halved) unit.rounds_to = given.x.dtype();
  plan.stage(given.x).contiguous();
  const RowSource source = united(rows_of(plan.reads(given.x), 2 * width), width, unit);
  RowGroups of_groups;
  if (groups.given()) {
    plan.stage(groups).contiguous();
    of_groups = RowGroups(plan.reads(groups), true);
  }
  if (mode == 1) {
    check_mx_scales(plan, given.yOut, rank - 1, kMxBlock, given.yScaleOut);
    const float most = largest_quantised(dtype);
    TilesCall call;
    call.rows = rows;
    call.width = width;
    call.source = source;
    call.groups = of_groups;
    call.stores.push_back(mx_of_rows(plan, given.yOut, given.yScaleOut, width, kMxBlock));
    if (halved) {
      call.stores[0].scale = mx_scaler({dtype, 0});
    } else {
      call.stores[0].scale = [most](float size) {
        const float scale = power_above(std::max(size, kLeastSize) * (1.0f / most));
        return TileScale{scale, 1.0f / scale};
      };
    }
    return quantise_tiles(plan, std::move(call));
  }
  QuantRowsCall call;
  call.rows = rows;
  call.width = width;
  call.source = source;
  if (mode == 0) {
    call.groups = of_groups;
    check_tiling(plan, given.yScaleOut.elements() == rows * (width / kBlock),
                 "yScaleOut has shape %s beside x of shape %s",
                 given.yScaleOut.shape().text().c_str(), shape.text().c_str());
    call.stores.push_back(FiniteBlocks{QuantOut(plan, given.yOut),
                                       RowMajor(plan.writes(given.yScaleOut)), given.roundScale});
  } else {
    const TensorArgument& scale = given.scaleOptional;
    const std::int64_t count = groups.given() ? groups.elements() : 1;
    const bool found = mode == 3;  // of the largest magnitude of a group
    if (found)
      check_tiling(plan, given.yScaleOut.shape() == Dims{count}, "yScaleOut has shape %s",
                   given.yScaleOut.shape().text().c_str());
    check_tiling(
        plan,
        found || (scale.given() && scale.dtype() == ACL_FLOAT && scale.shape() == Dims{count}),
        "scaleOptional must be float32 of shape (%lld,)", ll(count));
    check_tiling(plan, !given.outputOrigin || given.yOriginOut.shape() == of_rows,
                 "yOriginOut has shape %s", given.yOriginOut.shape().text().c_str());
    if (given.outputOrigin) call.stores.push_back(written_to(plan, given.yOriginOut));
    // Rows that no group has are 0, and their origin is that of all rows.
    const TensorArgument gated = plan.scratch("gated", ACL_FLOAT, of_rows);
    call.stores.push_back(written_to(plan, gated));
    quantise_rows(plan, std::exchange(call, QuantRowsCall()));
    call.rows = rows;
    call.width = width;
    call.source = rows_of(plan.reads(gated), width);
    call.groups = of_groups;
    call.zero_rest = true;
    const TensorArgument factors = plan.scratch("factors", ACL_FLOAT, Dims{count});
    if (found)
      find_scales(plan, {plan.reads(gated), of_groups, rows, float(given.dstTypeMax)},
                  given.yScaleOut, factors);
    RowQuantiser quantiser;
    quantiser.scale = RowFactors(plan, found ? factors : scale, width, true);
    quantiser.round = Round::kRound;
    quantiser.out = QuantOut(plan, given.yOut);
    call.stores.push_back(std::move(quantiser));
  }
  quantise_rows(plan, std::move(call));
}

}  // namespace pyaclnn::sim
