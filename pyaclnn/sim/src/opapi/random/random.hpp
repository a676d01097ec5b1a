// Operators that fill tensors with random numbers.
//
// Chips of the A2 generation draw them in hardware, by rules that are not public; there and
// everywhere else they are drawn here as the kernels of the 950 draw them. So they are the same on
// all chips, and whatever the number of threads.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Where the numbers of a call begin: by value, and perhaps in tensors of one int64, which are read
/// when it runs. The offset is the sum of both.
struct Seeds {
  Seeds(std::int64_t seed, std::int64_t offset)
      : seed(std::uint64_t(seed)), offset(std::uint64_t(offset)) {}
  Seeds(const TensorArgument& seed, const TensorArgument& offset, std::int64_t more)
      : offset(std::uint64_t(more)), seed_tensor(&seed), offset_tensor(&offset) {}

  std::uint64_t seed = 0;
  std::uint64_t offset;
  const TensorArgument* seed_tensor = nullptr;
  const TensorArgument* offset_tensor = nullptr;
};

/// Refuses tensors that are no single integer.
void check_seeds(const Check& check, const TensorArgument& seed, const TensorArgument& offset);

/// Fails 561103 for other types than int64, as the kernels do that came with CANN 9.1.
void check_types_of_seeds(const Plan& plan, const TensorArgument& seed,
                          const TensorArgument& offset);

/// A tensor that is null is 561103 for some, a negative deviation 161001, and 561103 a probability
/// of another type than float32, float16 and bfloat16.
void check_given(const Plan& plan, const TensorArgument& tensor);
void check_deviation(const Plan& plan, float deviation);
void check_type_of_probability(const Plan& plan, aclDataType dtype);

/// Numbers of [from, to); integers are cut off.
void fill_uniform(Plan& plan, const TensorArgument& out, double from, double to,
                  const Seeds& seeds);

/// Integers of [from, to), drawn as float32 and cut off, as CANN does: below 0 towards 0.
void fill_integers(Plan& plan, const TensorArgument& out, std::int64_t from, std::int64_t to,
                   const Seeds& seeds);

void fill_normal(Plan& plan, const TensorArgument& out, float mean, float deviation,
                 const Seeds& seeds);

/// The same with a mean and a deviation for each number, which broadcast; or one by value for a
/// null one. `for_means` draws a number for each mean, which repeats where the mean does.
void fill_normal(Plan& plan, const TensorArgument& out, const TensorArgument* means, float mean,
                 const TensorArgument* deviations, float deviation, const Seeds& seeds,
                 bool for_means = false);

/// 1 with a probability, else 0; with that of each element, or of one for all.
void fill_truths(Plan& plan, const TensorArgument& out, double probability, const Seeds& seeds);
void fill_truths(Plan& plan, const TensorArgument& out, const TensorArgument& probabilities,
                 const Seeds& seeds);

/// The numbers from 0 on in an order that two words of each decide.
void fill_permutation(Plan& plan, const TensorArgument& out, const Seeds& seeds);

/// Bytes of a mask of one bit for each of so many elements, in multiples of 128 bits; -1 where
/// there is no such number.
std::int64_t mask_bytes(const std::vector<std::int64_t>& shape);

/// What CANN takes for a probability of 0, and its distance to 1 for one of 1.
constexpr double kDropsNothing = std::numeric_limits<double>::epsilon();

/// Bits that are 1 with probability 1 - drop, the lowest of a byte first.
void fill_mask(Plan& plan, const TensorArgument& out, double drop, const Seeds& seeds);

/// out = self / (1 - drop) where the bit is 1, else 0.
void apply_mask(Plan& plan, const TensorArgument& self, const TensorArgument& mask, double drop,
                const TensorArgument& out);

/// Both, as it is in training. Where nothing or all is dropped the mask is left as it was.
void drop_out(Plan& plan, const TensorArgument& self, double drop, bool training,
              const Seeds& seeds, const TensorArgument& out, const TensorArgument& mask);

}  // namespace pyaclnn::sim
