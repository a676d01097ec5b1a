"""Files that a sample reads its data from or writes results to; the translator opens none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pyaclnn.port.data.constants import builtin
from pyaclnn.port.data.cpp_types import CType
from pyaclnn.port.data.memory import Memory, Pointer, Vector, data_pointer
from pyaclnn.port.data.symbols import FileSize
from pyaclnn.port.data.texts import text_value
from pyaclnn.port.data.values import Cell, SmartPointer
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.evaluation.initialise import makes
from pyaclnn.port.evaluation.interpreter import Interpreter
from pyaclnn.port.model import FileCall, FileRead, HostData


@dataclass
class FileValue:
    """An open file, by whatever interface.

    Attributes
    ----------
    path : str
        As the sample names it.
    position : int or FileSize
        Where reading or writing goes on.
    """

    path: str = ""
    position: Any = 0
    name: str = ""


@makes("ifstream", "ofstream", "fstream", "stat")
def _stream(interpreter: Interpreter, ctype: CType, arguments: list[Any]) -> FileValue:
    return FileValue(text_value(arguments[0]) if arguments else "")


def file_member(file: FileValue, name: str) -> Cell:
    """Return a member: a position of a stream, or the size that stat() gives.

    Raises
    ------
    NotUnderstoodError
        For another one.
    """
    if name in ("beg", "cur", "end", "in", "out", "binary"):
        return Cell(name, name)
    if name == "st_size":
        return Cell(name, FileSize(file.path))
    if name == "st_mode":
        return Cell(name, 0)
    raise NotUnderstoodError(f"the member {name} of a file is not supported")


def _place(target: Any) -> Pointer:
    if isinstance(target, SmartPointer):
        target = target.value
    if isinstance(target, Vector):
        target = data_pointer(target)
    if isinstance(target, str):
        memory = Memory(len(target.encode()))
        memory.raw[:] = list(target.encode())
        target = Pointer(memory)
    if not isinstance(target, Pointer) or not isinstance(target.target, Memory):
        raise NotUnderstoodError(
            "reads or writes a file with something that is no array of numbers"
        )
    return target


def read(interpreter: Interpreter, file: FileValue, target: Any, size: Any) -> int:
    """Mark memory as the contents of a file; return the number of bytes."""
    place = _place(target)
    memory = place.target
    assert isinstance(memory, Memory)
    there = memory.size - place.offset
    if isinstance(size, FileSize):
        # All of the file, which is as large as the sample has room for.
        size = there
    if not isinstance(size, int) or not isinstance(file.position, int) or not file.path:
        raise NotUnderstoodError("reads a part of a file that is only known at run time")
    if size > there:
        raise NotUnderstoodError(f"reads {size} bytes of a file into {there} bytes of memory")
    found = FileRead(file.path, file.position, size, place.ctype, memory.name)
    memory.fill_from_device(place.offset, size, found)
    interpreter.note_once(
        "files are taken to be there, and long enough; without one the port ends, whatever the "
        "sample does"
    )
    interpreter.record(FileCall(interpreter.line, file.path, read=found))
    file.position += size
    return size


def write(interpreter: Interpreter, file: FileValue, source: Any, size: Any) -> int:
    """Record that memory is written to a file."""
    place = _place(source)
    memory = place.target
    assert isinstance(memory, Memory)
    if not isinstance(size, int) or not file.path or file.position != 0:
        raise NotUnderstoodError("writes a part of a file")
    if size > memory.size - place.offset:
        raise NotUnderstoodError(f"writes {size} bytes of memory that has fewer to a file")
    taken = Memory(size)
    taken.copy_from(0, memory, place.offset, size)
    data = HostData(taken, 0, size, place.ctype, memory.name)
    interpreter.record(FileCall(interpreter.line, file.path, data=data))
    file.position += size
    return size


def _file(value: Any) -> FileValue:
    if not isinstance(value, FileValue):
        raise NotUnderstoodError("uses a file that is not known")
    return value


def _seek(file: FileValue, offset: Any, start: Any) -> None:
    word = getattr(start, "name", start)
    if word in ("end", 2):
        file.position = FileSize(file.path)
    elif isinstance(offset, int) and word in ("beg", "cur", "in", "out", 0, 1, None):
        base = file.position if word in ("cur", 1) and isinstance(file.position, int) else 0
        file.position = base + offset
    else:
        raise NotUnderstoodError("goes to a place in a file that is only known at run time")


@builtin("fopen", "open")
def _open(interpreter: Interpreter, path: Any, *_: Any) -> FileValue:
    return FileValue(text_value(path))


@builtin("fclose", "close", "fsync", "access", "realpath")
def _close(interpreter: Interpreter, *_: Any) -> int:
    return 0


@builtin("mkdir")
def _mkdir(interpreter: Interpreter, *_: Any) -> int:
    raise NotUnderstoodError("mkdir makes a folder, which a port does not")


@builtin("fread")
def _fread(interpreter: Interpreter, target: Any, size: Any, count: Any, file: Any) -> Any:
    total = count if isinstance(count, FileSize) else size * count
    if isinstance(size, FileSize):
        total = size
    done = read(interpreter, _file(file), target, total)
    return done // size if isinstance(size, int) and size else count


@builtin("fwrite")
def _fwrite(interpreter: Interpreter, source: Any, size: int, count: int, file: Any) -> int:
    write(interpreter, _file(file), source, size * count)
    return count


@builtin("read")
def _read(interpreter: Interpreter, file: Any, target: Any, size: Any) -> int:
    return read(interpreter, _file(file), target, size)


@builtin("write")
def _write(interpreter: Interpreter, file: Any, source: Any, size: Any) -> int:
    return write(interpreter, _file(file), source, size)


@builtin("fseek")
def _fseek(interpreter: Interpreter, file: Any, offset: Any, start: Any) -> int:
    _seek(_file(file), offset, start)
    return 0


@builtin("rewind")
def _rewind(interpreter: Interpreter, file: Any) -> int:
    _file(file).position = 0
    return 0


@builtin("ftell")
def _ftell(interpreter: Interpreter, file: Any) -> Any:
    return _file(file).position


@builtin("feof", "ferror")
def _feof(interpreter: Interpreter, file: Any) -> int:
    return 0


@builtin("stat", "fstat", "lstat")
def _stat(interpreter: Interpreter, file: Any, answer: Any) -> int:
    cell = getattr(answer, "cell", None)
    path = file.path if isinstance(file, FileValue) else text_value(file)
    if cell is None or not isinstance(cell.get(), FileValue):
        raise NotUnderstoodError("asks for the size of a file in a way that is not known")
    cell.get().path = path
    return 0


@builtin("S_ISREG")
def _is_file(interpreter: Interpreter, *_: Any) -> bool:
    return True


FILE_METHODS: dict[str, Any] = {
    "is_open": lambda r: True,
    "good": lambda r: True,
    "fail": lambda r: False,
    "bad": lambda r: False,
    "eof": lambda r: False,
    "close": lambda r: None,
    "clear": lambda r: None,
    "flush": lambda r: None,
    "rdbuf": lambda r: r.value,
    "gcount": lambda r: r.value.position,
    "tellg": lambda r: r.value.position,
    "tellp": lambda r: r.value.position,
    "read": lambda r, target, size: _chained(r, read, target, size),
    "sgetn": lambda r, target, size: read(r.interpreter, r.value, target, size),
    "write": lambda r, source, size: _chained(r, write, source, size),
    "sputn": lambda r, source, size: write(r.interpreter, r.value, source, size),
}


def _chained(receiver: Any, act: Any, memory: Any, size: Any) -> FileValue:
    act(receiver.interpreter, receiver.value, memory, size)
    return _file(receiver.value)


def _method_open(receiver: Any, path: Any, *_: Any) -> None:
    receiver.value.path, receiver.value.position = text_value(path), 0


def _method_seek(receiver: Any, offset: Any, start: Any = None, *_: Any) -> Any:
    _seek(receiver.value, offset, start)
    return receiver.value.position


FILE_METHODS["open"] = _method_open
for _name in ("seekg", "seekp", "pubseekoff", "pubseekpos"):
    FILE_METHODS[_name] = _method_seek
