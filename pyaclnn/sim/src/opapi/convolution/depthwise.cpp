// Convolutions of each channel by itself: so few products for each element that neither tiles nor
// unfolding pay. A plane is copied once with zeros around it, and between its elements where these
// are a stride apart; with a step across, elements that are a step apart lie side by side. Then all
// that a row of positions sees by a tap lies side by side, too.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/cpu_wide.hpp"
#include "opapi/common/fused.hpp"
#include "opapi/convolution/sums.hpp"
#include "opapi/product/matrix.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kColumns = 32;  // sums held at a time, in registers
constexpr std::int64_t kHalf = kColumns / 2;
constexpr std::int64_t kCopied = 8;  // elements
constexpr std::int64_t kLeastAcross = 4;
constexpr std::int64_t kMostPadded = 1 << 16;
constexpr std::int64_t kFar = std::int64_t(1) << 28;  // nobody's offset or step
constexpr std::int64_t kSummed = 4096;                // products that are summed as floats
constexpr std::int64_t kPieces = 64;                  // so often scratch memory is made at most

using Floats = float __attribute__((vector_size(kCopied * sizeof(float))));

SIM_ALWAYS_INLINE void copy_some(const float* from, float* to) {
  std::memcpy(to, from, kCopied * sizeof(float));
}

/// Every second one; what lies behind the last is not read.
SIM_ALWAYS_INLINE void copy_some_spaced(const float* from, float* to) {
  Floats first, last;
  std::memcpy(&first, from, sizeof first);
  std::memcpy(&last, from + kCopied - 1, sizeof last);
  const Floats some = __builtin_shufflevector(first, last, 0, 2, 4, 6, 9, 11, 13, 15);
  std::memcpy(to, &some, sizeof some);
}

/// Elements of a line that are a step apart, to places that are.
SIM_ALWAYS_INLINE void copy_line(const float* from, std::int64_t from_step, std::int64_t count,
                                 float* to, std::int64_t to_step) {
  if (to_step == 2 && from_step == 1) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) to[2 * i] = from[i];
    return;
  }
  if (to_step != 1 || from_step > 2 || count < kCopied) {
    for (std::int64_t i = 0; i < count; ++i) to[i * to_step] = from[i * from_step];
    return;
  }
  // In the end, some are copied once more.
  for (std::int64_t i = 0; i < count; i += kCopied) {
    const std::int64_t at = std::min(i, count - kCopied);
    if (from_step == 1)
      copy_some(from + at, to + at);
    else
      copy_some_spaced(from + 2 * at, to + at);
  }
}

/// Where elements and what taps see lie in a padded plane, in which elements of a row are `spacing`
/// apart.
class Padding {
 public:
  /// Valid if planes are small enough: product(size) is then no more than kMostPadded.
  Padding(const Extents3& source, std::int64_t spacing, const Extents3& step,
          const Extents3& positions, const std::vector<Extents3>& offsets)
      : source_(source), spacing_(spacing), step_(step) {
    for (std::size_t i = 0; i < 3; ++i) {
      std::int64_t low = offsets[0][i], high = offsets[0][i];
      for (const Extents3& offset : offsets) {
        low = std::min(low, offset[i]);
        high = std::max(high, offset[i]);
      }
      low_[i] = low;
      size_[i] = std::min((positions[i] - 1) * step[i] + high - low + 1, kMostPadded + 1);
      const std::int64_t apart = i == 2 ? spacing : 1;
      begin_[i] = std::max<std::int64_t>(floor_divide(low + apart - 1, apart), 0);
      const std::int64_t last = floor_divide(low + size_[i] - 1, apart);
      end_[i] = std::max(std::min(last + 1, source[i]), begin_[i]);
    }
    phase_ = ceil_divide(size_[2], step[2]);
    for (std::int64_t i = begin_[2]; i < std::min(begin_[2] + step[2], end_[2]); ++i) {
      const std::int64_t place = i * spacing - low_[2];
      lines_.push_back(
          {i, ceil_divide(end_[2] - i, step[2]), place % step[2] * phase_ + place / step[2]});
    }
    for (const Extents3& offset : offsets) {
      const std::int64_t across = offset[2] - low_[2];
      offsets_.push_back(((offset[0] - low_[0]) * size_[1] + offset[1] - low_[1]) * width() +
                         across % step[2] * phase_ + across / step[2]);
    }
  }

  bool is_small() const {
    return size_[0] * size_[1] <= kMostPadded && size_[0] * size_[1] * width() <= kMostPadded;
  }
  FloatBuffer buffer() const { return FloatBuffer(size_[0] * size_[1] * width() + kColumns); }
  const std::vector<std::int64_t>& offsets() const { return offsets_; }
  std::int64_t row_step() const { return step_[1] * width(); }
  std::int64_t slice_step() const { return step_[0] * size_[1] * width(); }

  /// Copies a plane into a buffer, of which nothing else is written.
  SIM_ALWAYS_INLINE void fill(const float* plane, float* to) const {
    for (std::int64_t z = begin_[0]; z < end_[0]; ++z) {
      for (std::int64_t y = begin_[1]; y < end_[1]; ++y) {
        const std::int64_t row = (z - low_[0]) * size_[1] + y - low_[1];
        const float* from = plane + (z * source_[1] + y) * source_[2];
        for (const Line& line : lines_)
          copy_line(from + line.from, step_[2], line.count, to + row * width() + line.to, spacing_);
      }
    }
  }

 private:
  /// Elements of a row that are a step apart.
  struct Line {
    std::int64_t from;
    std::int64_t count;
    std::int64_t to;
  };

  std::int64_t width() const { return step_[2] * phase_; }

  Extents3 source_;
  std::int64_t spacing_;  // 1 where the step across is not
  Extents3 step_;
  Extents3 low_;   // the first place
  Extents3 size_;  // places
  Extents3 begin_;
  Extents3 end_;  // of the elements that are seen
  std::int64_t phase_ = 1;
  std::vector<Line> lines_;
  std::vector<std::int64_t> offsets_;  // of what taps see of the first position
};

struct FillPlane {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const Padding* padding, const float* plane, float* to) {
    padding->fill(plane, to);
  }
};

/// What a tap sees of the first position, and its weight. Behind the last tap is one that sees
/// nothing: of a loop whose end it knows, GCC does two rounds at once and then makes no vectors.
struct WeightedTap {
  std::int64_t offset;
  float weight;
};

struct PlaneSum {
  const Padding* padding;
  const float* padded;
  Extents3 positions;
  std::int64_t slices;             // that have taps of their own, in turn
  std::int64_t rows;               // the same
  const WeightedTap* const* taps;  // of these rows
  float bias;
  float* result;
};

struct SumPlane {
  template <Isa kIsa>
  static SIM_ALWAYS_INLINE void run(const PlaneSum* sum) {
    const std::int64_t across = sum->positions[2];
    float* to = sum->result;
    const float* const end = to + product(sum->positions);
    for (std::int64_t z = 0; z < sum->positions[0]; ++z) {
      const float* row = sum->padded + z / sum->slices * sum->padding->slice_step();
      const WeightedTap* const* const first = sum->taps + z % sum->slices * sum->rows;
      const WeightedTap* const* taps = first;
      for (std::int64_t y = 0; y < sum->positions[1]; ++y, to += across) {
        std::int64_t x = 0;
        for (; x + kHalf < across; x += kColumns)
          tile<kIsa, kColumns>(*taps, row + x, sum->bias, across - x, to + x, end);
        if (x < across) tile<kIsa, kHalf>(*taps, row + x, sum->bias, across - x, to + x, end);
        if (++taps == first + sum->rows) {
          taps = first;
          row += sum->padding->row_step();
        }
      }
    }
  }

  /// What is written behind a row belongs to the next ones, which follow.
  template <Isa kIsa, std::int64_t kWide>
  static SIM_ALWAYS_INLINE void tile(const WeightedTap* tap, const float* seen, float bias,
                                     std::int64_t count, float* to, const float* end) {
    float sums[kWide] = {};
    for (; tap->offset >= 0; ++tap) {
      const float* from = seen + tap->offset;
      const float weight = tap->weight;
      for (std::int64_t i = 0; i < kWide; ++i) sums[i] = fused<kIsa>(weight, from[i], sums[i]);
    }
    for (float& value : sums) value += bias;
    if (kWide <= end - to) {
      std::memcpy(to, sums, sizeof sums);
    } else {
      std::memcpy(to, sums, std::size_t(std::min(count, kWide)) * sizeof(float));
    }
  }
};

/// The products of rows of positions with what taps see, which are added by column.
struct RowDots {
  const float* padded;
  std::int64_t row_step;
  const float* results;
  std::int64_t rows;
  std::int64_t width;  // of a row of results, with zeros at its end
  const std::vector<std::int64_t>* offsets;
  double* sums;  // kColumns for each tap
};

struct DotRows {
  template <Isa kIsa>
  static SIM_ALWAYS_INLINE void run(const RowDots* dots) {
    dots->width == kHalf ? add<kIsa, kHalf>(*dots) : add<kIsa, kColumns>(*dots);
  }

  /// Three taps at once, for sums that do not wait for one another; the last ones again, if need
  /// be.
  template <Isa kIsa, std::int64_t kWide>
  static SIM_ALWAYS_INLINE void add(const RowDots& dots) {
    const std::vector<std::int64_t>& offsets = *dots.offsets;
    for (std::size_t tap = 0; tap < offsets.size(); tap += 3) {
      const std::size_t left = std::min<std::size_t>(offsets.size() - tap, 3);
      const auto seen_by = [&](std::size_t i) {
        return dots.padded + offsets[tap + std::min(i, left - 1)];
      };
      const float *first = seen_by(0), *second = seen_by(1), *third = seen_by(2);
      const float* results = dots.results;
      float sums[3][kWide] = {};
      for (std::int64_t row = 0; row < dots.rows; ++row) {
        for (std::int64_t x = 0; x < dots.width; x += kWide, results += kWide) {
          const std::int64_t at = row * dots.row_step + x;
          for (std::int64_t i = 0; i < kWide; ++i) {
            sums[0][i] = fused<kIsa>(results[i], first[at + i], sums[0][i]);
            sums[1][i] = fused<kIsa>(results[i], second[at + i], sums[1][i]);
            sums[2][i] = fused<kIsa>(results[i], third[at + i], sums[2][i]);
          }
        }
      }
      for (std::size_t k = 0; k < left; ++k) {
        double* to = dots.sums + std::int64_t(tap + k) * kColumns;
        for (std::int64_t i = 0; i < kWide; ++i) to[i] += double(sums[k][i]);
      }
    }
  }
};

/// Whether no tap is out of all bounds, and rows are long enough.
bool is_near(const Gather& gather) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (gather.step[i] > kFar || gather.spacing[i] > kFar || gather.result[i] > kFar) return false;
    for (const Gather::Tap& tap : gather.taps)
      if (tap.offset[i] < -kFar || tap.offset[i] > kFar) return false;
  }
  return gather.result[2] >= kLeastAcross;
}

/// All parts of the sums: those that make one row of the result together, which has zeros between
/// the elements of the source, follow one another.
struct WholeGather {
  std::int64_t slices, rows;  // as PlaneSum has them
  std::vector<Extents3> offsets;
  std::vector<std::int64_t> weights;
  std::vector<std::size_t> ends;  // of the taps of a row

  explicit WholeGather(const GatherSums& sums)
      : slices(sums.parts.back().first[0] + 1), rows(sums.parts.back().first[1] + 1) {
    for (const Gather& part : sums.parts) {
      if (part.first[2] == 0 && &part != &sums.parts[0]) ends.push_back(offsets.size());
      for (const Gather::Tap& tap : part.taps) {
        Extents3 offset = tap.offset;
        offset[2] = offset[2] * part.spacing[2] - part.first[2];
        offsets.push_back(offset);
        weights.push_back(tap.weight);
      }
    }
    ends.push_back(offsets.size());
  }
  Padding padding(const GatherSums& sums) const {
    const Gather& part = sums.parts[0];  // that has the most positions
    return Padding(part.source, part.spacing[2], part.step,
                   {part.positions[0], part.positions[1], part.result[2]}, offsets);
  }
};

Padding padding_of(const Gather& gather) {
  std::vector<Extents3> offsets;
  for (const Gather::Tap& tap : gather.taps) offsets.push_back(tap.offset);
  return Padding(gather.source, 1, gather.step, gather.result, offsets);
}

}  // namespace

bool is_depthwise(const GatherSums& sums) {
  if (sums.sources != 1 || sums.results != 1) return false;
  for (const Gather& part : sums.parts)
    if (!is_near(part)) return false;
  const WholeGather whole(sums);
  if (whole.offsets.empty() || !whole.padding(sums).is_small()) return false;
  // Products with zeros are none, unless the weight is no number.
  for (std::int64_t group = 0; group < sums.groups; ++group) {
    for (const std::int64_t weight : whole.weights)
      if (!std::isfinite(sums.weight[group * sums.weight_group + weight])) return false;
  }
  return true;
}

bool is_depthwise(const WeightSums& sums) {
  if (sums.sources != 1 || sums.results != 1 || sums.gather.taps.empty()) return false;
  if (!is_near(sums.gather)) return false;
  return padding_of(sums.gather).is_small();
}

namespace {

/// Calls done(plane, sums) with each plane; `place` says where to write them.
template <class Place, class Done>
void gather_planes(const GatherSums& s, Place place, Done done) {
  const WholeGather whole(s);
  const Padding padding = whole.padding(s);
  const auto fill = wide_loop_for_cpu<FillPlane, const Padding*, const float*, float*>();
  const auto sum_plane = wide_loop_for_cpu<SumPlane, const PlaneSum*>();
  const std::int64_t planes = s.samples * s.groups;
  parallel_for(planes, ceil_divide(planes, kPieces), [&](std::int64_t begin, std::int64_t end) {
    const FloatBuffer padded = padding.buffer();
    const FloatBuffer converted(s.load != nullptr ? s.source_plane() : 0);
    const FloatBuffer sums(s.result_plane());
    std::vector<WeightedTap> taps;
    std::vector<const WeightedTap*> of_rows(whole.ends.size());
    for (std::int64_t plane = begin; plane < end; ++plane) {
      const std::int64_t group = plane % s.groups;
      taps.assign(whole.weights.size() + whole.ends.size(), {-1, 0.0f});
      std::size_t tap = 0;
      for (std::size_t row = 0; row < of_rows.size(); ++row) {
        of_rows[row] = &taps[tap + row];
        for (; tap < whole.ends[row]; ++tap)
          taps[tap + row] = {padding.offsets()[tap],
                             s.weight[group * s.weight_group + whole.weights[tap]]};
      }
      const float* source = converted.data();
      if (s.load != nullptr) {
        s.load(s.unconverted + plane * s.source_plane() * s.unconverted_size, 1, s.source_plane(),
               converted.data());
      } else {
        source = s.source + plane * s.source_plane();
      }
      fill(&padding, source, padded.data());
      float* const result = place(plane, sums.data());
      const PlaneSum sum{&padding,   padded.data(),  s.parts[0].result, whole.slices,
                         whole.rows, of_rows.data(), s.bias_of(group),  result};
      sum_plane(&sum);
      done(plane, result);
    }
  });
}

}  // namespace

void gather_depthwise(const GatherSums& s) {
  gather_planes(
      s, [&](std::int64_t plane, float*) { return s.result + plane * s.result_plane(); },
      [](std::int64_t, const float*) {});
}

void gather_depthwise(const GatherSums& s, TakeValues take) {
  gather_planes(
      s, [](std::int64_t, float* room) { return room; },
      [&](std::int64_t plane, const float* sums) {
        take(plane * s.result_plane(), s.result_plane(), sums);
      });
}

void weight_depthwise(const WeightSums& s) {
  const Padding padding = padding_of(s.gather);
  const auto fill = wide_loop_for_cpu<FillPlane, const Padding*, const float*, float*>();
  const auto dot = wide_loop_for_cpu<DotRows, const RowDots*>();
  const std::int64_t across = s.gather.result[2];
  const std::int64_t down = s.gather.result[1];
  const std::int64_t rows = s.result_plane() / across;
  const std::int64_t width = across <= kHalf ? kHalf : round_up(across, kColumns);
  const std::int64_t together = std::max<std::int64_t>(kSummed / width, 1);
  parallel_for(s.groups, ceil_divide(s.groups, kPieces), [&](std::int64_t begin, std::int64_t end) {
    const FloatBuffer padded = padding.buffer();
    const FloatBuffer results(rows * width);
    std::vector<double> sums;
    for (std::int64_t group = begin; group < end; ++group) {
      sums.assign(std::size_t(s.taps() * kColumns), 0.0);
      for (std::int64_t sample = 0; sample < s.samples; ++sample) {
        const std::int64_t plane = sample * s.groups + group;
        fill(&padding, s.source + plane * s.source_plane(), padded.data());
        const float* from = s.result + plane * s.result_plane();
        for (std::int64_t row = 0; row < rows; ++row)
          copy_line(from + row * across, 1, across, results.data() + row * width, 1);
        for (std::int64_t row = 0; row < rows;) {
          const std::int64_t count = std::min(together, down - row % down);
          const RowDots dots{
              padded.data() + row / down * padding.slice_step() + row % down * padding.row_step(),
              padding.row_step(),
              results.data() + row * width,
              count,
              width,
              &padding.offsets(),
              sums.data()};
          dot(&dots);
          row += count;
        }
      }
      for (std::int64_t tap = 0; tap < s.taps(); ++tap) {
        const auto first = sums.begin() + tap * kColumns;
        s.weight[group * s.taps() + tap] = float(std::accumulate(first, first + kColumns, 0.0));
      }
    }
  });
  // Infinities times the zeros around are no numbers where there should be none.
  const float* const end = s.weight + s.groups * s.taps();
  if (std::any_of(static_cast<const float*>(s.weight), end, [](float x) { return std::isnan(x); }))
    weight_narrow(s);
}

}  // namespace pyaclnn::sim
