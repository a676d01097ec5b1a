"""The cases of every operator that selftest covers, by family."""

from __future__ import annotations

from pyaclnn.selftest.cases import Suite
from pyaclnn.selftest.suites import (
    activation,
    activation_gated,
    activation_smooth,
    concat,
    convolution,
    distance,
    embedding,
    grid_sample,
    loss,
    loss_classes,
    norm,
    norm_batch,
    norm_group,
    padding,
    pooling,
    pooling_max,
    resample,
    softmax,
    unfold,
)

SUITES: tuple[Suite, ...] = (
    *activation.SUITES,
    *activation_smooth.SUITES,
    *activation_gated.SUITES,
    *concat.SUITES,
    *convolution.SUITES,
    *distance.SUITES,
    *embedding.SUITES,
    *loss.SUITES,
    *loss_classes.SUITES,
    *norm.SUITES,
    *norm_batch.SUITES,
    *norm_group.SUITES,
    *pooling.SUITES,
    *pooling_max.SUITES,
    *padding.SUITES,
    *resample.SUITES,
    *grid_sample.SUITES,
    *softmax.SUITES,
    *unfold.SUITES,
)
