"""The search for missing synchronisation knows the memory of collectives."""

from __future__ import annotations

import pytest
from children import run_child

UNORDERED = """
    import numpy as np, pyaclnn as pa
    from pyaclnn.collective import Communicator
    ranks = Communicator.all_devices([0])[0]
    a, b = ranks.device.create_stream(), ranks.device.create_stream()
    x, y = pa.asarray(np.ones(64, np.float32)), pa.zeros(64)
    ranks.device.sync()
    {first}
    {between}
    {second}
    try:
        a.sync(); b.sync()
    except pa.AclError as error:
        print(error.code, error)
"""
REDUCE = "ranks.all_reduce(x, out=y, stream=a)"


@pytest.mark.parametrize(
    ("first", "second", "operands"),
    [
        (REDUCE, "pa.ops.relu(y, stream=b)", ("recvBuf", "self")),
        (REDUCE, "pa.ops.inplace_copy(x, pa.ones(64), stream=b)", ("sendBuf", "selfRef")),
        ("pa.ops.relu(y, out=x, stream=b)", REDUCE, ("out", "sendBuf")),
    ],
)
def test_work_that_nothing_orders_with_a_collective_is_named(
    first: str, second: str, operands: tuple[str, str]
) -> None:
    hazard = run_child(
        UNORDERED.format(first=first, between="", second=second), PYACLNN_SIM_CHECK="races:error"
    )
    ordered = "b.wait(a.record()); a.wait(b.record())"
    sound = run_child(
        UNORDERED.format(first=first, between=ordered, second=second),
        PYACLNN_SIM_CHECK="races:error",
    )

    assert hazard.stdout.startswith("507015"), hazard.stderr
    assert "HcclAllReduce" in hazard.stdout
    assert all(operand in hazard.stdout for operand in operands)
    assert (sound.stdout, sound.stderr) == ("", "")
