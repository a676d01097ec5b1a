"""Special values of element-wise operators, and what only they refuse, from CANN's sources."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from operators.calls import INNER_NULL, INVALID, code

import pyaclnn as pa

NAN, INF = np.nan, np.inf


def of(dtype: str, *values: Any) -> pa.Tensor:
    return pa.asarray(np.array(values, dtype))


def gives(name: str, *arguments: Any, **more: Any) -> list[Any]:
    return list(pa.ops[name](*arguments, **more).numpy().ravel().tolist())


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_the_remainder_by_zero_of_an_integer_is_that_integer(dtype: str) -> None:
    # Document of RemainderTensorTensor.
    assert gives("remainder_tensor_tensor", of(dtype, 5, -7), of(dtype, 0, 0)) == [5, -7]


def test_a_remainder_has_the_sign_of_the_divisor_and_fmod_that_of_the_dividend() -> None:
    a, b = of("int32", 7, -7, 7, -7), of("int32", 3, 3, -3, -3)

    assert gives("remainder_tensor_tensor", a, b) == [1, 2, -2, -1]
    assert gives("fmod_tensor", a, b) == [1, -1, 1, -1]


@pytest.mark.parametrize("value", [1e30, -7.5e20, 5.5])
def test_remainders_of_what_is_far_from_the_divisor_are_exact(value: float) -> None:
    x = np.full(40, value, np.float32)
    a, divisor = pa.asarray(x), 3.0

    left = np.fmod(x.astype(np.float64), divisor)

    assert pa.ops.fmod_scalar(a, divisor).numpy().tolist() == left.tolist()
    under = np.where(left < 0, left + divisor, left)
    assert pa.ops.remainder_tensor_scalar(a, divisor).numpy().tolist() == under.tolist()


def test_fmod_of_integers_by_zero_is_minus_one() -> None:
    # The kernel of the 950 selects it; the others' is not public.
    assert gives("fmod_tensor", of("int32", 5), of("int32", 0)) == [-1]
    assert gives("fmod_tensor", of("uint8", 5), of("uint8", 0)) == [255]


def test_the_least_integer_by_minus_one_does_not_trap() -> None:
    least, one = of("int64", -(2**63)), of("int64", -1)

    assert gives("remainder_tensor_tensor", least, one) == [0]
    assert gives("fmod_tensor", least, one) == [0]
    assert gives("floor_divide", least, one) == [-(2**63)]
    assert gives("floor_divide", of("int32", 1), of("int32", 0)) == [-1]


def test_quotients_are_exact_cut_off_or_rounded_down() -> None:
    a, b = of("float32", -7, 7), of("float32", 2, 2)

    assert [gives("div_mod", a, b, mode) for mode in (0, 1, 2)] == [[-3.5, 3.5], [-3, 3], [-4, 3]]


def test_whole_numbers_are_divided_as_float32_unless_rounded_down() -> None:
    # aclnn_div.cpp: only mode 2 keeps an integer type; beyond 2^24 float32 has not every integer.
    a, one = of("int64", 2**24 + 1), of("int64", 1)

    assert gives("div_mod", a, one, 1, out=pa.empty((1,), "int64")) == [2**24]
    assert gives("div_mod", a, one, 2) == [2**24 + 1]


@pytest.mark.parametrize("mode", [1, 2])
def test_complex_quotients_are_not_rounded(mode: int) -> None:
    z = pa.ones((2,), "complex64")

    assert code("div_mod", z, z, mode, out=pa.empty((2,), "complex64")) == INVALID
    assert gives("div_mod", z, z, 0) == [1, 1]


def test_a_mode_that_is_none_is_refused() -> None:
    x = pa.ones((2,), "float32")

    assert code("div_mod", x, x, 3, out=pa.empty((2,), "float32")) == INVALID
    assert code("inplace_div_mods", x, 2.0, -1) == INVALID


def test_true_by_false_is_infinite() -> None:
    # RealDiv of bools gives float32, in aclnnDiv as in aclnnDivMod.
    one, zero = of("bool", 1), of("bool", 0)

    assert gives("div", one, zero) == [INF]
    assert gives("div_mod", one, zero, 0) == [INF]


def test_fmod_finds_a_null_number_inside() -> None:
    x = pa.ones((2,), "float32")

    assert code("fmod_scalar", x, None, out=x) == INNER_NULL
    assert code("inplace_fmod_scalar", x, None) == INNER_NULL


def test_one_number_may_be_a_list_of_one_for_remainder_only_out_of_place() -> None:
    x = pa.full((), 7.0, "float32")

    assert gives("remainder_tensor_tensor", x, x, out=pa.empty((1,), "float32")) == [0]
    assert code("inplace_remainder_tensor_tensor", x, pa.ones((1,), "float32")) == INVALID


@pytest.mark.parametrize(
    ("base", "exponent", "expected"),
    [(0, 0, 1), (NAN, 0, 1), (1, NAN, 1), (-8, 1 / 3, NAN), (-2, 3, -8), (0, -1, INF),
     (-0.0, -1, -INF), (INF, -1, 0), (-INF, 3, -INF), (0.5, INF, 0), (2, -INF, 0), (-1, INF, 1)],
)  # fmt: skip
def test_powers_of_special_numbers_are_those_of_c(
    base: float, exponent: float, expected: float
) -> None:
    single = gives("pow_tensor_tensor", of("float32", base), of("float32", exponent))
    by_number = gives("pow_tensor_scalar", of("float32", base), exponent)

    np.testing.assert_equal([single, by_number], [[expected], [expected]])


def test_powers_of_integers_wrap() -> None:
    assert gives("pow_tensor_tensor", of("int32", 3, -2, 7), of("int32", 40, 31, 0)) == [
        int(np.int64(3**40 & 0xFFFFFFFF).astype(np.int32)), -(2**31), 1,
    ]  # fmt: skip
    assert gives("pow_tensor_tensor", of("int32", 2, 1, -1, 0), of("int32", -1, -5, -3, -1)) == [
        0, 1, -1, 0,
    ]  # fmt: skip


def test_the_square_of_a_narrow_integer_is_made_in_int32() -> None:
    # aclnn_pow.cpp casts before its square, and only there.
    x, out = of("int8", 100), pa.empty((1,), "int32")

    assert gives("pow_tensor_scalar", x, 2, out=out) == [10000]
    assert gives("pow_tensor_scalar", x, 3, out=out) == [64]
    assert gives("pow_tensor_scalar", x, 2) == [16]


def test_a_double_exponent_is_a_float_where_the_output_is_one() -> None:
    x, out = of("int32", 2), pa.empty((1,), "float32")

    assert gives("pow_tensor_scalar", x, 0.5, out=out) == [float(np.sqrt(np.float32(2)))]
    assert pa.ops.pow_tensor_scalar(x, 0.5).dtype == "float64"


def test_two_bools_have_no_power() -> None:
    b = pa.ones((2,), "bool")

    assert code("pow_tensor_tensor", b, b, out=pa.empty((2,), "bool")) == INVALID
    assert code("pow_tensor_scalar", b, True, out=pa.empty((2,), "bool")) == INVALID


def test_operands_are_rounded_to_what_is_computed_in() -> None:
    # 70000 is no float16: CANN casts the operand first.
    assert gives("add", of("int32", 70000), of("float16", -60000), 1) == [INF]


@pytest.mark.parametrize("elements", [1, 4096])
def test_float_operands_are_rounded_to_what_is_computed_in(elements: int) -> None:
    # RemainderScalarTensor computes in the output's type.
    x, out = pa.full((elements,), 2049.0, "float32"), pa.empty((elements,), "float16")

    assert set(gives("remainder_scalar_tensor", 2050.0, x, out=out)) == {2.0}


def test_one_bound_of_a_clamp_may_be_left_out() -> None:
    x, bound = of("float32", -1, 5, NAN), of("float32", 2, 2, 2)

    np.testing.assert_equal(gives("clamp_tensor", x, bound, None), [2, 5, NAN])
    np.testing.assert_equal(gives("clamp_tensor", x, None, bound), [-1, 2, NAN])
    assert code("clamp_tensor", x, None, None, out=x) == 161001


LARGE = 2**63 + 5


def test_numbers_without_sign_compare_as_such() -> None:
    a, b = of("uint64", LARGE, 3, LARGE), of("uint64", 3, LARGE, LARGE)

    assert gives("gt_tensor", a, b) == [True, False, False]
    assert gives("le_tensor", of("uint16", 40000), of("uint16", 5)) == [False]
    assert gives("lt_tensor", a, b) == [False, True, False]
    assert gives("ge_scalar", a, np.uint64(LARGE)) == [True, False, True]
    assert gives("lt_scalar", a, np.uint64(LARGE)) == [False, True, False]


def test_a_double_that_a_tensors_type_does_not_hold_is_compared_as_it_is_or_rounded() -> None:
    """Greater ones promote to float64 where the number does not fit; others round it first."""
    number = 53.285  # float16 has 53.28125 and 53.3125
    x = of("float16", 53.25, 53.28125, 53.3125)

    assert gives("ge_scalar", x, number) == [False, False, True]
    assert gives("gt_scalar", x, number) == [False, False, True]
    assert gives("le_scalar", x, number) == [True, True, False]
    assert gives("lt_scalar", x, number) == [True, False, False]
    assert gives("eq_scalar", x, number) == [False, True, False]
    assert gives("ne_scalar", x, number) == [True, False, True]


def test_shifts_beyond_the_type_stop_at_its_last_bit() -> None:
    # right_shift_aicpu.cpp
    assert gives("right_shift", of("uint8", 200, 200), of("uint8", 7, 20)) == [1, 1]
    assert gives("right_shift", of("int8", -100, 100), of("int8", 20, -3)) == [-1, 100]
    assert gives("right_shift", of("uint64", LARGE, LARGE), of("uint64", 1, LARGE)) == [
        LARGE >> 1, 1,
    ]  # fmt: skip
    assert gives("left_shift", of("int8", 3, 1), of("int8", 6, 7)) == [-64, -128]
    assert gives("left_shifts", of("uint64", 1), np.uint64(63)) == [2**63]


def test_the_greatest_common_divisor_has_no_sign() -> None:
    assert gives("gcd", of("int32", -12, 0, 7, 0), of("int32", 18, -5, 0, 0)) == [6, 5, 7, 0]


def test_nan_to_num_leaves_integers() -> None:
    x = of("float32", NAN, INF, -INF, 1)

    assert gives("nan_to_num", x, 0.5, 4.0, -8.0) == [0.5, 4, -8, 1]
    assert gives("nan_to_num", of("int8", -3), 0.5, 4.0, -8.0) == [-3]
    np.testing.assert_equal(gives("nan_to_num", x, NAN, INF, -INF), [NAN, INF, -INF, 1])


@pytest.mark.parametrize(
    ("name", "x", "expected"),
    [
        ("erfinv", (0, -0.5, 1, -1, 1.5, 1e-20),
         (0, -0.47693627620447, INF, -INF, NAN, 8.86226925e-21)),
        ("lgamma", (1, 2, 0.5, -0.5, 0, -1, INF),
         (0, 0, 0.5723649429247, 1.2655121234846, INF, INF, INF)),
        ("digamma", (1, 0.5, -0.5, 0, -0.0, -1, INF),
         (-0.5772156649015, -1.9635100260214, 0.0364899739786, -INF, INF, NAN, INF)),
    ],
)  # fmt: skip
def test_special_functions_at_special_points(
    name: str, x: tuple[float, ...], expected: tuple[float, ...]
) -> None:
    # Values of the tables in Abramowitz and Stegun.
    np.testing.assert_allclose(gives(name, of("float32", *x)), expected, rtol=2e-6, atol=1e-30)


def test_nothing_times_a_logarithm_is_nothing_except_nan() -> None:
    x = of("float32", 0, 0, 0, 2)

    np.testing.assert_equal(
        gives("x_log_y_tensor", x, of("float32", 0, -1, NAN, 0)), [0, 0, NAN, -INF]
    )


def test_sums_of_exponentials_do_not_overflow() -> None:
    a, b = of("float32", 1000, INF, -INF, -INF), of("float32", 1000, 1, 1, -INF)

    np.testing.assert_allclose(gives("log_add_exp", a, b), [1000 + np.log(2), INF, 1, -INF])
    np.testing.assert_allclose(gives("log_add_exp2", a, b), [1001, INF, 1, -INF])


def test_shrinkages_keep_nan() -> None:
    # As the kernels do; the documents' last case would give 0.
    for dtype in ("float32", "float16"):
        x = of(dtype, NAN, 0.5, -0.75)
        np.testing.assert_equal(gives("hardshrink", x, 0.5), [NAN, 0, -0.75])
        np.testing.assert_equal(gives("softshrink", x, 0.5), [NAN, 0, -0.25])
    assert gives("shrink", of("float32", NAN, 0.5, -0.75), 0.5, 0.25) == [0, 0, -0.5]
    assert gives("hardshrink", of("float32", -1), -2.0) == [-1]
    assert code("softshrink", of("float32", 1), -2.0) == INVALID


@pytest.mark.parametrize("alpha", [0, NAN])
def test_celu_wants_an_alpha(alpha: float) -> None:
    assert code("celu", of("float32", 1), alpha) == INVALID


def test_selu_of_integers_is_cut_off() -> None:
    assert gives("selu", of("int8", -3, 0, 10)) == [-1, 0, 10]


def test_swish_without_beta_is_silu() -> None:
    x = of("float32", -1, 2)

    np.testing.assert_allclose(gives("swish", x, None), gives("silu", x), rtol=1e-6)


def test_isclose_gives_bools_only() -> None:
    x = of("float32", NAN, INF, 1)

    assert gives("is_close", x, x, 0.0, 0.0, False) == [False, True, True]
    assert gives("is_close", x, x, 0.0, 0.0, True) == [True, True, True]
    big = of("int64", 2**40), of("int64", 2**40 + 1)
    assert gives("is_close", *big, 0.0, 0.5, False) == [False]
    assert code("is_close", x, x, 0.0, 0.0, False, out=x) == INNER_NULL


def test_angles_of_real_numbers_are_0_or_pi() -> None:
    np.testing.assert_allclose(
        gives("angle_v2", of("float32", -2, 0, -0.0, 3, NAN)), [np.pi, 0, 0, 0, NAN], rtol=1e-6
    )
    np.testing.assert_allclose(gives("angle_v2", of("complex64", 1j, -1)), [np.pi / 2, np.pi])


def test_halves_are_rounded_to_even_decimals() -> None:
    assert gives("round_decimals", of("float32", 0.125, 2.5), 2) == [pytest.approx(0.12), 2.5]
    assert gives("round_decimals", of("int32", 25, 35, -15), -1) == [20, 40, -20]
    assert gives("round_decimals", of("float16", 1234), 4) == [1234]


SPECIAL = (
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, -3.0, 1e-40, -1e-40, 1e-20, 1e30, -1e30,
    16777215.0, 16777216.0, 3.4e38, INF, -INF, NAN,
)  # fmt: skip
PAIRS = [(a, b) for a in SPECIAL for b in SPECIAL]


@pytest.mark.parametrize(
    ("name", "reference"),
    [("pow_tensor_tensor", np.power), ("atan2", np.arctan2), ("fmod_tensor", np.fmod),
     ("remainder_tensor_tensor", np.remainder)],
)  # fmt: skip
def test_fast_functions_have_the_special_cases_of_the_slow(name: str, reference: Any) -> None:
    a, b = (of("float32", *values) for values in zip(*PAIRS, strict=True))
    with np.errstate(all="ignore"):
        exact = reference(a.numpy().astype(np.float64), b.numpy().astype(np.float64))
        expected = exact.astype(np.float32)

    found = pa.ops[name](a, b).numpy()

    # np.remainder gives zeros the divisor's sign.
    signed = (found != 0) if name == "remainder_tensor_tensor" else np.full(found.shape, True)
    np.testing.assert_allclose(found, expected, rtol=3e-7, atol=2e-45)
    assert (np.signbit(found) == np.signbit(expected))[signed & ~np.isnan(found)].all()


def test_remainders_of_large_quotients_are_exact() -> None:
    rng = np.random.default_rng(3)
    a = np.ldexp(rng.uniform(-1, 1, 4096), rng.integers(-20, 60, 4096)).astype(np.float32)
    b = np.ldexp(rng.uniform(0.5, 1, 4096), rng.integers(-20, 20, 4096)).astype(np.float32)

    found = pa.ops.fmod_tensor(pa.asarray(a), pa.asarray(b)).numpy()

    np.testing.assert_array_equal(found, np.fmod(a, b))


def test_powers_are_right_to_the_last_digit_but_one() -> None:
    rng = np.random.default_rng(4)
    base = np.exp(rng.normal(0, 8, 1 << 16)).astype(np.float32)
    exponent = rng.normal(0, 3, 1 << 16).astype(np.float32)
    with np.errstate(all="ignore"):
        exact = (base.astype(np.float64) ** exponent.astype(np.float64)).astype(np.float32)

    found = pa.ops.pow_tensor_tensor(pa.asarray(base), pa.asarray(exponent)).numpy()

    np.testing.assert_array_max_ulp(found, exact, 1)


def test_nan_has_the_sign_0() -> None:
    for dtype in ("float32", "float16", "float64"):
        assert gives("sign", of(dtype, NAN, -INF, -0.0, 2)) == [0, -1, 0, 1]


def test_gelu_is_the_tanh_form() -> None:
    # 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))), worked out to ten digits.
    found = gives("gelu", of("float32", 1, -1, 3))

    np.testing.assert_allclose(found, [0.8411919906, -0.1588080094, 2.9963626120], rtol=2e-6)
    by_erf = gives("gelu_v2", of("float32", 1, -1, 3), 0)
    np.testing.assert_allclose(by_erf, [0.84134475, -0.15865525, 2.9959503], rtol=2e-6)


def test_gelu_of_every_bfloat16_number() -> None:
    # x times the probability of less than x in the standard normal law, within 0.65 of what the
    # last digit is worth, down to where results are no normal numbers.
    patterns = np.arange(1 << 16, dtype=np.uint16)
    x = patterns.view(pa.tensor.as_dtype("bfloat16"))
    with np.errstate(invalid="ignore"):  # some are signaling NaN
        wide = x.astype(np.float64)
        found = pa.ops.gelu_v2(pa.asarray(x), 0).numpy().astype(np.float64)
    normal = np.isfinite(wide) & (wide > -12.7) & (np.abs(wide) > 2.0**-124)

    law = np.array([0.5 * math.erfc(-value / math.sqrt(2)) for value in wide[normal]])
    expected = wide[normal] * law
    digit = np.exp2(np.floor(np.log2(np.abs(expected))) - 7)
    assert np.max(np.abs(found[normal] - expected) / digit) < 0.65
    assert np.isnan(found[np.isnan(wide) | (wide == -INF)]).all()
    assert found[wide == INF] == INF
