// SPDX-License-Identifier: MIT
#include "opapi/attention/rope_cache.hpp"

#include <algorithm>
#include <vector>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/attention/rotation.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/integers.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/stored_rows.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kTurns = 3;  // of sections that take turns

/// Which row of the positions gives each angle; none where there is one row only.
std::vector<std::int64_t> rows_of_angles(const std::vector<std::int64_t>& section,
                                         std::int64_t half, std::int64_t cache_mode) {
  std::vector<std::int64_t> rows(std::size_t(half), 0);
  if (cache_mode == 1) {
    const std::int64_t end = std::min(half, section[1] * kTurns);
    for (std::int64_t i = 0; i < end; ++i) rows[std::size_t(i)] = i % kTurns;
    return rows;
  }
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < section.size(); ++i) {
    std::fill_n(rows.begin() + begin, section[i], std::int64_t(i));
    begin += section[i];
  }
  return rows;
}

void check_section(const Check& check, const std::vector<std::int64_t>& section,
                   std::int64_t width) {
  check.that(section.size() == 3 || section.size() == 4,
             "mropeSection has %zu elements, it must have 3 or 4", section.size());
  for (std::int64_t extent : section)
    check.that(extent >= 0, "mropeSection has %lld, it must not be negative", ll(extent));
  if (section[0] == 0) return;
  static const std::vector<std::int64_t> kKnown[] = {
      {16, 24, 24}, {8, 12, 12}, {24, 20, 20}, {16, 16, 16, 16}};
  const bool is_known =
      std::find(std::begin(kKnown), std::end(kKnown), section) != std::end(kKnown);
  std::int64_t sum = 0;
  if (is_known)
    for (std::int64_t extent : section) sum += extent;
  check.that(is_known && sum * 2 == width,
             "mropeSection must be one of [16, 24, 24], [8, 12, 12], [24, 20, 20], "
             "[16, 16, 16, 16], and half of the %lld values of a row of cosSinCache",
             ll(width));
}

}  // namespace

void rope_with_sin_cos_cache(const Check& check, Plan& plan, const TensorArgument& positions,
                             const TensorArgument& query, const TensorArgument& key,
                             const TensorArgument& cache, const IntArrayIn& section,
                             std::int64_t head_size, bool is_neox, std::int64_t cache_mode,
                             const TensorArgument& query_out, const TensorArgument& key_out) {
  check.that(chip().has_bf16(), "%s has no such kernel", chip().name);
  check.dtype_in(DtypeSet{ACL_INT64}, positions);
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16}, query);
  check.same_dtype(query, key, cache, query_out, key_out);
  for (const TensorArgument* tensor : {&query, &key, &cache})
    check.that(tensor->rank() == 2, "%s has %zu dimensions, it must have 2", tensor->name(),
               tensor->rank());
  for (const TensorArgument* tensor : {&query, &key, &cache, &positions})
    check.that(!tensor->is_empty(), "%s is empty: %s", tensor->name(),
               tensor->shape().text().c_str());
  const std::int64_t tokens = query.shape()[0];
  check.that(key.shape()[0] == tokens, "keyIn has %lld rows, queryIn has %lld", ll(key.shape()[0]),
             ll(tokens));
  check.shape_is(query_out, query.shape(), "queryIn");
  check.shape_is(key_out, key.shape(), "keyIn");
  const std::int64_t width = cache.shape()[1];
  if (section.given()) check_section(check, section.values(), width);
  check.that(head_size != 0, "headSize is 0");
  const bool has_sections = section.given() && section.values()[0] > 0;

  const std::int64_t step = 64 / static_cast<std::int64_t>(dtype_size(query.dtype()));
  check_tiling(plan, head_size > 0 && head_size % step == 0 && width % step == 0,
               "headSize is %lld and cosSinCache has %lld values a row, they must be multiples of "
               "%lld",
               ll(head_size), ll(width), ll(step));
  check_tiling(plan, width <= head_size, "cosSinCache has %lld values a row, a head has %lld",
               ll(width), ll(head_size));
  for (const TensorArgument* tensor : {&query, &key})
    check_tiling(plan, tensor->shape()[1] % head_size == 0,
                 "%s has %lld values a row, which make no heads of %lld", tensor->name(),
                 ll(tensor->shape()[1]), ll(head_size));
  check_tiling(plan, !has_sections || section.values().size() == 3 || cache_mode == 0,
               "cacheMode is 1, it must be 0 for 4 sections");
  const Dims expected =
      has_sections ? Dims{std::int64_t(section.values().size()), tokens} : Dims{tokens};
  check_tiling(plan, positions.shape() == expected, "positions has shape %s, it must be %s",
               positions.shape().text().c_str(), expected.text().c_str());
  plan.stage(positions).contiguous();
  plan.stage(cache).contiguous();
  plan.result(query.dtype(), query.shape()).copy_to(query_out);
  plan.result(key.dtype(), key.shape()).copy_to(key_out);

  const std::int64_t half = width / 2;
  std::vector<std::int64_t> angle_rows;
  if (has_sections) angle_rows = rows_of_angles(section.values(), half, cache_mode);
  struct Turned {
    StoredRows from;
    StoredRows to;
  };
  const Turned both[] = {{StoredRows(plan.reads(query)), StoredRows(plan.writes(query_out))},
                         {StoredRows(plan.reads(key)), StoredRows(plan.writes(key_out))}};
  const View place = plan.reads(positions);
  const std::int64_t rows = cache.shape()[0];
  plan.launch([=, angle_rows = std::move(angle_rows), query_rows = both[0], key_rows = both[1],
               angles = StoredRows(plan.reads(cache)),
               rotation =
                   Rotation(width, is_neox ? kHalves : kNeighbours)](const KernelMemory& memory) {
    const std::vector<std::int64_t> at = integers_of(place, memory);
    parallel_for(tokens, 16, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> looked_up(static_cast<std::size_t>(width));
      std::vector<float> cos(static_cast<std::size_t>(width));
      std::vector<float> sin(static_cast<std::size_t>(width));
      std::vector<float> turned(static_cast<std::size_t>(width));
      std::vector<float> values;
      for (std::int64_t token = begin; token < end; ++token) {
        std::int64_t seen = -1;
        for (std::int64_t i = 0; i < half; ++i) {
          const std::int64_t row = angle_rows.empty() ? 0 : angle_rows[std::size_t(i)];
          if (row != seen) {
            const std::int64_t position = at[std::size_t(row * tokens + token)];
            // The kernel would read what lies beyond.
            angles.load(memory, std::clamp<std::int64_t>(position, 0, rows - 1), looked_up.data());
            seen = row;
          }
          const std::size_t first = std::size_t(is_neox ? i : 2 * i);
          const std::size_t second = std::size_t(is_neox ? i + half : 2 * i + 1);
          cos[first] = cos[second] = looked_up[std::size_t(i)];
          sin[first] = sin[second] = looked_up[std::size_t(i + half)];
        }
        for (const Turned* pair : {&query_rows, &key_rows}) {
          values.resize(std::size_t(pair->from.length()));
          pair->from.load(memory, token, values.data());
          for (std::int64_t head = 0; head < pair->from.length(); head += head_size) {
            rotation.turn(values.data() + head, cos.data(), sin.data(), turned.data());
            std::copy(turned.begin(), turned.end(), values.begin() + head);
          }
          pair->to.store(memory, token, values.data());
        }
      }
    });
  });
}

}  // namespace pyaclnn::sim
