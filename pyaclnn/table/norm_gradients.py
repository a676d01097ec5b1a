"""Gradients of normalisations of rows: the axes behind some."""

from __future__ import annotations

from .dtypes import FLOATS, dtypes
from .norm_steps import (
    FAMILY,
    MASK_OF_THREE,
    Alike,
    Rank,
    each,
    has_elements,
    masked,
    none_wanted,
    not_empty,
    shape_of,
    when,
    zero,
)
from .optional_steps import If, if_given
from .row import Output, Row
from .shape_steps import Formats
from .steps import (
    Call,
    Cpp,
    Divides,
    DoneIf,
    DoneIfEmpty,
    DtypeIn,
    HasShape,
    Kernel,
    Null,
    OnlyOn,
    RankAtMost,
    SameDtype,
    SameShape,
    Step,
    That,
)

_FLOAT = dtypes("float32")
#: bfloat16 is accepted on every chip, also where no kernel computes it.
_FLOATS_ALWAYS = dtypes("float32 float16 bfloat16")

_OF_LAYERS = masked("gradInputOut", "gradWeightOut", "gradBiasOut")
_AFFINE = ("weightOptional", "biasOptional")
_LAYERS = ("gradOut", "input", "mean", "rstd")

# With xhat = (input - mean) rstd and g = gradOut weight, over the trailing axes:
#   gradInput = rstd (g - mean(g) - xhat mean(g xhat)); over the leading ones:
#   gradWeight = sum(gradOut xhat), gradBias = sum(gradOut).
_LAYER_NORM = Row(
    "LayerNormBackward", FAMILY,
    (
        Null(("gradOut", "input", "normalizedShape", "mean", "rstd", "outputMask")),
        MASK_OF_THREE,
        *each(_OF_LAYERS, lambda out: Null((out,))),
        DtypeIn(_FLOATS_ALWAYS, _LAYERS),
        SameDtype(("input", "gradOut")),
        if_given("weightOptional", DtypeIn(_FLOATS_ALWAYS, ("weightOptional",))),
        If("weightOptional.given() && weightOptional.dtype() != ACL_FLOAT",
           SameDtype(("input", "weightOptional"))),
        *(if_given(t, DtypeIn(_FLOATS_ALWAYS, (t,))) for t in ("biasOptional", *_OF_LAYERS)),
        RankAtMost(8, _LAYERS),
        Cpp("const std::size_t axes = normalizedShape.values().size();"),
        That("axes <= 8", "normalizedShape has %zu values, at most 8 are allowed", ("axes",)),
        *each(_OF_LAYERS, lambda out: RankAtMost(8, (out,))),
        That("axes >= 1", "normalizedShape is empty"),
        That("input.rank() >= axes", "input has %zu dimensions, normalizedShape has %zu values",
             ("input.rank()", "axes")),
        Cpp("const Dims shape(normalizedShape.values().data(), axes);"),
        Cpp("const RowNorm norm = rows_of(input.shape(), input.rank() - axes);"),
        Call("check_normalized_loosely", "check input shape"),
        *(
            when(f"{tensor}.given()", RankAtMost(8, (tensor,)),
                 HasShape(tensor, "shape", "normalizedShape"))
            for tensor in _AFFINE
        ),
        SameShape(("input", "gradOut")),
        SameShape(("rstd", "mean")),
        *has_elements(That, "norm.rows", "mean", why=", one a row"),
        If(_OF_LAYERS["gradInputOut"], SameShape(("input", "gradInputOut"))),
        *each(_OF_LAYERS, lambda out: has_elements(That, "norm.length", out)[0], first=1),
        none_wanted(_OF_LAYERS),
        *(If("norm.rows == 0", step) for step in each(_OF_LAYERS, zero, first=1)),
        DoneIf("norm.rows == 0 || norm.length == 0"),
        Kernel("layer_norm_backward"),
    ),
    {
        "gradInputOut": Output("wanted_first outputMask input", "same input"),
        **{
            out: Output(
                f"wanted_layer_{what} outputMask weightOptional normalizedShape",
                "first_given weightOptional input",
            )
            for out, what in (("gradWeightOut", "weight"), ("gradBiasOut", "bias"))
        },
    },
)  # fmt: skip

# Over the axes of gamma, as CANN generates them from their kernels: element types are refused as
# arguments, shapes where the work is divided.

_ADDED = ("dy", "x1", "x2", "rstd", "mean", "gamma")
_OF_ADDED = ("dxOut", "dgammaOut", "dbetaOut")
_DEEP = ("dy", "x", "gx", "gamma", "mean", "rstd")
_OF_DEEP = ("dxOut", "dgxOut", "dbetaOut", "dgammaOut")
_RMS = ("dy", "x", "rstd", "gamma")
_OF_RMS = ("dxOut", "dgammaOut")
_OF_GAMMA = ("gamma", "dgammaOut", "dbetaOut")
_AXIS = Cpp("const std::size_t axis = dy.rank() - gamma.rank();")
_ENDS_WITH_GAMMA = Call("ends_with", "plan dy gamma")


def _is_row_statistic(name: str) -> Step:
    return Call("is_row_statistic", f"plan dy {name} axis")


def _ranks(name: str, *tensors: str) -> Step:
    return Rank(tensors, f"{name}.rank()", f"{name}.rank()")


def _gamma_fits(comparison: str) -> Step:
    return Divides(f"dy.rank() {comparison} gamma.rank()", "gamma has %zu dimensions, dy has %zu",
                   ("gamma.rank()", "dy.rank()"))  # fmt: skip


_FUSED_NORM = (
    # With x = x1 + x2, xhat = (x - mean) rstd and g = dy gamma, over the axes of gamma:
    #   dxOut = rstd (g - mean(g) - xhat mean(g xhat)) + dsumOptional; over the others:
    #   dgammaOut = sum(dy xhat), dbetaOut = sum(dy).
    Row(
        "AddLayerNormGrad", FAMILY,
        (
            Null((*_ADDED, *_OF_ADDED)),
            OnlyOn(("310P", "A2", "950"), inside=True),
            DtypeIn(FLOATS, ("dy",)),
            SameDtype(("dy", "x1", "x2")),
            DtypeIn(_FLOAT, ("rstd", "mean")),
            SameDtype(("dy", "gamma")),
            if_given("dsumOptional", SameDtype(("dy", "dsumOptional"))),
            SameDtype(("dy", "dxOut")),
            DtypeIn(_FLOAT, ("dgammaOut", "dbetaOut")),
            Formats((*_ADDED, *_OF_ADDED)),
            Rank(("x1", "gamma"), "1", "8"),
            _ranks("dy", "rstd", "mean"),
            _ranks(*_OF_GAMMA),
            _gamma_fits(">="),
            *map(not_empty, ("x1", "mean")),
            Alike(("dy", "x1", "x2", "dxOut")),
            Alike(("mean", "rstd")),
            _AXIS,
            _ENDS_WITH_GAMMA,
            _is_row_statistic("mean"),
            Alike(_OF_GAMMA),
            if_given("dsumOptional", Alike(("dy", "dsumOptional"))),
            Kernel("add_layer_norm_grad"),
        ),
        {
            "dxOut": Output("like dy", "same dy"),
            "dgammaOut": Output("like gamma", "float32"),
            "dbetaOut": Output("like gamma", "float32"),
        },
    ),
    # The same with x = alpha x + gx: dgxOut is the gradient of gx, dxOut = alpha dgxOut.
    Row(
        "DeepNormGrad", FAMILY,
        (
            Null((*_DEEP, *_OF_DEEP)),
            OnlyOn(("310P", "A2"), inside=True),
            DtypeIn(FLOATS, ("dy",)),
            SameDtype(("dy", "x", "gx", "gamma")),
            DtypeIn(_FLOAT, ("mean", "rstd")),
            SameDtype(("dy", "dxOut", "dgxOut")),
            DtypeIn(_FLOAT, ("dbetaOut", "dgammaOut")),
            Formats((*_DEEP, *_OF_DEEP)),
            Rank(("dy",), "2", "8"),
            Rank(("gamma",), "1", "7"),
            _ranks("dy", "x", "gx", "rstd", "mean"),
            _ranks(*_OF_GAMMA),
            _gamma_fits(">"),
            not_empty("dy"),
            Alike(("dy", "x", "gx", "dxOut", "dgxOut")),
            _AXIS,
            _is_row_statistic("mean"),
            _is_row_statistic("rstd"),
            _ENDS_WITH_GAMMA,
            Alike(_OF_GAMMA),
            Kernel("deep_norm_grad"),
        ),
        {
            "dxOut": Output("like x", "same x"),
            "dgxOut": Output("like x", "same x"),
            "dbetaOut": Output("like gamma", "float32"),
            "dgammaOut": Output("like gamma", "float32"),
        },
        missing=("empty tensors, which its document allows and its kernel refuses",),
    ),
    # With xhat = x rstd and g = dy gamma, over the axes of gamma:
    #   dxOut = rstd (g - xhat mean(g xhat)); over the others: dgammaOut = sum(dy xhat).
    Row(
        "RmsNormGrad", FAMILY,
        (
            Null((*_RMS, *_OF_RMS)),
            DtypeIn(FLOATS, ("dy",)),
            SameDtype(("dy", "x")),
            DtypeIn(_FLOAT, ("rstd",)),
            If("gamma.dtype() != ACL_FLOAT || on_first_generation()", SameDtype(("dy", "gamma"))),
            SameDtype(("dy", "dxOut")),
            DtypeIn(_FLOAT, ("dgammaOut",)),
            Formats((*_RMS, *_OF_RMS)),
            Rank(("x",), "1", "8"),
            Rank(("gamma",), "1", "x.rank()"),
            Alike(("x", "dy")),
            Alike(("dy", "dxOut")),
            Divides("dy.shape().back() != 0", "the last extent of dy is 0: %s", (shape_of("dy"),)),
            _AXIS,
            Call("is_rms_statistic", "plan x rstd axis"),
            _ENDS_WITH_GAMMA,
            Alike(("gamma", "dgammaOut")),
            Cpp("const std::int64_t rows = Dims(x.shape().begin(), axis).product();"),
            *has_elements(Divides, "rows", "rstd"),
            If("rows == 0 && !on_950()", not_empty("dy")),
            DoneIf("rows == 0", Call("launch_zero", "plan dgammaOut")),
            not_empty("gamma"),
            Kernel("rms_norm_grad"),
        ),
        {"dxOut": Output("like x", "same x"), "dgammaOut": Output("like gamma", "float32")},
    ),
)  # fmt: skip

ROWS: tuple[Row, ...] = (
    _LAYER_NORM,
    *_FUSED_NORM,
    Row(
        "ModulateBackward",
        "norm",
        (
            Null(("grad_output", "input", "grad_input")),
            Kernel("check_modulate_backward"),
            DoneIfEmpty(("grad_output", "grad_input")),
            OnlyOn(("A2",), inside=True),
            Kernel("modulate_backward"),
        ),
        {
            "grad_input": Output("like input", "same input"),
            "grad_scale": Output("like_given scale", "same input"),
            "grad_shift": Output("like_given shift", "same input"),
        },
    ),
    Row(
        "AdaLayerNormBackward",
        "norm",
        (
            Null(("gradOut", "input", "normalizedShape", "mean", "rstd", "scale", "shift")),
            Kernel("check_ada_layer_norm_backward"),
            OnlyOn(("A2",), inside=True),
            Kernel("ada_layer_norm_backward"),
        ),
        {
            "gradInputOut": Output("like input", "same input"),
            "gradScaleOut": Output("like scale", "same input"),
            "gradShiftOut": Output("like shift", "same input"),
            "gradWeightOut": Output("like_given weightOptional", "common_of_given weightOptional"),
            "gradBiasOut": Output("like_given biasOptional", "common_of_given biasOptional"),
        },
    ),
)
