"""The preprocessor for samples: macros expanded, headers beside the sample read as well."""

from __future__ import annotations

from pathlib import Path

from pyaclnn.abi.directives import CONTINUED, Directives
from pyaclnn.abi.macros import EndlessError, Macro, Macros
from pyaclnn.port.errors import LimitError
from pyaclnn.port.frontend.includes import Includes

#: The macros of inttypes.h that stand between pieces of a format string.
_INTEGER_FORMATS = [
    Macro(f"{use}{kind}{bits}", None, f'"{"l" if bits in ("64", "PTR", "MAX") else ""}{kind}"')
    for use in ("PRI", "SCN")
    for kind in "diouxX"
    for bits in ("8", "16", "32", "64", "PTR", "MAX")
]

#: What the check's compiler defines by itself.
_PREDEFINED = [Macro("__cplusplus", None, "201703L")]


class Preprocessor(Directives):
    """The state of one file; errors in it are left to the parser.

    Parameters
    ----------
    name : str
        For messages.
    includes : Includes, optional
        Gives the headers beside the sample.
    outer : Preprocessor, optional
        Of the file that includes this one.

    Attributes
    ----------
    headers : list of tuple
        Name, text and expanded text of those headers, in the order their ends are reached.
    included : list of str
        Names of all headers, the system's and CANN's as well.
    """

    def __init__(
        self, name: str, includes: Includes | None = None, outer: Preprocessor | None = None
    ) -> None:
        predefined = _INTEGER_FORMATS + (_PREDEFINED if not name.endswith(".c") else [])
        super().__init__(name, outer.macros if outer else Macros(predefined))
        self.includes = includes
        self.headers: list[tuple[str, str, str]] = outer.headers if outer else []
        self.included: list[str] = outer.included if outer else []

    def run(self, text: str) -> str:
        """Return the preprocessed text with lines kept; raises LimitError if macros explode."""
        try:
            return super().run(text)
        except EndlessError as error:
            raise LimitError(str(error), self.file) from None

    def text(self, region: str) -> str:
        """Expand macros."""
        if CONTINUED in region:
            region = "\n".join(
                line.replace(CONTINUED, "") + "\n" * line.count(CONTINUED)
                for line in region.split("\n")
            )
        return self.macros.expand(region)

    def comment(self, text: str, lines: str) -> str:
        """Leave one that is never closed, so that it is complained about, but once."""
        closed = text.startswith("//") or text.endswith("*/")
        return lines if closed else "/*" + text.replace("/*", "")

    def include(self, name: str, quoted: bool) -> None:
        """Read a header beside the sample, and the source of what it declares."""
        self.included.append(name)
        if not quoted or self.includes is None:
            return
        folder = Path(self.file).parent.resolve()
        found = self.includes.open(name, folder)
        if found is None:
            return
        source = self.includes.source_of(name, folder)
        for path, text in [found, *([source] if source is not None else [])]:
            expanded = Preprocessor(str(path), self.includes, self).run(text)
            self.headers.append((str(path), text, expanded))
