// SPDX-License-Identifier: MIT
#include "opapi/pointwise/whole_tensors.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/elementwise_cast.hpp"
#include "opapi/common/elementwise_sum.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/one_element.hpp"
#include "opapi/pointwise/formula.hpp"
#include "opapi/pointwise/formulas.hpp"
#include "opapi/pointwise/narrow.hpp"

namespace pyaclnn::sim {
namespace formulas {
namespace {

FORMULA(number_or_zero, kFloats, SIM_1(a), 1, m::select<T>(a != a, T(0), a))

}  // namespace
}  // namespace formulas

namespace {

constexpr std::int64_t kBlock = 512;
constexpr std::int64_t kGrain = 65536;

/// Two operands and how their elements are read as T.
struct Compared {
  View views[2];
  LoadFn loads[2];
  LoopNest nest;
};

template <class T>
bool differ(const Compared& compared, const KernelMemory& memory, std::int64_t begin,
            std::int64_t end) {
  alignas(64) T values[2][kBlock];
  LoopCursor cursor(compared.nest, begin);
  for (std::int64_t left = end - begin; left > 0;) {
    const std::int64_t take = std::min({cursor.left_in_row(), left, kBlock});
    for (std::size_t k = 0; k < 2; ++k) {
      const View& view = compared.views[k];
      const auto size = static_cast<std::int64_t>(dtype_size(view.dtype));
      const std::byte* from =
          memory.operands[view.operand] + (view.offset + cursor.offset(k)) * size;
      compared.loads[k](from, compared.nest.inner_stride(k), take, values[k]);
    }
    bool equal = true;
    for (std::int64_t i = 0; i < take; ++i) equal &= values[0][i] == values[1][i];
    if (!equal) return true;
    cursor.advance(take);
    left -= take;
  }
  return false;
}

/// Plans write(whether they differ, where the answer goes).
template <class T, class Write>
void launch_comparison(Plan& plan, Compared compared, const View& out, Write write) {
  plan.launch([compared = std::move(compared), out, write](const KernelMemory& memory) {
    std::atomic<bool> found{false};
    parallel_for(compared.nest.count, kGrain, [&](std::int64_t begin, std::int64_t end) {
      if (!found.load(std::memory_order_relaxed) && differ<T>(compared, memory, begin, end))
        found.store(true, std::memory_order_relaxed);
    });
    write(found.load(), first_element(memory, out));
  });
}

void write_equal(bool differ, std::byte* to) { *to = std::byte(differ ? 0 : 1); }

/// What a chip answers where it computed something else than before.
constexpr std::uint32_t kImprecise = 503;

void write_code(bool differ, std::byte* to) {
  const std::uint32_t code = differ ? kImprecise : 0;
  std::memcpy(to, &code, sizeof code);
}

}  // namespace

void fill_number(Plan& plan, const TensorArgument& out, std::int64_t number) {
  pointwise(plan, formulas::fill, out.dtype(), out.dtype(), out, {}, {Number(number)});
}

void fill_real(Plan& plan, const TensorArgument& out, double number) {
  pointwise(plan, formulas::fill, out.dtype(), out.dtype(), out, {}, {Number(number)});
}

void tensors_equal(Plan& plan, aclDataType compute, const TensorArgument& self,
                   const TensorArgument& other, const TensorArgument& out) {
  if (self.shape() != other.shape() || self.is_empty()) {
    fill_number(plan, out, self.shape() == other.shape() ? 1 : 0);
    return;
  }
  const aclDataType cast = compute == ACL_BF16 ? ACL_FLOAT : compute;
  plan.stage(self).contiguous().cast_to(cast);
  plan.stage(other).contiguous().cast_to(cast);
  plan.result(ACL_BOOL, out.shape()).copy_to(out);
  const View to = plan.writes(out);
  const View views[2] = {plan.reads(self), plan.reads(other)};
  const auto compared = [&](auto load) {
    return Compared{{views[0], views[1]},
                    {load(views[0].dtype), load(views[1].dtype)},
                    plan_loops({views[0], views[1]})};
  };
  if (is_integral(cast)) {
    launch_comparison<std::int64_t>(
        plan, compared([](aclDataType from) { return loader<std::int64_t>(from); }), to,
        write_equal);
  } else if (cast == ACL_DOUBLE) {
    launch_comparison<double>(plan, compared([](aclDataType from) { return loader<double>(from); }),
                              to, write_equal);
  } else {
    launch_comparison<float>(
        plan, compared([cast](aclDataType from) { return narrowing_loader(from, cast); }), to,
        write_equal);
  }
}

void compare_precision(Plan& plan, const TensorArgument& golden, const TensorArgument& real,
                       const TensorArgument& out) {
  plan.stage(golden).contiguous();
  plan.stage(real).contiguous();
  plan.result(ACL_UINT32, out.shape()).copy_to(out);
  const View to = plan.writes(out);
  const View views[2] = {plan.reads(golden), plan.reads(real)};
  const LoadFn load = loader<float>(golden.dtype());
  launch_comparison<float>(
      plan, Compared{{views[0], views[1]}, {load, load}, plan_loops({views[0], views[1]})}, to,
      write_code);
}

void nan_sum(Plan& plan, const TensorArgument& self, AxisMask axes, bool keep, aclDataType dtype,
             const TensorArgument& out) {
  plan.stage(self).contiguous().cast_to(dtype);
  plan.result(dtype, out.shape()).copy_to(out);
  const View given = shaped(plan.writes(out), reduced_shape(self.shape(), axes, keep));
  View to = given;
  if (!keep) {
    // An extent of 1 for each axis that is gone.
    to.shape = Dims();
    to.strides = Dims();
    for (std::size_t i = 0, kept = 0; i < self.rank(); ++i) {
      const bool gone = (axes >> i & 1) != 0;
      to.shape.push_back(gone ? 1 : given.shape[kept]);
      to.strides.push_back(gone ? 1 : given.strides[kept]);
      if (!gone) ++kept;
    }
  }
  ElementwiseKernel kernel;
  kernel.views = {to, plan.reads(self)};
  kernel.loads = {narrowing_loader(self.dtype(), dtype)};
  kernel.store = storer_via(dtype, out.dtype());
  kernel.compute_size = sizeof(float);
  kernel.compute_dtype = ACL_FLOAT;
  kernel.block = formulas::number_or_zero.loops[static_cast<int>(ComputeType::kFloat)];
  // The formula has no scalars, but its loop is given where they would be.
  kernel.function = std::make_shared<const float>(0.0f);
  launch_elementwise_sum(plan, std::move(kernel), self.shape());
}

}  // namespace pyaclnn::sim
