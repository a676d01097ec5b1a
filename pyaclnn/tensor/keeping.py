"""Buffers that forms keep for their next tensors, some in use and some not.

A tensor that ends tells nobody: that its buffer is free shows in that nothing refers to it but what
keeps it. Functions here take a buffer out before they look, so no two threads see the same one.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING

from pyaclnn.runtime import Buffer, Stream
from pyaclnn.runtime.pool import set_take_back
from pyaclnn.tensor.recycling import references
from pyaclnn.tensor.registry import release

if TYPE_CHECKING:
    from pyaclnn.tensor.forms import Form

_beginning = threading.Lock()

#: How many buffers a form keeps.
_KEPT_BUFFERS = 1024

#: How often one that is kept may be found in use before it is left to its users.
_PATIENCE = 4

#: At how many the pool looks before it asks CANN for more memory.
_LOOKS = 64


def other_buffer(form: Form, stream: Stream, first: Buffer | None) -> Buffer:
    """Return a buffer for a tensor of a form whose first one is in use, or which keeps none.

    Parameters
    ----------
    form : Form
        One of the stream.
    stream : Stream
        Where the buffer will be.
    first : Buffer or None
        The first one, taken out of what the form keeps.
    """
    kept = form.kept
    if kept is not None and first is not None:
        # Of several tensors that take turns, the next one may be gone.
        second = _take_free(kept, stream, 1)
        first.times_in_use += 1
        if first.times_in_use < _PATIENCE and _usable(first, stream):
            # In front as before: in the order in which they were taken they become free.
            kept.appendleft(first)
        if second is not None:
            second.whole_on = stream
            second.times_in_use = 0
            kept.append(second)
            return second
    buffer = _new_buffer(form, stream)
    if form.keeps and buffer.block is not None:
        with _beginning:
            # Another thread may have been faster; all must find what each of them keeps.
            kept = form.kept
            if kept is None:
                kept = form.kept = deque(maxlen=_KEPT_BUFFERS)
        kept.append(buffer)
        form.kept_of_size[id(kept)] = kept
    return buffer


def _usable(buffer: Buffer, stream: Stream) -> bool:
    return buffer.open_on is stream and buffer._others is None


def _take_free(kept: deque[Buffer], stream: Stream, looks: int) -> Buffer | None:
    """Take out the first buffer that nobody uses."""
    passed: list[Buffer] = []
    free = None
    for _ in range(min(looks, len(kept))):
        try:
            one = [kept.popleft()]
        except IndexError:  # other threads took them
            break
        alone = references(one[0]) == _REFERENCES_IN_A_LIST
        buffer = one.pop()
        if not _usable(buffer, stream):
            continue
        if alone:
            free = buffer
            break
        passed.append(buffer)
    if passed:
        kept.extendleft(reversed(passed))
    return free


def _count_in_a_list() -> int:
    one = [object()]
    return references(one[0]) or -1


#: What `references` says of the only element of a list that nothing else refers to.
_REFERENCES_IN_A_LIST = _count_in_a_list()


def _new_buffer(form: Form, stream: Stream) -> Buffer:
    if not form.bin and form.kept_of_size:
        buffer = _take_unused(form.kept_of_size, stream)
        if buffer is not None:
            _make_over(buffer, form, stream)
            return buffer
    try:
        block = form.bin.pop()
    except IndexError:
        return Buffer(form.nbytes, stream)
    buffer = Buffer.over(block, form.nbytes, stream)
    left = block.left
    if left is not None:
        if left[0] is form:
            block.left = None
            buffer.form, buffer.handle = left
        else:
            block.leave(None)
    return buffer


def _make_over(buffer: Buffer, form: Form, stream: Stream) -> None:
    """Give a buffer that nobody uses to another form."""
    if buffer.handle is not None:
        release(buffer.handle)
    buffer.form = buffer.handle = None
    buffer.nbytes = form.nbytes
    buffer.whole_on = stream
    buffer.times_in_use = 0


def _take_unused(forms: dict[int, deque[Buffer]], stream: Stream) -> Buffer | None:
    """Take out a buffer that forms of one size keep but nobody uses.

    What was kept last comes first: that of forms that do not come again.
    """
    passed = {}
    free = None
    looks = _LOOKS
    while free is None and looks > 0:
        try:
            identity, kept = forms.popitem()
        except KeyError:  # that was all
            break
        there = len(kept)
        free = _take_free(kept, stream, looks)
        looks -= there
        if kept:
            passed[identity] = kept
    if passed:
        forms.update(passed)
    return free


def take_back(stream: Stream, size: int) -> None:
    """Let a block of a size go to its bin that a form of the stream keeps but nobody uses."""
    # It goes with the last reference.
    _take_unused(stream.kept[size], stream)


set_take_back(take_back)
