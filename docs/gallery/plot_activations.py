"""
Activations and their gradients
===============================

The forward function in one colour, what its backward operator makes of a gradient of ones in the
other.
"""

import matplotlib.pyplot as plt
import numpy as np

import pyaclnn as pa

x = pa.asarray(np.linspace(-4, 4, 401, dtype=np.float32))
ones = pa.ones_like(x)

# Name, forward, backward.
functions = [
    ("softshrink", pa.ops.softshrink(x, 0.5), pa.ops.softshrink_backward(ones, x, 0.5)),
    ("hardswish", pa.ops.hardswish(x), pa.ops.hardswish_backward(ones, x)),
    ("gelu", pa.ops.gelu(x), pa.ops.gelu_backward(ones, x)),
    ("silu", pa.ops.silu(x), pa.ops.silu_backward(ones, x)),
    ("elu", pa.ops.elu(x, 1.0, 1.0, 1.0), pa.ops.elu_backward(ones, 1.0, 1.0, 1.0, False, x)),
    ("softplus", pa.ops.softplus(x, 1.0, 20.0), pa.ops.softplus_backward(ones, x, 1.0, 20.0)),
]

figure, axes = plt.subplots(2, 3, figsize=(9, 5), sharex=True, layout="constrained")
for axis, (name, forward, gradient) in zip(axes.flat, functions, strict=True):
    axis.plot(x.numpy(), forward.numpy(), label="forward")
    axis.plot(x.numpy(), gradient.numpy(), label="gradient")
    axis.set_title(name)
    axis.grid(alpha=0.3)
axes[0, 0].legend()
plt.show()
