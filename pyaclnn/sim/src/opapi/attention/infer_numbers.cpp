// Keys and values of 8 and 4 bits beside floats.
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "objects/dtype.hpp"
#include "opapi/attention/infer_scales.hpp"
#include "opapi/attention/joined_keys.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/copy/contiguous.hpp"

namespace pyaclnn::sim {
namespace {

constexpr std::int64_t kGroup = 32;

/// Whether the 950 has a mode of scales for a type of keys and values.
bool may_scale(aclDataType dtype, std::int64_t mode) {
  const bool is_int8 = dtype == ACL_INT8;
  const bool is_e4m3 = dtype == ACL_FLOAT8_E4M3FN;
  switch (mode) {
    case kChannels:
      return !is_float4(dtype);
    case kTokens:
      return is_int8 || is_e4m3 || dtype == ACL_INT4;
    case kTokensOfHeads:
      return is_int8 || dtype == ACL_INT4;
    case kTokensInPages:
      return is_int8 || is_e4m3;
    case kGroups:
      return is_float4(dtype);
    default:
      return is_int8;
  }
}

/// What numbers of tokens have room for: samples, or sequences where they lie in pages or behind
/// one another, and tokens of each.
struct TokenRoom {
  std::int64_t batches;
  std::int64_t tokens;

  TokenRoom(const Attention& attention, AttentionRows& rows, bool is_packed)
      : batches(rows.view.shape[0]), tokens(AttentionRows::shape_of(rows.view)[2]) {
    rows.scales_sequences = is_packed || rows.pages.has_value();
    if (rows.pages.has_value()) {
      batches = rows.pages->shape[0];
      tokens *= rows.pages->shape[1];
    } else if (is_packed) {
      batches = std::int64_t(attention.sequences.size());
      tokens = 0;
      rows.starts.clear();
      for (const AttentionSequence& sequence : attention.sequences) {
        tokens = std::max(tokens, sequence.columns);
        rows.starts.push_back(sequence.first_column);
      }
    }
  }
};

/// Exponents of groups: [1, sequences, heads, tokens, groups].
View group_view(Plan& plan, const TensorArgument& tensor, const AttentionRows& rows,
                const TokenRoom& of) {
  const Dims keys = AttentionRows::shape_of(rows.view);
  const std::int64_t batches = of.batches;
  const std::int64_t room = of.tokens;
  const Dims shape = tensor.shape();
  check_tiling(plan,
               shape.size() == 5 && shape[0] == 1 && shape[1] == batches && shape[2] == keys[1] &&
                   shape[3] >= room && shape[4] == keys[3] / kGroup,
               "%s has shape %s, it must be [1, %lld, %lld, %lld or more, %lld]", tensor.name(),
               shape.text().c_str(), ll(batches), ll(keys[1]), ll(room), ll(keys[3] / kGroup));
  View view = contiguous_view(plan, tensor);
  const Dims strides = view.strides;
  view.shape = {shape[1], shape[2], shape[3], shape[4], kGroup};
  view.strides = {strides[1], strides[2], strides[3], strides[4], 0};
  return view;
}

/// What keys are of: an int32 holds eight of int4.
aclDataType numbers_of(const InferCall& given) {
  const aclDataType dtype = given.key.tensors[0].dtype();
  return dtype == ACL_INT32 ? ACL_INT4 : dtype;
}

/// Numbers of a shared prefix and of the rows behind it: of `length` numbers of each sample, A2
/// takes the first sample's for the prefix, and those behind them for a sample's own rows. The 950
/// takes a sample's first ones for the prefix, and its last ones.
View joined_numbers(Plan& plan, const char* name, View view, std::int64_t length,
                    std::int64_t prefix) {
  View own = view;
  own.shape.set(2, view.shape[2] - prefix);
  own.offset += (on_950() ? length - own.shape[2] : prefix) * view.strides[2];
  view.shape.set(2, prefix);
  if (!on_950()) view.strides.set(0, 0);
  return launch_joined(plan, name, KeyParts{{own}, view, own.shape[0]});
}

/// Scale or offset of numbers of 8 and 4 bits.
View antiquant_view(Plan& plan, const TensorArgument& tensor, std::int64_t part, std::int64_t parts,
                    std::int64_t mode, const Attention& attention, bool is_packed,
                    std::int64_t prefix, AttentionRows& rows) {
  if (mode == kGroups) return group_view(plan, tensor, rows, TokenRoom(attention, rows, is_packed));
  const Dims keys = AttentionRows::shape_of(rows.view);
  const std::int64_t count = tensor.elements() / parts;
  check_tiling(plan, tensor.elements() % parts == 0, "%s has shape %s", tensor.name(),
               tensor.shape().text().c_str());
  View view = contiguous_view(plan, tensor);
  view.offset += part * count;
  if (mode == kChannels) {
    const bool is_one = count == 1;
    check_tiling(plan, is_one || count == keys[1] * keys[3],
                 "%s has shape %s, it must have one number, or one for each of %lld heads of %lld",
                 tensor.name(), tensor.shape().text().c_str(), ll(keys[1]), ll(keys[3]));
    view.shape = {1, keys[1], 1, keys[3]};
    view.strides = {0, is_one ? 0 : keys[3], 0, is_one ? 0 : 1};
    return view;
  }
  const bool of_pages = mode >= kTokensInPages;
  const bool by_token = mode != kHeads;
  const bool by_head = mode != kTokens && mode != kTokensInPages;
  std::int64_t batches = by_token ? keys[0] : 1;
  std::int64_t room = by_token ? keys[2] : 1;
  if (by_token && !of_pages) {
    const TokenRoom of(attention, rows, is_packed);
    batches = of.batches;
    room = of.tokens;
  }
  check_tiling(plan, !of_pages || rows.pages.has_value(),
               "%s has numbers for tokens in pages, and there is no blockTable", tensor.name());
  const std::int64_t heads = by_head ? keys[1] : 1;
  const std::int64_t length = batches * heads == 0 ? 0 : count / (batches * heads);
  const bool may_be_longer = by_token && !of_pages;
  check_tiling(
      plan, count == length * batches * heads && (may_be_longer ? length >= room : length == room),
      "%s has shape %s, it must have %lld numbers for each of %lld heads of %lld", tensor.name(),
      tensor.shape().text().c_str(), ll(room), ll(heads), ll(batches));
  view.shape = {batches, heads, room, 1};
  view.strides = {heads * length, by_head ? length : 0, by_token ? 1 : 0, 0};
  if (prefix > 0 && by_token) return joined_numbers(plan, tensor.name(), view, length, prefix);
  return view;
}

DtypeSet exponents() { return on_950() ? DtypeSet{ACL_FLOAT8_E8M0} : DtypeSet{}; }

/// What the 950 has of numbers of 8 and 4 bits beside floats.
void check_numbers(const Plan& plan, const InferCall& given, const Attention& attention) {
  const aclDataType dtype = numbers_of(given);
  const std::int64_t mode = given.keyAntiquantMode;
  const std::string& layout = given.inputLayout.text;
  const bool is_paged = given.blockTableOptional.given();
  const bool is_half = is_half_byte(dtype);
  const Dims& query = attention.query.view.shape;
  const bool is_split = given.keyAntiquantScaleOptional.given();
  check_tiling(plan, is_split || !is_narrow_float(dtype),
               "key is of %s, which goes with keyAntiquantScale, not with antiquantScale",
               dtype_name(dtype));
  if (is_split) {
    const bool is_mixed = mode != given.valueAntiquantMode;
    check_tiling(plan, may_scale(dtype, mode) && (!is_mixed || !is_narrow_float(dtype)),
                 "keyAntiquantMode is %lld and valueAntiquantMode %lld, which the 950 has not for "
                 "numbers of %s",
                 ll(mode), ll(given.valueAntiquantMode), dtype_name(dtype));
    check_tiling(plan,
                 mode != kChannels || dtype == ACL_INT8 ||
                     given.keyAntiquantScaleOptional.shape() != Dims{1},
                 "keyAntiquantScale is one number, which is for int8, and key is of %s",
                 dtype_name(dtype));
    const bool has_offset = given.keyAntiquantOffsetOptional.given();
    check_tiling(plan,
                 has_offset == given.valueAntiquantOffsetOptional.given() &&
                     !(has_offset && is_narrow_float(dtype)),
                 "keyAntiquantOffset and valueAntiquantOffset go together, and with integers");
  }
  check_tiling(plan, has_samples(layout) || (layout == "TND" && dtype != ACL_INT8),
               "inputLayout is %s, which keys of %s have not", layout.c_str(), dtype_name(dtype));
  const std::int64_t together = is_half ? 64 : 32;
  check_tiling(plan, !is_narrow_float(dtype) || query[3] % together == 0,
               "heads have %lld values, for keys of %s they must be a multiple of %lld",
               ll(query[3]), dtype_name(dtype), ll(together));
  const aclDataType result = given.attentionOut.dtype();
  const bool is_alone = dtype == ACL_FLOAT8_E4M3FN && (mode == kTokens || mode == kTokensInPages);
  check_tiling(plan, !is_byte(result) || (result == dtype && !is_alone),
               "attentionOut is of %s beside keys of %s with a keyAntiquantMode of %lld",
               dtype_name(result), dtype_name(dtype), ll(mode));
  if (!is_paged) return;
  check_tiling(plan, given.blockSize % together == 0 && given.blockSize <= 512,
               "blockSize is %lld, for keys of %s it must be a multiple of %lld up to 512",
               ll(given.blockSize), dtype_name(dtype), ll(together));
  check_tiling(plan, given.key.tensors[0].rank() != 4 || layout[1] == 'N',
               "key has 4 dimensions in pages, which goes with BNSD and TND, not with %s",
               layout.c_str());
}

}  // namespace

void plan_antiquant(const Check& check, Plan& plan, const InferCall& given, std::int64_t prefix,
                    Attention& attention) {
  struct Part {
    AttentionRows& rows;
    const TensorArgument& scale;
    const TensorArgument& offset;
    std::int64_t mode;
    std::int64_t number;
  };
  const bool is_split = given.keyAntiquantScaleOptional.given();
  const aclDataType numbers = numbers_of(given);
  check_tiling(plan, is_split || given.antiquantScaleOptional.given(),
               "key is of %s, and keyAntiquantScale and antiquantScale are null",
               dtype_name(numbers));
  check_tiling(plan, !is_split || given.valueAntiquantScaleOptional.given(),
               "keyAntiquantScale is given, and valueAntiquantScale is null");
  const Part split[] = {{attention.key, given.keyAntiquantScaleOptional,
                         given.keyAntiquantOffsetOptional, given.keyAntiquantMode, 0},
                        {attention.value, given.valueAntiquantScaleOptional,
                         given.valueAntiquantOffsetOptional, given.valueAntiquantMode, 0}};
  const Part joint[] = {{attention.key, given.antiquantScaleOptional, given.antiquantOffsetOptional,
                         given.antiquantMode, 0},
                        {attention.value, given.antiquantScaleOptional,
                         given.antiquantOffsetOptional, given.antiquantMode, 1}};
  check_tiling(plan,
               !is_split || given.keyAntiquantMode == given.valueAntiquantMode ||
                   (given.keyAntiquantMode == kChannels && given.valueAntiquantMode == kTokens),
               "keyAntiquantMode is %lld and valueAntiquantMode %lld", ll(given.keyAntiquantMode),
               ll(given.valueAntiquantMode));
  if (on_950()) check_numbers(plan, given, attention);
  const bool is_packed = on_950() && given.inputLayout.text == "TND";
  for (const Part& part : is_split ? split : joint) {
    const std::int64_t parts = is_split ? 1 : 2;
    const std::int64_t last = !is_split ? kTokens : on_950() ? kGroups : kTokensOfHeadsInPages;
    check_tiling(plan, part.mode >= kChannels && part.mode <= last,
                 "the antiquantMode of %s is %lld", part.scale.name(), ll(part.mode));
    check_tiling(
        plan,
        part.mode <= kTokens || attention.query.view.shape[2] == 1 || is_narrow_float(numbers),
        "the antiquantMode of %s is %lld, which is for queries of one token", part.scale.name(),
        ll(part.mode));
    check.dtype_in(DtypeSet{ACL_FLOAT16, ACL_BF16, ACL_FLOAT} | exponents(), part.scale);
    const bool is_of_queries = part.mode == kChannels || part.mode == kHeads;
    const aclDataType own = is_of_queries          ? given.query.dtype()
                            : part.mode == kGroups ? ACL_FLOAT8_E8M0
                                                   : ACL_FLOAT;
    check_tiling(plan, part.scale.dtype() == own, "%s is of %s, it must be of %s",
                 part.scale.name(), dtype_name(part.scale.dtype()), dtype_name(own));
    // The 950 makes numbers of the queries' type before it multiplies them.
    if (on_950()) part.rows.rounded_to = given.query.dtype();
    const auto view_of = [&](const TensorArgument& tensor) {
      return antiquant_view(plan, tensor, part.number, parts, part.mode, attention, is_packed,
                            prefix, part.rows);
    };
    part.rows.scale = view_of(part.scale);
    if (!part.offset.given()) continue;
    check.same_dtype(part.scale, part.offset);
    part.rows.offset = view_of(part.offset);
  }
}

}  // namespace pyaclnn::sim
