"""The cases of every operator that selftest covers, by family."""

from __future__ import annotations

from pyaclnn.selftest.cases import Suite
from pyaclnn.selftest.suites import activations, softmax

SUITES: tuple[Suite, ...] = (*activations.SUITES, *softmax.SUITES)
