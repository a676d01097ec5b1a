// SPDX-License-Identifier: MIT
#include "opapi/random/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/flat.hpp"
#include "opapi/random/words.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGrain = 4096;

/// Numbers as a type holds them.
class Rounded {
 public:
  explicit Rounded(aclDataType dtype)
      : load_(loader<double>(dtype)), store_(storer<double>(dtype, Rounding::kNearestEven)) {}

  double operator()(double value) const {
    alignas(8) std::byte stored[8] = {};
    store_(&value, 1, stored, 1);
    load_(stored, 1, 1, &value);
    return value;
  }

 private:
  LoadFn load_;
  StoreFn store_;
};

/// One uniform number at a time.
class Uniform {
 public:
  Uniform(const RandomStream& stream, aclDataType type) : stream_(stream), type_(type) {}

  float operator()(std::int64_t place) const {
    const PhiloxBlock block = stream_.block(std::uint64_t(place) / 4);
    return fraction(block[std::size_t(place % 4)], type_);
  }

 private:
  RandomStream stream_;
  aclDataType type_;
};

/// The places of the largest, in descending order; the first of equal ones, and NaN before all.
std::vector<std::int64_t> largest(const std::vector<double>& values, std::int64_t count) {
  std::vector<std::int64_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  const auto before = [&](std::int64_t i, std::int64_t k) {
    const double a = values[std::size_t(i)];
    const double b = values[std::size_t(k)];
    if (std::isnan(a) != std::isnan(b)) return std::isnan(a);
    return a != b && !std::isnan(a) ? a > b : i < k;
  };
  std::partial_sort(order.begin(), order.begin() + count, order.end(), before);
  order.resize(std::size_t(count));
  return order;
}

}  // namespace

void check_samples(const Check& check, const TensorArgument& weights, std::int64_t samples,
                   bool replacement, const TensorArgument& out) {
  const std::size_t rank = weights.rank();
  check.that(rank == 1 || rank == 2, "%s has %zu dimensions, it must have 1 or 2", weights.name(),
             rank);
  check.that(out.rank() == rank, "%s has %zu dimensions, %s has %zu", out.name(), out.rank(),
             weights.name(), rank);
  check.that(out.shape().back() == samples, "%s has shape %s, numsamples is %lld", out.name(),
             out.shape().text().c_str(), static_cast<long long>(samples));
  check.that(rank == 1 || out.shape()[0] == weights.shape()[0], "%s has shape %s, %s has %s",
             out.name(), out.shape().text().c_str(), weights.name(),
             weights.shape().text().c_str());
  check.that(samples > 0, "numsamples is %lld, it must be above 0",
             static_cast<long long>(samples));
  const std::int64_t categories = weights.shape().back();
  check.that(replacement || samples <= categories,
             "numsamples is %lld, there are %lld categories, each of which is drawn once",
             static_cast<long long>(samples), static_cast<long long>(categories));
  check.that(categories <= std::int64_t(1) << 24, "there are %lld categories, more than 2^24",
             static_cast<long long>(categories));
}

void sample_categories(Plan& plan, const TensorArgument& weights, std::int64_t samples,
                       bool replacement, const Seeds& seeds, const TensorArgument& out) {
  const SeedWords words(plan, seeds);
  plan.stage(weights).contiguous();
  plan.result(ACL_INT64, out.shape()).copy_to(out);
  const FlatView to(plan.writes(out));
  const FlatView from(plan.reads(weights));
  const aclDataType type = drawn_type(weights.dtype());
  const Rounded rounded(weights.dtype());
  const LoadFn load = loader<double>(weights.dtype());
  const std::int64_t categories = weights.shape().back();
  const bool by_sums = replacement && samples > 1;
  plan.launch([=](const KernelMemory& memory) {
    const Uniform uniform(words.stream(memory), type);
    const auto write = [&](std::int64_t row, std::int64_t place, std::int64_t category) {
      *reinterpret_cast<std::int64_t*>(to.at(memory, row * samples + place)) = category;
    };
    const auto draw_row = [&](std::int64_t row, std::vector<double>& values) {
      for (std::int64_t k = 0; k < categories; ++k)
        load(from.at(memory, row * categories + k), 1, 1, &values[std::size_t(k)]);
      if (by_sums) {
        std::partial_sum(values.begin(), values.end(), values.begin());
        const double total = values.back();
        for (std::int64_t k = 0; k < samples; ++k) {
          const double u = uniform(k);
          const auto above =
              std::upper_bound(values.begin(), values.end(), u,
                               [&](double x, double sum) { return x < sum / total; });
          write(row, k, std::min<std::int64_t>(above - values.begin(), categories - 1));
        }
        return;
      }
      for (std::int64_t k = 0; k < categories; ++k) {
        const float drawn = std::fabs(std::log(1.0F - uniform(row * categories + k))) + 1e-7F;
        double& value = values[std::size_t(k)];
        value = rounded(value / rounded(drawn));
      }
      const std::vector<std::int64_t> chosen = largest(values, samples);
      for (std::int64_t k = 0; k < samples; ++k) write(row, k, chosen[std::size_t(k)]);
    };
    const std::int64_t rows = from.count() / categories;
    parallel_for(rows, std::max<std::int64_t>(1, kGrain / categories),
                 [&](std::int64_t begin, std::int64_t end) {
                   std::vector<double> values(static_cast<std::size_t>(categories));
                   for (std::int64_t row = begin; row < end; ++row) draw_row(row, values);
                 });
  });
}

}  // namespace pyaclnn::sim
