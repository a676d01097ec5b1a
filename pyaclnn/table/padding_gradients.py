"""Gradients of padding, and of windows as columns."""

from __future__ import annotations

from .row import Row

ROWS: tuple[Row, ...] = ()
