"""The parts of the translator on their own."""

from __future__ import annotations

import subprocess

import pytest
import toolchain

from pyaclnn.port.frontend.preprocess import Preprocessor
from pyaclnn.port.writing.layouts import view_source
from pyaclnn.port.writing.pycode import Names, lines, literal, numbers, one_line
from pyaclnn.port.writing.pydata import array_source

np = pytest.importorskip("numpy")


@pytest.mark.parametrize(
    ("source", "expanded"),
    [
        ("#define A 3\nint x = A;", "\nint x = 3;"),
        ("#define TWICE(x) ((x) * 2)\ny = TWICE(a + b);", "\ny = ((a + b) * 2);"),
        ('#define SHOW(x) #x\ns = SHOW(a  "b");', '\ns = "a  \\"b\\"";'),
        ("#define PUT(a, b) a##b\nPUT(x, 1) = 2;", "\nx1 = 2;"),
        ('#define P(f, ...) p(f, ##__VA_ARGS__)\nP("a"); P("b", 1);', '\np("a"); p("b",1);'),
        ("#if defined(X) && X > 1\nyes\n#else\nno\n#endif", "\n\n\nno\n"),
        ("#define X 2\n#if defined(X) && X > 1\nyes\n#else\nno\n#endif", "\n\nyes\n\n\n"),
        ("#if !defined(X) || 8 / X > 3\nyes\n#endif", "\nyes\n"),
        ("#define X(a) (a > 1'000)\n#if X(2'000) && true\nyes\n#endif", "\n\nyes\n"),
        ('#if defined(X) || __has_include("x.h")\nyes\n#endif', "\n"),
        ("#if 1 +\nyes\n#endif", "\n"),
        ("#define A B\n#define B A\nA;", "\n\nA;"),
    ],
)
def test_macros_expand_and_lines_stay(source: str, expanded: str) -> None:
    found = Preprocessor("x").run(source)

    assert found.rstrip() == expanded.rstrip()


@pytest.mark.parametrize(
    "text",
    [
        "#define P(f, ...) p(f, ##__VA_ARGS__)\nP(a); P(b, 1, (2, 3));",
        "#define P(f, rest...) p(f, rest) #rest\nP(a, b, c)",
        "#define F(x, y) [x y]\nF(, 1) F((2, 3), F) F\n(4, 5) F;",
        "#define F() 1\n#define G(x) x() F\nG(F) F( )",
        "#define CAT(a, b) a ## b\nCAT(x, 1) CAT(, y) CAT(z, ) CAT(1, .5e)",
        "#define A B(1)\n#define B(x) x + A\nA; B(2)",
        "#define MAX(a, b) ((a) > (b) ? (a) : (b))\nMAX(MAX(1, 2), 3) MAX(0, MAX(1, MAX(2, x)))",
        "#define N 5\n#define S(x) #x\n#define T(x) S(x) x\nS(N) T(N) T(T(N))",
        "#define N 5\n#define C(a, b) a##b\n#define D(a, b) C(a, b)\nC(N, N) D(N, C(1, N)) D(N,)",
        "#define F(x) F(x) + 1\n#define A B\n#define B A\n#define I(x) x\nF(F(1)) I(A) I(I(B))",
        "#define A(x) \\  \n  x \\\n  + x\nA(1) /* A(2) */ \"A(3) // \" 'A' // A(4)",
        "#undef A\n#define A 1\n#undef A\n#ifdef A\nno\n#elif 1\nA\n#else\nno\n#endif",
    ],
)
def test_macros_expand_as_they_do_for_the_compiler(text: str) -> None:
    command = [*toolchain.compiler(".c"), "-E", "-P", "-w", "-xc", "-"]
    compiled = subprocess.run(command, input=text, capture_output=True, text=True, check=False)

    assert Preprocessor("x.c").run(text).count("\n") == text.count("\n")
    assert "".join(Preprocessor("x.c").run(text).split()) == "".join(compiled.stdout.split())


def test_an_expansion_over_several_lines_keeps_line_numbers() -> None:
    source = "#define F(a, b) (a + b)\nx = F(1,\n  2);\nhere"

    assert Preprocessor("x").run(source).split("\n").index("here") == 3


@pytest.mark.parametrize(
    ("storage", "shape", "strides", "offset", "expected"),
    [
        ((3, 2), (2, 3), (1, 2), 0, "b.T"),
        ((2, 3, 4), (2, 4, 3), (12, 1, 4), 0, "b.transpose(0, 2, 1)"),
        ((4, 6), (2, 3), (6, 2), 6, "b[1:3, ::2]"),
        ((12,), (4,), (1,), 8, "b[8:]"),
        ((4,), (3, 4), (0, 1), 0, "b.reshape(1, 4).broadcast_to(3, 4)"),
        ((10,), (2, 3), (4, 2), 1, "pa.Tensor(b.buffer, (2, 3), np.float32, (4, 2), offset=1)"),
    ],
)
def test_strides_become_views_a_person_would_write(
    storage: tuple[int, ...],
    shape: tuple[int, ...],
    strides: tuple[int, ...],
    offset: int,
    expected: str,
) -> None:
    text, base = view_source("b", storage, shape, strides, offset, "np.float32")

    assert text == expected
    flat = np.arange(int(np.prod(base)))
    if not text.startswith("pa."):
        view = eval(text.replace("broadcast_to(3, 4)", "repeat(3, 0)"), {"b": flat.reshape(base)})
        steps = tuple(8 * s for s in strides)
        wanted = np.lib.stride_tricks.as_strided(flat[offset:], shape, steps)
        assert np.array_equal(view, wanted)


@pytest.mark.parametrize(
    "values",
    [
        np.array([0.1, -0.0, np.inf, -np.inf, 1e-30, 16777216.0], np.float32),
        np.array([1, 2, 3, 4, 5, 6], np.int64).reshape(2, 3),
        np.array([1, 2] * 20, np.float64),
        np.array([True, False, True]),
        np.array([1 + 2j, -3.5j], np.complex64),
        np.array([65504, 6e-8, 0.1], np.float16),
        np.full((3, 2), 7, np.uint8),
        np.array(2.5, np.float32),
        np.array([-(2**63), 2**63 - 1], np.int64),
        np.zeros((0, 3), np.float32),
        np.array([65537] * 20 + [0] * 12, np.int32).reshape(4, 8),
        np.array([-0.0] * 10 + [0.0] * 10 + [np.nan] * 10, np.float32),
    ],
    ids=str,
)
def test_arrays_are_written_down_exactly(values: np.ndarray) -> None:
    found = eval(one_line(array_source(values)), {"np": np})

    assert found.dtype == values.dtype
    assert found.shape == values.shape
    assert found.tobytes() == values.tobytes()


def test_names_are_pythons_and_given_once() -> None:
    names = Names()

    found = [names.new(n) for n in ("gradOutput", "lambda", "gradOutput", "print", "2x", "np")]

    assert found == ["grad_output", "lambd", "grad_output_2", "print_", "x", "np_"]


def test_long_lists_are_broken_over_lines() -> None:
    code = numbers([literal(float(i)) for i in range(60)])

    broken = lines(code)

    assert max(map(len, broken)) <= 100
    assert eval("".join(broken)) == [float(i) for i in range(60)]


@pytest.mark.parametrize("name", ["float16", "float32", "float64"])
@pytest.mark.parametrize(
    ("integers", "source"),
    [
        (np.arange(100), "np.arange(100, dtype={i}).view({f})"),
        (np.resize(np.arange(5), (8, 10)), "np.resize(np.arange(5, dtype={i}), (8, 10)).view({f})"),
        (np.full((2, 3), 7), "np.full((2, 3), 7, dtype={i}).view({f})"),
        (np.broadcast_to(np.int64(3), (4, 1 << 20)),
         "np.full((4, 1048576), 3, dtype={i}).view({f})"),
    ],
)  # fmt: skip
def test_integers_that_a_sample_takes_for_fractions_are_written_as_such(
    name: str, integers: np.ndarray, source: str
) -> None:
    bits = f"int{8 * np.dtype(name).itemsize}"
    values = integers.astype(bits, order="K").view(name) if integers.strides[0] else \
        np.broadcast_to(np.int64(3).astype(bits).view(name), integers.shape)  # fmt: skip
    found = one_line(array_source(values))

    assert found == source.format(i=f"np.{bits}", f=f"np.{name}")
    assert np.array_equal(eval(found).view(bits), integers)


def test_fractions_stay_fractions() -> None:
    for values in ([0.0, 0.0], [1.0, 1e-40], [-1e-45, 1e-45], [6e-8, 0.5]):
        assert "view" not in one_line(array_source(np.array(values, np.float32)))
