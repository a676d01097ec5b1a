"""Single operators that are asked for by name: run where an aclnn function takes the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pyaclnn as pa
from pyaclnn.tensor import acl_dtype

UNSUPPORTED, INVALID, REFUSED = 200006, 100000, 500002
ND, NCHW, NZ = 2, 0, 29
_HOST = 1


class _Tensors:
    """Descriptions and buffers of tensors, each with the shape and format it is stored in."""

    def __init__(self, *tensors: tuple[Any, ...]) -> None:
        lib, ffi = pa.lib, pa.ffi
        self.descriptions, self.buffers = [], []
        for tensor, shape, *stored in tensors:
            made = lib.aclCreateTensorDesc(acl_dtype(tensor.dtype), len(shape), list(shape), ND)
            if stored:
                lib.aclSetTensorFormat(made, stored[0])
                lib.aclSetTensorShape(made, len(stored[1]), list(stored[1]))
            address = ffi.cast("void *", tensor.buffer.ptr)
            self.descriptions.append(made)
            self.buffers.append(lib.aclCreateDataBuffer(address, tensor.nbytes))
        self.count = len(tensors)
        self.held = tensors

    def arguments(self) -> tuple[Any, ...]:
        ffi = pa.ffi
        return (self.count, ffi.new("aclTensorDesc *[]", self.descriptions),
                ffi.new("aclDataBuffer *[]", self.buffers))  # fmt: skip

    def close(self) -> None:
        for made in self.descriptions:
            pa.lib.aclDestroyTensorDesc(made)
        for buffer in self.buffers:
            pa.lib.aclDestroyDataBuffer(buffer)


def _called(name: str, inputs: _Tensors, outputs: _Tensors, attributes: Any = None) -> int:
    lib, ffi = pa.lib, pa.ffi
    status = lib.aclopCompileAndExecute(
        name.encode(), *inputs.arguments(), *outputs.arguments(), attributes or ffi.NULL, 0, 0,
        ffi.NULL, pa.Device(0).default_stream.handle,
    )  # fmt: skip
    inputs.close()
    outputs.close()
    pa.Device(0).sync()
    return int(status)


def _message() -> str:
    text = pa.lib.aclGetRecentErrMsg()
    return "" if text == pa.ffi.NULL else pa.ffi.string(text).decode()


def _plain(*tensors: pa.Tensor) -> _Tensors:
    return _Tensors(*((t, t.shape) for t in tensors))


_X = np.linspace(0.25, 0.9, 24, dtype=np.float32).reshape(2, 3, 4)


@pytest.mark.parametrize(
    ("name", "formula"),
    [("Identity", np.positive), ("TransData", np.positive), ("Sqrt", np.sqrt), ("Neg", np.negative),
     ("Log", np.log), ("Sigmoid", lambda x: 1 / (1 + np.exp(-x)))],
)  # fmt: skip
def test_one_tensor(name: str, formula: Any) -> None:
    out = pa.zeros((2, 3, 4))

    assert _called(name, _plain(pa.asarray(_X)), _plain(out)) == 0
    assert np.allclose(out.numpy(), formula(_X.astype(float)), rtol=1e-6)


@pytest.mark.parametrize(
    ("name", "formula"),
    [("Add", np.add), ("Sub", np.subtract), ("RealDiv", np.divide), ("Maximum", np.maximum),
     ("Pow", np.power)],
)  # fmt: skip
def test_two_tensors(name: str, formula: Any) -> None:
    other, out = _X[:1, ::-1].copy(), pa.zeros((2, 3, 4))

    inputs = _plain(pa.asarray(_X), pa.asarray(other))
    assert _called(name, inputs, _plain(out)) == 0, _message()
    assert np.allclose(out.numpy(), formula(_X.astype(float), other), rtol=1e-6)


def test_types_follow_the_output() -> None:
    out = pa.zeros((2, 3, 4), "float16")
    attributes = pa.lib.aclopCreateAttr()
    pa.lib.aclopSetAttrInt(attributes, b"dst_type", 1)

    assert _called("Cast", _plain(pa.asarray(_X)), _plain(out), attributes) == 0
    assert (out.numpy() == _X.astype(np.float16)).all()
    pa.lib.aclopDestroyAttr(attributes)


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_an_order_of_axes_is_a_constant(dtype: str) -> None:
    out, order = pa.zeros((4, 2, 3)), np.array([2, 0, 1], dtype)
    inputs = _plain(pa.asarray(_X), pa.asarray(order))
    held = pa.ffi.from_buffer(order)
    pa.lib.aclSetTensorConst(inputs.descriptions[1], held, order.nbytes)

    assert _called("Transpose", inputs, _plain(out)) == 0
    assert (out.numpy() == _X.transpose(2, 0, 1)).all()


def test_blocks_and_back() -> None:
    x = np.arange(20 * 40, dtype=np.float16).reshape(20, 40)
    blocks, copied = pa.zeros((3, 2, 16, 16), "float16"), pa.zeros((3, 2, 16, 16), "float16")
    back = pa.zeros((20, 40), "float16")
    stored = ((20, 40), NZ, (3, 2, 16, 16))

    assert _called("Identity", _plain(pa.asarray(x)), _Tensors((blocks, *stored))) == 0
    assert _called("Identity", _Tensors((blocks, *stored)), _Tensors((copied, *stored))) == 0
    assert _called("TransData", _Tensors((copied, *stored)), _plain(back)) == 0

    padded = np.zeros((32, 48), np.float16)
    padded[:20, :40] = x
    assert (blocks.numpy() == padded.reshape(2, 16, 3, 16).transpose(2, 0, 1, 3)).all()
    assert (back.numpy() == x).all()


@pytest.mark.parametrize(
    ("name", "nearest"),
    [("DynamicRNN", "aclnnLSTM"), ("MatMul", "aclnnMatmul"), ("Gelu", "aclnnGelu"),
     ("Nonsense", "no function like it")],
)  # fmt: skip
def test_others_are_refused_with_the_nearest_function(name: str, nearest: str) -> None:
    assert _called(name, _plain(pa.asarray(_X)), _plain(pa.zeros((2, 3, 4)))) == UNSUPPORTED
    message = _message()
    assert name in message
    assert nearest in message


def test_what_is_wrong_is_refused() -> None:
    x, out = pa.asarray(_X), pa.zeros((2, 3, 4))
    assert _called("Add", _plain(x), _plain(out)) == UNSUPPORTED
    assert _called("Sqrt", _plain(x), _plain(pa.zeros((2, 3)))) == REFUSED
    assert "161002" in _message()

    inputs = _plain(x)
    pa.lib.aclSetTensorPlaceMent(inputs.descriptions[0], _HOST)
    assert _called("Sqrt", inputs, _plain(out)) == UNSUPPORTED

    attributes = pa.lib.aclopCreateAttr()
    pa.lib.aclopSetAttrFloat(attributes, b"base", 2.0)
    assert _called("Log", _plain(x), _plain(out), attributes) == UNSUPPORTED
    assert "base" in _message()
    pa.lib.aclopDestroyAttr(attributes)

    inputs = _plain(x)
    pa.lib.aclDestroyTensorDesc(inputs.descriptions[0])
    assert _called("Sqrt", inputs, _plain(out)) == INVALID
    assert _called("Transpose", _plain(x, pa.zeros((3,), "int64")), _plain(out)) == UNSUPPORTED
    huge = _Tensors((x, (2**40, 2**40, 4)))
    assert _called("Sqrt", huge, _plain(out)) in (INVALID, REFUSED)


@pytest.mark.parametrize("name", ["RealDiv", "FloorMod", "Xlogy", "Atan2"])
def test_no_tensors_at_all(name: str) -> None:
    null = pa.ffi.NULL
    arguments = (name.encode(), 0, null, null, 1, null, null, null, 0, 0, null, null)
    assert pa.lib.aclopCompileAndExecute(*arguments) == UNSUPPORTED
