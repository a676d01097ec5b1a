// SPDX-License-Identifier: MIT
#include <utility>
#include <vector>

#include "core/thread_pool.hpp"
#include "opapi/common/cpu.hpp"
#include "opapi/convolution/convolution.hpp"
#include "opapi/convolution/operands.hpp"
#include "opapi/convolution/sums.hpp"

namespace pyaclnn::sim {

namespace {

struct SumOfPlane {
  template <Isa isa>
  static SIM_ALWAYS_INLINE void run(const float* values, std::int64_t count, double* sum) {
    constexpr std::int64_t kLanes = 16;
    double sums[kLanes] = {};
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      for (std::int64_t j = 0; j < kLanes; ++j) sums[j] += double(values[i + j]);
    }
    for (; i < count; ++i) sums[i % kLanes] += double(values[i]);
    *sum = 0;
    for (double part : sums) *sum += part;
  }
};

class Kernel {
 public:
  Kernel(const ConvolutionGradients& g, const KernelMemory& memory) : g_(g), memory_(memory) {}

  void run() const {
    const bool by_weight = g_.grad_weight.given();
    const bool by_bias = g_.grad_bias.given();
    // The bias' gradient is no product, so the matrix unit does not round what it sums.
    const bool is_exact = g_.precision == CubePrecision::kKeep;
    if (by_bias && !is_exact) {
      const RowMajor& output = g_.transposed ? g_.image : g_.positions;
      bias(source(output, true, CubePrecision::kKeep).values());
    }
    const bool needs_output = by_weight || (by_bias && is_exact);
    const SourceArray image =
        source(g_.image, g_.transposed ? needs_output : by_weight, g_.precision);
    const SourceArray positions =
        source(g_.positions, g_.transposed ? by_weight : needs_output, g_.precision);
    const SourceArray& output = g_.transposed ? image : positions;
    if (by_bias && is_exact) bias(output.values());
    if (by_weight) weight(image.values(), positions.values());
    if (g_.grad_input.given()) input();
  }

 private:
  SourceArray source(const RowMajor& layout, bool is_needed, CubePrecision precision) const {
    return {is_needed ? layout : RowMajor(), memory_, precision, turned(&layout == &g_.image)};
  }

  std::int64_t turned(bool is_image) const {
    return g_.time_first ? (is_image ? g_.window.image : g_.window.positions)[2] : 1;
  }

  /// Sums of the output's gradient over samples and positions.
  void bias(const float* grad) const {
    const std::int64_t channels =
        g_.groups * (g_.transposed ? g_.image_channels : g_.position_channels);
    const std::int64_t plane = product(g_.transposed ? g_.window.image : g_.window.positions);
    const auto sum_of = loop_for_cpu<SumOfPlane, const float*, std::int64_t, double*>();
    std::vector<double> sums(static_cast<std::size_t>(g_.samples * channels));
    parallel_for(g_.samples * channels, 4, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i)
        sum_of(grad + i * plane, plane, &sums[std::size_t(i)]);
    });
    ResultArray result(g_.grad_bias, memory_);
    for (std::int64_t channel = 0; channel < channels; ++channel) {
      double sum = 0;
      for (std::int64_t sample = 0; sample < g_.samples; ++sample)
        sum += sums[std::size_t(sample * channels + channel)];
      result.values()[channel] = float(sum);
    }
    result.write();
  }

  void weight(const float* image, const float* positions) const {
    ResultArray result(g_.grad_weight, memory_);
    WeightSums sums{};
    sums.gather = gather_positions(g_.window);
    sums.samples = g_.samples;
    sums.groups = g_.groups;
    sums.sources = g_.image_channels;
    sums.results = g_.position_channels;
    sums.source = image;
    sums.result = positions;
    sums.weight = result.values();
    sums.of_bfloat16 = g_.precision == CubePrecision::kKeep && g_.image.dtype() == ACL_BF16 &&
                       g_.positions.dtype() == ACL_BF16;
    if (is_depthwise(sums)) {
      weight_depthwise(sums);
    } else {
      is_narrow(sums) ? weight_narrow(sums) : weight_by_products(sums);
    }
    result.write();
  }

  void input() const {
    ConvolutionSum sum;
    sum.window = g_.window;
    sum.samples = g_.samples;
    sum.groups = g_.groups;
    sum.image_channels = g_.image_channels;
    sum.position_channels = g_.position_channels;
    sum.to_image = !g_.transposed;
    sum.time_first = g_.time_first;
    sum.precision = g_.precision;
    sum.source = g_.transposed ? g_.image : g_.positions;
    sum.weight = g_.weight;
    sum.result = g_.grad_input;
    // From float16 the matrix unit makes float16 here, but float32 where it sums the weights'.
    if (g_.precision == CubePrecision::kFloat16) sum.gives = ACL_FLOAT16;
    run_convolution_sum(sum, memory_);
  }

  const ConvolutionGradients& g_;
  const KernelMemory& memory_;
};

}  // namespace

void launch_convolution_gradients(Plan& plan, ConvolutionGradients gradients) {
  plan.launch([gradients = std::move(gradients)](const KernelMemory& memory) {
    Kernel(gradients, memory).run();
  });
}

}  // namespace pyaclnn::sim
