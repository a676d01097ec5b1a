// Gradients of LSTM and GRU over sequences.
// SPDX-License-Identifier: MIT
#include <utility>

#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/recurrent/checks.hpp"
#include "parameters/GRUBackward.hpp"
#include "parameters/LstmBackward.hpp"

namespace pyaclnn::sim {
namespace {

const DtypeSet kFloats{ACL_FLOAT, ACL_FLOAT16};

/// What the gradients of both networks are made with.
struct Backward {
  const TensorArgument& input;
  const TensorListIn& params;
  const TensorArgument& hidden_before;
  const TensorArgument* cell_before;
  const TensorArgument& dy;
  const TensorArgument& dh;
  const TensorArgument* dc;
  const TensorArgument& counts;
  Lists kept;
  const TensorArgument& dx;
  const TensorArgument& dh_before;
  const TensorArgument* dc_before;
  const TensorListIn& dparams;
};

void check_backward(const Check& check, const Backward& b, const Network& n) {
  const aclDataType dtype = n.dtype;
  const std::int64_t wide = n.directions * n.hidden;
  const bool counted = b.counts.given();
  const auto rows = [&](std::int64_t width) {
    if (counted) return Dims{n.steps * n.batch, width};
    return n.batch_first ? Dims{n.batch, n.steps, width} : Dims{n.steps, n.batch, width};
  };
  check_is(check, b.input, dtype, rows(n.input));
  check_is(check, b.dx, dtype, rows(n.input));
  check_is(check, b.dy, dtype, rows(wide));
  const Dims state{n.layers * n.directions, n.batch, n.hidden};
  for (const TensorArgument* tensor :
       {&b.hidden_before, b.cell_before, &b.dh, b.dc, &b.dh_before, b.dc_before})
    if (tensor != nullptr) check_is(check, *tensor, dtype, state);
  check_parameters(check, b.params, n, dtype);
  check_parameters(check, b.dparams, n, dtype);
  for (const TensorListIn* list : b.kept)
    check_each_is(check, *list, dtype, Dims{n.steps, n.batch, n.hidden});
}

void plan_backward(Plan& plan, const Backward& b, Network n) {
  needs_kernel(plan, on_a2_or_a3());
  n.batch_first = n.batch_first && !b.counts.given();
  n.x = reads_packed(plan, b.input);
  n.parameters = read_each(plan, b.params);
  n.hidden_before = reads_packed(plan, b.hidden_before);
  if (b.cell_before != nullptr) n.cell_before = reads_packed(plan, *b.cell_before);
  n.counts = reads_packed(plan, b.counts);
  NetworkGradients gradients;
  gradients.y = reads_packed(plan, b.dy);
  gradients.hidden = reads_packed(plan, b.dh);
  if (b.dc != nullptr) gradients.cell = reads_packed(plan, *b.dc);
  for (const TensorListIn* list : b.kept) gradients.kept.push_back(read_each(plan, *list));
  gradients.x = writes_packed(plan, b.dx);
  gradients.hidden_before = writes_packed(plan, b.dh_before);
  if (b.dc_before != nullptr) gradients.cell_before = writes_packed(plan, *b.dc_before);
  gradients.parameters = write_each(plan, b.dparams);
  launch_network_backward(plan, std::move(n), std::move(gradients));
}

/// CANN takes tensors of three dimensions as NCL only, and all others as ND.
void check_formats_of(const Check& check, const Lists& lists,
                      std::initializer_list<const TensorArgument*> tensors) {
  const auto one = [&](const TensorArgument& tensor) {
    if (!tensor.given()) return;
    const aclFormat wanted = tensor.rank() == 3 ? ACL_FORMAT_NCL : ACL_FORMAT_ND;
    check.that(tensor.meta().format == wanted, "%s has format %d, it must have %d", tensor.name(),
               int(tensor.meta().format), int(wanted));
  };
  for (const TensorArgument* tensor : tensors) one(*tensor);
  for (const TensorListIn* list : lists)
    for (const TensorArgument& tensor : list->tensors) one(tensor);
}

bool any_empty(const Lists& lists) {
  for (const TensorListIn* list : lists)
    for (const TensorArgument& tensor : list->tensors)
      if (tensor.is_empty()) return true;
  return false;
}

}  // namespace

void lstm_backward(const Check& check, Plan& plan, const LstmBackwardParameters& given) {
  const Lists kept = {&given.i, &given.g, &given.f, &given.o, &given.h, &given.c, &given.tanhc};
  check.not_null(given.input, given.hx, given.params);
  for (const TensorListIn* list : kept) check.not_null(*list);
  check.not_null(given.dxOut, given.dhPrevOut, given.dcPrevOut, given.dparamsOut);
  Network n;
  n.cell = &kLstmCell;
  n.has_bias = given.hasBias;
  n.batch_first = given.batchFirst;
  n.directions = given.bidirectional ? 2 : 1;
  // Lists of other lengths are answered as null ones are.
  const bool has_layers = given.numLayers >= 0 && given.numLayers <= kMostLayers;
  n.layers = has_layers ? given.numLayers : 0;
  const auto gates = std::size_t(n.layers * n.directions);
  for (const TensorListIn* list : kept)
    check.that_given(has_layers && list->tensors.size() == gates, "a gate of a layer");
  check.that_given(given.hx.tensors.size() == 2, "one of hx");
  for (const TensorListIn* list : {&given.params, &given.dparamsOut})
    check.that_given(list->tensors.size() == gates * std::size_t(n.group()), "a parameter");
  check_each_given(check, {&given.hx, &given.params, &given.dparamsOut});
  check_each_given(check, kept);
  check.that(n.layers > 0, "numLayers is 0");
  check.dtype_in(kFloats, given.input);
  n.dtype = given.input.dtype();
  const TensorArgument& counts = given.batchSizesOptional;
  const Dims& x = given.input.shape();
  const Dims& first = given.i.tensors[0].shape();
  check.that(first.size() == 3 && x.size() == (counts.given() ? 2u : 3u),
             "input has shape %s, i has %s", x.text().c_str(), first.text().c_str());
  if (counts.given()) {
    check.dtype_in(DtypeSet{ACL_INT64}, counts);
    check.that(counts.rank() == 1, "batchSizes has %zu dimensions", counts.rank());
  }
  n.steps = counts.given() ? counts.shape()[0] : x[n.batch_first ? 1 : 0];
  n.batch = first[1];
  n.hidden = first[2];
  n.input = x.back();
  const Backward b{given.input,
                   given.params,
                   given.hx.tensors[0],
                   &given.hx.tensors[1],
                   given.dy,
                   given.dh,
                   &given.dc,
                   counts,
                   kept,
                   given.dxOut,
                   given.dhPrevOut,
                   &given.dcPrevOut,
                   given.dparamsOut};
  check_backward(check, b, n);
  check_formats_of(check, kept,
                   {&given.input, &given.dy, &given.dh, &given.dc, &given.dxOut, &given.dhPrevOut,
                    &given.dcPrevOut, &counts});
  check_formats_of(check, {&given.hx, &given.params, &given.dparamsOut}, {});
  if (given.input.is_empty() || any_empty({&given.hx, &given.params}) || any_empty(kept)) return;
  plan_backward(plan, b, std::move(n));
}

void gru_backward(const Check& check, Plan& plan, const GRUBackwardParameters& given) {
  const Lists kept = {&given.r, &given.z, &given.n, &given.hn, &given.h};
  check.not_null(given.input, given.hx, given.params, given.dy, given.dh);
  for (const TensorListIn* list : kept) check.not_null(*list);
  check.not_null(given.dxOut, given.dhPrevOut, given.dparamsOut);
  // A null tensor in a list is a wrong one here.
  for (const Lists& lists : {kept, Lists{&given.params, &given.dparamsOut}})
    for (const TensorListIn* list : lists)
      for (const TensorArgument& tensor : list->tensors)
        check.that(tensor.given(), "a tensor of %s is null", list->name());
  check.that(!given.batchSizes.given(), "batchSizes is given, which there is no kernel for");
  check.dtype_in(kFloats, given.input);
  check.that(given.numLayers >= 1 && given.numLayers <= kMostLayers, "numLayers is %lld",
             static_cast<long long>(given.numLayers));
  const Dims& x = given.input.shape();
  check.that(x.size() == 3 && !given.input.is_empty() && !given.hx.is_empty(),
             "input has shape %s, hx has %s", x.text().c_str(), given.hx.shape().text().c_str());
  Network n;
  n.cell = &kGruCell;
  n.has_bias = given.hasBias;
  n.batch_first = given.batchFirst;
  n.directions = given.bidirection ? 2 : 1;
  n.layers = given.numLayers;
  n.dtype = given.input.dtype();
  n.steps = x[n.batch_first ? 1 : 0];
  n.batch = x[n.batch_first ? 0 : 1];
  n.input = x[2];
  n.hidden = given.hx.rank() == 0 ? 0 : given.hx.shape().back();
  for (const TensorListIn* list : kept)
    check.that(std::int64_t(list->tensors.size()) == n.layers * n.directions, "%s has %zu tensors",
               list->name(), list->tensors.size());
  const Backward b{given.input,     given.params, given.hx,         nullptr, given.dy,
                   given.dh,        nullptr,      given.batchSizes, kept,    given.dxOut,
                   given.dhPrevOut, nullptr,      given.dparamsOut};
  check_backward(check, b, n);
  plan_backward(plan, b, std::move(n));
}

}  // namespace pyaclnn::sim
