// SPDX-License-Identifier: MIT
#include "opapi/quant/elements.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/numbers.hpp"
#include "opapi/quant/dequant.hpp"
#include "opapi/quant/rows.hpp"
#include "parameters/AscendAntiQuant.hpp"
#include "parameters/AscendQuantV3.hpp"
#include "parameters/DequantBias.hpp"
#include "parameters/GroupQuant.hpp"
#include "parameters/Quantize.hpp"
#include "parameters/TransQuantParamV3.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kInWord = 8;  // int4 in an int32

std::string text(const TensorArgument& tensor) { return tensor.shape().text(); }

std::int64_t last_extent(const Dims& shape) { return shape.empty() ? 1 : shape.back(); }

std::size_t positive(std::int64_t axis, std::size_t rank) {
  return std::size_t(axis < 0 ? axis + std::int64_t(std::max<std::size_t>(rank, 1)) : axis);
}

/// The scale of every element: a tensor that has values along an axis, or one.
RowFactors factors_along(Plan& plan, const TensorArgument& values, const Dims& shape,
                         std::size_t axis) {
  if (!values.given()) return {};
  plan.stage(values).contiguous();
  return RowFactors::of_view(along_axis(plan.reads(values), shape, axis), last_extent(shape));
}

QuantRowsCall rows_call(Plan& plan, const TensorArgument& x) {
  QuantRowsCall call;
  call.width = last_extent(x.shape());
  call.rows = x.elements() / call.width;
  plan.stage(x).contiguous();
  call.source = rows_of(plan.reads(x), call.width);
  return call;
}

/// Rounding by the names that quantisation has, where "round" is to the nearest, ties to even.
Round quantising_round(const Text& mode) {
  return mode.text == "floor"   ? Round::kFloor
         : mode.text == "ceil"  ? Round::kCeil
         : mode.text == "trunc" ? Round::kTrunc
                                : Round::kRint;
}

void check_mode(const Check& check, const Text& mode, std::int64_t dtype) {
  check.that(mode.given(), "roundMode is null");
  const std::string& name = mode.text;
  const bool whole = NarrowFormat::of(aclDataType(dtype)) == nullptr;
  const bool known = name == "round" || (dtype == ACL_HIFLOAT8 && name == "hybrid") ||
                     (whole && (name == "floor" || name == "ceil" || name == "trunc"));
  check.that(known, "roundMode is \"%s\", which a result of %s does not have", name.c_str(),
             dtype_name(aclDataType(dtype)));
}

void check_axis(const Check& check, const TensorArgument& x, std::int32_t axis) {
  const auto rank = std::int64_t(x.rank());
  check.that(!on_310p() || axis == -1 || axis == rank - 1,
             "axis is %d, on Ascend310P it must be the last", axis);
  check.that(axis < rank && axis >= -rank, "axis is %d, and x has %lld dimensions", axis, ll(rank));
  check.that(rank <= 2 || axis == -1 || axis == -2 || axis >= rank - 2,
             "axis is %d, it must be one of the last two of %lld", axis, ll(rank));
}

void check_factors(const Check& check, const TensorArgument& x, const TensorArgument& scale,
                   const TensorArgument& offset, std::int32_t axis) {
  if (offset.given()) check.same_shape(scale, offset);
  const std::size_t rank = scale.rank();
  check.that(rank == 1 || (rank != 0 && rank == x.rank()),
             "scale has %zu dimensions, it must have 1, or as many as x", rank);
  const std::size_t at = positive(axis, x.rank());
  const std::int64_t extent = scale.shape()[rank == 1 ? 0 : at];
  check.that(extent == x.shape()[at] || extent == 1,
             "scale has shape %s, and axis %d of x %lld elements", text(scale).c_str(), axis,
             ll(x.shape()[at]));
  check.that(scale.elements() == extent, "scale of shape %s has values along other axes than %d",
             text(scale).c_str(), axis);
}

/// The first version's, which has no axis.
void check_last_factors(const Check& check, const TensorArgument& x, const TensorArgument& scale,
                        const TensorArgument& offset) {
  const std::int64_t extent = last_extent(scale.shape());
  check.that(scale.rank() > 0 && (!offset.given() || offset.rank() > 0),
             "scale or offset is a scalar, without a last axis");
  check.that(!offset.given() || last_extent(offset.shape()) == extent,
             "offset has shape %s, and scale %s", offset.given() ? text(offset).c_str() : "()",
             text(scale).c_str());
  check.that(extent == last_extent(x.shape()) || extent == 1,
             "scale has shape %s, and the last axis of x %lld elements", text(scale).c_str(),
             ll(last_extent(x.shape())));
  for (const TensorArgument* factors : {&scale, &offset}) {
    if (!factors->given()) continue;
    check.that(factors->elements() == extent, "%s has shape %s, only its last axis may be longer",
               factors->name(), text(*factors).c_str());
    check.broadcast(*factors, x);
  }
}

}  // namespace

void check_quantised_shape(const Check& check, const TensorArgument& x, const TensorArgument& y,
                           bool packs) {
  if (!packs || y.dtype() != ACL_INT32) {
    check.shape_is(y, x.shape(), x.name());
  } else {
    check.that(x.rank() > 0, "x is a scalar, eight elements make an int32");
    Dims shape = x.shape();
    check.that(shape.back() % kInWord == 0,
               "the last axis of x has %lld elements, no multiple of 8", ll(shape.back()));
    std::vector<std::int64_t> extents(shape.begin(), shape.end());
    extents.back() /= kInWord;
    check.shape_is(y, Dims(extents.data(), extents.size()), "x with eight elements in each int32");
  }
  if (y.dtype() == ACL_INT4)
    check.that(x.rank() > 0 && x.shape().back() % 2 == 0,
               "the last axis of x of shape %s must have an even number of elements",
               text(x).c_str());
}

void check_is_type(const Check& check, const TensorArgument& out, std::int64_t dtype) {
  check.that(std::int64_t(out.dtype()) == dtype, "%s is %s, and dstType %lld", out.name(),
             dtype_name(out.dtype()), ll(dtype));
}

static void check_ascend_quant(const Check& check, const TensorArgument& x,
                               const TensorArgument& scale, const TensorArgument& offset,
                               const Text& mode, std::int64_t dtype, const std::int32_t* axis,
                               const TensorArgument& y) {
  check.that(axis == nullptr || x.rank() > 0, "x is a scalar");
  if (offset.given()) check.same_dtype(scale, offset);
  check.that(x.dtype() == ACL_FLOAT || x.dtype() == scale.dtype(), "x is %s, and scale %s",
             dtype_name(x.dtype()), dtype_name(scale.dtype()));
  check_is_type(check, y, dtype);
  if (axis != nullptr) check_axis(check, x, *axis);
  check_quantised_shape(check, x, y);
  check.rank_at_most(8, x);
  if (axis != nullptr) {
    check_factors(check, x, scale, offset, *axis);
  } else {
    check_last_factors(check, x, scale, offset);
  }
  check_mode(check, mode, dtype);
}

static void ascend_quant(Plan& plan, const TensorArgument& x, const TensorArgument& scale,
                         const TensorArgument& offset, bool twice, const Text& mode,
                         std::int64_t axis, const TensorArgument& y) {
  if (mode.text == "hybrid") fail_not_simulated(plan, "the hybrid rounding of hifloat8");
  QuantRowsCall call = rows_call(plan, x);
  const std::size_t along = positive(axis, x.rank());
  RowQuantiser quantiser;
  quantiser.twice = twice;
  quantiser.round = y.dtype() == ACL_HIFLOAT8 ? Round::kRound : quantising_round(mode);
  quantiser.scale = factors_along(plan, scale, x.shape(), along);
  quantiser.offset = factors_along(plan, offset, x.shape(), along);
  quantiser.out = QuantOut::copied(plan, y);
  call.stores.push_back(std::move(quantiser));
  quantise_rows(plan, std::move(call));
}

/// The same of float32 in FRACTAL_NZ: its rows are quantised, and their words lie in the blocks of
/// int4.
static void quantise_blocks(const Check& check, Plan& plan, const AscendQuantV3Parameters& given,
                            bool last_axis) {
  constexpr std::int64_t kBytes = 32, kWord = sizeof(std::int32_t);  // of a line of a block
  const TensorArgument &x = given.x, &y = given.y;
  check.that(x.dtype() == ACL_FLOAT && y.dtype() == ACL_INT32 && is_nz(y.meta().format) &&
                 x.rank() == 3 && last_axis && given.roundMode.text == "round" &&
                 !given.offset.given() && given.scale.elements() == 1,
             "x in FRACTAL_NZ must be float32 of 3 dimensions, and y words of int4 in that format, "
             "by one scale");
  const Dims& storage = x.meta().storage_shape;
  const auto from = blocks_of(ACL_FORMAT_FRACTAL_NZ, ACL_FORMAT_ND, x.shape(),
                              std::max<std::int64_t>(1, storage.back()));
  Dims bytes = x.shape();
  bytes.set(2, bytes[2] / 2);
  const auto to = blocks_of(ACL_FORMAT_FRACTAL_NZ, ACL_FORMAT_ND, bytes, kBytes);
  check.that(from && to && from->storage == storage &&
                 y.meta().storage_shape.product() >= to->elements / kWord,
             "x or y is stored with another shape than its blocks");
  const TensorArgument rows = plan.scratch("rows", ACL_FLOAT, x.shape());
  const TensorArgument words = plan.scratch("words", ACL_INT32, y.shape());
  copy_from_blocks(plan, reads_storage(plan, x, from->elements), *from, plan.writes(rows));
  ascend_quant(plan, rows, given.scale, given.offset, given.sqrtMode, given.roundMode, -1, words);
  View pairs = plan.reads(words), blocks = writes_storage(plan, y, to->elements / kWord);
  pairs.dtype = blocks.dtype = ACL_INT8;
  pairs.shape = bytes;
  pairs.strides = contiguous_strides(bytes);
  pairs.offset *= kWord;
  blocks.offset *= kWord;
  copy_to_blocks(plan, pairs, blocks, *to);
}

void check_quantize(const Check& check, const TensorArgument& x, const TensorArgument& scales,
                    const TensorArgument& zero_points, std::int64_t axis,
                    const TensorArgument& out) {
  check.rank_at_most(8, x);
  check.shape_is(out, x.shape(), x.name());
  check.that(scales.rank() == 1, "scales has %zu dimensions, it must have one", scales.rank());
  check.that(!zero_points.given() || zero_points.shape() == scales.shape(),
             "zeroPoints has another shape than scales");
  if (scales.elements() == 1) return;
  const std::size_t along = check.dim_of(x, axis);
  check.that(scales.elements() == x.shape()[along], "scales has %lld elements, axis %lld of x %lld",
             ll(scales.elements()), ll(axis), ll(x.shape()[along]));
}

void check_quantize_bfloat16(const Check& check, const TensorArgument& x,
                             const TensorArgument& scales, const TensorArgument& zero_points) {
  const bool zeros = zero_points.given() && zero_points.dtype() == ACL_BF16;
  if (!zeros && scales.dtype() != ACL_BF16) return;
  check.dtype_in(DtypeSet{ACL_BF16}, x, scales);
  if (zero_points.given()) check.dtype_in(DtypeSet{ACL_BF16}, zero_points);
}

/// Plans out = round(x / scales + zero_points).
void quantize(const Check&, Plan& plan, const QuantizeParameters& given) {
  const std::int64_t axis = static_cast<std::int64_t>(given.axis);
  QuantRowsCall call = rows_call(plan, given.x);
  const bool one = given.scales.elements() == 1;
  const std::size_t along = one ? 0 : positive(axis, given.x.rank());
  RowQuantiser quantiser;
  quantiser.divides = true;
  quantiser.round = given.out.dtype() == ACL_HIFLOAT8 ? Round::kRound : Round::kRint;
  quantiser.scale = factors_along(plan, given.scales, given.x.shape(), along);
  quantiser.offset = factors_along(plan, given.zeroPoints, given.x.shape(), along);
  quantiser.out = QuantOut(plan, given.out, true);
  call.stores.push_back(std::move(quantiser));
  quantise_rows(plan, std::move(call));
}

static void check_anti_quant(const Check& check, const TensorArgument& x,
                             const TensorArgument& scale, const TensorArgument& offset,
                             const TensorArgument& y) {
  if (x.dtype() == ACL_INT32) {
    std::vector<std::int64_t> extents(x.shape().begin(), x.shape().end());
    if (extents.empty()) extents.push_back(1);
    extents.back() *= kInWord;
    check.shape_is(y, Dims(extents.data(), extents.size()), "x with each int32 as eight elements");
  } else {
    check.shape_is(y, x.shape(), x.name());
  }
  if (x.dtype() == ACL_INT4)
    check.that(x.rank() > 0 && x.shape().back() % 2 == 0,
               "the last axis of x of shape %s must have an even number of elements",
               text(x).c_str());
  check.rank_at_most(8, x);
  check.that(scale.rank() == 1, "scale has %zu dimensions, it must have one", scale.rank());
  if (offset.given()) {
    check.that(offset.rank() == 1, "offset has %zu dimensions, it must have one", offset.rank());
    check.same_shape(scale, offset);
  }
  check.that(scale.elements() == 1 || scale.elements() == last_extent(y.shape()),
             "scale has %lld elements, and the last axis of y %lld", ll(scale.elements()),
             ll(last_extent(y.shape())));
}

static void anti_quant(Plan& plan, const TensorArgument& x, const TensorArgument& scale,
                       const TensorArgument& offset, bool twice, const TensorArgument& y) {
  QuantRowsCall call;
  call.width = last_extent(y.shape());
  call.rows = y.elements() / call.width;
  const auto in = std::make_shared<const QuantIn>(plan, x, true);
  const RowFactors scales(plan, scale, call.width);
  const RowFactors offsets(plan, offset, call.width);
  call.source = [in, scales, offsets, twice](const KernelMemory& memory, const RowPlace& place,
                                             float* to) {
    const std::int64_t width = place.width;
    std::vector<float> buffer(static_cast<std::size_t>(width));
    const float* const values = in->read(memory, place.row * width, width, to);
    if (values != to) std::copy_n(values, width, to);
    if (offsets.given()) {
      const float* const shifts = offsets.read(memory, place.row, 0, buffer.data());
      for (std::int64_t i = 0; i < width; ++i) to[i] += shifts[i];
    }
    const float* const factors = scales.read(memory, place.row, 0, buffer.data());
    for (int times = 0; times < 1 + twice; ++times) {
      for (std::int64_t i = 0; i < width; ++i) to[i] *= factors[i];
    }
  };
  call.stores.push_back(stored(plan, y));
  quantise_rows(plan, std::move(call));
}

static void check_group_quant(const Check& check, const TensorArgument& x,
                              const TensorArgument& scale, const TensorArgument& groups,
                              const TensorArgument& offset, const TensorArgument& y) {
  check.that(!offset.given() || offset.elements() <= 1, "offsetOptional must have one element");
  check.that(x.rank() == 2 && scale.rank() == 2 && groups.rank() == 1,
             "x has %zu dimensions, scale %zu and groupIndex %zu, they must have 2, 2 and 1",
             x.rank(), scale.rank(), groups.rank());
  check.that(x.shape()[1] == scale.shape()[1] && scale.shape()[0] == groups.shape()[0],
             "x of shape %s, scale of shape %s, groupIndex of %lld elements do not fit",
             text(x).c_str(), text(scale).c_str(), ll(groups.shape()[0]));
  check_quantised_shape(check, x, y);
}

static void group_quant(Plan& plan, const TensorArgument& x, const TensorArgument& scale,
                        const TensorArgument& groups, const TensorArgument& offset,
                        const TensorArgument& y) {
  QuantRowsCall call = rows_call(plan, x);
  plan.stage(groups).contiguous();
  call.groups = RowGroups(plan.reads(groups), false);
  RowQuantiser quantiser;
  quantiser.scale = RowFactors(plan, scale, call.width);
  if (offset.given() && !offset.is_empty()) quantiser.offset = RowFactors(plan, offset, call.width);
  quantiser.out = QuantOut::copied(plan, y);
  call.stores.push_back(std::move(quantiser));
  quantise_rows(plan, std::move(call));
}

void check_fake_channels(const Check& check, const TensorArgument& x, const TensorArgument& scale,
                         const TensorArgument& zero_point, std::int64_t axis) {
  check.that(scale.rank() == 1 && zero_point.rank() == 1 && scale.shape() == zero_point.shape(),
             "scale and zeroPoint must have one dimension of as many elements");
  const std::size_t along = check.dim_of(x, axis);
  check.that(x.rank() > 0 && scale.elements() == x.shape()[along],
             "scale has %lld elements, it must have one for each of axis %lld of self",
             ll(scale.elements()), ll(axis));
}

void fake_quant(Plan& plan, const FakeQuant& call) {
  QuantRowsCall rows = rows_call(plan, call.x);
  const Dims& shape = call.x.shape();
  const std::size_t axis = positive(call.axis, call.x.rank());
  const RowFactors scales = factors_along(plan, call.scale, shape, axis);
  const RowFactors zeros = factors_along(plan, call.zero_point, shape, axis);
  const bool whole = call.zero_point.dtype() == ACL_INT32;
  const float low = float(call.low), high = float(call.high);
  const bool enabled = call.enabled >= 1;
  const auto mask = std::make_shared<const RowMajor>(plan.writes(call.mask));
  const auto out = std::make_shared<const RowMajor>(plan.writes(call.out));
  rows.stores.push_back([=](const KernelMemory& memory, const RowPlace& place, float* x, float*) {
    const auto room = static_cast<std::size_t>(place.width);
    std::vector<float> a(room), b(room), inside(room);
    const float* const scale = scales.read(memory, place.row, 0, a.data());
    const float* const zero = zeros.read(memory, place.row, 0, b.data());
    if (!enabled) std::fill(inside.begin(), inside.end(), 1.0f);
    for (std::size_t i = 0; enabled && i < room; ++i) {
      const float wide = x[i] * (1.0f / scale[i]);
      float number = whole ? std::nearbyint(wide) + zero[i] : std::nearbyint(wide + zero[i]);
      const bool is_nan = std::isnan(number);
      inside[i] = float(number >= low && number <= high);
      number = is_nan ? 0 : std::min(std::max(number, low), high);
      x[i] = (number - zero[i]) * scale[i];
    }
    RowMajorAccess(*mask, memory).write(place.row * place.width, place.width, inside.data());
    RowMajorAccess(*out, memory).write(place.row * place.width, place.width, x);
  });
  quantise_rows(plan, std::move(rows));
}

static void check_quant_parameters(const Check& check, const TensorArgument& scale,
                                   const TensorArgument& offset, std::int64_t mode) {
  const auto is_row = [](const TensorArgument& tensor, bool rows) {
    const Dims& shape = tensor.shape();
    return (shape.size() == 1 || (shape.size() == 2 && (rows || shape[0] == 1))) &&
           !tensor.is_empty();
  };
  check.that(is_row(scale, on_950()), "scale has shape %s, it must be a row", text(scale).c_str());
  if (offset.given()) {
    check.that(is_row(offset, false), "offset has shape %s, it must be a row",
               text(offset).c_str());
    const std::int64_t first = scale.shape()[0];
    check.that(
        offset.rank() != 1 || first <= 1 || offset.elements() <= 1 || first == offset.elements(),
        "scale has shape %s, and offset %s", text(scale).c_str(), text(offset).c_str());
  }
  check.that(mode == 0 || mode == 1, "roundMode is %lld, it must be 0 or 1", ll(mode));
}

static void quant_parameters(Plan& plan, const TensorArgument& scale, const TensorArgument& offset,
                             bool rounds, const TensorArgument& out) {
  const std::int64_t offsets = offset.given() ? offset.elements() : 0;
  const std::int64_t count = std::max(scale.elements(), offsets);
  const bool fits = scale.elements() == 1 || offsets <= 1 || scale.elements() == offsets;
  check_tiling(plan, fits && out.elements() == count,
               "out has %lld elements beside %lld scales and %lld offsets", ll(out.elements()),
               ll(scale.elements()), ll(offsets));
  const RowMajor scales(plan.reads(scale));
  const RowMajor shifts = offsets > 0 ? RowMajor(plan.reads(offset)) : RowMajor();
  const View to = plan.writes(out);
  plan.launch([=](const KernelMemory& memory) {
    const std::vector<float> of_scale = RowMajorAccess(scales, memory).values();
    std::vector<float> of_offset;
    if (shifts.given()) of_offset = RowMajorAccess(shifts, memory).values();
    std::vector<std::int64_t> words;
    words.reserve(std::size_t(count));
    for (std::size_t i = 0; i < std::size_t(count); ++i) {
      std::uint64_t word = quant_parameter(of_scale[of_scale.size() == 1 ? 0 : i], rounds);
      if (!of_offset.empty())
        word = quant_parameter_with(word, of_offset[of_offset.size() == 1 ? 0 : i]);
      words.push_back(std::int64_t(word));
    }
    write_numbers(memory, to, words);
  });
}

static void check_dequant_bias(const Plan& plan, const TensorArgument& x,
                               const TensorArgument& scale, const TensorArgument& row_scale,
                               const TensorArgument& bias, std::int64_t dtype,
                               const TensorArgument& out) {
  check_tiling(plan, dtype == ACL_FLOAT16 || dtype == ACL_BF16,
               "outputDtype is %lld, it must be 1 or 27", ll(dtype));
  const auto rank = [&](const TensorArgument& tensor, std::size_t wanted) {
    check_tiling(plan, !tensor.given() || tensor.rank() == wanted,
                 "%s has %zu dimensions, it must have %zu", tensor.name(),
                 tensor.given() ? tensor.rank() : 0, wanted);
  };
  rank(x, 2), rank(scale, 1), rank(row_scale, 1), rank(bias, 1), rank(out, 2);
  const auto fits = [&](const TensorArgument& tensor, std::int64_t wanted) {
    check_tiling(plan, !tensor.given() || tensor.is_empty() || tensor.elements() == wanted,
                 "%s has %lld elements beside x of shape %s", tensor.name(),
                 tensor.given() ? ll(tensor.elements()) : 0, text(x).c_str());
  };
  fits(scale, x.shape()[1]), fits(row_scale, x.shape()[0]), fits(bias, x.shape()[1]);
  check_tiling(plan, out.shape() == x.shape(), "out has shape %s, and x %s", text(out).c_str(),
               text(x).c_str());
}

static void dequant_bias(Plan& plan, const TensorArgument& x, const TensorArgument& scale,
                         const TensorArgument& row_scale, const TensorArgument& bias,
                         const TensorArgument& out) {
  QuantRowsCall call;
  call.rows = x.shape()[0];
  call.width = x.shape()[1];
  call.source = dequantised(plan, x, Dequant(plan, scale, &row_scale, &bias, call.width));
  call.stores.push_back(stored(plan, out));
  quantise_rows(plan, std::move(call));
}

void ascend_quant(const Check& check, Plan& plan, const AscendQuantV3Parameters& given) {
  const bool has_axis = given.axis != kNoAxis;
  check_ascend_quant(check, given.x, given.scale, given.offset, given.roundMode, given.dstType,
                     has_axis ? &given.axis : nullptr, given.y);
  if (given.x.is_empty()) return;
  if (is_nz(given.x.meta().format))
    return quantise_blocks(check, plan, given, !has_axis || given.axis == -1);
  ascend_quant(plan, given.x, given.scale, given.offset, given.sqrtMode, given.roundMode,
               has_axis ? given.axis : -1, given.y);
}

void ascend_anti_quant(const Check& check, Plan& plan, const AscendAntiQuantParameters& given) {
  check_is_type(check, given.y, given.dstType);
  check.that(given.scale.dtype() == ACL_FLOAT || !NarrowFormat::of(given.x.dtype()),
             "scale is %s, it must be float32 beside %s", dtype_name(given.scale.dtype()),
             dtype_name(given.x.dtype()));
  check_anti_quant(check, given.x, given.scale, given.offset, given.y);
  if (given.x.is_empty()) return;
  if (given.x.dtype() == ACL_INT4 && !given.x.meta().is_contiguous()) {
    check.that(!behaves(Behaviour::kWantsDenseInt4), "x of int4 has strides %s, which leave gaps",
               given.x.meta().strides.text().c_str());
    check_inside(plan, false, "x of int4 has gaps, and there is no kernel to copy it");
  }
  anti_quant(plan, given.x, given.scale, given.offset, given.sqrtMode, given.y);
}

void group_quant(const Check& check, Plan& plan, const GroupQuantParameters& given) {
  check_is_type(check, given.y, given.dstType);
  check_group_quant(check, given.x, given.scale, given.groupIndex, given.offsetOptional, given.y);
  if (given.x.is_empty() || given.y.is_empty()) return;
  group_quant(plan, given.x, given.scale, given.groupIndex, given.offsetOptional, given.y);
}

void trans_quant_param(const Check& check, Plan& plan, const TransQuantParamV3Parameters& given) {
  check_quant_parameters(check, given.scale, given.offset, given.roundMode);
  check_kernel_exists(plan, on_310p() || !on_first_generation());
  quant_parameters(plan, given.scale, given.offset, given.roundMode == 1, given.out);
}

void dequant_bias(const Check&, Plan& plan, const DequantBiasParameters& given) {
  check_dequant_bias(plan, given.x, given.weightScale, given.activateScaleOptional,
                     given.biasOptional, given.outputDtype, given.out);
  if (given.x.is_empty()) return;
  dequant_bias(plan, given.x, given.weightScale, given.activateScaleOptional, given.biasOptional,
               given.out);
}

}  // namespace pyaclnn::sim
