"""Find the calls around a right one that are answered otherwise: each differs from it in one thing.

Numbers go up to both sides of each limit: values next to the constants of the operator's sources
and powers of two are tried, and between two that are answered otherwise it is halved until they are
neighbours. Places and what stands in them are those of ``tests/operators/neighbours.py``.
"""

from __future__ import annotations

import functools
import importlib
import itertools
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pyaclnn.table import by_name
from pyaclnn.tensor.views import contiguous_strides
from referencing.answers import NONE, Answer, Side
from referencing.calls import Call
from referencing.kept import site

#: Of the tests, whose folder is on the path.
neighbours: Any = importlib.import_module("operators.neighbours")
is_tensor, changed = neighbours.is_tensor, neighbours.changed

_KERNELS = Path(__file__).resolve().parents[2] / "pyaclnn/sim/src/opapi"
#: Right calls of an operator from which others are made, and characters of the longest.
_RIGHT, _LONGEST = 5, 1500
#: Types and formats that another is taken for.
_DTYPES = ("FLOAT", "FLOAT16", "BF16", "INT8", "UINT8", "INT32", "INT64", "BOOL", "FLOAT8_E4M3FN",
           "FLOAT8_E8M0", "FLOAT4_E2M1", "HIFLOAT8", "INT4", "DOUBLE", "COMPLEX64")  # fmt: skip
#: Ways a tensor may lie; what takes one of them like a dense one is not kept.
_VIEWS = ("apart", "turned")
_FORMATS = ("ND", "NCHW", "NHWC", "FRACTAL_NZ")
#: The largest extent, elements of the largest tensor, and the largest other number.
_EXTENT, _ELEMENTS, _NUMBER = 1 << 21, 1 << 32, (1 << 31) - 1
#: What selftest's communicator of one rank is called.
_ALONE = "group_name_0"
#: Places whose numbers are all tried.
_FEW = ("#", "~", "^", "!")
#: Limits of one place that are kept for each pair of refusals, from below and from above.
_LIMITS = 3

#: What a number of C++ or of a row is made of.
_CONSTANT = re.compile(r"(?<![\w.'\"])(\d[\d']*)(?: (\*|<<) (\d[\d']*))?(?![\w.'x\"])")
_NO_CODE = re.compile(r"//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|^#[^\n]*", re.M)
_DEFINED = re.compile(r"^[\w:<>,&* ]*?\b(\w+)\((?=[^;]*?\{)", re.M)
_INCLUDED = re.compile(r"#include \"(\w+/\w+)\.hpp\"")

#: Place -> values that are tried there.
_Places = dict[str, list[Any]]
#: Operator, arguments of a right call, and what is changed of it.
Near = tuple[str, list[Any], _Places]
#: On each chip: the status, and which check says so.
_Told = tuple[tuple[int, str], ...]


@functools.cache
def _sources() -> tuple[dict[str, set[str]], dict[str, str]]:
    """Return name of a function -> sources that define it, and the code of each source."""
    defined, code = defaultdict(set), {}
    for file in _KERNELS.glob("*/*.[ch]pp"):
        name = str(file.relative_to(_KERNELS))
        code[name] = file.read_text(encoding="utf-8")
        if file.suffix == ".cpp":
            for function in _DEFINED.findall(code[name]):
                defined[function].add(name)
    return dict(defined), code


def constants(operator: str) -> list[int]:
    """Return the numbers in an operator's row and in the sources of the functions it names.

    Parameters
    ----------
    operator : str
        The name in C.
    """
    row = by_name()[operator]
    defined, code = _sources()
    family = row.family + "/"
    words = re.findall(r"\w+", repr(row.steps))
    files = {f for w in words for f in defined.get(w, ()) if f.startswith(family)}
    for file in sorted(files):
        for name in _INCLUDED.findall(code[file]):
            if name.startswith(family):
                files |= {f"{name}{end}" for end in (".hpp", ".cpp") if f"{name}{end}" in code}
    text = "\n".join([repr(row.steps), *(_NO_CODE.sub("", code[file]) for file in sorted(files))])
    found = set()
    for first, sign, second in _CONSTANT.findall(text):
        a, b = (int(digits.replace("'", "") or 0) for digits in (first, second))
        found.add(a * b if sign == "*" else a << min(b, 32) if sign else a)
    return sorted(c for c in found if c <= _NUMBER)


def _numbers(old: int, known: Sequence[int], most: int) -> list[int]:
    tried = {0, 1, old - 1, old, old + 1, 2 * old, 3 * old, old // 2, *known}
    return sorted(v for v in tried if 0 <= v <= most)


def _more(known: Sequence[int], most: int) -> set[int]:
    tried = {1 << i for i in range(most.bit_length())} | {c + s for c in known for s in (-1, 1)}
    return {v for v in tried if 0 <= v <= most}


def _of_tensor(tensor: list[Any], at: str) -> Iterator[tuple[str, list[Any]]]:
    shape = tensor[2]
    yield at, [None]
    yield f"{at}.1", [d for d in _DTYPES if d != tensor[1]]
    yield f"{at}.3", [f for f in _FORMATS if f != ([*tensor, "ND"][3])]
    if len(shape) > 1 and tensor[3:4] != ["FRACTAL_NZ"]:
        yield f"{at}.4", list(_VIEWS)
    ranks = [[1, *shape], [*shape, 1], shape[1:], shape[:-1], [1] * (9 - len(shape)) + shape, []]
    yield f"{at}.2", [s for i, s in enumerate(ranks) if s != shape and s not in ranks[:i]]
    for i, extent in enumerate(shape):
        tried = {0, 1, extent - 1, extent, extent + 1, 2 * extent, extent // 2}
        yield f"{at}.2.{i}", sorted(tried - {-1})


def _linked(arguments: Sequence[Any], known: Sequence[int]) -> Iterator[tuple[str, list[Any]]]:
    tensors = _tensors(arguments)
    for dtype in sorted({t[1] for t in tensors}):
        if sum(t[1] == dtype for t in tensors) > 1:
            yield f"={dtype}", [d for d in _DTYPES if d != dtype]
    given = [i for i, a in enumerate(arguments) if _tensors([a])]
    if len(given) > 1:
        yield "!", list(given)
    ranks = Counter(len(t[2]) for t in tensors)
    yield from ((f"#{r}", [r - 1, r + 1, r + 2]) for r in sorted(ranks) if r and ranks[r] > 1)
    yield from ((f"~{r}", [r - 1, r + 1]) for r in sorted(ranks) if r and ranks[r] > 1)
    firsts = Counter(t[2][0] for t in tensors if t[2])
    yield from ((f"^{e}", [-1, 1, 2]) for e in sorted(firsts) if firsts[e] > 1)
    for extent in sorted({e for t in tensors for e in t[2]}):
        values = _numbers(extent, known, _EXTENT)
        seen: list[Any] = []
        for link in "=@*<>":
            # What changes the same places as another is tried once.
            if not extent and link == "*":
                continue
            example = changed(list(arguments), f"{link}{extent}", extent + 1)
            if example not in seen:
                seen.append(example)
                yield f"{link}{extent}", list(values)


def _tensors(arguments: Sequence[Any]) -> list[list[Any]]:
    found = []
    for argument in arguments:
        if is_tensor(argument):
            found.append(argument)
        elif isinstance(argument, list) and argument[0] == "TL":
            found += [member for member in argument[1] if member]
    return found


def places(arguments: Sequence[Any], known: Sequence[int]) -> _Places:
    """Return what of a call can be changed, and into what.

    Parameters
    ----------
    arguments : sequence
        Those of a right call.
    known : sequence of int
        Numbers beside which limits are looked for.
    """
    found: list[tuple[str, list[Any]]] = []
    for i, value in enumerate(arguments):
        at = str(i)
        if is_tensor(value):
            found += _of_tensor(value, at)
        elif isinstance(value, bool):
            found.append((at, [not value]))
        elif isinstance(value, int):
            found.append((at, sorted({-1, *_numbers(value, known, _NUMBER), value})))
        elif isinstance(value, float):
            found.append((at, [-1.0, 0.0, 0.5, 1.0, 1.5, 1e30]))
        elif isinstance(value, str):
            found.append((at, ["", "none", value + "x", value.upper()]))
        elif isinstance(value, list) and value[0] == "G":
            found.append((at, [None, "", "none", "n" * 127, "n" * 128, ["G", 1], ["G", 2]]))
        elif isinstance(value, list) and isinstance(value[1], list):
            found += _of_list(value, at)
    return dict(found + list(_linked(arguments, known)))


def _of_list(value: list[Any], at: str) -> Iterator[tuple[str, list[Any]]]:
    kind, members = value
    lengths: tuple[list[Any], ...] = ([], members[:-1], members + members[-1:])
    yield at, [None, *([kind, other] for other in lengths if other != members)]
    if members and is_tensor(members[0]):
        yield from _of_tensor(members[0], f"{at}.1.0")
        if len(members) > 1:
            yield f"{at}.1.{len(members) - 1}", [None]
    elif members and kind == "I":
        for i in sorted({0, len(members) - 1}):
            old = members[i]
            yield f"{at}.1.{i}", sorted({-1, 0, 1, 2, 3, old - 1, old, old + 1, 2 * old})


def plainer(call: Call) -> Call:
    """Return a call without what its dense tensors have by default, in a group of its process.

    Parameters
    ----------
    call : dict
        The call.
    """

    def plain(tensor: list[Any]) -> list[Any]:
        shape, rest = tensor[2], tensor[4:]
        dense = [list(contiguous_strides(tuple(shape))), 0]
        public = [*tensor, "ND"][3] != "FRACTAL_NZ"
        stored = [shape, [math.prod(shape)]]
        if not rest or (public and rest[:2] == dense and (not rest[2:] or rest[2] in stored)):
            return tensor[:3] if tensor[3:4] == ["ND"] else tensor[:4]
        return tensor

    arguments = [neighbours.each_tensor(a, plain) for a in call["arguments"]]
    return {**call, "arguments": [["G", 1] if a == _ALONE else a for a in arguments]}


def right(
    calls: Sequence[Call], statuses: Mapping[str, Sequence[int]], before: Sequence[Call] = ()
) -> list[Call]:
    """Choose a few calls that between them have what others have: arguments, types, ranks, modes.

    Parameters
    ----------
    calls : sequence of dict
        Calls of one operator.
    statuses : dict
        Call as JSON -> what each chip answers; chosen are calls that one accepts.
    before : sequence of dict
        Some of the calls, beside which others are chosen.
    """
    features = {}
    for text in {json.dumps(call) for call in calls}:
        if len(text) <= _LONGEST and 0 in statuses[text]:
            chips = [i for i, status in enumerate(statuses[text]) if status == 0]
            features[text] = {(c, f) for c in chips for f in _features(json.loads(text))}
    chosen: list[Call] = []
    met = {f for call in before for f in features.pop(json.dumps(call), ())}
    while features and len(chosen) < _RIGHT:
        best = max(sorted(features), key=lambda t: (len(features[t] - met), _extents(t), -len(t)))
        if not features[best] - met:
            break
        met |= features.pop(best)
        chosen.append(json.loads(best))
    return chosen


def _extents(text: str) -> int:
    """Return how many extents a call has: equal ones are not told apart, and 0 leaves no others."""
    extents = {e for tensor in _tensors(json.loads(text)["arguments"]) for e in tensor[2]}
    return 0 if 0 in extents else len(extents - {1})


def _features(call: Call) -> Iterator[tuple[Any, ...]]:
    if any(0 in tensor[2] for tensor in _tensors(call["arguments"])):
        # Much of what follows is looked at by nobody.
        yield ("empty",)
        return
    yield tuple(value is None for value in call["arguments"])
    yield tuple(tensor[1] for tensor in _tensors(call["arguments"]))
    for i, value in enumerate(call["arguments"]):
        if isinstance(value, list) and value[0] != "T":
            yield i, value[0], len(value[1]) if isinstance(value[1], list) else 0
        elif not isinstance(value, (list, float)):
            yield i, value if not isinstance(value, int) or -4 < value < 64 else "large"
        for tensor in _tensors([value])[:1]:
            yield from ((i, tensor[1]), (i, len(tensor[2])), (i, *tensor[3:4]))
            yield i, "axes", len(set(tensor[2]) - {1})


def _is_number(text: str) -> bool:
    return text.lstrip("-").isdigit()


def _numbers_of(told: Mapping[str, _Told]) -> list[int]:
    return sorted(int(text) for text in told if _is_number(text))


def _too_large(arguments: Sequence[Any]) -> bool:
    return any(
        max(t[2], default=0) > _EXTENT or math.prod(t[2]) > _ELEMENTS for t in _tensors(arguments)
    )


def _differ(one: tuple[int, str], other: tuple[int, str]) -> bool:
    return one[0] != other[0] and NONE not in (one[0], other[0])


def _between(told: Mapping[str, _Told]) -> Iterator[int]:
    """Yield numbers halfway between those that are answered otherwise, with more between them."""
    for low, high in itertools.pairwise(_numbers_of(told)):
        pairs = zip(told[str(low)], told[str(high)], strict=True)
        if high - low > 1 and any(_differ(*pair) for pair in pairs):
            yield (low + high) // 2


class Around:
    """What is answered to the neighbours of one right call.

    Parameters
    ----------
    call : dict
        The right call.
    found : dict, optional
        Places and values that are asked for, without looking for others.
    """

    def __init__(self, call: Call, found: _Places | None = None) -> None:
        self.call = call
        self.found = found
        self.known = constants(call["operator"])
        self.places = found or {"": [None], **places(call["arguments"], self.known)}
        self.told: dict[str, dict[str, _Told]] = {where: {} for where in self.places}

    def ask(self, sides: Sequence[Side]) -> None:
        """Have neighbours answered, until limits are between two numbers next to each other."""
        self._answer([("", None)], sides)
        self._answer([(w, v) for w, values in self.places.items() for v in values], sides)
        if self.found is not None:
            return
        # Where another number is accepted there may be limits.
        varied = [w for w in self.told if self._accepted(w) > 1 and w.count(".") != 2]
        varied = [w for w in varied if w[:1] not in _FEW]
        numbers = {w: _more(self.known, _NUMBER if w.isdigit() else _EXTENT) for w in varied}
        self._answer([(w, v) for w in varied for v in numbers[w]], sides)
        for _ in range(_NUMBER.bit_length()):
            between = [
                (w, v) for w, told in self.told.items() if w[:1] not in _FEW for v in _between(told)
            ]
            self._answer(between, sides)

    def _accepted(self, where: str) -> int:
        told = self.told[where]
        return sum(_is_number(text) and any(s == 0 for s, _ in told[text]) for text in told)

    def _answer(self, asked: Sequence[tuple[str, Any]], sides: Sequence[Side]) -> None:
        new, calls = [], []
        for where, value in asked:
            arguments = changed(self.call["arguments"], where, value)
            if json.dumps(value) not in self.told[where] and not _too_large(arguments):
                new.append((where, value))
                calls.append({**self.call, "arguments": arguments})
        own = self.told[""].get("null")
        answers = [
            [Answer()] * len(calls) if own and own[chip][0] else side.answers(calls)
            for chip, side in enumerate(sides)
        ]
        for (where, value), *found in zip(new, *answers, strict=True):
            self.told[where][json.dumps(value)] = tuple((a.status, site(a)) for a in found)

    def telling(self) -> Iterator[tuple[tuple[Any, ...], list[tuple[str, Any]]]]:
        """Yield what is worth keeping, by what it tells: at limits, values of both sides."""
        own = self.told[""]["null"]
        for where, told in self.told.items():
            thing = self._thing(where)
            limits: dict[Any, list[tuple[int, int]]] = defaultdict(list)
            for low, high in itertools.pairwise(_numbers_of(told)):
                for chip, pair in enumerate(zip(told[str(low)], told[str(high)], strict=True)):
                    if _differ(*pair) and high - low == 1:
                        limits[chip, frozenset(pair)].append((low, high))
            for (chip, pair), found in limits.items():
                for place, (low, high) in enumerate(found):
                    if place < _LIMITS or place >= len(found) - _LIMITS:
                        yield (chip, thing, pair, low), [(where, low), (where, high)]
                        for one, value in zip(pair, (low, high), strict=True):
                            yield (chip, thing, 0, one), [(where, value)]
            for text, seen in told.items():
                value = json.loads(text)
                # Other ranks are refused by one check, and some would pass without.
                form = (len(value), value[-1:] == [1]) if isinstance(value, list) else 0
                for chip, one in enumerate(seen):
                    if one[0] != NONE and one != own[chip]:
                        yield (chip, thing, form, one), [(where, value)]
                    elif one[0] != NONE and not _is_number(text) and value not in _VIEWS:
                        yield (chip, thing, text), [(where, value)]

    def _thing(self, where: str) -> Any:
        """Return a place without the extent that is there: which axes have it."""
        if where[:1].isdigit() or where[:1] in ("#", "~") or not where[1:].isdigit():
            return where
        extent = int(where[1:])
        return where[0], tuple(
            (i, k) for i, tensor in enumerate(_tensors(self.call["arguments"]))
            for k, e in enumerate(tensor[2]) if e == extent
        )  # fmt: skip


def chosen(all_around: Sequence[Around]) -> list[Near]:
    """Return right calls and the places and values that tell what none before them told.

    Parameters
    ----------
    all_around : sequence of Around
        Of the right calls of one operator.
    """
    met: set[Any] = set()
    found = []
    for around in all_around:
        arguments = around.call["arguments"]
        if around.found is not None:
            met.update(key for key, _ in around.telling())
            found.append((around.call["operator"], arguments, around.found))
            continue
        kept: dict[str, dict[str, Any]] = {"": {"null": None}}
        for key, edits in around.telling():
            if key not in met:
                met.add(key)
                for where, value in edits:
                    if changed(arguments, where, value) != arguments:
                        kept.setdefault(where, {})[json.dumps(value)] = value
        if len(kept) > 1:
            places = {
                w: sorted(v.values(), key=lambda v: (str(type(v)), v)) if w else [None]
                for w, v in kept.items()
            }
            found.append((around.call["operator"], arguments, places))
    return found


def calls_of(near: Near) -> list[Call]:
    """Return the calls of a line.

    Parameters
    ----------
    near : tuple
        Of ``chosen``.
    """
    operator, arguments, found = near
    return [
        {"operator": operator, "arguments": changed(arguments, where, value)}
        for where, values in found.items()
        for value in values
    ]


def write(
    file: Path,
    chips: Sequence[str],
    source: str,
    lines: Sequence[Near],
    statuses: Sequence[Sequence[Sequence[int | None]]],
) -> None:
    """Write the file of neighbours.

    Parameters
    ----------
    file : Path
        The file.
    chips : sequence of str
        Those of the statuses, in their order.
    source : str
        What has answered.
    lines : sequence
        Of ``chosen``.
    statuses : sequence
        For each line those of its calls on each chip, None where it was not asked.
    """  # fmt: skip
    counted = Counter(tuple(on_chips) for line in statuses for on_chips in line)
    answers = [list(on_chips) for on_chips, _ in counted.most_common()]
    written = []
    for (operator, arguments, found), line in zip(lines, statuses, strict=True):
        told = iter([answers.index(list(on_chips)) for on_chips in line])
        flat = {
            w: [item for v in values for item in (v, next(told))] for w, values in found.items()
        }
        written.append(json.dumps([operator, arguments, flat], separators=(",", ":")))
    head = json.dumps({"source": source, "chips": list(chips), "answers": answers})[:-1]
    text = ",\n".join(written)
    file.write_text(f'{head}, "near": [\n{text}\n]}}\n', encoding="utf-8")


def read(file: Path) -> list[Near]:
    """Return the lines of such a file without what was answered.

    Parameters
    ----------
    file : Path
        The file.
    """
    content = json.loads(file.read_text(encoding="utf-8"))
    return [
        (operator, arguments, {where: told[::2] for where, told in found.items()})
        for operator, arguments, found in content["near"]
    ]
