// SPDX-License-Identifier: MIT
#include "opapi/copy/cast_via.hpp"

#include <memory>
#include <utility>

#include "objects/dtype.hpp"
#include "opapi/common/elementwise_cast.hpp"
#include "opapi/common/narrow_numbers.hpp"
#include "opapi/copy/cast.hpp"

namespace pyaclnn::sim {
namespace {

template <class Compute>
void launch_as(Plan& plan, const View& to, const View& from, StoreFn store) {
  const auto same = [](Compute value) { return value; };
  ElementwiseKernel kernel;
  kernel.views = {to, from};
  kernel.loads = {loader<Compute>(from.dtype)};
  kernel.store = store;
  kernel.compute_size = sizeof(Compute);
  kernel.compute_dtype = ACL_DT_UNDEFINED;  // the result may be rounded on the way
  kernel.block = detail::block_fn<Compute, decltype(same)>(std::index_sequence<0>());
  kernel.function = std::make_shared<const decltype(same)>(same);
  launch_elementwise(plan, std::move(kernel));
}

}  // namespace

void launch_cast_via(Plan& plan, const View& to, const View& from, aclDataType via) {
  if (from.dtype == to.dtype || NarrowFormat::of(via) != nullptr) {
    launch_cast(plan, to, from);
  } else if (via == ACL_DOUBLE) {
    launch_as<double>(plan, to, from, storer<double>(to.dtype, Rounding::kTruncate));
  } else if (is_16_bit_float(via) || via == ACL_FLOAT) {
    launch_as<float>(plan, to, from, storer_via(via, to.dtype));
  } else if (via == ACL_COMPLEX64) {
    launch_as<float>(plan, to, from, storer<float>(to.dtype, Rounding::kTruncate));
  } else if (to.dtype == ACL_COMPLEX64) {
    launch_as<double>(plan, to, from, storer<double>(to.dtype, Rounding::kTruncate));
  } else {
    launch_as<std::int64_t>(plan, to, from, storer<std::int64_t>(to.dtype, Rounding::kTruncate));
  }
}

}  // namespace pyaclnn::sim
