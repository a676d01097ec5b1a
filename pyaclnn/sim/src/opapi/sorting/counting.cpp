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
#include "parameters/Bincount.hpp"
#include "parameters/Histc.hpp"

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

/// aclnnBincount: the sum of the weights of each number from 0 on, 1 for each where there are none.
/// Numbers beyond the end of out are not counted; a negative one ends the task with 507015.
void bincount(const Check& check, Plan& plan, const BincountParameters& given) {
  const std::int64_t extent = given.out.rank() == 0 ? 0 : given.out.shape()[0];
  const std::int64_t size = std::max(extent, given.minlength);
  check.that(size <= std::numeric_limits<std::int32_t>::max(),
             "minlength is %lld and out has %lld places: there are too many",
             static_cast<long long>(given.minlength), static_cast<long long>(extent));
  plan.stage(given.self).contiguous().cast_to(ACL_INT32);
  const aclDataType type = !given.weights.given()               ? ACL_INT64
                           : given.weights.dtype() == ACL_FLOAT ? ACL_FLOAT
                                                                : ACL_DOUBLE;
  if (given.weights.given()) plan.stage(given.weights).contiguous().cast_to(type);
  plan.result(type, Dims({size})).cast_to(given.out.dtype()).copy_to(given.out);
  const FlatView to(plan.writes(given.out));
  const FlatView from(plan.reads(given.self));
  const FlatView terms(given.weights.given() ? plan.reads(given.weights) : View());
  const aclDataType weight_dtype = given.weights.given() ? given.weights.dtype() : ACL_INT64;
  plan.launch([=, has_weights = given.weights.given(), dtype = given.self.dtype(),
               out_dtype = given.out.dtype(), api = plan.api()](const KernelMemory& memory) {
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

void histogram(const Check&, Plan& plan, const HistcParameters& given) {
  plan.stage(given.self).contiguous();
  plan.result(ACL_INT32, given.out.shape()).cast_to(given.out.dtype()).copy_to(given.out);
  const FlatView to(plan.writes(given.out));
  const FlatView from(plan.reads(given.self));
  const aclDataType dtype = given.self.dtype();
  const aclDataType out_dtype = given.out.dtype();
  if (is_integral(dtype)) {
    const std::int64_t low = as_element(given.min, dtype);
    const std::int64_t high = as_element(given.max, dtype);
    const bool of_elements = given.min->to_int() == given.max->to_int();
    plan.launch([=](const KernelMemory& memory) {
      count_bins<std::int64_t>(memory, from, dtype, low, high, of_elements, to, out_dtype);
    });
    return;
  }
  const float low = as_float(given.min, dtype);
  const float high = as_float(given.max, dtype);
  // Ends that differ by so little are taken for the same.
  const bool of_elements = std::isinf(given.min->to_float()) ||
                           std::fabs(given.max->to_float() - given.min->to_float()) < 1e-6F;
  plan.launch([=](const KernelMemory& memory) {
    count_bins<float>(memory, from, dtype, low, high, of_elements, to, out_dtype);
  });
}

}  // namespace pyaclnn::sim
