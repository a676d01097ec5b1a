// SPDX-License-Identifier: MIT
#include <limits>

#include "opapi/common/chip_family.hpp"
#include "opapi/loss/ctc.hpp"
#include "opapi/loss/ctc_loss_kernel.hpp"

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

void check_ctc_loss_gradient(const Check& check, const CtcLossGrad& a) {
  check.that(a.log_probs.rank() > 0 && a.log_probs.shape()[0] != 0,
             "logProbs has shape %s, it must have a time", a.log_probs.shape().text().c_str());
  rank_is(check, a.grad, 1);
  rank_is(check, a.neg_log_likelihood, 1);
  rank_is(check, a.log_probs, 3);
  rank_is(check, a.log_alpha, 3);
  check.that(a.targets.rank() == 1 || a.targets.rank() == 2,
             "targets has %zu dimensions, it must have 1 or 2", a.targets.rank());
  rank_is(check, a.out, 3);
  const std::int64_t times = a.log_probs.shape()[0];
  const std::int64_t batch = a.log_probs.shape()[1];
  const std::int64_t classes = a.log_probs.shape()[2];
  check.that(a.blank >= 0 && a.blank < classes, "blank is %lld, it must be from 0 to %lld",
             static_cast<long long>(a.blank), static_cast<long long>(classes - 1));

  const std::int64_t labels = largest_of(a.target_lengths);
  const std::int64_t states = a.log_alpha.shape()[2];
  check.that(labels <= (states - 1) / 2,
             "logAlpha has %lld states, a sample with %lld labels needs two for each and one more",
             static_cast<long long>(states), static_cast<long long>(labels));
  check.shape_is(a.grad, Dims{batch}, "the batch of logProbs");
  check.shape_is(a.neg_log_likelihood, Dims{batch}, "the batch of logProbs");
  check.shape_is(a.log_alpha, Dims{batch, times, states}, "batch and times of logProbs");
  check.that(
      a.input_lengths.size() == std::size_t(batch) && a.target_lengths.size() == std::size_t(batch),
      "inputLengths has %zu and targetLengths has %zu values, they must have %lld, one for "
      "each sample",
      a.input_lengths.size(), a.target_lengths.size(), static_cast<long long>(batch));
  check.that(largest_of(a.input_lengths) <= times,
             "inputLengths goes up to %lld, logProbs has %lld times",
             static_cast<long long>(largest_of(a.input_lengths)), static_cast<long long>(times));
  if (a.targets.rank() == 2) {
    check.that(a.targets.shape()[0] == batch && a.targets.shape()[1] >= labels,
               "targets has shape %s, it must be [%lld, %lld or more]",
               a.targets.shape().text().c_str(), static_cast<long long>(batch),
               static_cast<long long>(labels));
  } else {
    check.shape_is(a.targets, Dims{sum_of(a.target_lengths)}, "the sum of targetLengths");
  }
  check.same_shape(a.log_probs, a.out);
}

void check_ctc_loss_size(const Check& check, const CtcLossGrad& a) {
  const bool is_16_bit = a.log_probs.dtype() == ACL_FLOAT16 || a.log_probs.dtype() == ACL_BF16;
  const bool large =
      is_large(a.log_probs.shape()[2], a.log_probs.shape()[1], (a.log_alpha.shape()[2] - 1) / 2);
  check.that(!is_16_bit || !large || on_950(),
             "float16 and bfloat16 take at most %lld classes, %lld samples and %lld labels",
             static_cast<long long>(kMaxClasses), static_cast<long long>(kMaxBatch),
             static_cast<long long>(kMaxLabels));
}

}  // namespace pyaclnn::sim
