// The operands of a product of narrow integers, as CANN sees them.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>

#include "objects/dtype.hpp"
#include "opapi/common/blocks.hpp"
#include "opapi/matmul/batches.hpp"
#include "opapi/product/integer_product.hpp"
#include "parameters/QuantMatmulV5.hpp"

namespace pyaclnn::sim {

/// An operand as CANN sees it once transposed views are taken for what they are.
struct QuantOperand {
  PlainOperand plain;
  View view;
  bool turned;

  QuantOperand(Plan& plan, const TensorArgument& tensor, bool transposed, bool in_blocks)
      : plain(plan, tensor, in_blocks), view(plain.view()), turned(transposed) {
    const std::size_t rank = view.shape.size();
    if (rank < 2) return;
    if (is_turned(tensor)) {
      for (Dims* dims : {&view.shape, &view.strides}) {
        const std::int64_t last = dims->back();
        dims->set(rank - 1, (*dims)[rank - 2]);
        dims->set(rank - 2, last);
      }
      turned = !turned;
    }
    view = in_int4(plan, view);
  }

  std::size_t rank() const { return view.shape.size(); }
  std::int64_t lines() const { return view.shape[rank() - 2]; }
  std::int64_t length() const { return view.shape[rank() - 1]; }

  /// The matrix of a batch, whose axes are `batch`; those of 1 stand still.
  IntegerMatrix matrix(const KernelMemory& memory, const Batch& batch) const {
    IntegerMatrix result;
    result.base = memory.operands[view.operand];
    result.packed = view.dtype == ACL_INT4;
    result.turned = turned;
    result.step = view.strides[rank() - 1];
    result.line_step = view.strides[rank() - 2];
    result.first = view.offset;
    for (std::size_t i = 0; i + 2 < rank(); ++i) {
      const std::size_t at = batch.size() - (rank() - 2) + i;
      if (view.shape[i] != 1) result.first += batch[at] * view.strides[i];
    }
    return result;
  }
};

struct QuantCall {
  const QuantMatmulV5Parameters& given;
  QuantOperand a, b;

  bool is_int4() const { return a.view.dtype == ACL_INT4 || b.view.dtype == ACL_INT4; }
  std::int64_t rows() const { return a.turned ? a.length() : a.lines(); }
  std::int64_t depth() const { return a.turned ? a.lines() : a.length(); }
  std::int64_t depth_of_b() const { return b.turned ? b.length() : b.lines(); }
  std::int64_t columns() const { return b.turned ? b.lines() : b.length(); }
};

}  // namespace pyaclnn::sim
