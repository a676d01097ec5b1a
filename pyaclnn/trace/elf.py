"""The parts of ELF for replacing a library: reading its exports, writing one without code.

So tracing needs no compiler: a library that only depends on others is a header, a table of a dozen
numbers and a few strings.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterator
from pathlib import Path

_IDENT = b"\x7fELF\x02\x01\x01" + bytes(9)
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_PROGRAM = struct.Struct("<IIQQQQQQ")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_DYNAMIC = struct.Struct("<qQ")
_SHT_DYNSYM = 11
_PT_LOAD, _PT_DYNAMIC, _PT_GNU_STACK = 1, 2, 0x6474E551
_READ_WRITE = 6
_NULL, _NEEDED, _HASH, _STRTAB, _SYMTAB, _STRSZ, _SYMENT, _SONAME = 0, 1, 4, 5, 6, 10, 11, 14


def symbols(data: bytes | bytearray) -> Iterator[tuple[int, str, bool]]:
    """Yield each dynamic symbol: its place in the file, its name, whether it is defined."""
    if bytes(data[:6]) != _IDENT[:6]:
        raise ValueError("no 64-bit ELF file")
    _, _, _, _, _, _, sections, _, _, _, _, size, number, _ = _HEADER.unpack_from(data)
    table = [_SECTION.unpack_from(data, sections + i * size) for i in range(number)]
    for section in table:
        if section[1] != _SHT_DYNSYM:
            continue
        strings = table[section[6]][4]
        for at in range(section[4], section[4] + section[5], _SYMBOL.size):
            name, _, _, where, _, _ = _SYMBOL.unpack_from(data, at)
            end = data.index(b"\0", strings + name)
            yield at, data[strings + name : end].decode("ascii", "replace"), where != 0


def exported(library: Path) -> set[str]:
    """Return the names that a library defines; none for a file that is not a 64-bit ELF library."""
    try:
        return {name for _, name, defined in symbols(library.read_bytes()) if defined}
    except (OSError, ValueError, IndexError, struct.error):
        return set()


def without(library: Path, names: Collection[str]) -> bytes:
    """Return a library without definitions of some names, which are then found elsewhere."""
    data = bytearray(library.read_bytes())
    for at, name, _ in list(symbols(data)):
        if name in names:
            # No section and no address: an undefined symbol.
            struct.pack_into("<HQ", data, at + 6, 0, 0)
    return bytes(data)


def forwarder(machine: int, soname: str, needed: Collection[str]) -> bytes:
    """Return a library without code that depends on others, whose symbols are found through it."""
    strings = bytearray(b"\0")

    def string(text: str) -> int:
        at = len(strings)
        strings.extend(text.encode() + b"\0")
        return at

    names = [(_SONAME, string(soname)), *((_NEEDED, string(n)) for n in needed)]
    entries = len(names) + 6
    dynamic = _HEADER.size + 3 * _PROGRAM.size
    table = dynamic + entries * _DYNAMIC.size
    symbols = table + 24
    text = symbols + _SYMBOL.size
    end = text + len(strings)
    values = [
        *names, (_HASH, table), (_STRTAB, text), (_SYMTAB, symbols), (_STRSZ, len(strings)),
        (_SYMENT, _SYMBOL.size), (_NULL, 0),
    ]  # fmt: skip
    programs = [
        (_PT_LOAD, _READ_WRITE, 0, 0, 0, end, end, 0x10000),
        (_PT_DYNAMIC, _READ_WRITE, dynamic, dynamic, dynamic, table - dynamic, table - dynamic, 8),
        (_PT_GNU_STACK, _READ_WRITE, 0, 0, 0, 0, 0, 16),
    ]
    shared, current = 3, 1
    header = _HEADER.pack(
        _IDENT, shared, machine, current, 0, _HEADER.size, 0, 0,
        _HEADER.size, _PROGRAM.size, len(programs), _SECTION.size, 0, 0,
    )  # fmt: skip
    # One bucket, one symbol: the null one.
    hashes = struct.pack("<IIII8x", 1, 1, 0, 0)
    return b"".join(
        [
            header,
            *(_PROGRAM.pack(*p) for p in programs),
            *(_DYNAMIC.pack(*v) for v in values),
            hashes,
            bytes(_SYMBOL.size),
            bytes(strings),
        ]
    )


def machine_of(library: Path) -> int:
    """Return the number of the processor that a library is for."""
    with library.open("rb") as file:
        return int(_HEADER.unpack(file.read(_HEADER.size))[2])
