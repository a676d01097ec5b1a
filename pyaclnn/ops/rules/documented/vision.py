"""Images, boxes, regions of interest; signals; recurrent networks; losses over a vocabulary."""

from __future__ import annotations

from pyaclnn.ops.rules.notation import Texts

_DIRECTIONS = "(2 if bidirection else 1)"
_LSTM_STATE = f"({_DIRECTIONS} * numLayers, *initH[1:]) as same x"
_BOTH = "(2 if bidirectional else 1)"
_STATE = "(*recurrent_state({0}, input, params[1][-1], {1} * numLayers, batchFirst),) as same input"
#: Of each layer and direction, by time; with batchFirst the first two axes of the input swap.
_GATES = (
    "if train: [((input[1], input[0], params[1][-1]) if batchFirst and len(input) == 3 else "
    "(*input[:-1], params[1][-1])) for _ in range({0} * numLayers)] as same input"
)
_SELECTED = "like logits as float32"

OUTPUTS: Texts = {
    "aclRfft1D": {
        "out": "((*self[:dim % len(self)], (n or self[dim]) // 2 + 1, "
        "*self[dim % len(self) + 1:], 2)) as same self"
    },
    "aclStft": {
        "out": "(*self[:-1], nFft // 2 + 1 if onesided else nFft, "
        "(self[-1] - nFft) // hopLength + 1, *(() if returnComplex else (2,)))"
        " as same self if self.dtype[0] == 'c' or not returnComplex else"
        " complex64 if self.dtype == 'float32' else complex128"
    },
    "BackgroundReplace": "like bkg",
    "BidirectionLSTM": {
        "yOut": f"(*x[:2], {_DIRECTIONS} * initH[-1]) as same x",
        "outputHOut": _LSTM_STATE,
        "outputCOut": _LSTM_STATE,
    },
    "BidirectionLSTMV2": {
        "yOut": f"(*x[:-1], {_DIRECTIONS} * initH[-1]) as same x",
        "outputHOut": _LSTM_STATE,
        "outputCOut": _LSTM_STATE,
    },
    "BlendImagesCustom": "like frame",
    "CIoU": {
        "overlap": "(bBoxes[1] if isCross else 1, gtBoxes[1]) as same bBoxes",
        "atanSub": "(bBoxes[1] if isCross else 1, gtBoxes[1]) as same bBoxes",
    },
    "FusedCrossEntropyLossWithMaxSum": {
        "lossOut": "like logitsMax as float32",
        "softMaxOutOptional": "if vocabParallelLogitsOptional is not None: "
        "like vocabParallelLogitsOptional as float32",
    },
    "FusedLinearCrossEntropyLossGrad": {
        "inputGradOut": "(grad[0], weight[1]) as same input",
        "weightGradOut": "like weight as same input",
    },
    "FusedLinearOnlineMaxSum": {
        "logitsMaxLocalOut": "(input[0],) as float32",
        "sumExpLogitsLocalOut": "(input[0],) as float32",
        "predictedLogitsLocalOut": "(input[0],) as float32",
        "targetMaskOut": "((input[0] + 7) // 8,) as uint8",
        "maskedTargetOut": "(input[0],) as same target",
        "vocabParallelLogitsOutOptional": "(input[0], weight[0]) as same input",
    },
    "GRU": {
        "output": f"(*input[:-1], {_DIRECTIONS} * params[1][-1]) as same input",
        "hy": _STATE.format("hx", _DIRECTIONS),
        **dict.fromkeys(("rOut", "zOut", "nOut", "hnOut", "hOut"), _GATES.format(_DIRECTIONS)),
    },
    "GRUBackward": {
        "dxOut": "like input",
        "dhPrevOut": "like hx",
        "dparamsOut": "[*params] as same params",
    },
    "LSTM": {
        "output": f"(*input[:-1], {_BOTH} * params[1][-1]) as same input",
        "hy": _STATE.format("hx and hx[0]", _BOTH),
        "cy": _STATE.format("hx and hx[1]", _BOTH),
        **dict.fromkeys(
            ("iOut", "jOut", "fOut", "oOut", "hOut", "cOut", "tanhCOut"), _GATES.format(_BOTH)
        ),
    },
    "LstmBackward": {
        "dxOut": "like input",
        "dhPrevOut": "(*hx[0],) as same input",
        "dcPrevOut": "(*hx[1],) as same input",
        "dparamsOut": "[*params] as same params",
    },
    "MrgbaCustom": "like rgb",
    "MultiScaleDeformableAttnFunction": {
        "output": "(value[0], location[1], value[2] * value[3]) as same value"
    },
    "Rasterizer": {
        "findicesOut": "(height, width) as int32",
        "barycentricOut": "(height, width, 3) as float32",
    },
    "RoiAlign": "(rois[0], self[1], outputHeight, outputWidth) as same self",
    "RoiAlignV2": "(boxes[0], self[1], pooledHeight, pooledWidth) as same self",
    "RoiPoolingWithArgMax": {
        "y": "(rois[0], x[1], pooled_h, pooled_w) as same x",
        "argmax": "(rois[0], x[1], pooled_h, pooled_w) as int32",
    },
    "ThnnFusedLstmCell": {
        "hyOut": "like cx",
        "cyOut": "like cx",
        "storageOut": "like inputGates",
    },
    "ThnnFusedLstmCellBackward": {
        "gradGatesOut": "like storage",
        "gradCxOut": "like cx",
        "gradBiasOut": "if hasBias: (storage[1],) as same storage",
    },
    "ThreeInterpolateBackward": {"grad_y": "(*grad_x[:2], m, *grad_x[3:]) as same grad_x"},
    "TopKTopPSample": {
        "logitsSelectIdx": "(*logits[:-1],) as int64",
        "logitsTopKPSelect": _SELECTED,
    },
    "TopKTopPSampleV2": {
        "logitsSelectIdx": "(*logits[:-1],) as int64",
        "logitsTopKPSelect": _SELECTED,
        "logitsIdx": "like logits as int64",
        "logitsSortMasked": _SELECTED,
    },
}

NOT_INFERRED = {
    "ExpandIntoJaggedPermute": "the document gives the result no size",
    "NonMaxSuppression": "how many boxes are selected depends on their scores",
}
