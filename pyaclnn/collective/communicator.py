"""Communicators: creating, splitting and closing them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from pyaclnn.abi import check, ffi, lib
from pyaclnn.collective.collectives import Collectives
from pyaclnn.collective.environment import place
from pyaclnn.collective.link import CommunicatorHandle
from pyaclnn.collective.meeting import shared
from pyaclnn.collective.point_to_point import PointToPoint
from pyaclnn.runtime import Device, current_device, device_count
from pyaclnn.runtime.native_handle import not_copied

_NOT_PART = 0xFFFFFFFF


class Communicator(Collectives, PointToPoint):
    """One rank of a group, each with a device of its own.

    Made by `from_unique_id`, `from_env`, `from_rank_table`, `all_devices` or `split`; each returns
    once all ranks have joined.
    """

    __slots__ = ()

    @staticmethod
    def unique_id() -> bytes:
        """Return the unique id of a new communicator, which one rank creates for all."""
        current_device().activate()
        get = lib.HcclGetRootInfo
        info = ffi.new("HcclRootInfo *")
        check(get(info), "HcclGetRootInfo")
        return bytes(ffi.buffer(info))

    @classmethod
    def from_unique_id(
        cls,
        unique_id: bytes,
        size: int,
        rank: int,
        *,
        device: Device | None = None,
        name: str = "",
    ) -> Communicator:
        """Join a communicator.

        Parameters
        ----------
        unique_id : bytes
            The result of `unique_id` in one rank, which sends it to the others.
        size, rank : int
            How many there are, and which this one is, from 0.
        device : Device, optional
            This rank's; the current one if not given.
        name : str
            The same on all ranks; the library makes one up if not given.

        Raises
        ------
        AclTimeoutError
            If not all come within HCCL_CONNECT_TIMEOUT.
        AclError
            If HCCL refuses.
        """
        join = lib.HcclCommInitRootInfoConfig
        info = ffi.new("HcclRootInfo *")
        if len(unique_id) != ffi.sizeof("HcclRootInfo"):
            raise ValueError(
                f"the unique id has {len(unique_id)} bytes, not {ffi.sizeof('HcclRootInfo')}"
            )
        ffi.memmove(info, unique_id, len(unique_id))
        config = _config(name)
        return cls._made(
            device,
            "HcclCommInitRootInfoConfig",
            lambda cell: join(size, info, rank, config, cell),
        )

    @classmethod
    def from_rank_table(
        cls, path: str | os.PathLike[str], rank: int, *, device: Device | None = None
    ) -> Communicator:
        """Join the communicator that a rank table, a JSON file, describes."""
        join = lib.HcclCommInitClusterInfo
        text = os.fsencode(path)
        return cls._made(device, "HcclCommInitClusterInfo", lambda cell: join(text, rank, cell))

    @classmethod
    def from_env(cls) -> Communicator:
        """Join the communicator of a launcher: torchrun, mpirun, srun, or CANN's RANK_TABLE_FILE.

        Notes
        -----
        Under torchrun the unique id goes through MASTER_ADDR, at the port behind MASTER_PORT, which
        torchrun uses itself; PYACLNN_MASTER_PORT names another one. A process that connects has to
        know PYACLNN_JOB_SECRET, if it is set, and the values that the launcher gives to its
        processes alone; processes of other users of this machine are refused.

        Raises
        ------
        ValueError
            If no launcher's variables are there, or they contradict each other.
        """
        where = place()
        device = Device(where.device)
        device.use()
        if where.rank_table is not None:
            return cls.from_rank_table(where.rank_table, where.rank, device=device)
        with shared(where, cls.unique_id) as unique_id:
            return cls.from_unique_id(unique_id, where.size, where.rank, device=device)

    @classmethod
    def all_devices(cls, devices: Iterable[Device | int] | None = None) -> list[Communicator]:
        """Return a communicator for each of several devices of this process.

        A collective is one asynchronous call for each of them.
        """
        chosen = [
            each if isinstance(each, Device) else Device(each)
            for each in (range(device_count()) if devices is None else devices)
        ]
        for device in chosen:
            device.activate()
        init = lib.HcclCommInitAll
        numbers = ffi.new("int32_t[]", [device.index for device in chosen])
        made = ffi.new("HcclComm[]", max(len(chosen), 1))
        members = [cls._empty(device) for device in chosen]
        for rank, member in enumerate(members):
            member._native.write_into(made, rank)
        check(init(len(chosen), numbers, made), "HcclCommInitAll")
        for member in members:
            member._open()
        return members

    def split(self, ranks: Sequence[int], *, id: int = 0, name: str = "") -> Communicator | None:
        """Make a communicator of some ranks of this one, in the order given.

        Parameters
        ----------
        ranks : sequence of int
            The ranks of the new communicator; all ranks pass the same. Others get None.
        id : int
            Distinguishes several communicators that the same ranks split off.
        name : str
            As for `from_unique_id`.
        """
        numbers = [self.checked_rank(rank, "a rank") for rank in ranks]
        create = lib.HcclCreateSubCommConfig
        parent = ffi.new("HcclComm *", self.handle)
        if self.rank not in numbers:
            nobody = ffi.new("HcclComm *")
            config = _config(name)
            check(
                create(parent, 0, ffi.NULL, _NOT_PART, _NOT_PART, config, nobody),
                "HcclCreateSubCommConfig",
            )
            return None
        array, own, config = ffi.new("uint32_t[]", numbers), numbers.index(self.rank), _config(name)
        return self._made(
            self.device,
            "HcclCreateSubCommConfig",
            lambda cell: create(parent, len(numbers), array, id, own, config, cell),
        )

    @property
    def name(self) -> str:
        """The name by which operators that communicate find it."""
        handle = self.handle
        if self._name is None:
            text = ffi.new("char[]", lib.COMM_NAME_MAX_LENGTH)
            check(lib.HcclGetCommName(handle, text), "HcclGetCommName")
            self._name = bytes(ffi.string(text)).decode(errors="replace")
        return self._name

    @property
    def __aclnn_text__(self) -> str:
        """The text that is passed for it as the ``group`` of an operator."""
        return self.name

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._handle is None

    def close(self) -> None:
        """Leave the communicator once the device has run its work; closing twice is allowed."""
        if self._handle is None:
            return
        try:
            self.device.sync()
        finally:
            self._handle = None
            self._native.close()

    @classmethod
    def _empty(cls, device: Device) -> Communicator:
        member: Communicator = object.__new__(cls)
        member._handle = None
        member._name = None
        member.device = device
        device.activate()
        device.destroy_dropped()
        member._native = CommunicatorHandle(member, device)
        return member

    @classmethod
    def _made(
        cls, device: Device | None, function: str, make: Callable[[Any], int]
    ) -> Communicator:
        member = cls._empty(current_device() if device is None else device)
        check(make(member._native.cell), function)
        member._open()
        return member

    def _open(self) -> None:
        handle = self._native.cell[0]
        number = ffi.new("uint32_t *")
        check(lib.HcclGetRankId(handle, number), "HcclGetRankId")
        self.rank = int(number[0])
        check(lib.HcclGetRankSize(handle, number), "HcclGetRankSize")
        self.size = int(number[0])
        self._handle = handle

    def __repr__(self) -> str:
        if self._handle is None:
            return "Communicator(closed)"
        return f"Communicator(rank {self.rank} of {self.size}, {self.device!r})"

    def __enter__(self) -> Communicator:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise not_copied(self, "it is one rank's; send the unique id instead")


def _config(name: str) -> Any:
    """Return an HcclCommConfig, as the inline function of the header would fill it."""
    config = ffi.new("HcclCommConfig *")
    head = ffi.new("uint64_t[3]")
    head[0] = ffi.sizeof("HcclCommConfig")
    head[1] = lib.HCCL_COMM_CONFIG_MAGIC_WORD | lib.HCCL_COMM_CONFIG_VERSION << 32
    ffi.memmove(config.reserved, head, lib.HCCL_COMM_CONFIG_INFO_BYTES)
    config.hcclBufferSize = lib.HCCL_COMM_BUFFSIZE_CONFIG_NOT_SET
    config.hcclDeterministic = lib.HCCL_COMM_DETERMINISTIC_CONFIG_NOT_SET
    config.hcclRdmaTrafficClass = lib.HCCL_COMM_TRAFFIC_CLASS_CONFIG_NOT_SET
    config.hcclRdmaServiceLevel = lib.HCCL_COMM_SERVICE_LEVEL_CONFIG_NOT_SET
    encoded = name.encode()
    if len(encoded) >= lib.COMM_NAME_MAX_LENGTH:
        raise ValueError(f"the name has {len(encoded)} bytes; it may have 127")
    config.hcclCommName = encoded
    return config
