// Gradient of the connectionist temporal classification loss.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/cpu.hpp"
#include "opapi/common/fill.hpp"
#include "opapi/common/vecmath.hpp"
#include "opapi/loss/ctc.hpp"
#include "parameters/CtcLossBackward.hpp"

namespace pyaclnn::sim {
namespace {

using ctc::kMinusInfinity;
using ctc::log_sum;

/// (e^logProb - e^(-inf + nll - logProb)) grad: the gradient of classes on no alignment. The second
/// term is 0 or NaN.
struct LabelsNotInTarget {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* log_probs, std::int64_t count, float nll,
                                    float grad, float* out) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const float none = -kInfinity + nll;
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) {
      const float exponent = none - log_probs[i];
      const float term = exponent == exponent ? 0.0f : exponent;
      out[i] = (vec::exp(log_probs[i]) - term) * grad;
    }
  }
};

inline double log_sum(double a, double b) {
  const double largest = std::max(a, b);
  if (largest == kMinusInfinity) return largest;
  return std::log1p(std::exp(std::min(a, b) - largest)) + largest;
}

struct Operand {
  View view;
  std::int64_t size = 0;
  LoadFn load = nullptr;   // to float for rows of classes, to int64 for targets
  LoadFn exact = nullptr;  // to double

  std::byte* at(const KernelMemory& memory, std::int64_t element) const {
    return memory.operands[view.operand] + (view.offset + element) * size;
  }
  double value(const KernelMemory& memory, std::int64_t element) const {
    double result = 0;
    exact(at(memory, element), 1, 1, &result);
    return result;
  }
};

template <class C>
Operand operand(const View& view) {
  return {view, static_cast<std::int64_t>(dtype_size(view.dtype)), loader<C>(view.dtype),
          loader<double>(view.dtype)};
}

struct Kernel {
  Operand grad;
  Operand log_probs;
  Operand targets;
  Operand nll;
  Operand log_alpha;
  Operand out;
  StoreFn store = nullptr;
  StoreFn store_exact = nullptr;
  std::vector<std::int64_t> input_lengths;
  std::vector<std::int64_t> target_lengths;
  std::vector<std::int64_t> target_offsets;  // of each sample's first label, in elements
  std::int64_t label_stride = 1;
  std::int64_t blank = 0;
  bool zero_infinity = false;

  std::int64_t classes() const { return out.view.shape[2]; }
};

/// One sample of the batch.
class Sample {
 public:
  Sample(const Kernel& kernel, const KernelMemory& memory, std::int64_t n)
      : kernel_(kernel),
        memory_(memory),
        n_(n),
        length_(kernel.input_lengths[std::size_t(n)]),
        nll_(kernel.nll.value(memory, n * kernel.nll.view.strides[0])),
        grad_(kernel.grad.value(memory, n * kernel.grad.view.strides[0])) {
    if (length_ <= 0 || (kernel.zero_infinity && std::isinf(nll_) && nll_ > 0)) length_ = 0;
    read_labels();
    states_ = std::int64_t(labels_.size());
    beta_.assign(std::size_t(states_), kMinusInfinity);
    next_ = beta_;
    sums_.assign(std::size_t(kernel.classes()), kMinusInfinity);
    row_.resize(std::size_t(kernel.classes()));
    result_.resize(row_.size());
  }

  void run() {
    for (std::int64_t t = length_ - 1; t >= 0; --t) {
      if (t == length_ - 1) {
        last_step(t);
      } else {
        step(t);
      }
      write(t);
      for (std::int64_t label : labels_) sums_[std::size_t(label)] = kMinusInfinity;
      std::swap(beta_, next_);
    }
  }

 private:
  /// Blanks between and around the labels; what is no class counts as a blank.
  void read_labels() {
    const std::int64_t count = std::max<std::int64_t>(0, kernel_.target_lengths[std::size_t(n_)]);
    std::vector<std::int64_t> targets(static_cast<std::size_t>(count));
    kernel_.targets.load(kernel_.targets.at(memory_, kernel_.target_offsets[std::size_t(n_)]),
                         kernel_.label_stride, count, targets.data());
    labels_.assign(std::size_t(2 * count + 1), kernel_.blank);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t label = targets[std::size_t(i)];
      if (label >= 0 && label < kernel_.classes()) labels_[std::size_t(2 * i + 1)] = label;
    }
  }

  double log_prob(std::int64_t t, std::int64_t label) const {
    const Dims& strides = kernel_.log_probs.view.strides;
    return kernel_.log_probs.value(memory_, t * strides[0] + n_ * strides[1] + label * strides[2]);
  }
  double log_alpha(std::int64_t t, std::int64_t state) const {
    const Dims& strides = kernel_.log_alpha.view.strides;
    return kernel_.log_alpha.value(memory_, n_ * strides[0] + t * strides[1] + state * strides[2]);
  }

  /// Paths end in the last label or the blank behind it.
  void last_step(std::int64_t t) {
    for (std::int64_t s = states_ - 1; s >= std::max<std::int64_t>(0, states_ - 2); --s) {
      const auto label = std::size_t(labels_[std::size_t(s)]);
      next_[std::size_t(s)] = log_prob(t, labels_[std::size_t(s)]);
      sums_[label] = log_alpha(t, s) + next_[std::size_t(s)];
    }
  }

  void step(std::int64_t t) {
    for (std::int64_t s = states_ - 1; s >= 0; --s) {
      const auto i = std::size_t(s);
      const double stay = beta_[i];
      const double one = s + 1 < states_ ? beta_[i + 1] : kMinusInfinity;
      const bool may_skip = s + 2 < states_ && labels_[i] != labels_[i + 2];
      const double two = may_skip ? beta_[i + 2] : kMinusInfinity;
      next_[i] = log_sum(stay, one, two) + log_prob(t, labels_[i]);
      double& sum = sums_[std::size_t(labels_[i])];
      sum = log_sum(sum, log_alpha(t, s) + next_[i]);
    }
  }

  void write(std::int64_t t) {
    static const auto labels_not_in_target =
        loop_for_cpu<LabelsNotInTarget, const float*, std::int64_t, float, float, float*>();
    const Dims& to = kernel_.out.view.strides;
    const std::int64_t row = t * to[0] + n_ * to[1];
    if (kernel_.out.view.dtype == ACL_DOUBLE) {
      for (std::int64_t label = 0; label < kernel_.classes(); ++label)
        write_exactly(t, label, row + label * to[2]);
      return;
    }
    const Dims& from = kernel_.log_probs.view.strides;
    kernel_.log_probs.load(kernel_.log_probs.at(memory_, t * from[0] + n_ * from[1]), from[2],
                           kernel_.classes(), row_.data());
    labels_not_in_target(row_.data(), kernel_.classes(), static_cast<float>(nll_),
                         static_cast<float>(grad_), result_.data());
    kernel_.store(result_.data(), kernel_.classes(), kernel_.out.at(memory_, row), to[2]);
    for (std::int64_t label : labels_) write_exactly(t, label, row + label * to[2]);
  }

  void write_exactly(std::int64_t t, std::int64_t label, std::int64_t element) const {
    const double x = log_prob(t, label);
    const double value = (std::exp(x) - std::exp(sums_[std::size_t(label)] + nll_ - x)) * grad_;
    kernel_.store_exact(&value, 1, kernel_.out.at(memory_, element), 1);
  }

  const Kernel& kernel_;
  const KernelMemory& memory_;
  const std::int64_t n_;
  std::int64_t length_;
  const double nll_;
  const double grad_;
  std::int64_t states_ = 0;
  std::vector<std::int64_t> labels_;  // of each state
  std::vector<double> beta_;          // of the time after
  std::vector<double> next_;          // of this time
  std::vector<double> sums_;          // of each class
  std::vector<float> row_;
  std::vector<float> result_;
};

}  // namespace

/// Plans out = (e^logProbs - e^(ab - logProbs + nll)) grad for the times below the input length,
/// else 0, where ab[t, c] is the logarithm of the summed probability of all alignments that are at
/// class c at time t. The backward probabilities are computed in double. Losses were not reduced:
/// every element of grad counts for its own sample. With zero_infinity one of infinite loss has the
/// gradient 0.
void ctc_loss_gradient(const Check&, Plan& plan, const CtcLossBackwardParameters& a) {
  plan.stage(a.gradOut).contiguous();
  plan.stage(a.logProbs).contiguous();
  plan.stage(a.negLogLikelihood).contiguous();
  plan.stage(a.logAlpha).contiguous();
  auto labels = plan.stage(a.targets).contiguous();
  if (a.targets.dtype() != ACL_INT32 && a.targets.dtype() != ACL_INT64) labels.cast_to(ACL_INT64);
  // The backward probabilities.
  plan.reserve(a.logAlpha.elements(), ACL_FLOAT);
  plan.result(a.logProbs.dtype(), a.logProbs.shape()).copy_to(a.out);
  launch_zero(plan, a.out);
  auto kernel = std::make_shared<Kernel>();
  kernel->grad = operand<float>(plan.reads(a.gradOut));
  kernel->log_probs = operand<float>(plan.reads(a.logProbs));
  kernel->targets = operand<std::int64_t>(plan.reads(a.targets));
  kernel->nll = operand<float>(plan.reads(a.negLogLikelihood));
  kernel->log_alpha = operand<float>(plan.reads(a.logAlpha));
  kernel->out = operand<float>(plan.writes(a.out));
  kernel->store = storer<float>(a.out.dtype(), Rounding::kNearestEven);
  kernel->store_exact = storer<double>(a.out.dtype(), Rounding::kNearestEven);
  kernel->input_lengths = a.inputLengths.values();
  kernel->target_lengths = a.targetLengths.values();
  kernel->blank = a.blank;
  kernel->zero_infinity = a.zeroInfinity;
  const View& targets = kernel->targets.view;
  kernel->label_stride = targets.strides.back();
  std::int64_t offset = 0;
  for (std::int64_t length : a.targetLengths.values()) {
    kernel->target_offsets.push_back(offset);
    offset += targets.shape.size() == 2 ? targets.strides[0]
                                        : std::max<std::int64_t>(0, length) * targets.strides[0];
  }
  plan.launch([kernel](const KernelMemory& memory) {
    parallel_for(kernel->out.view.shape[1], 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t n = begin; n < end; ++n) Sample(*kernel, memory, n).run();
    });
  });
}

}  // namespace pyaclnn::sim
