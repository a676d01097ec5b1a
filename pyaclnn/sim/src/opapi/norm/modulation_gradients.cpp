// Gradients of sequences that are scaled and moved by numbers of their batch: plain, and behind a
// layer normalisation.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>

#include "core/thread_pool.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/norm/norm.hpp"
#include "parameters/AdaLayerNormBackward.hpp"
#include "parameters/ModulateBackward.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlock = 256;
constexpr std::int64_t kGrain = 16384;  // elements worth a hand-over to another thread

/// float32, and bfloat16 where there are these kernels.
DtypeSet modulated_dtypes() { return DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16}; }

/// Operands of [batch, sequence, hidden], of [batch, hidden] and of [hidden].
struct Gradient {
  std::int64_t batch = 1;
  std::int64_t sequence = 1;
  std::int64_t hidden = 1;
  bool normalises = false;
  RowMajor grad;
  RowMajor input;
  RowMajor mean;
  RowMajor rstd;
  RowMajor scale;
  RowMajor weight;
  RowMajor bias;
  RowMajor grad_input;
  RowMajor grad_scale;
  RowMajor grad_shift;
  RowMajor grad_weight;
  RowMajor grad_bias;

  /// One column of a block: its numbers in a row, and sums over rows.
  struct Columns {
    alignas(64) float grad[kBlock];
    alignas(64) float input[kBlock];
    alignas(64) float scale[kBlock];
    alignas(64) float weight[kBlock];
    alignas(64) float bias[kBlock];
    alignas(64) float result[kBlock];
  };

  /// What is read of some columns; `given` are where the numbers are.
  struct Given {
    const float* grad;
    const float* input;
    const float* scale;
    const float* weight;
    const float* bias;
  };

  struct Access {
    Access(const Gradient& g, const KernelMemory& memory)
        : grad(g.grad, memory),
          input(g.input, memory),
          mean(g.mean, memory),
          rstd(g.rstd, memory),
          scale(g.scale, memory),
          weight(g.weight, memory),
          bias(g.bias, memory) {}
    RowMajorAccess grad, input, mean, rstd, scale, weight, bias;
  };

  Given read(const Access& from, std::int64_t row, std::int64_t at, std::int64_t count,
             Columns& columns) const {
    const std::int64_t of_batch = row / sequence * hidden + at;
    const auto optional = [&](const RowMajorAccess& access, std::int64_t position, float* buffer,
                              float otherwise) -> const float* {
      if (access.given()) return access.read(position, count, buffer);
      std::fill(buffer, buffer + count, otherwise);
      return buffer;
    };
    return {from.grad.read(row * hidden + at, count, columns.grad),
            from.input.read(row * hidden + at, count, columns.input),
            optional(from.scale, of_batch, columns.scale, normalises ? 0.0f : 1.0f),
            optional(from.weight, at, columns.weight, 1.0f),
            optional(from.bias, at, columns.bias, 0.0f)};
  }

  /// mean and rstd of a row; 0 and 1 where nothing is normalised.
  std::pair<float, float> statistics(const Access& from, std::int64_t row) const {
    if (!normalises) return {0.0f, 1.0f};
    float centre;
    float factor;
    return {*from.mean.read(row, 1, &centre), *from.rstd.read(row, 1, &factor)};
  }

  /// The gradients of the rows.
  void run_rows(const KernelMemory& memory) const {
    const std::int64_t grain = std::max<std::int64_t>(1, kGrain / hidden);
    parallel_for(batch * sequence, grain, [&](std::int64_t begin, std::int64_t end) {
      const Access from(*this, memory);
      const RowMajorAccess to(grad_input, memory);
      Columns columns;
      for (std::int64_t row = begin; row < end; ++row) {
        const auto [centre, factor] = statistics(from, row);
        double sum = 0;
        double product = 0;
        for (std::int64_t at = 0; normalises && at < hidden; at += kBlock) {
          const std::int64_t count = std::min(kBlock, hidden - at);
          const Given g = read(from, row, at, count, columns);
          for (std::int64_t i = 0; i < count; ++i) {
            const double through = double(g.grad[i]) * g.weight[i] * (1.0 + g.scale[i]);
            sum += through;
            product += through * ((double(g.input[i]) - centre) * factor);
          }
        }
        sum /= double(hidden);
        product /= double(hidden);
        for (std::int64_t at = 0; at < hidden; at += kBlock) {
          const std::int64_t count = std::min(kBlock, hidden - at);
          const Given g = read(from, row, at, count, columns);
          for (std::int64_t i = 0; i < count; ++i) {
            if (!normalises) {
              columns.result[i] = g.grad[i] * g.scale[i];
              continue;
            }
            const double through = double(g.grad[i]) * g.weight[i] * (1.0 + g.scale[i]);
            const double z = (double(g.input[i]) - centre) * factor;
            columns.result[i] = static_cast<float>((through - sum - z * product) * factor);
          }
          to.write(row * hidden + at, count, columns.result);
        }
      }
    });
  }

  struct Sums {
    double scale[kBlock];
    double shift[kBlock];
    double weight[kBlock];
    double bias[kBlock];
  };

  static void write(const RowMajor& to, const KernelMemory& memory, std::int64_t position,
                    std::int64_t count, const double* sums) {
    if (!to.given()) return;
    float values[kBlock];
    for (std::int64_t i = 0; i < count; ++i) values[i] = static_cast<float>(sums[i]);
    RowMajorAccess(to, memory).write(position, count, values);
  }

  /// The gradients that are sums over rows, some columns at a time.
  void run_columns(const KernelMemory& memory) const {
    const std::int64_t blocks = (hidden + kBlock - 1) / kBlock;
    parallel_for(blocks, 1, [&](std::int64_t begin, std::int64_t end) {
      const Access from(*this, memory);
      Columns columns;
      for (std::int64_t block = begin; block < end; ++block) {
        const std::int64_t at = block * kBlock;
        const std::int64_t count = std::min(kBlock, hidden - at);
        Sums sums = {};
        for (std::int64_t b = 0; b < batch; ++b) {
          std::fill(sums.scale, sums.scale + count, 0.0);
          std::fill(sums.shift, sums.shift + count, 0.0);
          for (std::int64_t row = b * sequence; row < (b + 1) * sequence; ++row)
            add(from, row, at, count, columns, sums);
          write(grad_scale, memory, b * hidden + at, count, sums.scale);
          write(grad_shift, memory, b * hidden + at, count, sums.shift);
        }
        write(grad_weight, memory, at, count, sums.weight);
        write(grad_bias, memory, at, count, sums.bias);
      }
    });
  }

  void add(const Access& from, std::int64_t row, std::int64_t at, std::int64_t count,
           Columns& columns, Sums& sums) const {
    const auto [centre, factor] = statistics(from, row);
    const Given g = read(from, row, at, count, columns);
    for (std::int64_t i = 0; i < count; ++i) {
      const double grad_of = g.grad[i];
      const double z = (double(g.input[i]) - centre) * factor;
      sums.scale[i] += grad_of * (z * g.weight[i] + g.bias[i]);
      sums.shift[i] += grad_of;
      sums.weight[i] += grad_of * (1.0 + g.scale[i]) * z;
      sums.bias[i] += grad_of * (1.0 + g.scale[i]);
    }
  }
};

void launch(Plan& plan, std::shared_ptr<const Gradient> gradient) {
  plan.launch([gradient](const KernelMemory& memory) {
    // First the sums: the gradient of the input may be written over that of the output.
    if (gradient->grad_scale.given() || gradient->grad_shift.given() ||
        gradient->grad_weight.given() || gradient->grad_bias.given())
      gradient->run_columns(memory);
    if (gradient->grad_input.given()) gradient->run_rows(memory);
  });
}

void check_optional_dtype(const Check& check, const DtypeSet& accepted,
                          const TensorArgument& tensor) {
  if (tensor.given()) check.dtype_in(accepted, tensor);
}

/// [batch..., hidden] or [batch..., 1, hidden].
void check_of_batch(const Check& check, const Dims& input, const TensorArgument& tensor) {
  const std::size_t rank = input.size();
  Dims with_one = input;
  with_one.set(rank - 2, 1);
  Dims without = Dims(input.begin(), rank - 2);
  without.push_back(input.back());
  check.that(tensor.shape() == with_one || tensor.shape() == without,
             "%s has shape %s, it must be %s or %s", tensor.name(), tensor.shape().text().c_str(),
             with_one.text().c_str(), without.text().c_str());
}

}  // namespace

void check_modulate_backward(const Check& check, Plan&, const ModulateBackwardParameters& call) {
  const DtypeSet accepted = modulated_dtypes();
  for (const TensorArgument* tensor : {&call.grad_output, &call.input, &call.scale, &call.shift,
                                       &call.grad_scale, &call.grad_shift, &call.grad_input})
    check_optional_dtype(check, accepted, *tensor);
  check.that(call.grad_output.rank() == 3 && call.input.rank() == 3,
             "grad_output has %zu dimensions, input %zu; both must have 3", call.grad_output.rank(),
             call.input.rank());
  const bool empty = call.grad_output.is_empty() || call.input.is_empty();
  const Dims& shape = call.grad_output.shape();
  for (const TensorArgument* tensor : {&call.scale, &call.shift}) {
    if (!tensor->given()) continue;
    check.that(!empty || tensor->is_empty(), "grad_output or input is empty, %s must be, too",
               tensor->name());
    check.shape_is(*tensor, Dims({shape[0], shape[2]}), "batch and hidden extent of grad_output");
  }
}

/// Plans grad_input = grad scale, and the sums over a sequence: of grad input, and of grad.
void modulate_backward(const Check& check, Plan& plan, const ModulateBackwardParameters& call) {
  const aclDataType gives = call.grad_input.dtype();
  const auto check_pair = [&](const TensorArgument& operand, const TensorArgument& out) {
    check_inside(plan, !out.given() || operand.given(), "%s is wanted, and there is no %s",
                 out.name(), operand.name());
  };
  check_pair(call.scale, call.grad_scale);
  check_pair(call.shift, call.grad_shift);
  stage_as_float(plan, call.grad_output, call.input, call.scale, call.shift);
  plan.result(gives, call.grad_output.shape()).copy_to(call.grad_input);
  for (const TensorArgument* out : {&call.grad_scale, &call.grad_shift})
    if (out->given())
      plan.result(gives, Dims({call.grad_output.shape()[0], call.grad_output.shape()[2]}))
          .copy_to(*out);
  // CANN leaves this to the kernel, behind the copies of its results.
  check.same_shape(call.grad_output, call.input);
  auto gradient = std::make_shared<Gradient>();
  gradient->batch = call.grad_output.shape()[0];
  gradient->sequence = call.grad_output.shape()[1];
  gradient->hidden = call.grad_output.shape()[2];
  gradient->grad = row_major_input(plan, call.grad_output);
  gradient->input = row_major_input(plan, call.input);
  gradient->scale = row_major_input(plan, call.scale);
  gradient->grad_input = row_major_output(plan, call.grad_input);
  gradient->grad_scale = row_major_output(plan, call.grad_scale);
  gradient->grad_shift = row_major_output(plan, call.grad_shift);
  launch(plan, gradient);
}

void check_ada_layer_norm_backward(const Check& check, Plan&,
                                   const AdaLayerNormBackwardParameters& call) {
  const std::vector<std::int64_t>& normalized = call.normalizedShape.values();
  const DtypeSet accepted = modulated_dtypes();
  check.dtype_in(accepted, call.gradOut);
  check.same_dtype(call.gradOut, call.input, call.rstd, call.mean, call.scale, call.shift);
  const auto float_or_own = [&](const TensorArgument& tensor) {
    if (tensor.given() && tensor.dtype() != ACL_FLOAT) check.same_dtype(call.input, tensor);
  };
  float_or_own(call.weightOptional);
  float_or_own(call.biasOptional);
  if (call.weightOptional.given() && call.biasOptional.given())
    check.same_dtype(call.weightOptional, call.biasOptional);
  for (const TensorArgument* out : {&call.gradInputOut, &call.gradScaleOut, &call.gradShiftOut})
    if (out->given()) check.same_dtype(call.input, *out);
  for (const TensorArgument* out : {&call.gradWeightOut, &call.gradBiasOut}) {
    if (!out->given()) continue;
    if (call.weightOptional.given()) {
      check.same_dtype(call.weightOptional, *out);
    } else if (call.biasOptional.given()) {
      check.same_dtype(call.biasOptional, *out);
    } else {
      float_or_own(*out);
    }
  }
  check.rank_at_most(8, call.gradOut, call.input, call.mean, call.rstd, call.scale, call.shift);
  check.same_shape(call.input, call.gradOut);
  check.same_shape(call.rstd, call.mean);
  check.that(normalized.size() == 1, "normalizedShape has %zu numbers, it must have one",
             normalized.size());
  const std::size_t rank = call.input.rank();
  check.that(rank >= 2, "input has %zu dimensions, it must have 2 or more", rank);
  const std::int64_t hidden = call.input.shape().back();
  check.that(normalized[0] == hidden, "normalizedShape is %lld, the last extent of input %lld",
             static_cast<long long>(normalized[0]), static_cast<long long>(hidden));
  // CANN looks at the rank of weight and bias only, and reads as many as input has.
  for (const TensorArgument* tensor : {&call.weightOptional, &call.biasOptional})
    if (tensor->given()) check.shape_is(*tensor, Dims({hidden}), "the last extent of input");
  check.that(!call.input.is_empty(), "input is empty: %s", call.input.shape().text().c_str());
  check_of_batch(check, call.input.shape(), call.scale);
  check_of_batch(check, call.input.shape(), call.shift);
  Dims of_rows = call.input.shape();
  of_rows.set(rank - 1, 1);
  check.shape_is(call.mean, of_rows, "one number for each row of input");
  if (call.gradInputOut.given()) check.same_shape(call.input, call.gradInputOut);
  if (call.gradScaleOut.given()) check.same_shape(call.scale, call.gradScaleOut);
  if (call.gradShiftOut.given()) check.same_shape(call.shift, call.gradShiftOut);
  for (const TensorArgument* out : {&call.gradWeightOut, &call.gradBiasOut})
    if (out->given())
      check.that(out->rank() <= 8 && out->elements() == hidden,
                 "%s has shape %s, it must have %lld elements", out->name(),
                 out->shape().text().c_str(), static_cast<long long>(hidden));
}

/// Plans the gradients of (z weight + bias) (1 + scale) + shift, z = (input - mean) rstd, that are
/// wanted.
void ada_layer_norm_backward(const Check&, Plan& plan, const AdaLayerNormBackwardParameters& call) {
  for (const TensorArgument* tensor : {&call.gradOut, &call.input, &call.scale, &call.shift,
                                       &call.weightOptional, &call.biasOptional})
    if (tensor->given()) plan.stage(*tensor).contiguous();
  stage_as_float(plan, call.rstd, call.mean);
  for (const TensorArgument* out : {&call.gradInputOut, &call.gradScaleOut, &call.gradShiftOut,
                                    &call.gradWeightOut, &call.gradBiasOut})
    if (out->given()) plan.result(out->dtype(), out->shape()).copy_to(*out);
  auto gradient = std::make_shared<Gradient>();
  const Dims& shape = call.input.shape();
  gradient->batch = shape.product(0, shape.size() - 2);
  gradient->sequence = shape[shape.size() - 2];
  gradient->hidden = shape.back();
  gradient->normalises = true;
  gradient->grad = row_major_input(plan, call.gradOut);
  gradient->input = row_major_input(plan, call.input);
  gradient->mean = row_major_input(plan, call.mean);
  gradient->rstd = row_major_input(plan, call.rstd);
  gradient->scale = row_major_input(plan, call.scale);
  gradient->weight = row_major_input(plan, call.weightOptional);
  gradient->bias = row_major_input(plan, call.biasOptional);
  gradient->grad_input = row_major_output(plan, call.gradInputOut);
  gradient->grad_scale = row_major_output(plan, call.gradScaleOut);
  gradient->grad_shift = row_major_output(plan, call.gradShiftOut);
  gradient->grad_weight = row_major_output(plan, call.gradWeightOut);
  gradient->grad_bias = row_major_output(plan, call.gradBiasOut);
  launch(plan, gradient);
}

}  // namespace pyaclnn::sim
