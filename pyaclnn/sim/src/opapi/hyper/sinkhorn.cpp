// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "core/thread_pool.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/hyper/mixing.hpp"
#include "parameters/MhcSinkhorn.hpp"
#include "parameters/MhcSinkhornBackward.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlock = 8;  // of the rows that are kept

bool is_streams(std::int64_t n) { return n == 4 || n == 6 || n == 8; }

/// Matrices of tokens and the sums of their steps, in rows of whole blocks.
struct Kept {
  std::int64_t count;
  std::int64_t n;
  std::int64_t row() const { return (n + kBlock - 1) / kBlock * kBlock; }
  std::int64_t norm(std::int64_t step, std::int64_t token, std::int64_t i) const {
    return ((step * count + token) * n + i / n) * row() + i % n;
  }
  std::int64_t sum(std::int64_t step, std::int64_t token, std::int64_t i) const {
    return (step * count + token) * row() + i;
  }
};

}  // namespace

void Sinkhorn::run(const double* matrix, double eps, double* norms, double* sums) const {
  const std::int64_t size = n * n;
  std::fill_n(sums, n, 0.0);
  for (std::int64_t r = 0; r < n; ++r) {
    const double* row = matrix + r * n;
    const double largest = *std::max_element(row, row + n);
    double total = 0.0;
    for (std::int64_t c = 0; c < n; ++c) total += norms[r * n + c] = std::exp(row[c] - largest);
    for (std::int64_t c = 0; c < n; ++c) norms[r * n + c] = norms[r * n + c] / total + eps;
  }
  for (std::int64_t step = 1; step < steps(); ++step) {
    const double* from = norms + (step - 1) * size;
    double* to = norms + step * size;
    double* own = sums + step * n;
    std::fill_n(own, n, eps);
    const bool columns = step % 2 == 1;
    for (std::int64_t i = 0; i < size; ++i) own[columns ? i % n : i / n] += from[i];
    for (std::int64_t i = 0; i < size; ++i) to[i] = from[i] / own[columns ? i % n : i / n];
  }
}

void Sinkhorn::back(const double* norms, const double* sums, double* gradient) const {
  const std::int64_t size = n * n;
  std::vector<double> dots(static_cast<std::size_t>(n));
  for (std::int64_t step = steps(); step-- > 0;) {
    const double* own = norms + step * size;
    const bool columns = step % 2 == 1;
    const auto line = [&](std::int64_t i) { return columns ? i % n : i / n; };
    std::fill(dots.begin(), dots.end(), 0.0);
    for (std::int64_t i = 0; i < size; ++i) dots[std::size_t(line(i))] += gradient[i] * own[i];
    for (std::int64_t i = 0; i < size; ++i) {
      const double rest = gradient[i] - dots[std::size_t(line(i))];
      gradient[i] = step == 0 ? rest * own[i] : rest / sums[step * n + line(i)];
    }
  }
}

void mhc_sinkhorn(const Check& check, Plan& plan, const MhcSinkhornParameters& given) {
  const TensorArgument& x = given.x;
  const bool keeps = given.normOut.given() && given.sumOut.given();
  const DtypeSet floats{ACL_FLOAT};
  check.not_null(x, given.output);
  check.dtype_in(floats, x, given.output);
  if (keeps) check.dtype_in(floats, given.normOut, given.sumOut);
  check.same_shape(x, given.output);
  check.that(given.numIters > 0 && given.numIters <= 100, "numIters is %lld",
             static_cast<long long>(given.numIters));
  check.that((x.rank() == 3 || x.rank() == 4) && x.shape().back() == x.shape()[x.rank() - 2] &&
                 is_streams(x.shape().back()),
             "x has shape %s", x.shape().text().c_str());
  check.that(x.meta().format == given.output.meta().format, "x and output differ in format");
  check.that(!x.is_empty(), "x is empty");
  needs_kernel(plan, on_950());
  const Streams streams(x.shape());
  const Sinkhorn sinkhorn{streams.n, given.numIters};
  const Kept kept{streams.count, streams.n};
  const std::int64_t rows = sinkhorn.steps() * streams.count * kept.row();
  PackedOperand norms_out;
  PackedOperand sums_out;
  if (keeps) {
    check_tiling(plan, given.normOut.shape() == Dims{rows * streams.n}, "normOut has shape %s",
                 given.normOut.shape().text().c_str());
    check_tiling(plan, given.sumOut.shape() == Dims{rows}, "sumOut has shape %s",
                 given.sumOut.shape().text().c_str());
    norms_out = writes_packed(plan, given.normOut);
    sums_out = writes_packed(plan, given.sumOut);
  }
  const PackedOperand from = reads_packed(plan, x);
  const PackedOperand to = writes_packed(plan, given.output);
  const double eps = double(given.eps);
  plan.launch([=](const KernelMemory& memory) {
    const std::vector<double> matrices = from.read<double>(memory);
    const std::int64_t size = sinkhorn.n * sinkhorn.n;
    std::vector<double> results(matrices.size());
    std::vector<double> all_norms(static_cast<std::size_t>(norms_out.size()));
    std::vector<double> all_sums(static_cast<std::size_t>(sums_out.size()));
    parallel_for(streams.count, 16, [&](std::int64_t begin, std::int64_t end) {
      std::vector<double> norms(std::size_t(sinkhorn.steps() * size));
      std::vector<double> sums(std::size_t(sinkhorn.steps() * sinkhorn.n));
      for (std::int64_t t = begin; t < end; ++t) {
        sinkhorn.run(&matrices[std::size_t(t * size)], eps, norms.data(), sums.data());
        std::copy_n(norms.end() - size, size, &results[std::size_t(t * size)]);
        if (!keeps) continue;
        for (std::int64_t step = 0; step < sinkhorn.steps(); ++step) {
          for (std::int64_t i = 0; i < size; ++i)
            all_norms[std::size_t(kept.norm(step, t, i))] = norms[std::size_t(step * size + i)];
          for (std::int64_t i = 0; i < sinkhorn.n; ++i)
            all_sums[std::size_t(kept.sum(step, t, i))] = sums[std::size_t(step * sinkhorn.n + i)];
        }
      }
    });
    to.write(memory, results);
    norms_out.write(memory, all_norms);
    sums_out.write(memory, all_sums);
  });
}

void mhc_sinkhorn_backward(const Check& check, Plan& plan,
                           const MhcSinkhornBackwardParameters& given) {
  const TensorArgument& grad = given.gradOutput;
  check.not_null(grad, given.normOut, given.sumOut, given.out);
  check.dtype_in(DtypeSet{ACL_FLOAT}, grad, given.normOut, given.sumOut, given.out);
  check.same_shape(grad, given.out);
  check.that((grad.rank() == 3 || grad.rank() == 4) &&
                 grad.shape().back() == grad.shape()[grad.rank() - 2] &&
                 is_streams(grad.shape().back()),
             "gradOutput has shape %s", grad.shape().text().c_str());
  check.that(grad.meta().format == given.out.meta().format, "gradOutput and out differ in format");
  if (grad.is_empty()) return;
  needs_kernel(plan, on_950());
  const Streams streams(grad.shape());
  const Kept kept{streams.count, streams.n};
  const std::int64_t of_two = 2 * streams.count * kept.row();
  const std::int64_t rows = given.sumOut.elements();
  check_tiling(plan, given.sumOut.rank() == 1 && rows > 0 && rows % of_two == 0,
               "sumOut has shape %s", given.sumOut.shape().text().c_str());
  check_tiling(plan,
               given.normOut.rank() == 1 && given.normOut.elements() / streams.n == rows &&
                   given.normOut.elements() % streams.n == 0,
               "normOut has shape %s", given.normOut.shape().text().c_str());
  const Sinkhorn sinkhorn{streams.n, rows / of_two};
  const PackedOperand from = reads_packed(plan, grad);
  const PackedOperand norms_in = reads_packed(plan, given.normOut);
  const PackedOperand sums_in = reads_packed(plan, given.sumOut);
  const PackedOperand to = writes_packed(plan, given.out);
  plan.launch([=](const KernelMemory& memory) {
    std::vector<double> gradients = from.read<double>(memory);
    const std::vector<double> all_norms = norms_in.read<double>(memory);
    const std::vector<double> all_sums = sums_in.read<double>(memory);
    const std::int64_t size = sinkhorn.n * sinkhorn.n;
    parallel_for(streams.count, 16, [&](std::int64_t begin, std::int64_t end) {
      std::vector<double> norms(std::size_t(sinkhorn.steps() * size));
      std::vector<double> sums(std::size_t(sinkhorn.steps() * sinkhorn.n));
      for (std::int64_t t = begin; t < end; ++t) {
        for (std::int64_t step = 0; step < sinkhorn.steps(); ++step) {
          for (std::int64_t i = 0; i < size; ++i)
            norms[std::size_t(step * size + i)] = all_norms[std::size_t(kept.norm(step, t, i))];
          for (std::int64_t i = 0; i < sinkhorn.n; ++i)
            sums[std::size_t(step * sinkhorn.n + i)] = all_sums[std::size_t(kept.sum(step, t, i))];
        }
        sinkhorn.back(norms.data(), sums.data(), &gradients[std::size_t(t * size)]);
      }
    });
    to.write(memory, gradients);
  });
}

}  // namespace pyaclnn::sim
