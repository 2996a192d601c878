"""The fork server, a process that has imported the array library, and the supervisors it forks.

    python -m studyattn.grading.run.fork_server BACKEND DEVICE DESCRIPTOR OPTIONS

It holds no reference, no judge and no expected value, so no worker inherits any; one for scripts,
which are not graded, imports what they may. It makes no threads and runs no arithmetic, so that a
fork of it is whole. Each request on the control socket
is one line of JSON with three descriptors: the worker's end of the wire, where output goes, and the
status socket. It ends when the runner's end of the control socket is closed.

A supervisor is forked for each attempt. It makes the namespaces, forks the worker, and waits for
one of two things: that the worker ends, or that the judge wants it ended (a byte on the status
socket, or its end). Then it ends whatever the worker left behind and reports on the status socket,
which the worker never holds. Foreign code runs in the worker alone.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from studyattn.grading import arrays
from studyattn.grading.arrays.array_library import ArrayLibrary
from studyattn.grading.limits import Ending, ResourceLimits
from studyattn.grading.run import worker
from studyattn.grading.run.worker import WorkerSpec
from studyattn.grading.sandbox import Level, Plan, plan, scratch, separate, tree
from studyattn.grading.submission import Backend

MAX_REQUEST = 1 << 16
ENDING = 0.05  # seconds for a worker to end by itself when it is to end

Watch = Callable[[WorkerSpec], NoReturn]


def main(arguments: Sequence[str]) -> None:
    """Serve until the control socket closes."""
    backend, device, descriptor, options = arguments
    wanted = json.loads(options)
    control = socket.socket(fileno=int(descriptor))
    left_out = [Level(name) for name in wanted["without"]]
    walls = plan(
        package=wanted["package"], cuda=device == "cuda", further=wanted["readable"]
    ).without(left_out)
    gc.disable()  # hardly anything that an import makes is garbage
    library = arrays.library(Backend(backend), device)
    for name in wanted["imported"]:
        importlib.import_module(name)
    # What is alive now lives as long as the server: no worker needs to look at it, and looking
    # would copy its pages.
    gc.freeze()
    gc.enable()
    tree.become_subreaper()
    control.sendall(json.dumps({"isolation": walls.isolation}).encode() + b"\n")
    work = functools.partial(worker.work, library=library)
    _serve(control, library, functools.partial(supervise, walls, work))


def _serve(control: socket.socket, library: ArrayLibrary, watch: Watch) -> None:
    reading, writing = _watch_children()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the runner's to answer
    supervisors: set[int] = set()
    while True:
        ready, _, _ = select.select([control.fileno(), reading], [], [])
        if reading in ready:
            os.read(reading, 4096)
            _reap(supervisors)
        if control.fileno() in ready:
            spec = _request(control)
            if spec is None:
                return
            library.foresee(spec.forbidden)
            supervisors.add(_fork(watch, spec, (control.fileno(), reading, writing)))


def _request(control: socket.socket) -> WorkerSpec | None:
    text, descriptors, _, _ = socket.recv_fds(control, MAX_REQUEST, 3)
    while text and not text.endswith(b"\n"):
        text += control.recv(MAX_REQUEST)
    if not text:
        return None
    fields = json.loads(text)
    wire, output, status = descriptors
    limits, mark = ResourceLimits(**fields["limits"]), bytes.fromhex(fields["mark"])
    forbidden = tuple(fields["forbidden"])
    return WorkerSpec(limits, fields["scratch"], mark, forbidden, wire, output, status)


def _fork(watch: Watch, spec: WorkerSpec, own: Sequence[int]) -> int:
    child = os.fork()
    if child == 0:
        signal.set_wakeup_fd(-1)
        for descriptor in own:
            os.close(descriptor)
        watch(spec)
    for descriptor in (spec.wire, spec.output, spec.status):
        os.close(descriptor)
    return child


def _reap(supervisors: set[int]) -> None:
    """Collect ended children, and end what a supervisor that was itself killed left behind."""
    while True:
        try:
            process, code = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if process == 0:
            return
        supervisors.discard(process)
        if code != 0 and not supervisors:
            for stray in tree.descendants(os.getpid()):
                os.kill(stray, signal.SIGKILL)


# ── one attempt ──────────────────────────────────────────────────────────────────────────────────


def supervise(
    walls: Plan, work: Callable[[Plan, WorkerSpec], NoReturn], spec: WorkerSpec
) -> NoReturn:
    """Be the supervisor of one attempt: fork a worker that does `work`, see to its end, report."""
    try:
        os.setsid()
        if walls.subreaper:
            tree.become_subreaper()
        children, _ = _watch_children()
        separate(walls, spec.limits, spec.scratch)
        tree.die_with_parent()
        process = os.fork()
        if process == 0:
            os.close(spec.status)
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            work(walls, spec)
        os.close(spec.wire)
        os.close(spec.output)
        status = socket.socket(fileno=spec.status)
        counted = None if walls.mounts else spec
        ending = _wait(process, children, status, counted)
        with contextlib.suppress(OSError):
            status.sendall(ending.to_json())
    finally:
        os._exit(0)


def _watch_children() -> tuple[int, int]:
    """Return both ends of a pipe; the first becomes readable when a child ends."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    return reading, writing


def _wait(process: int, children: int, status: socket.socket, counted: WorkerSpec | None) -> Ending:
    """Wait until the worker ends or is to be ended; then end all that it left behind.

    The scratch folder of `counted` is looked at meanwhile.
    """
    interval = None if counted is None else scratch.INTERVAL
    while True:
        ready, _, _ = select.select([status.fileno(), children], [], [], interval)
        if children in ready:
            os.read(children, 4096)
        full = counted is not None and scratch.is_full(counted.scratch, process, counted.limits)
        asked = status.fileno() in ready or full
        if asked and not full:  # the judge may have seen the wire of a worker that is ending close
            select.select([children], [], [], ENDING)
        ended, code, usage = os.wait4(process, os.WNOHANG)
        was_killed = asked and not ended
        if was_killed:
            os.kill(process, signal.SIGKILL)
            ended, code, usage = os.wait4(process, 0)
        if ended:
            tree.end(process, reaped=True)
            exit_code: int | None = os.waitstatus_to_exitcode(code)
            if was_killed and exit_code == -signal.SIGKILL:
                exit_code = None  # it was not about to end by itself
            return Ending(exit_code, usage.ru_utime + usage.ru_stime, full)


if __name__ == "__main__":
    main(sys.argv[1:])
