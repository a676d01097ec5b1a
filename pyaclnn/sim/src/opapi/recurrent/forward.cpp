// LSTM and GRU over sequences. The order of the checks is that of CANN's operators, which differ.
// SPDX-License-Identifier: MIT
#include <utility>

#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/recurrent/checks.hpp"
#include "parameters/BidirectionLSTMV2.hpp"
#include "parameters/GRU.hpp"
#include "parameters/LSTM.hpp"

namespace pyaclnn::sim {
namespace {

const DtypeSet kFloats{ACL_FLOAT, ACL_FLOAT16};

/// The steps and the batch of a sequence by time, by batch, or of all rows with counts beside them.
void set_rows(const Check& check, const TensorArgument& input, const TensorArgument& counts,
              Network& n) {
  const bool counted = counts.given();
  check.that(input.rank() == (counted ? 2u : 3u), "input has %zu dimensions", input.rank());
  n.input = input.shape().back();
  if (!counted) {
    n.steps = input.shape()[n.batch_first ? 1 : 0];
    n.batch = input.shape()[n.batch_first ? 0 : 1];
    return;
  }
  check.dtype_in(DtypeSet{ACL_INT64}, counts);
  check.that(counts.rank() == 1 && !counts.is_empty(), "batchSizes has shape %s",
             counts.shape().text().c_str());
  n.steps = counts.shape()[0];
  n.batch = input.shape()[0] / n.steps;
  check.that(n.steps * n.batch == input.shape()[0], "input has no multiple of %lld rows",
             static_cast<long long>(n.steps));
}

void set_layers(const Check& check, std::int64_t layers, bool both, bool has_bias, Network& n) {
  check.that(layers >= 1 && layers <= kMostLayers, "numLayers is %lld",
             static_cast<long long>(layers));
  n.layers = layers;
  n.directions = both ? 2 : 1;
  n.has_bias = has_bias;
}

void set_hidden(const Check& check, const TensorListIn& params, Network& n) {
  check.that(!params.tensors.empty() && params.tensors[0].rank() == 2, "params has no weights");
  n.hidden = params.tensors[0].shape()[0] / n.cell->gates;
}

/// What is left once a network's extents are known, for LSTM and GRU alike.
void finish(const Check& check, Plan& plan, Network n, const TensorArgument& input,
            const TensorListIn& params, const TensorArgument* hidden_before,
            const TensorArgument* cell_before, const TensorArgument& counts,
            const TensorArgument& output, const TensorArgument& hy, const TensorArgument* cy,
            const Lists& kept, bool empty_last, bool has_kernel) {
  check.dtype_in(kFloats, input);
  n.dtype = input.dtype();
  check_parameters(check, params, n, n.dtype);
  const Dims state{n.layers * n.directions, n.batch, n.hidden};
  for (const TensorArgument* tensor : {hidden_before, cell_before, &hy, cy})
    if (tensor != nullptr) check_is(check, *tensor, n.dtype, state);
  const std::int64_t wide = n.directions * n.hidden;
  const bool by_batch = n.batch_first && !counts.given();
  check_is(check, output, n.dtype,
           by_batch ? Dims{n.batch, n.steps, wide} : Dims{n.steps, n.batch, wide});
  for (const TensorListIn* list : kept) {
    check.that(std::int64_t(list->tensors.size()) == n.layers * n.directions,
               "%s has %zu tensors, it must have one for each layer and direction", list->name(),
               list->tensors.size());
    check_each_is(check, *list, n.dtype, Dims{n.steps, n.batch, n.hidden});
  }
  if ((empty_last && input.is_empty()) || n.hidden == 0) return;
  check_kernel_exists(plan, has_kernel);
  n.batch_first = by_batch;
  n.x = reads_packed(plan, input);
  n.parameters = read_each(plan, params);
  if (hidden_before != nullptr) n.hidden_before = reads_packed(plan, *hidden_before);
  if (cell_before != nullptr) n.cell_before = reads_packed(plan, *cell_before);
  n.counts = reads_packed(plan, counts);
  NetworkOutputs outputs;
  outputs.y = writes_packed(plan, output);
  outputs.hidden = writes_packed(plan, hy);
  if (cy != nullptr) outputs.cell = writes_packed(plan, *cy);
  for (const TensorListIn* list : kept) outputs.kept.push_back(write_each(plan, *list));
  launch_network(plan, std::move(n), std::move(outputs));
}

}  // namespace

void lstm(const Check& check, Plan& plan, const LSTMParameters& given) {
  Network n;
  n.cell = &kLstmCell;
  n.batch_first = given.batchFirst;
  const bool counted = given.batchSizes.given();
  const bool has_states = given.hx.given() && !given.hx.tensors.empty();
  check.not_null(given.input);
  if (!counted && given.input.is_empty()) return;
  check.not_null(given.params, given.output, given.hy, given.cy);
  Lists kept = {};
  const Lists all = {&given.iOut, &given.jOut, &given.fOut,    &given.oOut,
                     &given.hOut, &given.cOut, &given.tanhCOut};
  if (given.train) kept = all;
  for (const TensorListIn* list : kept) check.not_null(*list);
  check_each_given(check, {&given.params, &given.hx});
  check_each_given(check, kept);
  check.that(given.hx.tensors.size() == 2 || (!has_states && !(counted && given.hx.given())),
             "hx has %zu tensors, it must have two", given.hx.tensors.size());
  set_layers(check, given.numLayers, given.bidirectional, given.hasBias, n);
  if (given.input.is_empty()) return;
  set_rows(check, given.input, given.batchSizes, n);
  set_hidden(check, given.params, n);
  const auto state = [&](std::size_t i) { return has_states ? &given.hx.tensors[i] : nullptr; };
  finish(check, plan, std::move(n), given.input, given.params, state(0), state(1), given.batchSizes,
         given.output, given.hy, &given.cy, kept, false, !on_950());
}

void gru(const Check& check, Plan& plan, const GRUParameters& given) {
  check.that(!given.batchSizes.given(), "batchSizes is given, which there is no kernel for");
  check.not_null(given.input, given.params, given.output, given.hy);
  Lists kept = {};
  const Lists all = {&given.rOut, &given.zOut, &given.nOut, &given.hnOut, &given.hOut};
  if (given.train) kept = all;
  for (const TensorListIn* list : kept) check.not_null(*list);
  check_each_given(check, {&given.params});
  check_each_given(check, kept);
  Network n;
  n.cell = &kGruCell;
  n.batch_first = given.batchFirst;
  set_layers(check, given.numLayers, given.bidirection, given.hasBias, n);
  set_rows(check, given.input, given.batchSizes, n);
  set_hidden(check, given.params, n);
  finish(check, plan, std::move(n), given.input, given.params,
         given.hx.given() ? &given.hx : nullptr, nullptr, given.batchSizes, given.output, given.hy,
         nullptr, kept, true, on_a2_or_a3());
}

void bidirection_lstm(const Check&, Plan& plan, const BidirectionLSTMV2Parameters& given) {
  constexpr std::int64_t kMostSteps = 256;
  const TensorArgument& counts = given.batchSizeOptional;
  const Dims& x = given.x.shape();
  const Dims& state = given.initH.shape();
  check_tiling(plan, given.numLayers == 1 && !given.batchFirst,
               "there must be one layer, and the batch the second axis");
  Network n;
  n.cell = &kLstmCell;
  n.has_bias = given.isbias;
  n.directions = given.bidirection ? 2 : 1;
  n.packed = given.packed && counts.given();
  check_tiling(plan, !counts.given() || (counts.rank() == 1 && counts.shape()[0] <= kMostSteps),
               "batchSize must be a list of at most 256");
  check_tiling(plan, x.size() == (n.packed ? 2u : 3u) && state.size() == 3,
               "x has shape %s, initH has %s", x.text().c_str(), state.text().c_str());
  n.steps = counts.given() ? counts.shape()[0] : x[0];
  n.batch = state[1];
  n.hidden = state[2];
  n.input = x.back();
  n.dtype = given.x.dtype();
  const auto is = [&](const TensorArgument& tensor, const Dims& shape) {
    check_tiling(plan, tensor.given(), "a tensor of the network is null");
    check_tiling(plan, tensor.shape() == shape, "%s has shape %s, it must have %s", tensor.name(),
                 tensor.shape().text().c_str(), shape.text().c_str());
  };
  const std::int64_t gates = n.cell->gates * n.hidden;
  const std::int64_t wide = n.directions * n.hidden;
  if (!n.packed) is(given.x, Dims{n.steps, n.batch, n.input});
  const TensorArgument* parameters[] = {&given.wIh,
                                        &given.wHh,
                                        &given.bIhOptional,
                                        &given.bHhOptional,
                                        &given.wIhReverseOptional,
                                        &given.wHhReverseOptional,
                                        &given.bIhReverseOptional,
                                        &given.bHhReverseOptional};
  const Dims shapes[] = {Dims{gates, n.input}, Dims{gates, n.hidden}, Dims{gates}, Dims{gates}};
  for (std::int64_t d = 0; d < n.directions; ++d)
    for (std::int64_t i = 0; i < n.group(); ++i) is(*parameters[d * 4 + i], shapes[i]);
  for (const TensorArgument* tensor :
       {&given.initH, &given.initC, &given.outputHOut, &given.outputCOut})
    is(*tensor, Dims{n.directions, n.batch, n.hidden});
  is(given.yOut, n.packed ? Dims{x[0], wide} : Dims{n.steps, n.batch, wide});
  if (n.steps == 0 || n.batch == 0 || n.input == 0 || n.hidden == 0) return;
  n.x = reads_packed(plan, given.x);
  for (std::int64_t d = 0; d < n.directions; ++d)
    for (std::int64_t i = 0; i < n.group(); ++i)
      n.parameters.push_back(reads_packed(plan, *parameters[d * 4 + i]));
  n.hidden_before = reads_packed(plan, given.initH);
  n.cell_before = reads_packed(plan, given.initC);
  n.counts = reads_packed(plan, counts);
  NetworkOutputs outputs;
  outputs.y = writes_packed(plan, given.yOut);
  outputs.hidden = writes_packed(plan, given.outputHOut);
  outputs.cell = writes_packed(plan, given.outputCOut);
  launch_network(plan, std::move(n), std::move(outputs));
}

}  // namespace pyaclnn::sim
