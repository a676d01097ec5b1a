// SPDX-License-Identifier: MIT
#include "opapi/embedding/distances.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/cpu.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/pointwise/whole_tensors.hpp"
#include "parameters/Cdist.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGrain = 16384;  // differences worth a hand-over to another thread

constexpr int kLanes = 8;
constexpr std::int64_t kLong = 64;  // coordinates worth a call to the processor's own loop

struct Magnitude {
  static SIM_ALWAYS_INLINE double of(double d) { return std::fabs(d); }
};
struct Square {
  static SIM_ALWAYS_INLINE double of(double d) { return d * d; }
};

/// The sum of Term over the differences, in lanes that do not wait for one another.
template <class Term, int kCount>
SIM_ALWAYS_INLINE double sum_in_lanes(const float* a, const float* b, std::int64_t count) {
  double lanes[kCount] = {};
  std::int64_t i = 0;
  for (; i + kCount <= count; i += kCount)
    for (int k = 0; k < kCount; ++k) lanes[k] += Term::of(double(a[i + k]) - double(b[i + k]));
  for (; i < count; ++i) lanes[0] += Term::of(double(a[i]) - double(b[i]));
  double sum = 0;
  for (double lane : lanes) sum += lane;
  return sum;
}

template <class Term>
struct SumOfTerms {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* a, const float* b, std::int64_t count,
                                    double* sum) {
    *sum = sum_in_lanes<Term, kLanes>(a, b, count);
  }
};

using SumFn = void (*)(const float*, const float*, std::int64_t, double*);

template <class Term>
double sum_of(const float* a, const float* b, std::int64_t count) {
  if (count < kLong) return sum_in_lanes<Term, 4>(a, b, count);
  static const SumFn add =
      loop_for_cpu<SumOfTerms<Term>, const float*, const float*, std::int64_t, double*>();
  double sum;
  add(a, b, count, &sum);
  return sum;
}

/// The p-norm of a - b; p infinity is the largest difference, 0 counts those that are not 0.
double norm_of_difference(const float* a, const float* b, std::int64_t count, float p) {
  if (p == 2.0f) return std::sqrt(sum_of<Square>(a, b, count));
  if (p == 1.0f) return sum_of<Magnitude>(a, b, count);
  double sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const double d = std::fabs(double(a[i]) - double(b[i]));
    if (std::isnan(d)) return d;
    if (std::isinf(p)) {
      sum = std::max(sum, d);
    } else {
      sum += p == 0.0f ? double(d != 0) : std::pow(d, double(p));
    }
  }
  return std::isinf(p) || p == 0.0f ? sum : std::pow(sum, 1 / double(p));
}

struct Distances {
  RowMajor x1;
  RowMajor x2;
  RowMajor out;
  std::int64_t points = 0;  // of x1, in a batch
  std::int64_t others = 0;
  std::int64_t width = 0;
  float p = 2;

  void run(const KernelMemory& memory) const {
    const std::int64_t rows = out.count() / others;
    const std::int64_t work = others * std::max<std::int64_t>(1, width);
    parallel_for(
        rows, std::max<std::int64_t>(1, kGrain / work), [&](std::int64_t begin, std::int64_t end) {
          const RowMajorAccess first(x1, memory);
          const RowMajorAccess second(x2, memory);
          const RowMajorAccess results(out, memory);
          std::vector<float> buffers(std::size_t(2 * width + others));
          float* found = buffers.data() + 2 * width;
          for (std::int64_t row = begin; row < end; ++row) {
            const float* own = first.read(row * width, width, buffers.data());
            const std::int64_t batch = row / points * others;
            for (std::int64_t j = 0; j < others; ++j) {
              const float* other = second.read((batch + j) * width, width, buffers.data() + width);
              found[j] = static_cast<float>(norm_of_difference(own, other, width, p));
            }
            results.write(row * others, others, found);
          }
        });
  }
};

/// A view of a matrix or more with its leading axes broadcast to `batch`.
View in_batch(const View& view, const Dims& batch) {
  Dims shape = batch;
  const std::size_t rank = view.shape.size();
  shape.push_back(view.shape[rank - 2]);
  shape.push_back(view.shape[rank - 1]);
  return broadcast_view(view, shape);
}

}  // namespace

/// Plans out[..., i, j] = the p-norm of x1[..., i] - x2[..., j]. Leading axes broadcast: 161002
/// where they do not, 561103 for another shape of `out`.
void distances(const Check& check, Plan& plan, const CdistParameters& given) {
  const std::size_t rank = std::max(given.x1.rank(), given.x2.rank());
  const auto extent = [rank](const TensorArgument& tensor, std::size_t i) {
    return i + tensor.rank() < rank ? 1 : tensor.shape()[i + tensor.rank() - rank];
  };
  for (const TensorArgument* tensor : {&given.x1, &given.x2})
    for (std::size_t i = 0; i + 1 < tensor->rank(); ++i)
      if (tensor->shape()[i] == 0) return;
  Dims batch;
  for (std::size_t i = 0; i + 2 < rank; ++i) {
    const std::int64_t a = extent(given.x1, i);
    const std::int64_t b = extent(given.x2, i);
    check.that(a == b || a == 1 || b == 1, "the batches of x1 (%s) and x2 (%s) do not broadcast",
               given.x1.shape().text().c_str(), given.x2.shape().text().c_str());
    batch.push_back(a == 1 ? b : a);
  }
  Distances kernel;
  kernel.points = extent(given.x1, rank - 2);
  kernel.others = extent(given.x2, rank - 2);
  kernel.width = given.x1.shape().back();
  kernel.p = given.p;
  Dims pairs = batch;
  pairs.push_back(kernel.points);
  pairs.push_back(kernel.others);
  check_inside(plan, given.out.shape() == pairs, "out has shape %s, the distances %s",
               given.out.shape().text().c_str(), pairs.text().c_str());
  if (kernel.width == 0) return fill_number(plan, given.out, 0);
  plan.stage(given.x1).contiguous();
  plan.stage(given.x2).contiguous();
  plan.result(given.out.dtype(), pairs).copy_to(given.out);
  kernel.x1 = RowMajor(in_batch(plan.reads(given.x1), batch));
  kernel.x2 = RowMajor(in_batch(plan.reads(given.x2), batch));
  kernel.out = RowMajor(plan.writes(given.out));
  const auto shared = std::make_shared<const Distances>(std::move(kernel));
  plan.launch([shared](const KernelMemory& memory) { shared->run(memory); });
}

void check_pairs(const Check& check, const TensorArgument& self, const TensorArgument& out) {
  check.that(self.rank() == 2, "self has %zu dimensions, it must have 2", self.rank());
  check.that(out.rank() == 1, "out has %zu dimensions, it must have one", out.rank());
  const std::int64_t rows = self.shape()[0];
  // More rows would have more pairs than can be counted; what CANN is given may be negative.
  const bool countable = std::llabs(rows / 2) < (std::int64_t(1) << 30);
  check.that(countable && out.elements() == rows * (rows - 1) / 2,
             "out has %lld elements, it must have one for each pair of %lld rows",
             static_cast<long long>(out.elements()), static_cast<long long>(rows));
}

void pair_distances(Plan& plan, const TensorArgument& self, float p, const TensorArgument& out) {
  if (self.is_empty()) return fill_number(plan, out, 0);
  plan.stage(self).contiguous();
  plan.result(out.dtype(), out.shape()).copy_to(out);
  struct Pairs {
    RowMajor rows;
    RowMajor out;
    std::int64_t count;
    std::int64_t width;
    float p;
  };
  const auto pairs = std::make_shared<const Pairs>(Pairs{
      RowMajor(plan.reads(self)), RowMajor(plan.writes(out)), self.shape()[0], self.shape()[1], p});
  plan.launch([pairs](const KernelMemory& memory) {
    const std::int64_t width = pairs->width;
    const std::int64_t work = std::max<std::int64_t>(1, pairs->count / 2 * width);
    parallel_for(
        pairs->count - 1, std::max<std::int64_t>(1, kGrain / work),
        [&](std::int64_t begin, std::int64_t end) {
          const RowMajorAccess rows(pairs->rows, memory);
          const RowMajorAccess results(pairs->out, memory);
          std::vector<float> buffers(std::size_t(2 * width + pairs->count));
          float* found = buffers.data() + 2 * width;
          for (std::int64_t i = begin; i < end; ++i) {
            const float* own = rows.read(i * width, width, buffers.data());
            const std::int64_t after = pairs->count - i - 1;
            for (std::int64_t j = 0; j < after; ++j) {
              const float* other = rows.read((i + 1 + j) * width, width, buffers.data() + width);
              found[j] = static_cast<float>(norm_of_difference(own, other, width, pairs->p));
            }
            results.write(i * (2 * pairs->count - i - 1) / 2, after, found);
          }
        });
  });
}

void check_boxes(const Check& check, const TensorArgument& boxes, const TensorArgument& others,
                 bool aligned, const TensorArgument& out) {
  for (const TensorArgument* tensor : {&boxes, &others, &out})
    check.that(tensor->rank() == 2, "%s has %zu dimensions, it must have 2", tensor->name(),
               tensor->rank());
  for (const TensorArgument* tensor : {&boxes, &others})
    check.that(tensor->shape()[1] == 4, "%s has shape %s, a box is 4 numbers", tensor->name(),
               tensor->shape().text().c_str());
  if (!aligned) return;
  check.that(boxes.shape()[0] == others.shape()[0],
             "bBoxes has %lld boxes, gtBoxes %lld; aligned ones are as many",
             static_cast<long long>(boxes.shape()[0]), static_cast<long long>(others.shape()[0]));
  check.that(out.shape()[1] == 1, "overlap has shape %s; of aligned boxes it has one column",
             out.shape().text().c_str());
}

void overlaps(Plan& plan, const TensorArgument& boxes, const TensorArgument& others, bool of_both,
              float eps, bool aligned, const TensorArgument& out) {
  plan.stage(boxes).contiguous();
  plan.stage(others).contiguous();
  const std::int64_t columns = aligned ? 1 : others.shape()[0];
  plan.result(boxes.dtype(), Dims({boxes.shape()[0], columns})).copy_to(out);
  struct Boxes {
    RowMajor boxes;
    RowMajor others;
    RowMajor out;
    std::int64_t count;
  };
  const auto shared =
      std::make_shared<const Boxes>(Boxes{RowMajor(plan.reads(boxes)), RowMajor(plan.reads(others)),
                                          RowMajor(plan.writes(out)), boxes.shape()[0]});
  const auto overlap = [of_both, eps](const float* a, const float* b) {
    const auto common = [eps](float a0, float a1, float b0, float b1) {
      return std::max(std::min(a1, b1) + eps - std::max(a0, b0), 0.0f);
    };
    const auto area = [eps](const float* box) {
      return (box[2] - box[0] + eps) * (box[3] - box[1] + eps);
    };
    const float both = common(a[0], a[2], b[0], b[2]) * common(a[1], a[3], b[1], b[3]);
    return both / (of_both ? area(a) + area(b) - both : area(b));
  };
  plan.launch([shared, columns, aligned, overlap](const KernelMemory& memory) {
    const std::int64_t grain = std::max<std::int64_t>(1, kGrain / columns);
    parallel_for(shared->count, grain, [&](std::int64_t begin, std::int64_t end) {
      const RowMajorAccess first(shared->boxes, memory);
      const RowMajorAccess second(shared->others, memory);
      const RowMajorAccess results(shared->out, memory);
      std::vector<float> found(static_cast<std::size_t>(columns));
      float one[4];
      float other[4];
      for (std::int64_t i = begin; i < end; ++i) {
        const float* box = first.read(i * 4, 4, one);
        for (std::int64_t j = 0; j < columns; ++j)
          found[std::size_t(j)] = overlap(box, second.read((aligned ? i : j) * 4, 4, other));
        results.write(i * columns, columns, found.data());
      }
    });
  });
}

}  // namespace pyaclnn::sim
