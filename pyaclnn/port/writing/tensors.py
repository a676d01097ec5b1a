"""Tensors of the idiomatic port: made from data, read, copied."""

from __future__ import annotations

from typing import Any

from pyaclnn.port.data.cpp_types import CType
from pyaclnn.port.data.memory import array_of
from pyaclnn.port.errors import NotUnderstoodError, SampleError
from pyaclnn.port.library.aclobjects import TYPES
from pyaclnn.port.model import DevicePointer, Download, HostData, TensorObject
from pyaclnn.port.writing.blocks import (
    PRIVATE,
    BlockState,
    bytes_needed,
    element_type,
    needs_label,
    size_of,
    values_of,
)
from pyaclnn.port.writing.datasource import DataSource, file_of, file_source
from pyaclnn.port.writing.layouts import contiguous, is_contiguous, view_source
from pyaclnn.port.writing.pycode import Code, Group, Names, call, lines, shape_text
from pyaclnn.port.writing.pydata import dtype_text
from pyaclnn.port.writing.remarks import Sayings
from pyaclnn.tensor.dtypes import ACL_DATA_TYPES, OWN_DATA_TYPES

#: Names of formats.
FORMATS = {0: "NCHW", 1: "NHWC", 2: "ND", 3: "NC1HWC0", 4: "FRACTAL_Z", 12: "NC1HWC0_C04",
           16: "HWCN", 27: "NDHWC", 29: "FRACTAL_NZ", 30: "NCDHW", 32: "NDC1HWC0",
           33: "FRACTAL_Z_3D", 35: "NC", 47: "NCL"}  # fmt: skip
_ND = 2
_NAMES = {code: name for name, code in (*ACL_DATA_TYPES.items(), *OWN_DATA_TYPES.items())}


class Tensors:
    """Which Python variable is which tensor of the sample.

    Parameters
    ----------
    names : Names
        Of the program.
    body : list of str
        Lines are added to it.
    states : dict
        Device memory by the id of its `Block`.
    data : DataSource
        Writes the content.
    sayings : Sayings
        Writes the sample's comments.
    """

    def __init__(
        self,
        names: Names,
        body: list[str],
        states: dict[int, BlockState],
        data: DataSource,
        sayings: Sayings,
    ) -> None:
        self._sayings = sayings
        self._data = data
        self._names = names
        self._body = body
        self._states = states
        self._variables: dict[int, str] = {}

    def state(self, pointer: DevicePointer) -> BlockState:
        """Return the state of the memory an address is in."""
        return self._states[id(pointer.block)]

    def variable(self, tensor: TensorObject) -> str:
        """Return the name of a tensor, which is made now if it is not there yet."""
        found = self._variables.get(id(tensor))
        if found is not None:
            return found
        if tensor.data is None:
            return self._make(tensor, self._empty(tensor))
        state = self.state(tensor.data)
        if state.is_simple:
            if not state.base:
                state.base_type = element_type(tensor)
                state.base_shape = tensor.shape
                if tensor.dtype not in TYPES:
                    # Bytes, as many as there are.
                    state.base_shape = (state.image.size,)
                state.base = self._make(tensor, self._content(state, tensor))
            self._variables[id(tensor)] = state.base
            return state.base
        return self._make(tensor, self._view(state, tensor))

    def describe_again(self, arguments: tuple[Any, ...]) -> None:
        """Write an aclInitTensor: the memory it is given, seen in another way."""
        tensor, shape, _, dtype, strides, offset, layout, storage, _, data = arguments
        if data is None or data.offset or offset:
            raise NotUnderstoodError("describes a tensor anew from within its memory")
        base, state = self.base(data)
        fresh = TensorObject(tensor.name, shape=shape, dtype=dtype, strides=strides,
                             format=layout, storage=storage, data=data)  # fmt: skip
        for field in ("shape", "dtype", "strides", "offset", "format", "storage", "data"):
            setattr(tensor, field, getattr(fresh, field))
        extra = [f'"{FORMATS.get(layout, layout)}"' if layout in FORMATS else str(layout)]
        extra.append(f"shape={shape_text(shape)}")
        if dtype not in TYPES or TYPES[dtype] != state.base_type:
            extra.append(f"dtype={_type_name(dtype)}")
        if strides is not None and not is_contiguous(shape, strides):
            extra.append(f"strides={shape_text(strides)}")
        if storage != shape:
            extra.append(f"storage_shape={shape_text(storage)}")
        self._make(tensor, call("with_format", base, *extra))

    def adopt(self, tensor: TensorObject) -> str:
        """Return a new name for a tensor that an operator makes by itself."""
        self._remark_memory(tensor)
        name = self._names.new(tensor.name, "out")
        self._variables[id(tensor)] = name
        if tensor.data is not None:
            state = self.state(tensor.data)
            state.base, state.base_shape = name, tensor.shape
            state.base_type, state.computed = element_type(tensor), True
        return name

    def is_fresh(self, tensor: TensorObject) -> bool:
        """Whether nothing but the next call needs the memory of a tensor."""
        if tensor.data is None or id(tensor) in self._variables or needs_label(tensor):
            return False
        state = self.state(tensor.data)
        return state.is_simple and not state.base and not state.computed

    def mark_written(self, tensor: TensorObject) -> None:
        """Note that an operator writes a tensor."""
        if tensor.data is not None:
            self.state(tensor.data).computed = True

    def _remark_memory(self, tensor: TensorObject) -> None:
        """Say it where the sample has too little memory for a tensor."""
        block = tensor.data.block if tensor.data is not None else None
        needed = bytes_needed(tensor)
        if block is not None and isinstance(block.size, int) and block.size < needed:
            self._body.append(
                f"# The sample has {block.size} bytes for a tensor of {needed}; here it has all."
            )

    def _make(self, tensor: TensorObject, code: Code) -> str:
        self._body += self._sayings.lines(tensor.comments)
        self._remark_memory(tensor)
        block = tensor.data.block if tensor.data is not None else None
        hint = tensor.name or (block.name if block is not None else "")
        name = self._names.new(hint, "x")
        head = f"{name} = "
        if isinstance(code, Group):
            code = Group(head + code.head, code.items, code.tail, code.fill)
        else:
            code = head + code
        self._body += lines(code)
        self._variables[id(tensor)] = name
        return name

    def _empty(self, tensor: TensorObject) -> Code:
        return call("pa.empty", shape_text(tensor.shape), dtype_text(element_type(tensor).dtype))

    def _content(self, state: BlockState, tensor: TensorObject) -> Code:
        ctype = element_type(tensor)
        if tensor.dtype not in TYPES:
            count = state.image.size
            return self._labelled(tensor, self._tensor(state, ctype, (count,)))
        if state.written:
            code: Code = self._tensor(state, ctype, tensor.shape)
        else:
            kind = [] if ctype.name == "float32" else [dtype_text(ctype.dtype)]
            code = call("pa.empty", shape_text(tensor.shape), *kind)
        return self._labelled(tensor, code)

    def _tensor(self, state: BlockState, ctype: CType, shape: tuple[int, ...]) -> Code:
        """Return an expression for a tensor with what the host wrote to memory."""
        count = size_of(shape)
        if state.image.unknown:
            self._body.append(f"# NOT PORTED: the content of {state.block.name or 'this tensor'}")
            kind = [] if ctype.name == "float32" else [dtype_text(ctype.dtype)]
            return call("pa.empty", shape_text(shape), *kind)
        read = file_of(state.image, count * ctype.size)
        if read is not None:
            return call("pa.asarray", file_source(read, ctype, shape))
        return self._data.tensor(values_of(state, ctype, count).reshape(shape))

    def _labelled(
        self, tensor: TensorObject, code: Code, strides: tuple[int, ...] | None = None
    ) -> Code:
        """Add what a NumPy array does not tell: format, or a data type of CANN's own."""
        if not needs_label(tensor):
            return code
        extra: list[Code] = []
        if tensor.format != _ND:
            name = FORMATS.get(tensor.format)
            extra.append(f'"{name}"' if name is not None else str(tensor.format))
        if tensor.dtype not in TYPES or strides is not None:
            extra.append(f"shape={shape_text(tensor.shape)}")
        if tensor.dtype not in TYPES:
            extra.append(f"dtype={_type_name(tensor.dtype)}")
        if strides is not None and not is_contiguous(tensor.shape, strides):
            extra.append(f"strides={shape_text(strides)}")
        if tensor.storage not in (tensor.shape, ()):
            extra.append(f"storage_shape={shape_text(tensor.storage)}")
        return call("with_format", code, *extra)

    def _view(self, state: BlockState, tensor: TensorObject) -> Code:
        assert tensor.data is not None
        ctype = element_type(tensor)
        start, left = divmod(tensor.data.offset, ctype.size)
        if left:
            raise NotUnderstoodError("a tensor begins within an element of its memory")
        strides = tensor.strides if tensor.strides is not None else contiguous(tensor.shape)
        private = tensor.dtype not in TYPES or tensor.format in PRIVATE
        if private and not start and not tensor.offset and not state.base:
            # The strides are of the shape aclnn is told, not of the memory.
            count = state.image.size // ctype.size
            state.base = self._names.new(f"{tensor.name}_memory", "memory")
            code = self._tensor(state, ctype, (count,))
            if isinstance(code, Group):
                code = Group(f"{state.base} = " + code.head, code.items, code.tail, code.fill)
            self._body += [*self._sayings.lines(tensor.comments), *lines(code)]
            state.base_shape, state.base_type = (count,), ctype
            return self._labelled(tensor, state.base, strides)
        storage = tensor.storage
        count = state.image.size // ctype.size
        if size_of(storage) != count:
            storage = (count,)
        if state.base and state.base_shape:
            storage = state.base_shape
        base = state.base or self._names.new(f"{tensor.name}_base", "base")
        text, shape = view_source(
            base, storage, tensor.shape, strides, start + tensor.offset,
            dtype_text(ctype.dtype), made=bool(state.base),
        )  # fmt: skip
        if not state.base:
            code = self._tensor(state, ctype, shape)
            if isinstance(code, Group):
                code = Group(f"{base} = " + code.head, code.items, code.tail, code.fill)
            self._body += [*self._sayings.lines(tensor.comments), *lines(code)]
            state.base, state.base_shape, state.base_type = base, shape, ctype
        elif state.base_type is not None and state.base_type.name != ctype.name:
            raise NotUnderstoodError("two tensors of different types share memory")
        return self._labelled(tensor, text)

    def base(self, pointer: DevicePointer) -> tuple[str, BlockState]:
        """Return the variable that covers memory, made now if it is not there yet.

        Raises
        ------
        NotUnderstoodError
            If no tensor describes the memory.
        """
        state = self.state(pointer)
        if not state.base:
            if not state.tensors:
                raise NotUnderstoodError(
                    f"no tensor describes the device memory {pointer.name or 'that is copied'}"
                )
            self.variable(state.tensors[0])
        return state.base, state

    def upload(self, pointer: DevicePointer, data: HostData) -> None:
        """Note a copy from the host; one into a tensor that exists is written down."""
        state = self.state(pointer)
        if not state.base:
            state.upload(data, pointer.offset)
            return
        ctype = state.base_type
        assert ctype is not None
        if (
            data.memory.symbolic
            or pointer.offset
            or data.size != size_of(state.base_shape) * (ctype.size)
        ):
            raise NotUnderstoodError("copies to a part of a tensor that is in use already")
        values = array_of(data.memory.view(ctype)).reshape(state.base_shape)
        self._body += lines(call(f"{state.base}.copy_from", self._data.array(values)))

    def fill(self, pointer: Any, room: Any, value: int, count: int) -> None:
        """Note an aclrtMemset."""
        if not isinstance(pointer, DevicePointer):
            raise NotUnderstoodError("fills memory that is not on the device")
        state = self.state(pointer)
        if not state.base:
            end = min(pointer.offset + count, state.image.size)
            state.image.forget(pointer.offset, end - pointer.offset)
            state.image.writable()[pointer.offset : end] = value & 0xFF
            state.written = True
            return
        if value != 0 or pointer.offset or state.base_type is None:
            raise NotUnderstoodError("fills a part of a tensor that is in use already")
        kind = dtype_text(state.base_type.dtype)
        self._body.append(
            f"{state.base}.copy_from(np.zeros({shape_text(state.base_shape)}, dtype={kind}))"
        )

    def copy(self, target: DevicePointer, source: DevicePointer, size: int) -> None:
        """Write down a copy within the device."""
        if self._is_staged(source, target):
            self._unstage(source, target, size)
            return
        before, start = self.base(source)
        after, end = self.base(target)
        whole = target.offset == source.offset == 0 and start.base_type is not None
        if not whole or start.base_type != end.base_type or start.base_shape != end.base_shape:
            raise NotUnderstoodError("copies a part of a tensor within the device")
        end.computed = True
        self._body.append(f"{after}.copy_from({before})")

    def _is_staged(self, source: DevicePointer, target: DevicePointer) -> bool:
        """Whether no tensor describes a source, so that all it holds is what the host wrote."""
        start = self.state(source)
        return not start.tensors and not start.base and not self.state(target).base

    def _unstage(self, source: DevicePointer, target: DevicePointer, size: int) -> None:
        start, end = self.state(source), self.state(target)
        if size > min(start.image.size - source.offset, end.image.size - target.offset):
            raise NotUnderstoodError(f"copies {size} bytes, which one of the two does not have")
        if start.written:
            end.image.copy_from(target.offset, start.image, source.offset, size)
            end.written = True
        elif end.written:
            raise NotUnderstoodError("copies device memory that nothing was written to over data")

    def read(self, download: Download, ctype: CType) -> tuple[str, int, bool]:
        """Return how to get what a download brings as an array of a type.

        Returns
        -------
        str
            Python source.
        int
            Number of elements.
        bool
            Whether the array has one dimension.
        """
        base, state = self.base(download.pointer)
        have = state.base_type
        assert have is not None
        total = size_of(state.base_shape) * have.size
        if download.pointer.offset + download.size > total:
            wanted = download.pointer.offset + download.size
            count = size_of(state.base_shape)
            if download.pointer.offset == 0 and download.size == count * ctype.size:
                # As many elements as there are, taken for larger ones than they are: C reads
                # what lies behind the memory; the numbers are what the author wants to see.
                self._body.append(
                    f"# The sample reads {have.name} as {ctype.name}; these are the numbers."
                )
                return f"{base}.numpy()", count, len(state.base_shape) == 1
            if wanted > state.image.size:
                raise SampleError(
                    f"copies {download.size} bytes from {download.pointer.name}, which has {total}"
                )
        code = f"{base}.numpy()"
        flat = len(state.base_shape) == 1
        if have.name != ctype.name:
            kind = dtype_text(ctype.dtype)
            usable = total // ctype.size * ctype.size
            cut = "" if usable == total else f"[:{usable // have.size}]"
            code = f"{code}.ravel(){cut}.view({kind})"
            flat = True
        start, count = download.pointer.offset // ctype.size, download.size // ctype.size
        size = total // ctype.size
        if start or count < size:
            ravel = "" if flat else ".ravel()"
            code = f"{code}{ravel}[{start or ''}:{start + count}]"
            return code, min(count, size - start), True
        return code, size, flat


def _type_name(code: int) -> str:
    """Return a data type as ``with_format`` takes it."""
    if code in TYPES:
        return dtype_text(TYPES[code].dtype)
    return f'"{_NAMES[code]}"' if code in _NAMES else str(code)
