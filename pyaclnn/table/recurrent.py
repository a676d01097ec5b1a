"""Attention without scores: states that tokens change one after the other, and convolutions."""

from __future__ import annotations

from .dtypes import Dtypes
from .optional_steps import if_given
from .row import Output, Row
from .steps import DtypeIn, Given, Inside, Kernel, Null, Step

_FAMILY = "attention"
_BF16 = Dtypes(("bfloat16",))
_INT32 = Dtypes(("int32",))
_FLOAT = Dtypes(("float32",))


def _delta_rule(name: str, state: str, *more: str, gates: tuple[str, ...]) -> tuple[Step, ...]:
    """Return the checks of a delta rule; `more` are integers, which may be left out at the end."""
    must = ("query", "key", "value", state, "beta", "actualSeqLengths")
    integers = ("actualSeqLengths", *more)
    outs = ("out", "finalState") if name.startswith("Chunk") else ("out",)
    return (
        Given((*must, *more, *outs)),
        DtypeIn(_BF16, ("query", "key", "value", state, "beta")),
        DtypeIn(_INT32, integers),
        *(if_given(gate, DtypeIn(_FLOAT, (gate,))) for gate in gates),
    )


def _inferred(state: str) -> tuple[Step, ...]:
    """Return what the inference of a delta rule's shapes refuses."""
    return tuple(
        Inside(f"{tensor}.rank() == {rank}", f"{tensor} has not {rank} dimensions")
        for tensor, rank in (("value", 3), (state, 4))
    )


_STATES = ("x", "weight", "convStates")

ROWS: tuple[Row, ...] = (
    Row(
        "ChunkGatedDeltaRule", _FAMILY,
        (
            *_delta_rule("ChunkGatedDeltaRule", "initialState", gates=("gOptional",)),
            DtypeIn(_BF16, ("out", "finalState")),
            *_inferred("initialState"),
            Kernel("chunk_gated_delta_rule"),
        ),
        {
            "out": Output("like value", "same value"),
            "finalState": Output("like initialState", "same initialState"),
        },
    ),
    Row(
        "RecurrentGatedDeltaRule", _FAMILY,
        (
            *_delta_rule(
                "RecurrentGatedDeltaRule", "stateRef", "ssmStateIndices", gates=("g", "gk")
            ),
            if_given("numAcceptedTokens", DtypeIn(_INT32, ("numAcceptedTokens",))),
            DtypeIn(_BF16, ("out",)),
            *_inferred("stateRef"),
            Kernel("recurrent_gated_delta_rule"),
        ),
        {"out": Output("like value", "same value")},
    ),
    Row(
        "MaskedCausalConv1d", _FAMILY,
        (Null(("x", "weight", "out")), Kernel("masked_causal_conv1d")),
        {"out": Output("like x", "same x")},
    ),
    Row(
        "MaskedCausalConv1dBackward", _FAMILY,
        (
            Null(("gradY", "x", "weight", "gradXOut", "gradWeightOut")),
            Kernel("masked_causal_conv1d_backward"),
        ),
        {
            "gradXOut": Output("like x", "same x"),
            "gradWeightOut": Output("like weight", "same weight"),
        },
    ),
    Row(
        "FusedCausalConv1d", _FAMILY, (Null((*_STATES, "y")), Kernel("fused_causal_conv1d")),
        {"y": Output("like x", "same x")},
    ),
    Row(
        "InplaceFusedCausalConv1d", _FAMILY,
        (Null(_STATES), Kernel("fused_causal_conv1d", of="FusedCausalConv1d", given={"y": "x"})),
    ),
)  # fmt: skip
