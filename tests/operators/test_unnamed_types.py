"""Elements of types that NumPy lacks are moved as they are on the 950."""

from __future__ import annotations

import json

from children import output_of

PROGRAM = """
    import json
    import numpy as np
    import pyaclnn as pa
    from pyaclnn.selftest.suites.resampling_forward import unfolded
    from pyaclnn.selftest.suites.unfold import Windows
    from pyaclnn.tensor.formats import with_format

    def bits(shape, dtype):
        return np.arange(np.prod(shape)).reshape(shape).astype(dtype)

    def of(values, name):
        return with_format(pa.asarray(values), "ND", dtype=name)

    def slices(name, carrier):
        whole = bits((3, 4, 6), carrier)
        expected = whole[1:3, 3:0:-1, ::2]
        out = pa.zeros(expected.shape, carrier)
        pa.ops.strided_slice(of(whole, name), [1, 3, 0], [3, 0, 6], [1, -1, 2], 0, 0, 0, 0, 0,
                             out=with_format(out, "ND", dtype=name))
        return bool(np.array_equal(out.numpy(), expected))

    def columns():
        image = bits((2, 3, 5, 4), "uint32") + 1
        windows = Windows((5, 4), (2, 3), (1, 1), (1, 2), (2, 1))
        expected = unfolded(image, windows)
        out = pa.zeros(expected.shape, "uint32")
        pa.ops.im2col(of(image, "complex32"), windows.kernel, windows.dilation, windows.padding,
                      windows.stride, out=with_format(out, "ND", dtype="complex32"))
        return bool(np.array_equal(out.numpy(), expected))

    carriers = {"complex32": "uint32", "hifloat8": "uint8", "float8_e5m2": "uint8",
                "float8_e4m3fn": "uint8"}
    print(json.dumps({**{n: slices(n, c) for n, c in carriers.items()}, "columns": columns()}))
"""


def test_slices_and_columns_of_types_that_numpy_lacks() -> None:
    seen = json.loads(output_of(PROGRAM, PYACLNN_SIM_SOC="Ascend950"))

    assert seen == dict.fromkeys(
        ("complex32", "hifloat8", "float8_e5m2", "float8_e4m3fn", "columns"), True
    )
