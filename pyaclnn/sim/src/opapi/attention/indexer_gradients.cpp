// Gradients of the scores that an indexer chooses keys by, and the loss that trains it: how far the
// distribution of its scores is from that of attention.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/attention/index_scores.hpp"
#include "opapi/attention/layouts.hpp"
#include "opapi/attention/shapes.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/integers.hpp"
#include "parameters/DenseLightningIndexerGradKLLoss.hpp"
#include "parameters/LightningIndexerGrad.hpp"
#include "parameters/SparseLightningIndexerGradKLLoss.hpp"
#include "parameters/SparseLightningIndexerKLLossGrad.hpp"

namespace pyaclnn::sim {
namespace {

/// What the gradient of a score is: given, or the difference of two distributions.
struct KlLoss {
  AttentionRows query;  // of attention
  AttentionRows key;
  View largest;  // [batch, heads, rows, 1], of attention's scores
  View total;
  std::optional<View> index_largest;  // the same of the indexer's scores, with one head
  std::optional<View> index_total;
  float scale;
  View loss;  // (1,)
};

struct IndexerGradient {
  AttentionRows query;
  AttentionRows key;
  View weights;                 // [batch, heads, rows, 1]
  std::optional<View> indices;  // [rows, count]; all keys that a row sees without
  std::optional<View> given;    // [rows, count]
  std::optional<KlLoss> loss;
  View query_out;  // [batch, heads, rows, depth]
  View key_out;
  View weights_out;
  SequenceCut cut;
  std::optional<View> target;   // [rows, count], what the scores' softmax is to be
  std::optional<View> softmax;  // the same, and what it is

  std::int64_t heads() const { return query.view.shape[1]; }
};

/// One token on its way: its columns, and the gradients of its products.
struct Token {
  std::vector<std::int64_t> columns;
  std::vector<float> products;  // [heads, columns]
  std::vector<float> weights;
  std::vector<float> gradients;  // of scores
  std::vector<float> queries;    // [heads, depth]
  double loss = 0;
};

class Gradients {
 public:
  Gradients(const IndexerGradient& task, const KernelMemory& memory)
      : task_(task),
        memory_(memory),
        query_(task.query),
        key_(task.key),
        weights_(task.weights),
        query_out_(task.query_out),
        key_out_(task.key_out),
        weights_out_(task.weights_out),
        depth_(query_.depth()) {
    if (task.indices.has_value()) indices_.emplace(*task.indices, 1);
    if (task.given.has_value()) given_.emplace(*task.given, 1);
    if (task.target.has_value()) given_.emplace(*task.target, 1);
    if (task.softmax.has_value()) softmax_.emplace(*task.softmax, 1);
    if (!task.loss.has_value()) return;
    main_query_.emplace(task.loss->query);
    main_key_.emplace(task.loss->key);
    largest_.emplace(task.loss->largest);
    total_.emplace(task.loss->total);
    if (!task.loss->index_largest.has_value()) return;
    index_largest_.emplace(*task.loss->index_largest);
    index_total_.emplace(*task.loss->index_total);
  }

  void run(const std::vector<IndexedSequence>& sequences) {
    clear();
    double loss = 0;
    for (std::size_t i = 0; i < sequences.size(); ++i)
      loss += run_sequence(std::int64_t(i), sequences[i]);
    if (!task_.loss.has_value()) return;
    const View& out = task_.loss->loss;
    *(reinterpret_cast<float*>(memory_.operands[out.operand]) + out.offset) = float(loss);
  }

 private:
  /// Rows outside of all sequences have no gradient.
  void clear() const {
    const std::vector<float> zeros(std::size_t(std::max<std::int64_t>(depth_, 1)));
    for (const auto& [rows, view] :
         {std::pair{&query_out_, &task_.query_out}, std::pair{&key_out_, &task_.key_out},
          std::pair{&weights_out_, &task_.weights_out}})
      for (std::int64_t b = 0; b < view->shape[0]; ++b)
        for (std::int64_t n = 0; n < view->shape[1]; ++n)
          for (std::int64_t i = 0; i < view->shape[2]; ++i)
            rows->store(memory_, b, n, i, zeros.data(), view->shape[3]);
    for (std::int64_t i = 0; softmax_.has_value() && i < softmax_->count(); ++i)
      store_softmax(i, std::vector<float>(std::size_t(softmax_->row_length())));
  }

  void store_softmax(std::int64_t row, const std::vector<float>& values) const {
    softmax_->store(storer<float>(ACL_FLOAT, Rounding::kNearestEven), values.data(), sizeof(float),
                    softmax_->base(memory_) + softmax_->plane_bytes(row));
  }

  double run_sequence(std::int64_t number, const IndexedSequence& sequence) const {
    // Gradients of keys are summed token by token, whatever threads there are.
    constexpr std::int64_t kValues = std::int64_t(1) << 22;
    const std::int64_t most =
        indices_.has_value() ? indices_->row_length() : std::max<std::int64_t>(sequence.columns, 1);
    const std::int64_t block = std::clamp<std::int64_t>(
        kValues / (task_.heads() * std::max<std::int64_t>(most, 1)), 1, 64);
    std::vector<float> key_sums(std::size_t(sequence.columns * depth_));
    double loss = 0;
    for (std::int64_t first = 0; first < sequence.rows; first += block) {
      const std::int64_t count = std::min(block, sequence.rows - first);
      std::vector<Token> tokens(static_cast<std::size_t>(count));
      parallel_for(count, 1, [&](std::int64_t begin, std::int64_t end) {
        TokenProducts products(memory_, query_, task_.heads(), key_, 1);
        std::optional<TokenProducts> main;
        if (main_query_.has_value())
          main.emplace(memory_, *main_query_, task_.loss->query.view.shape[1], *main_key_,
                       task_.loss->key.view.shape[1]);
        for (std::int64_t i = begin; i < end; ++i)
          run_token(number, sequence, first + i, products, main, tokens[std::size_t(i)]);
      });
      for (const Token& token : tokens) loss += token.loss;
      add_keys(tokens, key_sums);
    }
    for (std::int64_t s = 0; s < sequence.columns; ++s)
      key_out_.store(memory_, sequence.key_batch, 0, sequence.first_column + s,
                     key_sums.data() + s * depth_, depth_);
    return loss;
  }

  std::int64_t row_number(const IndexedSequence& sequence, std::int64_t row) const {
    return sequence.query_batch * task_.cut.rows + sequence.first_row + row;
  }

  /// Keys that the token's score counts for; where they stand among the indices.
  std::vector<std::int64_t> find_columns(const IndexedSequence& sequence, std::int64_t row,
                                         Token& token) const {
    const std::int64_t seen = seen_of(sequence, row);
    std::vector<std::int64_t> places;
    if (!indices_.has_value()) {
      token.columns.resize(std::size_t(seen));
      std::iota(token.columns.begin(), token.columns.end(), 0);
      return places;
    }
    std::vector<std::int64_t> all(std::size_t(indices_->row_length()));
    indices_->load(loader<std::int64_t>(task_.indices->dtype),
                   indices_->base(memory_) + indices_->plane_bytes(row_number(sequence, row)),
                   sizeof(std::int64_t), all.data());
    const std::int64_t limit =
        task_.cut.is_causal ? std::min<std::int64_t>(seen, ll(all.size())) : ll(all.size());
    for (std::int64_t i = 0; i < limit; ++i) {
      const std::int64_t column = all[std::size_t(i)];
      if (column < 0 || column >= sequence.columns) continue;
      token.columns.push_back(column);
      places.push_back(i);
    }
    return places;
  }

  void multiply(TokenProducts& products, const Token& token, std::vector<float>& to,
                std::int64_t heads) const {
    const std::int64_t all = std::int64_t(token.columns.size());
    to.resize(std::size_t(heads * all));
    for (std::int64_t first = 0; first < all; first += TokenProducts::kColumns)
      products.multiply(token.columns.data() + first,
                        std::min(TokenProducts::kColumns, all - first), to.data() + first, all);
  }

  void run_token(std::int64_t number, const IndexedSequence& sequence, std::int64_t row,
                 TokenProducts& products, std::optional<TokenProducts>& main, Token& token) const {
    const std::vector<std::int64_t> places = find_columns(sequence, row, token);
    const std::int64_t heads = task_.heads();
    const std::int64_t all = std::int64_t(token.columns.size());
    products.take(number, sequence, row);
    multiply(products, token, token.products, heads);
    token.queries.assign(products.query(0), products.query(0) + heads * depth_);
    token.weights.resize(std::size_t(heads));
    const std::int64_t at = sequence.first_row + row;
    for (std::int64_t n = 0; n < heads; ++n)
      weights_.load(memory_, sequence.query_batch, n, at, 0, 1, &token.weights[std::size_t(n)]);
    token.gradients.resize(std::size_t(all));
    if (given_.has_value()) {
      std::vector<float> gradients(std::size_t(given_->row_length()));
      const bool is_target = task_.target.has_value();
      given_->load(loader<float>((is_target ? task_.target : task_.given)->dtype),
                   given_->base(memory_) + given_->plane_bytes(row_number(sequence, row)),
                   sizeof(float), gradients.data());
      if (is_target) find_softmax(sequence, row, places, token);
      for (std::size_t j = 0; j < places.size(); ++j) {
        const float number = gradients[std::size_t(places[j])];
        token.gradients[j] = is_target ? token.gradients[j] - number : number;
      }
    } else {
      main->take(number, sequence, row);
      find_loss(sequence, row, *main, token);
    }

    std::vector<float> query_sums(std::size_t(heads * depth_));
    std::vector<float> key(static_cast<std::size_t>(depth_));
    std::vector<float> weight_sums(static_cast<std::size_t>(heads));
    for (std::int64_t n = 0; n < heads; ++n) {
      for (std::int64_t j = 0; j < all; ++j) {
        float& product = token.products[std::size_t(n * all + j)];
        if (!(product > 0)) {
          product = 0;
          continue;
        }
        const float gradient = token.gradients[std::size_t(j)];
        weight_sums[std::size_t(n)] += gradient * product;
        product = gradient * token.weights[std::size_t(n)];
      }
    }
    round(token.products);
    for (std::int64_t j = 0; j < all; ++j) {
      key_.load(memory_, number, sequence.key_batch, 0,
                sequence.first_column + token.columns[std::size_t(j)], key.data());
      for (std::int64_t n = 0; n < heads; ++n) {
        const float product = token.products[std::size_t(n * all + j)];
        if (product == 0) continue;
        float* sums = query_sums.data() + n * depth_;
        for (std::int64_t k = 0; k < depth_; ++k) sums[k] += product * key[std::size_t(k)];
      }
    }
    for (std::int64_t n = 0; n < heads; ++n) {
      query_out_.store(memory_, sequence.query_batch, n, at, query_sums.data() + n * depth_,
                       depth_);
      weights_out_.store(memory_, sequence.query_batch, n, at, &weight_sums[std::size_t(n)], 1);
    }
  }

  /// Gradients of products are multiplied in the type of queries.
  void round(std::vector<float>& values) const {
    const aclDataType dtype = task_.query.view.dtype;
    std::vector<std::byte> narrow(values.size() * dtype_size(dtype));
    storer<float>(dtype, Rounding::kNearestEven)(values.data(), std::int64_t(values.size()),
                                                 narrow.data(), 1);
    loader<float>(dtype)(narrow.data(), 1, std::int64_t(values.size()), values.data());
  }

  float number_at(const RowView& rows, const IndexedSequence& sequence, std::int64_t head,
                  std::int64_t row) const {
    float value;
    rows.load(memory_, sequence.query_batch, head, sequence.first_row + row, 0, 1, &value);
    return value;
  }

  /// The softmax of the indexer's scores, which is written, too, where the indices stand.
  void find_softmax(const IndexedSequence& sequence, std::int64_t row,
                    const std::vector<std::int64_t>& places, Token& token) const {
    std::vector<float>& scores = token.gradients;
    if (scores.empty()) return;
    const std::int64_t all = ll(scores.size());
    weigh(token.products.data(), all, token.weights.data(), task_.heads(), all, scores.data());
    const float largest = *std::max_element(scores.begin(), scores.end());
    double total = 0;
    for (const float score : scores) total += double(std::exp(score - largest));
    std::vector<float> values(std::size_t(softmax_->row_length()));
    for (std::size_t j = 0; j < scores.size(); ++j) {
      scores[j] = float(double(std::exp(scores[j] - largest)) / total);
      values[std::size_t(places[j])] = scores[j];
    }
    store_softmax(row_number(sequence, row), values);
  }

  /// The softmax of the indexer's scores minus the mean weight of attention's heads.
  void find_loss(const IndexedSequence& sequence, std::int64_t row, TokenProducts& main,
                 Token& token) const {
    const std::int64_t all = std::int64_t(token.columns.size());
    const std::int64_t heads = task_.loss->query.view.shape[1];
    std::vector<float> products;
    multiply(main, token, products, heads);
    std::vector<double> target(static_cast<std::size_t>(all));
    for (std::int64_t n = 0; n < heads; ++n) {
      const float largest = number_at(*largest_, sequence, n, row);
      const float total = number_at(*total_, sequence, n, row);
      for (std::int64_t j = 0; j < all; ++j) {
        const float score = task_.loss->scale * products[std::size_t(n * all + j)];
        target[std::size_t(j)] += double(std::exp(score - largest) / total);
      }
    }
    std::vector<float>& scores = token.gradients;
    weigh(token.products.data(), all, token.weights.data(), task_.heads(), all, scores.data());
    float largest = 0;
    double total = 0;
    if (index_largest_.has_value()) {
      largest = number_at(*index_largest_, sequence, 0, row);
      total = double(number_at(*index_total_, sequence, 0, row));
    } else if (all > 0) {
      largest = *std::max_element(scores.begin(), scores.end());
      for (const float score : scores) total += double(std::exp(score - largest));
    }
    constexpr double kLeast = 1e-8;
    for (std::size_t j = 0; j < scores.size(); ++j) {
      const double wanted = target[j] / double(heads);
      const double own = double(std::exp(scores[j] - largest)) / total;
      token.loss += wanted * (std::log(std::max(wanted, kLeast)) - std::log(std::max(own, kLeast)));
      scores[j] = float(own - wanted);
    }
  }

  /// Adds what tokens give to keys; each thread has some elements of all keys.
  void add_keys(const std::vector<Token>& tokens, std::vector<float>& sums) const {
    constexpr std::int64_t kPart = 16;
    parallel_for((depth_ + kPart - 1) / kPart, 1, [&](std::int64_t begin, std::int64_t end) {
      const std::int64_t from = begin * kPart;
      const std::int64_t to = std::min(end * kPart, depth_);
      for (const Token& token : tokens) {
        const std::int64_t all = std::int64_t(token.columns.size());
        for (std::int64_t n = 0; n < task_.heads(); ++n) {
          const float* query = token.queries.data() + n * depth_;
          for (std::int64_t j = 0; j < all; ++j) {
            const float gradient = token.products[std::size_t(n * all + j)];
            if (gradient == 0) continue;
            float* sum = sums.data() + token.columns[std::size_t(j)] * depth_;
            for (std::int64_t k = from; k < to; ++k) sum[k] += gradient * query[k];
          }
        }
      }
    });
  }

  const IndexerGradient& task_;
  const KernelMemory& memory_;
  RowReader query_;
  RowReader key_;
  RowView weights_;
  RowView query_out_;
  RowView key_out_;
  RowView weights_out_;
  std::int64_t depth_;
  std::optional<BatchedView> indices_;
  std::optional<BatchedView> given_;
  std::optional<BatchedView> softmax_;
  std::optional<RowReader> main_query_;
  std::optional<RowReader> main_key_;
  std::optional<RowView> largest_;
  std::optional<RowView> total_;
  std::optional<RowView> index_largest_;
  std::optional<RowView> index_total_;
};

/// Statistics of [batch, heads, rows, group], or [heads, tokens, group], where heads are
/// heads * group; without the last axis they are of one head in a group.
View statistics_by_heads(const View& view, bool is_packed, bool has_group) {
  View result = view;
  const std::size_t first = is_packed ? 0 : 1;
  const std::int64_t heads = view.shape[first];
  const std::int64_t group = has_group ? view.shape[first + 2] : 1;
  // One of both is 1, so that their product has one stride.
  const std::int64_t step = group > 1 ? view.strides[first + 2] : view.strides[first];
  result.shape = {is_packed ? 1 : view.shape[0], heads * group, view.shape[first + 1], 1};
  result.strides = {is_packed ? 0 : view.strides[0], step, view.strides[first + 1], 0};
  return result;
}

AttentionRows rows_by_heads(Plan& plan, const TensorArgument& tensor, const std::string& layout) {
  return AttentionRows::of(by_heads(plan.reads(tensor), layout, 1));
}

/// Tensors of an indexer and its gradients, which all these operators have.
struct IndexerTensors {
  const TensorArgument& query;
  const TensorArgument& key;
  const TensorArgument& weights;
  const TensorArgument& query_out;
  const TensorArgument& key_out;
  const TensorArgument& weights_out;
};

IndexerGradient gradient_of(Plan& plan, const IndexerTensors& of, const std::string& layout,
                            const SequenceCut& cut) {
  return {rows_by_heads(plan, of.query, layout),
          rows_by_heads(plan, of.key, layout),
          numbers_by_heads(plan.reads(of.weights), layout),
          {},
          {},
          {},
          by_heads(plan.writes(of.query_out), layout, 1),
          by_heads(plan.writes(of.key_out), layout, 1),
          numbers_by_heads(plan.writes(of.weights_out), layout),
          cut,
          {},
          {}};
}

/// Layout, ranks, and the shapes of what belongs together; how tokens make sequences.
SequenceCut check_tensors(Plan& plan, const IndexerTensors& of, const std::string& layout,
                          std::int64_t batch, bool is_causal) {
  check_tiling(plan, layout == "BSND" || layout == "TND", "layout is %s, it must be BSND or TND",
               layout.c_str());
  const bool is_packed = layout == "TND";
  const std::size_t rank = is_packed ? 3 : 4;
  check_rank(plan, of.query, rank);
  check_rank(plan, of.key, rank);
  const Dims& rows = of.query.shape();
  const Dims& columns = of.key.shape();
  check_tiling(plan, !of.query.is_empty() && !of.key.is_empty(), "%s or %s is empty",
               of.query.name(), of.key.name());
  check_tiling(plan, rows[rank - 1] == kIndexDepth && columns[rank - 1] == kIndexDepth,
               "%s has shape %s and %s has %s, their last extent must be 128", of.query.name(),
               rows.text().c_str(), of.key.name(), columns.text().c_str());
  check_tiling(plan, columns[rank - 2] == 1 && rows[rank - 2] <= 64,
               "%s has shape %s and %s has %s, they must have up to 64 heads and one",
               of.query.name(), rows.text().c_str(), of.key.name(), columns.text().c_str());
  check_tiling(plan, is_packed || rows[0] == columns[0], "%s has shape %s, %s has %s",
               of.query.name(), rows.text().c_str(), of.key.name(), columns.text().c_str());
  check_tiling(plan, !is_packed || batch > 0, "there is no sequence");
  check_shape(plan, of.weights, Dims(rows.begin(), rank - 1));
  check_shape(plan, of.query_out, rows);
  check_shape(plan, of.key_out, columns);
  check_shape(plan, of.weights_out, of.weights.shape());
  return {is_packed ? batch : rows[0],
          rows[rank - 3],
          columns[rank - 3],
          is_packed,
          is_packed,
          is_causal};
}

/// What both losses take of attention.
struct KlCall {
  const IndexerTensors& indexer;
  const TensorArgument& query;
  const TensorArgument& key;
  const TensorArgument& query_rope;
  const TensorArgument& key_rope;
  const TensorArgument& largest;
  const TensorArgument& total;
  const IntArrayIn& row_lengths;
  const IntArrayIn& column_lengths;
  double scale;
  const std::string& layout;
  std::int64_t mode;
  const TensorArgument& loss;
  std::int64_t depth;  // of attention's heads
  bool shares_keys;    // all heads have one
  const TensorArgument* indices;
  const TensorArgument* index_largest;
  const TensorArgument* index_total;
};

void plan_loss(const Check& check, Plan& plan, const KlCall& call) {
  const IndexerTensors& of = call.indexer;
  check.dtype_in(DtypeSet{ACL_FLOAT16, ACL_BF16}, call.query);
  check.same_dtype(call.query, call.key, of.query, of.key, of.query_out, of.key_out);
  if (of.weights.dtype() != ACL_FLOAT) check.same_dtype(call.query, of.weights);
  check.same_dtype(of.weights, of.weights_out);
  check.dtype_in(DtypeSet{ACL_FLOAT}, call.largest, call.total, call.loss);
  check_tiling(plan, call.mode == kCausal, "sparseMode is %lld, it must be 3", ll(call.mode));
  std::vector<std::int64_t> lengths[2];
  const IntArrayIn* arrays[] = {&call.row_lengths, &call.column_lengths};
  const bool is_packed = call.layout == "TND";
  for (std::size_t i = 0; i < 2; ++i) {
    check_tiling(plan, !is_packed || arrays[i]->given(), "TND needs %s", arrays[i]->name());
    if (arrays[i]->given()) lengths[i] = arrays[i]->values();
  }
  const SequenceCut cut =
      check_tensors(plan, of, call.layout, std::int64_t(lengths[0].size()), true);
  for (const std::vector<std::int64_t>& each : lengths)
    check_tiling(plan, (each.empty() && !is_packed) || std::int64_t(each.size()) == cut.batch,
                 "%zu lengths for %lld sequences", each.size(), ll(cut.batch));
  const std::size_t rank = is_packed ? 3 : 4;
  check_rank(plan, call.query, rank);
  const std::int64_t heads = call.query.shape()[rank - 2];
  const std::int64_t key_heads = call.shares_keys ? 1 : heads;
  check_tiling(plan, heads == 32 || heads == 64 || heads == 128,
               "query has %lld heads, it must have 32, 64 or 128", ll(heads));
  const std::int64_t index_heads = of.query.shape()[rank - 2];
  check_tiling(plan,
               index_heads == 8 || index_heads == 16 || index_heads == 32 || index_heads == 64,
               "%s has %lld heads, it must have 8, 16, 32 or 64", of.query.name(), ll(index_heads));
  const auto tokens = [&](std::int64_t count, std::int64_t n, std::int64_t depth) {
    return is_packed ? Dims{count, n, depth} : Dims{cut.batch, count, n, depth};
  };
  check_shape(plan, call.query, tokens(cut.rows, heads, call.depth));
  check_shape(plan, call.key, tokens(cut.columns, key_heads, call.depth));
  check_tiling(plan, call.query_rope.given() == call.key_rope.given(),
               "queryRope and keyRope must be given both or not at all");
  check_tiling(plan, call.query_rope.given() || !call.shares_keys, "queryRope is null");
  constexpr std::int64_t kRope = 64;
  if (call.query_rope.given()) {
    check.same_dtype(call.query, call.query_rope, call.key_rope);
    check_shape(plan, call.query_rope, tokens(cut.rows, heads, kRope));
    check_shape(plan, call.key_rope, tokens(cut.columns, key_heads, kRope));
  }
  const std::int64_t group = heads / key_heads;
  const Dims statistics =
      is_packed ? Dims{key_heads, cut.rows, group} : Dims{cut.batch, key_heads, cut.rows, group};
  check_shape(plan, call.largest, statistics);
  check_shape(plan, call.total, statistics);
  check_shape(plan, call.loss, {1});

  IndexerGradient task = gradient_of(plan, of, call.layout, cut);
  KlLoss loss{rows_by_heads(plan, call.query, call.layout),
              rows_by_heads(plan, call.key, call.layout),
              statistics_by_heads(plan.reads(call.largest), is_packed, true),
              statistics_by_heads(plan.reads(call.total), is_packed, true),
              {},
              {},
              float(call.scale),
              plan.writes(call.loss)};
  if (call.query_rope.given()) {
    loss.query.rope = by_heads(plan.reads(call.query_rope), call.layout, 1);
    loss.key.rope = by_heads(plan.reads(call.key_rope), call.layout, 1);
  }
  if (call.index_largest != nullptr) {
    check.dtype_in(DtypeSet{ACL_FLOAT}, *call.index_largest, *call.index_total);
    const Dims single = is_packed ? Dims{1, cut.rows} : Dims{cut.batch, 1, cut.rows};
    check_shape(plan, *call.index_largest, single);
    check_shape(plan, *call.index_total, single);
    loss.index_largest = statistics_by_heads(plan.reads(*call.index_largest), is_packed, false);
    loss.index_total = statistics_by_heads(plan.reads(*call.index_total), is_packed, false);
  }
  if (call.indices != nullptr) {
    check.dtype_in(DtypeSet{ACL_INT32}, *call.indices);
    check_rank(plan, *call.indices, rank);
    const std::int64_t count = call.indices->shape()[rank - 1];
    check_tiling(plan, count > 0 && count <= 8192 && count % 1024 == 0,
                 "sparseIndices has %lld columns, a multiple of 1024 up to 8192 is allowed",
                 ll(count));
    check_shape(plan, *call.indices, tokens(cut.rows, 1, count));
    check_tiling(plan, cut.rows <= cut.columns, "%lld queries are more than %lld keys",
                 ll(cut.rows), ll(cut.columns));
    task.indices = plan.reads(*call.indices);
  }
  task.loss = loss;
  plan.launch([task, sequences = cut.sequences(lengths[0], lengths[1])](
                  const KernelMemory& memory) { Gradients(task, memory).run(sequences); });
}

}  // namespace

void lightning_indexer_grad(const Check&, Plan& plan, const LightningIndexerGradParameters& given) {
  needs_kernel(plan, on_a2_or_a3());
  const IndexerTensors of{given.query, given.key,   given.weights,
                          given.dqOut, given.dkOut, given.dweightsOut};
  const std::string layout = layout_of(given.inputLayout);
  const bool is_packed = layout == "TND";
  const TensorArgument& rows = given.actualSeqQLenOptional;
  const TensorArgument& columns = given.actualSeqKvLenOptional;
  check_tiling(plan, !is_packed || (rows.given() && columns.given()), "TND needs lengths");
  const bool is_causal = given.sparseMode == kCausal;
  const SequenceCut cut =
      check_tensors(plan, of, layout, is_packed ? rows.elements() : 0, is_causal);
  check_tiling(plan, is_causal || given.sparseMode == 0, "sparseMode is %lld, it must be 0 or 3",
               ll(given.sparseMode));
  const Dims& indices = given.sparseIndices.shape();
  const std::size_t rank = indices.size();
  const std::int64_t count = rank == 0 ? 0 : indices[rank - 1];
  check_tiling(plan, count > 0 && count <= 2048, "%lld indices a token, 1 to 2048 are allowed",
               ll(count));
  check_type(plan, given.sparseIndices, DtypeSet{ACL_INT32});
  // With the axis of one head or without.
  const std::int64_t tokens =
      given.query.elements() / given.query.shape()[given.query.rank() - 2] / kIndexDepth;
  for (const TensorArgument* tensor : {&given.sparseIndices, &given.dy})
    check_tiling(plan,
                 tensor->rank() > 1 && tensor->shape()[tensor->rank() - 1] == count &&
                     tensor->elements() == tokens * count,
                 "%s has shape %s, it must have %lld numbers for each of %lld tokens",
                 tensor->name(), tensor->shape().text().c_str(), ll(count), ll(tokens));
  std::optional<View> lengths[2];
  if (is_packed) {
    check_shape(plan, columns, rows.shape());
    for (const TensorArgument* tensor : {&rows, &columns})
      check_type(plan, *tensor, DtypeSet{ACL_INT32});
    lengths[0] = plan.reads(rows);
    lengths[1] = plan.reads(columns);
  }
  IndexerGradient task = gradient_of(plan, of, layout, cut);
  task.indices = plan.reads(given.sparseIndices);
  task.given = plan.reads(given.dy);
  for (const TensorArgument* tensor :
       {&given.query, &given.key, &given.dy, &given.sparseIndices, &given.weights})
    plan.stage(*tensor).contiguous();
  plan.result(given.query.dtype(), given.query.shape()).copy_to(given.dqOut);
  plan.result(given.key.dtype(), given.key.shape()).copy_to(given.dkOut);
  plan.result(given.weights.dtype(), given.weights.shape()).copy_to(given.dweightsOut);
  plan.launch([=](const KernelMemory& memory) {
    std::vector<std::int64_t> numbers[2];
    for (std::size_t i = 0; i < 2; ++i)
      if (lengths[i].has_value()) numbers[i] = integers_of(*lengths[i], memory);
    Gradients(task, memory).run(task.cut.sequences(numbers[0], numbers[1]));
  });
}

void dense_lightning_indexer_grad_kl_loss(const Check& check, Plan& plan,
                                          const DenseLightningIndexerGradKLLossParameters& given) {
  needs_kernel(plan, on_a2_or_a3());
  const IndexerTensors of{given.queryIndex,  given.keyIndex,  given.weights,
                          given.dQueryIndex, given.dKeyIndex, given.dWeights};
  plan_loss(check, plan,
            {of, given.query, given.key, given.queryRope, given.keyRope, given.softmaxMax,
             given.softmaxSum, given.actualSeqLengthsQuery, given.actualSeqLengthsKey,
             given.scaleValue, layout_of(given.layout), given.sparseMode, given.loss, kIndexDepth,
             false, nullptr, &given.softmaxMaxIndex, &given.softmaxSumIndex});
}

void sparse_lightning_indexer_grad_kl_loss(
    const Check& check, Plan& plan, const SparseLightningIndexerGradKLLossParameters& given) {
  needs_kernel(plan, on_a2_or_a3() || on_950());
  const IndexerTensors of{given.queryIndex,  given.keyIndex,  given.weights,
                          given.dQueryIndex, given.dKeyIndex, given.dWeights};
  constexpr std::int64_t kLatent = 512;
  plan_loss(check, plan,
            {of, given.query, given.key, given.queryRope, given.keyRope, given.softmaxMax,
             given.softmaxSum, given.actualSeqLengthsQuery, given.actualSeqLengthsKey,
             given.scaleValue, layout_of(given.layout), given.sparseMode, given.loss, kLatent, true,
             &given.sparseIndices, nullptr, nullptr});
}

void sparse_lightning_indexer_kl_loss_grad(
    const Check& check, Plan& plan, const SparseLightningIndexerKLLossGradParameters& given) {
  needs_kernel(plan, on_a2_or_a3());
  check.dtype_in(DtypeSet{ACL_FLOAT16, ACL_BF16}, given.q);
  check.same_dtype(given.q, given.k, given.dq, given.dk);
  check.dtype_in(DtypeSet{ACL_FLOAT}, given.w, given.dw, given.attnSoftmaxL1Norm, given.softmaxOut);
  check.dtype_in(DtypeSet{ACL_INT32}, given.sparseIndices);
  const TensorArgument* numbers[] = {&given.cuSeqLensQOptional,   &given.cuSeqLensKOptional,
                                     &given.cmpResidualKOptional, &given.seqUsedQOptional,
                                     &given.seqUsedKOptional,     &given.metadataOptional};
  for (const TensorArgument* tensor : numbers)
    if (tensor->given()) check.dtype_in(DtypeSet{ACL_INT32}, *tensor);
  check_tiling(plan, given.maskMode == 0 || given.maskMode == kCausal,
               "maskMode is %lld, it must be 0 or 3", ll(given.maskMode));
  check_tiling(plan, given.cmpRatio > 0 && given.cmpRatio <= 128,
               "cmpRatio is %lld, it must be 1 to 128", ll(given.cmpRatio));
  const std::string layout = layout_of(given.layoutQ);
  check_tiling(plan, layout == layout_of(given.layoutK), "layoutQ is %s, layoutK is not",
               layout.c_str());
  const bool is_packed = layout == "TND";
  check_tiling(plan, !is_packed || (numbers[0]->given() && numbers[1]->given()),
               "TND needs cuSeqLensQ and cuSeqLensK");
  const IndexerTensors of{given.q, given.k, given.w, given.dq, given.dk, given.dw};
  const std::int64_t sequences = is_packed ? numbers[0]->elements() - 1 : 0;
  const SequenceCut cut = check_tensors(plan, of, layout, sequences, given.maskMode == kCausal);
  const std::size_t rank = given.q.rank();
  const std::int64_t heads = given.q.shape()[rank - 2];
  check_tiling(plan, heads >= 8 && (heads & (heads - 1)) == 0,
               "q has %lld heads, it must have 8, 16, 32 or 64", ll(heads));
  check_rank(plan, given.sparseIndices, rank);
  const std::int64_t count = given.sparseIndices.shape()[rank - 1];
  check_tiling(plan, count == 512 || (count > 0 && count <= 8192 && count % 1024 == 0),
               "sparseIndices has %lld columns, 512 or a multiple of 1024 up to 8192 is allowed",
               ll(count));
  Dims chosen = given.q.shape();
  chosen.set(rank - 2, 1);
  chosen.set(rank - 1, count);
  for (const TensorArgument* tensor :
       {&given.sparseIndices, &given.attnSoftmaxL1Norm, &given.softmaxOut})
    check_shape(plan, *tensor, chosen);
  std::optional<View> lengths[3];
  for (std::size_t i = is_packed ? 0 : 2; i < 3; ++i) {
    if (!numbers[i]->given()) continue;
    check_shape(plan, *numbers[i], {cut.batch + (i < 2 ? 1 : 0)});
    lengths[i] = plan.reads(*numbers[i]);
  }
  IndexerGradient task = gradient_of(plan, of, layout, cut);
  task.indices = plan.reads(given.sparseIndices);
  task.target = plan.reads(given.attnSoftmaxL1Norm);
  task.softmax = plan.writes(given.softmaxOut);
  plan.launch([=, ratio = given.cmpRatio](const KernelMemory& memory) {
    std::vector<std::int64_t> read[3];
    for (std::size_t i = 0; i < 3; ++i)
      if (lengths[i].has_value()) read[i] = integers_of(*lengths[i], memory);
    for (std::size_t i = 0; i < 2; ++i)
      if (!read[i].empty()) read[i].erase(read[i].begin());
    Gradients(task, memory).run(task.cut.sequences(read[0], read[1], {ratio, read[2]}));
  });
}

}  // namespace pyaclnn::sim
