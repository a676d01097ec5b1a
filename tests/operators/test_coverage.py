"""Every simulated operator is tried as widely as its document allows, in every dtype.

Nothing here is about one operator; what falls short is listed with its reason.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from operators.derivatives_seen import OUTPUT
from operators.fullest import GRADIENT as SUITE
from operators.fullest import SUITE as EVERY_SUITE
from operators.fullest import fullest
from operators.tried import Tried, tried

import pyaclnn as pa
from pyaclnn import catalogue
from pyaclnn.selftest.chips import soc_name

TESTS = Path(__file__).resolve().parents[1]
LEAST_CASES = 25

#: dtypes that only another chip than the usual one computes.
ELSEWHERE = {
    ("max_pool2d_with_indices_backward", "float16"): "Ascend910_95",
    ("max_pool2d_with_indices_backward", "bfloat16"): "Ascend910_95",
    **{("cat", f"float8_{dtype}"): "Ascend910_95" for dtype in ("e5m2", "e4m3fn", "e8m0fnu")},
    **{("dropout_v3_grad", dtype): "Ascend910_95" for dtype in ("float32", "float16", "bfloat16")},
}

#: Operators that refuse every empty tensor, with what. deep_norm_grad's document allows them, but
#: its kernel does not; those of the others do neither.
REFUSES_EMPTY = {
    "conv_tbc_backward": 161002,
    "add_layer_norm_grad": 561002,
    "deep_norm_grad": 561002,
    "rms_norm_grad": 561002,
    "group_norm_swish_grad": 561002,
    "adaptive_avg_pool3d_backward": 161002,
    "upsample_nearest_exact1d_backward": 161002,
    "upsample_bilinear2d_aa_backward": 161002,
    "upsample_bicubic2d_aa_grad": 161002,
}

#: Operators whose documents say nothing of empty tensors.
SILENT_ON_EMPTY = {"cross_entropy_loss_grad"}

#: Tensors that are not tried as views, and why.
NO_VIEWS = {
    ("log_sigmoid_backward", "buffer"): "it is not read",
    ("cross_entropy_loss_grad", "grad_zloss_optional"): "its loss is not supported yet",
    ("cross_entropy_loss_grad", "lse_for_zloss_optional"): "its loss is not supported yet",
    ("max_pool2d_with_mask_backward", "indices"): "bytes that stand for numbers",
}

NO_OUTPUT_VIEWS = {"max_unpool3d_backward": "its document wants a contiguous result"}

#: Attributes that always have the same value, and why.
ALWAYS_THE_SAME = {
    ("cross_entropy_loss_grad", "lse_square_scale_for_zloss"): "its loss is not supported yet",
    ("fast_batch_norm_backward", "version"): "it has no effect",
    ("scaled_masked_softmax_backward", "fix_triu_mask"): "it must be false",
}

EVERY = [(name, dtype) for name, suite in SUITE.items() for dtype in suite.dtypes]
HERE = [(name, dtype) for name, dtype in EVERY if (name, dtype) not in ELSEWHERE]
ids = "{0[0]}-{0[1]}".format
every_dtype = pytest.mark.parametrize("pair", EVERY, ids=ids)


@pytest.fixture(scope="module")
def counts() -> dict[tuple[str, str], Tried]:
    """Count all cases, on this chip and on the others."""
    found = {pair: tried(*pair) for pair in HERE}
    for chip in sorted(set(ELSEWHERE.values())):
        names = ["/".join(pair) for pair, at in ELSEWHERE.items() if at == chip]
        path = os.pathsep.join((str(TESTS), os.environ.get("PYTHONPATH", "")))
        done = subprocess.run(
            [sys.executable, "-m", "operators.tried", *names],
            env={**os.environ, "PYTHONPATH": path, "PYACLNN_SIM_SOC": chip},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        for name, count in json.loads(done.stdout).items():
            operator, dtype = name.split("/")
            found[operator, dtype] = Tried(**count)
    return found


@pytest.mark.exhaustive
@every_dtype
def test_there_are_enough_cases(
    pair: tuple[str, str], counts: dict[tuple[str, str], Tried]
) -> None:
    assert counts[pair].cases >= LEAST_CASES


@every_dtype
def test_every_tensor_is_tried_as_a_view(
    pair: tuple[str, str], counts: dict[tuple[str, str], Tried]
) -> None:
    name, _ = pair
    kinds = {a.name for a in pa.ops[name].spec.inputs if a.kind in ("tensor", "tensor_list")}

    assert kinds - set(counts[pair].views) == {a for o, a in NO_VIEWS if o == name}
    assert (counts[pair].output_views > 0) != (name in NO_OUTPUT_VIEWS)


@every_dtype
def test_every_attribute_is_varied(
    pair: tuple[str, str], counts: dict[tuple[str, str], Tried]
) -> None:
    name, _ = pair
    attributes = {a.name for a in pa.ops[name].spec.inputs if "tensor" not in a.kind}

    same = attributes - set(counts[pair].varied)

    assert same == {a for o, a in ALWAYS_THE_SAME if o == name}


@every_dtype
def test_empty_tensors_are_tried_where_they_are_allowed(
    pair: tuple[str, str], counts: dict[tuple[str, str], Tried]
) -> None:
    assert (counts[pair].empty > 0) != (pair[0] in {*REFUSES_EMPTY, *SILENT_ON_EMPTY})


@pytest.mark.parametrize(("name", "expected"), REFUSES_EMPTY.items())
def test_empty_tensors_are_refused_elsewhere(name: str, expected: int) -> None:
    call = fullest(name)
    first = next(v.shape[0] for v in call.inputs.values() if isinstance(v, pa.Tensor))

    def emptied(value: Any) -> Any:
        """The batch, or what comes first, is nothing."""
        if isinstance(value, pa.Tensor) and value.shape[:1] == (first,):
            return pa.empty((0, *value.shape[1:]), value.dtype)
        if isinstance(value, tuple) and value[:1] == (first,) and len(value) > 2:
            return (0, *value[1:])
        return value

    changed = {n: emptied(v) for n, v in {**call.inputs, **call.outputs}.items()}

    assert call.code(changed) == expected


ALL_DTYPES = (
    "float32", "float16", "bfloat16", "float64", "int8", "uint8", "int16", "uint16", "int32",
    "uint32", "int64", "uint64", "bool", "complex64", "complex128",
)  # fmt: skip


@pytest.mark.parametrize("name", [n for n, suite in SUITE.items() if not suite.chip])
def test_what_the_checks_let_through_has_cases(name: str) -> None:
    # Every tensor of the first dtype is given in another one, statistics and weights too.
    call, suite = fullest(name), SUITE[name]
    first = np.dtype(suite.dtypes[0])

    def recast(value: Any, dtype: str) -> Any:
        if isinstance(value, list):
            return [recast(v, dtype) for v in value]
        is_of_it = isinstance(value, pa.Tensor) and value.dtype == first
        return pa.ones(value.shape, dtype) if is_of_it else value

    every = {**call.inputs, **call.outputs}
    accepted = {
        dtype
        for dtype in ALL_DTYPES
        if call.code({n: recast(v, dtype) for n, v in every.items()}) == 0
    }

    assert accepted <= set(suite.dtypes)


@pytest.mark.parametrize(("pair", "chip"), ELSEWHERE.items(), ids=str)
def test_what_another_chip_computes_is_refused_here(pair: tuple[str, str], chip: str) -> None:
    name, dtype = pair

    def placed(value: Any, kind: str = "") -> Any:
        if isinstance(value, list):
            return [placed(v, kind) for v in value]
        values = getattr(value, "values", value)
        if not isinstance(values, np.ndarray):
            return values
        return pa.ones(values.shape, kind) if kind else pa.asarray(values)

    case = next(iter(SUITE[name].cases("float32", np.random.default_rng(0))), None)
    if case is None:
        arguments = (pa.ones((8,), dtype), pa.ones((16,), "uint8"), 1.0)
    else:
        arguments = tuple(placed(v, dtype if i < 2 else "") for i, v in enumerate(case.inputs))

    with pytest.raises(pa.AclParameterError):
        pa.ops[name](*arguments)


def test_all_simulated_operators_are_in_this_file() -> None:
    simulated = {entry.name for entry in catalogue.collect() if entry.library}

    assert simulated == set(EVERY_SUITE)


def test_only_an_operator_of_another_chip_names_one() -> None:
    named = {name for name, suite in SUITE.items() if suite.chip not in ("", soc_name())}

    assert named == {
        n for n, suite in SUITE.items() if {(n, d) for d in suite.dtypes} <= set(ELSEWHERE)
    }


#: Operators without a derivative to compare with, and why.
NO_DERIVATIVE = {
    "cat": "joins tensors; it is no gradient",
    "dropout_v3_grad": "of another chip: the test of its derivative is a process of its own",
}


@pytest.mark.exhaustive
def test_every_gradient_is_compared_with_finite_differences(tmp_path: Path) -> None:
    assert OUTPUT not in os.environ, "this test must not start itself"
    output = tmp_path / "seen.json"
    path = os.pathsep.join((str(TESTS), os.environ.get("PYTHONPATH", "")))
    # Tests of derivatives have one of these words in their names.
    words = ("derivative", "finite")
    files = [
        file
        for file in (TESTS / "operators").glob("test_*.py")
        if file != Path(__file__) and any(word in file.read_text() for word in words)
    ]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "operators.derivatives_seen", "-q",
         "-k", " or ".join(words), *files],
        capture_output=True, text=True, timeout=300,
        env={**os.environ, "PYTHONPATH": path, OUTPUT: str(output)},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout

    seen = set(json.loads(output.read_text()))

    assert set(SUITE) - seen == set(NO_DERIVATIVE)
