"""A filter on system calls: those listed here are allowed, and every other one is refused.

A call is listed if it changes nothing but this process, or if what it reaches is open already or is
guarded by Landlock: a path. libseccomp knows the numbers of the calls on each architecture and
writes the filter, once, in the fork server; a worker only hands it to the kernel.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import platform
import socket
import struct
import sys
from dataclasses import dataclass

from studyattn.grading.sandbox import linux

ALLOWED = frozenset(
    """
    read readv pread64 preadv preadv2 write writev pwrite64 pwritev pwritev2 lseek close close_range
    dup dup2 dup3 pipe pipe2 poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl
    epoll_wait epoll_pwait epoll_pwait2 eventfd eventfd2 recvfrom shutdown getsockopt
    copy_file_range sendfile ftruncate fadvise64 fsync fdatasync

    open openat creat access faccessat faccessat2 stat lstat fstat newfstatat statx statfs
    fstatfs getdents getdents64 readlink readlinkat getcwd chdir fchdir rmdir unlink unlinkat
    rename renameat renameat2

    brk mmap munmap mremap mprotect madvise msync membarrier

    futex set_robust_list get_robust_list set_tid_address rseq sched_yield sched_getaffinity getcpu
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_sigpending sigaltstack
    restart_syscall pause nanosleep clock_nanosleep alarm getitimer setitimer exit exit_group

    clock_gettime clock_getres gettimeofday time times getrusage sysinfo uname getrandom getrlimit
    getpid getppid gettid getuid geteuid getgid getegid getresuid getresgid getgroups getpgid
    getpgrp getsid getpriority
    """.split()  # noqa: SIM905  # a table to read, a group of calls a paragraph
)

LIBRARY = "libseccomp.so.2"
_INT = 0xFFFFFFFF  # the kernel looks at the lower half of an argument that is an int


@dataclass(frozen=True, slots=True)
class Is:
    """A condition on an argument of a call: that these bits of it are this value."""

    argument: int
    value: int
    mask: int = _INT


_CLONE_THREAD = 0x00010000
_NEW_NAMESPACES = 0x7E020080
_OWN_PROCESS = 0x7EE10FF5
"""Stands in the filter for the id of the process that it is put up in. No process has this id."""
_TERMINAL_QUESTIONS = (0x5401, 0x5413, 0x541B)  # TCGETS, TIOCGWINSZ, FIONREAD
_DESCRIPTOR_FLAGS = (0x5421, 0x5450, 0x5451)  # FIONBIO, FIONCLEX, FIOCLEX
_EXTRA_REGISTERS = (0x1021, 0x1022, 0x1023)  # ARCH_GET_XCOMP_SUPP, …_GET_…, …_REQ_XCOMP_PERM
_PR_SET_NAME, _PR_GET_NAME = 15, 16

ALLOWED_IN_PART: dict[str, tuple[tuple[Is, ...], ...]] = {
    "clone": ((Is(0, _CLONE_THREAD, _CLONE_THREAD | _NEW_NAMESPACES),),),
    "tgkill": ((Is(0, _OWN_PROCESS),),),
    "prlimit64": ((Is(0, 0),),),  # its own limits
    "prctl": tuple((Is(0, option),) for option in (_PR_SET_NAME, _PR_GET_NAME)),
    "arch_prctl": tuple((Is(0, code),) for code in _EXTRA_REGISTERS),
    "ioctl": tuple((Is(1, code),) for code in _TERMINAL_QUESTIONS + _DESCRIPTOR_FLAGS),
    # No folder that its maker may not list: what is in it could not be counted or removed.
    "mkdir": ((Is(1, 0o700, 0o700),),),
    "mkdirat": ((Is(2, 0o700, 0o700),),),
    # No locks, leases or signals by descriptor: other processes meet these.
    "fcntl": tuple(
        (Is(1, command),)
        for command in (
            *(fcntl.F_DUPFD, fcntl.F_DUPFD_CLOEXEC),
            *(fcntl.F_GETFD, fcntl.F_SETFD, fcntl.F_GETFL, fcntl.F_SETFL),
        )
    ),
    # A pair of sockets, as event loops make it. One for datagrams could send to any address.
    "socketpair": ((Is(0, socket.AF_UNIX), Is(1, socket.SOCK_STREAM, 0xF)),),
    "sendto": ((Is(4, 0, mask=(1 << 64) - 1),),),  # to no address
}
"""Calls that are allowed if all conditions of one of the alternatives hold."""

CUDA = frozenset(
    {"get_mempolicy", "ioctl", "mbind", "mincore", "mlock", "munlock", "set_mempolicy"}
)
"""Calls that the driver of a GPU makes besides: to its device files, and for its own memory."""

UNKNOWN_TO_C_LIBRARY = ("clone3",)
"""Said to be missing: the C library then makes an older call, whose arguments a filter can see."""

NEWER_CALLS = 64
"""How many numbers above the last one known are said to be missing, as in an older kernel."""

_MOST_CALLS = 1024  # no architecture has as many
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_REFUSED, _MISSING = _ERRNO | errno.EPERM, _ERRNO | errno.ENOSYS
_MASKED_EQUAL = 7
_BAD_ARCHITECTURE, _OPTIMIZE, _AS_A_TREE = 2, 8, 2
_MODE_FILTER = 2


class _FilterProgram(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


class _Comparison(ctypes.Structure):
    _fields_ = (
        ("argument", ctypes.c_uint),
        ("operator", ctypes.c_int),
        ("mask", ctypes.c_uint64),
        ("value", ctypes.c_uint64),
    )


def library() -> ctypes.CDLL | None:
    """Return libseccomp, or None where there is none. s390 passes clone's arguments otherwise."""
    if sys.platform != "linux" or platform.machine().startswith("s390"):
        return None
    try:
        loaded = ctypes.CDLL(LIBRARY)
    except OSError:
        return None
    loaded.seccomp_init.restype = ctypes.c_void_p
    loaded.seccomp_syscall_resolve_num_arch.restype = ctypes.c_void_p
    return loaded


def calls(library: ctypes.CDLL) -> dict[int, str]:
    """Return the table of calls of this architecture, as libseccomp knows it: names by number."""
    libc = ctypes.CDLL(None)
    architecture = ctypes.c_uint32(library.seccomp_arch_native())
    table = {}
    for number in range(_MOST_CALLS):
        name = library.seccomp_syscall_resolve_num_arch(architecture, number)
        if name:
            table[number] = ctypes.string_at(name).decode()
            libc.free(ctypes.c_void_p(name))
    return table


def written(*, cuda: bool = False) -> bytes:
    """Return the filter as the kernel takes it; nothing without libseccomp. OSError: it fails."""
    with_library = library()
    if with_library is None:
        return b""
    table = calls(with_library)
    allowed = ALLOWED | CUDA if cuda else ALLOWED
    rules = _Rules(with_library)
    for number, name in table.items():
        if name in allowed:
            rules.add(_ALLOW, number)
        elif name in UNKNOWN_TO_C_LIBRARY:
            rules.add(_MISSING, number)
        else:
            for conditions in ALLOWED_IN_PART.get(name, ()):
                rules.add(_ALLOW, number, conditions)
    last = max(table)
    for number in range(last + 1, last + 1 + NEWER_CALLS):
        rules.add(_MISSING, number)
    return rules.exported()


def restrict(program: bytes) -> None:
    """Filter the calls of this process and its threads, for good. OSError where refused."""
    own = struct.pack("=I", os.getpid())
    code = program.replace(struct.pack("=I", _OWN_PROCESS), own)
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    filter_program = _FilterProgram(len(code) // 8, code)
    linux.prctl(linux.PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(filter_program))


class _Rules:
    """A filter that libseccomp is writing: what no rule allows is refused."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        self._context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(_REFUSED)))
        # Calls in the way of another architecture, such as 32-bit ones, are refused too.
        _checked(self._set(_BAD_ARCHITECTURE, _REFUSED))
        self._set(_OPTIMIZE, _AS_A_TREE)  # an old libseccomp compares one call after another

    def add(self, action: int, number: int, conditions: tuple[Is, ...] = ()) -> None:
        compared = (_Comparison * len(conditions))(
            *(
                _Comparison(each.argument, _MASKED_EQUAL, each.mask, each.value)
                for each in conditions
            )
        )
        call = self._library.seccomp_rule_add_array
        _checked(call(self._context, ctypes.c_uint32(action), number, len(conditions), compared))

    def exported(self) -> bytes:
        """Return the filter, and end the writing."""
        reading, writing = os.pipe()  # holds more than the longest filter
        try:
            _checked(self._library.seccomp_export_bpf(self._context, writing))
            return os.read(reading, 1 << 16)
        finally:
            self._library.seccomp_release(self._context)
            os.close(reading)
            os.close(writing)

    def _set(self, attribute: int, value: int) -> int:
        return int(self._library.seccomp_attr_set(self._context, attribute, ctypes.c_uint32(value)))


def _checked(result: int) -> None:
    if result < 0:
        raise OSError(-result, f"libseccomp: {os.strerror(-result)}")
