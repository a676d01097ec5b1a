// Queries, keys and values of two sequences, normalised and turned on their way into one; and the
// gradient of that.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/attention/rotation.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/stored_rows.hpp"
#include "opapi/norm/one_row.hpp"
#include "parameters/NormRopeConcat.hpp"
#include "parameters/NormRopeConcatBackward.hpp"

namespace pyaclnn::sim {
namespace {

enum NormType : std::int64_t { kNone = 0, kLayer = 1, kLayerAffine = 2, kRms = 3, kRmsAffine = 4 };

constexpr std::int64_t kRows = 256;  // whose sums are one, so that they do not depend on threads

bool is_layer(std::int64_t type) { return type == kLayer || type == kLayerAffine; }

std::vector<float> row_of(const StoredRows& rows, const KernelMemory& memory) {
  if (!rows.given()) return {};
  std::vector<float> row(static_cast<std::size_t>(rows.length()));
  rows.load(memory, 0, row.data());
  return row;
}

/// Rows [batch, length, heads, depth] of one of the sequences.
struct Part {
  StoredRows rows;  // also the gradient to them
  std::int64_t length = 0;
  std::int64_t first = 0;  // of the whole
  std::int64_t type = kNone;
  StoredRows weight;
  StoredRows bias;
  StoredRows mean;  // [batch, length, heads, 1]
  StoredRows rstd;
  StoredRows grad_rows;
  StoredRows grad_weight;
  StoredRows grad_bias;
};

/// The whole, [batch, heads, length, depth], and the angles of its first rows.
struct PackedOperand {
  StoredRows rows;
  std::int64_t heads = 1;
  std::int64_t length = 0;
  std::int64_t depth = 0;
  std::int64_t mode = -1;  // none is turned
  StoredRows cos;
  StoredRows sin;
  float eps = 0;

  std::int64_t place(const Part& part, std::int64_t row) const {
    const std::int64_t head = row % heads;
    const std::int64_t at = row / heads % part.length;
    return (row / heads / part.length * heads + head) * length + part.first + at;
  }
  /// The angles of a row, or -1.
  std::int64_t angle(const Part& part, std::int64_t row) const {
    const std::int64_t at = part.first + row / heads % part.length;
    return mode >= 0 && at < cos.count() ? at : -1;
  }
};

void run_forward(const PackedOperand& whole, const Part& part, const KernelMemory& memory) {
  const std::int64_t depth = whole.depth;
  const OneRowNorm norm(depth, is_layer(part.type), whole.eps, row_of(part.weight, memory),
                        row_of(part.bias, memory));
  const Rotation rotation(depth, std::max<std::int64_t>(whole.mode, 0));
  parallel_for(part.rows.count(), 64, [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> buffer(std::size_t(4 * depth));
    float* x = buffer.data();
    float* cos = x + depth;
    float* sin = cos + depth;
    float* y = sin + depth;
    for (std::int64_t row = begin; row < end; ++row) {
      part.rows.load(memory, row, x);
      if (part.type != kNone) {
        const OneRowNorm::Statistic of = norm.normalise(x, x);
        const auto mean = float(of.mean);
        const auto rstd = float(of.rstd);
        if (part.mean.given()) part.mean.store(memory, row, &mean);
        if (part.rstd.given()) part.rstd.store(memory, row, &rstd);
      }
      const std::int64_t angle = whole.angle(part, row);
      if (angle >= 0) {
        whole.cos.load(memory, angle, cos);
        whole.sin.load(memory, angle, sin);
        rotation.turn(x, cos, sin, y);
      }
      whole.rows.store(memory, whole.place(part, row), angle >= 0 ? y : x);
    }
  });
}

void run_backward(const PackedOperand& whole, const Part& part, const KernelMemory& memory) {
  const std::int64_t depth = whole.depth;
  const OneRowNorm norm(depth, true, 0, row_of(part.weight, memory));
  const Rotation rotation(depth, std::max<std::int64_t>(whole.mode, 0));
  const std::int64_t count = part.grad_rows.count();
  const std::int64_t pieces = (count + kRows - 1) / kRows;
  std::vector<double> sums(std::size_t(pieces * 2 * depth), 0.0);
  parallel_for(pieces, 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> buffer(std::size_t(5 * depth));
    float* grad = buffer.data();
    float* cos = grad + depth;
    float* sin = cos + depth;
    float* back = sin + depth;
    float* x = back + depth;
    for (std::int64_t piece = begin; piece < end; ++piece) {
      double* of_piece = sums.data() + piece * 2 * depth;
      for (std::int64_t row = piece * kRows; row < std::min(count, (piece + 1) * kRows); ++row) {
        whole.rows.load(memory, whole.place(part, row), grad);
        const std::int64_t angle = whole.angle(part, row);
        if (angle >= 0) {
          whole.cos.load(memory, angle, cos);
          whole.sin.load(memory, angle, sin);
          rotation.turn_back(grad, cos, sin, back);
          std::copy_n(back, depth, grad);
        }
        if (part.type != kNone) {
          float mean = 0;
          float rstd = 0;
          part.rows.load(memory, row, x);
          part.mean.load(memory, row, &mean);
          part.rstd.load(memory, row, &rstd);
          norm.add_gradient(grad, x, {double(mean), double(rstd)}, back, of_piece,
                            of_piece + depth);
          std::copy_n(back, depth, grad);
        }
        part.grad_rows.store(memory, row, grad);
      }
    }
  });
  if (part.type != kLayerAffine) return;
  std::vector<double> all(std::size_t(2 * depth), 0.0);
  for (std::int64_t piece = 0; piece < pieces; ++piece)
    for (std::int64_t i = 0; i < 2 * depth; ++i)
      all[std::size_t(i)] += sums[std::size_t(piece * 2 * depth + i)];
  const std::vector<float> narrow(all.begin(), all.end());
  if (part.grad_weight.given()) part.grad_weight.store(memory, 0, narrow.data());
  if (part.grad_bias.given()) part.grad_bias.store(memory, 0, narrow.data() + depth);
}

/// What both directions ask of shapes: [batch, length, heads, depth] of all, and [depth] or
/// [positions, depth] of what goes with them.
class Shapes {
 public:
  Shapes(const Plan& plan, const TensorArgument& query) : plan_(plan), shape_(query.shape()) {
    check_tiling(plan, query.rank() == 4 && !query.is_empty(),
                 "%s has shape %s, it must have 4 dimensions", query.name(),
                 query.shape().text().c_str());
    check_tiling(plan, depth() % 2 == 0 && depth() <= 1024,
                 "heads have %lld values, an even number up to 1024 is allowed", ll(depth()));
  }

  std::int64_t heads() const { return shape_[2]; }
  std::int64_t depth() const { return shape_[3]; }

  /// How long a sequence is; none has no length.
  std::int64_t length(const TensorArgument& tensor) const {
    if (!tensor.given() || tensor.is_empty()) return 0;
    const std::int64_t found = tensor.rank() == 4 ? tensor.shape()[1] : 0;
    must_be(tensor, Dims{shape_[0], found, shape_[2], shape_[3]});
    return found;
  }
  void is_whole(const TensorArgument& tensor, std::int64_t length) const {
    must_be(tensor, Dims{shape_[0], shape_[2], length, shape_[3]});
  }
  void is_statistic(const TensorArgument& tensor, std::int64_t length) const {
    must_be(tensor, Dims{shape_[0], length, shape_[2], 1});
  }
  void is_parameter(const TensorArgument& tensor) const { must_be(tensor, Dims{shape_[3]}); }
  void must_be(const TensorArgument& tensor, const Dims& expected) const {
    check_tiling(plan_, tensor.given(), "%s is null", tensor.name());
    check_tiling(plan_, tensor.shape() == expected, "%s has shape %s, it must be %s", tensor.name(),
                 tensor.shape().text().c_str(), expected.text().c_str());
  }

 private:
  const Plan& plan_;
  Dims shape_;
};

void check_types(const Plan& plan, std::int64_t norm, std::int64_t added, std::int64_t rope,
                 std::int64_t order, std::int64_t most) {
  check_tiling(plan, norm >= 0 && norm <= most && added >= 0 && added <= most,
               "normType is %lld and normAddedType %lld, they must be from 0 to %lld", ll(norm),
               ll(added), ll(most));
  check_tiling(plan, rope >= 0 && rope <= 2 && (order == 0 || order == 1),
               "ropeType is %lld and concatOrder %lld, they must be 0 to 2 and 0 or 1", ll(rope),
               ll(order));
}

void check_dtypes(const Check& check, const TensorArgument& first,
                  std::initializer_list<const TensorArgument*> others) {
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16}, first);
  for (const TensorArgument* tensor : others)
    if (tensor->given()) check.same_dtype(first, *tensor);
}

void check_floats(const Check& check, std::initializer_list<const TensorArgument*> tensors) {
  for (const TensorArgument* tensor : tensors)
    if (tensor->given()) check.dtype_in(DtypeSet{ACL_FLOAT}, *tensor);
}

StoredRows reading(Plan& plan, const TensorArgument& tensor) {
  plan.stage(tensor).contiguous();
  return StoredRows(plan.reads(tensor));
}

StoredRows writing(Plan& plan, const TensorArgument& tensor) {
  plan.result(tensor.dtype(), tensor.shape()).copy_to(tensor);
  return StoredRows(plan.writes(tensor));
}

/// Angles, whose rows are those of the first positions.
void turn(Plan& plan, const Shapes& shapes, PackedOperand& whole, std::int64_t type,
          const TensorArgument& sin, const TensorArgument& cos, std::int64_t most) {
  if (type == 0) return;
  for (const TensorArgument* tensor : {&sin, &cos})
    check_tiling(plan, tensor->given() && tensor->rank() == 2 && !tensor->is_empty(),
                 "%s must be given, with 2 dimensions", tensor->name());
  shapes.must_be(sin, Dims{sin.shape()[0], shapes.depth()});
  shapes.must_be(cos, sin.shape());
  check_tiling(plan, sin.shape()[0] <= most, "ropeSin has %lld positions, at most %lld are allowed",
               ll(sin.shape()[0]), ll(most));
  whole.mode = type == 1 ? kNeighbours : kHalves;
  whole.cos = reading(plan, cos);
  whole.sin = reading(plan, sin);
}

PackedOperand whole_of(const Shapes& shapes, StoredRows rows, std::int64_t length, float eps) {
  PackedOperand whole;
  whole.rows = std::move(rows);
  whole.heads = shapes.heads();
  whole.length = length;
  whole.depth = shapes.depth();
  whole.eps = eps;
  return whole;
}

}  // namespace

void norm_rope_concat(const Check& check, Plan& plan, const NormRopeConcatParameters& given) {
  needs_kernel(plan, chip().has_bf16());
  check_dtypes(
      check, given.query,
      {&given.key, &given.value, &given.encoderQuery, &given.encoderKey, &given.encoderValue,
       &given.normQueryWeight, &given.normQueryBias, &given.normKeyWeight, &given.normKeyBias,
       &given.normAddedQueryWeight, &given.normAddedQueryBias, &given.normAddedKeyWeight,
       &given.normAddedKeyBias, &given.ropeSin, &given.ropeCos, &given.queryOutput,
       &given.keyOutput, &given.valueOutput});
  check_floats(check, {&given.normQueryMean, &given.normQueryRstd, &given.normKeyMean,
                       &given.normKeyRstd, &given.normAddedQueryMean, &given.normAddedQueryRstd,
                       &given.normAddedKeyMean, &given.normAddedKeyRstd});
  const Shapes shapes(plan, given.query);
  check_types(plan, given.normType, given.normAddedType, given.ropeType, given.concatOrder,
              kRmsAffine);
  struct Side {
    const TensorArgument& own;
    const TensorArgument& added;
    const TensorArgument& out;
    const TensorArgument *weight, *bias, *added_weight, *added_bias;
    const TensorArgument *mean, *rstd, *added_mean, *added_rstd;
  };
  const Side sides[] = {
      {given.query, given.encoderQuery, given.queryOutput, &given.normQueryWeight,
       &given.normQueryBias, &given.normAddedQueryWeight, &given.normAddedQueryBias,
       &given.normQueryMean, &given.normQueryRstd, &given.normAddedQueryMean,
       &given.normAddedQueryRstd},
      {given.key, given.encoderKey, given.keyOutput, &given.normKeyWeight, &given.normKeyBias,
       &given.normAddedKeyWeight, &given.normAddedKeyBias, &given.normKeyMean, &given.normKeyRstd,
       &given.normAddedKeyMean, &given.normAddedKeyRstd},
      {given.value, given.encoderValue, given.valueOutput, nullptr, nullptr, nullptr, nullptr,
       nullptr, nullptr, nullptr, nullptr}};
  check_tiling(plan,
               shapes.length(given.key) == shapes.length(given.value) &&
                   shapes.length(given.encoderKey) == shapes.length(given.encoderValue),
               "key has shape %s, value has %s", given.key.shape().text().c_str(),
               given.value.shape().text().c_str());
  const std::int64_t most = std::min(shapes.length(given.query) + shapes.length(given.encoderQuery),
                                     shapes.length(given.key) + shapes.length(given.encoderKey));
  for (const Side& side : sides) {
    const std::int64_t own = shapes.length(side.own);
    const std::int64_t added = shapes.length(side.added);
    shapes.is_whole(side.out, own + added);
    PackedOperand whole = whole_of(shapes, writing(plan, side.out), own + added, float(given.eps));
    if (side.weight != nullptr)
      turn(plan, shapes, whole, given.ropeType, given.ropeSin, given.ropeCos, most);
    const auto part = [&](const TensorArgument& rows, std::int64_t length, std::int64_t first,
                          std::int64_t type, const TensorArgument* weight,
                          const TensorArgument* bias, const TensorArgument* mean,
                          const TensorArgument* rstd) {
      if (length == 0) return;
      Part one;
      one.rows = reading(plan, rows);
      one.length = length;
      one.first = first;
      if (weight != nullptr) one.type = type;
      if (one.type == kLayerAffine || one.type == kRmsAffine) {
        shapes.is_parameter(*weight);
        one.weight = reading(plan, *weight);
      }
      if (one.type == kLayerAffine) {
        shapes.is_parameter(*bias);
        one.bias = reading(plan, *bias);
      }
      if (given.isTraining && is_layer(one.type)) {
        shapes.is_statistic(*mean, length);
        shapes.is_statistic(*rstd, length);
        one.mean = writing(plan, *mean);
        one.rstd = writing(plan, *rstd);
      }
      plan.launch([whole, one](const KernelMemory& memory) { run_forward(whole, one, memory); });
    };
    const bool is_behind = given.concatOrder == 1;
    part(side.own, own, is_behind ? added : 0, given.normType, side.weight, side.bias, side.mean,
         side.rstd);
    part(side.added, added, is_behind ? 0 : own, given.normAddedType, side.added_weight,
         side.added_bias, side.added_mean, side.added_rstd);
  }
}

void norm_rope_concat_backward(const Check& check, Plan& plan,
                               const NormRopeConcatBackwardParameters& given) {
  check_dtypes(check, given.gradQueryOutput,
               {&given.gradKeyOutput,
                &given.gradValueOutput,
                &given.query,
                &given.key,
                &given.encoderQuery,
                &given.encoderKey,
                &given.normQueryWeight,
                &given.normKeyWeight,
                &given.normAddedQueryWeight,
                &given.normAddedKeyWeight,
                &given.ropeSin,
                &given.ropeCos,
                &given.gradQuery,
                &given.gradKey,
                &given.gradValue,
                &given.gradEncoderQuery,
                &given.gradEncoderKey,
                &given.gradEncoderValue,
                &given.gradNormQueryWeight,
                &given.gradNormQueryBias,
                &given.gradNormKeyWeight,
                &given.gradNormKeyBias,
                &given.gradNormAddedQueryWeight,
                &given.gradNormAddedQueryBias,
                &given.gradNormAddedKeyWeight,
                &given.gradNormAddedKeyBias});
  check_floats(check, {&given.normQueryMean, &given.normQueryRstd, &given.normKeyMean,
                       &given.normKeyRstd, &given.normAddedQueryMean, &given.normAddedQueryRstd,
                       &given.normAddedKeyMean, &given.normAddedKeyRstd});
  needs_kernel(plan, chip().has_bf16());
  const Shapes shapes(plan, given.query);
  check_types(plan, given.normType, given.normAddedType, given.ropeType, given.concatOrder,
              kLayerAffine);
  struct Half {
    const TensorArgument& rows;  // without one the gradient is a part of the whole
    const TensorArgument& grad;
    const TensorArgument *weight, *mean, *rstd, *grad_weight, *grad_bias;
  };
  struct Side {
    const TensorArgument& whole;
    Half own;
    Half added;
  };
  const Side sides[] = {
      {given.gradQueryOutput,
       {given.query, given.gradQuery, &given.normQueryWeight, &given.normQueryMean,
        &given.normQueryRstd, &given.gradNormQueryWeight, &given.gradNormQueryBias},
       {given.encoderQuery, given.gradEncoderQuery, &given.normAddedQueryWeight,
        &given.normAddedQueryMean, &given.normAddedQueryRstd, &given.gradNormAddedQueryWeight,
        &given.gradNormAddedQueryBias}},
      {given.gradKeyOutput,
       {given.key, given.gradKey, &given.normKeyWeight, &given.normKeyMean, &given.normKeyRstd,
        &given.gradNormKeyWeight, &given.gradNormKeyBias},
       {given.encoderKey, given.gradEncoderKey, &given.normAddedKeyWeight, &given.normAddedKeyMean,
        &given.normAddedKeyRstd, &given.gradNormAddedKeyWeight, &given.gradNormAddedKeyBias}},
      {given.gradValueOutput,
       {given.key, given.gradValue, nullptr, nullptr, nullptr, nullptr, nullptr},
       {given.encoderKey, given.gradEncoderValue, nullptr, nullptr, nullptr, nullptr, nullptr}}};
  const std::int64_t most = std::min(shapes.length(given.query) + shapes.length(given.encoderQuery),
                                     shapes.length(given.key) + shapes.length(given.encoderKey));
  for (const Side& side : sides) {
    const std::int64_t own = shapes.length(side.own.rows);
    const std::int64_t added = shapes.length(side.added.rows);
    shapes.is_whole(side.whole, own + added);
    PackedOperand whole = whole_of(shapes, reading(plan, side.whole), own + added, 0);
    if (side.own.weight != nullptr)
      turn(plan, shapes, whole, given.ropeType, given.ropeSin, given.ropeCos, most);
    const auto part = [&](const Half& half, std::int64_t length, std::int64_t first,
                          std::int64_t type) {
      if (length == 0) return;
      shapes.must_be(half.grad, half.rows.shape());
      Part one;
      one.length = length;
      one.first = first;
      one.grad_rows = writing(plan, half.grad);
      if (half.weight != nullptr && type != kNone) {
        one.type = type;
        one.rows = reading(plan, half.rows);
        shapes.is_statistic(*half.mean, length);
        shapes.is_statistic(*half.rstd, length);
        one.mean = reading(plan, *half.mean);
        one.rstd = reading(plan, *half.rstd);
      }
      if (one.type == kLayerAffine) {
        shapes.is_parameter(*half.weight);
        one.weight = reading(plan, *half.weight);
        for (const TensorArgument* tensor : {half.grad_weight, half.grad_bias})
          shapes.is_parameter(*tensor);
        one.grad_weight = writing(plan, *half.grad_weight);
        one.grad_bias = writing(plan, *half.grad_bias);
      }
      plan.launch([whole, one](const KernelMemory& memory) { run_backward(whole, one, memory); });
    };
    const bool is_behind = given.concatOrder == 1;
    part(side.own, own, is_behind ? added : 0, given.normType);
    part(side.added, added, is_behind ? 0 : own, given.normAddedType);
  }
}

}  // namespace pyaclnn::sim
