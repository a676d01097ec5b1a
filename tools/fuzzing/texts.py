"""Mutating texts: lines and words that go, come twice, change places, or meet strange ones."""

from __future__ import annotations

import random
import re

_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
_STRANGE = (
    "(", ")", "{", "}", "[", "]", "<", ">", ";", ",", "*", "&", '"', "'", "\\", "#", "/*", "*/",
    "//", "\0", "\ufeff", "é", "0x", "1e999", "99999999999999999999", "-1", "const", "struct",
    "typedef", "template", "enum", "void", "unsigned", "operator", "...", "##", "::", "return",
    "#define X(a) a##a\n", "#if 0\n", "#endif\n", "#include <x.h>\n", "R\"(", "\r\n",
)  # fmt: skip


def mutate(text: str, rng: random.Random) -> str:
    """Return a text with one to eight changes."""
    words = _WORDS.findall(text)
    for _ in range(rng.choice([1, 1, 2, 3, 8])):
        if not words:
            break
        at = rng.randrange(len(words))
        choice = rng.randrange(6)
        if choice == 0:
            del words[at : at + rng.choice([1, 1, 3, 20])]
        elif choice == 1:
            words.insert(at, rng.choice(_STRANGE))
        elif choice == 2:
            words[at] = rng.choice(_STRANGE)
        elif choice == 3:
            other = rng.randrange(len(words))
            words[at], words[other] = words[other], words[at]
        elif choice == 4:
            part = words[at : at + rng.choice([1, 5, 50])]
            words[at:at] = part * rng.choice([1, 2, 30])
        else:
            del words[at:]
    return "".join(words)
