// Normalisations fused with the addition before them. CANN generates these operators from their
// kernels: element types are refused as arguments, shapes where the work is divided.
// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_add_layer_norm_grad.h"
#include "aclnnop/aclnn_deep_norm_grad.h"
#include "aclnnop/aclnn_rms_norm_grad.h"
#include "opapi/common/fill.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/norm/fused_checks.hpp"
#include "opapi/norm/norm.hpp"
#include "opapi/norm/row_norm.hpp"

using namespace pyaclnn::sim;

namespace {

constexpr DtypeSet kFloat{ACL_FLOAT};

RowNorm rows_of(const Dims& shape, std::size_t axis) {
  RowNorm norm;
  for (std::size_t i = 0; i < shape.size(); ++i) (i < axis ? norm.rows : norm.length) *= shape[i];
  return norm;
}

}  // namespace

// With x = x1 + x2, xhat = (x - mean) rstd and g = dy gamma, over the axes of gamma:
//   dxOut = rstd (g - mean(g) - xhat mean(g xhat)) + dsumOptional; over the others:
//   dgammaOut = sum(dy xhat), dbetaOut = sum(dy).
OPERATOR(AddLayerNormGrad, (In, dy), (In, x1), (In, x2), (In, rstd), (In, mean), (In, gamma),
         (In, dsumOptional), (ConstOut, dxOut), (ConstOut, dgammaOut), (ConstOut, dbetaOut)) {
  check.not_null(dy, x1, x2, rstd, mean, gamma, dxOut, dgammaOut, dbetaOut);
  check_kernel_exists(plan, config().soc != Soc::kAscend910);
  check.dtype_in(norm_dtypes(), dy);
  check.same_dtype(dy, x1, x2);
  check.dtype_in(kFloat, rstd, mean);
  check.same_dtype(dy, gamma);
  if (dsumOptional.given()) check.same_dtype(dy, dsumOptional);
  check.same_dtype(dy, dxOut);
  check.dtype_in(kFloat, dgammaOut, dbetaOut);
  check_formats(check, dy, x1, x2, rstd, mean, gamma, dxOut, dgammaOut, dbetaOut);

  rank_in(plan, x1, 1, 8);
  rank_in(plan, gamma, 1, 8);
  for (const In* tensor : {&rstd, &mean}) rank_in(plan, *tensor, dy.rank(), dy.rank());
  for (const ConstOut* tensor : {&dgammaOut, &dbetaOut})
    rank_in(plan, *tensor, gamma.rank(), gamma.rank());
  check_tiling(plan, dy.rank() >= gamma.rank(), "gamma has %zu dimensions, dy has %zu",
               gamma.rank(), dy.rank());
  not_empty(plan, x1);
  not_empty(plan, mean);
  same_shape(plan, dy, x1);
  same_shape(plan, dy, x2);
  same_shape(plan, dy, dxOut);
  same_shape(plan, mean, rstd);
  const std::size_t axis = dy.rank() - gamma.rank();
  ends_with(plan, dy, gamma);
  is_row_statistic(plan, dy, mean, axis);
  same_shape(plan, gamma, dgammaOut);
  same_shape(plan, gamma, dbetaOut);
  if (dsumOptional.given()) same_shape(plan, dy, dsumOptional);

  stage_contiguous(plan, dy, x1, x2, rstd, mean, gamma, dsumOptional);
  stage_results(plan, dxOut, dgammaOut, dbetaOut);
  RowNorm norm = rows_of(dy.shape(), axis);
  norm.grad = row_major_input(plan, dy);
  norm.x1 = row_major_input(plan, x1);
  norm.x2 = row_major_input(plan, x2);
  norm.mean = row_major_input(plan, mean);
  norm.rstd = row_major_input(plan, rstd);
  norm.gamma = row_major_input(plan, gamma);
  norm.add = row_major_input(plan, dsumOptional);
  norm.grad_x = row_major_output(plan, dxOut);
  norm.grad_gamma = row_major_output(plan, dgammaOut);
  norm.grad_beta = row_major_output(plan, dbetaOut);
  launch_row_norm(plan, norm);
}

// The same with x = alpha x + gx: dgxOut is the gradient of gx, dxOut = alpha dgxOut.
OPERATOR(DeepNormGrad, (In, dy), (In, x), (In, gx), (In, gamma), (In, mean), (In, rstd),
         (Double, alpha), (ConstOut, dxOut), (ConstOut, dgxOut), (ConstOut, dbetaOut),
         (ConstOut, dgammaOut)) {
  check.not_null(dy, x, gx, gamma, mean, rstd, dxOut, dgxOut, dbetaOut, dgammaOut);
  const Soc soc = config().soc;
  check_kernel_exists(plan, soc != Soc::kAscend910 && soc != Soc::kAscend950);
  check.dtype_in(norm_dtypes(), dy);
  check.same_dtype(dy, x, gx, gamma);
  check.dtype_in(kFloat, mean, rstd);
  check.same_dtype(dy, dxOut, dgxOut);
  check.dtype_in(kFloat, dbetaOut, dgammaOut);
  check_formats(check, dy, x, gx, gamma, mean, rstd, dxOut, dgxOut, dbetaOut, dgammaOut);

  rank_in(plan, dy, 2, 8);
  rank_in(plan, gamma, 1, 7);
  for (const In* tensor : {&x, &gx, &rstd, &mean}) rank_in(plan, *tensor, dy.rank(), dy.rank());
  for (const ConstOut* tensor : {&dgammaOut, &dbetaOut})
    rank_in(plan, *tensor, gamma.rank(), gamma.rank());
  check_tiling(plan, dy.rank() > gamma.rank(), "gamma has %zu dimensions, dy has %zu", gamma.rank(),
               dy.rank());
  not_empty(plan, dy);
  same_shape(plan, dy, x);
  same_shape(plan, dy, gx);
  same_shape(plan, dy, dxOut);
  same_shape(plan, dy, dgxOut);
  const std::size_t axis = dy.rank() - gamma.rank();
  is_row_statistic(plan, dy, mean, axis);
  is_row_statistic(plan, dy, rstd, axis);
  ends_with(plan, dy, gamma);
  same_shape(plan, gamma, dgammaOut);
  same_shape(plan, gamma, dbetaOut);

  stage_contiguous(plan, dy, x, gx, gamma, mean, rstd);
  stage_results(plan, dxOut, dgxOut, dbetaOut, dgammaOut);
  RowNorm norm = rows_of(dy.shape(), axis);
  norm.x_factor = static_cast<float>(alpha);
  norm.grad = row_major_input(plan, dy);
  norm.x1 = row_major_input(plan, x);
  norm.x2 = row_major_input(plan, gx);
  norm.mean = row_major_input(plan, mean);
  norm.rstd = row_major_input(plan, rstd);
  norm.gamma = row_major_input(plan, gamma);
  norm.grad_x1 = row_major_output(plan, dxOut);
  norm.grad_x = row_major_output(plan, dgxOut);
  norm.grad_beta = row_major_output(plan, dbetaOut);
  norm.grad_gamma = row_major_output(plan, dgammaOut);
  launch_row_norm(plan, norm);
}

// With xhat = x rstd and g = dy gamma, over the axes of gamma:
//   dxOut = rstd (g - xhat mean(g xhat)); over the others: dgammaOut = sum(dy xhat).
OPERATOR(RmsNormGrad, (In, dy), (In, x), (In, rstd), (In, gamma), (ConstOut, dxOut),
         (ConstOut, dgammaOut)) {
  check.not_null(dy, x, rstd, gamma, dxOut, dgammaOut);
  const Soc soc = config().soc;
  check.dtype_in(norm_dtypes(), dy);
  check.same_dtype(dy, x);
  check.dtype_in(kFloat, rstd);
  const bool is_first = soc == Soc::kAscend910 || soc == Soc::kAscend310P;
  if (gamma.dtype() != ACL_FLOAT || is_first) check.same_dtype(dy, gamma);
  check.same_dtype(dy, dxOut);
  check.dtype_in(kFloat, dgammaOut);
  check_formats(check, dy, x, rstd, gamma, dxOut, dgammaOut);

  rank_in(plan, x, 1, 8);
  rank_in(plan, gamma, 1, x.rank());
  same_shape(plan, x, dy);
  same_shape(plan, dy, dxOut);
  check_tiling(plan, dy.shape().back() != 0, "the last extent of dy is 0: %s",
               dy.shape().text().c_str());
  const std::size_t axis = x.rank() - gamma.rank();
  RowNorm norm = rows_of(x.shape(), axis);
  const std::size_t shared = std::min(axis, rstd.rank());
  for (std::size_t i = 0; i < axis; ++i)
    check_tiling(plan, x.shape()[i] == (i < shared ? rstd.shape()[i] : 1),
                 "rstd has shape %s, it must be the first %zu extents of x, %s",
                 rstd.shape().text().c_str(), axis, x.shape().text().c_str());
  ends_with(plan, dy, gamma);
  same_shape(plan, gamma, dgammaOut);
  check_tiling(plan, rstd.elements() == norm.rows, "rstd has shape %s, it must have %lld elements",
               rstd.shape().text().c_str(), static_cast<long long>(norm.rows));
  if (norm.rows == 0) {
    check_tiling(plan, soc == Soc::kAscend950, "dy is empty: %s", dy.shape().text().c_str());
    launch_zero(plan, dgammaOut);
    return;
  }
  check_tiling(plan, norm.length != 0, "gamma is empty: %s", gamma.shape().text().c_str());

  stage_contiguous(plan, dy, x, rstd, gamma);
  stage_results(plan, dxOut, dgammaOut);
  norm.has_mean = false;
  norm.grad = row_major_input(plan, dy);
  norm.x1 = row_major_input(plan, x);
  norm.rstd = row_major_input(plan, rstd);
  norm.gamma = row_major_input(plan, gamma);
  norm.grad_x = row_major_output(plan, dxOut);
  norm.grad_gamma = row_major_output(plan, dgammaOut);
  launch_row_norm(plan, norm);
}
