// SPDX-License-Identifier: MIT
#include "opapi/norm/channel_forward.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "opapi/norm/channel_rows.hpp"
#include "opapi/norm/forward_rows.hpp"

namespace pyaclnn::sim {
namespace {

using Values = std::vector<double>;

/// Moments of each channel, in the order of its pieces.
std::vector<Moments> moments_of(const ChannelShape& shape, const RowMajorAccess& x,
                                const std::vector<float>& shift, bool exactly) {
  const ForwardRows* in_place = ForwardRows::in_place(x.array_type(), false);
  const ForwardRows& by = in_place != nullptr ? *in_place : ForwardRows::of_floats();
  const ChannelRows rows(shape);
  std::vector<Moments> partial(std::size_t(rows.items()));
  rows.for_each_block([&](std::int64_t item, std::int64_t position, std::int64_t count) {
    alignas(64) float buffer[ChannelRows::kBlock];
    const void* from = in_place != nullptr
                           ? static_cast<const void*>(x.place(position))
                           : static_cast<const void*>(x.read(position, count, buffer));
    Moments& sums = partial[std::size_t(item)];
    const float first = shift[std::size_t(rows.channel(item))];
    if (exactly) {
      by.add_moments_exactly(from, count, first, &sums);
    } else {
      by.add_moments(from, count, first, &sums, nullptr);
    }
  });
  std::vector<Moments> all(std::size_t(shape.channels));
  for (std::int64_t item = 0; item < rows.items(); ++item) {
    Moments& sums = all[std::size_t(rows.channel(item))];
    sums.plain += partial[std::size_t(item)].plain;
    sums.squares += partial[std::size_t(item)].squares;
  }
  return all;
}

ChannelMoments moments_by_rows(const ChannelShape& shape, const RowMajorAccess& x) {
  const auto channels = std::size_t(shape.channels);
  std::vector<float> shift(channels);
  for (std::size_t c = 0; c < channels && shape.outer > 0; ++c) {
    float first = 0;
    shift[c] = shift_at(*x.read(std::int64_t(c) * shape.inner, 1, &first));
  }
  const std::int64_t count = shape.per_channel();
  std::vector<Moments> all = moments_of(shape, x, shift, false);
  for (const Moments& sums : all) {
    if (sums.good(count)) continue;
    all = moments_of(shape, x, shift, true);
    break;
  }
  ChannelMoments result{Values(channels), Values(channels)};
  for (std::size_t c = 0; c < channels; ++c) {
    result.mean[c] = all[c].mean(double(shift[c]), count);
    result.variance[c] = all[c].variance(count);
  }
  return result;
}

ChannelMoments moments_by_columns(const ChannelShape& shape, const RowMajorAccess& x) {
  const double count = double(shape.per_channel());
  Values mean = channel_sums(shape, x, x, Values(std::size_t(shape.channels))).grad;
  for (double& sum : mean) sum /= count;
  ChannelSums sums = channel_sums(shape, x, x, mean);
  for (std::size_t c = 0; c < mean.size(); ++c) {
    // The sum of x (x - mean) is that of squares: that of the differences is 0 but for rounding.
    const double rest = sums.grad[c] - mean[c] * count;
    double& sum = sums.grad_centered[c];
    sum = (sum - mean[c] * rest) / count;
    if (sum < 0) sum = 0;
  }
  return {std::move(mean), std::move(sums.grad_centered)};
}

}  // namespace

ChannelMoments channel_moments(const ChannelShape& shape, const RowMajorAccess& x) {
  return ChannelRows::suit(shape) ? moments_by_rows(shape, x) : moments_by_columns(shape, x);
}

void channel_scale(const ChannelShape& shape, const RowMajorAccess& x, const ChannelScale& scale,
                   const RowMajorAccess& out) {
  if (!ChannelRows::suit(shape)) {
    ChannelMap map(scale.mean.size());
    map.uses_x = false;
    map.grad_factor = scale.factor;
    for (std::size_t c = 0; c < scale.mean.size(); ++c)
      map.constant[c] = scale.summand[c] - scale.mean[c] * scale.factor[c];
    return channel_apply(shape, x, x, map, out);
  }
  const ChannelRows rows(shape);
  const ForwardRows* in_place = ForwardRows::between(x, out, shape.inner);
  const ForwardRows& by = in_place != nullptr ? *in_place : ForwardRows::of_floats();
  std::vector<std::optional<HalfScale>> halves(scale.mean.size());
  for (std::size_t c = 0; scale.of_halves && c < halves.size(); ++c)
    if (HalfScale::fits(scale.mean[c], scale.factor[c], scale.summand[c]))
      halves[c].emplace(scale.mean[c], scale.factor[c], scale.summand[c]);
  rows.for_each_block([&](std::int64_t item, std::int64_t position, std::int64_t count) {
    alignas(64) float buffer[ChannelRows::kBlock];
    const auto c = std::size_t(rows.channel(item));
    float* const floats = in_place != nullptr ? nullptr : out.target(position, buffer);
    const void* from = in_place != nullptr
                           ? static_cast<const void*>(x.place(position))
                           : static_cast<const void*>(x.read(position, count, buffer));
    void* const to = in_place != nullptr ? out.place(position) : static_cast<void*>(floats);
    if (halves[c]) {
      by.scale_halves(from, count, &*halves[c], to);
    } else {
      by.scale_alike(from, count, scale.mean[c], scale.factor[c], scale.summand[c], to);
    }
    if (in_place == nullptr) out.write(position, count, floats);
  });
}

}  // namespace pyaclnn::sim
