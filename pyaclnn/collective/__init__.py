"""libhccl: communicators and collective operations of several devices."""

from __future__ import annotations

from pyaclnn.collective.communicator import Communicator
from pyaclnn.collective.dtypes import DATA_TYPES, REDUCTIONS
from pyaclnn.collective.environment import Place, place

__all__ = ["DATA_TYPES", "REDUCTIONS", "Communicator", "Place", "place"]
