"""The communication headers: what no library exports is defined in them."""

from __future__ import annotations

import importlib
import subprocess
from pathlib import Path

import pytest

from pyaclnn import abi

HEADERS = Path(__file__).resolve().parents[2] / "headers"
PROGRAM = r"""
#include <stdio.h>
#include <string.h>

#include "hccl/hccl.h"

int main(void) {
  HcclCommConfig config;
  size_t size;
  uint32_t words[2];
  memset(&config, 0x55, sizeof(config));
  HcclCommConfigInit(&config);
  memcpy(&size, config.reserved, sizeof(size));
  memcpy(words, config.reserved + sizeof(size), sizeof(words));
  printf("%zu %x %u ", size, words[0], words[1]);
  printf("%x %u %zu", config.hcclBufferSize, config.hcclOpExpansionMode, strlen(config.hcclUdi));
  return 0;
}
"""


@pytest.mark.parametrize("language", ["c", "cpp"])
def test_a_configuration_is_initialised_without_a_library(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(HEADERS.parent / "tools")
    compilers = importlib.import_module("compilers")
    compiler = compilers.cc() if language == "c" else compilers.cxx()
    source = tmp_path / f"program.{language}"
    source.write_text(PROGRAM, encoding="utf-8")
    target = str(tmp_path / "program")

    subprocess.run([*compiler, f"-I{HEADERS}", str(source), "-o", target], check=True)

    assert subprocess.check_output([target], text=True) == "300 f0f0f0f0 5 ffffffff 0 0"


def test_results_are_enumerators_with_their_values() -> None:
    assert [abi.lib.HCCL_SUCCESS, abi.lib.HCCL_E_TIMEOUT, abi.lib.HCCL_E_SUSPENDING] == [0, 9, 22]


def test_the_communicator_is_an_opaque_pointer() -> None:
    parameters = abi.signature("HcclAllReduce").parameters

    assert [p.c_type for p in parameters[:3]] == ["void *", "void *", "uint64_t"]
    assert abi.ffi.sizeof("HcclComm") == abi.ffi.sizeof("void *")
