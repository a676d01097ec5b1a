"""Python call to C++ sample and back: the same numbers, for operators that are drawn."""

from __future__ import annotations

import re
import subprocess
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import toolchain

import pyaclnn as pa
from pyaclnn.ops.checks import tensors_of
from pyaclnn.ops.cpp_steps import Steps
from pyaclnn.ops.rules import has_data_dependent_shapes
from pyaclnn.ops.to_cpp import write_steps
from pyaclnn.port.check import run_sample
from pyaclnn.selftest.cases import Case, Operand, Suite
from pyaclnn.selftest.layouts import place
from pyaclnn.selftest.suites import (
    GRADIENTS,
    OTHERS,
    collective,
    grouped_quant,
    private_formats,
    products_in_blocks,
    quant_blocks,
    quantised_on_the_way,
)
from pyaclnn.tensor import as_dtype
from pyaclnn.tensor.formats import with_format

SMALL = 600


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def run(source: str, folder: Path) -> dict[str, list[str]]:
    """Compile and run a sample; return the numbers it prints for each output."""
    sample = folder / "sample.cpp"
    sample.write_text(source, encoding="utf-8")
    printed: dict[str, list[str]] = {}
    for name, value in re.findall(r"^(\w+)\[\d+\] = (.*)$", run_sample(sample, folder), re.M):
        printed.setdefault(name, []).append(value)
    return printed


def parsed(texts: list[str], dtype: np.dtype[Any]) -> np.ndarray:
    if dtype.kind == "c":
        pairs = [text.split() for text in texts]
        return np.array([complex(float(a), float(b)) for a, b in pairs]).astype(dtype)
    convert = float if dtype.kind in "fV" else int
    return np.array([convert(text) for text in texts]).astype(dtype)


def sizes(case: Case) -> int:
    arrays = [v.values for v in case.inputs if isinstance(v, Operand)]
    for golden in case.golden:
        each = golden if isinstance(golden, list) else [golden]
        arrays += [array for array in each if isinstance(array, np.ndarray)]
    return max((a.size for a in arrays), default=0)


def small_case(suite: Suite, rng: np.random.Generator) -> tuple[str, Case]:
    """A case of moderate size, in one of the operator's dtypes."""
    start = zlib.crc32(suite.operator.encode()) % len(suite.dtypes)
    tried = ((d, list(suite.cases(d, rng))) for d in suite.dtypes[start:] + suite.dtypes[:start])
    dtype, cases = next(((d, found) for d, found in tried if found), ("", []))
    if not cases:
        pytest.skip(f"{suite.operator} has no cases on this chip")
    fitting = [c for c in cases if 1 < sizes(c) < SMALL] or [min(cases, key=sizes)]
    return dtype, fitting[len(fitting) // 2]


def formatted(tensor: pa.Tensor, name: str) -> pa.Tensor:
    return with_format(tensor, name) if name else tensor


def as_argument(value: Any) -> Any:
    if isinstance(value, Operand):
        return formatted(place(value.values, value.layout), value.format)
    if isinstance(value, list) and value and isinstance(value[0], Operand):
        return [as_argument(v) for v in value]
    return value


#: What this test cannot compare, and why.
NOT_COMPARED = {
    "ascend_quant": "a C++ sample cannot have tensors of int4",
    "ascend_quant_v3": "a C++ sample cannot have tensors of int4",
    **dict.fromkeys(
        (
            "quant_convolution_weight_nz",
            "quant_matmul_weight_nz",
            "grouped_matmul_weight_nz",
            *(s.operator for s in private_formats.SUITES),
            *(s.operator for s in products_in_blocks.SUITES),
            *(s.operator for s in grouped_quant.SUITES),
            *(s.operator for s in quantised_on_the_way.SUITES),
        ),
        "its weight is in a private format, which place() does not make",
    ),
    "qkv_rms_norm_rope_cache": "outputs that it leaves out are printed",
    "batch_norm": "statistics are written in place beside outputs",
    **{s.operator: "one call has no communicator of its own" for s in collective.SUITES},
    **{
        s.operator: "its outputs have the shapes that were found, the sample's have room"
        for s in OTHERS
        if has_data_dependent_shapes(pa.ops[s.operator].c_name)
    },
    **{s.operator: "a C++ sample cannot have tensors of float8" for s in quant_blocks.SUITES},
}
#: Of operators that this chip has; which ones does not depend on how many there are.
DRAWN = [
    s for s in (*GRADIENTS, *OTHERS)
    if zlib.crc32(s.operator.encode()) % 12 == 0 and s.operator not in NOT_COMPARED and not s.chip
]  # fmt: skip
#: Beside those that are drawn.
ALWAYS = [
    s for s in GRADIENTS if s not in DRAWN and s.operator in (
        "softshrink_backward", "threshold_backward", "hardswish_backward", "softmax_backward",
        "selu_backward", "convolution_backward",
    )
]  # fmt: skip


@pytest.mark.parametrize("suite", [*ALWAYS, *DRAWN], ids=lambda suite: suite.operator)
def test_the_sample_prints_what_the_call_gives(suite: Suite, folder: Path) -> None:
    rng = np.random.default_rng(zlib.crc32(suite.operator.encode()))
    _, case = small_case(suite, rng)
    operator = pa.ops[suite.operator]
    inputs = [as_argument(value) for value in case.inputs]
    out: Any = None
    lists = any(isinstance(golden, list) for golden in case.golden)
    if (case.out_layouts or case.out_dtypes) and not lists:
        dtypes = [as_dtype(n) for n in case.out_dtypes]
        dtypes = dtypes or [next(tensors_of(inputs)).dtype] * len(case.golden)
        out = tuple(
            None if g is None else formatted(pa.zeros(g.shape, d), case.out_format)
            for g, d in zip(case.golden, dtypes, strict=False)
        )

    source = operator.to_cpp(*inputs, out=out)
    result = operator(*inputs, out=out)

    printed = run(source, folder)
    single = lists and len(case.golden) == 1
    results = result if isinstance(result, tuple) and not single else (result,)
    written = [a for a in operator.spec.arguments if a.output]
    expected: dict[str, pa.Tensor] = {}
    if len(results) < len(written):
        # What is written in place is not returned as well.
        places = {a.c_name: place for place, a in enumerate(operator.spec.inputs)}
        expected |= {a.c_name: inputs[places[a.c_name]] for a in written if a.c_name in places}
        written = [a for a in written if a.c_name not in places]
    for a, result in zip(written, results, strict=False):
        if isinstance(result, (list, tuple)):
            expected |= {f"{a.c_name}{i}": tensor for i, tensor in enumerate(result)}
        elif result is not None:
            expected[a.c_name] = result
    assert set(printed) == {name for name, tensor in expected.items() if tensor.size}
    for name, texts in printed.items():
        wanted = expected[name].numpy().ravel()
        found = parsed(texts, wanted.dtype)
        if wanted.dtype.kind == "V":
            # NumPy takes NaN for NaN in types of its own alone.
            found, wanted = found.astype(np.float32), wanted.astype(np.float32)
        np.testing.assert_array_equal(found, wanted)


def test_views_are_described_as_they_are(folder: Path) -> None:
    base = pa.asarray(np.arange(24, dtype=np.float32).reshape(4, 6))
    grad, out_base = pa.ones_like(base), pa.zeros((6, 4))

    source = pa.ops.threshold_backward.to_cpp(
        grad[1:3, ::2], base[1:3, ::2], 12.5, out=out_base[:3, 1:3].T
    )

    assert "{2, 3}, {6, 2}, 6, {24}" in source
    assert "{2, 3}, {1, 4}, 1, {24}" in source
    # Row 1 of the base has 6, 8, 10 and row 2 has 12, 14, 16.
    assert run(source, folder)["out"] == ["0", "0", "0", "0", "1", "1"]


def test_odd_values_are_written_exactly(folder: Path) -> None:
    values = np.array([np.nan, np.inf, -np.inf, -0.0, 1e-40, 16777217.0, 0.1], np.float32)
    x = pa.asarray(values)

    printed = run(pa.ops.softshrink_backward.to_cpp(x, pa.full((7,), 9.0), 0.5), folder)

    found = parsed(printed["gradInput"], np.dtype(np.float32))
    assert found.tobytes() == values.tobytes()


def test_a_mode_is_written_as_its_number(folder: Path) -> None:
    x, target = pa.asarray(np.arange(4.0, dtype=np.float32)), pa.zeros((4,))

    source = pa.ops.mse_loss_backward.to_cpp(pa.ones(()), x, target, "mean")

    assert "int64_t reduction = 1;" in source
    assert run(source, folder)["out"] == ["0", "0.5", "1", "1.5"]


def test_a_format_of_its_own_is_kept() -> None:
    x = with_format(pa.zeros((2, 3, 4, 5)), "NHWC")

    source = pa.ops.selu_backward.to_cpp(x, x)

    assert "{2, 3, 4, 5}, {60, 20, 5, 1}, 0, {120}, ACL_FLOAT,\n" in source
    assert source.count("ACL_FORMAT_NHWC") == 1
    assert source.count("ACL_FORMAT_NCHW") == 1


def test_an_in_place_argument_is_printed_like_an_output() -> None:
    source = pa.ops.inplace_relu.to_cpp(pa.asarray(np.array([-1.0, 2.0], np.float32)))

    assert "aclnnInplaceReluGetWorkspaceSize(selfRef, &workspaceSize, &executor)" in source
    assert 'printf("selfRef[%lld] = %.17g' in source


def test_an_output_that_is_left_to_the_operator_starts_as_zeros() -> None:
    pa.full((3, 3), 5.0).close()  # memory that the output may get
    x = pa.ones((3, 3))

    assert "gradInputData(9, 0.0f)" in pa.ops.selu_backward.to_cpp(x, x)


def test_a_call_of_every_declared_operator_compiles(folder: Path) -> None:
    tensor = pa.zeros((2, 3))
    values = {
        "tensor": tensor, "tensor_list": [tensor, None, tensor], "scalar": 1.5,
        "scalar_list": [1.0, 2], "int_array": [1, -2], "float_array": [0.5], "string": 'a"b\\n',
        "bool_array": [True, False], "int": 1, "float": 0.25, "bool": True, "dtype": "float16",
    }  # fmt: skip
    steps = Steps()
    for name in pa.abi.operators():
        spec = pa.ops[name].spec
        steps.call(spec, [values[a.kind] for a in spec.arguments])
    sample = folder / "sample.cpp"
    sample.write_text(write_steps(steps.steps), encoding="utf-8")

    include = toolchain.toolkit() / "include"
    command = [*toolchain.compiler(".cpp"), "-std=c++17", "-fsyntax-only", f"-I{include}", sample]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr[:2000]


def test_too_large_tensors_are_refused_with_advice() -> None:
    x = pa.zeros((1 << 11, 1 << 10))

    with pytest.raises(ValueError, match="reproduce the call with smaller tensors"):
        pa.ops.selu_backward.to_cpp(x, x)
