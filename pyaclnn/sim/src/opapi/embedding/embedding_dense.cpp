// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <vector>

#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/cpu_wide.hpp"
#include "opapi/common/elementwise_cast.hpp"
#include "opapi/common/integers.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/embedding/gradients.hpp"
#include "parameters/EmbeddingDenseBackward.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlock = 512;    // columns summed at a time
constexpr std::int64_t kGrain = 32768;  // elements worth a hand-over to another thread

/// The first row of a sum, or one more.
struct Add {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* values, std::int64_t count, bool is_first,
                                    double* sums) {
    if (is_first) {
      for (std::int64_t i = 0; i < count; ++i) sums[i] = 0.0 + double(values[i]);
    } else {
      SIM_INDEPENDENT_ITERATIONS
      for (std::int64_t i = 0; i < count; ++i) sums[i] += double(values[i]);
    }
  }
};

/// The result of a sum; by `frequency` only where that changes something, for it takes long.
struct Finish {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const double* sums, std::int64_t count, double frequency,
                                    float* results) {
    if (frequency == 1.0) {
      for (std::int64_t i = 0; i < count; ++i) results[i] = static_cast<float>(sums[i]);
    } else {
      for (std::int64_t i = 0; i < count; ++i) results[i] = static_cast<float>(sums[i] / frequency);
    }
  }
};

/// Rows of grad in the order of their indices: those of index i are
/// order[starts[i]] ... order[starts[i + 1] - 1].
struct RowsByIndex {
  std::vector<std::int64_t> starts;
  std::vector<std::int64_t> order;

  /// Indices outside of [0, count) and `padding` are left out.
  RowsByIndex(const std::vector<std::int64_t>& indices, std::int64_t count, std::int64_t padding)
      : starts(std::size_t(count) + 1) {
    const auto counts = [&](std::int64_t index) {
      return index >= 0 && index < count && index != padding;
    };
    for (std::int64_t index : indices)
      if (counts(index)) ++starts[std::size_t(index) + 1];
    for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
    order.resize(std::size_t(starts.back()));
    std::vector<std::int64_t> next(starts.begin(), starts.end() - 1);
    for (std::size_t row = 0; row < indices.size(); ++row)
      if (counts(indices[row]))
        order[std::size_t(next[std::size_t(indices[row])]++)] = std::int64_t(row);
  }
};

struct Kernel {
  RowMajor grad;
  View indices;
  View out;
  StoreFn store = nullptr;
  std::int64_t padding = -1;
  bool scale_by_frequency = false;

  void run(const KernelMemory& memory) const {
    const RowsByIndex rows(integers_of(indices, memory), out.shape[0], padding);
    const RowMajorAccess values(grad, memory);
    const std::int64_t columns = out.shape[1];
    parallel_for(out.shape[0], std::max<std::int64_t>(1, kGrain / columns),
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t i = begin; i < end; ++i) {
                     if (rows.starts[std::size_t(i)] == rows.starts[std::size_t(i) + 1]) continue;
                     for (std::int64_t at = 0; at < columns; at += kBlock)
                       sum(memory, values, rows, i, at, std::min(kBlock, columns - at));
                   }
                 });
  }

  /// `count` columns of row `index` of the output, which has rows to sum, from `at` on.
  void sum(const KernelMemory& memory, const RowMajorAccess& values, const RowsByIndex& rows,
           std::int64_t index, std::int64_t at, std::int64_t count) const {
    static const auto finish =
        wide_loop_for_cpu<Finish, const double*, std::int64_t, double, float*>();
    static const auto add = wide_loop_for_cpu<Add, const float*, std::int64_t, bool, double*>();
    const std::int64_t first = rows.starts[std::size_t(index)];
    const std::int64_t last = rows.starts[std::size_t(index) + 1];
    alignas(64) float buffer[kBlock];
    const auto read = [&](std::int64_t i) {
      return values.read(rows.order[std::size_t(i)] * out.shape[1] + at, count, buffer);
    };
    if (last - first == 1) {
      // It is the sum, but for the sign of zeros.
      const float* row = read(first);
      for (std::int64_t i = 0; i < count; ++i) buffer[i] = 0.0f + row[i];
    } else {
      alignas(64) double sums[kBlock];
      for (std::int64_t i = first; i < last; ++i) add(read(i), count, i == first, sums);
      const double frequency = scale_by_frequency ? double(last - first) : 1.0;
      finish(sums, count, frequency, buffer);
    }
    const auto size = static_cast<std::int64_t>(dtype_size(out.dtype));
    const std::int64_t element = out.offset + index * out.strides[0] + at * out.strides[1];
    store(buffer, count, memory.operands[out.operand] + element * size, out.strides[1]);
  }
};

}  // namespace

void check_embedding_dense_gradient(const Check& check, const TensorArgument& grad,
                                    const TensorArgument& indices, std::uint64_t rows,
                                    const TensorArgument& out) {
  check.that(grad.rank() >= 1, "grad has no dimensions, its last one must hold the embeddings");
  const std::int64_t columns = grad.shape().back();
  check.that(columns == 0 || grad.elements() / columns == indices.elements(),
             "grad of shape %s has not as many rows as indices of shape %s has elements",
             grad.shape().text().c_str(), indices.shape().text().c_str());
  check.shape_is(out, Dims{static_cast<std::int64_t>(rows), columns},
                 "numWeights rows of grad's last extent");
}

/// out[i] = sum of the rows of grad whose index is i, divided by how many they are for
/// `by_frequency`; 0 for `padding`, where -1 (as unsigned) stands for none, which `out` is before.
/// Indices that are no row of out are skipped, which CANN does not define. Sums are float32 or
/// better whatever grad is.
void embedding_dense_gradient(const Check&, Plan& plan,
                              const EmbeddingDenseBackwardParameters& given) {
  // The 950 sums to grad's own type, the others to float32.
  const aclDataType result = on_950() ? given.grad.dtype() : ACL_FLOAT;
  plan.stage(given.grad).contiguous().cast_to(result);
  plan.stage(given.indices).contiguous().cast_to(ACL_INT32);
  plan.result(result, given.out.shape()).cast_to(given.out.dtype()).copy_to(given.out);
  auto kernel = std::make_shared<Kernel>();
  kernel->grad = RowMajor(plan.reads(given.grad));
  kernel->indices = plan.reads(given.indices);
  kernel->out = plan.writes(given.out);
  kernel->store = storer_via(result, given.out.dtype());
  kernel->padding = static_cast<std::int64_t>(given.paddingIdx);
  kernel->scale_by_frequency = given.scaleGradByFreq;
  plan.launch([kernel](const KernelMemory& memory) { kernel->run(memory); });
}

}  // namespace pyaclnn::sim
