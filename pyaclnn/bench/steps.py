"""Whole steps of models through torch_npu, compared with PyTorch's own on the CPU.

The models are written down here, with random weights: ResNet-18 (arXiv 1512.03385), MobileNetV2
(1801.04381), BERT's encoder (1810.04805) and Llama (2302.13971), small enough for a step to take a
few hundred milliseconds at most.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pyaclnn.bench.measure import Batch, interleave, quiet, threads

_ROUNDS = 5
#: Relative difference of a loss, or of logits, between the two.
_TOLERANCE = {"float32": 1e-3, "float16": 2e-2, "bfloat16": 1e-1}
_IMAGES, _PIXELS, _CLASSES = 2, 224, 10
_SEQUENCES, _LENGTH, _WORDS = 4, 128, 1000

#: Name -> dtype. Decoding gives the next word of one sequence, the others train.
STEPS = {
    "ResNet-18": "float32",
    "MobileNetV2": "float32",
    "BERT": "float32",
    "Llama": "float32",
    **{f"Llama decoding {dtype}": dtype for dtype in ("float32", "float16", "bfloat16")},
}


def steps(name: str, rounds: int = _ROUNDS) -> dict[str, float]:
    """Return the milliseconds of a step, of both, with the same number of threads.

    Parameters
    ----------
    name : str
        One of `STEPS`.
    rounds : int
        Steps of each, in turn.

    Raises
    ------
    LookupError
        Where torch or torch_npu is not installed, or torch_npu finds no CANN.
    RuntimeError
        If the two compute something else.
    """
    try:
        import torch
        import torch_npu  # noqa: F401
    except ImportError as error:
        raise LookupError(f"steps need torch and torch_npu: {error}") from None
    torch.set_num_threads(threads())
    made = {
        label: _step(torch, name, STEPS[name], device)
        for label, device in (("pyaclnn", "npu"), ("torch", "cpu"))
    }
    found = {label: step() for label, step in made.items()}
    difference = abs(found["pyaclnn"] - found["torch"])
    if not difference <= _TOLERANCE[STEPS[name]] * (1 + abs(found["torch"])):
        raise RuntimeError(f"{name}: {found['pyaclnn']}, and {found['torch']} by PyTorch")

    def batch(step: Callable[[], float]) -> Batch:
        def run(times: int) -> None:
            for _ in range(times):
                step()  # ends with a number that is read, which waits for the device

        return run

    batches = {label: batch(step) for label, step in made.items()}
    times = interleave(batches, quiet, calls=1, rounds=rounds)
    return {label: time / 1e3 for label, time in times.items()}


def shares(times: Path) -> dict[str, float]:
    """Return the shares of the kernels' time, by operator, the largest first.

    Parameters
    ----------
    times : Path
        What ``PYACLNN_SIM_TIMES`` let the simulator write, in as many processes as there were.
    """
    found: defaultdict[str, float] = defaultdict(float)
    for line in times.read_text(encoding="utf-8").splitlines():
        name, _, milliseconds = line.split("\t")
        if name.startswith("aclnn"):  # not a stream that waits for another
            found[name] += float(milliseconds)
    total = sum(found.values())
    return {n: time / total for n, time in sorted(found.items(), key=lambda each: -each[1])}


def _step(torch: Any, name: str, dtype: str, device: str) -> Callable[[], float]:
    """Return a step: its loss, or for decoding the largest logit."""
    torch.manual_seed(5)
    kind = getattr(torch, dtype)
    if name.startswith("Llama decoding"):
        return _decoding(torch, _llama(torch, width=1024, inner=2816).to(device, kind), device)
    if name in ("ResNet-18", "MobileNetV2"):
        model = (_resnet if name == "ResNet-18" else _mobilenet)(torch)
        x = torch.randn(_IMAGES, 3, _PIXELS, _PIXELS)
        wanted = torch.randint(_CLASSES, (_IMAGES,))
    else:
        model = (_bert if name == "BERT" else _llama)(torch, width=256, inner=1024)
        x = torch.randint(_WORDS, (_SEQUENCES, _LENGTH))
        wanted = torch.randint(_WORDS, (_SEQUENCES * _LENGTH,))
    model, x, wanted = model.to(device), x.to(device), wanted.to(device)
    optimiser = torch.optim.SGD(model.parameters(), lr=1e-4)

    def step() -> float:
        optimiser.zero_grad()
        scores = model(x)
        loss = torch.nn.functional.cross_entropy(scores.reshape(-1, scores.shape[-1]), wanted)
        loss.backward()
        optimiser.step()
        return float(loss.item())

    return step


def _convolution(
    torch: Any, source: int, to: int, size: int, stride: int = 1, groups: int = 1
) -> list[Any]:
    nn = torch.nn
    layer = nn.Conv2d(source, to, size, stride, size // 2, groups=groups, bias=False)
    return [layer, nn.BatchNorm2d(to)]


def _added(torch: Any, inner: Any, beside: Any, behind: Any) -> Any:
    """Return a module that adds what `inner` and `beside` make of its input."""

    class Added(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.inner, self.beside, self.behind = inner, beside, behind

        def forward(self, x: Any) -> Any:
            return self.behind(self.inner(x) + self.beside(x))

    return Added()


def _ends(torch: Any, width: int) -> list[Any]:
    nn = torch.nn
    return [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(width, _CLASSES)]


def _resnet(torch: Any) -> Any:
    nn = torch.nn
    layers = [*_convolution(torch, 3, 64, 7, 2), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    width = 64
    for to in (64, 128, 256, 512):
        for block in range(2):
            stride = 2 if to != width else 1
            inner = nn.Sequential(
                *_convolution(torch, width, to, 3, stride),
                nn.ReLU(),
                *_convolution(torch, to, to, 3),
            )
            same = block == 1 or to == width
            beside = nn.Identity() if same else nn.Sequential(
                *_convolution(torch, width, to, 1, stride)
            )  # fmt: skip
            layers.append(_added(torch, inner, beside, nn.ReLU()))
            width = to
    return nn.Sequential(*layers, *_ends(torch, width))


def _mobilenet(torch: Any) -> Any:
    nn = torch.nn
    layers = [*_convolution(torch, 3, 32, 3, 2), nn.ReLU6()]
    width = 32
    # Factor of the width within, channels, blocks, stride of the first: table 2 of the paper.
    for factor, to, blocks, first in (
        (1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1),
        (6, 160, 3, 2), (6, 320, 1, 1),
    ):  # fmt: skip
        for block in range(blocks):
            stride, wide = (first if block == 0 else 1), factor * width
            widened = [] if factor == 1 else [*_convolution(torch, width, wide, 1), nn.ReLU6()]
            inner = nn.Sequential(
                *widened, *_convolution(torch, wide, wide, 3, stride, wide), nn.ReLU6(),
                *_convolution(torch, wide, to, 1),
            )  # fmt: skip
            same = stride == 1 and width == to
            layers.append(_added(torch, inner, nn.Identity(), nn.Identity()) if same else inner)
            width = to
    layers += [*_convolution(torch, width, 1280, 1), nn.ReLU6()]
    return nn.Sequential(*layers, *_ends(torch, 1280))


def _bert(torch: Any, width: int, inner: int, layers: int = 4, heads: int = 4) -> Any:
    nn = torch.nn
    layer = nn.TransformerEncoderLayer(width, heads, inner, 0.0, "gelu", batch_first=True)
    encoder = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
    return nn.Sequential(nn.Embedding(_WORDS, width), encoder, nn.Linear(width, _WORDS))


def _llama(torch: Any, width: int, inner: int, layers: int = 4, heads: int = 4) -> Any:
    nn, functional = torch.nn, torch.nn.functional
    head = width // heads

    class Layer(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second = nn.RMSNorm(width, 1e-5), nn.RMSNorm(width, 1e-5)
            self.three = nn.Linear(width, 3 * width, bias=False)
            self.out = nn.Linear(width, width, bias=False)
            self.gates = nn.Linear(width, 2 * inner, bias=False)
            self.down = nn.Linear(inner, width, bias=False)

        def forward(self, x: Any, angles: tuple[Any, Any], cache: Any = None) -> Any:
            batch, length, _ = x.shape
            three = self.three(self.first(x)).view(batch, length, 3, heads, head)
            q, k, v = three.permute(2, 0, 3, 1, 4)
            q, k = _turned(torch, q, angles), _turned(torch, k, angles)
            if cache is not None:
                keys, values, at = cache
                keys[:, :, at : at + 1], values[:, :, at : at + 1] = k, v
                k, v = keys[:, :, : at + 1], values[:, :, : at + 1]
            seen = functional.scaled_dot_product_attention(q, k, v, is_causal=cache is None)
            x = x + self.out(seen.transpose(1, 2).reshape(batch, length, width))
            gate, up = self.gates(self.second(x)).chunk(2, -1)
            return x + self.down(functional.silu(gate) * up)

    class Llama(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.words = nn.Embedding(_WORDS, width)
            self.layers = nn.ModuleList(Layer() for _ in range(layers))
            self.norm = nn.RMSNorm(width, 1e-5)
            self.scores = nn.Linear(width, _WORDS, bias=False)
            places = torch.arange(2 * _LENGTH)[:, None]
            turns = places * 1e4 ** (-torch.arange(0, head, 2) / head)
            self.register_buffer("cosines", turns.cos().repeat(1, 2))
            self.register_buffer("sines", turns.sin().repeat(1, 2))
            self.heads, self.head = heads, head

        def forward(self, words: Any, caches: Any = None, at: int = 0) -> Any:
            end = at + words.shape[1]
            angles = self.cosines[at:end], self.sines[at:end]
            x = self.words(words)
            for number, layer in enumerate(self.layers):
                x = layer(x, angles, None if caches is None else (*caches[number], at))
            return self.scores(self.norm(x))

    return Llama()


def _turned(torch: Any, x: Any, angles: tuple[Any, Any]) -> Any:
    """Turn the two halves of each head by the angles of their places."""
    cosines, sines = angles
    low, high = x.chunk(2, -1)
    return x * cosines + torch.cat((-high, low), -1) * sines


def _decoding(torch: Any, model: Any, device: str) -> Callable[[], float]:
    """Return a step that reads a word behind `_LENGTH` others."""
    kind = model.scores.weight.dtype
    shape = (1, model.heads, _LENGTH + 1, model.head)
    made = torch.randn(len(model.layers), 2, *shape) / math.sqrt(model.head)
    caches = [tuple(each.unbind()) for each in made.to(device, kind)]
    word = torch.tensor([[7]], device=device)

    def step() -> float:
        with torch.no_grad():
            return float(model(word, caches, _LENGTH).max().item())

    return step
