"""All rows, by family."""

from __future__ import annotations

from . import (
    activation,
    attention,
    comparison,
    convolution,
    copying,
    creation,
    division,
    elementary,
    foreach,
    gated,
    gated_rows,
    gathering,
    indexing,
    linalg,
    loss,
    matmul,
    moving,
    norm,
    optimiser,
    padding,
    pointwise,
    pooling,
    power,
    random_numbers,
    reduced_loss,
    reduction,
    resampling,
    scaled,
    scattering,
    searching,
    smooth,
    sorting,
    special,
    statistics,
    whole,
)
from .row import Row

ROWS: tuple[Row, ...] = (
    *pointwise.ROWS,
    *division.ROWS,
    *power.ROWS,
    *special.ROWS,
    *whole.ROWS,
    *smooth.ROWS,
    *gated.ROWS,
    *gated_rows.ROWS,
    *reduced_loss.ROWS,
    *comparison.ROWS,
    *convolution.ROWS,
    *elementary.ROWS,
    *activation.ROWS,
    *attention.ROWS,
    *copying.ROWS,
    *creation.ROWS,
    *moving.ROWS,
    *padding.ROWS,
    *foreach.ROWS,
    *sorting.ROWS,
    *searching.ROWS,
    *statistics.ROWS,
    *indexing.ROWS,
    *linalg.ROWS,
    *scattering.ROWS,
    *gathering.ROWS,
    *loss.ROWS,
    *matmul.ROWS,
    *norm.ROWS,
    *optimiser.ROWS,
    *pooling.ROWS,
    *random_numbers.ROWS,
    *reduction.ROWS,
    *resampling.ROWS,
    *scaled.ROWS,
)


def by_name() -> dict[str, Row]:
    """Return the rows by C name."""
    rows = {row.c_name: row for row in ROWS}
    assert len(rows) == len(ROWS), "two rows of one name"
    return rows
