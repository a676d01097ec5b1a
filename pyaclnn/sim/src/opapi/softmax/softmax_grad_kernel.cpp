// SPDX-License-Identifier: MIT
#include "opapi/softmax/softmax_grad_kernel.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/bulk_copy.hpp"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/cpu.hpp"
#include "opapi/common/cpu_wide.hpp"
#include "opapi/common/turned.hpp"
#include "opapi/pointwise/base_two.hpp"
#include "opapi/softmax/softmax_grad_wide.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kRow = 4096;                   // a row as long is held converted
constexpr std::int64_t kBlock = wide::kSoftmaxBlock;  // values worked on at a time
// Neighbouring lines worked on together: whole pages of each position, which the processor reads
// ahead of. Fewer are worth a hand-over to another thread.
constexpr std::int64_t kColumns = 1024;
constexpr std::int64_t kFewestColumns = 256;
constexpr std::int64_t kGrain = 32768;  // values worth a hand-over to another thread
constexpr std::int64_t kPiece = 32768;  // part of a long row that one thread sums
constexpr int kLanes = 16;
// Rows as long are turned, as many at once as have these values.
constexpr std::int64_t kShortRow = wide::kSoftmaxShortRow;
constexpr std::int64_t kTurnedValues = 2048;
// Those of log-softmax that fill vectors are only taken together, up to such a length.
constexpr std::int64_t kShortLogRow = 512;
constexpr std::int64_t kFewRows = 16;  // which are not

/// The sum of kLanes partial sums, which are lost, in the order in which AVX-512 adds them.
SIM_ALWAYS_INLINE double total_of(double* lanes) {
  for (int width = kLanes / 2; width > 0; width /= 2) {
    for (int k = 0; k < width; ++k) lanes[k] += lanes[k + width];
  }
  return lanes[0];
}

/// sum += grad * y over `count` values. In float64: the difference grad - sum loses all the
/// leading digits the two have in common.
struct Dot {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* grad, const float* y, std::int64_t count,
                                    double* sum) {
    double lanes[kLanes] = {};
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      for (int k = 0; k < kLanes; ++k) lanes[k] += double(grad[i + k]) * double(y[i + k]);
    }
    for (; i < count; ++i) lanes[0] += double(grad[i]) * double(y[i]);
    *sum += total_of(lanes);
  }
};

/// out = y * (grad - sum), the sum in two parts so that float32 arithmetic keeps its digits.
struct Apply {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* grad, const float* y, std::int64_t count,
                                    const double* sum, float* out) {
    const float high = static_cast<float>(*sum);
    const float low = high - high == 0 ? static_cast<float>(*sum - double(high)) : 0.0f;
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) out[i] = y[i] * ((grad[i] - high) - low);
  }
};

/// The same two steps for neighbouring lines, one value of each.
struct DotColumns {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* grad, const float* y, std::int64_t count,
                                    double* sums) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) sums[i] += double(grad[i]) * double(y[i]);
  }
};

/// For values of 16 bits, whose products floats hold.
struct DotNarrowColumns {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* grad, const float* y, std::int64_t count,
                                    double* sums) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) sums[i] += double(grad[i] * y[i]);
  }
};

/// The sums of neighbouring lines, each in two parts.
struct ColumnSums {
  ColumnSums(const double* sums, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
      high[i] = static_cast<float>(sums[i]);
      low[i] = high[i] - high[i] == 0 ? static_cast<float>(sums[i] - double(high[i])) : 0.0f;
    }
  }

  alignas(64) float high[kColumns];
  alignas(64) float low[kColumns];
};

struct ApplyColumns {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* grad, const float* y, std::int64_t count,
                                    const ColumnSums* sums, float* out) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i)
      out[i] = y[i] * ((grad[i] - sums->high[i]) - sums->low[i]);
  }
};

/// The same for log-softmax: sum += grad, out = grad - exp(y) * sum.
struct Total {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* grad, const float*, std::int64_t count,
                                    double* sum) {
    double lanes[kLanes] = {};
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      for (int k = 0; k < kLanes; ++k) lanes[k] += double(grad[i + k]);
    }
    for (; i < count; ++i) lanes[0] += double(grad[i]);
    *sum += total_of(lanes);
  }
};

struct ApplyLog {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* grad, const float* y, std::int64_t count,
                                    const double* sum, float* out) {
    const float total = static_cast<float>(*sum);
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) out[i] = grad[i] - base_two::exp(y[i]) * total;
  }
};

struct TotalColumns {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* grad, const float*, std::int64_t count,
                                    double* sums) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) sums[i] += double(grad[i]);
  }
};

struct ApplyLogColumns {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* grad, const float* y, std::int64_t count,
                                    const ColumnSums* sums, float* out) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) out[i] = grad[i] - base_two::exp(y[i]) * sums->high[i];
  }
};

/// Both steps for `count` rows turned into columns, the bits those of Dot and Apply, or of Total
/// and ApplyLog: `length` lines of one value of each row. Results replace `grad`. With few values
/// to a row, the row's own loops would mostly wait for one another.
struct TurnedRows {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(float* grad, const float* y, std::int64_t length,
                                    std::int64_t count, bool logarithm) {
    for (std::int64_t i = 0; i < count; i += kSome)
      some(grad + i, y + i, length, std::min(kSome, count - i), count, logarithm);
  }

 private:
  static constexpr std::int64_t kSome = 64;
  using Line = double[kSome];

  static SIM_ALWAYS_INLINE void some(float* grad, const float* y, std::int64_t length,
                                     std::int64_t count, std::int64_t step, bool logarithm) {
    alignas(64) Line sums[kLanes] = {};
    const std::int64_t in_lanes = length - length % kLanes;
    for (std::int64_t k = 0; k < length; ++k) {
      double* lane = sums[k < in_lanes ? k % kLanes : 0];
      if (logarithm)
        TotalColumns::run<Isa::kBaseline>(grad + k * step, y + k * step, count, lane);
      else
        DotColumns::run<Isa::kBaseline>(grad + k * step, y + k * step, count, lane);
    }
    for (int width = kLanes / 2; width > 0; width /= 2) {
      for (int lane = 0; lane < width; ++lane) {
        SIM_INDEPENDENT_ITERATIONS
        for (std::int64_t j = 0; j < count; ++j) sums[lane][j] += sums[lane + width][j];
      }
    }
    alignas(64) float high[kSome];
    alignas(64) float low[kSome];
    for (std::int64_t j = 0; j < count; ++j) {
      const double sum = 0.0 + sums[0][j];
      high[j] = static_cast<float>(sum);
      low[j] = high[j] - high[j] == 0 ? static_cast<float>(sum - double(high[j])) : 0.0f;
    }
    for (std::int64_t k = 0; k < length; ++k) {
      float* values = grad + k * step;
      const float* ys = y + k * step;
      if (logarithm) {
        SIM_INDEPENDENT_ITERATIONS
        for (std::int64_t j = 0; j < count; ++j) values[j] -= base_two::exp(ys[j]) * high[j];
      } else {
        SIM_INDEPENDENT_ITERATIONS
        for (std::int64_t j = 0; j < count; ++j)
          values[j] = ys[j] * ((values[j] - high[j]) - low[j]);
      }
    }
  }
};

/// Total and ApplyLog for rows one behind the other: calls for each take longer than a short one.
struct LogRows {
  template <Isa kIsa>
  static SIM_ALWAYS_INLINE void run(const float* grad, const float* y, std::int64_t rows,
                                    std::int64_t length, float* out) {
    for (std::int64_t i = 0; i < rows; ++i, grad += length, y += length, out += length) {
      double sum = 0;
      Total::run<kIsa>(grad, y, length, &sum);
      ApplyLog::run<kIsa>(grad, y, length, &sum, out);
    }
  }
};

using SumFn = void (*)(const float*, const float*, std::int64_t, double*);
template <class Sum>
using ApplyFn = void (*)(const float*, const float*, std::int64_t, const Sum*, float*);

template <class Loop>
SumFn sum_fn() {
  return wide_loop_for_cpu<Loop, const float*, const float*, std::int64_t, double*>();
}

SumFn dot_fn() {
  const SumFn wide = wide::softmax_dot();
  return wide != nullptr ? wide : sum_fn<Dot>();
}

template <class Loop, class Sum = double>
ApplyFn<Sum> apply_fn() {
  return wide_loop_for_cpu<Loop, const float*, const float*, std::int64_t, const Sum*, float*>();
}

/// One operand: element (line, position) is at base + line offset + position * step.
struct Operand {
  View view;
  std::int64_t size = 0;  // of an element, in bytes
  std::int64_t step = 0;  // between values of a line, in elements
  LoadFn load = nullptr;
};

struct Kernel {
  Operand out;
  Operand grad;
  Operand y;
  StoreFn store = nullptr;
  // Conversion to the inputs' type and back, where the output has another type.
  StoreFn round = nullptr;
  LoadFn unround = nullptr;
  LoopNest lines;  // the dimensions but the reduced one; operands in the order out, grad, y
  std::int64_t length = 1;
  bool by_columns = false;
  bool bulk = false;  // the output is long and is written past the caches
  bool sum_reads_y = true;
  SumFn sum = nullptr;
  ApplyFn<double> apply = nullptr;              // to a row
  ApplyFn<ColumnSums> apply_columns = nullptr;  // in place of that
  void (*turn)(const float*, std::int64_t, std::int64_t, float*) =
      loop_for_cpu<TurnedBlock<float>, const float*, std::int64_t, std::int64_t, float*>();
  void (*turned)(float*, const float*, std::int64_t, std::int64_t, bool) =
      wide_loop_for_cpu<TurnedRows, float*, const float*, std::int64_t, std::int64_t, bool>();
  void (*log_rows)(const float*, const float*, std::int64_t, std::int64_t, float*) =
      wide_loop_for_cpu<LogRows, const float*, const float*, std::int64_t, std::int64_t, float*>();
  wide::SoftmaxSteps steps;  // in place of sum and apply and what comes before and after

  void run(const KernelMemory& memory) const;
};

/// A kernel with addresses.
class Run {
 public:
  Run(const Kernel& kernel, const KernelMemory& memory)
      : kernel_(kernel),
        out_(base(kernel.out, memory)),
        grad_(base(kernel.grad, memory)),
        y_(base(kernel.y, memory)) {}

  void rows(std::int64_t begin, std::int64_t end) const {
    LoopCursor cursor(kernel_.lines, begin);
    for (std::int64_t line = begin; line < end; ++line) {
      if (kernel_.length <= kRow) {
        short_row(cursor);
      } else {
        double total = 0;
        for (std::int64_t at = 0; at < kernel_.length; at += kPiece) total += sum(cursor, at);
        for (std::int64_t at = 0; at < kernel_.length; at += kPiece) apply(cursor, at, total);
      }
      cursor.advance(1);
    }
    if (kernel_.bulk) bulk_copy_done();
  }

  void short_rows(std::int64_t begin, std::int64_t end) const {
    LoopCursor cursor(kernel_.lines, begin);
    for (std::int64_t left = end - begin; left > 0;) {
      const std::int64_t count =
          std::min({cursor.left_in_row(), left, kTurnedValues / kernel_.length});
      several_rows(cursor, count);
      cursor.advance(count);
      left -= count;
    }
    if (kernel_.bulk) bulk_copy_done();
  }

  /// Rows too long for one thread and too few for all: threads share each.
  void long_rows() const {
    const std::int64_t pieces = (kernel_.length + kPiece - 1) / kPiece;
    std::vector<double> sums(static_cast<std::size_t>(pieces));
    LoopCursor cursor(kernel_.lines, 0);
    for (std::int64_t line = 0; line < kernel_.lines.count; ++line) {
      parallel_for(pieces, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) sums[std::size_t(i)] = sum(cursor, i * kPiece);
      });
      double total = 0;
      for (double part : sums) total += part;
      parallel_for(pieces, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) apply(cursor, i * kPiece, total);
        if (kernel_.bulk) bulk_copy_done();
      });
      cursor.advance(1);
    }
  }

  void columns(std::int64_t begin, std::int64_t end) const {
    LoopCursor cursor(kernel_.lines, begin);
    for (std::int64_t left = end - begin; left > 0;) {
      const std::int64_t count = std::min({cursor.left_in_row(), left, kColumns});
      column_tile(cursor, count);
      cursor.advance(count);
      left -= count;
    }
    if (kernel_.bulk) bulk_copy_done();
  }

 private:
  static std::byte* base(const Operand& operand, const KernelMemory& memory) {
    return memory.operands[operand.view.operand] + operand.view.offset * operand.size;
  }

  const std::byte* grad_at(const LoopCursor& cursor, std::int64_t position) const {
    return grad_ + (cursor.offset(1) + position * kernel_.grad.step) * kernel_.grad.size;
  }
  const std::byte* y_at(const LoopCursor& cursor, std::int64_t position) const {
    return y_ + (cursor.offset(2) + position * kernel_.y.step) * kernel_.y.size;
  }
  std::byte* out_at(const LoopCursor& cursor, std::int64_t position) const {
    return out_ + (cursor.offset(0) + position * kernel_.out.step) * kernel_.out.size;
  }

  /// `count` values as floats: in place where they are floats side by side, else in `buffer`.
  static const float* read(const Operand& operand, const std::byte* from, std::int64_t stride,
                           std::int64_t count, float* buffer) {
    if (stride == 1 && operand.view.dtype == ACL_FLOAT) return reinterpret_cast<const float*>(from);
    operand.load(from, stride, count, buffer);
    return buffer;
  }

  bool writes_in_place(std::int64_t stride) const {
    return !kernel_.bulk && kernel_.out.view.dtype == ACL_FLOAT && stride == 1 &&
           kernel_.round == nullptr;
  }

  void write(float* values, std::int64_t count, std::byte* to, std::int64_t stride) const {
    if (kernel_.round != nullptr) {
      alignas(64) std::byte rounded[kBlock * sizeof(std::uint16_t)];
      kernel_.round(values, count, rounded, 1);
      kernel_.unround(rounded, 1, count, values);
    }
    if (!kernel_.bulk || stride != 1) {
      kernel_.store(values, count, to, stride);
      return;
    }
    alignas(64) std::byte converted[kBlock * sizeof(double)];
    const bool is_float = kernel_.out.view.dtype == ACL_FLOAT;
    if (!is_float) kernel_.store(values, count, converted, 1);
    bulk_copy(to, is_float ? static_cast<const void*>(values) : converted,
              std::size_t(count * kernel_.out.size));
  }

  struct Inputs {
    const float* grad;
    const float* y;
  };

  Inputs read_block(const LoopCursor& cursor, std::int64_t at, std::int64_t count, float* grads,
                    float* ys, bool with_y = true) const {
    const float* grad = read(kernel_.grad, grad_at(cursor, at), kernel_.grad.step, count, grads);
    if (!with_y) return {grad, nullptr};
    return {grad, read(kernel_.y, y_at(cursor, at), kernel_.y.step, count, ys)};
  }

  /// Reads and adds the sum over the block to `total`.
  Inputs sum_block(const LoopCursor& cursor, std::int64_t at, std::int64_t count, float* grads,
                   float* ys, double* total, bool with_y = true) const {
    if (kernel_.steps.dot == nullptr) {
      const Inputs inputs = read_block(cursor, at, count, grads, ys, with_y);
      kernel_.sum(inputs.grad, inputs.y, count, total);
      return inputs;
    }
    const std::byte* grad = grad_at(cursor, at);
    const std::byte* y = y_at(cursor, at);
    kernel_.steps.dot(grad, y, count, grads, ys, total);
    if (kernel_.grad.view.dtype != ACL_FLOAT) return {grads, ys};
    return {reinterpret_cast<const float*>(grad), reinterpret_cast<const float*>(y)};
  }

  void apply_block(const LoopCursor& cursor, std::int64_t at, std::int64_t count,
                   const Inputs& inputs, const double& total) const {
    std::byte* to = out_at(cursor, at);
    if (kernel_.steps.scale != nullptr) {
      kernel_.steps.scale(inputs.grad, inputs.y, count, &total, to, kernel_.bulk);
      return;
    }
    alignas(64) float results[kBlock];
    const bool in_place = writes_in_place(kernel_.out.step);
    float* out = in_place ? reinterpret_cast<float*>(to) : results;
    kernel_.apply(inputs.grad, inputs.y, count, &total, out);
    if (!in_place) write(results, count, to, kernel_.out.step);
  }

  /// Sum over the piece of the cursor's line that starts at `at`.
  double sum(const LoopCursor& cursor, std::int64_t at) const {
    alignas(64) float grads[kBlock];
    alignas(64) float ys[kBlock];
    const std::int64_t end = std::min(kernel_.length, at + kPiece);
    double total = 0;
    for (; at < end && kernel_.steps.sum != nullptr; at += kBlock)
      kernel_.steps.sum(grad_at(cursor, at), y_at(cursor, at), std::min(kBlock, end - at), &total);
    for (; at < end; at += kBlock)
      sum_block(cursor, at, std::min(kBlock, end - at), grads, ys, &total, kernel_.sum_reads_y);
    return total;
  }

  /// Whether the cursor's line and the next ones lie one behind the other.
  bool is_dense(const Operand& operand, std::size_t place) const {
    return operand.step == 1 && kernel_.lines.inner_stride(place) == kernel_.length;
  }

  /// `count` lines as floats one behind the other: where they are that, or in `buffer`.
  const float* read_rows(const Operand& operand, std::size_t place, const std::byte* from,
                         std::int64_t count, float* buffer) const {
    const std::int64_t length = kernel_.length;
    if (is_dense(operand, place)) return read(operand, from, 1, count * length, buffer);
    const std::int64_t step = kernel_.lines.inner_stride(place) * operand.size;
    for (std::int64_t i = 0; i < count; ++i)
      operand.load(from + i * step, operand.step, length, buffer + i * length);
    return buffer;
  }

  void several_rows(const LoopCursor& cursor, std::int64_t count) const {
    const std::int64_t length = kernel_.length;
    std::byte* to = out_at(cursor, 0);
    const bool dense = is_dense(kernel_.out, 0);
    const bool in_place = dense && writes_in_place(1);
    if (kernel_.steps.rows != nullptr && !kernel_.bulk && dense && is_dense(kernel_.grad, 1) &&
        is_dense(kernel_.y, 2) &&
        kernel_.steps.rows(grad_at(cursor, 0), y_at(cursor, 0), count, length, to))
      return;
    alignas(64) float rows[kTurnedValues];
    alignas(64) float grads[kTurnedValues];
    alignas(64) float ys[kTurnedValues];
    if (!kernel_.sum_reads_y && length >= kLanes) {
      const float* const grad = read_rows(kernel_.grad, 1, grad_at(cursor, 0), count, grads);
      const float* const y = read_rows(kernel_.y, 2, y_at(cursor, 0), count, ys);
      kernel_.log_rows(grad, y, count, length, in_place ? reinterpret_cast<float*>(to) : rows);
      if (in_place) return;
    } else {
      kernel_.turn(read_rows(kernel_.grad, 1, grad_at(cursor, 0), count, rows), count, length,
                   grads);
      kernel_.turn(read_rows(kernel_.y, 2, y_at(cursor, 0), count, rows), count, length, ys);
      kernel_.turned(grads, ys, length, count, !kernel_.sum_reads_y);
      if (in_place) return kernel_.turn(grads, length, count, reinterpret_cast<float*>(to));
      kernel_.turn(grads, length, count, rows);
    }
    const std::int64_t run = dense ? kBlock : length;
    const std::int64_t step = dense ? run : kernel_.lines.inner_stride(0);
    for (std::int64_t at = 0; at < count * length; at += run)
      write(rows + at, std::min(run, count * length - at), to + at / run * step * kernel_.out.size,
            kernel_.out.step);
  }

  /// A row that is converted once, because it stays in the L1 cache: a quarter less time for
  /// 16-bit types.
  void short_row(const LoopCursor& cursor) const {
    alignas(64) float grads[kRow];
    alignas(64) float ys[kRow];
    Inputs inputs[kRow / kBlock];
    double total = 0;
    const auto block_at = [&](std::int64_t at) { return std::min(kBlock, kernel_.length - at); };
    for (std::int64_t at = 0; at < kernel_.length; at += kBlock)
      inputs[at / kBlock] = sum_block(cursor, at, block_at(at), grads + at, ys + at, &total);
    for (std::int64_t at = 0; at < kernel_.length; at += kBlock)
      apply_block(cursor, at, block_at(at), inputs[at / kBlock], total);
  }

  void apply(const LoopCursor& cursor, std::int64_t at, double total) const {
    alignas(64) float grads[kBlock];
    alignas(64) float ys[kBlock];
    const std::int64_t end = std::min(kernel_.length, at + kPiece);
    for (; at < end; at += kBlock) {
      const std::int64_t count = std::min(kBlock, end - at);
      if (kernel_.steps.apply != nullptr) {
        kernel_.steps.apply(grad_at(cursor, at), y_at(cursor, at), count, &total,
                            out_at(cursor, at), kernel_.bulk);
        continue;
      }
      apply_block(cursor, at, count, read_block(cursor, at, count, grads, ys), total);
    }
  }

  void column_tile(const LoopCursor& cursor, std::int64_t count) const {
    alignas(64) float grads[kColumns];
    alignas(64) float ys[kColumns];
    alignas(64) float results[kColumns];
    alignas(64) double sums[kColumns] = {};
    const std::int64_t grad_stride = kernel_.lines.inner_stride(1);
    const std::int64_t y_stride = kernel_.lines.inner_stride(2);
    const std::int64_t out_stride = kernel_.lines.inner_stride(0);
    for (std::int64_t i = 0; i < kernel_.length; ++i) {
      const float* y =
          kernel_.sum_reads_y ? read(kernel_.y, y_at(cursor, i), y_stride, count, ys) : nullptr;
      kernel_.sum(read(kernel_.grad, grad_at(cursor, i), grad_stride, count, grads), y, count,
                  sums);
    }
    const ColumnSums parts(sums, count);
    const bool in_place = writes_in_place(out_stride);
    for (std::int64_t i = 0; i < kernel_.length; ++i) {
      std::byte* to = out_at(cursor, i);
      float* out = in_place ? reinterpret_cast<float*>(to) : results;
      kernel_.apply_columns(read(kernel_.grad, grad_at(cursor, i), grad_stride, count, grads),
                            read(kernel_.y, y_at(cursor, i), y_stride, count, ys), count, &parts,
                            out);
      if (!in_place) write(results, count, to, out_stride);
    }
  }

  const Kernel& kernel_;
  std::byte* out_;
  const std::byte* grad_;
  const std::byte* y_;
};

void Kernel::run(const KernelMemory& memory) const {
  const Run run(*this, memory);
  const std::int64_t grain = std::max<std::int64_t>(1, kGrain / length);
  if (by_columns) {
    parallel_for(lines.count, std::max(grain, kFewestColumns),
                 [&](std::int64_t begin, std::int64_t end) { run.columns(begin, end); });
  } else if (length <= (sum_reads_y ? kShortRow : kShortLogRow) && lines.count >= kFewRows) {
    parallel_for(lines.count, grain,
                 [&](std::int64_t begin, std::int64_t end) { run.short_rows(begin, end); });
  } else if (length > 4 * kPiece && lines.count < 16) {
    run.long_rows();
  } else {
    parallel_for(lines.count, grain,
                 [&](std::int64_t begin, std::int64_t end) { run.rows(begin, end); });
  }
}

View without_axis(const View& view, std::size_t axis) {
  View result = view;
  result.shape = Dims();
  result.strides = Dims();
  for (std::size_t i = 0; i < view.shape.size(); ++i) {
    if (i == axis) continue;
    result.shape.push_back(view.shape[i]);
    result.strides.push_back(view.strides[i]);
  }
  return result;
}

Operand make_operand(View view, std::size_t axis) {
  Operand operand;
  operand.size = static_cast<std::int64_t>(dtype_size(view.dtype));
  operand.step = view.shape.empty() ? 1 : view.strides[axis];
  operand.load = loader<float>(view.dtype);
  operand.view = std::move(view);
  return operand;
}

}  // namespace

void launch_softmax_grad(Plan& plan, SoftmaxKind kind, const TensorArgument& grad,
                         const TensorArgument& y, std::size_t axis, const TensorArgument& out) {
  auto kernel = std::make_shared<Kernel>();
  kernel->out = make_operand(plan.writes(out), axis);
  kernel->grad = make_operand(plan.reads(grad), axis);
  kernel->y = make_operand(plan.reads(y), axis);
  kernel->store = storer<float>(out.dtype(), Rounding::kTruncate);
  if (kernel->store == nullptr)
    fail(ACLNN_ERR_INNER_NULLPTR, "%s: the result cannot be cast to %s", plan.api(),
         dtype_name(out.dtype()));
  if (out.dtype() != grad.dtype() && grad.dtype() != ACL_FLOAT) {
    kernel->round = storer<float>(grad.dtype(), Rounding::kNearestEven);
    kernel->unround = loader<float>(grad.dtype());
  }
  kernel->length = grad.shape().empty() ? 1 : grad.shape()[axis];
  kernel->lines =
      plan_loops({without_axis(kernel->out.view, axis), without_axis(kernel->grad.view, axis),
                  without_axis(kernel->y.view, axis)});
  kernel->bulk = std::size_t(kernel->lines.count * kernel->length * kernel->out.size) >= kBulkBytes;
  // Lines that lie side by side in memory are read together, a value of each at a time.
  kernel->by_columns = kernel->lines.inner_extent() > 1 &&
                       std::llabs(kernel->lines.inner_stride(1)) < std::llabs(kernel->grad.step);
  if (kind == SoftmaxKind::kLog) {
    kernel->sum_reads_y = false;
    kernel->sum = kernel->by_columns ? sum_fn<TotalColumns>() : sum_fn<Total>();
    kernel->apply = apply_fn<ApplyLog>();
    kernel->apply_columns = apply_fn<ApplyLogColumns, ColumnSums>();
  } else {
    const bool narrow = is_16_bit_float(grad.dtype()) && is_16_bit_float(y.dtype());
    const SumFn columns = narrow ? sum_fn<DotNarrowColumns>() : sum_fn<DotColumns>();
    kernel->sum = kernel->by_columns ? columns : dot_fn();
    kernel->apply = apply_fn<Apply>();
    kernel->apply_columns = apply_fn<ApplyColumns, ColumnSums>();
  }
  const bool side_by_side = kernel->out.step == 1 && kernel->grad.step == 1 && kernel->y.step == 1;
  const bool same_dtype = grad.dtype() == y.dtype() && grad.dtype() == out.dtype();
  if (side_by_side && same_dtype && !kernel->by_columns)
    kernel->steps = wide::softmax_steps(grad.dtype(), kind == SoftmaxKind::kLog);
  plan.launch([kernel](const KernelMemory& memory) { kernel->run(memory); });
}

}  // namespace pyaclnn::sim
