"""Sphinx: ``pip install '.[docs]' && sphinx-build -W docs build/site``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pyaclnn as pa

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tools"))
# Examples are run while pages are written: on the simulator, wherever the site is built.
os.environ["PYACLNN_BACKEND"] = "simulator"

project = "pyaclnn"
author = "the pyaclnn contributors"
copyright = "the pyaclnn contributors; MIT licence"
version = release = pa.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx_gallery.gen_gallery",
]
html_theme = "furo"
html_title = f"pyaclnn {release}"
html_static_path = ["_static"]
html_css_files = ["pyaclnn.css"]
html_js_files = ["long-names.js", "catalogue.js"]
html_search_scorer = str(HERE / "_static" / "scorer.js")
exclude_patterns = ["gallery"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # docstrings have them, with shapes and units
napoleon_google_docstring = False
napoleon_use_rtype = False
# Attributes that a class describes in its docstring are not listed a second time.
napoleon_use_ivar = True

sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "pictures",
    "filename_pattern": "/plot_",
    "show_memory": False,
    "min_reported_time": 1000,
    "abort_on_example_error": True,
}


def write_pages(app: Any) -> None:
    """Write what follows from headers, table and libraries: operators, functions, status codes."""
    from pages import functions, operator_pages, status_codes

    operator_pages.write(HERE / "operators")
    (HERE / "operators.md").write_text(operator_pages.catalogue(), encoding="utf-8")
    (HERE / "reference" / "functions.md").write_text(functions.page(), encoding="utf-8")
    (HERE / "status-codes.md").write_text(status_codes.page(), encoding="utf-8")


_navigation: dict[str, str] = {}


def share_navigation(app: Any, page: str, template: str, context: Any, document: Any) -> None:
    """Compute the navigation of the operators' pages once, not a thousand times.

    They are in one folder and in no table of contents, so that theirs are equal.
    """
    if page.startswith("operators/"):
        toctree = context["toctree"]

        def shared(**options: Any) -> str:
            key = repr(sorted(options.items()))
            if key not in _navigation:
                _navigation[key] = toctree(**options)
            return _navigation[key]

        context["toctree"] = shared


def setup(app: Any) -> None:
    """Let Sphinx call them: before it reads pages, and before the theme (500) writes one."""
    app.connect("builder-inited", write_pages)
    app.connect("html-page-context", share_navigation, priority=400)
