"""Recurrent networks: LSTM and GRU over sequences, forward and backward, and single cells."""

from __future__ import annotations

from .dtypes import dtypes
from .optional_steps import if_given
from .row import Output, Row
from .steps import DtypeIn, Kernel, Null, OnlyOn

_FAMILY = "recurrent"
_INPUT = "same input"
#: Steps and batch of a sequence, whose axes say them or the numbers of valid rows do.
_STEPS = "(batchSizes[0] if batchSizes is not None else input[1 if batchFirst else 0])"
_BATCH = (
    "(input[0] // max(batchSizes[0], 1) if batchSizes is not None "
    "else input[0 if batchFirst else 1])"
)


def _sequence(name: str, function: str, both: str, states: tuple[str, ...],
              kept: tuple[str, ...]) -> Row:  # fmt: skip
    """Make the row of a network; ``both`` is the parameter that asks for two directions."""
    ways, hidden = f"(2 if {both} else 1)", "params[1][-1]"
    wide = f"{ways} * {hidden}"
    by_batch = "batchFirst and batchSizes is None"
    state = Output(f"({ways} * numLayers, {_BATCH}, {hidden})", _INPUT)
    gates = f"[({_STEPS}, {_BATCH}, {hidden}) for _ in range({ways} * numLayers)]"
    return Row(
        name, _FAMILY, (Kernel(function),),
        {
            "output": Output(
                f"({_BATCH} if {by_batch} else {_STEPS}, "
                f"{_STEPS} if {by_batch} else {_BATCH}, {wide})", _INPUT
            ),
            **dict.fromkeys(states, state),
            **dict.fromkeys(kept, Output(f"if train: {gates}", _INPUT)),
        },
    )  # fmt: skip


def _bidirectional(name: str) -> Row:
    ways = "(2 if bidirection else 1)"
    state = Output(f"({ways} * numLayers, *initH[1:])", "same x")
    optional = ("bIh", "bHh", "wIhReverse", "wHhReverse", "bIhReverse", "bHhReverse")
    half = dtypes("float16")
    return Row(
        name, _FAMILY,
        (
            Null(("x", "initH", "initC", "wIh", "wHh", "yOut", "outputHOut", "outputCOut")),
            OnlyOn(("310P",), inside=True),
            DtypeIn(half, ("x", "initH", "initC", "wIh", "wHh")),
            *(if_given(f"{n}Optional", DtypeIn(half, (f"{n}Optional",))) for n in optional),
            *(
                (if_given("batchSizeOptional", DtypeIn(dtypes("int32"), ("batchSizeOptional",))),)
                if name.endswith("V2") else ()
            ),
            DtypeIn(half, ("yOut", "outputHOut", "outputCOut")),
            Kernel("bidirection_lstm", of="BidirectionLSTMV2"),
        ),
        {
            "yOut": Output(f"(*x[:-1], {ways} * initH[-1])", "same x"),
            "outputHOut": state, "outputCOut": state,
        },
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    _sequence("LSTM", "lstm", "bidirectional", ("hy", "cy"),
              ("iOut", "jOut", "fOut", "oOut", "hOut", "cOut", "tanhCOut")),
    _sequence("GRU", "gru", "bidirection", ("hy",), ("rOut", "zOut", "nOut", "hnOut", "hOut")),
    _bidirectional("BidirectionLSTM"),
    _bidirectional("BidirectionLSTMV2"),
    Row(
        "LstmBackward", _FAMILY, (Kernel("lstm_backward"),),
        {
            "dxOut": Output("like input", _INPUT),
            "dhPrevOut": Output("(*hx[0],)", _INPUT),
            "dcPrevOut": Output("(*hx[1],)", _INPUT),
            "dparamsOut": Output("[*params]", "same params"),
        },
    ),
    Row(
        "GRUBackward", _FAMILY, (Kernel("gru_backward"),),
        {
            "dxOut": Output("like input", _INPUT), "dhPrevOut": Output("like hx", "same hx"),
            "dparamsOut": Output("[*params]", "same params"),
        },
    ),
    Row(
        "ThnnFusedLstmCell", _FAMILY, (Kernel("thnn_fused_lstm_cell"),),
        {
            "hyOut": Output("like cx", "same cx"), "cyOut": Output("like cx", "same cx"),
            "storageOut": Output("like inputGates", "same inputGates"),
        },
    ),
    Row(
        "ThnnFusedLstmCellBackward", _FAMILY, (Kernel("thnn_fused_lstm_cell_backward"),),
        {
            "gradGatesOut": Output("like storage", "same storage"),
            "gradCxOut": Output("like cx", "same cx"),
            # CANN refuses null, though it is written with hasBias only.
            "gradBiasOut": Output("(storage[1],)", "same storage"),
        },
    ),
)  # fmt: skip
