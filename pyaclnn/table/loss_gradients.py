"""Gradients of losses."""

from __future__ import annotations

from .row import Row

ROWS: tuple[Row, ...] = ()
