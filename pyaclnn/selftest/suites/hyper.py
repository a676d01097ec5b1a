"""Hyper-connections in float64; gradients by steps along the imaginary axis, which are exact."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype

_HALVES = ("float16", "bfloat16")
_EPS = 1e-6


def derivatives(scalar: Callable[[list[Array]], Any], given: Sequence[Array]) -> list[Array]:
    """Return the derivatives of a number by all numbers of some arrays."""
    moved = [np.asarray(a, complex) for a in given]
    result = []
    for array in moved:
        grad = np.zeros(array.shape)
        for at in np.ndindex(array.shape):
            array[at] += 1e-30j
            grad[at] = scalar(moved).imag / 1e-30
            array[at] -= 1e-30j
        result.append(grad)
    return result


def _mixed(x: Array, res: Array, layer: Array, post: Array) -> Array:
    return np.asarray(np.einsum("tji,tjd->tid", res, x) + layer[:, None] * post[..., None])


def _gates(
    x: Array, phi: Array, alpha: Array, bias: Array, gamma: Array
) -> tuple[Array, Array, Array, Array, Array]:
    """Return the three gates' arguments gated, 1 / rms, and the product with the weights."""
    count, n, _ = x.shape
    inverse = 1 / np.sqrt((x * x).mean((1, 2)) + _EPS)
    mixes = (x * gamma).reshape(count, -1) @ phi.T
    normed = mixes * inverse[:, None]
    h = normed * np.repeat(alpha, (n, n, n * n)) + bias
    pre = 1 / (1 + np.exp(-h[:, :n])) + _EPS
    post = 2 / (1 + np.exp(-h[:, n : 2 * n]))
    return pre, post, h[:, 2 * n :].reshape(count, n, n), inverse, mixes


def sinkhorn(x: Array, eps: float, iterations: int) -> tuple[list[Array], list[Array]]:
    """Return the matrices of all steps, and what they were divided by."""
    exps = np.exp(x)
    norms, sums = [exps / exps.sum(-1, keepdims=True) + eps], [np.zeros(x.shape[:-1])]
    for step in range(1, 2 * iterations):
        axis = -2 if step % 2 else -1
        total = norms[-1].sum(axis, keepdims=True) + eps
        norms.append(norms[-1] / total)
        sums.append(np.squeeze(total, axis))
    return norms, sums


def _drawn(rng: np.random.Generator, *shape: int, dtype: str = "float32") -> Array:
    return np.asarray(rng.uniform(0.2, 1, shape)).astype(numpy_dtype(dtype))


def _exact(*arrays: Array) -> list[Array]:
    return [a.astype(np.float64) for a in arrays]


def _tokens(array: Array, batched: bool) -> Array:
    """Return the axis of tokens as two, where there is a batch."""
    return array.reshape(1, *array.shape) if batched else array


def _post(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for count, n, width in ((1, 1, 1), (3, 4, 16), (5, 3, 130)):
        for batched, layout in ((False, "contiguous"), (True, "every_second")):
            x, layer = (_drawn(rng, *s, dtype=dtype) for s in ((count, n, width), (count, width)))
            res, post = _drawn(rng, count, n, n), _drawn(rng, count, n)
            golden = _mixed(*_exact(x, res, layer, post))
            inputs = tuple(
                Operand(_tokens(a, batched), layout if a is x else "contiguous")
                for a in (x, res, layer, post)
            )
            yield Case(f"{count} {n} {width} {layout}", inputs, (_tokens(golden, batched),))


def _post_gradient(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for batched in (False, True):
        grad, x = (_drawn(rng, 2, 4, 128, dtype=dtype) for _ in range(2))
        layer, res, post = _drawn(rng, 2, 128, dtype=dtype), _drawn(rng, 2, 4, 4), _drawn(rng, 2, 4)
        (g,) = _exact(grad)
        golden = derivatives(lambda a, g=g: (_mixed(*a) * g).sum(), _exact(x, res, layer, post))  # type: ignore[misc]
        inputs = tuple(Operand(_tokens(a, batched)) for a in (grad, x, res, layer, post))
        yield Case(f"{batched}", inputs, tuple(_tokens(a, batched) for a in golden))


def _weights(rng: np.random.Generator, n: int, width: int) -> list[Array]:
    mixes = n * n + 2 * n
    return [
        _drawn(rng, mixes, n * width) / np.float32(n * width),
        _drawn(rng, 3),
        _drawn(rng, mixes),
    ]


def _pre(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for n, width in ((4, 16), (6, 32), (8, 16)):
        for batched in (False, True):
            x, weights = _drawn(rng, 3, n, width, dtype=dtype), _weights(rng, n, width)
            gamma = _drawn(rng, n, width) if batched else None
            ones = np.ones((n, width)) if gamma is None else gamma
            (x64,) = _exact(x)
            pre, post, res, inverse, mixes = _gates(x64, *_exact(*weights, ones))
            layer = (x64 * pre[..., None]).sum(1)
            inputs = (
                Operand(_tokens(x, batched)), *map(Operand, weights),
                None if gamma is None else Operand(gamma), _EPS, _EPS,
            )  # fmt: skip
            golden = tuple(_tokens(a, batched) for a in (layer, post, res, inverse, mixes, pre))
            yield Case(f"{n} {width} {batched}", inputs, golden)


def _pre_gradient(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for n, with_gamma in ((4, True), (4, False)):
        x, weights = _drawn(rng, 2, n, 16, dtype=dtype), _weights(rng, n, 16)
        gamma = _drawn(rng, n, 16) if with_gamma else np.ones((n, 16), np.float32)
        of_layer = _drawn(rng, 2, 16, dtype=dtype)
        of_post, of_res = _drawn(rng, 2, n), _drawn(rng, 2, n, n)
        behind = _drawn(rng, 2, n, 16, dtype=dtype) if with_gamma else None

        grads = _exact(of_layer, of_post, of_res)

        def scalar(a: list[Array], grads: list[Array] = grads) -> Any:
            pre, post, res, _, _ = _gates(a[0], *a[1:])
            layer = (a[0] * pre[..., None]).sum(1)
            return sum((g * v).sum() for g, v in zip(grads, (layer, post, res), strict=True))

        exact = _exact(x, *weights, gamma)
        golden = derivatives(scalar, exact)
        if behind is not None:
            golden[0] += behind.astype(float)
        pre, post, _, inverse, mixes = _gates(exact[0], *exact[1:])
        kept = [Operand(a.astype(np.float32)) for a in (inverse, mixes, pre, post)]
        inputs = (
            *map(Operand, (x, weights[0], weights[1], of_layer, of_post, of_res)), *kept,
            Operand(gamma) if with_gamma else None, None if behind is None else Operand(behind),
            _EPS,
        )  # fmt: skip
        yield Case(f"{with_gamma}", inputs, (*golden[:4], golden[4] if with_gamma else False))


def _pre_sinkhorn(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for wanted in (True, False):
        x, weights = _drawn(rng, 3, 4, 32, dtype=dtype), _weights(rng, 4, 32)
        x64, *rest = _exact(x, *weights, np.ones((4, 32)))
        pre, post, res, inverse, mixes = _gates(x64, *rest)
        norms, sums = sinkhorn(res, _EPS, 20)
        layer = (x64 * pre[..., None]).sum(1)
        kept: tuple[Any, ...] = (
            pre[None], mixes[None], inverse[None, :, None], np.stack(sums)[:, None],
            np.stack(norms)[:, None],
        )  # fmt: skip
        inputs = (Operand(x[None]), *map(Operand, weights), 4, 20, _EPS, _EPS, wanted)
        golden = (layer[None], post[None], norms[-1].reshape(1, 3, 16))
        yield Case(f"{wanted}", inputs, (*golden, *(kept if wanted else (False,) * 5)))


def _pre_sinkhorn_gradient(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for flat in (dtype == "float16",):  # thousands of derivatives through all steps
        x, weights = _drawn(rng, 2, 4, 16, dtype=dtype), _weights(rng, 4, 16)
        of_layer = _drawn(rng, 2, 16, dtype=dtype)
        of_post, of_res = _drawn(rng, 2, 4), rng.normal(0, 30, (2, 4, 4)).astype(np.float32)

        grads = _exact(of_layer, of_post, of_res)

        def scalar(a: list[Array], grads: list[Array] = grads) -> Any:
            pre, post, res, _, _ = _gates(*[*a, np.ones((4, 16))])
            layer, last = (a[0] * pre[..., None]).sum(1), sinkhorn(res, _EPS, 20)[0][-1]
            return sum((g * v).sum() for g, v in zip(grads, (layer, post, last), strict=True))

        exact = _exact(x, *weights)
        golden = derivatives(scalar, exact)
        pre, _, res, inverse, mixes = _gates(*[*exact, np.ones((4, 16))])
        norms, sums = sinkhorn(res, _EPS, 20)
        kept = (pre, mixes, inverse[:, None])
        inputs = (
            Operand(of_layer[None]), Operand(of_post[None]),
            Operand(of_res.reshape(1, 2, *((16,) if flat else (4, 4)))), Operand(x[None]),
            *map(Operand, weights), *(Operand(a[None].astype(np.float32)) for a in kept),
            *(Operand(np.stack(a)[:, None].astype(np.float32)) for a in (sums, norms)), _EPS,
        )  # fmt: skip
        yield Case(f"{flat}", inputs, (golden[0][None], *golden[1:]))


def _blocked(steps: Sequence[Array]) -> Array:
    """Return what is kept of all steps, in rows of eight, as one axis."""
    all_steps = np.stack(steps)
    padding = [(0, 0)] * (all_steps.ndim - 1) + [(0, -all_steps.shape[-1] % 8)]
    return np.pad(all_steps, padding).ravel().astype(np.float32)


def _sinkhorn(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for n, count, iterations in ((4, 3, 20), (6, 2, 1), (8, 40, 3)):
        for batched in (False, True):
            x = rng.normal(0, 1, (count, n, n)).astype(np.float32)
            norms, sums = sinkhorn(x.astype(float), _EPS, iterations)
            golden = (_tokens(norms[-1], batched), _blocked(norms), _blocked(sums))
            yield Case(f"{n} {batched}", (Operand(_tokens(x, batched)), _EPS, iterations), golden)


def _sinkhorn_gradient(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for n, iterations in ((4, 20), (6, 2), (8, 1)):
        x, grad = (rng.normal(0, 1, (2, n, n)).astype(np.float32) for _ in range(2))
        exact = x.astype(float)
        norms, sums = sinkhorn(exact, _EPS, iterations)
        (golden,) = derivatives(
            lambda a, g=grad, k=iterations: (sinkhorn(a[0], _EPS, k)[0][-1] * g).sum(),  # type: ignore[misc]
            [exact],
        )
        inputs = (Operand(grad), Operand(_blocked(norms)), Operand(_blocked(sums)))
        yield Case(f"{n} {iterations}", inputs, (golden,))


_ON_950 = "Ascend910_95"

SUITES = (
    Suite("mhc_post", _HALVES, _post),
    Suite("mhc_post_backward", _HALVES, _post_gradient),
    Suite("mhc_pre", _HALVES, _pre, chip=_ON_950),
    Suite("mhc_pre_backward", _HALVES, _pre_gradient, chip=_ON_950),
    Suite("mhc_pre_sinkhorn", _HALVES, _pre_sinkhorn),
    Suite("mhc_pre_sinkhorn_backward", _HALVES, _pre_sinkhorn_gradient),
    Suite("mhc_sinkhorn", ("float32",), _sinkhorn, chip=_ON_950),
    Suite("mhc_sinkhorn_backward", ("float32",), _sinkhorn_gradient, chip=_ON_950),
)
