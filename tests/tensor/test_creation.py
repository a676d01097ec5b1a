from __future__ import annotations

import numpy as np
import pytest
from children import output_of
from gates import Gate

import pyaclnn as pa
from pyaclnn.runtime import Device, memory_stats
from pyaclnn.sim import control


@pytest.mark.parametrize(
    "values",
    [
        3.5,
        7,
        True,
        [1, 2, 3],
        [[1.0, 2.0], [3.0, 4.0]],
        np.float16(2.5),
        np.arange(24).reshape(2, 3, 4),
        np.arange(10)[::-1],
        np.arange(24).reshape(4, 6).T[::2],
        np.zeros((0, 3), np.float32),
        np.array(5, np.int8),
        np.array([1, 2], ">i4"),
        memoryview(b"abc"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_asarray_keeps_shape_and_values(values: object) -> None:
    expected = np.asarray(values)
    # Fractions of Python have no width, and take the device's.
    fractions = isinstance(values, (float, list)) and expected.dtype.kind == "f"

    tensor = pa.asarray(values)

    assert tensor.shape == expected.shape
    assert tensor.is_contiguous
    assert tensor.dtype == ("float32" if fractions else expected.dtype.newbyteorder("="))
    np.testing.assert_array_equal(tensor.numpy(), expected)


def test_asarray_converts_to_a_dtype() -> None:
    assert pa.asarray([1.5, 2.5], "bfloat16").numpy().dtype == "bfloat16"


def test_asarray_of_a_tensor_is_the_tensor() -> None:
    tensor = pa.zeros(3)

    assert pa.asarray(tensor) is tensor
    assert pa.asarray(tensor, "float32") is tensor


def test_asarray_of_a_tensor_with_another_dtype_is_a_converted_copy() -> None:
    tensor = pa.asarray([1.5, -2.0], "float32")

    converted = pa.asarray(tensor, "int32")

    assert converted.numpy().tolist() == [1, -2]
    assert converted.dtype == np.int32


def test_the_source_may_be_changed_as_soon_as_asarray_returns() -> None:
    stream = Device(0).create_stream()
    values = np.arange(1000)
    tensor = pa.asarray(values, stream=stream)
    values[:] = -1

    np.testing.assert_array_equal(tensor.numpy(), np.arange(1000))


@pytest.mark.parametrize(
    "values",
    [np.array([None]), np.array(["a"]), np.array(["2020-01-01"], "M8[D]"), np.zeros(2, "i4,f4")],
    ids=str,
)
def test_asarray_refuses_what_has_no_aclnn_dtype(values: object) -> None:
    with pytest.raises(TypeError, match="is not a dtype of aclnn tensors"):
        pa.asarray(values)


def test_asarray_refuses_extended_precision() -> None:
    with pytest.raises(TypeError, match=np.dtype(np.longdouble).name):
        pa.asarray(np.zeros(2, np.longdouble))


@pytest.mark.parametrize("shape", [(), 5, (0,), (2, 3), [4, 1, 2], (1,) * 9, (2, 0, 3)])
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int8", "complex128", "bool"])
def test_zeros_are_zero(shape: object, dtype: str) -> None:
    tensor = pa.zeros(shape, dtype)

    expected = np.zeros(shape, pa.tensor.as_dtype(dtype))
    assert tensor.shape == expected.shape
    np.testing.assert_array_equal(tensor.numpy(), expected)


def test_zeros_clear_memory_that_was_used_before() -> None:
    stream = Device(0).create_stream()
    pa.full(1000, -1, "int32", stream=stream).close()

    tensor = pa.zeros(1000, "int32", stream=stream)

    assert not tensor.numpy().any()


def test_zeros_do_not_wait() -> None:
    stream = Device(0).create_stream()
    with Gate(stream):
        tensor = pa.zeros(1000, "int32", stream=stream)
        pending = not stream.is_done

    assert pending
    assert not tensor.numpy().any()


def test_ones_and_full_repeat_a_value() -> None:
    assert pa.ones((2, 2), "float16").numpy().tolist() == [[1, 1], [1, 1]]
    assert pa.full(3, -7, "int64").numpy().tolist() == [-7, -7, -7]
    assert pa.full((), 2.5, "bfloat16").item() == 2.5


@pytest.mark.parametrize(
    ("value", "dtype", "error"),
    [(256, "uint8", OverflowError), (0.5, "int32", TypeError), (1j, "float32", TypeError)],
)
def test_full_refuses_what_the_dtype_cannot_hold(
    value: object, dtype: str, error: type[Exception]
) -> None:
    with pytest.raises(error, match=dtype):
        pa.full(2, value, dtype)


def test_like_functions_take_shape_and_dtype_from_a_tensor() -> None:
    model = pa.zeros((2, 3), "float16").T

    for make in (pa.empty_like, pa.zeros_like, pa.ones_like, lambda t: pa.full_like(t, 4)):
        tensor = make(model)
        assert (tensor.shape, tensor.dtype) == ((3, 2), np.float16)
        assert tensor.is_contiguous
    assert pa.ones_like(model, "int8").numpy().tolist() == [[1, 1]] * 3
    assert pa.full_like(model, 4).numpy().tolist() == [[4, 4]] * 3


@pytest.mark.parametrize(
    ("shape", "error"), [((2, -1), ValueError), ((1.5,), TypeError), ("ab", TypeError)]
)
def test_a_shape_is_made_of_integers_of_at_least_zero(
    shape: object, error: type[Exception]
) -> None:
    with pytest.raises(error):
        pa.empty(shape)


def test_tensors_go_to_the_device_that_is_named() -> None:
    code = """
    import pyaclnn as pa
    there = pa.Device(1)
    stream = there.create_stream()
    print(pa.zeros(3).device, pa.ones(3, device=there).device, pa.zeros(3, stream=stream).device)
    moved = pa.asarray(pa.full(2, 7, device=there), device=pa.Device(0))
    print(moved.device, moved.numpy())
    back = pa.zeros(2, device=there).copy_from(moved)
    print(back.device, back.numpy())
    try:
        pa.zeros(3, device=pa.Device(0), stream=stream)
    except ValueError as error:
        print(error)
    """

    assert output_of(code, PYACLNN_SIM_DEVICES="2").splitlines() == [
        "Device(0) Device(1) Device(1)",
        "Device(0) [7. 7.]",
        "Device(1) [7. 7.]",
        "the stream is on Device(1), not on Device(0)",
    ]


def test_out_of_memory_while_filling_frees_everything() -> None:
    pa.zeros(1)
    Device(0).pool.trim()
    before = control.count("total")

    with control.fault("aclrtMalloc:0:207001"), pytest.raises(pa.OutOfMemoryError):
        pa.asarray(np.zeros(1 << 20))
    with control.fault("aclrtMemcpy:1:507899"), pytest.raises(pa.AclError):
        pa.asarray(np.zeros(1 << 20))
    Device(0).pool.trim()

    assert control.count("total") <= before


def test_an_empty_tensor_takes_no_memory() -> None:
    before = memory_stats().in_use
    tensor = pa.empty((4, 0, 2))

    assert memory_stats().in_use == before
    assert (tensor.size, tensor.nbytes) == (0, 0)
    assert tensor.handle != pa.ffi.NULL


def test_full_repeats_a_value_beyond_what_the_host_keeps_of_it() -> None:
    values = pa.full((3, 1 << 23), -2.5, "float16").numpy()

    assert values.shape == (3, 1 << 23)
    assert bool((values == -2.5).all())


def test_the_device_refuses_what_it_has_no_room_for_before_the_host_fills_it() -> None:
    with pytest.raises(pa.OutOfMemoryError):
        pa.ones((1 << 40,))


@pytest.mark.parametrize("shape", [(2**62, 2**62), (2**63,), (2**70, 3)])
def test_more_than_any_device_has_is_out_of_memory(shape: tuple[int, ...]) -> None:
    with pytest.raises(pa.OutOfMemoryError, match="bytes were asked of"):
        pa.empty(shape)


@pytest.mark.parametrize("shape", [(2**63, 0), (0, 2**62, 2**62)])
def test_extents_and_strides_have_64_bits(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="64-bit"):
        pa.empty(shape)
    with pytest.raises(ValueError, match="64-bit"):
        pa.ones(()).broadcast_to((2**63, *shape))
