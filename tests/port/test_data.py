"""Data that is drawn, read from files, or filled by loops."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
from port.sources import program, run, tensor

from pyaclnn.port.check import first_difference, run_port, run_sample
from pyaclnn.port.port import port

from .conftest import Translate

INCLUDES = "".join(
    f"#include <{name}>\n"
    for name in (
        "chrono",
        "cstdint",
        "cstdio",
        "cstdlib",
        "fstream",
        "iostream",
        "random",
        "vector",
    )
)


def printed_by_both(body: str, folder: Path) -> tuple[str, str]:
    """Return what a C++ program and its port print."""
    sample = folder / "sample.cpp"
    sample.write_text(f"{INCLUDES}\nint main() {{\n{body}\nreturn 0;\n}}\n")
    result = port(sample)
    assert result.gaps == ()
    return run_sample(sample, folder), run_port(result.text, folder)


@pytest.mark.parametrize(
    "body",
    [
        'srand(42); for (int i = 0; i < 50; i++) printf("%d\\n", rand());',
        'for (int i = 0; i < 5; i++) printf("%d\\n", rand() % 100);',
        'std::mt19937 g(7); for (int i = 0; i < 9; i++) printf("%lu\\n", (unsigned long)g());',
        "std::mt19937 g; std::uniform_real_distribution<float> d(-1.0f, 2.0f);"
        'for (int i = 0; i < 9; i++) printf("%.9g\\n", d(g));',
        "std::default_random_engine g(3); std::uniform_real_distribution<> d;"
        'for (int i = 0; i < 9; i++) printf("%.17g\\n", d(g));',
        "std::mt19937_64 g(9); std::uniform_int_distribution<int64_t> d(-5, 500);"
        'for (int i = 0; i < 9; i++) printf("%ld\\n", d(g));',
        "std::mt19937 g(1); std::uniform_int_distribution<int> d(0, 9);"
        'for (int i = 0; i < 9; i++) printf("%d\\n", d(g));',
        "std::minstd_rand g(5); std::uniform_int_distribution<int> d(0, 9);"
        'for (int i = 0; i < 9; i++) printf("%d\\n", d(g));',
        "std::mt19937 g(2); std::normal_distribution<double> d(1.0, 2.0);"
        'for (int i = 0; i < 9; i++) printf("%.12g\\n", d(g));',
    ],
)
def test_numbers_of_a_seed_are_those_of_the_cpp_library(body: str, tmp_path: Path) -> None:
    theirs, mine = printed_by_both(body, tmp_path)

    assert first_difference(theirs, mine) is None


def test_few_random_numbers_are_written_down(translate: Translate) -> None:
    body = "std::mt19937 engine(1); std::uniform_real_distribution<float> draw(0, 1);"
    body += "std::vector<float> values(8); for (auto& v : values) v = draw(engine);"
    body += tensor("self", "8").replace("selfData(Count(selfShape), 1)", "selfData(values)")

    result = translate(program(body + tensor("out", "8") + run("aclnnAbs", "self, out")))

    assert result.gaps == ()
    assert "default_rng" not in result.text
    assert "0.417022" in result.text


def test_many_random_numbers_come_from_a_seeded_generator(translate: Translate) -> None:
    body = "std::vector<float> values(1000); srand(1);"
    body += "for (auto& v : values) v = (float)rand() / RAND_MAX * 4 - 2;"
    body += tensor("self", "10, 100").replace("selfData(Count(selfShape), 1)", "selfData(values)")

    result = translate(program(body + tensor("out", "10, 100") + run("aclnnAbs", "self, out")))

    assert result.gaps == ()
    assert "# The sample draws random numbers; these are others, of the same range." in result.text
    assert "rng = np.random.default_rng(0)" in result.text
    assert "rng.uniform(-2.0, 2.0, (10, 100)).astype(np.float32)" in result.text


@pytest.mark.parametrize(
    "check",
    [
        "int wrong = 0; for (int i = 0; i < 100; i++) if (back[i] != std::fabs(values[i])) wrong++;"
        'printf("%d wrong\\n", wrong);',
        'for (int i = 0; i < 100; i++) printf("%g of %g\\n", back[i], values[i]);',
        'for (int i = 0; i < 100; i++) printf("%d\\n", std::fabs(back[i] - values[i]) < 2.1e-4f);',
    ],
)
def test_random_numbers_that_results_are_compared_with_are_the_samples(
    check: str, tmp_path: Path
) -> None:
    body = "std::vector<float> values(100), back(100); srand(1);"
    body += "for (auto& v : values) v = (float)rand() / RAND_MAX * 4 - 2;"
    body += tensor("self", "100").replace("selfData(Count(selfShape), 1)", "selfData(values)")
    body += tensor("out", "100") + run("aclnnAbs", "self, out")
    body += "aclrtSynchronizeStream(stream);"
    body += "aclrtMemcpy(back.data(), 400, outAddr, 400, ACL_MEMCPY_DEVICE_TO_HOST);" + check
    sample = tmp_path / "sample.cpp"
    headers = '#include <cmath>\n#include <cstdlib>\n#include "aclnnop/aclnn_abs.h"\n'
    sample.write_text(headers + program(body))
    result = port(sample)

    assert result.gaps == ()
    assert "default_rng" not in result.text
    assert first_difference(run_sample(sample, tmp_path), run_port(result.text, tmp_path)) is None


def test_floats_of_the_sample_are_written_with_its_digits(translate: Translate) -> None:
    body = "const float want[] = {0.1f, 0.7f, -0.3f, 0.2f, 0.9f};"
    body += tensor("self", "5") + tensor("out", "5") + run("aclnnAbs", "self, out")
    body += "std::vector<float> back(5); int wrong = 0;"
    body += "aclrtMemcpy(back.data(), 20, outAddr, 20, ACL_MEMCPY_DEVICE_TO_HOST);"
    body += "for (int i = 0; i < 5; i++) if (std::fabs(back[i] - want[i]) > 1e-4f) wrong++;"

    result = translate(program(body + 'printf("%d\\n", wrong);'))

    assert result.gaps == ()
    assert "numbers = np.array([0.1, 0.7, -0.3, 0.2, 0.9], dtype=np.float32)" in result.text
    assert "abs(value - numbers[i]) > np.float32(0.0001)" in result.text


def test_a_seed_that_changes_is_remarked(translate: Translate) -> None:
    result = translate("srand(time(nullptr));\nint x = rand();")

    assert result.gaps == ()
    assert "draws other random numbers in each run" in result.text


def test_times_that_are_measured_are_measured(translate: Translate) -> None:
    result = translate("""
        auto start = std::chrono::steady_clock::now();
        auto end = std::chrono::steady_clock::now();
        auto took = std::chrono::duration_cast<std::chrono::microseconds>(end - start).count();
        printf("%ld us\\n", took);
    """)

    assert result.gaps == ()
    assert "import time\n" in result.text
    assert "took = int((end - start) * 1000000)" in result.text


READERS = {
    "stream": """
        std::ifstream file("in.bin", std::ios::binary);
        if (!file.is_open()) { printf("no file\\n"); return 1; }
        file.read(reinterpret_cast<char*>(values.data()), values.size() * sizeof(float));
        file.close();""",
    "size first": """
        std::ifstream file;
        file.open("in.bin", std::ios::binary);
        std::filebuf* buffer = file.rdbuf();
        size_t size = buffer->pubseekoff(0, std::ios::end, std::ios::in);
        if (size == 0 || size > 24) { printf("wrong size\\n"); return 1; }
        buffer->pubseekpos(0, std::ios::in);
        buffer->sgetn(reinterpret_cast<char*>(values.data()), size);""",
    "stdio": """
        FILE* file = fopen("in.bin", "rb");
        if (file == nullptr) { printf("no file\\n"); return 1; }
        size_t count = fread(values.data(), sizeof(float), 6, file);
        if (count != 6) { printf("short\\n"); return 1; }
        fclose(file);""",
}
WRITERS = {
    "stream": """
        std::ofstream file("out.bin", std::ios::binary);
        file.write(reinterpret_cast<const char*>(result.data()), result.size() * sizeof(float));""",
    "stdio": """
        FILE* file = fopen("out.bin", "wb");
        fwrite(result.data(), sizeof(float), result.size(), file);
        fclose(file);""",
    "descriptor": """
        int file = open("out.bin", O_RDWR | O_CREAT | O_TRUNC, S_IRUSR | S_IWRITE);
        if (file < 0) { printf("no file\\n"); return 1; }
        size_t written = write(file, result.data(), result.size() * sizeof(float));
        (void)close(file);
        if (written != result.size() * sizeof(float)) { printf("short\\n"); return 1; }""",
}


def file_program(reader: str, writer: str) -> str:
    body = f"std::vector<float> values(6);\n{{{READERS[reader]}\n}}\n"
    body += tensor("self", "2, 3").replace("selfData(Count(selfShape), 1)", "selfData(values)")
    body += tensor("out", "2, 3") + run("aclnnSeluBackward", "self, self, out")
    body += """
      std::vector<float> result(6);
      aclrtSynchronizeStream(stream);
      aclrtMemcpy(result.data(), 24, outAddr, 24, ACL_MEMCPY_DEVICE_TO_HOST);
    """
    text = program(body + f"{{{WRITERS[writer]}\n}}\n", INCLUDES)
    include = "#include <fcntl.h>\n#include <sys/stat.h>\n#include <unistd.h>\n"
    return include + '#include "aclnnop/aclnn_selu_backward.h"\n' + text


@pytest.mark.parametrize("style", ["idiomatic", "raw"])
@pytest.mark.parametrize(
    ("reader", "writer"), [("stream", "stdio"), ("size first", "descriptor"), ("stdio", "stream")]
)
def test_a_port_reads_and_writes_the_files_of_its_sample(
    reader: str, writer: str, style: str, tmp_path: Path
) -> None:
    import numpy as np

    np.array([-2, -1, -0.5, 0.5, 1, 2], np.float32).tofile(tmp_path / "in.bin")
    sample = tmp_path / "sample.cpp"
    sample.write_text(file_program(reader, writer))
    result = port(sample, style)
    assert result.gaps == ()
    # A sample may go on with zeros, which a port does not.
    assert "files are taken to be there" in result.text
    run_sample(sample, tmp_path)
    theirs = (tmp_path / "out.bin").read_bytes()
    (tmp_path / "out.bin").unlink()

    run_port(result.text, tmp_path)

    assert (tmp_path / "out.bin").read_bytes() == theirs
    assert len(theirs) == 24


def test_the_translator_opens_no_file_of_the_sample(
    translate: Translate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    result = translate('FILE* f = fopen("made", "w"); fwrite("x", 1, 1, f); fclose(f);')

    assert not (tmp_path / "made").exists()
    assert '.tofile("made")' in result.text


def test_millions_of_turns_of_arithmetic_take_no_time(translate: Translate) -> None:
    result = translate("""
        std::vector<float> a(5000000);
        for (int i = 0; i < 5000000; i++) { a[i] = static_cast<float>(i % 7) * 0.1f - 1; }
        std::vector<int8_t> b;
        for (size_t i = 0; i < 1000; ++i) b.push_back(i * 3);
        std::vector<double> c(400);
        for (int i = 0; i < 4; i++)
          for (int j = 0; j < 100; j++) c[i * 100 + j] = (i + j) / 3 + 0.5;
        std::vector<uint16_t> d(1000);
        for (int64_t i = 0; i <= 999; i++) d[i] = 0x3c00 + (i & 3);
        printf("%f %d %f %d\\n", a[4999999], b[999], c[399], d[998]);
    """)

    assert result.gaps == ()
    assert 'print("-0.600000 -75 34.500000 15362")' in result.text


def test_a_loop_that_writes_outside_is_no_shortcut(translate: Translate) -> None:
    result = translate("std::vector<int> v(100); for (int i = 0; i <= 100; i++) v[i] = i;")

    assert "outside of" in result.gaps[0].reason


def test_of_large_memory_only_what_a_tensor_takes_is_written(translate: Translate) -> None:
    body = """
      std::vector<int32_t> ones(80 << 20, 1);
      void* address = nullptr;
      aclrtMalloc(&address, ones.size() * 4, ACL_MEM_MALLOC_HUGE_FIRST);
      aclrtMemcpy(address, ones.size() * 4, ones.data(), ones.size() * 4,
                  ACL_MEMCPY_HOST_TO_DEVICE);
      int64_t shape[] = {1 << 23}, stride[] = {1};
      aclTensor* self =
          aclCreateTensor(shape, 1, ACL_INT8, stride, 0, ACL_FORMAT_ND, shape, 1, address);
    """
    body += tensor("out", "1 << 23").replace("ACL_FLOAT", "ACL_INT8")
    result = translate(program(body + run("aclnnNeg", "self, out")))

    assert result.gaps == ()
    assert "np.resize(np.array([1, 0, 0, 0], dtype=np.int8), 8388608)" in result.text


@pytest.mark.parametrize(
    ("ctype", "value", "written"),
    [
        ("float", "(float)i", "np.arange(90000000, dtype=np.float32)"),
        ("int32_t", "(int32_t)(i - (int)(100))", "np.arange(-100, 89999900, dtype=np.int32)"),
        ("float", "static_cast<float>(i + 3)", "np.arange(3, 90000003).astype(np.float32)"),
    ],
    ids=lambda words: "",
)
def test_long_arrays_that_count_are_not_held(
    translate: Translate, ctype: str, value: str, written: str
) -> None:
    dtype = {"float": "ACL_FLOAT", "int32_t": "ACL_INT32"}[ctype]
    body = tensor("self", "90000000", ctype, dtype).replace(
        "void* selfAddr", f"for (int i = 0; i < selfData.size(); i++) selfData[i] = {value};\n"
        "  void* selfAddr"
    ) + tensor("out", "90000000", ctype, dtype) + run("aclnnAbs", "self, out")  # fmt: skip
    tracemalloc.start()
    result = translate(program(body))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert result.gaps == ()
    assert written in result.text
    assert peak < 64 << 20


def test_counting_in_float32_rounds_as_cpp_converts(tmp_path: Path) -> None:
    # The first numbers that float32 does not have; small enough to be held.
    body = "std::vector<float> v(16778000); for (int i = 0; i < 16778000; i++) v[i] = (float)i;"
    body += 'for (int i = 16777210; i < 16777230; i++) printf("%.1f\\n", v[i]);'
    theirs, mine = printed_by_both(body, tmp_path)

    assert first_difference(theirs, mine) is None


def test_the_first_numbers_of_a_long_array_may_be_others(tmp_path: Path) -> None:
    body = "std::vector<short> v(200000000, 7); short first[] = {3, 1, 2};"
    body += "for (int i = 0; i < 3; i++) v[i] = first[i];"
    body += 'for (int i = 0; i < 6; i++) printf("%d\\n", v[i]);'
    body += 'std::vector<short> w = v; w[1] = 9; printf("%d %d %d\\n", v[1], w[1], w[199999999]);'
    theirs, mine = printed_by_both(body, tmp_path)

    assert first_difference(theirs, mine) is None


def test_a_long_array_is_its_first_numbers_and_the_rest(translate: Translate) -> None:
    body = tensor("self", "150000000", "int16_t", "ACL_BF16").replace(
        "void* selfAddr", "for (int i = 0; i < 2; i++) selfData[i] = 16256 + 128 * i;\n"
        "  void* selfAddr"
    ).replace(", 1)", ", 16384)")  # fmt: skip
    result = translate(
        program(
            body + tensor("out", "150000000", "int16_t", "ACL_BF16") + run("aclnnAbs", "self, out")
        )
    )

    assert result.gaps == ()
    text = " ".join(result.text.split())
    assert "np.array([1, 2], dtype=np.float32), np.full((149999998,), 2, dtype=np.float32)" in text


def test_numbers_that_a_loop_compares_with_and_prints_are_written_once(tmp_path: Path) -> None:
    body = tensor("self", "5", values="0.25f, 0.1f, 0.02f, 7.f, -1000.55f")
    body += tensor("out", "5") + run("aclnnAbs", "self, out")
    body += """
    std::vector<float> back(5), want = {0.25f, 0.1f, 0.02f, 7.f, 1000.5496f};
    aclrtSynchronizeStream(stream);
    aclrtMemcpy(back.data(), 20, outAddr, 20, ACL_MEMCPY_DEVICE_TO_HOST);
    int good = 0;
    for (int i = 0; i < 5; i++) {
      float diff = std::fabs(back[i] - want[i]);
      good += diff < 0.1f ? 1 : 0;
      printf("%8.4f of %8.4f %s\\n", back[i], want[i], diff < 0.1f ? "ok" : "bad");
    }
    printf("%d, status %d\\n", good, ret);
    """
    sample = tmp_path / "sample.cpp"
    sample.write_text(f'#include <cmath>\n#include "aclnnop/aclnn_abs.h"\n{program(body)}')
    result = port(sample)

    assert result.gaps == ()
    assert result.text.count("1000.5496") == 1
    assert "numbers = np.array([0.25, 0.1, 0.02, 7, 1000.5496], dtype=np.float32)" in result.text
    assert "+= 1 if " in result.text
    assert "{0}" not in result.text
    assert first_difference(run_sample(sample, tmp_path), run_port(result.text, tmp_path)) is None
