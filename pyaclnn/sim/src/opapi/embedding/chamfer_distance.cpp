// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/integers.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/embedding/gradients.hpp"
#include "parameters/ChamferDistanceBackward.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlock = 1024;

/// One of the two sets of points.
struct Points {
  RowMajor at;        // [batch, points, 2]
  View nearest;       // [batch, points], an index into the other set
  RowMajor distance;  // gradient of the squared distance to it
  RowMajor out;
  std::int64_t count = 0;
};

struct Kernel {
  Points first;
  Points second;
  std::int64_t batch = 0;

  void run(const KernelMemory& memory) const {
    const std::vector<std::int64_t> nearest[] = {integers_of(first.nearest, memory),
                                                 integers_of(second.nearest, memory)};
    parallel_for(batch, 1, [&](std::int64_t begin, std::int64_t end) {
      std::vector<double> sums[] = {std::vector<double>(std::size_t(2 * first.count)),
                                    std::vector<double>(std::size_t(2 * second.count))};
      for (std::int64_t b = begin; b < end; ++b) {
        for (auto& sum : sums) std::fill(sum.begin(), sum.end(), 0.0);
        const std::vector<float> points[] = {read(first.at, memory, b, 2 * first.count),
                                             read(second.at, memory, b, 2 * second.count)};
        add(read(first.distance, memory, b, first.count), nearest[0].data() + b * first.count,
            points[0], points[1], sums[0], sums[1]);
        add(read(second.distance, memory, b, second.count), nearest[1].data() + b * second.count,
            points[1], points[0], sums[1], sums[0]);
        write(first.out, memory, b, sums[0]);
        write(second.out, memory, b, sums[1]);
      }
    });
  }

 private:
  static std::vector<float> read(const RowMajor& values, const KernelMemory& memory, std::int64_t b,
                                 std::int64_t count) {
    std::vector<float> buffer(static_cast<std::size_t>(count));
    const float* from = RowMajorAccess(values, memory).read(b * count, count, buffer.data());
    if (from != buffer.data()) std::copy(from, from + count, buffer.data());
    return buffer;
  }

  static void write(const RowMajor& out, const KernelMemory& memory, std::int64_t b,
                    const std::vector<double>& sums) {
    const RowMajorAccess results(out, memory);
    const auto count = static_cast<std::int64_t>(sums.size());
    float buffer[kBlock];
    for (std::int64_t at = 0; at < count; at += kBlock) {
      const std::int64_t take = std::min(kBlock, count - at);
      float* to = results.target(b * count + at, buffer);
      for (std::int64_t i = 0; i < take; ++i) to[i] = static_cast<float>(sums[std::size_t(at + i)]);
      results.write(b * count + at, take, to);
    }
  }

  /// The gradients of |own - nearest other|^2: 2 g d for the point, -2 g d for its nearest.
  static void add(const std::vector<float>& grads, const std::int64_t* nearest,
                  const std::vector<float>& own, const std::vector<float>& other,
                  std::vector<double>& own_sums, std::vector<double>& other_sums) {
    const auto others = static_cast<std::int64_t>(other.size() / 2);
    for (std::size_t i = 0; i < grads.size(); ++i) {
      if (nearest[i] < 0 || nearest[i] >= others) continue;
      const auto k = static_cast<std::size_t>(nearest[i]);
      for (std::size_t axis = 0; axis < 2; ++axis) {
        const double d = double(own[2 * i + axis]) - double(other[2 * k + axis]);
        const double term = 2 * double(grads[i]) * d;
        own_sums[2 * i + axis] += term;
        other_sums[2 * k + axis] -= term;
      }
    }
  }
};

void shape_is(const Plan& plan, const TensorArgument& tensor, const Dims& shape) {
  check_tiling(plan, tensor.shape() == shape, "%s has shape %s, it must be %s", tensor.name(),
               tensor.shape().text().c_str(), shape.text().c_str());
}

}  // namespace

/// 561002 for wrong shapes, which CANN finds when it plans the kernel.
void check_chamfer_gradient(const Check&, Plan& plan, const ChamferDistanceBackwardParameters& a) {
  for (const TensorArgument* input : {&a.xyz1, &a.xyz2})
    check_tiling(plan, input->rank() == 3, "%s has shape %s, it must be [batch, points, 2]",
                 input->name(), input->shape().text().c_str());
  const std::int64_t batch = a.xyz1.shape()[0];
  const std::int64_t count1 = a.xyz1.shape()[1];
  const std::int64_t count2 = a.xyz2.shape()[1];
  shape_is(plan, a.xyz1, Dims{batch, count1, 2});
  shape_is(plan, a.xyz2, Dims{batch, count2, 2});
  shape_is(plan, a.idx1, Dims{batch, count1});
  shape_is(plan, a.gradDist1, Dims{batch, count1});
  shape_is(plan, a.idx2, Dims{batch, count2});
  shape_is(plan, a.gradDist2, Dims{batch, count2});
}

/// The gradients of dist1[i] = |xyz1[i] - xyz2[idx1[i]]|^2 and dist2[i] = |xyz2[i] -
/// xyz1[idx2[i]]|^2 by both sets of points in the plane, in float32 or better. Indices that are no
/// point are skipped, which CANN does not define.
void chamfer_gradient(const Check&, Plan& plan, const ChamferDistanceBackwardParameters& a) {
  plan.stage(a.xyz1).contiguous().cast_to(ACL_FLOAT);
  plan.stage(a.xyz2).contiguous().cast_to(ACL_FLOAT);
  plan.stage(a.idx1).contiguous();
  plan.stage(a.idx2).contiguous();
  plan.stage(a.gradDist1).contiguous().cast_to(ACL_FLOAT);
  plan.stage(a.gradDist2).contiguous().cast_to(ACL_FLOAT);
  // Both results have the type of xyz1.
  plan.result(ACL_FLOAT, a.xyz1.shape()).cast_to(a.xyz1.dtype()).copy_to(a.gradXyz1);
  plan.result(ACL_FLOAT, a.xyz2.shape()).cast_to(a.xyz1.dtype()).copy_to(a.gradXyz2);
  auto kernel = std::make_shared<Kernel>();
  kernel->batch = a.xyz1.shape()[0];
  kernel->first = {RowMajor(plan.reads(a.xyz1)), plan.reads(a.idx1),
                   RowMajor(plan.reads(a.gradDist1)), RowMajor(plan.writes(a.gradXyz1)),
                   a.xyz1.shape()[1]};
  kernel->second = {RowMajor(plan.reads(a.xyz2)), plan.reads(a.idx2),
                    RowMajor(plan.reads(a.gradDist2)), RowMajor(plan.writes(a.gradXyz2)),
                    a.xyz2.shape()[1]};
  plan.launch([kernel](const KernelMemory& memory) { kernel->run(memory); });
}

}  // namespace pyaclnn::sim
