"""Tries every system call of the kernel's table in a worker, on things outside of it.

    python -m benchmarks.syscalls --without pid-namespace
    python -m benchmarks.syscalls

Each call gets every combination of arguments that could mean something: paths of a file, of a
folder and of nothing yet, an open descriptor, a process, flags and sizes. After each call all that
it could have reached is looked at. The table of calls is libseccomp's for this architecture, and
the numbers after its last. Without namespaces the filter has to hold by itself: in a worker with
all layers the process that is tried has no number.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from studyattn.grading.call_plan import Call, CallPlan, Ended, Finished, Outcome
from studyattn.grading.limits import ResourceLimits
from studyattn.grading.run.runner import Runner
from studyattn.grading.sandbox import Level, seccomp
from studyattn.grading.submission import Backend, Submission

LIMITS = ResourceLimits(seconds=60.0)
ENTRY = "attempt"
IN_A_WORKER = 100
"""How many calls are tried in one worker, as long as all of them are refused."""
UNKNOWN = 40
"""How many numbers after the last one of the table are tried."""

PROGRAM = """
import ctypes, itertools, os, signal, time

call = ctypes.CDLL(None, use_errno=True).syscall
call.argtypes, call.restype = [ctypes.c_long] * 7, ctypes.c_long
texts = {file!r}, {folder!r}, {new!r}, b"user.canary", b""
texts = [ctypes.create_string_buffer(text, 1 << 16) for text in texts]
opened = os.open({file!r}, os.O_RDONLY)
values = [*map(ctypes.addressof, texts), opened, {process}, -100, 0, 9, 0o777]
ends = [(0, 0, 0), (ctypes.addressof(texts[2]), 0, 0), (8, 0, 0), (0, 0x1000, 0)]
signal.signal(signal.SIGALRM, lambda *_: None)

def attempt(number):
    signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)  # what waits goes on
    until = time.monotonic() + 1.0
    errors = set()
    for arguments in itertools.product(values, values, values, ends):
        done = call(number, *arguments[:3], *arguments[3])
        errors.add(ctypes.get_errno() if done == -1 else 0)
        if time.monotonic() > until:
            break
    signal.setitimer(signal.ITIMER_REAL, 0)
    return tuple(errors)[:60]
"""


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of one call: an outcome, and what was different outside afterwards."""

    number: int
    name: str
    outcome: str  # allowed | refused | absent | ended: allowed, and ended its worker or hung
    changed: tuple[str, ...]


class Canaries:
    """A file, a folder and a process that no call may change."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "outside"
        self.folder.mkdir()
        self.file = self.folder / "file"
        self.file.write_text("untouched")
        self.file.chmod(0o604)
        self._inode = self.file.stat().st_ino
        self.process = subprocess.Popen(["sleep", "3600"])

    def close(self) -> None:
        self.process.kill()
        self.process.wait()

    def program(self) -> bytes:
        paths = {"file": self.file, "folder": self.folder, "new": self.folder / "new"}
        named = {name: os.fsencode(path) for name, path in paths.items()}
        return PROGRAM.format(**named, process=self.process.pid).encode()

    def state(self) -> Mapping[str, object]:
        """All that could change, by name; a part that is gone is None."""
        process = self.process.pid
        parts: dict[str, Callable[[], object]] = {
            "file": lambda: _status(self.file),
            "its text": self.file.read_text,
            "its extended attributes": lambda: os.listxattr(self.file),
            "folder": lambda: _status(self.folder),
            "names in the folder": lambda: sorted(os.listdir(self.folder)),  # noqa: PTH208  # their names
            "process": lambda: _fields(process),
            "its priority": lambda: os.getpriority(os.PRIO_PROCESS, process),
            "its cores": lambda: os.sched_getaffinity(process),
            "its scheduler": lambda: os.sched_getscheduler(process),
            "its limits": lambda: [resource.prlimit(process, each) for each in range(16)],
            "locks": lambda: Path("/proc/locks").read_text("ascii").count(f":{self._inode} "),
            "shared memory": lambda: _own_lines("/proc/sysvipc/shm"),
            "semaphores": lambda: _own_lines("/proc/sysvipc/sem"),
            "message queues": lambda: _own_lines("/proc/sysvipc/msg"),
            "keys": lambda: len(Path("/proc/keys").read_text("ascii").splitlines()),
            "name of the machine": lambda: os.uname().nodename,
        }
        seen: dict[str, object] = {}
        for name, look in parts.items():
            seen[name] = None
            with contextlib.suppress(OSError):
                seen[name] = look()
        return seen


def _status(path: Path) -> tuple[int, ...]:
    status = path.lstat()
    times = status.st_mtime_ns, status.st_ctime_ns
    return (*times, status.st_mode, status.st_uid, status.st_gid, status.st_size, status.st_nlink)


def _fields(process: int) -> list[bytes]:
    """Whether a process is stopped or has ended; its parent, group and session."""
    state, *others = Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()
    return [b"running" if state in b"SRD" else state, *others[:3]]


def _own_lines(path: str) -> int:
    """How many lines of a table of the kernel have this user's number in the column `uid`."""
    head, *rows = [line.split() for line in Path(path).read_text("ascii").splitlines()]
    return sum(row[head.index("uid")] == str(os.getuid()) for row in rows)


def table() -> Mapping[int, str]:
    """Return the calls of this architecture, and the numbers after the last one known."""
    library = seccomp.library()
    if library is None:
        sys.exit("no libseccomp to ask for the table of calls")
    known = seccomp.calls(library)
    last = max(known)
    return known | {number: f"({number})" for number in range(last + 1, last + 1 + UNKNOWN)}


def tried(numbers: Mapping[int, str], without: Collection[Level] = ()) -> Iterator[Tried]:
    """Try each of these calls in a worker without some layers.

    Another program may change something too, so a call after which something differs is tried anew.
    """
    for each in _tried_once(numbers, without):
        yield next(_tried_once({each.number: each.name}, without)) if each.changed else each


def _tried_once(numbers: Mapping[int, str], without: Collection[Level]) -> Iterator[Tried]:
    waiting = list(numbers.items())
    with contextlib.ExitStack() as open_:
        canaries = Canaries(Path(open_.enter_context(tempfile.TemporaryDirectory())))
        open_.callback(canaries.close)
        readable = (str(canaries.folder),)
        runner = Runner(Backend.NUMPY, limits=LIMITS, readable=readable, without=without)
        open_.enter_context(runner)
        program = Submission("/syscalls.py", canaries.program(), Backend.NUMPY, (ENTRY,))
        while waiting:
            with runner.loaded(program, [_plan(0)]) as carry_out:
                for _ in range(min(IN_A_WORKER, len(waiting))):
                    number, name = waiting.pop(0)
                    before = canaries.state()
                    outcome = _outcome(carry_out(_plan(number)))
                    after = canaries.state()
                    changed = (part for part in before if before[part] != after[part])
                    yield Tried(number, name, outcome, tuple(changed))
                    if outcome not in {"refused", "absent"}:
                        break  # it may have changed the worker


def _plan(number: int) -> CallPlan:
    return CallPlan((Call(ENTRY, (number,)),))


def _outcome(outcome: Outcome) -> str:
    match outcome:
        case Ended():
            return "ended"
        case Finished({"result": (errno.EPERM,)}):
            return "refused"
        case Finished({"result": (errno.ENOSYS,)}):
            return "absent"
        case Finished():
            return "allowed"
        case _:
            raise RuntimeError(f"the program that tries the calls fails: {outcome}")


def main() -> None:
    """Print the calls by outcome."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    layers = [level.value for level in Level]
    parser.add_argument("--without", action="append", default=[], choices=layers)
    without = [Level(name) for name in parser.parse_args().without]
    found = list(tried(table(), without))
    for outcome, means in (
        ("allowed", "reach the kernel; those with * only with some arguments"),
        ("ended", "the same, and some arguments ended the worker or made it wait"),
        ("refused", "Operation not permitted"),
        ("absent", "Function not implemented"),
    ):
        names = [each.name for each in found if each.outcome == outcome]
        print(f"{outcome}, {len(names)} ({means}):")
        print(f"  {' '.join(name + '*' * (name in seccomp.ALLOWED_IN_PART) for name in names)}")
    reached = [each for each in found if each.changed]
    print(f"changed something outside: {len(reached)}")
    for each in reached:
        print(f"  {each.name}: {', '.join(each.changed)}")
    sys.exit(1 if reached else 0)


if __name__ == "__main__":
    main()
