"""What HCCL refuses before anything is communicated, with its codes, and what Python refuses."""

from __future__ import annotations

import pytest
from children import output_of

SETTING = """
    import numpy as np, pyaclnn as pa
    from pyaclnn.collective import Communicator
    lib, ffi = pa.lib, pa.ffi
    members = Communicator.all_devices([0, 1])
    device = members[0].device.use()
    c, s = members[0].handle, device.default_stream.handle
    x, y = pa.zeros(64), pa.zeros(64)
    with members[1].device:
        far = pa.zeros(64)
        far_stream = members[1].device.default_stream.handle
    def at(tensor, skip=0):
        return ffi.cast("void *", tensor.buffer.ptr + skip)
    a, b, null, host = at(x), at(y), ffi.NULL, ffi.new("float[64]")
    F32, INT8, INT16, UINT8, BF16, INT128 = 4, 0, 1, 7, 11, 12
    SUM, PROD, MAX = 0, 1, 2
    def u64(*values):
        return ffi.new("uint64_t[]", values)
    device.activate()
    raw = ffi.new("HcclComm[1]")
    lib.HcclCommInitAll(1, ffi.new("int32_t[]", [0]), raw)
    print({call})
"""

REFUSED = [
    # Nothing is success before anything else.
    ("lib.HcclAllReduce(null, null, 0, 99, 99, null, null)", 0),
    ("lib.HcclBatchSendRecv(null, 0, null, null)", 0),
    ("lib.HcclAllReduce(a, b, 4, F32, SUM, c, null)", 2),
    ("lib.HcclAllReduce(a, b, 4, F32, SUM, null, s)", 2),
    ("lib.HcclAllReduce(null, b, 4, F32, SUM, c, s)", 2),
    ("lib.HcclAllReduce(a, null, 4, F32, SUM, c, s)", 2),
    ("lib.HcclAllReduce(a, b, 4, F32, SUM, ffi.cast('void *', 1234), s)", 1),
    ("lib.HcclAllReduce(a, b, 4, F32, SUM, c, far_stream)", 15),
    ("lib.HcclAllReduce(a, b, 4, UINT8, SUM, c, s)", 5),
    ("lib.HcclAllReduce(a, b, 4, INT128, SUM, c, s)", 5),
    ("lib.HcclAllReduce(a, b, 4, F32, 7, c, s)", 5),
    ("lib.HcclAllReduce(a, b, 4, INT16, PROD, c, s)", 5),
    ("lib.HcclAllReduce(a, b, 4, BF16, PROD, c, s)", 5),
    ("lib.HcclAllReduce(a, b, 1 << 36, INT8, SUM, c, s)", 1),
    ("lib.HcclAllReduce(a, b, 1 << 20, F32, SUM, c, s)", 1),
    ("lib.HcclAllReduce(host, b, 4, F32, SUM, c, s)", 1),
    ("lib.HcclAllReduce(at(far), b, 4, F32, SUM, c, s)", 1),
    ("lib.HcclAllReduce(at(x, 2), b, 4, F32, SUM, c, s)", 1),
    ("lib.HcclReduce(a, b, 4, F32, SUM, 2, c, s)", 1),
    ("lib.HcclBroadcast(a, 4, F32, 2, c, s)", 1),
    ("lib.HcclBroadcast(a, 4, INT128, 0, c, s)", 5),
    ("lib.HcclScatter(null, b, 4, F32, 0, c, s)", 2),
    ("lib.HcclAlltoAll(a, 4, F32, b, 5, F32, c, s)", 1),
    ("lib.HcclAlltoAll(a, 4, F32, b, 4, INT8, c, s)", 1),
    ("lib.HcclAlltoAll(a, 4, F32, a, 4, F32, c, s)", 1),
    ("lib.HcclAlltoAllV(a, null, u64(0, 0), F32, b, u64(1, 1), u64(0, 1), F32, c, s)", 2),
    ("lib.HcclAlltoAllV(a, u64(1, 1), u64(0, 1), F32, b, u64(2, 1), u64(0, 2), F32, c, s)", 1),
    ("lib.HcclAlltoAllV(a, u64(1, 1), u64(0, 2**63), F32, b, u64(1, 1), u64(0, 1), F32, c, s)", 1),
    ("lib.HcclAllGatherV(a, 3, b, u64(2, 2), u64(0, 2), F32, c, s)", 1),
    ("lib.HcclReduceScatterV(a, u64(2, 2), u64(0, 2), b, 3, F32, SUM, c, s)", 1),
    ("lib.HcclReduceScatterV(a, u64(2, 2), u64(0, 2), a, 2, F32, SUM, c, s)", 1),
    ("lib.HcclReduceScatterV(a, u64(2, 2), u64(0, 2), b, 2, F32, PROD, c, s)", 5),
    ("lib.HcclSend(a, 4, F32, 0, c, s)", 5),
    ("lib.HcclRecv(a, 4, F32, 2, c, s)", 1),
    ("lib.HcclGetRankSize(c, null)", 2),
    ("lib.HcclCommDestroy(null)", 2),
    ("lib.HcclCommDestroy(raw[0]) + 10 * lib.HcclCommDestroy(raw[0])", 10),
    ("lib.HcclCommInitAll(2, ffi.new('int32_t[]', [0, 0]), ffi.new('HcclComm[2]'))", 1),
    ("lib.HcclCommInitAll(2, ffi.new('int32_t[]', [0, 2]), ffi.new('HcclComm[2]'))", 1),
    ("lib.HcclCommInitClusterInfo(b'/nowhere.json', 0, ffi.new('HcclComm *'))", 10),
]


def test_calls_are_refused_with_the_codes_of_hccl() -> None:
    calls = ", ".join(call for call, _ in REFUSED)

    answers = output_of(
        SETTING.format(call=f"*[{calls}], sep='; '"), PYACLNN_SIM_DEVICES="2"
    ).split("; ")

    told = [(call, int(code)) for (call, _), code in zip(REFUSED, answers, strict=True)]
    assert told == REFUSED


@pytest.mark.parametrize(
    ("chip", "call", "code"),
    [
        ("Ascend910A", "lib.HcclAllReduce(a, b, 4, INT16, SUM, c, s)", 5),
        ("Ascend910A", "lib.HcclBroadcast(a, 4, BF16, 0, c, s)", 5),
        ("Ascend310P3", "lib.HcclAllReduce(a, b, 4, INT16, MAX, c, s)", 5),
        ("Ascend310P3", "lib.HcclBatchSendRecv(ffi.new('HcclSendRecvItem[1]'), 1, c, s)", 5),
        ("Ascend910_9391", "lib.HcclAllReduce(a, b, 4, 10, SUM, c, s)", 5),
    ],
)
def test_chips_reduce_different_types(chip: str, call: str, code: int) -> None:
    answer = output_of(SETTING.format(call=call), PYACLNN_SIM_DEVICES="2", PYACLNN_SIM_SOC=chip)

    assert answer == str(code)


def test_python_refuses_what_it_knows_to_be_wrong() -> None:
    code = (
        SETTING.format(call="")
        + """
    def refused(call):
        try:
            call()
        except (TypeError, ValueError) as error:
            return f"{type(error).__name__}: {error}"
        return "accepted"
    one = members[0]
    print(refused(lambda: one.all_reduce(pa.zeros(4, np.uint8))))
    print(refused(lambda: one.all_reduce(pa.zeros(4, np.complex64))))
    print(refused(lambda: one.all_reduce(x, "mean")))
    print(refused(lambda: one.all_reduce(np.zeros(4))))
    print(refused(lambda: one.all_reduce(far)))
    print(refused(lambda: one.all_reduce(x, out=pa.zeros(3))))
    print(refused(lambda: one.reduce_scatter(pa.zeros(3))))
    print(refused(lambda: one.broadcast(x, 2)))
    print(refused(lambda: one.all_gather_v(x, [64])))
    print(refused(lambda: one.batch_send_recv([("push", x, 1)])))
    """
    )

    lines = output_of(code, PYACLNN_SIM_DEVICES="2").splitlines()

    expected = [
        ("TypeError: uint8 is not reduced", "float32"),
        ("TypeError: complex64 is not communicated", "float16"),
        ("ValueError: op is 'mean'", "sum, prod, max, min"),
        ("TypeError: tensor is of type ndarray", "pyaclnn.Tensor"),
        ("ValueError: tensor float32[64] @dev1", "Device(0)"),
        ("ValueError: out is float32[3]", "(64,)"),
        ("ValueError: float32[3]", "3 rows, which 2 ranks cannot share equally"),
        ("ValueError: root is 2", "0 to 1"),
        ("ValueError: counts is [64]", "2 ranks"),
        ("ValueError: item 0 is to 'push'", "'recv'"),
    ]
    for line, (begin, within) in zip(lines[-10:], expected, strict=True):
        assert line.startswith(begin)
        assert within in line
