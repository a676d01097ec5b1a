// Recurrent networks: layers of cells that run along time, forward and backward.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "opapi/common/packed_operand.hpp"

namespace pyaclnn::sim {

/// What the network's element does in a step. All arrays have a number for each hidden unit; gates
/// lie behind one another in the order of the weights.
struct Cell {
  std::int64_t gates;
  /// Where the hidden state and the cell state are among what is kept; -1 for none.
  int hidden_state;
  int cell_state;
  int kept;
  /// `kept` from the gates' parts of input and hidden state.
  void (*step)(std::int64_t units, const float* from_input, const float* from_hidden,
               const float* hidden_before, const float* cell_before, float* const* kept);
  /// Gradients of both parts of the gates from those of the states, which become what goes straight
  /// to the states before.
  void (*back)(std::int64_t units, const float* const* kept, const float* hidden_before,
               const float* cell_before, float* grad_hidden, float* grad_cell, float* to_input,
               float* to_hidden);
};

/// Gates i, f, g, o; kept are i, g, f, o, h, c and tanh(c).
extern const Cell kLstmCell;
/// Gates r, z, n; kept are r, z, n, what n has of the hidden state, and h.
extern const Cell kGruCell;

struct Network {
  const Cell* cell = &kLstmCell;
  std::int64_t steps = 0;
  std::int64_t batch = 0;
  std::int64_t input = 0;
  std::int64_t hidden = 0;
  std::int64_t layers = 1;
  std::int64_t directions = 1;
  bool has_bias = false;
  bool batch_first = false;
  /// Rows that are not valid are left out of input and output.
  bool packed = false;
  /// Layers round what they hand on to this type.
  aclDataType dtype = ACL_FLOAT;

  PackedOperand x;
  /// Weights of input and hidden state, then biases, of each layer and direction.
  std::vector<PackedOperand> parameters;
  PackedOperand hidden_before;
  PackedOperand cell_before;
  /// Valid rows of each step, the first ones.
  PackedOperand counts;
  const char* api = "";

  std::int64_t group() const { return has_bias ? 4 : 2; }
};

struct NetworkOutputs {
  PackedOperand y;
  PackedOperand hidden;
  PackedOperand cell;
  /// What is kept of each layer and direction, by kind; empty where nobody asks.
  std::vector<std::vector<PackedOperand>> kept;
};

struct NetworkGradients {
  PackedOperand y;  // given, as the next two
  PackedOperand hidden;
  PackedOperand cell;
  std::vector<std::vector<PackedOperand>> kept;
  PackedOperand x;  // wanted, as the next ones
  PackedOperand hidden_before;
  PackedOperand cell_before;
  std::vector<PackedOperand> parameters;
};

void launch_network(Plan& plan, Network network, NetworkOutputs outputs);
void launch_network_backward(Plan& plan, Network network, NetworkGradients gradients);

}  // namespace pyaclnn::sim
