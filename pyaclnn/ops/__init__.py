"""libopapi: the operators, the two-phase call, plans."""

from __future__ import annotations

from pyaclnn.ops.catalogue import ops
from pyaclnn.ops.namespace import OperatorNamespace
from pyaclnn.ops.operator import Operator
from pyaclnn.ops.plan import Plan

__all__ = ["Operator", "OperatorNamespace", "Plan", "ops"]
