"""Pinned host memory, and copies that the host does not wait for."""

from __future__ import annotations

import gc

import numpy as np
import pytest
from gates import Gate

import pyaclnn as pa
from pyaclnn.sim import control

HOST = np.arange(24, dtype=np.float32).reshape(4, 6)


def pinned(values: np.ndarray) -> np.ndarray:
    array = pa.empty_pinned(values.shape, values.dtype)
    array[...] = values
    return array


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int8", "complex64"])
def test_a_pinned_array_has_shape_and_dtype_and_can_be_written(dtype: str) -> None:
    array = pa.empty_pinned((2, 3), dtype)

    array[...] = 3

    assert (array.shape, array.dtype, array.flags.c_contiguous) == (
        (2, 3),
        pa.zeros(1, dtype).dtype,
        True,
    )
    assert (array == 3).all()


@pytest.mark.parametrize("shape", [(), 5, (0, 3)])
def test_a_pinned_array_has_any_shape(shape: int | tuple[int, ...]) -> None:
    expected = (shape,) if isinstance(shape, int) else shape

    assert pa.empty_pinned(shape).shape == expected


def test_a_negative_extent_is_refused() -> None:
    with pytest.raises(ValueError, match="negative extent"):
        pa.empty_pinned((2, -1))


def test_the_memory_goes_with_the_last_view() -> None:
    pa.current_device().destroy_dropped()
    before = control.count("host_block")
    array = pa.empty_pinned(100)
    view = array[::2]
    del array
    held = control.count("host_block")
    del view
    gc.collect()
    pa.current_device().destroy_dropped()

    assert (held - before, control.count("host_block") - before) == (1, 0)


def test_a_copy_to_the_device_is_not_waited_for() -> None:
    stream = pa.current_device().create_stream()
    tensor, source = pa.zeros((4, 6), stream=stream), pinned(HOST)
    with Gate(stream):
        tensor.copy_from(source, stream=stream)
        source[...] = 2 * HOST  # the stream has not come to it yet

    np.testing.assert_array_equal(tensor.numpy(), 2 * HOST)


def test_a_copy_to_the_host_is_not_waited_for() -> None:
    stream = pa.current_device().create_stream()
    tensor, out = pa.asarray(HOST), pinned(np.full_like(HOST, -1))
    with Gate(stream):
        returned = tensor.numpy(out=out, stream=stream)
        early = out.copy()
    stream.sync()

    assert returned is out
    assert (early == -1).all()
    np.testing.assert_array_equal(out, HOST)


def test_without_out_the_new_array_is_filled_later() -> None:
    stream = pa.current_device().create_stream()

    array = pa.asarray(HOST).numpy(stream=stream)
    stream.sync()

    np.testing.assert_array_equal(array, HOST)


@pytest.mark.parametrize(
    "source",
    [HOST, HOST.astype(np.float16), HOST[0], np.asfortranarray(HOST), [[1.5] * 6] * 4, 7.0],
    ids=["pageable", "other dtype", "broadcast", "Fortran order", "lists", "number"],
)
def test_other_values_may_change_once_the_copy_is_submitted(source: object) -> None:
    stream = pa.current_device().create_stream()
    tensor = pa.zeros((4, 6), stream=stream)
    expected = np.broadcast_to(np.array(source, np.float32), (4, 6)).copy()
    given = np.array(source) if isinstance(source, np.ndarray) else source
    with Gate(stream):
        tensor.copy_from(given, stream=stream)
        if isinstance(given, np.ndarray):
            given[...] = -1

    np.testing.assert_array_equal(tensor.numpy(), expected)


def test_copies_in_a_row_are_staged_apart() -> None:
    stream = pa.current_device().create_stream()
    tensors = [pa.zeros(6, stream=stream) for _ in range(5)]
    with Gate(stream):
        for number, tensor in enumerate(tensors):
            tensor.copy_from(np.full(6, number, np.float32), stream=stream)

    assert [tensor.numpy()[0] for tensor in tensors] == [0, 1, 2, 3, 4]


def test_staging_memory_is_used_again() -> None:
    stream = pa.current_device().create_stream()
    tensor = pa.zeros(6, stream=stream)
    tensor.copy_from(np.ones(6, np.float32), stream=stream)
    stream.sync()
    before = control.count("host_block")
    for _ in range(20):
        tensor.copy_from(np.ones(6, np.float32), stream=stream)
        stream.sync()

    assert control.count("host_block") == before


def test_pinned_memory_outlives_the_copy_that_uses_it() -> None:
    stream = pa.current_device().create_stream()
    tensor, source = pa.zeros((4, 6), stream=stream), pinned(HOST)
    with Gate(stream):
        tensor.copy_from(source, stream=stream)
        del source
        gc.collect()

    np.testing.assert_array_equal(tensor.numpy(), HOST)


def test_a_copy_follows_work_of_other_streams_on_the_tensor() -> None:
    first, second = (pa.current_device().create_stream() for _ in range(2))
    tensor, out = pa.zeros((4, 6), stream=first), pinned(np.full_like(HOST, -1))
    with Gate(first):
        tensor.copy_from(pinned(HOST), stream=first)
        tensor.numpy(out=out, stream=second)
    second.sync()

    np.testing.assert_array_equal(out, HOST)


def test_pageable_memory_cannot_be_filled_later() -> None:
    with pytest.raises(ValueError, match="empty_pinned"):
        pa.asarray(HOST).numpy(out=np.empty_like(HOST), stream=pa.current_stream())


def test_a_view_that_is_not_contiguous_needs_waiting() -> None:
    tensor = pa.asarray(HOST)

    with pytest.raises(ValueError, match="not contiguous"):
        tensor[:, ::2].copy_from(HOST[:, ::2], stream=pa.current_stream())
    with pytest.raises(ValueError, match="not contiguous"):
        tensor.T.numpy(stream=pa.current_stream())


def test_a_tensor_is_copied_on_the_stream_that_is_given() -> None:
    stream = pa.current_device().create_stream()
    source, target = pa.asarray(HOST), pa.zeros((4, 6))
    with Gate(stream):
        target.copy_from(source, stream=stream)
        pending = not stream.is_done

    assert pending
    np.testing.assert_array_equal(target.numpy(), HOST)


def test_a_graph_takes_no_copies_of_host_memory() -> None:
    tensor, host = pa.zeros((4, 6)), pinned(HOST)
    with pa.current_device().create_stream() as stream, pa.Graph.capture():
        with pytest.raises(ValueError, match="captured"):
            tensor.copy_from(host, stream=stream)
        with pytest.raises(ValueError, match="captured"):
            tensor.numpy(out=host, stream=pa.current_stream())
