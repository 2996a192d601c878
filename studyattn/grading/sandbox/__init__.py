"""Walls around a worker: what this system can give, and putting it to use.

`plan` is asked once, in the fork server; `enclose` runs in each worker before any foreign code.
Nothing here knows of submissions or programs. Every wall that the system lacks is left out of the
plan, never passed over in silence: `levels` lists all of them, with their replacements.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum

from studyattn.grading.limits import ResourceLimits
from studyattn.grading.sandbox import capability, filesystem, linux, namespaces, rlimits, seccomp
from studyattn.grading.sandbox.namespaces import Namespaces

__all__ = ["Level", "LevelState", "Plan", "enclose", "levels", "plan", "separate"]


CUDA_OPEN_FILES = 1024


class Level(StrEnum):
    """One wall. The values stand in a verdict's `isolation`."""

    PROCESS = "process"  # a process of its own, ended by the wall clock
    RLIMITS = "rlimits"
    LANDLOCK = "landlock"
    NETWORK = "network"  # none: a namespace without any device, else sockets are refused
    PID_NAMESPACE = "pid-namespace"
    MOUNTS = "mounts"  # all are read-only but the scratch folder, which has a size
    SUBREAPER = "subreaper"
    SECCOMP = "seccomp"


@dataclass(frozen=True, slots=True)
class LevelState:
    """The result of trying a wall of the sandbox: whether it works here, and what that means."""

    level: Level
    available: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Plan:
    """The walls that will stand around each worker of one fork server."""

    namespaces: Namespaces
    mounts: bool
    landlock: bool
    seccomp: bytes  # the filter, or nothing
    subreaper: bool
    readable: tuple[str, ...] = ()
    writable: tuple[str, ...] = ()
    cuda: bool = False

    @property
    def isolation(self) -> tuple[str, ...]:
        """The levels of this plan, strongest last, as a verdict lists them."""
        own = self.namespaces is not Namespaces.NONE
        standing = {
            Level.PROCESS: True,
            Level.RLIMITS: True,
            Level.LANDLOCK: self.landlock,
            Level.NETWORK: own or bool(self.seccomp),
            Level.PID_NAMESPACE: own,
            Level.MOUNTS: self.mounts,
            Level.SUBREAPER: self.subreaper,
            Level.SECCOMP: bool(self.seccomp),
        }
        return tuple(level.value for level, works in standing.items() if works)

    def without(self, left_out: Collection[Level]) -> Plan:
        """This plan with some walls left out; tests use it to see what the others hold."""
        own = self.namespaces
        if {Level.NETWORK, Level.PID_NAMESPACE} & set(left_out):
            own = Namespaces.NONE
        return replace(
            self,
            namespaces=own,
            mounts=self.mounts and own is not Namespaces.NONE and Level.MOUNTS not in left_out,
            landlock=self.landlock and Level.LANDLOCK not in left_out,
            seccomp=b"" if Level.SECCOMP in left_out else self.seccomp,
            subreaper=self.subreaper and Level.SUBREAPER not in left_out,
        )


def plan(*, package: bool = False, cuda: bool = False, further: Collection[str] = ()) -> Plan:
    """Every wall that this system can give. Forks for a moment, so call it without threads.

    With `package`, workers may read the studyattn package itself: examples on cards import it.
    `further` are folders that they may read besides.
    """
    own = namespaces.probe()
    program = seccomp.written(cuda=cuda)
    return Plan(
        namespaces=own,
        mounts=namespaces.probe_mounts(own),
        landlock=filesystem.supported() and capability.supported(_try_landlock),
        seccomp=program if capability.supported(lambda: seccomp.restrict(program)) else b"",
        subreaper=sys.platform == "linux",
        readable=(*filesystem.readable(package=package, cuda=cuda), *further),
        writable=filesystem.writable(cuda=cuda),
        cuda=cuda,
    )


def _try_landlock() -> None:
    filesystem.restrict("/", (), ())


def separate(plan: Plan, limits: ResourceLimits, scratch: str) -> None:
    """Leave the namespaces of this process, in the supervisor. OSError where one does not work.

    A driver of a GPU writes to files of the kernel, so its mounts stay as they are.
    """
    namespaces.enter(plan.namespaces)
    if plan.mounts:
        namespaces.enter_mounts(scratch, limits, read_only=not plan.cuda)


def enclose(plan: Plan, limits: ResourceLimits, scratch: str) -> None:
    """Put up the other walls of `plan` around this process, for good.

    OSError when one does not stand. Called in the worker, after `separate` in the supervisor. Order
    matters: each step takes away what the earlier ones needed.
    """
    own_count = plan.namespaces is Namespaces.USER
    if plan.cuda:  # its driver keeps dozens of device files open
        limits = replace(limits, open_files=max(limits.open_files, CUDA_OPEN_FILES))
    rlimits.restrict(limits, own_count=own_count, address_space=not plan.cuda)
    if plan.landlock:
        filesystem.restrict(scratch, plan.readable, plan.writable)
    with contextlib.suppress(OSError):
        linux.drop_capabilities()
    if plan.seccomp:
        seccomp.restrict(plan.seccomp)


def levels() -> tuple[LevelState, ...]:
    """List what this system provides and what it does not, for `studyattn doctor`."""
    here = plan()
    own = here.namespaces is not Namespaces.NONE
    return (
        LevelState(Level.PROCESS, available=True, detail="a separate process for each attempt"),
        LevelState(Level.RLIMITS, available=True, detail=_limits_detail()),
        LevelState(
            Level.LANDLOCK,
            available=here.landlock,
            detail=f"Landlock version {filesystem.abi()}: can write only its scratch folder"
            if here.landlock
            else "no Landlock in this kernel: a submission can read and write what you can",
        ),
        LevelState(
            Level.NETWORK,
            available=Level.NETWORK in here.isolation,
            detail=f"namespaces through {here.namespaces.value}: no network"
            if own
            else _without_network(here),
        ),
        LevelState(
            Level.PID_NAMESPACE,
            available=own,
            detail="sees and signals only its own processes"
            if own
            else "no namespaces here: descendants are found and ended one by one",
        ),
        LevelState(
            Level.MOUNTS,
            available=here.mounts,
            detail="everything is read-only but a scratch folder in memory with a size"
            if here.mounts
            else "no mount namespace here: the scratch folder is on the disk and is counted while"
            " an attempt runs",
        ),
        LevelState(
            Level.SUBREAPER,
            available=here.subreaper,
            detail="descendants that leave the session are ended too"
            if here.subreaper
            else "a descendant that leaves the session can outlive its attempt",
        ),
        LevelState(
            Level.SECCOMP,
            available=bool(here.seccomp),
            detail="only listed system calls: no sockets, no new processes, no signals, no change"
            " of a file's mode, owner or times"
            if here.seccomp
            else _without_filter(),
        ),
    )


def _limits_detail() -> str:
    always = "CPU time, file size, open files"
    return f"{always}, address space" if sys.platform == "linux" else f"{always}; no address space"


def _without_filter() -> str:
    if sys.platform != "linux":
        return "no filter of system calls for this system"
    if seccomp.library() is None:
        return f"no filter of system calls: install libseccomp ({seccomp.LIBRARY})"
    return "this kernel or container refuses a filter of system calls"


def _without_network(here: Plan) -> str:
    if here.seccomp:
        return "no namespaces here: sockets are refused by seccomp instead"
    return "no namespaces here: a submission can reach the network"
