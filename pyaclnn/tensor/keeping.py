"""Buffers that forms keep for their next tensors, some in use and some not.

A tensor that ends tells nobody: that its buffer is free shows in that nothing refers to it but what
keeps it. Functions here take a buffer out before they look, so no two threads see the same one.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING

from pyaclnn.runtime import Buffer, Stream
from pyaclnn.tensor.recycling import references
from pyaclnn.tensor.registry import release

if TYPE_CHECKING:
    from pyaclnn.tensor.forms import Form

_beginning = threading.Lock()

#: How many buffers a form keeps.
_KEPT_BUFFERS = 1024

#: How often one that is kept may be found in use before it is left to its users.
_PATIENCE = 4

#: At the buffers of how many forms the pool looks every time.
_LATEST = 4

#: How often at least it gets nothing before all that is kept of a size is looked through.
_SELDOM = 8

#: At how many it looks for a tensor before it makes another. More buffers than are needed would all
#: take turns, and each be out of the processor's caches when its turn comes.
_NEXT = 32

#: Bytes of a size that are asked of CANN before one form takes from another: with memory of its own
#: it keeps its aclTensor, and an output takes 1.7 µs in place of 7.
_AT_EASE = 1 << 18


class KeptOfSize:
    """What the forms of one size on one stream keep; where the pool looks for memory.

    Its own blocks come first. Then it looks at what was kept last, which is that of forms that do
    not come again; and now and then, after so many failures that it costs little for each, at all.

    Parameters
    ----------
    size : int
        Of each block, in bytes.
    """

    __slots__ = ("_asked", "_ease", "_failures", "_kept", "_seldom")

    def __init__(self, size: int) -> None:
        # How many blocks may still come from CANN without a look at what is kept.
        self._ease = _AT_EASE // size
        # By identity, for a deque has no hash.
        self._kept: dict[int, deque[Buffer]] = {}
        self._asked = False
        self._failures = 0
        self._seldom = _SELDOM

    def add(self, kept: deque[Buffer]) -> None:
        """Look here, too; twice is allowed."""
        self._kept[id(kept)] = kept

    def let_go(self) -> None:
        """Keep nothing: what nobody uses goes to its bin, and what is in use does so later."""
        for kept in list(self._kept.values()):
            kept.clear()
        self._kept.clear()

    def take_latest(self, stream: Stream) -> Buffer | None:
        """Take out a buffer that nobody uses, if there is one among the latest."""
        if self._ease > 0:
            return None
        passed = []
        buffer = None
        for _ in range(_LATEST):
            try:
                identity, kept = self._kept.popitem()
            except KeyError:  # that was all
                break
            buffer = _take_free(kept, stream, 1)
            if kept:
                passed.append((identity, kept))
            if buffer is not None:
                break
        self._kept.update(reversed(passed))
        self._asked = buffer is None
        return buffer

    def take_back(self, stream: Stream) -> None:
        """Let a block that nobody uses go to its bin, if one is found."""
        if self._ease > 0:
            self._ease -= 1
            return
        if self._asked:
            # For the buffer that is being made; nothing came since. A second look takes 3 µs.
            self._asked = False
        elif self.take_latest(stream) is not None:
            # It goes with the last reference to its buffer.
            return
        self._failures += 1
        if self._failures >= self._seldom:
            self._failures = 0
            seen, free = self._look_through(stream)
            # At most some four looks for each buffer that is found, or that is not.
            self._seldom = 1 if 4 * free >= seen > 0 else max(_SELDOM, seen // 4)

    def _look_through(self, stream: Stream) -> tuple[int, int]:
        """Let all go that nobody uses; return how many there were, and how many of them went."""
        seen = free = 0
        for identity, kept in list(self._kept.items()):
            for _ in range(len(kept)):
                try:
                    one = [kept.popleft()]
                except IndexError:  # other threads took them
                    break
                seen += 1
                if references(one[0]) == _REFERENCES_IN_A_LIST:
                    free += 1
                    continue
                one[0].times_in_use += 1
                if _stays(one[0], stream):
                    kept.append(one[0])
            if not kept:
                self._kept.pop(identity, None)
        return seen, free


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
        # Tensors that stay are in front until they are left out; those that come and go, behind.
        second = _take_free(kept, stream, _NEXT)
        first.times_in_use += 1
        if _stays(first, stream):
            # In front as before: in the order in which they were taken they become free.
            kept.appendleft(first)
        if second is not None:
            second.whole_on = stream
            second.times_in_use = 0
            kept.append(second)
            return second
    buffer = _new_buffer(form, stream)
    others = form.others
    if others is not None:
        with _beginning:
            # Another thread may have been faster; all must find what each of them keeps.
            kept = form.kept
            if kept is None:
                kept = form.kept = deque(maxlen=_KEPT_BUFFERS)
        kept.append(buffer)
        others.add(kept)
    return buffer


def _stays(buffer: Buffer, stream: Stream) -> bool:
    """Whether a buffer that is in use is worth keeping."""
    return buffer.times_in_use < _PATIENCE and _serves(buffer, stream)


def _serves(buffer: Buffer, stream: Stream) -> bool:
    """Whether a buffer may be used again without waiting: it is open, and used here only."""
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
        if not alone:
            passed.append(buffer)
        elif _serves(buffer, stream):
            free = buffer
            break
    if passed:
        kept.extendleft(reversed(passed))
    return free


def _count_in_a_list() -> int:
    one = [object()]
    return references(one[0]) or -1


#: What `references` says of the only element of a list that nothing else refers to.
_REFERENCES_IN_A_LIST = _count_in_a_list()


def _new_buffer(form: Form, stream: Stream) -> Buffer:
    others = form.others
    if not form.bin and others is not None:
        buffer = others.take_latest(stream)
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
    """Give a buffer that nobody uses to a form."""
    if buffer.form is not form:
        if buffer.handle is not None:
            release(buffer.handle)
        buffer.form = buffer.handle = None
    buffer.nbytes = form.nbytes
    buffer.whole_on = stream
    buffer.times_in_use = 0
