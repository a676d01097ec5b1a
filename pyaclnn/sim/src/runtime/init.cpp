// aclInit, aclFinalize, versions, messages.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <string>

#include "acl/acl.h"
#include "acl/acl_rt.h"
#include "core/config.hpp"
#include "core/error_log.hpp"
#include "core/lifecycle.hpp"
#include "runtime/entry.hpp"

namespace sim = pyaclnn::sim;

namespace {

using sim::Release;

const Release& release() { return sim::current_release(); }

void copy_text(char* to, std::size_t capacity, const char* text) {
  std::snprintf(to, capacity, "%s", text);
}

/// Names take a hyphen or an underscore; a package that is not installed has no version.
void require_package(const char* name) {
  static constexpr const char* kPackages[] = {
      "cann",       "runtime",    "compiler", "hccl",        "hcomm",          "toolkit",
      "opp",        "opp_kernel", "driver",   "firmware",    "ops_math",       "ops_nn",
      "ops_cv",     "ops_legacy", "opbase",   "metadef",     "ge_compiler",    "ge_executor",
      "asc_devkit", "oam_tools",  "dvpp",     "npu_runtime", "ops_transformer"};
  sim::require_not_null(name, "pkgName");
  std::string plain(name);
  std::replace(plain.begin(), plain.end(), '-', '_');
  for (const char* known : kPackages) {
    if (plain == known) return;
  }
  sim::fail(sim::kInvalidFile, "no package is called %s", name);
}

}  // namespace

aclError aclInit(const char* configPath) {
  return sim::entry(__func__, [&] {
    sim::initialize(configPath);
    return ACL_SUCCESS;
  });
}

aclError aclFinalize() {
  return sim::entry(__func__, [&] {
    sim::finalize();
    return ACL_SUCCESS;
  });
}

aclError aclFinalizeReference(uint64_t* refCount) {
  return sim::entry_of_release(__func__, [&] {
    uint64_t remaining = sim::release_reference();
    if (refCount != nullptr) *refCount = remaining;
    return ACL_SUCCESS;
  });
}

aclError aclrtGetVersion(int32_t* majorVersion, int32_t* minorVersion, int32_t* patchVersion) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(majorVersion, "majorVersion");
    sim::require_not_null(minorVersion, "minorVersion");
    sim::require_not_null(patchVersion, "patchVersion");
    *majorVersion = ACL_MAJOR_VERSION;
    *minorVersion = release().acl_minor;
    *patchVersion = ACL_PATCH_VERSION;
    return ACL_SUCCESS;
  });
}

aclError aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion* version) {
  return sim::entry(__func__, [&] {
    sim::require_not_null(version, "version");
    if (name < ACL_PKG_NAME_CANN || name > ACL_PKG_NAME_DRIVER)
      sim::fail(sim::kInvalidParam, "%d is not a package", int(name));
    *version = {};
    copy_text(version->version, sizeof version->version, release().text);
    copy_text(version->majorVersion, sizeof version->majorVersion, release().major);
    copy_text(version->minorVersion, sizeof version->minorVersion, release().minor);
    copy_text(version->releaseVersion, sizeof version->releaseVersion, release().release);
    return ACL_SUCCESS;
  });
}

aclError aclsysGetVersionStr(char* pkgName, char* versionStr) {
  return sim::entry_of_release(__func__, [&] {
    require_package(pkgName);
    sim::require_not_null(versionStr, "versionStr");
    copy_text(versionStr, ACL_PKG_VERSION_MAX_SIZE, release().text);
    return ACL_SUCCESS;
  });
}

aclError aclsysGetVersionNum(char* pkgName, int32_t* versionNum) {
  return sim::entry_of_release(__func__, [&] {
    require_package(pkgName);
    sim::require_not_null(versionNum, "versionNum");
    *versionNum = release().number;
    return ACL_SUCCESS;
  });
}

const char* aclGetRecentErrMsg() { return sim::take_recent_messages(); }

aclError aclrtPeekAtLastError(aclrtLastErrLevel level) {
  if (level != ACL_RT_THREAD_LEVEL) return sim::kRtParamInvalid;
  return sim::peek_last_error();
}

aclError aclrtGetLastError(aclrtLastErrLevel level) {
  if (level != ACL_RT_THREAD_LEVEL) return sim::kRtParamInvalid;
  return sim::take_last_error();
}
