"""C names to Python names: ``gradOutput`` becomes ``grad_output``, ``lambda`` becomes ``lambd``."""

from __future__ import annotations

import keyword
import re
from collections.abc import Collection, Sequence

#: Python keywords are replaced as PyTorch does.
_KEYWORDS = {"lambda": "lambd"}

#: Words of operator names whose C spelling is not just capitalised.
_ACRONYMS = {
    "aa": "AA",
    "ffn": "FFN",
    "gru": "GRU",
    "int4": "INT4",
    "nll": "NLL",
    "sampler2d": "Sampler2D",
    "sampler3d": "Sampler3D",
}
_IRREGULAR = {
    "bidirection_lstm": "aclnnBidirectionLSTM",
    "bidirection_lstm_v2": "aclnnBidirectionLSTMV2",
    "dense_lightning_indexer_grad_kl_loss": "aclnnDenseLightningIndexerGradKLLoss",
    "grouped_matmul_swiglu_quant_weight_nz": "aclnnGroupedMatmulSwigluQuantWeightNZ",
    "inplace_ffn_worker_scheduler": "aclnnInplaceFfnWorkerScheduler",
    "lstm": "aclnnLSTM",
    "quant_grouped_matmul_dequant_weight_nz": "aclnnQuantGroupedMatmulDequantWeightNZ",
    "rfft1d": "aclRfft1D",
    "sparse_lightning_indexer_grad_kl_loss": "aclnnSparseLightningIndexerGradKLLoss",
    "sparse_lightning_indexer_kl_loss_grad": "aclnnSparseLightningIndexerKLLossGrad",
    "sparse_lightning_indexer_kl_loss_grad_metadata": (
        "aclnnSparseLightningIndexerKLLossGradMetadata"
    ),
    "stft": "aclStft",
}

_RULES = (
    (re.compile(r"(?<=[0-9])D(?![a-z])"), "d"),  # GridSampler2D: the D belongs to the 2
    (re.compile(r"([a-z0-9])([A-Z])"), r"\1_\2"),
    (re.compile(r"([A-Z]+)([A-Z][a-z])"), r"\1_\2"),
    (re.compile(r"([A-Z])(V[0-9])"), r"\1_\2"),  # FFNV2: the V begins a version
)


def snake_case(name: str) -> str:
    """Return a C parameter or operator name in snake_case, never a Python keyword.

    Parameters
    ----------
    name : str
        For example ``gradOutput`` or ``MaxPool2dWithIndices``.

    Returns
    -------
    str
        For example ``grad_output`` or ``max_pool2d_with_indices``.
    """
    text = name
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    text = text.lower()
    if keyword.iskeyword(text):
        return _KEYWORDS.get(text, text + "_")
    return text


def operator_name(c_name: str) -> str:
    """Return the Python name of an operator: ``aclnnSeluBackward`` becomes ``selu_backward``."""
    return snake_case(re.sub(r"^acl(nn)?", "", c_name))


def likely_c_name(name: str) -> str:
    """Guess the C name behind a Python name; to be verified by the caller.

    Parameters
    ----------
    name : str
        Such as ``selu_backward``.

    Returns
    -------
    str
        Right for every operator of CANN 8.1 to 9.1; others may have acronyms of their own.
    """
    words = (_ACRONYMS.get(word, word[:1].upper() + word[1:]) for word in name.split("_"))
    return _IRREGULAR.get(name, f"aclnn{''.join(words)}")


#: Parameters of every call besides the operator's own.
_OF_EVERY_CALL = frozenset(("out", "stream"))


def python_names(c_names: Sequence[str], outputs: Collection[int]) -> list[str]:
    """Return the names that the parameters of one operator have in Python.

    They become parameters of generated functions, whose own names all begin with an underscore
    or a capital: none of these does, and no two are alike.

    Parameters
    ----------
    c_names : sequence of str
        The parameters in C order; empty for one without a name.
    outputs : collection of int
        Which of them are outputs: one of these may be called ``out``.

    Returns
    -------
    list of str
        Identifiers of ASCII letters, digits and underscores.
    """
    names: list[str] = []
    for number, c_name in enumerate(c_names):
        name = re.sub(r"[^a-z0-9_]", "_", snake_case(c_name)).lstrip("_")
        if not name[:1].isalpha():
            name = f"arg{name or number}"
        taken = _OF_EVERY_CALL - ({"out"} if number in outputs else set())
        if name in taken or keyword.iskeyword(name):
            name += "_"
        plain, count = name, 1
        while name in names:
            count += 1
            name = f"{plain}_{count}"
        names.append(name)
    return names
