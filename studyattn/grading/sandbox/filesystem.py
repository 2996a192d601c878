"""The files that a worker may read and write, by Landlock: the interpreter, and its scratch folder.

The program's own package is left out, so that a submission cannot read the reference either. The
folders granted are worked out once, in the fork server; a worker only hands them to the kernel.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path

READABLE_SYSTEM = (
    "/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/usr/share/zoneinfo",
    "/etc/ld.so.cache", "/etc/localtime", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat",
    "/sys/devices/system", "/dev/urandom", "/dev/random", "/dev/zero",
)  # fmt: skip
WRITABLE_SYSTEM = ("/dev/null",)
# What the CUDA driver opens. Its device files are written to by every kernel launch.
READABLE_CUDA = ("/proc", "/sys", "/usr/share", "/etc", "/usr/local/cuda", "/usr/local/nvidia")
WRITABLE_CUDA = ("/dev", "/proc/self/task")

PACKAGE = Path(__file__).resolve().parents[2]


def supported() -> bool:
    """Return whether this kernel has Landlock."""
    if sys.platform != "linux":
        return False
    import landlockpy

    return landlockpy.supported()


def abi() -> int:
    """Version of Landlock's interface, 0 where there is none."""
    if sys.platform != "linux":
        return 0
    import landlockpy

    return landlockpy.abi_version()


def readable(*, package: bool, cuda: bool) -> tuple[str, ...]:
    """Folders and files that a worker may read; the studyattn package too when `package` is set."""
    places = [*_interpreter(), *READABLE_SYSTEM, *(READABLE_CUDA if cuda else ())]
    resolved = {Path(place).resolve() for place in places if os.path.lexists(place)}
    if package:
        return tuple(sorted({*map(str, resolved), str(PACKAGE)}))
    return tuple(sorted({str(kept) for root in resolved for kept in _without(root, PACKAGE)}))


def writable(*, cuda: bool) -> tuple[str, ...]:
    """Files outside the scratch folder that may be written to: devices only."""
    places = (*WRITABLE_SYSTEM, *(WRITABLE_CUDA if cuda else ()))
    return tuple(place for place in places if os.path.lexists(place))


def _interpreter() -> Iterator[str]:
    paths = sysconfig.get_paths()
    yield from (paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib"))
    # Not every folder on the path: one that PYTHONPATH adds may hold anything.
    yield from (path for path in sys.path if Path(path).name in {"site-packages", "dist-packages"})
    yield str(Path(sys.base_prefix) / "lib")
    yield str(Path(sys.prefix) / "lib")


def _without(root: Path, excluded: Path) -> Iterator[Path]:
    """`root`, or those of its children that together are everything in it but `excluded`."""
    if root == excluded:
        return
    if root not in excluded.parents:
        yield root
        return
    for child in root.iterdir():
        yield from _without(child, excluded)


def restrict(scratch: str, readable: Iterable[str], writable: Iterable[str]) -> None:
    """Confine this process, for good, to these paths. OSError where the kernel refuses."""
    from landlockpy import AccessFS, AccessNet, Ruleset, Scope

    read = AccessFS.READ_FILE | AccessFS.READ_DIR
    write_file = AccessFS.READ_FILE | AccessFS.WRITE_FILE | AccessFS.TRUNCATE
    everything = (
        write_file | AccessFS.READ_DIR | AccessFS.REMOVE_DIR | AccessFS.REMOVE_FILE
        | AccessFS.MAKE_DIR | AccessFS.MAKE_REG | AccessFS.MAKE_FIFO | AccessFS.REFER
    )  # fmt: skip
    scopes = Scope.SIGNAL | Scope.ABSTRACT_UNIX_SOCKET
    with Ruleset(handled_net=AccessNet.BIND_TCP | AccessNet.CONNECT_TCP, scoped=scopes) as rules:
        for path in readable:
            # A rule for a file may not carry rights that only folders have.
            rules.allow_path(path, read if os.path.isdir(path) else AccessFS.READ_FILE)  # noqa: PTH112  # called a hundred times before each attempt
        for path in writable:
            device = write_file | AccessFS.IOCTL_DEV
            rules.allow_path(path, device | read if os.path.isdir(path) else device)  # noqa: PTH112  # the same
        rules.allow_path(scratch, everything)
        rules.restrict()
