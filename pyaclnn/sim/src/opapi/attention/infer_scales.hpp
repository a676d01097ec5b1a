// Scales of attention for inference: of keys and values of 8 and 4 bits beside floats, of 8 bits
// throughout, and of results of 8 bits.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "objects/dtype.hpp"
#include "opapi/attention/attention.hpp"
#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "parameters/FusedInferAttentionScoreV5.hpp"

namespace pyaclnn::sim {

using InferCall = FusedInferAttentionScoreV5Parameters;

/// Of what a scale has a number, by the value of the mode's attribute.
enum AntiquantMode : std::int64_t {
  kChannels = 0,  // or one for all
  kTokens = 1,
  kHeads = 2,
  kTokensOfHeads = 3,
  kTokensInPages = 4,
  kTokensOfHeadsInPages = 5,
  kGroups = 6,  // of 32 values of a token and head, on the 950
};

/// Floats of 8 and 4 bits of keys and values.
inline bool is_narrow_float(aclDataType dtype) {
  return is_float4(dtype) || dtype == ACL_FLOAT8_E4M3FN || dtype == ACL_HIFLOAT8;
}

/// The types of 8 bits of queries and results.
inline bool is_byte(aclDataType dtype) {
  return dtype == ACL_INT8 || (is_narrow_float(dtype) && !is_float4(dtype));
}

/// Layouts with a batch of samples, of queries and results alike.
inline bool has_samples(const std::string& layout) {
  return layout == "BSH" || layout == "BSND" || layout == "BNSD" || layout == "BNSD_BSND";
}

/// How keys and values become numbers, of which samples share the first `prefix` rows.
void plan_antiquant(const Check& check, Plan& plan, const InferCall& given, std::int64_t prefix,
                    Attention& attention);

/// Whether queries are latent vectors of 8 bits, with a scale for each token and head.
bool has_byte_latents(const InferCall& given);

/// Their scales; `rows` are the queries' own.
void plan_byte_latents(const Check& check, Plan& plan, const InferCall& given, const View& rows,
                       Attention& attention);

/// Whether all operands are of 8 bits, and groups of 32 share an exponent.
bool has_exponents(const InferCall& given);
/// Refuses what does not go with them.
void check_exponents(const Check& check, const Plan& plan, const InferCall& given);
void plan_exponents(Plan& plan, const InferCall& given, Attention& attention);

/// Refuses queries and results of 8 bits where they are not for, and scales that go with neither.
void check_integers(const Check& check, Plan& plan, const InferCall& given);

/// What products of int8 and results of 8 bits are multiplied by.
void plan_integers(const Check& check, Plan& plan, const InferCall& given, Attention& attention);

/// Refuses an offset where the result has rows without it: sequences and their bands are known.
void check_rounded_rows(Plan& plan, const InferCall& given, const Attention& attention);

}  // namespace pyaclnn::sim
