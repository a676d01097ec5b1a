// What a profiler would tell of a model, and settings of one; see profiler.cpp.
// SPDX-License-Identifier: MIT
#include <cstdint>

#include "core/refuse.hpp"

// ACL_ERROR_FEATURE_UNSUPPORTED.
#define PROF_REFUSES(function) SIM_REFUSE(200006, function)
#define PROF_HAS_NO_POINTER(function) SIM_REFUSE_AS(200006, function, void*, nullptr)
#define PROF_HAS_NO_NUMBER(function) SIM_REFUSE_AS(200006, function, std::uint64_t, 0)

PROF_REFUSES(aclprofDestroySubscribeConfig)
PROF_REFUSES(aclprofGetOpDescSize)
PROF_REFUSES(aclprofGetOpName)
PROF_REFUSES(aclprofGetOpNameLen)
PROF_REFUSES(aclprofGetOpNum)
PROF_REFUSES(aclprofGetOpType)
PROF_REFUSES(aclprofGetOpTypeLen)
PROF_REFUSES(aclprofGetSupportedFeatures)
PROF_REFUSES(aclprofGetSupportedFeaturesV2)
PROF_REFUSES(aclprofModelSubscribe)
PROF_REFUSES(aclprofModelUnSubscribe)
PROF_REFUSES(aclprofRegisterDeviceCallback)
PROF_REFUSES(aclprofSetConfig)
PROF_HAS_NO_POINTER(aclprofCreateSubscribeConfig)
PROF_HAS_NO_POINTER(aclprofGetOpAttriValue)
PROF_HAS_NO_NUMBER(aclprofGetModelId)
PROF_HAS_NO_NUMBER(aclprofGetOpDuration)
PROF_HAS_NO_NUMBER(aclprofGetOpEnd)
PROF_HAS_NO_NUMBER(aclprofGetOpStart)
PROF_HAS_NO_NUMBER(aclprofStr2Id)
