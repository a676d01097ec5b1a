// RMS normalisation and rotary embedding of new keys and values, on their way into a cache.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

struct KvRmsNormRopeCache {
  const TensorArgument& kv;
  const TensorArgument& gamma;
  const TensorArgument& cos;
  const TensorArgument& sin;
  const TensorArgument& index;
  const TensorArgument& k_cache;
  const TensorArgument& v_cache;
  const TensorArgument& k_scale;
  const TensorArgument& v_scale;
  const TensorArgument& k_offset;
  const TensorArgument& v_offset;
  const TensorArgument* v;  // null where the operator has none
  double epsilon;
  const Text& cache_mode;
  bool wants_results;
  const TensorArgument& k_out;
  const TensorArgument& v_out;
};

/// kv is [batch, heads, length, depth]. Without `v`, the first values of a row are normalised, and
/// are values, the last are turned, and are keys. With it, all are normalised, the first of them
/// turned, and are keys.
void kv_rms_norm_rope_cache(const Check& check, Plan& plan, const KvRmsNormRopeCache& call);

struct QkvRmsNormRopeCache {
  const TensorArgument& qkv;
  const TensorArgument& q_gamma;
  const TensorArgument& k_gamma;
  const TensorArgument& cos;
  const TensorArgument& sin;
  const TensorArgument& index;
  const TensorArgument& q_out;
  const TensorArgument& k_cache;
  const TensorArgument& v_cache;
  const TensorArgument& k_scale;
  const TensorArgument& v_scale;
  const TensorArgument& k_offset;
  const TensorArgument& v_offset;
  const IntArrayIn& sizes;  // batch, length, heads, depth
  const IntArrayIn& heads;  // of queries, of keys, of values
  double epsilon;
  const Text& cache_mode;
  const TensorArgument& q_before;
  const TensorArgument& k_before;
  const TensorArgument& v_before;
};

/// Queries and keys are normalised and turned, values are not; keys and values go into fractals.
void qkv_rms_norm_rope_cache(const Check& check, Plan& plan, const QkvRmsNormRopeCache& call);

}  // namespace pyaclnn::sim
