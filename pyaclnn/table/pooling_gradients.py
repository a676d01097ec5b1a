"""Gradients of pooling."""

from __future__ import annotations

from .row import Row

ROWS: tuple[Row, ...] = ()
