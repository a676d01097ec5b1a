// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/task_deadline.hpp"
#include "core/thread_pool.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/unfold/unfold.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBoxValues = 5;

struct Kernel {
  RowMajor pooled_values;
  RowMajor boxes;
  RowMajor planes;
  std::int64_t images;
  std::int64_t channels;
  std::int64_t height;
  std::int64_t width;
  std::int64_t pooled_height;
  std::int64_t pooled_width;
  RoiSampling sampling;

  std::int64_t pooled() const { return pooled_height * pooled_width; }
};

struct Tap {
  std::int64_t bin;
  std::int64_t place;
  double weight;
};

/// What the bins of a box take along one axis: bilinear weights are products of two such.
using Taps = std::vector<Tap>;

/// The shares of one bin, by place.
class Shares {
 public:
  explicit Shares(std::int64_t extent) : weights_(std::size_t(extent)), extent_(extent) {}

  /// The element on either side of a sampling point; points far outside have none.
  void add_point(float point) {
    if (!(point >= -1.0f && point <= float(extent_))) return;
    const float inside = std::max(point, 0.0f);
    const auto low = static_cast<std::int64_t>(inside);
    if (low >= extent_ - 1) return add(extent_ - 1, 1.0);
    const double high_share = double(inside) - double(low);
    add(low, 1.0 - high_share);
    add(low + 1, high_share);
  }

  /// The same for `count` points from `start` on, `pitch` > 0 apart, in as many steps as the axis
  /// has elements. In exact arithmetic: so many points have no rounding in common with float32's.
  void add_points(double start, double pitch, double count) {
    const auto first_from = [&](double place) {
      return std::clamp(std::ceil((place - start) / pitch), 0.0, count);
    };
    const double last = double(extent_ - 1);
    double from = first_from(-1.0);
    double to = extent_ == 1 ? first_from(1.0) : first_from(0.0);
    add(0, to - from);
    for (std::int64_t low = 0; low < extent_ - 1; ++low) {
      from = to;
      to = first_from(double(low) + 1.0);
      const double points = to - from;
      if (points <= 0.0) continue;
      const double middle = start + pitch * (from + to - 1.0) / 2.0;
      const double high = points * std::clamp(middle - double(low), 0.0, 1.0);
      add(low, points - high);
      add(low + 1, high);
    }
    if (extent_ > 1) add(extent_ - 1, first_from(last + 1.0) - to);
  }

  /// Moves the shares, divided by `points`, to the taps of `bin`.
  void take(std::int64_t bin, double points, Taps& taps) {
    for (std::int64_t place = begin_; place < end_; ++place) {
      double& weight = weights_[std::size_t(place)];
      if (weight != 0.0) taps.push_back({bin, place, weight / points});
      weight = 0.0;
    }
    begin_ = extent_;
    end_ = 0;
  }

 private:
  void add(std::int64_t place, double weight) {
    weights_[std::size_t(place)] += weight;
    begin_ = std::min(begin_, place);
    end_ = std::max(end_, place + 1);
  }

  std::vector<double> weights_;
  std::int64_t extent_;
  std::int64_t begin_ = extent_;
  std::int64_t end_ = 0;
};

/// Coordinates are float32: a wider type would round sizes up to one more point.
Taps taps_of(const Kernel& kernel, float from, float to, std::int64_t bins, std::int64_t extent) {
  constexpr double kMany = 4096;  // points of a bin that are not looked at one by one
  Taps taps;
  const float offset = kernel.sampling.aligned ? 0.5f : 0.0f;
  const float start = from * kernel.sampling.scale - offset;
  float length = to * kernel.sampling.scale - offset - start;
  if (!kernel.sampling.aligned) length = std::max(length, 1.0f);
  const float bin_size = length / float(bins);
  if (!std::isfinite(start) || !std::isfinite(bin_size)) return taps;
  const float points =
      kernel.sampling.points > 0 ? float(kernel.sampling.points) : std::ceil(length / float(bins));
  if (!(points >= 1.0f)) return taps;
  Shares shares(extent);
  for (std::int64_t bin = 0; bin < bins; ++bin) {
    check_task_time();
    const float bin_start = start + float(bin) * bin_size;
    // Points of a huge box lie outside but for a few; one to either side covers the rounding.
    const double pitch = double(bin_size) / double(points);
    double first = 0.0;
    double last = double(points) - 1.0;
    if (pitch > 0.0) {
      first = std::max(first, std::floor((-2.0 - double(bin_start)) / pitch) - 1.0);
      last = std::min(last, std::ceil((double(extent) + 1.0 - double(bin_start)) / pitch) + 1.0);
    }
    if (last - first >= kMany && pitch != 0.0) {
      // From the lower end of the bin, whichever that is.
      const double low_end = double(bin_start) + (pitch < 0.0 ? double(bin_size) : 0.0);
      const double step = std::fabs(pitch);
      shares.add_points(low_end + step / 2.0, step, double(points));
    } else if (last - first >= kMany) {
      shares.add_point(bin_start);  // they all lie here
      shares.take(bin, 1.0, taps);
    } else {
      // Counted as an integer: far out, a double no longer changes when 1 is added.
      const std::int64_t count = last < first ? 0 : static_cast<std::int64_t>(last - first) + 1;
      for (std::int64_t i = 0; i < count; ++i) {
        const float step = float(first + double(i)) + 0.5f;
        shares.add_point(bin_start + step * bin_size / points);
      }
    }
    shares.take(bin, double(points), taps);
  }
  return taps;
}

struct Box {
  std::int64_t index;
  Taps rows;
  Taps columns;
};

/// The boxes of each image.
std::vector<std::vector<Box>> boxes_by_image(const Kernel& kernel, const std::vector<float>& all) {
  std::vector<std::vector<Box>> result(static_cast<std::size_t>(kernel.images));
  for (std::size_t at = 0; at < all.size(); at += kBoxValues) {
    const float* box = all.data() + at;
    const float image = std::floor(box[0]);
    if (!(image >= 0.0f && image < float(kernel.images))) continue;
    result[static_cast<std::size_t>(image)].push_back(
        {static_cast<std::int64_t>(at) / kBoxValues,
         taps_of(kernel, box[2], box[4], kernel.pooled_height, kernel.height),
         taps_of(kernel, box[1], box[3], kernel.pooled_width, kernel.width)});
  }
  return result;
}

/// Spreads the gradients of one box and channel: along the rows first, then over them.
void add_box(const Kernel& kernel, const Box& box, const float* grad, std::vector<double>& lines,
             std::vector<double>& plane) {
  std::fill(lines.begin(), lines.end(), 0.0);
  for (std::int64_t bin = 0; bin < kernel.pooled_height; ++bin) {
    double* line = lines.data() + bin * kernel.width;
    for (const Tap& tap : box.columns)
      line[tap.place] += tap.weight * double(grad[bin * kernel.pooled_width + tap.bin]);
  }
  if (box.columns.empty()) return;
  const auto [low, high] =
      std::minmax_element(box.columns.begin(), box.columns.end(),
                          [](const Tap& a, const Tap& b) { return a.place < b.place; });
  for (const Tap& tap : box.rows) {
    const double* line = lines.data() + tap.bin * kernel.width;
    double* row = plane.data() + tap.place * kernel.width;
    for (std::int64_t x = low->place; x <= high->place; ++x) row[x] += tap.weight * line[x];
  }
}

void run(const Kernel& kernel, const KernelMemory& memory) {
  const RowMajorAccess grad(kernel.pooled_values, memory);
  const RowMajorAccess out(kernel.planes, memory);
  const auto boxes = boxes_by_image(kernel, RowMajorAccess(kernel.boxes, memory).values());
  const std::int64_t size = kernel.height * kernel.width;
  parallel_for(kernel.images * kernel.channels, 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> plane(static_cast<std::size_t>(size));
    std::vector<double> lines(static_cast<std::size_t>(kernel.pooled_height * kernel.width));
    std::vector<float> values(static_cast<std::size_t>(kernel.pooled()));
    std::vector<float> buffer(static_cast<std::size_t>(size));
    for (std::int64_t at = begin; at < end; ++at) {
      std::fill(plane.begin(), plane.end(), 0.0);
      for (const Box& box : boxes[static_cast<std::size_t>(at / kernel.channels)]) {
        const std::int64_t from = box.index * kernel.channels + at % kernel.channels;
        add_box(kernel, box, grad.read(from * kernel.pooled(), kernel.pooled(), values.data()),
                lines, plane);
      }
      float* target = out.target(at * size, buffer.data());
      std::transform(plane.begin(), plane.end(), target, [](double sum) { return float(sum); });
      out.write(at * size, size, target);
    }
  });
}

/// Values of the bins of one box and channel: along the columns first, then over the rows.
void gather_box(const Kernel& kernel, const Box& box, const float* plane,
                std::vector<double>& lines, double* bins) {
  if (box.columns.empty()) return;
  std::fill(lines.begin(), lines.end(), 0.0);
  const auto [low, high] =
      std::minmax_element(box.columns.begin(), box.columns.end(),
                          [](const Tap& a, const Tap& b) { return a.place < b.place; });
  for (const Tap& tap : box.rows) {
    double* line = lines.data() + tap.bin * kernel.width;
    const float* row = plane + tap.place * kernel.width;
    for (std::int64_t x = low->place; x <= high->place; ++x) line[x] += tap.weight * double(row[x]);
  }
  for (std::int64_t bin = 0; bin < kernel.pooled_height; ++bin)
    for (const Tap& tap : box.columns)
      bins[bin * kernel.pooled_width + tap.bin] +=
          tap.weight * lines[std::size_t(bin * kernel.width + tap.place)];
}

void gather(const Kernel& kernel, const RowMajor& images, const KernelMemory& memory) {
  const RowMajorAccess self(kernel.planes, memory);
  const RowMajorAccess out(kernel.pooled_values, memory);
  std::vector<float> numbers = RowMajorAccess(kernel.boxes, memory).values();
  if (images.given()) {
    const std::vector<float> corners = std::move(numbers);
    numbers.clear();
    const std::vector<float> of = RowMajorAccess(images, memory).values();
    for (std::size_t i = 0; i < of.size(); ++i) {
      numbers.push_back(of[i]);
      numbers.insert(numbers.end(), &corners[i * 4], &corners[i * 4] + 4);
    }
  }
  const auto boxes = boxes_by_image(kernel, numbers);
  const std::int64_t size = kernel.height * kernel.width;
  const std::int64_t pooled = kernel.pooled();
  const std::vector<float> zeros(static_cast<std::size_t>(pooled));
  for (std::int64_t i = 0; i * pooled < out.count(); ++i)
    out.write(i * pooled, pooled, zeros.data());
  parallel_for(kernel.images * kernel.channels, 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> plane(static_cast<std::size_t>(size));
    std::vector<double> lines(static_cast<std::size_t>(kernel.pooled_height * kernel.width));
    std::vector<double> bins(static_cast<std::size_t>(pooled));
    std::vector<float> values(static_cast<std::size_t>(pooled));
    for (std::int64_t at = begin; at < end; ++at) {
      const float* from = self.read(at * size, size, plane.data());
      for (const Box& box : boxes[static_cast<std::size_t>(at / kernel.channels)]) {
        std::fill(bins.begin(), bins.end(), 0.0);
        gather_box(kernel, box, from, lines, bins.data());
        std::transform(bins.begin(), bins.end(), values.begin(),
                       [](double sum) { return float(sum); });
        out.write((box.index * kernel.channels + at % kernel.channels) * pooled, pooled,
                  values.data());
      }
    }
  });
}

}  // namespace

void roi_align(Plan& plan, const TensorArgument& self, const TensorArgument& boxes,
               const TensorArgument* images, const RoiSampling& sampling,
               const TensorArgument& out) {
  const Dims& image = self.shape();
  plan.stage(self).contiguous();
  plan.stage(boxes).contiguous();
  plan.result(self.dtype(), out.shape()).copy_to(out);
  const Kernel kernel{RowMajor(plan.writes(out)),
                      RowMajor(plan.reads(boxes)),
                      RowMajor(plan.reads(self)),
                      image[0],
                      image[1],
                      image[2],
                      image[3],
                      out.shape()[2],
                      out.shape()[3],
                      sampling};
  RowMajor of;
  if (images != nullptr) {
    plan.stage(*images).contiguous();
    of = RowMajor(plan.reads(*images));
  }
  if (out.is_empty()) return;
  plan.launch([kernel, of](const KernelMemory& memory) { gather(kernel, of, memory); });
}

void roi_align_gradient(Plan& plan, const TensorArgument& grad, const TensorArgument& boxes,
                        const RoiSampling& sampling, const TensorArgument& out) {
  const Dims& image = out.shape();
  const Kernel kernel{RowMajor(plan.reads(grad)),
                      RowMajor(plan.reads(boxes)),
                      RowMajor(plan.writes(out)),
                      image[0],
                      image[1],
                      image[2],
                      image[3],
                      grad.shape()[2],
                      grad.shape()[3],
                      sampling};
  plan.launch([kernel](const KernelMemory& memory) { run(kernel, memory); });
}

}  // namespace pyaclnn::sim
