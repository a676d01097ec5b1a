"""Differences between chips on which references and dtypes depend."""

from __future__ import annotations

from collections.abc import Collection

import pyaclnn as pa
from pyaclnn.table.releases import since, until
from pyaclnn.table.steps import LATE_950

#: The chip to try operators on that the 950 series alone has.
NEWEST = "Ascend910_95"

_FIRST_GENERATION = frozenset(
    {
        "Ascend910",
        "Ascend910A",
        "Ascend910B",
        "Ascend910ProA",
        "Ascend910ProB",
        "Ascend910PremiumA",
    }
)


def soc_name() -> str:
    """Return the chip's name, such as ``Ascend910B1``."""
    return pa.current_device().name


def is_first_generation() -> bool:
    """Whether the chip is a 910 of the first generation, before the 910B series."""
    return soc_name() in _FIRST_GENERATION


def has_bfloat16() -> bool:
    """Whether the chip has bfloat16: not the first generation (910A, ...) and not the 310P."""
    return not is_first_generation() and not soc_name().startswith("Ascend310")


def is_950() -> bool:
    """Whether the chip is of the 950 series, which CANN 8 calls 910_95."""
    return soc_name().startswith(("Ascend910_95", "Ascend950"))


def has_950_kernels() -> bool:
    """Whether operators run the kernels that the 950 series has since CANN 8.5."""
    return is_950() and not before_cann_8_5()


def chip_family() -> str:
    """Return ``910``, ``310P``, ``A2`` (A3, too) or ``950``, as rows of the table name them."""
    return family_of(soc_name())


def family_of(name: str) -> str:
    """Return the same of a chip by its name."""
    if name.startswith(("Ascend910_95", "Ascend950")):
        return "950"
    if name.startswith("Ascend310P"):
        return "310P"
    return "910" if name in _FIRST_GENERATION or name.startswith("Ascend310") else "A2"


def generation() -> str:
    """Return what ``Dtypes.on`` calls this chip: ``first``, ``newer`` or ``newest``."""
    return {"A2": "newer", "950": "newest"}.get(chip_family(), "first")


def release() -> tuple[int, int]:
    """Return the toolkit's release, such as ``(9, 1)``."""
    major, minor = pa.backend.version.split(".")[:2]
    return int(major), int("".join(c for c in minor if c.isdigit()) or 0)


def before_cann_8_5() -> bool:
    """Whether the toolkit is older than the public sources, whose additions it lacks."""
    return release() < (8, 5)


def ends_older_versions() -> bool:
    """Whether the chip has only the newest versions of attention and prologs for inference."""
    return is_950() and release() >= (9, 0)


def lacks_narrow(dtype: str, since: tuple[int, int] = (9, 0)) -> bool:
    """Whether a dtype has 8 or 4 bits and operators that move elements do not take it here.

    Parameters
    ----------
    dtype : str
        Any name.
    since : tuple of int
        The release in which they take it on the 950 series.
    """
    return dtype.startswith(("float8", "float4")) and not (is_950() and release() >= since)


def has_operator(c_name: str) -> bool:
    """Whether this release has an operator, as far as the table of releases says so.

    Parameters
    ----------
    c_name : str
        Its name in C.
    """
    first, gone = since(c_name), until(c_name)
    return _number(first) <= release() and not (gone and _number(gone) <= release())


def _number(name: str) -> tuple[int, int]:
    major, minor = name.split(".")
    return int(major), int(minor)


def is_a2_or_a3() -> bool:
    """Whether the chip is of the 910B or 910_93 series, which alone have some operators."""
    return has_bfloat16() and not is_950()


def is_a2_or_late_950() -> bool:
    """Whether the chip is of the series of A2 and A3, or the 950 with what it has since 9.1."""
    return is_a2_or_a3() or is_late_950()


def is_late_950() -> bool:
    """Whether the chip is of the 950 series with what it has since CANN 9.1."""
    return is_950() and release() >= (9, 1)


def is_of(families: Collection[str]) -> bool:
    """Whether the chip is of one of some families, as ``OnlyOn`` of the table names them."""
    return chip_family() in families or (is_late_950() and LATE_950 in families)
