"""A filter on system calls: no sockets, no new process, no signal, no way round the other walls.

The filter is a deny list, because numpy and torch make calls that differ between versions, and a
thing that it misses is still held by namespaces, Landlock and limits. Threads stay allowed.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct
import sys
from dataclasses import dataclass

from studyattn.grading.sandbox import linux

_MODE_FILTER = 2
_LOAD, _EQUAL, _SET, _RETURN = 0x20, 0x15, 0x45, 0x06  # BPF: ld abs word, jeq, jset, ret
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER_AT, _ARCHITECTURE_AT, _FIRST_ARGUMENT_AT = 0, 4, 16  # offsets in struct seccomp_data
_CLONE_THREAD = 0x00010000
_X32_BIT = 0x40000000

# Numbers from the kernel's tables: x86-64, aarch64 (None: the architecture has no such call).
_DENIED: dict[str, tuple[int | None, int | None]] = {
    "socket": (41, 198), "connect": (42, 203), "bind": (49, 200), "sendto": (44, 206),
    "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "execveat": (322, 281),
    "kill": (62, 129), "tkill": (200, 130), "pidfd_send_signal": (424, 424),
    "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240), "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438), "ptrace": (101, 117), "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271), "unshare": (272, 97), "setns": (308, 268),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "bpf": (321, 280), "perf_event_open": (298, 241), "keyctl": (250, 219),
    "add_key": (248, 217), "request_key": (249, 218), "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "memfd_create": (319, 279), "shmget": (29, 194), "mq_open": (240, 180),
    "setpriority": (141, 140), "sched_setscheduler": (144, 119), "syslog": (103, 116),
    "open_by_handle_at": (304, 265), "init_module": (175, 105), "finit_module": (313, 273),
    "kexec_load": (246, 104), "reboot": (169, 142), "swapon": (167, 224), "swapoff": (168, 225),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Architecture:
    audit: int
    column: int
    clone: int
    clone3: int


_ARCHITECTURES = {
    "x86_64": _Architecture(audit=0xC000003E, column=0, clone=56, clone3=435),
    "aarch64": _Architecture(audit=0xC00000B7, column=1, clone=220, clone3=435),
}


class _FilterProgram(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def supported() -> bool:
    """Return whether a filter can be written for this system. The kernel may still refuse it."""
    return sys.platform == "linux" and platform.machine() in _ARCHITECTURES


def restrict() -> None:
    """Filter the calls of this process and its threads, for good. OSError where refused."""
    architecture = _ARCHITECTURES.get(platform.machine())
    if architecture is None:
        raise OSError(errno.ENOSYS, f"no filter for {platform.machine()}")
    code = _program(architecture)
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    program = _FilterProgram(len(code) // 8, code)
    linux.prctl(linux.PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(program))


def _program(architecture: _Architecture) -> bytes:
    """The filter in classic BPF: a list of comparisons, each followed by its answer."""
    refuse = _ERRNO | errno.EPERM
    lines = [
        _instruction(_LOAD, value=_ARCHITECTURE_AT),
        _instruction(_EQUAL, 1, 0, architecture.audit),
        _instruction(_RETURN, value=_KILL),  # another architecture's numbers would mean others
        _instruction(_LOAD, value=_NUMBER_AT),
        _instruction(_SET, 0, 1, _X32_BIT),
        _instruction(_RETURN, value=refuse),
        # The C library falls back to clone, whose flags a filter can see, when clone3 is unknown.
        _instruction(_EQUAL, 0, 1, architecture.clone3),
        _instruction(_RETURN, value=_ERRNO | errno.ENOSYS),
    ]
    for numbers in _DENIED.values():
        number = numbers[architecture.column]
        if number is not None:
            lines.append(_instruction(_EQUAL, 0, 1, number))
            lines.append(_instruction(_RETURN, value=refuse))
    lines += [
        _instruction(_EQUAL, 0, 3, architecture.clone),
        _instruction(_LOAD, value=_FIRST_ARGUMENT_AT),
        _instruction(_SET, 1, 0, _CLONE_THREAD),
        _instruction(_RETURN, value=refuse),
        _instruction(_RETURN, value=_ALLOW),
    ]
    return b"".join(lines)


def _instruction(code: int, when_true: int = 0, when_false: int = 0, value: int = 0) -> bytes:
    return struct.pack("=HBBI", code, when_true, when_false, value)
