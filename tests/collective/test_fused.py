"""Operators that communicate: between devices of a process, between processes, and what fails."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from collective.processes import finish, outputs, start

PROGRAM = Path(__file__).with_name("fused") / "__main__.py"
REMOTE = 507057


@pytest.mark.parametrize(
    ("ranks", "chosen", "chip"),
    [
        *((ranks, (), "Ascend910B1") for ranks in (1, 2, 4, 8)),
        *((ranks, ("rows",), "Ascend910_95") for ranks in (2, 4, 8)),
        (4, ("batches",), "Ascend910_9391"),
        (16, ("many",), "Ascend910_9391"),
        (24, ("half",), "Ascend910_9391"),
        (16, ("servers",), "Ascend910B1"),
        *((8, ("first",), chip) for chip in ("Ascend910_9391", "Ascend950DT_9582")),
        (16, ("first pairs",), "Ascend910_9391"),
        *((ranks, ("deliveries",), "Ascend910_95") for ranks in (2, 4, 8)),
        *((ranks, ("reduced",), "Ascend950DT_9582") for ranks in (1, 2, 8)),
        *((ranks, ("scaled",), "Ascend950DT_9582") for ranks in (2, 4)),
        (6, ("few",), "Ascend910B1"),
        (6, ("homes",), "Ascend910_9391"),
        (6, ("homes",), "Ascend950DT_9582"),
        (6, ("pairs",), "Ascend910_9391"),
        *((6, ("missing",), chip) for chip in ("Ascend910_9391", "Ascend950DT_9582")),
        *((ranks, ("narrow",), "Ascend950DT_9582") for ranks in (3, 6)),
    ],
)
def test_they_are_the_operator_and_the_collective_to_the_bit(
    ranks: int, chosen: tuple[str, ...], chip: str
) -> None:
    environment = {
        **os.environ,
        "PYACLNN_SIM_SOC": chip,
        "PYACLNN_SIM_DEVICES": str(ranks),
        "HCCL_EXEC_TIMEOUT": "60",
        "PYACLNN_SIM_CHECK": "races:error",
    }

    child = subprocess.run(
        [sys.executable, str(PROGRAM), str(ranks), *chosen],
        capture_output=True, text=True, env=environment, timeout=120, check=False,
    )  # fmt: skip

    assert child.stderr == ""
    assert child.stdout.strip() == "all equal"


@pytest.mark.parametrize("machines", [["one", "one"], ["one", "two"]], ids=["memory", "TCP"])
def test_processes_add_up_their_products(machines: list[str]) -> None:
    code = """
        c = Communicator.from_env()
        x1 = pa.asarray(np.full((3, 8), c.rank + 1, np.float16))
        x2 = pa.asarray(np.ones((8, 300_000 // 3), np.float16))
        for _ in range(3):
            y = pa.ops.matmul_all_reduce(x1, x2, None, c, "sum", 0, 1)
            z = c.all_reduce(x1)
        print(set(y.numpy().ravel().tolist()), z.numpy()[0, 0])
    """
    own = [{"PYACLNN_SIM_MACHINE": name} for name in machines]

    assert outputs(code, 2, own) == ["{24.0} 3.0"] * 2


def test_calls_on_two_streams_communicate_in_the_order_of_the_calls() -> None:
    code = """
        c = Communicator.from_env()
        x1, x2 = pa.ones((2, 8), np.float16), pa.ones((8, 4), np.float16)
        a, b = c.device.create_stream(), c.device.create_stream()
        c.device.sync()
        results = []
        for turn in range(40):
            first, second = (a, b) if (turn + c.rank) % 2 else (b, a)
            results.append(pa.ops.matmul_all_reduce(x1, x2, None, c, "sum", 0, 1, stream=first))
            results.append(c.all_reduce(x1, stream=second))
        a.sync(); b.sync()
        print({float(r.numpy()[0, 0]) for r in results[::2]}, results[1].numpy()[0, 0])
    """

    assert outputs(code, 2) == ["{16.0} 2.0"] * 2


@pytest.mark.parametrize(
    ("chip", "call", "name"),
    [
        ("Ascend910B1", 'pa.ops.matmul_all_reduce(x1, x2, None, c, "sum", 0, 1)',
         "aclnnMatmulAllReduce"),
        ("Ascend910_95", 'pa.ops.allto_allv_grouped_mat_mul(x1, x2.reshape(1, 8, 4), None, None, '
         'None, None, c, 2, [1, 1], [1, 1], False, False, False)[0]',
         "aclnnAlltoAllvGroupedMatMul"),
        ("Ascend910_9391", "(pa.ops.distribute_barrier(x1, c, 2), x1)[1]",
         "aclnnDistributeBarrier"),
    ],
)  # fmt: skip
def test_a_peer_that_was_killed_is_an_error(chip: str, call: str, name: str) -> None:
    code = f"""
        c = Communicator.from_env()
        x1, x2 = pa.ones((2, 8), np.float16), pa.ones((8, 4), np.float16)
        {call}.numpy()
        if c.rank == 1:
            os.kill(os.getpid(), 9)
        try:
            {call}.numpy()
        except pa.AclError as error:
            print(error.code, "{name}" in str(error), "rank 1" in str(error))
    """

    (status, printed, _), (killed, _, _) = finish(start(code, 2, PYACLNN_SIM_SOC=chip))

    assert (status, killed) == (0, -9)
    assert printed == f"{REMOTE} True True"


def test_different_shapes_are_named() -> None:
    code = """
        c = Communicator.from_env()
        x1, x2 = pa.ones((2 + c.rank, 8), np.float16), pa.ones((8, 4), np.float16)
        try:
            pa.ops.matmul_all_reduce(x1, x2, None, c, "sum", 0, 1).numpy()
        except pa.AclError as error:
            print("(8 float16, sum)" in str(error), "(12 float16, sum)" in str(error))
    """

    assert outputs(code, 2) == ["True True"] * 2


def test_a_communicator_that_was_closed_is_refused() -> None:
    code = """
        (c,) = Communicator.all_devices([0])
        name = c.name
        x1, x2 = pa.ones((2, 8), np.float16), pa.ones((8, 4), np.float16)
        call = lambda: pa.ops.matmul_all_reduce(x1, x2, None, name, "sum", 0, 1)
        call().numpy()
        c.close()
        try:
            call()
        except pa.AclError as error:
            print(error.code, name in str(error))
    """

    # The first phase is that of the same call before, which CANN does not check again.
    assert outputs(code, 1) == ["561000 True"]


EXPERTS = """
    c = Communicator.from_env()
    rng = np.random.default_rng(c.rank)
    tokens, width, experts, room = 4, 7168, 4, 16
    x = pa.asarray(rng.uniform(-1, 1, (tokens, width))).astype("bfloat16")
    ids = pa.asarray(np.stack([rng.permutation(experts)[:2] for _ in range(tokens)]).astype("i4"))
    weights = pa.asarray(rng.uniform(0, 1, (tokens, 2)).astype("f4"))
    world = (c, 2, c.rank, experts, "", 0, 0, 0, 1, 0)
    rows, index = pa.empty((room, width), "bfloat16"), pa.zeros((tokens * 2,), "int32")
    numbers = pa.zeros((2,), "int64")
    received, none = pa.zeros((4,), "int32"), pa.zeros((1,), "int32")
    def dispatch(ids):
        pa.ops.moe_distribute_dispatch(x, ids, None, None, None, *world, 0, 0, 0,
            out=(rows, pa.zeros((room,)), index, numbers, received, none, pa.zeros((room,))))
"""


@pytest.mark.parametrize(
    ("chip", "ranks", "width", "expected"),
    [
        ("Ascend910B1", 2, 64, 561002), ("Ascend910B1", 4, 64, 561002), ("Ascend910B1", 8, 64, 0),
        ("Ascend910B1", 12, 64, 561002), ("Ascend910B1", 16, 7200, 561002),
        ("Ascend910_9391", 2, 7168, 561002), ("Ascend910_9391", 8, 7168, 0),
        ("Ascend910_9391", 8, 1024, 561002), ("Ascend910_9391", 24, 7168, 561002),
        ("Ascend950DT_9582", 2, 7168, 0), ("Ascend950DT_9582", 2, 8192, 561002),
        ("Ascend950DT_9582", 3, 7168, 561002), ("Ascend950DT_9582", 6, 7168, 561002),
    ],
)  # fmt: skip
def test_the_first_version_is_for_whole_nodes_and_one_width(
    chip: str, ranks: int, width: int, expected: int
) -> None:
    code = f"""
    ranks, width, room, shared = {ranks}, {width}, {4 * ranks}, {int(chip != "Ascend910B1")}
    first, *others = Communicator.all_devices(list(range(ranks)))
    x, ids = pa.zeros((4, width), "float16"), pa.zeros((4, 2), "int32")
    outs = [pa.empty((room, width), "float16"), pa.zeros((room,)), pa.zeros((8,), "int32"),
            pa.zeros((1,), "int64"), pa.zeros((ranks,), "int32"), pa.zeros((1,), "int32"),
            pa.zeros((room,))]
    try:
        pa.ops.moe_distribute_dispatch.plan(
            x, ids, None, None, None, first, ranks, 0, ranks, "", 0, 0, 0, shared, 0, 0, 0, 0,
            out=outs)
        print(0)
    except pa.AclError as error:
        print(error.code)
    """

    printed = outputs(code, 1, PYACLNN_SIM_SOC=chip, PYACLNN_SIM_DEVICES=str(ranks))

    assert printed == [str(expected)]


def test_results_of_experts_are_combined_and_normalised() -> None:
    code = """
    dispatch(ids)
    sent = (rows, ids, index, received, weights)
    again = (rows, ids, pa.zeros((room * 128,), "int32"), received, weights)
    residual, gamma = x.reshape(tokens, 1, width), pa.ones((width,), "bfloat16")
    y, rstd, both = pa.ops.moe_distribute_combine_add_rms_norm(
        *again, residual, gamma, None, None, None, None, None, None, None, *world, 0, 0, 0, 0, None,
        1e-6)
    plain = pa.ops.moe_distribute_combine(*sent, None, None, None, None, None, None, *world, 0, 0,
                                          0, 0)
    total = weights.numpy().sum(1, keepdims=True) * x.numpy().astype("f8")
    near = np.abs(plain.numpy().astype("f8") - total).max() < 2 ** -6
    want = pa.ops.add_rms_norm(plain.reshape(tokens, 1, width), residual, gamma, 1e-6)
    equal = [a.numpy().tobytes() == b.numpy().tobytes() for a, b in zip((y, rstd, both), want)]
    print(near, equal, numbers.numpy().tolist() == np.cumsum(np.diff([0, *received.numpy()])
        .reshape(2, 2).sum(1)).tolist(), sorted(index.numpy().tolist())[0])
    """

    printed = outputs(EXPERTS + code, 2, PYACLNN_SIM_SOC="Ascend950DT_9582")

    assert printed == ["True [True, True, True] True 0"] * 2


def test_a_token_for_no_expert_fails_on_all_ranks() -> None:
    code = """
    try:
        dispatch(ids if c.rank else pa.full((tokens, 2), 9, "int32"))
        c.device.sync()
    except pa.AclError as error:
        print(error.code, "expertIds has 9" in str(error))
    """

    first, second = outputs(EXPERTS + code, 2, PYACLNN_SIM_SOC="Ascend950DT_9582")

    assert first == "507015 True"
    assert second == f"{REMOTE} False"


@pytest.mark.parametrize(
    ("counts", "words"),
    [("[0, 1, 1, 17]", "epSendCounts has 17 behind 1, of 16 rows"),
     ("[4, 3, 4, 4]", "epSendCounts has 3 behind 4, of 16 rows")],
    ids=["too many", "backwards"],
)  # fmt: skip
def test_counts_of_other_rows_fail_on_all_ranks(counts: str, words: str) -> None:
    code = f"""
    dispatch(ids)
    numbers = received if c.rank else pa.asarray(np.array({counts}, "i4"))
    try:
        pa.ops.moe_distribute_combine(rows, ids, index, numbers, weights, None, None, None, None,
                                      None, None, *world, 0, 0, 0, 0)
        c.device.sync()
    except pa.AclError as error:
        print(error.code, {words!r} in str(error))
    """

    first, second = outputs(EXPERTS + code, 2, PYACLNN_SIM_SOC="Ascend950DT_9582")

    assert first == "507015 True"
    assert second.startswith(str(REMOTE))


DELIVERIES = """
    c = Communicator.from_env()
    tokens, width, chosen = 16, 7168, 8
    rng = np.random.default_rng(7)
    world = dict(group_ep=c, ep_world_size=c.size, ep_rank_id=c.rank, moe_expert_num=32)
    x = pa.asarray(rng.uniform(-1, 1, (tokens, width)).astype("f2"))
    far = (1 - c.rank) * 16 if c.size == 2 else 0  # all go to the other rank
    ids = pa.asarray((np.arange(tokens * chosen).reshape(tokens, chosen) % 16 + far).astype("i4"))
    weights = pa.ones((tokens, chosen), "float32")
    def begin(**changed):
        return pa.ops.moe_distribute_dispatch_setup(x, ids, None, None, **{**world, **changed})
    def end(begun, **changed):
        y, _, commands = begun
        return pa.ops.moe_distribute_dispatch_teardown(x, y, ids, commands, **{**world, **changed})
    def report(call):
        try:
            call()
            c.device.sync()
        except pa.AclError as error:
            print(error.code, str(error).replace("\\n", " "))
        else:
            print("no error")
"""


@pytest.mark.parametrize("machines", [["one", "one"], ["one", "two"]], ids=["memory", "TCP"])
def test_what_a_setup_sends_is_taken_by_another_process(machines: list[str]) -> None:
    code = """
    for _ in range(3):
        begun = begin()
        c.device.sync()
        rows, _, assist, numbers = end(begun)
        sent = pa.ops.moe_distribute_combine_setup(rows, ids, assist, **world)
        out = pa.ops.moe_distribute_combine_teardown(
            rows, sent[0], ids, begun[1], weights, sent[1], None, None, **world)
        want = (x.numpy().astype("f4") * 8).astype("f2")
        print((out.numpy() == want).all(), numbers.numpy().tolist() == [8] * 16, end=" ")
    """
    own = [{"PYACLNN_SIM_MACHINE": name} for name in machines]

    printed = outputs(DELIVERIES + code, 2, own, PYACLNN_SIM_SOC="Ascend910_95")

    assert printed == ["True True True True True True"] * 2


def test_a_teardown_without_its_setup_is_an_error() -> None:
    code = """
    begun = (pa.zeros((128, width), "float16"), None, pa.zeros(((128 + 32) * 16,), "int32"))
    report(lambda: end(begun))
    """

    printed = outputs(DELIVERIES + code, 2, PYACLNN_SIM_SOC="Ascend910_95")

    assert [line.split()[0] for line in printed] == ["507014"] * 2
    assert all("a Teardown of MoeDistributeDispatch waits for a Setup" in line for line in printed)


@pytest.mark.parametrize(
    ("code", "expected", "words"),
    [
        ("report(lambda: end(begin(), moe_expert_num=16) if c.rank == 0 else end(begin()))",
         "561002", "commCmdInfo"),
        ("begun = begin(); x = pa.zeros(x.shape, 'bfloat16'); y = pa.zeros(begun[0].shape, "
         "'bfloat16'); report(lambda: end((y, *begun[1:])))",
         "507015", "the Setup of rank 0 goes by 32 experts and rows of 7168 float16"),
        ("begin(); report(begin)", "507015", "between the Setup and the Teardown"),
        ("begin(); report(lambda: c.all_reduce(x))",
         "507015", "HcclAllReduce comes between the Setup and the Teardown"),
        ("begun = begin(); rows = pa.zeros((256, width), 'float16'); "
         "report(lambda: pa.ops.moe_distribute_combine_teardown(rows, "
         "pa.zeros((256, 10752), 'int8'), ids, begun[1], weights, "
         "pa.zeros((258 * 16,), 'int32'), None, None, **world))",
         "507014", "waits for its Setup; that of MoeDistributeDispatch #0 came before"),
    ],
    ids=["other experts", "another type", "another setup", "another operator", "another teardown"],
)  # fmt: skip
def test_calls_that_do_not_belong_together_are_errors(code: str, expected: str, words: str) -> None:
    first = outputs(DELIVERIES + f"    {code}\n", 2, PYACLNN_SIM_SOC="Ascend910_95")[0]

    assert first.startswith(expected)
    assert words in first


def test_a_peer_that_was_killed_before_its_setup_is_an_error() -> None:
    code = """
    if c.rank == 1:
        os.kill(os.getpid(), 9)
    report(lambda: end(begin()))
    """

    (_, printed, _), (killed, _, _) = finish(
        start(DELIVERIES + code, 2, PYACLNN_SIM_SOC="Ascend910_95")
    )

    assert killed == -9
    assert printed.startswith(str(REMOTE))
    assert "MoeDistributeDispatch" in printed
    assert "rank 1" in printed


def test_setups_and_teardowns_of_a_graph_run_again_and_again() -> None:
    code = """
    stream = c.device.create_stream()
    x, ids = x.copy(), ids.copy()
    c.device.sync()
    with pa.Graph.capture(stream) as graph:
        rows = end(begin())[0]
    for factor in (1, 2):
        x.copy_from(np.full((tokens, width), factor, "f2"))
        graph.run()
        stream.sync()
        print(set(rows.numpy()[:128].ravel().tolist()), end=" ")
    """

    printed = outputs(DELIVERIES + code, 2, PYACLNN_SIM_SOC="Ascend910_95")

    assert printed == ["{1.0} {2.0}"] * 2
