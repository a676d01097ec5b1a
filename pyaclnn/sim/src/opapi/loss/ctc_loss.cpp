// SPDX-License-Identifier: MIT
#include <limits>

#include "objects/dtype.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/loss/ctc.hpp"
#include "parameters/CtcLossBackward.hpp"

namespace pyaclnn::sim {

using namespace ctc;

namespace {

std::int64_t sum_of(const std::vector<std::int64_t>& values) {
  std::int64_t result = 0;
  for (std::int64_t value : values) {
    // No tensor has as many elements as the largest number, so a sum that ends there fits none.
    if (__builtin_add_overflow(result, value, &result)) {
      return std::numeric_limits<std::int64_t>::max();
    }
  }
  return result;
}

void rank_is(const Check& check, const TensorArgument& tensor, std::size_t rank) {
  check.that(tensor.rank() == rank, "%s has %zu dimensions, it must have %zu", tensor.name(),
             tensor.rank(), rank);
}

}  // namespace

void check_ctc_loss_gradient(const Check& check, Plan&, const CtcLossBackwardParameters& a) {
  check.that(a.logProbs.rank() > 0 && a.logProbs.shape()[0] != 0,
             "logProbs has shape %s, it must have a time", a.logProbs.shape().text().c_str());
  rank_is(check, a.gradOut, 1);
  rank_is(check, a.negLogLikelihood, 1);
  rank_is(check, a.logProbs, 3);
  rank_is(check, a.logAlpha, 3);
  check.that(a.targets.rank() == 1 || a.targets.rank() == 2,
             "targets has %zu dimensions, it must have 1 or 2", a.targets.rank());
  rank_is(check, a.out, 3);
  const std::int64_t times = a.logProbs.shape()[0];
  const std::int64_t batch = a.logProbs.shape()[1];
  const std::int64_t classes = a.logProbs.shape()[2];
  check.that(a.blank >= 0 && a.blank < classes, "blank is %lld, it must be from 0 to %lld",
             static_cast<long long>(a.blank), static_cast<long long>(classes - 1));

  const std::int64_t labels = largest_of(a.targetLengths.values());
  const std::int64_t states = a.logAlpha.shape()[2];
  check.that(labels <= (states - 1) / 2,
             "logAlpha has %lld states, a sample with %lld labels needs two for each and one more",
             static_cast<long long>(states), static_cast<long long>(labels));
  check.shape_is(a.gradOut, Dims{batch}, "the batch of logProbs");
  check.shape_is(a.negLogLikelihood, Dims{batch}, "the batch of logProbs");
  check.shape_is(a.logAlpha, Dims{batch, times, states}, "batch and times of logProbs");
  check.that(a.inputLengths.values().size() == std::size_t(batch) &&
                 a.targetLengths.values().size() == std::size_t(batch),
             "inputLengths has %zu and targetLengths has %zu values, they must have %lld, one for "
             "each sample",
             a.inputLengths.values().size(), a.targetLengths.values().size(),
             static_cast<long long>(batch));
  check.that(largest_of(a.inputLengths.values()) <= times,
             "inputLengths goes up to %lld, logProbs has %lld times",
             static_cast<long long>(largest_of(a.inputLengths.values())),
             static_cast<long long>(times));
  if (a.targets.rank() == 2) {
    check.that(a.targets.shape()[0] == batch && a.targets.shape()[1] >= labels,
               "targets has shape %s, it must be [%lld, %lld or more]",
               a.targets.shape().text().c_str(), static_cast<long long>(batch),
               static_cast<long long>(labels));
  } else {
    check.shape_is(a.targets, Dims{sum_of(a.targetLengths.values())}, "the sum of targetLengths");
  }
  check.same_shape(a.logProbs, a.out);
}

/// Refuses what the kernel of the narrow types has no room for.
void check_ctc_loss_size(const Check& check, Plan&, const CtcLossBackwardParameters& a) {
  const bool is_16_bit = is_16_bit_float(a.logProbs.dtype());
  const bool large =
      is_large(a.logProbs.shape()[2], a.logProbs.shape()[1], (a.logAlpha.shape()[2] - 1) / 2);
  check.that(!is_16_bit || !large || on_950(),
             "float16 and bfloat16 take at most %lld classes, %lld samples and %lld labels",
             static_cast<long long>(kMaxClasses), static_cast<long long>(kMaxBatch),
             static_cast<long long>(kMaxLabels));
}

}  // namespace pyaclnn::sim
