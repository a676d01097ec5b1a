"""Sets of element types, which differ from chip to chip, and the type several have in common."""

from __future__ import annotations

from dataclasses import dataclass, fields

#: Names as NumPy and ml_dtypes have them -> C.
C_NAMES = {
    "float32": "ACL_FLOAT",
    "float16": "ACL_FLOAT16",
    "bfloat16": "ACL_BF16",
    "float64": "ACL_DOUBLE",
    "int8": "ACL_INT8",
    "uint8": "ACL_UINT8",
    "int16": "ACL_INT16",
    "uint16": "ACL_UINT16",
    "int32": "ACL_INT32",
    "uint32": "ACL_UINT32",
    "int64": "ACL_INT64",
    "uint64": "ACL_UINT64",
    "bool": "ACL_BOOL",
    "complex64": "ACL_COMPLEX64",
    "complex128": "ACL_COMPLEX128",
    "int4": "ACL_INT4",
    "hifloat8": "ACL_HIFLOAT8",
    "float8_e5m2": "ACL_FLOAT8_E5M2",
    "float8_e4m3fn": "ACL_FLOAT8_E4M3FN",
    "float8_e8m0fnu": "ACL_FLOAT8_E8M0",
    "float4_e2m1fn": "ACL_FLOAT4_E2M1",
    "float4_e1m2": "ACL_FLOAT4_E1M2",
    "complex32": "ACL_COMPLEX32",
}


@dataclass(frozen=True)
class Dtypes:
    """Which element types an argument may have.

    Attributes
    ----------
    every : tuple of str
        On all chips.
    newer : tuple of str
        Besides, on Atlas A2, A3 and 950, which have bfloat16.
    newest : tuple of str
        Besides, on the 950.
    middle : tuple of str
        Besides, on Atlas A2 and A3 alone.
    first : tuple of str
        Besides, on Ascend 910 and 310P alone.
    """

    every: tuple[str, ...]
    newer: tuple[str, ...] = ()
    newest: tuple[str, ...] = ()
    middle: tuple[str, ...] = ()
    first: tuple[str, ...] = ()

    def __or__(self, other: Dtypes) -> Dtypes:
        return Dtypes(
            *(
                tuple(dict.fromkeys((*getattr(self, f.name), *getattr(other, f.name))))
                for f in fields(self)
            )
        )

    def on(self, chip: str) -> tuple[str, ...]:
        """Return the types on a chip: ``first``, ``newer`` or ``newest`` generation."""
        more = {
            "first": self.first,
            "newer": self.newer + self.middle,
            "newest": self.newer + self.newest,
        }
        return tuple(dict.fromkeys(self.every + more[chip]))

    def cpp(self) -> str:
        """Return the C++ expression of the set, for the chip of the process."""

        def braces(names: tuple[str, ...]) -> str:
            return "DtypeSet{" + ", ".join(C_NAMES[n] for n in names) + "}"

        if self.first or self.middle:
            first, newer, newest = (braces(self.on(c)) for c in ("first", "newer", "newest"))
            return f"(on_950() ? {newest} : on_first_generation() ? {first} : {newer})"
        if not self.newer and not self.newest:
            return braces(self.every)
        return f"by_chip({braces(self.every)}, {braces(self.newer)}, {braces(self.newest)})"


def dtypes(
    every: str = "", newer: str = "", newest: str = "", middle: str = "", first: str = ""
) -> Dtypes:
    """Make a set from names with spaces between."""
    return Dtypes(*(tuple(names.split()) for names in (every, newer, newest, middle, first)))


_RANKS = {
    "bool": (0, 0),
    "int8": (1, 0), "uint8": (1, 0), "int16": (1, 1), "int32": (1, 2), "int64": (1, 3),
    "float16": (2, 0), "bfloat16": (2, 0), "float32": (2, 1), "float64": (2, 2),
    "complex64": (3, 1), "complex128": (3, 2),
}  # fmt: skip


def promote(a: str, b: str) -> str | None:
    """Return the type that two types have in common, as CANN's table has it.

    Complex beats floating point beats integer beats bool, then the wider one; float16 and bfloat16
    meet in float32, int8 and uint8 in int16. The wider unsigned integers meet only themselves, and
    complex numbers behind them.
    """
    if a == b:
        return a
    if a in ("uint16", "uint32", "uint64") and b in ("complex64", "complex128"):
        return "complex128" if a == "uint64" else b
    if a not in _RANKS or b not in _RANKS:
        return None
    (kind_a, rank_a), (kind_b, rank_b) = _RANKS[a], _RANKS[b]
    if max(kind_a, kind_b) == 3 and min(kind_a, kind_b) >= 2:
        return "complex128" if max(rank_a, rank_b) == 2 else "complex64"
    if kind_a != kind_b:
        return a if kind_a > kind_b else b
    if rank_a != rank_b:
        return a if rank_a > rank_b else b
    return "int16" if kind_a == 1 else "float32"


def kind(name: str) -> str:
    """Return ``bool``, ``integer``, ``floating`` or ``complex``."""
    if name == "bool":
        return name
    if name.startswith("complex"):
        return "complex"
    return "integer" if "int" in name else "floating"


# Sets that many operators share.
FLOATS = dtypes("float32 float16", "bfloat16")
#: Of operators that were not told that the 950 has bfloat16.
FLOATS_NOT_950 = dtypes("float32 float16", middle="bfloat16")
#: The same of operators that accept bfloat16 on every chip, and of what has 16 bits among them.
EVERY_HALF = dtypes("float16 bfloat16")
EVERY_FLOAT = EVERY_HALF | dtypes("float32")
FLOATS_DOUBLE = dtypes("float32 float16 float64", "bfloat16")
INTEGERS = dtypes("int8 uint8 int16 int32 int64")
COMPLEX = dtypes("complex64 complex128")
BOOL = dtypes("bool")
REAL = FLOATS_DOUBLE | INTEGERS
REAL_BOOL = REAL | BOOL
NUMBERS = REAL_BOOL | COMPLEX
#: Floats of 8 bits, which the 950 has.
FLOAT8 = dtypes(newest="hifloat8 float8_e5m2 float8_e4m3fn")
FLOAT8_E8M0 = dtypes(newest="float8_e8m0fnu")
FLOAT4 = dtypes(newest="float4_e2m1fn float4_e1m2")
