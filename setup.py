"""Build steps that setup.cfg cannot express: headers into the package, the simulator."""

from __future__ import annotations

import importlib.util
import re
import shutil
import sys
from pathlib import Path
from types import ModuleType

from setuptools import Distribution, setup
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
        if not self.editable_mode:
            # What an earlier build left there would go into the wheel.
            shutil.rmtree(Path(self.build_lib) / "pyaclnn", ignore_errors=True)
        super().run()
        builder = _simulator_builder()
        cache = ROOT / "build" / "objects"
        platform = self._platform()
        if platform is None:
            # Built beside the sources, then copied: `python -m pyaclnn...` in a checkout imports
            # the checkout's package, and a second install compiles only what changed.
            toolkit = ROOT / "pyaclnn" / "_toolkit"
            builder.place_headers(ROOT / "headers", toolkit, copy=False)
            builder.build_or_explain(toolkit, cache=cache)
        else:
            toolkit = ROOT / "build" / platform[0]
            builder.place_headers(ROOT / "headers", toolkit, copy=False)
            builder.build(toolkit, cache=cache, target=builder.target_of(*platform[1:]))
        if not self.editable_mode:
            target = Path(self.build_lib).resolve() / "pyaclnn" / "_toolkit"
            shutil.rmtree(target, ignore_errors=True)
            # Made on demand, for who compiles with this checkout.
            shutil.copytree(toolkit, target, ignore=shutil.ignore_patterns("source_tree"))

    def _platform(self) -> tuple[str, ...] | None:
        """Tag, glibc and processor of a wheel for many Linux systems; None for this machine."""
        wheel = self.distribution.command_obj.get("bdist_wheel")
        tag = getattr(wheel, "plat_name", None) or ""
        found = re.fullmatch(r"manylinux_(\d+_\d+)_(\w+)", tag)
        return None if found is None else (tag, *found.groups())

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        """Return the files of an installation."""
        outputs = list(super().get_outputs(include_bytecode))
        if not self.editable_mode:
            toolkit = Path(self.build_lib) / "pyaclnn" / "_toolkit"
            outputs += [str(f) for f in toolkit.rglob("*") if f.is_file()]
        return outputs


class PlatformDistribution(Distribution):
    """The simulator is machine code, which belongs where extension modules go."""

    def has_ext_modules(self) -> bool:
        """Say that this is no package of Python alone."""
        return True


class PlatformWheel(bdist_wheel):
    """But it is no extension module: any Python 3, this platform."""

    def get_tag(self) -> tuple[str, str, str]:
        """Return the wheel's tag: any Python 3."""
        return ("py3", "none", super().get_tag()[2])


setup(
    cmdclass={"build_py": BuildToolkit, "bdist_wheel": PlatformWheel},
    distclass=PlatformDistribution,
)
