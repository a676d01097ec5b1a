// The connectionist temporal classification loss, whose gradient is in ctc_loss_kernel.cpp.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>

#include "core/checked.hpp"
#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/loss/ctc.hpp"
#include "opapi/loss/elements.hpp"
#include "parameters/CtcLoss.hpp"

namespace pyaclnn::sim {
namespace {

using namespace ctc;

struct Sizes {
  std::int64_t times;
  std::int64_t batch;
  std::int64_t classes;
  std::int64_t labels;  // of the longest target
};

Sizes check_shapes(const Check& check, const CtcLossParameters& call) {
  const Dims& shape = call.logProbs.shape();
  check.that(shape.size() == 2 || shape.size() == 3,
             "logProbs has %zu dimensions, it must have 2 or 3", shape.size());
  check.that(shape[0] != 0, "logProbs has shape %s, it must have a time", shape.text().c_str());
  const Sizes sizes{shape[0], shape.size() == 3 ? shape[1] : 1, shape.back(),
                    largest_of(call.targetlengths.values())};
  check.that(call.blank >= 0 && call.blank < sizes.classes,
             "blank is %lld, it must be from 0 to %lld", static_cast<long long>(call.blank),
             static_cast<long long>(sizes.classes - 1));
  check.that(std::int64_t(call.inputLengths.values().size()) == sizes.batch &&
                 std::int64_t(call.targetlengths.values().size()) == sizes.batch,
             "inputLengths has %zu and targetLengths has %zu values, they must have %lld, one for "
             "each sample",
             call.inputLengths.values().size(), call.targetlengths.values().size(),
             static_cast<long long>(sizes.batch));
  check.that(largest_of(call.inputLengths.values()) <= sizes.times,
             "inputLengths goes up to %lld, logProbs has %lld times",
             static_cast<long long>(largest_of(call.inputLengths.values())),
             static_cast<long long>(sizes.times));
  if (call.targets.rank() == 2) {
    check.that(call.targets.shape()[0] == sizes.batch && call.targets.shape()[1] >= sizes.labels,
               "targets has shape %s, it must be [%lld, %lld or more]",
               call.targets.shape().text().c_str(), static_cast<long long>(sizes.batch),
               static_cast<long long>(sizes.labels));
  } else {
    Checked<std::int64_t> sum = 0;
    bool is_negative = false;
    for (std::int64_t length : call.targetlengths.values()) {
      sum = sum + length;
      is_negative = is_negative || length < 0;
    }
    check.that(call.targets.rank() == 1 && !is_negative,
               "targets has %zu dimensions, or a length is negative", call.targets.rank());
    check.shape_is(call.targets, Dims{sum.saturated()}, "the sum of targetLengths");
  }
  const std::int64_t states = (Checked<std::int64_t>(sizes.labels) * 2 + 1).saturated();
  // Rows of 32 bytes, before the 950.
  const std::int64_t kept =
      on_950() ? states : (Checked<std::int64_t>(states) + 7).saturated() / 8 * 8;
  check.shape_is(call.logAlphaOut, Dims{sizes.batch, sizes.times, kept}, "times and states");
  check.shape_is(call.negLogLikelihoodOut, shape.size() == 3 ? Dims{sizes.batch} : Dims{},
                 "the batch of logProbs");
  return sizes;
}

bool is_large(const Sizes& sizes) {
  return ctc::is_large(sizes.classes, sizes.batch, sizes.labels);
}

void check_dtypes(const Check& check, const CtcLossParameters& call, const Sizes& sizes) {
  check.dtype_in(chip().has_bf16() ? DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE}
                                   : DtypeSet{ACL_FLOAT, ACL_DOUBLE},
                 call.logProbs);
  const aclDataType dtype = call.logProbs.dtype();
  const bool is_16_bit = is_16_bit_float(dtype);
  check.that(!is_16_bit || !is_large(sizes) || on_950(),
             "float16 and bfloat16 take at most %lld classes, %lld samples and %lld labels",
             static_cast<long long>(kMaxClasses), static_cast<long long>(kMaxBatch),
             static_cast<long long>(kMaxLabels));
  check.dtype_in(DtypeSet{ACL_INT32, ACL_INT64, ACL_BOOL, ACL_FLOAT, ACL_FLOAT16}, call.targets);
  check.same_dtype(call.logProbs, call.negLogLikelihoodOut, call.logAlphaOut);
}

struct Kernel {
  Elements<double> log_probs;
  Elements<std::int64_t> targets;
  Elements<double> nll;
  Elements<double> log_alpha;
  Sizes sizes;
  std::vector<std::int64_t> input_lengths;
  std::vector<std::int64_t> target_lengths;
  std::vector<std::int64_t> target_offsets;  // of each sample's first label, in elements
  std::int64_t states;                       // that there is room for
  std::int64_t blank;
  bool zero_infinity;

  void run(const KernelMemory& memory) const {
    parallel_for(sizes.batch, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t n = begin; n < end; ++n) sample(memory, n);
    });
  }

 private:
  /// Blanks between and around the labels; what is no class counts as a blank.
  std::vector<std::int64_t> labels_of(const KernelMemory& memory, std::int64_t n) const {
    const std::int64_t count = std::max<std::int64_t>(0, target_lengths[std::size_t(n)]);
    std::vector<std::int64_t> labels(std::size_t(2 * count + 1), blank);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t label =
          targets.read(memory, target_offsets[std::size_t(n)] + i * targets.stride(1));
      if (label >= 0 && label < sizes.classes) labels[std::size_t(2 * i + 1)] = label;
    }
    return labels;
  }

  void sample(const KernelMemory& memory, std::int64_t n) const {
    const std::vector<std::int64_t> labels = labels_of(memory, n);
    const std::size_t count = labels.size();
    const std::int64_t length = std::max<std::int64_t>(0, input_lengths[std::size_t(n)]);
    std::vector<double> before(count, kMinusInfinity);
    std::vector<double> now(before);
    for (std::int64_t t = 0; t < sizes.times; ++t) {
      std::fill(now.begin(), now.end(), kMinusInfinity);
      for (std::size_t s = 0; t < length && s < count; ++s) {
        const std::int64_t label = labels[s];
        const double here = log_probs.read(memory, t * log_probs.stride(time_axis()) +
                                                       n * log_probs.stride(batch_axis()) +
                                                       label * log_probs.stride(1));
        if (t == 0) {
          now[s] = s < 2 ? here : kMinusInfinity;
          continue;
        }
        const double one = s > 0 ? before[s - 1] : kMinusInfinity;
        const bool may_skip = s > 1 && labels[s - 2] != label;
        now[s] = log_sum(before[s], one, may_skip ? before[s - 2] : kMinusInfinity) + here;
      }
      for (std::int64_t s = 0; s < states; ++s)
        log_alpha.write(memory,
                        n * log_alpha.stride(3) + t * log_alpha.stride(2) + s * log_alpha.stride(1),
                        s < std::int64_t(count) ? now[std::size_t(s)] : kMinusInfinity);
      if (t < length) std::swap(before, now);
    }
    double likelihood = kMinusInfinity;
    if (length == 0) {
      likelihood = count == 1 ? 0 : kMinusInfinity;
    } else {
      likelihood = log_sum(before[count - 1], count > 1 ? before[count - 2] : kMinusInfinity,
                           kMinusInfinity);
    }
    const bool is_zeroed = zero_infinity && likelihood == kMinusInfinity;
    nll.write(memory, n * nll.stride(1), is_zeroed ? 0.0 : -likelihood);
  }

  std::size_t time_axis() const { return has_batch() ? 3 : 2; }
  std::size_t batch_axis() const { return has_batch() ? 2 : 4; }
  bool has_batch() const { return log_probs.rank() == 3; }
};

}  // namespace

/// The logarithm of the probability of all beginnings of alignments, and of all alignments.
void ctc_loss(const Check& check, Plan& plan, const CtcLossParameters& call) {
  const Sizes sizes = check_shapes(check, call);
  check_dtypes(check, call, sizes);
  if (call.logProbs.shape()[1] == 0) return;
  plan.stage(call.logProbs).contiguous();
  auto labels = plan.stage(call.targets).contiguous();
  if (call.targets.dtype() != ACL_INT32 && call.targets.dtype() != ACL_INT64)
    labels.cast_to(ACL_INT64);
  for (const TensorArgument* out : {&call.negLogLikelihoodOut, &call.logAlphaOut})
    plan.result(call.logProbs.dtype(), out->shape()).copy_to(*out);
  const View targets = plan.reads(call.targets);
  // A2's kernel alone replaces infinite losses; the gradient's looks for them all the same.
  const bool has_own_kernel =
      on_a2_or_a3() && !is_large(sizes) && call.logProbs.dtype() != ACL_DOUBLE;
  auto kernel = std::make_shared<Kernel>(
      Kernel{Elements<double>(plan.reads(call.logProbs)),
             Elements<std::int64_t>(targets),
             Elements<double>(plan.writes(call.negLogLikelihoodOut)),
             Elements<double>(plan.writes(call.logAlphaOut)),
             sizes,
             call.inputLengths.values(),
             call.targetlengths.values(),
             {},
             call.logAlphaOut.shape()[2],
             call.blank,
             call.zeroInfinity && has_own_kernel && !call.targets.is_empty()});
  std::int64_t offset = 0;
  for (std::int64_t length : call.targetlengths.values()) {
    kernel->target_offsets.push_back(offset);
    offset += targets.shape.size() == 2 ? targets.strides[0] : length * targets.strides[0];
  }
  plan.launch([kernel](const KernelMemory& memory) { kernel->run(memory); });
}

}  // namespace pyaclnn::sim
