// Tokens permuted by a map that says which experts see them, and put together again.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/as_stored.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/numbers.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/moe/checks.hpp"
#include "parameters/MoeTokenPermuteWithRoutingMap.hpp"
#include "parameters/MoeTokenPermuteWithRoutingMapGrad.hpp"
#include "parameters/MoeTokenUnpermuteWithRoutingMap.hpp"
#include "parameters/MoeTokenUnpermuteWithRoutingMapGrad.hpp"

namespace pyaclnn::sim {
namespace {

using Numbers = std::vector<std::int64_t>;

constexpr std::int64_t kNone = -1;

std::size_t at(std::int64_t place) { return static_cast<std::size_t>(place); }

/// Rows of experts: of which token each is, and of which pair of token and expert.
struct Rows {
  Numbers token;
  Numbers pair;
};

/// An operand that need not be given.
struct Operand {
  View view;
  RowMajor rows;

  bool given() const { return view.dtype != ACL_DT_UNDEFINED; }
  std::vector<float> values(const KernelMemory& memory) const {
    return given() ? RowMajorAccess(rows, memory).values() : std::vector<float>();
  }
  void write(const KernelMemory& memory, const std::vector<float>& values) const {
    if (given() && !values.empty())
      RowMajorAccess(rows, memory).write(0, std::int64_t(values.size()), values.data());
  }
  Numbers numbers(const KernelMemory& memory) const {
    return given() ? numbers_of<std::int64_t>(memory, view) : Numbers();
  }
};

Operand read(Plan& plan, const TensorArgument& tensor) {
  if (!tensor.given()) return {};
  plan.stage(tensor).contiguous();
  const View view = plan.reads(tensor);
  return {view, RowMajor(view)};
}

Operand write(Plan& plan, const TensorArgument& tensor) {
  if (!tensor.given()) return {};
  plan.result(tensor.dtype(), tensor.shape()).copy_to(tensor);
  const View view = plan.writes(tensor);
  return {view, RowMajor(view)};
}

/// The pairs that a map [tokens, experts] has, expert by expert.
Numbers pairs_of(const Numbers& map, std::int64_t experts) {
  Numbers result;
  // Of an operator without a map, the number of experts may be anything.
  const std::int64_t seen = std::min(experts, std::int64_t(map.size()));
  for (std::int64_t e = 0; e < seen; ++e)
    for (std::size_t pair = at(e); pair < map.size(); pair += at(experts))
      if (map[pair] != 0) result.push_back(std::int64_t(pair));
  return result;
}

/// Rows in rooms of one size, whose tokens are known; numbers may be anything.
Rows in_rooms(const Numbers& tokens, std::int64_t token_count, std::int64_t experts) {
  Rows rows{tokens, Numbers(tokens.size(), kNone)};
  const std::int64_t capacity = experts == 0 ? 0 : std::int64_t(tokens.size()) / experts;
  for (std::size_t row = 0; row < tokens.size(); ++row) {
    if (tokens[row] < 0 || tokens[row] >= token_count) {
      rows.token[row] = kNone;
    } else if (capacity > 0 && std::int64_t(row) / capacity < experts) {
      rows.pair[row] = tokens[row] * experts + std::int64_t(row) / capacity;
    }
  }
  return rows;
}

/// Rows behind one another: `places` has those of each token, the map their pairs.
Rows behind_one_another(const Numbers& places, const Numbers& token_of_place, const Numbers& map,
                        std::int64_t token_count, std::int64_t experts, std::int64_t count) {
  Rows rows{Numbers(at(count), kNone), pairs_of(map, experts)};
  rows.pair.resize(at(count), kNone);
  for (std::size_t i = 0; i < places.size(); ++i)
    if (places[i] >= 0 && places[i] < count && token_of_place[i] >= 0 &&
        token_of_place[i] < token_count)
      rows.token[at(places[i])] = token_of_place[i];
  return rows;
}

/// The token of each place, where all tokens have as many.
Numbers tokens_in_turn(std::size_t places, std::int64_t tokens) {
  Numbers result(places);
  const std::size_t k = tokens == 0 ? 1 : std::max<std::size_t>(1, places / at(tokens));
  for (std::size_t i = 0; i < places; ++i) result[i] = std::int64_t(i / k);
  return result;
}

/// The pairs of slots, token by token: the experts that the map has, and none beyond them. With
/// `each`, a token has so many slots; without, they lie behind one another.
Numbers pairs_of_slots(const Numbers& map, std::int64_t experts, std::int64_t each) {
  Numbers result;
  const std::size_t width = std::max<std::size_t>(1, at(experts));
  for (std::size_t pair = 0; pair < map.size(); ++pair) {
    const std::size_t first = pair / width * at(each);
    if (each != kNone && pair % width == 0) result.resize(first, kNone);
    if (map[pair] != 0 && (each == kNone || result.size() < first + at(each)))
      result.push_back(std::int64_t(pair));
  }
  return result;
}

/// The numbers of rows, of which `places` has the row of each.
Numbers put_back(const Numbers& places, const Numbers& numbers, std::int64_t count) {
  Numbers result(at(count), kNone);
  for (std::size_t i = 0; i < std::min(places.size(), numbers.size()); ++i)
    if (places[i] >= 0 && places[i] < count) result[at(places[i])] = numbers[i];
  return result;
}

/// Rows of slots, of which all tokens have as many: `places` has the row of each slot.
Rows in_slots(const Numbers& places, const Numbers& pairs, std::int64_t token_count,
              std::int64_t count) {
  Rows rows{Numbers(at(count), kNone), Numbers(at(count), kNone)};
  const Numbers token = tokens_in_turn(places.size(), token_count);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] < 0 || places[i] >= count || token[i] >= token_count) continue;
    rows.token[at(places[i])] = token[i];
    rows.pair[at(places[i])] = i < pairs.size() ? pairs[i] : kNone;
  }
  return rows;
}

/// What a pair has, for each row; `other` where it has none.
std::vector<float> of_rows(const std::vector<float>& of_pairs, const Numbers& pairs, float other) {
  std::vector<float> result;
  result.reserve(pairs.size());
  for (std::int64_t pair : pairs)
    result.push_back(pair >= 0 && at(pair) < of_pairs.size() ? of_pairs[at(pair)] : other);
  return result;
}

/// What a row has, for its pair; zeros for pairs without one.
std::vector<float> of_pairs(const std::vector<float>& of_rows, const Numbers& pairs,
                            std::int64_t count) {
  std::vector<float> result(at(count));
  for (std::size_t row = 0; row < std::min(of_rows.size(), pairs.size()); ++row)
    if (pairs[row] >= 0 && pairs[row] < count) result[at(pairs[row])] = of_rows[row];
  return result;
}

/// Calls body(row) for rows, several at a time.
template <class Body>
void for_rows(std::int64_t count, std::int64_t columns, Body body) {
  const std::int64_t grain = std::max<std::int64_t>(1, 16384 / std::max<std::int64_t>(1, columns));
  parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) body(row);
  });
}

/// to[row] = from[token of the row] times a factor; zeros for rows of no token.
void copy_rows(const KernelMemory& memory, const Operand& from, const Operand& to,
               const Numbers& token, const std::vector<float>& factors) {
  const std::int64_t columns = from.view.shape.back();
  for_rows(std::int64_t(token.size()), columns, [&](std::int64_t row) {
    std::vector<float> line(at(columns));
    if (token[at(row)] != kNone) {
      const float* const values =
          RowMajorAccess(from.rows, memory).read(token[at(row)] * columns, columns, line.data());
      const float factor = factors.empty() ? 1.0f : factors[at(row)];
      for (std::int64_t i = 0; i < columns; ++i) line[at(i)] = values[i] * factor;
    }
    RowMajorAccess(to.rows, memory).write(row * columns, columns, line.data());
  });
}

/// to[token] = the sum of its rows, in order, each times a factor and rounded to a type first.
void add_rows(const KernelMemory& memory, const Operand& from, const Operand& to,
              const Numbers& token, const std::vector<float>& factors, aclDataType product) {
  const std::int64_t columns = to.view.shape.back();
  const std::int64_t tokens = to.view.shape[0];
  std::vector<Numbers> rows(at(tokens));
  for (std::size_t row = 0; row < token.size(); ++row)
    if (token[row] != kNone) rows[at(token[row])].push_back(std::int64_t(row));
  for_rows(tokens, columns, [&](std::int64_t t) {
    std::vector<float> sum(at(columns));
    std::vector<float> line(at(columns));
    for (std::int64_t row : rows[at(t)]) {
      const float* const values =
          RowMajorAccess(from.rows, memory).read(row * columns, columns, line.data());
      const float factor = factors.empty() ? 1.0f : factors[at(row)];
      for (std::int64_t i = 0; i < columns; ++i)
        sum[at(i)] += factors.empty() ? values[i] : as_stored(values[i] * factor, product);
    }
    RowMajorAccess(to.rows, memory).write(t * columns, columns, sum.data());
  });
}

/// The stable order of numbers.
Numbers order_of(const Numbers& numbers) {
  Numbers order(numbers.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int64_t a, std::int64_t b) { return numbers[at(a)] < numbers[at(b)]; });
  return order;
}

}  // namespace

void permute_with_map(const Check& check, Plan& plan,
                      const MoeTokenPermuteWithRoutingMapParameters& given) {
  const std::int64_t tokens = given.routingMap.shape()[0];
  const std::int64_t experts = given.routingMap.shape()[1];
  const std::int64_t unit = std::max<std::int64_t>(1, given.dropAndPad ? experts : tokens);
  check.that(given.numOutTokens >= 0 && given.numOutTokens <= given.routingMap.elements(),
             "numOutTokens is %lld, the map has shape %s",
             static_cast<long long>(given.numOutTokens), given.routingMap.shape().text().c_str());
  const std::int64_t count = given.numOutTokens / unit * unit;
  for (const TensorArgument* out : {&given.permuteTokensOut, &given.permuteProbsOutOptional})
    if (out->given())
      check.that((out->rank() == 0 ? 0 : out->shape()[0]) == count,
                 "%s has shape %s, for %lld rows", out->name(), out->shape().text().c_str(),
                 static_cast<long long>(count));
  if (given.routingMap.is_empty()) return;
  check_inside(plan, given.tokens.shape()[0] == tokens, "tokens has shape %s, the map %s",
               given.tokens.shape().text().c_str(), given.routingMap.shape().text().c_str());
  check_inside(plan, given.dropAndPad || count / unit <= 512, "a token has more than 512 experts");
  check_inside(plan, given.sortedIndicesOut.shape() == Dims{count}, "sortedIndicesOut has shape %s",
               given.sortedIndicesOut.shape().text().c_str());
  if (given.probsOptional.given())
    check_inside(plan, given.permuteProbsOutOptional.shape() == Dims{count},
                 "permuteProbsOutOptional has shape %s",
                 given.permuteProbsOutOptional.shape().text().c_str());
  check_inside(plan, given.permuteTokensOut.shape() == Dims({count, given.tokens.shape()[1]}),
               "permuteTokensOut has shape %s", given.permuteTokensOut.shape().text().c_str());
  const Operand x = read(plan, given.tokens);
  const Operand map = read(plan, given.routingMap);
  const Operand probs = read(plan, given.probsOptional);
  const Operand out = write(plan, given.permuteTokensOut);
  const Operand probs_out = probs.given() ? write(plan, given.permuteProbsOutOptional) : Operand();
  const Operand places = write(plan, given.sortedIndicesOut);
  const bool rooms = given.dropAndPad;
  plan.launch([=](const KernelMemory& memory) {
    const Numbers seen = map.numbers(memory);
    Numbers pairs;
    if (rooms) {
      // Tokens that an expert sees come first, each kind in their order.
      for (std::int64_t e = 0; e < experts; ++e) {
        Numbers order(at(tokens));
        std::iota(order.begin(), order.end(), 0);
        std::stable_partition(order.begin(), order.end(),
                              [&](std::int64_t t) { return seen[at(t * experts + e)] != 0; });
        for (std::int64_t i = 0; i < count / experts; ++i)
          pairs.push_back(order[at(i)] * experts + e);
      }
    } else {
      pairs = pairs_of(seen, experts);
      pairs.resize(at(count), kNone);
    }
    Numbers token;
    for (std::int64_t pair : pairs) token.push_back(pair == kNone ? kNone : pair / experts);
    copy_rows(memory, x, out, token, {});
    probs_out.write(memory, of_rows(probs.values(memory), pairs, 0));
    write_numbers(memory, places.view, rooms ? token : order_of(token));
  });
}

void permute_with_map_backward(const Check& check, Plan& plan,
                               const MoeTokenPermuteWithRoutingMapGradParameters& given) {
  const std::int64_t tokens = given.tokensNum;
  const std::int64_t experts = given.numExperts;
  const std::int64_t count = given.sortedIndices.elements();
  const bool has_probs =
      given.permutedProbsOutputGradOptional.given() && given.probsGradOutOptional.given();
  check.shape_is(given.tokensGradOut, Dims{tokens, given.permutedTokenOutputGrad.shape()[1]},
                 "the tokens");
  check.that(given.permutedTokenOutputGrad.shape()[0] == count,
             "permutedTokenOutputGrad has shape %s, for %lld indices",
             given.permutedTokenOutputGrad.shape().text().c_str(), static_cast<long long>(count));
  if (has_probs) {
    check.shape_is(given.permutedProbsOutputGradOptional, Dims{count}, "the rows");
    check.shape_is(given.probsGradOutOptional, Dims{tokens, experts}, "the map");
  }
  if (given.permutedTokenOutputGrad.is_empty() || given.tokensGradOut.is_empty()) return;
  const Operand grad = read(plan, given.permutedTokenOutputGrad);
  const Operand probs_grad =
      has_probs ? read(plan, given.permutedProbsOutputGradOptional) : Operand();
  const Operand places = read(plan, given.sortedIndices);
  const Operand map =
      has_probs && !given.dropAndPad ? read(plan, given.routingMapOptional) : Operand();
  const Operand out = write(plan, given.tokensGradOut);
  const Operand probs_out = has_probs ? write(plan, given.probsGradOutOptional) : Operand();
  const bool rooms = given.dropAndPad;
  plan.launch([=](const KernelMemory& memory) {
    const Numbers found = places.numbers(memory);
    const Rows rows = rooms ? in_rooms(found, tokens, experts)
                            : behind_one_another(found, tokens_in_turn(found.size(), tokens),
                                                 map.numbers(memory), tokens, experts, count);
    add_rows(memory, grad, out, rows.token, {}, ACL_FLOAT);
    if (has_probs)
      probs_out.write(memory, of_pairs(probs_grad.values(memory), rows.pair, tokens * experts));
  });
}

void unpermute_with_map(const Check& check, Plan& plan,
                        const MoeTokenUnpermuteWithRoutingMapParameters& given) {
  const bool rooms = given.paddedMode;
  const std::int64_t tokens = given.unpermutedTokens.shape()[0];
  const bool has_probs = given.probsOptional.given();
  const std::int64_t experts = has_probs ? given.probsOptional.shape()[1] : 1;
  const std::int64_t count = given.sortedIndices.elements();
  check_tiling_inside(
      plan, given.permutedTokens.shape() == Dims({count, given.unpermutedTokens.shape()[1]}),
      "permutedTokens has shape %s, for %lld indices", given.permutedTokens.shape().text().c_str(),
      static_cast<long long>(count));
  if (has_probs)
    check_inside(plan,
                 given.probsOptional.rank() == 2 && given.probsOptional.shape()[0] == tokens &&
                     given.routingMapOptional.given() &&
                     given.routingMapOptional.shape() == given.probsOptional.shape(),
                 "probsOptional has shape %s beside %lld tokens",
                 given.probsOptional.shape().text().c_str(), static_cast<long long>(tokens));
  if (given.routingMapOptional.given())
    check_inside(plan, DtypeSet({ACL_INT8, ACL_BOOL}).contains(given.routingMapOptional.dtype()),
                 "there is no kernel for a routingMapOptional of that type");
  check_inside(plan, rooms || tokens == 0 || count / tokens <= 512,
               "a token has more than 512 experts");
  if (rooms)
    for (const TensorArgument* out : {&given.outIndex, &given.permuteTokenId})
      check_inside(plan, out->given() && out->shape() == Dims{count},
                   "%s does not have %lld numbers", out->name(), static_cast<long long>(count));
  check_inside(
      plan, !has_probs || !given.permuteProbs.given() || given.permuteProbs.shape() == Dims{count},
      "permuteProbs does not have %lld numbers", static_cast<long long>(count));
  const IntArrayIn& restored = given.restoreShapeOptional;
  check_inside(plan, !restored.given() || restored.values().size() == 2,
               "restoreShapeOptional must have 2 numbers");
  (void)check;
  const Operand x = read(plan, given.permutedTokens);
  const Operand places = read(plan, given.sortedIndices);
  const Operand map = has_probs && !rooms ? read(plan, given.routingMapOptional) : Operand();
  const Operand probs = read(plan, given.probsOptional);
  const Operand out = write(plan, given.unpermutedTokens);
  const Operand index = rooms ? write(plan, given.outIndex) : Operand();
  const Operand ids = rooms ? write(plan, given.permuteTokenId) : Operand();
  const Operand factors_out = has_probs ? write(plan, given.permuteProbs) : Operand();
  plan.launch([=](const KernelMemory& memory) {
    const Numbers found = places.numbers(memory);
    Numbers slots = pairs_of_slots(map.numbers(memory), experts, kNone);
    slots.resize(at(count), kNone);
    const Rows rows =
        rooms ? in_rooms(found, tokens, experts) : in_slots(found, slots, tokens, count);
    std::vector<float> factors;
    if (has_probs) {
      const std::vector<float> values = probs.values(memory);
      factors = of_rows(values, rows.pair, 0);
      factors_out.write(memory, rooms ? factors : of_rows(values, slots, 0));
    }
    const aclDataType product =
        rooms && has_probs && probs.view.dtype == x.view.dtype ? x.view.dtype : ACL_FLOAT;
    add_rows(memory, x, out, rows.token, factors, product);
    if (!rooms) return;
    const Numbers order = order_of(found);
    Numbers sorted;
    for (std::int64_t place : order) sorted.push_back(found[at(place)]);
    write_numbers(memory, index.view, order);
    write_numbers(memory, ids.view, sorted);
  });
}

void unpermute_with_map_backward(const Check& check, Plan& plan,
                                 const MoeTokenUnpermuteWithRoutingMapGradParameters& given) {
  (void)check;
  const bool rooms = given.dropAndPad;
  const bool has_probs = given.probsOptional.given();
  const Dims& grad_shape = given.unpermutedTokensGrad.shape();
  const std::int64_t tokens = grad_shape[0];
  const std::int64_t count = given.outIndex.elements();
  const std::int64_t experts = has_probs ? given.probsOptional.shape()[1] : 1;
  const std::int64_t each = tokens == 0 ? 0 : count / tokens;
  const Dims rows_shape{count, grad_shape[1]};
  check_extents(plan, &given.outIndex, Dims{count});
  check_extents(plan, &given.permuteTokenId, Dims{count});
  check_extents(plan, &given.permutedTokensGradOut, rows_shape);
  if (has_probs) {
    check_tiling(plan, given.routingMapOptional.given() && given.permutedTokensOptional.given(),
                 "probsOptional is given, routingMapOptional or permutedTokensOptional not");
    check_tiling(plan, given.probsGradOutOptional.given(), "probsGradOutOptional is null");
    check_extents(plan, &given.permutedTokensOptional, rows_shape);
    check_extents(plan, &given.probsOptional, Dims{tokens, experts});
    check_extents(plan, &given.routingMapOptional, Dims{tokens, experts});
    check_extents(plan, &given.probsGradOutOptional, Dims{tokens, experts});
    check_tiling(plan, rooms || (each <= 512 && each <= experts), "a token has %lld experts",
                 static_cast<long long>(each));
    check_tiling(plan, !rooms || experts == 0 || count / experts <= tokens,
                 "experts have more room than there are tokens");
  }
  const Operand grad = read(plan, given.unpermutedTokensGrad);
  const Operand places = read(plan, given.outIndex);
  const Operand ids = read(plan, given.permuteTokenId);
  const Operand map = has_probs ? read(plan, given.routingMapOptional) : Operand();
  const Operand x = has_probs ? read(plan, given.permutedTokensOptional) : Operand();
  const Operand probs = read(plan, given.probsOptional);
  const Operand out = write(plan, given.permutedTokensGradOut);
  const Operand probs_out = has_probs ? write(plan, given.probsGradOutOptional) : Operand();
  plan.launch([=](const KernelMemory& memory) {
    const Numbers found = places.numbers(memory);
    // Slots say their token by where they are: permuteTokenId is for rooms.
    const Rows rows =
        rooms ? in_rooms(put_back(found, ids.numbers(memory), count), tokens, experts)
              : in_slots(found, pairs_of_slots(map.numbers(memory), experts, each), tokens, count);
    if (!has_probs) return copy_rows(memory, grad, out, rows.token, {});
    copy_rows(memory, grad, out, rows.token, of_rows(probs.values(memory), rows.pair, 0));
    const std::int64_t columns = grad.view.shape.back();
    std::vector<float> products(at(count));
    for_rows(count, columns, [&](std::int64_t row) {
      const std::int64_t token = rows.token[at(row)];
      if (token == kNone) return;
      std::vector<float> a(at(columns));
      std::vector<float> b(at(columns));
      const float* const left =
          RowMajorAccess(grad.rows, memory).read(token * columns, columns, a.data());
      const float* const right =
          RowMajorAccess(x.rows, memory).read(row * columns, columns, b.data());
      products[at(row)] = std::inner_product(left, left + columns, right, 0.0f);
    });
    probs_out.write(memory, of_pairs(products, rows.pair, tokens * experts));
  });
}

}  // namespace pyaclnn::sim
