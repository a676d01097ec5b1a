// SPDX-License-Identifier: MIT
#include "opapi/quant/rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/cpu_wide.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/round_stored.hpp"
#include "opapi/copy/contiguous.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGrain = 16384;  // elements worth a hand-over to another thread
constexpr std::int64_t kInWord = 8;     // int4 in an int32
constexpr float kSmallestScale = 1e-12f;

/// An int4 as its four bits.
unsigned nibble(float value) {
  if (std::isnan(value)) return 0;
  return unsigned(int(std::clamp(value, -8.0f, 7.0f))) & 0xF;
}

struct Extremes {
  float low, high;
};

struct MagnitudeLoop {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* values, std::int64_t count, float* result) {
    constexpr int kLanes = 64;
    float lanes[kLanes] = {};
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      for (int k = 0; k < kLanes; ++k) {
        const float size = std::fabs(values[i + k]);
        lanes[k] = size > lanes[k] ? size : lanes[k];
      }
    }
    for (int half = kLanes / 2; half > 0; half /= 2) {
      for (int k = 0; k < half; ++k) lanes[k] = std::max(lanes[k], lanes[k + half]);
    }
    float most = lanes[0];
    for (; i < count; ++i) most = std::max(most, std::fabs(values[i]));
    *result = most;
  }
};

float magnitude(const float* values, std::int64_t count) {
  float most;
  wide_loop_for_cpu<MagnitudeLoop, const float*, std::int64_t, float*>()(values, count, &most);
  return most;
}

/// values = values times, or divided by, the factor, + shift.
struct StepLoop {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(float* values, std::int64_t count, float factor, bool divides,
                                    float shift) {
    if (divides) {
      for (std::int64_t i = 0; i < count; ++i) values[i] = values[i] / factor + shift;
    } else {
      for (std::int64_t i = 0; i < count; ++i) values[i] = values[i] * factor + shift;
    }
  }
};

Extremes extremes(const float* values, std::int64_t count) {
  Extremes found{std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()};
  for (std::int64_t i = 0; i < count; ++i) {
    found.low = std::min(found.low, values[i]);
    found.high = std::max(found.high, values[i]);
  }
  return found;
}

}  // namespace

QuantOut::QuantOut(Plan& plan, const TensorArgument& out, bool whole)
    : dtype_(out.dtype()), packed_(holds_int4(dtype_) && !whole), view_(plan.writes(out)) {
  const bool halves = is_half_byte(dtype_);
  if (halves && !out.meta().is_contiguous())
    fail_not_simulated(plan, "a strided output of numbers of 4 bits");
  if (halves && view_.offset % 2 != 0)
    fail_not_simulated(plan, "an output that begins within a byte");
  if (packed_ && !halves) words_ = FlatView(view_);
  if (!packed_ && !halves) plain_ = RowMajor(view_);
}

QuantOut QuantOut::copied(Plan& plan, const TensorArgument& out) {
  plan.result(out.dtype(), out.shape()).copy_to(out);
  return QuantOut(plan, out);
}

void QuantOut::write(const KernelMemory& memory, std::int64_t position, std::int64_t count,
                     float* values, Round mode) const {
  const NarrowFormat* const format = NarrowFormat::of(dtype_);
  const bool stored_rounded = plain_.given() && dtype_ == ACL_INT8 && mode == Round::kRint;
  if (format == nullptr && !stored_rounded) round_values(values, count, mode);
  if (plain_.given() && (format == nullptr || mode == Round::kRint ||
                         (dtype_ == ACL_HIFLOAT8 && mode == Round::kRound))) {
    RowMajorAccess(plain_, memory).write(position, count, values);
    return;
  }
  const auto code = [&](std::int64_t i) {
    return i >= count          ? 0
           : format != nullptr ? unsigned(format->code(values[i], mode))
                               : nibble(values[i]);
  };
  if (dtype_ == ACL_INT32) {
    for (std::int64_t i = 0; i < count; i += kInWord) {
      std::uint32_t word = 0;
      for (std::int64_t k = 0; k < kInWord; ++k) word |= code(i + k) << (4 * k);
      std::memcpy(words_.at(memory, (position + i) / kInWord), &word, sizeof word);
    }
    return;
  }
  std::byte* const to = memory.operands[view_.operand] + (view_.offset + position) / 2;
  for (std::int64_t i = 0; i < count; i += 2) to[i / 2] = std::byte(code(i) | code(i + 1) << 4);
}

QuantIn::QuantIn(Plan& plan, const TensorArgument& in, bool packed) : dtype_(in.dtype()) {
  const bool words = packed && dtype_ == ACL_INT32;
  if (!words) plan.stage(in).contiguous();
  view_ = words ? contiguous_view(plan, in) : plan.reads(in);
  if (is_float4(dtype_)) halves_ = NarrowFormat::of(dtype_);
  packed_ = dtype_ == ACL_INT4 || halves_ != nullptr || words;
  if (packed_ && !words && !in.meta().is_contiguous())
    fail_not_simulated(plan, "a strided view of numbers of 4 bits");
  if (!packed_) plain_ = RowMajor(view_);
}

QuantIn::QuantIn(const Plan& plan, const View& view) : dtype_(view.dtype), view_(view) {
  packed_ = is_float4(dtype_);
  if (packed_ && view.strides != contiguous_strides(view.shape))
    fail_not_simulated(plan, "a strided view of numbers of 4 bits");
  if (packed_) halves_ = NarrowFormat::of(dtype_);
  if (!packed_) plain_ = RowMajor(view_);
}

std::vector<float> QuantIn::values(const KernelMemory& memory, std::int64_t position,
                                   std::int64_t count) const {
  std::vector<float> result(static_cast<std::size_t>(count));
  const float* const found = read(memory, position, count, result.data());
  if (found != result.data()) std::copy_n(found, count, result.data());
  return result;
}

const float* QuantIn::read(const KernelMemory& memory, std::int64_t position, std::int64_t count,
                           float* buffer) const {
  if (!packed_) return RowMajorAccess(plain_, memory).read(position, count, buffer);
  const std::byte* const from = memory.operands[view_.operand];
  const std::int64_t first = position + view_.offset * (dtype_ == ACL_INT32 ? kInWord : 1);
  if (halves_ == nullptr) {
    read_int4(from, first, count, buffer);
    return buffer;
  }
  for (std::int64_t i = 0; i < count; ++i)
    buffer[i] = halves_->value(unsigned(int4_at(from, first + i)) & 0xF);
  return buffer;
}

std::int64_t RowGroups::number(const KernelMemory& memory, std::int64_t place) const {
  const std::byte* const from = first_element(memory, *groups_, place * groups_->strides.back());
  if (groups_->dtype == ACL_INT32) {
    std::int32_t word;
    std::memcpy(&word, from, sizeof word);
    return word;
  }
  std::int64_t number;
  std::memcpy(&number, from, sizeof number);
  return number;
}

std::vector<std::int64_t> RowGroups::ends(const KernelMemory& memory, std::int64_t rows) const {
  std::vector<std::int64_t> ends(static_cast<std::size_t>(count()));
  std::int64_t last = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const auto place = std::int64_t(i);
    const std::int64_t size =
        std::clamp<std::int64_t>(number(memory, named_ ? 2 * place + 1 : place), 0, rows);
    last = std::min(rows, counts_ ? last + size : std::max(last, size));
    ends[i] = last;
  }
  return ends;
}

std::vector<std::int64_t> RowGroups::names(const KernelMemory& memory) const {
  std::vector<std::int64_t> names;
  for (std::int64_t i = 0; named_ && i < count(); ++i)
    names.push_back(std::clamp<std::int64_t>(number(memory, 2 * i), 0, count() - 1));
  return names;
}

RowFactors::RowFactors(Plan& plan, const TensorArgument& tensor, std::int64_t width) {
  if (!tensor.given() || tensor.is_empty()) return;
  plan.stage(tensor).contiguous();
  values_ = RowMajor(plan.reads(tensor));
  width_ = width;
  stored_ =
      tensor.rank() > 0 && tensor.shape().back() == width && tensor.elements() >= width ? width : 1;
}

RowFactors::RowFactors(Plan& plan, const TensorArgument& tensor, std::int64_t width, bool one_each)
    : RowFactors(plan, tensor, width) {
  if (one_each) stored_ = 1;
}

RowFactors RowFactors::of_axes(Plan& plan, const TensorArgument& tensor, std::int64_t width) {
  RowFactors factors(plan, tensor, width);
  if (factors.given() && tensor.elements() == width) factors.stored_ = width;
  return factors;
}

RowFactors RowFactors::of_view(const View& view, std::int64_t width) {
  RowFactors factors;
  factors.values_ = RowMajor(view);
  factors.width_ = factors.stored_ = width;
  factors.by_row_ = true;
  return factors;
}

const float* RowFactors::read(const KernelMemory& memory, std::int64_t row, std::int64_t group,
                              float* buffer) const {
  const RowMajorAccess access(values_, memory);
  const std::int64_t from = (by_row_ ? row : group) * stored_;
  const float* const there = access.read(from < access.count() ? from : 0, stored_, buffer);
  if (stored_ == width_) return there;
  std::fill_n(buffer, width_, *there);
  return buffer;
}

void RowQuantiser::operator()(const KernelMemory& memory, const RowPlace& place, float* values,
                              float* buffer) const {
  const auto [row, group, width] = place;
  if (smooth.given()) {
    const float* const factors = smooth.read(memory, row, group, buffer);
    for (std::int64_t i = 0; i < width; ++i) values[i] *= factors[i];
  }
  if (mode == QuantMode::kStatic) {
    if (scale.given()) {
      const float* const factors = scale.read(memory, row, group, buffer);
      for (int times = 0; times < 1 + twice; ++times) {
        for (std::int64_t i = 0; i < width; ++i)
          values[i] = divides   ? values[i] / factors[i]
                      : inverts ? values[i] * (1.0f / factors[i])
                                : values[i] * factors[i];
      }
    }
    if (offset.given()) {
      const float* const shifts = offset.read(memory, row, group, buffer);
      for (std::int64_t i = 0; i < width; ++i) values[i] += shifts[i];
    }
    if (by != ACL_DT_UNDEFINED) round_as_stored(values, width, by);
    out.write(memory, row * width, width, values, round);
    return;
  }
  const float most = largest > 0 ? largest : largest_quantised(out.dtype());
  float step, inverse, shift = 0;
  if (mode == QuantMode::kSymmetric) {
    const float size = magnitude(values, width);
    step = inverts ? size / most : size * (1 / most);
    inverse = inverts || by_step ? 1 / step : most / size;
    if (size == 0) step = of_zeros;
  } else {
    const Extremes ends = extremes(values, width);
    const float span = largest > 0 ? 2 * largest : span_quantised(out.dtype());
    const float width_of_step = (ends.high - ends.low) * (multiplies ? 1 : 1 / span);
    step = multiplies ? std::max(width_of_step / span, kSmallestScale) : width_of_step;
    inverse = 1 / step;
    shift = most - ends.high / step;
  }
  const bool divides_by_step = !multiplies && !by_step;
  wide_loop_for_cpu<StepLoop, float*, std::int64_t, float, bool, float>()(
      values, width, divides_by_step ? step : inverse, divides_by_step, shift);
  if (by != ACL_DT_UNDEFINED) round_as_stored(values, width, by);
  out.write(memory, row * width, width, values, round);
  const float given = gives_inverse ? inverse : step;
  if (scale_out.given()) RowMajorAccess(scale_out, memory).write(row, 1, &given);
  if (offset_out.given()) RowMajorAccess(offset_out, memory).write(row, 1, &shift);
}

void quantise_rows(Plan& plan, QuantRowsCall call) {
  const auto shared = std::make_shared<const QuantRowsCall>(std::move(call));
  plan.launch([shared](const KernelMemory& memory) {
    const QuantRowsCall& c = *shared;
    std::vector<std::int64_t> ends, names;
    if (c.groups.given()) ends = c.groups.ends(memory, c.rows), names = c.groups.names(memory);
    const std::int64_t wanted = !c.groups.given() ? c.rows : ends.empty() ? 0 : ends.back();
    const std::int64_t last = c.zero_rest ? c.rows : wanted;
    parallel_for(last, std::max<std::int64_t>(1, kGrain / std::max<std::int64_t>(1, c.width)),
                 [&](std::int64_t begin, std::int64_t end) {
                   const auto room = std::size_t(c.width);
                   std::vector<float> made(room), values(room), buffer(room);
                   for (std::int64_t row = begin; row < end; ++row) {
                     const auto found =
                         std::upper_bound(ends.begin(), ends.end(), row) - ends.begin();
                     const bool named = found < std::ptrdiff_t(names.size());
                     const std::int64_t group = named ? names[std::size_t(found)] : found;
                     if (row >= wanted) {
                       std::fill(made.begin(), made.end(), 0.0f);
                     } else {
                       c.source(memory, {row, group, c.width}, made.data());
                     }
                     for (std::size_t k = 0; k < c.stores.size(); ++k) {
                       const bool keeps = k + 1 < c.stores.size();
                       if (keeps) values = made;
                       c.stores[k](memory, {row, group, c.width},
                                   keeps ? values.data() : made.data(), buffer.data());
                     }
                   }
                 });
  });
}

RowSource rows_of(const View& view, std::int64_t width) {
  const auto values = std::make_shared<const RowMajor>(view);
  return [values, width](const KernelMemory& memory, const RowPlace& place, float* to) {
    const float* const from = RowMajorAccess(*values, memory).read(place.row * width, width, to);
    if (from != to) std::copy_n(from, width, to);
  };
}

Round round_named(const Check& check, const Text& mode) {
  static const std::pair<const char*, Round> kNames[] = {{"rint", Round::kRint},
                                                         {"round", Round::kRound},
                                                         {"floor", Round::kFloor},
                                                         {"ceil", Round::kCeil},
                                                         {"trunc", Round::kTrunc}};
  if (!mode.given()) return Round::kRint;
  for (const auto& [name, round] : kNames) {
    if (mode.text == name) return round;
  }
  check.that(false, "%s is \"%s\", which is no way to round", mode.name(), mode.text.c_str());
  return Round::kRint;
}

View along_axis(const View& values, const Dims& shape, std::size_t axis) {
  View view = values;
  std::vector<std::int64_t> strides(shape.size(), 0);
  for (std::size_t i = 0; i < values.shape.size(); ++i) {
    if (values.shape[i] != 1) strides[axis] = values.strides[i];
  }
  view.shape = shape;
  view.strides = Dims(strides.data(), strides.size());
  return view;
}

}  // namespace pyaclnn::sim
