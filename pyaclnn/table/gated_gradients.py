"""Gradients of gated activations, and of those with a parameter that is learned."""

from __future__ import annotations

from .row import Row

ROWS: tuple[Row, ...] = ()
