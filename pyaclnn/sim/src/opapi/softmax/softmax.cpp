// SPDX-License-Identifier: MIT
#include "opapi/softmax/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/bulk_copy.hpp"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/convert_wide.hpp"
#include "opapi/common/cpu_wide.hpp"
#include "opapi/common/prefetch.hpp"
#include "opapi/common/reduction_walk.hpp"
#include "opapi/common/turned.hpp"
#include "opapi/softmax/softmax_row.hpp"
#include "opapi/softmax/softmax_rows.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGrain = 16384;

// Columns walked side by side, where these lie denser than the values along the axis.
constexpr std::int64_t kWidth = 256;
constexpr std::int64_t kPiece = 1024;  // converted at a time

/// Between memory and values, rounded on the way to the type CANN computes the result in.
template <class T>
struct SoftmaxTypes {
  LoadFn load;
  StoreFn store;
  StoreFn round_store;
  LoadFn round_load;

  SoftmaxTypes(aclDataType in, aclDataType out, aclDataType gives)
      : load(loader<T>(in)),
        store(storer<T>(out, Rounding::kTruncate)),
        round_store(gives == out ? nullptr : storer<T>(gives, Rounding::kTruncate)),
        round_load(gives == out ? nullptr : loader<T>(gives)),
        in_is_values(in == dtype_of<T>()),
        out_is_values(out == dtype_of<T>() && gives == out) {
#if SIM_HAS_AVX2_PATH
    if (out_is_values) stream_bytes = wide::stream_bytes;
    if (std::is_same_v<T, float> && out == ACL_FLOAT16) stream = wide::stream_halves;
    if (std::is_same_v<T, float> && out == ACL_BF16) stream = wide::stream_bfloat16s;
#endif
  }

  void write(T* values, std::int64_t count, std::byte* to, std::int64_t stride, std::int64_t size,
             bool bulk) const {
    alignas(64) std::byte converted[kPiece * sizeof(T)];
    for (std::int64_t at = 0; at < count; at += kPiece) {
      const std::int64_t take = std::min(kPiece, count - at);
      if (round_store != nullptr) {
        round_store(values + at, take, converted, 1);
        round_load(converted, 1, take, values + at);
      }
      std::byte* place = to + at * stride * size;
      if (bulk) {
        const std::int64_t done = streamed(values + at, take, place);
        if (done == take) continue;
        store(values + at + done, take - done, converted, 1);
        bulk_copy(place + done * size, converted, std::size_t((take - done) * size));
      } else {
        store(values + at, take, place, stride);
      }
    }
  }

  /// Writes as many values as fill cache lines past the caches at once; returns how many.
  std::int64_t streamed(const T* values, std::int64_t count, std::byte* to) const {
    constexpr std::uintptr_t kLine = 64;
    if (reinterpret_cast<std::uintptr_t>(to) % kLine != 0) return 0;
    if constexpr (std::is_same_v<T, float>) {
      if (stream != nullptr) return stream(values, count, to);
    }
    if (stream_bytes == nullptr) return 0;
    const auto* bytes = reinterpret_cast<const std::byte*>(values);
    return stream_bytes(bytes, count * std::int64_t(sizeof(T)), to) / std::int64_t(sizeof(T));
  }

  bool in_is_values;  // without conversion
  bool out_is_values;

 private:
  std::int64_t (*stream)(const float*, std::int64_t, std::byte*) = nullptr;
  std::int64_t (*stream_bytes)(const std::byte*, std::int64_t, std::byte*) = nullptr;
};

constexpr std::int64_t kMostAhead = 8192;  // bytes of a line

// Rows as long are turned, as many at once as have these values.
constexpr std::int64_t kShortRow = 64;
constexpr std::int64_t kTurnedValues = 4096;
constexpr std::int64_t kFewRows = 16;  // which are not

template <class T>
class Softmax {
 public:
  Softmax(const View& out, const View& in, std::size_t axis, aclDataType gives, bool logarithm)
      : in_(in), out_(out), logarithm_(logarithm), types_(in.dtype, out.dtype, gives) {
    if (in.shape.empty()) return;
    length_ = in.shape[axis];
    in_step_ = in.strides[axis];
    out_step_ = out.strides[axis];
    std::size_t side = axis;
    for (std::size_t i = 0; i < in.shape.size(); ++i) {
      if (i != axis && in.shape[i] > 1 && std::llabs(in.strides[i]) < std::llabs(in.strides[side]))
        side = i;
    }
    if (side != axis && length_ > 1) {
      width_ = in.shape[side];
      in_side_ = in.strides[side];
      out_side_ = out.strides[side];
    }
    for (std::size_t i = 0; i < in.shape.size(); ++i) {
      if (i == axis || (i == side && width_ > 0)) continue;
      ins_.extents.push_back(in.shape[i]);
      ins_.strides.push_back(in.strides[i]);
      outs_.extents.push_back(in.shape[i]);
      outs_.strides.push_back(out.strides[i]);
      outs_.count = ins_.count *= in.shape[i];
    }
  }

  bool works() const { return types_.load != nullptr && types_.store != nullptr; }

  void run(const KernelMemory& memory) const {
    const std::byte* from = memory.operands[in_.operand] + in_.offset * in_size_;
    std::byte* to = memory.operands[out_.operand] + out_.offset * out_size_;
    if (width_ > 0) return run_columns(from, to);
    if (length_ <= kShortRow && ins_.count >= kFewRows) return run_short_rows(from, to);
    const bool bulk = out_step_ == 1 && is_bulk();
    const bool in_place = !bulk && types_.out_is_values && out_step_ == 1;
    parallel_for(ins_.count, std::max<std::int64_t>(1, kGrain / length_),
                 [&](std::int64_t begin, std::int64_t end) {
                   std::vector<T> values(std::size_t(in_place ? 0 : length_));
                   for (std::int64_t r = begin; r < end; ++r) {
                     if (bulk && in_step_ == 1 && r + 1 < end)
                       prefetch(from + ins_.at(r + 1) * in_size_,
                                std::min(length_ * in_size_, kMostAhead));
                     const std::byte* source = from + ins_.at(r) * in_size_;
                     std::byte* target = to + outs_.at(r) * out_size_;
                     T* results = in_place ? reinterpret_cast<T*>(target) : values.data();
                     const bool as_is = types_.in_is_values && in_step_ == 1;
                     if (!as_is) types_.load(source, in_step_, length_, results);
                     row_(as_is ? reinterpret_cast<const T*>(source) : results, length_, logarithm_,
                          results);
                     if (!in_place)
                       types_.write(results, length_, target, out_step_, out_size_, bulk);
                   }
                   if (bulk) bulk_copy_done();
                 });
  }

 private:
  void run_short_rows(const std::byte* from, std::byte* to) const {
    const std::int64_t most = kTurnedValues / length_;
    parallel_for(ins_.count, std::max(most, kGrain / length_),
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t r = begin; r < end; r += most)
                     short_rows(from, to, r, std::min(most, end - r));
                   if (is_bulk()) bulk_copy_done();
                 });
  }

  void short_rows(const std::byte* from, std::byte* to, std::int64_t first,
                  std::int64_t count) const {
    alignas(64) T rows[kTurnedValues];
    alignas(64) T turned[kTurnedValues];
    const bool dense_in = in_step_ == 1 && ins_.is_even() && ins_.even_step() == length_;
    const bool dense_out = out_step_ == 1 && outs_.is_even() && outs_.even_step() == length_;
    const std::int64_t values = count * length_;
    const std::int64_t in_runs = dense_in ? 1 : count;
    const std::int64_t out_runs = dense_out ? 1 : count;
    const T* source = rows;
    if (dense_in && types_.in_is_values) {
      source = reinterpret_cast<const T*>(from + ins_.at(first) * in_size_);
    } else {
      for (std::int64_t i = 0; i < in_runs; ++i)
        types_.load(from + ins_.at(first + i) * in_size_, in_step_, values / in_runs,
                    rows + i * length_);
    }
    const bool in_place = dense_out && types_.out_is_values && !is_bulk();
    T* const results = in_place ? reinterpret_cast<T*>(to + outs_.at(first) * out_size_) : rows;
    if (!in_registers(source, count, results)) {
      turn_(source, count, length_, turned);
      turned_(turned, length_, count, logarithm_);
      turn_(turned, length_, count, results);
    }
    if (in_place) return;
    for (std::int64_t i = 0; i < out_runs; ++i)
      types_.write(rows + i * length_, values / out_runs, to + outs_.at(first + i) * out_size_,
                   out_step_, out_size_, dense_out && is_bulk());
  }

  /// Rows one behind the other; false, and nothing done, if there is no loop for rows as long.
  bool in_registers(const T* values, std::int64_t count, T* results) const {
    if constexpr (std::is_same_v<T, float>) {
      const SoftmaxRowsFn rows = softmax_rows(length_);
      if (rows != nullptr) rows(values, count, logarithm_, results);
      return rows != nullptr;
    } else {
      return false;
    }
  }

  void run_columns(const std::byte* from, std::byte* to) const {
    const std::int64_t tiles = (width_ + kWidth - 1) / kWidth;
    parallel_for(ins_.count * tiles, std::max<std::int64_t>(1, kGrain / kWidth / length_),
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t i = begin; i < end; ++i) {
                     const std::int64_t at = i % tiles * kWidth;
                     columns(from + (ins_.at(i / tiles) + at * in_side_) * in_size_,
                             to + (outs_.at(i / tiles) + at * out_side_) * out_size_,
                             std::min(kWidth, width_ - at));
                   }
                 });
  }

  void columns(const std::byte* from, std::byte* to, std::int64_t count) const {
    alignas(64) T values[kWidth];
    alignas(64) T tops[kWidth];
    alignas(64) T sums[kSoftmaxLanes][kWidth] = {};
    const bool bulk = out_side_ == 1 && is_bulk();
    const auto load = [&](std::int64_t k) {
      constexpr std::int64_t kAhead = 8;
      if (in_side_ == 1 && k + kAhead < length_)
        prefetch(from + (k + kAhead) * in_step_ * in_size_, std::min(count * in_size_, kMostAhead));
      types_.load(from + k * in_step_ * in_size_, in_side_, count, values);
    };
    std::fill_n(tops, count, -std::numeric_limits<T>::infinity());
    for (std::int64_t k = 0; k < length_; ++k) {
      load(k);
      largest_(values, count, tops);
    }
    const std::int64_t in_lanes = length_ - length_ % kSoftmaxLanes;
    for (std::int64_t k = 0; k < length_; ++k) {
      load(k);
      add_(values, count, tops, sums[k < in_lanes ? k % kSoftmaxLanes : 0]);
    }
    for (int half = kSoftmaxLanes / 2; half > 0; half /= 2) {
      for (int lane = 0; lane < half; ++lane) {
        for (std::int64_t j = 0; j < count; ++j) sums[lane][j] += sums[lane + half][j];
      }
    }
    for (std::int64_t j = 0; j < count; ++j)
      sums[0][j] = logarithm_ ? std::log(sums[0][j]) : T(1) / sums[0][j];
    for (std::int64_t k = 0; k < length_; ++k) {
      load(k);
      finish_(values, count, tops, sums[0], logarithm_, values);
      types_.write(values, count, to + k * out_step_ * out_size_, out_side_, out_size_, bulk);
    }
    if (bulk) bulk_copy_done();
  }

  bool is_bulk() const { return std::size_t(in_.shape.product() * out_size_) >= kBulkBytes; }

  View in_;
  View out_;
  bool logarithm_;
  SoftmaxTypes<T> types_;
  std::int64_t in_size_ = std::int64_t(dtype_size(in_.dtype));
  std::int64_t out_size_ = std::int64_t(dtype_size(out_.dtype));
  void (*row_)(const T*, std::int64_t, bool,
               T*) = wide_loop_for_cpu<SoftmaxRow<T>, const T*, std::int64_t, bool, T*>();
  void (*largest_)(const T*, std::int64_t,
                   T*) = wide_loop_for_cpu<SoftmaxLargest<T>, const T*, std::int64_t, T*>();
  void (*add_)(const T*, std::int64_t, const T*,
               T*) = wide_loop_for_cpu<SoftmaxAdd<T>, const T*, std::int64_t, const T*, T*>();
  void (*finish_)(const T*, std::int64_t, const T*, const T*, bool, T*) =
      wide_loop_for_cpu<SoftmaxFinish<T>, const T*, std::int64_t, const T*, const T*, bool, T*>();
  void (*turn_)(const T*, std::int64_t, std::int64_t,
                T*) = loop_for_cpu<TurnedBlock<T>, const T*, std::int64_t, std::int64_t, T*>();
  void (*turned_)(T*, std::int64_t, std::int64_t, bool) =
      wide_loop_for_cpu<SoftmaxTurned<T>, T*, std::int64_t, std::int64_t, bool>();
  std::int64_t length_ = 1;
  std::int64_t in_step_ = 1;
  std::int64_t out_step_ = 1;
  std::int64_t width_ = 0;  // 0: rows
  std::int64_t in_side_ = 1;
  std::int64_t out_side_ = 1;
  AxisGroup ins_;  // the other axes
  AxisGroup outs_;
};

template <class T>
void launch(Plan& plan, const View& out, const View& in, std::size_t axis, aclDataType gives,
            bool logarithm) {
  const auto kernel = std::make_shared<const Softmax<T>>(out, in, axis, gives, logarithm);
  if (!kernel->works())
    fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "%s: there is no kernel for these element types",
         plan.api());
  plan.launch([kernel](const KernelMemory& memory) { kernel->run(memory); });
}

}  // namespace

void softmax(Plan& plan, const TensorArgument& in, const TensorArgument& out, std::size_t axis,
             aclDataType gives, bool logarithm) {
  plan.stage(in).contiguous().cast_to(gives);
  plan.result(gives, in.shape()).cast_to(out.dtype()).copy_to(out);
  const View to = plan.writes(out);
  const View from = plan.reads(in);
  if (gives == ACL_DOUBLE) return launch<double>(plan, to, from, axis, gives, logarithm);
  launch<float>(plan, to, from, axis, gives, logarithm);
}

}  // namespace pyaclnn::sim
