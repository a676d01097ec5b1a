"""PyTorch in the same process: its modules, and the number of its stream."""

from __future__ import annotations

from typing import Any


def import_torch() -> tuple[Any, Any]:
    """Return the modules torch and torch_npu.

    Raises
    ------
    ImportError
        If they are not installed, saying so.
    """
    try:
        import torch
        import torch_npu
    except ImportError as error:
        raise ImportError(
            f"this needs torch with torch_npu beside it, which are not there: {error}"
        ) from error
    return torch, torch_npu


def torch_stream_handle(index: int) -> int:
    """Return PyTorch's current stream on a device, after torch has submitted all its pending work.

    Parameters
    ----------
    index : int
        Of the device.
    """
    torch, torch_npu = import_torch()
    # Of a torch_npu that has it, a hundredth of the time. Both wait until the thread that launches
    # what torch has queued is through.
    raw = getattr(torch_npu._C, "_npu_getCurrentRawStream", None)
    if raw is not None:
        torch.npu.init()
        return int(raw(index))
    return int(torch.npu.current_stream(index).npu_stream)
