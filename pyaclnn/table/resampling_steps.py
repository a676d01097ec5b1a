"""Steps of gradients of resizing; what each refuses is in ``opapi/resample/resize.hpp``."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Images:
    """These are images of so many axes behind batch and channels; ``sized``: the sizes, too."""

    axes: int
    names: tuple[str, ...]
    sized: bool = True

    def cpp(self) -> str:
        ranks = [f"check_resize_rank(check, {self.axes}, {name});" for name in self.names]
        lengths = f"check_size_lengths(check, {self.axes}, outputSize, inputSize);"
        return " ".join((*ranks, *([lengths] if self.sized else ())))


@dataclass(frozen=True)
class Sizes:
    """The sizes, which are positive, and that of the gradient.

    Attributes
    ----------
    gradient : str
        Must have the size outputSize.
    reference : str
        The tensor whose format says where channels are.
    order : str
        Where sizes have them: an enumerator of ``SizeOrder``.
    """

    gradient: str
    reference: str
    order: str = "kAsTensor"

    def cpp(self) -> str:
        return (
            f"const Resize sizes = resize_of({self.reference}, outputSize, inputSize, "
            f"SizeOrder::{self.order}); check_positive(check, sizes); "
            f"check.shape_is({self.gradient}, sizes.grad_output_shape(), "
            '"inputSize and outputSize");'
        )


@dataclass(frozen=True)
class SizesOfGradient:
    """The sizes where CANN goes by the gradient's shape, which has elements, not by outputSize."""

    gradient: str

    def cpp(self) -> str:
        return (
            f"const Resize sizes = resize_of_gradient({self.gradient}, inputSize); "
            f"check_positive(check, sizes); check.that(!{self.gradient}.is_empty(), "
            f'"{self.gradient} of shape %s has no elements", '
            f"{self.gradient}.shape().text().c_str());"
        )


@dataclass(frozen=True)
class HasInputSize:
    """The tensor has the shape inputSize."""

    name: str

    def cpp(self) -> str:
        return f'check.shape_is({self.name}, sizes.grad_input_shape(), "inputSize");'
