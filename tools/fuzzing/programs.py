"""Drawn C++ programs through pyaclnn.port: both ports print what the compiled program prints.

A case is a batch, so that one compilation serves many programs. What C++ leaves undefined is found
by the compiler's sanitizer, and such a program says nothing; so most of what is drawn is written as
people write what must not be undefined: fractions are kept within an integer's range before they
become one, negative numbers are not shifted to the left, and signed numbers are mostly small. A
port that ends at a gap has to have printed the same until there.
``python tools/fuzzing/programs.py --batches 1 --seed 1`` counts what comes of them, by construct; a
program that deviates is reduced to the statements it takes.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import pyaclnn as pa
from fuzzing.described import Data
from pyaclnn.port.check import first_difference, toolkit_root
from pyaclnn.port.errors import PortError
from pyaclnn.port.port import port

BATCH = 100
_STYLES = ("idiomatic", "raw")
_SIZE = 6

#: Types of C++ with their names in CANN; numbers that a device may give, and how they are printed.
_INTEGERS = {
    "int8_t": ("ACL_INT8", 8, True), "uint8_t": ("ACL_UINT8", 8, False),
    "int16_t": ("ACL_INT16", 16, True), "uint16_t": ("ACL_UINT16", 16, False),
    "int32_t": ("ACL_INT32", 32, True), "uint32_t": ("ACL_UINT32", 32, False),
    "int64_t": ("ACL_INT64", 64, True), "uint64_t": ("ACL_UINT64", 64, False),
}  # fmt: skip
_FRACTIONS = {"float": "ACL_FLOAT", "double": "ACL_DOUBLE"}
_TYPES = [*_INTEGERS, *_FRACTIONS]
_FORMATS = {
    "int8_t": "%d", "uint8_t": "%u", "int16_t": "%d", "uint16_t": "%u", "int32_t": "%d",
    "uint32_t": "%u", "int64_t": "%ld", "uint64_t": "%lu", "float": "%.9g", "double": "%.17g",
    "bool": "%d",
}  # fmt: skip

_PREAMBLE = """\
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <iomanip>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>
#include "acl/acl.h"
#include "aclnn/acl_meta.h"

template <typename T>
std::vector<T> Device(const std::vector<T>& host, aclDataType type) {
  void* address = nullptr;
  aclrtMalloc(&address, host.size() * sizeof(T), ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemcpy(address, host.size() * sizeof(T), host.data(), host.size() * sizeof(T),
              ACL_MEMCPY_HOST_TO_DEVICE);
  int64_t shape[] = {static_cast<int64_t>(host.size())}, stride[] = {1};
  aclTensor* tensor =
      aclCreateTensor(shape, 1, type, stride, 0, ACL_FORMAT_ND, shape, 1, address);
  std::vector<T> out(host.size());
  aclrtMemcpy(out.data(), out.size() * sizeof(T), address, out.size() * sizeof(T),
              ACL_MEMCPY_DEVICE_TO_HOST);
  aclDestroyTensor(tensor);
  aclrtFree(address);
  return out;
}
"""


@dataclass
class Drawn:
    """A program: what stands before main, its data, and its statements."""

    before: list[str] = field(default_factory=list)
    data: list[str] = field(default_factory=list)
    statements: list[str] = field(default_factory=list)
    constructs: list[str] = field(default_factory=list)

    def parts(self, name: str) -> str:
        """Return the source behind the preamble, with a name for its main function."""
        body = "\n".join(f"  {line}" for text in (*self.data, *self.statements)
                         for line in text.split("\n"))  # fmt: skip
        return "\n".join(self.before) + f"\nint {name}() {{\n{body}\n  return 0;\n}}\n"

    def source(self) -> str:
        """Return the whole program."""
        return _PREAMBLE + self.parts("main")


class Drawer:
    """Draws one program."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.out = Drawn()
        self.arrays: dict[str, str] = {}
        self.variables: dict[str, str] = {}
        #: Variables that may not be assigned to where they are visible: counters of loops.
        self.fixed: dict[str, str] = {}
        self.functions: list[tuple[str, str, list[str]]] = []
        #: Those that count their calls: C++ does not say which of two in an expression is first.
        self.counting: set[str] = set()
        self.counted = False
        self.count = 0

    def program(self) -> Drawn:
        """Return a drawn program."""
        for ctype in self.rng.sample(_TYPES, 4):
            self._array(ctype)
        for _ in range(self.rng.randint(3, 7)):
            kinds = self._KINDS
            kind = self.rng.choices(list(kinds), [w for _, w in kinds.values()])[0]
            self.out.constructs.append(kind)
            self.counted = False
            self.out.statements.append(kinds[kind][0](self))
        for name, ctype in self.variables.items():
            self.out.statements.append(self._shown(name, ctype))
        return self.out

    def _new(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    def _array(self, ctype: str) -> None:
        name = self._new("a")
        values = ", ".join(self._literal(ctype) for _ in range(_SIZE))
        self.out.data.append(
            f"auto {name} = Device(std::vector<{ctype}>{{{values}}}, {_code(ctype)});"
        )
        self.arrays[name] = ctype

    # -- expressions

    def _literal(self, ctype: str) -> str:
        if ctype in _FRACTIONS:
            value = self.rng.choice([0.1, -2.75, 3.5, 1e9, 0.333, -0.0, 7.0, 1e-3, 2.5, 100.0])
            return f"{value!r}f" if ctype == "float" else repr(value)
        _, bits, signed = _INTEGERS[ctype]
        high = (1 << (bits - signed)) - 1
        low = -high if signed else 0
        small = [0, 1, 2, 3, 5, 7, 10, 100]
        large = [high, low, self.rng.randint(low, high)]
        if signed and bits >= 32 and self.rng.random() < 0.8:
            # Of these, sums and products are undefined where they do not fit.
            large = [12345, -4321, self.rng.randint(-9999, 9999)]
        value = self.rng.choice([*small, *small, *large])
        value = -value if signed and self.rng.random() < 0.3 else value
        suffix = {"uint32_t": "u", "int64_t": "L", "uint64_t": "UL"}.get(ctype, "")
        return f"{value}{suffix}"

    def _leaf(self) -> tuple[str, str]:
        choice = self.rng.random()
        names = {**self.variables, **self.fixed}
        if choice < 0.5:
            name, ctype = self.rng.choice(list(self.arrays.items()))
            counters = [n for n in self.fixed if n.startswith("i")]
            index = self.rng.choice(counters) if counters and self.rng.random() < 0.7 else \
                str(self.rng.randrange(_SIZE))  # fmt: skip
            return f"{name}[{index}]", ctype
        if choice < 0.8 and names:
            return self.rng.choice(list(names.items()))
        ctype = self.rng.choice(["int32_t", "int32_t", "uint32_t", "int64_t", "float", "double"])
        return self._literal(ctype), ctype

    def _expression(self, depth: int = 2) -> tuple[str, str]:
        """Return an expression and its type; of an integer where the name has no fraction."""
        if depth == 0 or self.rng.random() < 0.15:
            return self._leaf()
        kind = self.rng.choice(["binary", "binary", "binary", "cast", "shift", "unary", "choice",
                                "truth", "call"])  # fmt: skip
        if kind == "binary":
            (a, ta), (b, tb) = self._expression(depth - 1), self._expression(depth - 1)
            whole = ta not in _FRACTIONS and tb not in _FRACTIONS
            sign = self.rng.choice(
                ["+", "-", "*", "/", "+", "-", "*", *(["%", "&", "|", "^"] if whole else [])]
            )
            if sign in "/%":
                b = f"({b} | 1)" if tb not in _FRACTIONS else f"({b} * {b} + 1)"
            return f"({a} {sign} {b})", _common(ta, tb)
        if kind == "cast":
            a, ta = self._expression(depth - 1)
            ctype = self.rng.choice(_TYPES)
            return self._cast(a, ta, ctype), ctype
        if kind == "shift":
            a, ta = self._expression(depth - 1)
            if ta in _FRACTIONS:
                return a, ta
            found, count = _common(ta, "int8_t", shift=True), self.rng.randint(0, 7)
            sign = self.rng.choice(["<<", ">>"])
            if sign == "<<" and not found.startswith("u"):
                unsigned = f"(u{found})({a}) << {count}"
                few = f"({a} & {self.rng.choice([1, 15, 255])}) << {count}"
                return self.rng.choice([f"({found})({unsigned})", f"({few})"]), found
            return f"({a} {sign} {count})", found
        if kind == "unary":
            a, ta = self._expression(depth - 1)
            sign = self.rng.choice(["-", "+"] if ta in _FRACTIONS else ["-", "~", "+"])
            return f"({sign} {a})", _common(ta, ta)
        if kind == "choice":
            test, (a, ta), (b, tb) = self._test(), self._expression(depth - 1), self._leaf()
            return f"({test} ? {a} : {b})", ta if ta == tb else _common(ta, tb)
        if kind == "truth":
            return f"({self._test()})", "bool"
        known = [f for f in self.functions if not (self.counted and f[0] in self.counting)]
        if known:
            name, result, parameters = self.rng.choice(known)
            self.counted |= name in self.counting
            return f"{name}({', '.join(self._as(p) for p in parameters)})", result
        a, ta = self._leaf()
        b, tb = self._leaf()
        common = _common(ta, tb)
        word = self.rng.choice(["min", "max"])
        return f"std::{word}<{common}>({a}, {b})", common

    def _cast(self, text: str, found: str, ctype: str) -> str:
        """Return a conversion, mostly one that is defined whatever the value is."""
        if found in _FRACTIONS and ctype in _INTEGERS and self.rng.random() < 0.97:
            return self._within(text, found, ctype)
        return self.rng.choice([f"static_cast<{ctype}>({text})", f"(({ctype}){text})"])

    def _within(self, text: str, found: str, ctype: str) -> str:
        """Return a fraction as an integer that holds it."""
        _, bits, signed = _INTEGERS[ctype]
        suffix = "f" if found == "float" else ""
        # The next power of two is no number of the type; a bit lower, both kinds have one.
        high = (1 << (bits - signed)) - (1 << max(0, bits - signed - 20))
        low = f"-{high}.0{suffix}" if signed else f"0.0{suffix}"
        ends = [f"{high}.0{suffix}", low]
        if self.rng.random() < 0.4:
            ends = [f"100.0{suffix}", f"-100.0{suffix}" if signed else f"0.0{suffix}"]
        return self.rng.choice([
            f"static_cast<{ctype}>(std::max<{found}>({ends[1]}, std::min<{found}>({ends[0]}, "
            f"{text})))",
            f"(({ctype})std::fmin(std::fmax({text}, {ends[1]}), {ends[0]}))",
            f"({text} > {ends[1]} && {text} < {ends[0]} ? ({ctype}){text} : ({ctype})0)",
        ])  # fmt: skip

    def _as(self, ctype: str) -> str:
        text, found = self._expression(1)
        return text if found == ctype else self._cast(text, found, ctype)

    def _test(self) -> str:
        (a, _), (b, _) = self._expression(1), self._leaf()
        sign = self.rng.choice(["<", ">", "==", "!=", "<=", ">="])
        test = f"{a} {sign} {b}"
        if self.rng.random() < 0.2:
            (c, _), (d, _) = self._leaf(), self._leaf()
            test = f"({test}) {self.rng.choice(['&&', '||'])} ({c} < {d})"
        return f"!({test})" if self.rng.random() < 0.1 else test

    def _shown(self, text: str, ctype: str) -> str:
        if self.rng.random() < 0.25 and ctype not in ("int8_t", "uint8_t"):
            return f'std::cout << {text} << "\\n";'
        if self.rng.random() < 0.1 and ctype == "uint8_t":
            return f'std::cout << static_cast<int>({text}) << " " << +{text} << std::endl;'
        return f'printf("{_FORMATS[ctype]}\\n", {text});'

    # -- statements

    def _declaration(self) -> str:
        text, found = self._expression(3)
        ctype = self.rng.choice([*_TYPES, "auto", "auto"])
        name = self._new("v")
        self.variables[name] = found if ctype == "auto" else ctype
        if found in _FRACTIONS and ctype in _INTEGERS:
            text = self._cast(text, found, ctype)
        return f"{ctype} {name} = {text};"

    def _print(self) -> str:
        return self._shown(*self._expression(3))

    def _change(self) -> str:
        if not self.variables:
            return self._declaration()
        name, ctype = self.rng.choice(list(self.variables.items()))
        if self.rng.random() < 0.25 and ctype != "bool":
            return self.rng.choice([f"{name}++;", f"--{name};", f"++{name};"])
        text, found = self._expression(2)
        if found in _FRACTIONS and ctype in _INTEGERS and self.rng.random() < 0.95:
            sum_ = f"({name} {self.rng.choice('+-*')} {text})"
            return f"{name} = {self._cast(sum_, _common(ctype, found), ctype)};"
        whole = ctype not in _FRACTIONS and found not in _FRACTIONS
        sign = self.rng.choice(["", "+", "-", "*", *(["&", "|", "^"] if whole else [])])
        return f"{name} {sign}= {text};"

    def _post(self) -> str:
        name, ctype = self._counter()
        other = self._new("v")
        self.variables[other] = ctype
        return f"{ctype} {other} = {name}++;\n" + self._shown(
            f"{other} + {name}", _common(ctype, ctype)
        )

    def _counter(self) -> tuple[str, str]:
        found = [(n, t) for n, t in self.variables.items() if t != "bool"]
        if found:
            return self.rng.choice(found)
        name = self._new("v")
        self.out.statements.append(f"int32_t {name} = {self._as('int32_t')};")
        self.variables[name] = "int32_t"
        return name, "int32_t"

    def _inner(self, lines: int = 2) -> str:
        """Return statements of a block: changes and prints."""
        outside = dict(self.variables)
        made = [self.rng.choice([self._change, self._print, self._change])() for _ in range(lines)]
        self.variables = {n: t for n, t in self.variables.items() if n in outside}
        return "\n".join("  " + line for text in made for line in text.split("\n"))

    def _if(self) -> str:
        self._counter()
        text = f"if ({self._test()}) {{\n{self._inner()}\n}}"
        return text + (f" else {{\n{self._inner(1)}\n}}" if self.rng.random() < 0.5 else "")

    def _for(self) -> str:
        self._counter()
        counter = self._new("i")
        self.fixed[counter] = "int32_t"
        count = self.rng.choice([2, 3, _SIZE])
        head = f"for (int {counter} = 0; {counter} < {count}; {counter}++)"
        text = f"{head} {{\n{self._inner()}\n}}"
        del self.fixed[counter]
        return text

    def _sums(self) -> str:
        """Rows of a matrix: a sum that starts again in each."""
        name, ctype = self.rng.choice(list(self.arrays.items()))
        total = self.rng.choice([ctype, "float", "double", "int64_t", "uint32_t"])
        i, j, s = self._new("i"), self._new("j"), self._new("s")
        return (
            f"for (int {i} = 0; {i} < 2; {i}++) {{\n  {total} {s} = 0;\n"
            f"  for (int {j} = 0; {j} < 3; {j}++) {s} += {name}[{i} * 3 + {j}];\n"
            f"  {self._shown(s, total)}\n}}"
        )

    def _range_for(self) -> str:
        name, ctype = self.rng.choice(list(self.arrays.items()))
        value, total = self._new("e"), self._new("s")
        self.variables[total] = "double" if ctype in _FRACTIONS else "uint64_t"
        test = f"if ({value} > 2) " if self.rng.random() < 0.4 else ""
        loop = f"for (auto {value} : {name}) {test}{total} += {value};"
        return f"{self.variables[total]} {total} = 0;\n{loop}"

    def _function(self) -> str:
        name = self._new("f")
        result = self.rng.choice(_TYPES)
        kept, arrays = (self.variables, self.fixed), self.arrays
        self.variables, self.fixed = {}, {}
        parameters = [(self._new("p"), self.rng.choice(_TYPES)) for _ in range(2)]
        self.fixed = dict(parameters)
        functions, self.functions = self.functions, []
        inner = Drawer(self.rng)
        inner.fixed, inner.arrays, inner.count = dict(parameters), {}, self.count
        inner._leaf = inner._leaf_of_names  # type: ignore[method-assign]
        static = self.rng.random() < 0.4
        text, found = inner._expression(2)
        body = f"  return {inner._cast(text, found, result)};"
        if static:
            start = self.rng.choice(["", " = 3"])
            first, kind = parameters[0]
            value = inner._cast(f"({first} + calls)", _common(kind, "int32_t"), result)
            body = f"  static int32_t calls{start};\n  calls++;\n  return {value};"
            self.counting.add(name)
            self.counted = True
        listed = ", ".join(f"{t} {n}" for n, t in parameters)
        self.out.before.append(f"static {result} {name}({listed}) {{\n{body}\n}}")
        self.variables, self.fixed = kept
        self.arrays, self.functions = arrays, functions
        self.functions.append((name, result, [t for _, t in parameters]))
        variable = self._new("v")
        call = f"{name}({', '.join(self._as(t) for _, t in parameters)})"
        self.variables[variable] = result
        return f"{result} {variable} = {call};"

    def _leaf_of_names(self) -> tuple[str, str]:
        if self.rng.random() < 0.75:
            return self.rng.choice(list(self.fixed.items()))
        ctype = self.rng.choice(["int32_t", "uint32_t", "int64_t", "float"])
        return self._literal(ctype), ctype

    def _reference(self) -> str:
        name, ctype = self._counter()
        function = self._new("g")
        self.out.before.append(
            f"static void {function}({ctype}& x, const std::vector<{ctype}>& v) "
            "{ for (auto e : v) x = e > x ? e : x; x++; }"
        )
        given = [n for n, t in self.arrays.items() if t == ctype]
        values = given[0] if given else f"std::vector<{ctype}>{{1, 2, 3}}"
        return f"{function}({name}, {values});"

    def _lambda(self) -> str:
        name, ctype = self._counter()
        function, value = self._new("g"), self._new("v")
        how = self.rng.choice(["&", "=", name, f"&{name}"])
        change = self.rng.random() < 0.5
        mutable = " mutable" if change and "&" not in how else ""
        body = f"{name} += 2; return {name};" if change else f"return {name} * 2;"
        self.variables[value] = ctype
        again = f"{ctype} {value} = {function}();\n{value} += {function}();"
        return f"auto {function} = [{how}](){mutable} -> {ctype} {{ {body} }};\n{again}"

    def _vector(self) -> str:
        name, ctype = self._new("w"), self.rng.choice(_TYPES)
        lines = [f"std::vector<{ctype}> {name};"]
        for _ in range(self.rng.randint(1, 3)):
            lines.append(f"{name}.push_back({self._as(ctype)});")
        lines.append(f"{name}[0] = {self._as(ctype)};")
        if self.rng.random() < 0.3:
            moved = self._new("w")
            lines += [f"auto {moved} = std::move({name});",
                      f'printf("%zu %zu\\n", {name}.size(), {moved}.size());']  # fmt: skip
            name = moved
        if self.rng.random() < 0.4:
            lines.append(f"{name}.back() += {self._literal(ctype)};")
        lines.append(f"for (auto x : {name}) {self._shown('x', ctype)}")
        return "{\n" + "\n".join("  " + line for line in lines) + "\n}"

    def _map(self) -> str:
        name, ctype = self._new("m"), self.rng.choice(_TYPES)
        lines = [f"std::map<int, {ctype}> {name};"]
        for _ in range(3):
            sign = self.rng.choice(["", "+"])
            lines.append(f"{name}[{self.rng.randint(0, 3)}] {sign}= {self._as(ctype)};")
        if self.rng.random() < 0.5:
            lines.append(f"for (auto& kv : {name}) kv.second += 1;")
        lines.append(f'for (auto& kv : {name}) {{ printf("%d ", kv.first); '
                     f"{self._shown('kv.second', ctype)} }}")  # fmt: skip
        return "{\n" + "\n".join("  " + line for line in lines) + "\n}"

    def _struct(self) -> str:
        kind, name, ctype = self._new("S"), self._new("o"), self.rng.choice(_TYPES)
        bits = " : 5" if ctype == "uint32_t" else ""
        self.out.before.append(
            f"struct {kind} {{\n  {ctype} x{bits};\n  static int made;\n  int8_t tag = 1;\n"
            f"  explicit {kind}({ctype} v) : x(v) {{ made++; }}\n"
            f'  ~{kind}() {{ printf("~{kind} %d\\n", made); }}\n'
            f"  {ctype} twice() const {{ return x + x; }}\n"
            f"  void add(int32_t v) {{ x += v; tag++; }}\n}};\nint {kind}::made = 0;"
        )
        value = self._as(ctype) if not bits else "21"
        shown = self._shown(f"{name}.twice()", ctype)
        return f"{{\n  {kind} {name}({value});\n  {name}.add(1);\n  {shown}\n" \
               f'  printf("%d %d\\n", {name}.tag, {kind}::made);\n}}'  # fmt: skip

    def _pointer(self) -> str:
        name, ctype = self.rng.choice(list(self.arrays.items()))
        p = self._new("q")
        lines = [f"const {ctype}* {p} = {name}.data() + {self.rng.randint(0, 2)};",
                 self._shown(f"{p}[1]", ctype), f"{p}++;", self._shown(f"*({p} + 1)", ctype),
                 f'printf("%d\\n", (int)({p} - {name}.data()));']  # fmt: skip
        return "\n".join(lines)

    def _algorithm(self) -> str:
        name, ctype = self.rng.choice(list(self.arrays.items()))
        start = {"float": "0.0f", "double": "0.0"}.get(ctype, f"({ctype})0")
        text = self.rng.choice([
            f"std::accumulate({name}.begin(), {name}.end(), {start})",
            f"*std::max_element({name}.begin(), {name}.end())",
            f"*std::min_element({name}.begin(), {name}.end())",
            f"std::inner_product({name}.begin(), {name}.end(), {name}.begin(), {start})",
        ])  # fmt: skip
        value = self._new("v")
        self.variables[value] = ctype
        return f"{ctype} {value} = {text};"

    def _loop_out(self) -> str:
        """Leave a loop where the data says so, which is a gap at most."""
        name, _ = self.rng.choice(list(self.arrays.items()))
        at, i = self._new("v"), self._new("i")
        self.variables[at] = "int32_t"
        return f"int32_t {at} = -1;\nfor (int {i} = 0; {i} < {_SIZE}; {i}++) " \
               f"if ({name}[{i}] > 3) {{ {at} = {i}; break; }}"  # fmt: skip

    def _fill(self) -> str:
        name, ctype = self._new("h"), self.rng.choice(_TYPES)
        i = self._new("i")
        text = self.rng.choice([f"{i} * 3 - 7", f"({ctype})({i} % 5) / 2", f"{i} * 0.1f", f"{i}"])
        return (
            f"{{\n  std::vector<{ctype}> {name}(100);\n"
            f"  for (int {i} = 0; {i} < 100; {i}++) {name}[{i}] = static_cast<{ctype}>({text});\n"
            f"  auto back = Device({name}, {_code(ctype)});\n  {self._shown('back[93]', ctype)}\n}}"
        )

    _KINDS: ClassVar[dict[str, tuple[Callable[[Any], str], int]]] = {
        "declaration": (_declaration, 4), "print": (_print, 4), "change": (_change, 3),
        "increment": (_post, 1), "if": (_if, 3), "for": (_for, 3), "sums": (_sums, 2),
        "range for": (_range_for, 1), "function": (_function, 2), "reference": (_reference, 1),
        "lambda": (_lambda, 2), "vector": (_vector, 2), "map": (_map, 1), "struct": (_struct, 1),
        "pointer": (_pointer, 1), "algorithm": (_algorithm, 1), "break": (_loop_out, 1),
        "fill": (_fill, 1),
    }  # fmt: skip


def _code(ctype: str) -> str:
    """Return the aclDataType of a type."""
    return _FRACTIONS.get(ctype) or _INTEGERS[ctype][0]


def _common(left: str, right: str, shift: bool = False) -> str:
    """Return the type of an operation: the usual arithmetic conversions."""
    order = ["int32_t", "uint32_t", "int64_t", "uint64_t", "float", "double"]
    ranks = [order.index(t) if t in order else 0 for t in (left, right)]
    return order[ranks[0] if shift else max(ranks)]


# -- trying


def make(rng: random.Random) -> Data:
    """Return a case: a batch of programs."""
    seed = rng.randrange(1 << 48)
    return {"seed": seed, "programs": BATCH}


def drawn(case: Data) -> list[Drawn]:
    """Return the programs of a case."""
    rng = random.Random(case["seed"])
    return [
        Drawer(random.Random(rng.randrange(1 << 48))).program() for _ in range(case["programs"])
    ]


def run(case: Data) -> str:
    """Run a case; say what is wrong, or nothing."""
    return "\n\n".join(reduced(p) for p, found in tried(drawn(case)) if _wrong(found))


def tried(programs: Sequence[Drawn]) -> list[tuple[Drawn, dict[str, str]]]:
    """Return programs with what came of them by style: right, gap, undefined, or wrong and why."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        expected = _outputs(programs, folder)
        return [(p, _judged(p, e, folder)) for p, e in zip(programs, expected, strict=True)]


def _wrong(found: dict[str, str]) -> str:
    """Return what is wrong with the ports of a program, or nothing."""
    return next((f"{s}: {w}" for s, w in found.items() if w.startswith("wrong")), "")


def _outputs(programs: Sequence[Drawn], folder: Path) -> list[str | None]:
    """Compile all programs as one, and return what each prints; None if it is undefined."""
    spaces = [f"namespace p{i} {{\n{p.parts('run')}}}\n" for i, p in enumerate(programs)]
    calls = "".join(
        f'  mark({i});\n  p{i}::run();\n' for i in range(len(programs))
    )  # fmt: skip
    mark = ('static void mark(int i) { std::cout << std::flush; fflush(stdout); '
            'printf("@@%d\\n", i); fprintf(stderr, "@@%d\\n", i); }\n')  # fmt: skip
    text = f"{_PREAMBLE}{''.join(spaces)}{mark}int main() {{\n  aclInit(nullptr);\n" \
           f"  aclrtSetDevice(0);\n{calls}  return 0;\n}}\n"  # fmt: skip
    source, program = folder / "batch.cpp", folder / "batch"
    source.write_text(text, encoding="utf-8")
    root = toolkit_root()
    command = ["g++", "-std=c++17", "-O0", "-w", "-ffp-contract=off",
               "-fsanitize=undefined,float-cast-overflow", str(source), "-o", str(program),
               f"-I{root / 'include'}", f"-L{root / 'lib64'}", "-lascendcl", "-lnnopbase",
               f"-Wl,-rpath,{root / 'lib64'}"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        raise RuntimeError(f"a drawn program does not compile:\n{done.stderr[:3000]}")
    ran = subprocess.run([str(program)], capture_output=True, timeout=120, check=False)
    printed = _split(ran.stdout.decode("latin-1"))
    undefined = _split(ran.stderr.decode("latin-1"))
    return [
        None if "runtime error" in undefined.get(i, "") else printed.get(i, "")
        for i in range(len(programs))
    ]


def _split(text: str) -> dict[int, str]:
    pieces = re.split(r"@@(\d+)\n", text)
    return {int(n): piece for n, piece in zip(pieces[1::2], pieces[2::2], strict=True)}


def _judged(program: Drawn, expected: str | None, folder: Path) -> dict[str, str]:
    if expected is None:
        return dict.fromkeys(_STYLES, "undefined")
    path = folder / "sample.cpp"
    path.write_text(program.source(), encoding="utf-8")
    return {style: _judged_in(style, path, expected) for style in _STYLES}


def _judged_in(style: str, path: Path, expected: str) -> str:
    try:
        result = port(path, style)
    except PortError as error:
        return f"wrong: {error}"
    except Exception as error:
        return f"wrong: the translator ends with {type(error).__name__}: {error}"
    printed, stopped = _executed(result.text)
    if result.gaps:
        if stopped and not stopped.startswith("NotImplementedError"):
            return f"wrong: a gap, and the port ends with {stopped}"
        # Without an end, the gap is on a way that is not taken.
        if not expected.startswith(printed) or (not stopped and expected != printed):
            return f"wrong: {first_difference(expected, printed)}"
        return "gap: " + result.gaps[0].reason
    if stopped:
        return f"wrong: the port ends with {stopped}"
    difference = first_difference(expected, printed) if expected != printed else None
    return "right" if difference is None else f"wrong: {difference}"


def _executed(text: str) -> tuple[str, str]:
    """Run a port here, and return what it prints and what it ends with."""
    out = io.StringIO()
    stopped = ""
    pa.lib.aclrtSetDevice(0)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        try:
            exec(compile(text, "port.py", "exec"), {"__name__": "__main__"})
        except (Exception, SystemExit) as error:
            stopped = f"{type(error).__name__}: {error}"
    return out.getvalue(), stopped


def reduced(program: Drawn) -> str:
    """Return a program that is wrong with the statements that it takes, and what is wrong."""
    found = _wrong(tried([program])[0][1])
    at = len(program.statements) - 1
    while at >= 0:
        rest = [s for i, s in enumerate(program.statements) if i != at]
        smaller = Drawn(program.before, program.data, rest)
        try:
            what = _wrong(tried([smaller])[0][1])
        except RuntimeError:  # a statement that another needs
            what = ""
        if what:
            program, found = smaller, what
        at -= 1
    return f"{found}\n{program.source().replace(_PREAMBLE, '')}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Count what comes of drawn programs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--batches", type=int, default=1, help=f"of {BATCH} programs each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reduce", action="store_true", help="programs that deviate")
    parser.add_argument("--gaps", action="store_true", help="list reasons of gaps, too")
    options = parser.parse_args(arguments)
    outcomes: dict[str, Counter[str]] = {}
    reasons: Counter[str] = Counter()
    for number in range(options.batches):
        for program, found in tried(drawn(make(random.Random(f"{options.seed} {number}")))):
            for style, what in found.items():
                kind = what.split(":")[0]
                for counted in {style, *(f"{style} {c}" for c in program.constructs)}:
                    outcomes.setdefault(counted, Counter())[kind] += 1
                if kind == "gap":
                    reasons[f"{style} {what}"] += 1
            if wrong := _wrong(found):
                text = reduced(program) if options.reduce else f"{wrong}\n{program.parts('main')}"
                print(f"batch {number}: {text}", flush=True)
    for counted, counts in sorted(outcomes.items()):
        print(f"{counted:22}", "  ".join(f"{k} {n}" for k, n in sorted(counts.items())))
    if options.gaps:
        for reason, count in reasons.most_common(30):
            print(count, reason)
    return 1 if any(counts["wrong"] for counts in outcomes.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
