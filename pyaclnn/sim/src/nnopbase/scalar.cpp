// SPDX-License-Identifier: MIT
#include "objects/scalar.hpp"

#include <memory>

#include "nnopbase/arguments.hpp"
#include "objects/dtype.hpp"

using namespace pyaclnn::sim;

extern "C" {

aclScalar* aclCreateScalar(void* value, aclDataType dataType) {
  return entry_or_null("aclCreateScalar", [&] {
    require(value != nullptr, "value");
    if (!Scalar::supported(dataType))
      fail(ACLNN_ERR_PARAM_INVALID, "dataType is %d (%s), of which there are no scalars",
           int(dataType), dtype_name(dataType));
    return static_cast<aclScalar*>(scalars().insert(std::make_shared<Scalar>(value, dataType)));
  });
}

aclnnStatus aclDestroyScalar(const aclScalar* scalar) {
  return destroy("aclDestroyScalar", scalars(), scalar);
}

}  // extern "C"
