"""Namespaces of their own for a worker: no network, no process but its own to see or signal.

In its mount namespace everything is read-only but the scratch folder, which is in memory and has a
size.

`enter` must run in the supervisor, before it forks the worker: the process that unshared the PID
namespace stays outside of it and can make no threads, its first child is the namespace's process 1,
and the kernel ends every process in it when that one ends.
"""

from __future__ import annotations

import os
from enum import StrEnum

from studyattn.grading.limits import ResourceLimits
from studyattn.grading.sandbox import capability, linux

_OWN = linux.CLONE_NEWPID | linux.CLONE_NEWNET | linux.CLONE_NEWIPC


class Namespaces(StrEnum):
    """The way in which this process may make namespaces."""

    USER = "user"  # inside a user namespace: works for anyone where the system allows it
    ROOT = "root"  # directly, with the rights of root
    NONE = "none"


def enter(kind: Namespaces) -> None:
    """Leave the network, IPC and (for children) PID namespaces. OSError where not allowed."""
    if kind is Namespaces.NONE:
        return
    if kind is Namespaces.ROOT:
        linux.unshare(_OWN)
        return
    user, group = os.geteuid(), os.getegid()
    linux.unshare(linux.CLONE_NEWUSER | _OWN)
    # The kernel lets an unprivileged process map itself only after it gave up setgroups.
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{user} {user} 1")
    _write("/proc/self/gid_map", f"{group} {group} 1")


def enter_mounts(scratch: str, limits: ResourceLimits, *, read_only: bool) -> None:
    """Leave the mount namespace for one whose mounts are `read_only`, with a sized `scratch`.

    Called after `enter`. OSError where not allowed.
    """
    linux.unshare(linux.CLONE_NEWNS)
    linux.keep_mounts_here()
    if read_only:
        linux.make_mounts_read_only()
    inodes = limits.scratch_files + 1  # the folder itself is one
    linux.mount_memory(scratch, f"size={limits.scratch_size},nr_inodes={inodes},mode=700")


def probe_mounts(kind: Namespaces) -> bool:
    """Return whether `enter_mounts` works here, found by trying it."""

    def attempt() -> None:
        enter(kind)
        enter_mounts("/tmp", ResourceLimits(), read_only=True)  # noqa: S108  # any folder; it is left alone

    return kind is not Namespaces.NONE and capability.supported(attempt)


def probe() -> Namespaces:
    """The kind that works here, found by trying it."""
    for kind in (Namespaces.USER, Namespaces.ROOT):
        if capability.supported(lambda: _be_first_process(kind)):  # noqa: B023  # called before the next turn
            return kind
    return Namespaces.NONE


def _be_first_process(kind: Namespaces) -> None:
    enter(kind)
    child = os.fork()
    if child == 0:
        os._exit(0 if os.getpid() == 1 else 1)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0:
        raise OSError("a child that is not the first process of its namespace")


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:  # noqa: PTH123  # a file of the kernel
        file.write(text)
