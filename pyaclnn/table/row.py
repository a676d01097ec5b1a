"""A row: one operator."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from . import releases
from .steps import Step

#: Operators with a third function, ...GetMaxWorkspaceSize: the workspace of lengths that are not
#: known yet, as a graph asks for it that is captured once and updated before each run.
_IN_GRAPHS = frozenset(
    [
        "FlashAttentionUnpaddingScoreGradV5",
        "FlashAttentionVarLenScoreV5",
        "FusedInferAttentionScoreV2",
        "FusedInferAttentionScoreV3",
        "FusedInferAttentionScoreV4",
        "FusedInferAttentionScoreV5",
        "NsaCompressAttentionInfer",
        "NsaSelectedAttentionInfer",
    ]
)


@dataclass(frozen=True)
class Output:
    """Shape and dtype of an output that Python may allocate.

    Attributes
    ----------
    shape : str
        A rule of ``ops/rules/shapes.py`` and the arguments it reads: ``broadcast self other``, or
        an expression as of ``ops/rules/notation.py``: ``(*x[:-1], k)``, ``if flag: like x``. Of
        a list of tensors ``each`` and the list that it is allocated like, dtypes included, or
        ``number_of_each``.
    dtype : str
        A rule of ``types.py`` and its arguments (``common self other``), a dtype, or the parameter
        that names it (``given dtype``).
    """

    shape: str
    dtype: str


@dataclass(frozen=True)
class Trial:
    """What selftest tries an element-wise operator with, where the usual will not do.

    Attributes
    ----------
    dtypes : tuple of str
        Element types of the first tensor, on a chip with bfloat16; by default those it may have.
    low, high : float
        Values are drawn from this range; normal values by default.
    values : dict
        Values tried for each scalar and attribute, the first of each for all shapes.
    edges : bool
        Whether NaN, infinities and zeros have the formula's answer.
    outputs : bool
        Whether outputs of other element types are tried.
    """

    dtypes: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    values: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    edges: bool = True
    outputs: bool = True


@dataclass(frozen=True)
class Row:
    """One operator.

    Attributes
    ----------
    name : str
        Without ``aclnn``; the whole name of the few operators that begin with ``acl`` only.
    family : str
        The folder of ``opapi`` that its kernels are in; a gradient has that of its function.
    steps : tuple of Step
        Its first phase, in order; the last is the kernel.
    outputs : dict
        Output parameter -> shape and dtype.
    trial : Trial
        For selftest.
    missing : tuple of str
        What its document allows and the simulator does not do.
    found : bool
        Whether its kernel finds the shapes of its outputs, which are given room for all there is.
    """

    name: str
    family: str
    steps: tuple[Step, ...]
    outputs: dict[str, Output] = field(default_factory=dict)
    trial: Trial = field(default_factory=Trial)
    missing: tuple[str, ...] = ()
    found: bool = False

    @property
    def c_name(self) -> str:
        """The name in C."""
        return self.name if self.name.startswith("acl") else "aclnn" + self.name

    @property
    def in_graphs(self) -> bool:
        """Whether there is a function for the workspace whatever its lengths will be."""
        return self.name in _IN_GRAPHS

    @property
    def since(self) -> str:
        """The release of CANN that it came with, of those that are simulated."""
        return releases.since(self.name)

    @property
    def until(self) -> str:
        """The first release without it, or nothing."""
        return releases.until(self.name)
