// SPDX-License-Identifier: MIT
#include "opapi/optimiser/optimisers.hpp"

#include <algorithm>
#include <cmath>

#include "objects/dtype.hpp"
#include "parameters/ApplyFusedEmaAdam.hpp"
#include "parameters/FusedSgd.hpp"

namespace pyaclnn::sim {
namespace {

/// 1 - beta^step
float correction(float beta, float step) {
  return static_cast<float>(1 - std::pow(double(beta), double(step)));
}

/// var, m, v, largest and grad of one step, whose biases are known.
void adamw(const AdamW& given, float correction1, float correction2, std::int64_t count, float* var,
           float* m, float* v, float* largest, const float* grad) {
  const float rate = given.lr / correction1;
  const float root = 1.0f / std::sqrt(correction2);
  const float kept = 1.0f - given.lr * given.decay;
  for (std::int64_t i = 0; i < count; ++i) {
    const float g = given.maximize ? -grad[i] : grad[i];
    m[i] += (g - m[i]) * (1.0f - given.beta1);
    v[i] = v[i] * given.beta2 + g * g * (1.0f - given.beta2);
    float second = v[i];
    if (given.amsgrad) second = largest[i] = std::max(largest[i], second);
    var[i] = var[i] * kept - rate * (m[i] / (std::sqrt(second) * root + given.eps));
  }
}

bool is_mixed(const TensorArgument& var, const TensorArgument& m, const TensorArgument& v,
              const TensorArgument& largest, const TensorArgument& grad) {
  const aclDataType dtype = var.dtype();
  if (m.dtype() != dtype || v.dtype() != dtype) return true;
  if (largest.given() && largest.dtype() != grad.dtype()) return true;
  return grad.dtype() != dtype && dtype != ACL_FLOAT;
}

}  // namespace

void apply_adamw(Plan& plan, const AdamW& given, const TensorArgument& var, const TensorArgument& m,
                 const TensorArgument& v, const TensorArgument& largest, const TensorArgument& grad,
                 const TensorArgument& step) {
  Update update(plan, is_mixed(var, m, v, largest, grad) ? ACL_FLOAT : ACL_DT_UNDEFINED);
  update.writes(var).writes(m).writes(v).writes(largest).reads(grad).number(step);
  update.launch([given](const float* numbers, std::int64_t count, float* const* t) {
    const float now = numbers[0] + 1;
    adamw(given, correction(given.beta1, now), correction(given.beta2, now), count, t[0], t[1],
          t[2], t[3], t[4]);
  });
}

void apply_adamw(Plan& plan, bool amsgrad, bool maximize, const TensorArgument& var,
                 const TensorArgument& m, const TensorArgument& v, const TensorArgument& largest,
                 const TensorArgument& grad,
                 std::initializer_list<const TensorArgument*> powers_and_numbers) {
  Update update(plan);
  update.writes(var).writes(m).writes(v).reads(largest).reads(grad);
  for (const TensorArgument* number : powers_and_numbers) update.number(*number);
  update.launch([=](const float* n, std::int64_t count, float* const* t) {
    const AdamW given{n[2], n[4], n[5], n[3], n[6], amsgrad, maximize};
    const float correction1 = 1.0f - n[0] * given.beta1;
    const float correction2 = 1.0f - n[1] * given.beta2;
    adamw(given, correction1, correction2, count, t[0], t[1], t[2], t[3], t[4]);
    if (amsgrad) std::copy_n(t[3], count, t[2]);
  });
}

void apply_adam(Plan& plan, bool nesterov, const TensorArgument& var, const TensorArgument& m,
                const TensorArgument& v, const TensorArgument& grad,
                std::initializer_list<const TensorArgument*> numbers) {
  Update update(plan);
  update.writes(var).reads(m).reads(v).reads(grad);
  for (const TensorArgument* number : numbers) update.number(*number);
  update.launch([=](const float* n, std::int64_t count, float* const* t) {
    const float beta1 = n[3], beta2 = n[4], eps = n[5];
    const float rate = n[2] * std::sqrt(1.0f - n[1]) / (1.0f - n[0]);
    for (std::int64_t i = 0; i < count; ++i) {
      const float g = t[3][i];
      const float first = t[1][i] + (g - t[1][i]) * (1.0f - beta1);
      const float second = t[2][i] + (g * g - t[2][i]) * (1.0f - beta2);
      const float ahead = nesterov ? first * beta1 + (1.0f - beta1) * g : first;
      t[0][i] -= rate * ahead / (std::sqrt(second) + eps);
    }
  });
}

void apply_ema_adam(const Check&, Plan& plan, const ApplyFusedEmaAdamParameters& given) {
  constexpr std::int64_t kDecoupled = 1;
  const auto lr = float(given.lr), ema_decay = float(given.emaDecay), eps = float(given.eps);
  const auto beta1 = float(given.beta1), beta2 = float(given.beta2);
  const auto decay = float(given.weightDecay);
  const bool decoupled = given.mode == kDecoupled, corrected = given.biasCorrection;
  Update update(plan);
  update.reads(given.grad).writes(given.varRef).writes(given.mRef).writes(given.vRef);
  update.writes(given.sRef).number(given.step);
  update.launch([=](const float* numbers, std::int64_t count, float* const* t) {
    const float correction1 = corrected ? correction(beta1, numbers[0]) : 1.0f;
    const float correction2 = corrected ? correction(beta2, numbers[0]) : 1.0f;
    float *var = t[1], *m = t[2], *v = t[3], *s = t[4];
    for (std::int64_t i = 0; i < count; ++i) {
      const float g = t[0][i] + (decoupled ? 0.0f : decay * var[i]);
      m[i] = beta1 * m[i] + (1.0f - beta1) * g;
      v[i] = beta2 * v[i] + (1.0f - beta2) * g * g;
      float change = m[i] / correction1 / (std::sqrt(v[i] / correction2) + eps);
      if (decoupled) change += decay * var[i];
      var[i] -= lr * change;
      s[i] = ema_decay * s[i] + (1.0f - ema_decay) * var[i];
    }
  });
}

void fused_adamw(Plan& plan, const AdamW& given, const TensorListIn& params,
                 const TensorListIn& grads, const TensorListIn& m, const TensorListIn& v,
                 const TensorListIn& largest, const TensorListIn& steps,
                 const TensorArgument& scale, const TensorArgument& found) {
  const bool scaled = scale.given() && !scale.is_empty();
  const bool may_stop = found.given() && !found.is_empty();
  for (std::size_t i = 0; i < params.tensors.size(); ++i) {
    if (params.tensors[i].is_empty()) continue;
    Update update(plan);
    update.writes(params.tensors[i]).writes(m.tensors[i]).writes(v.tensors[i]);
    const bool kept = given.amsgrad && largest.given();
    if (kept) update.writes(largest.tensors[i]);
    update.reads(grads.tensors[i]).number(steps.tensors[i]);
    if (scaled) update.number(scale);
    if (may_stop) update.number(found);
    update.launch([=](const float* numbers, std::int64_t count, float* const* t) {
      if (may_stop && numbers[scaled ? 2 : 1] == 1.0f) return;
      float* grad = t[kept ? 4 : 3];
      if (scaled)
        for (std::int64_t k = 0; k < count; ++k) grad[k] *= 1.0f / numbers[1];
      const float now = numbers[0] + 1;
      adamw(given, correction(given.beta1, now), correction(given.beta2, now), count, t[0], t[1],
            t[2], kept ? t[3] : nullptr, grad);
    });
  }
}

/// The gradients are divided by the scale, and stay so.
void fused_sgd(const Check&, Plan& plan, const FusedSgdParameters& given) {
  const TensorArgument& scale = given.gradScaleOptional;
  const auto& buffers = given.momentumBufferListOptionalRef.tensors;
  const bool scaled = scale.given() && !scale.is_empty();
  const bool has_buffers = !buffers.empty();
  const bool maximize = given.maximize, nesterov = given.nesterov, first = given.isFirstStep;
  const float decay = given.weightDecay, momentum = given.momentum, lr = given.lr;
  const float dampening = given.dampening;
  for (std::size_t i = 0; i < given.paramsRef.tensors.size(); ++i) {
    if (given.paramsRef.tensors[i].is_empty()) continue;
    Update update(plan);
    update.writes(given.paramsRef.tensors[i]).writes(given.gradsRef.tensors[i]);
    if (has_buffers) update.writes(buffers[i]);
    if (scaled) update.number(scale);
    update.launch([=](const float* numbers, std::int64_t count, float* const* t) {
      for (std::int64_t k = 0; k < count; ++k) {
        if (scaled) t[1][k] *= 1.0f / numbers[0];
        float g = (maximize ? -t[1][k] : t[1][k]) + decay * t[0][k];
        if (has_buffers) {
          float& buffer = t[2][k];
          buffer = first ? g : buffer * momentum + g * (1.0f - dampening);
          g = nesterov ? g + momentum * buffer : buffer;
        }
        t[0][k] -= lr * g;
      }
    });
  }
}

void check_tensors_given(const Check& check, const TensorListIn& list) {
  for (const TensorArgument& tensor : list.tensors) check.not_null(tensor);
}

void check_beside(const Check& check, const TensorListIn& params, const TensorListIn& list) {
  if (!list.given()) return;
  check.that(list.tensors.size() == params.tensors.size(), "%s has %zu tensors, %s has %zu",
             list.name(), list.tensors.size(), params.name(), params.tensors.size());
  for (std::size_t i = 0; i < list.tensors.size(); ++i) {
    check.same_dtype(params.tensors.front(), list.tensors[i]);
    check.same_shape(params.tensors[i], list.tensors[i]);
  }
}

}  // namespace pyaclnn::sim
