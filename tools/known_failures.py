"""Why tests of others cannot pass, by suite. Each was looked into."""

from __future__ import annotations

from backend_ops import Known

#: What the backend asks of CANN is not what the case means, wherever it runs.
_GGML = (
    Known(
        r"CONCAT\(type=q[45]_[01],",
        "aclnnCat has no such type: the backend says that it concatenates blocks of 4 or 5 bits, "
        "and passes them as int4 or as an unknown type",
    ),
    Known(
        r"CONCAT\(type=q8_0,",
        "the backend passes blocks of q8_0, which hold scales, too, as so many int8",
    ),
    Known(
        r"SET_ROWS\(type_src=f16,type_dst=f32,",
        "the backend describes float16 rows as float32, and reads beyond them",
    ),
    Known(
        r"GET_ROWS\(type=q8_0,.*vs0=1",
        "the rows are a view of a longer weight, and the backend looks for the scales where a "
        "weight of the view's length would have them",
    ),
    Known(
        r"ROPE\(type=f32,ne_a=\[256,8,512,1\],",
        "the backend keeps sines of an earlier case and makes room for more positions only, not "
        "for longer rows: it writes beyond its memory",
    ),
    Known(
        r"MUL_MAT_ID\(.*amax=100000",
        "the backend casts values of up to 100000 to float16, which ends at 65504",
    ),
)

KNOWN: dict[str, tuple[Known, ...]] = {
    "ggml": _GGML,
    "op-plugin": (),
    "torch-npu": (),
    "opinfo": (),
    "models": (),
}
