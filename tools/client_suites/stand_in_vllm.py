"""What vllm-ascend's layers import of vLLM, which is not installed: no more than names.

The layers that are run compute by torch_npu alone; of vLLM they take the configuration, the
activations' names and the groups, of one process here. Any other name is a class without contents.
"""

from __future__ import annotations

import enum
import importlib.abc
import importlib.machinery
import logging
import sys
import types
from collections.abc import Sequence
from typing import Any

import torch


class _Named(type):
    """The type of a stand-in, of which any attribute is a decorator, or calls give a stand-in."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *arguments, **named: lambda decorated: decorated


class MoEActivation(enum.Enum):
    """How experts activate."""

    SILU = "silu"
    GELU = "gelu"
    GELU_TANH = "gelu_tanh"
    SWIGLUOAI = "swigluoai"
    SWIGLUSTEP = "swiglustep"


class CompilationMode(enum.Enum):
    """Nothing is compiled."""

    NONE = 0
    VLLM_COMPILE = 3


class _Logger(logging.Logger):
    def __getattr__(self, name: str) -> Any:
        return lambda *arguments, **named: None


def config(**quantised: object) -> types.SimpleNamespace:
    """Return a configuration of vLLM.

    Parameters
    ----------
    **quantised : object
        How weights are, by the names of a checkpoint's description.
    """
    space = types.SimpleNamespace
    return space(
        compilation_config=space(mode=CompilationMode.NONE),
        model_config=space(enforce_eager=True, dtype=torch.bfloat16, hf_config=space()),
        parallel_config=space(
            enable_expert_parallel=False, tensor_parallel_size=1, enable_eplb=False
        ),
        quant_config=space(quant_description=quantised),
        use_v2_model_runner=False,
        additional_config={},
    )


class State:
    """What the stand-ins answer."""

    config = config()
    forward = types.SimpleNamespace()


class _Contents:
    """What a class without contents is made of."""

    def __init__(self, *arguments: object, **named: object) -> None: ...


_LIBRARY = torch.library.Library("vllm", "FRAGMENT")


def _register(
    op_name: str, op_func: Any, mutates_args: Sequence[str] | None = None, **options: object
) -> None:
    """Register a function of the layers under ``torch.ops.vllm``."""
    schema = torch.library.infer_schema(op_func, mutates_args=mutates_args or [])
    _LIBRARY.define(f"{op_name}{schema}")
    _LIBRARY.impl(op_name, op_func, "PrivateUse1")


_GIVEN: dict[str, Any] = {
    "direct_register_custom_op": _register,
    "MoEActivation": MoEActivation,
    "CompilationMode": CompilationMode,
    "HAS_TRITON": False,
    "logger": _Logger("vllm"),
    "init_logger": lambda name: _Logger(name),
    "VLLM_USE_V2_MODEL_RUNNER": False,
    "VLLM_BATCH_INVARIANT": False,
    "cdiv": lambda a, b: -(-a // b),
    "get_current_vllm_config": lambda: State.config,
    "get_forward_context": lambda: State.forward,
    "get_tensor_model_parallel_world_size": lambda: 1,
    "get_tensor_model_parallel_rank": lambda: 0,
}


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives each module of vLLM and of Triton."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name.partition(".")[0] not in ("vllm", "triton"):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        module = types.ModuleType(spec.name)

        def missing(name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            made = _GIVEN[name] if name in _GIVEN else _Named(name, (_Contents,), {})
            setattr(module, name, made)
            return made

        module.__version__ = "0.26.0"  # type: ignore[attr-defined]
        module.__getattr__ = missing  # type: ignore[method-assign]
        return module

    def exec_module(self, module: types.ModuleType) -> None:
        """Do nothing: names are made as they are asked for."""


def install(device: str) -> None:
    """Let modules of vLLM be found, and say for which chip vllm-ascend was built.

    Parameters
    ----------
    device : str
        ``A2`` or ``A5``.
    """
    sys.meta_path.insert(0, _Finder())
    sys.modules.setdefault("regex", __import__("re"))
    built = types.ModuleType("vllm_ascend._build_info")
    built.__device_type__ = device  # type: ignore[attr-defined]
    sys.modules["vllm_ascend._build_info"] = built
