// SPDX-License-Identifier: MIT
#include "opapi/random/random.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/copy/cast.hpp"
#include "opapi/random/words.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kBlock = 512;  // a multiple of four, as is the next
constexpr std::int64_t kGrain = 16384;
constexpr std::int64_t kMaskBits = 128;

/// Turns `count` words, rounded up to a multiple of four, into as many numbers.
using Draw = std::function<void(const std::uint32_t* words, std::int64_t count, float* values)>;

void launch(Plan& plan, const TensorArgument& out, const Seeds& seeds, aclDataType computed,
            Draw draw) {
  const SeedWords words(plan, seeds);
  plan.result(computed, out.shape()).cast_to(out.dtype()).copy_to(out);
  const RowMajor to(plan.writes(out));
  plan.launch([words, to, draw = std::move(draw)](const KernelMemory& memory) {
    const RandomStream stream = words.stream(memory);
    const RowMajorAccess results(to, memory);
    parallel_for(to.count(), kGrain, [&](std::int64_t begin, std::int64_t end) {
      std::uint32_t drawn[kBlock];
      float values[kBlock];
      for (std::int64_t at = begin; at < end; at += kBlock) {
        const std::int64_t count = std::min(kBlock, end - at);
        draw_words(stream, at, count, drawn);
        draw(drawn, (count + 3) / 4 * 4, values);
        results.write(at, count, values);
      }
    });
  });
}

/// Significant bits of a floating point type; 0 for integers.
int digits_of(aclDataType dtype) {
  switch (dtype) {
    case ACL_FLOAT16:
      return 11;
    case ACL_BF16:
      return 8;
    case ACL_FLOAT:
      return 24;
    case ACL_DOUBLE:
      return 53;
    default:
      return 0;
  }
}

/// The number of a type with so many bits that is next to an integer, and its distance to others.
double nearest(std::int64_t value, int digits, double& spacing) {
  int exponent = 0;
  std::frexp(double(value), &exponent);
  spacing = std::ldexp(1.0, std::max(exponent - digits, 0));
  return std::nearbyint(double(value) / spacing) * spacing;
}

/// Limits such that what is drawn between them does not leave [from, to) when it is rounded.
void fit_limits(aclDataType dtype, std::int64_t from, std::int64_t to, double& low, double& high) {
  low = double(from);
  high = double(to);
  const int digits = digits_of(dtype);
  if (digits == 0) return;
  double spacing = 0;
  const double after = nearest(from + 1, digits, spacing);
  if (after < low) low = after + spacing;
  const double before = nearest(to - 1, digits, spacing);
  if (before >= high) high = before - spacing;
}

/// The first `count` numbers of a stream.
std::vector<float> normals(const RandomStream& stream, std::int64_t count) {
  std::vector<float> numbers(std::size_t((count + 3) / 4 * 4));
  parallel_for(count, kGrain, [&](std::int64_t begin, std::int64_t end) {
    std::uint32_t words[kBlock];
    for (std::int64_t at = begin; at < end; at += kBlock) {
      const std::int64_t size = std::min(kBlock, end - at);
      draw_words(stream, at, size, words);
      draw_normal(words, (size + 3) / 4 * 4, &numbers[std::size_t(at)]);
    }
  });
  return numbers;
}

}  // namespace

void check_seeds(const Check& check, const TensorArgument& seed, const TensorArgument& offset) {
  check.not_null(seed, offset);
  check.dtype_in(DtypeSet{ACL_INT64, ACL_UINT64}, seed, offset);
  for (const TensorArgument* tensor : {&seed, &offset})
    check.that(tensor->elements() == 1, "%s has shape %s, it must have one element", tensor->name(),
               tensor->shape().text().c_str());
}

void check_types_of_seeds(const Plan& plan, const TensorArgument& seed,
                          const TensorArgument& offset) {
  for (const TensorArgument* tensor : {&seed, &offset})
    if (tensor->given() && tensor->dtype() != ACL_INT64)
      fail(ACLNN_ERR_INNER_NULLPTR, "%s: %s is %s, it must be int64", plan.api(), tensor->name(),
           dtype_name(tensor->dtype()));
}

void check_given(const Plan& plan, const TensorArgument& tensor) {
  if (!tensor.given()) fail(ACLNN_ERR_INNER_NULLPTR, "%s: %s is null", plan.api(), tensor.name());
}

void check_deviation(const Plan& plan, float deviation) {
  if (deviation < 0)
    fail(ACLNN_ERR_PARAM_NULLPTR, "%s: std is %g, it must not be negative", plan.api(),
         double(deviation));
}

void check_type_of_probability(const Plan& plan, aclDataType dtype) {
  if (dtype != ACL_FLOAT && !is_16_bit_float(dtype))
    fail(ACLNN_ERR_INNER_NULLPTR,
         "%s: no kernel takes this: probDataType is %s, not float32, float16 or bfloat16",
         plan.api(), dtype_name(dtype));
}

void fill_uniform(Plan& plan, const TensorArgument& out, double from, double to,
                  const Seeds& seeds) {
  const aclDataType type = drawn_type(out.dtype());
  const bool integral = is_integral(out.dtype());
  const auto low = static_cast<float>(from);
  const auto range = static_cast<float>(to) - low;
  launch(plan, out, seeds, type,
         [=](const std::uint32_t* words, std::int64_t count, float* values) {
           draw_uniform(words, count, type, low, range, integral, values);
         });
}

void fill_integers(Plan& plan, const TensorArgument& out, std::int64_t from, std::int64_t to,
                   const Seeds& seeds) {
  double lowest = 0, highest = 0;
  fit_limits(out.dtype(), from, to, lowest, highest);
  const auto low = static_cast<float>(lowest), high = static_cast<float>(highest);
  const float last = low < high ? std::nextafter(high, low) : low;
  const bool truth = out.dtype() == ACL_BOOL;
  launch(plan, out, seeds, ACL_FLOAT,
         [=](const std::uint32_t* words, std::int64_t count, float* values) {
           draw_integers(words, count, low, high, last, truth, values);
         });
}

void fill_normal(Plan& plan, const TensorArgument& out, float mean, float deviation,
                 const Seeds& seeds) {
  const bool integral = is_integral(out.dtype()) || out.dtype() == ACL_BOOL;
  launch(plan, out, seeds, drawn_type(out.dtype()),
         [=](const std::uint32_t* words, std::int64_t count, float* values) {
           draw_normal(words, count, values);
           for (std::int64_t i = 0; i < count; ++i) {
             values[i] = values[i] * deviation + mean;
             if (integral) values[i] = std::trunc(values[i]);
           }
         });
}

void fill_normal(Plan& plan, const TensorArgument& out, const TensorArgument* means, float mean,
                 const TensorArgument* deviations, float deviation, const Seeds& seeds,
                 bool for_means) {
  const SeedWords words(plan, seeds);
  plan.result(out.dtype(), out.shape()).copy_to(out);
  const RowMajor to(plan.writes(out));
  const auto operand = [&](const TensorArgument* tensor) {
    if (tensor == nullptr) return RowMajor();
    plan.stage(*tensor).contiguous();
    return RowMajor(broadcast_view(plan.reads(*tensor), out.shape()));
  };
  const RowMajor mean_at = operand(means), deviation_at = operand(deviations);
  // The numbers that are drawn: of the shape that CANN gives its kernel.
  const Dims& shape = for_means ? means->shape() : out.shape();
  const View drawn{0, ACL_FLOAT, 0, shape, contiguous_strides(shape)};
  const RowMajor drawn_at(broadcast_view(drawn, out.shape()));
  const bool repeats = shape != out.shape();
  plan.launch([=, once = shape.product()](const KernelMemory& memory) {
    const RandomStream stream = words.stream(memory);
    const RowMajorAccess m(mean_at, memory), s(deviation_at, memory), results(to, memory);
    std::vector<float> numbers = repeats ? normals(stream, once) : std::vector<float>();
    KernelMemory own;
    own.operands.push_back(reinterpret_cast<std::byte*>(numbers.data()));
    const RowMajorAccess repeated(drawn_at, own);
    parallel_for(to.count(), kGrain, [&](std::int64_t begin, std::int64_t end) {
      std::uint32_t words_of[kBlock];
      float values[kBlock], buffers[3][kBlock];
      for (std::int64_t at = begin; at < end; at += kBlock) {
        const std::int64_t count = std::min(kBlock, end - at);
        const float* normal = values;
        if (repeats) {
          normal = repeated.read(at, count, buffers[2]);
        } else {
          draw_words(stream, at, count, words_of);
          draw_normal(words_of, (count + 3) / 4 * 4, values);
        }
        const float* by = s.given() ? s.read(at, count, buffers[0]) : nullptr;
        const float* more = m.given() ? m.read(at, count, buffers[1]) : nullptr;
        for (std::int64_t i = 0; i < count; ++i)
          values[i] = normal[i] * (by ? by[i] : deviation) + (more ? more[i] : mean);
        results.write(at, count, values);
      }
    });
  });
}

void fill_truths(Plan& plan, const TensorArgument& out, double probability, const Seeds& seeds) {
  const auto limit = static_cast<float>(probability);
  launch(plan, out, seeds, ACL_FLOAT,
         [limit](const std::uint32_t* words, std::int64_t count, float* values) {
           for (std::int64_t i = 0; i < count; ++i)
             values[i] = open_fraction(words[i]) <= limit ? 1.0f : 0.0f;
         });
}

void fill_truths(Plan& plan, const TensorArgument& out, const TensorArgument& probabilities,
                 const Seeds& seeds) {
  const SeedWords words(plan, seeds);
  plan.stage(probabilities).contiguous();
  plan.result(out.dtype(), out.shape()).copy_to(out);
  const RowMajor from(plan.reads(probabilities)), to(plan.writes(out));
  plan.launch([=](const KernelMemory& memory) {
    const RandomStream stream = words.stream(memory);
    const RowMajorAccess limits(from, memory), results(to, memory);
    const bool one = from.count() == 1;
    parallel_for(to.count(), kGrain, [&](std::int64_t begin, std::int64_t end) {
      std::uint32_t drawn[kBlock];
      float values[kBlock], buffer[kBlock];
      for (std::int64_t at = begin; at < end; at += kBlock) {
        const std::int64_t count = std::min(kBlock, end - at);
        draw_words(stream, at, count, drawn);
        const float* limit = limits.read(one ? 0 : at, one ? 1 : count, buffer);
        for (std::int64_t i = 0; i < count; ++i)
          values[i] = open_fraction(drawn[i]) <= limit[one ? 0 : i] ? 1.0f : 0.0f;
        results.write(at, count, values);
      }
    });
  });
}

void fill_permutation(Plan& plan, const TensorArgument& out, const Seeds& seeds) {
  const SeedWords words(plan, seeds);
  plan.result(out.dtype(), out.shape()).copy_to(out);
  const View to = plan.writes(out);
  const StoreFn store = storer<std::int64_t>(out.dtype(), Rounding::kTruncate);
  if (store == nullptr)
    fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "%s: there is no kernel for %s", plan.api(),
         dtype_name(out.dtype()));
  plan.launch([=, count = out.elements()](const KernelMemory& memory) {
    const RandomStream stream = words.stream(memory);
    std::vector<std::uint64_t> keys(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < keys.size(); i += 2) {
      const PhiloxBlock block = stream.block(i / 2);
      keys[i] = std::uint64_t(block[0]) << 32 | block[1];
      if (i + 1 < keys.size()) keys[i + 1] = std::uint64_t(block[2]) << 32 | block[3];
    }
    std::vector<std::int64_t> order(keys.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
      return keys[std::size_t(a)] < keys[std::size_t(b)];
    });
    const auto size = static_cast<std::int64_t>(dtype_size(to.dtype));
    store(order.data(), count, memory.operands[to.operand] + to.offset * size, to.strides[0]);
  });
}

std::int64_t mask_bytes(const std::vector<std::int64_t>& shape) {
  std::int64_t count = 1;
  for (std::int64_t extent : shape)
    if (extent < 0 || __builtin_mul_overflow(count, extent, &count)) return -1;
  return (count / kMaskBits + (count % kMaskBits != 0 ? 1 : 0)) * (kMaskBits / 8);
}

void fill_mask(Plan& plan, const TensorArgument& out, double drop, const Seeds& seeds) {
  const SeedWords words(plan, seeds);
  plan.result(out.dtype(), out.shape()).copy_to(out);
  const RowMajor to(plan.writes(out));
  const auto kept = static_cast<float>(1 - drop);
  plan.launch([words, to, kept](const KernelMemory& memory) {
    const RandomStream stream = words.stream(memory);
    const RowMajorAccess results(to, memory);
    const auto is_kept = [kept](std::uint32_t word) { return open_fraction(word) < kept; };
    parallel_for(to.count(), kGrain, [&](std::int64_t begin, std::int64_t end) {
      float bytes[kBlock];
      for (std::int64_t at = begin; at < end; at += kBlock) {
        const std::int64_t count = std::min(kBlock, end - at);
        for (std::int64_t i = 0; i < count; ++i) {
          std::uint32_t drawn[8];
          draw_words(stream, (at + i) * 8, 8, drawn);
          unsigned byte = 0;
          for (unsigned bit = 0; bit < 8; ++bit) byte |= unsigned(is_kept(drawn[bit])) << bit;
          bytes[i] = float(byte);
        }
        results.write(at, count, bytes);
      }
    });
  });
}

void apply_mask(Plan& plan, const TensorArgument& self, const TensorArgument& mask, double drop,
                const TensorArgument& out) {
  plan.stage(self).contiguous();
  plan.stage(mask).contiguous();
  plan.result(self.dtype(), out.shape()).cast_to(out.dtype()).copy_to(out);
  const RowMajor from(plan.reads(self)), bits(plan.reads(mask)), to(plan.writes(out));
  // Where none or all are dropped CANN does not read the mask.
  const bool all = drop <= kDropsNothing;
  const float kept = 1 - drop <= kDropsNothing ? 0.0f : static_cast<float>(1 - drop);
  plan.launch([=](const KernelMemory& memory) {
    const RowMajorAccess values(from, memory), bytes(bits, memory), results(to, memory);
    parallel_for(to.count(), kGrain, [&](std::int64_t begin, std::int64_t end) {
      float buffer[kBlock], mask_buffer[kBlock / 8], result[kBlock];
      for (std::int64_t at = begin; at < end; at += kBlock) {
        const std::int64_t count = std::min(kBlock, end - at);
        const float* x = values.read(at, count, buffer);
        const float* m = bytes.read(at / 8, (count + 7) / 8, mask_buffer);
        for (std::int64_t i = 0; i < count; ++i) {
          const bool keep = all || ((unsigned(m[i / 8]) >> (i % 8) & 1U) != 0 && kept > 0);
          result[i] = keep ? x[i] / kept : 0.0f;
        }
        results.write(at, count, result);
      }
    });
  });
}

void drop_out(Plan& plan, const TensorArgument& self, double drop, bool training,
              const Seeds& seeds, const TensorArgument& out, const TensorArgument& mask) {
  if (training && drop > 0 && drop < 1) {
    fill_mask(plan, mask, drop, seeds);
    apply_mask(plan, self, mask, drop, out);
  } else if (training && drop > 0) {
    plan.result(out.dtype(), out.shape()).copy_to(out);
    fill_truths(plan, out, 0.0, seeds);
  } else {
    copy(plan, self, out);
  }
}

}  // namespace pyaclnn::sim
