"""Where the sample is odd or the translator lost: a remark or a gap, never a silent guess."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from port.sources import program, run, tensor

from .conftest import Translate

DOWNLOAD = """
  std::vector<float> host(4);
  aclrtMemcpy(host.data(), 16, outAddr, 16, ACL_MEMCPY_DEVICE_TO_HOST);
  for (int i = 0; i < 4; i++) printf("%f\\n", host[i]);
"""


def test_what_a_gap_would_have_filled_is_not_printed(translate: Translate) -> None:
    result = translate("""
        std::vector<float> v(4, 0);
        mystery(v.data(), 4);
        for (int i = 0; i < 4; i++) printf("%f\\n", v[i]);
        int n = 3;
        n = mystery(2);
        printf("%d\\n", n);
    """)

    assert "print(" not in result.text
    assert "v is not known, see line 4" in result.text
    assert "n is not known, see line 7" in result.text


def test_a_status_of_a_gap_counts_as_success(translate: Translate) -> None:
    result = translate("""
        int ret = 0;
        ret = mystery();
        if (ret != 0) { printf("failed\\n"); return 1; }
        printf("fine\\n");
    """)

    assert len(result.gaps) == 1
    assert result.text.endswith('print("fine")\n')


def test_a_result_of_a_lost_call_is_not_printed(translate: Translate) -> None:
    body = tensor("self", "4") + tensor("out", "4")
    result = translate(program(body + "mystery(aclnnAbs, self, out);\n" + DOWNLOAD))

    assert "print(f" not in result.text
    assert any("holds no result" in gap.reason for gap in result.gaps)


@pytest.mark.parametrize("style", ["idiomatic", "raw"])
def test_an_undeclared_operator_keeps_the_samples_call(translate: Translate, style: str) -> None:
    body = tensor("self", "4") + tensor("out", "4")
    result = translate(program(body + run("aclnnFrobnicate", "self, 3, out") + DOWNLOAD), style)

    assert len(result.gaps) == 1
    assert "name a directory with one by --headers" in result.gaps[0].reason
    call = 'pa.ops["aclnnFrobnicate"](self, 3, out=out)'
    if style == "raw":
        call = "check(lib.aclnnFrobnicate("
        assert "aclnnFrobnicateGetWorkspaceSize(self, 3, out, " in " ".join(result.text.split())
    assert call in result.text
    assert "print(" in result.text


def test_a_call_with_too_many_arguments_keeps_them(translate: Translate) -> None:
    body = tensor("self", "4") + tensor("out", "4")
    result = translate(program(body + run("aclnnAbs", "self, true, out") + DOWNLOAD))

    assert "takes 4 arguments, and 5 are passed" in result.gaps[0].reason
    assert 'pa.ops["aclnnAbs"](self, True, out=out)' in result.text


def test_a_program_that_ends_on_an_error_is_not_complete(translate: Translate) -> None:
    result = translate("""
        #include <cstdio>
        int main(int argc, char** argv) {
          if (argc != 3) { printf("usage: x y z\\n"); return -1; }
          printf("%s\\n", argv[1]);
          return 0;
        }
    """)

    assert "ends here with exit code -1" in result.gaps[0].reason
    assert "--arguments" in result.gaps[0].reason


def test_a_program_that_reaches_no_operator_is_not_complete(translate: Translate) -> None:
    start = 'if (argc < 2) { printf("usage: sample NAME\\n"); return 0; }\n'
    body = tensor("self", "4") + tensor("out", "4") + run("aclnnAbs", "self, out")
    text = program(start + body).replace("int main() {", "int main(int argc, char** argv) {")

    result = translate(text)

    assert "ends here with exit code 0" in result.gaps[0].reason


def test_the_command_line_can_be_given(tmp_path: Path) -> None:
    sample = tmp_path / "sample.cpp"
    sample.write_text("""
        #include <cstdio>
        #include <cstdlib>
        #include <string>
        int main(int argc, char** argv) {
          if (argc != 3) return -1;
          int rows = atoi(argv[1]);
          std::string name(argv[2]);
          printf("%d of %s\\n", rows + 1, name.c_str());
          return 0;
        }
    """)

    done = subprocess.run(
        [sys.executable, "-m", "pyaclnn.port", str(sample), "--arguments", "4 'a b'"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert (done.returncode, done.stderr) == (0, "")
    assert 'print("5 of a b")' in done.stdout


def test_a_check_of_the_chip_is_passed_and_remarked(translate: Translate) -> None:
    result = translate("""
        #include <cstdio>
        #include <cstring>
        bool Supported() {
          const char* name = aclrtGetSocName();
          if (name == nullptr) return true;
          if (strstr(name, "Ascend910B") != nullptr) return true;
          printf("not on %s\\n", name);
          return false;
        }
        int main() {
          if (!Supported()) { printf("skipped\\n"); return 0; }
          printf("goes on\\n");
          return 0;
        }
    """)

    assert result.gaps == ()
    assert "goes on to a failure where this check does not hold" in " ".join(result.text.split())
    assert result.text.endswith('print("goes on")\n')


def test_a_comparison_that_fails_ends_the_port(translate: Translate) -> None:
    body = tensor("self", "4") + tensor("out", "4") + run("aclnnAbs", "self, out")
    body += (
        DOWNLOAD
        + """
      for (int i = 0; i < 4; i++) {
        if (host[i] != 1.0f) { printf("mismatch at %d\\n", i); aclrtFree(outAddr); return 1; }
      }
      printf("the same\\n");
    """
    )
    result = translate(program(body))

    assert result.gaps == ()
    tail = result.text[result.text.index("if ") :]
    assert "raise SystemExit(1)" in tail
    assert tail.endswith('print("the same")\n')


def test_results_read_as_a_larger_type_are_shown_as_they_are(translate: Translate) -> None:
    body = tensor("self", "4", "uint16_t", "ACL_FLOAT16")
    body += tensor("out", "4", "uint16_t", "ACL_FLOAT16")
    result = translate(program(body + run("aclnnAbs", "self, out") + DOWNLOAD))

    assert result.gaps == ()
    assert "# The sample reads float16 as float32; these are the numbers." in result.text


def test_copies_beyond_the_tensor_but_not_its_memory_are_whole(translate: Translate) -> None:
    body = tensor("self", "4", "float", "ACL_UINT8") + tensor("out", "4", "float", "ACL_UINT8")
    result = translate(program(body + run("aclnnAbs", "self, out") + DOWNLOAD))

    assert result.gaps == ()
    assert "out_base" in result.text
    assert "out = out_base[:4]" in result.text
    assert "out_base.numpy().view(np.float32)" in result.text.replace(".ravel()", "")


@pytest.mark.parametrize(
    ("input_type", "output_type"), [("int32_t", "int64_t"), ("int64_t", "int")]
)
def test_memory_that_is_too_small_is_remarked(
    translate: Translate, input_type: str, output_type: str
) -> None:
    body = tensor("self", "4", input_type, "ACL_INT64")
    body += tensor("out", "4", output_type, "ACL_INT64")

    result = translate(program(body + run("aclnnAbs", "self, out")))

    assert "# The sample has 16 bytes for a tensor of 32; here it has all." in result.text


def test_addresses_are_not_made_up(translate: Translate) -> None:
    body = tensor("self", "4") + 'printf("%p %p\\n", selfAddr, (void*)nullptr);\n'
    result = translate(program(body))

    assert result.gaps == ()
    assert 'print("0x... (nil)")' in result.text


def test_white_space_in_strings_of_macros_stays(translate: Translate) -> None:
    result = translate("""
        #define INFO(format, args...) printf("[INFO]  " format "\\n", ##args)
        int main() { INFO("two   blanks %d", 3); return 0; }
    """)

    assert 'print("[INFO]  two   blanks 3")' in result.text


def test_prototypes_do_not_hide_the_functions_of_the_headers(translate: Translate) -> None:
    before = 'extern "C" aclnnStatus aclnnAbsGetWorkspaceSize(const aclTensor* self, aclTensor* '
    before += "out, uint64_t* size, aclOpExecutor** executor);\n"
    body = tensor("self", "4") + tensor("out", "4") + run("aclnnAbs", "self, out")

    assert translate(program(body, before)).gaps == ()


def test_numbers_of_a_list_are_printed_as_a_list(translate: Translate) -> None:
    result = translate("""
        std::vector<int> shape = {2, 3};
        printf("[");
        for (auto s : shape) printf("%d,", s);
        printf("]\\n");
    """)

    assert 'print("[2,3,]")' in result.text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name a sample, or a folder by --survey"),
        (["/no/such/sample.cpp"], "error: /no/such/sample.cpp: cannot be read: No such file"),
        (["{folder}"], "cannot be read: Is a directory"),
        (["{sample}", "-o", "{folder}/no/out.py"], "cannot be written: No such file"),
        (["{sample}", "-o", "{sample}"], "is the sample itself"),
        (["{sample}", "--headers", "{folder}/no"], "is no directory of headers"),
    ],
)
def test_wrong_command_lines_are_refused_in_a_line(
    arguments: list[str], message: str, tmp_path: Path
) -> None:
    sample = tmp_path / "sample.cpp"
    sample.write_text("int main() { return 0; }")
    given = [a.format(folder=tmp_path, sample=sample) for a in arguments]

    done = subprocess.run(
        [sys.executable, "-m", "pyaclnn.port", *given], capture_output=True, text=True, check=False
    )

    assert done.returncode == 2
    assert message in done.stderr.splitlines()[-1]


def test_check_says_that_an_operator_is_not_simulated(tmp_path: Path) -> None:
    sample = tmp_path / "sample.cpp"
    name, header = "aclnnMatmulCompress", "aclnn_matmul_compress.h"
    body = tensor("self", "4") + run(name, "self, self, self, self, self")
    sample.write_text(f'#include "aclnnop/{header}"\n' + program(body))

    done = subprocess.run(
        [sys.executable, "-m", "pyaclnn.port", "--check", str(sample)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 1
    assert f"has no {name}; a machine with CANN does" in done.stderr
    assert len(done.stderr.splitlines()) == 1
