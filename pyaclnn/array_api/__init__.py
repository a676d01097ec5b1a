"""The Python array API standard, 2024.12, on tensors of the device.

    import pyaclnn.array_api as xp

    x = xp.linspace(0, 1, 5)
    xp.sum(x[x > 0.3] ** 2)

Arrays are `pyaclnn.Tensor`. A function is one call of an operator or, where CANN has none for it
or for a dtype, a few; nothing is computed on the host. Everything is submitted to the current
stream and not waited for, but where the shape of a result depends on values.
"""

from __future__ import annotations

import math

from pyaclnn.array_api import (
    creation_functions,
    data_types,
    elementwise_functions,
    fft,
    linalg,
    manipulation_functions,
    sorting_functions,
    statistical_functions,
)
from pyaclnn.array_api.creation_functions import *  # noqa: F403
from pyaclnn.array_api.data_types import *  # noqa: F403
from pyaclnn.array_api.elementwise_functions import *  # noqa: F403
from pyaclnn.array_api.linalg import matmul, matrix_transpose, tensordot, vecdot
from pyaclnn.array_api.manipulation_functions import *  # noqa: F403
from pyaclnn.array_api.sorting_functions import *  # noqa: F403
from pyaclnn.array_api.statistical_functions import *  # noqa: F403

__array_api_version__ = "2024.12"

e, inf, nan, pi = math.e, math.inf, math.nan, math.pi
newaxis = None

__all__ = [
    *creation_functions.__all__,
    *data_types.__all__,
    *elementwise_functions.__all__,
    *manipulation_functions.__all__,
    *sorting_functions.__all__,
    *statistical_functions.__all__,
    "__array_api_version__",
    "e",
    "fft",
    "inf",
    "linalg",
    "matmul",
    "matrix_transpose",
    "nan",
    "newaxis",
    "pi",
    "tensordot",
    "vecdot",
]
