"""The views of a tensor: indexing, reshaping, transposing, broadcasting, without a copy."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex

from pyaclnn.tensor import views
from pyaclnn.tensor.views import Shape, View

if TYPE_CHECKING:
    from pyaclnn.tensor.tensor import Tensor


class Viewable:
    """What a tensor offers to look at its memory in another way."""

    __slots__ = ()

    @property
    def _view(self) -> View:
        raise NotImplementedError

    def _viewed(self, view: View) -> Tensor:
        raise NotImplementedError

    def __getitem__(self, key: Any) -> Tensor:
        return self._viewed(views.index(self._view, key))

    def reshape(self, *shape: SupportsIndex | Sequence[SupportsIndex]) -> Tensor:
        """Return a view of another shape.

        Parameters
        ----------
        *shape : int or sequence of int
            One extent may be -1.

        Raises
        ------
        ValueError
            If the sizes differ, or if only a copy could do it.
        """
        return self._viewed(views.reshape(self._view, _flat(shape)))

    def transpose(self, *axes: SupportsIndex | Sequence[SupportsIndex]) -> Tensor:
        """Return a view with permuted axes; reversed if none are given.

        Parameters
        ----------
        *axes : int or sequence of int
            A permutation of the axes.

        Raises
        ------
        ValueError
            If it is not a permutation.
        """
        return self._viewed(views.transpose(self._view, _flat(axes) if axes else None))

    permute = transpose

    @property
    def T(self) -> Tensor:  # noqa: N802
        """The view with reversed axes."""
        shape, strides, offset = self._view
        return self._viewed((shape[::-1], strides[::-1], offset))

    def broadcast_to(self, *shape: SupportsIndex | Sequence[SupportsIndex]) -> Tensor:
        """Return a view repeated to a shape by NumPy's rules; good as an input only.

        Parameters
        ----------
        *shape : int or sequence of int
            The shape.

        Raises
        ------
        ValueError
            If the shapes do not fit.
        """
        return self._viewed(views.broadcast_to(self._view, views.as_shape(_flat(shape))))

    def expand_dims(self, axis: SupportsIndex) -> Tensor:
        """Return a view with an axis of extent 1 inserted at a position."""
        return self._viewed(views.expand_dims(self._view, axis))

    def squeeze(self, axis: SupportsIndex | Sequence[SupportsIndex] | None = None) -> Tensor:
        """Return a view without axes of extent 1: the named ones, or all."""
        return self._viewed(views.squeeze(self._view, axis))


def _flat(extents: tuple[SupportsIndex | Sequence[SupportsIndex], ...]) -> Shape:
    """Accept both ``f(2, 3)`` and ``f((2, 3))``."""
    given = views.as_axes(extents[0]) if len(extents) == 1 else extents
    return tuple(map(operator.index, given))  # type: ignore[arg-type]
