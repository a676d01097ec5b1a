// Scales of attention for inference: of keys and values that are integers beside floats, of int8
// throughout, and of results of int8.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/attention/attention.hpp"
#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "parameters/FusedInferAttentionScoreV5.hpp"

namespace pyaclnn::sim {

using InferCall = FusedInferAttentionScoreV5Parameters;

/// How keys and values become numbers.
void plan_antiquant(const Check& check, Plan& plan, const InferCall& given, Attention& attention);

/// Whether queries are latent vectors of int8, with a scale for each token and head.
bool has_byte_latents(const InferCall& given);

/// Their scales; `rows` are the queries' own.
void plan_byte_latents(const Check& check, Plan& plan, const InferCall& given, const View& rows,
                       Attention& attention);

/// Refuses queries and results of int8 where they are not for, and scales that go with neither.
void check_integers(const Check& check, Plan& plan, const InferCall& given);

/// What products of int8 and results of int8 are multiplied by.
void plan_integers(const Check& check, Plan& plan, const InferCall& given, Attention& attention);

/// Refuses an offset where the result has rows without it: sequences and their bands are known.
void check_rounded_rows(Plan& plan, const InferCall& given, const Attention& attention);

}  // namespace pyaclnn::sim
