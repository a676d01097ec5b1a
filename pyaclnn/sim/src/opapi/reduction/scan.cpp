// SPDX-License-Identifier: MIT
#include "opapi/reduction/scan.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <type_traits>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/complex.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/reduction_walk.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlock = 1024;
constexpr std::int64_t kTogether = 4;         // lines that are summed at a time
constexpr std::int64_t kChunk = 64 * kBlock;  // a piece of a long line
constexpr std::int64_t kGrain = 32768;        // elements worth a hand-over to another thread

template <class T>
struct Wider {
  using Acc = T;
};
template <>
struct Wider<float> {
  using Acc = double;
};

template <class T>
T combined(Scan kind, T a, T b) {
  if constexpr (std::is_same_v<T, std::int64_t>) {
    const auto x = static_cast<std::uint64_t>(a);
    const auto y = static_cast<std::uint64_t>(b);
    return static_cast<T>(kind == Scan::kSum ? x + y : x * y);
  } else if constexpr (std::is_same_v<T, Complex<double>>) {
    if (kind == Scan::kSum) return {a.re + b.re, a.im + b.im};
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  } else {
    return kind == Scan::kSum ? a + b : a * b;
  }
}

template <class T>
T neutral(Scan kind) {
  if constexpr (std::is_same_v<T, Complex<double>>) {
    return {kind == Scan::kSum ? 0.0 : 1.0, 0.0};
  } else {
    return kind == Scan::kSum ? T(0) : T(1);
  }
}

/// Values become running ones; `acc` is the value before and after them.
template <class T, class Acc>
void scan_block(Scan kind, bool exclusive, T* values, std::int64_t count, Acc& acc) {
  Acc sum = acc;
  if (kind == Scan::kSum && !exclusive) {
    for (std::int64_t i = 0; i < count; ++i) {
      sum = combined(Scan::kSum, sum, Acc(values[i]));
      values[i] = T(sum);
    }
  } else {
    for (std::int64_t i = 0; i < count; ++i) {
      const Acc next = combined(kind, sum, Acc(values[i]));
      values[i] = T(exclusive ? sum : next);
      sum = next;
    }
  }
  acc = sum;
}

/// Running sums of several lines at a time: an addition waits for the one before it in its line.
template <class T, class Acc>
void add_up_together(T (*values)[kBlock], std::int64_t count, Acc* sums) {
  Acc running[kTogether];
  std::copy_n(sums, kTogether, running);
  for (std::int64_t i = 0; i < count; ++i) {
    for (std::int64_t line = 0; line < kTogether; ++line) {
      running[line] = combined(Scan::kSum, running[line], Acc(values[line][i]));
      values[line][i] = T(running[line]);
    }
  }
  std::copy_n(running, kTogether, sums);
}

/// Running sums of integers where they lie; returns the last. An addition takes no longer than to
/// read and to write.
std::int64_t add_up_in_memory(const std::int64_t* from, std::int64_t count, std::int64_t before,
                              std::int64_t* to) {
  std::int64_t sum = before;
  // Several at a time: one by one, the loop takes twice as long where it lies badly.
#pragma GCC unroll 4
  for (std::int64_t i = 0; i < count; ++i) to[i] = sum = combined(Scan::kSum, sum, from[i]);
  return sum;
}

template <class T>
class Scanner {
  using Acc = typename Wider<T>::Acc;

 public:
  Scanner(Scan kind, const View& out, const View& in, std::size_t axis, bool exclusive)
      : kind_(kind),
        exclusive_(exclusive),
        out_(out),
        in_(in),
        load_(loader<T>(in.dtype)),
        store_(storer<T>(out.dtype, Rounding::kTruncate)),
        out_size_(std::int64_t(dtype_size(out.dtype))),
        in_size_(std::int64_t(dtype_size(in.dtype))) {
    // Beside the axis the densest other one is walked, where it is denser.
    std::size_t run = axis;
    for (std::size_t i = 0; i < in.shape.size(); ++i) {
      if (i == axis || in.shape[i] == 1) continue;
      const bool denser = std::llabs(in.strides[i]) < std::llabs(in.strides[run]);
      if (denser || (run == axis && in.shape[axis] == 1)) run = i;
    }
    if (!in.shape.empty()) {
      length_ = in.shape[axis];
      out_step_ = out.strides[axis];
      in_step_ = in.strides[axis];
    }
    sums_in_memory_ = std::is_same_v<T, std::int64_t> && kind == Scan::kSum && !exclusive &&
                      in.dtype == ACL_INT64 && out.dtype == ACL_INT64 && in_step_ == 1 &&
                      out_step_ == 1;
    if (run != axis) {
      width_ = in.shape[run];
      out_side_ = out.strides[run];
      in_side_ = in.strides[run];
    }
    for (std::size_t i = 0; i < in.shape.size(); ++i) {
      if (i == axis || i == run) continue;
      outs_.extents.push_back(in.shape[i]);
      outs_.strides.push_back(out.strides[i]);
      ins_.extents.push_back(in.shape[i]);
      ins_.strides.push_back(in.strides[i]);
      outs_.count = ins_.count *= in.shape[i];
    }
  }

  bool works() const { return load_ != nullptr && store_ != nullptr; }

  void run(const KernelMemory& memory) const {
    std::byte* to = memory.operands[out_.operand] + out_.offset * out_size_;
    const std::byte* from = memory.operands[in_.operand] + in_.offset * in_size_;
    if (width_ > 1) return run_aside(to, from);
    if (length_ > 2 * kChunk && ins_.count < 16) {
      for (std::int64_t line = 0; line < ins_.count; ++line)
        run_long(to + outs_.at(line) * out_size_, from + ins_.at(line) * in_size_);
      return;
    }
    parallel_for(ins_.count, std::max<std::int64_t>(1, kGrain / length_),
                 [&](std::int64_t begin, std::int64_t end) {
                   std::int64_t line = begin;
                   if (kind_ == Scan::kSum && !exclusive_ && !sums_in_memory_) {
                     for (; line + kTogether <= end; line += kTogether) together(to, from, line);
                   }
                   for (; line < end; ++line) {
                     Acc acc = neutral<Acc>(kind_);
                     piece(to + outs_.at(line) * out_size_, from + ins_.at(line) * in_size_, 0,
                           length_, acc);
                   }
                 });
  }

 private:
  /// Places [begin, end) of a line; without `to` only what they come to.
  void piece(std::byte* to, const std::byte* from, std::int64_t begin, std::int64_t end,
             Acc& acc) const {
    if constexpr (std::is_same_v<T, std::int64_t>) {
      if (sums_in_memory_ && to != nullptr) {
        acc = add_up_in_memory(reinterpret_cast<const T*>(from) + begin, end - begin, acc,
                               reinterpret_cast<T*>(to) + begin);
        return;
      }
    }
    alignas(64) T values[kBlock];
    for (std::int64_t at = begin; at < end; at += kBlock) {
      const std::int64_t count = std::min(kBlock, end - at);
      load_(from + at * in_step_ * in_size_, in_step_, count, values);
      scan_block(kind_, exclusive_, values, count, acc);
      if (to != nullptr) store_(values, count, to + at * out_step_ * out_size_, out_step_);
    }
  }

  /// A few lines, from `first` on.
  void together(std::byte* to, const std::byte* from, std::int64_t first) const {
    alignas(64) T values[kTogether][kBlock];
    Acc sums[kTogether] = {};
    for (std::int64_t at = 0; at < length_; at += kBlock) {
      const std::int64_t count = std::min(kBlock, length_ - at);
      for (std::int64_t k = 0; k < kTogether; ++k)
        load_(from + (ins_.at(first + k) + at * in_step_) * in_size_, in_step_, count, values[k]);
      add_up_together(values, count, sums);
      for (std::int64_t k = 0; k < kTogether; ++k)
        store_(values[k], count, to + (outs_.at(first + k) + at * out_step_) * out_size_,
               out_step_);
    }
  }

  /// A long line in pieces of fixed size: first what each comes to, then the running values.
  void run_long(std::byte* to, const std::byte* from) const {
    const std::int64_t pieces = (length_ + kChunk - 1) / kChunk;
    std::vector<Acc> before(std::size_t(pieces), neutral<Acc>(kind_));
    const auto each = [&](std::byte* target) {
      parallel_for(pieces, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
          piece(target, from, i * kChunk, std::min((i + 1) * kChunk, length_),
                before[std::size_t(i)]);
      });
    };
    each(nullptr);
    Acc acc = neutral<Acc>(kind_);
    for (Acc& own : before) {
      const Acc next = combined(kind_, acc, own);
      own = acc;
      acc = next;
    }
    each(to);
  }

  /// Neighbours beside the axis, side by side.
  void run_aside(std::byte* to, const std::byte* from) const {
    const std::int64_t tiles = (width_ + kBlock - 1) / kBlock;
    const std::int64_t grain = std::max<std::int64_t>(1, kGrain / kBlock / length_);
    parallel_for(ins_.count * tiles, grain, [&](std::int64_t begin, std::int64_t end) {
      alignas(64) T values[kBlock];
      alignas(64) Acc sums[kBlock];
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t at = i % tiles * kBlock;
        const std::int64_t count = std::min(kBlock, width_ - at);
        const std::byte* source = from + (ins_.at(i / tiles) + at * in_side_) * in_size_;
        std::byte* target = to + (outs_.at(i / tiles) + at * out_side_) * out_size_;
        std::fill_n(sums, count, neutral<Acc>(kind_));
        for (std::int64_t k = 0; k < length_; ++k) {
          load_(source + k * in_step_ * in_size_, in_side_, count, values);
          for (std::int64_t j = 0; j < count; ++j) {
            const Acc next = combined(kind_, sums[j], Acc(values[j]));
            values[j] = T(exclusive_ ? sums[j] : next);
            sums[j] = next;
          }
          store_(values, count, target + k * out_step_ * out_size_, out_side_);
        }
      }
    });
  }

  Scan kind_;
  bool exclusive_;
  bool sums_in_memory_ = false;
  View out_;
  View in_;
  LoadFn load_;
  StoreFn store_;
  std::int64_t out_size_;
  std::int64_t in_size_;
  std::int64_t length_ = 1;
  std::int64_t out_step_ = 1;
  std::int64_t in_step_ = 1;
  std::int64_t width_ = 1;
  std::int64_t out_side_ = 1;
  std::int64_t in_side_ = 1;
  AxisGroup outs_;
  AxisGroup ins_;
};

template <class T>
void launch(Plan& plan, Scan kind, const View& out, const View& in, std::size_t axis,
            bool exclusive) {
  const auto scanner = std::make_shared<const Scanner<T>>(kind, out, in, axis, exclusive);
  if (!scanner->works())
    fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "%s: there is no kernel for these element types",
         plan.api());
  plan.launch([scanner](const KernelMemory& memory) { scanner->run(memory); });
}

void turn_round(View& view, std::size_t axis) {
  view.offset += (view.shape[axis] - 1) * view.strides[axis];
  view.strides.set(axis, -view.strides[axis]);
}

}  // namespace

void launch_scan(Plan& plan, Scan kind, const View& out, const View& in, std::size_t axis,
                 ScanOptions options) {
  if (in.shape.product() == 0) return;
  View to = out;
  View from = in;
  if (options.reverse && !in.shape.empty()) {
    turn_round(to, axis);
    turn_round(from, axis);
  }
  switch (out.dtype) {
    case ACL_COMPLEX64:
    case ACL_COMPLEX128:
      return launch<Complex<double>>(plan, kind, to, from, axis, options.exclusive);
    case ACL_DOUBLE:
      return launch<double>(plan, kind, to, from, axis, options.exclusive);
    case ACL_FLOAT:
    case ACL_FLOAT16:
    case ACL_BF16:
      return launch<float>(plan, kind, to, from, axis, options.exclusive);
    default:
      return launch<std::int64_t>(plan, kind, to, from, axis, options.exclusive);
  }
}

void scan(Plan& plan, Scan kind, const TensorArgument& self, std::size_t axis,
          const TensorArgument& out, ScanOptions options) {
  plan.stage(self).contiguous().cast_to(out.dtype());
  plan.result(out.dtype(), self.shape()).copy_to(out);
  const View to = plan.writes(out);
  launch_scan(plan, kind, to, plan.reads(self), axis, options);
}

std::size_t axis_of(const Check& check, const TensorArgument& self, const ScalarIn& dim) {
  return check.dim_of(self, static_cast<std::int32_t>(dim->to_int()));
}

}  // namespace pyaclnn::sim
