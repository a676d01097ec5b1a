"""Call functions of SciPy and scikit-learn with tensors: what they give, and where it is computed.

A program of its own, for SciPy reads `SCIPY_ARRAY_API` when it is imported. Prints a JSON object:
expression -> "device", "host" (values came there on the way), or what went wrong.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

import pyaclnn as pa

#: Library -> expressions in its functions. x is a matrix, u and v are vectors, p and q positive
#: vectors, n whole numbers, t and c truths as numbers, s a longer vector.
ON_DEVICE = {
    "scipy.special": "logsumexp(x); softmax(x); log_softmax(x); xlogy(p, q); rel_entr(p, q)",
    "scipy.signal": (
        "hilbert(s); envelope(s); convolve(s, u, method='fft'); correlate(s, u, method='fft'); "
        "fftconvolve(s, u); oaconvolve(s, u); resample(s, 20); windows.hann(8, xp=np, device=None)"
    ),
    "scipy.fft": "fft(s); ifft(s); rfft(s); hfft(s); fftn(x); fftshift(s)",
    "scipy.stats": (
        "skew(s); kurtosis(s); moment(s, order=2); gmean(p); hmean(p); pmean(p, 2); variation(p); "
        "zscore(s); zmap(u, s); sem(s); kstat(s); describe(s).variance; pearsonr(u, v).statistic; "
        "ttest_1samp(s, 0.5).statistic; ttest_ind(u, v).statistic; bartlett(u, v).statistic"
    ),
    "scipy.integrate": "trapezoid(s); cumulative_trapezoid(s)",
    "scipy.cluster.vq": "whiten(x)",
    "sklearn.decomposition": (
        "PCA(2, svd_solver='full').fit_transform(x); "
        "PCA(2, svd_solver='covariance_eigh').fit_transform(x); "
        "PCA(2, svd_solver='randomized', power_iteration_normalizer='QR', random_state=0)"
        ".fit_transform(x)"
    ),
    "sklearn.linear_model": "Ridge(solver='svd').fit(x, r).coef_",
    "sklearn.discriminant_analysis": (
        "LinearDiscriminantAnalysis(solver='svd').fit(x, t).predict(x)"
    ),
    "sklearn.preprocessing": (
        "MinMaxScaler().fit_transform(x); MaxAbsScaler().fit_transform(x); "
        "StandardScaler().fit_transform(x); Normalizer().fit_transform(x); "
        "Binarizer().fit_transform(x); KernelCenterer().fit_transform(x @ x.T); "
        "PolynomialFeatures().fit_transform(x); LabelEncoder().fit_transform(t)"
    ),
    "sklearn.metrics": (
        "mean_squared_error(p, q); mean_absolute_error(p, q); "
        "mean_absolute_percentage_error(p, q); mean_tweedie_deviance(p, q); r2_score(p, q); "
        "explained_variance_score(p, q); max_error(p, q); accuracy_score(t, c); "
        "zero_one_loss(t, c); hamming_loss(t, c)"
    ),
    "sklearn.metrics.pairwise": (
        "euclidean_distances(x); manhattan_distances(x); cosine_distances(x); "
        "paired_euclidean_distances(x, x + 1); paired_manhattan_distances(x, x + 1); "
        "paired_cosine_distances(x, x + 1); linear_kernel(x); polynomial_kernel(x); "
        "rbf_kernel(x); sigmoid_kernel(x); chi2_kernel(abs(x)); cosine_similarity(x)"
    ),
}
THROUGH_HOST = {
    "scipy.special": (
        "erf(s); erfc(s); ndtr(s); ndtri(h); log_ndtr(s); i0(s); i0e(s); i1(s); i1e(s); "
        "gammaln(p); expit(s); logit(h); entr(p); betainc(p, q, h[:6]); gammainc(p, q)"
    ),
    "scipy.signal": (
        "detrend(s); savgol_filter(s, 5, 2); lfilter(u, p, s); welch(s, nperseg=8)[1]; czt(s)"
    ),
    "scipy.fft": "dct(s)",
    "scipy.stats": "entropy(p)",
    "scipy.integrate": "simpson(s)",
    "sklearn.metrics": (
        "confusion_matrix(t, c); f1_score(t, c); jaccard_score(t, c); precision_score(t, c); "
        "recall_score(t, c); balanced_accuracy_score(t, c)"
    ),
}


def arguments() -> dict[str, np.ndarray[Any, Any]]:
    """Return the arrays of the host that the expressions name."""
    rng = np.random.default_rng(5)
    positive = rng.uniform(0.5, 2, (2, 6))
    found = {
        "x": rng.normal(size=(12, 3)), "r": rng.normal(size=12), "s": rng.normal(size=16),
        "u": rng.normal(size=6), "v": rng.normal(size=6), "p": positive[0], "q": positive[1],
        "h": rng.uniform(0.1, 0.9, 16),
    }  # fmt: skip
    truths = {"t": rng.integers(0, 2, 12), "c": rng.integers(0, 2, 12)}
    return {name: a.astype(np.float32) for name, a in found.items()} | truths


class _ToHost:
    """Counts the arrays of values that are copied to the host."""

    def __init__(self) -> None:
        self.count = 0
        copied = pa.Tensor.numpy

        def counted(tensor: pa.Tensor, *given: Any, **named: Any) -> Any:
            self.count += tensor.size > 1
            return copied(tensor, *given, **named)

        self.copied = copied
        pa.Tensor.numpy = counted  # type: ignore[method-assign,assignment]


def where(
    expression: str, functions: dict[str, Any], host: dict[str, Any], to_host: _ToHost
) -> str:
    """Return where an expression is computed on tensors, or how it differs from NumPy's."""
    import pyaclnn.array_api as xp

    expected = eval(expression, functions | host | {"np": np})
    given = {name: pa.asarray(a) for name, a in host.items()}
    to_host.count = 0
    try:
        result = eval(expression, functions | given | {"np": xp})
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:200]
    through = to_host.count
    value = to_host.copied(result) if isinstance(result, pa.Tensor) else np.asarray(result)
    if not np.allclose(value, expected, rtol=2e-3, atol=2e-4):
        return f"{value} in place of {expected}"[:200]
    return "host" if through else "device"


def main(library: str) -> None:
    """Print where the expressions of SciPy's or scikit-learn's modules are computed."""
    if library == "sklearn":
        set_config: Callable[..., None] = importlib.import_module("sklearn").set_config
        set_config(array_api_dispatch=True)
    to_host, host, found = _ToHost(), arguments(), {}
    for table in (ON_DEVICE, THROUGH_HOST):
        for module, expressions in table.items():
            if not module.startswith(library):
                continue
            functions = vars(importlib.import_module(module))
            for expression in expressions.split("; "):
                found[f"{module}: {expression}"] = where(expression, functions, host, to_host)
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
