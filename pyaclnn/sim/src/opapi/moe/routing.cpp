// SPDX-License-Identifier: MIT
#include "opapi/moe/routing.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "core/thread_pool.hpp"
#include "objects/half.hpp"
#include "opapi/common/as_stored.hpp"
#include "opapi/common/numbers.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/moe/checks.hpp"

namespace pyaclnn::sim {
namespace {

using Numbers = std::vector<std::int64_t>;

constexpr std::int64_t kNone = -1;
constexpr std::int64_t kGrain = 16384;

std::size_t at(std::int64_t place) { return static_cast<std::size_t>(place); }

float as_int8(float value) {
  return std::isnan(value) ? 0.0f : std::clamp(std::nearbyint(value), -128.0f, 127.0f);
}

/// To float16, the digits behind it cut off.
float cut_to_half(float value) {
  const float near = as_stored(value, ACL_FLOAT16);
  if (!(std::fabs(near) > std::fabs(value))) return near;
  return half_to_float(static_cast<std::uint16_t>(float_to_half(near) - 1));
}

struct Kernel {
  RowMajor x, rows, scale, offset;
  View experts, labels, places, sorted, counts, scales, row_total;
  bool limited, sources, scale_of_pairs;
  std::int64_t tokens, columns, k, first_expert, last_expert, capacity, row_count, scale_rows,
      first_row;
  RowQuant quant;
  Counted counted;
  float one_scale, one_offset;
  bool copies;
  std::int64_t row_bytes;

  void run(const KernelMemory& memory) const {
    const Numbers chosen = numbers_of<std::int64_t>(memory, experts);
    const Numbers names = given(labels) ? numbers_of<std::int64_t>(memory, labels) : Numbers();
    Numbers order(chosen.size());
    std::iota(order.begin(), order.end(), 0);
    const auto key = [&](std::int64_t pair) {
      const std::int64_t expert = chosen[at(pair)];
      return limited && expert < first_expert ? std::numeric_limits<std::int64_t>::max() : expert;
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int64_t a, std::int64_t b) { return key(a) < key(b); });
    if (given(sorted)) {
      Numbers values;
      for (std::int64_t pair : order) values.push_back(chosen[at(pair)]);
      write_numbers(memory, sorted, values);
    }
    // Where rows have their pairs, those without a row stand behind.
    if (given(places) && sources && capacity == 0) write_numbers(memory, places, order);
    if (limited) order.resize(at(seen(chosen)));
    if (given(row_total)) write_numbers(memory, row_total, Numbers{std::int64_t(order.size())});
    const Numbers source = sources_of(chosen, order);
    write_places(memory, chosen, order, names);
    write_counts(memory, chosen);
    write_rows(memory, chosen, source, names);
  }

 private:
  static bool given(const View& view) { return view.dtype != ACL_DT_UNDEFINED; }

  bool is_seen(std::int64_t expert) const { return expert >= first_expert && expert < last_expert; }

  std::int64_t seen(const Numbers& chosen) const {
    return std::count_if(chosen.begin(), chosen.end(), [&](std::int64_t e) { return is_seen(e); });
  }

  /// Calls body(pair, row) in order; those that their room does not take have no row.
  template <class Body>
  void for_each_row(const Numbers& chosen, const Numbers& order, Body body) const {
    std::int64_t row = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::int64_t pair = order[i];
      const std::int64_t expert = chosen[at(pair)];
      if (capacity > 0 && (i == 0 || expert != chosen[at(order[i - 1])])) row = 0;
      if (capacity == 0) {
        body(pair, row);
      } else if (row < capacity) {
        const auto room = std::uint64_t(expert - first_expert) * std::uint64_t(capacity);
        body(pair, std::int64_t(room) + row);
      }
      ++row;
    }
  }

  /// The pair that each row is of.
  Numbers sources_of(const Numbers& chosen, const Numbers& order) const {
    const std::int64_t own = std::max<std::int64_t>(0, std::int64_t(order.size()) - first_row);
    Numbers source(at(capacity == 0 ? std::min(row_count, own) : row_count), kNone);
    for_each_row(chosen, order, [&](std::int64_t pair, std::int64_t row) {
      const std::int64_t to = row - first_row;
      if (to >= 0 && to < std::int64_t(source.size())) source[at(to)] = pair;
    });
    return source;
  }

  /// What a pair is called: by its place, or by its label, whatever the device has there.
  static std::int64_t name_of(const Numbers& names, std::int64_t pair) {
    return names.empty() ? pair : names[at(pair)];
  }

  void write_places(const KernelMemory& memory, const Numbers& chosen, const Numbers& order,
                    const Numbers& names) const {
    if (!given(places) || (sources && capacity == 0)) return;
    Numbers place(chosen.size(), kNone);
    for_each_row(chosen, order, [&](std::int64_t pair, std::int64_t row) {
      const std::int64_t name = name_of(names, pair);
      if (name >= 0 && name < std::int64_t(place.size())) place[at(name)] = row;
    });
    write_numbers(memory, places, place);
  }

  void write_counts(const KernelMemory& memory, const Numbers& chosen) const {
    if (!given(counts)) return;
    Numbers values(at(last_expert - first_expert));
    for (std::int64_t expert : chosen)
      if (is_seen(expert)) ++values[at(expert - first_expert)];
    if (counted == Counted::kRunning)
      std::partial_sum(values.begin(), values.end(), values.begin());
    if (counted == Counted::kPairs) {
      const Numbers count = std::exchange(values, Numbers());
      for (std::size_t i = 0; i < count.size(); ++i)
        if (count[i] > 0) values.insert(values.end(), {first_expert + std::int64_t(i), count[i]});
      values.insert(values.end(), {0, 0});  // behind the last one
    }
    write_numbers(memory, counts, values);
  }

  void write_rows(const KernelMemory& memory, const Numbers& chosen, const Numbers& source,
                  const Numbers& names) const {
    const auto filled = std::int64_t(source.size());
    const std::vector<float> factors =
        scale.given() ? RowMajorAccess(scale, memory).values() : std::vector<float>{one_scale};
    const float shift =
        offset.given() ? RowMajorAccess(offset, memory).values().front() : one_offset;
    std::vector<float> kept(at(given(scales) ? filled : 0));
    const std::int64_t grain =
        std::max<std::int64_t>(1, kGrain / std::max<std::int64_t>(1, columns));
    parallel_for(filled, grain, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> line(at(columns));
      for (std::int64_t row = begin; row < end; ++row) {
        const std::int64_t pair = source[at(row)];
        const std::int64_t token = pair == kNone ? kNone : token_of(name_of(names, pair));
        if (copies && token != kNone) {
          std::memcpy(RowMajorAccess(rows, memory).place(row * columns),
                      RowMajorAccess(x, memory).place(token * columns), at(row_bytes));
        } else if (token == kNone) {
          std::fill(line.begin(), line.end(), 0.0f);
          RowMajorAccess(rows, memory).write(row * columns, columns, line.data());
        } else {
          const float* const from =
              RowMajorAccess(x, memory).read(token * columns, columns, line.data());
          std::copy_n(from, columns, line.begin());
        }
        float found = 0;
        if (token != kNone) {
          found = quantise(line, factors, shift, chosen[at(pair)] - first_expert,
                           scale_of_pairs ? pair : token);
          if (!copies) RowMajorAccess(rows, memory).write(row * columns, columns, line.data());
        }
        if (!kept.empty()) kept[at(row)] = found;
      }
    });
    if (given(scales)) write_numbers(memory, scales, kept);
  }

  std::int64_t token_of(std::int64_t name) const {
    if (name < 0 || tokens == 0) return kNone;
    return given(labels) ? name % tokens : name / k;
  }

  /// Returns what becomes the scale of the row.
  float quantise(std::vector<float>& line, const std::vector<float>& factors, float shift,
                 std::int64_t expert, std::int64_t place) const {
    switch (quant) {
      case RowQuant::kNone:
        return scale.given() ? factors[at(place)] : 0.0f;
      case RowQuant::kStatic:
        for (float& v : line) v = as_int8(v * factors[0] + shift);
        return 0;
      case RowQuant::kStaticHalf: {
        const auto half = [](float v) { return as_stored(v, ACL_FLOAT16); };
        for (float& v : line) v = as_int8(half(half(half(v) * half(factors[0])) + half(shift)));
        return 0;
      }
      default:
        return quantise_by_largest(line, factors, expert);
    }
  }

  float quantise_by_largest(std::vector<float>& line, const std::vector<float>& factors,
                            std::int64_t expert) const {
    if (scale.given()) {
      const float* const own = factors.data() + (scale_rows == 1 ? 0 : expert * columns);
      for (std::size_t i = 0; i < line.size(); ++i) line[i] *= own[i];
    }
    float most = 0;
    for (float v : line) most = std::max(most, std::fabs(v));
    const float q = most / 127.0f;
    const bool through_half = quant == RowQuant::kDynamicThroughHalf;
    for (float& v : line) v = as_int8(through_half ? std::round(cut_to_half(v / q)) : v / q);
    return q;
  }
};

}  // namespace

void route(Plan& plan, const Routing& r, std::int64_t active) {
  const std::int64_t pairs = r.experts.elements();
  const std::int64_t experts = r.last_expert - r.first_expert;
  Dims shape = r.x.shape();
  shape.set(0, std::clamp<std::int64_t>(active, 0, pairs));
  if (r.capacity > 0) shape = Dims{experts, r.capacity, r.x.shape()[1]};
  check_extents(plan, r.rows, shape);
  check_extents(plan, r.places, Dims{pairs});
  check_extents(plan, r.sorted, Dims{pairs});
  if (r.counted != Counted::kPairs) check_extents(plan, r.counts, Dims{experts});
  if (is_given(r.scales))
    check_extents(plan, r.scales,
                  Dims{r.capacity > 0 ? Dims({shape[0], shape[1]}).product() : shape[0]});
  const auto read = [&](const TensorArgument* t) { return is_given(t) ? plan.reads(*t) : View(); };
  const auto written = [&](const TensorArgument* t) {
    return is_given(t) ? plan.writes(*t) : View();
  };
  const auto rows_of = [](const View& view) {
    return view.dtype == ACL_DT_UNDEFINED ? RowMajor() : RowMajor(view);
  };
  plan.stage(r.x).contiguous();
  plan.stage(r.experts).contiguous();
  for (const TensorArgument* t : {r.labels, r.scale, r.offset})
    if (is_given(t)) plan.stage(*t).contiguous();
  for (const TensorArgument* t : {r.rows, r.places, r.sorted, r.counts, r.scales})
    if (is_given(t)) plan.result(t->dtype(), t->shape()).copy_to(*t);
  Kernel kernel;
  kernel.x = RowMajor(plan.reads(r.x));
  kernel.rows = rows_of(written(r.rows));
  kernel.scale = rows_of(read(r.scale));
  kernel.offset = rows_of(read(r.offset));
  kernel.experts = plan.reads(r.experts);
  kernel.labels = read(r.labels);
  kernel.places = written(r.places);
  kernel.sorted = written(r.sorted);
  kernel.counts = written(r.counts);
  kernel.scales = written(r.scales);
  kernel.row_total = written(r.seen);
  kernel.limited = r.limited;
  kernel.sources = r.sources;
  kernel.tokens = r.x.shape()[0];
  kernel.columns = kernel.tokens == 0 ? 0 : r.x.elements() / kernel.tokens;
  kernel.k = r.experts.rank() == 2 ? std::max<std::int64_t>(1, r.experts.shape()[1]) : 1;
  kernel.first_expert = r.first_expert;
  kernel.last_expert = r.last_expert;
  kernel.capacity = r.capacity;
  kernel.first_row = r.first_row;
  kernel.scale_of_pairs = r.scale_of_pairs;
  kernel.row_count = kernel.columns == 0 ? 0 : r.rows->elements() / kernel.columns;
  kernel.scale_rows = is_given(r.scale) && r.scale->rank() == 2 ? r.scale->shape()[0] : 1;
  kernel.quant = r.quant;
  kernel.counted = r.counted;
  kernel.one_scale = r.one_scale;
  kernel.one_offset = r.one_offset;
  kernel.copies = r.quant == RowQuant::kNone && r.x.dtype() == r.rows->dtype() &&
                  kernel.x.array_type() == r.x.dtype() && kernel.rows.array_type() == r.x.dtype();
  kernel.row_bytes = kernel.columns * std::int64_t(dtype_size(r.x.dtype()));
  plan.launch([kernel = std::move(kernel)](const KernelMemory& memory) { kernel.run(memory); });
}

ExpertRange expert_range(const Plan& plan, const IntArrayIn& range, std::int64_t experts) {
  if (!range.given() || range.values().empty()) return {0, experts};
  check_tiling(plan, range.values().size() == 2, "%s has %zu numbers, it must have two",
               range.name(), range.values().size());
  const ExpertRange result{range.values()[0], range.values()[1]};
  check_tiling(plan, result.first >= 0 && result.first <= result.last,
               "%s is [%lld, %lld], which is no range", range.name(),
               static_cast<long long>(result.first), static_cast<long long>(result.last));
  return result;
}

void check_smooth(const Plan& plan, const TensorArgument& scale, std::int64_t experts,
                  std::int64_t columns) {
  if (!scale.given()) return;
  check_tiling(plan,
               scale.shape() == Dims({1, columns}) || scale.shape() == Dims({experts, columns}),
               "%s has shape %s, for %lld experts and %lld columns", scale.name(),
               scale.shape().text().c_str(), static_cast<long long>(experts),
               static_cast<long long>(columns));
}

void set_row_quant(const Plan& plan, Routing& r, std::int64_t mode, const TensorArgument& offset,
                   const TensorArgument& scales) {
  const bool has_scale = is_given(r.scale);
  if (mode == 0) {
    check_tiling(plan, has_scale && offset.given(), "scale or offset is null");
    check_extents(plan, r.scale, Dims{1});
    check_extents(plan, &offset, Dims{1});
    r.quant = RowQuant::kStatic;
    r.offset = &offset;
    return;
  }
  if (mode == 1) {
    r.quant = RowQuant::kDynamic;
    check_smooth(plan, *r.scale, r.last_expert - r.first_expert, r.x.shape()[1]);
  } else {
    check_extents(plan, r.scale, Dims{r.x.shape()[0]});
  }
  if (mode != 1 && !has_scale) return;
  check_tiling(plan, scales.dtype() == ACL_FLOAT, "%s is not of float32", scales.name());
  r.scales = &scales;
}

void count_experts(Plan& plan, const TensorArgument& sorted, const TensorArgument& out) {
  plan.stage(sorted).contiguous();
  plan.result(out.dtype(), out.shape()).copy_to(out);
  const View from = plan.reads(sorted);
  const View to = plan.writes(out);
  plan.launch([from, to](const KernelMemory& memory) {
    const Numbers numbers = numbers_of<std::int64_t>(memory, from);
    Numbers result(at(to.shape.product()));
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] =
          std::upper_bound(numbers.begin(), numbers.end(), std::int64_t(i)) - numbers.begin();
    write_numbers(memory, to, result);
  });
}

}  // namespace pyaclnn::sim
