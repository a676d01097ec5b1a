"""torch's own samples of its operators, through torch_npu, judged by the CPU in float64.

A result that is not within the dtype's tolerance is right, too, if it is no farther from float64
than twice the CPU's own result in that dtype: what overflows or cancels there does so here.

``PYACLNN_FRACTION`` says which share of pairs of an operator and a dtype is drawn, by
``PYACLNN_SEED``; ``PYACLNN_PART=2/8`` takes the third of eight parts of these.
"""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Iterator
from typing import Any

import pytest
import torch
import torch_npu  # noqa: F401
from torch.testing._internal.common_methods_invocations import op_db

DTYPES = (
    torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.uint8,
    torch.bool, torch.complex64,
)  # fmt: skip
#: Relative and absolute.
TOLERANCES = {
    torch.float16: (2e-3, 1e-3), torch.bfloat16: (1.6e-2, 1e-2), torch.float32: (1e-4, 1e-5),
    torch.complex64: (1e-4, 1e-5), torch.float64: (1e-7, 1e-7),
}  # fmt: skip
WIDE = {d: torch.float64 for d in DTYPES if d.is_floating_point} | {
    torch.complex64: torch.complex128
}
#: Results are memory that nothing was written to, random, or the choice of an algorithm.
_UNDEFINED = """
    bernoulli cauchy empty empty_like empty_permuted empty_strided exponential geometric geqrf
    linalg.eig linalg.eigh linalg.svd log_normal multinomial new_empty new_empty_strided
    nn.functional.alpha_dropout nn.functional.dropout nn.functional.dropout2d
    nn.functional.dropout3d nn.functional.feature_alpha_dropout
    nn.functional.fractional_max_pool2d nn.functional.fractional_max_pool3d nn.functional.rrelu
    normal pca_lowrank rand rand_like randint randint_like randn randn_like randperm svd
    svd_lowrank torch.ops.aten._safe_softmax.default uniform
"""
UNDEFINED = frozenset(_UNDEFINED.split())
#: torch compiles these for CUDA only.
CUDA_ONLY = "jiterator_"
#: So many samples of a pair are tried.
SAMPLES = 12

torch.npu.matmul.allow_hf32 = False
torch.npu.conv.allow_hf32 = False


def _drawn() -> list[tuple[Any, torch.dtype]]:
    draw = random.Random(os.environ.get("PYACLNN_SEED", "0"))
    fraction = float(os.environ.get("PYACLNN_FRACTION", "1"))
    part, parts = map(int, os.environ.get("PYACLNN_PART", "0/1").split("/"))
    tried = (op for op in op_db if op.name not in UNDEFINED and not op.name.startswith(CUDA_ONLY))
    pairs = itertools.product(tried, DTYPES)
    supported = ((op, d) for op, d in pairs if d in op.supported_dtypes("cpu"))
    return [pair for pair in supported if draw.random() < fraction][part::parts]


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _tensors(each)


def _call(op: Any, sample: Any, backward: bool) -> list[torch.Tensor]:
    """Return the results of a call, or the gradients of its arguments."""
    made = list(_tensors(op(sample.input, *sample.args, **sample.kwargs)))
    if not backward:
        return made
    leaves = [t for t in _tensors([sample.input, *sample.args]) if t.requires_grad]
    roots = [t for t in made if t.requires_grad]
    if not roots or not leaves:
        return []
    ones = [torch.ones_like(t) for t in roots]
    return [g for g in torch.autograd.grad(roots, leaves, ones, allow_unused=True) if g is not None]


def _converted(sample: Any, dtype: torch.dtype | None, device: str, backward: bool) -> Any:
    def convert(value: Any) -> Any:
        if not isinstance(value, torch.Tensor):
            return device if isinstance(value, torch.device) else value
        wide = WIDE.get(value.dtype) if dtype else None
        needed = value.requires_grad and backward
        return value.detach().to(device, wide).requires_grad_(needed)

    return sample.transform(convert)


def _expected(op: Any, sample: Any, dtype: torch.dtype, backward: bool) -> list[torch.Tensor]:
    """Return what the CPU has, in float64 where it takes it."""
    for wide in (WIDE.get(dtype), None):
        try:
            return _call(op, _converted(sample, wide, "cpu", backward), backward)
        except (RuntimeError, TypeError, ValueError, NotImplementedError):
            continue
    pytest.skip("the CPU refuses it, too")


def _as_near_as_the_cpu(ours: torch.Tensor, cpu: torch.Tensor, exact: torch.Tensor) -> bool:
    """Whether a result is no farther from the exact one than twice the CPU's in the same dtype."""
    wide = torch.complex128 if exact.is_complex() else torch.float64
    ours, cpu, exact = (t.detach().to(wide) for t in (ours, cpu, exact))
    finite = torch.isfinite(exact) & torch.isfinite(cpu)
    same = torch.isclose(ours, exact, equal_nan=True) | torch.isclose(ours, cpu, equal_nan=True)
    if not bool((same | torch.isfinite(ours))[finite].all() and same[~finite].all()):
        return False
    own, theirs = ((t - exact)[finite].abs() for t in (ours, cpu))
    return own.numel() == 0 or bool(own.max() <= 2 * theirs.max())


def _is_random(op: Any, sample: Any) -> bool:
    """Whether a sample drops elements."""
    probability = sample.kwargs.get("dropout_p", 0)
    if op.name == "nn.functional.multi_head_attention_forward":
        probability = sample.args[9]
    return bool(probability > 0)


def _compare(op: Any, dtype: torch.dtype, backward: bool) -> None:
    torch.manual_seed(0)
    samples = op.sample_inputs("cpu", dtype, requires_grad=backward)
    for sample in itertools.islice(samples, SAMPLES):
        if _is_random(op, sample):
            continue
        expected = _expected(op, sample, dtype, backward)
        made = _call(op, _converted(sample, None, "npu", backward), backward)
        assert len(made) == len(expected)
        for place, (ours, theirs) in enumerate(zip(made, expected, strict=True)):
            relative, absolute = TOLERANCES.get(ours.dtype, (0.0, 0.0))
            if ours.dtype in TOLERANCES and dtype in TOLERANCES:
                relative, absolute = map(max, TOLERANCES[ours.dtype], TOLERANCES[dtype])
            try:
                torch.testing.assert_close(
                    ours.cpu().to(theirs.dtype), theirs, rtol=relative, atol=absolute,
                    equal_nan=True, check_stride=False,
                    msg=lambda text, s=sample: f"differs: {text}\n{s.summary()}",
                )  # fmt: skip
            except AssertionError:
                if dtype not in TOLERANCES or ours.shape != theirs.shape:
                    raise
                cpu = _call(op, _converted(sample, None, "cpu", backward), backward)[place]
                if not _as_near_as_the_cpu(ours.cpu(), cpu, theirs):
                    raise


DRAWN = _drawn()
NAMES = [f"{op.full_name}-{str(dtype).removeprefix('torch.')}" for op, dtype in DRAWN]


@pytest.mark.parametrize(("op", "dtype"), DRAWN, ids=NAMES)
def test_forward(op: Any, dtype: torch.dtype) -> None:
    """Compare results."""
    _compare(op, dtype, backward=False)


@pytest.mark.parametrize(("op", "dtype"), DRAWN, ids=NAMES)
def test_backward(op: Any, dtype: torch.dtype) -> None:
    """Compare gradients."""
    if not op.supports_autograd or dtype not in op.supported_backward_dtypes("cpu"):
        pytest.skip("there is no gradient")
    _compare(op, dtype, backward=True)
