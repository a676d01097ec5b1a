// SPDX-License-Identifier: MIT
#include "opapi/collective/server_sums.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "objects/dtype.hpp"
#include "opapi/common/as_stored.hpp"
#include "opapi/common/numbers.hpp"

namespace pyaclnn::sim {
namespace {

using Line = std::vector<float>;

std::size_t at(std::int64_t value) { return static_cast<std::size_t>(value); }

/// Adds the sum of a server as it is behind the exchange.
void add_rounded(Line& total, const Line& sum, aclDataType dtype) {
  for (std::size_t i = 0; i < sum.size(); ++i) total[i] += as_stored(sum[i], dtype);
}

/// The same in int8. Of float16, sixteen numbers share a scale and all is done in float16; of
/// bfloat16 eight do, of which only the scale is rounded before the sum is.
void add_narrowed(Line& total, const Line& sum, aclDataType dtype) {
  const bool half = dtype == ACL_FLOAT16;
  const std::size_t block = half ? 16 : 8;
  const aclDataType computed = half ? ACL_FLOAT16 : ACL_FLOAT;
  const float unit = as_stored(1.0f / 127.0f, computed);
  for (std::size_t begin = 0; begin < sum.size(); begin += block) {
    const std::size_t end = std::min(begin + block, sum.size());
    float most = 0;
    for (std::size_t i = begin; i < end; ++i)
      most = std::max(most, std::fabs(as_stored(sum[i], computed)));
    const float scale = as_stored(most * unit, computed), sent = as_stored(scale, dtype);
    for (std::size_t i = begin; i < end; ++i) {
      const float narrow = as_stored(as_stored(sum[i], computed) / scale, ACL_FLOAT16);
      const float number =
          std::isnan(narrow) ? 0.0f : std::clamp(std::nearbyint(narrow), -128.0f, 127.0f);
      total[i] = as_stored(total[i] + number * sent, computed);
    }
  }
}

}  // namespace

void ServerSums::operator()(const KernelMemory& memory, const std::vector<ExpertRow>& found,
                            const std::vector<float>& weights) const {
  const auto numbers = numbers_of<std::int64_t>(memory, ids);
  const std::int64_t chosen = ids.shape[1], width = out.shape[1];
  const StoreFn store = storer<float>(out.dtype, Rounding::kNearestEven);
  Line line(at(width)), sum(at(width)), total(at(width));
  for (std::int64_t token = 0; token < ids.shape[0]; ++token) {
    const std::size_t first = at(token * chosen);
    std::vector<std::int64_t> servers;
    for (std::size_t k = first; k < first + at(chosen); ++k)
      servers.push_back(numbers[k] / experts);
    std::vector<std::int64_t> in_order = servers;
    std::sort(in_order.begin(), in_order.end());
    in_order.erase(std::unique(in_order.begin(), in_order.end()), in_order.end());
    std::fill(total.begin(), total.end(), 0.0f);
    for (const std::int64_t server : in_order) {
      std::fill(sum.begin(), sum.end(), 0.0f);
      for (std::size_t k = 0; k < servers.size(); ++k) {
        if (servers[k] != server) continue;
        const ExpertRow& row = found[first + k];
        loader<float>(row.dtype)(static_cast<const std::byte*>(row.data), 1, width, line.data());
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weights[first + k] * line[i];
      }
      (narrow ? add_narrowed : add_rounded)(total, sum, out.dtype);
    }
    store(total.data(), width, row_of(memory, out, token), 1);
  }
}

}  // namespace pyaclnn::sim
