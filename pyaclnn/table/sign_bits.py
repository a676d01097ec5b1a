"""Signs of numbers packed into bits.

Sources are ``aclnn_signbits_pack.cpp`` and ``aclnn_signbits_unpack.cpp`` of CANN 9.0.
"""

from __future__ import annotations

from .dtypes import dtypes
from .row import Output, Row
from .shape_steps import Formats
from .steps import Call, Cpp, DoneIfEmpty, DtypeIn, Null, OnlyOn, That

_FAMILY = "pointwise"
_CHIPS_WITH_BITS = ("310P", "A2")

ROWS: tuple[Row, ...] = (
    Row(
        "SignBitsPack", _FAMILY,
        (
            Null(("self", "out")),
            OnlyOn(_CHIPS_WITH_BITS),
            DtypeIn(dtypes("float32 float16"), ("self",)),
            DtypeIn(dtypes("uint8"), ("out",)),
            Formats(("self", "out")),
            Call("sign_bytes", "self.elements()", "bytes"),
            Call("check_sign_bits", "check self size bytes out"),
            DoneIfEmpty(("self", "out")),
            Cpp("check_shape_inside(plan, out, Dims({size, bytes / size}));"),
            Call("pack_signs", "plan self out"),
        ),
        {"out": Output("sign_bytes self size", "uint8")},
    ),
    Row(
        "SignBitsUnpack", _FAMILY,
        (
            Null(("self", "out")),
            OnlyOn(_CHIPS_WITH_BITS),
            DtypeIn(dtypes("uint8"), ("self",)),
            DtypeIn(dtypes("float32 float16"), ("out",)),
            That("out.dtype() == dtype", "out is not of the type asked for"),
            Formats(("self", "out")),
            That("self.elements() <= INT64_MAX / 8", "self has more elements than can be unpacked"),
            Cpp("const std::int64_t numbers = self.elements() * 8;"),
            Call("check_sign_bits", "check self size numbers out"),
            That("out.shape()[0] == size", "out has shape %s, it must have %lld rows",
                 ("out.shape().text().c_str()", "static_cast<long long>(size)")),
            DoneIfEmpty(("self", "out")),
            Cpp("check_shape_inside(plan, out, Dims({size, numbers / size}));"),
            Call("unpack_signs", "plan self out"),
        ),
        {"out": Output("sign_numbers self size", "given dtype")},
    ),
)  # fmt: skip
