"""Elements of 8 and 4 bits that the 950 moves: which releases do, their bits, and refusals."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from children import found_on, output_of
from operators.calls import INNER_NULL, INVALID, NO_KERNEL, code_of, device, ones

import pyaclnn as pa
from pyaclnn.selftest.formulas.narrow import hifloat8_values
from pyaclnn.tensor.formats import with_format

CODES = np.arange(24, dtype=np.uint8).reshape(2, 3, 4) + 80
PAIRS = CODES.reshape(6, 4)  # eight elements of 4 bits in each row
E5M2, E4M3, E8M0, HALF = "float8_e5m2", "float8_e4m3fn", "float8_e8m0fnu", "float4_e2m1fn"
HIFLOAT8 = "hifloat8"


def of(values: Any, name: str, *shape: int) -> pa.Tensor:
    """Return a tensor of these bits in a type that NumPy lacks."""
    array = np.asarray(values, np.uint8)
    return with_format(pa.asarray(array), "ND", dtype=name, shape=shape or array.shape)


def bits(name: str, *shape: int) -> pa.Tensor:
    """Return a tensor whose bits are 0."""
    size = int(np.prod(shape)) // (2 if name.startswith("float4") else 1)
    return of(np.zeros(size, np.uint8), name, *shape)


def pad(name: str, padding: Any = (1, 1), value: float = 0, shape: Any = (2, 4)) -> pa.Tensor:
    pairs = [(0, 0)] * (len(shape) - len(padding) // 2)
    pairs += [(padding[i], padding[i + 1]) for i in range(0, len(padding), 2)][::-1]
    out = bits(name, *(n + sum(p) for n, p in zip(shape, pairs, strict=True)))
    return pa.ops.constant_pad_nd(bits(name, *shape), list(padding), value, out=out)


def copied(mode: str, name: str) -> pa.Tensor:
    return pa.ops[mode + "_pad1d"](bits(name, 2, 4), [1, 1], out=bits(name, 2, 6))


def gather(name: str) -> pa.Tensor:
    return pa.ops.gather(bits(name, 2, 4), 0, device([[0, 1]], "int64"), out=bits(name, 1, 2))


def update(name: str) -> pa.Tensor:
    return pa.ops.inplace_scatter_update(
        bits(name, 2, 4), device([0, 0], "int64"), bits(name, 2, 1), 1
    )


def tuples(name: str) -> pa.Tensor:
    return pa.ops.scatter_nd_update(bits(name, 2, 4), device([[0]], "int64"), bits(name, 1, 4))


def permute(name: str) -> pa.Tensor:
    return pa.ops.permute(bits(name, 2, 4), [1, 0], out=bits(name, 4, 2))


def repeat(name: str) -> pa.Tensor:
    return pa.ops.repeat(bits(name, 2, 4), [1, 2], out=bits(name, 2, 8))


def zero(name: str) -> pa.Tensor:
    return pa.ops.inplace_zero(bits(name, 2, 4))


def cat(*names: str, out: str, rows: int = 4) -> pa.Tensor:
    parts = [pa.zeros((2, 4), n) if n in WIDE else bits(n, 2, 4) for n in names]
    whole = pa.zeros((rows, 4), out) if out in WIDE else bits(out, rows, 4)
    return pa.ops.cat(parts, 0, out=whole)


WIDE = ("float32", "float16", "int8", "int32", "uint16", "complex64", "bool")
RELEASES = ("8.5", "9.0", "9.1")
BAD = INVALID
#: Call -> what each of these releases answers on the 950.
STATUSES: dict[str, tuple[int, int, int]] = {
    **{f"pad('{n}')": (BAD, 0, 0) for n in (HIFLOAT8, E5M2, E4M3, E8M0)},
    **{f"pad('{n}', (2, 0))": (BAD, BAD, 0) for n in (HALF, "float4_e1m2")},
    f"pad('{E5M2}', (1, 1), 2.0)": (BAD, BAD, 0),
    f"pad('{E5M2}', (1, 1), -0.0)": (BAD, BAD, 0),
    f"pad('{E5M2}', (0, 0), 2.0)": (BAD, 0, 0),
    f"pad('{E5M2}', (-1, 0))": (BAD, BAD, BAD),
    f"pad('{E5M2}', (-1, 2))": (BAD, BAD, BAD),
    f"pad('{E5M2}', (1, 1), 0, (2, 0))": (BAD, 0, 0),
    # Only what is written as whole bytes.
    f"pad('{HALF}', (1, 1))": (BAD, BAD, INNER_NULL),
    f"pad('{HALF}', (0, 2), 0, (2, 3))": (BAD, BAD, INNER_NULL),
    f"pad('{HALF}', (0, 0, 1, 0), 0, (2, 3))": (BAD, BAD, INNER_NULL),
    f"pad('{HALF}', (0, 0, 1, 0))": (BAD, BAD, 0),
    f"pad('{HALF}', (2, 2, 1, 0))": (BAD, BAD, 0),
    f"pad('{HALF}', (0, 0), 0, (1, 3))": (BAD, BAD, 0),
    **{f"copied('{m}', '{n}')": (BAD, 0, 0)
       for m in ("reflection", "replication") for n in (HIFLOAT8, E5M2, E4M3, E8M0)},
    **{f"copied('{m}', '{HALF}')": (BAD,) * 3 for m in ("reflection", "replication")},
    **{f"gather('{n}')": (BAD, 0, 0) for n in (E5M2, E4M3, E8M0)},
    **{f"gather('{n}')": (BAD,) * 3 for n in (HIFLOAT8, HALF)},
    **{f"update('{n}')": (BAD, 0, 0) for n in (HIFLOAT8, E5M2, E4M3)},
    **{f"update('{n}')": (BAD,) * 3 for n in (E8M0, HALF)},
    **{f"tuples('{n}')": (BAD, 0, 0) for n in (E5M2, E4M3)},
    **{f"tuples('{n}')": (BAD, BAD, 0) for n in (HIFLOAT8, "uint8")},
    f"tuples('{E8M0}')": (BAD, 0, BAD),
    **{f"tuples('{n}')": (BAD,) * 3 for n in ("int16", "int32")},
    **{f"{c}('{n}')": (0, 0, 0)
       for c in ("permute", "repeat", "zero") for n in (HIFLOAT8, E5M2, E4M3)},
    **{f"{c}('{E8M0}')": (BAD,) * 3 for c in ("permute", "repeat", "zero")},
    **{f"zero('{n}')": (0, 0, 0) for n in (HALF, "float4_e1m2")},
    **{f"{c}('{HALF}')": (BAD,) * 3 for c in ("permute", "repeat")},
    **{f"cat('{n}', '{n}', out='{n}')": (BAD, 0, 0) for n in (HIFLOAT8, E5M2, E4M3, E8M0)},
    **{f"cat('{n}', '{n}', out='{n}')": (BAD, BAD, 0) for n in (HALF, "float4_e1m2")},
    # Beside other types they are float32, which integers are not made of.
    f"cat('{E5M2}', '{E4M3}', out='float32')": (BAD, 0, 0),
    f"cat('{E5M2}', 'uint16', out='{E5M2}')": (BAD, 0, 0),
    f"cat('complex64', '{E5M2}', out='float32')": (BAD, 0, 0),
    f"cat('{E5M2}', 'int32', out='int32')": (BAD, BAD, BAD),
    f"cat('{E5M2}', 'float32', 'uint16', out='float32', rows=6)": (BAD, BAD, BAD),
    f"cat('{E5M2}', '{E5M2}', out='bool')": (BAD, BAD, BAD),
    # A cast that CANN has not is noticed inside.
    f"cat('{E8M0}', 'float32', out='float32')": (BAD, INNER_NULL, INNER_NULL),
    f"cat('{E5M2}', '{E5M2}', out='{E4M3}')": (BAD, INNER_NULL, INNER_NULL),
    f"cat('int8', 'int8', out='{E5M2}')": (BAD, INNER_NULL, INNER_NULL),
    f"cat('{E5M2}', out='{E4M3}', rows=2)": (BAD, INNER_NULL, INNER_NULL),
    # What CANN does and the simulator does not.
    f"cat('{HALF}', 'float32', out='float32')": (BAD, BAD, NO_KERNEL),
    f"cat('{HALF}', '{HALF}', out='float32')": (BAD, BAD, NO_KERNEL),
}  # fmt: skip


def statuses() -> list[int]:
    """Return what the calls are answered with here."""
    with pytest.MonkeyPatch.context() as patch:
        plain = bits

        def of_any(name: str, *shape: int) -> pa.Tensor:
            return pa.zeros(shape, name) if "int" in name else plain(name, *shape)

        patch.setitem(globals(), "bits", of_any)
        return [code_of(lambda call=call: eval(call)) for call in STATUSES]


@pytest.mark.parametrize("place", range(3), ids=RELEASES)
def test_a_release_takes_what_came_with_it(place: int) -> None:
    code = "import json, operators.test_moved_narrow_950 as t; print(json.dumps(t.statuses()))"
    seen = json.loads(
        output_of(code, PYACLNN_SIM_SOC="Ascend950", PYACLNN_SIM_CANN=RELEASES[place],
                  PYTHONPATH=os.pathsep.join(sys.path))
    )  # fmt: skip

    expected = {call: answers[place] for call, answers in STATUSES.items()}
    assert dict(zip(STATUSES, seen, strict=True)) == expected


def test_other_chips_have_none_of_them() -> None:
    calls = [c for c in STATUSES if not c.startswith(("tuples('int", "cat('int8'"))]
    seen = dict(zip(STATUSES, statuses(), strict=True))

    assert {call: seen[call] for call in calls} == dict.fromkeys(calls, INVALID)


def moved() -> dict[str, bool]:
    """Return whether each operator moves bits as they are."""
    tail = CODES[0]
    index = np.array([[2, 0, 1, 1]])

    def put(values: Any, place: Any, new: Any) -> Any:
        result = np.array(values)
        result[place] = new
        return result

    def result(shape: Any, call: Callable[[pa.Tensor], Any], name: str) -> Any:
        out = pa.zeros(shape, "uint8")
        call(with_format(out, "ND", dtype=name))
        return out.numpy()

    def changed(call: Callable[[pa.Tensor], Any]) -> Any:
        values = pa.asarray(tail)
        call(with_format(values, "ND", dtype=HIFLOAT8))
        return values.numpy()

    def x(name: str = HIFLOAT8, values: Any = tail) -> pa.Tensor:
        return of(values, name)

    ops = pa.ops

    def gathered() -> Any:
        cache = x(values=CODES.reshape(3, 2, 1, 4))
        rows = [pa.zeros((3, 1, 4), "uint8") for _ in range(2)]
        ops.gather_pa_kv_cache(
            cache, cache, device([[2, 0]], "int32"), device([3], "int32"),
            *(with_format(r, "ND", dtype=HIFLOAT8) for r in rows), None, "Norm", False,
        )  # fmt: skip
        return np.stack([r.numpy() for r in rows])

    def scattered() -> Any:
        rows = x(values=CODES.reshape(6, 1, 4)[:3])
        caches = [pa.zeros((3, 2, 1, 4), "uint8") for _ in range(2)]
        key, value = (with_format(c, "ND", dtype=HIFLOAT8) for c in caches)
        ops.scatter_pa_kv_cache(rows, key, device([5, 0, 3], "int32"), rows, value,
                                None, None, None, "Norm", "None", None, None)  # fmt: skip
        return np.stack([c.numpy().reshape(6, 1, 4) for c in caches])

    tokens = CODES.reshape(6, 1, 4)
    filled = put(0 * tokens, [5, 0, 3], tokens[:3])
    return {
        name: bool(np.array_equal(seen, expected))
        for name, seen, expected in (
            ("pad", result((3, 6), lambda out: ops.constant_pad_nd(x(), [1, 1], 0, out=out),
                           HIFLOAT8), np.pad(tail, ((0, 0), (1, 1)))),
            ("reflected", result((3, 7), lambda out: ops.reflection_pad1d(x(), [2, 1], out=out),
                                 HIFLOAT8), np.pad(tail, ((0, 0), (2, 1)), "reflect")),
            ("copied", result((3, 7), lambda out: ops.replication_pad1d(x(), [2, 1], out=out),
                              HIFLOAT8), np.pad(tail, ((0, 0), (2, 1)), "edge")),
            ("gathered", result((1, 4), lambda out: ops.gather(x(E8M0), 0, device(index, "int64"),
                                                               out=out), E8M0),
             np.take_along_axis(tail, index, 0)),
            ("updated", changed(lambda y: ops.inplace_scatter_update(
                y, device([1, 2, 0], "int32"), x(values=tail[:, :1] + 9), -1)),
             put(tail, ([0, 1, 2], [1, 2, 0]), tail[:, 0] + 9)),
            ("by tuples", changed(lambda y: ops.scatter_nd_update(
                y, device([[2], [0]], "int32"), x(values=tail[:2] + 9))),
             put(tail, [2, 0], tail[:2] + 9)),
            ("permuted", result((4, 2, 3), lambda out: ops.permute(x(values=CODES), [2, 0, 1],
                                                                   out=out), HIFLOAT8),
             CODES.transpose(2, 0, 1)),
            ("repeated", result((2, 6, 4), lambda out: ops.repeat(x(), [2, 2, 1], out=out),
                                HIFLOAT8), np.tile(tail, (2, 2, 1))),
            ("from blocks", gathered(), np.stack([tokens[[4, 5, 0]]] * 2)),
            ("to blocks", scattered(), np.stack([filled] * 2)),
            ("zero", changed(ops.inplace_zero), 0 * tail),
            ("joined", result((3, 8), lambda out: ops.cat([x(), x(values=tail + 9)], 1, out=out),
                              HIFLOAT8), np.hstack((tail, tail + 9))),
        )
    }  # fmt: skip


def test_bits_are_moved_as_they_are() -> None:
    seen = found_on("Ascend950", "operators.test_moved_narrow_950", "moved()")

    assert seen == dict.fromkeys(seen, True)


def halves() -> dict[str, bool]:
    """Return whether operators move two elements of 4 bits as one byte."""

    def result(shape: Any, call: Callable[[pa.Tensor], Any]) -> Any:
        out = pa.ones(shape, "uint8")
        call(with_format(out, "ND", dtype="float4_e1m2", shape=(shape[0], 2 * shape[1])))
        return out.numpy()

    x = of(PAIRS, "float4_e1m2", 6, 8)
    ops = pa.ops
    return {
        name: bool(np.array_equal(seen, expected))
        for name, seen, expected in (
            # 1.5 is 0110.
            ("pad", result((7, 7), lambda out: ops.constant_pad_nd(x, [2, 4, 0, 1], 1.5, out=out)),
             np.pad(PAIRS, ((0, 1), (1, 2)), constant_values=0x66)),
            ("rows", result((8, 4), lambda out: ops.constant_pad_nd(x, [0, 0, 1, 1], 0, out=out)),
             np.pad(PAIRS, ((1, 1), (0, 0)))),
            ("joined", result((6, 8), lambda out: ops.cat([x, x], 1, out=out)),
             np.hstack((PAIRS, PAIRS))),
            ("below", result((12, 4), lambda out: ops.cat([x, x], 0, out=out)),
             np.vstack((PAIRS, PAIRS))),
            ("alone", result((6, 4), lambda out: ops.cat([x], 0, out=out)), PAIRS),
            ("zero", result((6, 4), ops.inplace_zero), 0 * PAIRS),
        )
    }  # fmt: skip


def test_elements_of_4_bits_are_moved_two_by_two() -> None:
    seen = found_on("Ascend950", "operators.test_moved_narrow_950", "halves()")

    assert seen == dict.fromkeys(seen, True)


#: Element type -> numbers and the bits that CANN 9.1 makes of them, by its rules for scalars.
NUMBERS: dict[str, tuple[tuple[float, int], ...]] = {
    E5M2: ((0, 0), (-0.0, 0x80), (3, 0x42), (-1, 0xBC), (57344, 0x7B), (1e6, 0x7C), (-1e6, 0xFC),
           (1.125, 0x3C), (1.375, 0x3E), (2.0**-16, 1), (2.0**-17, 0), (1.75 * 2.0**-16, 1)),
    # Whatever is 256 or more becomes the largest number.
    E4M3: ((0, 0), (3, 0x44), (-1, 0xB8), (240, 0x77), (256, 0x7E), (1e6, 0x7E), (-1e6, 0xFE),
           (1.0625, 0x38), (1.1875, 0x3A), (2.0**-9, 1), (2.0**-10, 0)),
    E8M0: ((0, 0), (1, 127), (2.9, 128), (3, 129), (0.5, 126), (-1, 255), (1e39, 254)),
    HIFLOAT8: ((0, 0), (1, 8), (-1, 0x88), (40000, 0x6E), (41000, 0x6F), (-1e9, 0xEF)),
    HALF: ((0, 0), (3, 5), (-1, 10), (300, 7), (-300, 15), (0.5, 1), (0.25, 0), (1.25, 2)),
    "float4_e1m2": ((0, 0), (1, 4), (1.75, 7), (3, 7), (-3, 15), (0.5, 2), (0.2, 0)),
}  # fmt: skip


def padded() -> dict[str, list[int]]:
    """Return the bits that numbers become."""
    found = {}
    for name, numbers in NUMBERS.items():
        wide = 2 if name.startswith("float4") else 1
        out, x = pa.zeros((2,), "uint8"), bits(name, wide)
        seen = []
        for number in (*(n for n, _ in numbers), float("nan")):
            whole = with_format(out, "ND", dtype=name, shape=(2 * wide,))
            pa.ops.constant_pad_nd(x, [wide, 0], number, out=whole)
            seen.append(int(out.numpy()[0]))
        found[name] = seen
    return found


def test_a_number_becomes_an_element_as_a_scalar_does() -> None:
    seen = found_on("Ascend950", "operators.test_moved_narrow_950", "padded()")

    nan = {E5M2: 0x7F, E4M3: 0x7F, E8M0: 255, HIFLOAT8: 0x80, HALF: 7, "float4_e1m2": 7}
    twice = {name: 17 if name.startswith("float4") else 1 for name in NUMBERS}
    assert seen == {
        name: [n * twice[name] for n in (*(b for _, b in numbers), nan[name])]
        for name, numbers in NUMBERS.items()
    }


def beside_others() -> list[list[float]]:
    """Return a type of 8 bits joined with float32, complex64 and int32."""
    x = of([[56, 72, 100]], HIFLOAT8)
    wide = (device([[1.5, 2.5]]), device([[3 + 4j]], "complex64"), device([[7]], "int32"))
    return [pa.ops.cat([x, y], 1, out=ones(1, 3 + y.shape[1])).numpy()[0].tolist() for y in wide]


def test_beside_others_they_are_joined_as_float32() -> None:
    seen = found_on("Ascend950", "operators.test_moved_narrow_950", "beside_others()")

    first = hifloat8_values()[[56, 72, 100]].tolist()
    assert seen == [[*first, 1.5, 2.5], [*first, 3], [*first, 7]]
