"""The system calls that Python 3.11 has no function for. Each raises OSError, as os functions do.

On other systems every call raises OSError too, so callers need one way of falling back.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38

CLONE_NEWNS = 0x00020000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

_MS_PRIVATE_IN_ALL = 0x00040000 | 0x4000  # MS_PRIVATE, MS_REC
_MOUNT_SETATTR = 442  # the same number on every architecture
_AT_FDCWD, _AT_RECURSIVE, _MOUNT_ATTR_RDONLY = -100, 0x8000, 1

_CAPABILITY_VERSION_3 = 0x20080522


class _CapabilityHeader(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _CapabilitySets(ctypes.Structure):
    _fields_ = (
        ("effective", ctypes.c_uint32),
        ("permitted", ctypes.c_uint32),
        ("inheritable", ctypes.c_uint32),
    )


_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def _checked(name: str, *arguments: object) -> None:
    if _libc is None:
        raise OSError(errno.ENOSYS, f"{name} is a Linux call")
    if getattr(_libc, name)(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def prctl(option: int, value: int = 0, pointer: object = 0) -> None:
    """`prctl(option, value, pointer)`."""
    unsigned = ctypes.c_ulong
    last = unsigned(pointer) if isinstance(pointer, int) else pointer
    _checked("prctl", option, unsigned(value), last, unsigned(0), unsigned(0))


def unshare(flags: int) -> None:
    """`unshare(flags)`. The caller must have one thread when `flags` ask for a user namespace."""
    _checked("unshare", flags)


def keep_mounts_here() -> None:
    """Have no mount of this mount namespace appear in another one."""
    _checked("mount", b"none", b"/", None, ctypes.c_ulong(_MS_PRIVATE_IN_ALL), None)


def make_mounts_read_only() -> None:
    """Make every mount of this mount namespace read-only. Needs Linux 5.12."""
    attributes = (ctypes.c_uint64 * 4)(_MOUNT_ATTR_RDONLY, 0, 0, 0)  # set, clear, propagation, user
    size = ctypes.c_size_t(ctypes.sizeof(attributes))
    here, flags = ctypes.c_long(_AT_FDCWD), ctypes.c_long(_AT_RECURSIVE)
    _checked(
        "syscall", ctypes.c_long(_MOUNT_SETATTR), here, b"/", flags, ctypes.byref(attributes), size
    )


def mount_memory(folder: str, options: str) -> None:
    """Mount a file system in memory (tmpfs) on `folder`."""
    _checked("mount", b"tmpfs", os.fsencode(folder), b"tmpfs", ctypes.c_ulong(0), options.encode())


def drop_capabilities() -> None:
    """Give up every capability of this process: effective, permitted and inheritable."""
    header = _CapabilityHeader(_CAPABILITY_VERSION_3, 0)
    nothing = (_CapabilitySets * 2)()
    _checked("capset", ctypes.byref(header), ctypes.byref(nothing))
