// Layers of LSTM by their names, as torch_npu asks for them.
// SPDX-License-Identifier: MIT
#pragma once

#include "toolkit/acl_op_compiler/asked.hpp"

namespace pyaclnn::sim {

/// DynamicRNNV2 as aclnnLSTM, and DynamicRNNV2Grad as aclnnLstmBackward. Their weights are turned;
/// of two orders of gates that of aclnn is simulated: input, cell, forget and output in the order
/// of the results, and in that of the weights with the two in the middle changed.
void recurrent(Asked& c);
void recurrent_back(Asked& c);

/// The same of DynamicRNN and DynamicRNNGrad, whose weights are one matrix: the rows for the input,
/// then those for the hidden state.
void recurrent_of_one_matrix(Asked& c);
void recurrent_of_one_matrix_back(Asked& c);

}  // namespace pyaclnn::sim
