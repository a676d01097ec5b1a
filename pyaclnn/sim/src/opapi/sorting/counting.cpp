// SPDX-License-Identifier: MIT
#include "opapi/sorting/counting.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "objects/dtype.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/flat.hpp"
#include "opapi/common/promote.hpp"
#include "opapi/indexing/chosen.hpp"

namespace pyaclnn::sim {
namespace {

/// Elements one after the other, in row-major order.
template <class T, class Body>
void each(const KernelMemory& memory, const FlatView& view, aclDataType dtype, Body body) {
  constexpr std::int64_t kBlock = 512;
  T block[kBlock];
  const LoadFn load = loader<T>(dtype);
  for (std::int64_t i = 0; i < view.count();) {
    const std::int64_t run = std::min({view.left_in_run(i), view.count() - i, kBlock});
    load(view.at(memory, i), view.step() / view.element_size(), run, block);
    for (std::int64_t k = 0; k < run; ++k) body(i + k, block[k]);
    i += run;
  }
}

template <class T>
void store_all(const KernelMemory& memory, const FlatView& out, aclDataType dtype,
               const std::vector<T>& values) {
  const StoreFn store = storer<T>(dtype, Rounding::kTruncate);
  for (std::int64_t i = 0; i < out.count(); ++i)
    store(&values[std::size_t(i)], 1, out.at(memory, i), 1);
}

/// The bin of a number between two others, of which one in the last place belongs to the last bin.
std::int64_t bin_of(float value, float least, float most, std::int64_t bins) {
  if (!(value >= least && value <= most)) return -1;
  const float place = (value - least) * float(bins) / (most - least);
  return place >= 0 && place < float(bins) ? std::int64_t(place) : bins - 1;
}
std::int64_t bin_of(std::int64_t value, std::int64_t least, std::int64_t most, std::int64_t bins) {
  if (value < least || value > most) return -1;
  __extension__ using Wide = __int128;
  const Wide place = (Wide(value) - least) * bins / (Wide(most) - least);
  return std::min(std::int64_t(place), bins - 1);
}

void widen(float& least, float& most) {
  least -= 1;
  most += 1;
}
void widen(std::int64_t& least, std::int64_t& most) {
  least -= least > std::numeric_limits<std::int64_t>::min() ? 1 : 0;
  most += most < std::numeric_limits<std::int64_t>::max() ? 1 : 0;
}
bool is_number(float value) { return std::isfinite(value); }
bool is_number(std::int64_t) { return true; }

template <class T>
void count_bins(const KernelMemory& memory, const FlatView& from, aclDataType dtype, T least,
                T most, bool of_elements, const FlatView& out, aclDataType out_dtype) {
  std::vector<std::int64_t> counts(std::size_t(out.count()), 0);
  bool ordered = true;
  if (of_elements) {
    each<T>(memory, from, dtype, [&](std::int64_t i, T value) {
      least = i == 0 ? value : std::min(least, value);
      most = i == 0 ? value : std::max(most, value);
      ordered = ordered && is_number(value);
    });
  }
  if (ordered) {
    if (least == most) widen(least, most);
    each<T>(memory, from, dtype, [&](std::int64_t, T value) {
      const std::int64_t bin = bin_of(value, least, most, out.count());
      if (bin >= 0) ++counts[std::size_t(bin)];
    });
  }
  store_all(memory, out, out_dtype, counts);
}

/// A number as an element of an integer type.
std::int64_t as_element(const ScalarIn& number, aclDataType dtype) {
  std::byte element[8] = {};
  const std::int64_t value = number->to_int();
  storer<std::int64_t>(dtype, Rounding::kTruncate)(&value, 1, element, 1);
  std::int64_t result = 0;
  loader<std::int64_t>(dtype)(element, 1, 1, &result);
  return result;
}

float as_float(const ScalarIn& number, aclDataType dtype) {
  std::byte element[8] = {};
  const double value = number->to_double();
  storer<double>(dtype, Rounding::kTruncate)(&value, 1, element, 1);
  float result = 0;
  loader<float>(dtype)(element, 1, 1, &result);
  return result;
}

}  // namespace

void bincount(const Check& check, Plan& plan, const TensorArgument& self,
              const TensorArgument& weights, std::int64_t least, const TensorArgument& out) {
  const std::int64_t extent = out.rank() == 0 ? 0 : out.shape()[0];
  const std::int64_t size = std::max(extent, least);
  check.that(size <= std::numeric_limits<std::int32_t>::max(),
             "minlength is %lld and out has %lld places: there are too many",
             static_cast<long long>(least), static_cast<long long>(extent));
  plan.stage(self).contiguous().cast_to(ACL_INT32);
  const aclDataType type = !weights.given()               ? ACL_INT64
                           : weights.dtype() == ACL_FLOAT ? ACL_FLOAT
                                                          : ACL_DOUBLE;
  if (weights.given()) plan.stage(weights).contiguous().cast_to(type);
  plan.result(type, Dims({size})).cast_to(out.dtype()).copy_to(out);
  const FlatView to(plan.writes(out));
  const FlatView from(plan.reads(self));
  const FlatView terms(weights.given() ? plan.reads(weights) : View());
  const aclDataType weight_dtype = weights.given() ? weights.dtype() : ACL_INT64;
  plan.launch([=, has_weights = weights.given(), dtype = self.dtype(), out_dtype = out.dtype(),
               api = plan.api()](const KernelMemory& memory) {
    std::vector<std::int64_t> counts(has_weights ? 0 : std::size_t(to.count()), 0);
    std::vector<double> sums(has_weights ? std::size_t(to.count()) : 0, 0);
    bool negative = false;
    const LoadFn load = loader<double>(weight_dtype);
    each<std::int64_t>(memory, from, dtype, [&](std::int64_t i, std::int64_t value) {
      negative = negative || value < 0;
      if (value < 0 || value >= to.count()) return;
      if (!has_weights) {
        ++counts[std::size_t(value)];
        return;
      }
      double weight = 0;
      load(terms.at(memory, i), 1, 1, &weight);
      sums[std::size_t(value)] += weight;
    });
    if (has_weights) {
      store_all(memory, to, out_dtype, sums);
    } else {
      store_all(memory, to, out_dtype, counts);
    }
    if (negative) refuse_index(api, to.count());
  });
}

void check_histogram(const Check& check, const TensorArgument& self, std::int64_t bins,
                     const ScalarIn& least, const ScalarIn& most, const TensorArgument& out) {
  const float low = least->to_float();
  const float high = most->to_float();
  check.that((std::isinf(low) && low == high) || (std::isfinite(low) && std::isfinite(high)),
             "min is %g and max %g; they must be finite", double(low), double(high));
  check.that(bins > 0, "bins is %lld, it must be positive", static_cast<long long>(bins));
  const bool whole = is_integral(self.dtype());
  check.that(whole ? least->to_int() <= most->to_int() : low <= high, "min is %g, max only %g",
             double(low), double(high));
  check.that(can_cast(out.dtype(), self.dtype()), "out has a type that cannot be cast to self's");
  check.that(out.rank() == 1, "out has %zu dimensions, it has one", out.rank());
  check.rank_at_most(8, self);
  check.that(out.elements() == bins, "out has shape %s, bins is %lld", out.shape().text().c_str(),
             static_cast<long long>(bins));
}

void histogram(Plan& plan, const TensorArgument& self, const ScalarIn& least, const ScalarIn& most,
               const TensorArgument& out) {
  plan.stage(self).contiguous();
  plan.result(ACL_INT32, out.shape()).cast_to(out.dtype()).copy_to(out);
  const FlatView to(plan.writes(out));
  const FlatView from(plan.reads(self));
  const aclDataType dtype = self.dtype();
  const aclDataType out_dtype = out.dtype();
  if (is_integral(dtype)) {
    const std::int64_t low = as_element(least, dtype);
    const std::int64_t high = as_element(most, dtype);
    const bool of_elements = least->to_int() == most->to_int();
    plan.launch([=](const KernelMemory& memory) {
      count_bins<std::int64_t>(memory, from, dtype, low, high, of_elements, to, out_dtype);
    });
    return;
  }
  const float low = as_float(least, dtype);
  const float high = as_float(most, dtype);
  // Ends that differ by so little are taken for the same.
  const bool of_elements =
      std::isinf(least->to_float()) || std::fabs(most->to_float() - least->to_float()) < 1e-6F;
  plan.launch([=](const KernelMemory& memory) {
    count_bins<float>(memory, from, dtype, low, high, of_elements, to, out_dtype);
  });
}

}  // namespace pyaclnn::sim
