// What a layer gives goes to the streams, which are mixed; and the gradients of that.
// SPDX-License-Identifier: MIT
#include "core/thread_pool.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/hyper/mixing.hpp"
#include "parameters/MhcPost.hpp"
#include "parameters/MhcPostBackward.hpp"

namespace pyaclnn::sim {
namespace {

using Doubles = std::vector<double>;

const DtypeSet kHalves{ACL_FLOAT16, ACL_BF16};
const DtypeSet kFloat{ACL_FLOAT};

void check_rank(const Check& check, const TensorArgument& x) {
  check.that(x.rank() == 3 || x.rank() == 4, "x has %zu dimensions, it must have 3 or 4", x.rank());
}

void check_mixing(const Check& check, const Streams& streams, const TensorArgument& res,
                  const TensorArgument& out, const TensorArgument& post) {
  check.shape_is(res, streams.of_each({streams.n, streams.n}), "x");
  check.shape_is(out, streams.of_each({streams.width}), "x");
  check.shape_is(post, streams.of_each({streams.n}), "x");
}

}  // namespace

void mhc_post(const Check& check, Plan& plan, const MhcPostParameters& given) {
  check.dtype_in(kHalves, given.x);
  check.dtype_in(kFloat, given.hRes, given.hPost);
  check.same_dtype(given.x, given.hOut, given.out);
  check_rank(check, given.x);
  const Streams streams(given.x.shape());
  check_mixing(check, streams, given.hRes, given.hOut, given.hPost);
  check.same_shape(given.x, given.out);
  if (given.x.is_empty()) return;
  needs_kernel(plan, on_a2_or_a3() || on_950());
  const PackedOperand x = reads_packed(plan, given.x);
  const PackedOperand res = reads_packed(plan, given.hRes);
  const PackedOperand layer = reads_packed(plan, given.hOut);
  const PackedOperand post = reads_packed(plan, given.hPost);
  const PackedOperand out = writes_packed(plan, given.out);
  plan.launch([=](const KernelMemory& memory) {
    const Doubles xs = x.read<double>(memory);
    const Doubles mix = res.read<double>(memory);
    const Doubles added = layer.read<double>(memory);
    const Doubles shares = post.read<double>(memory);
    Doubles results(xs.size());
    const std::int64_t n = streams.n;
    const std::int64_t width = streams.width;
    parallel_for(streams.count * n, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) {
        const std::int64_t t = row / n;
        double* const to = &results[std::size_t(row * width)];
        for (std::int64_t d = 0; d < width; ++d)
          to[d] = added[std::size_t(t * width + d)] * shares[std::size_t(row)];
        for (std::int64_t j = 0; j < n; ++j) {
          const double part = mix[std::size_t((t * n + j) * n + row % n)];
          for (std::int64_t d = 0; d < width; ++d)
            to[d] += part * xs[std::size_t((t * n + j) * width + d)];
        }
      }
    });
    out.write(memory, results);
  });
}

void mhc_post_backward(const Check& check, Plan& plan, const MhcPostBackwardParameters& given) {
  check.dtype_in(kHalves, given.gradOutput, given.x, given.hOut);
  check.dtype_in(kFloat, given.hRes, given.hPost, given.gradHRes, given.gradHPost);
  check.same_dtype(given.x, given.gradX);
  check.same_dtype(given.hOut, given.gradHOut);
  check_rank(check, given.x);
  const Streams streams(given.x.shape());
  const std::int64_t n = streams.n;
  const std::int64_t width = streams.width;
  check.that(n == 4 || (on_950() && (n == 6 || n == 8)), "x has %lld streams",
             static_cast<long long>(n));
  check.that(on_950() || (width > 0 && width <= 100000 && width % 128 == 0),
             "streams are %lld wide, it must be a multiple of 128", static_cast<long long>(width));
  check.same_shape(given.x, given.gradOutput, given.gradX);
  check_mixing(check, streams, given.hRes, given.hOut, given.hPost);
  check_mixing(check, streams, given.gradHRes, given.gradHOut, given.gradHPost);
  if (given.x.is_empty()) return;
  needs_kernel(plan, on_a2_or_a3() || on_950());
  const PackedOperand grad = reads_packed(plan, given.gradOutput);
  const PackedOperand x = reads_packed(plan, given.x);
  const PackedOperand res = reads_packed(plan, given.hRes);
  const PackedOperand layer = reads_packed(plan, given.hOut);
  const PackedOperand post = reads_packed(plan, given.hPost);
  const PackedOperand to_x = writes_packed(plan, given.gradX);
  const PackedOperand to_res = writes_packed(plan, given.gradHRes);
  const PackedOperand to_layer = writes_packed(plan, given.gradHOut);
  const PackedOperand to_post = writes_packed(plan, given.gradHPost);
  plan.launch([=](const KernelMemory& memory) {
    const Doubles gs = grad.read<double>(memory);
    const Doubles xs = x.read<double>(memory);
    const Doubles mix = res.read<double>(memory);
    const Doubles added = layer.read<double>(memory);
    const Doubles shares = post.read<double>(memory);
    Doubles of_x(xs.size());
    Doubles of_res(mix.size());
    Doubles of_layer(added.size());
    Doubles of_post(shares.size());
    parallel_for(streams.count, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t t = begin; t < end; ++t)
        for (std::int64_t i = 0; i < n; ++i)
          for (std::int64_t d = 0; d < width; ++d) {
            const double g = gs[std::size_t((t * n + i) * width + d)];
            const auto at = std::size_t(t * width + d);
            of_layer[at] += g * shares[std::size_t(t * n + i)];
            of_post[std::size_t(t * n + i)] += g * added[at];
            for (std::int64_t j = 0; j < n; ++j) {
              const auto row = std::size_t((t * n + j) * width + d);
              const auto cell = std::size_t((t * n + j) * n + i);
              of_x[row] += g * mix[cell];
              of_res[cell] += g * xs[row];
            }
          }
    });
    to_x.write(memory, of_x);
    to_res.write(memory, of_res);
    to_layer.write(memory, of_layer);
    to_post.write(memory, of_post);
  });
}

}  // namespace pyaclnn::sim
