// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/release.hpp"
#include "core/status.hpp"
#include "objects/dtype.hpp"
#include "opapi/attention/attention.hpp"
#include "opapi/attention/infer_plan.hpp"
#include "opapi/attention/rows.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/integers.hpp"
#include "opapi/common/kernel_checks.hpp"

namespace pyaclnn::sim {
namespace {

using Given = InferCall;

void check_not_given(const Plan& plan, std::initializer_list<const TensorArgument*> tensors) {
  for (const TensorArgument* tensor : tensors) {
    if (tensor->given())
      fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "%s: what %s is for is not simulated", plan.api(),
           tensor->name());
  }
}

/// Lengths of all samples: none is the whole, one stands for all.
std::vector<std::int64_t> lengths_of(const Plan& plan, const IntArrayIn& given, std::int64_t batch,
                                     std::int64_t most) {
  if (!given.given() || given.values().empty())
    return std::vector<std::int64_t>(std::size_t(batch), most);
  const auto& values = given.values();
  check_tiling(plan, values.size() == 1 || std::int64_t(values.size()) >= batch,
               "%s has %zu values, it must have 1 or %lld", given.name(), values.size(), ll(batch));
  std::vector<std::int64_t> result;
  for (std::int64_t i = 0; i < batch; ++i) {
    result.push_back(values[values.size() == 1 ? 0 : std::size_t(i)]);
    check_tiling(plan, result.back() >= 0 && result.back() <= most,
                 "%s has the value %lld, it must be from 0 to %lld", given.name(),
                 ll(result.back()), ll(most));
  }
  return result;
}

/// Lengths from running sums, which do not fall and end at most at the number of tokens.
std::vector<std::int64_t> lengths_of_sums(const Plan& plan, const IntArrayIn& sums,
                                          std::int64_t tokens) {
  check_tiling(plan, sums.given() && !sums.values().empty(),
               "%s must be given where tokens have no batch", sums.name());
  std::vector<std::int64_t> lengths;
  std::int64_t last = 0;
  for (std::int64_t sum : sums.values()) {
    check_tiling(plan, sum >= last && sum <= tokens,
                 "%s has %lld behind %lld, its sums must not fall and be at most %lld", sums.name(),
                 ll(sum), ll(last), ll(tokens));
    lengths.push_back(sum - last);
    last = sum;
  }
  return lengths;
}

struct Layout {
  std::string from;
  std::string to;
};

Layout layout_of(const Plan& plan, const std::string& name,
                 std::initializer_list<const char*> known) {
  const bool is_known = std::find(known.begin(), known.end(), name) != known.end();
  std::string all;
  for (const char* one : known) all += std::string(all.empty() ? "" : ", ") + one;
  check_tiling(plan, is_known, "inputLayout is %s, it must be one of %s", name.c_str(),
               all.c_str());
  const std::size_t bar = name.find('_');
  const std::string from = name.substr(0, bar);
  return {from, bar == std::string::npos ? from : name.substr(bar + 1)};
}

/// Which rows of queries and which columns of keys belong together.
void plan_sequences(Plan& plan, const Given& given, InferPlan& call) {
  Attention& attention = call.attention;
  const Dims& query = attention.query.view.shape;
  const Dims& keys = attention.key.view.shape;
  const bool is_paged = attention.key.pages.has_value();
  std::vector<std::int64_t> rows;
  std::vector<std::int64_t> columns;
  if (call.has_tokens) {
    rows = lengths_of_sums(plan, given.actualSeqLengthsOptional, query[2]);
    call.batch = std::int64_t(rows.size());
    columns = is_paged ? std::vector<std::int64_t>()
                       : lengths_of_sums(plan, given.actualSeqLengthsKvOptional, keys[2]);
    check_tiling(plan, is_paged || columns.size() == rows.size(),
                 "actualSeqLengths has %zu elements, actualSeqLengthsKv %zu", rows.size(),
                 columns.size());
  } else {
    call.batch = query[0];
    rows = query[2] == 1 ? std::vector<std::int64_t>(std::size_t(call.batch), 1)
                         : lengths_of(plan, given.actualSeqLengthsOptional, call.batch, query[2]);
    if (!is_paged) {
      columns =
          lengths_of(plan, given.actualSeqLengthsKvOptional, call.batch, keys[2] - call.prefix);
      for (std::size_t i = 0; i < call.listed.size(); ++i) {
        check_tiling(plan,
                     !given.actualSeqLengthsKvOptional.given() || columns[i] <= call.listed[i],
                     "actualSeqLengthsKv has the value %lld for keys of %lld", ll(columns[i]),
                     ll(call.listed[i]));
        columns[i] = std::min(columns[i], call.listed[i]);
      }
      for (std::int64_t& count : columns) count += call.prefix;
    }
  }
  if (is_paged) {
    const View& table = *attention.key.pages;
    check_tiling(plan, given.actualSeqLengthsKvOptional.given(),
                 "actualSeqLengthsKv must be given for keys in pages");
    check_tiling(plan, table.shape[0] == call.batch, "blockTable has %lld rows, it must have %lld",
                 ll(table.shape[0]), ll(call.batch));
    std::int64_t most = 0;
    if (__builtin_mul_overflow(table.shape[1], keys[2], &most)) most = INT64_MAX;
    columns = lengths_of(plan, given.actualSeqLengthsKvOptional, call.batch, most);
  }
  AttentionSequence sequence;
  std::int64_t covered = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    sequence.rows = rows[i];
    sequence.columns = columns[i];
    if (!call.has_tokens) sequence.query_batch = sequence.key_batch = std::int64_t(i);
    attention.sequences.push_back(sequence);
    if (call.has_tokens) {
      sequence.first_row += rows[i];
      if (!is_paged) sequence.first_column += columns[i];
    }
    covered += rows[i];
    call.rows = std::max(call.rows, rows[i]);
    call.columns = std::max(call.columns, columns[i]);
  }
  if (!call.has_tokens) {
    call.rows = query[2];
    if (!is_paged) call.columns = keys[2];
  }
  call.covers_rows = covered == query[0] * query[2];
}

void plan_lse(const Check& check, Plan& plan, const Given& given, InferPlan& call) {
  const TensorArgument& lse = given.softmaxLse;
  check.not_null(lse);
  check.dtype_in(DtypeSet{ACL_FLOAT}, lse);
  const Dims& query = call.attention.query.view.shape;
  const Dims shape =
      call.has_tokens ? Dims{query[2], call.heads, 1} : Dims{query[0], call.heads, query[2], 1};
  check_tiling(plan, lse.shape() == shape, "softmaxLse has shape %s, it must be %s",
               lse.shape().text().c_str(), shape.text().c_str());
  plan.result(ACL_FLOAT, shape).copy_to(lse);
  View view = plan.writes(lse);
  if (call.has_tokens) {
    const Dims strides = view.strides;
    view.shape = {1, call.heads, query[2], 1};
    view.strides = {0, strides[1], strides[0], strides[2]};
  }
  call.attention.lse = AttentionStatistics{view};
}

void plan_sink(const Check& check, Plan& plan, const Given& given, InferPlan& call) {
  const TensorArgument& sink = given.learnableSinkOptional;
  check.dtype_in(DtypeSet{ACL_FLOAT16, ACL_BF16}, sink);
  check_tiling(plan, sink.dtype() == (on_950() ? given.query.dtype() : ACL_BF16),
               "learnableSink must be %s", on_950() ? "of the query's type" : "of bfloat16");
  check_tiling(plan, sink.shape() == Dims{call.heads}, "learnableSink has shape %s",
               sink.shape().text().c_str());
  if (on_950()) {
    const bool is_alone = !given.queryPaddingSizeOptional.given() &&
                          !given.kvPaddingSizeOptional.given() && !given.pseShiftOptional.given();
    check_tiling(plan, is_alone && given.innerPrecise == 0,
                 "learnableSink goes with an innerPrecise of 0, and without paddings and pseShift");
    const std::int64_t depth = call.attention.query.view.shape[3];
    const std::int64_t of_values = call.attention.value.view.shape[3];
    check_tiling(
        plan,
        (depth == 64 || depth == 128 || depth == 192) && (of_values == 64 || of_values == 128),
        "learnableSink goes with 64, 128 or 192 values of queries and 64 or 128 of values, "
        "there are %lld and %lld",
        ll(depth), ll(of_values));
  }
  plan.stage(sink).contiguous();
  call.attention.sink = plan.reads(sink);
}

void launch(Plan& plan, InferPlan call) {
  plan.launch([call = std::move(call)](const KernelMemory& memory) {
    if (!call.covers_rows || call.row_padding.has_value()) {
      fill_rows(call.attention.out, memory, 0);
      if (call.attention.lse.has_value())
        fill_rows(call.attention.lse->view, memory, std::numeric_limits<float>::infinity());
    }
    if (!call.row_padding.has_value() && !call.column_padding.has_value())
      return run_attention(call.attention, memory);
    Attention attention = call.attention;
    // Where the padding is too long CANN's kernel attends to nothing.
    const auto first = [&](const View& padding, std::int64_t all, std::int64_t& count) {
      const std::int64_t behind = integers_of(padding, memory).front();
      const bool fits = behind >= 0 && behind <= all - count;
      if (!fits) count = 0;
      return fits ? all - count - behind : 0;
    };
    for (AttentionSequence& sequence : attention.sequences) {
      if (call.row_padding.has_value())
        sequence.first_row = first(*call.row_padding, call.rows, sequence.rows);
      if (call.column_padding.has_value())
        sequence.first_column = first(*call.column_padding, call.columns, sequence.columns);
    }
    run_attention(attention, memory);
  });
}

std::optional<View> padding_of(const Check& check, Plan& plan, const TensorArgument& tensor) {
  if (!tensor.given()) return std::nullopt;
  check.dtype_in(DtypeSet{ACL_INT64}, tensor);
  check_tiling(plan, tensor.elements() == 1, "%s has shape %s, it must have one element",
               tensor.name(), tensor.shape().text().c_str());
  return plan.reads(tensor);
}

/// Which operator calls, as far as they differ.
struct Operator {
  DtypeSet dtypes;
  bool takes_narrow;  // numbers of 4 bits and floats of 8
  bool has_trees;
  std::initializer_list<const char*> layouts;
};

/// Refuses prefixes that CANN has and the simulator has not.
void check_simulated_prefix(const Plan& plan, const Given& given, std::int64_t tokens) {
  if (is_float4(given.key.tensors[0].dtype())) fail_not_simulated(plan, "a prefix of float4_e2m1");
  const bool scales_tokens = given.antiquantMode == kTokens || given.keyAntiquantMode == kTokens ||
                             given.valueAntiquantMode == kTokens;
  if (scales_tokens && tokens > 1 && !on_950())
    fail_not_simulated(plan, "a prefix with scales of tokens, and queries of many tokens");
}

void plan_call(const Check& check, Plan& plan, const Given& given, const Operator& of) {
  check_tiling(
      plan, given.key.tensors.size() == given.value.tensors.size() && !given.key.tensors.empty(),
      "key has %zu tensors and value %zu", given.key.tensors.size(), given.value.tensors.size());
  const bool is_list = given.key.tensors.size() > 1;
  const bool has_prefix = given.keySharedPrefixOptional.given();
  check_tiling(plan, has_prefix == given.valueSharedPrefixOptional.given(),
               "one of keySharedPrefix and valueSharedPrefix is null");
  const TensorArgument& key = given.key.tensors[0];
  const TensorArgument& value = given.value.tensors[0];
  check.that(key.given() && value.given(), "key or value holds null");
  check_not_given(plan, {&given.keyRopeAntiquantScaleOptional});
  check_tiling(plan, given.pseType == 0, "pseType is %lld, it must be 0", ll(given.pseType));
  const DtypeSet floats = on_950() ? DtypeSet{ACL_FLOAT8_E4M3FN, ACL_HIFLOAT8} : DtypeSet{};
  const DtypeSet halves =
      on_950() ? DtypeSet{ACL_INT32, ACL_INT4, ACL_FLOAT4_E2M1} : DtypeSet{ACL_INT32, ACL_INT4};
  const DtypeSet ours = of.dtypes | DtypeSet{ACL_INT8};
  check.dtype_in(of.takes_narrow ? ours | floats : ours, given.query, given.attentionOut);
  const DtypeSet narrow = of.takes_narrow || on_950() ? floats | halves : DtypeSet{};
  check.dtype_in(ours | narrow, key, value);
  if (narrow.contains(key.dtype()) && !of.takes_narrow)
    fail_not_simulated(plan, "keys of 4 bits and of floats of 8");
  check_integers(check, plan, given);
  check.same_dtype(key, value);
  const bool has_halves = halves.contains(key.dtype());
  const bool has_int4 = has_halves && !is_float4(key.dtype());
  const bool is_quantised =
      of.dtypes.contains(given.query.dtype()) && !of.dtypes.contains(key.dtype());
  if (!is_quantised) check.same_dtype(given.query, key);
  if (given.query.is_empty()) return;

  const Layout layout = layout_of(plan, given.inputLayout.text, of.layouts);
  InferPlan call;
  Attention& attention = call.attention;
  call.heads = given.numHeads;
  check_tiling(plan, call.heads > 0 && call.heads <= 256, "numHeads is %lld, it must be 1 to 256",
               ll(call.heads));
  call.key_heads = given.numKeyValueHeads == 0 ? call.heads : given.numKeyValueHeads;
  check_tiling(plan,
               call.key_heads > 0 && call.heads % call.key_heads == 0 &&
                   (call.heads / call.key_heads <= 64 || given.queryRopeOptional.given()),
               "numKeyValueHeads is %lld, numHeads %lld must be up to 64 times it",
               ll(call.key_heads), ll(call.heads));
  call.has_tokens = layout.from.find('T') != std::string::npos;
  attention.query.view =
      by_letters(plan, plan.reads(given.query), layout.from, call.heads, "query");
  const bool is_paged = given.blockTableOptional.given();
  if (is_paged) {
    check_tiling(plan, !is_list && !has_prefix, "blockTable goes with no list of keys or prefix");
    check.dtype_in(DtypeSet{ACL_INT32}, given.blockTableOptional);
    check_tiling(plan, given.blockTableOptional.rank() == 2,
                 "blockTable has %zu dimensions, it must have 2", given.blockTableOptional.rank());
    attention.key.view = pages_of(plan, plan, key, call.key_heads);
    attention.value.view = pages_of(plan, plan, value, call.key_heads);
    attention.key.pages = attention.value.pages = plan.reads(given.blockTableOptional);
    const std::int64_t block = attention.key.view.shape[2];
    check_tiling(plan, block == given.blockSize && block % 16 == 0 && block <= 1024,
                 "key has pages of %lld rows and blockSize is %lld: it must be a multiple of 16 up "
                 "to 1024",
                 ll(block), ll(given.blockSize));
    check_tiling(plan, !has_int4 || on_950(), "keys of int4 lie in pages, which the 950 alone has");
  } else if (is_list || has_prefix) {
    check_tiling(
        plan,
        !has_prefix || !is_narrow_float(key.dtype()) || !behaves(Behaviour::kPrefixOfIntegers),
        "key is of %s, which goes with no prefix", dtype_name(key.dtype()));
    check_parts(check, plan, given, call);
    if (has_prefix) check_simulated_prefix(plan, given, attention.query.view.shape[2]);
    const KeyParts keys = parts_of(plan, given, given.key, given.keySharedPrefixOptional, call);
    const KeyParts values =
        parts_of(plan, given, given.value, given.valueSharedPrefixOptional, call);
    if (is_list)
      for (const View& sample : keys.samples) call.listed.push_back(sample.shape[2]);
    call.prefix = keys.prefix.shape[2];
    attention.key.view = launch_joined(plan, "keys", keys);
    attention.value.view = launch_joined(plan, "values", values);
  } else {
    attention.key.view =
        by_letters(plan, reads_numbers(plan, key), layout.from, call.key_heads, "key");
    attention.value.view =
        by_letters(plan, reads_numbers(plan, value), layout.from, call.key_heads, "value");
  }
  const Dims& query = attention.query.view.shape;
  const Dims keys = AttentionRows::shape_of(attention.key.view);
  const Dims values = AttentionRows::shape_of(attention.value.view);
  const bool in_fractals = attention.key.view.shape.size() > 4;
  check_fractals(plan, given, in_fractals);
  const bool splits_heads = layout.from != layout.to && layout.to == "BSND" && !call.has_tokens;
  check_tiling(plan, !splits_heads || query[2] > 1 || (on_950() && !is_quantised),
               "inputLayout is %s, query has one token", given.inputLayout.text.c_str());
  check_tiling(
      plan,
      !has_int4 || (query[2] == 1 && query[3] % 64 == 0 && given.keyAntiquantScaleOptional.given()),
      "keys are of int4: query has %lld tokens of %lld values, it must have one of a "
      "multiple of 64, and keyAntiquantScale must be given",
      ll(query[2]), ll(query[3]));
  for (std::size_t i : {0, 2})
    check_tiling(plan, values[i] == keys[i], "key has shape %s, value has %s",
                 key.shape().text().c_str(), value.shape().text().c_str());
  check_tiling(plan, (is_paged || keys[0] == query[0]) && keys[3] == query[3],
               "query has shape %s, key has %s", given.query.shape().text().c_str(),
               key.shape().text().c_str());
  for (std::int64_t depth : {query[3], values[3]})
    check_tiling(plan, depth > 0 && depth <= 512 && (query[2] == 1 || depth % 16 == 0),
                 "heads have %lld values, at most 512 and a multiple of 16 are allowed", ll(depth));
  check_tiling(plan, query[0] <= 65536, "the batch is %lld, at most 65536", ll(query[0]));
  check_tiling(plan, given.innerPrecise >= 0 && given.innerPrecise <= 3,
               "innerPrecise is %lld, it must be from 0 to 3", ll(given.innerPrecise));

  for (const TensorArgument* tensor : {&given.query, &key, &value})
    if (tensor == &given.query || !(is_list || has_prefix)) plan.stage(*tensor).contiguous();
  attention.out =
      by_letters(plan, plan.writes(given.attentionOut), layout.to, call.heads, "attentionOut");
  const Dims expected{query[0], query[1], query[2], values[3]};
  check_tiling(plan, attention.out.shape == expected, "attentionOut has shape %s, query has %s",
               given.attentionOut.shape().text().c_str(), given.query.shape().text().c_str());
  plan.result(given.attentionOut.dtype(), given.attentionOut.shape()).copy_to(given.attentionOut);
  plan_sequences(plan, given, call);
  if (given.softmaxLseFlag) plan_lse(check, plan, given, call);

  if (given.queryRopeOptional.given()) {
    check_tiling(plan, given.keyRopeOptional.given(), "queryRope is given, and keyRope is null");
    if (!has_byte_latents(given) && !has_exponents(given))
      check.same_dtype(given.query, given.queryRopeOptional, given.keyRopeOptional);
    attention.query.rope =
        by_letters(plan, plan.reads(given.queryRopeOptional), layout.from, call.heads, "queryRope");
    attention.key.rope = is_paged ? pages_of(plan, plan, given.keyRopeOptional, call.key_heads)
                                  : by_letters(plan, plan.reads(given.keyRopeOptional), layout.from,
                                               call.key_heads, "keyRope");
    const Dims& from = attention.query.rope->shape;
    const Dims to = AttentionRows::shape_of(*attention.key.rope);
    check_tiling(plan,
                 from[0] == query[0] && from[2] == query[2] && to[0] == keys[0] &&
                     to[2] == keys[2] && from[3] == 64 && to[3] == 64,
                 "queryRope has shape %s, keyRope %s: they must be as query and key, of 64 values",
                 given.queryRopeOptional.shape().text().c_str(),
                 given.keyRopeOptional.shape().text().c_str());
  } else {
    check_tiling(plan, !given.keyRopeOptional.given(), "keyRope is given, and queryRope is null");
  }
  if (is_quantised) plan_antiquant(check, plan, given, call.prefix, attention);
  plan_integers(check, plan, given, attention);
  if (has_byte_latents(given)) {
    // A number for each head of a token, in the query's layout.
    std::string letters = layout.from == "BSH" ? "BSND" : layout.from;
    letters.erase(letters.find('D'));
    const View rows = by_letters(plan, plan.reads(given.dequantScaleQueryOptional), letters,
                                 call.heads, "dequantScaleQuery");
    check_tiling(plan, rows.shape[0] == query[0] && rows.shape[2] == query[2],
                 "dequantScaleQuery has shape %s, query has %s",
                 given.dequantScaleQueryOptional.shape().text().c_str(),
                 given.query.shape().text().c_str());
    plan_byte_latents(check, plan, given, rows, attention);
  }
  if (given.learnableSinkOptional.given()) plan_sink(check, plan, given, call);
  if (query[2] > 1 && !call.has_tokens)
    call.row_padding = padding_of(check, plan, given.queryPaddingSizeOptional);
  call.column_padding = padding_of(check, plan, given.kvPaddingSizeOptional);
  check_tiling(plan, !call.column_padding.has_value() || (!is_paged && !call.has_tokens),
               "kvPaddingSize is given for keys in pages");
  attention.counts_from_tensors = call.row_padding.has_value() || call.column_padding.has_value();
  attention.scale = static_cast<float>(given.scaleValue);
  attention.gives_zero_unseen = given.innerPrecise >= 2;
  if (given.pseShiftOptional.given()) {
    const TensorArgument& shift = given.pseShiftOptional;
    check.same_dtype(given.query, shift);
    check_tiling(plan, shift.rank() == 4, "pseShift has %zu dimensions, it must have 4",
                 shift.rank());
    check_tiling(plan, !call.has_tokens, "pseShift is given, and tokens have no batch");
    plan.stage(shift).contiguous();
    AttentionBias bias;
    bias.view = spread(plan, plan.reads(shift),
                       Dims{call.batch, call.heads, call.rows, call.columns}, "pseShift");
    attention.bias = bias;
  }
  plan_mask(check, plan, given, of.has_trees, call);
  check_rounded_rows(plan, given, attention);
  launch(plan, std::move(call));
}

}  // namespace

View by_letters(const Plan& plan, const View& view, const std::string& letters, std::int64_t heads,
                const char* name) {
  check_tiling(plan, view.shape.size() == letters.size(), "%s has %zu dimensions, %s has %zu", name,
               view.shape.size(), letters.c_str(), letters.size());
  View result = view;
  result.shape = {1, heads, 1, 1};
  result.strides = {0, 0, 0, 0};
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const std::int64_t extent = view.shape[i];
    const std::int64_t stride = view.strides[i];
    if (letters[i] == 'H') {
      check_tiling(plan, extent % heads == 0,
                   "%s has %lld values a token, which make no %lld heads", name, ll(extent),
                   ll(heads));
      const std::int64_t depth = extent / heads;
      result.shape.set(3, depth);
      result.strides.set(1, stride * depth);
      result.strides.set(3, stride);
      continue;
    }
    const std::size_t axis = letters[i] == 'B'   ? 0
                             : letters[i] == 'N' ? 1
                             : letters[i] == 'D' ? 3
                                                 : 2;
    result.shape.set(axis, extent);
    result.strides.set(axis, stride);
  }
  check_tiling(plan, result.shape[1] == heads, "%s has %lld heads, it must have %lld", name,
               ll(result.shape[1]), ll(heads));
  return result;
}

void fused_infer_attention(const Check& check, Plan& plan, const Given& given) {
  needs_kernel(plan, chip().has_bf16());
  plan_call(check, plan, given,
            {DtypeSet{ACL_FLOAT16, ACL_BF16},
             true,
             true,
             {"BSH", "BSND", "BNSD", "BNSD_BSND", "BSH_BNSD", "BSND_BNSD", "BSH_NBSD", "BSND_NBSD",
              "BNSD_NBSD", "TND", "NTD", "NTD_TND", "TND_NTD"}});
}

/// What the first phase of PromptFlashAttention sees of shapes; the rest is left to the tiling.
void check_prompt_shapes(const Check& check, const Given& given) {
  check.that(given.numHeads > 0, "numHeads is %lld, it must be at least 1", ll(given.numHeads));
  const std::size_t rank = given.query.rank();
  for (const TensorListIn* list : {&given.key, &given.value})
    for (const TensorArgument& tensor : list->tensors)
      check.that(tensor.rank() == rank, "%s has %zu dimensions, query %zu", list->name(),
                 tensor.rank(), rank);
  const std::string layout = given.inputLayout.text.substr(0, 4);
  const bool in_heads = layout == "BNSD" || layout == "BSND";
  check.that(!in_heads || rank == 4, "query has %zu dimensions, %s has 4", rank, layout.c_str());
}

void prompt_flash_attention(const Check& check, Plan& plan, const Given& given) {
  check.that(!given.query.is_empty() || given.attentionOut.is_empty(),
             "attentionOut has shape %s beside an empty query",
             given.attentionOut.shape().text().c_str());
  if (!given.query.is_empty()) check_prompt_shapes(check, given);
  needs_kernel(plan, chip().has_bf16() || on_310p());
  plan_call(check, plan, given,
            {DtypeSet{ACL_FLOAT16}.with_bf16(),
             false,
             false,
             {"BSH", "BSND", "BNSD", "BNSD_BSND", "NSD"}});
}

void incre_flash_attention(const Check& check, Plan& plan, const Given& given) {
  needs_kernel(plan, chip().has_bf16() || on_310p());
  const TensorArgument& query = given.query;
  const std::string& layout = given.inputLayout.text;
  const std::size_t row = layout == "BNSD" ? 2 : 1;
  check_tiling(plan, query.rank() <= row || query.shape()[row] == 1,
               "query has shape %s, it must have one token a sample", query.shape().text().c_str());
  plan_call(check, plan, given,
            {DtypeSet{ACL_FLOAT16}.with_bf16(), false, false, {"BSH", "BSND", "BNSD"}});
}

}  // namespace pyaclnn::sim
