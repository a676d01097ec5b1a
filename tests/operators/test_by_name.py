"""Single operators that are asked for by name: run where an aclnn function takes the same."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

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


def _in_blocks(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The last two axes in squares of 16, filled up with zeros, column by column of squares."""
    *lead, rows, columns = x.shape
    padded = np.zeros((*lead, -(-rows // 16) * 16, -(-columns // 16) * 16), x.dtype)
    padded[..., :rows, :columns] = x
    squares = padded.reshape(*lead, padded.shape[-2] // 16, 16, padded.shape[-1] // 16, 16)
    return np.moveaxis(squares, -2, -4)


@pytest.mark.parametrize("blocks", [{"left"}, {"right"}, {"out"}, {"left", "right", "out"}])
def test_a_product_is_of_what_blocks_hold(blocks: set[str]) -> None:
    """torch_npu asks for a product of halves in blocks, whatever its matrices are in."""
    rng = np.random.default_rng(3)
    x = {"left": rng.normal(size=(2, 20, 5)), "right": rng.normal(size=(2, 40, 5))}
    values = {name: x.astype(np.float16) for name, x in x.items()}
    values["out"] = np.zeros((2, 20, 40), np.float16)
    given = {}
    for name, value in values.items():
        stored = _in_blocks(value) if name in blocks else value
        form = (NZ, stored.shape) if name in blocks else ()
        given[name] = (pa.asarray(stored), value.shape, *form)
    inputs = _Tensors(given["left"], given["right"])
    attributes = _attributes({"adj_x1": False, "adj_x2": True})

    assert _called("BatchMatMul", inputs, _Tensors(given["out"]), attributes) == 0
    pa.lib.aclopDestroyAttr(attributes)

    left, right = (values[name].astype(np.float64) for name in ("left", "right"))
    expected = left @ right.swapaxes(1, 2)
    made = given["out"][0].numpy()
    expected = _in_blocks(expected) if "out" in blocks else expected
    np.testing.assert_allclose(made, expected, rtol=2e-3, atol=1e-3)


def test_elements_of_blocks_and_of_rows_meet() -> None:
    rows, other = np.arange(20 * 5).reshape(20, 5).astype(np.float16), np.ones((20, 5), np.float16)
    blocks = pa.asarray(_in_blocks(other))
    out = pa.zeros((20, 5), "float16")
    inputs = _Tensors((pa.asarray(rows), rows.shape), (blocks, rows.shape, NZ, blocks.shape))

    assert _called("Sub", inputs, _plain(out)) == 0
    assert (out.numpy() == rows - 1).all()


class _Host(NamedTuple):
    """A constant: numbers in memory of the host."""

    numbers: Any


def _attributes(values: dict[str, Any]) -> Any:
    made = pa.lib.aclopCreateAttr()
    for name, value in values.items():
        if isinstance(value, bool):
            pa.lib.aclopSetAttrBool(made, name.encode(), value)
        elif isinstance(value, int):
            pa.lib.aclopSetAttrInt(made, name.encode(), value)
        elif isinstance(value, str):
            pa.lib.aclopSetAttrString(made, name.encode(), value.encode())
        elif isinstance(value, float):
            pa.lib.aclopSetAttrFloat(made, name.encode(), value)
        else:
            pa.lib.aclopSetAttrListInt(made, name.encode(), len(value), value)
    return made


def _computed(
    name: str, inputs: Sequence[Any], outputs: Sequence[Any], values: dict[str, Any] | None = None
) -> int:
    """Run an operator; what is of the host, or None, is described so."""
    lib, kept = pa.lib, []
    arrays = [np.asarray(x.numbers) if isinstance(x, _Host) else x for x in inputs]
    arrays = [np.zeros(1, np.float32) if x is None else x for x in arrays]
    given = _plain(*(pa.asarray(a) for a in arrays))
    for i, (x, array) in enumerate(zip(inputs, arrays, strict=True)):
        if x is None:
            lib.aclDestroyTensorDesc(given.descriptions[i])
            given.descriptions[i] = lib.aclCreateTensorDesc(-1, 0, [], -1)
        if isinstance(x, _Host):
            kept.append(array := np.ascontiguousarray(array))
            lib.aclSetTensorPlaceMent(given.descriptions[i], _HOST)
            lib.aclDestroyDataBuffer(given.buffers[i])
            address = pa.ffi.cast("void *", array.ctypes.data)
            given.buffers[i] = lib.aclCreateDataBuffer(address, array.nbytes)
    attributes = _attributes(values or {})
    status = _called(name, given, _plain(*outputs), attributes)
    lib.aclopDestroyAttr(attributes)
    return status


def _softmax(x: Any, axis: int) -> Any:
    raised = np.exp(x - x.max(axis, keepdims=True))
    return raised / raised.sum(axis, keepdims=True)


_D = _X.astype(float)
_M = _X.reshape(4, 6)
_AXES = _Host(np.array([0, 2]))
_KEPT = {"keep_dims": True}


@pytest.mark.parametrize(
    ("name", "inputs", "attributes", "expected"),
    [
        ("LogSoftmaxV2", [_X], {"axes": [1]}, np.log(_softmax(_D, 1))),
        ("SoftmaxV2", [_X], {"axes": [-1]}, _softmax(_D, -1)),
        ("SoftmaxGrad", [_X, _X + 1], {"axes": [2]},
         _D * (_D + 1 - (_D * (_D + 1)).sum(2, keepdims=True))),
        ("LogSoftmaxGrad", [_X + 1, _X], {"axis": [2]},
         _D + 1 - np.exp(_D) * (_D + 1).sum(2, keepdims=True)),
        ("MatMul", [_M, _M], {"transpose_x1": True, "transpose_x2": False},
         _M.T.astype(float) @ _M),
        ("BatchMatMul", [_X, _X], {"adj_x1": False, "adj_x2": True}, _D @ _D.swapaxes(1, 2)),
        ("ReduceSum", [_X, _AXES], _KEPT, _D.sum((0, 2), keepdims=True)),
        ("ReduceMean", [_X, _AXES], {"keep_dims": False}, _D.mean((0, 2))),
        ("ReduceMax", [_X, _AXES], {}, _D.max((0, 2))),
        ("ReduceMin", [_X, _AXES], {}, _D.min((0, 2))),
        ("ReduceAll", [_X > 0.3, _AXES], {}, (_X > 0.3).all((0, 2))),
        ("ReduceAny", [_X > 0.3, _AXES], {}, (_X > 0.3).any((0, 2))),
        ("ArgMaxV2", [-_X, _Host(np.int64(1))], {}, (-_D).argmax(1)),
        ("Triu", [_M], {"diagonal": 1}, np.triu(_M, 1)),
        ("Tril", [_M], {"diagonal": -1}, np.tril(_M, -1)),
        ("Addcmul", [_X, _X, _X, _Host(np.float32(2))], {}, _D + 2 * _D * _D),
        ("Addcdiv", [_X, _X, _X, _Host(np.float32(2))], {}, _D + 2),
        ("Add", [_X, _Host(np.float32(0.5))], {}, _D + 0.5),
        ("Add", [np.arange(4), _Host(np.int64(1))], {}, np.arange(4) + 1),
        ("Sub", [np.arange(4), np.arange(4)], {}, np.zeros(4, int)),
        ("Axpy", [_X, _X], {"alpha": 0.25}, _D * 1.25),
        ("SigmoidGrad", [_X, _X + 1], {}, (_D + 1) * _D * (1 - _D)),
        ("TanhGrad", [_X, _X + 1], {}, (_D + 1) * (1 - _D * _D)),
        ("BroadcastTo", [_X[:1], _Host(np.array([5, 3, 4]))], {},
         np.broadcast_to(_X[:1], (5, 3, 4))),
        ("ClipByValue", [_X, _Host(np.float32(0.4)), _Host(np.float32(0.6))], {},
         np.clip(_D, 0.4, 0.6)),
        ("ConcatD", [_X, _X[:, :1]], {"N": 2, "concat_dim": 1},
         np.concatenate([_X, _X[:, :1]], 1)),
        ("Cumsum", [_X, _Host(np.int32(2))], {}, _D.cumsum(2)),
        ("Elu", [_X - 0.5], {"alpha": 2.0, "scale": 1.0, "input_scale": 1.0},
         np.where(_D > 0.5, _D - 0.5, 2 * np.expm1(_D - 0.5))),
        ("Fill", [_Host(np.array([4, 6])), np.float32(3)], {}, np.full((4, 6), 3.0)),
        ("GatherElements", [_M, np.array([[5, 0], [1, 1]])], {"dim": 1},
         np.take_along_axis(_M[:2], np.array([[5, 0], [1, 1]]), 1)),
        ("GatherV2", [_X, np.array([2, 0]), _Host(np.array([1]))], {"batch_dims": 0},
         _X[:, [2, 0]]),
        ("Gelu", [_X], {},
         _D / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (_D + 0.044715 * _D**3)))),
        ("LeakyRelu", [_X - 0.5], {"negative_slope": 0.5},
         np.where(_D > 0.5, _D - 0.5, (_D - 0.5) / 2)),
        ("Lerp", [_X, _X + 1, _X], {}, 2 * _D),
        ("Mish", [_X], {}, _D * np.tanh(np.log1p(np.exp(_D)))),
        ("Muls", [_X], {"value": 3.0}, 3 * _D),
        ("OnesLike", [_X], {}, np.ones((2, 3, 4))),
        ("ZerosLike", [_X], {}, np.zeros((2, 3, 4))),
        ("Pad", [_M, _Host(np.array([[1, 0], [0, 2]]))], {}, np.pad(_M, [(1, 0), (0, 2)])),
        ("ReluGrad", [_X, _X - 0.5], {}, np.where(_X > 0.5, _X, 0)),
        ("Roll", [_X], {"shifts": [1], "dims": [2]}, np.roll(_X, 1, 2)),
        ("Round", [_X], {"decimals": 1}, np.round(_D, 1)),
        ("Select", [_X > 0.5, _X, -_X], {}, np.where(_X > 0.5, _X, -_X)),
        ("Slice", [_M, _Host(np.array([1, 2])), _Host(np.array([2, 3]))], {}, _M[1:3, 2:5]),
        ("SoftplusV2", [_X], {"beta": 2.0, "threshold": 20.0}, np.log1p(np.exp(2 * _D)) / 2),
        ("Swish", [_X], {"scale": 2.0}, _D / (1 + np.exp(-2 * _D))),
        ("SwishGrad", [_X + 1, _X, _X], {},
         (_D + 1) * (1 + _D * (1 - 1 / (1 + np.exp(-_D)))) / (1 + np.exp(-_D))),
        ("Tile", [_M, _Host(np.array([2, 3]))], {}, np.tile(_M, (2, 3))),
    ],
)  # fmt: skip
def test_constants_and_attributes_are_parameters(
    name: str, inputs: list[Any], attributes: dict[str, Any], expected: Any
) -> None:
    expected = np.asarray(expected)
    kinds = {"f": "float32", "i": "int64", "b": "bool"}
    out = pa.zeros(expected.shape, kinds[expected.dtype.kind])

    assert _computed(name, inputs, [out], attributes) == 0, _message()
    assert np.allclose(out.numpy(), expected, rtol=1e-5, atol=1e-6)


_IMAGE, _FILTER = np.arange(2 * 2 * 5 * 6).reshape(2, 2, 5, 6) % 7.0, np.arange(24.0) % 5
_STEPS = {"strides": [1, 1, 2, 1], "pads": [1, 1, 0, 0], "dilations": [1, 1, 1, 2], "groups": 1}


def _images(*arrays: Any) -> _Tensors:
    """Four axes are of images: channels come first."""
    made = [pa.asarray(np.asarray(a, np.float32)) for a in arrays]
    return _Tensors(*((t, t.shape, NCHW, t.shape) if t.ndim == 4 else (t, t.shape) for t in made))


def _convolution(image: Any, weights: Any) -> Any:
    """Steps and distances of `_STEPS`, a row of zeros above and below."""
    padded = np.pad(image, [(0, 0), (0, 0), (1, 1), (0, 0)])
    rows, columns = padded.shape[2] - weights.shape[2], padded.shape[3] - 2 * weights.shape[3] + 1
    result = np.zeros((image.shape[0], weights.shape[0], rows // 2 + 1, columns + 1))
    for k in np.ndindex(weights.shape[2:]):
        part = padded[:, :, k[0] :: 2, 2 * k[1] :][:, :, : result.shape[2], : result.shape[3]]
        result += np.einsum("nchw,oc->nohw", part, weights[:, :, k[0], k[1]])
    return result


def test_a_convolution_with_its_bias() -> None:
    weights, bias = _FILTER.reshape(3, 2, 2, 2), np.array([1.0, 2, 3])
    expected = _convolution(_IMAGE, weights) + bias[:, None, None]
    out = pa.zeros(expected.shape)
    attributes = _attributes(_STEPS)
    pa.lib.aclopSetAttrString(attributes, b"data_format", b"NCHW")

    inputs, outputs = _images(_IMAGE, weights, bias), _Tensors((out, out.shape, NCHW, out.shape))
    assert _called("Conv2D", inputs, outputs, attributes) == 0, _message()
    assert np.allclose(out.numpy(), expected)
    pa.lib.aclopSetAttrString(attributes, b"data_format", b"NHWC")
    inputs, outputs = _images(_IMAGE, weights, bias), _Tensors((out, out.shape, NCHW, out.shape))
    assert _called("Conv2D", inputs, outputs, attributes) == UNSUPPORTED
    assert "NHWC" in _message()
    pa.lib.aclopDestroyAttr(attributes)


@pytest.mark.parametrize(
    ("changed", "code", "says"),
    [
        ({"strides": [1, 2, 2, 1]}, UNSUPPORTED, "1 and 2"),
        ({"dilations": [2, 1, 1, 2]}, UNSUPPORTED, "2 and 1"),
        ({"pads": [1, 0, 0, 0]}, UNSUPPORTED, "both sides"),
        ({"strides": [2, 1]}, REFUSED, "2 numbers"), ({"groups": 0}, REFUSED, "aclnnConvolution"),
        ({"offset_x": 1}, UNSUPPORTED, "offset_x"),
    ],
)  # fmt: skip
def test_a_convolution_that_no_function_does_is_refused(
    changed: dict[str, Any], code: int, says: str
) -> None:
    weights = _FILTER.reshape(3, 2, 2, 2)
    out = pa.zeros(_convolution(_IMAGE, weights).shape)
    attributes = _attributes(_STEPS | changed)

    inputs, outputs = _images(_IMAGE, weights), _Tensors((out, out.shape, NCHW, out.shape))
    assert _called("Conv2D", inputs, outputs, attributes) == code
    assert says in _message()
    pa.lib.aclopDestroyAttr(attributes)


def test_a_transposed_convolution_is_the_other_one_turned_round() -> None:
    """<conv(x), y> = <x, transposed(y)> for every x and y."""
    weights, rng = _FILTER.reshape(3, 2, 2, 2), np.random.default_rng(5)
    made = _convolution(_IMAGE, weights)
    given = rng.integers(-3, 4, made.shape).astype(float)
    out = pa.zeros(_IMAGE.shape)
    shape = _IMAGE.shape
    lost = (shape[2] + 2 - 2) % 2  # rows that no step reaches
    attributes = _attributes(_STEPS | {"output_padding": [0, 0, lost, 0]})

    inputs = _images(np.zeros(4), given, weights)
    assert _called("Conv2DTranspose", inputs, _Tensors((out, shape, NCHW, shape)), attributes) == 0
    pa.lib.aclopDestroyAttr(attributes)
    assert np.isclose((made * given).sum(), (_IMAGE * out.numpy()).sum())


@pytest.mark.parametrize("turned", [False, True])
def test_places_of_what_is_not_zero_have_as_many_rows_as_there_are(turned: bool) -> None:
    """The second version tells the caller the shape; room is there for all elements."""
    lib, ffi = pa.lib, pa.ffi
    x = np.array([[0, 3, 0], [4, 0, 5]], np.float32)
    out = pa.zeros((2, 6) if turned else (6, 2), "int64")
    inputs, outputs = _plain(pa.asarray(x)), _plain(out)
    attributes = _attributes({"transpose": turned})

    status = lib.aclopCompileAndExecuteV2(
        b"NonZero", *inputs.arguments(), *outputs.arguments(), attributes, 0, 0, ffi.NULL,
        pa.Device(0).default_stream.handle,
    )  # fmt: skip
    assert status == 0, _message()
    size, extents = ffi.new("int64_t *"), []
    for axis in range(2):
        lib.aclGetTensorDescDimV2(outputs.descriptions[0], axis, size)
        extents.append(size[0])
    inputs.close()
    outputs.close()
    lib.aclopDestroyAttr(attributes)
    places = np.argwhere(x).T if turned else np.argwhere(x)
    assert extents == list(places.shape)
    assert (out.numpy().ravel()[: places.size] == places.ravel()).all()


_CELL = {
    "cell_type": "LSTM", "direction": "UNIDIRECTIONAL", "cell_depth": 1, "use_peephole": False,
    "keep_prob": 1.0, "cell_clip": -1.0, "num_proj": 0, "time_major": True, "activation": "tanh",
}  # fmt: skip
_FORWARD = {**_CELL, "forget_bias": 0.0, "gate_order": "ifco"}
_BACK = {
    **_CELL, "recurrent_activation": "sigmoid", "gate_order": "ifjo", "stateful": False,
    "merge_mode": "concat",
}  # fmt: skip


def _cell(x: Any, w: Any, u: Any, b: Any, h: Any, c: Any) -> list[Any]:
    """Both states, then input, cell, forget and output gates and the tangent of the cell state."""
    i, f, g, o = np.split(x @ w + h @ u + b, 4, -1)
    i, f, o = (1 / (1 + np.exp(-gate)) for gate in (i, f, o))
    g = np.tanh(g)
    state = f * c + i * g
    return [o * np.tanh(state), state, i, g, f, o, np.tanh(state)]


def _cell_operands() -> list[Any]:
    """Input of a batch of 2, weights for it and for 3 hidden units, a bias, and both states."""
    rng = np.random.default_rng(21)
    shapes = (1, 2, 4), (4, 12), (3, 12), (12,), (1, 2, 3), (1, 2, 3)
    return [rng.normal(size=n).astype(np.float32) for n in shapes]


def test_an_lstm_of_several_steps_with_its_weights_in_one_matrix() -> None:
    rng = np.random.default_rng(23)
    _, w, u, b, h, c = _cell_operands()
    x = rng.normal(size=(3, 2, 4)).astype(np.float32)
    hidden, state, expected = h.astype(float), c.astype(float), []
    for step in x.astype(float):
        made = _cell(step[None], w.astype(float), u.astype(float), b.astype(float), hidden, state)
        hidden, state = made[:2]
        expected.append(made)
    outs = [pa.zeros((3, 2, 3)) for _ in range(8)]

    values = {**_FORWARD, "gate_order": "ifjo", "is_training": True}
    inputs = [x, np.concatenate([w, u]), b, None, h, c]
    assert _computed("DynamicRNN", inputs, outs, values) == 0, _message()
    for k, out in enumerate(outs):
        wanted = np.concatenate([made[max(0, k - 1)] for made in expected])
        np.testing.assert_allclose(out.numpy(), wanted, rtol=1e-5, atol=1e-6)
    values["direction"] = "REDIRECTIONAL"
    assert _computed("DynamicRNN", inputs, outs, values) == UNSUPPORTED


@pytest.mark.parametrize("biased", [True, False])
def test_an_lstm_cell_keeps_its_gates(biased: bool) -> None:
    x, w, u, b, h, c = _cell_operands()
    expected = _cell(*(a.astype(float) for a in (x, w, u, b * biased, h, c)))
    outs = [pa.zeros((1, 2, 3)) for _ in range(8)]

    inputs = [x, w, u, b if biased else None, None, h, c]
    assert _computed("DynamicRNNV2", inputs, outs, _FORWARD) == 0, _message()
    for out, wanted in zip(outs, [expected[0], *expected], strict=True):
        np.testing.assert_allclose(out.numpy(), wanted, rtol=1e-5, atol=1e-6)


def test_the_derivative_of_an_lstm_cell() -> None:
    """By differences, along all operands, of both states weighted."""
    operands = [a.astype(float) for a in _cell_operands()]
    rng = np.random.default_rng(22)
    dy, dh, dc = (rng.normal(size=(1, 2, 3)) for _ in range(3))

    def weighted(values: list[Any]) -> float:
        hidden, state, *_ = _cell(*values)
        return float((hidden * (dy + dh)).sum() + (state * dc).sum())

    slopes = []
    for k, operand in enumerate(operands):
        slope = np.zeros(operand.shape)
        for at in np.ndindex(operand.shape):
            ends = []
            for step in (1e-6, -1e-6):
                moved = [a.copy() for a in operands]
                moved[k][at] += step
                ends.append(weighted(moved))
            slope[at] = (ends[0] - ends[1]) / 2e-6
        slopes.append(slope)
    x, w, u, _, h, c = _cell_operands()
    hidden, state, *gates = (a.astype(np.float32) for a in _cell(*operands))
    number = np.zeros((), np.float32)
    flat = [a.astype(np.float32)[0] for a in (dh, dc)]
    # torch_npu's cell gives what has one step without its axis.
    inputs = [x[0], w, u, hidden, h[0], c[0], hidden[0], state[0], dy.astype(np.float32), *flat,
              *gates, number, number, number, number, np.zeros((), np.uint8)]  # fmt: skip
    outs = [pa.zeros(n) for n in ((4, 12), (3, 12), (12,), (2, 4), (2, 3), (2, 3))]

    assert _computed("DynamicRNNV2Grad", inputs, outs, _BACK) == 0, _message()
    for out, k in zip(outs, (1, 2, 3, 0, 4, 5), strict=True):
        wanted = slopes[k].reshape(out.shape)
        np.testing.assert_allclose(out.numpy(), wanted, rtol=1e-4, atol=1e-5)

    # A matrix for both weights, whose gradient has other numbers for what it does not read.
    inputs[1:3] = np.concatenate([w, u]), np.zeros(12, np.float32)
    outs = [pa.zeros(n) for n in ((7, 12), (12,), (1, 2, 4), (1, 2, 3), (1, 2, 3))]
    values = {
        **_FORWARD,
        "gate_order": "ifjo",
        "cell_type": True,
        "cell_depth": 0,
        "keep_prob": -1.0,
    }
    assert _computed("DynamicRNNGrad", inputs, outs, values) == 0, _message()
    both = [np.concatenate(slopes[1:3]), slopes[3], slopes[0], *slopes[4:]]
    for out, slope in zip(outs, both, strict=True):
        np.testing.assert_allclose(out.numpy(), slope.reshape(out.shape), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"gate_order": "ijfo"}, "gate_order is ijfo"), ({"forget_bias": 1.0}, "forget_bias is 1"),
        ({"direction": "REDIRECTIONAL"}, "REDIRECTIONAL"), ({"cell_depth": 2}, "cell_depth = 1"),
    ],
)  # fmt: skip
def test_another_cell_is_refused(changed: dict[str, Any], says: str) -> None:
    x, w, u, b, h, c = _cell_operands()
    outs = [pa.zeros((1, 2, 3)) for _ in range(8)]

    inputs = [x, w, u, b, None, h, c]
    assert _computed("DynamicRNNV2", inputs, outs, _FORWARD | changed) == UNSUPPORTED
    assert says in _message()
    inputs[4] = np.zeros((1, 2, 3), np.float16)  # lengths of sequences
    assert _computed("DynamicRNNV2", inputs, outs, _FORWARD) == UNSUPPORTED
    assert "input 4" in _message()


def test_what_a_mask_drops() -> None:
    x, bits = np.arange(1.0, 129, dtype=np.float32), np.arange(16, dtype=np.uint8) * 7
    out = pa.zeros(128)

    assert _computed("DropOutDoMask", [x, bits, _Host(np.float32(0.25))], [out]) == 0, _message()
    assert (out.numpy() == x * 4 * np.unpackbits(bits, bitorder="little")).all()


_REGION = {"pooled_height": 2, "pooled_width": 3, "spatial_scale": 0.5, "sample_num": 2}


def _region(image: Any, box: Sequence[float], shift: float) -> Any:
    """Means of four points of each of six bins, all of which are inside of the image."""
    left, top, right, bottom = (0.5 * edge - shift for edge in box)
    height, width = (bottom - top) / 2, (right - left) / 3
    made = np.zeros((2, 3))
    for i, j, a, b in np.ndindex(2, 3, 2, 2):
        y, x = top + height * (i + (a + 0.5) / 2), left + width * (j + (b + 0.5) / 2)
        rows, columns = (np.maximum(0, 1 - np.abs(np.arange(n) - at))
                         for n, at in zip(image.shape, (y, x), strict=True))  # fmt: skip
        made[i, j] += rows @ image @ columns / 4
    return made


@pytest.mark.parametrize(("mode", "shift"), [(0, 0.0), (2, 0.5)])
def test_regions_of_an_image_and_back(mode: int, shift: float) -> None:
    image = np.random.default_rng(8).normal(size=(1, 1, 6, 7)).astype(np.float32)
    box = (3.0, 2.5, 11.0, 9.0)
    boxes, out, back = (
        np.array([[0.0, *box]], np.float32),
        pa.zeros((1, 1, 2, 3)),
        pa.zeros(image.shape),
    )
    values = _attributes({**_REGION, "roi_end_mode": mode})

    def images(*tensors: pa.Tensor) -> _Tensors:
        return _Tensors(
            *((t, t.shape, NCHW, t.shape) if t.ndim == 4 else (t, t.shape) for t in tensors)
        )

    inputs = images(pa.asarray(image), pa.asarray(boxes))
    assert _called("ROIAlign", inputs, images(out), values) == 0, _message()
    assert np.allclose(out.numpy()[0, 0], _region(image[0, 0].astype(float), box, shift), atol=1e-5)
    # <regions(x), y> = <x, back(y)> for every x and y.
    weights = np.arange(6, dtype=np.float32).reshape(1, 1, 2, 3) - 2
    pa.lib.aclopSetAttrListInt(values, b"xdiff_shape", 4, list(image.shape))
    inputs = images(pa.asarray(weights), pa.asarray(boxes))
    assert _called("ROIAlignGrad", inputs, images(back), values) == 0, _message()
    assert np.isclose((back.numpy() * image).sum(), (out.numpy() * weights).sum(), rtol=1e-4)
    pa.lib.aclopSetAttrInt(values, b"roi_end_mode", 1)
    inputs = images(pa.asarray(image), pa.asarray(boxes))
    assert _called("ROIAlign", inputs, images(out), values) == UNSUPPORTED
    assert "roi_end_mode is 1" in _message()
    pa.lib.aclopDestroyAttr(values)


@pytest.mark.parametrize("power", [1.0, 2.0, 3.0, -1.0])
def test_gradients_of_distances_of_pairs(power: float) -> None:
    rng = np.random.default_rng(9)
    shapes = (2, 4, 3), (2, 5, 3), (2, 4, 5)
    left, right, grad = (rng.normal(size=n).astype(np.float32) for n in shapes)
    differences = left[:, :, None] - right[:, None]
    norm = np.inf if power < 0 else power
    distances = np.linalg.norm(differences, norm, -1)
    pairs = [np.broadcast_to(a, differences.shape).astype(np.float32) for a in (
        grad[..., None], left[:, :, None], right[:, None], distances[..., None])]  # fmt: skip
    out = pa.zeros(left.shape)

    assert _computed("CdistGrad", pairs, [out], {"p": power}) == 0, _message()
    if power < 0:
        largest = np.abs(differences) == distances[..., None]
        slopes = np.sign(differences) * largest
    else:
        slopes = np.sign(differences) * (np.abs(differences) / distances[..., None]) ** (power - 1)
    assert np.allclose(out.numpy(), (grad[..., None] * slopes).sum(2), atol=1e-5)


@pytest.mark.parametrize("first", [True, False])
def test_axes_change_places_before_or_after_a_shape(first: bool) -> None:
    order = [2, 0, 1] if first else [1, 2, 0]
    shape = [8, 3] if first else [3, 4, 2]
    expected = _X.transpose(order).reshape(shape) if first else _X.reshape(shape).transpose(order)
    out = pa.zeros(expected.shape)
    values = {"perm": order, "shape": shape, "transpose_first": first}

    assert _computed("ConfusionTransposeD", [_X], [out], values) == 0
    assert (out.numpy() == expected).all()


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"perm": [2, 0, 3]}, "axis 3"),
        ({"perm": [-1, 0, 1]}, "axis -1"),
        ({"transpose_first": False, "shape": [5, 5]}, "25"),
        ({"transpose_first": False, "shape": [-4, -6]}, "-6|24"),
    ],
)
def test_a_shape_that_the_elements_do_not_have_is_refused(
    changed: dict[str, Any], says: str
) -> None:
    values = {"perm": [2, 0, 1], "shape": [8, 3], "transpose_first": True, **changed}

    assert _computed("ConfusionTransposeD", [_X], [pa.zeros((8, 3))], values) == REFUSED
    assert re.search(says, _message())


def test_two_results() -> None:
    values, places = pa.zeros((2, 4)), pa.zeros((2, 4), "int32")
    asked = {"dimension": 1, "keep_dims": False}
    assert _computed("ArgMaxWithValue", [-_X], [places, values], asked) == 0, _message()
    assert (values.numpy() == (-_X).max(1)).all()
    assert (places.numpy() == (-_X).argmax(1)).all()

    ordered, order = pa.zeros((4, 6)), pa.zeros((4, 6), "int64")
    asked = {"axis": -1, "descending": True}
    assert _computed("Sort", [_M], [ordered, order], asked) == 0, _message()
    assert (ordered.numpy() == _M[:, ::-1]).all()
    assert (order.numpy() == np.arange(6)[::-1]).all()


def test_bits_there_and_back() -> None:
    signs = np.where(np.arange(16) % 3 == 0, 1, -1).astype(np.float32)
    packed, back = pa.zeros((1, 2), "uint8"), pa.zeros((1, 16))

    assert _computed("SignBitsPack", [signs], [packed], {"size": 1}) == 0, _message()
    asked = {"size": 1, "dtype": 0}
    assert _computed("SignBitsUnpack", [packed.numpy().ravel()], [back], asked) == 0, _message()
    assert (back.numpy().ravel() == signs).all()


@pytest.mark.parametrize(
    ("name", "inputs", "attributes"),
    [
        ("SoftmaxV2", [_X], {"axes": [0, 1]}),  # one axis
        ("GatherV2", [_X, np.array([0]), _Host(np.array([1]))], {"batch_dims": 1}),
        ("Slice", [_M, _Host(np.array([3, 2])), _Host(np.array([2, 3]))], {}),  # reaches beyond
        ("Slice", [_M, _Host(np.array([-(2**63), 2**62])), _Host(np.array([2, 3]))], {}),
        ("ReduceSum", [_X, _X], {}),  # axes on the device
        ("ReduceSum", [_X], {}),
        ("MatMul", [_M, _M, _M], {"transpose_x2": True}),  # a bias
        ("Muls", [_X], {"value": [1]}),
        ("Addcmul", [_X, _X, _X, np.float32(2)], {}),  # a number on the device
    ],
)
def test_what_has_no_parameter_is_refused(
    name: str, inputs: list[Any], attributes: dict[str, Any]
) -> None:
    out = pa.full((2, 3), 7.0)

    assert _computed(name, inputs, [out], attributes) in (UNSUPPORTED, REFUSED, INVALID)
    assert (out.numpy() == 7).all()


def test_memory_of_the_host_is_as_large_as_it_says() -> None:
    short = _Host(np.zeros(2, np.float32))
    inputs = _plain(pa.asarray(_X))
    pa.lib.aclSetTensorPlaceMent(inputs.descriptions[0], _HOST)
    pa.lib.aclDestroyDataBuffer(inputs.buffers[0])
    address = pa.ffi.cast("void *", short.numbers.ctypes.data)
    inputs.buffers[0] = pa.lib.aclCreateDataBuffer(address, short.numbers.nbytes)

    assert _called("Sqrt", inputs, _plain(pa.zeros((2, 3, 4)))) == INVALID


@pytest.mark.parametrize(
    ("name", "nearest"),
    [("DynamicGRUV2", "aclnnGRU"), ("Conv3D", "aclnnConvolution"), ("Softsign", "like it"),
     ("Nonsense", "no function like it")],
)  # fmt: skip
def test_others_are_refused_with_the_nearest_function(name: str, nearest: str) -> None:
    assert _called(name, _plain(pa.asarray(_X)), _plain(pa.zeros((2, 3, 4)))) == UNSUPPORTED
    message = _message()
    assert name in message
    assert nearest in message


@pytest.mark.parametrize(("name", "count"), [("Addcmul", 3), ("Maximum", 2), ("TanhGrad", 2)])
def test_operands_of_different_types_have_no_kernel(name: str, count: int) -> None:
    """The kernels of these are compiled for one type, which all operands have."""
    operands = [pa.asarray(np.ones(3, kind)) for kind in (np.float32, np.int64, np.float32)]

    assert _called(name, _plain(*operands[:count]), _plain(pa.zeros(3))) == REFUSED

    assert "input 0 is float32 and input 1 is int64" in _message()


def test_what_is_wrong_is_refused() -> None:
    x, out = pa.asarray(_X), pa.zeros((2, 3, 4))
    assert _called("Add", _plain(x), _plain(out)) == UNSUPPORTED
    assert _called("Sqrt", _plain(x), _plain(pa.zeros((2, 3)))) == REFUSED
    assert "161002" in _message()

    outputs = _plain(out)
    pa.lib.aclSetTensorPlaceMent(outputs.descriptions[0], _HOST)
    assert _called("Sqrt", _plain(x), outputs) == UNSUPPORTED
    assert _called("Sqrt", _plain(x), _plain(out, out)) == UNSUPPORTED

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
