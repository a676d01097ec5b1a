// out[..., i, j, k] = sum over p, q, r of A[i, p] * B[j, q] * C[k, r] * in[..., p, q, r]
//
// with sparse matrices A, B, C: one for each of the trailing axes. Gradients of average pooling, of
// padding and of separable interpolation are of this form.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// A sparse matrix, by rows: what each place of the result takes from which places of the input.
class AxisMap {
 public:
  struct Term {
    std::int64_t to;
    std::int64_t from;
    double weight;
  };

  /// A list of terms that stays within what a host has memory for, whatever extents and scales a
  /// caller makes up: Failure(561103) for more.
  class Terms {
   public:
    void push_back(const Term& term) {
      if (terms_.size() == kMost) refuse();
      terms_.push_back(term);
    }
    std::size_t size() const { return terms_.size(); }
    auto begin() const { return terms_.begin(); }
    auto end() const { return terms_.end(); }

    [[noreturn]] static void refuse();

   private:
    std::vector<Term> terms_;
  };
  static constexpr std::size_t kMost = std::size_t(1) << 26;

  /// Terms in any order; those of one place are summed in the order given.
  AxisMap(std::int64_t from_extent, std::int64_t to_extent, const Terms& terms);

  std::int64_t from_extent() const { return from_extent_; }
  std::int64_t to_extent() const { return static_cast<std::int64_t>(begin_.size()) - 1; }
  /// The terms of place `to` are begin(to) to begin(to + 1).
  std::int64_t begin(std::int64_t to) const { return begin_[std::size_t(to)]; }
  const std::vector<std::int32_t>& sources() const { return sources_; }
  const std::vector<double>& weights() const { return weights_; }
  /// Whether place `to` has the same terms as the one before it.
  bool repeats(std::int64_t to) const;

  /// The map the other way: what each place of the input goes to. Of a gradient's map this is the
  /// forward one.
  AxisMap transposed() const;

  /// The map of an axis that has `lanes` values at each place.
  AxisMap with_lanes(std::int64_t lanes) const;

 private:
  std::int64_t from_extent_;
  std::vector<std::int64_t> begin_;
  std::vector<std::int32_t> sources_;
  std::vector<double> weights_;
};

struct AxisSumOptions {
  /// Inputs and results go through this type on their way, as on a unit that computes in it.
  aclDataType through = ACL_DT_UNDEFINED;
  /// Inputs are rounded to hfloat32, results are not.
  bool hfloat32 = false;
};

/// Plans the sums. `maps` are those of the trailing axes, outermost first; leading axes of both
/// tensors have the same number of elements. Computed in the type of `in`, float32 at least;
/// complex values are pairs.
void launch_axis_sums(Plan& plan, const TensorArgument& in, const TensorArgument& out,
                      std::vector<AxisMap> maps, const AxisSumOptions& options = {});

}  // namespace pyaclnn::sim
