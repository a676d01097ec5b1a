// The steps of the optimisers that have an operator. All compute in float32, as their kernels do.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/optimiser/update.hpp"

namespace pyaclnn::sim {

/// What all steps of AdamW are given.
struct AdamW {
  float lr;
  float beta1;
  float beta2;
  float decay;
  float eps;
  bool amsgrad;
  bool maximize;
};

/// `step` counts from 0. CANN casts to float32 unless all tensors are of one type, or all but the
/// gradient and `largest` float32.
void apply_adamw(Plan& plan, const AdamW& given, const TensorArgument& var, const TensorArgument& m,
                 const TensorArgument& v, const TensorArgument& largest, const TensorArgument& grad,
                 const TensorArgument& step);

/// All numbers in tensors: of `powers` those before this step, and lr, weight decay, beta1, beta2,
/// epsilon. With amsgrad `v` becomes the larger of itself and `largest`.
void apply_adamw(Plan& plan, bool amsgrad, bool maximize, const TensorArgument& var,
                 const TensorArgument& m, const TensorArgument& v, const TensorArgument& largest,
                 const TensorArgument& grad,
                 std::initializer_list<const TensorArgument*> powers_and_numbers);

/// Writes var alone. The numbers: the powers of this step, lr, beta1, beta2, epsilon.
void apply_adam(Plan& plan, bool nesterov, const TensorArgument& var, const TensorArgument& m,
                const TensorArgument& v, const TensorArgument& grad,
                std::initializer_list<const TensorArgument*> numbers);

/// One step of AdamW for each place of the lists; none where `found` is 1.
void fused_adamw(Plan& plan, const AdamW& given, const TensorListIn& params,
                 const TensorListIn& grads, const TensorListIn& m, const TensorListIn& v,
                 const TensorListIn& largest, const TensorListIn& steps,
                 const TensorArgument& scale, const TensorArgument& found);

/// Lists beside the parameters: as long (161002), of one type and shape with these (161002), no
/// tensor null (161001). One that was not given is right.
void check_beside(const Check& check, const TensorListIn& params, const TensorListIn& list);
void check_tensors_given(const Check& check, const TensorListIn& list);

}  // namespace pyaclnn::sim
