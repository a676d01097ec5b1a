// Attention over two axes: query (n, m) meets key1 (n, k) + key2 (k, m), and takes value1 (n, k) +
// value2 (k, m).
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/attention/attention.hpp"
#include "opapi/attention/rows.hpp"
#include "opapi/attention/scores.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "parameters/FusedFloydAttention.hpp"
#include "parameters/FusedFloydAttentionGrad.hpp"

namespace pyaclnn::sim {
namespace {

const DtypeSet kHalves{ACL_FLOAT16, ACL_BF16};

/// B, H, N, M, K and D of the operands.
struct Extents {
  std::int64_t batch;
  std::int64_t heads;
  std::int64_t rows;     // n
  std::int64_t queries;  // m, of each row
  std::int64_t keys;
  std::int64_t depth;
};

/// A tensor of five axes, of which a pair (batch, n) or (batch, m) is looked at.
View at(const View& view, std::int64_t first, std::size_t axis, std::int64_t index) {
  View part = view;
  part.offset += first * view.strides[0] + index * view.strides[axis];
  return part;
}

View with_axes(View view, const Dims& shape, const Dims& strides) {
  view.shape = shape;
  view.strides = strides;
  return view;
}

/// The queries of row (b, n) as m sequences of one row: [m, heads, 1, depth].
View queries_of(const View& view, std::int64_t b, std::int64_t n) {
  const Dims& shape = view.shape;
  const Dims& steps = view.strides;
  return with_axes(at(view, b, 2, n), {shape[3], shape[1], 1, shape[4]},
                   {steps[3], steps[1], 0, steps[4]});
}

/// Keys (n, k), which all m share.
View shared_of(const View& view, std::int64_t b, std::int64_t n, std::int64_t queries) {
  const Dims& shape = view.shape;
  const Dims& steps = view.strides;
  return with_axes(at(view, b, 2, n), {queries, shape[1], shape[3], shape[4]},
                   {0, steps[1], steps[3], steps[4]});
}

/// Keys (k, m).
View own_of(const View& view, std::int64_t b) {
  const Dims& shape = view.shape;
  const Dims& steps = view.strides;
  return with_axes(at(view, b, 2, 0), {shape[3], shape[1], shape[2], shape[4]},
                   {steps[3], steps[1], steps[2], steps[4]});
}

/// What forward and backward have in common, as views of five axes.
struct Floyd {
  Extents extents;
  View query;
  View key1;
  View value1;
  View key2;
  View value2;
  View maximum;
  View sum;
  View out;
  std::optional<View> mask;
  float scale;

  /// The attention of row (b, n), which shares its keys but for those of m.
  Attention row(std::int64_t b, std::int64_t n) const {
    Attention attention;
    attention.query.view = queries_of(query, b, n);
    attention.key.view = shared_of(key1, b, n, extents.queries);
    attention.key.added = own_of(key2, b);
    attention.value.view = shared_of(value1, b, n, extents.queries);
    attention.value.added = own_of(value2, b);
    attention.out = queries_of(out, b, n);
    attention.maximum = {queries_of(maximum, b, n)};
    attention.sum = {queries_of(sum, b, n)};
    attention.scale = scale;
    if (mask.has_value()) {
      attention.mask =
          with_axes(at(*mask, b, 2, n), {extents.queries, extents.heads, 1, extents.keys},
                    {0, 0, 0, mask->strides[4]});
    }
    AttentionSequence sequence;
    sequence.rows = 1;
    sequence.columns = extents.keys;
    for (std::int64_t m = 0; m < extents.queries; ++m) {
      sequence.query_batch = sequence.key_batch = m;
      attention.sequences.push_back(sequence);
    }
    return attention;
  }
};

Dims statistics_shape(const Extents& e) { return {e.batch, e.heads, e.rows, e.queries, 8}; }

Extents check_extents(const Plan& plan, const TensorArgument& query, const TensorArgument& key1,
                      const TensorArgument& value1, const TensorArgument& key2,
                      const TensorArgument& value2, const TensorArgument& mask) {
  check_kernel_exists(plan, on_a2_or_a3());
  for (const TensorArgument* tensor : {&query, &key1, &value1, &key2, &value2})
    check_tiling(plan, tensor->rank() == 5 && !tensor->is_empty(), "%s has shape %s",
                 tensor->name(), tensor->shape().text().c_str());
  const Dims& q = query.shape();
  const Extents e{q[0], q[1], q[2], q[3], key1.shape()[3], q[4]};
  const Dims first{e.batch, e.heads, e.rows, e.keys, e.depth};
  const Dims second{e.batch, e.heads, e.keys, e.queries, e.depth};
  check_tiling(plan, key1.shape() == first && value1.shape() == first,
               "key1 and value1 have shapes %s and %s, they must be %s",
               key1.shape().text().c_str(), value1.shape().text().c_str(), first.text().c_str());
  check_tiling(plan, key2.shape() == second && value2.shape() == second,
               "key2 and value2 have shapes %s and %s, they must be %s",
               key2.shape().text().c_str(), value2.shape().text().c_str(), second.text().c_str());
  constexpr std::int64_t kRows = 16;
  constexpr std::int64_t kUnit = 128;
  check_tiling(plan, e.rows % kRows == 0 && e.queries % kUnit == 0 && e.keys % kUnit == 0,
               "query has shape %s, key1 %s: N must be a multiple of 16, M and K of 128",
               q.text().c_str(), key1.shape().text().c_str());
  check_tiling(plan, e.depth == 32 || e.depth == 64 || e.depth == 128,
               "heads have %lld values, they must have 32, 64 or 128",
               static_cast<long long>(e.depth));
  const Dims pairs{e.batch, 1, e.rows, 1, e.keys};
  check_tiling(plan, !mask.given() || mask.shape() == pairs, "attenMask must have shape %s",
               pairs.text().c_str());
  return e;
}

/// Reads operands in their order: query, key1, value1, key2, value2.
Floyd staged(const Check& check, Plan& plan, const Extents& extents, double scale,
             const TensorArgument& mask, std::initializer_list<const TensorArgument*> operands) {
  Floyd floyd;
  floyd.extents = extents;
  floyd.scale = static_cast<float>(scale);
  View* const views[] = {&floyd.query, &floyd.key1, &floyd.value1, &floyd.key2, &floyd.value2};
  std::size_t i = 0;
  for (const TensorArgument* operand : operands) {
    plan.stage(*operand).contiguous();
    *views[i++] = plan.reads(*operand);
  }
  if (mask.given()) {
    check.dtype_in(DtypeSet{ACL_BOOL, ACL_UINT8}, mask);
    plan.stage(mask).contiguous();
    floyd.mask = plan.reads(mask);
  }
  return floyd;
}

/// The gradients of one head of a sample.
class FloydGradients {
 public:
  struct Outputs {
    View query;
    View key1;
    View value1;
    View key2;
    View value2;
    View grad;  // what is given, of out
  };

  FloydGradients(const Floyd& floyd, const Outputs& outputs, const KernelMemory& memory)
      : floyd_(floyd), outputs_(outputs), memory_(memory) {}

  void run(std::int64_t b, std::int64_t head) const {
    const Extents& e = floyd_.extents;
    std::vector<float> own_keys(std::size_t(e.keys * e.queries * e.depth));  // [m, k, depth]
    std::vector<float> own_values(own_keys.size());
    for (std::int64_t n = 0; n < e.rows; ++n) add_row(b, head, n, own_keys, own_values);
    const RowView keys(own_of(outputs_.key2, b));
    const RowView values(own_of(outputs_.value2, b));
    for (std::int64_t i = 0; i < e.queries * e.keys; ++i) {
      const std::int64_t m = i / e.keys;
      scaled_store(keys, m, head, i % e.keys, own_keys.data() + i * e.depth, floyd_.scale);
      scaled_store(values, m, head, i % e.keys, own_values.data() + i * e.depth, 1.0f);
    }
  }

 private:
  void scaled_store(const RowView& rows, std::int64_t batch, std::int64_t head, std::int64_t row,
                    float* from, float scale) const {
    loops_.scale(from, floyd_.extents.depth, scale);
    rows.store(memory_, batch, head, row, from, floyd_.extents.depth);
  }

  static void add(float* to, const float* from, float factor, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) to[i] += factor * from[i];
  }

  void add_row(std::int64_t b, std::int64_t head, std::int64_t n, std::vector<float>& own_keys,
               std::vector<float>& own_values) const {
    const Extents& e = floyd_.extents;
    const Attention attention = floyd_.row(b, n);
    const RowReader key(attention.key);
    const RowReader value(attention.value);
    const RowView query(attention.query.view);
    const RowView out(attention.out);
    const RowView grad(queries_of(outputs_.grad, b, n));
    const StatisticRows maximum(*attention.maximum);
    const StatisticRows sum(*attention.sum);
    const Scores scores(attention);
    const RowView query_grads(queries_of(outputs_.query, b, n));
    const auto depth = std::size_t(e.depth);
    const auto keys = std::size_t(e.keys);
    std::vector<float> q(depth), dy(depth), y(depth), dq(depth);
    std::vector<float> k(keys * depth), v(keys * depth), p(keys), ds(keys), scratch(keys);
    std::vector<float> shared_keys(keys * depth), shared_values(keys * depth);
    for (std::int64_t m = 0; m < e.queries; ++m) {
      const AttentionSequence& sequence = attention.sequences[std::size_t(m)];
      query.load(memory_, m, head, 0, 0, e.depth, q.data());
      grad.load(memory_, m, head, 0, 0, e.depth, dy.data());
      out.load(memory_, m, head, 0, 0, e.depth, y.data());
      float shared = 0;
      loops_.dot(y.data(), dy.data(), e.depth, &shared);
      const FloatRows ks = key.some(memory_, m, m, head, 0, e.keys, k.data());
      const FloatRows vs = value.some(memory_, m, m, head, 0, e.keys, v.data());
      for (std::int64_t j = 0; j < e.keys; ++j) {
        loops_.dot(q.data(), ks.data + j * ks.step, e.depth, &p[std::size_t(j)]);
        loops_.dot(dy.data(), vs.data + j * vs.step, e.depth, &ds[std::size_t(j)]);
      }
      scores.finish(memory_, m, head, 0, 0, e.keys, p.data(), scratch.data());
      float ignored = 0;
      loops_.powers(p.data(), e.keys, maximum.load(memory_, sequence, head, 0), &ignored);
      loops_.scale(p.data(), e.keys, 1.0f / sum.load(memory_, sequence, head, 0));
      loops_.slopes(p.data(), ds.data(), shared, e.keys, ds.data());
      std::fill(dq.begin(), dq.end(), 0.0f);
      for (std::size_t j = 0; j < keys; ++j) {
        const std::size_t own = (std::size_t(m) * keys + j) * depth;
        add(dq.data(), ks.data + std::int64_t(j) * ks.step, ds[j], e.depth);
        add(shared_keys.data() + j * depth, q.data(), ds[j], e.depth);
        add(shared_values.data() + j * depth, dy.data(), p[j], e.depth);
        add(own_keys.data() + own, q.data(), ds[j], e.depth);
        add(own_values.data() + own, dy.data(), p[j], e.depth);
      }
      scaled_store(query_grads, m, head, 0, dq.data(), floyd_.scale);
    }
    const RowView key_grads(shared_of(outputs_.key1, b, n, 1));
    const RowView value_grads(shared_of(outputs_.value1, b, n, 1));
    for (std::int64_t j = 0; j < e.keys; ++j) {
      scaled_store(key_grads, 0, head, j, shared_keys.data() + j * e.depth, floyd_.scale);
      scaled_store(value_grads, 0, head, j, shared_values.data() + j * e.depth, 1.0f);
    }
  }

  const Floyd& floyd_;
  const Outputs& outputs_;
  const KernelMemory& memory_;
  const LineLoops& loops_ = LineLoops::of_this_cpu();
};

View written(Plan& plan, aclDataType dtype, const Dims& shape, const TensorArgument& out) {
  plan.result(dtype, shape).copy_to(out);
  return plan.writes(out);
}

}  // namespace

void fused_floyd_attention(const Check& check, Plan& plan,
                           const FusedFloydAttentionParameters& given) {
  const TensorArgument& query = given.query;
  check.dtype_in(kHalves, query);
  check.same_dtype(query, given.key1, given.value1, given.key2, given.value2,
                   given.attentionOutOut);
  const Extents extents = check_extents(plan, query, given.key1, given.value1, given.key2,
                                        given.value2, given.attenMaskOptional);
  Floyd floyd = staged(check, plan, extents, given.scaleValueOptional, given.attenMaskOptional,
                       {&query, &given.key1, &given.value1, &given.key2, &given.value2});
  const Dims statistics = statistics_shape(extents);
  floyd.maximum = written(plan, ACL_FLOAT, statistics, given.softmaxMaxOut);
  floyd.sum = written(plan, ACL_FLOAT, statistics, given.softmaxSumOut);
  floyd.out = written(plan, query.dtype(), query.shape(), given.attentionOutOut);
  plan.launch([floyd](const KernelMemory& memory) {
    for (std::int64_t i = 0; i < floyd.extents.batch * floyd.extents.rows; ++i)
      run_attention(floyd.row(i / floyd.extents.rows, i % floyd.extents.rows), memory);
  });
}

void fused_floyd_attention_grad(const Check& check, Plan& plan,
                                const FusedFloydAttentionGradParameters& given) {
  const TensorArgument& query = given.query;
  check.dtype_in(kHalves, query);
  check.same_dtype(query, given.key1, given.value1, given.key2, given.value2, given.dy,
                   given.attentionIn, given.dqOut, given.dk1Out, given.dv1Out, given.dk2Out,
                   given.dv2Out);
  check.dtype_in(DtypeSet{ACL_FLOAT}, given.softmaxMax, given.softmaxSum);
  const Extents extents = check_extents(plan, query, given.key1, given.value1, given.key2,
                                        given.value2, given.attenMaskOptional);
  Floyd floyd = staged(check, plan, extents, given.scaleValue, given.attenMaskOptional,
                       {&query, &given.key1, &given.value1, &given.key2, &given.value2});
  const Dims statistics = statistics_shape(extents);
  check_tiling(plan,
               given.softmaxMax.shape() == statistics && given.softmaxSum.shape() == statistics,
               "softmaxMax and softmaxSum must have shape %s", statistics.text().c_str());
  check_tiling(plan,
               given.dy.shape() == query.shape() && given.attentionIn.shape() == query.shape(),
               "dy and attentionIn must have the shape of query");
  FloydGradients::Outputs outputs;
  const std::pair<View*, const TensorArgument*> saved[] = {{&floyd.maximum, &given.softmaxMax},
                                                           {&floyd.sum, &given.softmaxSum},
                                                           {&floyd.out, &given.attentionIn},
                                                           {&outputs.grad, &given.dy}};
  for (const auto& [view, tensor] : saved) {
    plan.stage(*tensor).contiguous();
    *view = plan.reads(*tensor);
  }
  const aclDataType dtype = query.dtype();
  outputs.query = written(plan, dtype, query.shape(), given.dqOut);
  outputs.key1 = written(plan, dtype, given.key1.shape(), given.dk1Out);
  outputs.value1 = written(plan, dtype, given.value1.shape(), given.dv1Out);
  outputs.key2 = written(plan, dtype, given.key2.shape(), given.dk2Out);
  outputs.value2 = written(plan, dtype, given.value2.shape(), given.dv2Out);
  plan.launch([floyd, outputs](const KernelMemory& memory) {
    const FloydGradients gradients(floyd, outputs, memory);
    const std::int64_t heads = floyd.extents.heads;
    parallel_for(floyd.extents.batch * heads, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t task = begin; task < end; ++task) gradients.run(task / heads, task % heads);
    });
  });
}

}  // namespace pyaclnn::sim
