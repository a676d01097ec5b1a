// SPDX-License-Identifier: MIT
#include "opapi/random/random_slopes.hpp"

#include <algorithm>
#include <memory>

#include "core/thread_pool.hpp"
#include "opapi/common/as_stored.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/pointwise/formulas.hpp"
#include "opapi/pointwise/pointwise.hpp"
#include "opapi/random/philox.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlock = 512;  // a multiple of the words in a block of random numbers
constexpr std::int64_t kGrain = 32;   // blocks worth a hand-over to another thread
constexpr std::int64_t kWords = 4;

struct Kernel {
  RowMajor self;
  RowMajor noise;
  RowMajor out;
  RandomSlopes slopes;
  aclDataType dtype;

  void run(const KernelMemory& memory) const {
    const std::int64_t count = self.count();
    parallel_for((count + kBlock - 1) / kBlock, kGrain, [&](std::int64_t begin, std::int64_t end) {
      const RowMajorAccess from(self, memory);
      const RowMajorAccess kept(noise, memory);
      const RowMajorAccess to(out, memory);
      float buffer[kBlock];
      float drawn[kBlock];
      for (std::int64_t block = begin; block < end; ++block) {
        const std::int64_t at = block * kBlock;
        const std::int64_t length = std::min(kBlock, count - at);
        draw(at, drawn);
        const float* values = from.read(at, length, buffer);
        float results[kBlock];
        for (std::int64_t i = 0; i < length; ++i) {
          drawn[i] = values[i] < 0 ? as_stored(drawn[i], dtype) : 1.0f;
          results[i] = values[i] * drawn[i];
        }
        kept.write(at, length, drawn);
        to.write(at, length, results);
      }
    });
  }

  /// Numbers of [lower, upper), a whole block of them.
  void draw(std::int64_t at, float* values) const {
    const RandomStream stream{slopes.seed, slopes.offset};
    for (std::int64_t i = 0; i < kBlock; i += kWords) {
      const PhiloxBlock words = stream.block(std::uint64_t(at + i) / kWords);
      for (std::int64_t k = 0; k < kWords; ++k) {
        const float fraction = float(words[std::size_t(k)] & 0x7FFFFF) / 8388608.0f;
        values[i + k] = fraction * (slopes.upper - slopes.lower) + slopes.lower;
      }
    }
  }
};

}  // namespace

void rrelu_with_noise(Plan& plan, const TensorArgument& self, const TensorArgument& noise,
                      const RandomSlopes& slopes, bool training, const TensorArgument& out) {
  if (!training) {
    const double slope = double((slopes.lower + slopes.upper) / 2);
    pointwise(plan, formulas::leaky_relu, self.dtype(), self.dtype(), out, {&self},
              {Number(slope)});
    return;
  }
  plan.stage(self).contiguous();
  plan.stage(noise).contiguous();
  plan.result(self.dtype(), noise.shape()).copy_to(noise);
  plan.result(self.dtype(), out.shape()).copy_to(out);
  auto kernel = std::make_shared<Kernel>();
  kernel->self = RowMajor(plan.reads(self));
  kernel->noise = RowMajor(plan.writes(noise));
  kernel->out = RowMajor(plan.writes(out));
  kernel->slopes = slopes;
  kernel->dtype = self.dtype();
  plan.launch([kernel](const KernelMemory& memory) { kernel->run(memory); });
}

}  // namespace pyaclnn::sim
