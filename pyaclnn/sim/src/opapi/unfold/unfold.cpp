// SPDX-License-Identifier: MIT
#include "opapi/unfold/unfold.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/checked.hpp"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "opapi/common/element_cast.hpp"
#include "opapi/common/flat.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/pooling/window.hpp"
#include "parameters/Im2col.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGrain = 32768;  // values worth a hand-over to another thread

void check_values(const Check& check, const IntArrayIn& array, std::int64_t least) {
  check.that(array.values().size() == 2, "%s has %zu values, it must have 2: height and width",
             array.name(), array.values().size());
  check_at_least(check, array, least);
}

struct Geometry {
  Window window[2];
  std::int64_t extent[2];
  std::int64_t count[2];

  std::int64_t size() const { return extent[0] * extent[1]; }
  std::int64_t windows() const { return count[0] * count[1]; }
  std::int64_t taps() const { return window[0].kernel * window[1].kernel; }
};

/// Of floats, which are converted a plane at a time.
struct Kernel : Geometry {
  RowMajor image;
  RowMajor columns;

  void run(const KernelMemory& memory) const {
    const RowMajorAccess from(image, memory);
    const RowMajorAccess to(columns, memory);
    const std::int64_t grain = std::max<std::int64_t>(1, kGrain / std::max(size(), windows()));
    const std::int64_t planes = image.count() / size();
    parallel_for(planes, grain, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> buffer(static_cast<std::size_t>(size()));
      std::vector<float> line(static_cast<std::size_t>(windows()));
      for (std::int64_t plane = begin; plane < end; ++plane) {
        const float* x = from.read(plane * size(), size(), buffer.data());
        for (std::int64_t tap = 0; tap < taps(); ++tap) {
          const std::int64_t at = (plane * taps() + tap) * windows();
          float* target = to.target(at, line.data());
          see(x, tap / window[1].kernel, tap % window[1].kernel, target);
          to.write(at, windows(), target);
        }
      }
    });
  }

  /// What all windows have under one tap.
  void see(const float* x, std::int64_t row_tap, std::int64_t column_tap, float* to) const {
    for (std::int64_t i = 0; i < count[0]; ++i) {
      const std::int64_t y = window[0].start(i) + row_tap * window[0].dilation;
      const bool is_row = y >= 0 && y < extent[0];
      for (std::int64_t j = 0; j < count[1]; ++j) {
        const std::int64_t place = window[1].start(j) + column_tap * window[1].dilation;
        const bool is_inside = is_row && place >= 0 && place < extent[1];
        *to++ = is_inside ? x[y * extent[1] + place] : 0.0f;
      }
    }
  }
};

/// Of elements of any type, which are moved one by one.
struct Mover : Geometry {
  FlatView image;
  FlatView columns;
  ElementCast cast;

  void run(const KernelMemory& memory) const {
    const std::int64_t rows = image.count() / size() * taps();
    const std::int64_t grain = std::max<std::int64_t>(1, kGrain / windows());
    parallel_for(rows, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) move(memory, row / taps(), row % taps());
    });
  }

  /// What all windows of a plane have under one tap.
  void move(const KernelMemory& memory, std::int64_t plane, std::int64_t tap) const {
    const std::int64_t down = tap / window[1].kernel * window[0].dilation;
    const std::int64_t right = tap % window[1].kernel * window[1].dilation;
    std::int64_t to = (plane * taps() + tap) * windows();
    for (std::int64_t i = 0; i < count[0]; ++i) {
      const std::int64_t y = window[0].start(i) + down;
      const bool is_row = y >= 0 && y < extent[0];
      const std::byte* x = is_row ? image.at(memory, plane * size() + y * extent[1]) : nullptr;
      for (std::int64_t j = 0; j < count[1]; ++j, ++to) {
        const std::int64_t place = window[1].start(j) + right;
        std::byte* target = columns.at(memory, to);
        if (is_row && place >= 0 && place < extent[1])
          cast(x + place * image.step(), target);
        else
          std::memset(target, 0, std::size_t(columns.element_size()));
      }
    }
  }
};

}  // namespace

/// out[c * taps + k, i] = self[c, i * stride - padding + k * dilation] for every window i and its
/// tap k, 0 in the padding.
void im2col(const Check& check, Plan& plan, const Im2colParameters& given) {
  check.that(given.self.rank() == 3 || given.self.rank() == 4,
             "self has %zu dimensions, it must have 3 or 4", given.self.rank());
  for (std::size_t i = given.self.rank() - 3; i < given.self.rank(); ++i)
    check.that(given.self.shape()[i] > 0, "self has shape %s: only the batch may be empty",
               given.self.shape().text().c_str());
  check_values(check, given.kernelSize, 1);
  check_values(check, given.dilation, 1);
  check_values(check, given.padding, 0);
  check_values(check, given.stride, 1);
  check_plane(check, given.self, 2);
  Geometry geometry;
  using Extent = Checked<std::int64_t>;
  Extent rows = given.self.shape()[given.self.rank() - 3];
  Extent windows = 1;
  for (std::size_t i = 0; i < 2; ++i) {
    geometry.window[i] = {given.kernelSize.values()[i], given.stride.values()[i],
                          given.padding.values()[i], given.dilation.values()[i]};
    geometry.extent[i] = given.self.shape()[given.self.rank() - 2 + i];
    geometry.count[i] = geometry.window[i].count(geometry.extent[i], false);
    check.that(geometry.count[i] >= 1, "self of shape %s is too small for the kernel",
               given.self.shape().text().c_str());
    rows = rows * given.kernelSize.values()[i];
    windows = windows * geometry.count[i];
  }
  Dims shape(given.self.shape().begin(), given.self.rank() - 3);
  shape.push_back(rows.saturated());
  shape.push_back(windows.saturated());
  check.shape_is(given.out, shape, "the taps of each channel and the windows");
  if (given.self.is_empty()) return;
  if (given.self.dtype() == ACL_BF16 && !chip().has_bf16())
    fail(ACLNN_ERR_INNER_NULLPTR, "%s: there is no kernel for bfloat16 on %s", plan.api(),
         chip().name);
  plan.stage(given.self).contiguous();
  plan.result(given.self.dtype(), shape).cast_to(given.out.dtype()).copy_to(given.out);
  const View image = plan.reads(given.self), to = plan.writes(given.out);
  const auto can_be_cast = [&](bool given) {
    if (!given)
      fail(ACLNN_ERR_INNER_NULLPTR, "%s: a result cannot be cast to out's type", plan.api());
  };
  // Floats become integers as CANN's cast makes them.
  constexpr DtypeSet kFloats{ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
  if (!kFloats.contains(given.self.dtype()) || !kFloats.contains(given.out.dtype())) {
    const Mover mover{geometry, FlatView(image), FlatView(to), ElementCast(image.dtype, to.dtype)};
    can_be_cast(mover.cast.given());
    return plan.launch([mover](const KernelMemory& memory) { mover.run(memory); });
  }
  const Kernel floats{geometry, RowMajor(image), RowMajor(to)};
  can_be_cast(floats.columns.given());
  plan.launch([floats](const KernelMemory& memory) { floats.run(memory); });
}

}  // namespace pyaclnn::sim
