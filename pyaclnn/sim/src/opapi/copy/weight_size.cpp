// Shapes and sizes of tensors that are laid out in blocks.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_npu_format_cast.h"
#include "aclnnop/aclnn_trans_convolution_weight.h"
#include "aclnnop/aclnn_trans_matmul_weight.h"
#include "core/config.hpp"
#include "core/handle_table.hpp"
#include "core/release.hpp"
#include "core/status.hpp"
#include "objects/arrays.hpp"
#include "objects/dtype.hpp"
#include "objects/formats.hpp"
#include "objects/tensor.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/common/check.hpp"
#include "opapi/common/chip_family.hpp"

namespace sim = pyaclnn::sim;

namespace {

constexpr std::uint64_t kRows = 16;
constexpr std::uint64_t kHalfColumns = 16;
constexpr std::uint64_t kByteColumns = 32;

/// Without a sign, as sums and products of dimensions that no memory has wrap around.
std::uint64_t round_up(std::int64_t size, std::uint64_t block) {
  return (std::uint64_t(size) + block - 1) / block * block;
}

std::shared_ptr<sim::IntArray> checked(const aclIntArray* shape, const std::uint64_t* size,
                                       std::size_t most) {
  if (shape == nullptr) sim::fail(ACLNN_ERR_PARAM_NULLPTR, "tensorShape is null");
  if (size == nullptr) sim::fail(ACLNN_ERR_PARAM_NULLPTR, "weightTensorSize is null");
  auto dims = sim::int_arrays().get(shape, ACLNN_ERR_PARAM_INVALID);
  std::size_t rank = dims->values.size();
  if (rank < 2 || rank > most)
    sim::fail(ACLNN_ERR_PARAM_INVALID, "tensorShape has %zu dimensions, not 2 to %zu", rank, most);
  return dims;
}

/// The last two dimensions are filled up to whole blocks.
std::uint64_t elements(const sim::IntArray& shape, aclDataType dtype) {
  bool half = sim::is_16_bit_float(dtype);
  const auto& dims = shape.values;
  std::size_t rank = dims.size();
  std::uint64_t count = round_up(dims[rank - 2], kRows) *
                        round_up(dims[rank - 1], half ? kHalfColumns : kByteColumns);
  for (std::size_t i = 0; i + 2 < rank; ++i) count *= std::uint64_t(dims[i]);
  return count;
}

constexpr sim::FormatSet kPlain{ACL_FORMAT_ND, ACL_FORMAT_NCL, ACL_FORMAT_NCHW, ACL_FORMAT_NCDHW};

constexpr sim::DtypeSet kBytes{ACL_INT8,     ACL_UINT8,       ACL_FLOAT8_E4M3FN,
                               ACL_HIFLOAT8, ACL_FLOAT4_E2M1, ACL_FLOAT4_E1M2};

[[noreturn]] void refuse(const char* what) {
  sim::fail(ACLNN_ERR_PARAM_INVALID, "aclnnNpuFormatCastCalculateSizeAndFormat: %s", what);
}

void require(bool holds, const char* what) {
  if (!holds) refuse(what);
}

bool is_half_word(int dtype) { return sim::is_16_bit_float(static_cast<aclDataType>(dtype)); }

/// What the newest chip asks of a cast to FRACTAL_NZ, whose blocks are for products with `other`.
void check_to_nz_950(const sim::TensorMeta& meta, int other) {
  require(!meta.is_empty(), "srcTensor is empty");
  const std::size_t rank = meta.shape.size();
  if (other != meta.dtype) {
    if (meta.dtype == ACL_INT32)
      require(is_half_word(other) || other == ACL_INT8, "additionalDtype does not go with int32");
    if (meta.dtype == ACL_FLOAT)
      require(is_half_word(other) || other == ACL_FLOAT8_E4M3FN || other == ACL_HIFLOAT8 ||
                  other == ACL_UINT8,
              "additionalDtype does not go with float32");
    require(rank == 2 || rank == 3, "srcTensor must have 2 or 3 dimensions");
    return;
  }
  require(rank >= 2 && rank <= 6, "srcTensor must have 2 to 6 dimensions");
  if (other == ACL_FLOAT || is_half_word(other)) {
    require(meta.shape[rank - 2] != 1, "the depth of a weight is 1");
  } else {
    require(kBytes.contains(aclDataType(other)), "additionalDtype has no blocks");
  }
}

/// Width and format of the blocks.
std::int64_t blocks_for(const sim::TensorMeta& meta, int other, int* format) {
  *format = ACL_FORMAT_FRACTAL_NZ;
  if (!sim::on_950() || other == meta.dtype)
    return sim::nz_width(ACL_FORMAT_FRACTAL_NZ, aclDataType(other));
  const std::size_t size = sim::dtype_size(aclDataType(other));
  if (other == ACL_FLOAT8_E4M3FN || other == ACL_INT8) *format = ACL_FORMAT_FRACTAL_NZ_C0_32;
  if (size == 2) *format = ACL_FORMAT_FRACTAL_NZ_C0_16;
  return *format == ACL_FORMAT_FRACTAL_NZ_C0_32 ? 32 : 16;
}

/// The shape in the format asked for, which may be another one in the end.
sim::Dims cast_shape(const sim::TensorMeta& meta, int asked, int other, int* format) {
  const int source = meta.format;
  if (other == -1) other = meta.dtype;
  *format = asked;
  if (asked == ACL_FORMAT_FRACTAL_NZ && (source == ACL_FORMAT_ND || source == ACL_FORMAT_NCL ||
                                         (other == meta.dtype && kPlain.contains(source)))) {
    if (sim::on_950()) check_to_nz_950(meta, other);
    require(sim::dtype_size(aclDataType(other)) > 0 || kBytes.contains(aclDataType(other)),
            "additionalDtype has no size");
    const std::int64_t width = blocks_for(meta, other, format);
    const auto blocks = sim::blocks_of(ACL_FORMAT_FRACTAL_NZ, source, meta.shape, width);
    require(blocks.has_value(), "srcTensor has no shape in blocks");
    return blocks->storage;
  }
  if (sim::is_nz(source) && asked == ACL_FORMAT_ND) {
    require(sim::on_950() || source == ACL_FORMAT_FRACTAL_NZ, "srcTensor is not in FRACTAL_NZ");
    return meta.shape;
  }
  const bool to_blocks = sim::kPrivateFormats.contains(asked);
  const auto blocks =
      sim::is_nz(asked) || sim::is_nz(source)
          ? std::nullopt
          : sim::blocks_of(to_blocks ? asked : source, to_blocks ? source : asked, meta.shape,
                           sim::nz_width(ACL_FORMAT_FRACTAL_NZ, aclDataType(other)));
  if (!blocks)
    sim::fail(ACLNN_ERR_RUNTIME_ERROR,
              "aclnnNpuFormatCastCalculateSizeAndFormat: there is no cast from format %d to %d",
              source, asked);
  return to_blocks ? blocks->storage : meta.shape;
}

}  // namespace

aclnnStatus aclnnNpuFormatCastCalculateSizeAndFormat(const aclTensor* srcTensor,
                                                     const int dstFormat, int additionalDtype,
                                                     int64_t** dstShape, uint64_t* dstShapeSize,
                                                     int* actualFormat) {
  return sim::entry(__func__, [&] {
    require(sim::on_a2_or_a3() || sim::on_950(), "the chip does not cast formats");
    require(srcTensor != nullptr, "srcTensor is null");
    if (dstShape == nullptr || dstShapeSize == nullptr || actualFormat == nullptr)
      sim::fail(ACLNN_ERR_PARAM_NULLPTR, "an output is null");
    const auto meta = sim::tensors().get(srcTensor, ACLNN_ERR_PARAM_INVALID)->meta();
    constexpr sim::DtypeSet kWords{ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32, ACL_UINT32};
    require(
        (kWords | kBytes).contains(meta->dtype) && (meta->dtype != ACL_UINT32 || !sim::on_950()),
        "srcTensor has a dtype that is not cast");
    int format = dstFormat;
    const sim::Dims shape = cast_shape(*meta, dstFormat, additionalDtype, &format);
    // The caller deletes it.
    auto made = std::make_unique<int64_t[]>(shape.size());
    std::copy(shape.begin(), shape.end(), made.get());
    *dstShape = made.release();
    *dstShapeSize = shape.size();
    *actualFormat = format;
    return ACLNN_SUCCESS;
  });
}

aclnnStatus aclnnCalculateConvolutionWeightSize(const aclIntArray* tensorShape, bool transposed,
                                                int64_t groups, aclDataType dataType,
                                                uint64_t* weightTensorSize) {
  return sim::entry(__func__, [&] {
    if (tensorShape == nullptr) sim::fail(ACLNN_ERR_PARAM_NULLPTR, "tensorShape is null");
    if (weightTensorSize == nullptr) sim::fail(ACLNN_ERR_PARAM_NULLPTR, "weightTensorSize is null");
    const auto dims = sim::int_arrays().get(tensorShape, ACLNN_ERR_PARAM_INVALID);
    const sim::Dims shape(dims->values.data(), dims->values.size());
    if (shape.size() != 4 || transposed || groups == 0 || !sim::on_310p() ||
        dataType != ACL_FLOAT16)
      sim::fail(ACLNN_ERR_PARAM_INVALID,
                "only float16 weights of four dimensions are laid out, not transposed, of at "
                "least one group, on Ascend310P");
    for (const std::int64_t extent : shape) {
      if (extent < 0) sim::fail(ACLNN_ERR_PARAM_INVALID, "an extent of tensorShape is negative");
      if (extent == 0) {
        *weightTensorSize = 0;
        return ACLNN_SUCCESS;
      }
    }
    if (groups != 1)
      sim::fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "several groups are not simulated");
    const auto blocks = sim::blocks_of(ACL_FORMAT_FRACTAL_Z, ACL_FORMAT_NCHW, shape,
                                       sim::nz_width(ACL_FORMAT_FRACTAL_NZ, ACL_FLOAT16));
    if (!blocks) sim::fail(ACLNN_ERR_INNER_NULLPTR, "the weight is larger than any memory");
    *weightTensorSize = std::uint64_t(blocks->elements);
    return ACLNN_SUCCESS;
  });
}

aclnnStatus aclnnCalculateMatmulWeightSize(const aclIntArray* tensorShape,
                                           uint64_t* weightTensorSize) {
  return sim::entry(__func__, [&] {
    bool batches =
        sim::chip().soc == sim::Soc::kAscend910B || sim::chip().soc == sim::Soc::kAscend910_93;
    const std::size_t most = sim::behaves(sim::Behaviour::kWeightsInBatches) ? 6 : 3;
    auto shape = checked(tensorShape, weightTensorSize, batches ? most : 2);
    *weightTensorSize = elements(*shape, ACL_FLOAT16);
    return ACLNN_SUCCESS;
  });
}

aclnnStatus aclnnCalculateMatmulWeightSizeV2(const aclIntArray* tensorShape, aclDataType dataType,
                                             uint64_t* weightTensorSize) {
  return sim::entry(__func__, [&] {
    constexpr std::size_t kMost = 6;
    if (sim::chip().soc == sim::Soc::kAscend910)
      sim::fail(ACLNN_ERR_RUNTIME_ERROR, "%s has no such layout", sim::chip().name);
    auto shape = checked(tensorShape, weightTensorSize, kMost);
    for (std::int64_t dim : shape->values) {
      if (dim == 0) sim::fail(ACLNN_ERR_PARAM_INVALID, "a dimension of tensorShape is 0");
    }
    *weightTensorSize = elements(*shape, dataType);
    return ACLNN_SUCCESS;
  });
}
