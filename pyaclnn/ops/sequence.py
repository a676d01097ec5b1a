"""Plans that run one after the other."""

from __future__ import annotations

from collections.abc import Iterable
from types import TracebackType
from typing import Any, Protocol

from pyaclnn.abi import ClosedError
from pyaclnn.runtime import Stream


class _Plan(Protocol):
    """The part of `pyaclnn.Plan` that a sequence uses."""

    reused: bool
    workspace_size: int

    @property
    def stream(self) -> Stream: ...
    @property
    def outputs(self) -> Any: ...
    @property
    def closed(self) -> bool: ...
    def run(self, stream: Stream | None = None) -> Any: ...
    def close(self) -> None: ...


class PlanSequence:
    """Several plans that run in order on one stream, as a plan of its own.

    Parameters
    ----------
    plans : iterable of Plan
        What to run, first to last; the sequence owns them. A plan may occur more than once.

    Attributes
    ----------
    plans : tuple of Plan
        As given; rebind them by themselves.

    Raises
    ------
    TypeError
        For something that is no plan.
    ValueError
        Without plans, or for plans of several devices.
    """

    def __init__(self, plans: Iterable[_Plan]) -> None:
        self.plans = tuple(plans)
        for plan in self.plans:
            if not callable(getattr(plan, "run", None)):
                raise TypeError(
                    f"a sequence is made of plans, not of {type(plan).__name__}: "
                    "operator.plan(...) makes one"
                )
        if not self.plans:
            raise ValueError("a sequence has at least one plan")

    @property
    def reused(self) -> bool:
        """Whether no plan runs phase 1 again."""
        return all(plan.reused for plan in self.plans)

    @property
    def workspace_size(self) -> int:
        """The largest workspace of its plans, in bytes."""
        return max(plan.workspace_size for plan in self.plans)

    @property
    def outputs(self) -> Any:
        """What the last plan writes."""
        return self.plans[-1].outputs

    @property
    def closed(self) -> bool:
        """Whether a plan was closed, so that the sequence cannot run."""
        return any(plan.closed for plan in self.plans)

    def run(self, stream: Stream | None = None) -> Any:
        """Enqueue every plan.

        Parameters
        ----------
        stream : Stream, optional
            The stream of the first plan by default.

        Returns
        -------
        Tensor or tuple of Tensor
            The outputs of the last plan, valid after the stream is synchronised.

        Raises
        ------
        ClosedError
            If a plan is closed; then none runs.
        AclError
            Where CANN refuses one; the plans before it run.
        """
        if self.closed:
            raise ClosedError("a plan of the sequence is closed")
        stream = self.plans[0].stream if stream is None else stream
        for plan in self.plans:
            # A plan takes its fast path only if its own stream is not passed.
            result = plan.run() if plan.stream is stream else plan.run(stream)
        return result

    def close(self) -> None:
        """Close every plan; calling it again does nothing."""
        for plan in self.plans:
            plan.close()

    def __enter__(self) -> PlanSequence:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<pyaclnn sequence of {len(self.plans)} plans{', closed' * self.closed}>"
