// One step of an LSTM whose products are given, and its gradient.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/recurrent/checks.hpp"
#include "parameters/ThnnFusedLstmCell.hpp"
#include "parameters/ThnnFusedLstmCellBackward.hpp"

namespace pyaclnn::sim {
namespace {

using Floats = std::vector<float>;

const DtypeSet kFloats{ACL_FLOAT, ACL_FLOAT16};
constexpr std::int64_t kGates = 4;
// Where the gates lie among what the cell keeps.
constexpr int kPlaces[kGates] = {0, 2, 1, 3};

void add_bias(Floats& rows, const Floats& bias) {
  if (bias.empty()) return;
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] += bias[i % bias.size()];
}

template <class Body>
void each_row(std::int64_t rows, std::int64_t units, Body body) {
  parallel_for(rows, std::max<std::int64_t>(1, 4096 / units),
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t row = begin; row < end; ++row) body(row);
               });
}

}  // namespace

void thnn_fused_lstm_cell(const Check& check, Plan& plan,
                          const ThnnFusedLstmCellParameters& given) {
  check.not_null(given.inputGates, given.hiddenGates, given.cx);
  check.that_given(given.inputBiasOptional.given() == given.hiddenBiasOptional.given(),
                   "one bias of two");
  check.not_null(given.hyOut, given.cyOut, given.storageOut);
  if (given.inputGates.is_empty()) return;
  check.that(given.cx.rank() == 2, "cx has %zu dimensions, it must have 2", given.cx.rank());
  const std::int64_t rows = given.cx.shape()[0];
  const std::int64_t units = given.cx.shape()[1];
  check.dtype_in(kFloats, given.inputGates);
  const aclDataType dtype = given.inputGates.dtype();
  check.that(units <= INT64_MAX / kGates, "cx has shape %s", given.cx.shape().text().c_str());
  for (const TensorArgument* t : {&given.inputGates, &given.hiddenGates, &given.storageOut})
    check_is(check, *t, dtype, Dims{rows, kGates * units});
  for (const TensorArgument* t : {&given.cx, &given.hyOut, &given.cyOut})
    check_is(check, *t, dtype, Dims{rows, units});
  for (const TensorArgument* t : {&given.inputBiasOptional, &given.hiddenBiasOptional})
    check_is(check, *t, dtype, Dims{kGates * units});
  needs_kernel(plan, on_a2_or_a3());
  const PackedOperand from_input = reads_packed(plan, given.inputGates);
  const PackedOperand from_hidden = reads_packed(plan, given.hiddenGates);
  const PackedOperand cx = reads_packed(plan, given.cx);
  const PackedOperand input_bias = reads_packed(plan, given.inputBiasOptional);
  const PackedOperand hidden_bias = reads_packed(plan, given.hiddenBiasOptional);
  const PackedOperand hy = writes_packed(plan, given.hyOut);
  const PackedOperand cy = writes_packed(plan, given.cyOut);
  const PackedOperand storage = writes_packed(plan, given.storageOut);
  plan.launch([=](const KernelMemory& memory) {
    Floats input = from_input.read(memory);
    Floats hidden = from_hidden.read(memory);
    add_bias(input, input_bias.read(memory));
    add_bias(hidden, hidden_bias.read(memory));
    const Floats before = cx.read(memory);
    Floats gates(input.size());
    Floats states[2] = {Floats(before.size()), Floats(before.size())};
    Floats squashed(before.size());
    each_row(rows, units, [&](std::int64_t row) {
      float* kept[7] = {};
      for (std::int64_t g = 0; g < kGates; ++g)
        kept[kPlaces[g]] = &gates[std::size_t((row * kGates + g) * units)];
      kept[4] = &states[0][std::size_t(row * units)];
      kept[5] = &states[1][std::size_t(row * units)];
      kept[6] = &squashed[std::size_t(row * units)];
      kLstmCell.step(units, &input[std::size_t(row * kGates * units)],
                     &hidden[std::size_t(row * kGates * units)], nullptr,
                     &before[std::size_t(row * units)], kept);
    });
    hy.write(memory, states[0]);
    cy.write(memory, states[1]);
    storage.write(memory, gates);
  });
}

void thnn_fused_lstm_cell_backward(const Check& check, Plan& plan,
                                   const ThnnFusedLstmCellBackwardParameters& given) {
  const TensorArgument& grad_hy = given.gradHyOptional;
  check.not_null(grad_hy, given.gradCOptional, given.cx, given.cy, given.storage,
                 given.gradGatesOut, given.gradCxOut, given.gradBiasOut);
  check.dtype_in(kFloats, given.gradCOptional);
  check.same_dtype(grad_hy, given.gradBiasOut);
  check.that(grad_hy.rank() == 2 && !grad_hy.is_empty(), "gradHy has shape %s",
             grad_hy.shape().text().c_str());
  const std::int64_t rows = grad_hy.shape()[0];
  const std::int64_t units = grad_hy.shape()[1];
  check.that(units <= INT64_MAX / kGates, "gradHy has shape %s", grad_hy.shape().text().c_str());
  for (const TensorArgument* t : {&given.gradCOptional, &given.cx, &given.cy, &given.gradCxOut})
    check_is(check, *t, grad_hy.dtype(), Dims{rows, units});
  for (const TensorArgument* t : {&given.storage, &given.gradGatesOut})
    check_is(check, *t, grad_hy.dtype(), Dims{rows, kGates * units});
  if (given.hasBias) check_is(check, given.gradBiasOut, grad_hy.dtype(), Dims{kGates * units});
  for (const TensorArgument* t :
       {&grad_hy, &given.gradCOptional, &given.cx, &given.cy, &given.storage, &given.gradGatesOut,
        &given.gradBiasOut, &given.gradCxOut})
    check.that(t->meta().format == ACL_FORMAT_ND, "%s is not of format ND", t->name());
  needs_kernel(plan, on_a2_or_a3());
  const PackedOperand dh = reads_packed(plan, grad_hy);
  const PackedOperand dc = reads_packed(plan, given.gradCOptional);
  const PackedOperand cx = reads_packed(plan, given.cx);
  const PackedOperand cy = reads_packed(plan, given.cy);
  const PackedOperand storage = reads_packed(plan, given.storage);
  const PackedOperand to_gates = writes_packed(plan, given.gradGatesOut);
  const PackedOperand to_cx = writes_packed(plan, given.gradCxOut);
  PackedOperand to_bias;
  if (given.hasBias) to_bias = writes_packed(plan, given.gradBiasOut);
  plan.launch([=](const KernelMemory& memory) {
    Floats hidden = dh.read(memory);
    Floats cell = dc.read(memory);
    const Floats before = cx.read(memory);
    Floats squashed = cy.read(memory);
    for (float& value : squashed) value = std::tanh(value);
    const Floats gates = storage.read(memory);
    Floats grad(gates.size());
    each_row(rows, units, [&](std::int64_t row) {
      const std::size_t at = std::size_t(row * kGates * units);
      const float* kept[7] = {};
      for (std::int64_t g = 0; g < kGates; ++g)
        kept[kPlaces[g]] = &gates[at + std::size_t(g * units)];
      kept[6] = &squashed[std::size_t(row * units)];
      kLstmCell.back(units, kept, nullptr, &before[std::size_t(row * units)],
                     &hidden[std::size_t(row * units)], &cell[std::size_t(row * units)], &grad[at],
                     &grad[at]);
    });
    to_gates.write(memory, grad);
    to_cx.write(memory, cell);
    std::vector<double> sums(std::size_t(kGates * units));
    for (std::size_t i = 0; i < grad.size(); ++i) sums[i % sums.size()] += double(grad[i]);
    to_bias.write(memory, sums);
  });
}

}  // namespace pyaclnn::sim
