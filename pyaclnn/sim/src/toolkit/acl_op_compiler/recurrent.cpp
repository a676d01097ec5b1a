// SPDX-License-Identifier: MIT
#include "toolkit/acl_op_compiler/recurrent.hpp"

#include <vector>

namespace pyaclnn::sim {
namespace {

using Dims = std::vector<std::int64_t>;

constexpr std::int64_t kLayers = 1;
constexpr double kDropout = 0;
constexpr bool kTrain = true;
constexpr bool kBothWays = false;
constexpr bool kByBatch = false;
const aclTensor* const kNoCounts = nullptr;

/// Weights of input and hidden state.
using Weights = std::vector<const aclTensor*>;

/// What CANN knows of the attributes beside the order of gates.
void only_lstm(Asked& c) {
  c.only_text("direction", "UNIDIRECTIONAL");
  c.only("use_peephole", 0);
  c.only_real("cell_clip", -1);
  c.only("num_proj", 0);
  c.only("time_major", 1);
  c.only_text("activation", "tanh");
  c.only_text("recurrent_activation", "sigmoid");
  c.only_real("forget_bias", 0);
  c.only("stateful", 0);
  c.only_text("merge_mode", "concat");
  c.unused("is_training");
}

void only_one_layer(Asked& c) {
  c.only_text("cell_type", "LSTM");
  c.only("cell_depth", 1);
  c.only_real("keep_prob", 1);
}

/// Steps, batch and hidden units of what a gate has.
Dims gate_of(const Asked& c, Dims dims) {
  c.require(dims.size() == 3, "a gate of three dimensions");
  return dims;
}

/// The extents of the last axis: of the input, those of a row.
std::int64_t width_of_input(Asked& c) {
  const Dims rows = c.dims_of_input(0);
  c.require(!rows.empty(), "an input with rows");
  return rows.back();
}

/// Behind the weights are bias, lengths and both states.
void forward(Asked& c, Weights parameters, int bias_at) {
  const Dims gate = gate_of(c, c.dims_of_output(3));
  const Dims state{1, gate[1], gate[2]};
  const aclTensor* const bias = c.in_if_there(bias_at);
  if (bias != nullptr) parameters.insert(parameters.end(), {bias, c.zeros({4 * gate[2]})});
  c.absent(bias_at + 1);
  const aclTensor* const before[] = {c.in_if_there(bias_at + 2), c.in_if_there(bias_at + 3)};
  c.require((before[0] == nullptr) == (before[1] == nullptr), "both states or none");
  const aclTensorList* const states =
      before[0] == nullptr ? nullptr : c.list_of({before[0], before[1]});
  for (int i = bias_at + 4; i < c.call().inputs.count; ++i) c.absent(i);
  const auto kept = [&](int i) { return c.list_of({c.out(i)}); };
  c.first(c.in(0), c.list_of(parameters), states, kNoCounts, bias != nullptr, kLayers, kDropout,
          kTrain, kBothWays, kByBatch, c.out(0), c.zeros(state), c.zeros(state), kept(3), kept(4),
          kept(5), kept(6), kept(1), kept(2), kept(7));
}

/// Behind the slopes of the weights, `slopes`, are those of bias, input and both states.
void backward(Asked& c, Weights parameters, Weights slopes, int bias_at) {
  const Dims gate = gate_of(c, c.dims_of_input(11));
  const Dims state{1, gate[1], gate[2]};
  const Dims wide{4 * gate[2]};
  const Dims input{gate[0], gate[1], width_of_input(c)};  // one step may lack its axis
  c.unused(3);                                            // the result, which is the hidden state
  for (int i = 16; i < c.call().inputs.count; ++i) c.absent(i);
  parameters.insert(parameters.end(), {c.zeros(wide), c.zeros(wide)});
  slopes.insert(slopes.end(), {c.out(bias_at), c.zeros(wide)});
  const auto kept = [&](int i) { return c.list_of({c.in(i)}); };
  const auto of_all_steps = [&](int i) { return c.list_of({c.in_of_shape(i, gate)}); };
  const aclTensorList* const states = c.list_of({c.in_of_shape(4, state), c.in_of_shape(5, state)});
  const aclBoolArray* const all = nullptr;
  c.first(c.in_of_shape(0, input), states, c.list_of(parameters), c.in_of_shape(8, gate),
          c.in_of_shape(9, state), c.in_of_shape(10, state), kept(11), kept(12), kept(13), kept(14),
          of_all_steps(6), of_all_steps(7), kept(15), kNoCounts, true, kLayers, kDropout, kTrain,
          kBothWays, kByBatch, all, c.out_of_shape(input, bias_at + 1),
          c.out_of_shape(state, bias_at + 2), c.out_of_shape(state, bias_at + 3),
          c.list_of(slopes));
}

}  // namespace

void recurrent(Asked& c) {
  only_lstm(c);
  only_one_layer(c);
  c.only_text("gate_order", "ifco", "ijfo");
  forward(c, {c.turned(1), c.turned(2)}, 3);
}

void recurrent_back(Asked& c) {
  only_lstm(c);
  only_one_layer(c);
  c.only_text("gate_order", "ifjo", "ijfo");
  c.three_axes_as(ACL_FORMAT_NCL);
  backward(c, {c.turned(1), c.turned(2)}, {c.turned_out(0), c.turned_out(1)}, 2);
}

void recurrent_of_one_matrix(Asked& c) {
  only_lstm(c);
  only_one_layer(c);
  c.only_text("gate_order", "ifjo", "ijfo");
  const std::int64_t width = width_of_input(c);
  const std::int64_t units = gate_of(c, c.dims_of_output(3))[2];
  forward(c, {c.turned_rows(1, 0, width), c.turned_rows(1, width, units)}, 2);
}

void recurrent_of_one_matrix_back(Asked& c) {
  only_lstm(c);
  // torch_npu gives the first as a flag, the others as 0 and -1.
  for (const char* const idle : {"cell_type", "cell_depth", "keep_prob"}) c.unused(idle);
  c.only_text("gate_order", "ifjo", "ijfo");
  c.three_axes_as(ACL_FORMAT_NCL);
  c.unused(2);  // the bias
  const std::int64_t width = width_of_input(c);
  const std::int64_t units = gate_of(c, c.dims_of_input(11))[2];
  backward(c, {c.turned_rows(1, 0, width), c.turned_rows(1, width, units)},
           {c.turned_rows_out(0, 0, width), c.turned_rows_out(0, width, units)}, 1);
}

}  // namespace pyaclnn::sim
