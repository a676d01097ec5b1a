"""Ports with a thread for each rank, written as a program that a launcher starts for each rank."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pyaclnn.port.errors import PortError

_HEAD = re.compile(r"def (\w+)\((rank: int)?\) -> None:")
#: Which function the pool runs, for which ranks.
_SUBMIT = re.compile(r"pool\.submit\((\w+)(?:, rank\) for rank in ([^\]]+)|\))\]")
_MADE = re.compile(r'(\w+) = pa\.ffi\.new\("HcclComm\[(\d+)\]"\)')
_ASKED = re.compile(r'    (\w+) = pa\.ffi\.new\("char\[128\]"\)')
_POOL = "with ThreadPoolExecutor("
_IMPORTS = ("import ", "from ")


def launched(text: str, sample: str) -> str:
    """Return a port as a program that ``python -m pyaclnn.collective`` or torchrun starts.

    Parameters
    ----------
    text : str
        The idiomatic port.
    sample : str
        For messages.

    Raises
    ------
    PortError
        If it has no thread for each rank of one communicator, or the main thread does more than
        that and print.
    """
    head, body = _parts(text)
    functions, rest, pool, (said, before, behind) = _sorted(body, sample)
    made = [m for m in map(_MADE.fullmatch, rest) if m is not None]
    if len(made) != 1:
        raise PortError("has no communicator that all its ranks are in", sample)
    name, count = made[0][1], int(made[0][2])
    opened = f"pa.check(pa.lib.HcclCommInitAll({count}, {list(range(count))}, {name}))"
    if rest != [made[0][0], opened]:
        raise PortError("does more than to start a thread for each rank", sample)
    ranks = _ranks(pool)
    if sorted(ranks) != list(range(count)) or set(ranks.values()) != set(functions):
        raise PortError("has no thread for each rank of its communicator", sample)
    out: list[str] = [*said, "", ""] if said else []
    for function, lines in functions.items():
        own = [rank for rank, found in ranks.items() if found == function]
        out += [*_of_rank(lines, name, own[0], sample), "", ""]
    chosen = [ranks[rank] for rank in range(count)]
    call = chosen[0] if len(functions) == 1 else f"({', '.join(chosen)})[ranks.rank]"
    out += ["with Communicator.from_env() as ranks:", *_of_first(before), f"    {call}(ranks)"]
    out += _of_first(behind)
    about = f"started by python -m pyaclnn.collective --ranks {count}, or by torchrun"
    return "\n".join([*_headed(head, about), "", *([] if said else [""]), *out]) + "\n"


def _parts(text: str) -> tuple[list[str], list[str]]:
    """Return docstring and imports, and what follows."""
    lines = text.rstrip("\n").split("\n")
    last = max(i for i, line in enumerate(lines) if line.startswith(_IMPORTS))
    return lines[: last + 1], lines[last + 1 :]


def _headed(head: list[str], about: str) -> list[str]:
    """Return docstring and imports with what the launched program needs."""
    kept = [line for line in head if "ThreadPoolExecutor" not in line]
    while "" in kept and kept[kept.index("") + 1 : kept.index("") + 2] == [""]:
        del kept[kept.index("")]
    first = kept[0].removesuffix('"""').removesuffix(".")
    closed = kept[0].count('"""') == 2
    kept[0] = f'{first}: {about}."""' if closed else f"{first}: {about}."
    if len(kept[0]) > 99:
        kept[0:1] = [
            f"{first}.",
            "",
            f"{about[0].upper()}{about[1:]}.",
            *(['"""'] if closed else []),
        ]
    return [*kept, "from pyaclnn.collective import Communicator"]


def _of_first(prints: list[str]) -> list[str]:
    """Return what one thread printed for all ranks: the first of them does."""
    return ["    if ranks.rank == 0:", *(f"        {line}" for line in prints)] if prints else []


def _ranks(pool: list[str]) -> dict[int, str]:
    """Return the function of each rank; one of a single rank has its number in its name."""
    found: dict[int, str] = {}
    for function, ranks in _SUBMIT.findall("\n".join(pool)):
        numbers = [int(n) for n in re.findall(r"\d+", ranks or function.rpartition("_")[2])]
        if ranks.startswith("range"):
            numbers = list(range(*numbers))
        found.update(dict.fromkeys(numbers, function))
    return found


def _sorted(
    body: list[str], sample: str
) -> tuple[dict[str, list[str]], list[str], list[str], tuple[list[str], list[str], list[str]]]:
    """Return functions, calls of the main thread, its pool, its comments and prints by place."""
    functions: dict[str, list[str]] = {}
    rest: list[str] = []
    said: list[str] = []
    printed: tuple[list[str], list[str]] = ([], [])
    pool: list[str] = []
    for block in _blocks(body):
        first = block[0]
        head = _HEAD.fullmatch(first)
        if head is not None:
            functions[head[1]] = block
        elif first.startswith("print("):
            printed[bool(pool)].extend(block)
        elif first.startswith("#"):
            said += block
        elif first.startswith(_POOL):
            pool += block
        elif len(block) > 1:
            raise PortError("does more than to start a thread for each rank", sample)
        else:
            rest += block
    return functions, rest, pool, (said, *printed)


def _blocks(body: list[str]) -> Iterator[list[str]]:
    """Yield statements with the lines that belong to them."""
    block: list[str] = []
    for line in body:
        if not line:
            continue
        if block and not line.startswith((" ", ")", "]")):
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def _of_rank(lines: list[str], name: str, number: int, sample: str) -> list[str]:
    """Return the function of a rank without what the communicator does by itself."""
    shared = "(rank: int)" in lines[0]
    index = "rank" if shared else str(number)
    out = [re.sub(r"\(.*\)", "(ranks: Communicator)", lines[0])]
    if any(re.search(r"\brank\b", line) for line in lines[1:]) and shared:
        out.append("    rank = ranks.rank")
    asked = ""
    for line in lines[1:]:
        found = _ASKED.fullmatch(line)
        if found is not None:
            asked = found[1]
        elif asked and line == f"    pa.check(pa.lib.HcclGetCommName({name}[{index}], {asked}))":
            continue
        elif asked and line.endswith(f" = pa.ffi.string({asked}).decode()"):
            out.append(line.partition(" = ")[0] + " = ranks.name")
            asked = ""
        elif line not in (
            f"    pa.Device({index}).use()",
            f"    pa.check(pa.lib.HcclCommDestroy({name}[{index}]))",
        ):
            out.append(line)
    if re.search(rf"\b{name}\b", "\n".join(out)) or asked:
        raise PortError(f"uses {name} for more than the name of the communicator", sample)
    return out
