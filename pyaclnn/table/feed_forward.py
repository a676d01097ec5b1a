"""Feed-forward networks: three versions of one operator."""

from __future__ import annotations

from .row import Output, Row
from .steps import Call, DoneIfEmpty, Null, OnlyOn, Step, Struct, That

_FAMILY = "matmul"


def _row(name: str, suffix: str, tokens: str, ends: str, first: tuple[Step, ...] = ()) -> Row:
    """Make a row; ``suffix`` is that of optional parameters, ``ends`` whether tokens are ends."""
    optional = [
        n + suffix
        for n in ("scale", "offset", "deqScale1", "deqScale2", "antiquantScale1",
                  "antiquantScale2", "antiquantOffset1", "antiquantOffset2")
    ]  # fmt: skip
    rows = " x" if tokens == "expertTokens" else ""
    return Row(
        name, _FAMILY,
        (
            *first,
            Call("activation_of", "check activation", "kind"),
            Null(("x", "weight1", "weight2", "y")),
            OnlyOn(("310P", "A2"), inside=True),
            Call("check_deq_scales", f"check {optional[2]} {optional[3]}"),
            Call("experts_of", f"check {tokens} {ends}{rows}", "experts"),
            Struct("FeedForward",
                   f"x weight1 weight2 bias1{suffix} bias2{suffix} {' '.join(optional)} "
                   "innerPrecise y", "network"),
            Call("check_feed_forward", "check network experts kind"),
            DoneIfEmpty(("x",)),
            Call("feed_forward", "plan network experts kind"),
        ),
        {"y": Output("last_of x weight2", f"restored x {optional[2]}")},
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    # The first version is not for the inference chips.
    _row("FFN", "", "expertTokens", "false", (That("!on_310p()", "this chip has FFNV2"),)),
    _row("FFNV2", "", "expertTokens", "tokensIndexFlag"),
    _row("FFNV3", "Optional", "expertTokensOptional", "tokensIndexFlag"),
)
