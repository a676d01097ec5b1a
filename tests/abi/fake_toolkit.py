"""Tiny shared libraries laid out the way toolkits of different ages are."""

from __future__ import annotations

import platform
import subprocess
from dataclasses import dataclass
from pathlib import Path

ARCH = f"{platform.machine()}-linux"
OPP_LIBRARIES = Path("opp/built-in/op_impl/ai_core/tbe/op_api/lib/linux") / platform.machine()

RUNTIME = """
#include <string.h>
int aclInit(const char *path) { (void)path; return 0; }
int aclrtGetDeviceCount(unsigned *count) { *count = DEVICES; return STATUS; }
const char *aclrtGetSocName(void) { return TAG; }
static int told;
const char *aclGetRecentErrMsg(void) { return told++ ? 0 : "EZ9999: told once"; }
int aclsysGetCANNVersion(int package, char *version) {
  (void)package; strcpy(version, "9.9.9"); return 0;
}
"""
NNOPBASE = "int aclDestroyAclOpExecutor(void *executor) { return executor ? 0 : 561103; }"
# The result tells which of several libraries answered.
SELU = "int aclnnSeluBackward(void *w, unsigned long s, void *e, void *t) { return NUMBER; }"
SOFTMAX = "int aclnnSoftmaxBackward(void *w, unsigned long s, void *e, void *t) { return NUMBER; }"


@dataclass
class FakeToolkit:
    """Builds libraries below one directory."""

    root: Path
    compiler: list[str]

    def library(self, place: str | Path, source: str, *flags: str, **macros: object) -> Path:
        """Compile a library to a path relative to the root."""
        path = self.root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        values = {"DEVICES": 1, "STATUS": 0, "NUMBER": 0, "TAG": '"fake"', **macros}
        defines = [f"-D{name}={value}" for name, value in values.items()]
        command = [*self.compiler, "-shared", "-fPIC", "-w", *defines, "-o", str(path), "-x", "c"]
        subprocess.run([*command, "-", *flags], input=source.encode(), check=True)
        return path

    def layout_8(self, devices: int = 1, **macros: object) -> FakeToolkit:
        """CANN 8.x: one operator library, inside the operator package."""
        self.library("lib64/libascendcl.so", RUNTIME, DEVICES=devices, **macros)
        self.library("lib64/libnnopbase.so", NNOPBASE)
        self.library(OPP_LIBRARIES / "libopapi.so", SELU, NUMBER=8)
        info = self.root / ARCH / "ascend_toolkit_install.info"
        info.parent.mkdir(exist_ok=True)
        info.write_text("package_name=Ascend-cann-toolkit\nversion=8.1.RC1\narch=x\n")
        return self

    def layout_9(self) -> FakeToolkit:
        """CANN 9.x: operators in several libraries, with the old one still there."""
        lib64 = f"{ARCH}/lib64"
        self.library(f"{lib64}/libacl_rt.so", RUNTIME, TAG='"new"')
        self.library(f"{lib64}/libascendcl.so", "int aclopStartDumpArgs(int t) { return 77; }")
        self.library(f"{lib64}/libnnopbase.so", NNOPBASE)
        self.library(f"{lib64}/libopapi_legacy.so", SELU + SOFTMAX, NUMBER=1)
        self.library(f"{lib64}/libopapi_nn.so", SELU, NUMBER=9)
        self.library(f"{lib64}/libopapi_math.so", "int unused;")
        self.library(f"{lib64}/libopapi.so", SELU, NUMBER=-1)
        (self.root / "lib64").symlink_to(lib64)
        (self.root / "opp").mkdir()
        (self.root / "version.cfg").write_text("# x\nruntime_running_version=[7.8.0:9.0.0]\n")
        return self

    def custom(self, package: str, number: int) -> Path:
        """A custom operator package; returns the directory that ASCEND_CUSTOM_OPP_PATH names."""
        self.library(f"{package}/op_api/lib/libcust_opapi.so", SELU, NUMBER=number)
        return self.root / package
