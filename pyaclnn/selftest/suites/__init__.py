"""The cases of every operator that selftest covers, by family."""

from __future__ import annotations

from pyaclnn.selftest.cases import Suite
from pyaclnn.selftest.suites import (
    activation,
    activation_gated,
    activation_smooth,
    loss,
    loss_classes,
    padding,
    pooling,
    pooling_max,
    softmax,
)

SUITES: tuple[Suite, ...] = (
    *activation.SUITES,
    *activation_smooth.SUITES,
    *activation_gated.SUITES,
    *loss.SUITES,
    *loss_classes.SUITES,
    *pooling.SUITES,
    *pooling_max.SUITES,
    *padding.SUITES,
    *softmax.SUITES,
)
