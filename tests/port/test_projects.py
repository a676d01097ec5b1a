"""Samples of several files that a CMakeLists.txt puts together."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyaclnn.port.check import first_difference, run_port, run_sample
from pyaclnn.port.port import port

LISTS = """
cmake_minimum_required(VERSION 3.5)
project(neg)
include_directories(../inc ${INC_PATH}/include)  # and not ../old
add_executable(other
    other.cpp)
add_executable(run_neg runner.cpp
    main.cpp ${CMAKE_CURRENT_SOURCE_DIR}/tools/files.cpp)
target_link_libraries(run_neg ascendcl nnopbase)
"""
FILES = """
#include <string>
#define INFO_LOG(fmt, args...) fprintf(stdout, "[INFO]  " fmt "\\n", ##args)
bool ReadFile(const std::string &path, void *buffer, size_t size);
"""
FILES_SOURCE = """
#include "files.h"
#include <fstream>
bool ReadFile(const std::string &path, void *buffer, size_t size) {
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open()) return false;
  file.read(static_cast<char *>(buffer), size);
  return true;
}
"""
RUNNER = """
#pragma once
#include <vector>
#include "acl/acl.h"
#include "files.h"
struct Descriptions {
  explicit Descriptions();
  virtual ~Descriptions();
  Descriptions &Add(aclDataType type, int rank, const int64_t *dims);
  std::vector<aclTensorDesc *> all;
};
class Runner {
 public:
  explicit Runner(Descriptions *descriptions);
  bool Run();
  size_t Size(size_t index) const { return aclGetTensorDescSize(descriptions_->all[index]); }
  template <typename T> T *Host(size_t index) { return reinterpret_cast<T *>(hosts_[index]); }
 private:
  std::vector<int64_t> Shape(size_t index) const;
  size_t count_;
  int runs_ = 0;
  Descriptions *descriptions_;
  std::vector<void *> hosts_;
};
"""
RUNNER_SOURCE = """
#include "runner.h"
#include <cstdio>
#include "aclnnop/aclnn_neg.h"
extern bool g_onDevice;
Descriptions::Descriptions() {}
Descriptions::~Descriptions() { for (auto *d : all) aclDestroyTensorDesc(d); }
Descriptions &Descriptions::Add(aclDataType type, int rank, const int64_t *dims) {
  all.emplace_back(aclCreateTensorDesc(type, rank, dims, ACL_FORMAT_ND));
  return *this;
}
Runner::Runner(Descriptions *descriptions) : count_(2), descriptions_(descriptions) {
  for (size_t i = 0; i < count_; ++i) {
    void *host = nullptr;
    aclrtMallocHost(&host, Size(i));
    hosts_.emplace_back(host);
  }
}
std::vector<int64_t> Runner::Shape(size_t index) const {
  std::vector<int64_t> shape;
  auto description = descriptions_->all[index];
  for (size_t i = 0; i < aclGetTensorDescNumDims(description); ++i) {
    int64_t extent;
    if (aclGetTensorDescDimV2(description, i, &extent) != ACL_SUCCESS) return shape;
    shape.emplace_back(extent);
  }
  return shape;
}
bool Runner::Run() {
  ++runs_;
  std::vector<void *> devices;
  std::vector<aclTensor *> tensors;
  for (size_t i = 0; i < count_; ++i) {
    void *device = nullptr;
    aclrtMalloc(&device, Size(i), ACL_MEM_MALLOC_HUGE_FIRST);
    aclDataBuffer *buffer = aclCreateDataBuffer(device, Size(i));
    devices.emplace_back(aclGetDataBufferAddr(buffer));
    auto shape = Shape(i);
    tensors.emplace_back(aclCreateTensor(
        shape.data(), shape.size(), aclGetTensorDescType(descriptions_->all[i]), nullptr, 0,
        aclGetTensorDescFormat(descriptions_->all[i]), shape.data(), shape.size(), device));
    aclDestroyDataBuffer(buffer);
  }
  aclrtMemcpy(devices[0], Size(0), hosts_[0], Size(0), ACL_MEMCPY_HOST_TO_DEVICE);
  aclrtStream stream = nullptr;
  aclrtCreateStream(&stream);
  size_t size = 0;
  aclOpExecutor *executor = nullptr;
  auto ret = aclnnNegGetWorkspaceSize(tensors[0], tensors[1], &size, &executor);
  if (ret != ACL_SUCCESS) return false;
  void *workspace = nullptr;
  if (size != 0) aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST);
  if (aclnnNeg(workspace, size, executor, stream) != ACL_SUCCESS) return false;
  aclrtSynchronizeStream(stream);
  aclrtMemcpy(hosts_[1], Size(1), devices[1], Size(1), ACL_MEMCPY_DEVICE_TO_HOST);
  INFO_LOG("run %d on %zu elements", runs_, aclGetTensorDescElementCount(descriptions_->all[1]));
  return true;
}
"""
MAIN = """
#include <cstdio>
#include "acl/acl.h"
#include "runner.h"
bool g_onDevice = true;
int main() {
  aclInit(nullptr);
  aclrtSetDevice(0);
  aclrtRunMode mode;
  aclrtGetRunMode(&mode);
  g_onDevice = (mode == ACL_DEVICE);
  INFO_LOG("on the device: %d", g_onDevice);
  Descriptions descriptions;
  int64_t dims[] = {2, 3};
  descriptions.Add(ACL_FLOAT, 2, dims).Add(ACL_FLOAT, 2, dims);
  Runner runner(&descriptions);
  if (!ReadFile("numbers.bin", runner.Host<void>(0), runner.Size(0))) return 1;
  if (!runner.Run()) return 2;
  for (int i = 0; i < 6; i++) printf("%g\\n", runner.Host<float>(1)[i]);
  return 0;
}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return the main source of a program in three folders of a checkout."""
    files = {
        "inc/files.h": FILES, "inc/runner.h": RUNNER, "src/CMakeLists.txt": LISTS,
        "src/tools/files.cpp": FILES_SOURCE, "src/runner.cpp": RUNNER_SOURCE, "src/main.cpp": MAIN,
        "src/other.cpp": "int main() { return 3; }",
    }  # fmt: skip
    (tmp_path / ".git").mkdir()
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / "src" / "main.cpp"


def test_a_port_has_what_the_other_files_of_its_program_do(project: Path, tmp_path: Path) -> None:
    numbers = b"\0\0\x80?\0\0\0@\0\0@@\0\0\x80@\0\0\xa0@\0\0\xc0@"
    (tmp_path / "numbers.bin").write_bytes(numbers)
    theirs = run_sample(project, tmp_path)
    for style in ("idiomatic", "raw"):
        result = port(project, style)

        assert [(gap.file, gap.line, gap.reason) for gap in result.gaps] == []
        assert first_difference(theirs, run_port(result.text, tmp_path)) is None


def test_what_lies_outside_of_the_checkout_is_not_read(project: Path, tmp_path: Path) -> None:
    (tmp_path / ".git").rmdir()
    (tmp_path / "src" / ".git").mkdir()

    assert "runner.h, which it includes, does not lie beside it" in " ".join(
        gap.reason for gap in port(project).gaps
    )


def test_without_a_list_of_files_there_is_none(project: Path) -> None:
    (project.parent / "CMakeLists.txt").unlink()

    assert port(project).gaps
