// The single-operator interface keeps what it is given; what is not simulated says so.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <string>

#include "acl/acl.h"
#include "acl/acl_mdl.h"
#include "acl/acl_op.h"
#include "acl/acl_rt.h"
#include "check.hpp"

CASE(a_description_keeps_shape_and_type) {
  int64_t dims[] = {2, 3, 4};
  aclTensorDesc* desc = aclCreateTensorDesc(ACL_FLOAT, 3, dims, ACL_FORMAT_ND);
  EXPECT(desc != nullptr);
  EXPECT_EQ(aclGetTensorDescType(desc), ACL_FLOAT);
  EXPECT_EQ(aclGetTensorDescFormat(desc), ACL_FORMAT_ND);
  EXPECT_EQ(aclGetTensorDescNumDims(desc), 3u);
  EXPECT_EQ(aclGetTensorDescElementCount(desc), 24u);
  EXPECT_EQ(aclGetTensorDescSize(desc), 96u);
  EXPECT_EQ(aclGetTensorDescDim(desc, 2), 4);
  int64_t dim = 0;
  EXPECT_OK(aclGetTensorDescDimV2(desc, 1, &dim));
  EXPECT_EQ(dim, 3);
  EXPECT_EQ(aclGetTensorDescDimV2(desc, 3, &dim), 100000);
  EXPECT_EQ(aclGetTensorDescDimV2(desc, 0, nullptr), 100000);
  aclSetTensorDescName(desc, "x");
  EXPECT_EQ(std::string(aclGetTensorDescName(desc)), "x");
  int64_t ranges[][2] = {{1, 2}, {3, 3}, {1, -1}};
  EXPECT_OK(aclSetTensorShapeRange(desc, 3, ranges));
  int64_t range[2] = {0, 0};
  EXPECT_OK(aclGetTensorDescDimRange(desc, 2, 2, range));
  EXPECT_EQ(range[1], -1);
  EXPECT_EQ(aclGetTensorDescDimRange(desc, 3, 2, range), 100000);
  EXPECT_OK(aclSetTensorValueRange(desc, 1, ranges));
  EXPECT_OK(aclSetTensorFormat(desc, ACL_FORMAT_NCHW));
  EXPECT_OK(aclSetTensorShape(desc, 3, dims));
  EXPECT_OK(aclSetTensorStorageFormat(desc, ACL_FORMAT_NCHW));
  EXPECT_OK(aclSetTensorStorageShape(desc, 3, dims));
  EXPECT_OK(aclSetTensorOriginFormat(desc, ACL_FORMAT_NCHW));
  EXPECT_EQ(aclGetTensorDescFormat(desc), ACL_FORMAT_NCHW);
  EXPECT_OK(aclSetTensorOriginShape(desc, 2, dims));
  EXPECT_EQ(aclGetTensorDescNumDims(desc), 2u);
  EXPECT_OK(aclSetTensorDynamicInput(desc, "xs"));
  EXPECT_OK(aclSetTensorConst(desc, dims, sizeof dims));
  EXPECT_OK(aclSetTensorPlaceMent(desc, ACL_MEMTYPE_HOST));
  EXPECT(aclGetTensorDescAddress(desc) == nullptr);
  EXPECT_EQ(pyaclnnSimCount("tensor_desc"), 1u);
  aclDestroyTensorDesc(desc);
  EXPECT_EQ(pyaclnnSimCount("tensor_desc"), 0u);
  EXPECT_EQ(aclSetTensorFormat(desc, ACL_FORMAT_ND), 100000);
  EXPECT_MESSAGE("destroyed already");
  EXPECT(aclCreateTensorDesc(ACL_FLOAT, 1, nullptr, ACL_FORMAT_ND) == nullptr);
  EXPECT_EQ(aclGetTensorDescNumDims(nullptr), 0u);
}

CASE(attributes_are_kept) {
  aclopAttr* attr = aclopCreateAttr();
  uint8_t flags[] = {1, 0};
  int64_t numbers[] = {1, 2, 3};
  const int64_t* lists[] = {numbers, numbers + 1};
  int counts[] = {1, 2};
  float reals[] = {0.5F};
  const char* words[] = {"a", "b"};
  const aclDataType types[] = {ACL_FLOAT, ACL_INT8};
  EXPECT_OK(aclopSetAttrBool(attr, "flag", 1));
  EXPECT_OK(aclopSetAttrInt(attr, "axis", -1));
  EXPECT_OK(aclopSetAttrFloat(attr, "eps", 1e-5F));
  EXPECT_OK(aclopSetAttrString(attr, "mode", "same"));
  EXPECT_OK(aclopSetAttrDataType(attr, "dtype", ACL_FLOAT));
  EXPECT_OK(aclopSetAttrListBool(attr, "flags", 2, flags));
  EXPECT_OK(aclopSetAttrListInt(attr, "axes", 3, numbers));
  EXPECT_OK(aclopSetAttrListFloat(attr, "scales", 1, reals));
  EXPECT_OK(aclopSetAttrListString(attr, "names", 2, words));
  EXPECT_OK(aclopSetAttrListDataType(attr, "dtypes", 2, types));
  EXPECT_OK(aclopSetAttrListListInt(attr, "pads", 2, counts, lists));
  EXPECT_EQ(aclopSetAttrInt(nullptr, "axis", 1), 100000);
  EXPECT_EQ(aclopSetAttrInt(attr, nullptr, 1), 100000);
  EXPECT_EQ(aclopSetAttrListInt(attr, "axes", 1, nullptr), 100000);
  EXPECT_EQ(aclopSetAttrListInt(attr, "axes", -1, numbers), 100000);
  EXPECT_EQ(aclopSetAttrString(attr, "mode", nullptr), 100000);
  EXPECT_EQ(pyaclnnSimCount("operator_attributes"), 1u);
  aclopDestroyAttr(attr);
  EXPECT_EQ(pyaclnnSimCount("operator_attributes"), 0u);
  EXPECT_EQ(aclopSetAttrInt(attr, "axis", 1), 100000);
}

namespace {

void refuses(int code, aclError answer, const std::string& call) {
  EXPECT_EQ(answer, code);
  EXPECT_MESSAGE((call.substr(0, call.find('(')) + " is not simulated").c_str());
}

}  // namespace

#define REFUSES(code, call) refuses(code, call, #call)

CASE(what_is_not_simulated_names_itself) {
  EXPECT_OK(aclrtSetDevice(0));
  aclmdlRICondHandle condition = nullptr;
  uint64_t* pointer = nullptr;
  uint32_t id = 0;
  aclrtTaskGrp group = nullptr;
  char key[65] = {};
  void* address = nullptr;
  aclrtBinHandle binary = nullptr;
  aclrtFuncHandle function = nullptr;
  REFUSES(207000, aclmdlRIAddCondTask(aclmdlRICondTaskParams{}, nullptr, 0));
  REFUSES(207000, aclmdlRICaptureTaskGrpBegin(nullptr));
  REFUSES(207000, aclmdlRICaptureTaskGrpEnd(nullptr, &group));
  REFUSES(207000, aclmdlRICaptureTaskUpdateBegin(nullptr, group));
  REFUSES(207000, aclmdlRICaptureTaskUpdateEnd(nullptr));
  REFUSES(207000,
          aclmdlRICaptureToModelRIBegin(nullptr, nullptr, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  REFUSES(207000, aclmdlRICondHandleCreate(nullptr, 0, aclmdlRICondHandleFlag(1), &condition));
  REFUSES(207000, aclmdlRICondHandleGetCondPtr(condition, &pointer));
  REFUSES(207000, aclmdlRIDebugJsonPrint(nullptr, "graph.json", 0));
  REFUSES(207000, aclmdlRIGetId(nullptr, &id));
  REFUSES(207000, aclrtBinaryLoadFromData(key, 1, nullptr, &binary));
  REFUSES(207000, aclrtBinaryGetFunction(binary, "kernel", &function));
  REFUSES(207000, aclrtGetFunctionAddr(function, &address, &address));
  REFUSES(200006, aclmdlInitDump());
  REFUSES(200006, aclmdlSetDump("dump.json"));
  REFUSES(200006, aclmdlFinalizeDump());
}
