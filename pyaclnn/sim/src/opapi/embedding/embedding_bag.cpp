// SPDX-License-Identifier: MIT
#include "opapi/embedding/embedding_bag.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/flat.hpp"
#include "opapi/common/integers.hpp"
#include "opapi/indexing/chosen.hpp"
#include "parameters/EmbeddingRenorm.hpp"

namespace pyaclnn::sim {
namespace {

/// The rows of a matrix.
struct Rows {
  View view;
  std::int64_t size;
  std::int64_t width;

  explicit Rows(const View& matrix)
      : view(matrix), size(std::int64_t(dtype_size(matrix.dtype))), width(matrix.shape[1]) {}

  std::byte* at(const KernelMemory& memory, std::int64_t row) const {
    return memory.operands[view.operand] + (view.offset + row * view.strides[0]) * size;
  }
  void load(const KernelMemory& memory, std::int64_t row, double* to) const {
    loader<double>(view.dtype)(at(memory, row), view.strides[1], width, to);
  }
  void store(const KernelMemory& memory, std::int64_t row, const double* from) const {
    storer<double>(view.dtype, Rounding::kTruncate)(from, width, at(memory, row), view.strides[1]);
  }
};

void store_integers(const KernelMemory& memory, const View& view,
                    const std::vector<std::int64_t>& values) {
  const FlatView flat(view);
  const StoreFn store = storer<std::int64_t>(view.dtype, Rounding::kTruncate);
  const auto count = std::min(flat.count(), std::int64_t(values.size()));
  for (std::int64_t i = 0; i < count; ++i) store(&values[std::size_t(i)], 1, flat.at(memory, i), 1);
}

/// Where each bag begins; the first one at 0, behind the last one the end of all.
std::vector<std::int64_t> begins_of(std::vector<std::int64_t> offsets, std::int64_t bags,
                                    std::int64_t all) {
  offsets.resize(std::size_t(bags) + 1);
  offsets.front() = 0;
  offsets.back() = all;
  return offsets;
}

/// One bag into a row of values; in `places` the number each of the largest comes from.
class Bag {
 public:
  Bag(const Rows& weight, std::int64_t mode, std::int64_t padding)
      : weight_(weight), mode_(mode), padding_(padding), row_(std::size_t(weight.width)) {}

  /// Returns how many rows there were.
  std::int64_t run(const KernelMemory& memory, const std::int64_t* numbers, const double* factors,
                   std::int64_t count, std::vector<double>& values,
                   std::vector<std::int64_t>& places) {
    std::fill(values.begin(), values.end(), 0.0);
    std::fill(places.begin(), places.end(), std::int64_t(0));
    std::int64_t met = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      if (numbers[i] == padding_) continue;
      weight_.load(memory, numbers[i], row_.data());
      const double factor = factors == nullptr ? 1 : factors[i];
      for (std::size_t k = 0; k < row_.size(); ++k) {
        if (mode_ == 0 || mode_ == 1) {
          values[k] += row_[k] * factor;
        } else if (met == 0 || !(values[k] >= row_[k])) {
          values[k] = row_[k];
          places[k] = numbers[i];
        }
      }
      ++met;
    }
    if (mode_ == 1 && met > 0)
      for (double& value : values) value /= double(met);
    return met;
  }

 private:
  const Rows& weight_;
  std::int64_t mode_;
  std::int64_t padding_;
  std::vector<double> row_;
};

double norm_of(const std::vector<double>& row, double order) {
  double sum = 0;
  for (double value : row) {
    const double size = std::fabs(value);
    if (std::isinf(order)) {
      sum = order > 0 ? std::max(sum, size) : std::min(sum == 0 ? size : sum, size);
    } else if (order == 0) {
      sum += size != 0 ? 1 : 0;
    } else {
      sum += order == 2 ? size * size : std::pow(size, order);
    }
  }
  if (std::isinf(order) || order == 0) return sum;
  return order == 2 ? std::sqrt(sum) : std::pow(sum, 1 / order);
}

}  // namespace

void check_bags(const Check& check, const Bags& bags, const TensorArgument& output,
                const TensorArgument& bag_of, const TensorArgument& sizes,
                const TensorArgument& places) {
  const bool newest = on_950();
  const DtypeSet integers{ACL_INT32, ACL_INT64};
  const DtypeSet every{ACL_INT64, ACL_INT32, ACL_INT16, ACL_INT8, ACL_UINT8};
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16}.with_bf16(), bags.weight);
  check.dtype_in(every, bags.indices, bags.offsets);
  check.that(integers.contains(bags.indices.dtype()) || integers.contains(bags.offsets.dtype()),
             "neither indices nor offsets is an int32 or int64");
  if (bags.factors.given()) check.same_dtype(bags.weight, bags.factors);
  check.same_dtype(bags.weight, output);
  check.dtype_in(integers, bag_of, sizes, places);
  const auto rank_is = [&](const TensorArgument& tensor, std::size_t least, std::size_t most) {
    check.that(tensor.rank() >= least && tensor.rank() <= most, "%s has %zu dimensions",
               tensor.name(), tensor.rank());
  };
  rank_is(bags.weight, 2, 2);
  rank_is(bags.indices, 0, newest ? 2 : 1);
  rank_is(bags.offsets, 0, 1);
  if (bags.factors.given()) rank_is(bags.factors, 1, newest ? 2 : 1);
  rank_is(output, 2, 2);
  rank_is(bag_of, 0, 1);
  rank_is(sizes, 0, 1);
  rank_is(places, bags.largest() && !newest ? 2 : 0, bags.largest() || newest ? 2 : 1);
  check.that(newest || bags.mode == 0 || !bags.factors.given(),
             "perSampleWeights are for sums, mode is %lld", static_cast<long long>(bags.mode));
  check.that(!bags.factors.given() || bags.factors.elements() == bags.indices.elements(),
             "perSampleWeights has not as many elements as indices");
  const Dims shape{bags.count(), bags.weight.shape()[1]};
  check.shape_is(output, shape, "a row for each bag");
  check.that(bag_of.is_empty() || bag_of.elements() == bags.indices.elements(),
             "offset2bag has shape %s, indices %lld elements", bag_of.shape().text().c_str(),
             static_cast<long long>(bags.indices.elements()));
  check.that(sizes.elements() == (newest ? bags.offsets.elements() : bags.count()),
             "bagSize has shape %s, there are %lld bags", sizes.shape().text().c_str(),
             static_cast<long long>(bags.count()));
  if (bags.largest()) {
    check.shape_is(places, shape, "a row for each bag");
  } else {
    check.that(newest || places.elements() == bags.count(),
               "maxIndices has shape %s, there are %lld bags", places.shape().text().c_str(),
               static_cast<long long>(bags.count()));
  }
}

void embedding_bag(Plan& plan, const Bags& bags, const TensorArgument& output,
                   const TensorArgument& bag_of, const TensorArgument& sizes,
                   const TensorArgument& places) {
  plan.stage(bags.weight).contiguous();
  plan.stage(bags.indices).contiguous().cast_to(ACL_INT32);
  plan.stage(bags.offsets).contiguous().cast_to(ACL_INT32);
  if (bags.factors.given()) plan.stage(bags.factors).contiguous();
  plan.result(bags.weight.dtype(), output.shape()).copy_to(output);
  const Rows to(plan.writes(output));
  const View bag_view = bag_of.is_empty() ? View() : plan.writes(bag_of);
  const View size_view = plan.writes(sizes);
  const View place_view = places.is_empty() ? View() : plan.writes(places);
  const Rows weight(plan.reads(bags.weight));
  const View index_view = plan.reads(bags.indices);
  const View offset_view = plan.reads(bags.offsets);
  const View factor_view = bags.factors.given() ? plan.reads(bags.factors) : View();
  plan.launch([=, count = bags.count(), mode = bags.mode, padding = bags.padding,
               largest = bags.largest(), has_factors = bags.factors.given() && bags.mode == 0,
               rows = bags.weight.shape()[0], has_bags = !bag_of.is_empty(),
               has_places = !places.is_empty(), api = plan.api()](const KernelMemory& memory) {
    const auto numbers = integers_of(index_view, memory);
    const auto all = std::int64_t(numbers.size());
    const auto begins = begins_of(integers_of(offset_view, memory), count, all);
    for (std::int64_t number : numbers)
      if (number != padding && (number < 0 || number >= rows)) refuse_index(api, rows);
    for (std::size_t i = 0; i + 1 < begins.size(); ++i)
      if (begins[i] < 0 || (begins[i] < begins[i + 1] && begins[i + 1] > all))
        refuse_index(api, all);
    std::vector<double> factors(has_factors ? numbers.size() : 0);
    if (has_factors) {
      const FlatView flat(factor_view);
      const LoadFn load = loader<double>(factor_view.dtype);
      for (std::int64_t i = 0; i < all; ++i)
        load(flat.at(memory, i), 1, 1, &factors[std::size_t(i)]);
    }
    const auto width = std::size_t(weight.width);
    std::vector<std::int64_t> found(largest ? std::size_t(count) * width : 0);
    std::vector<std::int64_t> sums(static_cast<std::size_t>(count));
    std::vector<std::int64_t> bag_numbers(numbers.size(), 0);
    constexpr std::int64_t kGrain = 16384;
    const std::int64_t terms = (all / std::max<std::int64_t>(1, count) + 1) * weight.width;
    parallel_for(
        count, std::max<std::int64_t>(1, kGrain / std::max<std::int64_t>(1, terms)),
        [&](std::int64_t begin, std::int64_t end) {
          Bag bag(weight, mode, padding);
          std::vector<double> values(width);
          std::vector<std::int64_t> from(width);
          for (std::int64_t i = begin; i < end; ++i) {
            const std::int64_t first = begins[std::size_t(i)];
            const std::int64_t many = std::max<std::int64_t>(0, begins[std::size_t(i) + 1] - first);
            const std::int64_t met = bag.run(
                memory, numbers.data() + std::min(first, all),
                has_factors ? factors.data() + std::min(first, all) : nullptr, many, values, from);
            // Of sums nobody asks how many terms they have.
            sums[std::size_t(i)] = mode == 0 ? 0 : met;
            to.store(memory, i, values.data());
            if (largest) std::copy(from.begin(), from.end(), &found[std::size_t(i) * width]);
          }
        });
    if (has_bags) {
      for (std::size_t i = 0; i + 1 < begins.size(); ++i)
        for (std::int64_t k = begins[i]; k < begins[i + 1]; ++k)
          bag_numbers[std::size_t(k)] = std::int64_t(i);
      store_integers(memory, bag_view, bag_numbers);
    }
    store_integers(memory, size_view, sums);
    if (has_places) store_integers(memory, place_view, largest ? found : sums);
  });
}

/// aclnnEmbeddingRenorm: each row that is named, and whose norm exceeds the limit, is scaled to it.
void embedding_renorm(const Check&, Plan& plan, const EmbeddingRenormParameters& given) {
  plan.stage(given.selfRef).contiguous();
  plan.stage(given.indices).contiguous();
  plan.reserve(given.indices.elements(), ACL_INT32);
  plan.result(given.selfRef.dtype(), given.selfRef.shape()).copy_to(given.selfRef);
  const Rows rows(plan.writes(given.selfRef));
  const View index_view = plan.reads(given.indices);
  const double most = std::isnan(given.maxNorm) ? std::numeric_limits<double>::infinity()
                                                : double(static_cast<float>(given.maxNorm));
  plan.launch([=, count = given.selfRef.shape()[0],
               kind = double(static_cast<float>(given.normType)),
               api = plan.api()](const KernelMemory& memory) {
    auto numbers = integers_of(index_view, memory);
    for (std::int64_t number : numbers)
      if (number < 0 || number >= count) refuse_index(api, count);
    // A row that is named twice is scaled once: all are read before one is written.
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    constexpr std::int64_t kGrain = 16384;
    parallel_for(std::int64_t(numbers.size()), std::max<std::int64_t>(1, kGrain / rows.width),
                 [&](std::int64_t begin, std::int64_t end) {
                   std::vector<double> row(std::size_t(rows.width));
                   for (std::int64_t i = begin; i < end; ++i) {
                     const std::int64_t number = numbers[std::size_t(i)];
                     rows.load(memory, number, row.data());
                     const double norm = norm_of(row, kind);
                     if (!(norm > most)) continue;
                     for (double& value : row) value *= most / (norm + 1e-7);
                     rows.store(memory, number, row.data());
                   }
                 });
  });
}

}  // namespace pyaclnn::sim
