"""Operators that take no format but ND: it is what they are given, and others are refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from children import output_of

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format


def half(*shape: int) -> pa.Tensor:
    values = np.arange(1, 1 + int(np.prod(shape)), dtype=np.float16).reshape(shape)
    return pa.asarray(values % 7)


def contraction() -> tuple[pa.Tensor, pa.Tensor, str]:
    return half(2, 3, 4, 5), half(2, 3, 4, 6, 5), "abcd,abced->abce"


def test_tensors_of_a_list_go_as_nd_whatever_their_rank() -> None:
    a, b, equation = contraction()

    found = pa.ops.einsum([a, b], equation)
    with pa.ops.einsum.plan([a, b], equation, out=(out := pa.empty_like(found))) as plan:
        plan.run()

    wide = [t.numpy().astype(np.float64) for t in (a, b)]
    np.testing.assert_allclose(found.numpy(), np.einsum(equation, *wide), rtol=1e-3)
    np.testing.assert_array_equal(found.numpy(), out.numpy())


@pytest.mark.parametrize(("position", "format"), [(0, "NCHW"), (1, "NCDHW")])
def test_einsum_refuses_another_format_of_one_of_its_tensors(position: int, format: str) -> None:
    a, b, equation = contraction()
    tensors = [a, b]
    tensors[position] = with_format(tensors[position], format)

    with pytest.raises(pa.AclError, match=r"has format .*must be") as refused:
        pa.ops.einsum(tensors, equation)

    assert refused.value.code == 161002


def gemm(tensors: Sequence[pa.Tensor]) -> None:
    a, b, c, out = tensors
    pa.ops.gemm(a, b, c, 1.0, 1.0, 0, 0, 1, out=out)


def choice(tensors: Sequence[pa.Tensor]) -> None:
    logits, p, k, out = tensors
    pa.ops.apply_top_k_top_p(logits, p, k, out=out)


@pytest.mark.parametrize("position", range(4))
@pytest.mark.parametrize(
    ("call", "shapes"),
    [(gemm, [(2, 3), (3, 4), (2, 4), (2, 4)]), (choice, [(2, 5), (2,), (2,), (2, 5)])],
    ids=["gemm", "apply_top_k_top_p"],
)
def test_matrices_are_refused_in_another_format(
    call: Callable[[Sequence[pa.Tensor]], None], shapes: list[tuple[int, ...]], position: int
) -> None:
    tensors = [pa.ones(shape, "float16") for shape in shapes]
    if call is choice:
        tensors[2] = pa.ones((2,), "int32")
    call(tensors)
    tensors[position] = with_format(tensors[position], "NCHW")

    with pytest.raises(pa.AclError, match=r"has format 0, it must be") as refused:
        call(tensors)

    assert refused.value.code == 161002


def test_what_a_tensor_was_given_is_kept() -> None:
    a, b, equation = contraction()

    assert pa.ops.einsum([with_format(a, "ND"), b], equation).shape == (2, 3, 4, 6)


def test_a_fused_product_of_batches_goes_as_nd() -> None:
    program = """
    import pyaclnn as pa
    a, b = pa.ones((2, 3, 4), "float16"), pa.ones((2, 4, 5), "float16")
    out = pa.ops.fused_matmul(a, b, None, None, "relu", 1)
    print(out.numpy().sum())
    """

    assert output_of(program, PYACLNN_SIM_SOC="Ascend910_95") == "120.0"
