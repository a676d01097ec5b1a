// SPDX-License-Identifier: MIT
#include "opapi/recurrent/network.hpp"

#include <algorithm>
#include <utility>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "opapi/common/round_stored.hpp"
#include "opapi/product/packed_floats.hpp"

namespace pyaclnn::sim {
namespace {

using Floats = std::vector<float>;
using Kept = std::vector<Floats>;

constexpr std::int64_t kUnitsAtATime = 4096;

/// One run of a network: its extents, and which rows of which step are valid.
class Run {
 public:
  Run(const Network& network, const KernelMemory& memory) : n_(network), memory_(memory) {
    const auto given = network.counts.read<std::int64_t>(memory);
    counts_.assign(std::size_t(n_.steps), n_.batch);
    std::int64_t rows = 0;
    for (std::size_t t = 0; t < given.size(); ++t) {
      if (n_.packed && (given[t] < 0 || given[t] > n_.batch))
        fail(kRtAicoreException, "%s: step %zu has %lld rows of %lld", n_.api, t,
             static_cast<long long>(given[t]), static_cast<long long>(n_.batch));
      counts_[t] = std::clamp<std::int64_t>(given[t], 0, n_.batch);
      rows += counts_[t];
    }
    if (n_.packed && rows * n_.input != n_.x.size())
      fail(kRtAicoreException, "%s: steps have %lld rows in all, x has other", n_.api,
           static_cast<long long>(rows));
  }

  std::int64_t rows() const { return n_.steps * n_.batch; }
  std::int64_t count(std::int64_t step) const { return counts_[std::size_t(step)]; }

  /// Rows of `width` by time, from a tensor by time or batch, or without rows that are not valid.
  Floats by_time(const PackedOperand& tensor, std::int64_t width) const {
    Floats from = tensor.read(memory_);
    if (!n_.batch_first && !n_.packed) return from;
    Floats result(std::size_t(rows() * width));
    each_row([&](std::int64_t row, std::int64_t place) {
      std::copy_n(&from[std::size_t(place * width)], width, &result[std::size_t(row * width)]);
    });
    return result;
  }

  /// The way back.
  void store_by_time(const PackedOperand& tensor, std::int64_t width, const Floats& values) const {
    if (!n_.batch_first && !n_.packed) return tensor.write(memory_, values);
    Floats result(static_cast<std::size_t>(tensor.size()));
    each_row([&](std::int64_t row, std::int64_t place) {
      std::copy_n(&values[std::size_t(row * width)], width, &result[std::size_t(place * width)]);
    });
    tensor.write(memory_, result);
  }

  /// Biases, if any, added to the rows of a product.
  void add_bias(std::size_t parameter, Floats& rows) const {
    if (!n_.has_bias) return;
    const Floats bias = n_.parameters[parameter].read(memory_);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] += bias[i % bias.size()];
  }

  /// Calls body(row) for each of the batch, in parallel.
  template <class Body>
  void each_of_batch(Body body) const {
    const std::int64_t grain =
        std::max<std::int64_t>(1, kUnitsAtATime / std::max<std::int64_t>(1, n_.hidden));
    parallel_for(n_.batch, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) body(row);
    });
  }

 private:
  template <class Body>
  void each_row(Body body) const {
    std::int64_t packed = 0;
    for (std::int64_t t = 0; t < n_.steps; ++t) {
      for (std::int64_t b = 0; b < n_.batch; ++b) {
        if (!n_.packed) {
          body(t * n_.batch + b, n_.batch_first ? b * n_.steps + t : t * n_.batch + b);
        } else if (b < count(t)) {
          body(t * n_.batch + b, packed++);
        }
      }
    }
  }

  const Network& n_;
  const KernelMemory& memory_;
  std::vector<std::int64_t> counts_;
};

/// The part of a state that a layer and direction has; zeros where there is none.
Floats state_of(const Floats& all, std::int64_t index, std::int64_t size) {
  Floats result(static_cast<std::size_t>(size));
  if (!all.empty()) std::copy_n(&all[std::size_t(index * size)], size, result.data());
  return result;
}

/// A layer's cells in one direction: fills `kept` by time, returns the layer's result.
Floats run_layer(const Network& n, const Run& run, const KernelMemory& memory, std::size_t index,
                 const Floats& x, std::int64_t width, Floats& hidden, Floats& cell, Kept& kept) {
  const Cell& kind = *n.cell;
  const std::int64_t units = n.hidden;
  const std::int64_t gates = kind.gates * units;
  const std::size_t first = index * std::size_t(n.group());
  const Floats input_weights = n.parameters[first].read(memory);
  const Floats hidden_weights = n.parameters[first + 1].read(memory);
  Floats from_input =
      packed_product({x.data()}, {input_weights.data(), true}, run.rows(), width, gates);
  run.add_bias(first + 2, from_input);
  kept.assign(std::size_t(kind.kept), Floats(std::size_t(run.rows() * units)));
  Floats y(std::size_t(run.rows() * units));
  const bool reversed = n.directions == 2 && index % 2 == 1;
  for (std::int64_t i = 0; i < n.steps; ++i) {
    const std::int64_t t = reversed ? n.steps - 1 - i : i;
    Floats from_hidden =
        packed_product({hidden.data()}, {hidden_weights.data(), true}, n.batch, units, gates);
    run.add_bias(first + 3, from_hidden);
    run.each_of_batch([&](std::int64_t b) {
      const std::int64_t at = (t * n.batch + b) * units;
      float* rows[7] = {};
      for (int k = 0; k < kind.kept; ++k) rows[k] = &kept[std::size_t(k)][std::size_t(at)];
      float* const own = &hidden[std::size_t(b * units)];
      float* const own_cell = kind.cell_state < 0 ? nullptr : &cell[std::size_t(b * units)];
      kind.step(units, &from_input[std::size_t((t * n.batch + b) * gates)],
                &from_hidden[std::size_t(b * gates)], own, own_cell, rows);
      if (b < run.count(t)) {
        round_as_stored(rows[kind.hidden_state], units, n.dtype);
        std::copy_n(rows[kind.hidden_state], units, &y[std::size_t(at)]);
        std::copy_n(rows[kind.hidden_state], units, own);
        if (own_cell != nullptr) std::copy_n(rows[kind.cell_state], units, own_cell);
      } else {  // the states stay
        std::copy_n(own, units, rows[kind.hidden_state]);
        if (own_cell != nullptr) std::copy_n(own_cell, units, rows[kind.cell_state]);
      }
    });
  }
  return y;
}

/// Results of both directions beside one another.
Floats beside(const std::vector<Floats>& parts, std::int64_t width) {
  if (parts.size() == 1) return parts[0];
  Floats result(parts[0].size() * parts.size());
  const std::int64_t wide = width * std::int64_t(parts.size());
  for (std::size_t d = 0; d < parts.size(); ++d)
    for (std::int64_t row = 0; row * width < std::int64_t(parts[d].size()); ++row)
      std::copy_n(&parts[d][std::size_t(row * width)], width,
                  &result[std::size_t(row * wide + std::int64_t(d) * width)]);
  return result;
}

void append(Floats& all, const Floats& part) { all.insert(all.end(), part.begin(), part.end()); }

void run_network(const Network& n, const NetworkOutputs& outputs, const KernelMemory& memory) {
  const Run run(n, memory);
  const Floats hidden_before = n.hidden_before.read(memory);
  const Floats cell_before = n.cell_before.read(memory);
  const std::int64_t state = n.batch * n.hidden;
  Floats x = run.by_time(n.x, n.input);
  Floats all_hidden;
  Floats all_cells;
  for (std::int64_t layer = 0; layer < n.layers; ++layer) {
    const std::int64_t width = layer == 0 ? n.input : n.directions * n.hidden;
    std::vector<Floats> results;
    for (std::int64_t d = 0; d < n.directions; ++d) {
      const std::int64_t index = layer * n.directions + d;
      Floats hidden = state_of(hidden_before, index, state);
      Floats cell = state_of(cell_before, index, state);
      Kept kept;
      results.push_back(
          run_layer(n, run, memory, std::size_t(index), x, width, hidden, cell, kept));
      for (std::size_t k = 0; k < outputs.kept.size(); ++k)
        outputs.kept[k][std::size_t(index)].write(memory, kept[k]);
      append(all_hidden, hidden);
      append(all_cells, cell);
    }
    x = beside(results, n.hidden);
  }
  run.store_by_time(outputs.y, n.directions * n.hidden, x);
  outputs.hidden.write(memory, all_hidden);
  outputs.cell.write(memory, all_cells);
}

Floats column_sums(const Floats& rows, std::int64_t width) {
  std::vector<double> sums(static_cast<std::size_t>(width));
  for (std::size_t i = 0; i < rows.size(); ++i) sums[i % sums.size()] += double(rows[i]);
  return Floats(sums.begin(), sums.end());
}

/// Gradients of one layer and direction. `grad_y` has its part of each row; the result is that of
/// the layer's input.
Floats run_layer_back(const Network& n, const NetworkGradients& g, const Run& run,
                      const KernelMemory& memory, std::size_t index, const Floats& x,
                      std::int64_t width, const Floats& grad_y, Floats& hidden, Floats& cell) {
  const Cell& kind = *n.cell;
  const std::int64_t units = n.hidden;
  const std::int64_t gates = kind.gates * units;
  const std::int64_t wide = n.directions * units;
  const std::int64_t state = n.batch * units;
  const std::size_t first = index * std::size_t(n.group());
  const bool reversed = n.directions == 2 && index % 2 == 1;
  Kept kept;
  for (const std::vector<PackedOperand>& kinds : g.kept) kept.push_back(kinds[index].read(memory));
  const Floats hidden_weights = n.parameters[first + 1].read(memory);
  const Floats first_hidden = state_of(n.hidden_before.read(memory), std::int64_t(index), state);
  const Floats first_cell = state_of(n.cell_before.read(memory), std::int64_t(index), state);

  Floats to_input(std::size_t(run.rows() * gates));
  Floats to_hidden(std::size_t(run.rows() * gates));
  Floats all_before(std::size_t(run.rows() * units));
  for (std::int64_t i = n.steps; i-- > 0;) {
    const std::int64_t t = reversed ? n.steps - 1 - i : i;
    const std::int64_t before = reversed ? t + 1 : t - 1;
    const auto state_before = [&](int what, const Floats& at_first) {
      return i == 0 ? at_first.data() : &kept[std::size_t(what)][std::size_t(before * state)];
    };
    const float* const hidden_before = state_before(kind.hidden_state, first_hidden);
    const float* const cell_before =
        kind.cell_state < 0 ? nullptr : state_before(kind.cell_state, first_cell);
    std::copy_n(hidden_before, state, &all_before[std::size_t(t * state)]);
    run.each_of_batch([&](std::int64_t b) {
      if (b >= run.count(t)) return;
      const std::int64_t row = t * n.batch + b;
      const float* rows[7] = {};
      for (int k = 0; k < kind.kept; ++k) rows[k] = &kept[std::size_t(k)][std::size_t(row * units)];
      float* const grad = &hidden[std::size_t(b * units)];
      const float* const own = &grad_y[std::size_t(row * wide + (reversed ? units : 0))];
      for (std::int64_t u = 0; u < units; ++u) grad[u] += own[u];
      kind.back(units, rows, hidden_before + b * units,
                cell_before == nullptr ? nullptr : cell_before + b * units, grad,
                cell.empty() ? nullptr : &cell[std::size_t(b * units)],
                &to_input[std::size_t(row * gates)], &to_hidden[std::size_t(row * gates)]);
    });
    const Floats through = packed_product({&to_hidden[std::size_t(t * n.batch * gates)]},
                                          {hidden_weights.data()}, n.batch, gates, units);
    for (std::size_t j = 0; j < hidden.size(); ++j) hidden[j] += through[j];
  }
  g.parameters[first].write(
      memory, packed_product({to_input.data(), true}, {x.data()}, gates, run.rows(), width));
  g.parameters[first + 1].write(
      memory,
      packed_product({to_hidden.data(), true}, {all_before.data()}, gates, run.rows(), units));
  if (n.has_bias) {
    g.parameters[first + 2].write(memory, column_sums(to_input, gates));
    g.parameters[first + 3].write(memory, column_sums(to_hidden, gates));
  }
  return packed_product({to_input.data()}, {n.parameters[first].read(memory).data()}, run.rows(),
                        gates, width);
}

void run_network_back(const Network& n, const NetworkGradients& g, const KernelMemory& memory) {
  const Run run(n, memory);
  const std::int64_t state = n.batch * n.hidden;
  const std::int64_t wide = n.directions * n.hidden;
  Floats grad = g.y.given() ? run.by_time(g.y, wide) : Floats(std::size_t(run.rows() * wide));
  const Floats grad_hidden = g.hidden.read(memory);
  const Floats grad_cell = g.cell.read(memory);
  Floats all_hidden(std::size_t(n.layers * n.directions * state));
  Floats all_cells(all_hidden.size());
  for (std::int64_t layer = n.layers; layer-- > 0;) {
    const std::int64_t width = layer == 0 ? n.input : wide;
    Floats x;
    if (layer == 0) {
      x = run.by_time(n.x, n.input);
    } else {
      std::vector<Floats> below;
      for (std::int64_t d = 0; d < n.directions; ++d)
        below.push_back(
            g.kept[std::size_t(n.cell->hidden_state)][std::size_t((layer - 1) * n.directions + d)]
                .read(memory));
      x = beside(below, n.hidden);
    }
    Floats sum(std::size_t(run.rows() * width));
    for (std::int64_t d = 0; d < n.directions; ++d) {
      const std::int64_t index = layer * n.directions + d;
      Floats hidden = state_of(grad_hidden, index, state);
      Floats cell = state_of(grad_cell, index, state);
      const Floats own =
          run_layer_back(n, g, run, memory, std::size_t(index), x, width, grad, hidden, cell);
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += own[i];
      std::copy(hidden.begin(), hidden.end(), all_hidden.begin() + index * state);
      std::copy(cell.begin(), cell.end(), all_cells.begin() + index * state);
    }
    grad = std::move(sum);
  }
  run.store_by_time(g.x, n.input, grad);
  g.hidden_before.write(memory, all_hidden);
  g.cell_before.write(memory, all_cells);
}

}  // namespace

void launch_network(Plan& plan, Network network, NetworkOutputs outputs) {
  network.api = plan.api();
  plan.launch([network = std::move(network), outputs = std::move(outputs)](
                  const KernelMemory& memory) { run_network(network, outputs, memory); });
}

void launch_network_backward(Plan& plan, Network network, NetworkGradients gradients) {
  network.api = plan.api();
  plan.launch([network = std::move(network), gradients = std::move(gradients)](
                  const KernelMemory& memory) { run_network_back(network, gradients, memory); });
}

}  // namespace pyaclnn::sim
