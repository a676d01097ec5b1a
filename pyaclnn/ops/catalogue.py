"""The operators; ``catalogue.pyi`` beside it names each of them for editors."""

from __future__ import annotations

import sys

from pyaclnn.ops.namespace import OperatorNamespace
from pyaclnn.tensor import calculable

# The package itself is the namespace, so that `pa.ops` and `import pyaclnn.ops.plan` mean the same
# object.
ops = sys.modules[__name__.rpartition(".")[0]]
ops.__class__ = OperatorNamespace

calculable.provide(ops)
