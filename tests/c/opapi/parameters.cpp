// An operator with lists of all kinds and more parameters than any that is declared.
// SPDX-License-Identifier: MIT
#include "aclnn/acl_meta.h"
#include "check.hpp"
#include "opapi/common/operator.hpp"

using namespace pyaclnn::sim;

namespace {

int bodies = 0;
std::string seen;

}  // namespace

#define FIVE(a) (Int, a##0), (Int, a##1), (Int, a##2), (Int, a##3), (Int, a##4)

extern "C" {
aclnnStatus aclnnListsGetWorkspaceSize(const aclTensorList* tensors, const aclScalarList* scalars,
                                       const char* mode, aclTensorList* results,
                                       const aclTensorList* more, uint64_t* workspaceSize,
                                       aclOpExecutor** executor);
}

OPERATOR(aclnnLists, (TensorListIn, tensors), (ScalarListIn, scalars), (ConstText, mode),
         (TensorListOut, results), (ConstTensorListOut, more)) {
  check.not_null(tensors, scalars, results);
  ++bodies;
  seen = more.given() ? more.tensors.at(0).name() : "none";
  for (const ScalarIn& scalar : scalars.scalars) {
    if (!scalar.given()) continue;
    seen += std::string(" ") + scalar.name() + "=" + std::to_string(scalar->dtype()) + ":" +
            std::to_string(scalar->to_double()).substr(0, 4);
  }
  seen += std::string(" ") + results.tensors.at(1).name() + " " + mode.text;
}

OPERATOR(aclnnMany, FIVE(a), FIVE(b), FIVE(c), FIVE(d), FIVE(e), FIVE(f), FIVE(g), FIVE(h), FIVE(i),
         FIVE(j), (Float, last)) {
  seen = std::to_string(a0) + " " + std::to_string(j4) + " " + std::to_string(float(last));
}

namespace {

aclTensor* tensor() {
  const int64_t shape[] = {2};
  return aclCreateTensor(shape, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 1, nullptr);
}

aclTensorList* tensor_list() {
  const aclTensor* both[] = {tensor(), tensor()};
  return aclCreateTensorList(both, 2);
}

aclScalarList* scalar_list(double second, aclDataType dtype = ACL_DOUBLE) {
  float first = 1.5f;
  float narrow = float(second);
  void* value = dtype == ACL_DOUBLE ? static_cast<void*>(&second) : &narrow;
  const aclScalar* both[] = {aclCreateScalar(&first, ACL_FLOAT), aclCreateScalar(value, dtype)};
  return aclCreateScalarList(both, 2);
}

}  // namespace

CASE(every_kind_of_list_is_read) {
  aclTensorList* in = tensor_list();
  aclTensorList* out = tensor_list();
  uint64_t size = 0;
  const auto plan = [&](const aclScalarList* scalars, const char* mode, const aclTensorList* more) {
    aclOpExecutor* executor = nullptr;
    const aclnnStatus status =
        aclnnListsGetWorkspaceSize(in, scalars, mode, out, more, &size, &executor);
    if (status == 0) EXPECT(aclnnLists(nullptr, 0, executor, nullptr) == 107002);
    return status;
  };
  aclScalarList* scalars = scalar_list(2.5);
  EXPECT(plan(scalars, "fast", nullptr) == 0);
  EXPECT(seen == "none scalars[0]=0:1.50 scalars[1]=11:2.50 results[1] fast");
  EXPECT(plan(scalars, "fast", in) == 0);
  EXPECT(seen == "more[0] scalars[0]=0:1.50 scalars[1]=11:2.50 results[1] fast");
  EXPECT(plan(scalar_list(2.5, ACL_FLOAT), "slow", nullptr) == 0);
  EXPECT(seen == "none scalars[0]=0:1.50 scalars[1]=0:2.50 results[1] slow");
  EXPECT(plan(nullptr, "fast", nullptr) == 161001);
  EXPECT(bodies == 3);
  // A list that is gone.
  EXPECT(aclDestroyScalarList(scalars) == 0);
  EXPECT(plan(scalars, "fast", nullptr) == 161002);
}

CASE(fifty_one_parameters_are_read_in_order) {
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT(aclnnManyGetWorkspaceSize(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                   0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                   0, 0, 0, 0, 0, 50, 0.5f, &size, &executor) == 0);
  EXPECT(seen == "1 50 0.500000");
}
