"""Gradients of embeddings, distances, sums of segments and dropout."""

from __future__ import annotations

from .row import Row

ROWS: tuple[Row, ...] = ()
