// SPDX-License-Identifier: MIT
#include "opapi/attention/attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/thread_pool.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/cpu.hpp"
#include "opapi/common/planes.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kRows = 64;  // of queries that share loaded keys and values
constexpr int kLanes = 16;

struct Dot {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* a, const float* b, std::int64_t count,
                                    float* result) {
    float lanes[kLanes] = {};
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      for (int k = 0; k < kLanes; ++k) lanes[k] += a[i + k] * b[i + k];
    }
    for (; i < count; ++i) lanes[0] += a[i] * b[i];
    *result = 0;
    for (float lane : lanes) *result += lane;
  }
};

struct AddScaled {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* from, float factor, std::int64_t count,
                                    float* to) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) to[i] += factor * from[i];
  }
};

class Kernel {
 public:
  explicit Kernel(const Attention& a)
      : a_(a),
        query_(a.query, 2),
        key_(a.key, 2),
        value_(a.value, 2),
        out_(a.out, 2),
        bias_(a.bias.has_value() ? Planes(*a.bias, 2) : Planes()),
        mask_(a.mask.has_value() ? Planes(*a.mask, 2) : Planes()),
        lse_(a.lse.has_value() ? Planes(*a.lse, 2) : Planes()),
        heads_(a.query.shape[1]),
        key_heads_(a.key.shape[1]),
        rows_(a.query.shape[2]),
        columns_(a.key.shape[2]),
        depth_(a.query.shape[3]),
        value_depth_(a.value.shape[3]),
        dot_(loop_for_cpu<Dot, const float*, const float*, std::int64_t, float*>()),
        add_(loop_for_cpu<AddScaled, const float*, float, std::int64_t, float*>()) {}

  void run(const KernelMemory& memory) const {
    const std::int64_t pieces = (rows_ + kRows - 1) / kRows;
    parallel_for(query_.count() * pieces, 1, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> key(std::size_t(columns_ * depth_));
      std::vector<float> value(std::size_t(columns_ * value_depth_));
      std::vector<float> query(static_cast<std::size_t>(depth_));
      std::vector<float> scores(static_cast<std::size_t>(columns_));
      std::vector<float> more(static_cast<std::size_t>(columns_));
      std::vector<float> result(static_cast<std::size_t>(value_depth_));
      std::int64_t loaded = -1;
      for (std::int64_t task = begin; task < end; ++task) {
        const std::int64_t plane = task / pieces;
        const std::int64_t shared =
            plane / heads_ * key_heads_ + plane % heads_ / (heads_ / key_heads_);
        if (shared != loaded) {
          key_.load(loader<float>(a_.key.dtype), key_.base(memory) + key_.plane_bytes(shared),
                    sizeof(float), key.data());
          value_.load(loader<float>(a_.value.dtype),
                      value_.base(memory) + value_.plane_bytes(shared), sizeof(float),
                      value.data());
          loaded = shared;
        }
        const std::int64_t first = task % pieces * kRows;
        for (std::int64_t row = first; row < std::min(first + kRows, rows_); ++row) {
          load_row(memory, query_, a_.query.dtype, plane, row, depth_, query.data());
          score(memory, plane, row, query.data(), key.data(), scores.data(), more.data());
          weigh(memory, plane, row, scores.data(), value.data(), result.data());
        }
      }
    });
  }

 private:
  static void load_row(const KernelMemory& memory, const Planes& planes, aclDataType dtype,
                       std::int64_t plane, std::int64_t row, std::int64_t count, float* to) {
    const std::byte* from = planes.base(memory) + planes.plane_bytes(plane) + planes.row_bytes(row);
    loader<float>(dtype)(from, planes.row_stride(), count, to);
  }
  static void store_row(const KernelMemory& memory, const Planes& planes, aclDataType dtype,
                        std::int64_t plane, std::int64_t row, std::int64_t count,
                        const float* from) {
    std::byte* to = planes.base(memory) + planes.plane_bytes(plane) + planes.row_bytes(row);
    storer<float>(dtype, Rounding::kNearestEven)(from, count, to, planes.row_stride());
  }

  std::int64_t seen_columns(std::int64_t plane, std::int64_t row) const {
    const auto sample = std::size_t(plane / heads_);
    std::int64_t count = a_.columns[sample];
    if (!a_.causal_offset.empty())
      count = std::clamp<std::int64_t>(row + a_.causal_offset[sample] + 1, 0, count);
    return count;
  }

  void score(const KernelMemory& memory, std::int64_t plane, std::int64_t row, const float* query,
             const float* key, float* scores, float* more) const {
    const std::int64_t count = seen_columns(plane, row);
    for (std::int64_t j = 0; j < count; ++j) {
      dot_(query, key + j * depth_, depth_, &scores[j]);
      scores[j] *= a_.scale;
    }
    if (a_.bias.has_value()) {
      load_row(memory, bias_, a_.bias->dtype, plane, row, count, more);
      for (std::int64_t j = 0; j < count; ++j) scores[j] += more[j];
    }
    constexpr float kUnseen = -std::numeric_limits<float>::infinity();
    if (a_.mask.has_value()) {
      load_row(memory, mask_, a_.mask->dtype, plane, row, count, more);
      for (std::int64_t j = 0; j < count; ++j) scores[j] = more[j] != 0 ? kUnseen : scores[j];
    }
    std::fill(scores + count, scores + columns_, kUnseen);
  }

  void weigh(const KernelMemory& memory, std::int64_t plane, std::int64_t row, float* scores,
             const float* value, float* result) const {
    std::fill_n(result, value_depth_, 0.0f);
    const float largest = *std::max_element(scores, scores + columns_);
    const bool sees_nothing = largest == -std::numeric_limits<float>::infinity();
    double sum = 0;
    for (std::int64_t j = 0; j < columns_; ++j) {
      if (sees_nothing) {
        scores[j] = a_.gives_zero_unseen ? 0.0f : 1.0f;
      } else {
        scores[j] = std::exp(scores[j] - largest);
      }
      sum += double(scores[j]);
    }
    for (std::int64_t j = 0; j < columns_ && sum > 0; ++j) {
      if (scores[j] != 0)
        add_(value + j * value_depth_, float(double(scores[j]) / sum), value_depth_, result);
    }
    if (std::isnan(sum)) std::fill_n(result, value_depth_, std::numeric_limits<float>::quiet_NaN());
    store_row(memory, out_, a_.out.dtype, plane, row, value_depth_, result);
    if (!a_.lse.has_value()) return;
    const float lse = sees_nothing ? std::numeric_limits<float>::infinity()
                                   : float(std::log(sum) + double(largest));
    store_row(memory, lse_, a_.lse->dtype, plane, row, 1, &lse);
  }

  const Attention& a_;
  Planes query_;
  Planes key_;
  Planes value_;
  Planes out_;
  Planes bias_;
  Planes mask_;
  Planes lse_;
  std::int64_t heads_;
  std::int64_t key_heads_;
  std::int64_t rows_;
  std::int64_t columns_;
  std::int64_t depth_;
  std::int64_t value_depth_;
  void (*dot_)(const float*, const float*, std::int64_t, float*);
  void (*add_)(const float*, float, std::int64_t, float*);
};

}  // namespace

void launch_attention(Plan& plan, Attention attention) {
  plan.launch([attention = std::move(attention)](const KernelMemory& memory) {
    Kernel(attention).run(memory);
  });
}

}  // namespace pyaclnn::sim
