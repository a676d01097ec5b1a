"""Blocks that share an exponent: every float of four bits, and numbers that are none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from children import output_of

from pyaclnn.selftest.suites.quant_blocks import nearest_float4

#: On the 950: rows that begin with 6, so that their exponent is 0, and then every float16 to 8.
_TO_FLOAT4 = """
    import os
    from pathlib import Path
    import numpy as np
    import pyaclnn as pa

    bits = np.arange(2**16, dtype=np.uint16)
    x = bits.view(np.float16)
    x = x[np.isfinite(x) & (np.abs(x) < 8)]
    rows = np.full((-(-x.size // 31), 32), 6, np.float16)
    rows[:, 1:] = np.resize(x, (rows.shape[0], 31))
    found = [rows.tobytes()]
    for mode in ("rint", "round", "floor"):
        y, scale = pa.ops.dynamic_mx_quant(pa.asarray(rows), -1, mode, 40, 32, 0)
        assert (scale.numpy().view(np.uint8)[:, 0, 0] == 127).all()
        found.append(y.numpy().astype(np.float64).tobytes())
    Path(os.environ["FOUND"]).write_bytes(b"".join(found))
"""

_SPECIAL = """
    import ml_dtypes
    import numpy as np
    import pyaclnn as pa

    x = np.zeros((4, 32), np.float32)
    x[1, 3], x[2, 5], x[3] = np.nan, np.inf, 2.0**-130
    for code in (35, 36):
        y, scale = pa.ops.dynamic_mx_quant(
            pa.asarray(x.astype(ml_dtypes.bfloat16)), -1, None, code, 32, 0
        )
        y = y.numpy().astype(float)
        print(scale.numpy().view(np.uint8)[:, 0].tolist(), np.isnan(y).all(1), (y == 0).all(1))
"""


def test_every_float16_becomes_a_float_of_four_bits(tmp_path: Path) -> None:
    file = tmp_path / "found"
    output_of(_TO_FLOAT4, PYACLNN_SIM_SOC="Ascend910_95", FOUND=str(file))
    data = file.read_bytes()
    rows = len(data) // (32 * (2 + 3 * 8))
    x = np.frombuffer(data, np.float16, rows * 32).astype(np.float64)
    found = np.frombuffer(data, np.float64, offset=rows * 64).reshape(3, -1)

    for y, mode in zip(found, ("rint", "round", "floor"), strict=True):
        assert np.array_equal(y, nearest_float4(x, mode)), mode


def test_a_block_with_nan_or_infinity_is_nan_and_one_of_zeros_is_zero() -> None:
    printed = output_of(_SPECIAL, PYACLNN_SIM_SOC="Ascend910_95")

    line = (
        "[[0, 0], [255, 0], [255, 0], [0, 0]] [False  True  True False] [ True False False  True]"
    )
    assert printed.splitlines() == [line, line]
