"""The cases of every operator that selftest covers, by family."""

from __future__ import annotations

from pyaclnn.selftest.cases import Suite
from pyaclnn.selftest.suites import activation, loss, loss_classes, softmax

SUITES: tuple[Suite, ...] = (
    *activation.SUITES,
    *loss.SUITES,
    *loss_classes.SUITES,
    *softmax.SUITES,
)
