"""Random numbers: the generator is the published one, and what it gives is distributed as asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from children import output_of
from operators.calls import INNER_NULL, INVALID, NULL, TILING, code
from operators.fullest import fullest

import pyaclnn as pa
from pyaclnn.selftest.formulas.elementary import erf
from pyaclnn.selftest.suites.random_numbers import philox
from pyaclnn.selftest.suites.sampling import open_fractions, spread

COUNT = 20_000
#: Of the Kolmogorov-Smirnov statistic times the root of the count: exceeded once in 10,000.
KS_LIMIT = 2.23
SEEDS = [(1, 0), (2, 0), (2**50, 0), (1, 4), (1, 2**40)]
every_seed = pytest.mark.parametrize(("seed", "offset"), SEEDS)


@pytest.mark.parametrize(
    ("counter", "key", "expected"),
    [
        ((0, 0, 0, 0), 0, (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((2**32 - 1,) * 4, 2**64 - 1, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            0x299F31D0A4093822,
            (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ],
)
def test_the_reference_gives_the_published_answers(
    counter: tuple[int, ...], key: int, expected: tuple[int, ...]
) -> None:
    assert tuple(philox(np.array([counter], np.uint64), key)[0]) == expected


def test_seven_rounds_give_the_published_answer() -> None:
    """So many has what attention drops on the 950."""
    expected = (0x5F6FB709, 0x0D893F64, 0x4F121F81, 0x4F730A48)
    assert tuple(philox(np.zeros((1, 4), np.uint64), 0, 7)[0]) == expected


def uniform(seed: int, offset: int, dtype: str = "float32") -> np.ndarray[Any, Any]:
    out = pa.zeros((COUNT,), dtype)
    return pa.ops.inplace_uniform(out, 0.0, 1.0, seed, offset).numpy().astype(np.float64)


def distance(values: np.ndarray[Any, Any], cdf: Callable[[Any], Any]) -> float:
    """Return the Kolmogorov-Smirnov statistic times the root of the count."""
    expected = cdf(np.sort(values))
    steps = np.arange(len(values) + 1) / len(values)
    largest = max((steps[1:] - expected).max(), (expected - steps[:-1]).max())
    return float(largest * np.sqrt(len(values)))


@every_seed
def test_uniform_numbers_are_uniform(seed: int, offset: int) -> None:
    values = uniform(seed, offset)

    assert distance(values, lambda x: x) < KS_LIMIT
    assert values.min() >= 0
    assert values.max() < 1


@every_seed
def test_normal_numbers_are_normal(seed: int, offset: int) -> None:
    out = pa.zeros((COUNT,), "float32")
    values = pa.ops.inplace_normal(out, 3.0, 2.0, seed, offset).numpy().astype(np.float64)

    assert distance(values, lambda x: (1 + erf((x - 3) / (2 * np.sqrt(2)))) / 2) < KS_LIMIT
    # Neighbours come from one pair of uniform numbers, and have nothing to do with one another.
    assert abs(np.corrcoef(values[::2], values[1::2])[0, 1]) < 0.05


@every_seed
def test_integers_are_equally_frequent(seed: int, offset: int) -> None:
    out = pa.zeros((COUNT,), "int64")
    values = pa.ops.inplace_random(out, 10, 60, seed, offset).numpy()
    counts = np.bincount(values, minlength=60)[10:]

    assert counts.sum() == COUNT
    # Chi-square with 49 degrees of freedom: 100 is exceeded once in 30,000.
    assert ((counts - COUNT / 50) ** 2 / (COUNT / 50)).sum() < 100


@every_seed
@pytest.mark.parametrize("drop", [0.1, 0.5, 0.9])
def test_masks_keep_as_many_as_asked(seed: int, offset: int, drop: float) -> None:
    mask = pa.ops.dropout_gen_mask_v2((COUNT,), drop, seed, offset, 0)
    kept = np.unpackbits(mask.numpy(), bitorder="little")[:COUNT]

    assert abs(kept.mean() - (1 - drop)) < 4 * np.sqrt(drop * (1 - drop) / COUNT)


def test_seeds_and_offsets_give_other_numbers() -> None:
    streams = [uniform(*pair) for pair in SEEDS]

    for i, one in enumerate(streams):
        for other in streams[:i]:
            assert abs(np.corrcoef(one, other)[0, 1]) < 0.03
    assert np.array_equal(streams[0], uniform(*SEEDS[0]))


def test_numbers_depend_neither_on_threads_nor_on_the_chip() -> None:
    program = """
        import pyaclnn as pa
        out = pa.zeros((100_003,), "float32")
        print(pa.ops.inplace_normal(out, 0.0, 1.0, 5, 8).numpy().tobytes()[-4000:].hex())
    """

    printed = {
        output_of(program, PYACLNN_SIM_THREADS=threads, PYACLNN_SIM_SOC=chip)
        for threads, chip in (("1", "Ascend910B1"), ("3", "Ascend910B1"), ("2", "Ascend910_95"))
    }

    assert len(printed) == 1


def test_permutations_have_every_number_once_and_differ() -> None:
    found = [
        pa.ops.randperm(1000, seed, 0, out=pa.empty((1000,), "int32")).numpy() for seed in range(3)
    ]

    assert all(np.array_equal(np.sort(p), np.arange(1000)) for p in found)
    for i, one in enumerate(found):
        assert abs(np.corrcoef(one, np.arange(1000))[0, 1]) < 0.1
        assert all((one != other).mean() > 0.98 for other in found[:i])


def test_dropout_keeps_the_mean() -> None:
    x = pa.ones((200, 300))
    mask = pa.ops.dropout_gen_mask_v2((200, 300), 0.25, 3, 0, 0)
    y = pa.ops.dropout_do_mask(x, mask, 0.25).numpy()

    assert set(np.unique(y)) == {0, np.float32(1 / 0.75)}
    assert abs(y.mean() - 1) < 0.01


def test_a_mask_may_be_larger_than_needed_or_empty() -> None:
    x = np.arange(1, 7, dtype=np.float32)
    bits = np.array([0b101101] + [255] * 31, np.uint8)
    kept = np.unpackbits(bits, bitorder="little")[:6]

    y = pa.ops.dropout_do_mask(pa.asarray(x), pa.asarray(bits), 0.75).numpy()
    untouched = pa.full((6,), 7, "float32")
    pa.ops.dropout_do_mask(pa.asarray(x), pa.empty((0,), "uint8"), 0.75, out=untouched)

    assert np.array_equal(y, x.astype(np.float64) * kept / 0.25)
    assert np.array_equal(untouched.numpy(), np.full(6, 7, np.float32))


def test_a_mask_is_not_read_where_none_or_all_are_dropped() -> None:
    x = np.arange(1, 201, dtype=np.float32)
    for rate, bits, kept in ((0.0, 0, x), (1.0, 255, np.zeros(200)), (1 - 1e-16, 255, 0 * x)):
        y = pa.ops.dropout_do_mask(pa.asarray(x), pa.full((32,), bits, "uint8"), rate)

        assert np.array_equal(y.numpy(), kept), rate


def test_dropout_of_nothing_or_of_all_leaves_the_mask_as_it_was() -> None:
    x = pa.asarray(np.arange(1, 201, dtype=np.float32))
    for rate, kept in ((0.0, x.numpy()), (1.0, np.zeros(200, np.float32))):
        mask = pa.full((32,), 5, "uint8")
        out = pa.ones((200,), "float32")
        pa.ops.dropout(x, rate, True, 3, 0, out=(out, mask))

        assert np.array_equal(out.numpy(), kept), rate
        assert np.array_equal(mask.numpy(), np.full(32, 5, np.uint8)), rate


def repeated_normals(dtype: str) -> tuple[np.ndarray[Any, Any], ...]:
    """Return what is drawn with a mean of one row, and with means of all rows."""
    means = pa.zeros((1, 700), dtype), pa.zeros((3, 700), dtype)
    spread = pa.ones((3, 700), dtype)
    drawn = (pa.ops.normal_tensor_tensor(mean, spread, 5, 4).numpy() for mean in means)
    return tuple(drawn)


@pytest.mark.parametrize("dtype", ["float32", "float16", "float64"])
def test_a_number_is_drawn_for_each_mean_and_repeats_with_it(dtype: str) -> None:
    of_row, of_all = repeated_normals(dtype)
    means = np.arange(21, dtype=dtype).reshape(3, 1, 7)
    spread = np.linspace(1, 3, 5 * 7, dtype=dtype).reshape(5, 7)
    ones, zeros = (pa.asarray(np.full((3, 1, 7), n, dtype)) for n in (1, 0))

    drawn = pa.ops.normal_tensor_tensor(zeros, ones, 9, 0).numpy().astype(np.float64)
    seen = pa.ops.normal_tensor_tensor(pa.asarray(means), pa.asarray(spread), 9, 0).numpy()

    assert np.array_equal(of_row, np.tile(of_all[:1], (3, 1)))
    assert not np.array_equal(of_all[0], of_all[1])
    assert seen.shape == (3, 5, 7)
    assert np.allclose(
        seen, drawn * spread + means, rtol=1e-2 if dtype == "float16" else 1e-5, atol=1e-5
    )


def test_the_950_draws_for_each_result_since_cann_9_1() -> None:
    program = """
        import numpy as np
        import pyaclnn as pa
        def repeats(dtype):
            drawn = pa.ops.normal_tensor_tensor(
                pa.zeros((1, 700), dtype), pa.ones((3, 700), dtype), 5, 4
            ).numpy()
            return bool((drawn[0] == drawn[1]).all())
        print(repeats("float32"), repeats("float64"))
    """
    seen = {
        release: output_of(program, PYACLNN_SIM_SOC="Ascend950", PYACLNN_SIM_CANN=release).split()
        for release in ("9.0", "9.1")
    }

    assert seen == {"9.0": ["True", "True"], "9.1": ["False", "True"]}


@every_seed
@pytest.mark.parametrize("rate", [0.5, 3.0])
def test_exponential_numbers_are_exponential(seed: int, offset: int, rate: float) -> None:
    out = pa.zeros((COUNT,), "float32")
    values = pa.ops.sim_thread_exponential(out, COUNT, rate, seed, offset).numpy()

    assert values.min() > 0
    assert distance(values.astype(np.float64), lambda x: -np.expm1(-rate * x)) < KS_LIMIT


@every_seed
@pytest.mark.parametrize("replacement", [True, False])
def test_categories_are_as_frequent_as_their_weights(
    seed: int, offset: int, replacement: bool
) -> None:
    weights = np.array([1, 2, 0, 3, 4, 6], np.float32)
    if replacement:
        drawn = pa.ops.multinomial(pa.asarray(weights), COUNT, True, seed, offset).numpy()
    else:  # the first of each row
        rows = pa.asarray(np.tile(weights, (COUNT, 1)))
        drawn = pa.ops.multinomial(rows, 3, False, seed, offset).numpy()
        assert all(len(set(row)) == 3 for row in drawn[:100].tolist())
        drawn = drawn[:, 0]
    counts = np.bincount(drawn, minlength=6)
    expected = COUNT * weights / weights.sum()

    assert counts[2] == 0
    # Chi-square with 4 degrees of freedom: 28 is exceeded once in 80,000.
    assert ((counts - expected)[weights > 0] ** 2 / expected[weights > 0]).sum() < 28


def test_what_lies_beyond_the_first_round_of_all_threads() -> None:
    count = 4 * 624 * 256 + 300
    first = count - 400
    out = pa.zeros((count,), "float32")
    words = spread(count, 7, 1, 4, first=first)[:, 0]

    values = pa.ops.sim_thread_exponential(out, count, 1.0, 7, 4).numpy()[first:]

    assert np.allclose(values, -np.log(open_fractions(words)), rtol=1e-5)


def test_dropout_of_threads_and_all_integers_are_distributed_as_asked() -> None:
    program = """
        import numpy as np
        import pyaclnn as pa
        y, mask = pa.ops.dropout_v3(pa.ones((400, 500)), None, 0.25, 3, 0)
        kept = np.unpackbits(mask.numpy(), bitorder="little")[:200_000]
        assert np.array_equal(y.numpy().reshape(-1) != 0, kept == 1)
        print(kept.mean())
        values = pa.ops.inplace_random_without_from_to(pa.zeros((64_000,), "int8"), 5, 0).numpy()
        counts = np.bincount(values, minlength=128)
        print(((counts - 500) ** 2 / 500).sum(), len(counts))
        half = pa.ops.inplace_random_without_from_to(pa.zeros((9000,), "bfloat16"), 5, 0).numpy()
        print(float(half.max()), float(half.min()))
    """

    mean, chi, kinds, most, least = map(
        float, output_of(program, PYACLNN_SIM_SOC="Ascend910_95").split()
    )

    assert abs(mean - 0.75) < 4 * np.sqrt(0.25 * 0.75 / 200_000)
    # Chi-square with 127 degrees of freedom: 195 is exceeded once in 10,000.
    assert (chi < 195, kinds, most, least) == (True, 128, 256, 0)


def test_generators_of_other_chips_are_refused() -> None:
    x = pa.ones((128,))

    assert code("dropout_v3", x, None, 0.5, 1, 0) == INNER_NULL
    assert code("inplace_random_without_from_to", x, 1, 0) == INNER_NULL


Changed = Callable[[], dict[str, Any]]
REFUSED: dict[str, list[tuple[Changed, int]]] = {
    "inplace_uniform": [
        (lambda: {"from_": 2.0, "to": 1.0}, INVALID),
        (lambda: {"self_ref": pa.ones((2,), "bool")}, INVALID),
    ],
    "inplace_normal": [
        (lambda: {"std": -1.0}, NULL),
        (lambda: {"self_ref": pa.ones((2,), "complex64")}, INVALID),
    ],
    "inplace_random": [
        (lambda: {"self_ref": None}, INNER_NULL),
        (lambda: {"from_": 5, "to": 5}, INVALID),
    ],
    "inplace_uniform_tensor": [
        (lambda: {"seed_tensor": None}, NULL),
        (lambda: {"seed_tensor": pa.ones((1,), "float32")}, INVALID),
        (lambda: {"offset_tensor": pa.ones((2,), "int64")}, INVALID),
    ],
    "dropout_gen_mask_v2": [
        (lambda: {"shape": None}, NULL),
        (lambda: {"prob": 1.5}, INVALID),
        (lambda: {"prob": -0.5}, INVALID),
        (lambda: {"shape": (2**40, 2**40)}, INVALID),
        (lambda: {"out": pa.ones((17,), "uint8")}, INVALID),
        (lambda: {"prob_data_type": 3}, INNER_NULL),
    ],
    "normal_tensor_tensor": [
        (lambda: {"mean": None}, NULL),
        (lambda: {"std": pa.ones((2, 3, 4, 5), "float32")}, INVALID),
        (lambda: {"mean": pa.ones((2,), "int32")}, INVALID),
    ],
    "normal_float_tensor": [(lambda: {"std": pa.ones((0,))}, INVALID)],
    "bernoulli": [
        (lambda: {"prob": 1.5}, INVALID),
        (lambda: {"prob": 1}, INVALID),
        (lambda: {"self_": pa.ones((2, 3, 4, 5))}, INVALID),
    ],
    "bernoulli_tensor": [
        (lambda: {"prob": pa.ones((2,), "int32")}, INVALID),
        (lambda: {"prob": pa.ones((3,))}, INVALID),
    ],
    "dropout": [
        (lambda: {"p": 1.5}, INVALID),
        (lambda: {"mask_out": pa.ones((3,), "uint8")}, INVALID),
        (lambda: {"out": pa.ones((2, 3, 4, 5))}, INVALID),
    ],
    "multinomial": [
        (lambda: {"self_": None}, NULL),
        (lambda: {"self_": pa.ones((3, 9), "int32")}, INVALID),
        (lambda: {"self_": pa.ones((2, 3, 4))}, INVALID),
        (lambda: {"out": pa.ones((2, 3), "int32")}, INVALID),
        (lambda: {"numsamples": 0}, INVALID),
        (lambda: {"numsamples": 2**62}, INVALID),
    ],
    "multinomial_tensor": [
        (lambda: {"seed_tensor": None}, NULL),
        (lambda: {"offset_tensor": pa.ones((2,), "int64")}, INVALID),
    ],
    "sim_thread_exponential": [
        (lambda: {"self_ref": None}, NULL),
        (lambda: {"self_ref": pa.ones((2,), "float64")}, INVALID),
        (lambda: {"lambd": 0.0}, INVALID),
        (lambda: {"lambd": float("nan")}, INVALID),
        (lambda: {"count": -1}, TILING),
    ],
    "randperm": [
        (lambda: {"n": 7}, INVALID),
        (lambda: {"n": -1, "out": pa.ones((1,), "int64")}, INVALID),
    ],
    "dropout_do_mask": [
        (lambda: {"prob": 2.0}, INVALID),
        (lambda: {"mask": pa.ones((1,), "uint8")}, INVALID),
        (lambda: {"out": pa.ones((9, 9, 9))}, INVALID),
    ],
}


@pytest.mark.parametrize(
    ("name", "changed", "expected"),
    [(name, *case) for name, cases in REFUSED.items() for case in cases],
)
def test_what_does_not_fit_is_refused(name: str, changed: Changed, expected: int) -> None:
    names = {n.rstrip("_"): n for n in fullest(name).inputs}
    new = {names.get(n.rstrip("_"), n): value for n, value in changed().items()}

    assert fullest(name).code({}) == 0
    assert fullest(name).code(new) == expected
