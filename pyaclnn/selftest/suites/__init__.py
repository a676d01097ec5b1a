"""The cases of every operator that selftest covers, by family."""

from __future__ import annotations

from dataclasses import replace

from pyaclnn.ops.naming import operator_name
from pyaclnn.selftest.cases import Suite
from pyaclnn.selftest.suites import (
    activation,
    activation_gated,
    activation_smooth,
    attention,
    bags,
    choosing,
    classes,
    concat,
    convolution,
    convolution_forward,
    copying,
    creation,
    cross_entropy,
    distance,
    embedding,
    feed_forward,
    folded,
    foreach,
    foreach_reduced,
    gated,
    gated_rows,
    gathering,
    grid_sample,
    indexing,
    linalg,
    loss,
    loss_classes,
    loss_forward,
    loss_scores,
    matmul,
    measures,
    modulated,
    moving,
    norm,
    norm_batch,
    norm_forward,
    norm_fused,
    norm_group,
    norm_statistics,
    norms,
    optimiser,
    padding,
    padding_forward,
    pointwise,
    pooling,
    pooling_forward,
    pooling_max,
    pooling_volumes,
    products,
    products_fused,
    random_numbers,
    rearranging,
    reduction,
    resample,
    resampling_forward,
    sampling,
    scaled,
    scattering,
    searching,
    softmax,
    sorting,
    statistics,
    unfold,
    upsampling,
    weight_quant,
    whole,
)
from pyaclnn.selftest.suites.elementwise import since_9_0
from pyaclnn.table import ROWS

#: Gradients, and cat, whose refusals and derivatives the tests list one by one.
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

_NEWER = {operator_name(row.c_name) for row in ROWS if row.since_9_0}


def _released(suite: Suite) -> Suite:
    """Leave out, before CANN 9.0, what came with it."""
    if suite.operator not in _NEWER:
        return suite
    return replace(suite, cases=since_9_0(suite.cases))


_OTHERS: tuple[Suite, ...] = (
    *pointwise.SUITES,
    *copying.SUITES,
    *creation.SUITES,
    *moving.SUITES,
    *rearranging.SUITES,
    *padding_forward.SUITES,
    *indexing.SUITES,
    *scattering.SUITES,
    *gathering.SUITES,
    *bags.SUITES,
    *foreach.SUITES,
    *sorting.SUITES,
    *searching.SUITES,
    *statistics.SUITES,
    *choosing.SUITES,
    *foreach_reduced.SUITES,
    *optimiser.SUITES,
    *random_numbers.SUITES,
    *sampling.SUITES,
    *matmul.SUITES,
    *measures.SUITES,
    *modulated.SUITES,
    *linalg.SUITES,
    *products.SUITES,
    *feed_forward.SUITES,
    *products_fused.SUITES,
    *reduction.SUITES,
    *norms.SUITES,
    *folded.SUITES,
    *attention.SUITES,
    *classes.SUITES,
    *convolution_forward.SUITES,
    *cross_entropy.SUITES,
    *norm_forward.SUITES,
    *norm_fused.SUITES,
    *norm_statistics.SUITES,
    *pooling_forward.SUITES,
    *pooling_volumes.SUITES,
    *resampling_forward.SUITES,
    *scaled.SUITES,
    *upsampling.SUITES,
    *gated.SUITES,
    *gated_rows.SUITES,
    *weight_quant.SUITES,
    *whole.SUITES,
    *loss_forward.SUITES,
    *loss_scores.SUITES,
)
OTHERS = tuple(map(_released, _OTHERS))

SUITES: tuple[Suite, ...] = (*GRADIENTS, *OTHERS)
