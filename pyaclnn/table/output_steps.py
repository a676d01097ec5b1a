"""Outputs of one element, whose number of dimensions CANN does not mind."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ShapeOrOne:
    """These tensors have the result's shape, or both have one element."""

    names: tuple[str, ...]
    shape: str = "result_shape"

    def cpp(self) -> str:
        return " ".join(f"check_same_or_one(check, {n}, {self.shape});" for n in self.names)
