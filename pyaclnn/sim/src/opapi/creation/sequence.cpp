// SPDX-License-Identifier: MIT
#include <algorithm>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/fill.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/copy/cast.hpp"
#include "opapi/creation/creation.hpp"
#include "opapi/pointwise/formulas.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlock = 1024;
constexpr std::int64_t kGrain = 16 * kBlock;

/// Writes value(i) to the elements of a view, in row-major order.
template <class T, class Function>
void launch_sequence(Plan& plan, const View& out, Function value) {
  const StoreFn store = storer<T>(out.dtype, Rounding::kTruncate);
  const auto size = std::int64_t(dtype_size(out.dtype));
  plan.launch([=, shape = out.shape](const KernelMemory& memory) {
    std::byte* base = memory.operands[out.operand] + out.offset * size;
    const std::int64_t row = shape.empty() ? 1 : shape.back();
    const std::int64_t step = shape.empty() ? 1 : out.strides.back();
    const auto row_of = [&](std::int64_t number) {
      std::int64_t offset = 0;
      for (std::size_t i = shape.size() - 1; i-- > 0;) {
        offset += number % shape[i] * out.strides[i];
        number /= shape[i];
      }
      return offset;
    };
    parallel_for(shape.product(), kGrain, [&](std::int64_t begin, std::int64_t end) {
      T values[kBlock];
      while (begin < end) {
        const std::int64_t in_row = begin % row;
        const std::int64_t count = std::min({kBlock, end - begin, row - in_row});
        for (std::int64_t i = 0; i < count; ++i) values[i] = value(begin + i);
        const std::int64_t place = shape.size() < 2 ? 0 : row_of(begin / row);
        store(values, count, base + (place + in_row * step) * size, step);
        begin += count;
      }
    });
  });
}

/// a + b * c and the like of numbers a caller chose: they wrap.
std::int64_t wrapped(std::uint64_t start, std::uint64_t step, std::int64_t i) {
  return static_cast<std::int64_t>(start + step * static_cast<std::uint64_t>(i));
}

template <class T>
void check_step(const Check& check, T start, T end, T step) {
  check.that(step > T(0) || step < T(0), "step is %g, it must not be 0", double(step));
  check.that(step > T(0) ? !(start > end) : !(start < end),
             "from %g one does not get to %g in steps of %g", double(start), double(end),
             double(step));
}

}  // namespace

void check_steps(const Check& check, const ScalarIn& start, const ScalarIn& end,
                 const ScalarIn& step, const TensorArgument& out) {
  if (is_integral(out.dtype())) {
    check_step(check, start->to_int(), end->to_int(), step->to_int());
  } else if (out.dtype() == ACL_DOUBLE) {
    check_step(check, start->to_double(), end->to_double(), step->to_double());
  } else {
    check_step(check, start->to_float(), end->to_float(), step->to_float());
  }
}

void arange(Plan& plan, const ScalarIn& start, const ScalarIn& step, const TensorArgument& out) {
  plan.result(out.dtype(), out.shape()).copy_to(out);
  const View to = plan.writes(out);
  if (is_integral(out.dtype())) {
    const auto first = static_cast<std::uint64_t>(start->to_int());
    const auto distance = static_cast<std::uint64_t>(step->to_int());
    launch_sequence<std::int64_t>(plan, to,
                                  [=](std::int64_t i) { return wrapped(first, distance, i); });
  } else {
    const double first = start->to_double();
    const double distance = step->to_double();
    launch_sequence<double>(plan, to, [=](std::int64_t i) { return first + distance * double(i); });
  }
}

void linspace(Plan& plan, const ScalarIn& start, const ScalarIn& end, const TensorArgument& out) {
  const std::int64_t steps = out.elements();
  const aclDataType dtype = out.dtype();
  plan.result(dtype == ACL_INT64 && steps > 1 ? ACL_FLOAT : dtype, out.shape())
      .cast_to(dtype)
      .copy_to(out);
  const View to = plan.writes(out);
  // Integers begin and end at what the scalars are as such.
  const bool whole = is_integral(dtype);
  const double first = whole ? double(start->to_int()) : start->to_double();
  const double last = whole ? double(end->to_int()) : end->to_double();
  const double distance = steps > 1 ? (last - first) / double(steps - 1) : 0;
  launch_sequence<double>(plan, to, [=](std::int64_t i) {
    return i > 0 && i == steps - 1 ? last : first + distance * double(i);
  });
}

void eye(Plan& plan, const TensorArgument& out) {
  plan.result(out.dtype(), out.shape()).copy_to(out);
  launch_zero(plan, out);
  const View diagonal = diagonal_view(plan.writes(out), 0);
  launch_pointwise(plan, formulas::fill, out.dtype(), out.dtype(), diagonal, {}, {Number(1.0)});
}

void fill_with(Plan& plan, const TensorArgument& value, const TensorArgument& self) {
  plan.stage(value).contiguous().cast_to(self.dtype());
  plan.result(self.dtype(), self.shape()).copy_to(self);
  const View to = plan.writes(self);
  View from = plan.reads(value);
  from.shape = from.strides = Dims();
  launch_cast(plan, to, from);
}

}  // namespace pyaclnn::sim
