"""Device memory that no tensor describes: data waits there for the tensor's memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyaclnn.port.check import first_difference, run_port, run_sample

from .conftest import Translate
from .sources import program, run, tensor

STAGED = """
  std::vector<float> fresh = {-1, -2.5, 3, -4, 5, -6.25};
  void* staging = nullptr;
  aclrtMalloc(&staging, 32, ACL_MEM_MALLOC_HUGE_FIRST);
  UPLOAD
  aclrtMemcpy(xAddr, 24, staging, 24, ACL_MEMCPY_DEVICE_TO_DEVICE);
"""
UPLOAD = "aclrtMemcpy(staging, 32, fresh.data(), 24, ACL_MEMCPY_HOST_TO_DEVICE);"
PRINT = """
  aclrtSynchronizeStream(stream);
  std::vector<float> host(6);
  aclrtMemcpy(host.data(), 24, outAddr, 24, ACL_MEMCPY_DEVICE_TO_HOST);
  for (int i = 0; i < 6; i++) printf("%d: %g\\n", i, host[i]);
"""


def sample(upload: str) -> str:
    body = tensor("x", "2, 3") + tensor("out", "2, 3") + STAGED.replace("UPLOAD", upload)
    body += run("aclnnAbs", "x, out") + PRINT
    return '#include "aclnnop/aclnn_abs.h"\n' + program(body)


@pytest.mark.parametrize("style", ["idiomatic", "raw"])
def test_what_was_staged_is_in_the_tensor(translate: Translate, style: str, tmp_path: Path) -> None:
    source = sample(UPLOAD)
    (tmp_path / "compiled.cpp").write_text(source)

    result = translate(source, style)

    assert result.gaps == ()
    theirs = run_sample(tmp_path / "compiled.cpp", tmp_path)
    assert "5: 6.25" in theirs
    assert first_difference(theirs, run_port(result.text, tmp_path)) is None


def test_data_is_not_lost_to_memory_that_nobody_wrote(translate: Translate) -> None:
    result = translate(sample(""))

    assert ["nothing was written to" in gap.reason for gap in result.gaps] == [True]


def test_a_copy_beyond_the_staging_memory_is_a_gap(translate: Translate) -> None:
    result = translate(sample(UPLOAD).replace("(&staging, 32", "(&staging, 16"))

    assert result.gaps
