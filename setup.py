"""Build steps that setup.cfg cannot express: headers into the package, the simulator."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path
from types import ModuleType

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent


def _simulator_builder() -> ModuleType:
    # Loaded by path: importing the package would need its run-time dependencies.
    spec = importlib.util.spec_from_file_location(
        "sim_build", ROOT / "pyaclnn" / "sim" / "build.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


class BuildToolkit(build_py):
    """Adds ``pyaclnn/_toolkit``: the headers, and the simulator where it can be compiled."""

    def run(self) -> None:
        """Build the Python part, then the toolkit root."""
        super().run()
        builder = _simulator_builder()
        # Built beside the sources, then copied: `python -m pyaclnn...` in a checkout imports the
        # checkout's package, and a second install compiles only what changed.
        toolkit = ROOT / "pyaclnn" / "_toolkit"
        builder.place_headers(ROOT / "headers", toolkit, copy=False)
        builder.build_or_explain(toolkit, cache=ROOT / "build" / "objects")
        if not self.editable_mode:
            target = Path(self.build_lib).resolve() / "pyaclnn" / "_toolkit"
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(toolkit, target)

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        """Return the files of an installation."""
        outputs = list(super().get_outputs(include_bytecode))
        if not self.editable_mode:
            toolkit = Path(self.build_lib) / "pyaclnn" / "_toolkit"
            outputs += [str(f) for f in toolkit.rglob("*") if f.is_file()]
        return outputs


class PlatformWheel(bdist_wheel):
    """The simulator is machine code, but no extension module: any Python 3, this platform."""

    def finalize_options(self) -> None:
        """Mark the wheel as one for this platform."""
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self) -> tuple[str, str, str]:
        """Return the wheel's tag: any Python 3."""
        return ("py3", "none", super().get_tag()[2])


setup(cmdclass={"build_py": BuildToolkit, "bdist_wheel": PlatformWheel})
