// SPDX-License-Identifier: MIT
#include "opapi/moe/gating.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/numbers.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/moe/checks.hpp"
#include "opapi/sorting/order.hpp"

namespace pyaclnn::sim {
namespace {

using Places = std::vector<std::int64_t>;

/// The places of the largest values, the largest first; equal ones as they stand.
Places largest(const std::vector<float>& values, std::int64_t wanted) {
  std::vector<std::uint64_t> keys(values.size());
  static const KeyFn read = key_reader(ACL_FLOAT);
  read(reinterpret_cast<const std::byte*>(values.data()), 1, std::int64_t(values.size()),
       keys.data());
  const std::uint64_t all = (std::uint64_t(1) << key_bits(ACL_FLOAT)) - 1;
  for (std::uint64_t& key : keys) key = all - key;
  Places places(values.size());
  order_places(keys, key_bits(ACL_FLOAT), wanted, places);
  places.resize(std::size_t(wanted));
  return places;
}

void softmax(std::vector<float>& values) {
  const float most = *std::max_element(values.begin(), values.end());
  float sum = 0;
  for (float& v : values) sum += v = std::exp(v - most);
  for (float& v : values) v /= sum;
}

struct Kernel {
  Score score;
  std::int64_t tokens, count, k, groups, chosen_groups, best_of_group;
  bool divides_by_sum, keeps_zeros;
  float eps, factor;
  RowMajor x, bias, weights, scores;
  View finished, experts, rows, map, map_counts;

  void run(const KernelMemory& memory) const {
    const std::vector<float> shift =
        bias.given() ? RowMajorAccess(bias, memory).values() : std::vector<float>();
    const std::vector<std::int64_t> done = numbers_if(memory, finished);
    const Names names{numbers_if(memory, map), numbers_if(memory, map_counts)};
    std::vector<std::int64_t> chosen(std::size_t(tokens * k));
    std::vector<std::int64_t> places(std::size_t(rows.shape.size() > 0 ? tokens * k : 0));
    parallel_for(tokens, std::max<std::int64_t>(1, 4096 / std::max<std::int64_t>(1, count)),
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t token = begin; token < end; ++token) {
                     const Places best = choose(memory, token, shift);
                     const bool none = !done.empty() && done[std::size_t(token)] != 0;
                     for (std::int64_t p = 0; p < k; ++p) {
                       const auto at = std::size_t(token * k + p);
                       chosen[at] = none ? count : names.of(best[std::size_t(p)], token);
                       if (!places.empty()) places[at] = p * tokens + token;
                     }
                   }
                 });
    write_numbers(memory, experts, chosen);
    if (!places.empty()) write_numbers(memory, rows, places);
  }

 private:
  /// What experts are called, by their numbers where nothing is said.
  struct Names {
    std::vector<std::int64_t> all;
    std::vector<std::int64_t> counts;

    std::int64_t of(std::int64_t expert, std::int64_t token) const {
      if (counts.empty()) return expert;
      const std::size_t most = all.size() / counts.size();
      if (most == 0) return 0;
      const std::int64_t number = counts[std::size_t(expert)];
      const std::size_t turn = number <= 0 ? 0 : std::size_t(token % number);
      return all[std::size_t(expert) * most + std::min(turn, most - 1)];
    }
  };

  static std::vector<std::int64_t> numbers_if(const KernelMemory& memory, const View& view) {
    return view.dtype == ACL_DT_UNDEFINED ? std::vector<std::int64_t>()
                                          : numbers_of<std::int64_t>(memory, view);
  }

  /// Writes a token's weights and scores, and returns its experts.
  Places choose(const KernelMemory& memory, std::int64_t token,
                const std::vector<float>& shift) const {
    std::vector<float> buffer(static_cast<std::size_t>(count));
    const float* const line = RowMajorAccess(x, memory).read(token * count, count, buffer.data());
    std::vector<float> values(line, line + count);
    if (score == Score::kSoftmax) softmax(values);
    if (score == Score::kSigmoid)
      for (float& v : values) v = 1 / (1 + std::exp(-v));
    if (scores.given()) RowMajorAccess(scores, memory).write(token * count, count, values.data());
    std::vector<float> compared = values;
    for (std::size_t i = 0; i < shift.size(); ++i) compared[i] += shift[i];
    const Places best = chosen_of(compared);
    std::vector<float> found;
    found.reserve(best.size());
    for (std::int64_t place : best) found.push_back(values[std::size_t(place)]);
    if (score == Score::kSoftmaxOfChosen) softmax(found);
    if (divides_by_sum) {
      const float sum = std::accumulate(found.begin(), found.end(), 0.0f) + eps;
      for (float& v : found) v /= sum;
    }
    for (float& v : found) v *= factor;
    RowMajorAccess(weights, memory).write(token * k, k, found.data());
    return best;
  }

  Places chosen_of(const std::vector<float>& compared) const {
    if (chosen_groups == groups) return largest(compared, k);
    const std::int64_t size = count / groups;
    std::vector<float> of_group(static_cast<std::size_t>(groups));
    for (std::int64_t g = 0; g < groups; ++g) {
      const auto first = compared.begin() + g * size;
      const std::vector<float> members(first, first + size);
      for (std::int64_t place : largest(members, best_of_group))
        of_group[std::size_t(g)] += members[std::size_t(place)];
    }
    Places groups_chosen = largest(of_group, chosen_groups);
    std::sort(groups_chosen.begin(), groups_chosen.end());
    if (keeps_zeros) {
      std::vector<float> seen(compared.size());
      for (std::int64_t g : groups_chosen)
        std::copy_n(compared.begin() + g * size, size, seen.begin() + g * size);
      return largest(seen, k);
    }
    std::vector<float> members;
    for (std::int64_t g : groups_chosen)
      members.insert(members.end(), compared.begin() + g * size, compared.begin() + (g + 1) * size);
    Places best = largest(members, k);
    for (std::int64_t& place : best)
      place = groups_chosen[std::size_t(place / size)] * size + place % size;
    return best;
  }
};

}  // namespace

void gate(Plan& plan, const Gate& g, std::int64_t most) {
  const std::int64_t count = g.x.shape().back();
  check_tiling(plan, g.k >= 1 && g.k <= std::min(most, count),
               "k is %lld, it must be from 1 to %lld", static_cast<long long>(g.k),
               static_cast<long long>(std::min(most, count)));
  Dims leading(g.x.shape().begin(), g.x.rank() - 1);
  check_extents(plan, g.finished, leading);
  check_extents(plan, g.bias, Dims{count});
  check_extents(plan, g.scores, g.x.shape());
  leading.push_back(g.k);
  for (const TensorArgument* out : {g.weights, g.experts, g.rows})
    check_extents(plan, out, leading);
  const auto written = [&](const TensorArgument* tensor) {
    return is_given(tensor) ? plan.writes(*tensor) : View();
  };
  const auto read = [&](const TensorArgument* tensor) {
    return is_given(tensor) ? plan.reads(*tensor) : View();
  };
  const auto rows_of = [](const View& view) {
    return view.dtype == ACL_DT_UNDEFINED ? RowMajor() : RowMajor(view);
  };
  Kernel kernel{g.score,
                g.x.elements() / count,
                count,
                g.k,
                g.groups,
                g.chosen_groups,
                g.best_of_group,
                g.divides_by_sum,
                g.keeps_zeros,
                g.eps,
                g.factor,
                RowMajor(plan.reads(g.x)),
                rows_of(read(g.bias)),
                rows_of(written(g.weights)),
                rows_of(written(g.scores)),
                read(g.finished),
                written(g.experts),
                written(g.rows),
                read(g.map),
                read(g.map_counts)};
  plan.stage(g.x).contiguous();
  for (const TensorArgument* out : {g.weights, g.experts, g.rows, g.scores})
    if (is_given(out)) plan.result(out->dtype(), out->shape()).copy_to(*out);
  plan.launch([kernel = std::move(kernel)](const KernelMemory& memory) { kernel.run(memory); });
}

void gate_backward(Plan& plan, const TensorArgument& scores, const TensorArgument& grad,
                   const TensorArgument& experts, float factor, float eps,
                   const TensorArgument& out) {
  for (const TensorArgument* tensor : {&scores, &grad, &experts}) plan.stage(*tensor).contiguous();
  plan.result(out.dtype(), scores.shape()).copy_to(out);
  const std::int64_t tokens = scores.shape()[0];
  const std::int64_t count = scores.shape()[1];
  const std::int64_t k = grad.shape()[1];
  const RowMajor s(plan.reads(scores));
  const RowMajor dy(plan.reads(grad));
  const RowMajor dx(plan.writes(out));
  const View chosen = plan.reads(experts);
  plan.launch([=](const KernelMemory& memory) {
    const std::vector<std::int64_t> places = numbers_of<std::int64_t>(memory, chosen);
    const std::vector<float> values = RowMajorAccess(s, memory).values();
    const std::vector<float> given = RowMajorAccess(dy, memory).values();
    std::vector<float> row(static_cast<std::size_t>(count));
    for (std::int64_t token = 0; token < tokens; ++token) {
      const auto place = [&](std::int64_t p) {
        return std::clamp<std::int64_t>(places[std::size_t(token * k + p)], 0, count - 1);
      };
      const auto score = [&](std::int64_t e) { return values[std::size_t(token * count + e)]; };
      const auto scaled = [&](std::int64_t p) {
        return factor * given[std::size_t(token * k + p)];
      };
      float sum = 0;
      for (std::int64_t p = 0; p < k; ++p) sum += score(place(p));
      sum += eps;
      float mean = 0;
      for (std::int64_t p = 0; p < k; ++p) mean += score(place(p)) / sum * scaled(p);
      std::fill(row.begin(), row.end(), 0.0f);
      for (std::int64_t p = 0; p < k; ++p) row[std::size_t(place(p))] += (scaled(p) - mean) / sum;
      for (std::int64_t e = 0; e < count; ++e) row[std::size_t(e)] *= score(e) * (1 - score(e));
      RowMajorAccess(dx, memory).write(token * count, count, row.data());
    }
  });
}

}  // namespace pyaclnn::sim
