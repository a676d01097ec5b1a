// Windows of tokens that NSA compresses to one, in training and beside a cache, and the gradient.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/attention/layouts.hpp"
#include "opapi/attention/rows.hpp"
#include "opapi/attention/scores.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/fill.hpp"
#include "opapi/common/integers.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "parameters/NsaCompress.hpp"
#include "parameters/NsaCompressGrad.hpp"
#include "parameters/NsaCompressWithCache.hpp"

namespace pyaclnn::sim {
namespace {

const DtypeSet kHalves{ACL_FLOAT16, ACL_BF16};
constexpr std::int64_t kUnit = 16;

/// The first token of those that become one row of the result.
struct Window {
  std::int64_t sequence;
  std::int64_t first;
  std::int64_t row;
};

/// What is compressed: out[row, head] = sum over k of weight[k, head] input[first + k, head].
struct Compression {
  AttentionRows input;
  View weight;  // [1, 1, tokens of a window, heads]
  std::int64_t size() const { return weight.shape[2]; }
  std::int64_t heads() const { return weight.shape[3]; }
  std::int64_t depth() const { return input.view.shape[3]; }
};

/// The weights of all windows, [tokens, heads].
std::vector<float> weights_of(const Compression& compression, const KernelMemory& memory) {
  const RowView rows(compression.weight);
  std::vector<float> weights(std::size_t(compression.size() * compression.heads()));
  for (std::int64_t k = 0; k < compression.size(); ++k)
    rows.load(memory, 0, 0, k, 0, compression.heads(), weights.data() + k * compression.heads());
  return weights;
}

void compress(const Compression& compression, const View& out, const std::vector<Window>& windows,
              const KernelMemory& memory) {
  const std::vector<float> weights = weights_of(compression, memory);
  const RowReader input(compression.input);
  const RowView results(out);
  const std::int64_t heads = compression.heads();
  const std::int64_t depth = compression.depth();
  parallel_for(std::int64_t(windows.size()) * heads, 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> token(static_cast<std::size_t>(depth));
    std::vector<float> sum(static_cast<std::size_t>(depth));
    for (std::int64_t task = begin; task < end; ++task) {
      const Window& window = windows[std::size_t(task / heads)];
      const std::int64_t head = task % heads;
      std::fill(sum.begin(), sum.end(), 0.0f);
      for (std::int64_t k = 0; k < compression.size(); ++k) {
        input.load(memory, window.sequence, 0, head, window.first + k, token.data());
        const float weight = weights[std::size_t(k * heads + head)];
        for (std::size_t i = 0; i < token.size(); ++i) sum[i] += weight * token[i];
      }
      results.store(memory, 0, head, window.row, sum.data(), depth);
    }
  });
}

void compress_gradients(const Compression& compression, const View& grad, const View& input_grad,
                        const View& weight_grad, const std::vector<Window>& windows,
                        const KernelMemory& memory) {
  const std::vector<float> weights = weights_of(compression, memory);
  const RowReader input(compression.input);
  const RowView grads(grad);
  const RowView input_grads(input_grad);
  const LineLoops& loops = LineLoops::of_this_cpu();
  const std::int64_t heads = compression.heads();
  const std::int64_t depth = compression.depth();
  const std::int64_t tokens = input_grad.shape[2];
  std::vector<float> weight_sums(weights.size());
  parallel_for(heads, 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> token(static_cast<std::size_t>(depth));
    std::vector<float> own(static_cast<std::size_t>(depth));
    for (std::int64_t head = begin; head < end; ++head) {
      std::vector<float> sums(static_cast<std::size_t>(tokens * depth));
      for (const Window& window : windows) {
        grads.load(memory, 0, head, window.row, 0, depth, own.data());
        for (std::int64_t k = 0; k < compression.size(); ++k) {
          const std::int64_t at = window.first + k;
          const std::size_t number = std::size_t(k * heads + head);
          input.load(memory, window.sequence, 0, head, at, token.data());
          float product = 0;
          loops.dot(own.data(), token.data(), depth, &product);
          weight_sums[number] += product;
          float* to = sums.data() + at * depth;
          for (std::int64_t i = 0; i < depth; ++i) to[i] += weights[number] * own[std::size_t(i)];
        }
      }
      for (std::int64_t at = 0; at < tokens; ++at)
        input_grads.store(memory, 0, head, at, sums.data() + at * depth, depth);
    }
  });
  const RowView rows(weight_grad);
  for (std::int64_t k = 0; k < compression.size(); ++k)
    rows.store(memory, 0, 0, k, weight_sums.data() + k * heads, heads);
}

/// The windows of sequences whose ends are given, one row of the result behind another.
std::vector<Window> windows_of(const std::vector<std::int64_t>& ends, std::int64_t size,
                               std::int64_t stride) {
  std::vector<Window> windows;
  std::int64_t start = 0;
  for (std::int64_t end : ends) {
    for (std::int64_t first = start; first + size <= end; first += stride)
      windows.push_back({0, first, std::int64_t(windows.size())});
    start = std::max(start, end);
  }
  return windows;
}

/// Running sums of lengths; from one that is none of `most` tokens on, more than these.
std::vector<std::int64_t> ends_of(const std::vector<std::int64_t>& lengths, std::int64_t most) {
  std::vector<std::int64_t> ends;
  std::int64_t end = 0;
  for (const std::int64_t length : lengths) {
    end = length < 0 || length > most - end ? most + 1 : end + length;
    ends.push_back(end);
  }
  return ends;
}

View flat(View view) {
  const Dims shape{1, 1, view.shape[0], view.shape[1]};
  const Dims strides{0, 0, view.strides[0], view.strides[1]};
  view.shape = shape;
  view.strides = strides;
  return view;
}

Compression staged(Plan& plan, const TensorArgument& input, const TensorArgument& weight,
                   const char* layout) {
  Compression compression;
  plan.stage(input).contiguous();
  plan.stage(weight).contiguous();
  compression.input.view = by_heads(plan.reads(input), layout, 0);
  compression.weight = flat(plan.reads(weight));
  return compression;
}

using Demand = void (*)(const Plan&, bool, const char*, ...);

/// Sizes of windows, and running sums of lengths, from `least` on up to the last token.
void check_windows(const Plan& plan, Demand demand, const TensorArgument& input,
                   const TensorArgument& weight, const std::vector<std::int64_t>& ends,
                   std::int64_t size, std::int64_t stride, std::int64_t least) {
  demand(plan, input.rank() == 3 && weight.rank() == 2, "input and weight have shapes %s and %s",
         input.shape().text().c_str(), weight.shape().text().c_str());
  demand(plan, weight.shape() == Dims({size, input.shape()[1]}) && size > 0,
         "weight has shape %s, compressBlockSize is %lld, input has shape %s",
         weight.shape().text().c_str(), ll(size), input.shape().text().c_str());
  demand(plan, input.shape()[1] > 0 && input.shape()[2] > 0 && input.shape()[2] % kUnit == 0,
         "input has shape %s, its last dimension must be a multiple of 16",
         input.shape().text().c_str());
  demand(plan, size % kUnit == 0 && stride % kUnit == 0 && stride > 0 && size >= stride,
         "compressBlockSize is %lld and compressStride is %lld, they must be multiples of 16",
         ll(size), ll(stride));
  for (std::int64_t end : ends)
    demand(plan, end >= least && end <= input.shape()[0],
           "actSeqLen has %lld, there are %lld tokens", ll(end), ll(input.shape()[0]));
  demand(plan, !ends.empty() && ends.back() == input.shape()[0],
         "actSeqLen must end with the %lld tokens of input", ll(input.shape()[0]));
}

}  // namespace

void nsa_compress(const Check& check, Plan& plan, const NsaCompressParameters& given) {
  const TensorArgument& input = given.input;
  const TensorArgument& weight = given.weight;
  check.same_dtype(input, weight, given.output);
  check.that(given.layoutOptional.text == "TND", "layoutOptional is %s, it must be TND",
             given.layoutOptional.text.c_str());
  check.that(input.rank() == 3 && weight.rank() == 2, "input and weight have shapes %s and %s",
             input.shape().text().c_str(), weight.shape().text().c_str());
  check.that(input.shape()[1] > 0 && input.shape()[2] > 0, "input has shape %s",
             input.shape().text().c_str());
  const std::int64_t size = given.compressBlockSize;
  check.that(weight.shape()[0] == size && weight.shape()[1] == input.shape()[1],
             "weight has shape %s, compressBlockSize is %lld", weight.shape().text().c_str(),
             ll(size));
  const IntArrayIn& ends = given.actSeqLenOptional;
  check.that(ends.given() && !ends.values().empty(), "actSeqLenOptional is empty");
  check.that(given.actSeqLenType == 0, "actSeqLenType is %lld, it must be 0",
             ll(given.actSeqLenType));
  needs_kernel(plan, on_a2_or_a3());
  check_tiling_inside(plan, kHalves.contains(input.dtype()),
                      "input is neither float16 nor bfloat16");
  check_windows(plan, check_tiling_inside, input, weight, ends.values(), size, given.compressStride,
                1);
  constexpr std::int64_t kMost = 128;
  check_tiling_inside(plan,
                      size <= kMost && input.shape()[1] <= kMost && input.shape()[2] <= 2 * kMost,
                      "windows, heads or depths are too large: %s and %lld",
                      input.shape().text().c_str(), ll(size));
  const std::vector<Window> windows = windows_of(ends.values(), size, given.compressStride);
  const Compression compression = staged(plan, input, weight, "TND");
  const Dims shape{std::int64_t(windows.size()), input.shape()[1], input.shape()[2]};
  plan.result(input.dtype(), shape).copy_to(given.output);
  const View out = by_heads(plan.writes(given.output), "TND", 0);
  plan.launch([compression, out, windows](const KernelMemory& memory) {
    compress(compression, out, windows, memory);
  });
}

void nsa_compress_grad(const Check& check, Plan& plan, const NsaCompressGradParameters& given) {
  const TensorArgument& input = given.input;
  const TensorArgument& weight = given.weight;
  const TensorArgument& grad = given.outputGrad;
  needs_kernel(plan, on_a2_or_a3());
  check.dtype_in(kHalves, input);
  check.same_dtype(input, weight, grad, given.inputGradOut, given.weightGradOut);
  const IntArrayIn& lengths = given.actSeqLenOptionalOptional;
  if (!lengths.given()) fail_not_simulated(plan, "a null actSeqLen");
  check.that(given.layoutOptionalOptional.text == "TND", "layoutOptional is %s, it must be TND",
             given.layoutOptionalOptional.text.c_str());
  const std::int64_t size = given.compressBlockSize;
  // The kernel, which no check comes before, takes all types but this one for running sums.
  constexpr std::uint32_t kEach = 1;
  const std::vector<std::int64_t> ends =
      std::uint32_t(given.actSeqLenType) == kEach
          ? ends_of(lengths.values(), input.rank() == 0 ? 0 : input.shape()[0])
          : lengths.values();
  check_windows(plan, check_tiling, input, weight, ends, size, given.compressStride, 0);
  const std::vector<Window> windows = windows_of(ends, size, given.compressStride);
  const Dims shape{std::int64_t(windows.size()), input.shape()[1], input.shape()[2]};
  check_tiling(plan, grad.shape() == shape, "outputGrad has shape %s, it must be %s",
               grad.shape().text().c_str(), shape.text().c_str());
  const Compression compression = staged(plan, input, weight, "TND");
  plan.stage(grad).contiguous();
  const View grads = by_heads(plan.reads(grad), "TND", 0);
  plan.result(input.dtype(), input.shape()).copy_to(given.inputGradOut);
  plan.result(input.dtype(), weight.shape()).copy_to(given.weightGradOut);
  const View input_grad = by_heads(plan.writes(given.inputGradOut), "TND", 0);
  const View weight_grad = flat(plan.writes(given.weightGradOut));
  plan.launch([=](const KernelMemory& memory) {
    compress_gradients(compression, grads, input_grad, weight_grad, windows, memory);
  });
}

void nsa_compress_with_cache(const Check& check, Plan& plan,
                             const NsaCompressWithCacheParameters& given) {
  const TensorArgument& input = given.input;
  const TensorArgument& weight = given.weight;
  const TensorArgument& cache = given.outputCache;
  const TensorArgument& table = given.blockTableOptional;
  for (const TensorArgument* tensor : {static_cast<const TensorArgument*>(&given.input),
                                       static_cast<const TensorArgument*>(&given.weight),
                                       static_cast<const TensorArgument*>(&given.outputCache)})
    check.that(!tensor->is_empty(), "%s has no elements", tensor->name());
  check.dtype_in(kHalves, input, weight, cache);
  check.same_dtype(input, weight, cache);
  needs_kernel(plan, on_a2_or_a3());
  const TensorArgument& slots = given.slotMapping;
  check_tiling_inside(plan, slots.dtype() == ACL_INT32 && slots.rank() == 1,
                      "slotMapping must have one dimension and be int32");
  const bool is_paged = table.given();
  const std::int64_t size = given.compressBlockSize;
  const std::int64_t stride = given.compressStride;
  check_tiling_inside(
      plan, size % kUnit == 0 && stride % kUnit == 0 && stride > 0 && size >= stride,
      "compressBlockSize is %lld and compressStride is %lld, they must be multiples of 16",
      ll(size), ll(stride));
  check_tiling_inside(plan, given.actSeqLenType == 1, "actSeqLenType is %lld, it must be 1",
                      ll(given.actSeqLenType));
  check_tiling_inside(plan, is_paged || given.layoutOptional.text == "TND",
                      "layoutOptional is %s, it must be TND", given.layoutOptional.text.c_str());
  const std::size_t rank = is_paged ? 4 : 3;
  check_tiling_inside(plan, input.rank() == rank && weight.rank() == 2 && cache.rank() == 3,
                      "input, weight and outputCache have %zu, %zu and %zu dimensions",
                      input.rank(), weight.rank(), cache.rank());
  const std::int64_t heads = input.shape()[rank - 2];
  const std::int64_t depth = input.shape()[rank - 1];
  constexpr std::int64_t kMost = 64;
  constexpr std::int64_t kMostOdd = 50;
  check_tiling_inside(plan,
                      weight.shape() == Dims({size, heads}) && cache.shape()[1] == heads &&
                          cache.shape()[2] == depth,
                      "input, weight and outputCache have shapes %s, %s and %s",
                      input.shape().text().c_str(), weight.shape().text().c_str(),
                      cache.shape().text().c_str());
  check_tiling_inside(plan,
                      depth % kUnit == 0 && size <= kMost && heads <= kMost &&
                          (heads <= kMostOdd || heads % 2 == 0),
                      "windows have %lld tokens, there are %lld heads of %lld", ll(size), ll(heads),
                      ll(depth));
  const IntArrayIn& lengths = given.actSeqLenOptional;
  const std::int64_t batch = slots.shape()[0];
  check_tiling_inside(plan, lengths.given() && std::int64_t(lengths.values().size()) == batch,
                      "actSeqLen must have a number for each of %lld samples", ll(batch));
  Compression compression = staged(plan, input, weight, is_paged ? "BSND" : "TND");
  std::int64_t most = input.shape()[0];
  if (is_paged) {
    const std::int64_t page = input.shape()[1];
    check_tiling_inside(plan, page == given.pageBlockSize && (page == 64 || page == 128),
                        "pages have %lld tokens, pageBlockSize is %lld, it must be 64 or 128",
                        ll(page), ll(given.pageBlockSize));
    check_tiling_inside(
        plan, table.dtype() == ACL_INT32 && table.rank() == 2 && table.shape()[0] == batch,
        "blockTable has shape %s", table.shape().text().c_str());
    plan.stage(table).contiguous();
    compression.input.pages = plan.reads(table);
    most = table.shape()[1] * page;
  }
  // A sequence has a new window where its last token completes one.
  std::vector<Window> windows;
  std::int64_t start = 0;
  for (std::int64_t i = 0; i < batch; ++i) {
    const std::int64_t length = lengths.values()[std::size_t(i)];
    check_tiling_inside(plan, length >= 0 && length <= most - start, "a sequence has %lld tokens",
                        ll(length));
    if (length >= size && (length - size) % stride == 0)
      windows.push_back({i, start + length - size, i});
    if (!is_paged) start += length;
  }
  // CANN makes a dense copy of it, and would have to write its result to that.
  check_inside(plan, cache.meta().is_contiguous(), "outputCache is not contiguous");
  plan.stage(slots).contiguous();
  const View places = plan.reads(slots);
  plan.result(cache.dtype(), cache.shape()).copy_to(cache);
  const View out = by_heads(plan.writes(cache), "TND", 0);
  plan.launch([=](const KernelMemory& memory) {
    const std::vector<std::int64_t> rows = integers_of(places, memory);
    std::vector<Window> placed;
    // Slots are data: one that is none is not written.
    for (Window window : windows) {
      window.row = rows[std::size_t(window.row)];
      if (window.row >= 0 && window.row < out.shape[2]) placed.push_back(window);
    }
    compress(compression, out, placed, memory);
  });
}

}  // namespace pyaclnn::sim
