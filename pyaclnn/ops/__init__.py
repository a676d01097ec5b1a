"""libopapi: the operators, the two-phase call, plans."""

from __future__ import annotations

from pyaclnn.ops.catalogue import ops
from pyaclnn.ops.format_cast import format_cast
from pyaclnn.ops.namespace import OperatorNamespace
from pyaclnn.ops.operator import Operator
from pyaclnn.ops.plan import Plan
from pyaclnn.ops.record import Tape, record

__all__ = ["Operator", "OperatorNamespace", "Plan", "Tape", "format_cast", "ops", "record"]
