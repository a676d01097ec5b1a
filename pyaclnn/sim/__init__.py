"""The CPU simulator: C++ libraries with CANN's names, laid out as a toolkit root."""

from __future__ import annotations
