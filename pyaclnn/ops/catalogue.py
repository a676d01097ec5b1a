"""The operators; ``catalogue.pyi`` beside it names each of them for editors."""

from __future__ import annotations

from pyaclnn.ops.namespace import OperatorNamespace

ops = OperatorNamespace()
