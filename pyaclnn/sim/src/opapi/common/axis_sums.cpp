// SPDX-License-Identifier: MIT
#include "opapi/common/axis_sums.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "opapi/common/batched_view.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/cpu.hpp"
#include "opapi/common/hfloat32.hpp"
#include "opapi/common/row_taps.hpp"

namespace pyaclnn::sim {

void AxisMap::Terms::refuse() {
  fail(ACLNN_ERR_INNER_NULLPTR,
       "an axis of this operator has more than %zu places or weights, which the simulator does not "
       "keep",
       kMost);
}

AxisMap::AxisMap(std::int64_t from_extent, std::int64_t to_extent, const Terms& terms)
    : from_extent_(from_extent), sources_(terms.size()), weights_(terms.size()) {
  if (to_extent > std::int64_t(kMost)) Terms::refuse();
  begin_.resize(std::size_t(to_extent) + 1);
  for (const Term& term : terms) ++begin_[std::size_t(term.to) + 1];
  for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  std::vector<std::int64_t> next(begin_);
  for (const Term& term : terms) {
    const auto at = std::size_t(next[std::size_t(term.to)]++);
    sources_[at] = static_cast<std::int32_t>(term.from);
    weights_[at] = term.weight;
  }
}

bool AxisMap::repeats(std::int64_t to) const {
  if (to == 0) return false;
  const auto here = begin(to);
  const auto before = begin(to - 1);
  const auto count = begin(to + 1) - here;
  return count == here - before &&
         std::equal(sources_.begin() + here, sources_.begin() + here + count,
                    sources_.begin() + before) &&
         std::equal(weights_.begin() + here, weights_.begin() + here + count,
                    weights_.begin() + before);
}

AxisMap AxisMap::transposed() const {
  Terms terms;
  for (std::int64_t to = 0; to < to_extent(); ++to) {
    for (std::int64_t i = begin(to); i < begin(to + 1); ++i)
      terms.push_back({sources_[std::size_t(i)], to, weights_[std::size_t(i)]});
  }
  return {to_extent(), from_extent_, terms};
}

AxisMap AxisMap::with_lanes(std::int64_t lanes) const {
  Terms terms;
  for (std::int64_t to = 0; to < to_extent(); ++to) {
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      for (std::int64_t k = begin(to); k < begin(to + 1); ++k)
        terms.push_back(
            {to * lanes + lane, sources_[std::size_t(k)] * lanes + lane, weights_[std::size_t(k)]});
    }
  }
  return {from_extent_ * lanes, to_extent() * lanes, terms};
}

namespace {

constexpr std::int64_t kGrain = 32768;    // values worth a hand-over to another thread
constexpr std::int64_t kTogether = 2048;  // values that are converted in one call
constexpr std::int64_t kShortSpan = 8;    // below this a span is not worth a loop of its own

/// A stretch of a row whose places have the same form.
struct Span {
  enum class Form { kShift, kSingle, kTaps, kSum } form;
  std::int64_t begin;
  std::int64_t end;
  std::int64_t shift;  // of kShift: source minus place; of kTaps: its first block
};

/// The innermost map, as stretches of equal form.
template <class C>
struct RowMap {
  std::vector<Span> spans;
  std::vector<std::int32_t> begin;
  std::vector<std::int32_t> sources;
  std::vector<C> weights;
  RowTaps taps;
  std::int64_t length;  // of the input's row

  explicit RowMap(const AxisMap& map)
      : sources(map.sources()),
        weights(map.weights().begin(), map.weights().end()),
        length(map.from_extent()) {
    for (std::int64_t to = 0; to <= map.to_extent(); ++to)
      begin.push_back(static_cast<std::int32_t>(map.begin(to)));
    for (std::int64_t to = 0; to < map.to_extent();) to = add_span(map, to);
  }

 private:
  std::int64_t add_span(const AxisMap& map, std::int64_t to) {
    const auto terms = [&](std::int64_t i) { return map.begin(i + 1) - map.begin(i); };
    const auto source = [&](std::int64_t i) { return map.sources()[std::size_t(map.begin(i))]; };
    const auto weight = [&](std::int64_t i) { return map.weights()[std::size_t(map.begin(i))]; };
    if (terms(to) == 1) {
      std::int64_t end = to + 1;
      while (end < map.to_extent() && terms(end) == 1 && source(end) == source(end - 1) + 1 &&
             weight(end) == weight(to))
        ++end;
      if (end - to >= kShortSpan) {
        spans.push_back({Span::Form::kShift, to, end, source(to) - to});
        return end;
      }
    }
    if (add_taps(map, to)) return to + RowTaps::kPlaces;
    const auto form = terms(to) == 1 ? Span::Form::kSingle : Span::Form::kSum;
    if (!spans.empty() && spans.back().form == form) {
      spans.back().end = to + 1;
    } else {
      spans.push_back({form, to, to + 1, 0});
    }
    return to + 1;
  }

  /// Whether the places from `to` on are a block of taps.
  bool add_taps(const AxisMap& map, std::int64_t to) {
    if (!std::is_same_v<C, float> || !RowTaps::supported()) return false;
    const std::int64_t end = to + RowTaps::kPlaces;
    if (end > map.to_extent()) return false;
    const std::int64_t count = map.begin(to + 1) - map.begin(to);
    if (count < 1 || count > RowTaps::kMostTaps) return false;
    for (std::int64_t i = to + 1; i < end; ++i)
      if (map.begin(i + 1) - map.begin(i) != count) return false;
    const auto at = std::size_t(map.begin(to));
    if (!taps.add(map.sources().data() + at, map.weights().data() + at, count)) return false;
    const bool continues = !spans.empty() && spans.back().form == Span::Form::kTaps;
    if (continues) {
      spans.back().end = end;
    } else {
      spans.push_back({Span::Form::kTaps, to, end, taps.count() - 1});
    }
    return true;
  }
};

/// out = weight * in, or out += weight * in.
template <class C>
struct AddRow {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const C* in, std::int64_t count, C weight, bool first, C* out) {
    if (first) {
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t i = 0; i < count; ++i) out[i] = weight * in[i];
    } else {
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t i = 0; i < count; ++i) out[i] += weight * in[i];
    }
  }
};

/// out = weight * in + other_weight * other.
template <class C>
struct AddTwoRows {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const C* in, C weight, const C* other, C other_weight,
                                    std::int64_t count, C* out) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) out[i] = weight * in[i] + other_weight * other[i];
  }
};

/// A row of the result from one of the input.
template <class C>
struct MapRow {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const RowMap<C>* map, const C* in, C* out) {
    const std::int32_t* begin = map->begin.data();
    const std::int32_t* sources = map->sources.data();
    const C* weights = map->weights.data();
    for (const Span& span : map->spans) {
      if (span.form == Span::Form::kShift) {
        const C weight = weights[begin[span.begin]];
        const C* from = in + span.shift;
        SIM_INDEPENDENT_ITERATIONS
        for (std::int64_t i = span.begin; i < span.end; ++i) out[i] = weight * from[i];
      } else if (span.form == Span::Form::kSingle) {
        const std::int32_t* source = sources + begin[span.begin] - span.begin;
        const C* weight = weights + begin[span.begin] - span.begin;
        SIM_INDEPENDENT_ITERATIONS
        for (std::int64_t i = span.begin; i < span.end; ++i) out[i] = weight[i] * in[source[i]];
      } else if (span.form == Span::Form::kTaps) {
        if constexpr (std::is_same_v<C, float>) {
          const std::int64_t blocks = (span.end - span.begin) / RowTaps::kPlaces;
          map->taps.run(span.shift, span.shift + blocks, in, map->length, out + span.begin);
        }
      } else {
        for (std::int64_t i = span.begin; i < span.end; ++i) {
          C total = 0;
          for (std::int32_t k = begin[i]; k < begin[i + 1]; ++k)
            total += weights[k] * in[sources[k]];
          out[i] = total;
        }
      }
    }
  }
};

/// Values to another type and back.
struct Through {
  StoreFn round = nullptr;
  LoadFn widen = nullptr;
  bool hfloat32 = false;

  bool is_given() const { return round != nullptr || hfloat32; }

  void apply_to_inputs(void* values, std::int64_t count) const {
    float* at = static_cast<float*>(values);
    if (hfloat32) std::transform(at, at + count, at, to_hfloat32);
    apply(values, count);
  }

  void apply(void* values, std::int64_t count) const {
    if (round == nullptr) return;
    constexpr std::int64_t kBlock = 1024;
    alignas(64) std::byte rounded[kBlock * sizeof(std::uint16_t)];
    float* at = static_cast<float*>(values);
    for (; count > 0; at += kBlock, count -= kBlock) {
      round(at, std::min(count, kBlock), rounded, 1);
      widen(rounded, 1, std::min(count, kBlock), at);
    }
  }
};

template <class C>
struct Kernel {
  BatchedView in;
  BatchedView out;
  LoadFn load = nullptr;
  StoreFn store = nullptr;
  std::vector<AxisMap> outer;  // all maps but the innermost
  std::vector<std::vector<bool>> repeats;
  std::vector<std::vector<C>> weights;
  std::int64_t in_row = 1;
  std::int64_t out_row = 1;
  RowMap<C> row_map;
  Through through;
  void (*add_row)(const C*, std::int64_t, C, bool, C*);
  void (*add_two_rows)(const C*, C, const C*, C, std::int64_t, C*);
  void (*map_row)(const RowMap<C>*, const C*, C*);

  explicit Kernel(const AxisMap& innermost) : row_map(innermost) {}
  void run(const KernelMemory& memory) const;
};

/// A kernel with addresses, on one thread.
template <class C>
class Worker {
 public:
  Worker(const Kernel<C>& kernel, const KernelMemory& memory)
      : kernel_(kernel),
        in_(kernel.in.base(memory)),
        out_(kernel.out.base(memory)),
        in_place_(kernel.in.is_array_of(dtype_of<C>()) && !kernel.through.is_given()),
        out_place_(kernel.out.is_array_of(dtype_of<C>())) {
    if (!in_place_) plane_.resize(std::size_t(kernel.in.size()));
    sum_.resize(std::size_t(kernel.in_row));
    if (!out_place_) {
      together_ = std::max<std::int64_t>(1, kTogether / kernel.out_row);
      result_.resize(std::size_t(together_ * kernel.out_row));
    }
  }

  /// Rows of the result, numbered through all planes.
  void run(std::int64_t begin, std::int64_t end) {
    const std::int64_t rows = kernel_.out.rows() * kernel_.out.row_length() / kernel_.out_row;
    std::int64_t plane = begin / rows;
    std::int64_t row = begin % rows;
    enter(plane);
    first_kept_ = row;
    for (std::int64_t i = begin; i < end; ++i) {
      compute(row, i == begin);
      ++row;
      const bool is_last = i + 1 == end;
      if (is_last || row == rows || row - first_kept_ == together_) store_until(row);
      if (is_last || row < rows) continue;
      first_kept_ = row = 0;
      enter(++plane);
    }
  }

 private:
  void enter(std::int64_t plane) {
    const std::byte* from = in_ + kernel_.in.plane_bytes(plane);
    out_plane_ = out_ + kernel_.out.plane_bytes(plane);
    if (in_place_) {
      values_ = reinterpret_cast<const C*>(from);
      return;
    }
    kernel_.in.load(kernel_.load, from, sizeof(C), plane_.data());
    if (kernel_.through.is_given())
      kernel_.through.apply_to_inputs(plane_.data(), kernel_.in.size());
    values_ = plane_.data();
  }

  void compute(std::int64_t row, bool is_first) {
    C* out = out_place_ ? reinterpret_cast<C*>(out_plane_) + row * kernel_.out_row
                        : result_.data() + (row - first_kept_) * kernel_.out_row;
    if (!is_first && repeats(row)) {
      if (out != last_) std::memcpy(out, last_, std::size_t(kernel_.out_row) * sizeof(C));
    } else {
      kernel_.map_row(&kernel_.row_map, sum_rows(row), out);
      if (kernel_.through.round != nullptr) kernel_.through.apply(out, kernel_.out_row);
    }
    last_ = out;
  }

  bool repeats(std::int64_t row) const {
    if (kernel_.outer.empty()) return false;
    const std::int64_t place = row % kernel_.outer.back().to_extent();
    return kernel_.repeats.back()[std::size_t(place)];
  }

  /// The weighted sum of the input's rows that one row of the result takes from.
  const C* sum_rows(std::int64_t row) {
    if (kernel_.outer.empty()) return values_;
    terms_ = 0;
    visit(kernel_.outer.size(), row, 0, 1, C(1));
    if (terms_ == 0) std::fill(sum_.begin(), sum_.end(), C(0));
    if (terms_ == 1 && only_weight_ == C(1)) return only_;
    if (terms_ == 1) kernel_.add_row(only_, kernel_.in_row, only_weight_, true, sum_.data());
    return sum_.data();
  }

  /// Combines the terms of the axes outside the first `axes`, innermost first.
  void visit(std::size_t axes, std::int64_t row, std::int64_t from, std::int64_t step, C weight) {
    if (axes == 0) return add(values_ + from * kernel_.in_row, weight);
    const AxisMap& map = kernel_.outer[axes - 1];
    const std::vector<C>& weights = kernel_.weights[axes - 1];
    const std::int64_t place = row % map.to_extent();
    for (std::int64_t k = map.begin(place); k < map.begin(place + 1); ++k)
      visit(axes - 1, row / map.to_extent(), from + map.sources()[std::size_t(k)] * step,
            step * map.from_extent(), weight * weights[std::size_t(k)]);
  }

  void add(const C* row, C weight) {
    if (++terms_ == 1) {
      only_ = row;
      only_weight_ = weight;
      return;
    }
    if (terms_ == 2) {
      kernel_.add_two_rows(only_, only_weight_, row, weight, kernel_.in_row, sum_.data());
    } else {
      kernel_.add_row(row, kernel_.in_row, weight, false, sum_.data());
    }
  }

  /// Converts the rows of the result that are kept, up to this one.
  void store_until(std::int64_t end) {
    const std::int64_t first = std::exchange(first_kept_, end);
    if (out_place_) return;
    const std::int64_t length = kernel_.out.row_length();
    const std::int64_t each = kernel_.out_row / length;
    std::byte* to = out_plane_ + kernel_.out.row_bytes(first * each);
    if (kernel_.out.is_packed())
      return kernel_.store(result_.data(), (end - first) * kernel_.out_row, to, 1);
    for (std::int64_t k = 0; k < (end - first) * each; ++k)
      kernel_.store(result_.data() + k * length, length,
                    out_plane_ + kernel_.out.row_bytes(first * each + k), kernel_.out.row_stride());
  }

  const Kernel<C>& kernel_;
  const std::byte* in_;
  std::byte* out_;
  const bool in_place_;
  const bool out_place_;
  std::byte* out_plane_ = nullptr;
  const C* values_ = nullptr;
  const C* last_ = nullptr;  // the row before
  const C* only_ = nullptr;
  C only_weight_ = 0;
  int terms_ = 0;
  std::vector<C> plane_;
  std::vector<C> sum_;
  // Rows that are not stored yet, from this one of the plane on.
  std::vector<C> result_;
  std::int64_t first_kept_ = 0;
  std::int64_t together_ = 0;
};

template <class C>
void Kernel<C>::run(const KernelMemory& memory) const {
  const std::int64_t rows_of_plane = out.size() / out_row;
  // A plane that must be converted first belongs to one thread.
  const bool by_planes = !in.is_array_of(dtype_of<C>()) || through.is_given();
  std::int64_t grain = std::max<std::int64_t>(1, kGrain / std::max(in_row, out_row));
  if (by_planes) grain = (grain + rows_of_plane - 1) / rows_of_plane * rows_of_plane;
  parallel_for(out.count() * rows_of_plane, grain, [&](std::int64_t begin, std::int64_t end) {
    Worker<C>(*this, memory).run(begin, end);
  });
}

/// Complex values as pairs on an axis of their own.
View as_pairs(View view, aclDataType part) {
  view.dtype = part;
  view.offset *= 2;
  for (std::size_t i = 0; i < view.strides.size(); ++i) view.strides.set(i, view.strides[i] * 2);
  view.shape.push_back(2);
  view.strides.push_back(1);
  return view;
}

template <class C>
void launch(Plan& plan, View in, View out, std::vector<AxisMap> maps, bool is_complex,
            const AxisSumOptions& options) {
  std::size_t trailing = maps.size();
  if (is_complex) {
    in = as_pairs(std::move(in), dtype_of<C>());
    out = as_pairs(std::move(out), dtype_of<C>());
    ++trailing;
    maps.back() = maps.back().with_lanes(2);
  }
  auto kernel = std::make_shared<Kernel<C>>(maps.back());
  kernel->in_row = maps.back().from_extent();
  kernel->out_row = maps.back().to_extent();
  maps.pop_back();
  kernel->in = BatchedView(in, trailing);
  kernel->out = BatchedView(out, trailing);
  kernel->load = loader<C>(in.dtype);
  kernel->store = storer<C>(out.dtype, Rounding::kNearestEven);
  if (kernel->load == nullptr || kernel->store == nullptr)
    fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "%s: there is no kernel for these element types",
         plan.api());
  kernel->through.hfloat32 = options.hfloat32;
  if (options.through != ACL_DT_UNDEFINED) {
    kernel->through.round = storer<float>(options.through, Rounding::kNearestEven);
    kernel->through.widen = loader<float>(options.through);
  }
  for (const AxisMap& map : maps) {
    kernel->weights.emplace_back(map.weights().begin(), map.weights().end());
    std::vector<bool>& repeats = kernel->repeats.emplace_back();
    for (std::int64_t to = 0; to < map.to_extent(); ++to) repeats.push_back(map.repeats(to));
  }
  kernel->outer = std::move(maps);
  kernel->add_row = loop_for_cpu<AddRow<C>, const C*, std::int64_t, C, bool, C*>();
  kernel->add_two_rows = loop_for_cpu<AddTwoRows<C>, const C*, C, const C*, C, std::int64_t, C*>();
  kernel->map_row = loop_for_cpu<MapRow<C>, const RowMap<C>*, const C*, C*>();
  plan.launch([kernel](const KernelMemory& memory) { kernel->run(memory); });
}

}  // namespace

void launch_axis_sums(Plan& plan, const TensorArgument& in, const TensorArgument& out,
                      std::vector<AxisMap> maps, const AxisSumOptions& options) {
  View to = plan.writes(out);
  View from = plan.reads(in);
  const bool is_complex = in.dtype() == ACL_COMPLEX64 || in.dtype() == ACL_COMPLEX128;
  if (in.dtype() == ACL_DOUBLE || in.dtype() == ACL_COMPLEX128) {
    launch<double>(plan, std::move(from), std::move(to), std::move(maps), is_complex, options);
  } else {
    launch<float>(plan, std::move(from), std::move(to), std::move(maps), is_complex, options);
  }
}

}  // namespace pyaclnn::sim
