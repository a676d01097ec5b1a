// Tensors copied into the blocks of a matrix unit and out of them.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/per_thread.hpp"
#include "core/status.hpp"
#include "objects/dtype.hpp"
#include "objects/formats.hpp"
#include "opapi/common/argument_reader.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/convert.hpp"
#include "opapi/common/first_element.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/row_major.hpp"
#include "parameters/ConvertWeightToINT4Pack.hpp"
#include "parameters/NpuFormatCast.hpp"
#include "parameters/TransConvolutionWeight.hpp"
#include "parameters/TransMatmulWeight.hpp"

namespace pyaclnn::sim {
namespace {

constexpr FormatSet kPlainFormats{ACL_FORMAT_ND, ACL_FORMAT_NCL, ACL_FORMAT_NCHW, ACL_FORMAT_NCDHW};

/// What the caller's aclTensor is from now on. The call is not cached: it has to do it again.
void describe(const TensorArgument& argument, TensorMeta meta) {
  meta.write_key();
  ArgumentReader& reader = per_thread<ArgumentReader>();
  const auto tensor = tensors().find(reader.operands()[argument.index()]);
  if (tensor != nullptr) tensor->set_meta(std::make_shared<const TensorMeta>(std::move(meta)));
  reader.key().clear();
}

/// Gives an output the shape of what was copied to it.
void describe_as(const TensorArgument& out, const Dims& shape, const Dims& storage, int format) {
  TensorMeta meta = out.meta();
  if (meta.shape == shape && meta.storage_shape == storage && meta.format == format) return;
  meta.shape = shape;
  meta.strides = contiguous_strides(shape);
  meta.storage_shape = storage;
  meta.format = aclFormat(format);
  describe(out, std::move(meta));
}

/// What the 950 casts to FRACTAL_NZ and from it.
constexpr DtypeSet kCast950{ACL_INT8,        ACL_UINT8,      ACL_FLOAT,    ACL_FLOAT16,
                            ACL_BF16,        ACL_INT32,      ACL_HIFLOAT8, ACL_FLOAT8_E4M3FN,
                            ACL_FLOAT4_E2M1, ACL_FLOAT4_E1M2};

void check_cast_to_blocks_950(const Check& check, const TensorArgument& from,
                              const TensorArgument& to) {
  check.dtype_in(kCast950, from, to);
  const std::size_t stored = to.meta().storage_shape.size();
  constexpr DtypeSet kBytes{ACL_INT8,     ACL_UINT8,       ACL_FLOAT8_E4M3FN,
                            ACL_HIFLOAT8, ACL_FLOAT4_E2M1, ACL_FLOAT4_E1M2};
  const int format = to.meta().format;
  const aclDataType dtype = from.dtype();
  const bool same = kBytes.contains(dtype) && dtype == to.dtype();
  const bool wide = dtype == ACL_FLOAT || is_16_bit_float(dtype);
  const int given = from.meta().format;
  if (same || wide) {
    const bool takes =
        same ? kPlainFormats.contains(given) : given == ACL_FORMAT_ND || given == ACL_FORMAT_NCL;
    check.that(takes && format == ACL_FORMAT_FRACTAL_NZ, "srcTensor has format %d, dstTensor %d",
               given, format);
    check.that(from.rank() >= 2 && from.rank() <= 6 && stored >= 4 && stored <= 8,
               "srcTensor has %zu dimensions and dstTensor's storage %zu", from.rank(), stored);
    return;
  }
  constexpr DtypeSet kPacked{ACL_INT32, ACL_FLOAT8_E4M3FN, ACL_HIFLOAT8, ACL_UINT8};
  check.that(kPacked.contains(dtype) && given == ACL_FORMAT_ND,
             "srcTensor is %s in format %d, dstTensor has format %d", dtype_name(dtype), given,
             format);
  check.that((from.rank() == 2 || from.rank() == 3) && (stored == 4 || stored == 5),
             "srcTensor has %zu dimensions and dstTensor's storage %zu", from.rank(), stored);
}

void check_cast_from_blocks_950(const Check& check, const TensorArgument& from,
                                const TensorArgument& to) {
  check.dtype_in(kCast950, from, to);
  const TensorMeta& meta = from.meta();
  const std::size_t rank = meta.storage_shape.size();
  check.that(rank >= 4 && rank <= 8 && meta.storage_shape.product() != 0,
             "srcTensor has a storage of %s", meta.storage_shape.text().c_str());
  check.that(meta.storage_shape.back() == nz_width(meta.format, meta.dtype),
             "srcTensor's blocks are %lld wide, they must be %lld", ll(meta.storage_shape.back()),
             ll(nz_width(meta.format, meta.dtype)));
  const auto blocks = blocks_of(meta.format, ACL_FORMAT_ND, to.shape(), meta.storage_shape.back());
  check.that(blocks && blocks->storage == meta.storage_shape,
             "srcTensor has a storage of %s, which is not that of %s",
             meta.storage_shape.text().c_str(), to.shape().text().c_str());
  const aclDataType dtype = meta.dtype;
  const int format = meta.format;
  const bool plain = format == ACL_FORMAT_FRACTAL_NZ;
  const bool by_32 = format == ACL_FORMAT_FRACTAL_NZ_C0_32;
  const bool is_word = dtype == ACL_INT32 || dtype == ACL_FLOAT;
  const bool is_byte = dtype == ACL_INT8 || dtype == ACL_UINT8;
  const bool known =
      is_word || dtype == ACL_FLOAT4_E2M1
          ? is_word || plain || by_32
          : (is_byte ? plain || by_32 || format == ACL_FORMAT_FRACTAL_NZ_C0_16
                     : plain && (dtype == ACL_FLOAT8_E4M3FN || is_16_bit_float(dtype)));
  check.that(known, "srcTensor is %s in format %d, which is not made plain", dtype_name(dtype),
             format);
}

/// On the training chips blocks of words may be as wide as those of half words.
std::int64_t width_of_cast(const TensorArgument& plain, const TensorArgument& stored) {
  const TensorMeta& meta = stored.meta();
  if (on_950() || meta.storage_shape.empty()) return nz_width(meta.format, meta.dtype);
  constexpr std::int64_t kHalfWidth = 16;
  const bool wide = meta.storage_shape.back() == kHalfWidth && dtype_size(plain.dtype()) >= 4;
  return wide ? kHalfWidth : nz_width(ACL_FORMAT_FRACTAL_NZ, meta.dtype);
}

}  // namespace

void npu_format_cast(const Check& check, Plan& plan, const NpuFormatCastParameters& given) {
  const TensorArgument& from = given.srcTensor;
  const TensorArgument& to = given.dstTensor;
  check.not_null(from, to);
  check.that(on_a2_or_a3() || on_950(), "%s does not cast formats", chip().name);
  for (const TensorArgument* tensor : {&from, &to})
    check.that(tensor->meta().is_contiguous(), "%s must be contiguous", tensor->name());
  const DtypeSet common{ACL_INT8, ACL_UINT8, ACL_FLOAT, ACL_FLOAT16,
                        ACL_BF16, ACL_INT32, ACL_UINT32};
  check.dtype_in(on_950() ? common | kCast950 : common, from, to);
  const int source = from.meta().format, target = to.meta().format;
  const bool to_blocks = kPrivateFormats.contains(target);
  // CANN asks this of no other blocks.
  if (on_950() && target == ACL_FORMAT_FRACTAL_NZ &&
      (source == ACL_FORMAT_ND || source == ACL_FORMAT_NCL ||
       (from.dtype() == to.dtype() && kPlainFormats.contains(source))))
    check_cast_to_blocks_950(check, from, to);
  if (on_950() && is_nz(source) && kPlainFormats.contains(target))
    check_cast_from_blocks_950(check, from, to);
  const TensorArgument& plain = to_blocks ? from : to;
  const TensorArgument& stored = to_blocks ? to : from;
  const int axes = plain.meta().format;
  // The 950 has casts of matrices alone.
  const bool is_cast = !kPrivateFormats.contains(axes) &&
                       (is_nz(stored.meta().format) ? kPlainFormats.contains(axes) : !on_950());
  const auto blocks =
      !is_cast ? std::nullopt
               : blocks_of(stored.meta().format, axes, plain.shape(), width_of_cast(plain, stored));
  constexpr char kNoCast[] = "there is no cast from format %d to %d of shape %s";
  check_inside(plan, !on_950() || blocks.has_value(), kNoCast, source, target,
               plain.shape().text().c_str());
  // CANN answers 0 and gives no executor.
  check.that(blocks.has_value(), kNoCast, source, target, plain.shape().text().c_str());
  check.that(!from.is_empty(), "srcTensor is empty");
  check_inside(plan, from.dtype() == to.dtype() && blocks->storage == stored.meta().storage_shape,
               "%s has a storage of %s, it must be %s", stored.name(),
               stored.meta().storage_shape.text().c_str(), blocks->storage.text().c_str());
  if (to_blocks) {
    const View read = plan.reads(from);
    copy_to_blocks(plan, read, writes_storage(plan, to, blocks->elements), *blocks);
    describe_as(to, from.shape(), blocks->storage, target);
  } else {
    const View read = reads_storage(plan, from, blocks->elements);
    copy_from_blocks(plan, read, *blocks, plan.writes(to));
    describe_as(to, to.shape(), to.shape(), is_nz(source) ? int(ACL_FORMAT_ND) : target);
  }
}

void trans_matmul_weight(const Check& check, Plan& plan, const TransMatmulWeightParameters& given) {
  const TensorArgument& weight = given.mmWeightRef;
  check.not_null(weight);
  DtypeSet types{ACL_FLOAT16};
  if (on_310p()) types = types | DtypeSet{ACL_INT8};
  if (on_a2_or_a3() || on_950())
    types = types | DtypeSet{ACL_BF16, ACL_INT8, ACL_FLOAT8_E4M3FN, ACL_HIFLOAT8, ACL_UINT8};
  check.dtype_in(types, weight);
  check.that(weight.meta().format == ACL_FORMAT_ND, "mmWeightRef has format %d, it must be ND (2)",
             int(weight.meta().format));
  check.rank_at_most(8, weight);
  if (weight.is_empty()) return;
  const bool batches = weight.dtype() == ACL_INT8 || on_a2_or_a3();
  check.that(weight.rank() >= 2 && weight.rank() <= (batches ? 6u : 2u),
             "mmWeightRef has %zu dimensions, it must have 2%s", weight.rank(),
             batches ? " to 6" : "");
  const auto blocks = blocks_of(ACL_FORMAT_FRACTAL_NZ, ACL_FORMAT_ND, weight.shape(),
                                nz_width(ACL_FORMAT_FRACTAL_NZ, weight.dtype()));
  check_inside(plan, blocks.has_value(), "mmWeightRef of shape %s is larger than any memory",
               weight.shape().text().c_str());
  plan.stage(weight).contiguous();
  if (weight.meta().offset != 0)
    fail_not_simulated(plan, "a weight that begins within its storage");
  TensorMeta meta = weight.meta();
  // What is read lies in the caller's storage, what is written begins with it.
  const Reach reach = reach_of(meta);
  const View all = writes_storage(plan, weight, std::max(blocks->elements, reach.last + 1));
  View plain = all;
  plain.shape = meta.shape;
  plain.strides = meta.is_contiguous() ? contiguous_strides(meta.shape) : meta.strides;
  const auto bytes = std::uint64_t(blocks->elements) * dtype_size(meta.dtype);
  const std::uint64_t copy = plan.reserve(blocks->elements, meta.dtype);
  plan.launch([=, blocks = *blocks](const KernelMemory& memory) {
    std::byte* const in_place = memory.operands[plain.operand];
    to_blocks(plain, blocks, in_place, memory.workspace + copy);
    std::memcpy(in_place, memory.workspace + copy, bytes);
  });
  describe_as(weight, meta.shape, blocks->storage, ACL_FORMAT_FRACTAL_NZ);
}

void trans_convolution_weight(const Check& check, Plan& plan,
                              const TransConvolutionWeightParameters& given) {
  const TensorArgument& from = given.weightIn;
  const TensorArgument& to = given.weightOut;
  check.not_null(from, to);
  check.that(from.rank() == 4, "weightIn has %zu dimensions, it must have 4", from.rank());
  check.that(!given.transposed, "transposed convolutions are not supported");
  check.that(given.groups != 0, "groups is 0");
  check.that(on_310p(), "%s does not have the operator", chip().name);
  check.dtype_in(DtypeSet{ACL_FLOAT16, ACL_FLOAT}, from);
  check.dtype_in(DtypeSet{ACL_FLOAT16}, to);
  for (const TensorArgument* tensor : {&from, &to})
    check.that(tensor->meta().format == ACL_FORMAT_NCHW, "%s has format %d, it must be NCHW (0)",
               tensor->name(), int(tensor->meta().format));
  check.that(to.meta().is_contiguous(), "weightOut must be contiguous");
  check.that(from.is_empty() == to.is_empty(), "weightIn and weightOut must both be empty, or not");
  if (from.is_empty()) return;
  if (given.groups != 1) fail_not_simulated(plan, "a weight of several groups");
  const auto blocks = blocks_of(ACL_FORMAT_FRACTAL_Z, ACL_FORMAT_NCHW, from.shape(),
                                nz_width(ACL_FORMAT_FRACTAL_NZ, ACL_FLOAT16));
  check_inside(plan, blocks.has_value(), "weightIn of shape %s is larger than any memory",
               from.shape().text().c_str());
  plan.stage(from).contiguous().cast_to(ACL_FLOAT16);
  const RowMajor read(plan.reads(from));
  const View stored = writes_storage(plan, to, blocks->elements);
  View half = stored;
  half.shape = from.shape();
  half.strides = contiguous_strides(from.shape());
  const std::uint64_t copy = plan.reserve(from.elements(), ACL_FLOAT16);
  plan.launch([=, blocks = *blocks](const KernelMemory& memory) {
    const std::vector<float> values = RowMajorAccess(read, memory).values();
    storer<float>(ACL_FLOAT16, Rounding::kNearestEven)(values.data(), std::int64_t(values.size()),
                                                       memory.workspace + copy, 1);
    to_blocks(half, blocks, memory.workspace + copy, first_element(memory, stored, 0));
  });
  describe_as(to, from.shape(), blocks->storage, ACL_FORMAT_FRACTAL_Z);
}

namespace {

/// The four bits of a number that is given as an int32, or of one of float4_e2m1 as a float32.
unsigned four_bits(std::uint32_t word, bool is_float) {
  if (!is_float) return word & 0xFu;
  // CANN looks the leading bits up; what is not among them is 0.
  constexpr std::uint32_t kLeading = 0xFFC00000u, kSign = 0x80000000u;
  constexpr std::uint32_t kValues[] = {0x00000000u, 0x3F000000u, 0x3F800000u, 0x3FC00000u,
                                       0x40000000u, 0x40400000u, 0x40800000u, 0x40C00000u};
  const std::uint32_t* const found =
      std::find(std::begin(kValues), std::end(kValues), word & kLeading & ~kSign);
  if (found == std::end(kValues)) return 0;
  return unsigned(found - kValues) | ((word & kSign) != 0 ? 8u : 0u);
}

/// Refuses storages that are not those of a packed weight in FRACTAL_NZ.
void check_packed_storage(const Check& check, const TensorArgument& packed) {
  const Dims& storage = packed.meta().storage_shape;
  const bool whole = packed.dtype() == ACL_INT4;
  check.that(storage.size() == 4 || storage.size() == 5,
             "weightInt4Pack's storage has %zu dimensions, it must have 4 or 5", storage.size());
  if (!whole && packed.dtype() != ACL_INT32) return;
  constexpr std::int64_t kInts = 8, kIntsOn950 = 2, kInt4 = 64;
  const std::int64_t width =
      whole ? (on_950() ? storage.back() : kInt4) : (on_950() ? kIntsOn950 : kInts);
  const std::size_t rank = packed.rank();
  const auto blocks = blocks_of(ACL_FORMAT_FRACTAL_NZ, ACL_FORMAT_ND,
                                Dims{packed.shape()[rank - 2], packed.shape()[rank - 1]}, width);
  const std::size_t first = storage.size() - 4;
  check.that(blocks && std::equal(storage.begin() + first, storage.end(), blocks->storage.begin()),
             "weightInt4Pack's storage is %s, which is not that of its shape %s",
             storage.text().c_str(), packed.shape().text().c_str());
}

}  // namespace

void convert_weight_to_int4_pack(const Check& check, Plan& plan,
                                 const ConvertWeightToINT4PackParameters& given) {
  const TensorArgument& weight = given.weight;
  const TensorArgument& packed = given.weightInt4Pack;
  check.not_null(weight, packed);
  check.that(weight.meta().is_contiguous() && packed.meta().is_contiguous(),
             "weight and weightInt4Pack must be contiguous");
  check.dtype_in(DtypeSet{ACL_INT32, ACL_FLOAT}, weight);
  check.dtype_in(DtypeSet{ACL_INT4, ACL_INT32, ACL_FLOAT4_E2M1, ACL_FLOAT}, packed);
  const bool is_float = weight.dtype() == ACL_FLOAT;
  const bool in_words = packed.dtype() == weight.dtype();
  check.that(in_words || packed.dtype() == (is_float ? ACL_FLOAT4_E2M1 : ACL_INT4),
             "weight is %s and weightInt4Pack %s", dtype_name(weight.dtype()),
             dtype_name(packed.dtype()));
  const int format = packed.meta().format;
  check.that(weight.meta().format == ACL_FORMAT_ND, "weight has format %d, it must be ND (2)",
             int(weight.meta().format));
  check.that(format == ACL_FORMAT_ND || format == ACL_FORMAT_FRACTAL_NZ,
             "weightInt4Pack has format %d, it must be ND (2) or NZ (29)", format);
  for (const TensorArgument* tensor : {&weight, &packed})
    check.that(tensor->rank() == 2 || tensor->rank() == 3,
               "%s has %zu dimensions, it must have 2 or 3", tensor->name(), tensor->rank());
  constexpr std::int64_t kInWord = 8;
  const Dims& shape = weight.shape();
  const std::int64_t lines = shape[shape.size() - 2], length = shape.back();
  const std::int64_t unit = in_words ? kInWord : 2;
  check.that(length % unit == 0, "weight's last axis has %lld elements, not a multiple of %lld",
             ll(length), ll(unit));
  const Dims& small = packed.shape();
  check.that(
      small[small.size() - 2] == lines && small.back() == (in_words ? length / unit : length),
      "weight has shape %s and weightInt4Pack %s", shape.text().c_str(), small.text().c_str());
  const bool in_blocks = format == ACL_FORMAT_FRACTAL_NZ;
  if (in_blocks) check_packed_storage(check, packed);
  check.that(!in_blocks || length != 0, "weightInt4Pack has no columns");
  Dims bytes = shape;
  bytes.set(bytes.size() - 1, length / 2);
  std::optional<Blocks> blocks;
  if (in_blocks) {
    const bool by_32 = on_950() && packed.meta().storage_shape.back() == 32;
    const std::int64_t width = on_950() ? (by_32 ? 16 : 8) : 32;
    blocks = blocks_of(ACL_FORMAT_FRACTAL_NZ, ACL_FORMAT_ND, bytes, width);
    check_inside(plan, blocks.has_value(), "weight is larger than any memory");
    // CANN lays matrices that do not fill their blocks over one another.
    if (shape.size() == 3 && shape[0] > 1 && blocks->elements != bytes.product())
      fail_not_simulated(plan, "several matrices in FRACTAL_NZ that do not fill their blocks");
  }
  if (weight.is_empty()) return;
  const View from = plan.reads(weight);
  const std::int64_t made = blocks ? blocks->elements : bytes.product();
  const std::int64_t in_element = in_words ? 4 : 1;
  const View to = writes_storage(plan, packed, in_words ? made / in_element : made * 2);
  const std::uint64_t copy = plan.reserve(blocks ? bytes.product() : 0, ACL_INT8);
  View row = to;
  row.dtype = ACL_INT8;
  row.shape = bytes;
  row.strides = contiguous_strides(bytes);
  plan.launch([=](const KernelMemory& memory) {
    std::byte* const out =
        memory.operands[to.operand] + to.offset * in_element / (in_words ? 1 : 2);
    std::byte* const pairs = blocks ? memory.workspace + copy : out;
    const std::byte* const words = first_element(memory, from, 0);
    for (std::int64_t i = 0; i < bytes.product(); ++i) {
      std::uint32_t two[2];
      std::memcpy(two, words + i * std::int64_t(sizeof two), sizeof two);
      pairs[i] = std::byte(four_bits(two[0], is_float) | four_bits(two[1], is_float) << 4);
    }
    if (blocks) to_blocks(row, *blocks, pairs, out);
  });
}

}  // namespace pyaclnn::sim
