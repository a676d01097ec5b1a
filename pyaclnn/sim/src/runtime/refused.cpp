// Functions of AscendCL that clients look up and that are not simulated: kernels of the program's
// own, dumps, and graphs that change while they run.
// SPDX-License-Identifier: MIT
#include "core/refuse.hpp"

// ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
#define ACLRT_REFUSES(function) SIM_REFUSE(207000, function)
// ACL_ERROR_FEATURE_UNSUPPORTED.
#define ACLMDL_REFUSES(function) SIM_REFUSE(200006, function)

ACLRT_REFUSES(aclmdlRIAddCondTask)
ACLRT_REFUSES(aclmdlRICaptureTaskGrpBegin)
ACLRT_REFUSES(aclmdlRICaptureTaskGrpEnd)
ACLRT_REFUSES(aclmdlRICaptureTaskUpdateBegin)
ACLRT_REFUSES(aclmdlRICaptureTaskUpdateEnd)
ACLRT_REFUSES(aclmdlRICaptureToModelRIBegin)
ACLRT_REFUSES(aclmdlRICondHandleCreate)
ACLRT_REFUSES(aclmdlRICondHandleGetCondPtr)
ACLRT_REFUSES(aclmdlRIDebugJsonPrint)
ACLRT_REFUSES(aclmdlRIGetId)
ACLRT_REFUSES(aclrtBinaryGetFunction)
ACLRT_REFUSES(aclrtBinaryLoadFromData)
ACLRT_REFUSES(aclrtGetFunctionAddr)
ACLMDL_REFUSES(aclmdlFinalizeDump)
ACLMDL_REFUSES(aclmdlInitDump)
ACLMDL_REFUSES(aclmdlSetDump)
