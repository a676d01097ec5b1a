// How many elements the weight of a matrix product takes where it is laid out in blocks.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <memory>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_trans_matmul_weight.h"
#include "core/config.hpp"
#include "core/handle_table.hpp"
#include "core/status.hpp"
#include "objects/arrays.hpp"

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
  bool half = dtype == ACL_FLOAT16 || dtype == ACL_BF16;
  const auto& dims = shape.values;
  std::size_t rank = dims.size();
  std::uint64_t count = round_up(dims[rank - 2], kRows) *
                        round_up(dims[rank - 1], half ? kHalfColumns : kByteColumns);
  for (std::size_t i = 0; i + 2 < rank; ++i) count *= std::uint64_t(dims[i]);
  return count;
}

}  // namespace

aclnnStatus aclnnCalculateMatmulWeightSize(const aclIntArray* tensorShape,
                                           uint64_t* weightTensorSize) {
  return sim::entry(__func__, [&] {
    bool batches =
        sim::config().soc == sim::Soc::kAscend910B || sim::config().soc == sim::Soc::kAscend910_93;
    auto shape = checked(tensorShape, weightTensorSize, batches ? 3 : 2);
    *weightTensorSize = elements(*shape, ACL_FLOAT16);
    return ACLNN_SUCCESS;
  });
}

aclnnStatus aclnnCalculateMatmulWeightSizeV2(const aclIntArray* tensorShape, aclDataType dataType,
                                             uint64_t* weightTensorSize) {
  return sim::entry(__func__, [&] {
    constexpr std::size_t kMost = 6;
    if (sim::config().soc == sim::Soc::kAscend910)
      sim::fail(ACLNN_ERR_RUNTIME_ERROR, "%s has no such layout", sim::config().soc_name.c_str());
    auto shape = checked(tensorShape, weightTensorSize, kMost);
    for (std::int64_t dim : shape->values) {
      if (dim == 0) sim::fail(ACLNN_ERR_PARAM_INVALID, "a dimension of tensorShape is 0");
    }
    *weightTensorSize = elements(*shape, dataType);
    return ACLNN_SUCCESS;
  });
}
