"""The cases of every operator that selftest covers, by family."""

from __future__ import annotations

from pyaclnn.selftest.cases import Suite
from pyaclnn.selftest.suites import (
    activation,
    activation_gated,
    activation_smooth,
    attention,
    classes,
    concat,
    convolution,
    convolution_forward,
    copying,
    creation,
    distance,
    embedding,
    foreach,
    foreach_reduced,
    grid_sample,
    loss,
    loss_classes,
    matmul,
    moving,
    norm,
    norm_batch,
    norm_forward,
    norm_group,
    optimiser,
    padding,
    padding_forward,
    pointwise,
    pooling,
    pooling_forward,
    pooling_max,
    random_numbers,
    reduction,
    resample,
    softmax,
    sorting,
    unfold,
)

#: Operators that were there before the table: gradients, and cat.
GRADIENTS: tuple[Suite, ...] = (
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

#: Operators that are rows of the table.
FROM_TABLE: tuple[Suite, ...] = (
    *pointwise.SUITES,
    *copying.SUITES,
    *creation.SUITES,
    *moving.SUITES,
    *padding_forward.SUITES,
    *foreach.SUITES,
    *sorting.SUITES,
    *foreach_reduced.SUITES,
    *optimiser.SUITES,
    *random_numbers.SUITES,
    *matmul.SUITES,
    *reduction.SUITES,
    *attention.SUITES,
    *classes.SUITES,
    *convolution_forward.SUITES,
    *norm_forward.SUITES,
    *pooling_forward.SUITES,
)

SUITES: tuple[Suite, ...] = (*GRADIENTS, *FROM_TABLE)
